// Outputs in frames of another origin, in the Colab replica: cards under their cells, and forgers that fail.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { card, cards, inCard, noCard, settled } from './harness/cards.mjs';
import { builtPackage } from './harness/packages.mjs';
import { inPopup } from './harness/popup.mjs';
import { BROWSERS, picture, startSession, strangers } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

/** The frames' permission, in the forms that browsers store. */
const FRAMES = ['https://*.googleusercontent.com/outputframe.html*', 'https://*.googleusercontent.com/*'];
const PLAIN = 'jR2pWx6nBq0a';
const OOM = 'tK7zLd1fGs5u';
const OTHER = 'mS4vYt8cHd2k';
const FLOOD = 'aQ9wEb3oZi7r';
const RESTORED = 'vN6gTj4mRl1e';

const run = (page, cell, steps = null) => page.evaluate((id, list) => window.replica.run(id, list), cell, steps);
const places = async (page) => (await cards(page)).map(({ cell, id }) => [cell, id]);

for (const kind of BROWSERS) {
  describe(`framed outputs in ${kind}`, () => {
    let session;
    let page;
    before(async () => {
      session = await startSession(kind);
      page = await session.colab('?notebook=framed');
    });
    after(() => session?.close());

    test('an error in a frame gets its card under its cell, in the page', async () => {
      await run(page, OOM);
      const found = await card(page, OOM, 'gpu-oom');
      assert.match(found.title, /2(\.0+)? GiB/);
      assert.ok(found.text.includes('scores = net(tiles.to(device))'), found.text);
      assert.equal(found.below, true);
      await inCard(page, OOM, 'scroll');
      await picture(page, `frames-${kind}-light`);
      for (const frame of page.frames()) {
        if (frame.url().includes('outputframe'))
          assert.equal(
            await frame.evaluate(() => document.querySelectorAll('[data-nbmedic-card]').length),
            0,
            'no card stands in a frame',
          );
      }
    });

    test('a table with alarming words next to a clean log gets none', async () => {
      await run(page, PLAIN);
      await settled(page, OTHER);
      assert.deepEqual(await places(page), [[OOM, 'gpu-oom']]);
    });

    test('a frame of a saved output, loaded when it is scrolled into view', async () => {
      assert.equal(
        (await cards(page)).some(({ cell }) => cell === RESTORED),
        false,
      );
      await page.evaluate((id) => document.getElementById(`cell-${id}`).scrollIntoView(), RESTORED);
      await card(page, RESTORED, 'name-undefined');
    });

    test('a frame that is reloaded, and one that is removed', async () => {
      await page.evaluate((id) => window.replica.frameOf(id).reload(), OOM);
      await page.evaluate((id) => window.replica.framed(id, [{ stream: 'after the reload\n' }]), OOM);
      await card(page, OOM, 'gpu-oom');
      await page.evaluate((id) => window.replica.frameOf(id).remove(), OOM);
      await noCard(page, OOM);
      await run(page, OOM);
      await card(page, OOM, 'gpu-oom');
    });

    test('a run without an error removes the card', async () => {
      await run(page, OOM, [{ frame: [{ stream: 'step 0: fine\n' }, { table: { rows: [['a'], ['1']] } }] }]);
      await noCard(page, OOM);
      await settled(page, OTHER);
      assert.equal(
        (await cards(page)).some(({ cell }) => cell === OOM),
        false,
      );
    });

    test('errors in the page and in frames, one right after another: each card under its own cell, whatever the markup', async () => {
      // The last one in markup that no profile knows.
      const ways = { [PLAIN]: 'frame', [OOM]: 'error', [OTHER]: 'frame', [FLOOD]: 'odd' };
      await page.evaluate((list) => {
        for (const [id, way] of Object.entries(list)) {
          const text = window.replica.traceback({
            type: 'NameError',
            message: `name 'of_${id}' is not defined`,
            source: `of_${id}`,
            at: 1,
          });
          const steps = {
            error: [{ error: text }],
            frame: [{ stream: 'first\n' }, { frame: [{ error: text }] }],
            odd: [{ stream: 'first\n' }, { frame: [{ odd: { text } }] }],
          };
          void window.replica.run(id, steps[way]);
        }
      }, ways);
      for (const id of Object.keys(ways)) {
        const found = await card(page, id, 'name-undefined');
        assert.ok(found.text.includes(`of_${id}`), found.text);
        assert.equal(found.below, true);
      }
      assert.deepEqual(
        (await places(page)).map(([cell]) => cell).filter((cell) => cell !== RESTORED),
        Object.keys(ways),
      );
      for (const id of Object.keys(ways)) {
        await run(page, id, []);
        await noCard(page, id);
      }
    });

    test('forgers in a frame and in the page cannot attach anything', async () => {
      await run(page, PLAIN);
      await run(page, OTHER, [{ frame: [{ stream: 'nothing to see\n' }] }]);
      const before = await places(page);
      const outs = await page.evaluate(() => [
        [0, { kind: 'error', read: { len: window.replica.FORGED.length, head: window.replica.FORGED, lines: 0 } }],
      ]);
      const frames = await page.evaluate((list) => {
        // A script of the page listens and posts whatever it can.
        const heard = [];
        window.addEventListener(
          'message',
          ({ data }) => {
            if (!data?.replica) heard.push(data);
          },
          true,
        );
        window.nbmedicHeard = heard;
        const messages = [
          { nbmedic: 1, kind: 'frame', frame: 1, n: 1, outs: list },
          { nbmedic: crypto.randomUUID() },
          { nbmedic: 1, kind: 'who' },
        ];
        for (let i = 0; i < window.length; i++) for (const message of messages) window[i].postMessage(message, '*');
        for (const data of messages) window.dispatchEvent(new MessageEvent('message', { data, source: window[0] }));
        return window.length;
      }, outs);
      assert.ok(frames >= 4, `${frames} frames`);
      await page.evaluate(
        (id, list) => window.replica.framed(id, [{ attack: { outs: list } }, { stream: 'still nothing\n' }]),
        OTHER,
        outs,
      );
      await page.evaluate(
        (id, list) => window.replica.framed(id, [{ attack: { outs: list } }, { attack: { outs: list } }]),
        PLAIN,
        outs,
      );
      // Genuine messages still arrive, at the right cell, and only those.
      await page.evaluate((id) => window.replica.framed(id, [{ error: window.replica.FORGED }]), OTHER);
      await card(page, OTHER);
      await run(page, FLOOD, [{ frame: [{ error: await page.evaluate(() => window.replica.FORGED) }] }]);
      await card(page, FLOOD);
      const now = await places(page);
      assert.deepEqual(
        now.filter(([cell]) => cell !== OTHER && cell !== FLOOD),
        before,
      );
      // No script heard the words that identify frames: the forgers heard only each other.
      const said = JSON.stringify(await page.evaluate(() => window.nbmedicHeard));
      assert.ok(said.includes('"kind":"frame"'), 'the forgers were at work');
      const words = new Set(said.match(/"nbmedic":"[^"]+"/g));
      assert.ok(words.size <= 4, `only what the forgers made up: ${[...words]}`);
    });

    test('other pages of that host and frames elsewhere are left alone', async () => {
      const lone = await session.colab('?notebook=framed');
      await run(lone, PLAIN, [
        { frame: [{ error: await lone.evaluate(() => window.replica.FORGED) }], options: { page: 'other.html' } },
      ]);
      await run(lone, OTHER, [{ frame: [{ error: await lone.evaluate(() => window.replica.FORGED) }] }]);
      await card(lone, OTHER);
      assert.deepEqual(
        (await places(lone)).map(([cell]) => cell),
        [OTHER],
      );
      if (kind === 'chrome') {
        const sensors = await Promise.all(
          lone
            .frames()
            .filter((frame) => frame.url().includes('googleusercontent'))
            .map(async (frame) => {
              const worlds = [];
              frame.client.on('Runtime.executionContextCreated', ({ context }) => worlds.push(context));
              await frame.client.send('Runtime.disable');
              await frame.client.send('Runtime.enable');
              return [
                frame.url(),
                worlds.some(
                  ({ origin, auxData }) => auxData.frameId === frame._id && origin.startsWith('chrome-extension:'),
                ),
              ];
            }),
        );
        const paths = (has) => sensors.filter(([, sensor]) => sensor === has).map(([url]) => new URL(url).pathname);
        assert.ok(
          paths(true).length > 0 && paths(true).every((path) => path === '/outputframe.html'),
          JSON.stringify(sensors),
        );
        assert.ok(paths(false).includes('/other.html'), JSON.stringify(sensors));
      }
      await lone.close();
    });

    if (kind === 'chrome') {
      test('frames of a tab that was open before the extension was installed', async () => {
        const late = await startSession(kind, { extension: null });
        try {
          const open = await late.colab('?notebook=framed');
          await run(open, OTHER, [{ frame: [{ error: await open.evaluate(() => window.replica.FORGED) }] }]);
          await late.browser.installExtension(builtPackage(kind));
          await card(open, OTHER, 'assertion-failed');
          await open.evaluate(
            (id) => window.replica.framed(id, [{ clear: {} }, { stream: 'nothing is wrong\n' }]),
            OTHER,
          );
          await noCard(open, OTHER);
        } finally {
          await late.close();
        }
      });
    }

    if (kind === 'firefox') {
      // Chromium has one switch for all addresses of a manifest; Firefox lists each address in its settings.
      test('frames that the browser withholds: the popup says what is missing, requests them in one click, and they are read at once', async () => {
        for (const pattern of FRAMES) await session.disallow(pattern);
        const kept = await session.colab('?notebook=framed');
        await kept.bringToFront();
        await run(kept, FLOOD, [{ frame: [{ error: await kept.evaluate(() => window.replica.FORGED) }] }]);
        await settled(kept, OTHER);
        assert.deepEqual(await places(kept), []);
        await inPopup(session, /doesn't let nbmedic read Colab's output frames/, async (popup) => {
          assert.doesNotMatch(await popup.text(), /Allow on this site/);
          await until('the button is there', () => popup.click('Allow reading the output frames'));
          await until('the popup has nothing more to ask', async () => !/output frames/.test(await popup.text()), {
            detail: () => popup.text(),
          });
        });
        await card(kept, FLOOD);
        // Outputs in frames that already exist, and in new ones.
        await kept.evaluate(
          (id) => window.replica.framed(id, [{ clear: {} }, { stream: 'nothing is wrong\n' }]),
          FLOOD,
        );
        await noCard(kept, FLOOD);
        await run(kept, OTHER, [{ frame: [{ error: await kept.evaluate(() => window.replica.FORGED) }] }]);
        await card(kept, OTHER);
        await kept.close();
      });
    }

    test('nothing left the browser, and nothing failed on the way', async () => {
      assert.deepEqual(strangers(session), []);
      const asked = (await session.extensionRequests()).filter((url) => !/^(chrome|moz)-extension:/.test(url));
      assert.deepEqual(asked, []);
      assert.deepEqual([...session.errors, ...(await session.extensionErrors())], []);
    });
  });
}
