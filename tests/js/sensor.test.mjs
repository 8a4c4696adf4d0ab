import assert from 'node:assert/strict';
import test from 'node:test';
import { background, card, cell, jupyter, start } from './background.mjs';
import { click, load, shadow, until, wait } from './page.mjs';

test('a page is sent in order: identity, notebook, cells; then what runs and what it prints', async () => {
  const { b, prompt, print } = start(jupyter(cell(1), cell(2)));
  await until(() => b.of('cell').length === 2);
  assert.deepEqual(
    b.events.slice(0, 2).map(({ t }) => t),
    ['hello', 'notebook'],
  );
  assert.deepEqual(b.of('hello')[0].found, {
    notebook: 1,
    cells: 2,
    prompts: 2,
    outputs: 2,
    source: 2,
    kernel: 0,
    memory: 0,
  });
  assert.equal(b.of('source').length, 0);
  prompt(1, '[*]:');
  print(1, 'hello\n');
  await until(() => b.last('output'));
  assert.deepEqual([b.last('cell').state, b.last('cell').run], ['running', 1]);
  assert.equal(b.last('source').text, 'run(1)');
  assert.deepEqual([b.last('output').run, b.last('output').kind, b.last('output').head], [1, 'stream', 'hello\n']);
  prompt(1, '[7]:');
  await until(() => b.last('cell').state === 'done');
  assert.deepEqual([b.last('cell').count, b.last('cell').cut], [7, false]);
});

test('a run that ends before the page is quiet is still seen, including that it was cut off', async () => {
  const { b, prompt } = start(jupyter(cell(1), cell(2), cell(3)));
  await until(() => b.of('cell').length === 3);
  for (const n of [1, 2, 3]) prompt(n, '[*]:');
  await wait(5);
  for (const n of [1, 2, 3]) prompt(n, '[ ]:');
  await until(() => b.of('cell').filter(({ run, state }) => run === 1 && state === 'idle').length === 3);
  const end = b
    .of('cell')
    .slice(-3)
    .sort((x, y) => x.index - y.index);
  // All waited for the first, so only that one was running.
  assert.deepEqual(
    end.map(({ cut }) => cut),
    [true, false, false],
  );
});

test('of several cells marked as running, the first to start runs and the others wait', async () => {
  const { b, prompt } = start(jupyter(cell(1), cell(2)));
  await until(() => b.of('cell').length === 2);
  prompt(2, '[*]:');
  await wait(5);
  prompt(1, '[*]:');
  await until(() => b.of('cell').length === 4);
  const state = (index) =>
    b
      .of('cell')
      .filter((e) => e.index === index)
      .at(-1).state;
  assert.deepEqual([state(0), state(1)], ['pending', 'running']);
  prompt(2, '[1]:');
  await until(() => state(0) === 'running');
  assert.equal(state(1), 'done');
});

test('a card is in its cell, is restored when removed, and disappears when the cell runs again', async () => {
  const { b, document, prompt, print } = start(jupyter(cell(1, '[1]:')));
  b.reply = ({ events }) => {
    const seen = events.find(({ t }) => t === 'output');
    return seen ? { effects: [card(seen.cell)] } : {};
  };
  print(1, 'NameError: x', 'stderr');
  await until(() => document.querySelector('[data-nbmedic-card]'));
  const host = document.querySelector('[data-nbmedic-card]');
  assert.equal(host.previousElementSibling.className, 'jp-Cell-outputWrapper');
  host.remove();
  await wait(20);
  assert.equal(host.isConnected, true);
  for (let i = 0; i < 20; i += 1) {
    host.remove();
    await wait(0);
  }
  await wait(20);
  assert.equal(host.isConnected, false, 'a page that insists wins');
  b.reply = () => ({});
  prompt(1, '[*]:');
  await wait(20);
  assert.equal(document.querySelector('[data-nbmedic-card]'), null);
});

