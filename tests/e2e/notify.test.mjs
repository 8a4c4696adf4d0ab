// A crash in a hidden tab as a system notification, only if that is switched on.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { card } from './harness/cards.mjs';
import { ownPage } from './harness/own.mjs';
import { manifest } from './harness/packages.mjs';
import { BROWSERS, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const [OOM, HTML] = ['kW8sJd3hLr6o', 'eG6nRa1vUs7w'];
// Chromium's prompt is a window that no test can click, so a copy of the package has the permission from the start.
const allowed = {
  change: (dir) =>
    manifest(dir, (made) => {
      made.permissions.push('notifications');
    }),
};

for (const kind of BROWSERS) {
  describe(`notifications in ${kind}`, () => {
    let session;
    let page;
    let own;
    before(async () => {
      session = await startSession(kind, kind === 'chrome' ? allowed : {});
      page = await session.colab();
      own = await ownPage(session, 'options.html');
      await own.shows(/Nothing leaves|Forget|forget/);
      if (kind === 'firefox') {
        await session.marionette.chrome(
          `
          const { ExtensionPermissions } = ChromeUtils.importESModule('resource://gre/modules/ExtensionPermissions.sys.mjs');
          return ExtensionPermissions.add(arguments[0], { permissions: ['notifications'], origins: [] }, WebExtensionPolicy.getByID(arguments[0]).extension).then(() => true);`,
          [session.id],
        );
      }
      const front = await session.newPage();
      await front.bringToFront();
    });
    after(() => session?.close());
    /** nbmedic's notifications that the system shows. */
    const notes = () => own.evaluate(async () => Object.keys((await globalThis.chrome.notifications?.getAll()) ?? {}));
    const crash = async (cell) => {
      await page.evaluate((id) => window.replica.run(id), cell);
      await card(page, cell);
    };

    test('switched off: only the badge shows it', async () => {
      await crash(HTML);
      assert.deepEqual(await notes(), []);
    });

    // Headless Firefox shows none; `notify.test.mjs` in tests/js covers it.
    if (kind === 'firefox') return;

    test('switched on: the notification names the event and the tab, and nothing that was printed', async () => {
      await own.evaluate(() => globalThis.chrome.runtime.sendMessage({ nbmedic: 1, kind: 'set-notify', on: true }));
      await crash(OOM);
      await until('a notification', async () => (await notes()).length === 1, { detail: notes });
      assert.match((await notes())[0], /^tab-\d+$/);
    });
  });
}
