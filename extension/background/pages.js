// The pages that sensors watch: stores their batches, runs the engine over them and answers.

import { prune } from './store.js';

/** Failures of the engine over one page after which it is left alone until the page is read anew. */
const MAX_FAILURES = 2;
const PRUNE_EVERY_MS = 3600 * 1000;

/**
 * @typedef {import('./store.js').Store} Store
 * @typedef {{tab: number, frame: number, origin: string, isPrivate: boolean}} From
 */

export class Pages {
  /** One batch of a page after the other. @type {Map<string, Promise<unknown>>} */
  #queues = new Map();
  /** @type {Map<string, number>} */
  #failures = new Map();
  /** The problems of each page, and the tab it is in. @type {Map<string, {tab: number, count: number}>} */
  #counts = new Map();
  /** Pages of which texts were not stored, for want of an engine to clean them. @type {Set<string>} */
  #unread = new Set();
  #pruned = 0;

  /**
   * @param {{store: Store, secret: Store, engine: import('./engine.js').EngineHost, now: () => number,
   *   badge: (tab: number, count: number, trouble: boolean) => void, tabs: () => Promise<Set<number> | null>}} parts
   */
  constructor(parts) {
    this.parts = parts;
    /** What went wrong last, for the popup. */
    this.trouble = '';
  }

