// The connection to the background, tested alone.
import assert from 'node:assert/strict';
import test from 'node:test';
import { load, open, until } from './page.mjs';

const listener = { addListener() {}, removeListener() {} };

test('a batch in flight when the page entered the cache is given up when the page returns, and sent again', async () => {
  /** Whether the browser delivers the answers. */
  let tells = true;
  const sent = [];
  const sendMessage = (message) => {
    sent.push(message);
    return tells ? Promise.resolve({ ack: message.seq, effects: [] }) : new Promise(() => {});
  };
  const window = open('', {
    chrome: { runtime: { id: 'x', sendMessage, onMessage: listener } },
  });
  const link = new (await load(window, 'sensor/link.js')).Link();
  link.onResync = () => {
    link.push({ t: 'hello' });
    void link.send();
  };
  const first = link.page;
  tells = false;
  link.push({ t: 'hello' });
  void link.send();
  assert.equal(sent.length, 1);
  tells = true;
  window.dispatchEvent(Object.assign(new window.Event('pageshow'), { persisted: true }));
  link.again();
  await until(() => !link.flying && sent.length === 2, 'everything, once more');
  assert.notEqual(sent[1].page, first);
  assert.equal(sent[1].seq, 1);
  link.stop();
  assert.equal(link.asked.size, 0);
});

test('what an answer leaves out is asked for until it comes', async () => {
  const sent = [];
  const sendMessage = async (message) => {
    sent.push(message.kind);
    if (message.kind === 'events') return { ack: message.seq, effects: [], more: true };
    // The background was stopped while it was asked.
    return sent.length < 3 ? null : { effects: [{ t: 'uncard', card: 'k' }], full: true };
  };
  const window = open('', { chrome: { runtime: { id: 'x', sendMessage, onMessage: listener } } });
  window.setTimeout = (task) => setTimeout(task);
  const link = new (await load(window, 'sensor/link.js')).Link();
  const said = [];
  link.onEffects = (effects, full) => said.push([effects.length, full]);
  link.push({ t: 'hello' });
  void link.send();
  await until(() => said.length === 2, 'the rest');
  assert.deepEqual(said, [
    [0, false],
    [1, true],
  ]);
  assert.deepEqual(sent, ['events', 'rest', 'rest']);
  link.stop();
});
