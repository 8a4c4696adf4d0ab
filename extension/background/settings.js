// User settings: the theme, sites where nbmedic is switched off, warning limits, and muted diagnoses and cells.

/**
 * @typedef {{quiet: boolean, memory: number, disk: number, full: number, unsaved: number}} Limits
 * @typedef {{theme: string, off: string[], limits: Limits}} Set
 * @typedef {import('./store.js').Store} Store
 */

const THEMES = ['system', 'light', 'dark'];
/** The highest valid limits, in minutes or percent. */
const MOST = { memory: 600, disk: 600, full: 100, unsaved: 1440 };
const MAX_MUTED = 500;
const MAX_OFF = 200;

/** The default settings. @returns {Set} */
export const usual = () => ({
  theme: 'system',
  off: [],
  limits: { quiet: false, memory: 15, disk: 30, full: 50, unsaved: 90 },
});

/** Stored or received settings, with invalid values replaced by defaults. @param {any} value @returns {Set} */
export function sensible(value) {
  const first = usual();
  const { theme, off, limits } = value ?? {};
  for (const key of /** @type {(keyof typeof MOST)[]} */ (Object.keys(MOST))) {
    const n = limits?.[key];
    if (Number.isInteger(n) && n >= 0 && n <= MOST[key]) first.limits[key] = n;
  }
  first.limits.quiet = limits?.quiet === true;
  if (THEMES.includes(theme)) first.theme = theme;
  if (Array.isArray(off))
    first.off = [...new Set(off.filter((one) => typeof one === 'string' && /^https?:\/\/[^/]+$/.test(one)))].slice(
      -MAX_OFF,
    );
  return first;
}

export class Settings {
  /** @type {Promise<Set> | null} */
  #set = null;

  /** @param {Store} store */
  constructor(store) {
    this.store = store;
  }

  /** @returns {Promise<Set>} */
  all() {
    this.#set ??= this.store.get('set').then(sensible, usual);
    return this.#set;
  }

  /** @param {unknown} value */
  async change(value) {
    const set = sensible(value);
    this.#set = Promise.resolve(set);
    await this.store.set('set', set);
  }

  /** Drops the cached settings after the store was cleared. */
  forget() {
    this.#set = null;
  }

  /** @param {string} origin */
  async isOff(origin) {
    return (await this.all()).off.includes(origin);
  }

  /** Switches nbmedic on or off on the given origins. @param {string[]} origins @param {boolean} on */
  async turn(origins, on) {
    const set = await this.all();
    const off = set.off.filter((origin) => !origins.includes(origin));
    await this.change({ ...set, off: on ? off : [...off, ...origins] });
  }

  /** The limits event, which the engine gets before a page's other events. @returns {Promise<SensorEvent>} */
  async event() {
    return { t: 'limits', ...(await this.all()).limits };
  }

  /** CSS that gives cards the user's light or dark theme instead of the notebook's. */
  async css() {
    const { theme } = await this.all();
    return theme === 'system' ? '' : `:host { color-scheme: ${theme} !important; }`;
  }
}

/** Everything muted, with its display name: a cell's is a line of its code; a diagnosis is listed by its id. @param {Store} store @returns {Promise<{id: string, name: string}[]>} */
export async function muted(store) {
  const names = (await store.get('muted-names')) ?? {};
  return ((await store.get('muted')) ?? []).map((/** @type {string} */ id) => ({ id, name: String(names[id] ?? '') }));
}

/** Never shows a diagnosis, or anything about a cell, again. @param {Store} store @param {string} id @param {string} [name] the cell's display name */
export async function mute(store, id, name = '') {
  const ids = new Set((await store.get('muted')) ?? []);
  if (ids.size === ids.add(id).size) return;
  const kept = [...ids].slice(-MAX_MUTED);
  await store.set('muted', kept);
  if (!name) return;
  const names = Object.entries({ ...(await store.get('muted-names')), [id]: name.slice(0, 100) });
  await store.set('muted-names', Object.fromEntries(names.filter(([of]) => kept.includes(of))));
}

/** @param {Store} store @param {string} id */
export async function unmute(store, id) {
  const ids = (await store.get('muted')) ?? [];
  await store.set(
    'muted',
    ids.filter((/** @type {string} */ other) => other !== id),
  );
}
