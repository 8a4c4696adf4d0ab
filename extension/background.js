// The background: stores what sensors send, runs the engine, answers cards and pages of ours.
// Browsers stop it when it is idle and start it again for an event, so that every listener is
// registered here, at once, and nothing is kept that is not stored.

import init, { Engine, __wbg_reset_state as startAnew } from './engine/nbmedic.js';
import { Badge, quietly } from './background/badge.js';
import { indexedStore } from './background/database.js';
import { drift } from './background/drift.js';
import { EngineHost, profiles, together } from './background/engine.js';
import { insert } from './background/insert.js';
import { lastingStore } from './background/lasting.js';
import { canNotify, listenToClicks, notify } from './background/notify.js';
import { Pages } from './background/pages.js';
import { Relay } from './background/relay.js';
import { Settings, muted } from './background/settings.js';
import { COLAB, granted, inject, mayRead, register, revive, withheld } from './background/sites.js';
import { memoryStore } from './background/store.js';
import { Troubles } from './background/trouble.js';
import { spokenStyle, spokenTree } from './messages.js';

/** So long after a start the browser has said whether it was an installation, in milliseconds. */
const INSTALLED_MS = 2000;
const { version } = chrome.runtime.getManifest();

let installed = false;
/** At its first start nbmedic has no record yet; at any other the browser lost it. */
function made() {
  setTimeout(() => installed || void troubles.note('store-renewed', null), INSTALLED_MS);
}
const store = lastingStore(
  indexedStore('nbmedic', made),
  memoryStore(),
  (code, error) => void troubles.note(code, error),
);

/** A file of the package. @param {string} name */
async function file(name) {
  const found = await fetch(chrome.runtime.getURL(name));
  if (!found.ok) throw new TypeError(`${name}: ${found.status}`);
  return found;
}

let started = false;
const engine = new EngineHost(
  {
    async start() {
      await init({ module_or_path: file('engine/nbmedic_bg.wasm') });
      // What an engine left that failed half-way is not to be trusted.
      if (started) startAnew();
      started = true;
      return new Engine();
    },
    async prose(id) {
      if (!/^[a-z0-9-]+$/.test(id)) throw new Error(`no prose: ${id}`);
      return (await file(`prose/${id}.json`)).text();
    },
  },
  (code, error, id) =>
    void (code === 'engine-started' ? troubles.settled(['engine-missing']) : troubles.note(code, error, { id })),
);

const troubles = new Troubles({
  now: () => Date.now(),
  version,
  load: () => store.get('troubles'),
  save: (list) => store.set('troubles', list),
  clean: async (text) => engine.live?.clean(text) ?? '',
});

const badge = new Badge({
  // Its types don't know that null takes a text away.
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
  async tell(tab) {
    if (await canNotify(() => store.get('notify'))) await notify(tab);
  },
});

const settings = new Settings(store);

const pages = new Pages({
  store,
  secret: memoryStore(),
  engine,
  now: () => Date.now(),
  // For a side panel that is open; with none nobody listens.
  changed: (tab) => void quietly(() => chrome.runtime.sendMessage({ nbmedic: 1, kind: 'changed', tab })),
  limits: () => settings.event(),
  badge: (tab, what) => void badge.show(tab, what),
  tabs: async () => new Set((await chrome.tabs.query({})).flatMap(({ id }) => id ?? [])),
  troubles,
});

/** To the sensors of a tab. @param {number} tab @param {Record<string, unknown>} message @param {number} [frameId] */
function tell(tab, message, frameId) {
  return quietly(() =>
    chrome.tabs.sendMessage(tab, { nbmedic: 1, ...message }, frameId === undefined ? {} : { frameId }),
  );
}

const relay = new Relay(tell);

/** @type {Promise<string> | null} */
let css = null;

/** A style sheet; without it cards are plain. @param {string} name */
async function style(name) {
  try {
    return await (await file(name)).text();
  } catch (error) {
    void troubles.note('style-missing', error, { id: name });
    return '';
  }
}

/** What a sensor needs before it can begin. */
async function connect() {
  css ??= Promise.all(['theme.css', 'card.css'].map(style)).then((parts) => parts.join('\n'));
  const live = await engine.ready();
  const sheet = spokenStyle(await css);
  return { profiles: profiles(live), css: sheet + (await settings.css()), settings: {} };
}

/** An answer whose cards are in the person's language. @param {Reply} reply @returns {Reply} */
function spoken(reply) {
  if (!reply.effects) return reply;
  return {
    ...reply,
    effects: reply.effects.map((effect) => (effect.tree ? { ...effect, tree: spokenTree(effect.tree) } : effect)),
  };
}

