import assert from 'node:assert/strict';
import test from 'node:test';
import { Settings, muted } from '../../extension/background/settings.js';
import { memoryStore } from '../../extension/background/store.js';
import { background, FakeEngine, from, out } from './fake-background.mjs';
import { until } from './page.mjs';

const cards = (reply) => reply.effects.filter(({ t }) => t === 'card').map(({ card, tree }) => `${card} ${tree.text}`);

test('a batch is answered with its cards, prose is fetched once, the badge shows the count', async () => {
  const b = background();
  const reply = await b.pages.events({ page: 'p', seq: 1, events: [out('bad 1')] }, from);
  assert.equal(reply.ack, 1);
  assert.deepEqual(cards(reply), ['k0 bad 1']);
  assert.equal(
    reply.effects.some(({ t }) => t === 'badge' || t === 'need'),
    false,
  );
  await b.pages.events({ page: 'p', seq: 2, events: [out('bad 2', 1)] }, from);
  assert.deepEqual(b.fetched, ['oops']);
  assert.deepEqual(b.badges.at(-1), [7, { count: 2, news: true, isPrivate: false }]);
});

test('a repeated batch changes nothing and is answered with everything', async () => {
  const b = background();
  await b.pages.events({ page: 'p', seq: 1, events: [out('bad 1')] }, from);
  const again = await b.pages.events({ page: 'p', seq: 1, events: [out('bad 1')] }, from);
  assert.equal(again.ack, 1);
  assert.equal(again.full, true);
  assert.deepEqual(cards(again), ['k0 bad 1']);
  assert.equal(b.engine.pages.get('p').length, 1);
});

test('a background that was stopped continues from the store', async () => {
  const store = memoryStore();
  await background({ store }).pages.events({ page: 'p', seq: 1, events: [out('bad 1'), out('good', 1)] }, from);
  const b = background({ store });
  const reply = await b.pages.events({ page: 'p', seq: 2, events: [out('bad 2', 2)] }, from);
  assert.equal(reply.full, true);
  assert.deepEqual(cards(reply), ['k0 bad 1', 'k2 bad 2']);
  // Replayed in order, with the batches' original times.
  const times = b.engine.pages.get('p').map(({ now }) => now);
  assert.deepEqual(
    times,
    [...times].sort((x, y) => x - y),
  );
  assert.deepEqual(
    b.engine.pages.get('p').map(({ event }) => event.head),
    ['bad 1', 'good', 'bad 2'],
  );
  assert.equal(b.engine.said, 2, 'it says what holds after the last batch, and again with the explanation');
});

test('a background that was stopped loads what its cards need, and Python is read again only without stored answers', async () => {
  const step = { ...out('step 2', 1), kind: 'stream' };
  const judged = { t: 'judged', nb: 'n', cell: 'c', of: '', found: '[]', prose: ['oops'] };
  const answered = { t: 'answered', nb: 'n', cell: 'c', of: '', text: '[]' };
  for (const [found, python] of [
    [[judged], 1],
    [[judged, answered], 0],
    [[{ ...judged, found: '' }], 0],
  ]) {
    const store = memoryStore();
    await background({ store }).pages.events({ page: 'p', seq: 1, events: [out('good')] }, from);
    await store.keep('p', found, 5);
    const b = background({ store });
    await b.pages.events({ page: 'p', seq: 2, events: [step] }, from);
    assert.deepEqual([b.python, b.fetched], [python, found[0].found ? ['oops'] : []]);
    // After the answer it is loaded where something failed before.
    if (found[0].found) await until(() => b.python === 1);
    // What was found comes before what it was found in.
    assert.deepEqual(
      b.engine.pages.get('p').map(({ event }) => event.t),
      [...found.map(({ t }) => t), 'output', 'output'],
    );
  }
  // A failure needs it too.
  const b = background();
  await b.pages.events({ page: 'p', seq: 1, events: [out('good')] }, from);
  assert.equal(b.python, 1);
});

