// The background's parts, created once at startup. Nothing here awaits: listeners must be registered in the same turn.

import init, { Engine, __wbg_reset_state as resetModule } from '../engine/nbmedic.js';
import initPython, { answer, __wbg_reset_state as resetPython } from '../python/python.js';
import { Badge, quietly } from './badge.js';
import { engineCode, pythonCode } from './code.js';
import { indexedStore } from './database.js';
import { EngineHost } from './engine.js';
import { prose } from './files.js';
import { canNotify, notify } from './notify.js';
import { Pages } from './pages.js';
import { Relay } from './relay.js';
import { resilientStore } from './resilient-store.js';
import { Settings } from './settings.js';
import { memoryStore } from './store.js';
import { Troubles } from './trouble.js';

export const { version } = chrome.runtime.getManifest();

/** onInstalled fires within this time after startup, in milliseconds. */
const INSTALLED_MS = 2000;
let installed = false;

/** Records that the browser reported an installation or update. */
export function markInstalled() {
  installed = true;
}

/** Called when the database was created. Unless this is the first start, the browser lost the previous one. */
function onCreated() {
  setTimeout(() => installed || void troubles.record('store-renewed', null), INSTALLED_MS);
}

export const store = resilientStore(
  indexedStore('nbmedic', onCreated),
  memoryStore(),
  (code, error) => void troubles.record(code, error),
);

let started = false;
export const engine = new EngineHost(
  {
    async start() {
      await init({ module_or_path: await engineCode() });
      // The state left by an engine that failed partway can't be trusted.
      if (started) resetModule();
      started = true;
      return new Engine();
    },
    prose,
    async python() {
      await initPython({ module_or_path: await pythonCode() });
      return (question) => {
        try {
          return answer(question);
        } catch (error) {
          // Without an answer a card has no cure. The next question gets a new instance.
          resetPython();
          void troubles.record('failed', error);
          return '';
        }
      };
    },
  },
  (code, error, id) =>
    void (code === 'engine-started' ? troubles.settle(['engine-missing']) : troubles.record(code, error, { id })),
);

export const troubles = new Troubles({
  now: () => Date.now(),
  version,
  load: () => store.get('troubles'),
  save: (list) => store.set('troubles', list),
  clean: async (text) => engine.live?.clean(text) ?? '',
});

export const badge = new Badge({
  // The API's types don't allow null, which removes a text.
  action: {
    setBadgeText: (/** @type {any} */ what) => chrome.action.setBadgeText(what),
    setBadgeBackgroundColor: (what) => chrome.action.setBadgeBackgroundColor(what),
    setTitle: (what) => chrome.action.setTitle(what),
  },
  async hidden(tab) {
    const found = await quietly(() => chrome.tabs.get(tab));
    if (!found?.active) return found !== null;
    return (await quietly(() => chrome.windows.get(found.windowId)))?.state === 'minimized';
  },
  load: () => store.get('badges'),
  save: (tabs) => store.set('badges', tabs),
  async notify(tab) {
    if (await canNotify(() => store.get('notify'))) await notify(tab);
  },
});

export const settings = new Settings(store);

export const pages = new Pages({
  store,
  secret: memoryStore(),
  engine,
  now: () => Date.now(),
  // For an open side panel; without one, nothing receives the message.
  changed: (tab) => void quietly(() => chrome.runtime.sendMessage({ nbmedic: 1, kind: 'changed', tab })),
  limits: () => settings.event(),
  badge: (tab, what) => void badge.show(tab, what),
  tabs: async () => new Set((await chrome.tabs.query({})).flatMap(({ id }) => id ?? [])),
  troubles,
});

/** Sends a message to all sensors in a tab, or to the one in the given frame. @param {number} tab @param {Record<string, unknown>} message @param {number} [frameId] */
export function send(tab, message, frameId) {
  const to = frameId === undefined ? {} : { frameId };
  return quietly(() => chrome.tabs.sendMessage(tab, { nbmedic: 1, ...message }, to));
}

export const relay = new Relay(send);
