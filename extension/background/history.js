// The history of findings across notebooks and browser restarts: bounded, and free of secrets and names.

/** Maximum number of entries; the oldest are deleted. Each has at most a few thousand characters. */
export const MAX_PAST = 1000;
/** How long an entry is kept, in milliseconds. */
export const MAX_PAST_AGE = 365 * 24 * 3600 * 1000;

/**
 * A diagnosis or a kernel death, as returned by `Engine.past`.
 * @typedef {{key: string, at: number, death: boolean, id: string, variant: string, title: string, summary: string,
 *   lines: string[], notebook: string, place: string, origin: string, solved?: {by: string, how: string}}} Past
 */

/**
 * What solved a finding, as returned by `Engine.past`.
 * @typedef {{key: string, by: string, how: string}} Over
 */

/** @typedef {{found: Past[], over: Over[]}} Remembered */

/** The row to store for a finding. One that is already known keeps the time it was first seen, and what solved it. @param {Past | undefined} known @param {Past} row @returns {Past} */
export function remembered(known, row) {
  const past = { ...row, at: Math.min(known?.at ?? row.at, row.at) };
  return known?.solved ? { ...past, solved: known.solved } : past;
}

/** The row of a finding that is solved, unless it is not known (it was erased) or was solved before. @param {Past | undefined} known @param {Over} over @returns {Past | undefined} */
export const solved = (known, { by, how }) => (known && !known.solved ? { ...known, solved: { by, how } } : undefined);

/** Whether the oldest row must be deleted. @param {number} at its time @param {number} rows number of rows @param {number} now */
export const isOver = (at, rows, now) => rows > MAX_PAST || now - at > MAX_PAST_AGE;

/**
 * When the history was last cleared, and the pages that were open then.
 * @typedef {{at: number, pages: string[]}} Erased
 */

/** Whether a finding is newer than the last clearing. One that was already on the page has no time of its own (see the engine's `past`). @param {Past} row @param {string} page @param {Erased | undefined} erased */
function isNew({ at, key }, page, erased) {
  if (!erased) return true;
  return /\n#\d+$/.test(key) ? !erased.pages.includes(page) : at > erased.at;
}

/** What `Engine.past` returned, without the findings that were erased. @param {string} json @param {string} page @param {Erased | undefined} erased @returns {Remembered} */
export function unerased(json, page, erased) {
  /** @type {Remembered} */
  const { found, over } = JSON.parse(json);
  return { found: found.filter((row) => isNew(row, page, erased)), over };
}
