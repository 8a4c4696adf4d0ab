// Colab's crash as it is: the run is cut off, and up to 30 s later a toast says why. Meanwhile another cell may have run.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { card, cards } from './harness/cards.mjs';
import { BROWSERS, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const [CRASHES, OTHER] = ['kW8sJd3hLr6o', 'bM2yXc9tPz4i'];

/** Delay of the toast in seconds, its words, the diagnosis, and whether another cell runs in between. */
const SEQUENCES = [
  [0, 'ram', 'host-oom', false],
  [8, 'unknown', 'kernel-died', true],
  [20, 'ram', 'host-oom', true],
  [29, 'unknown-ja', 'kernel-died', false],
  [40, 'unknown', 'kernel-died', true],
];

for (const kind of BROWSERS) {
  describe(`Colab's crash in ${kind}`, () => {
    let session;
    before(async () => {
      session = await startSession(kind);
    });
    after(() => session?.close());

    // All at once: they wait most of the time. A page of its own for each, as for a person.
    test('the card stands under the cell that was cut off, whenever the toast comes', async () => {
      const pages = await Promise.all(SEQUENCES.map(() => session.colab()));
      const start = async (page, [late, words]) => {
        await page.evaluate(
          (id, words, after) =>
            void window.replica.run(id, [{ stream: 'loading\n' }, { wait: 1500 }, { crash: words, after }]),
          CRASHES,
          words,
          late * 1000,
        );
      };
      for (const [i, page] of pages.entries()) {
        await page.bringToFront();
        await start(page, SEQUENCES[i]);
        const [, , , between] = SEQUENCES[i];
        if (!between) continue;
        await until('the run is cut off', () =>
          page.evaluate(
            (id) =>
              document
                .querySelector(`#cell-${id} colab-run-button`)
                .shadowRoot.querySelector('.cell-execution')
                .matches('.stale.error'),
            CRASHES,
          ),
        );
        await page.evaluate((id) => void window.replica.run(id, [{ stream: 'next\n' }, { wait: 500 }]), OTHER);
      }
      for (const [i, page] of pages.entries()) {
        const [late, words, id] = SEQUENCES[i];
        await page.bringToFront();
        await card(page, CRASHES, id, { timeout: 60_000 });
        const all = await cards(page);
        assert.deepEqual(
          all.map((c) => [c.cell, c.id]),
          [[CRASHES, id]],
          `${words} after ${late} s`,
        );
      }
    });
  });
}
