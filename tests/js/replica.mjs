// The Colab replica in jsdom, with the sensor and the built engine, but without a browser.

import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { spokenReply, spokenTree } from '../../extension/messages.js';
import { built } from './built.mjs';
import { english } from './english.mjs';
import { load, open, until } from './page.mjs';

// The background's own, separate from the window's.
globalThis.chrome = { i18n: { getMessage: english } };

const REPLICA = new URL('../replicas/colab/', import.meta.url);
const DIST = new URL('../../dist/chrome/', import.meta.url);
const { create, prose } = await built(DIST);

/** The replica's files. */
export let replicaText = readFileSync(new URL('index.html', REPLICA), 'utf8');

/** The replica's modules as one script, because jsdom loads no modules. */
const script = (() => {
  const done = new Map();
  const add = (name) => {
    if (done.has(name)) return;
    const names = [];
    const body = readFileSync(new URL(name, REPLICA), 'utf8')
      .replace(
        /^import \{([^}]*)\} from '\.\/([\w.-]+)';$/gm,
        (_, list, from) => (add(from), `const {${list}} = modules['${from}'];`),
      )
      .replace(
        /^export (async function|function|const|class) ([$\w]+)/gm,
        (_, what, own) => (names.push(own), `${what} ${own}`),
      );
    replicaText += body;
    done.set(name, `modules['${name}'] = (() => {\n${body}\nreturn { ${names} };\n})();`);
  };
  add('replica.js');
  return new Script(`(() => { const modules = {};\n${[...done.values()].join('\n')}\n})();`, {
    filename: 'replica.js',
  });
})();

/** The background: the engine, without a store. */
function background() {
  const engine = create();
  const b = { engine, page: '', events: [], gone: false };
  const apply = (page, events) => {
    const effects = engine.apply(page, events, Date.now());
    const need = effects.flatMap(({ t, ids }) => (t === 'need' ? ids : []));
    for (const id of need) engine.provide(id, prose(id));
    return need.length ? [...effects, ...apply(page, [])] : effects;
  };
  b.chrome = {
    runtime: {
      get id() {
        return b.gone ? undefined : 'nbmedic';
      },
      onMessage: { addListener() {}, removeListener() {} },
      async sendMessage(json) {
        const message = JSON.parse(JSON.stringify(json));
        if (message.kind === 'connect') return { profiles: JSON.parse(engine.profiles()), css: '', settings: {} };
        if (message.kind !== 'events') return null;
        b.page = message.page;
        b.events.push(...message.events);
        const effects = apply(message.page, message.events);
        return spokenReply({ ack: message.seq, effects });
      },
    },
  };
  /** The view that the popup shows, as text. */
  b.tree = () => spokenTree(engine.status(b.page));
  b.status = () => JSON.stringify(b.tree());
  b.last = (t, match = () => true) => b.events.findLast((e) => e.t === t && match(e));
  return b;
}

/**
 * Opens the replica; `query` is part of its address. The sensor starts at once or, if `start` is false, when the page's
 * `start` is called. It reads what was quiet for `quiet` milliseconds.
 */
export function openReplica(query = '', { start = true, quiet = 250 } = {}) {
  const b = background();
  const html = readFileSync(new URL('index.html', REPLICA), 'utf8').replace(/<script[^>]*><\/script>/g, '');
  const window = open(html, { chrome: b.chrome, url: `https://colab.research.google.com/drive/1${query}` });
  window.HTMLCanvasElement.prototype.getContext = () => ({ clearRect() {}, fillRect() {} });
  const errors = [];
  window.console.debug = (...args) => errors.push(args.map(String).join(' '));
  window.addEventListener('error', ({ message }) => errors.push(message));
  script.runInContext(window);
  const page = {
    b,
    window,
    errors,
    document: window.document,
    replica: window.replica,
    start() {
      const times = { QUIET_MS: quiet, SOON_MS: quiet, CHECK_MS: 2 * quiet };
      void load(window, 'sensor/notebook.js', { instead: { 'sensor/times.js': times } });
    },
    cards: () =>
      [...window.document.querySelectorAll('[data-nbmedic-card]')].flatMap((host) => {
        const section = host.shadowRoot.querySelector('section[data-id]');
        return section ? [{ host, id: section.dataset.id, text: section.textContent }] : [];
      }),
    card: async (id, what = id) => {
      let found;
      await until(() => (found = page.cards().find((card) => card.id === id)), `a card ${what}`, 8000);
      return found;
    },
    close() {
      if (b.gone) return;
      b.gone = true;
      window.document.documentElement.dispatchEvent(new window.CustomEvent('nbmedic-takeover'));
      window.close();
    },
  };
  if (start) page.start();
  return page;
}
