// Hosts the engine: starts it when the first page needs it and keeps it in sync with the store.

import { FAILURE, PAGE } from './rehearsal.js';

/**
 * @typedef {{
 *   profiles(): string, prepare(): void, knows(page: string): boolean,
 *   apply(page: string, events: SensorEvent[], now: number, more?: boolean): Effect[] | undefined,
 *   provide(id: string, prose: string): void, lend(reader?: Reader): void, missed(): boolean,
 *   report(page: string, format: string, now: number): string,
 *   assistant(page: string, card: string, now: number): string,
 *   draft(page: string, wanted: object, now: number): import('../requests.js').Draft | null,
 *   past(page: string, now: number): string,
 *   status(page: string): SaidNode | null,
 *   panel(page: string, now: number): string,
 *   redact(page: string, events: SensorEvent[]): SensorEvent[],
 *   clean(text: string): string,
 *   triage(text: string, name: string): string,
 *   examine(text: string, name: string): string,
 *   drop(page: string): void,
 * }} Engine
 * @typedef {(question: string) => string} Reader answers questions about a notebook's Python, all as JSON
 * @typedef {{start(): Promise<Engine>, prose(id: string): Promise<string>, python(): Promise<Reader>}} Loader
 */

/** Rounds of prose requests before a batch is answered without the prose. */
const MAX_ROUNDS = 4;
/** Delays before retrying a failed engine start, in milliseconds; each retry waits longer. */
const START_MS = [0, 1000, 4000, 15_000, 60_000];

/** The front ends' complete profiles: a profile with `like` inherits missing fields from the named one. @param {Engine} live @returns {Profile[]} */
export function profiles(live) {
  /** @type {Profile[]} */
  const all = JSON.parse(live.profiles());
  return all.map((profile) => ({ ...all.find(({ id }) => id === profile.like), ...profile }));
}

/** The origins that are allowed together with this one, including itself. @param {{ready(): Promise<Engine>}} host @param {string} origin */
export async function together(host, origin) {
  const known = await host.ready().then(profiles, () => []);
  return known.find(({ origins }) => origins?.includes(origin))?.origins ?? [origin];
}

/** How long a cell has been running before a failure is rehearsed, in milliseconds. */
const REHEARSE_MS = 1000;

export class EngineHost {
  /** @type {Promise<Engine> | null} */
  #engine = null;
  /** The running engine, for code that must not start one. @type {Engine | null} */
  live = null;
  /** Whether the engine failed to start; no page caused this. */
  missing = false;
  /** The number of consecutive failed starts, and the last error and its time. */
  #failed = { times: 0, error: /** @type {unknown} */ (null), at: 0 };
  /** Prose that a replay will need, by id. @type {Map<string, Promise<string>>} */
  #coming = new Map();
  /** Ids of the prose provided since the engine started. @type {Set<string>} */
  #provided = new Set();
  /** The module that reads Python, once something needs it. @type {Promise<Reader> | null} */
  #reader = null;
  /** Whether a failure was read since the background started: a real one, or the rehearsal's. */
  #rehearsed = false;
  #rehearsing = false;

  /**
   * @param {Loader} loader @param {(code: string, error: unknown, id?: string) => void} [report] called when something is missing or works again
   * @param {() => number} [now]
   */
  constructor(loader, report = () => {}, now = () => Date.now()) {
    this.loader = loader;
    this.report = report;
    this.now = now;
  }

  /** The engine, started if necessary. */
  ready() {
    const { times, error: last, at } = this.#failed;
    if (times && !this.#engine && Math.abs(this.now() - at) < (START_MS[Math.min(times, START_MS.length) - 1] ?? 0))
      return Promise.reject(last);
    this.#engine ??= this.loader.start().then(
      (engine) => {
        this.live = engine;
        this.missing = false;
        this.#failed = { times: 0, error: null, at: 0 };
        this.report('engine-started', null);
        return engine;
      },
      (error) => {
        this.#engine = null;
        this.missing = true;
        this.#failed = { times: this.#failed.times + 1, error, at: this.now() };
        this.report('engine-missing', error);
        throw error;
      },
    );
    return this.#engine;
  }

  /** Makes an engine that just started ready for its first text, while something else is awaited. */
  prepare() {
    try {
      this.live?.prepare();
    } catch {
      // The call that needs it fails too, and is reported.
    }
  }

