import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import test from 'node:test';
import { MIGRATIONS, indexedStore } from '../../extension/background/database.js';
import { lastingStore } from '../../extension/background/lasting.js';
import { memoryStore } from '../../extension/background/store.js';
import { plant } from './stored.mjs';

const from = { tab: 1, frame: 0, origin: 'https://notebook.test' };
const out = (text, o = 0) => ({ t: 'output', nb: 'n', cell: 'c', out: o, run: 1, kind: 'stream', len: text.length, head: text });
const heads = async (store, page) => (await store.load(page)).map(({ event }) => event.head);
let n = 0;

/** A lasting store over a real one that fails when `failing` says so. */
function make({ disk = indexedStore(`lasting-${(n += 1)}`), failing = () => null } = {}) {
  const told = [];
  const watched = Object.fromEntries(Object.entries(disk).map(([name, method]) => [name, async (...args) => {
    const error = failing(name, ...args);
    if (error) throw error;
    return method(...args);
  }]));
  const spare = memoryStore();
  return { disk, spare, told, store: lastingStore(watched, spare, (code) => told.push(code)) };
}
const full = () => new DOMException('no room', 'QuotaExceededError');
const broken = () => new DOMException('Internal error', 'UnknownError');

test('with no room the oldest pages go first, and the new is stored', async () => {
  let room = 3;
  const b = make({
    failing(name) {
      if (name === 'commit' && room === 0) return full();
      room += { commit: -1, forget: 1 }[name] ?? 0;
      return null;
    },
  });
  for (const [i, page] of ['a', 'b', 'c', 'd'].entries()) assert.equal(await b.store.commit(page, 1, [out(page)], from, i), 'stored');
  assert.deepEqual((await b.disk.pages()).map(({ page }) => page).sort(), ['b', 'c', 'd']);
  assert.deepEqual(b.told, []);
});

test('with no room at all a page is held in memory from its beginning, and that is said', async () => {
  let room = 1;
  const b = make({ failing: (name) => (name === 'commit' && room-- <= 0 ? full() : null) });
  assert.equal(await b.store.commit('p', 1, [out('one')], from, 1), 'stored');
  // What was stored of it would have a hole: the sensor begins again.
  assert.equal(await b.store.commit('p', 2, [out('two', 1)], from, 2), 'gap');
  assert.deepEqual(await b.disk.pages(), []);
  assert.equal(await b.store.commit('q', 1, [out('one')], from, 3), 'stored');
  assert.equal(await b.store.commit('q', 2, [out('two', 1)], from, 4), 'stored');
  await b.store.keep('q', [{ t: 'memory', nb: 'n' }], 4);
  assert.deepEqual(await heads(b.store, 'q'), ['one', 'two', undefined]);
  assert.deepEqual((await b.store.pages()).map(({ page }) => page), ['q']);
  assert.deepEqual(await b.disk.load('q'), []);
  await b.store.forget('q');
  assert.deepEqual(await b.store.pages(), []);
  assert.ok(b.told.length && b.told.every((code) => code === 'store-full'));
});

test('a page that found no room does not begin again and again', async () => {
  // Its first batch is small enough, every time.
  const b = make({ failing: (name, _page, seq) => (name === 'commit' && seq > 1 ? full() : null) });
  assert.equal(await b.store.commit('p', 1, [out('one')], from, 1), 'stored');
  assert.equal(await b.store.commit('p', 2, [out('two', 1)], from, 2), 'gap');
  assert.equal(await b.store.commit('q', 1, [out('one')], from, 3), 'stored');
  assert.equal(await b.store.commit('q', 2, [out('two', 1)], from, 4), 'stored');
  assert.deepEqual(await heads(b.store, 'q'), ['one', 'two']);
  // Another frame tries the disk first.
  assert.equal(await b.store.commit('r', 1, [out('one')], { ...from, tab: 2 }, 5), 'stored');
  assert.deepEqual((await b.disk.pages()).map(({ page }) => page), ['r']);
});

test('a setting for which there is no room is kept for as long as the background lives', async () => {
  const b = make({ failing: (name) => (name === 'set' ? full() : null) });
  await b.store.set('muted', ['x']);
  assert.deepEqual(await b.store.get('muted'), ['x']);
});

test('a connection that was closed is opened again and nothing is thrown away', async () => {
  let times = 1;
  const b = make({ failing: (name) => (name === 'commit' && times-- > 0 ? new DOMException('closing', 'InvalidStateError') : null) });
  await b.store.set('muted', ['x']);
  assert.equal(await b.store.commit('p', 1, [out('one')], from, 1), 'stored');
  assert.deepEqual(await b.store.get('muted'), ['x']);
  assert.deepEqual(b.told, []);
});

test('a record that cannot be read is begun anew, and that is said', async () => {
  const name = `lasting-${(n += 1)}`;
  // The version is right and nothing in it is.
  await plant(name, { version: MIGRATIONS.length, stores: { pages: { keyPath: 'page', rows: [] } } });
  const b = make({ disk: indexedStore(name) });
  assert.equal(await b.store.commit('p', 1, [out('one')], from, 1), 'stored');
  assert.deepEqual(await heads(b.store, 'p'), ['one']);
  assert.deepEqual(await heads({ load: b.disk.load }, 'p'), ['one']);
  assert.deepEqual(b.told, ['store-renewed']);
});

test('a record of a newer nbmedic is begun anew', async () => {
  const name = `lasting-${(n += 1)}`;
  await plant(name, { version: MIGRATIONS.length + 7, stores: {} });
  const b = make({ disk: indexedStore(name) });
  assert.equal(await b.store.commit('p', 1, [out('one')], from, 1), 'stored');
  assert.deepEqual(b.told, ['store-renewed']);
});

test('where there is no database at all everything goes on in memory', async () => {
  let opened = 0;
  const b = make({ failing: (name) => ((opened += name === 'rebuild'), broken()) });
  assert.equal(await b.store.commit('p', 1, [out('one')], from, 1), 'stored');
  assert.equal(await b.store.commit('p', 2, [out('two', 1)], from, 1), 'stored');
  await b.store.set('muted', ['x']);
  assert.deepEqual([await heads(b.store, 'p'), await b.store.get('muted'), await b.store.get('other')], [['one', 'two'], ['x'], undefined]);
  assert.deepEqual((await b.store.pages()).map(({ page }) => page), ['p']);
  assert.deepEqual([b.told, opened], [['store-memory'], 2]);
});

test('many calls that fail at once mend it once', async () => {
  const name = `lasting-${(n += 1)}`;
  await plant(name, { version: MIGRATIONS.length, stores: {} });
  const b = make({ disk: indexedStore(name) });
  const outcomes = await Promise.all(Array.from({ length: 8 }, (_, i) => b.store.commit(`p${i}`, 1, [out('one')], from, i)));
  assert.deepEqual(outcomes, Array(8).fill('stored'));
  assert.equal((await b.store.pages()).length, 8);
});

test('a mistake of ours throws nothing away', async () => {
  const b = make();
  await b.store.commit('p', 1, [out('one')], from, 1);
  await assert.rejects(b.store.commit('q', 1, [{ ...out('x'), text: () => {} }], from, 1), /could not be cloned/);
  assert.deepEqual(await heads(b.store, 'p'), ['one']);
});