test('a background that was stopped answers at once, and says what needs Python when it is asked for the rest', async () => {
  const store = memoryStore();
  await background({ store }).pages.events({ page: 'p', seq: 1, events: [out('bad cured')] }, from);
  const step = { ...out('step 2', 1), kind: 'stream' };
  const wake = async () => {
    const b = background({ store });
    const reply = await b.pages.events({ page: 'p', seq: 2, events: [step] }, from);
    assert.deepEqual(reply, { ack: 2, effects: [], more: true });
    assert.deepEqual([b.python, b.badges], [0, []]);
    return b;
  };
  const b = await wake();
  const rest = await b.pages.rest('p', from);
  assert.deepEqual([rest.full, cards(rest)], [true, ['k0 bad cured']]);
  assert.deepEqual([b.python, b.badges.length], [1, 1]);
  assert.equal((await b.pages.rest('p', from)).full, undefined, 'said once');
  // The next batch says it, if that comes first.
  store.forget('p');
  await background({ store }).pages.events({ page: 'p', seq: 1, events: [out('bad cured')] }, from);
  const c = await wake();
  const next = await c.pages.events({ page: 'p', seq: 3, events: [{ ...out('bad 3', 2), kind: 'stream' }] }, from);
  assert.deepEqual([next.full, cards(next)], [true, ['k0 bad cured', 'k2 bad 3']]);
  // A background that was stopped in between replays the record.
  const d = background({ store });
  assert.deepEqual(cards(await d.pages.rest('p', from)), ['k0 bad cured', 'k2 bad 3']);
  assert.deepEqual(await d.pages.rest('p', { ...from, tab: 8 }), { effects: [] }, 'another tab');
  // A failure is answered with its cure.
  const e = background({ store });
  const failure = await e.pages.events({ page: 'p', seq: 4, events: [out('bad 4', 3)] }, from);
  assert.deepEqual([failure.full, failure.more, failure.effects.length], [true, undefined, 4]);
});

test('a batch that does not follow the record leaves no page behind', async () => {
  const store = memoryStore();
  await background({ store }).pages.events({ page: 'p', seq: 1, events: [out('bad 1')] }, from);
  const b = background({ store });
  assert.deepEqual(await b.pages.events({ page: 'p', seq: 4, events: [out('bad', 1)] }, from), { resync: true });
  assert.equal(b.engine.knows('p'), false);
  const again = await b.pages.events({ page: 'p', seq: 1, events: [out('bad 1')] }, from);
  assert.deepEqual([again.full, cards(again)], [true, ['k0 bad 1']]);
});

test('an unknown page is asked to start again', async () => {
  const b = background();
  assert.deepEqual(await b.pages.events({ page: 'p', seq: 4, events: [out('bad')] }, from), { resync: true });
});

test('an engine that fails is restarted and continues from the store', async () => {
  const b = background();
  await b.pages.events({ page: 'q', seq: 1, events: [out('bad 1')] }, { ...from, tab: 8 });
  const reply = await b.pages.events({ page: 'p', seq: 1, events: [out('panic once'), out('bad 2', 1)] }, from);
  assert.deepEqual([reply.ack, reply.full, cards(reply)], [1, true, ['k1 bad 2']]);
  assert.deepEqual(await b.codes(), ['engine-stopped over']);
  // The new engine produces the other page's cards.
  const other = await b.pages.events({ page: 'q', seq: 2, events: [out('bad 3', 1)] }, { ...from, tab: 8 });
  assert.deepEqual(cards(other), ['k0 bad 1', 'k1 bad 3']);
  assert.equal(b.started, 2);
});

