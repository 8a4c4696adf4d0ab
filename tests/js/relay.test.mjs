import assert from 'node:assert/strict';
import test from 'node:test';
import { Relay } from '../../extension/background/relay.js';

const TAB = 7;
const page = { tab: TAB, frame: 0, origin: 'https://notebook.test', isPrivate: false };
const frame = { ...page, frame: 4 };

function make(answer = () => ({})) {
  const r = { sent: [], clock: 1000, waiting: [] };
  r.relay = new Relay(
    async (tab, message, frameId) => {
      r.sent.push([tab, message.kind, frameId]);
      return answer(message);
    },
    () => r.clock,
    (task) => r.waiting.push(task),
  );
  r.pass = () => {
    for (const task of r.waiting.splice(0)) task();
  };
  return r;
}

test('messages go up with the frame’s id, and down to one frame or to all', async () => {
  const said = [];
  const r = make((message) => {
    said.push(message);
    return { rules: {} };
  });
  assert.deepEqual(await r.relay.pass({ kind: 'frame', at: 2 }, frame), { rules: {} });
  await r.relay.pass({ kind: 'around', events: [] }, frame);
  await r.relay.pass({ kind: 'around', events: [] }, page);
  await r.relay.pass({ kind: 'hurry', frame: 4 }, page);
  assert.deepEqual(r.sent, [
    [TAB, 'frame', 0],
    [TAB, 'around', 0],
    [TAB, 'around', undefined],
    [TAB, 'hurry', 4],
  ]);
  assert.deepEqual([said[0].frame, said[0].at], [4, 2]);
  // A frame cannot impersonate the page.
  assert.equal(await r.relay.pass({ kind: 'frames' }, frame), null);
});

test('frames are asked once per interval, and once more at its end', async () => {
  const r = make();
  for (let i = 0; i < 50; i += 1) await r.relay.pass({ kind: 'frames' }, page);
  await r.relay.pass({ kind: 'frames' }, { ...page, tab: 8 });
  assert.equal(r.sent.filter(([tab]) => tab === TAB).length, 1);
  assert.equal(r.sent.length, 2);
  r.pass();
  assert.equal(r.sent.filter(([tab]) => tab === TAB).length, 2);
  r.pass();
  r.pass();
  assert.deepEqual([r.sent.length, r.waiting.length], [3, 0], 'nothing goes on by itself');
});

test('a frame and a page that never agree stop asking each other', async () => {
  // The page knows the frame but accepts nothing, and the frame announces itself at once: this used to loop forever.
  const r = make(({ at }) => (at === undefined ? {} : { rules: {} }));
  let rounds = 0;
  for (let known = true; known && rounds < 1000; rounds += 1) {
    known = Boolean((await r.relay.pass({ kind: 'frame', at: 0 }, frame)).rules);
    if (known) known = !(await r.relay.pass({ kind: 'frame', n: 1, outs: [] }, frame)).took;
    r.clock += 10;
  }
  assert.equal(rounds, 9);
  // Another frame is not delayed; neither is this one after a while, or in a new tab.
  assert.ok((await r.relay.pass({ kind: 'frame', at: 0 }, { ...frame, frame: 5 })).rules);
  assert.ok(!(await r.relay.pass({ kind: 'frame', at: 0 }, frame)).rules);
  r.clock += 60_000;
  assert.ok((await r.relay.pass({ kind: 'frame', at: 0 }, frame)).rules);
});

test('a frame whose outputs are accepted may announce itself whenever it is loaded', async () => {
  const r = make(({ at }) => (at === undefined ? { took: true } : { rules: {} }));
  for (let i = 0; i < 100; i += 1) {
    assert.ok((await r.relay.pass({ kind: 'frame', at: 0 }, frame)).rules);
    assert.ok((await r.relay.pass({ kind: 'frame', n: 1, outs: [] }, frame)).took);
  }
});