  /** @param {boolean} isPrivate */
  #store(isPrivate) {
    return isPrivate ? this.parts.secret : this.parts.store;
  }

  /**
   * Events as they may be stored: without secrets and names. What is kept in memory alone stays as
   * it is; where the engine can't clean a text the text is not stored, and the page is read anew as
   * soon as it can.
   * @param {string} page @param {SensorEvent[]} events @param {boolean} inMemory @returns {Promise<SensorEvent[]>}
   */
  async #storable(page, events, inMemory) {
    if (inMemory || !events.length) return events;
    if ((this.#failures.get(page) ?? 0) < MAX_FAILURES) {
      try {
        const live = await this.parts.engine.ready();
        const clean = JSON.parse(live.redact(JSON.stringify(events)));
        if (Array.isArray(clean)) return clean;
      } catch {
        this.#unread.add(page);
      }
    }
    return events.map(({ head: _head, tail: _tail, text: _text, ...rest }) => /** @type {SensorEvent} */ (rest));
  }

  /** Whether texts of the page were not stored and can be now. @param {string} page */
  async #readable(page) {
    if (!this.#unread.has(page)) return false;
    const ready = await this.parts.engine.ready().then(() => true, () => false);
    return ready && this.#unread.delete(page);
  }

  /**
   * Runs tasks of one page one after the other.
   * @template T @param {string} page @param {() => Promise<T>} task @returns {Promise<T>}
   */
  #queue(page, task) {
    const before = this.#queues.get(page) ?? Promise.resolve();
    const run = before.then(task, task);
    const settled = run.catch(() => {});
    this.#queues.set(page, settled);
    void settled.then(() => {
      if (this.#queues.get(page) === settled) this.#queues.delete(page);
    });
    return run;
  }

  /**
   * A batch from a sensor.
   * @param {{page: string, seq: number, events: SensorEvent[]}} batch @param {From} from @returns {Promise<Reply>}
   */
  events(batch, from) {
    const { page, seq, events } = batch;
    return this.#queue(page, async () => {
      const store = this.#store(from.isPrivate);
      const { tab, frame, origin } = from;
      if (await this.#readable(page)) return { resync: true };
      const kept = await this.#storable(page, events, from.isPrivate);
      const outcome = await store.commit(page, seq, kept, { tab, frame, origin }, this.parts.now());
      if (outcome === 'gap') return { resync: true };
      for (const { t, do: what, id } of events) {
        if (t === 'act' && what === 'mute' && typeof id === 'string') await this.#mute(store, id);
      }
      if ((this.#failures.get(page) ?? 0) >= MAX_FAILURES) {
        return { ack: seq, effects: [], trouble: this.trouble };
      }
      try {
        // The first batch of a page that was read anew replaces what its frame sent before.
        if (seq === 1 && outcome === 'stored') await this.arrived(page, from, null);
        const { effects, full } = await this.#run(store, page, outcome === 'known' ? null : events);
        this.#badge(page, tab, effects);
        void this.#tidy();
        return { ack: seq, effects: effects.filter(({ t }) => t === 'card' || t === 'uncard'), ...(full ? { full } : {}) };
      } catch (error) {
        this.#fail(page, error);
        this.parts.badge(tab, 0, true);
        return { ack: seq, effects: [], trouble: this.trouble };
      }
    });
  }

  /**
   * Applies new events, or everything that is stored where the engine does not know the page or the
   * last answer was lost (`fresh` null).
   * @param {Store} store @param {string} page @param {SensorEvent[] | null} fresh
   */
  async #run(store, page, fresh) {
    const { engine, now } = this.parts;
    const live = await engine.ready();
    if (fresh && live.knows(page)) {
      const effects = await engine.apply(page, [{ events: fresh, at: now() }], now());
      await this.#keep(store, page, effects);
      return { effects, full: false };
    }
    if (live.knows(page)) live.drop(page);
    /** @type {{events: SensorEvent[], at: number, seq: number}[]} */
    const batches = [];
    for (const id of (await store.get('muted')) ?? []) {
      batches[0] ??= { events: [], at: now(), seq: 0 };
      batches[0].events.push({ t: 'act', do: 'mute', id });
    }
    for (const { seq, at, event } of await store.load(page)) {
      const last = batches.at(-1);
      if (last?.seq === seq) last.events.push(event);
      else batches.push({ seq, at, events: [event] });
    }
    const effects = await engine.apply(page, batches, now());
    await this.#keep(store, page, effects);
    return { effects, full: true };
  }

  /** What the engine wants to be told again in a replay. @param {Store} store @param {string} page @param {Effect[]} effects */
  async #keep(store, page, effects) {
    const events = effects.flatMap(({ t, event }) => (t === 'keep' && event ? [event] : []));
    if (events.length) await store.keep(page, await this.#storable(page, events, store === this.parts.secret), this.parts.now());
  }

  /** @param {string} page @param {unknown} error */
  #fail(page, error) {
    this.#failures.set(page, (this.#failures.get(page) ?? 0) + 1);
    this.trouble = String(error instanceof Error ? error.message : error).slice(0, 300);
    this.parts.engine.reset();
  }

  /** @param {Store} store @param {string} id */
  async #mute(store, id) {
    const muted = new Set((await store.get('muted')) ?? []);
    if (muted.size === muted.add(id).size) return;
    await store.set('muted', [...muted].slice(-500));
  }

  /** @param {string} page @param {number} tab @param {Effect[]} effects */
  #badge(page, tab, effects) {
    const badge = effects.find(({ t }) => t === 'badge');
    if (!badge) return;
    this.#counts.set(page, { tab, count: badge.count ?? 0 });
    let sum = 0;
    for (const known of this.#counts.values()) if (known.tab === tab) sum += known.count;
    this.parts.badge(tab, sum, false);
  }

  /**
   * A new document in a tab's frame, or one read anew: what that frame held before is over.
   * @param {string} page @param {From} from @param {number | null} began when its document began; null: it did not
   */
  async arrived(page, from, began) {
    const store = this.#store(from.isPrivate);
    for (const old of await store.pages()) {
      if (old.page === page || old.tab !== from.tab) continue;
      // A new top document replaces every frame of the tab that there was before it.
      if (old.frame !== from.frame && (from.frame !== 0 || began === null || old.at >= began)) continue;
      await this.#forget(store, old.page);
    }
    if (from.frame === 0 && began !== null) this.parts.badge(from.tab, 0, false);
  }

  /** @param {Store} store @param {string} page */
  async #forget(store, page) {
    await store.forget(page);
    this.#counts.delete(page);
    this.#failures.delete(page);
    try {
      const live = await this.parts.engine.ready();
      if (live.knows(page)) live.drop(page);
    } catch {
      // No engine, nothing to drop.
    }
  }

  /** A tab was closed. @param {number} tab */
  async closed(tab) {
    for (const store of [this.parts.store, this.parts.secret]) {
      for (const page of await store.pages()) if (page.tab === tab) await this.#forget(store, page.page);
    }
  }

  async #tidy() {
    const now = this.parts.now();
    if (now - this.#pruned < PRUNE_EVERY_MS) return;
    this.#pruned = now;
    const tabs = await this.parts.tabs();
    for (const store of [this.parts.store, this.parts.secret]) await prune(store, tabs, now);
  }

  /** The pages of a tab, the newest first. @param {number} tab */
  async ofTab(tab) {
    const found = [];
    for (const store of [this.parts.store, this.parts.secret]) {
      for (const page of await store.pages()) if (page.tab === tab) found.push({ store, ...page });
    }
    return found.sort((a, b) => b.at - a.at);
  }

  /**
   * What nbmedic sees on a tab: the engine's view of its page (`tree`), and of every page where its
   * frames are several.
   * @param {number} tab
   */
  async status(tab) {
    const pages = [];
    for (const { store, page, origin, frame } of await this.ofTab(tab)) {
      const tree = await this.#queue(page, () => this.#ask(store, page, (live) => JSON.parse(live.status(page))));
      pages.push({ page, origin, frame, tree });
    }
    return { tree: pages[0]?.tree ?? null, pages, trouble: this.trouble || null };
  }

  /**
   * The report of one page, or of the pages of a tab.
   * @param {{page?: string, tab?: number, format: string}} what @param {From | null} from the asking sensor; null: one of our pages
   */
  async report({ page, tab, format }, from) {
    const pages = await this.ofTab(from?.tab ?? tab ?? -1);
    const texts = [];
    for (const known of pages) {
      if (page && known.page !== page) continue;
      const { now } = this.parts;
      texts.push(
        await this.#queue(known.page, () =>
          this.#ask(known.store, known.page, (live) => live.report(known.page, format, now())),
        ),
      );
    }
    return { text: texts.filter((text) => text !== null).join('\n') || null, trouble: this.trouble || null };
  }

  /**
   * A click on the popup: never show a diagnosis again, on any page.
   * @param {number} tab @param {string} id
   */
  async mute(tab, id) {
    await this.#mute(this.parts.store, id);
    for (const { store, page } of await this.ofTab(tab)) {
      const event = { t: 'act', do: 'mute', card: null, id };
      await this.#queue(page, () => this.#ask(store, page, (live) => live.apply(page, JSON.stringify([event]), this.parts.now())));
    }
  }

  /**
   * Asks the engine about a page, replaying it first where the engine was stopped meanwhile.
   * @template T @param {Store} store @param {string} page
   * @param {(live: import('./engine.js').Engine) => T} question @returns {Promise<T | null>}
   */
  async #ask(store, page, question) {
    if ((this.#failures.get(page) ?? 0) >= MAX_FAILURES) return null;
    try {
      const live = await this.parts.engine.ready();
      if (!live.knows(page)) await this.#run(store, page, null);
      return question(live);
    } catch (error) {
      this.#fail(page, error);
      return null;
    }
  }
}
