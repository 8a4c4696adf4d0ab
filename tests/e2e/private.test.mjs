// A private window shows cards as usual, and leaves nothing in the record or in any file of the profile.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { NOTEBOOK_URL } from '../replicas/server.mjs';
import { card, settled } from './harness/cards.mjs';
import { builtPackage, copied } from './harness/packages.mjs';
import { BROWSERS, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';
import { addWitness, witness } from './harness/witness.mjs';

const [SCRIPT, OTHER] = ['bM2yXc9tPz4i', 'yL1cQw6bEi9m'];
const OPEN = 'quokkafinch';
const SECRET = 'zebrawombat';
const ready = (page) => page.evaluate(() => document.documentElement.dataset.ready === 'true').catch(() => false);
const print = (page, word) =>
  page.evaluate(
    (id, text) =>
      window.replica.run(id, [{ stream: `${text} ${text}\n` }, { stream: window.replica.SCRIPT_TRACEBACK }]),
    SCRIPT,
    word,
  );

/** Allows the extension in private windows, as the browser's settings do. */
async function letIn(session) {
  if (session.kind === 'firefox') {
    await session.marionette.chrome(
      `
      const { ExtensionPermissions } = ChromeUtils.importESModule('resource://gre/modules/ExtensionPermissions.sys.mjs');
      const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs');
      const id = arguments[0];
      return ExtensionPermissions.add(id, { permissions: ['internal:privateBrowsingAllowed'], origins: [] }, WebExtensionPolicy.getByID(id).extension)
        .then(() => AddonManager.getAddonByID(id)).then((addon) => addon.reload()).then(() => true);`,
      [session.id],
    );
    await until('it is let in', () =>
      session.marionette.chrome('return WebExtensionPolicy.getByID(arguments[0])?.privateBrowsingAllowed', [
        session.id,
      ]),
    );
    return;
  }
  const page = await session.newPage();
  await page.goto('chrome://extensions');
  await page.evaluate(
    async (id) => {
      // Otherwise Chromium disables an unpacked extension as soon as it is reloaded.
      await chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true });
      await chrome.developerPrivate.updateExtensionConfiguration({ extensionId: id, incognitoAccess: true });
    },
    await session.extensionId(),
  );
  await page.close();
  await until('it is let in', () => inOptions(session, () => chrome.extension.isAllowedIncognitoAccess()), {
    every: 300,
  });
}

/** Runs on an extension page, which has the APIs and survives the change of the setting. */
async function inOptions(session, task, ...args) {
  const page = await session.newPage();
  await page.goto(`chrome-extension://${await session.extensionId()}/options.html`);
  try {
    return await page.evaluate(task, ...args);
  } finally {
    await page.close();
  }
}

async function privatePage(session) {
  const known = await session.browser.pages();
  if (session.kind === 'chrome') {
    await inOptions(session, (url) => chrome.windows.create({ incognito: true, url }).then(() => true), NOTEBOOK_URL);
  } else {
    await session.marionette.chrome('OpenBrowserWindow({ private: true });');
    await until('a private window', () =>
      session.marionette.chrome(
        `
      for (const window of Services.wm.getEnumerator('navigator:browser')) {
        if (!window.gBrowserInit?.delayedStartupFinished || !PrivateBrowsingUtils.isWindowPrivate(window)) continue;
        window.gBrowser.selectedBrowser.fixupAndLoadURIString(arguments[0], { triggeringPrincipal: Services.scriptSecurityManager.getSystemPrincipal() });
        return true;
      }
      return false;`,
        [NOTEBOOK_URL],
      ),
    );
  }
  return until('the private page', async () => {
    const all =
      session.kind === 'chrome'
        ? await Promise.all(
            session.browser
              .targets()
              .filter((target) => target.type() === 'page' && target.url() === NOTEBOOK_URL)
              .map((target) => target.page()),
          )
        : await session.browser.pages();
    for (const page of all)
      if (!known.includes(page) && page.url() === NOTEBOOK_URL && (await ready(page))) return page;
    return null;
  });
}

/** The files of a profile that contain a word. */
async function holding(profile, word) {
  const found = [];
  for (const entry of await readdir(profile, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const name = path.join(entry.parentPath ?? entry.path, entry.name);
    const bytes = await readFile(name).catch(() => Buffer.alloc(0));
    if (bytes.includes(word) || bytes.includes(Buffer.from(word, 'utf16le'))) found.push(path.relative(profile, name));
  }
  return found;
}

for (const kind of BROWSERS) {
  describe(`a private window of ${kind}`, () => {
    let copy;
    let profile;
    let session;
    before(async () => {
      copy = await copied(builtPackage(kind), addWitness);
      profile = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-profile-'));
      session = await startSession(kind, {
        extension: copy.dir,
        profile,
        unstored: 'the browser is killed',
        ...(kind === 'chrome' ? { args: ['--ignore-certificate-errors'] } : {}),
      });
    });
    after(async () => {
      await session?.close();
      await copy?.remove();
      if (profile) await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    });

    test('cards as usual, and nothing left behind', async () => {
      await letIn(session);
      const page = await session.colab();
      await print(page, OPEN);
      await card(page, SCRIPT, 'gpu-oom');

      const hidden = await privatePage(session);
      await print(hidden, SECRET);
      await card(hidden, SCRIPT, 'gpu-oom');
      await settled(hidden, OTHER);
      const { acks, store } = await witness(hidden);
      assert.ok(JSON.stringify(acks).includes(SECRET), 'it was sent and acknowledged');
      assert.ok(JSON.stringify(store).includes(OPEN), 'what an ordinary window printed is stored');
      assert.ok(!JSON.stringify(store).includes(SECRET), 'what the private window printed is not');
      assert.equal(store.pages.length, 1);
      assert.ok(!store.pages.some((one) => one.page === acks[0].page));
      await hidden.close();
      // Disk writes are delayed, but arrive in order: once the ordinary page's next word is there, earlier writes are too.
      await until('the ordinary word is on the disk', async () => (await holding(profile, OPEN)).length > 0, {
        every: 500,
      });
      await session.kill();
      const ours = (names) => names.filter((name) => /indexeddb|idb|extension/i.test(name));
      assert.ok(ours(await holding(profile, OPEN)).length > 0, 'the search finds what is stored');
      assert.deepEqual(await holding(profile, SECRET), []);
    });
  });
}