test('an engine that fails again never prevents the acknowledgement; the page is left alone until the user asks', async () => {
  const b = background();
  for (let seq = 1; seq <= 6; seq += 1) {
    const reply = await b.pages.events({ page: 'p', seq, events: [out('panic')] }, from);
    assert.deepEqual([reply.ack, reply.effects, reply.trouble], [seq, [], 'engine-left']);
  }
  assert.equal(b.started, 2);
  const { pages, troubles } = await b.pages.status(7);
  assert.equal(pages[0].tree, null);
  assert.deepEqual(
    troubles.map(({ code, over, detail }) => [code, over, detail]),
    [['engine-left', false, 'RuntimeError: unreachable']],
  );
  assert.deepEqual(b.badges.at(-1), [7, { trouble: true }]);
  await b.pages.again(7);
  assert.deepEqual(await b.codes(), ['engine-left over']);
  assert.deepEqual(cards(await b.pages.events({ page: 'p', seq: 7, events: [{ ...out('bad') }] }, from)), ['k0 bad']);
});

test('an engine that does not start is reported and retried', async () => {
  let ready = false;
  const b = background({
    async start() {
      if (!ready) throw new TypeError('Failed to fetch');
      return new FakeEngine();
    },
  });
  assert.equal((await b.pages.events({ page: 'p', seq: 1, events: [out('bad 1')] }, from)).trouble, 'engine-missing');
  assert.match((await b.codes())[0], /^engine-missing/);
  ready = true;
  b.clock += 60_000;
  // Texts that could not be redacted were not stored, so the page is read again.
  assert.deepEqual(await b.pages.events({ page: 'p', seq: 2, events: [] }, from), { resync: true });
  assert.deepEqual(cards(await b.pages.events({ page: 'r', seq: 1, events: [out('bad 1')] }, from)), ['k0 bad 1']);
  assert.match((await b.codes())[0], /^engine-missing over/);
});

test('an engine that does not start is retried less and less often', async () => {
  const b = background({
    start: async () => {
      throw new TypeError('Failed to fetch');
    },
  });
  for (let seq = 1; seq <= 200; seq += 1) {
    assert.equal((await b.pages.events({ page: 'p', seq, events: [out('bad')] }, from)).ack, seq);
    b.clock += 500;
  }
  // 100 seconds of a notebook that prints.
  assert.ok(b.started >= 4 && b.started <= 8, `${b.started} starts`);
  b.clock += 60_000;
  const before = b.started;
  await b.pages.events({ page: 'p', seq: 201, events: [out('bad')] }, from);
  assert.equal(b.started, before + 1);
});

test('a page that can never continue is read again less and less often', async () => {
  const b = background();
  let asked = 0;
  for (let i = 0; i < 1000; i += 1) {
    const reply = await b.pages.events({ page: `p${i}`, seq: 2, events: [out('bad')] }, from);
    // No answer: the sensor sends the same batch again, later each time.
    assert.deepEqual(reply, reply.resync ? { resync: true } : {});
    asked += reply.resync ? 1 : 0;
    b.clock += 600;
  }
  assert.ok(asked >= 5 && asked <= 10, `${asked} times in ten minutes`);
  // Another tab is not delayed, and after a quiet time neither is this one.
  assert.deepEqual(await b.pages.events({ page: 'q', seq: 2, events: [] }, { ...from, tab: 8 }), { resync: true });
  b.clock += 10 * 60_000;
  for (const page of ['r', 's'])
    assert.deepEqual(await b.pages.events({ page, seq: 2, events: [] }, from), { resync: true });
});

test('an engine that fails during redaction leaves the page alone, and nothing of the page is stored', async () => {
  const store = memoryStore();
  const b = background({ store });
  const first = await b.pages.events({ page: 'p', seq: 1, events: [out('trap hf_secret')] }, from);
  assert.deepEqual([first.ack, first.trouble, b.started], [1, 'engine-left', 2]);
  for (let seq = 2; seq < 8; seq += 1)
    assert.equal((await b.pages.events({ page: 'p', seq, events: [out('bad')] }, from)).trouble, 'engine-left');
  assert.equal(b.started, 2);
  assert.deepEqual(
    (await store.load('p')).map(({ event }) => event.head),
    [undefined],
  );
  assert.deepEqual(await b.codes(), ['engine-left']);
});

