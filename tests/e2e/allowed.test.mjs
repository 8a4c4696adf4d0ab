// Permission to read a site, revoked and granted in the middle of a run.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { card, cards } from './harness/cards.mjs';
import { inPopup } from './harness/popup.mjs';
import { BROWSERS, LOCALHOST, startSession } from './harness/session.mjs';
import { visit } from './harness/visit.mjs';
import { until } from './harness/wait.mjs';
import { addWitness, census, witness } from './harness/witness.mjs';

const [OOM, SCRIPT] = ['kW8sJd3hLr6o', 'bM2yXc9tPz4i'];
const COLAB = 'https://colab.research.google.com/*';

/** The browser's page about extensions, where users switch a site off and on. */
async function inSettings(session, task, ...args) {
  const page = await session.newPage();
  try {
    await page.goto('chrome://extensions');
    return await page.evaluate(task, await session.extensionId(), ...args);
  } finally {
    await page.close();
  }
}

const take = (session) =>
  session.kind === 'chrome'
    ? inSettings(session, (id) =>
        chrome.developerPrivate.updateExtensionConfiguration({ extensionId: id, hostAccess: 'ON_CLICK' }),
      )
    : session.disallow(COLAB);

const give = (session) =>
  session.kind === 'chrome'
    ? inSettings(session, (id) =>
        chrome.developerPrivate.updateExtensionConfiguration({ extensionId: id, hostAccess: 'ON_ALL_SITES' }),
      )
    : session.allow(COLAB);

/** The addresses where the sensor is registered, in addition to the manifest's. */
const registered = (session) =>
  session.kind === 'chrome'
    ? session.inBackground(async () =>
        (await chrome.scripting.getRegisteredContentScripts()).flatMap(({ matches }) => matches),
      )
    : session.marionette.chrome(
        `
      const { contentScripts } = WebExtensionPolicy.getByID(arguments[0]);
      return contentScripts.flatMap(({ matches }) => matches.patterns.map(({ pattern }) => pattern)).filter((pattern) => !/colab|googleusercontent/.test(pattern));`,
        [session.id],
      );

for (const kind of BROWSERS) {
  describe(`a permission comes and goes in ${kind}`, () => {
    let session;
    let page;
    before(async () => {
      session = await startSession(kind, { change: addWitness });
      page = await session.colab('?back=yes');
    });
    after(() => session?.close());

    test('revoked during a run: no card, no sensor, nothing stored; the popup says so and offers one button', async () => {
      await page.evaluate((id) => window.replica.run(id), OOM);
      await card(page, OOM);
      await page.evaluate((id) => {
        const { trainingLog, SCRIPT_TRACEBACK } = window.replica;
        window.over = false;
        const steps = {
          *[Symbol.iterator]() {
            while (!window.over) yield { stream: trainingLog(1, 5), rate: 40, odd: true };
            yield { stream: SCRIPT_TRACEBACK };
          },
        };
        window.replica.run(id, steps);
      }, SCRIPT);
      await until('the stream', () =>
        page.evaluate((id) => document.querySelector(`#cell-${id} .output`).textContent.length > 500, SCRIPT),
      );
      await take(session);
      await until(
        'the page is left',
        async () => (await census(page)).working === 0 && (await cards(page)).length === 0,
        { detail: () => census(page) },
      );
      assert.deepEqual((await witness(page)).store.pages, []);
      await page.bringToFront();
      if (kind === 'chrome') {
        // Only a real click on the button tells the popup the tab's address. Without it there is no button.
        await inPopup(session, /or a page that nbmedic is not allowed to read/);
        return;
      }
      const said = await inPopup(session, /Not allowed here yet: nbmedic doesn't read this page/);
      assert.match(said, /Allow on this site/);
      assert.doesNotMatch(said, /What nbmedic sees|Trouble/);
    });

    test('granted during a run: the open tab has a sensor again, and its cards', async () => {
      if (kind === 'chrome') await give(session);
      else await inPopup(session, /Allow on this site/, (popup) => popup.click('Allow on this site'));
      await until('one sensor', async () => (await census(page)).working === 1, { detail: () => census(page) });
      await card(page, OOM);
      await page.evaluate(() => {
        window.over = true;
      });
      await card(page, SCRIPT, 'gpu-oom');
      assert.equal((await cards(page)).length, 2);
      assert.deepEqual(session.errors, []);
    });

    test('revoked while the page is in the cache: it comes back without a sensor and without a card', async (t) => {
      await page.evaluate(() =>
        window.addEventListener('pageshow', ({ persisted }) => {
          window.kept = persisted;
        }),
      );
      await visit(page, '?elsewhere', () => {
        location.search = '?elsewhere';
      });
      await until('one sensor', async () => (await census(page)).working === 1);
      await take(session);
      await until('no sensor', async () => (await census(page)).working === 0);
      await visit(page, '?back=yes', () => history.back());
      t.diagnostic(
        `${kind}: the page ${(await page.evaluate(() => window.kept === true)) ? 'was kept' : 'is loaded anew'}`,
      );
      await until(
        'it is left alone',
        async () => (await census(page)).working === 0 && (await cards(page)).length === 0,
        { detail: () => census(page) },
      );
      await give(session);
      await until('one sensor', async () => (await census(page)).working === 1, { detail: () => census(page) });
      // A hidden tab in which nothing runs is rarely read.
      await page.bringToFront();
      await page.evaluate((id) => window.replica.run(id), OOM);
      await card(page, OOM, 'gpu-oom');
      assert.deepEqual(session.errors, []);
    });

    // A test cannot answer Chromium's permission prompt for another address.
    if (kind === 'firefox') {
      test('the sensor is registered for exactly the allowed addresses', async () => {
        assert.deepEqual(await registered(session), []);
        await session.allow(LOCALHOST);
        await until('it is registered', async () => (await registered(session)).length > 0);
        assert.deepEqual(await registered(session), [LOCALHOST]);
        await session.disallow(LOCALHOST);
        await until('it is not registered', async () => (await registered(session)).length === 0, {
          detail: () => registered(session),
        });
      });
    }
  });
}
