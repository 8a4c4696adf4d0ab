// Framed outputs and surrounding pages: who is trusted, and what is sent.
import assert from 'node:assert/strict';
import test from 'node:test';

import { profiles, together } from '../../extension/background/engine.js';
import { background } from './background.mjs';
import { load, open, profile, until, wait } from './page.mjs';

const FRAME = 'https://x-496ff2e9c6d22116-0-colab.googleusercontent.com/outputframe.html?vrz=1';
const colab = profile('colab');
const cell = (id, inside) =>
  `<div class="cell code" id="cell-${id}"><div class="cell-contents"><div class="output">${inside}</div></div></div>`;
const view = (name) => `<div class="outputview"><iframe name="${name}" src="${FRAME}"></iframe></div>`;

/** The page's side for a document; `says` is what the background forwards. */
async function page(html, { getFrameId } = {}) {
  const listeners = [];
  const asked = [];
  const window = open(html, {
    chrome: {
      runtime: {
        id: 'x',
        getFrameId,
        sendMessage: async () => null,
        onMessage: { addListener: (l) => listeners.push(l), removeListener() {} },
      },
    },
  });
  window.crypto.randomUUID ??= () => crypto.randomUUID();
  const changes = [];
  const { Frames } = await load(window, 'sensor/frames.js');
  const frames = new Frames(colab, { ask: async (message) => asked.push({ ...message }) }, (el, parts, more) =>
    changes.push([el.name, parts.length, more]),
  );
  frames.start();
  const words = new Map();
  for (const el of window.document.querySelectorAll('iframe'))
    el.contentWindow.postMessage = ({ nbmedic }) => words.set(el.name, nbmedic);
  return {
    window,
    frames,
    words,
    changes,
    asked,
    says(message) {
      let answer;
      for (const listener of listeners)
        listener({ nbmedic: 1, kind: 'frame', ...message }, {}, (reply) => {
          answer = reply;
        });
      return JSON.parse(JSON.stringify(answer));
    },
    parts: (name) =>
      [...frames.expand(window.document.querySelector(`iframe[name=${name}]`).parentElement)].map(({ kind, read }) => [
        kind,
        read?.head,
      ]),
  };
}
const out = (kind, head) => ({ kind, read: { len: head.length, head, lines: 0 } });
const HTML = `<body>${cell('a', view('a'))}${cell('b', view('b'))}<div class="proxies"><iframe name="proxy" src="${FRAME}"></iframe></div></body>`;

test('a frame is identified by the word that was posted into it, whatever place it names', async () => {
  const p = await page(HTML);
  assert.deepEqual(p.asked, [{ kind: 'frames' }]);
  assert.deepEqual(p.says({ frame: 11, at: 1 }), { wait: true });
  assert.deepEqual([...p.words.keys()], ['b'], 'the word went into the frame of the place that was named');
  assert.deepEqual(p.says({ frame: 12, word: 'made up' }), {});
  assert.deepEqual(p.says({ frame: 12, word: p.words.get('b') }).rules, colab.output.frame);
  assert.deepEqual(p.says({ frame: 13, word: p.words.get('b') }), {}, 'a word counts once');
  assert.deepEqual(
    p.says({ frame: 11, n: 1, outs: [[0, out('error', 'no')]] }),
    {},
    'who only named a place is in no cell',
  );
  assert.deepEqual(p.says({ frame: 12, n: 1, outs: [[0, out('error', 'yes')]] }), { took: true });
  assert.deepEqual(p.parts('b'), [['error', 'yes']]);
  assert.deepEqual(p.parts('a'), [[undefined, undefined]], 'the element itself stands for a frame that nobody knows');
});

