// The engine in a thread of its own: a long log never stops the page.

import init, { Engine } from './engine/nbmedic.js';

/** @type {Promise<Engine> | null} */
let engine = null;
const ready = () =>
  (engine ??= init({ module_or_path: new URL('./engine/nbmedic_bg.wasm', import.meta.url) }).then(() => new Engine()));

/** @param {string} id */
async function prose(id) {
  const answer = await fetch(new URL(`prose/${id}.json`, import.meta.url));
  // What can't be had is given up, and the engine answers without it.
  return answer.ok ? answer.text() : '';
}

/** @param {string} text @param {string} name */
async function examine(text, name) {
  const engine = await ready();
  for (;;) {
    const json = engine.examine(text, name);
    // Only the short answer has the list; the long one is the page's to read.
    const need = json.startsWith('{"need"') ? JSON.parse(json).need : [];
    if (!need.length) return json;
    await Promise.all(need.map(async (/** @type {string} */ id) => engine.provide(id, await prose(id))));
  }
}

self.onmessage = async ({ data: { id, text, name } }) => {
  try {
    self.postMessage({ id, json: await examine(text, name) });
  } catch (error) {
    self.postMessage({ id, trouble: String(error) });
  }
};

ready().catch((error) => self.postMessage({ trouble: String(error) }));
