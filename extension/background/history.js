// What was found in the past, across notebooks and starts of the browser: bounded, without secrets and names.

/** Entries that are kept; the oldest go. Each has at most a few thousand characters. */
export const MAX_PAST = 1000;
/** How long one is kept, in milliseconds. */
export const MAX_PAST_AGE = 365 * 24 * 3600 * 1000;

/**
 * A diagnosis or a death, as the engine hands it out (`Engine.past`).
 * @typedef {{key: string, at: number, death: boolean, id: string, variant: string, title: string, summary: string,
 *   lines: string[], notebook: string, place: string, origin: string}} Past
 */

/** The row of something that was found, which may be known already: it is as old as when it was first seen. @param {Past | undefined} known @param {Past} row @returns {Past} */
export function remembered(known, row) {
  return { ...row, at: Math.min(known?.at ?? row.at, row.at) };
}

/** Whether the oldest of so many rows has to go. @param {number} at when it was @param {number} rows @param {number} now */
export const isOver = (at, rows, now) => rows > MAX_PAST || now - at > MAX_PAST_AGE;

/**
 * When the history was last erased, and the pages that were open then.
 * @typedef {{at: number, pages: string[]}} Erased
 */

/** Whether something was found after the history was erased. What stood on a page before has no time of its own (see the engine's `past`). @param {Past} row @param {string} page @param {Erased | undefined} erased */
export function isNew({ at, key }, page, erased) {
  if (!erased) return true;
  return /\n#\d+$/.test(key) ? !erased.pages.includes(page) : at > erased.at;
}
