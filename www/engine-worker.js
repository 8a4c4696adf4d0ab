// Runs the engine in a separate thread, so that a long log never blocks the page.

import init, { Engine } from './engine/nbmedic.js';
import initPython, { answer } from './python/python.js';

/** @type {Promise<Engine> | null} */
let engine = null;
const ready = () =>
  (engine ??= init({ module_or_path: new URL('./engine/nbmedic_bg.wasm', import.meta.url) }).then(() => new Engine()));

/** @param {string} id */
async function prose(id) {
  const answer = await fetch(new URL(`prose/${id}.json`, import.meta.url));
  // If a file cannot be loaded, the engine answers without it.
  return answer.ok ? answer.text() : '';
}

/** The module that reads Python, once something needs it. @type {Promise<typeof answer> | null} */
let python = null;

/** @param {Engine} engine */
async function lend(engine) {
  python ??= initPython({ module_or_path: new URL('./python/python_bg.wasm', import.meta.url) }).then(() => answer);
  // If it cannot be loaded, the engine answers without it.
  engine.lend(await python.catch(() => undefined));
}

/** @param {string} text @param {string} name */
async function examine(text, name) {
  const engine = await ready();
  for (;;) {
    const json = engine.examine(text, name);
    // Only the short answer has this list; the page parses the long one.
    if (!json.startsWith('{"need"')) return json;
    const { need, python } = JSON.parse(json);
    if (python) await lend(engine);
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
