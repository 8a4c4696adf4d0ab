// The background: stores what sensors send, runs the engine, answers cards and pages of ours.
// Browsers stop it when it is idle and start it again for an event, so that every listener is
// registered here, at once, and nothing is kept that is not stored.

import init, { Engine } from './engine/nbmedic.js';
import { drift } from './background/drift.js';
import { EngineHost, profiles, together } from './background/engine.js';
import { Pages } from './background/pages.js';
import { COLAB, granted, inject, register } from './background/sites.js';
import { indexedStore, memoryStore } from './background/store.js';

const engine = new EngineHost({
  async start() {
    await init({ module_or_path: fetch(chrome.runtime.getURL('engine/nbmedic_bg.wasm')) });
    return new Engine();
  },
  async prose(id) {
    if (!/^[a-z0-9-]+$/.test(id)) throw new Error(`no prose: ${id}`);
    const file = await fetch(chrome.runtime.getURL('prose/' + id + '.json'));
    return file.text();
  },
});

const pages = new Pages({
  store: indexedStore(),
  secret: memoryStore(),
  engine,
  now: () => Date.now(),
  badge(tab, count, trouble) {
    const text = trouble ? '!' : count ? String(count) : '';
    void quietly(() => chrome.action.setBadgeText({ tabId: tab, text }));
    void quietly(() => chrome.action.setBadgeBackgroundColor({ tabId: tab, color: trouble ? '#5f6b7a' : '#c2313a' }));
  },
  async tabs() {
    return new Set((await chrome.tabs.query({})).flatMap(({ id }) => id ?? []));
  },
});

/** For what concerns a tab that may be gone by now. @param {() => unknown} task */
async function quietly(task) {
  try {
    return await task();
  } catch {
    return null;
  }
}

/** @type {Promise<string> | null} */
let css = null;

/** A file of the package. @param {string} name */
const text = async (name) => (await fetch(chrome.runtime.getURL(name))).text();

/** What a sensor needs before it can begin. */
async function connect() {
  css ??= Promise.all([text('theme.css'), text('card.css')]).then((parts) => parts.join('\n'));
  const live = await engine.ready();
  return { profiles: profiles(live), css: await css, settings: {} };
}

/** @param {chrome.runtime.MessageSender} sender @returns {import('./background/pages.js').From | null} */
function from(sender) {
  const { tab, frameId = 0, origin, url } = sender;
  if (tab?.id === undefined || url?.startsWith(chrome.runtime.getURL(''))) return null;
  return { tab: tab.id, frame: frameId, origin: origin ?? new URL(url ?? 'about:blank').origin, isPrivate: tab.incognito };
}

/**
 * Between the sensor of a page and those in its frames: up with the browser's word for which frame it
 * is, down to one frame or to all.
 * @param {any} message @param {import('./background/pages.js').From} sensor
 */
function relay({ kind, frame, ...rest }, sensor) {
  /** @param {Record<string, unknown>} message @param {number} [frameId] */
  const pass = (message, frameId) => quietly(() => chrome.tabs.sendMessage(sensor.tab, { nbmedic: 1, ...message }, frameId === undefined ? {} : { frameId }));
  if (sensor.frame) return kind === 'frame' || kind === 'around' ? pass({ ...rest, kind, frame: sensor.frame }, 0) : null;
  if (kind === 'around') return pass({ ...rest, kind });
  return kind === 'frames' ? pass({ kind: 'who' }) : pass({ kind }, Number(frame));
}

/** @param {any} message @param {chrome.runtime.MessageSender} sender @returns {Promise<unknown>} */
async function answer(message, sender) {
  const sensor = from(sender);
  if (sensor) {
    switch (message.kind) {
      case 'connect':
        await pages.arrived(String(message.page), sensor, Number(message.began) || Infinity);
        return connect();
      case 'events':
        return pages.events(message, sensor);
      case 'frame':
      case 'frames':
      case 'hurry':
      case 'around':
        return relay(message, sensor);
      case 'ask':
        return pages.report({ page: String(message.page), format: String(message.format) }, sensor);
    }
    return null;
  }
  switch (message.kind) {
    case 'status':
      return { ...(await pages.status(Number(message.tab))), allowed: await granted(), together: together(await engine.ready(), String(message.origin)) };
    case 'report':
      return pages.report({ tab: Number(message.tab), format: String(message.format) }, null);
    case 'drift': {
      const tab = Number(message.tab);
      const frames = (await pages.ofTab(tab)).map(({ frame }) => frame);
      return { text: await drift(tab, frames, profiles(await engine.ready())) };
    }
    case 'triage': {
      const live = await engine.ready();
      return { diagnoses: JSON.parse(live.triage(String(message.text), String(message.name ?? ''))) };
    }
    case 'act':
      if (message.do === 'mute') await pages.mute(Number(message.tab), String(message.id));
      if (message.do === 'goto') {
        await quietly(() => chrome.tabs.sendMessage(Number(message.tab), { nbmedic: 1, kind: 'goto', cell: String(message.cell) }));
      }
      return { done: true };
    case 'allow-changed':
      await register();
      await inject(await granted());
      return { allowed: await granted() };
  }
  return null;
}

chrome.runtime.onMessage.addListener((message, sender, reply) => {
  if (message?.nbmedic !== 1 || sender.id !== chrome.runtime.id) return false;
  answer(message, sender).then(reply, (error) => {
    pages.trouble = String(error?.message ?? error).slice(0, 300);
    reply({ trouble: pages.trouble });
  });
  return true;
});

chrome.runtime.onInstalled.addListener(() => {
  void register();
  void inject([COLAB]);
  void granted().then(inject);
});
chrome.runtime.onStartup.addListener(() => void register());
chrome.permissions.onAdded.addListener(() => {
  void register();
  void granted().then(inject);
});
chrome.permissions.onRemoved.addListener(() => void register());
chrome.tabs.onRemoved.addListener((tab) => void pages.closed(tab));
