// Verdicts and warnings on the Colab replica with a moving resource widget: what a notice means together with the readings
// and the code, and warnings before anything fails.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { card, cards, inCard, noCard, settled } from './harness/cards.mjs';
import { stored } from './harness/record.mjs';
import { BROWSERS, picture, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const CELLS = {
  name: 'memory.ipynb',
  accelerator: 'T4',
  cells: [
    { id: 'aPlan1', source: 'import numpy as np\nx = np.random.rand(100000, 1000, 1000)' },
    { id: 'bPlan2', source: 'import tensorflow as tf\ny = tf.random.normal((10000, 10000, 10000))' },
    { id: 'cPlan3', source: "import torch\nz = torch.rand((10000, 10000, 1000), device='cuda')" },
    { id: 'dLeak1', source: 'results.append(train_once())' },
    { id: 'eCache', source: 'features = load_features()' },
    { id: 'fDies1', source: 'import numpy as np\nbig = np.zeros((40000, 40000))\nbig += 1' },
    { id: 'gDies2', source: 'model.fit(tiles)' },
    { id: 'hOther', source: 'marker()' },
  ].map((cell) => ({ ...cell, live: true })),
};

// Every known notice of the front end, and the verdict: at the cell that was running, once it has ended, otherwise above
// the notebook. Null: the notice is unrelated.
const NOTICES = [
  ['crash', 'ram', 'host-oom'],
  ['crash', 'ram-pro', 'host-oom'],
  ['crash', 'unknown', 'kernel-died'],
  ['crash', 'restarting', 'kernel-died'],
  ['crash', 'unknown-ja', 'kernel-died'],
  ['dialog', 'inactive', 'session-time-limit'],
  ['dialog', 'inactive-free', 'session-time-limit'],
  ['dialog', 'inactive-pro', 'session-time-limit'],
  ['dialog', 'disallowed', 'runtime-policy-terminated'],
  ['snackbar', 'unsent', 'runtime-disconnected'],
  ['dialog', 'may-be-disallowed', 'runtime-policy-terminated', 'top'],
  ['dialog', 'gpu', 'runtime-quota-exhausted', 'top'],
  ['dialog', 'gpu-plus', 'runtime-quota-exhausted', 'top'],
  ['dialog', 'gpu-pt', 'runtime-quota-exhausted', 'top'],
  ['dialog', 'assign', 'runtime-quota-exhausted', 'top'],
  ['dialog', 'assign-tpu', 'runtime-quota-exhausted', 'top'],
  ['dialog', 'sessions', 'runtime-quota-exhausted', 'top'],
  ['dialog', 'none', 'runtime-quota-exhausted', 'top'],
  ['dialog', 'still', 'session-idle-timeout', 'top'],
  ['dialog', 'foreign', null],
  ['dialog', 'restart', null],
  ['snackbar', 'saved', null],
];

for (const kind of BROWSERS) {
  describe(`Verdicts in ${kind}`, () => {
    let session;
    let page;
    before(async () => {
      session = await startSession(kind);
      page = await session.colab();
      await page.evaluate((notebook) => window.replica.load(notebook), CELLS);
      await page.evaluate(() => window.replica.connect('connected', { ram: [2.1, 12.67] }));
    });
    after(() => session?.close());

    const run = (cell, steps) => page.evaluate((id, list) => window.replica.run(id, list), cell, steps);
    /** Starts a run that goes on until `end` is called. */
    const start = (cell) =>
      page.evaluate((id) => {
        let over = false;
        window.end = () => {
          over = true;
        };
        const steps = {
          *[Symbol.iterator]() {
            while (!over) yield { wait: 50 };
          },
        };
        void window.replica.run(id, steps);
      }, cell);
    const end = () => page.evaluate(() => window.end());
    /** The last stored event of a cell. */
    const known = async (cell) =>
      (await stored(session)).rows.find(({ event }) => event.t === 'cell' && event.cell === cell)?.event;
    /** Waits until the background has stored that a run after number `before` runs, or has ended. */
    const seen = (cell, before, running) =>
      until(
        `the run of ${cell} is known`,
        async () => {
          const now = await known(cell);
          return now?.run > before && (now.state === 'running') === running;
        },
        { detail: () => known(cell) },
      );

    test('arrays that cannot fit are named while their cells run', async () => {
      for (const [cell, id, size] of [
        ['aPlan1', 'host-oom', '745 GiB'],
        ['bPlan2', 'host-oom', '3.64 TiB'],
        ['cPlan3', 'gpu-oom', '373 GiB'],
      ]) {
        await start(cell);
        const found = await card(page, cell, id);
        assert.equal(found.variant, 'planned');
        assert.ok(found.title.includes(size), found.title);
        if (cell === 'aPlan1') await picture(page, `verdicts-${kind}-planned`);
        await end();
        await noCard(page, cell);
      }
    });

    test('a leak names its cell; a cache that fills once gets no card', async () => {
      for (let i = 1; i <= 9; i++) {
        // A page that keeps changing is read once a second.
        await run('dLeak1', [{ wait: 150 }, { ram: [2.1 + 0.5 * i, 12.67] }, { wait: 1300 }]);
        await run('eCache', [{ wait: 700 }]);
      }
      const found = await card(page, 'dLeak1', 'host-oom');
      assert.equal(found.variant, 'leak');
      assert.match(found.title, /keeps 5\d\d MiB more memory/);
      assert.equal((await cards(page)).length, 1);
      await inCard(page, 'dLeak1', 'open');
      await picture(page, `verdicts-${kind}-leak`);
    });

    test('a crash from a lack of RAM that the bar did not show is explained', async () => {
      await page.evaluate(() => window.replica.connect('connected', { ram: [4.3, 12.67] }));
      await run('fDies1', [{ wait: 900 }, { crash: 'ram' }]);
      const { text } = await card(page, 'fDies1', 'host-oom');
      assert.match(text, /the bar showed 33 % of the runtime's RAM/);
      assert.match(text, /line 2 asks for 11\.9 GiB at once, 8\.37 GiB were free/);
      await inCard(page, 'fDies1', 'end');
      await picture(page, `verdicts-${kind}-plenty`);
      await page.evaluate(() => window.replica.dismissSnackbars());
    });

    test('the log that is opened after a crash gives the cause, in either order of its lines', async () => {
      const log = [
        'Nov 22, 2026, 1:04:09 PMINFOKernelRestarter: restarting kernel (1/1), keep random ports',
        'Nov 22, 2026, 1:04:02 PMWARNINGtcmalloc: large alloc 8589934592 bytes == 0x5616 @ 0x7f',
        'Nov 22, 2026, 1:03:00 PMINFOSaving file at /a.ipynb',
      ];
      for (const rows of [log, log.toReversed()]) {
        await run('gDies2', [{ wait: 900 }, { crash: 'unknown' }]);
        await card(page, 'gDies2', 'kernel-died');
        await page.evaluate((more) => {
          window.replica.dialog('logs', { more });
        }, rows.join(''));
        const { text } = await card(page, 'gDies2', 'host-oom');
        assert.match(text, /tcmalloc: large alloc 8589934592 bytes/);
        await inCard(page, 'gDies2', 'end');
        await page.evaluate(() => {
          document.querySelector('mwc-dialog, md-dialog')?.remove();
        });
        await picture(page, `verdicts-${kind}-log`);
        await page.evaluate(() => window.replica.dismissSnackbars());
        await run('gDies2', [{ wait: 100 }]);
        await noCard(page, 'gDies2');
      }
    });

    test('every notice gets its verdict', async () => {
      for (const [way, name, id, place] of NOTICES) {
        const before = (await known('gDies2'))?.run ?? 0;
        await run('gDies2', [{ wait: 100 }]);
        await noCard(page, 'gDies2');
        await noCard(page, null);
        await seen('gDies2', before, false);
        if (way === 'crash') {
          await run('gDies2', [{ wait: 900 }, { crash: name }]);
        } else {
          if (!place) {
            await start('gDies2');
            await seen('gDies2', before + 1, true);
          }
          await page.evaluate(
            (what, which) => {
              window.replica[what](which);
            },
            way,
            name,
          );
          if (!place) await end();
        }
        if (id) {
          await card(page, place ? null : 'gDies2', id);
        } else {
          await until('it is over', () => page.evaluate(() => !document.querySelector('#cell-gDies2.running')));
          await settled(page, 'hOther');
          assert.deepEqual(
            (await cards(page)).filter(({ cell }) => cell === 'gDies2' || cell === null).map(({ title }) => title),
            [],
            name,
          );
        }
        await page.evaluate(() => {
          window.replica.dismissSnackbars();
          document.querySelector('mwc-dialog, md-dialog')?.remove();
        });
      }
    });
  });
}
