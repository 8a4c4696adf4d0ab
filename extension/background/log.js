// What is stored of a page as an event log, which `nbmedic replay` reads.

/** @typedef {import('./store.js').Stored} Stored */

/** What stands for something that was taken out. */
const PLACEHOLDER = /\[redacted-([a-z-]+)\]/g;

/**
 * One line for each batch, without secrets and names: what is held in memory alone has them still. Sources of cells only
 * where they are wanted. What it gives is shaped like the engine's drafts of reports; nothing in it can be put back.
 * @param {Stored[]} stored in order @param {string} page @param {boolean} source
 * @param {{redact(events: SensorEvent[]): SensorEvent[]}} engine
 */
export function eventLog(stored, page, source, engine) {
  /** @type {{seq: number, at: number, events: SensorEvent[]}[]} */
  const batches = [];
  let sources = 0;
  let count = 0;
  for (const { seq, at, event } of stored) {
    sources += Number(event.t === 'source');
    if (event.t === 'source' && !source) continue;
    count += 1;
    const last = batches.at(-1);
    if (last?.seq === seq) last.events.push(event);
    else batches.push({ seq, at, events: [event] });
  }
  const lines = batches.map(({ at, events }) => JSON.stringify({ at, page, events: engine.redact(events) }));
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
