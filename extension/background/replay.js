// What a page's engine is given when it starts again: the page's record.

import { isFound } from './events.js';

/**
 * @typedef {{events: SensorEvent[], at: number, seq: number}} Batch
 * @typedef {{first: SensorEvent[], stored: import('./store.js').Stored[]}} Record what comes before a page's events, and those
 */

/** Lets what the browser has already answered be handled. @returns {Promise<void>} */
export const turn = () => new Promise((resolve) => setTimeout(resolve));

/**
 * Reads a page's record, and starts to load what its cards will need if the engine is still starting.
 * @param {import('./store.js').Store} store @param {string} page
 * @param {{engine: import('./engine.js').EngineHost, limits: () => Promise<SensorEvent>}} parts @returns {Promise<Record>}
 */
export async function read(store, page, { engine, limits }) {
  const [muted, limit, stored] = await Promise.all([store.get('muted'), limits(), store.load(page)]);
  if (!engine.live) foresee(engine, stored);
  const mutes = (muted ?? []).map((/** @type {string} */ id) => ({ t: 'act', do: 'mute', id }));
  return { first: [limit, ...mutes], stored };
}

/** @param {import('./engine.js').EngineHost} engine @param {import('./store.js').Stored[]} stored */
function foresee(engine, stored) {
  const ids = [];
  const failed = new Set();
  const answered = new Set();
  for (const { event } of stored) {
    if (!isFound(event)) continue;
    const cell = `${event.nb}\n${event.cell}`;
    if (event.t === 'answered') answered.add(cell);
    else if (event.found) {
      ids.push(...event.prose);
      failed.add(cell);
    }
  }
  engine.foresee(
    ids,
    [...failed].some((cell) => !answered.has(cell)),
  );
}

/** The batches of a replay, in order. @param {Record} record @returns {Batch[]} */
export function batches({ first, stored }) {
  // What was found out about an output or a source must be known before it.
  const found = stored.flatMap(({ event }) => (isFound(event) ? [event] : []));
  /** @type {Batch[]} */
  const all = [{ events: [...first, ...found], at: 0, seq: 0 }];
  for (const { seq, at, event } of stored) {
    if (isFound(event)) continue;
    const last = all.at(-1);
    if (last?.seq === seq) last.events.push(event);
    else all.push({ seq, at, events: [event] });
  }
  return all;
}

/** The running and pending cells of each page, as of the last events that the engine read. */
export class Running {
  /** @type {Map<string, Set<string>>} */
  #cells = new Map();

  /** @param {string} page @param {SensorEvent[]} events */
  follow(page, events) {
    const running = this.#cells.get(page) ?? new Set();
    this.#cells.set(page, running);
    for (const event of events) {
      if (event.t !== 'cell' && event.t !== 'removed') continue;
      const cell = `${event.nb}\n${event.cell}`;
      if (event.t === 'cell' && (event.state === 'running' || event.state === 'pending')) running.add(cell);
      else running.delete(cell);
    }
  }

  /** Follows a replay, and returns it. @param {string} page @param {Batch[]} replay */
  again(page, replay) {
    this.forget(page);
    for (const { events } of replay) this.follow(page, events);
    return replay;
  }

  /** @param {string} page */
  any(page) {
    return Boolean(this.#cells.get(page)?.size);
  }

  /** @param {string} page */
  forget(page) {
    this.#cells.delete(page);
  }
}
