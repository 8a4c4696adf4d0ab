// Which pages may be read, and what follows when that changes.

import { quietly } from './badge.js';
import { badge, pages, send, settings, store, troubles } from './parts.js';
import { COLAB, granted, inject, mayRead, register } from './sites.js';

/** Whether a page may be read and nbmedic is not switched off there. @param {string} origin @param {number} tab */
async function mayWork(origin, tab) {
  const [isOff, mayBeRead] = await Promise.all([settings.isOff(origin), mayRead(origin, tab)]);
  return !isOff && mayBeRead;
}

/** Whether origins may be read, as far as it was asked. @type {Map<string, Promise<boolean>>} */
const readable = new Map();

/** @param {import('./pages.js').From} from */
export function isAllowed({ origin, tab }) {
  const key = /^https?:/.test(origin) ? origin : `${tab}`;
  const known = readable.get(key) ?? mayWork(origin, tab);
  readable.set(key, known);
  return known;
}

/** Permissions were given or taken: the sensor runs on exactly what is allowed. */
export async function applyPermissions() {
  readable.clear();
  await register();
  for (const { tab, frame } of await pages.revoked(mayWork)) await send(tab, { kind: 'stop' }, frame);
  await inject([COLAB]);
  await inject(await granted());
}

/** Sends a message to every sensor. @param {'again' | 'stop'} kind */
export async function broadcast(kind) {
  await Promise.all((await pages.everywhere()).map(({ tab, frame }) => send(tab, { kind }, frame)));
}

/** Sensors that run now leave, and new ones take their place. */
export async function restartSensors() {
  await broadcast('stop');
  await applyPermissions();
}

/** Everything as on the first day: what is stored, what was set, and what was allowed. */
export async function reset() {
  await broadcast('stop');
  await pages.forgetAll();
  await store.clear();
  settings.forget();
  troubles.forget();
  await badge.reset();
  // What a manifest demands can't be given back.
  for (const origin of await granted()) await quietly(() => chrome.permissions.remove({ origins: [origin] }));
  await quietly(() => chrome.permissions.remove({ permissions: ['notifications'] }));
  await applyPermissions();
}
