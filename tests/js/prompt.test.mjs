// An output that looks like the end of an error is read at once; streams are batched.
import assert from 'node:assert/strict';
import test from 'node:test';
import { cell, jupyter, start } from './background.mjs';
import { load, open, until, wait } from './page.mjs';

/** So long that anything read in less time was read at once. */
const SOON_MS = 2000;
const TRACEBACK = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nKeyError: \'x\'\n';

/** A page of two cells that has been read, with the first running. */
async function notebook(...outputs) {
  const page = start(jupyter(cell(1), cell(2)), { SOON_MS, QUIET_MS: 20 });
  await until(() => page.b.of('cell').length === 2, 'the cells');
  page.prompt(1, '[*]:');
  await until(() => page.b.last('cell').state === 'running', 'the run', SOON_MS + 2000);
  // The read at the start of the run.
  await wait(SOON_MS);
  const made = outputs.map((text) => page.print(1, text));
  page.sent = () => page.b.of('output').map(({ cell: id, head, tail }) => [id, tail ?? head]);
  page.end = () => (page.b.gone = true);
  return { page, made };
}

for (const [what, text, mime] of [
  ['a traceback', TRACEBACK, 'error'],
  ['a traceback that calls itself a stream', TRACEBACK, 'stderr'],
  ['an exception of a library, by its dotted name', 'torch.OutOfMemoryError: CUDA out of memory.\n', 'stdout'],
  ['a shell’s message about a program', 'sh: line 1:  4711\nKilled\n', 'stdout'],
  ['an interrupt', '\nKeyboardInterrupt: \n', 'stdout'],
]) {
  test(`read at once: ${what}`, async () => {
    const { page } = await notebook();
    page.print(1, text, mime);
    await until(() => page.sent().some(([, sent]) => sent === text), 'the output', SOON_MS / 3);
    page.end();
  });
}

test('output without an error waits, even if it mentions one', async () => {
  const { page } = await notebook();
  page.print(1, 'epoch 1 loss 0.5, error rate 0.1\nan Error: in the middle of a line\n');
  await wait(SOON_MS / 3);
  assert.deepEqual(page.sent(), []);
  page.end();
});

test('a stream that ends in an error is read at its end', async () => {
  const { page, made } = await notebook('epoch 1\n');
  await wait(50);
  made[0].append(TRACEBACK);
  await until(() => page.sent().some(([, sent]) => sent.endsWith(TRACEBACK)), 'the output', SOON_MS / 3);
  page.end();
});

test('errors that are printed continuously are read no more often than a stream', async () => {
  const { page } = await notebook();
  for (let i = 0; i < 20; i += 1) {
    page.print(1, `ValueError: ${i}`, 'error');
    await wait(20);
  }
  const batches = page.b.batches.filter(({ events }) => events.some(({ t }) => t === 'output')).length;
  assert.equal(batches, 1);
  page.end();
});

test('output that another cell printed before an error is sent before the error', async () => {
  const { page } = await notebook();
  for (const n of [1, 2, 3]) page.print(1, `part ${n}`);
  page.print(2, TRACEBACK, 'error');
  await until(() => page.sent().length === 4, 'all of them', SOON_MS / 3);
  assert.deepEqual(
    page.sent().map(([, text]) => text),
    ['part 1', 'part 2', 'part 3', TRACEBACK],
  );
  page.end();
});

test('text that tries to be slow is checked quickly', async () => {
  const window = open('<pre></pre>');
  const { isEnding } = await load(window, 'sensor/ending.js');
  const pre = window.document.querySelector('pre');
  for (const piece of ['a', 'a.', 'Erro', '_Error_', '.Error']) {
    pre.textContent = piece.repeat(200_000);
    const began = performance.now();
    for (let i = 0; i < 100; i += 1) isEnding(pre, ':not(*)');
    assert.ok(performance.now() - began < 1000, piece);
  }
});
