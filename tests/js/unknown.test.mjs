// Pages without a matching profile: saved pages of a front end that lost names, nesting or ids.
import assert from 'node:assert/strict';
import test from 'node:test';
import { profiles } from '../../extension/background/engine.js';
import { background } from './background.mjs';
import { load, open, profile, shadow, until, wait } from './page.mjs';

const PROFILES = profiles({
  profiles: () => JSON.stringify(['colab', 'kaggle', 'jupyterlab', 'nbclassic', 'kaggle-page', 'generic'].map(profile)),
});
const LAST = 'ValueError: matmul: Input operand 1 has a mismatch in its core dimension';
const TRACEBACK = `---------------------------------------------------------------------------
ValueError                                Traceback (most recent call last)
<ipython-input-3-5d2c> in <cell line: 0>()
----> 1 features @ weights

${LAST}`;
const lines = (tag) =>
  TRACEBACK.split('\n')
    .map((line) => `<${tag}>${line.replaceAll('<', '&lt;').replaceAll(' ', '\u00a0')}</${tag}>`)
    .join('');
const PRE = `<pre>${TRACEBACK.replaceAll('<', '&lt;')}</pre>`;

/** Opens a page with every profile and the sensor; `errors` has its errors. */
function read(html, url = 'https://colab.research.google.com/drive/1') {
  const b = background();
  const { sendMessage } = b.chrome.runtime;
  b.chrome.runtime.sendMessage = async (message) => {
    const reply = await sendMessage(message);
    return message.kind === 'connect' ? { ...reply, profiles: PROFILES } : reply;
  };
  const window = open(html, { chrome: b.chrome, url });
  const errors = [];
  window.console.debug = (...args) => errors.push(args.map(String).join(' '));
  window.addEventListener('error', ({ message }) => errors.push(message));
  const close = () => {
    // A sensor whose extension is gone stops.
    b.gone = true;
    window.document.documentElement.dispatchEvent(new window.CustomEvent('nbmedic-takeover'));
    window.close();
  };
  return { b, window, errors, close, document: window.document, start: () => void load(window, 'sensor/notebook.js') };
}
const told = (b) => b.of('output').map(({ head, tail }) => tail ?? head);

const PAGES = {
  'Colab, outputs deeper than they were': `<div class="cell code" id="cell-a1"><main><section><article><div class="output"><div><div><div><div><div class="stream">${PRE}</div></div></div></div></div></div></article></section></main></div>`,
  "Colab, no ids, outputs beside the cell's old place": `<colab-run-button></colab-run-button><div class="cell code"><div class="result-zone">${PRE}</div></div>`,
  'Colab, every class name lost': `<colab-status-bar></colab-status-bar><div class="a1"><div class="b2"><div class="c3">${PRE}</div></div></div>`,
  'Colab, no block of preformatted text, lines in elements of their own': `<colab-connect-button></colab-connect-button><div class="x1"><div class="new-output-host"><div class="y">${lines('div')}</div></div></div>`,
  'Colab, shadow roots saved as templates that nobody opened': `<div class="cell code" id="cell-a1"><colab-run-button><template shadowmode="open"><div class="cell-execution error"><div class="status"><div class="execution-count">[3]</div></div></div></template></colab-run-button><div class="output"><div class="output_subarea output_error">${PRE}</div></div></div>`,
  'Jupyter, outputs without their mime types': `<div class="jp-Notebook"><div class="jp-Cell jp-CodeCell"><div class="jp-OutputArea"><div class="jp-OutputArea-child"><div class="jp-OutputArea-output">${PRE}</div></div></div></div></div>`,
  'Jupyter, cells under another name': `<div class="jp-Notebook"><div class="jp-Cell"><div class="jp-OutputArea">${PRE}</div></div></div>`,
  'Jupyter, no notebook around the cells': `<div class="jp-Cell jp-CodeCell"><div class="jp-OutputArea"><div class="jp-OutputArea-output">${PRE}</div></div></div>`,
  'Kaggle, in another language': `<div role="feed" aria-label="Zellen"><div class="jp-Cell jp-CodeCell"><div class="jp-OutputArea"><div class="jp-OutputArea-output">${PRE}</div></div></div></div>`,
  'the classic notebook as an export': `<div id="notebook"><div id="notebook-container"><div class="cell border-box-sizing code_cell"><div class="input"><div class="prompt input_prompt">In&nbsp;[3]:</div></div><div class="output_wrapper"><div class="output"><div class="output_area"><div class="output_subarea output_text output_error">${PRE}</div></div></div></div></div></div></div>`,
  'nothing but text': `<main>${PRE}</main>`,
  'text in a sample element': `<main><samp>${TRACEBACK.replaceAll('<', '&lt;').replaceAll('\n', '<br>')}</samp></main>`,
  'a very deep page': `${'<div>'.repeat(1500)}${PRE}${'</div>'.repeat(1500)}`,
};

for (const [name, html] of Object.entries(PAGES)) {
  test(`${name}: the traceback is read, nothing throws`, async () => {
    const page = read(`<body>${html}</body>`);
    page.start();
    await until(() => told(page.b).some((text) => text.includes(LAST)), 'the traceback', 8000);
    assert.equal(told(page.b).filter((text) => text.includes(LAST)).length, 1, 'once');
    assert.deepEqual(page.errors, []);
    page.close();
  });
}