  /** Prose, or an empty string if its file is missing or damaged: the engine then omits that card. @param {string} id */
  async #prose(id) {
    try {
      const prose = await this.loader.prose(id);
      JSON.parse(prose);
      return prose;
    } catch (error) {
      this.report('prose-missing', error, id);
      return '';
    }
  }

  /**
   * Starts to load what will be needed, while the engine starts.
   * @param {string[]} ids of the prose @param {boolean} python whether the module that reads Python will be
   */
  foresee(ids, python) {
    if (python) void this.#python().catch(() => {});
    for (const id of ids) if (!this.#provided.has(id) && !this.#coming.has(id)) this.#coming.set(id, this.#prose(id));
  }

  /** Rehearses in a moment, if no failure comes first: that one must not wait for the rehearsal. */
  rehearseSoon() {
    if (this.#rehearsed || this.#rehearsing) return;
    this.#rehearsing = true;
    setTimeout(() => void this.rehearse(), REHEARSE_MS);
  }

  /** Gets the engine and the module that reads Python ready for the first failure, once, in a time in which nobody waits. */
  async rehearse() {
    if (this.#rehearsed) return;
    this.#rehearsed = true;
    try {
      await this.#python();
    } catch {
      // The call that needs it fails too, and is reported.
      return;
    }
    try {
      await this.apply(PAGE, FAILURE, this.now());
      this.live?.drop(PAGE);
    } catch {
      // The state of an engine that failed partway can't be trusted.
      if (this.live) this.reset();
    }
  }

  /** Gives the engine prose that it does not have yet. @param {Engine} engine @param {string[]} ids */
  async #provide(engine, ids) {
    const missing = ids.filter((id) => !this.#provided.has(id));
    const texts = await Promise.all(missing.map((id) => this.#coming.get(id) ?? this.#prose(id)));
    // Another engine may have replaced it in the meantime.
    if (engine !== this.live) return;
    missing.forEach((id, i) => {
      engine.provide(id, texts[i] ?? '');
      this.#provided.add(id);
      this.#coming.delete(id);
    });
  }

  /**
   * Gives the engine the module that reads Python. Without it cards have no cures.
   * @param {Engine} engine
   */
  async #lend(engine) {
    this.#rehearsed = true;
    const reader = await this.#python().catch((error) => void this.report('failed', error));
    if (engine === this.live) engine.lend(reader ?? undefined);
  }

  /** The module that reads Python, loaded once. If that fails, the next call tries again. */
  #python() {
    this.#reader ??= this.loader.python().catch((error) => {
      this.#reader = null;
      throw error;
    });
    return this.#reader;
  }

  /**
   * Asks the engine something that changes nothing, again if the module that reads Python was needed for it.
   * @template T @param {(live: Engine) => T} question @returns {Promise<T>}
   */
  async ask(question) {
    const live = await this.ready();
    live.missed();
    const answer = question(live);
    if (!live.missed()) return answer;
    await this.#lend(live);
    return question(live);
  }

  /** Discards the engine after an internal error, when its state can't be trusted; the next call starts a new one. */
  reset() {
    this.#engine = null;
    this.live = null;
    this.#failed = { times: 0, error: null, at: 0 };
    this.#provided.clear();
  }

  /** The explained diagnoses of a file's text, with their cards. @param {string} text @param {string} name */
  async examine(text, name) {
    const engine = await this.ready();
    for (let round = 0; ; round += 1) {
      const found = JSON.parse(engine.examine(text, name));
      if (!found.need || round === MAX_ROUNDS) return found;
      if (found.python) await this.#lend(engine);
      await this.#provide(engine, found.need);
    }
  }

  /**
   * Applies stored batches in order, without effects: those are returned by the call that follows.
   * @param {string} page @param {{events: SensorEvent[], at: number}[]} batches
   */
  async follow(page, batches) {
    const engine = await this.ready();
    for (const { events, at } of batches) engine.apply(page, events, at, true);
  }

  /**
   * Applies stored batches in order and returns the effects that hold at the end. Intermediate
   * effects are skipped: in a long session, computing them takes twenty times as long as reading the events.
   * @param {string} page @param {{events: SensorEvent[], at: number}[]} batches @param {number} now
   * @returns {Promise<Effect[]>}
   */
  async apply(page, batches, now) {
    return this.finish(page, await this.begin(page, batches), now);
  }

  /**
   * The same, as far as it goes without waiting for what the engine needs.
   * @param {string} page @param {{events: SensorEvent[], at: number}[]} batches
   * @param {Effects} [merged] the effects of an earlier call that was not finished
   */
  async begin(page, batches, merged = new Effects()) {
    const engine = await this.ready();
    if (this.#coming.size) await this.#provide(engine, [...this.#coming.keys()]);
    const last = batches.length - 1;
    batches.forEach(({ events, at }, i) => merged.add(engine.apply(page, events, at, i < last)));
    return merged;
  }

  /** Gives the engine what it needs, and returns the effects that hold then. @param {string} page @param {Effects} merged @param {number} now */
  async finish(page, merged, now) {
    const engine = await this.ready();
    for (let round = 0; (merged.needs.size || merged.python) && round < MAX_ROUNDS; round += 1) {
      const ids = [...merged.needs];
      const { python } = merged;
      merged.needs.clear();
      merged.python = false;
      await Promise.all([this.#provide(engine, ids), python && this.#lend(engine)]);
      // Also needed if another page's call provided the prose in the meantime.
      merged.add(engine.apply(page, [], now));
    }
    return merged.list();
  }
}

/** Merges the effects of several calls: the last effect for each card wins. */
export class Effects {
  /** @type {Map<string, Effect>} */
  #cards = new Map();
  /** @type {Map<string, Effect>} */
  #keep = new Map();
  /** @type {Effect | null} */
  #badge = null;
  /** @type {Set<string>} */
  needs = new Set();
  /** Whether the module that reads Python is needed. */
  python = false;

  /** @param {Effect[]} [effects] */
  add(effects = []) {
    for (const effect of effects) {
      if (effect.t === 'need') {
        for (const id of effect.ids) this.needs.add(id);
        this.python ||= effect.python;
      } else if (effect.t === 'badge') this.#badge = effect;
      else if (effect.t === 'keep') this.#keep.set(effect.key, effect);
      else {
        this.#cards.delete(effect.card);
        this.#cards.set(effect.card, effect);
      }
    }
  }

  list() {
    return [...this.#cards.values(), ...this.#keep.values(), ...(this.#badge ? [this.#badge] : [])];
  }
}
