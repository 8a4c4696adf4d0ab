import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import test from 'node:test';
import { open } from './page.mjs';
import { indexedStore, memoryStore, prune, slot } from '../../extension/background/store.js';

let n = 0;
const kinds = { IndexedDB: () => indexedStore(`test-${(n += 1)}`), memory: memoryStore };
const from = { tab: 1, frame: 0, origin: 'https://notebook.test' };
const out = (o, text) => ({ t: 'output', nb: 'n', cell: 'c', out: o, run: 1, kind: 'stream', len: text.length, head: text });
const events = async (store, page) => (await store.load(page)).map(({ event }) => event);

for (const [kind, make] of Object.entries(kinds)) {
  test(`${kind}: batches are stored once, in order, and gaps are noticed`, async () => {
    const store = make();
    const hello = { t: 'hello', profile: 'colab' };
    assert.equal(await store.commit('p', 2, [hello], from, 5), 'gap');
    assert.equal(await store.commit('p', 1, [hello], from, 5), 'stored');
    assert.equal(await store.commit('p', 1, [hello], from, 6), 'known');
    assert.equal(await store.commit('p', 3, [], from, 7), 'gap');
    assert.equal(await store.commit('p', 2, [out(0, 'a')], from, 8), 'stored');
    assert.deepEqual(await events(store, 'p'), [hello, out(0, 'a')]);
    const [page] = await store.pages();
    assert.deepEqual([page.page, page.seq, page.tab, page.at], ['p', 2, 1, 8]);
  });

  test(`${kind}: the latest event of a slot stays, where it was sent last`, async () => {
    const store = make();
    const cell = (state) => ({ t: 'cell', nb: 'n', cell: 'c', index: 0, state, count: null, run: 1 });
    await store.commit('p', 1, [cell('running'), out(0, 'a')], from, 1);
    await store.commit('p', 2, [cell('done')], from, 2);
    assert.deepEqual(await events(store, 'p'), [out(0, 'a'), cell('done')]);
  });

  test(`${kind}: outputs that are gone are gone, and so is a removed cell`, async () => {
    const store = make();
    const source = { t: 'source', nb: 'n', cell: 'c', text: 'x' };
    await store.commit('p', 1, [source, out(0, 'a'), out(1, 'b'), out(10, 'c'), { ...out(1, 'd'), cell: 'c2' }], from, 1);
    await store.commit('p', 2, [{ t: 'outputs', nb: 'n', cell: 'c', n: 1 }], from, 1);
    assert.deepEqual((await events(store, 'p')).filter((e) => e.t === 'output').map((e) => [e.cell, e.out]), [['c', 0], ['c2', 1]]);
    await store.commit('p', 3, [{ t: 'removed', nb: 'n', cell: 'c' }], from, 1);
    assert.deepEqual((await events(store, 'p')).map((e) => `${e.t} ${e.cell}`), ['output c2', 'removed c']);
  });

  test(`${kind}: a page stays within its bound by losing its oldest outputs`, async () => {
    const store = make();
    const big = 'x'.repeat(900 * 1024);
    for (let i = 0; i < 20; i += 1) await store.commit('p', i + 1, [out(i, big)], from, i);
    const kept = await events(store, 'p');
    assert.ok(kept.length < 20 && kept.length > 15);
    assert.equal(kept.at(-1).out, 19);
    assert.equal(kept[0].out, 20 - kept.length);
  });

  test(`${kind}: pages of closed tabs and old pages are forgotten`, async () => {
    const store = make();
    const day = 24 * 3600 * 1000;
    await store.commit('old', 1, [out(0, 'a')], { ...from, tab: 1 }, 0);
    await store.commit('closed', 1, [out(0, 'a')], { ...from, tab: 2 }, 30 * day);
    await store.commit('here', 1, [out(0, 'a')], { ...from, tab: 1 }, 30 * day);
    assert.deepEqual((await prune(store, new Set([1]), 30 * day)).sort(), ['closed', 'old']);
    assert.deepEqual((await store.pages()).map(({ page }) => page), ['here']);
    assert.deepEqual(await store.load('closed'), []);
    assert.equal((await store.load('here')).length, 1);
  });

  test(`${kind}: what the engine kept comes after the batch that it came from`, async () => {
    const store = make();
    await store.commit('p', 1, [out(0, 'a')], from, 1);
    await store.keep('p', [{ t: 'memory', nb: 'n', last: 1 }], 1);
    await store.commit('p', 2, [out(1, 'b')], from, 1);
    await store.keep('p', [{ t: 'memory', nb: 'n', last: 2 }], 1);
    assert.deepEqual((await events(store, 'p')).map((e) => e.last ?? e.head), ['a', 'b', 2]);
  });
}

test('what was written is there for the next background', async () => {
  await indexedStore('kept').commit('p', 1, [out(0, 'a')], from, 1);
  assert.deepEqual(await events(indexedStore('kept'), 'p'), [out(0, 'a')]);
});

test('slots are the ones of the contract, in the sensor and in the store', () => {
  const { NbmedicLink } = open('');
  const e = { nb: 'n', cell: 'c', out: 2, id: 'm1', source: 's' };
  const slots = { hello: 'hello', notebook: 'nb:n', cell: 'cell:n:c', removed: 'cell:n:c', source: 'source:n:c', output: 'out:n:c:2', outputs: 'outs:n:c', kernel: 'kernel:n', vitals: 'vitals:s', notice: 'notice:m1', 'notice-gone': 'notice-gone:m1' };
  for (const [t, expected] of Object.entries(slots)) {
    assert.equal(slot({ ...e, t }), expected);
    assert.equal(NbmedicLink.slot({ ...e, t }), expected);
  }
  const act = { t: 'act', do: 'dismiss', card: 'k1', id: null };
  assert.deepEqual([slot(act), NbmedicLink.slot(act)], ['act:dismiss:k1', 'act:dismiss:k1']);
});