test('the browser’s own answer is used if it gives one, and nothing is posted into the page', async () => {
  const p = await page(HTML, { getFrameId: (el) => ({ a: 5, b: 6, proxy: 7 })[el.name] });
  assert.deepEqual(p.says({ frame: 6, at: 0 }).rules, colab.output.frame);
  assert.deepEqual(p.says({ frame: 7, at: 2 }), {}, 'a frame outside of cells is no output');
  assert.deepEqual(p.says({ frame: 9, at: 0 }), {});
  assert.equal(p.words.size, 0);
  p.says({
    frame: 6,
    n: 2,
    outs: [
      [0, out('stream', 'one')],
      [1, out('error', 'two')],
    ],
  });
  p.says({ frame: 6, n: 2, outs: [[0, out('stream', 'one more')]] });
  assert.deepEqual(p.parts('b'), [
    ['stream', 'one more'],
    ['error', 'two'],
  ]);
  p.says({ frame: 6, n: 1, outs: [] });
  assert.deepEqual(p.parts('b'), [['stream', 'one more']]);
  assert.deepEqual(p.changes, [
    ['b', 2, true],
    ['b', 1, false],
    ['b', 0, true],
  ]);
  p.window.document.querySelector('iframe[name=b]').remove();
  assert.deepEqual(p.says({ frame: 6, n: 1, outs: [] }), {}, 'a frame that is gone is not believed any more');
});

test('a frame of the page’s own origin, as in a saved page, is read from the page', async () => {
  const p = await page(`<body>${cell('a', '<div class="outputview"><iframe name="a"></iframe></div>')}</body>`);
  const { output } = await load(p.window, 'sensor/dom.js');
  const frame = p.window.document.querySelector('iframe');
  assert.deepEqual(p.parts('a').length, 1, 'an empty one stands for itself');
  frame.contentDocument.body.append(
    p.window.document
      .createRange()
      .createContextualFragment(
        '<div id="output-body"><div class="stream"><pre>one</pre></div><div class="error">NameError: x</div></div>',
      ),
  );
  assert.deepEqual(
    [...p.frames.outputs(p.window.document.querySelector('.cell'))].map((el) => [
      el.className,
      output(el, { node: null, before: 0 }).head,
    ]),
    [
      ['stream', 'one'],
      ['error', 'NameError: x'],
    ],
  );
  frame.dispatchEvent(new p.window.Event('load'));
  assert.deepEqual(p.changes, [['a', 0, true]], 'and again when it is loaded');
  p.frames.stop();
  frame.dispatchEvent(new p.window.Event('load'));
  assert.equal(p.changes.length, 1);
});

test('a second sensor that is injected and leaves does not disturb the framed outputs of the working one', async () => {
  const b = background();
  b.chrome.runtime.getFrameId = () => 6;
  const window = open(`<body>${cell('b', view('b'))}</body>`, {
    chrome: b.chrome,
    url: 'https://colab.research.google.com/drive/1',
  });
  void load(window, 'sensor/notebook.js');
  const says = (message) =>
    b.listeners.forEach((listener) => listener({ nbmedic: 1, kind: 'frame', frame: 6, ...message }, {}, () => {}));
  await until(() => b.of('cell').length > 0, 'the cell');
  await load(window, 'sensor/notebook.js', { again: true });
  says({ at: 0 });
  says({ n: 1, outs: [[0, out('error', 'ValueError: in a frame')]] });
  await until(() => b.of('output').some(({ head }) => head === 'ValueError: in a frame'), 'what the frame told');
  b.gone = true;
  window.document.documentElement.dispatchEvent(new window.CustomEvent('nbmedic-takeover'));
});

test('a proxy frame and a missing frame get no word', async () => {
  const p = await page(HTML);
  assert.deepEqual(p.says({ frame: 7, at: 2 }), {});
  assert.deepEqual(p.says({ frame: 7, at: -1 }), {});
  assert.deepEqual(p.says({ frame: 7, at: 99 }), {});
  assert.equal(p.words.size, 0);
});

/** The sensor in a frame; its parent page is in the same process, which jsdom supports. */
function inFrame(html, answer, times = {}) {
  const top = open('<body><iframe></iframe><iframe></iframe></body>');
  const window = top.document.querySelectorAll('iframe')[1].contentWindow;
  window.document.body.append(window.document.createRange().createContextualFragment(html));
  const sent = [];
  const listeners = [];
  window.chrome = {
    runtime: {
      id: 'x',
      onMessage: { addListener: (l) => listeners.push(l), removeListener() {} },
      sendMessage: async (message) => {
        sent.push(JSON.parse(JSON.stringify(message)));
        return answer(message);
      },
    },
  };
  void load(window, 'sensor/frame.js', { instead: { 'sensor/times.js': times } });
  return {
    top,
    window,
    document: window.document,
    sent,
    tell: (kind) => listeners.forEach((l) => l({ nbmedic: 1, kind })),
    readings: () => sent.filter(({ n }) => n !== undefined),
  };
}
const RULES = { rules: colab.output.frame };
const took = ({ n }) => (n === undefined ? RULES : { took: true });
const BODY = '<div id="output-area"><div id="output-body"><div class="stream"><pre>one</pre></div></div></div>';

