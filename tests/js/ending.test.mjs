import assert from 'node:assert/strict';
import test from 'node:test';
import { load, open } from './page.mjs';

/** A page whose cell prints, and the changes that it made since the last look. */
async function cell() {
  const window = open('<pre id="out"></pre>');
  const { bringsEnding } = await load(window, 'sensor/ending.js');
  const out = window.document.querySelector('#out');
  const observer = new window.MutationObserver(() => {});
  observer.observe(out, { childList: true, characterData: true, subtree: true });
  return { window, out, brings: () => bringsEnding(observer.takeRecords(), '.error') };
}

const line = ({ document }, text) => {
  const span = document.createElement('span');
  span.textContent = text;
  return span;
};

test('the last line of an error is seen however it is added', async () => {
  const { window, out, brings } = await cell();
  out.append('Traceback (most recent call last):\n', "KeyError: 'loss'\n");
  assert.ok(brings(), 'a text');
  out.append('step 1\n');
  assert.ok(!brings(), 'the stream goes on');
  out.append(line(window, 'ValueError: too many values to unpack (expected 2)\n'));
  assert.ok(brings(), 'an element');
  out.append('step 2\n');
  assert.ok(!brings());
  out.lastChild.appendData('Killed\n');
  assert.ok(brings(), 'a text that grows');
  out.append(
    ...Array.from({ length: 40 }, (_, i) => line(window, `step ${i}\n`)),
    line(window, 'torch.OutOfMemoryError: x\n'),
  );
  assert.ok(brings(), 'after many lines');
  const error = line(window, 'anything');
  error.className = 'error';
  out.append(error);
  assert.ok(brings(), 'an output that the front end calls an error');
});

test('an output of the error kind is seen before the long text that comes with it', async () => {
  const { window, out, brings } = await cell();
  const error = window.document.createElement('div');
  error.className = 'error';
  out.append(error);
  error.append('a text of which no line ends an error\n'.repeat(100));
  assert.ok(brings());
});

test('an unfinished line is no end, until its end comes', async () => {
  const { out, brings } = await cell();
  out.append('MemoryError: Unable to alloc');
  assert.ok(!brings());
  out.append('ate 93.1 GiB\n');
  assert.ok(brings());
});

test('of a long addition only the end is read', async () => {
  const { window, out, brings } = await cell();
  let read = 0;
  const { substringData } = window.CharacterData.prototype;
  window.CharacterData.prototype.substringData = function (from, count) {
    read += count;
    return substringData.call(this, from, count);
  };
  for (let i = 0; i < 500; i += 1) out.append(line(window, `${'loss 0.25 '.repeat(20)}\n`));
  out.append(`${'x'.repeat(100_000)}\n`);
  assert.ok(!brings());
  assert.ok(read > 0 && read <= 1024, `${read} characters`);
});
