// The store: for each page, the events that produce its current state, in order. The store is the source of
// truth; the engine is a cache of it.

import { slot, slotOf } from '../slot.js';
import { isFound } from './events.js';
import { isOver, remembered, solved } from './history.js';

/** @typedef {import('./history.js').Past} Past */
/** @typedef {import('./history.js').Over} Over */

/** Approximate limits on event characters, per page and for all pages. A character takes one or two bytes. */
export const MAX_PAGE = 16 * 1024 * 1024;
export const MAX_ALL = 96 * 1024 * 1024;
/** Pages not written to for this long are forgotten, in milliseconds. */
export const MAX_AGE = 7 * 24 * 3600 * 1000;

/**
 * @typedef {{page: string, seq: number, tab: number, frame: number, origin: string, at: number, size: number}} Page
 * @typedef {{page: string, slot: string, seq: number, at: number, order: number, size: number, event: SensorEvent}} Stored
 * @typedef {{tab: number, frame: number, origin: string}} Sender
 * @typedef {'stored' | 'known' | 'gap'} Outcome
 * @typedef {{
 *   commit(page: string, seq: number, events: SensorEvent[], sender: Sender, at: number): Promise<Outcome>,
 *   keep(page: string, events: SensorEvent[], at: number): Promise<void>,
 *   load(page: string): Promise<Stored[]>,
 *   pages(): Promise<Page[]>,
 *   trim(page: string, size: number): Promise<number>,
 *   forget(page: string): Promise<void>,
 *   get(key: string): Promise<any>,
 *   set(key: string, value: unknown): Promise<void>,
 *   clear(): Promise<void>,
 *   remember(found: Past[], over: Over[], now: number): Promise<void>,
 *   past(): Promise<Past[]>,
 *   forgetPast(): Promise<void>,
 * }} Store
 */

/** Whether `event` makes a stored slot obsolete. @param {string} old @param {SensorEvent} event */
export function obsolete(old, event) {
  if (event.t === 'removed') return whole(event).includes(old) || old.startsWith(outputs(event));
  if (event.t === 'outputs') {
    const prefix = outputs(event);
    return old.startsWith(prefix) && Number(old.slice(prefix.length)) >= Number(event.n);
  }
  return false;
}

/** The slots of a removed cell besides its outputs'. @param {{nb: string, cell: string}} event */
export const whole = (event) => [
  slotOf('source', event),
  slotOf('outputs', event),
  slotOf('judged', event),
  slotOf('answered', event),
];

/** The common prefix of the slots of a cell's outputs. @param {{nb: string, cell: string}} event */
export const outputs = ({ nb, cell }) => slotOf('output', { nb, cell, out: '' });

/** Whether a batch is the next one, already known, or follows a gap. @param {Page | undefined} known @param {number} seq @returns {Outcome} */
export function place(known, seq) {
  const last = known?.seq ?? 0;
  if (seq <= last) return 'known';
  return seq === last + 1 ? 'stored' : 'gap';
}

/** Order numbers per batch, more than a batch has events; events kept by the engine are numbered after a batch's own. */
export const PER_BATCH = 100000;

/**
 * @param {string} page @param {number} seq @param {SensorEvent[]} events @param {number} at
 * @param {number} [from] @returns {Stored[]}
 */
export function rows(page, seq, events, at, from = 0) {
  return events.map((event, i) => ({
    page,
    slot: slot(event),
    seq,
    at,
    order: seq * PER_BATCH + from + i,
    size: 200 + textLength(event),
    event,
  }));
}

/** Number of characters in an event's texts. @param {SensorEvent} event */
export function textLength(event) {
  if (event.t === 'output') return (event.head?.length ?? 0) + (event.tail?.length ?? 0);
  if (event.t === 'judged') return event.found?.length ?? 0;
  return 'text' in event && typeof event.text === 'string' ? event.text.length : 0;
}

