// Delays between a change and its reading, in milliseconds. They are in one module so that tests can replace them.

/** Delay before a changed page, cell or output is read. */
export const SOON_MS = 150;
/** Reads due within this time of each other are done together. */
export const TOGETHER_MS = 50;
/** Delay before cells are searched for after some were added or removed. */
export const QUIET_MS = 250;
/** Delay before landmarks are searched for; it grows while the page keeps changing. */
export const CHECK_MS = 1500;
/** Longest delay between two searches for landmarks. */
export const SLOWEST_CHECK_MS = 12000;
/** Longest delay for a page or cell that keeps changing. */
export const LATEST_MS = 1000;
/** Longest delay for an output that keeps growing. */
export const SLOWEST_MS = 5000;
/**
 * When the background has known for this long that a connection is away, it gets an event: a second longer than the engine
 * waits for it to come back.
 */
export const AWAY_MS = 46_000;
