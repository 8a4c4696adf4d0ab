// The options page, and how the button marks a crash in a hidden tab.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { card } from './harness/cards.mjs';
import { ownPage } from './harness/own.mjs';
import { BROWSERS, LOCALHOST, picture, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const [OOM, HTML] = ['kW8sJd3hLr6o', 'eG6nRa1vUs7w'];

/** The button's badge for all tabs without one of their own. */
const badge = (session) =>
  session.kind === 'chrome'
    ? session.badge()
    : session.marionette.chrome(
        'const { extension } = WebExtensionPolicy.getByID(arguments[0]); return extension.apiManager.global.browserActionFor(extension).action.getProperty(null, "badgeText");',
        [session.id],
      );

for (const kind of BROWSERS) {
  describe(`options and hidden tabs in ${kind}`, () => {
    let session;
    let page;
    before(async () => {
      session = await startSession(kind, { origins: [LOCALHOST] });
      page = await session.colab();
    });
    after(() => session?.close());

    test('a crash in a hidden tab is marked on the button until the tab is shown', async () => {
      await page.evaluate((id) => window.replica.run(id), HTML);
      await card(page, HTML);
      assert.equal(await badge(session), '', 'the tab shows: its own number is enough');
      const front = await session.newPage();
      await front.bringToFront();
      await page.evaluate((id) => window.replica.run(id), OOM);
      await until('the button says so', async () => (await badge(session)) === '+1', { detail: () => badge(session) });
      await page.bringToFront();
      await until('it was looked at', async () => (await badge(session)) === '');
      await front.close();
    });

    test('the options list what is allowed and what is stored, and erase it on a click', async () => {
      const open = await ownPage(session, 'options.html');
      let said = '';
      await until(
        'the options',
        async () => {
          said = await open.text();
          return said.includes(LOCALHOST);
        },
        { detail: () => said },
      );
      assert.match(said, /1 page and \d+ thousand characters/);
      if (kind === 'chrome') {
        for (const scheme of ['light', 'dark']) {
          await open.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
          await picture(open.page, `options-${scheme}`);
        }
        await open.page.setViewport({ width: 360, height: 700 });
        await picture(open.page, 'options-narrow');
      } else {
        // Chromium asks in a window of its own, and does not revoke what the test copy's manifest requires.
        const on = () => open.evaluate(() => document.querySelector('#set-notify').checked);
        assert.equal(await on(), false);
        await open.click('#set-notify');
        await until('notifications are on', on);
        assert.equal(
          await session.marionette.chrome(
            'return WebExtensionPolicy.getByID(arguments[0]).hasPermission("notifications")',
            [session.id],
          ),
          true,
        );
        await open.click('.sites li:nth-child(2) button');
        await until('it may not be read any more', async () => !(await open.text()).includes(LOCALHOST));
        assert.deepEqual(await session.granted(), []);
      }
      await open.click('#forget');
      await until('it is forgotten, and read anew', async () => /[01] pages? and \d thousand/.test(await open.text()), {
        detail: () => open.text(),
      });
      // The open notebook was asked to start again, so it has its cards.
      await page.bringToFront();
      await card(page, OOM, 'gpu-oom');
      assert.deepEqual(session.errors, []);
    });
  });
}
