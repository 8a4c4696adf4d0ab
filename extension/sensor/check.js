// The self-check: which landmarks of its front end a page shows, and how a page is read whose cells are not found.

import * as dom from './dom.js';

/** What a fallback reads in the place of a front end whose cells are gone. */
const PARTS = /** @type {const} */ (['cell', 'state', 'queue', 'count', 'source', 'output', 'card']);
/** @type {WeakMap<Profile, Profile>} */
const mixed = new WeakMap();

/**
 * How often each landmark is found. One that is absent and not expected now is left out.
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

/** Whether a landmark without which nothing can be read is missed. @param {Profile} profile */
export function lost({ landmarks: marks }) {
  return Object.values(marks).some(
    ({ sel, when, vital }) => vital && !dom.find(document, sel ?? []) && dom.find(document, when ?? ['html']),
  );
}

/**
 * The profile to read this page with: the first that fits, with the fallback's cells where its own are gone.
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
