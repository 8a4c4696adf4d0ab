// The engine, started when the first page needs it, and kept in step with what is stored.

/**
 * @typedef {{
 *   profiles(): string, knows(page: string): boolean,
 *   apply(page: string, events: SensorEvent[], now: number, more?: boolean): Effect[] | undefined,
 *   provide(id: string, prose: string): void,
 *   report(page: string, format: string, now: number): string,
 *   draft(page: string, wanted: object, now: number): import('../requests.js').Draft | null,
 *   past(page: string, now: number): string,
 *   status(page: string): SaidNode | null,
 *   panel(page: string, now: number): string,
 *   redact(events: SensorEvent[]): SensorEvent[],
 *   clean(text: string): string,
 *   triage(text: string, name: string): string,
 *   examine(text: string, name: string): string,
 *   drop(page: string): void,
 * }} Engine
 * @typedef {{start(): Promise<Engine>, prose(id: string): Promise<string>}} Loader
 */

/** How often prose may be asked for before a batch is answered without it. */
const MAX_ROUNDS = 4;
/** An engine that could not be started is tried again so long after, each time longer, in milliseconds. */
const START_MS = [0, 1000, 4000, 15_000, 60_000];

/** The front ends' profiles, whole: one that is like another has what it leaves out from there. @param {Engine} live @returns {Profile[]} */
export function profiles(live) {
  /** @type {Profile[]} */
  const all = JSON.parse(live.profiles());
  return all.map((profile) => ({ ...all.find(({ id }) => id === profile.like), ...profile }));
}

/** The origins that are allowed in one go with this one, itself among them. @param {{ready(): Promise<Engine>}} host @param {string} origin */
export async function together(host, origin) {
  const known = await host.ready().then(profiles, () => []);
  return known.find(({ origins }) => origins?.includes(origin))?.origins ?? [origin];
}

export class EngineHost {
  /** @type {Promise<Engine> | null} */
  #engine = null;
  /** The engine while it works: what must not start one. @type {Engine | null} */
  live = null;
  /** The engine could not be started: it is no page's fault. */
  missing = false;
  /** Starts that failed, one after the other, the last of them, and when. */
  #failed = { times: 0, error: /** @type {unknown} */ (null), at: 0 };
  /** Prose that was provided since the engine started. @type {Set<string>} */
  #provided = new Set();

  /**
   * @param {Loader} loader @param {(code: string, error: unknown, id?: string) => void} [report] called when something is missing or works again
   * @param {() => number} [now]
   */
  constructor(loader, report = () => {}, now = () => Date.now()) {
    this.loader = loader;
    this.report = report;
    this.now = now;
  }

  /** The engine, ready to work. */
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

  /** Prose, or nothing where its file is missing or damaged: the engine then does without that card. @param {string} id */
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

  /** Hands the engine prose that it has not had yet. @param {Engine} engine @param {string[]} ids */
  async #provide(engine, ids) {
    const missing = ids.filter((id) => !this.#provided.has(id));
    const texts = await Promise.all(missing.map((id) => this.#prose(id)));
    // Another engine may have taken its place meanwhile.
    if (engine !== this.live) return;
    missing.forEach((id, i) => {
      engine.provide(id, texts[i] ?? '');
      this.#provided.add(id);
    });
  }

  /** After an error inside the engine its state can't be trusted: the next call makes a new one. */
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
      await this.#provide(engine, found.need);
    }
  }

  /**
   * Applies stored batches in order and gives the effects that hold at the end. The
   * effects in between are left out: for a long session they take twenty times as long as the reading.
   * @param {string} page @param {{events: SensorEvent[], at: number}[]} batches @param {number} now
   * @returns {Promise<Effect[]>}
   */
  async apply(page, batches, now) {
    const engine = await this.ready();
    const merged = new Effects();
    const last = batches.length - 1;
    batches.forEach(({ events, at }, i) => merged.add(engine.apply(page, events, at, i < last)));
    for (let round = 0; merged.needs.size && round < MAX_ROUNDS; round += 1) {
      const ids = [...merged.needs];
      merged.needs.clear();
      await this.#provide(engine, ids);
      // Also where another page has had it provided in the meantime.
      merged.add(engine.apply(page, [], now));
    }
    return merged.list();
  }
}

/** The effects of several calls as one: of one card the last word counts. */
class Effects {
  /** @type {Map<string, Effect>} */
  #cards = new Map();
  /** @type {Map<string, Effect>} */
  #keep = new Map();
  /** @type {Effect | null} */
  #badge = null;
  /** @type {Set<string>} */
  needs = new Set();

  /** @param {Effect[]} [effects] */
  add(effects = []) {
    for (const effect of effects) {
      if (effect.t === 'need') for (const id of effect.ids) this.needs.add(id);
      else if (effect.t === 'badge') this.#badge = effect;
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
