// Chrome may stop an extension's background at any time: in the middle of a stream, and while a card is shown.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { card, cards, noCard, settled } from './harness/cards.mjs';
import { BROWSERS, RETRY_MS, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

/** As often the background is stopped during the stream. */
const STOPS = 4;
const OOM = 'kW8sJd3hLr6o';
const SCRIPT = 'bM2yXc9tPz4i';
const HTML = 'eG6nRa1vUs7w';
const OTHER = 'yL1cQw6bEi9m';

describe(
  'the background is stopped',
  { skip: BROWSERS.includes('chrome') ? false : 'Chromium is not among the browsers' },
  () => {
    let session;
    let page;
    before(async () => {
      session = await startSession('chrome', { attach: false });
      page = await session.colab();
    });
    after(() => session?.close());

    test('during a stream: the card is right, nothing is duplicated, nothing is lost', async () => {
      await page.evaluate((id) => window.replica.run(id), HTML);
      const first = await card(page, HTML);
      // Lets the log run for some seconds and stops the background repeatedly meanwhile.
      await page.evaluate((id) => {
        const { trainingLog, SCRIPT_TRACEBACK } = window.replica;
        const steps = {
          *[Symbol.iterator]() {
            while (!window.over) yield { stream: trainingLog(1, 25), rate: 40, odd: true };
            yield { stream: SCRIPT_TRACEBACK, rate: 40, odd: true };
          },
        };
        window.replica.run(id, steps).then(() => {
          window.streamed = 'done';
        });
      }, SCRIPT);
      let stops = 0;
      while (stops < STOPS) {
        stops += await session.stopBackground();
        const lines = () =>
          page.evaluate((id) => document.querySelector(`#cell-${id} .output`).textContent.split('\n').length, SCRIPT);
        const before = await lines();
        await until('the stream goes on', async () => (await lines()) > before + 3);
      }
      await page.evaluate(() => {
        window.over = true;
      });
      await until('the stream is over', () => page.evaluate(() => window.streamed === 'done'));
      await card(page, SCRIPT, 'gpu-oom', { says: /14\.7\d* GiB/, clock: RETRY_MS });
      const all = await cards(page);
      assert.deepEqual(
        all.map((c) => [c.cell, c.id]),
        [
          [SCRIPT, 'gpu-oom'],
          [HTML, first.id],
        ],
      );
    });

    test('while cards are shown: they stay, later output is judged, a new run removes its card', async () => {
      await session.stopBackground();
      assert.equal((await cards(page)).length, 2);
      await page.evaluate((id) => window.replica.run(id), OOM);
      await card(page, OOM, 'gpu-oom');
      await session.stopBackground();
      await page.evaluate((id) => window.replica.run(id, [{ stream: 'fine now\n' }]), OOM);
      await noCard(page, OOM);
      await settled(page, OTHER);
      assert.deepEqual(
        (await cards(page)).map((c) => c.cell),
        [SCRIPT, HTML],
      );
    });

    test('before the page is loaded: a reload shows no stale card', async () => {
      await session.stopBackground();
      await page.reload({ waitUntil: 'load' });
      await settled(page, OTHER);
      assert.deepEqual(await cards(page), []);
      assert.deepEqual(session.errors, []);
    });
  },
);