/** A store that holds everything in memory, for private windows and as a fallback for the disk. @returns {Store} */
export function memoryStore() {
  /** @type {Map<string, {page: Page, rows: Map<string, Stored>}>} */
  const all = new Map();
  /** @type {Map<string, unknown>} */
  const settings = new Map();
  /** @type {Map<string, Past>} */
  let past = new Map();
  return {
    async commit(page, seq, events, sender, at) {
      const known = all.get(page);
      const outcome = place(known?.page, seq);
      if (outcome !== 'stored') return outcome;
      const kept = known?.rows ?? new Map();
      for (const row of rows(page, seq, events, at)) {
        if (row.event.t === 'removed' || row.event.t === 'outputs') {
          for (const old of kept.keys()) if (obsolete(old, row.event)) kept.delete(old);
        }
        kept.set(row.slot, row);
      }
      all.set(page, { page: { page, seq, at, size: shrink(kept, MAX_PAGE), ...sender }, rows: kept });
      return outcome;
    },
    async keep(page, events, at) {
      const known = all.get(page);
      if (!known) return;
      for (const row of rows(page, known.page.seq, events, at, PER_BATCH / 2)) known.rows.set(row.slot, row);
    },
    async load(page) {
      return [...(all.get(page)?.rows.values() ?? [])].sort((a, b) => a.order - b.order);
    },
    async pages() {
      return [...all.values()].map(({ page }) => page);
    },
    async trim(page, size) {
      const known = all.get(page);
      if (!known) return 0;
      known.page.size = shrink(known.rows, size);
      return known.page.size;
    },
    async forget(page) {
      all.delete(page);
    },
    async get(key) {
      return settings.get(key);
    },
    async set(key, value) {
      settings.set(key, value);
    },
    async clear() {
      all.clear();
      settings.clear();
      past.clear();
    },
    async remember(found, over, now) {
      for (const row of found) past.set(row.key, remembered(past.get(row.key), row));
      for (const one of over) {
        const row = solved(past.get(one.key), one);
        if (row) past.set(row.key, row);
      }
      const rows = [...past.values()].sort((a, b) => a.at - b.at);
      const kept = rows.filter(({ at }, i) => !isOver(at, rows.length - i, now));
      past = new Map(kept.map((row) => [row.key, row]));
    },
    async past() {
      return [...past.values()];
    },
    async forgetPast() {
      past.clear();
    },
  };
}

/** Whether an event may be deleted, oldest first, when a page is over its limit; cells and sources are kept. @param {SensorEvent} event */
export const isPassing = (event) =>
  isFound(event) || event.t === 'output' || event.t === 'notice' || event.t === 'notice-gone';

/** Deletes a page's oldest outputs and notices until its size is at most `most`. Returns its size. @param {Map<string, Stored>} kept @param {number} most */
function shrink(kept, most) {
  let size = 0;
  for (const row of kept.values()) size += row.size;
  if (size <= most) return size;
  const passing = [...kept.values()].filter(({ event }) => isPassing(event)).sort((a, b) => a.order - b.order);
  for (const row of passing) {
    if (size <= most) break;
    kept.delete(row.slot);
    size -= row.size;
  }
  return size;
}

/** Characters written since the last prune that trigger another one. */
export const PRUNE_AFTER = MAX_ALL / 16;

/**
 * Forgets old pages and pages whose tab is closed. Over the limit, open pages lose their oldest outputs; a page is
 * deleted only if that is not enough, because its sensor would send everything again and evict another page.
 * Returns the forgotten pages.
 * @param {Store} store @param {() => Promise<Set<number>>} tabs @param {number} now
 */
export async function prune(store, tabs, now) {
  const known = (await store.pages()).sort((a, b) => b.at - a.at);
  // Queried after the pages, so that no page is missing a tab that was opened in between.
  const here = await tabs();
  /** @type {string[]} */
  const gone = [];
  /** @param {string} page */
  const forget = async (page) => {
    gone.push(page);
    await store.forget(page);
  };
  const isOver = (/** @type {Page} */ { at, tab }) => now - at > MAX_AGE || !here.has(tab);
  for (const page of known.filter(isOver)) await forget(page.page);
  const open = known.filter((page) => !isOver(page));
  if (open.reduce((sum, { size }) => sum + size, 0) <= MAX_ALL) return gone;
  const share = Math.floor(MAX_ALL / open.length);
  // Counts the sizes after trimming; anything written in the meantime is trimmed in the next prune.
  let sum = 0;
  for (const { page, size } of open) {
    sum += size > share ? await store.trim(page, share) : size;
    if (sum > MAX_ALL) await forget(page);
  }
  return gone;
}
