// Decides which pages may be read and applies changes to that.

import { quietly } from './badge.js';
import { badge, pages, send, settings, store, troubles } from './parts.js';
import { COLAB, granted, inject, mayRead, register } from './sites.js';

/** Whether a page may be read and nbmedic is switched on there. @param {string} origin @param {number} tab */
async function mayWork(origin, tab) {
  const [isOff, mayBeRead] = await Promise.all([settings.isOff(origin), mayRead(origin, tab)]);
  return !isOff && mayBeRead;
}

/** Cached answers to whether an origin may be read. @type {Map<string, Promise<boolean>>} */
const readable = new Map();

/** @param {import('./pages.js').From} from */
export function isAllowed({ origin, tab }) {
  const key = /^https?:/.test(origin) ? origin : `${tab}`;
  const known = readable.get(key) ?? mayWork(origin, tab);
  readable.set(key, known);
  return known;
}

/** Called when permissions were granted or removed: runs the sensor on exactly the allowed sites. */
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

/** Stops every sensor, also one that has only just begun: its page is not known before its first events. */
async function stopSensors() {
  const open = await chrome.tabs.query({ url: [COLAB, ...(await granted())] });
  const tabs = open.flatMap(({ id }) => id ?? []);
  await Promise.all([broadcast('stop'), ...tabs.map((tab) => send(tab, { kind: 'stop' }))]);
}

/** Stops the running sensors and starts new ones in their place. */
export async function restartSensors() {
  await stopSensors();
  await applyPermissions();
}

/** Restores the state after installation: clears stored data, settings and optional permissions. */
export async function reset() {
  await stopSensors();
  await pages.forgetAll();
  await store.clear();
  settings.forget();
  troubles.forget();
  await badge.reset();
  // Permissions required by the manifest can't be removed.
  for (const origin of await granted()) await quietly(() => chrome.permissions.remove({ origins: [origin] }));
  await quietly(() => chrome.permissions.remove({ permissions: ['notifications'] }));
  await applyPermissions();
}
