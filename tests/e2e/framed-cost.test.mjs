// Measures what nbmedic costs the page and the frame while a framed output prints 100,000 lines.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { card, cards, settled } from './harness/cards.mjs';
import { BROWSERS, figures, startSession } from './harness/session.mjs';
import { mainThreads, ownWork, traced } from './harness/trace.mjs';

const FLOOD = 'aQ9wEb3oZi7r';
const OTHER = 'mS4vYt8cHd2k';
const LINES = 100_000;
const RATE = 6_000;

// The goal is half a percent, and the figure is printed; on a busy machine, two sensors may use twice that.
const SHARE = 0.01;
const LONGEST_MS = 50;
const HEAP_BYTES = 512 * 1024;

describe(
  'streaming 100,000 lines into a framed output',
  { skip: BROWSERS.includes('chrome') ? false : 'Chromium is not among the browsers' },
  () => {
    let session;
    let page;
    before(async () => {
      session = await startSession('chrome', { attach: false });
      page = await session.colab('?notebook=framed');
    });
    after(() => session?.close());

    const flood = (lines) =>
      page.evaluate(
        (id, count, rate) => window.replica.framed(id, [{ flood: { lines: count, rate } }]),
        FLOOD,
        lines,
        RATE,
      );

    /** The page and every output frame. */
    async function heaps() {
      const sizes = [];
      for (const frame of page
        .frames()
        .filter((f) => f === page.mainFrame() || f.url().includes('/outputframe.html'))) {
        await frame.client.send('HeapProfiler.enable');
        for (let i = 0; i < 3; i++) await frame.client.send('HeapProfiler.collectGarbage');
        sizes.push((await frame.client.send('Runtime.getHeapUsage')).usedSize);
      }
      return sizes;
    }

    test('costs next to nothing and retains no memory, in the frame and in the page', async (t) => {
      await settled(page, OTHER);
      // A cell that keeps running and shows a table.
      await page.evaluate((id) => {
        window.replica.run(id, [{ frame: [{ table: { rows: [['a'], ['1']] } }] }, { wait: 600_000 }]);
      }, FLOOD);
      // Beyond the front end's limit of 5000 lines, so that the frame itself holds the same amount before and after.
      await flood(15_000);
      const before = await heaps();
      const events = await traced(page, () => flood(LINES));
      const after = await heaps();
      const work = mainThreads(events)
        .map((main) => ownWork(events, main))
        .filter(({ own }) => own > 0);
      assert.equal(work.length, 2, 'the trace shows the sensors of the frame and of the page at work');
      assert.deepEqual(
        (await cards(page)).filter(({ id }) => id !== 'output-limit'),
        [],
        'the log gets no card about a failure',
      );

      const own = work.reduce((sum, w) => sum + w.own, 0);
      const busy = work.reduce((sum, w) => sum + w.busy, 0);
      const longest = Math.max(...work.map((w) => w.longest));
      const grown = Math.max(...after.map((size, i) => size - before[i]));
      const line = `100,000 lines into a frame: the two sensors took ${own.toFixed(0)} ms of ${busy.toFixed(0)} ms main-thread work (${((100 * own) / busy).toFixed(2)} %; in the frame ${work[0].own.toFixed(0)} ms, in the page ${work[1].own.toFixed(0)} ms), longest own task ${longest.toFixed(1)} ms, heap ${grown >= 0 ? '+' : ''}${(grown / 1024).toFixed(0)} KiB`;
      await figures(
        t,
        'framed-streaming',
        { lines: LINES, own, busy, longest, work, heap_before: before, heap_after: after },
        line,
      );
      assert.ok(own / busy <= SHARE, line);
      assert.ok(longest <= LONGEST_MS, line);
      assert.ok(grown < HEAP_BYTES, line);
      assert.deepEqual(session.errors, []);
    });

    test('an error in a frame wakes a background that was stopped', async () => {
      assert.equal(await session.stopBackground(), 1);
      await page.evaluate((id) => window.replica.framed(id, [{ error: window.replica.FORGED }]), FLOOD);
      await card(page, FLOOD, 'assertion-failed');
    });
  },
);
