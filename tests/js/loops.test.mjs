// Possible endless loops: everything is sent again, a page changes its kind, a dialog keeps appearing.
import assert from 'node:assert/strict';
import test from 'node:test';
import { cell, jupyter, start } from './background.mjs';
import { until, wait } from './page.mjs';

test('a background that accepts a batch and then asks for everything again gets it less and less often', async (t) => {
  const { b, prompt } = start(jupyter(cell(1)));
  await until(() => b.of('cell').length === 1);
  // Acts like a store that loses each page at once: it accepts a page's first batch, and every other one is a gap.
  let asked = 0;
  const times = [];
  b.reply = ({ seq }) => {
    if (seq === 1) return {};
    asked += 1;
    times.push(Date.now());
    return { resync: true };
  };
  let n = 1;
  const more = setInterval(() => prompt(1, `[${(n += 1)}]:`), 40);
  t.after(() => clearInterval(more));
  await until(() => asked >= 4, 'four questions', 15000);
  const gaps = times.slice(1).map((at, i) => at - times[i]);
  // Half a second, one, two: the delay doubles each time, whatever was accepted in between.
  assert.ok(gaps[0] >= 500 && gaps[1] >= 1000 && gaps[2] >= 2000, JSON.stringify(gaps));
  b.gone = true;
});

test('a page that alternates between two front ends is eventually read as one of them', async () => {
  const { b, document } = start(jupyter(cell(1), cell(2)));
  await until(() => b.of('cell').length === 2);
  const cells = [...document.querySelectorAll('.jp-Cell')];
  const flip = () => cells.forEach((el) => el.classList.toggle('jp-CodeCell'));
  const pages = () => new Set(b.batches.map(({ page }) => page)).size;
  const end = Date.now() + 14000;
  let known = pages();
  let still = 0;
  while (Date.now() < end && still < 8) {
    flip();
    await wait(400);
    still = pages() === known ? still + 1 : 0;
    known = pages();
  }
  assert.ok(known <= 8, `${known} beginnings`);
  b.gone = true;
});

test('a dialog that is answered at once is still reported', async (t) => {
  const { b, document } = start(jupyter(cell(1)));
  await until(() => b.of('cell').length === 1);
  await wait(300);
  const dialog = document.createElement('div');
  dialog.className = 'jp-Dialog';
  dialog.innerHTML =
    '<div class="jp-Dialog-header">Kernel Restarting</div><div class="jp-Dialog-body">The kernel for a.ipynb appears to have died.</div>';
  document.body.append(dialog);
  // Other parts of the page change all the time.
  const more = setInterval(() => document.body.append(' '), 20);
  t.after(() => clearInterval(more));
  await wait(60);
  dialog.remove();
  await until(() => b.of('notice').length === 1, 'the notice');
  await until(() => b.of('notice-gone').length === 1, 'its end');
  b.gone = true;
});

test('a dialog that is answered while the page is being read is still reported', async () => {
  const { b, window, document } = start(jupyter(cell(1)));
  await until(() => b.of('cell').length === 1);
  // Each step of a reading takes long, and the page lets it go on only when the test says so.
  const { performance } = window;
  const now = performance.now.bind(performance);
  let later = 0;
  performance.now = () => now() + (later += 10);
  const held = [];
  const { MessageChannel } = window;
  window.MessageChannel = class extends MessageChannel {
    constructor() {
      super();
      const { port2 } = this;
      const post = port2.postMessage.bind(port2);
      port2.postMessage = (message) => held.push(() => post(message));
    }
  };
  document.title = 'renamed';
  await until(() => held.length === 1, 'a reading that has paused');
  const dialog = document.createElement('div');
  dialog.className = 'jp-Dialog';
  dialog.textContent = 'The kernel for a.ipynb appears to have died.';
  document.body.append(dialog);
  await wait(20);
  dialog.remove();
  assert.equal(b.of('notice').length, 0, 'the reading has not gone on');
  window.MessageChannel = MessageChannel;
  const release = setInterval(() => held.shift()?.(), 1);
  await until(() => b.of('notice-gone').length === 1, 'its end').finally(() => clearInterval(release));
  assert.equal(b.of('notice').length, 1);
  b.gone = true;
});
