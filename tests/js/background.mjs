// A background for the sensor's tests, and a small Jupyter page.

import { load, open, profile } from './page.mjs';
import { missing } from './sample-trees.mjs';

/** A background that records the messages it gets and answers as a test tells it to. */
export function background() {
  const b = {
    batches: [],
    asked: [],
    listeners: [],
    gone: false,
    reply: () => ({}),
    connects: 0,
    failing: 0,
    get events() {
      return b.batches.flatMap(({ events }) => events);
    },
    of: (t) => b.events.filter((e) => e.t === t),
    last: (t) => b.of(t).at(-1),
  };
  b.chrome = {
    runtime: {
      get id() {
        return b.gone ? undefined : 'nbmedic';
      },
      onMessage: { addListener: (l) => b.listeners.push(l), removeListener() {} },
      async sendMessage(json) {
        const message = JSON.parse(JSON.stringify(json));
        if (b.gone) throw new Error('Extension context invalidated.');
        if (b.failing > 0) {
          b.failing -= 1;
          throw new Error('Could not establish connection.');
        }
        if (message.kind === 'connect') {
          b.connects += 1;
          return { profiles: ['colab', 'jupyterlab', 'generic'].map(profile), css: '', settings: {} };
        }
        if (message.kind === 'events') {
          const special = b.reply(message);
          if (special?.resync) return special;
          b.batches.push(message);
          return { ack: message.seq, effects: [], ...special };
        }
        b.asked.push(message);
        return { text: '# report' };
      },
    },
  };
  return b;
}

export const cell = (n, prompt = '[ ]:') =>
  `<div class="jp-Cell jp-CodeCell" id="c${n}"><div class="jp-InputArea-prompt">${prompt}</div><div class="cm-content"><div class="cm-line">run(${n})</div></div>` +
  '<div class="jp-Cell-outputWrapper"><div class="jp-OutputArea jp-Cell-outputArea"></div></div></div>';
export const jupyter = (...cells) =>
  `<body data-jp-theme-light="true"><div class="jp-NotebookPanel" id="nb"><div class="jp-Notebook">${cells.join('')}</div></div></body>`;

/** A page with the sensor in it; `times` replace the sensor's own. */
export function start(html, times = {}) {
  const b = background();
  const window = open(html, { chrome: b.chrome });
  void load(window, 'sensor/notebook.js', { instead: { 'sensor/times.js': times } });
  const { document } = window;
  return {
    b,
    window,
    document,
    prompt: (n, text) => (document.querySelector(`#c${n} .jp-InputArea-prompt`).textContent = text),
    print(n, text, mime = 'stdout') {
      const out = document.createElement('div');
      out.className = 'jp-OutputArea-output jp-RenderedText';
      out.dataset.mimeType = `application/vnd.jupyter.${mime}`;
      const pre = document.createElement('pre');
      pre.append(text);
      out.append(pre);
      document.querySelector(`#c${n} .jp-Cell-outputArea`).append(out);
      return pre;
    },
  };
}

export const card = (of, name = 'k1', rev = 1) => ({
  t: 'card',
  card: name,
  nb: 'nb',
  cell: of,
  rev,
  severity: 'error',
  tree: missing(name),
});