test('the frame sends its place, then its outputs, and later only changes', async () => {
  const f = inFrame(BODY, took);
  await until(() => f.readings().length === 1);
  assert.equal(f.sent[0].at, 1);
  assert.deepEqual(
    f.readings()[0].outs.map(([i, { kind, read }]) => [i, kind, read.head]),
    [[0, 'stream', 'one']],
  );
  const error = f.document.createElement('div');
  error.className = 'error output-id-2';
  error.append('NameError: x');
  f.document.getElementById('output-body').append(error);
  await until(() => f.readings().length === 2);
  assert.deepEqual(
    f.readings()[1].outs.map(([i, { kind, read }]) => [i, kind, read.head]),
    [[1, 'error', 'NameError: x']],
  );
  f.document.querySelector('.stream').remove();
  await until(() => f.readings().length === 3);
  assert.deepEqual([f.readings()[2].n, f.readings()[2].outs.map(([i, { kind }]) => [i, kind])], [1, [[0, 'error']]]);
});

test('an error is read at once, even if the frame was read a moment before', async () => {
  const SOON_MS = 20_000;
  const f = inFrame('<div id="output-body"></div>', took, { SOON_MS });
  await until(() => f.readings().length === 1);
  for (const [name, n] of [
    ['KeyError', 2],
    ['ValueError', 3],
  ]) {
    const error = f.document.createElement('div');
    error.className = 'error output-error';
    error.append(`${name}: x`);
    f.document.getElementById('output-body').append(error);
    if (n === 2) await until(() => f.readings().length === n, 'a reading at once', SOON_MS / 3);
    else await wait(300);
  }
  assert.equal(f.readings().length, 2, 'the next one waits, as it does in the page');
});

test('whatever the markup in a frame is, its text is read, and its scripts are not', async () => {
  const lines = ['Traceback (most recent call last):', '  File "a.py", line 1', 'KeyError: 1'];
  for (const html of [
    `<section>${lines.map((line) => `<div><i>${line}</i></div>`).join('')}</section>`,
    `<script type="text/x">var KeyError;</script><style>i { color: red }</style><b-error><span>${lines.join('<br>')}</span></b-error>`,
    `<div id="output-area"><x-output><p>${lines.join('</p><p>')}</p></x-output></div>`,
  ]) {
    const f = inFrame(html, took);
    await until(() => f.readings().length === 1);
    assert.deepEqual(
      f.readings()[0].outs.map(([i, { kind, read }]) => [i, kind, read.head.trim()]),
      [[0, 'unknown', lines.join('\n')]],
    );
    // What is known counts more than what is not.
    const error = f.document.createElement('div');
    error.className = 'error';
    error.append('NameError: x');
    (f.document.getElementById('output-area') ?? f.document.body).append(error);
    await until(() => f.readings().length > 1);
    assert.deepEqual(
      f
        .readings()
        .at(-1)
        .outs.map(([i, { kind, read }]) => [i, kind, read.head]),
      [[0, 'error', 'NameError: x']],
    );
  }
  const empty = inFrame('<div id="output-body"><script type="text/x">var a;</script><svg></svg></div>', took);
  await until(() => empty.readings().length === 1);
  assert.equal(empty.readings()[0].n, 0);
});

test('a growing output is read less and less often, and at once when the run is over', async () => {
  const f = inFrame(BODY, took);
  await until(() => f.readings().length === 1);
  const text = f.document.querySelector('pre').firstChild;
  const writing = setInterval(() => text.appendData('line\n'), 20);
  await wait(1900);
  clearInterval(writing);
  const during = f.readings().length;
  assert.ok(during >= 2 && during <= 4, `${during} readings`);
  text.appendData('the end');
  await wait(50);
  assert.equal(f.readings().length, during);
  f.tell('hurry');
  await until(() => f.readings().length === during + 1, 'a reading', 300);
  assert.ok(f.readings().at(-1).outs[0][1].read.head.endsWith('the end'));
});

