// Ends the background at random moments of a streamed session: nothing acknowledged is lost, nothing is duplicated.
// NBMEDIC_KILLS sets how often (200 takes an afternoon), NBMEDIC_SEED repeats a run.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { card, cards, settled } from './harness/cards.mjs';
import { BROWSERS, RETRY_MS, startSession } from './harness/session.mjs';
import { patience, until } from './harness/wait.mjs';
import { addWitness, witness } from './harness/witness.mjs';

const KILLS = Number(process.env.NBMEDIC_KILLS ?? 10);
const SEED = Number(process.env.NBMEDIC_SEED ?? Date.now() % 2 ** 31);
const [HTML, SCRIPT, OTHER] = ['eG6nRa1vUs7w', 'bM2yXc9tPz4i', 'yL1cQw6bEi9m'];
/** Time between two ends, in milliseconds: before the background is up, during a batch, and after an answer. */
const LEAST = 20;
const MOST = { chrome: 900, firefox: 2500 };

/** At least as many logs are streamed, and how long the page takes for one, in milliseconds. */
const LOGS = 4;
const LOG_MS = 1700;
/** Mulberry32: the same numbers for the same seed on every machine. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The store's slot of an event, for the events of this session. */
const slot = (e) => [e.t, e.nb, e.cell, e.out, e.id, e.source].filter((part) => part !== undefined).join(' ');

for (const kind of BROWSERS) {
  describe(`the background is ended ${KILLS} times in ${kind}`, () => {
    let session;
    let page;
    before(async () => {
      session = await startSession(kind, { attach: false, change: addWitness });
      page = await session.colab();
    });
    after(() => session?.close());

    test('nothing acknowledged is lost, nothing is duplicated', async (t) => {
      const next = random(SEED);
      await page.evaluate((id) => window.replica.run(id), HTML);
      const first = await card(page, HTML);
      await page.evaluate((id) => {
        const { trainingLog, SCRIPT_TRACEBACK } = window.replica;
        window.over = false;
        window.streamed = 0;
        const done = () => {
          window.streamed += 1;
        };
        // One log after the other in the same run, until the test has seen enough ends.
        const steps = {
          *[Symbol.iterator]() {
            while (!window.over) {
              yield { stream: trainingLog(2, 20), rate: 60, odd: true };
              done();
            }
            yield { stream: SCRIPT_TRACEBACK, rate: 60, odd: true };
          },
        };
        window.ended = false;
        window.replica.run(id, steps).then(() => {
          window.ended = true;
        });
      }, SCRIPT);
      let ends = 0;
      const began = Date.now();
      const spent = patience();
      while (ends < KILLS) {
        assert.ok(spent() < 60_000 + KILLS * 10_000, `${ends} of ${KILLS} ends`);
        await new Promise((done) => {
          setTimeout(done, LEAST + next() * (MOST[kind] - LEAST));
        });
        ends += await session.stopBackground();
      }
      const seconds = Math.round((Date.now() - began) / 1000);
      // The ends may come fast, and the page be slow.
      await until('enough is streamed', () => page.evaluate((least) => window.streamed >= least, LOGS), {
        clock: LOGS * LOG_MS,
      });
      await page.evaluate(() => {
        window.over = true;
      });
      await until('the stream is over', () => page.evaluate(() => window.ended), { clock: LOG_MS });
      await card(page, SCRIPT, 'gpu-oom', { says: /14\.7\d* GiB/, clock: RETRY_MS });
      await settled(page, OTHER);
      assert.deepEqual(
        (await cards(page)).map((c) => [c.cell, c.id]),
        [
          [SCRIPT, 'gpu-oom'],
          [HTML, first.id],
        ],
      );

      const { acks, store, report } = await witness(page);
      const batches = acks.length;
      t.diagnostic(
        `${kind}: seed ${SEED}, ${ends} ends of the background in ${seconds} s, ${batches} batches acknowledged, ${store.events.length} events stored`,
      );
      assert.equal(new Set(acks.map((ack) => ack.page)).size, 1, 'the page never had to begin again');
      assert.deepEqual(
        acks.map(({ seq }) => seq),
        acks.map((_, i) => i + 1),
        'each batch was acknowledged once, in order',
      );
      const [known] = store.pages.filter((one) => one.page === acks[0].page);
      assert.ok(known.seq >= acks.at(-1).seq, 'the store holds the last batch');
      // The last acknowledged event of each slot is the stored one.
      const last = new Map();
      for (const { events } of acks) {
        for (const event of events) {
          if (event.t === 'outputs')
            for (const key of [...last.keys()]) {
              const e = last.get(key);
              if (e.t === 'output' && e.cell === event.cell && e.out >= event.n) last.delete(key);
            }
          last.set(slot(event), event);
        }
      }
      const stored = new Map(
        store.events.filter((row) => row.page === known.page).map((row) => [slot(row.event), row.event]),
      );
      for (const [key, { t: what, len, state, run, text, count }] of last) {
        const kept = stored.get(key);
        assert.ok(kept, `${key} was acknowledged and is not stored`);
        assert.deepEqual([kept.t, kept.len, kept.state, kept.run, kept.count], [what, len, state, run, count], key);
        if (text !== undefined) assert.equal(typeof kept.text, 'string', key);
      }
      assert.ok(
        [...last.values()].some(({ t: what, len }) => what === 'output' && len > 10_000),
        'the stream was among it',
      );
      const reported = report.findings.flatMap(({ diagnoses }) => diagnoses.map(({ id }) => id));
      assert.deepEqual(
        reported.filter((id) => id === 'gpu-oom'),
        ['gpu-oom'],
        `the report holds it once: ${reported}`,
      );
      assert.deepEqual(session.errors, []);
    });
  });
}