test('an engine that fails once during redaction continues', async () => {
  const b = background();
  const reply = await b.pages.events({ page: 'p', seq: 1, events: [out('bad trap once')] }, from);
  assert.deepEqual([reply.ack, cards(reply), await b.codes()], [1, ['k0 bad trap once'], ['engine-stopped over']]);
});

for (const [what, prose] of [
  [
    'missing',
    async () => {
      throw new TypeError('Failed to fetch');
    },
  ],
  ['cut short', async () => '{"ti'],
]) {
  test(`prose that is ${what} costs its card and nothing else`, async () => {
    const b = background({ prose });
    const reply = await b.pages.events({ page: 'p', seq: 1, events: [out('bad 1')] }, from);
    assert.deepEqual([reply.ack, reply.trouble, b.started], [1, undefined, 1]);
    await b.pages.events({ page: 'p', seq: 2, events: [out('bad 2', 1)] }, from);
    assert.deepEqual(b.fetched, ['oops']);
    assert.deepEqual(
      (await b.troubles.of(7)).map(({ code, id }) => [code, id]),
      [['prose-missing', 'oops']],
    );
  });
}

test('failures are stored for the next background, without page content; not from a private window', async () => {
  const store = memoryStore();
  const b = background({ store });
  await b.troubles.record('failed', new SyntaxError('Unexpected token in "hf_secret"'), { tab: 7 });
  await b.troubles.record('engine-stopped', new WebAssembly.RuntimeError('unreachable'), { tab: 9, isPrivate: true });
  assert.deepEqual(
    b.saved.map(({ code, detail }) => [code, detail]),
    [['failed', 'SyntaxError: Unexpected token in "[token]"']],
  );
  assert.deepEqual(await b.codes(9), ['engine-stopped']);
  const next = background({ store });
  assert.deepEqual([await next.codes(), await next.codes(9)], [['failed'], []]);
  next.clock += 25 * 3600 * 1000;
  assert.deepEqual(await next.codes(), []);
});

test('after a browser start the pages of the last run are forgotten, but not newer ones', async () => {
  const b = background();
  await b.pages.events({ page: 'old', seq: 1, events: [out('bad')] }, from);
  const before = b.clock + 1;
  b.clock += 10;
  await b.pages.events({ page: 'new', seq: 1, events: [out('bad')] }, { ...from, tab: 8 });
  await b.pages.started(before);
  assert.deepEqual([(await b.pages.ofTab(7)).length, (await b.pages.ofTab(8)).length], [0, 1]);
});

test('pages of a revoked address are forgotten and listed', async () => {
  const b = background();
  await b.pages.events({ page: 'p', seq: 1, events: [out('bad')] }, from);
  await b.pages.events(
    { page: 'q', seq: 1, events: [out('bad')] },
    { ...from, tab: 8, frame: 4, origin: 'http://other.test' },
  );
  assert.deepEqual(await b.pages.revoked(async (origin) => origin === from.origin), [{ tab: 8, frame: 4 }]);
  assert.deepEqual([(await b.pages.ofTab(7)).length, (await b.pages.ofTab(8)).length], [1, 0]);
  assert.deepEqual(b.badges.at(-1), [8, {}]);
});

test('what is muted in a private window’s popup is not stored', async () => {
  const store = memoryStore();
  const b = background({ store });
  await b.pages.events({ page: 'p', seq: 1, events: [out('bad')] }, { ...from, isPrivate: true });
  await b.pages.mute(7, 'oops');
  assert.equal(await store.get('muted'), undefined);
});

test('everything can be forgotten', async () => {
  const b = background();
  await b.pages.events({ page: 'p', seq: 1, events: [out('bad')] }, from);
  assert.equal((await b.pages.usage()).pages, 1);
  assert.deepEqual(await b.pages.forgetAll(), [7]);
  assert.deepEqual(await b.pages.usage(), { pages: 0, size: 0 });
});

