// Handlers for requests from sensors.

import { loadMessages, spokenReply, spokenStyle } from '../messages.js';
import { isAllowed } from './access.js';
import { bounded } from './bounded.js';
import { profiles } from './engine.js';
import { file } from './files.js';
import { insert, startCell } from './insert.js';
import { engine, pages, relay, settings, troubles } from './parts.js';

/** @typedef {import('./pages.js').From} From */

/** @type {Promise<string> | null} */
let css = null;

/** A style sheet, or an empty string if it is missing: cards then have no styling. @param {string} name */
async function style(name) {
  try {
    return await (await file(name)).text();
  } catch (error) {
    void troubles.record('style-missing', error, { id: name });
    return '';
  }
}

/** The data that a sensor needs before it can start. */
export async function connect() {
  css ??= Promise.all(['theme.css', 'card.css', 'card-foot.css'].map(style)).then((sheets) => sheets.join('\n'));
  const live = await engine.ready();
  await loadMessages();
  return {
    profiles: profiles(live),
    css: spokenStyle(await css) + (await settings.css()),
    settings: {},
  };
}

/** How many pages cards may open in this time, in milliseconds: more than anyone clicks. */
const MAX_OPENED = 8;
const OPENED_MS = 30_000;
const mayOpen = bounded(MAX_OPENED, OPENED_MS);

/** Opens an extension page in a new tab, unless cards opened too many lately. @param {string} page */
async function openPage(page) {
  if (!mayOpen(Date.now())) return { done: false };
  await chrome.tabs.create({ url: chrome.runtime.getURL(page) });
  return { done: true };
}

/** The page of a diagnosis, at one of its variants. @param {string} id @param {string} variant */
function rulePage(id, variant) {
  const at = variant && `#variant-${encodeURIComponent(variant)}`;
  return `rules/${encodeURIComponent(id)}.html${at}`;
}

/** Opens the session panel next to a tab, or in its own tab if the browser has no side panel or refuses to open it. @param {number} tab */
export async function openPanel(tab) {
  const { sidePanel } = chrome;
  try {
    await sidePanel.open({ tabId: tab });
    return { done: true };
  } catch {
    return openPage(`panel.html?tab=${tab}`);
  }
}

/**
 * Puts code into a new cell of the frame's notebook, or in place of what a cell holds.
 * @param {From} from @param {string} text @param {string | null} [was]
 */
async function put({ tab, frame }, text, was = null) {
  return { done: await insert(tab, [frame], text, was), text };
}

/** @type {import('./requests.js').Handlers<import('./requests.js').SensorRequests, [From]>} */
const HANDLERS = {
  async connect({ page, began }, from) {
    await pages.arrived(String(page), from, Number(began) || Infinity);
    return connect();
  },
  async events({ page, seq, events }, from) {
    const batch = { page: String(page), seq: Number(seq), events: /** @type {SensorEvent[]} */ (events) };
    const reply = await pages.events(batch, from);
    await loadMessages();
    return spokenReply(reply);
  },
  async rest({ page }, from) {
    const reply = await pages.rest(String(page), from);
    await loadMessages();
    return spokenReply(reply);
  },
  async ask({ page, what, format, id, text, was }, from) {
    if (what === 'preview') return openPage(`report.html?tab=${from.tab}&page=${encodeURIComponent(String(page))}`);
    if (what === 'rule') return openPage(rulePage(String(id), String(text ?? '')));
    if (what === 'assistant') return pages.assistant({ page: String(page), card: String(id) }, from);
    if (what === 'below') return put(from, String(text));
    if (what === 'replace') return put(from, String(text), String(was));
    if (what === 'probe') return put(from, await startCell());
    return pages.report({ page: String(page), format: String(format) }, from);
  },
  frame: (message, from) => relay.pass({ ...message, kind: 'frame' }, from),
  frames: (message, from) => relay.pass({ ...message, kind: 'frames' }, from),
  hurry: (message, from) => relay.pass({ ...message, kind: 'hurry' }, from),
  around: (message, from) => relay.pass({ ...message, kind: 'around' }, from),
};

/** @param {any} message @param {From} from */
export async function answerSensor(message, from) {
  const { kind } = message;
  if (!Object.hasOwn(HANDLERS, kind)) return null;
  const handler = HANDLERS[/** @type {keyof typeof HANDLERS} */ (kind)];
  // Handled before any await: the browser opens the panel only during the click itself.
  const isClick = kind === 'ask' && message.what === 'panel';
  // The page's sensor answers it, and it runs only where it is allowed to.
  if (isClick || kind === 'frame') return handler(message, from);
  // Switched off on this site, or permission was revoked while the page was in the back/forward cache.
  if (!(await isAllowed(from))) return { gone: true };
  return handler(message, from);
}
