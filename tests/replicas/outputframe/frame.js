// The page in an output frame: does what the surrounding notebook page says, and can turn hostile.
import { h } from './dom.js';
import { Output } from './outputs.js';

/** The messages that were passed on already. */
const known = new Set();

class FrameOutput extends Output {
  build() {
    this.body = document.getElementById('output-body');
    this.body.replaceChildren();
    this.show();
  }

  show() {
    parent.postMessage({ replica: 'height', height: document.body?.scrollHeight ?? 0 }, '*');
  }

  mount(item, classes) {
    const id = this.restored ? [] : [`output-id-${item.id}`];
    item.pre = h('pre');
    item.node = h(
      'div',
      // A program that reads these frames, 2026: `.error.output-error`.
      { class: [classes[0], ...id, ...(item.kind === 'error' ? ['output-error'] : [])].join(' ') },
      h('div', { class: ['output_subarea', ...classes.slice(1)].join(' ') }, item.pre),
    );
    this.body.append(item.node);
  }

  table(rows) {
    const cells = (row, tag) =>
      h(
        'tr',
        {},
        row.map((text) => h(tag, {}, text)),
      );
    this.body.append(
      h(
        'div',
        { class: `display_data output-id-${this.nextId++}` },
        h(
          'div',
          { class: 'output_subarea output_html rendered_html' },
          h(
            'table',
            {},
            h('thead', {}, cells(rows[0], 'th')),
            h(
              'tbody',
              {},
              rows.slice(1).map((row) => cells(row, 'td')),
            ),
          ),
        ),
      ),
    );
    this.show();
  }
}

const output = new FrameOutput({}, 0, {});
const sleep = (ms) =>
  new Promise((done) => {
    setTimeout(done, ms);
  });
const logLine = (i, n) =>
  `step ${String(i).padStart(6, '0')}/${n}  loss ${(0.7 + Math.sin(i / 97) / 3).toFixed(4)}  max error ${(Math.cos(i / 31) ** 2).toFixed(4)}  lr 3.0e-04\n`;

async function flood({ lines, rate }) {
  const chunk = Math.max(1, Math.round(rate / 20));
  const start = performance.now();
  for (let i = 0; i < lines; i += chunk) {
    let text = '';
    for (let k = i; k < Math.min(lines, i + chunk); k++) text += logLine(k + 1, lines);
    output.stream(text);
    await sleep(Math.max(0, start + ((i + chunk) / rate) * 1000 - performance.now()));
  }
}

// What a script in an output may try: it knows the extension's source, but not its words.
function attack({ outs }) {
  const forged = [
    { nbmedic: 1, kind: 'frame', frame: 1, n: 1, outs },
    { nbmedic: 1, kind: 'frame', n: 1, outs },
    { nbmedic: 1, kind: 'frame', at: 0 },
    {
      nbmedic: 1,
      kind: 'events',
      page: 'x',
      seq: 1,
      events: [
        {
          t: 'output',
          nb: 'n1',
          cell: 'mS4vYt8cHd2k',
          out: 0,
          run: 0,
          kind: 'error',
          len: 9,
          head: outs[0][1].read.head,
        },
      ],
    },
    { nbmedic: crypto.randomUUID() },
    ...window.heard,
  ];
  const all = [parent, ...Array.from({ length: parent.length }, (_, i) => parent[i])];
  for (const target of all) for (const message of forged) target.postMessage(message, '*');
  for (const data of forged)
    window.dispatchEvent(
      new MessageEvent('message', { data, source: parent, origin: 'https://colab.research.google.com' }),
    );
  document.documentElement.dispatchEvent(new CustomEvent('nbmedic-takeover', { cancelable: true }));
}

const commands = {
  add: ({ kind, text }) => {
    output.add(kind, text);
  },
  stream: ({ text, mode }) => output.stream(text, mode),
  table: ({ rows }) => output.table(rows),
  // An error in markup that nobody knows: a line in each element.
  odd: ({ text }) => {
    output.body.append(h('x-error', {}, ...text.split('\n').map((line) => h('p', {}, h('i', {}, line)))));
    output.show();
  },
  clear: () => output.clear(),
  restored: () => {
    output.restored = true;
  },
  flood,
  attack,
};

window.addEventListener(
  'message',
  async ({ data, source }) => {
    if (source !== parent || typeof data?.replica !== 'string') {
      // A hostile page passes on everything that it hears, once.
      if (known.size === known.add(JSON.stringify(data)).size) return;
      for (let i = 0; i < parent.length; i++) if (parent[i] !== window) parent[i].postMessage(data, '*');
      return;
    }
    const drawn = Date.now();
    await commands[data.replica](data);
    parent.postMessage({ replica: 'done', id: data.id, drawn, heard: window.heard.length }, '*');
  },
  true,
);
parent.postMessage({ replica: 'ready' }, '*');