test('a card of the Python package is no output, and is hidden while the extension’s own card is there', async () => {
  const { b, document, print, prompt } = start(jupyter(cell(1, '[1]:')));
  b.reply = ({ events }) => {
    const seen = events.find(({ t }) => t === 'output');
    return seen ? { effects: [card(seen.cell)] } : {};
  };
  print(1, 'NameError: x', 'stderr');
  const output = document.querySelector('.jp-OutputArea-output');
  const theirs = output.cloneNode();
  theirs.innerHTML = '<section data-nbmedic="card"><h2>KeyError: y</h2></section>';
  output.after(theirs);
  const own = theirs.firstElementChild;
  await until(() => document.querySelector('[data-nbmedic-card]') && own.hidden);
  assert.deepEqual(
    b.of('output').map(({ head }) => head),
    ['NameError: x'],
  );
  b.reply = () => ({});
  prompt(1, '[*]:');
  await until(() => !document.querySelector('[data-nbmedic-card]'));
  assert.equal(own.hidden, false);
});

test('a complete answer removes all cards that it does not contain', async () => {
  const { b, document, prompt } = start(jupyter(cell(1), cell(2)));
  await until(() => b.of('cell').length === 2);
  const [one, two] = b.of('cell').map((e) => e.cell);
  b.reply = () => ({ effects: [card(one, 'k1'), card(two, 'k2')] });
  prompt(1, '[1]:');
  await until(() => document.querySelectorAll('[data-nbmedic-card]').length === 2);
  b.reply = () => ({ effects: [card(two, 'k2')], full: true });
  prompt(2, '[2]:');
  await until(
    () => !document.querySelector('#c1 [data-nbmedic-card]') && document.querySelector('#c2 [data-nbmedic-card]'),
  );
});

test('a connection that stays away is told of again once the background has known of it for long enough', async () => {
  const AWAY_MS = 300;
  const { b, document } = start(
    jupyter(cell(1), '<div class="jp-Notebook-ExecutionIndicator" data-status="idle"></div>'),
    { AWAY_MS },
  );
  await until(() => b.last('kernel')?.status === 'idle');
  const names = b.of('notebook').length;
  let knownAt = NaN;
  let toldAt = NaN;
  b.reply = ({ events }) => {
    if (events.some(({ t }) => t === 'kernel')) knownAt = performance.now();
    if (events.some(({ t }) => t === 'notebook')) toldAt = performance.now();
    return {};
  };
  // The background gets the batch at the sensor's second try, after half a second.
  b.failing = 1;
  document.querySelector('.jp-Notebook-ExecutionIndicator').dataset.status = 'disconnected';
  await until(() => b.of('notebook').length > names);
  assert.ok(toldAt - knownAt >= AWAY_MS - 1, `${toldAt - knownAt} ms`);
});

test('a batch that was not stored is sent again unchanged, followed by later changes', async () => {
  const { b, prompt, print } = start(jupyter(cell(1)));
  await until(() => b.of('cell').length === 1);
  b.failing = 1;
  prompt(1, '[*]:');
  await until(() => b.failing === 0);
  print(1, 'late\n');
  await until(() => b.last('output'));
  assert.deepEqual(
    b.batches.map(({ seq }) => seq),
    b.batches.map((_, i) => i + 1),
  );
  assert.equal(b.of('cell').filter(({ state }) => state === 'running').length, 1);
});

test('resync sends everything again, under a new page id, from the first number', async () => {
  const { b, prompt, print } = start(jupyter(cell(1)));
  print(1, 'kept\n');
  await until(() => b.last('output'));
  const before = b.batches[0].page;
  let once = true;
  b.reply = () => (once ? ((once = false), { resync: true }) : {});
  prompt(1, '[1]:');
  await until(() => b.batches.some(({ page }) => page !== before), 'a new page');
  await until(() =>
    b.batches.filter(({ page }) => page !== before).some(({ events }) => events.some(({ t }) => t === 'output')),
  );
  const again = b.batches.filter(({ page }) => page !== before);
  assert.deepEqual([again[0].seq, again[0].events[0].t], [1, 'hello']);
});

test('a page that keeps changing does not delay the start', async (t) => {
  const { b, document, print } = start(jupyter(cell(1)));
  await until(() => b.of('cell').length === 1);
  const before = b.batches.at(-1).page;
  const asked = [];
  b.reply = ({ page }) => (page === before ? (asked.push(page), { resync: true }) : {});
  let line = 0;
  const more = setInterval(() => {
    print(1, `line ${(line += 1)}\n`);
    document.body.append(' ');
  }, 60);
  t.after(() => clearInterval(more));
  await until(() => b.batches.some(({ page }) => page !== before), 'a new page', 10000);
  assert.equal(asked.length, 1, 'and the background is not asked again meanwhile');
});