test('secrets are not stored; in a private window nothing is, and the text stays as it is', async () => {
  const store = memoryStore();
  const b = background({ store });
  await b.pages.events({ page: 'p', seq: 1, events: [out('bad hf_secret')] }, from);
  assert.deepEqual(
    (await store.load('p')).map(({ event }) => event.head),
    ['bad [token]'],
  );
  await b.pages.events({ page: 's', seq: 1, events: [out('bad hf_secret')] }, { ...from, isPrivate: true });
  assert.deepEqual(await store.load('s'), []);
});

test('what the engine asks to keep is replayed', async () => {
  const store = memoryStore();
  await background({ store }).pages.events({ page: 'p', seq: 1, events: [{ ...out('bad 1'), keep: true }] }, from);
  const b = background({ store });
  await b.pages.events({ page: 'p', seq: 2, events: [out('bad 2', 1)] }, from);
  assert.deepEqual(
    b.engine.pages.get('p').map(({ event }) => event.of ?? event.head),
    ['bad 1', 'bad 1', 'bad 2'],
  );
});

test('what the engine remembers of a page is passed to the page that replaces it', async () => {
  const b = background();
  const bad = { ...out('bad 1'), keep: true };
  await b.pages.events({ page: 'p', seq: 1, events: [bad] }, from);
  for (const [page, place, told] of [
    ['elsewhere', { ...from, tab: 8 }, false],
    ['p2', from, true],
    ['p3', { ...from, origin: 'https://other.test' }, false],
  ]) {
    await b.pages.arrived(page, place, true);
    await b.pages.events({ page, seq: 1, events: [out('bad 2')] }, place);
    const seen = b.engine.pages.get(page).map(({ event }) => event);
    assert.equal(
      seen.some(({ t, old }) => t === 'memory' && old === true),
      told,
      page,
    );
  }
});

test('every page that starts is told about muted diagnoses', async () => {
  const b = background();
  await b.pages.mute(7, 'oops', '');
  await b.pages.events({ page: 'q', seq: 1, events: [out('bad')] }, { ...from, tab: 8 });
  assert.deepEqual(
    b.engine.pages.get('q').map(({ event }) => event.id ?? event.head),
    ['oops', 'bad'],
  );
});

test('private pages are kept apart from the store', async () => {
  const store = memoryStore();
  const b = background({ store });
  await b.pages.events({ page: 'p', seq: 1, events: [out('bad')] }, { ...from, isPrivate: true });
  assert.deepEqual(await store.pages(), []);
  assert.equal((await b.pages.status(7)).pages.length, 1);
});

test('a new document replaces the tab’s pages', async () => {
  const b = background();
  await b.pages.events({ page: 'top', seq: 1, events: [out('bad')] }, from);
  await b.pages.events({ page: 'frame', seq: 1, events: [out('bad')] }, { ...from, frame: 3 });
  assert.equal(b.badges.at(-1)[1].count, 2);
  await b.pages.arrived('frame2', { ...from, frame: 3 }, Infinity);
  assert.deepEqual(
    (await b.pages.ofTab(7)).map(({ page }) => page),
    ['top'],
  );
  await b.pages.events({ page: 'frame3', seq: 1, events: [out('bad')] }, { ...from, frame: 3 });
  const [{ at }] = await b.pages.ofTab(7);
  await b.pages.arrived('top2', from, at);
  assert.deepEqual(
    (await b.pages.ofTab(7)).map(({ page }) => page),
    ['frame3'],
    'a frame of the new document may have come first',
  );
  await b.pages.arrived('top3', from, at + 1);
  assert.deepEqual(await b.pages.ofTab(7), []);
  assert.deepEqual(b.badges.at(-1), [7, {}]);
});

test('a sensor gets the report of its own page only', async () => {
  const b = background();
  await b.pages.events({ page: 'p', seq: 1, events: [out('bad')] }, from);
  await b.pages.events({ page: 'q', seq: 1, events: [out('bad')] }, { ...from, tab: 8 });
  assert.equal((await b.pages.report({ page: 'p', format: 'markdown' }, from)).text, 'markdown of p: 1');
  assert.equal((await b.pages.report({ page: 'q', format: 'markdown' }, from)).text, null);
});

