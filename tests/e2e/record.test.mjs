// What is stored: the browser is ended and started again, its files are damaged, its room is used up, a window is private.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { NOTEBOOK_URL, startProxy } from '../replicas/server.mjs';
import { card, cards, settled } from './harness/cards.mjs';
import { startChrome } from './harness/chrome.mjs';
import { startFirefox } from './harness/firefox.mjs';
import { builtPackage, copied } from './harness/packages.mjs';
import { inPopup } from './harness/popup.mjs';
import { BROWSERS, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';
import { addWitness, witness } from './harness/witness.mjs';

const [OOM, SCRIPT, HTML, OTHER] = ['kW8sJd3hLr6o', 'bM2yXc9tPz4i', 'eG6nRa1vUs7w', 'yL1cQw6bEi9m'];
const start = { chrome: startChrome, firefox: startFirefox };
const run = (page, cell, steps = null) => page.evaluate((id, list) => window.replica.run(id, list), cell, steps);
const ready = (page) => until('the replica is ready', () => page.evaluate(() => document.documentElement.dataset.ready === 'true'));

async function colab(session) {
  const page = await session.newPage();
  await page.goto(NOTEBOOK_URL, { waitUntil: 'load' });
  await ready(page);
  return page;
}

/** The files of a profile whose path holds `part`. */
async function files(profile, part) {
  const found = await readdir(profile, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath ?? entry.path, entry.name)).filter((name) => part.test(name));
}
const DATABASE = { chrome: /IndexedDB.chrome-extension_.*indexeddb\.leveldb.[^/]*\.(log|ldb)$|IndexedDB.chrome-extension_.*MANIFEST-/, firefox: /storage.default.moz-extension.*idb.*\.sqlite$/ };

for (const kind of BROWSERS) {
  describe(`the record outlasts ${kind}`, () => {
    let proxy;
    let copy;
    let profile;
    let session;
    before(async () => {
      proxy = await startProxy();
      copy = await copied(builtPackage(kind), addWitness);
      profile = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-profile-'));
      session = await start[kind]({ extension: copy.dir, proxy, profile });
    });
    after(async () => {
      await session?.close();
      proxy?.close();
      await copy?.remove();
      if (profile) await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    });
    const again = async () => { session = await start[kind]({ extension: copy.dir, proxy, profile, ...(kind === 'firefox' ? { installed: true } : {}) }); };

    test('the browser is ended in mid-stream: what a person decided is kept, pages of the last run are not', async () => {
      const page = await colab(session);
      await run(page, OOM);
      await card(page, OOM, 'gpu-oom');
      await inPopup(session, /1 problem explained/, (popup) => popup.click('Mute'));
      await until('it is muted', async () => (await witness(page)).store.settings.muted?.includes('gpu-oom'));
      await run(page, HTML);
      await card(page, HTML);
      await page.evaluate((id) => { window.replica.run(id, [{ stream: window.replica.trainingLog(9, 50), rate: 40 }]); }, SCRIPT);
      await until('the stream is stored', async () => (await witness(page)).store.events.some(({ event }) => event.cell === SCRIPT && event.len > 500));
      await session.kill();
      await again();
      const fresh = await colab(session);
      await run(fresh, OOM);
      await run(fresh, HTML);
      await card(fresh, HTML);
      await settled(fresh, OTHER);
      assert.deepEqual((await cards(fresh)).map((c) => c.cell), [HTML], 'muted is muted');
      const { store } = await until('only the pages that are open', async () => { const seen = await witness(fresh); return seen.store.pages.length === 1 && seen; });
      assert.deepEqual(new Set(store.events.map((row) => row.page)).size, 1);
    });

    test('its files are cut short: everything works, from a new record', async (t) => {
      await session.kill();
      const damaged = await files(profile, DATABASE[kind]);
      assert.ok(damaged.length > 0, 'there is a database');
      for (const name of damaged) await truncate(name, Math.floor((await stat(name)).size / 2));
      await again();
      const page = await colab(session);
      await run(page, HTML);
      await card(page, HTML);
      await settled(page, OTHER);
      const { store, acks } = await witness(page);
      assert.ok(store.pages.some((one) => one.page === acks.at(-1).page), 'what is sent is stored');
      const lost = !store.settings.muted;
      t.diagnostic(`${kind}: ${damaged.length} files cut short; ${lost ? 'the record was begun anew' : 'the browser saved what was muted'}`);
      // Chromium takes an unpacked extension for newly installed at every start.
      if (lost && kind === 'firefox') await inPopup(session, /stored record could not be read and was begun anew/);
    });
  });

  describe(`there is no room in ${kind}`, () => {
    let session;
    let page;
    before(async () => {
      session = await startSession(kind, { change: addWitness, unstored: 'there is no room to store it', ...(kind === 'firefox' ? { prefs: { 'dom.quotaManager.temporaryStorage.fixedLimit': 1024 } } : {}) });
      page = await session.colab();
      if (kind === 'chrome') {
        const client = await page.createCDPSession();
        await client.send('Storage.overrideQuotaForOrigin', { origin: `chrome-extension://${await session.extensionId()}`, quotaSize: 400_000 });
      }
    });
    after(() => session?.close());

    test('past the quota cards are right, the page is read on, and the popup says what it means', async () => {
      await page.evaluate((id) => {
        const big = (i) => Array.from({ length: 1500 }, (_, k) => `value ${i} ${k} ${(Math.sin(i * 1500 + k) * 1e9).toFixed(0)} and so on, a line of some length\n`).join('');
        return window.replica.run(id, Array.from({ length: 40 }, (_, i) => (i % 2 ? { result: big(i) } : { stream: big(i) })));
      }, HTML);
      await run(page, OOM);
      await card(page, OOM, 'gpu-oom');
      await inPopup(session, /The browser gives nbmedic no more room/);
      await page.bringToFront();
      await run(page, SCRIPT);
      await card(page, SCRIPT, 'gpu-oom');
      await settled(page, OTHER);
      assert.deepEqual((await cards(page)).map((c) => c.cell).sort(), [OOM, SCRIPT].sort());
      assert.deepEqual(session.errors, []);
    });
  });
}
