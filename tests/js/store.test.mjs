import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { dump, plant } from './stored.mjs';
import { MIGRATIONS, indexedStore } from '../../extension/background/database.js';
import { MAX_PAST, MAX_PAST_AGE } from '../../extension/background/history.js';
import { memoryStore, prune } from '../../extension/background/store.js';
import { slot } from '../../extension/slot.js';

let n = 0;
const kinds = { IndexedDB: () => indexedStore(`test-${(n += 1)}`), memory: memoryStore };
const from = { tab: 1, frame: 0, origin: 'https://notebook.test' };
const out = (o, text) => ({
  t: 'output',
  nb: 'n',
  cell: 'c',
  out: o,
  run: 1,
  kind: 'stream',
  len: text.length,
  head: text,
});
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

  test(`${kind}: only the latest event of a slot is kept, at the position where it was sent last`, async () => {
    const store = make();
    const cell = (state) => ({ t: 'cell', nb: 'n', cell: 'c', index: 0, state, count: null, run: 1 });
    await store.commit('p', 1, [cell('running'), out(0, 'a')], from, 1);
    await store.commit('p', 2, [cell('done')], from, 2);
    assert.deepEqual(await events(store, 'p'), [out(0, 'a'), cell('done')]);
  });

  test(`${kind}: removed outputs are deleted, and so is a removed cell`, async () => {
    const store = make();
    const source = { t: 'source', nb: 'n', cell: 'c', text: 'x' };
    await store.commit(
      'p',
      1,
      [source, out(0, 'a'), out(1, 'b'), out(10, 'c'), { ...out(1, 'd'), cell: 'c2' }],
      from,
      1,
    );
    await store.commit('p', 2, [{ t: 'outputs', nb: 'n', cell: 'c', n: 1 }], from, 1);
    assert.deepEqual(
      (await events(store, 'p')).filter((e) => e.t === 'output').map((e) => [e.cell, e.out]),
      [
        ['c', 0],
        ['c2', 1],
      ],
    );
    await store.commit('p', 3, [{ t: 'removed', nb: 'n', cell: 'c' }], from, 1);
    assert.deepEqual(
      (await events(store, 'p')).map((e) => `${e.t} ${e.cell}`),
      ['output c2', 'removed c'],
    );
  });

  test(`${kind}: a page stays within its limit by losing its oldest outputs`, async () => {
    const store = make();
    const big = 'x'.repeat(900 * 1024);
    for (let i = 0; i < 20; i += 1) await store.commit('p', i + 1, [out(i, big)], from, i);
    const kept = await events(store, 'p');
    assert.ok(kept.length < 20 && kept.length > 15);
    assert.equal(kept.at(-1).out, 19);
    assert.equal(kept[0].out, 20 - kept.length);
  });

  test(`${kind}: a page's own cells outlast its outputs and notices`, async () => {
    const store = make();
    const source = { t: 'source', nb: 'n', cell: 'c', text: 'x' };
    const big = 'x'.repeat(1024 * 1024);
    await store.commit(
      'p',
      1,
      [source, { t: 'notice', nb: null, id: 'm', kind: 'toast', text: 'old', old: false }],
      from,
      1,
    );
    for (let i = 0; i < 20; i += 1) await store.commit('p', i + 2, [out(i, big)], from, i);
    const kept = await events(store, 'p');
    assert.deepEqual([kept[0], kept.some(({ t }) => t === 'notice')], [source, false]);
    const [{ size }] = await store.pages();
    assert.equal(
      size,
      (await store.load('p')).reduce((sum, row) => sum + row.size, 0),
      'the size is that of what is there',
    );
    assert.ok(size <= 16 * 1024 * 1024);
  });

  test(`${kind}: above the total limit, open pages lose their oldest outputs and none starts again`, async () => {
    const store = make();
    const big = Array.from({ length: 15 }, (_, i) => out(i, 'x'.repeat(1024 * 1024)));
    for (let i = 0; i < 8; i += 1) await store.commit(`p${i}`, 1, big, { ...from, tab: i }, i);
    const tabs = async () => new Set([0, 1, 2, 3, 4, 5, 6, 7]);
    assert.deepEqual(await prune(store, tabs, 10), []);
    const pages = await store.pages();
    assert.equal(pages.length, 8);
    assert.ok(pages.reduce((sum, { size }) => sum + size, 0) <= 96 * 1024 * 1024);
    for (const { page, size } of pages) {
      const kept = await store.load(page);
      assert.equal(
        size,
        kept.reduce((sum, row) => sum + row.size, 0),
        'the size is that of what is there',
      );
      assert.equal(kept.at(-1).event.out, 14, 'the newest is there');
    }
    // Its tab continues where it was.
    assert.equal(await store.commit('p0', 2, [out(20, 'y')], { ...from, tab: 0 }, 11), 'stored');
    assert.deepEqual(await prune(store, tabs, 12), []);
  });

  test(`${kind}: tabs that write while pages are trimmed do not start again, and neither does a tab that is opened then`, async () => {
    const store = make();
    const big = Array.from({ length: 15 }, (_, i) => out(i, 'x'.repeat(1024 * 1024)));
    for (let i = 0; i < 8; i += 1) await store.commit(`p${i}`, 1, big, { ...from, tab: i }, i);
    const { trim } = store;
    store.trim = async (page, size) => {
      const left = await trim(page, size);
      const [, tab] = page;
      assert.equal(
        await store.commit(page, 2, [out(20, 'y'.repeat(1024 * 1024))], { ...from, tab: Number(tab) }, 9),
        'stored',
      );
      return left;
    };
    const opened = async () => {
      await store.commit('new', 1, [out(0, 'a')], { ...from, tab: 99 }, 10);
      return new Set([0, 1, 2, 3, 4, 5, 6, 7]);
    };
    assert.deepEqual(await prune(store, opened, 10), []);
    assert.equal((await store.pages()).length, 9);
  });

  test(`${kind}: if pages have no outputs to lose, the oldest pages are deleted`, async () => {
    const store = make();
    const sources = (p) =>
      Array.from({ length: 15 }, (_, i) => ({
        t: 'source',
        nb: 'n',
        cell: `${p} ${i}`,
        text: 'x'.repeat(1024 * 1024),
      }));
    for (let i = 0; i < 8; i += 1) await store.commit(`p${i}`, 1, sources(i), { ...from, tab: i }, i);
    assert.deepEqual((await prune(store, async () => new Set([0, 1, 2, 3, 4, 5, 6, 7]), 10)).sort(), ['p0', 'p1']);
    assert.ok((await store.pages()).reduce((sum, { size }) => sum + size, 0) <= 96 * 1024 * 1024);
  });

  test(`${kind}: two tabs that write at the same time lose nothing and mix nothing up`, async () => {
    const store = make();
    const write = async (page, tab) => {
      for (let i = 0; i < 40; i += 1)
        assert.equal(await store.commit(page, i + 1, [out(i, `${page} ${i}`)], { ...from, tab }, i), 'stored');
    };
    await Promise.all([write('p', 1), write('q', 2)]);
    for (const page of ['p', 'q'])
      assert.deepEqual(
        (await events(store, page)).map(({ head }) => head),
        Array.from({ length: 40 }, (_, i) => `${page} ${i}`),
      );
  });

  test(`${kind}: pages of closed tabs and old pages are forgotten`, async () => {
    const store = make();
    const day = 24 * 3600 * 1000;
    await store.commit('old', 1, [out(0, 'a')], { ...from, tab: 1 }, 0);
    await store.commit('closed', 1, [out(0, 'a')], { ...from, tab: 2 }, 30 * day);
    await store.commit('here', 1, [out(0, 'a')], { ...from, tab: 1 }, 30 * day);
    assert.deepEqual((await prune(store, async () => new Set([1]), 30 * day)).sort(), ['closed', 'old']);
    assert.deepEqual(
      (await store.pages()).map(({ page }) => page),
      ['here'],
    );
    assert.deepEqual(await store.load('closed'), []);
    assert.equal((await store.load('here')).length, 1);
  });

  test(`${kind}: the history is limited in number and age, and can be erased`, async () => {
    const store = make();
    const found = (i, at, title = 'T') => ({ key: `k${i}`, at, title });
    await store.remember([found(0, 5), found(1, 20)], [], 20);
    await store.remember([found(1, 30, 'another title'), found(2, 10)], [], 30);
    assert.deepEqual(
      (await store.past()).sort((a, b) => a.at - b.at).map(({ key, at, title }) => [key, at, title]),
      [
        ['k0', 5, 'T'],
        ['k2', 10, 'T'],
        ['k1', 20, 'another title'],
      ],
    );
    await store.remember([found(3, MAX_PAST_AGE + 15)], [], MAX_PAST_AGE + 15);
    assert.deepEqual((await store.past()).map(({ key }) => key).sort(), ['k1', 'k3'], 'the old are gone');
    await store.remember(
      Array.from({ length: MAX_PAST }, (_, i) => found(100 + i, MAX_PAST_AGE + 100 + i)),
      [],
      MAX_PAST_AGE + 2000,
    );
    const keys = (await store.past()).map(({ key }) => key);
    assert.equal(keys.length, MAX_PAST);
    assert.ok(!keys.includes('k3') && keys.includes(`k${99 + MAX_PAST}`), 'the oldest are gone');
    await store.forgetPast();
    assert.deepEqual(await store.past(), []);
  });

  test(`${kind}: the history learns what solved an entry, and keeps what solved it first`, async () => {
    const store = make();
    const over = (key, by) => ({ key, by, how: 'changed' });
    await store.remember([{ key: 'k', at: 5, title: 'T' }], [over('unknown', 'cell 1')], 5);
    await store.remember([], [over('k', 'cell 2')], 6);
    await store.remember([{ key: 'k', at: 9, title: 'U' }], [over('k', 'cell 3')], 9);
    assert.deepEqual(await store.past(), [{ key: 'k', at: 5, title: 'U', solved: { by: 'cell 2', how: 'changed' } }]);
  });

  test(`${kind}: events that the engine keeps follow the batch that they came from`, async () => {
    const store = make();
    await store.commit('p', 1, [out(0, 'a')], from, 1);
    await store.keep('p', [{ t: 'memory', nb: 'n', last: 1 }], 1);
    await store.commit('p', 2, [out(1, 'b')], from, 1);
    await store.keep('p', [{ t: 'memory', nb: 'n', last: 2 }], 1);
    assert.deepEqual(
      (await events(store, 'p')).map((e) => e.last ?? e.head),
      ['a', 'b', 2],
    );
  });
}