test('nothing is read before the page’s sensor has sent the rules, nor after it forgot the frame', async () => {
  let knows = false;
  const f = inFrame(BODY, ({ n }) => (n !== undefined ? { took: knows } : knows ? RULES : {}));
  await wait(400);
  assert.deepEqual([f.sent.length, f.readings().length], [1, 0]);
  knows = true;
  f.tell('who');
  await until(() => f.readings().length >= 1);
  knows = false;
  const { length } = f.readings();
  f.document.querySelector('pre').append('more');
  await wait(600);
  assert.ok(f.readings().length <= length + 1);
  const silent = f.sent.length;
  f.document.querySelector('pre').append('and more');
  await wait(600);
  assert.equal(f.sent.length, silent);
});

test('a page that knows the frame but accepts nothing is asked a few times, not forever', async () => {
  const f = inFrame(BODY, ({ n }) => (n === undefined ? RULES : {}));
  await wait(600);
  assert.equal(f.readings().length, 3);
  f.document.querySelector('pre').append('more');
  await wait(400);
  assert.equal(f.readings().length, 3);
  f.tell('who');
  await until(() => f.readings().length === 6, 'three more');
});

test('a profile takes the fields that it lacks from the one it is like; pages are allowed together', async () => {
  const engine = { profiles: () => JSON.stringify(['kaggle', 'jupyterlab', 'kaggle-page'].map(profile)) };
  const kaggle = profiles(engine).find(({ id }) => id === 'kaggle');
  assert.equal(kaggle.cell.find, '.jp-CodeCell');
  assert.equal(kaggle.state.length, profile('kaggle').state.length);
  const host = { ready: async () => engine };
  assert.deepEqual(await together(host, 'https://www.kaggle.com'), [
    'https://www.kaggle.com',
    'https://*.jupyter-proxy.kaggle.net',
  ]);
  assert.deepEqual(await together(host, 'http://localhost:8888'), ['http://localhost:8888']);
  assert.deepEqual(
    await together(
      {
        ready: async () => {
          throw new Error('no engine');
        },
      },
      'https://a.test',
    ),
    ['https://a.test'],
  );
});

test('notices and meters are found by their text alone', async () => {
  const window =
    open(`<body><div><nav>Your notebook list</nav><div id="b"><i>Your notebook tried to allocate more memory than is available.</i> It has restarted.<b>Dismiss</b></div></div>
    <pre>Your notebook tried to allocate more memory than is available.</pre>
    <p>${'x '.repeat(200)}</p><ul><li><span>RAM</span><em><u>3.1 GiB</u> / 29 GiB</em></li><li><span>CPU</span> 98%</li><li>GPU Memory 0 B / 15.9 GiB</li></ul><p>aerial-tiles 12.3 GB</p></body>`);
  const [banner] = profile('kaggle-page').notice;
  const { notices, meters } = await load(window, 'sensor/shape.js');
  const found = notices(banner.says, banner.not);
  assert.equal(found.length, 1, 'and not the one in a block of code');
  assert.match(found[0].textContent, /is available\. It has restarted\.Dismiss/);
  assert.equal(meters(profile('kaggle-page').vitals[0].shape), 'RAM3.1 GiB / 29 GiB\nGPU Memory 0 B / 15.9 GiB');
  const hinted = open(
    '<body><div role="meter" aria-label="RAM" aria-valuetext="3.1 GiB / 29 GiB"></div><i title="Disk: 1.2 GiB / 57.6 GiB"></i><b title="aerial-tiles 12.3 GB"></b></body>',
  );
  assert.equal(
    (await load(hinted, 'sensor/shape.js')).meters(profile('kaggle-page').vitals[0].shape),
    'RAM 3.1 GiB / 29 GiB\nDisk: 1.2 GiB / 57.6 GiB',
    'where a meter says it only to who points at it',
  );
});
