// Starts the page's code and the engine, which runs in a separate thread, and connects them.

import init, { playground } from './pages/pages.js';
import { script } from './site.js';

/** The engine in its worker. After a failure its state can't be trusted, so the next text gets a new engine. */
class Engine {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Map<number, {resolve: (json: string) => void, reject: (error: Error) => void}>} */
  #waiting = new Map();
  #last = 0;

  start() {
    const worker = new Worker(script('engine-worker.js'), { type: 'module' });
    worker.onmessage = ({ data: { id, json, trouble } }) => {
      if (trouble) return this.#fail(trouble);
      this.#waiting.get(id)?.resolve(json);
      this.#waiting.delete(id);
    };
    worker.onerror = (event) => this.#fail(event.message || 'it could not be loaded');
    this.#worker = worker;
    return worker;
  }

  /** @param {string} message */
  #fail(message) {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(new Error(message));
    this.#waiting.clear();
  }

  /** The result of the engine's `examine`, with all prose loaded. @param {string} text @param {string} name @returns {Promise<string>} */
  examine(text, name) {
    const worker = this.#worker ?? this.start();
    const id = (this.#last += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, text, name });
    });
  }
}

/** @param {string} path */
async function text(path) {
  const answer = await fetch(new URL(path, import.meta.url));
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.text();
}

async function start() {
  const engine = new Engine();
  engine.start();
  const [css] = await Promise.all([
    text('card.css'),
    init({ module_or_path: new URL('./pages/pages_bg.wasm', import.meta.url) }),
  ]);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  playground({
    sheet,
    examine: (/** @type {string} */ body, /** @type {string} */ name) => engine.examine(body, name),
    example: (/** @type {string} */ name) => text(`examples/${name}`),
  });
}

start().catch((error) => {
  const said = document.getElementById('said');
  if (said) {
    said.className = 'said trouble';
    said.textContent = `The playground could not start: ${error}. Reload the page.`;
  }
});