const recorded = (version) =>
  JSON.parse(readFileSync(new URL(`../fixtures/store/schema-${version}.json`, import.meta.url), 'utf8'));
const shape = ({ stores }) =>
  Object.fromEntries(Object.entries(stores).map(([name, { keyPath, indexes }]) => [name, { keyPath, indexes }]));

// Each file was written by the nbmedic that had this schema.
for (let version = 1; version < MIGRATIONS.length; version += 1) {
  test(`a record of schema ${version} is migrated completely`, async () => {
    const old = recorded(version);
    assert.equal(old.version, version);
    await plant(`schema-${version}`, old);
    const store = indexedStore(`schema-${version}`);
    const [page] = await store.pages();
    const stored = old.stores.events.rows.map(([, row]) => row).sort((a, b) => a.order - b.order);
    assert.ok(stored.length > 5);
    assert.deepEqual(await store.load(page.page), stored);
    assert.deepEqual(await store.get('muted'), ['gpu-oom', 'slow-import']);
    assert.equal(await store.commit(page.page, page.seq + 1, [out(5, 'new')], from, 1), 'stored');
    assert.equal((await events(store, page.page)).at(-1).head, 'new');
    await store.remember([{ key: 'k', at: 1 }], [], 2);
    assert.deepEqual(await store.past(), [{ key: 'k', at: 1 }]);
    const fresh = indexedStore(`fresh-${version}`);
    await fresh.pages();
    assert.deepEqual(shape(await dump(`schema-${version}`)), shape(await dump(`fresh-${version}`)));
    assert.equal((await dump(`schema-${version}`)).version, MIGRATIONS.length);
  });
}

