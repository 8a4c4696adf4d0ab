import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import test from 'node:test';
import { MIGRATIONS, indexedStore } from '../../extension/background/database.js';
import { resilientStore } from '../../extension/background/resilient-store.js';
import { memoryStore } from '../../extension/background/store.js';
import { plant } from './stored.mjs';

const from = { tab: 1, frame: 0, origin: 'https://notebook.test' };
const out = (text, o = 0) => ({
  t: 'output',
  nb: 'n',
  cell: 'c',
  out: o,
  run: 1,
  kind: 'stream',
  len: text.length,
  head: text,
});
const heads = async (store, page) => (await store.load(page)).map(({ event }) => event.head);
let n = 0;

/** A resilient store over a real one that fails when `failing` says so. */
function make({ disk = indexedStore(`resilient-${(n += 1)}`), failing = () => null } = {}) {
  const reports = [];
  const watched = Object.fromEntries(
    Object.entries(disk).map(([name, method]) => [
      name,
      async (...args) => {
        const error = failing(name, ...args);
        if (error) throw error;
        return method(...args);
      },
    ]),
  );
  const spare = memoryStore();
  return { disk, spare, reports, store: resilientStore(watched, spare, (code) => reports.push(code)) };
}
const full = () => new DOMException('no room', 'QuotaExceededError');
const broken = () => new DOMException('Internal error', 'UnknownError');

test('without room the oldest pages are deleted first, and the new one is stored', async () => {
  let room = 3;
  const b = make({
    failing(name) {
      if (name === 'commit' && room === 0) return full();
      room += { commit: -1, forget: 1 }[name] ?? 0;
      return null;
    },
  });
  for (const [i, page] of ['a', 'b', 'c', 'd'].entries())
    assert.equal(await b.store.commit(page, 1, [out(page)], from, i), 'stored');
  assert.deepEqual((await b.disk.pages()).map(({ page }) => page).sort(), ['b', 'c', 'd']);
  assert.deepEqual(b.reports, []);
});

test('without any room a page is kept in memory from its beginning, and that is reported', async () => {
  let room = 1;
  const b = make({ failing: (name) => (name === 'commit' && room-- <= 0 ? full() : null) });
  assert.equal(await b.store.commit('p', 1, [out('one')], from, 1), 'stored');
  // Its stored part would have a gap, so the sensor starts again.
  assert.equal(await b.store.commit('p', 2, [out('two', 1)], from, 2), 'gap');
  assert.deepEqual(await b.disk.pages(), []);
  assert.equal(await b.store.commit('q', 1, [out('one')], from, 3), 'stored');
  assert.equal(await b.store.commit('q', 2, [out('two', 1)], from, 4), 'stored');
  await b.store.keep('q', [{ t: 'memory', nb: 'n' }], 4);
  assert.deepEqual(await heads(b.store, 'q'), ['one', 'two', undefined]);
  assert.deepEqual(
    (await b.store.pages()).map(({ page }) => page),
    ['q'],
  );
  assert.deepEqual(await b.disk.load('q'), []);
  await b.store.forget('q');
  assert.deepEqual(await b.store.pages(), []);
  assert.ok(b.reports.length && b.reports.every((code) => code === 'store-full'));
});

test('a page without room does not keep starting again', async () => {
  // Its first batch is small enough, every time.
  const b = make({ failing: (name, _page, seq) => (name === 'commit' && seq > 1 ? full() : null) });
  assert.equal(await b.store.commit('p', 1, [out('one')], from, 1), 'stored');
  assert.equal(await b.store.commit('p', 2, [out('two', 1)], from, 2), 'gap');
  assert.equal(await b.store.commit('q', 1, [out('one')], from, 3), 'stored');
  assert.equal(await b.store.commit('q', 2, [out('two', 1)], from, 4), 'stored');
  assert.deepEqual(await heads(b.store, 'q'), ['one', 'two']);
  // Another frame tries the disk first.
  assert.equal(await b.store.commit('r', 1, [out('one')], { ...from, tab: 2 }, 5), 'stored');
  assert.deepEqual(
    (await b.disk.pages()).map(({ page }) => page),
    ['r'],
  );
});

test('two tabs that need more room than there is do not evict each other forever', async () => {
  // Room for one page.
  const on = new Set();
  let evicted = 0;
  const b = make({
    failing(name, page, seq) {
      if (name === 'forget') evicted += on.delete(page);
      // A batch that is not a page's next one is not written.
      if (name !== 'commit' || (seq > 1 && !on.has(page))) return null;
      if (on.size && !on.has(page)) return full();
      on.add(page);
      return null;
    },
  });
  const tabs = [1, 2].map((tab) => ({ tab, life: 0, seq: 0, begun: 0 }));
  for (let round = 0; round < 30; round += 1) {
    for (const one of tabs) {
      if (!one.seq) {
        one.life += 1;
        one.begun += 1;
      }
      one.seq += 1;
      const outcome = await b.store.commit(
        `${one.tab}-${one.life}`,
        one.seq,
        [out(`${round}`, round)],
        { ...from, tab: one.tab },
        round,
      );
      // A sensor that is asked to start again does so under another id.
      if (outcome === 'gap') one.seq = 0;
    }
  }
  assert.deepEqual([evicted, tabs.map(({ begun }) => begun)], [1, [2, 1]]);
  assert.deepEqual(b.reports, ['store-full']);
});

