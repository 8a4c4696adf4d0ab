// How long after a change something is read, in milliseconds. One place, so that tests can put others in its stead.

/** Delay before a changed page, cell or output is read. */
export const SOON_MS = 150;
/** Reads due within this time of each other are done together. */
export const TOGETHER_MS = 50;
/** Delay before cells are looked for after some came or went. */
export const QUIET_MS = 250;
/** Delay before landmarks are looked for; it grows while the page goes on changing. */
export const CHECK_MS = 1500;
/** Longest delay between two looks for landmarks. */
export const SLOWEST_CHECK_MS = 12000;
/** Longest delay of a page or cell that goes on changing. */
export const LATEST_MS = 1000;
/** Longest delay of an output that goes on growing. */
export const SLOWEST_MS = 5000;
