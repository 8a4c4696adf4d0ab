// A background around an engine that is easy to follow.

import { EngineHost } from '../../extension/background/engine.js';
import { Pages } from '../../extension/background/pages.js';
import { memoryStore } from '../../extension/background/store.js';
import { Troubles } from '../../extension/background/trouble.js';

export const from = { tab: 7, frame: 0, origin: 'https://notebook.test', isPrivate: false };
export const out = (text, o = 0) => ({
  t: 'output',
  nb: 'n',
  cell: 'c',
  out: o,
  run: 1,
  kind: 'error',
  len: text.length,
  head: text,
});

/** A minimal engine: a card for each output that asks for one, once its prose is loaded. */
export class FakeEngine {
  pages = new Map();
  prose = new Map();
  knows(page) {
    return this.pages.has(page);
  }
  /** The number of batches for which effects were requested. */
  said = 0;
  apply(page, events, now, more = false) {
    const seen = this.pages.get(page) ?? [];
    this.pages.set(page, seen);
    const effects = [];
    for (const event of events) {
      if (event.head === 'panic' || (event.head === 'panic once' && this.number === 1))
        throw new WebAssembly.RuntimeError('unreachable');
      if (event.t === 'limits') this.limits = event;
      else seen.push({ event, now });
      if (event.keep) effects.push({ t: 'keep', key: 'memory:n', event: { t: 'memory', nb: 'n', of: event.head } });
    }
    if (more) return undefined;
    this.said += 1;
    const cards = new Map();
    for (const { event } of seen) {
      if (event.t === 'output') cards.set(event.out, event.head);
    }
    for (const [key, text] of cards) {
      if (!text.startsWith('bad')) effects.push({ t: 'uncard', card: `k${key}` });
      else if (text.endsWith('cured') && !this.lent) effects.push({ t: 'need', ids: [], python: true });
      else if (!this.prose.has('oops')) effects.push({ t: 'need', ids: ['oops'], python: false });
      else effects.push({ t: 'card', card: `k${key}`, nb: 'n', cell: 'c', rev: 1, tree: { tag: 'p', text } });
    }
    effects.push({ t: 'badge', count: [...cards.values()].filter((text) => text.startsWith('bad')).length });
    return effects;
  }
  provide(id, prose) {
    this.prose.set(id, prose);
  }
  lent = false;
  lend() {
    this.lent = true;
  }
  missed = () => false;
  report(page, format) {
    return `${format} of ${page}: ${this.pages.get(page).length}`;
  }
  draft(page, wanted) {
    return { text: `${JSON.stringify(wanted)} of ${page}` };
  }
  past(page, now) {
    const bad = this.pages.get(page).filter(({ event }) => event.t === 'output' && event.head.startsWith('bad'));
    const key = (event) => `${event.head}\n${event.at ?? '#31'}`;
    const solved = bad.filter(({ event }) => event.solved);
    return JSON.stringify({
      found: bad.map(({ event }) => ({ key: key(event), at: event.at ?? now, title: event.head })),
      over: solved.map(({ event }) => ({ key: key(event), by: 'cell 2', how: 'changed' })),
    });
  }
  redact(page, events) {
    const json = JSON.stringify(events);
    if (json.includes('trap hf') || (json.includes('trap once') && this.number === 1))
      throw new WebAssembly.RuntimeError('unreachable');
    return JSON.parse(json.replaceAll('hf_secret', '[token]'));
  }

  panel(page, now) {
    return JSON.stringify([{ at: now, events: this.pages.get(page).length }]);
  }
  status(page) {
    return { tag: 'p', text: `${this.pages.get(page)?.length}` };
  }
  drop(page) {
    this.pages.delete(page);
  }
}

export function background({
  store = memoryStore(),
  start = async () => new FakeEngine(),
  prose = async () => '{}',
} = {}) {
  const made = { started: 0, python: 0, fetched: [], badges: [], engine: null, clock: 1000, saved: [] };
  const host = new EngineHost(
    {
      async start() {
        made.started += 1;
        made.engine = await start(made);
        made.engine.number = made.started;
        return made.engine;
      },
      async prose(id) {
        made.fetched.push(id);
        return prose(id);
      },
      async python() {
        made.python += 1;
        return () => '';
      },
    },
    (code, error, id) =>
      code === 'engine-started' ? made.troubles.settle(['engine-missing']) : made.troubles.record(code, error, { id }),
    () => made.clock,
  );
  made.troubles = new Troubles({
    now: () => made.clock,
    version: '1.2.3',
    load: async () => store.get('troubles'),
    save: async (list) => {
      made.saved = structuredClone(list);
      await store.set('troubles', list);
    },
    clean: async (text) => text.replaceAll('hf_secret', '[token]'),
  });
  made.codes = async (tab = 7) =>
    (await made.troubles.of(tab)).map(
      ({ code, over, count }) => `${code}${over ? ' over' : ''}${count > 1 ? ` ${count}` : ''}`,
    );
  made.pages = new Pages({
    store,
    secret: memoryStore(),
    engine: host,
    now: () => (made.clock += 1),
    changed: () => {},
    limits: async () => ({ t: 'limits', memory: 5 }),
    badge: (...args) => made.badges.push(args),
    tabs: async () => new Set([7]),
    troubles: made.troubles,
  });
  return made;
}