test('a newly created record is reported, an existing one is not', async () => {
  const made = [];
  for (let i = 0; i < 2; i += 1) await indexedStore('made', () => made.push(i)).pages();
  assert.deepEqual(made, [0]);
});

test('what was written is available to the next background', async () => {
  await indexedStore('kept').commit('p', 1, [out(0, 'a')], from, 1);
  assert.deepEqual(await events(indexedStore('kept'), 'p'), [out(0, 'a')]);
});

test('slots match the contract', () => {
  const e = { nb: 'n', cell: 'c', out: 2, id: 'm1', source: 's' };
  const slots = {
    hello: 'hello',
    notebook: 'nb:n',
    cell: 'cell:n:c',
    removed: 'cell:n:c',
    source: 'source:n:c',
    output: 'out:n:c:2',
    outputs: 'outs:n:c',
    kernel: 'kernel:n',
    vitals: 'vitals:s',
    notice: 'notice:m1',
    'notice-gone': 'notice-gone:m1',
  };
  for (const [t, expected] of Object.entries(slots)) {
    assert.equal(slot({ ...e, t }), expected);
  }
  const act = { t: 'act', do: 'dismiss', card: 'k1', id: null };
  assert.equal(slot(act), 'act:dismiss:k1');
  assert.equal(slot({ t: 'act', do: 'mute', card: null, id: 'gpu-oom' }), 'act:mute:gpu-oom');
  assert.equal(slot({ t: 'limits', memory: 15 }), 'limits');
  assert.equal(slot({ t: 'memory', nb: 'n' }), 'memory:n');
  assert.equal(slot({ t: 'of-another-version', id: 'm1' }), 'of-another-version:m1');
});