test('a draft is for the newest page of a tab, or for the requested one', async () => {
  const b = background();
  await b.pages.events({ page: 'p', seq: 1, events: [out('bad')] }, from);
  await b.pages.events({ page: 'q', seq: 1, events: [out('bad')] }, { ...from, frame: 4 });
  const wanted = { format: 'json', back: [7] };
  const newest = await b.pages.draft({ tab: 7, page: '', wanted });
  assert.equal(newest.draft.text, '{"format":"json","back":[7]} of q');
  assert.deepEqual([newest.page, newest.pages.map(({ page }) => page)], ['q', ['q', 'p']]);
  assert.equal((await b.pages.draft({ tab: 7, page: 'p', wanted })).draft.text, '{"format":"json","back":[7]} of p');
  assert.deepEqual(await b.pages.draft({ tab: 9, page: '', wanted }).then(({ draft, pages }) => [draft, pages]), [
    null,
    [],
  ]);
});

/** The history's content, once all pending work is done. */
async function past(b, store) {
  await b.pages.draft({ tab: 7, page: '', wanted: {} });
  return (await store.past()).map(({ title }) => title).sort();
}

test('a finding enters the history once and outlives its page', async () => {
  const store = memoryStore();
  const b = background({ store });
  await b.pages.events({ page: 'p', seq: 1, events: [out('bad 1')] }, from);
  await b.pages.events({ page: 'p', seq: 2, events: [out('bad 2', 1), out('good', 2)] }, from);
  assert.deepEqual(await past(b, store), ['bad 1', 'bad 2']);
  await b.pages.started(Infinity);
  assert.deepEqual(await store.pages(), []);
  assert.deepEqual(await past(b, store), ['bad 1', 'bad 2']);
  await b.pages.events({ page: 'p2', seq: 1, events: [out('bad 1')] }, from);
  assert.equal((await past(b, store)).length, 2, 'the same thing is known');
});

test('what solved a finding enters the history, also after an earlier part of it was erased', async () => {
  const store = memoryStore();
  const b = background({ store });
  const timed = (text, at, o) => ({ ...out(text, o), at });
  await b.pages.events({ page: 'p', seq: 1, events: [timed('bad old', 900)] }, from);
  await past(b, store);
  await b.pages.forgetPast();
  const later = b.clock + 50;
  await b.pages.events({ page: 'p', seq: 2, events: [timed('bad new', later, 1)] }, from);
  const over = [
    { ...timed('bad old', 900), solved: true },
    { ...timed('bad new', later, 1), solved: true },
  ];
  await b.pages.events({ page: 'p', seq: 3, events: over }, from);
  assert.deepEqual(await past(b, store), ['bad new'], 'what was erased is not there to be solved');
  const [row] = await store.past();
  assert.deepEqual(row.solved, { by: 'cell 2', how: 'changed' });
});

test('nothing from a private window enters the history', async () => {
  const store = memoryStore();
  const b = background({ store });
  await b.pages.events({ page: 'p', seq: 1, events: [out('bad')] }, { ...from, isPrivate: true });
  assert.deepEqual(await past(b, store), []);
  assert.deepEqual(await store.past(), []);
});

test('open pages do not bring back what was erased', async () => {
  const store = memoryStore();
  const b = background({ store });
  const timed = (text, at, o) => ({ ...out(text, o), at });
  await b.pages.events({ page: 'p', seq: 1, events: [out('bad old'), timed('bad run', 900, 1)] }, from);
  assert.equal((await past(b, store)).length, 2);
  await b.pages.forgetPast();
  assert.deepEqual(await past(b, store), []);
  await b.pages.events({ page: 'p', seq: 2, events: [timed('bad new', b.clock + 50, 2)] }, from);
  assert.deepEqual(await past(b, store), ['bad new']);
  const next = background({ store });
  next.clock = b.clock + 100;
  await next.pages.events({ page: 'p', seq: 3, events: [timed('bad later', next.clock, 3)] }, from);
  assert.deepEqual(await past(next, store), ['bad later', 'bad new'], 'also of a background that starts anew');
});