test('the quiet line opens the report’s preview, and nothing leaves', async () => {
  const { b, document } = start(jupyter(cell(1, '[1]:')));
  b.reply = ({ events }) => ({ effects: events.filter(({ t }) => t === 'cell').map((e) => card(e.cell)) });
  await until(() => document.querySelector('[data-nbmedic-card]'));
  click(document.querySelector('[data-nbmedic-card]').shadowRoot.querySelector('.missed'));
  await until(() => b.asked.length);
  const [{ kind, what, page }] = b.asked;
  assert.deepEqual([kind, what, page], ['ask', 'preview', b.batches.at(-1).page]);
});

test('when the extension is gone, the sensor leaves nothing behind and stays silent', async () => {
  const { b, document, prompt, print } = start(jupyter(cell(1, '[1]:')));
  b.reply = ({ events }) => ({ effects: events.filter(({ t }) => t === 'cell').map((e) => card(e.cell)) });
  await until(() => document.querySelector('[data-nbmedic-card]'));
  b.gone = true;
  print(1, 'more');
  await until(() => !document.querySelector('[data-nbmedic-card]'));
  b.gone = false;
  const sent = b.batches.length;
  prompt(1, '[2]:');
  await wait(600);
  assert.equal(b.batches.length, sent);
});

test('a second sensor yields to a live one and takes over from an orphan', async () => {
  const { b, window, prompt } = start(jupyter(cell(1)));
  await until(() => b.of('cell').length === 1);
  await load(window, 'sensor/notebook.js', { again: true });
  await wait(50);
  assert.equal(b.connects, 1);
  const event = new window.CustomEvent('nbmedic-takeover', { cancelable: true });
  window.document.documentElement.dispatchEvent(event);
  assert.ok(b.chrome.runtime.id && !event.defaultPrevented, 'a page that asks learns nothing, and stops nothing');
  b.gone = true;
  // In a browser, the new sensor says this in a world of its own; here, the orphan would see the new one's `chrome`.
  window.document.documentElement.dispatchEvent(event);
  const fresh = background();
  window.chrome = fresh.chrome;
  await load(window, 'sensor/notebook.js', { again: true });
  await until(() => fresh.of('cell').length === 1);
  assert.equal(fresh.connects, 1);
  prompt(1, '[*]:');
  await until(() => fresh.of('cell').length === 2);
  assert.equal(
    fresh.batches.every(({ page }) => page === fresh.batches[0].page),
    true,
    'only one of them speaks',
  );
});

test('a notebook that appears later is found; a fallback gives way to it', async () => {
  const { b, document } = start('<body><pre>Traceback</pre></body>');
  await until(() => b.last('hello'));
  assert.equal(b.last('hello').profile, 'generic');
  const panel = new document.defaultView.DOMParser().parseFromString(jupyter(cell(1)), 'text/html').body
    .firstElementChild;
  document.body.append(panel);
  await until(() => b.last('hello').profile === 'jupyterlab');
  assert.notEqual(b.batches.at(-1).page, b.batches[0].page);
});

test('a Colab toast is reported once while it is open, as old if it was there before, and again when it changes', async () => {
  const { b, document } = start(
    '<body><div class="cell code" id="cell-a"></div><colab-snackbar labeltext="Saved"></colab-snackbar></body>',
  );
  await until(() => b.of('notice').length === 1);
  assert.deepEqual([b.last('notice').text, b.last('notice').old], ['Saved', true]);
  const toast = document.querySelector('colab-snackbar');
  const root = shadow(toast, '<div class="mdc-snackbar"></div>');
  toast.setAttribute('labeltext', 'Your session crashed after using all available RAM.');
  await until(() => b.of('notice').length === 2);
  assert.equal(b.last('notice').old, false);
  assert.equal(b.of('notice-gone').length, 1);
  root.querySelector('div').append('x');
  await wait(400);
  assert.equal(b.of('notice').length, 2);
  toast.setAttribute('labeltext', '');
  await until(() => b.of('notice-gone').length === 2);
});

