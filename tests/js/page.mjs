// A page in jsdom with the sensor's files loaded, as a browser loads a content script's.

import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { JSDOM } from 'jsdom';
import { SENSOR } from '../../extension/background/sites.js';
import { english } from './english.mjs';

const root = new URL('../../extension/', import.meta.url);


export const profile = (name) => JSON.parse(readFileSync(new URL(`../../src/host/${name}.json`, import.meta.url), 'utf8'));

/** @param {string} html @param {{files?: string[], chrome?: unknown, url?: string}} [options] */
export function open(html, { files = SENSOR.slice(0, -1), chrome, url = 'https://notebook.test/lab' } = {}) {
  const dom = new JSDOM(html, { runScripts: 'outside-only', pretendToBeVisual: true, url });
  const { window } = dom;
  window.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} });
  window.MessageChannel = MessageChannel;
  window.CSS = { escape: (text) => text.replace(/[^\w-]/g, '\\$&') };
  window.chrome = chrome ?? { runtime: { id: 'x', sendMessage: async () => null, onMessage: { addListener() {}, removeListener() {} } } };
  window.chrome.i18n ??= { getMessage: english };
  window.Element.prototype.scrollIntoView = () => {};
  for (const file of files) load(dom, file);
  window.nbmedicLoad = (file) => load(dom, file);
  window.nbmedicRun = (script) => script.runInContext(dom.getInternalVMContext());
  return window;
}

/** A strict script's `var` is global only when it runs as a script, not through eval. */
function load(dom, file) {
  new Script(readFileSync(new URL(file, root), 'utf8'), { filename: file }).runInContext(dom.getInternalVMContext());
}

/** An element with an open shadow root. */
export function shadow(host, html) {
  const opened = host.attachShadow({ mode: 'open' });
  opened.append(host.ownerDocument.createRange().createContextualFragment(html));
  return opened;
}

export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until `check` is true. */
export async function until(check, what = 'a change', ms = 4000) {
  const end = Date.now() + ms;
  while (!check()) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await wait(10);
  }
}