test('a notebook is named after the page title, without the program’s name', async () => {
  for (const [title, name] of [
    ['tiles.ipynb - Colab', 'tiles.ipynb'],
    ['a - Colab test - Colaboratory', 'a - Colab test'],
    ['tiles.ipynb', 'tiles.ipynb'],
  ]) {
    const page = read(`<head><title>${title}</title></head><body><div class="cell code" id="cell-a"></div></body>`);
    page.start();
    await until(() => page.b.of('notebook').length > 0, 'the notebook');
    assert.equal(page.b.of('notebook')[0].name, name);
    page.close();
  }
});

test('Kaggle’s text about the session next to its cells is a notice, on each of its pages', async () => {
  const words = 'Your notebook tried to allocate more memory than is available. It has restarted.';
  const page = read(
    `<body><div role="feed"><div class="jp-Cell jp-CodeCell"><div class="jp-InputArea-prompt"></div><div class="jp-OutputArea"><div class="jp-OutputArea-output"><pre>${words}</pre></div></div></div></div></body>`,
    'https://kkb-production.jupyter-proxy.kaggle.net/k/1/t/proxy',
  );
  shadow(
    page.document.querySelector('.jp-InputArea-prompt'),
    '<div class="cell-execution-button"></div><span>[7]</span>',
  );
  page.start();
  await until(() => page.b.of('cell').some(({ count }) => count === 7), 'the count, wherever the prompt shows it');
  assert.deepEqual(page.b.of('notice'), [], 'what a cell printed is none');
  page.document.body.append(
    page.document.createRange().createContextualFragment(`<section><span>${words}</span></section>`),
  );
  await until(() => page.b.of('notice').some(({ text }) => text === words), 'the notice');
  page.close();
});

test('later output in an element that only its name marks as an output', async () => {
  const page = read('<body><main class="all-outputs"><pre>begins</pre></main></body>', 'https://blog.test/');
  page.start();
  await until(() => page.b.last('cell'));
  await wait(400);
  page.document.querySelector('main').insertAdjacentHTML('beforeend', PRE);
  await until(() => told(page.b).some((text) => text.includes(LAST)), 'the traceback', 8000);
  page.close();
});

test('states and counts are read from templates too', async () => {
  const page = read(`<body>${PAGES['Colab, shadow roots saved as templates that nobody opened']}</body>`);
  page.start();
  await until(() => page.b.last('cell'));
  assert.deepEqual([page.b.last('cell').state, page.b.last('cell').count], ['error', 3]);
  page.close();
});

test('alarming words in prose are not read on an unknown page', async () => {
  const page = read(
    '<body><article><p>Traceback (most recent call last) is how it begins.</p><div class="output-demo"><h2>Error handling</h2><p>ValueError: see below</p></div><pre>plain text</pre></article></body>',
    'https://blog.test/',
  );
  page.start();
  await until(() => page.b.last('hello'));
  await wait(600);
  assert.deepEqual(
    told(page.b).filter((text) => !/ValueError/.test(text)),
    [],
  );
  page.close();
});

/** Numbers that look random and are the same each time. */
function dice(seed) {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

test('a page that is taken apart in any order: nothing throws, and the rest is still read', async () => {
  for (const seed of [1, 2, 3, 4]) {
    const roll = dice(seed);
    const cells = Array.from(
      { length: 12 },
      (_, i) =>
        `<div class="cell code" id="cell-c${i}"><div class="cell-contents"><colab-run-button></colab-run-button><div class="inputarea code"><pre class="monaco-colorized">run(${i})</pre></div><div class="output"><div class="stream"><pre>step ${i}</pre></div></div></div></div>`,
    ).join('');
    const page = read(
      `<body><colab-snackbar></colab-snackbar><colab-connect-button></colab-connect-button><div class="notebook-cell-list">${cells}</div></body>`,
    );
    const { document } = page;
    for (const host of document.querySelectorAll('colab-run-button'))
      shadow(
        host,
        '<div class="cell-execution"><div class="status"><div class="execution-count">[ ]</div></div></div>',
      );
    page.start();
    await until(() => page.b.of('cell').length >= 12);
    const all = () => [...document.body.querySelectorAll('*')];
    const deeds = [
      (el) => el.remove(),
      (el) => {
        el.className = `k${roll(99)}`;
      },
      (el) => {
        el.removeAttribute('id');
      },
      (el) => {
        const to = all()[roll(all().length)];
        if (!el.contains(to)) to.append(el);
      },
      (el) => {
        el.append(el.cloneNode(true));
      },
      (el) => {
        el.textContent = `text ${roll(99)}`;
      },
      (el) => {
        el.shadowRoot?.replaceChildren();
      },
      (el) => {
        el.classList.add(['running', 'pending', 'error', 'cell', 'code', 'output'][roll(6)]);
      },
    ];
    for (let i = 0; i < 150; i += 1) {
      const list = all();
      if (list.length > 1 && list.length < 4000) deeds[roll(deeds.length)](list[roll(list.length)]);
      if (i % 30 === 0) await wait(40);
    }
    document.body.insertAdjacentHTML(
      'beforeend',
      PAGES['Colab, outputs deeper than they were'].replace('cell-a1', `cell-last${seed}`),
    );
    await until(() => told(page.b).some((text) => text.includes(LAST)), `the traceback after ${seed}`, 15000);
    assert.deepEqual(page.errors, []);
    page.close();
  }
});
