// Colab's crash as it is: the run is cut off, and up to 30 s later a toast says why. Meanwhile another cell may have run.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { card, cards, inCard } from './harness/cards.mjs';
import { BROWSERS, picture, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const [CRASHES, OTHER] = ['kW8sJd3hLr6o', 'bM2yXc9tPz4i'];
const ON_PURPOSE = '!pip install -q tiny\nimport os\nos.kill(os.getpid(), 9)';

/** Delay of the toast in seconds, its words, the diagnosis, and whether another cell runs in between. */
const SEQUENCES = [
  [0, 'ram', 'host-oom', false],
  [8, 'unknown', 'kernel-died', true],
  [8, 'unknown-eo', 'kernel-died', false],
  [20, 'ram-pro', 'host-oom', true],
  [29, 'unknown-ja', 'kernel-died', false],
  [29, 'window', 'display-missing', true],
  [29, 'unknown', 'kernel-died/on-purpose', false],
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
      const pages = await Promise.all(
        SEQUENCES.map(([, , id]) => session.colab(id.includes('/') ? '' : '?errors=framed')),
      );
      const start = async (page, [late, words, what]) => {
        await page.evaluate(
          (id, words, after, source) => {
            if (source)
              window.replica.load({
                name: 'setup.ipynb',
                cells: [
                  { id, source },
                  { id: 'next', source: 'f()' },
                ],
              });
            void window.replica.run(id, [{ stream: 'loading\n' }, { wait: 1500 }, { crash: words, after }]);
          },
          CRASHES,
          words,
          late * 1000,
          what.includes('/') ? ON_PURPOSE : '',
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
        const [late, words, what] = SEQUENCES[i];
        const [id, variant] = what.split('/');
        await page.bringToFront();
        const found = await card(page, CRASHES, id, { timeout: 60_000 });
        if (variant) assert.equal(found.variant, variant);
        // The button of the toast opens a dialog about the same death.
        if (words === 'ram-pro') {
          await page.evaluate(() => document.querySelector('.snackbar-action').click());
          await until('the dialog', () => page.evaluate(() => Boolean(document.querySelector('mwc-dialog[open]'))));
        }
        await inCard(page, CRASHES, 'scroll');
        if (['window', 'unknown'].includes(words) && late === 29) await picture(page, `crash-${kind}-${words}`);
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