/** Whether a page may be read and nbmedic is not switched off there. @param {string} origin @param {number} tab */
const mayWork = async (origin, tab) => !(await settings.isOff(origin)) && mayRead(origin, tab);

/** Whether origins may be read, as far as it was asked. @type {Map<string, Promise<boolean>>} */
const readable = new Map();

/** @param {import('./background/pages.js').From} from */
function allowed({ origin, tab }) {
  const key = /^https?:/.test(origin) ? origin : `${tab}`;
  const known = readable.get(key) ?? mayWork(origin, tab);
  readable.set(key, known);
  return known;
}

/** @param {chrome.runtime.MessageSender} sender @returns {import('./background/pages.js').From | null} */
function from(sender) {
  const { tab, frameId = 0, origin, url } = sender;
  if (tab?.id === undefined || url?.startsWith(chrome.runtime.getURL(''))) return null;
  return {
    tab: tab.id,
    frame: frameId,
    origin: origin ?? new URL(url ?? 'about:blank').origin,
    isPrivate: tab.incognito,
  };
}

/** Opens a page of ours in a tab. @param {string} page */
async function shown(page) {
  await chrome.tabs.create({ url: chrome.runtime.getURL(page) });
  return { done: true };
}

/** Opens the session's panel beside a tab; in a tab of its own where the browser has no side panel or refuses. @param {number} tab */
async function beside(tab) {
  const { sidePanel } = chrome;
  try {
    await sidePanel.open({ tabId: tab });
    return { done: true };
  } catch {
    return shown(`panel.html?tab=${tab}`);
  }
}

/** @param {any} message @param {chrome.runtime.MessageSender} sender @returns {Promise<unknown>} */
async function answer(message, sender) {
  const sensor = from(sender);
  if (sensor) {
    // Before anything is waited for: the browser opens it only in the click itself.
    if (message.kind === 'ask' && message.what === 'panel') return beside(sensor.tab);
    // For the page's sensor to answer: it runs where it may.
    if (message.kind === 'frame') return relay.pass(message, sensor);
    // Switched off there, or permission was taken back while its page stood aside.
    if (!(await allowed(sensor))) return { gone: true };
    switch (message.kind) {
      case 'connect':
        await pages.arrived(String(message.page), sensor, Number(message.began) || Infinity);
        return connect();
      case 'frames':
      case 'hurry':
      case 'around':
        return relay.pass(message, sensor);
      case 'events':
        return spoken(
          await pages.events({ page: String(message.page), seq: Number(message.seq), events: message.events }, sensor),
        );
      case 'ask':
        if (message.what === 'preview')
          return shown(`report.html?tab=${sensor.tab}&page=${encodeURIComponent(String(message.page))}`);
        if (message.what === 'rule') return shown(`rules/${encodeURIComponent(String(message.id))}.html`);
        return pages.report({ page: String(message.page), format: String(message.format) }, sensor);
    }
    return null;
  }
  switch (message.kind) {
    case 'status':
      return {
        ...(await pages.status(Number(message.tab))),
        allowed: await granted(),
        together: await together(engine, String(message.origin)),
        withheld: await withheld(String(message.origin)),
        off: await settings.isOff(String(message.origin)),
      };
    case 'panel':
      return pages.panel(Number(message.tab));
    case 'draft':
      return pages.draft({ tab: Number(message.tab), page: String(message.page ?? ''), wanted: message.wanted ?? {} });
    case 'history':
      return { past: await store.past() };
    case 'forget-history':
      await pages.forgetPast();
      return { done: true };
    case 'drift': {
      const tab = Number(message.tab);
      const frames = (await pages.ofTab(tab)).map(({ frame }) => frame);
      return { text: await drift(tab, frames, profiles(await engine.ready())) };
    }
    case 'triage': {
      const live = await engine.ready();
      try {
        return { diagnoses: JSON.parse(live.triage(String(message.text), String(message.name ?? ''))) };
      } catch (error) {
        // What failed half-way is not to be trusted with the next page.
        engine.reset();
        throw error;
      }
    }
    case 'example': {
      const { css: style } = await connect();
      const { tree = null, markdown = '' } = await engine.examine(String(message.text), 'welcome.ipynb');
      return { tree, markdown, css: style };
    }
    case 'insert': {
      const tab = Number(message.tab);
      const cells = await (await file('probe-cell.json')).json();
      return {
        done: await insert(
          tab,
          (await pages.ofTab(tab)).map(({ frame }) => frame),
          String(cells.native ?? cells.readable),
        ),
      };
    }
    case 'act':
      if (message.do === 'mute') {
        await pages.mute(Number(message.tab), String(message.id), String(message.name ?? ''));
        await tellAll('again');
      }
      if (message.do === 'goto') await tell(Number(message.tab), { kind: 'goto', cell: String(message.cell) });
      return { done: true };
    case 'allow-changed':
      await changed();
      return { allowed: await granted() };
    case 'again':
      await pages.again(Number(message.tab));
      await tell(Number(message.tab), { kind: 'again' });
      return { done: true };
    case 'health':
      return { version, browser: navigator.userAgent, usage: await pages.usage(), troubles: await troubles.all() };
    case 'options':
      return {
        allowed: await granted(),
        notify: await canNotify(() => store.get('notify')),
        usage: await pages.usage(),
        muted: await muted(store),
        set: await settings.all(),
      };
    case 'unmute':
      await pages.unmute(String(message.id));
      await tellAll('again');
      return { done: true };
    case 'set': {
      const { theme } = await settings.all();
      await settings.change(message.set);
      if ((await settings.all()).theme === theme) await tellAll('again');
      else await restart();
      return { done: true };
    }
    case 'turn':
      await settings.turn(await together(engine, String(message.origin)), message.on === true);
      await changed();
      return { done: true };
    case 'reset':
      await reset();
      return { done: true };
    case 'set-notify':
      await store.set('notify', message.on === true);
      listenToClicks();
      return { done: true };
    case 'forget-all':
      for (const tab of await pages.forgetAll()) await tell(tab, { kind: 'again' });
      return { done: true };
  }
  return null;
}

