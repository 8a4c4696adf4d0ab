// The pages that sensors watch: stores their batches, runs the engine on them and replies.

import { isFailure, isFound, isNews, mayFail, withoutTexts } from './events.js';
import { unerased } from './history.js';
import { eventLog } from './log.js';
import { Running, batches, read, turn } from './replay.js';
import { Resyncs } from './resyncs.js';
import { mute, unmute } from './settings.js';
import { PRUNE_AFTER, prune, textLength } from './store.js';

/** Engine failures on one page after which it is skipped until it is reloaded or the user asks for a retry. */
const MAX_FAILURES = 2;
const PRUNE_EVERY_MS = 3600 * 1000;

/**
 * @typedef {import('./store.js').Store} Store
 * @typedef {{tab: number, frame: number, origin: string, isPrivate: boolean}} From
 */

export class Pages {
  /** The last queued task of each page; a page's tasks run one at a time. @type {Map<string, Promise<unknown>>} */
  #queues = new Map();
  /** @type {Map<string, number>} */
  #failures = new Map();
  /** Each page's problem count and tab. @type {Map<string, {tab: number, count: number}>} */
  #counts = new Map();
  /** Pages whose texts were not stored because there was no engine to redact them. @type {Set<string>} */
  #unread = new Set();
  #resyncs = new Resyncs();
  /** The findings of each page that were last saved to the history, as JSON. @type {Map<string, string>} */
  #remembered = new Map();
  /** Memory events of pages that are being reloaded. @type {Map<string, SensorEvent[]>} */
  #carried = new Map();
  /** Cached panel data for pages with no changes since the last request and no running cell. @type {Map<string, string>} */
  #shown = new Map();
  #running = new Running();
  /**
   * Replies deferred until the Python module is loaded, and whether they report something new.
   * @type {Map<string, {effects: import('./engine.js').Effects, live: import('./engine.js').Engine, news: boolean}>}
   */
  #owed = new Map();
  #pruned = 0;
  #written = 0;

  /**
   * @param {{store: Store, secret: Store, engine: import('./engine.js').EngineHost, now: () => number,
   *   changed: (tab: number) => void, limits: () => Promise<SensorEvent>,
   *   badge: (tab: number, what: {count?: number, trouble?: boolean, news?: boolean, isPrivate?: boolean}) => void,
   *   tabs: () => Promise<Set<number>>, troubles: import('./trouble.js').Troubles}} parts
   */
  constructor(parts) {
    this.parts = parts;
  }

