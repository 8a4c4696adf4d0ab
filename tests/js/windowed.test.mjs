// Off-screen and moved cells, and hidden tabs.
import assert from 'node:assert/strict';
import test from 'node:test';
import { card, cell, jupyter, start } from './background.mjs';
import { until, wait } from './page.mjs';

const INDICATOR = '<div class="jp-Notebook-ExecutionIndicator" data-status="busy"></div>';

/** A page with cells that can go off screen; the front end then removes prompt and editor. */
function windowed(...cells) {
  const s = start(jupyter(...cells, INDICATOR));
  const kept = new Map();
  return {
    ...s,
    kernel: (status) => {
      s.document.querySelector('.jp-Notebook-ExecutionIndicator').dataset.status = status;
    },
    away(n) {
      const at = s.document.querySelector(`#c${n}`);
      kept.set(n, [...at.querySelectorAll('.jp-InputArea-prompt, .cm-content')]);
      for (const node of kept.get(n)) node.remove();
    },
    back(n, prompt) {
      const [shown, editor] = kept.get(n);
      shown.textContent = prompt;
      s.document.querySelector(`#c${n}`).prepend(shown, editor);
    },
    last: (index) =>
      s.b
        .of('cell')
        .filter((e) => e.index === index)
        .at(-1),
  };
}

test('a cell that is off screen keeps its state, its run and its card', async () => {
  const { b, document, print, away, back, last } = windowed(cell(1, '[4]:'), cell(2));
  b.reply = ({ events }) => ({ effects: events.filter(({ t }) => t === 'output').map((e) => card(e.cell)) });
  print(1, 'NameError: x', 'stderr');
  await until(() => document.querySelector('[data-nbmedic-card]'));
  away(1);
  await wait(500);
  back(1, '[4]:');
  await wait(500);
  assert.deepEqual([last(0).state, last(0).count, last(0).run], ['done', 4, 0]);
  assert.equal(document.querySelectorAll('#c1 [data-nbmedic-card]').length, 1);
});

test('the kernel shows the end of an off-screen run, which counts as one run when it is visible again', async () => {
  const { b, prompt, away, back, kernel, last } = windowed(cell(1), cell(2));
  await until(() => b.of('cell').length === 2);
  prompt(1, '[*]:');
  prompt(2, '[*]:');
  await until(() => last(0).state === 'running' && last(1).state === 'pending');
  away(1);
  await wait(400);
  assert.equal(last(0).state, 'running');
  kernel('idle');
  await until(() => last(0).state === 'done');
  assert.equal(last(0).cut, false);
  back(1, '[1]:');
  await until(() => last(0).count === 1);
  assert.equal(last(0).run, 1);
});

test('a run that ends off screen with its kernel was cut', async () => {
  const { b, prompt, away, back, kernel, last } = windowed(cell(1));
  await until(() => b.of('cell').length === 1);
  prompt(1, '[*]:');
  await until(() => last(0).state === 'running');
  away(1);
  kernel('starting');
  await until(() => last(0).cut);
  back(1, '[ ]:');
  await wait(500);
  assert.deepEqual([last(0).state, last(0).run, last(0).cut], ['idle', 1, true]);
});

test('the end of a later cell shows that the off-screen one has ended', async () => {
  const { b, prompt, away, last } = windowed(cell(1), cell(2), cell(3));
  await until(() => b.of('cell').length === 3);
  for (const n of [1, 2, 3]) prompt(n, '[*]:');
  await until(() => last(2).state === 'pending');
  away(1);
  prompt(2, '[2]:');
  await until(() => last(2).state === 'running');
  assert.equal(last(0).state, 'done');
});

test('a moved cell that the front end recreates is the same cell and keeps its card', async () => {
  const { b, document, prompt, print } = start(jupyter(cell(1), cell(2), cell(3)));
  await until(() => b.of('cell').length === 3);
  b.reply = ({ events }) => ({ effects: events.filter(({ t }) => t === 'output').map((e) => card(e.cell)) });
  prompt(2, '[*]:');
  await until(() => b.last('source'));
  print(2, 'NameError: x', 'stderr');
  prompt(2, '[1]:');
  await until(() => document.querySelector('#c2 [data-nbmedic-card]'));
  const { cell: id } = b.last('output');
  const old = document.querySelector('#c2');
  const fresh = old.cloneNode(true);
  fresh.querySelector('[data-nbmedic-card]').remove();
  old.remove();
  document.querySelector('#c1').before(fresh);
  await until(() => b.of('cell').some((e) => e.cell === id && e.index === 0));
  await until(() => fresh.querySelector('[data-nbmedic-card]'));
  assert.equal(b.of('removed').length, 0);
});

test('a hidden tab is read when it is shown if nothing runs, and at once if something runs', async () => {
  const { b, window, document, prompt } = start(jupyter(cell(1)));
  await until(() => b.of('cell').length === 1);
  let hidden = true;
  Object.defineProperty(document, 'hidden', { get: () => hidden });
  const { performance } = window;
  const now = performance.now.bind(performance);
  performance.now = () => now() + 60_000;
  document.title = 'renamed';
  await wait(1500);
  assert.notEqual(b.last('notebook').name, 'renamed');
  hidden = false;
  document.dispatchEvent(new window.Event('visibilitychange'));
  await until(() => b.last('notebook').name === 'renamed');
  hidden = true;
  performance.now = () => now() + 120_000;
  prompt(1, '[*]:');
  await until(() => b.last('cell').state === 'running');
});

test('typing in an editor sets no timer and sends nothing', async () => {
  const { b, window, document } = start(
    jupyter(cell(1).replace('class="cm-content"', 'class="cm-content jp-InputArea-editor"')),
  );
  await until(() => b.of('cell').length === 1);
  await wait(400);
  const sent = b.batches.length;
  let timers = 0;
  const { setTimeout } = window;
  window.setTimeout = (...args) => ((timers += 1), setTimeout(...args));
  for (const text of ['a', 'ab', 'abc']) {
    document.querySelector('.cm-line').textContent = text;
    await wait(20);
  }
  await wait(500);
  assert.deepEqual([timers, b.batches.length], [0, sent]);
});

test('a widget’s constant text is repeated from time to time while a cell runs, and only then', async () => {
  const { b, window, document, prompt } = start(
    `<span title="Current memory usage">Mem: 310 / 2048 MB</span>${jupyter(cell(1))}`,
  );
  await until(() => b.of('vitals').length === 1);
  const { performance } = window;
  const now = performance.now.bind(performance);
  let later = 0;
  performance.now = () => now() + later;
  const changes = async (title) => {
    later += 40_000;
    document.title = title;
    await until(() => b.last('notebook').name === title);
    await wait(50);
  };
  await changes('nothing runs');
  assert.equal(b.of('vitals').length, 1);
  prompt(1, '[*]:');
  await until(() => b.last('cell').state === 'running');
  await changes('it runs');
  await until(() => b.of('vitals').length === 2);
  document.title = 'soon after';
  await until(() => b.last('notebook').name === 'soon after');
  await wait(50);
  assert.equal(b.of('vitals').length, 2);
});
