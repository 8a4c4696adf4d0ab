// The self-check: finds which of the front end's landmarks a page has, and how to read a page whose cells are not found.

import * as dom from './dom.js';

/** Profile parts taken from the fallback when a front end's cells are not found. */
const PARTS = /** @type {const} */ (['cell', 'state', 'queue', 'count', 'source', 'output', 'card']);
/** @type {WeakMap<Profile, Profile>} */
const mixed = new WeakMap();

/**
 * The number of matches of each landmark. An absent landmark that is not currently expected is omitted.
 * @param {Profile} profile
 */
export function landmarks({ landmarks: marks, vitals }) {
  /** @type {Record<string, number>} */
  const found = {};
  for (const [name, { sel, when, vitals: source, has = '' }] of Object.entries(marks)) {
    const text = vitals.find((widget) => widget.source === source)?.text;
    const n = text ? Number(new RegExp(has).test(dom.value(document, text, 2000))) : dom.tally(document, sel ?? []);
    if (n || !when || dom.find(document, when)) found[name] = n;
  }
  return found;
}

/** Whether a vital landmark, without which nothing can be read, is missing. @param {Profile} profile */
export function lost({ landmarks: marks }) {
  return Object.values(marks).some(
    ({ sel, when, vital }) => vital && !dom.find(document, sel ?? []) && dom.find(document, when ?? ['html']),
  );
}

/**
 * The profile for reading this page: the first that matches, with the fallback's parts if its own cells are not found.
 * @param {Profile[]} profiles
 */
export function choose(profiles) {
  const fits = profiles.find(({ detect }) => dom.find(document, detect));
  const fallback = profiles.find((profile) => profile.fallback);
  if (!fits || !fallback || fits === fallback || !lost(fits)) return fits;
  let mix = mixed.get(fits);
  if (!mix) {
    mix = { ...fits, mixed: true, landmarks: { ...fits.landmarks, ...fallback.landmarks } };
    for (const part of PARTS) /** @type {any} */ (mix)[part] = fallback[part];
    mixed.set(fits, mix);
  }
  return mix;
}