  /** @param {boolean} isPrivate */
  #store(isPrivate) {
    return isPrivate ? this.parts.secret : this.parts.store;
  }

  /**
   * Events in the form in which they may be stored: without secrets and names. Pages in private windows are stored only
   * in memory, so their events stay unchanged.
   * @param {Store} store @param {string} page @param {SensorEvent[]} events @returns {Promise<SensorEvent[]>}
   */
  async #redacted(store, page, events) {
    if (store === this.parts.secret || !events.length) return events;
    const live = await this.parts.engine.ready();
    return live.redact(page, events);
  }

  /**
   * A batch in the form in which it may be stored. Texts that the engine can't redact are not stored: if the engine was
   * missing, the page is read again once it is available; if it failed on the page, the page is skipped.
   * @param {{page: string, events: SensorEvent[]}} batch @param {Store} store @param {From} from @returns {Promise<SensorEvent[]>}
   */
  async #storable({ page, events }, store, from) {
    while (!this.#isLeft(page)) {
      try {
        const clean = await this.#redacted(store, page, events);
        if (this.#failures.has(page)) await this.parts.troubles.settle(['engine-stopped'], from.tab);
        return clean;
      } catch (error) {
        if (this.#fail(page, from, error) !== 'engine-missing') continue;
        this.#unread.add(page);
        break;
      }
    }
    return events.map(withoutTexts);
  }

  /** Whether a page is skipped because the engine failed on it repeatedly. @param {string} page */
  #isLeft(page) {
    return (this.#failures.get(page) ?? 0) >= MAX_FAILURES;
  }

  /** Whether texts of the page were not stored and can be now. @param {string} page */
  async #readable(page) {
    return (
      this.#unread.has(page) &&
      this.parts.engine.ready().then(
        () => true,
        () => false,
      )
    );
  }

  /**
   * Asks the sensor to send everything again, or to try again later.
   * @param {string} page @param {From} from @returns {Reply}
   */
  #resync(page, { tab, frame, origin }) {
    if (!this.#resyncs.allow(`${tab} ${frame} ${origin}`, this.parts.now())) return {};
    this.#unread.delete(page);
    return { resync: true };
  }

  /**
   * Runs the tasks of one page one at a time.
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

  /** Runs a task of a page after the answer that led to it was sent. @param {string} page @param {() => Promise<void>} task */
  #later(page, task) {
    void this.#queue(page, () => turn().then(task));
  }

  /**
   * Handles a batch from a sensor.
   * @param {{page: string, seq: number, events: SensorEvent[]}} batch @param {From} from @returns {Promise<Reply>}
   */
  events(batch, from) {
    const { page, seq, events } = batch;
    return this.#queue(page, async () => {
      const store = this.#store(from.isPrivate);
      const { tab, frame, origin } = from;
      const place = `${tab} ${frame} ${origin}`;
      const { engine } = this.parts;
      if (!engine.live && events.some(mayFail)) engine.foresee([], true);
      // The first batch of a page has no record, and what is carried over to it comes before it.
      const isKnown = engine.live?.knows(page) || seq === 1 || this.#carried.has(place) || this.#isLeft(page);
      const record = isKnown ? null : read(store, page, this.parts).catch(() => null);
      if (await this.#readable(page)) return this.#resync(page, from);
      // The store holds no secrets. The engine reads the original batch, so that cards match what the user sees.
      const kept = await this.#storable(batch, store, from);
      const before = await record;
      const committed = store.commit(page, seq, kept, { tab, frame, origin }, this.parts.now());
      // The engine reads what was stored before while the batch is being stored.
      const replayed = before && engine.follow(page, this.#running.again(page, batches(before)));
      replayed?.catch(() => {});
      engine.prepare();
      const outcome = await committed;
      if (replayed && outcome !== 'stored') {
        await replayed.catch(() => {});
        engine.live?.drop(page);
      }
      if (outcome === 'gap') return this.#resync(page, from);
      if (this.#isLeft(page)) return { ack: seq, effects: [], trouble: 'engine-left' };
      /** @param {SensorEvent[] | null} fresh @returns {Promise<Reply>} */
      const judge = async (fresh) => {
        if (fresh) await replayed;
        const said = await this.#answer(store, page, from, fresh, events.some(isNews), Boolean(replayed));
        // What failed before often fails again soon.
        if (before?.stored.some(isFailure)) this.#later(page, async () => engine.foresee([], true));
        if (this.#running.any(page)) engine.rehearseSoon();
        return { ack: seq, ...said };
      };
      // The first batch of a page that was read again replaces what its frame sent before.
      if (seq === 1 && outcome === 'stored') await this.arrived(page, from, null);
      const carried = this.#carried.get(place);
      if (carried && this.#carried.delete(place)) await store.keep(page, carried, this.parts.now());
      this.#written += kept.reduce((sum, event) => sum + textLength(event), 0);
      void this.#tidy();
      try {
        return await judge(outcome === 'known' ? null : events);
      } catch (error) {
        const code = this.#fail(page, from, error);
        if (code !== 'engine-stopped') return { ack: seq, effects: [], trouble: code };
      }
      try {
        // Retries with a new engine, which replays the store.
        const reply = await judge(null);
        await this.parts.troubles.settle(['engine-stopped'], from.tab);
        return reply;
      } catch (error) {
        return { ack: seq, effects: [], trouble: this.#fail(page, from, error) };
      }
    });
  }

  /** What the last answer to a page's sensor left out. @param {string} page @param {From} from @returns {Promise<Reply>} */
  rest(page, from) {
    return this.#queue(page, async () => {
      const store = this.#store(from.isPrivate);
      const isKnown = (await store.pages()).some((one) => one.page === page && one.tab === from.tab);
      if (!isKnown || this.#isLeft(page)) return { effects: [] };
      try {
        return await this.#answer(store, page, from, [], false, false);
      } catch (error) {
        return { effects: [], trouble: this.#fail(page, from, error) };
      }
    });
  }

  /**
   * Runs the engine and says what is to be shown.
   * @param {Store} store @param {string} page @param {From} from @param {SensorEvent[] | null} fresh
   * @param {boolean} isNew whether something just happened @param {boolean} isFirst see `#run`
   * @returns {Promise<Reply>}
   */
  async #answer(store, page, from, fresh, isNew, isFirst) {
    const news = isNew || (this.#owed.get(page)?.news ?? false);
    const { effects, full, owed } = await this.#run(store, page, fresh, isFirst);
    if (owed) {
      this.#owed.set(page, { ...owed, news });
      return { effects: [], more: true };
    }
    this.#owed.delete(page);
    this.#badge(page, from, effects, news);
    this.parts.changed(from.tab);
    // A run that ends without a card may have solved what an earlier one showed.
    const ended = this.#remembered.has(page) && fresh?.some((event) => event.t === 'cell' && event.state === 'done');
    const tells = ended || effects.some(({ t }) => t === 'card');
    if (tells && !from.isPrivate) this.#later(page, () => this.#remember(store, page));
    const shown = effects.filter(({ t }) => t === 'card' || t === 'uncard');
    return full ? { effects: shown, full } : { effects: shown };
  }

  /**
   * Applies new events, or replays everything stored if the engine does not know the page or the last reply
   * was lost (`fresh` is null).
   * @param {Store} store @param {string} page @param {SensorEvent[] | null} fresh
   * @param {boolean} [isFirst] whether these are the first since a replay. They are answered at once: what needs the module that
   * reads Python, such as the cures of an earlier failure, is owed
   */
  async #run(store, page, fresh, isFirst = false) {
    const { engine, now } = this.parts;
    const live = await engine.ready();
    this.#shown.delete(page);
    const owed = this.#owed.get(page);
    if (fresh && live.knows(page) && (!owed || owed.live === live)) {
      this.#running.follow(page, fresh);
      const begun = await engine.begin(page, [{ events: fresh, at: now() }], owed?.effects);
      if (isFirst && begun.python && !fresh.some(mayFail)) {
        await this.#keep(store, page, begun.list());
        return { effects: [], full: false, owed: { effects: begun, live } };
      }
      const effects = await engine.finish(page, begun, now());
      await this.#keep(store, page, effects);
      return { effects, full: isFirst || Boolean(owed) };
    }
    if (live.knows(page)) live.drop(page);
    const effects = await engine.apply(
      page,
      this.#running.again(page, batches(await read(store, page, this.parts))),
      now(),
    );
    await this.#keep(store, page, effects);
    return { effects, full: true };
  }

  /** Stores the events that the engine needs again in a replay. @param {Store} store @param {string} page @param {Effect[]} effects */
  async #keep(store, page, effects) {
    const events = effects.flatMap((effect) => (effect.t === 'keep' ? [effect.event] : []));
    /** @param {SensorEvent[]} list */
    const keep = async (list) => store.keep(page, await this.#redacted(store, page, list), this.parts.now());
    const found = events.filter(isFound);
    // What would be found out again is stored after the answer.
    if (found.length) this.#later(page, () => keep(found).catch(() => {}));
    const own = events.filter((event) => !isFound(event));
    if (own.length) await keep(own);
  }

  /**
   * Handles an engine failure on a page: the next call starts a new engine, which replays the store.
   * @param {string} page @param {{tab: number, isPrivate: boolean}} from @param {unknown} error @returns {string} the trouble code
   */
  #fail(page, { tab, isPrivate }, error) {
    const { engine, troubles, badge } = this.parts;
    badge(tab, { trouble: true });
    this.#shown.delete(page);
    // Already reported, and not caused by the page.
    if (engine.missing) return 'engine-missing';
    const times = (this.#failures.get(page) ?? 0) + 1;
    this.#failures.set(page, times);
    engine.reset();
    const code = times < MAX_FAILURES ? 'engine-stopped' : 'engine-left';
    void troubles.record(code, error, { tab, isPrivate, instead: 'engine-stopped' });
    return code;
  }

  /** Retries the pages of a tab at the user's request. @param {number} tab */
  async again(tab) {
    for (const { page } of await this.ofTab(tab)) this.#failures.delete(page);
    this.parts.engine.reset();
    await this.parts.troubles.settle(['engine-stopped', 'engine-left'], tab);
  }

  /** Saves a page's findings to the history. @param {Store} store @param {string} page */
  async #remember(store, page) {
    const found = await this.#ask(store, page, (live) => live.past(page, this.parts.now()));
    if (!found || found === this.#remembered.get(page)) return;
    try {
      const erased = /** @type {import('./history.js').Erased | undefined} */ (await store.get('erased'));
      const rows = unerased(found, page, erased);
      await store.remember(rows.found, rows.over, this.parts.now());
      this.#remembered.set(page, found);
    } catch (error) {
      // The page's next card triggers another attempt.
      void this.parts.troubles.record('failed', error);
    }
  }

  /** Clears the history; findings still shown on open pages are not added again. */
  async forgetPast() {
    const { store } = this.parts;
    await store.set('erased', { at: this.parts.now(), pages: (await store.pages()).map(({ page }) => page) });
    await store.forgetPast();
  }

  /** Unmutes a diagnosis or cell, on pages opened from now on. @param {string} id */
  async unmute(id) {
    await unmute(this.parts.store, id);
  }

  /** @param {string} page @param {From} from @param {Effect[]} effects @param {boolean} news */
  #badge(page, { tab, isPrivate }, effects, news) {
    const badge = effects.find((effect) => effect.t === 'badge');
    if (badge?.t !== 'badge') return;
    this.#counts.set(page, { tab, count: badge.count });
    let sum = 0;
    for (const known of this.#counts.values()) if (known.tab === tab) sum += known.count;
    this.parts.badge(tab, { count: sum, news, isPrivate });
  }

  /**
   * Handles a new or re-read document in a tab's frame: forgets the pages that it replaces.
   * @param {string} page @param {From} from @param {number | null} began when its document began; null if it was only re-read
   */
  async arrived(page, from, began) {
    const store = this.#store(from.isPrivate);
    for (const old of await store.pages()) {
      if (old.page === page || old.tab !== from.tab) continue;
      // A new top-level document replaces all earlier frames of the tab.
      if (old.frame !== from.frame && (from.frame !== 0 || began === null || old.at >= began)) continue;
      if (old.frame === from.frame && old.origin === from.origin) await this.#carry(store, old);
      await this.#forget(store, old.page);
    }
    if (from.frame === 0 && began !== null) this.parts.badge(from.tab, {});
  }

  /**
   * Saves the engine's memory events of a page that is being reloaded, for the page that replaces it.
   * @param {Store} store @param {import('./store.js').Page} old
   */
  async #carry(store, { page, tab, frame, origin }) {
    const memory = (await store.load(page)).flatMap(({ event }) =>
      event.t === 'memory' ? [{ ...event, old: true }] : [],
    );
    if (memory.length) this.#carried.set(`${tab} ${frame} ${origin}`, memory);
  }

  /** @param {Store} store @param {string} page */
  async #forget(store, page) {
    await store.forget(page);
    await this.#dropped(page);
  }

  /** Drops in-memory data about a forgotten page. @param {string} page */
  async #dropped(page) {
    this.#counts.delete(page);
    this.#running.forget(page);
    this.#shown.delete(page);
    this.#owed.delete(page);
    this.#failures.delete(page);
    this.#unread.delete(page);
    this.#remembered.delete(page);
    try {
      const live = await this.parts.engine.ready();
      if (live.knows(page)) live.drop(page);
    } catch {
      // Without an engine there is nothing to drop.
    }
  }

  /** Forgets the pages of a closed tab. @param {number} tab */
  async closed(tab) {
    for (const store of [this.parts.store, this.parts.secret]) {
      for (const page of await store.pages()) if (page.tab === tab) await this.#forget(store, page.page);
    }
    for (const place of this.#carried.keys()) if (place.startsWith(`${tab} `)) this.#carried.delete(place);
    this.#resyncs.closed(tab);
  }

  async #tidy() {
    try {
      await this.#prune();
    } catch {
      // The next prune tries again.
    }
  }

  async #prune() {
    const now = this.parts.now();
    if (now - this.#pruned < PRUNE_EVERY_MS && this.#written < PRUNE_AFTER) return;
    this.#pruned = now;
    this.#written = 0;
    for (const store of [this.parts.store, this.parts.secret]) {
      for (const page of await prune(store, this.parts.tabs, now)) await this.#dropped(page);
    }
  }

  /** The pages of a tab, newest first. @param {number} tab */
  async ofTab(tab) {
    const stores = [this.parts.store, this.parts.secret];
    const found = await Promise.all(
      stores.map(async (store) => (await store.pages()).map((page) => ({ store, ...page }))),
    );
    return found
      .flat()
      .filter((page) => page.tab === tab)
      .sort((a, b) => b.at - a.at);
  }

  /**
   * The status of a tab: the engine's view of its newest page (`tree`), and of every page if it has several
   * frames.
   * @param {number} tab
   */
  async status(tab) {
    const pages = [];
    for (const { store, page, origin, frame } of await this.ofTab(tab)) {
      const tree = await this.#queue(page, () => this.#ask(store, page, (live) => live.status(page)));
      pages.push({ page, origin, frame, tree });
    }
    return { tree: pages[0]?.tree ?? null, pages, troubles: await this.parts.troubles.of(tab) };
  }

  /** Curves, events and problems of a tab's notebooks: a JSON string for each page, which the panel parses. @param {number} tab */
  async panel(tab) {
    const sessions = [];
    for (const { store, page } of await this.ofTab(tab)) {
      const { now } = this.parts;
      const shown = await this.#queue(
        page,
        async () => this.#shown.get(page) ?? this.#ask(store, page, (live) => live.panel(page, now())),
      );
      // While a cell runs, its duration keeps growing, so the result is not cached.
      if (shown && !this.#running.any(page)) this.#shown.set(page, shown);
      sessions.push(shown ?? '[]');
    }
    return { sessions, troubles: await this.parts.troubles.of(tab) };
  }

  /**
   * The report of a page, for its sensor.
   * @param {{page: string, format: string}} what @param {From} from
   */
  report({ page, format }, from) {
    return this.#text(page, from, (live, now) => live.report(page, format, now));
  }

  /**
   * What an assistant needs to know of a card's problem, for its sensor.
   * @param {{page: string, card: string}} what @param {From} from
   */
  assistant({ page, card }, from) {
    return this.#text(page, from, (live, now) => live.assistant(page, card, now) || null);
  }

  /**
   * A text that the engine makes of a page; null for a page of another tab.
   * @param {string} page @param {From} from @param {(live: import('./engine.js').Engine, now: number) => string | null} make
   */
  async #text(page, from, make) {
    const known = (await this.ofTab(from.tab)).find((one) => one.page === page);
    const { now } = this.parts;
    return {
      text: known ? await this.#queue(page, () => this.#ask(known.store, page, (live) => make(live, now()))) : null,
    };
  }

  /**
   * The report draft for one of a tab's pages, which the user reviews before sharing, and the list of its pages. It is
   * built from the engine's state: data replayed from the store contains no secrets that could be restored.
   * @param {{tab: number, page: string, wanted: {format?: string, source?: boolean, back?: number[]}}} what `page`: empty for the newest
   */
  async draft({ tab, page, wanted }) {
    const pages = await this.ofTab(tab);
    const known = pages.find((one) => one.page === page) ?? pages[0];
    const now = this.parts.now();
    const draft =
      known &&
      (await this.#queue(known.page, async () => {
        if (wanted?.format === 'log')
          return eventLog(
            await known.store.load(known.page),
            known.page,
            wanted.source === true,
            await this.parts.engine.ready(),
          );
        return this.#ask(known.store, known.page, (live) => live.draft(known.page, wanted, now));
      }));
    return {
      draft: draft ?? null,
      page: known?.page ?? '',
      pages: pages.map((one) => ({ page: one.page, origin: one.origin })),
      at: now,
    };
  }

  /**
   * Handles a mute click in the popup: never shows a diagnosis, or anything about a cell, again on any page.
   * @param {number} tab @param {string} id @param {string} name the cell's display name
   */
  async mute(tab, id, name) {
    const pages = await this.ofTab(tab);
    // Mutes from a private window are forgotten when it closes.
    await mute(pages[0]?.store ?? this.parts.store, id, name);
    for (const { store, page } of pages) {
      /** @type {SensorEvent} */
      const event = { t: 'act', do: 'mute', card: null, id };
      this.#shown.delete(page);
      await this.#queue(page, () => this.#ask(store, page, (live) => live.apply(page, [event], this.parts.now())));
    }
  }

  /**
   * Asks the engine about a page, replaying the page first if the engine was restarted in the meantime.
   * @template T @param {Store} store @param {string} page
   * @param {(live: import('./engine.js').Engine) => T} question @returns {Promise<T | null>}
   */
  async #ask(store, page, question) {
    if (this.#isLeft(page)) return null;
    try {
      const live = await this.parts.engine.ready();
      if (!live.knows(page)) await this.#run(store, page, null);
      return await this.parts.engine.ask(question);
    } catch (error) {
      const [known] = (await store.pages()).filter((one) => one.page === page);
      this.#fail(page, { tab: known?.tab ?? -1, isPrivate: store === this.parts.secret }, error);
      return null;
    }
  }

  /** Called at browser startup: forgets the last session's pages, whose tabs are gone. @param {number} before start time of this session */
  async started(before) {
    const { store } = this.parts;
    for (const { page, at } of await store.pages()) if (at < before) await this.#forget(store, page);
  }

  /** Forgets pages that may no longer be read; returns their frames. @param {(origin: string, tab: number) => Promise<boolean>} allowed @returns {Promise<{tab: number, frame: number}[]>} */
  async revoked(allowed) {
    const gone = [];
    for (const store of [this.parts.store, this.parts.secret]) {
      for (const { page, tab, frame, origin } of await store.pages()) {
        if (await allowed(origin, tab)) continue;
        await this.#forget(store, page);
        this.parts.badge(tab, {});
        gone.push({ tab, frame });
      }
    }
    return gone;
  }

  /** The tabs and frames of all pages. @returns {Promise<{tab: number, frame: number}[]>} */
  async everywhere() {
    const stores = [this.parts.store, this.parts.secret];
    return (await Promise.all(stores.map((store) => store.pages()))).flat();
  }

  /** How much is stored, for the options page and the report about nbmedic itself. */
  async usage() {
    const pages = await this.parts.store.pages();
    return { pages: pages.length, size: pages.reduce((sum, { size }) => sum + size, 0) };
  }

  /** Forgets every page and the history; returns the tabs, whose pages are then read again. */
  async forgetAll() {
    await this.forgetPast();
    const tabs = new Set();
    for (const store of [this.parts.store, this.parts.secret]) {
      for (const { page, tab } of await store.pages()) {
        await this.#forget(store, page);
        tabs.add(tab);
      }
    }
    return [...tabs];
  }
}
