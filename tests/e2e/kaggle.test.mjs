// Kaggle's two frames: cells at one address, banners and meters at another, combined in the background.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { KAGGLE, KAGGLE_FRAME, KAGGLE_TOKEN, KAGGLE_URL } from '../replicas/server.mjs';
import { card, cards, inCard, noCard } from './harness/cards.mjs';
import { BROWSERS, picture, startSession, strangers } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const ORIGINS = [`https://${KAGGLE}/*`, 'https://*.jupyter-proxy.kaggle.net/*'];
const RAN_OUT = 'Your notebook tried to allocate more memory than is available. It has restarted.';

for (const kind of BROWSERS) {
  describe(`Kaggle in ${kind}`, () => {
    let session;
    let page;
    let frame;
    before(async () => {
      session = await startSession(kind, { origins: kind === 'chrome' ? ORIGINS : [] });
      page = await session.newPage();
      await page.goto(KAGGLE_URL, { waitUntil: 'load' });
      frame = await until('the cells', () => page.frames().find((f) => f.url().includes(KAGGLE_FRAME)));
      await until('the replica is ready', () =>
        frame.evaluate(() => document.documentElement.dataset.ready === 'true'),
      );
    });
    after(() => session?.close());

    // A test cannot answer Chromium's permission prompt: see `withOrigins`.
    if (kind === 'firefox') {
      test('one click in the popup allows the page and its cells', async () => {
        const popup = await session.popup();
        try {
          await until('the popup offers to read this site', async () => /Allow on this site/.test(await popup.text()), {
            detail: () => popup.text(),
          });
          assert.match(await popup.text(), /www\.kaggle\.com and https:\/\/\*\.jupyter-proxy\.kaggle\.net/);
          await popup.click('Allow on this site');
          await until('the popup says that it may', async () => /Stop reading this site/.test(await popup.text()), {
            detail: () => popup.text(),
          });
        } finally {
          await popup.close();
        }
        assert.deepEqual((await session.granted()).sort(), [...ORIGINS].sort());
      });
    }

    test("an error in a cell gets its card in the frame, with the cell's line", async () => {
      await frame.evaluate(() => window.replica.run(1, { error: window.replica.oom() }));
      const found = await card(frame, 1, 'gpu-oom');
      assert.equal(found.below, true);
      assert.ok(found.text.includes('scores = net(tiles.to(device))'), found.text);
      assert.deepEqual(await cards(page), [], 'and none in the page around');
      await picture(page, `kaggle-${kind}`);
    });

    test("the page's banner is about the cell that ran, and the meters say how full the memory was", async () => {
      await page.evaluate(() =>
        window.replica.meters({
          Disk: '1.4 GiB / 57.6 GiB',
          CPU: '100%',
          RAM: '28.6 GiB / 29.0 GiB',
          'GPU Memory': '0 B / 15.9 GiB',
        }),
      );
      await frame.evaluate(() => {
        window.replica.run(2, { wait: 600_000 });
      });
      // The meters' reading and the cell's state are in transit; a marker follows them.
      await frame.evaluate(() =>
        window.replica.run(3, {
          error:
            'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nNameError: name \'marker\' is not defined',
        }),
      );
      await card(frame, 3, 'name-undefined');
      await page.evaluate((text) => window.replica.banner(text), RAN_OUT);
      await frame.evaluate(() => window.replica.restart());
      const found = await card(frame, 2, 'host-oom');
      assert.ok(found.text.includes(RAN_OUT), found.text);
      assert.match(found.text, /28\.6 of 29(\.0)? GiB/);
      assert.deepEqual(await cards(page), []);
      await inCard(frame, 2, 'scroll');
      await picture(page, `kaggle-${kind}-ram`);
    });

    test('a banner that is open when the notebook is reloaded does not concern a new run', async () => {
      await frame.evaluate(() => {
        delete document.documentElement.dataset.ready;
        location.reload();
      });
      await until(
        'the cells again',
        async () =>
          (frame = page.frames().find((f) => f.url().includes(KAGGLE_FRAME))) &&
          frame.evaluate(() => document.documentElement.dataset.ready === 'true'),
      );
      await frame.evaluate(() => {
        window.replica.run(1, { error: window.replica.oom(), wait: 1500 });
      });
      await card(frame, 1, 'gpu-oom');
      await card(frame, 2, 'host-oom');
      assert.deepEqual(
        (await cards(frame)).map(({ cell, id }) => [cell, id]),
        [
          [1, 'gpu-oom'],
          [2, 'host-oom'],
        ],
        'the banner is no news, and what was known of it is not lost',
      );
      await frame.evaluate(() => window.replica.run(1, { stream: 'fine\n' }));
      await noCard(frame, 1);
    });

    test("the frame's address, which holds a token, appears nowhere", async () => {
      if (kind === 'chrome') {
        const target = session.browser.targets().find((t) => t.type() === 'service_worker');
        const worker = await target.worker();
        const read = () =>
          worker.evaluate(async () => {
            const db = await new Promise((done) => {
              const open = indexedDB.open('nbmedic');
              open.onsuccess = () => done(open.result);
            });
            const all = [];
            for (const name of db.objectStoreNames)
              all.push(
                await new Promise((done) => {
                  const get = db.transaction(name).objectStore(name).getAll();
                  get.onsuccess = () => done(get.result);
                }),
              );
            return JSON.stringify([all, await chrome.scripting.getRegisteredContentScripts()]);
          });
        const stored = await until('what is stored', async () => {
          const text = await read();
          return text.includes(KAGGLE_FRAME) && text.includes('fine\\n') && text;
        });
        assert.ok(!stored.includes(KAGGLE_TOKEN) && !stored.includes('81230417'), 'and holds no part of the path');
      }
      assert.deepEqual(strangers(session, [`${KAGGLE}:443`, `${KAGGLE_FRAME}:443`]), []);
      const asked = (await session.extensionRequests()).filter((url) => !/^(chrome|moz)-extension:/.test(url));
      assert.deepEqual(asked, []);
      assert.deepEqual([...session.errors, ...(await session.extensionErrors())], []);
    });
  });
}
