// A page in jsdom, and the extension's modules in it.
// Needs node's --experimental-vm-modules, so that each window has modules of its own, as in a browser.

import { readFileSync } from 'node:fs';
import { SourceTextModule, SyntheticModule } from 'node:vm';
import { JSDOM } from 'jsdom';
import { english } from './english.mjs';

const root = new URL('../../extension/', import.meta.url);

export const profile = (name) =>
  JSON.parse(readFileSync(new URL(`../../src/host/${name}.json`, import.meta.url), 'utf8'));

/** @param {string} html @param {{chrome?: unknown, url?: string}} [options] */
export function open(html, { chrome, url = 'https://notebook.test/lab' } = {}) {
  const dom = new JSDOM(html, { runScripts: 'outside-only', pretendToBeVisual: true, url });
  const { window } = dom;
  window.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} });
  window.MessageChannel = MessageChannel;
  window.CSS = { escape: (text) => text.replace(/[^\w-]/g, '\\$&') };
  window.chrome = chrome ?? {
    runtime: { id: 'x', sendMessage: async () => null, onMessage: { addListener() {}, removeListener() {} } },
  };
  window.chrome.i18n ??= { getMessage: english };
  window.Element.prototype.scrollIntoView = () => {};
  // Page and extension share one world here, so the tests open what is closed to pages.
  const { attachShadow } = window.Element.prototype;
  window.Element.prototype.attachShadow = function open(options) {
    window.shadowModes = [...(window.shadowModes ?? []), `${this.localName} ${options.mode}`];
    return attachShadow.call(this, { ...options, mode: 'open' });
  };
  return window;
}

/** The modules of each window. */
const loaded = new WeakMap();

/**
 * Imports a module of the extension in a window, as a browser would: every window has its own. Returns its exports.
 * @param {Window} window @param {string} name below `extension/`
 * @param {{again?: boolean, instead?: Record<string, Record<string, unknown>>}} [options] `again`: with new modules,
 * like a script that is injected into the page again; `instead`: exports that replace a module's own
 */
export async function load(window, name, { again = false, instead = {} } = {}) {
  const modules = again ? new Map() : (loaded.get(window) ?? new Map());
  if (!again) loaded.set(window, modules);
  const add = (url) => {
    const known = modules.get(url.href);
    if (known) return known;
    const module = new SourceTextModule(readFileSync(url, 'utf8'), { context: window, identifier: url.href });
    modules.set(url.href, module);
    return module;
  };
  for (const [file, values] of Object.entries(instead)) {
    const all = { ...(await import(new URL(file, root))), ...values };
    const module = new SyntheticModule(
      Object.keys(all),
      () => Object.entries(all).forEach(([key, value]) => module.setExport(key, value)),
      { context: window },
    );
    modules.set(new URL(file, root).href, module);
  }
  const module = add(new URL(name, root));
  if (module.status === 'unlinked') await module.link((to, from) => add(new URL(to, from.identifier)));
  await module.evaluate();
  return module.namespace;
}

/** An element with an open shadow root. */
export function shadow(host, html) {
  const opened = host.attachShadow({ mode: 'open' });
  opened.append(host.ownerDocument.createRange().createContextualFragment(html));
  return opened;
}

/** jsdom's object behind an object of its API. */
const inner = (outer) => outer[Object.getOwnPropertySymbols(outer).find(({ description }) => description === 'impl')];

/** Sends an event, as the browser does if `isTrusted`. */
export function dispatch(element, event, isTrusted = true) {
  const own = inner(event);
  own.isTrusted = isTrusted;
  inner(element)._dispatch(own);
}

/** Clicks an element as a user does: `element.click()` is a script's click. Without a `detail` it is a key's click. */
export function click(element, init = {}, view = null) {
  const { MouseEvent } = view ?? element.ownerDocument.defaultView;
  dispatch(element, new MouseEvent('click', { bubbles: true, cancelable: true, composed: true, ...init }));
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
