// Measures the time from a cold background to its first answer. Browsers stop an idle background; the next change of a
// page starts it again, and the user waits for that. NBMEDIC_DIST names another build to measure.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { card } from './harness/cards.mjs';
import { BROWSERS, figures, quantile, startSession } from './harness/session.mjs';
import { addEar, wake } from './harness/waking.mjs';

const OOM = 'kW8sJd3hLr6o';
const OTHER = 'yL1cQw6bEi9m';
const WAKES = 24;
// The goal is 60 ms median and 90 ms p95 on a quiet machine; other work on the machine adds to it. The lower quartile is
// nearest to what the extension itself needs.
const QUICK_MS = 400;

for (const kind of BROWSERS) {
  describe(`waking in ${kind}`, () => {
    let session;
    let page;
    before(async () => {
      session = await startSession(kind, { change: addEar, ...(kind === 'chrome' ? { attach: false } : {}) });
      page = await session.colab();
    });
    after(() => session?.close());

    test('from a message to a sleeping background to its answer', async (t) => {
      // In this notebook something failed, so the record holds a card whose prose is needed again.
      await page.evaluate((id) => window.replica.run(id), OOM);
      await card(page, OOM, 'gpu-oom');
      const all = [];
      for (let tries = 0; all.length < WAKES && tries < 3 * WAKES; tries++) {
        await session.stopBackground();
        const one = await wake(page, () =>
          page.evaluate((id, n) => void window.replica.run(id, [{ stream: `step ${n}\n` }]), OTHER, tries),
        );
        if (one) all.push(one);
      }
      assert.equal(all.length, WAKES, 'as many wakes as wanted');
      const of = (name, q = 0.5) =>
        quantile(
          all.map((one) => one[name]),
          q,
        ).toFixed(0);
      const parts = Object.keys(all[0]).filter((name) => name !== 'whole');
      const quick = quantile(
        all.map(({ whole }) => whole),
        0.25,
      );
      const line = `from a cold background to the answered first event, ${kind}: ${of('whole')} ms median, ${of('whole', 0.95)} ms p95, quicker quarter ${quick.toFixed(0)} ms, ${WAKES} wakes (medians: ${parts.map((name) => `${name} ${of(name)}`).join(', ')} ms)`;
      await figures(t, `waking-${kind}`, { all }, line);
      assert.ok(quick <= QUICK_MS, line);
    });
  });
}