test('on Colab an error without a count is a run that was cut off, and one whose count is drawn later is not', async () => {
  const { b, document } = start(
    '<body><div class="cell code" id="cell-a"><div class="cell-contents"><colab-run-button></colab-run-button><div class="output"></div></div></div></body>',
  );
  const root = shadow(
    document.querySelector('colab-run-button'),
    '<div class="cell-execution animating running"><div class="status"><div class="execution-count">[ ]</div></div></div>',
  );
  const run = root.querySelector('.cell-execution');
  const count = root.querySelector('.execution-count');
  const last = () => b.of('cell').at(-1);
  await until(() => last()?.state === 'running');
  run.className = 'cell-execution stale error';
  await until(() => last().state === 'error');
  assert.deepEqual([last().cut, last().count], [true, null]);
  count.textContent = '[3]';
  await until(() => last().count === 3);
  assert.equal(last().cut, false);
});

test('the run button’s tooltip, which names a person, is never read', async () => {
  const { b, document } = start(
    '<body><div class="cell code" id="cell-a"><div class="cell-contents"><colab-run-button></colab-run-button><div class="output"></div></div></div></body>',
  );
  shadow(
    document.querySelector('colab-run-button'),
    '<div class="cell-execution"><div class="status"><div class="execution-count">[1]</div></div><colab-tooltip-trigger message="executed by Ada Example (ada@example.org)"></colab-tooltip-trigger></div>',
  );
  document.querySelector('.cell').classList.add('focused');
  await until(() => b.of('cell').some(({ count }) => count === 1));
  assert.equal(JSON.stringify(b.batches).includes('Ada'), false);
});

test('an idle page causes no wakeup', async () => {
  const { b, window } = start(jupyter(...Array.from({ length: 60 }, (_, i) => cell(i + 1))));
  await until(() => b.of('cell').length === 60);
  await wait(300);
  let calls = 0;
  const { setTimeout } = window;
  window.setTimeout = (...args) => ((calls += 1), setTimeout(...args));
  const sent = b.batches.length;
  await wait(1500);
  assert.deepEqual([calls, b.batches.length], [0, sent]);
});

test('a source is sent when its run starts, and edited sources when another cell fails, whatever the error', async () => {
  const { b, document, prompt, print } = start(jupyter(cell(1), cell(2), cell(3)));
  const edit = (n, text) => {
    document.querySelector(`#c${n} .cm-line`).textContent = text;
  };
  const sources = () => b.of('source').map(({ text }) => text);
  await until(() => b.of('cell').length === 3);
  prompt(1, '[*]:');
  await wait(0);
  edit(1, 'edited(1)');
  prompt(1, '[1]:');
  await until(() => b.last('cell').state === 'done');
  assert.deepEqual(sources(), ['run(1)']);
  prompt(2, '[*]:');
  print(2, 'loss: 0.3, error: 0.1\n');
  await until(() => b.last('output'));
  await wait(400);
  assert.deepEqual(sources(), ['run(1)', 'run(2)'], 'it goes on');
  prompt(2, '[2]:');
  await until(() => sources().length === 4);
  assert.deepEqual(sources().slice(2).sort(), ['edited(1)', 'run(3)']);
  // The error is reported after the end of the run.
  prompt(3, '[*]:');
  await until(() => b.last('cell').state === 'running');
  edit(1, 'again(1)');
  prompt(3, '[3]:');
  await until(() => b.last('cell').state === 'done');
  print(3, 'Traceback (most recent call last)\nValueError: math domain error', 'stderr');
  await until(() => sources().at(-1) === 'again(1)');
});

test('a cell with lines that are not drawn does not count as edited', async () => {
  const { b, document, prompt, print } = start(jupyter(cell(1), cell(2)));
  await until(() => b.of('cell').length === 2);
  const run = async (n, count) => {
    prompt(n, '[*]:');
    await until(() => b.last('cell').state === 'running');
    prompt(n, `[${count}]:`);
    await until(() => b.last('cell').state === 'done');
  };
  await run(1, 1);
  const line = document.querySelector('#c1 .cm-line');
  const gap = document.createElement('div');
  gap.className = 'cm-gap';
  line.after(gap);
  line.textContent = 'a part';
  await run(2, 2);
  print(2, 'ValueError: math domain error', 'stderr');
  await wait(600);
  assert.deepEqual(
    b.of('source').map(({ text }) => text),
    ['run(1)', 'run(2)'],
  );
  // The running cell is read as far as possible.
  await run(1, 3);
  assert.equal(b.last('source').text.trim(), 'a part');
});
