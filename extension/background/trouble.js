// What failed in nbmedic itself: for the popup, and for a report that holds nothing of the notebook.

/** So many are kept, and so long, in milliseconds. */
const MAX = 20;
const MAX_AGE = 24 * 3600 * 1000;
const MAX_DETAIL = 300;

/**
 * @typedef {{code: string, at: number, version: string, count: number, over: boolean, tab?: number, id?: string, detail: string}} Entry
 */

/** The browser's own words, which quote nothing of a page. @param {unknown} error */
function isFixed(error) {
  if (error instanceof DOMException || error instanceof TypeError) return true;
  return [WebAssembly.RuntimeError, WebAssembly.CompileError, WebAssembly.LinkError].some(
    (kind) => error instanceof kind,
  );
}

export class Troubles {
  /** @type {Entry[]} */
  #list = [];
  /** Entries of private windows: never written. @type {WeakSet<Entry>} */
  #secret = new WeakSet();
  /** @type {Promise<void> | null} */
  #loaded = null;

  /**
   * @param {{now: () => number, version: string, load: () => Promise<unknown>, save: (list: Entry[]) => Promise<void>,
   *   clean: (text: string) => Promise<string>}} parts `clean` takes secrets and names out, or everything where it can't
   */
  constructor(parts) {
    this.parts = parts;
  }

  /** What earlier backgrounds wrote down. */
  #ready() {
    this.#loaded ??= this.parts.load().then(
      (list) => {
        if (Array.isArray(list)) this.#list = [...list, ...this.#list];
      },
      () => {},
    );
    return this.#loaded;
  }

  #fresh() {
    const { now, version } = this.parts;
    this.#list = this.#list.filter((entry) => entry.version === version && now() - entry.at < MAX_AGE).slice(-MAX);
    return this.#list;
  }

  async #save() {
    // What can't be written down is still shown.
    await this.parts.save(this.#fresh().filter((entry) => !this.#secret.has(entry))).catch(() => {});
  }

  /**
   * Something failed: its `code` is one that the popup has words for.
   * @param {string} code @param {unknown} error
   * @param {{tab?: number, id?: string, isPrivate?: boolean, instead?: string}} [where] `instead` of that earlier code
   */
  async record(code, error, { tab, id, isPrivate = false, instead } = {}) {
    const { now, version, clean } = this.parts;
    const { name = '', message = error ? String(error) : '' } = /** @type {Partial<Error>} */ (error ?? {});
    const text = name ? `${name}: ${message}` : message;
    const detail = isFixed(error) ? text : (await clean(text).catch(() => '')) || name;
    await this.#ready();
    const same = this.#fresh().find((entry) => entry.code === code && entry.tab === tab && entry.id === id);
    const entry = {
      code,
      at: now(),
      version,
      count: (same?.count ?? 0) + 1,
      over: false,
      ...(tab === undefined ? {} : { tab }),
      ...(id ? { id } : {}),
      detail: detail.slice(0, MAX_DETAIL),
    };
    this.#list = this.#list.filter((other) => other !== same && !(other.code === instead && other.tab === tab));
    this.#list.push(entry);
    if (isPrivate || (same && this.#secret.has(same))) this.#secret.add(entry);
    await this.#save();
  }

  /** What had failed works again. @param {string[]} codes @param {number} [tab] */
  async settle(codes, tab) {
    if (!this.#loaded && !this.#list.length) return;
    let changed = false;
    for (const entry of this.#list) {
      if (entry.over || !codes.includes(entry.code) || (tab !== undefined && entry.tab !== tab)) continue;
      entry.over = true;
      changed = true;
    }
    if (changed) await this.#save();
  }

  /** What concerns a tab, or all of nbmedic. @param {number} tab */
  async of(tab) {
    await this.#ready();
    return this.#fresh().filter((entry) => entry.tab === undefined || entry.tab === tab);
  }

  /** The record was emptied. */
  forget() {
    this.#list = [];
  }

  async all() {
    await this.#ready();
    return this.#fresh().map(({ tab: _tab, ...entry }) => entry);
  }
}