/** Permissions were given or taken: the sensor runs on exactly what is allowed. */
async function changed() {
  readable.clear();
  await register();
  for (const { tab, frame } of await pages.revoked(mayWork)) await tell(tab, { kind: 'stop' }, frame);
  await inject([COLAB]);
  await inject(await granted());
}

/** @param {'again' | 'stop'} kind */
async function tellAll(kind) {
  await Promise.all((await pages.everywhere()).map(({ tab, frame }) => tell(tab, { kind }, frame)));
}

/** Sensors that run now leave, and new ones take their place. */
async function restart() {
  await tellAll('stop');
  await changed();
}

/** Everything as on the first day: what is stored, what was set, and what was allowed. */
async function reset() {
  await tellAll('stop');
  await pages.forgetAll();
  await store.clear();
  settings.forget();
  troubles.forget();
  await badge.reset();
  // What a manifest demands can't be given back.
  for (const origin of await granted()) await quietly(() => chrome.permissions.remove({ origins: [origin] }));
  await quietly(() => chrome.permissions.remove({ permissions: ['notifications'] }));
  await changed();
}

chrome.runtime.onMessage.addListener((message, sender, reply) => {
  if (message?.nbmedic !== 1 || sender.id !== chrome.runtime.id) return false;
  answer(message, sender).then(reply, (error) => {
    // That there is no engine was noted where it was noticed.
    if (!engine.missing) void troubles.note('failed', error);
    reply({ trouble: engine.missing ? 'engine-missing' : 'failed' });
  });
  return true;
});

chrome.runtime.onInstalled.addListener(({ reason }) => {
  installed = true;
  if (reason === 'install') void quietly(() => chrome.tabs.create({ url: 'welcome.html' }));
  void changed();
});
chrome.runtime.onStartup.addListener(() => {
  void pages.started(performance.timeOrigin);
  void badge.reset();
});
chrome.permissions.onAdded.addListener(() => {
  listenToClicks();
  void changed();
});
chrome.permissions.onRemoved.addListener(() => void changed());
chrome.tabs.onActivated.addListener(({ tabId }) => void badge.seen(tabId));
// Firefox for Android has no windows.
chrome.windows?.onFocusChanged.addListener((id) => {
  void quietly(async () => {
    const [tab] = await chrome.tabs.query({ active: true, windowId: id });
    if (tab?.id !== undefined) await badge.seen(tab.id);
  });
});
/** @param {number} tab */
function left(tab) {
  void pages.closed(tab);
  void badge.gone(tab);
  relay.closed(tab);
}
chrome.tabs.onRemoved.addListener(left);
// A tab that was put aside for want of memory may come back under another number.
chrome.tabs.onReplaced?.addListener((_now, before) => left(before));
// Firefox keeps pages aside through an update, and tells of those that may be read.
if (chrome.runtime.getURL('').startsWith('moz-')) {
  const listen = /** @type {any} */ (chrome.tabs.onUpdated).addListener.bind(chrome.tabs.onUpdated);
  listen(
    (/** @type {number} */ id, /** @type {{status?: string}} */ { status }) => status === 'complete' && void revive(id),
    { urls: ['http://*/*', 'https://*/*'], properties: ['status'] },
  );
}
listenToClicks();
// What was allowed or taken back while nobody listened.
void register();
