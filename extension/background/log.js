// Exports a page's stored events as an event log, which `nbmedic replay` reads.

import { isFound } from './events.js';

/** @typedef {import('./store.js').Stored} Stored */

/** The placeholder for redacted text. */
const PLACEHOLDER = /\[redacted-([a-z-]+)\]/g;

/**
 * One line for each batch, with secrets and names redacted: pages held only in memory still contain them. Cell sources
 * are included only if `source` is set. The result has the shape of the engine's report drafts; no redaction in it can
 * be undone.
 * @param {Stored[]} stored in order @param {string} page @param {boolean} source
 * @param {{redact(page: string, events: SensorEvent[]): SensorEvent[]}} engine
 */
export function eventLog(stored, page, source, engine) {
  /** @type {{seq: number, at: number, events: SensorEvent[]}[]} */
  const batches = [];
  let sources = 0;
  let count = 0;
  for (const { seq, at, event } of stored) {
    // What the engine found is found again in a replay.
    if (isFound(event)) continue;
    sources += Number(event.t === 'source');
    if (event.t === 'source' && !source) continue;
    count += 1;
    const last = batches.at(-1);
    if (last?.seq === seq) last.events.push(event);
    else batches.push({ seq, at, events: [event] });
  }
  const lines = batches.map(({ at, events }) => JSON.stringify({ at, page, events: engine.redact(page, events) }));
  const text = lines.map((line) => `${line}\n`).join('');
  /** @type {Map<string, number>} */
  const kinds = new Map();
  for (const [, kind = ''] of text.matchAll(PLACEHOLDER)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const taken = [...kinds].map(([kind, times]) => ({
    id: 0,
    kind,
    masked: '',
    places: ['event log'],
    count: times,
    back: false,
  }));
  return { text, title: '', problems: 0, events: count, versions: 0, sources, taken };
}