test('a history that can’t be written does not prevent cards', async () => {
  const store = {
    ...memoryStore(),
    note: async () => {
      throw new TypeError('no');
    },
  };
  const b = background({ store });
  assert.deepEqual(cards(await b.pages.events({ page: 'p', seq: 1, events: [out('bad 1')] }, from)), ['k0 bad 1']);
  assert.deepEqual(cards(await b.pages.events({ page: 'p', seq: 2, events: [out('bad 2', 1)] }, from)), [
    'k0 bad 1',
    'k1 bad 2',
  ]);
});

test('the warning limits are sent before anything else of a page, also after the engine stopped', async () => {
  const store = memoryStore();
  for (let run = 1; run <= 2; run += 1) {
    const b = background({ store });
    await b.pages.events({ page: 'p', seq: run, events: [out('bad 1')] }, from);
    assert.deepEqual(b.engine.limits, { t: 'limits', memory: 5 });
  }
});

test('a muted cell is kept with a line of its code, and can be shown again', async () => {
  const store = memoryStore();
  const b = background({ store });
  await b.pages.events({ page: 'p', seq: 1, events: [out('bad 1')] }, from);
  await b.pages.mute(7, '@12', 'fit(model)');
  await b.pages.mute(7, 'oops', '');
  assert.deepEqual(await muted(store), [
    { id: '@12', name: 'fit(model)' },
    { id: 'oops', name: '' },
  ]);
  await b.pages.unmute('@12');
  assert.deepEqual(await muted(store), [{ id: 'oops', name: '' }]);
});

test('invalid settings are replaced by the defaults', async () => {
  const store = memoryStore();
  const settings = new Settings(store);
  await settings.change({
    theme: 'pink',
    off: ['https://a.example', 'javascript:alert(1)', 7],
    limits: { quiet: 'yes', memory: -1, disk: 1e9, full: 75, unsaved: 1.5 },
  });
  assert.deepEqual(await new Settings(store).all(), {
    theme: 'system',
    off: ['https://a.example'],
    limits: { quiet: false, memory: 15, disk: 30, full: 75, unsaved: 90 },
  });
  await settings.turn(['https://a.example', 'https://b.example'], false);
  assert.deepEqual([await settings.isOff('https://b.example'), (await settings.all()).off.length], [true, 2]);
  await settings.turn(['https://a.example'], true);
  assert.equal(await settings.isOff('https://a.example'), false);
});

test('the panel is rebuilt when something happened or a cell runs, otherwise reused', async () => {
  const b = background();
  const shown = async () => JSON.parse((await b.pages.panel(7)).sessions[0])[0].at;
  await b.pages.events({ page: 'p', seq: 1, events: [out('fine')] }, from);
  const first = await shown();
  assert.equal(await shown(), first);
  await b.pages.events({ page: 'p', seq: 2, events: [out('more')] }, from);
  const second = await shown();
  assert.ok(second > first);
  assert.equal(await shown(), second);
  await b.pages.mute(7, 'oops', '');
  assert.ok((await shown()) > second);
  const cell = (state) => ({ t: 'cell', nb: 'n', cell: 'c', index: 0, state, count: null, run: 1 });
  await b.pages.events({ page: 'p', seq: 3, events: [cell('running')] }, from);
  const third = await shown();
  assert.ok((await shown()) > third);
  // After a restart of the engine, running cells are known again.
  b.pages.parts.engine.reset();
  const fourth = await shown();
  assert.ok((await shown()) > fourth);
  await b.pages.events({ page: 'p', seq: 4, events: [cell('done')] }, from);
  const fifth = await shown();
  assert.equal(await shown(), fifth);
});