test('a lack of room is reported once, even if the report is itself a write that fails', async () => {
  let reported = 0;
  const { disk, spare } = make();
  const store = resilientStore(
    {
      ...disk,
      set: async () => {
        throw full();
      },
    },
    spare,
    (code) => {
      reported += 1;
      assert.ok(reported < 20, 'an end');
      void store.set('troubles', [code]);
    },
  );
  await store.set('muted', ['x']);
  await new Promise((done) => {
    setTimeout(done, 50);
  });
  assert.equal(reported, 1);
  assert.deepEqual(await store.get('troubles'), ['store-full']);
  // It worked in between, so the next failure is news.
  await store.commit('p', 1, [out('one')], from, 1);
  await store.set('muted', ['y']);
  await new Promise((done) => {
    setTimeout(done, 50);
  });
  assert.equal(reported, 2);
});

test('a record that breaks repeatedly is recreated three times, then memory is used', async () => {
  let fresh = 0;
  let working = 0;
  const b = make({
    failing(name, arg) {
      if (name === 'rebuild' && arg) {
        fresh += 1;
        working = 1;
      }
      if (name !== 'commit' || working-- > 0) return null;
      return broken();
    },
  });
  for (let i = 0; i < 12; i += 1) await b.store.commit(`p${i}`, 1, [out('one')], { ...from, tab: i }, i);
  assert.deepEqual([fresh, b.reports], [3, ['store-renewed', 'store-memory']]);
  assert.equal((await b.store.pages()).length, 9, 'from the fourth time on in memory');
});

test('a setting that cannot be stored is kept as long as the background lives', async () => {
  const b = make({ failing: (name) => (name === 'set' ? full() : null) });
  await b.store.set('muted', ['x']);
  assert.deepEqual(await b.store.get('muted'), ['x']);
});

test('a closed connection is reopened and nothing is discarded', async () => {
  let times = 1;
  const b = make({
    failing: (name) => (name === 'commit' && times-- > 0 ? new DOMException('closing', 'InvalidStateError') : null),
  });
  await b.store.set('muted', ['x']);
  assert.equal(await b.store.commit('p', 1, [out('one')], from, 1), 'stored');
  assert.deepEqual(await b.store.get('muted'), ['x']);
  assert.deepEqual(b.reports, []);
});

test('an unreadable record is recreated, and that is reported', async () => {
  const name = `resilient-${(n += 1)}`;
  // The version is right, but the content is not.
  await plant(name, { version: MIGRATIONS.length, stores: { pages: { keyPath: 'page', rows: [] } } });
  const b = make({ disk: indexedStore(name) });
  assert.equal(await b.store.commit('p', 1, [out('one')], from, 1), 'stored');
  assert.deepEqual(await heads(b.store, 'p'), ['one']);
  assert.deepEqual(await heads({ load: b.disk.load }, 'p'), ['one']);
  assert.deepEqual(b.reports, ['store-renewed']);
});

test('a record of a newer nbmedic is recreated', async () => {
  const name = `resilient-${(n += 1)}`;
  await plant(name, { version: MIGRATIONS.length + 7, stores: {} });
  const b = make({ disk: indexedStore(name) });
  assert.equal(await b.store.commit('p', 1, [out('one')], from, 1), 'stored');
  assert.deepEqual(b.reports, ['store-renewed']);
});

test('without a database everything is kept in memory', async () => {
  let opened = 0;
  const b = make({ failing: (name) => ((opened += name === 'rebuild'), broken()) });
  assert.equal(await b.store.commit('p', 1, [out('one')], from, 1), 'stored');
  assert.equal(await b.store.commit('p', 2, [out('two', 1)], from, 1), 'stored');
  await b.store.set('muted', ['x']);
  assert.deepEqual(
    [await heads(b.store, 'p'), await b.store.get('muted'), await b.store.get('other')],
    [['one', 'two'], ['x'], undefined],
  );
  assert.deepEqual(
    (await b.store.pages()).map(({ page }) => page),
    ['p'],
  );
  assert.deepEqual([b.reports, opened], [['store-memory'], 2]);
});

test('many calls that fail at the same time repair the record once', async () => {
  const name = `resilient-${(n += 1)}`;
  await plant(name, { version: MIGRATIONS.length, stores: {} });
  const b = make({ disk: indexedStore(name) });
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, i) => b.store.commit(`p${i}`, 1, [out('one')], from, i)),
  );
  assert.deepEqual(outcomes, Array(8).fill('stored'));
  assert.equal((await b.store.pages()).length, 8);
});

test('a programming error discards nothing', async () => {
  const b = make();
  await b.store.commit('p', 1, [out('one')], from, 1);
  await assert.rejects(b.store.commit('q', 1, [{ ...out('x'), text: () => {} }], from, 1), /could not be cloned/);
  assert.deepEqual(await heads(b.store, 'p'), ['one']);
});

test('tasks that fail together repair the record once, and none discards what another wrote', async () => {
  const name = `resilient-${(n += 1)}`;
  const disk = indexedStore(name);
  let broken = true;
  let late = 0;
  let fresh = 0;
  const failing = new DOMException('x', 'UnknownError');
  const store = resilientStore(
    {
      ...disk,
      async get(key) {
        if (!broken) return disk.get(key);
        // One task notices the second failure after another has repaired the record.
        if (key === 'late' && (late += 1) === 2) await new Promise((done) => setTimeout(done, 50));
        throw failing;
      },
      async rebuild(anew) {
        if (anew) {
          fresh += 1;
          broken = false;
        }
        await disk.rebuild(anew);
      },
    },
    memoryStore(),
    () => {},
  );
  await Promise.all([store.get('a').then(() => store.set('kept', 1)), store.get('b'), store.get('late')]);
  assert.deepEqual([fresh, await store.get('kept')], [1, 1]);
});
