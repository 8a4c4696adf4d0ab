// Measures what nbmedic costs the page while a cell prints 100,000 lines, from a trace of that run.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { cards, settled } from './harness/cards.mjs';
import { BROWSERS, figures, startSession } from './harness/session.mjs';
import { ownWork, traced } from './harness/trace.mjs';

const FLOOD = 'yL1cQw6bEi9m';
const OTHER = 'eG6nRa1vUs7w';
const LINES = 100_000;
const RATE = 6_000;

const SHARE = 0.01;
const LONGEST_MS = 50;
const HEAP_BYTES = 512 * 1024;

describe(
  'streaming 100,000 lines',
  { skip: BROWSERS.includes('chrome') ? false : 'Chromium is not among the browsers' },
  () => {
    let session;
    let page;
    before(async () => {
      session = await startSession('chrome', { attach: false });
      page = await session.colab();
    });
    after(() => session?.close());

    async function heap() {
      const client = await page.createCDPSession();
      await client.send('HeapProfiler.enable');
      for (let i = 0; i < 3; i++) await client.send('HeapProfiler.collectGarbage');
      const { usedSize } = await client.send('Runtime.getHeapUsage');
      await client.detach();
      return usedSize;
    }
    const flood = (lines) =>
      page.evaluate(
        (id, count, rate) => window.replica.run(id, [{ flood: { lines: count, rate } }]),
        FLOOD,
        lines,
        RATE,
      );

    test('costs next to nothing and retains no memory', async (t) => {
      // Beyond the front end's limit of 5000 lines, so that the page itself holds the same amount before and after.
      await flood(15_000);
      await settled(page, OTHER);
      const heapBefore = await heap();
      const work = ownWork(await traced(page, () => flood(LINES)));
      await settled(page, OTHER);
      const heapAfter = await heap();
      // A card may say that the front end cut the log, which is true; nothing else is wrong with it.
      assert.deepEqual(
        (await cards(page)).filter(({ id }) => id !== 'output-limit'),
        [],
        'the log gets no card about a failure',
      );
      assert.ok(work.tasks > 0 && work.own > 0, 'the trace shows the sensor at work');

      const share = work.own / work.busy;
      const grown = heapAfter - heapBefore;
      const line = `100,000 lines in ${(work.wall / 1000).toFixed(1)} s: the sensor took ${work.own.toFixed(0)} ms of ${work.busy.toFixed(0)} ms main-thread work (${(100 * share).toFixed(2)} %; ${((100 * work.own) / work.wall).toFixed(2)} % of the time), longest own task ${work.longest.toFixed(1)} ms, heap ${grown >= 0 ? '+' : ''}${(grown / 1024).toFixed(0)} KiB`;
      await figures(
        t,
        'streaming',
        {
          lines: LINES,
          ...work,
          share,
          share_of_wall: work.own / work.wall,
          heap_before: heapBefore,
          heap_after: heapAfter,
        },
        line,
      );
      assert.ok(share <= SHARE, line);
      assert.ok(work.longest <= LONGEST_MS, line);
      assert.ok(grown < HEAP_BYTES, line);
      assert.deepEqual(session.errors, []);
    });
  },
);
