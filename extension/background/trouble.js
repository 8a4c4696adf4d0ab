// Failures in nbmedic itself, for the popup and for a report that contains nothing from the notebook.

/** Maximum number of entries and their maximum age in milliseconds. */
const MAX = 20;
const MAX_AGE = 24 * 3600 * 1000;
const MAX_DETAIL = 300;

/**
 * @typedef {{code: string, at: number, version: string, count: number, over: boolean, tab?: number, id?: string, detail: string}} Entry
 */

/** Whether an error's message comes from the browser and so quotes nothing from a page. @param {unknown} error */
function isFixed(error) {
  if (error instanceof DOMException || error instanceof TypeError) return true;
  return [WebAssembly.RuntimeError, WebAssembly.CompileError, WebAssembly.LinkError].some(
    (kind) => error instanceof kind,
  );
}

export class Troubles {
  /** @type {Entry[]} */
  #list = [];
  /** Entries from private windows, which are never saved. @type {WeakSet<Entry>} */
  #secret = new WeakSet();
  /** @type {Promise<void> | null} */
  #loaded = null;

  /**
   * @param {{now: () => number, version: string, load: () => Promise<unknown>, save: (list: Entry[]) => Promise<void>,
   *   clean: (text: string) => Promise<string>}} parts `clean` removes secrets and names, or the whole text if it can't
   */
  constructor(parts) {
    this.parts = parts;
  }

  /** Loads the entries saved by earlier backgrounds. */
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
    // Entries that can't be saved are still shown.
    await this.parts.save(this.#fresh().filter((entry) => !this.#secret.has(entry))).catch(() => {});
  }

  /**
   * Records a failure. The popup has a message for each `code`.
   * @param {string} code @param {unknown} error
   * @param {{tab?: number, id?: string, isPrivate?: boolean, instead?: string}} [where] `instead`: the earlier code that this one replaces
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

  /** Marks failures as resolved. @param {string[]} codes @param {number} [tab] */
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

  /** The entries about a tab or about nbmedic as a whole. @param {number} tab */
  async of(tab) {
    await this.#ready();
    return this.#fresh().filter((entry) => entry.tab === undefined || entry.tab === tab);
  }

  /** Drops the entries after the store was cleared. */
  forget() {
    this.#list = [];
  }

  async all() {
    await this.#ready();
    return this.#fresh().map(({ tab: _tab, ...entry }) => entry);
  }
}
