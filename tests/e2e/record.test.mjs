// The stored record: the browser is killed and restarted, its files are damaged, its space is used up.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { card, cards, settled } from './harness/cards.mjs';
import { ownPage } from './harness/own.mjs';
import { builtPackage, copied } from './harness/packages.mjs';
import { inPopup } from './harness/popup.mjs';
import { BROWSERS, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';
import { addWitness, census, witness } from './harness/witness.mjs';

const [OOM, SCRIPT, HTML, OTHER] = ['kW8sJd3hLr6o', 'bM2yXc9tPz4i', 'eG6nRa1vUs7w', 'yL1cQw6bEi9m'];
const run = (page, cell, steps = null) => page.evaluate((id, list) => window.replica.run(id, list), cell, steps);

/** The files of a profile whose path contains `part`. */
async function files(profile, part) {
  const found = await readdir(profile, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .filter((name) => part.test(name));
}
const DATABASE = {
  chrome: /IndexedDB.chrome-extension_.*indexeddb\.leveldb.[^/]*\.(log|ldb)$|IndexedDB.chrome-extension_.*MANIFEST-/,
  firefox: /storage.default.moz-extension.*idb.*\.sqlite$/,
};

for (const kind of BROWSERS) {
  describe(`the record outlasts ${kind}`, () => {
    let copy;
    let profile;
    let session;
    const start = (home, options = {}) =>
      startSession(kind, { extension: copy.dir, profile: home, unstored: 'the browser is killed', ...options });
    before(async () => {
      copy = await copied(builtPackage(kind), addWitness);
      profile = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-profile-'));
      session = await start(profile);
    });
    after(async () => {
      await session?.close();
      await copy?.remove();
      if (profile) await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    });
    const again = async () => {
      await session.close();
      session = await start(profile, kind === 'firefox' ? { installed: true } : {});
    };

    test('the browser is killed during a stream: the user’s decisions are kept, pages of the last run are not', async () => {
      const page = await session.colab();
      await run(page, OOM);
      await card(page, OOM, 'gpu-oom');
      await inPopup(session, /1 problem explained/, (popup) => popup.click('Mute this kind'));
      await until('it is muted', async () => (await witness(page)).store.settings.muted?.includes('gpu-oom'));
      await run(page, HTML);
      await card(page, HTML);
      await page.evaluate((id) => {
        window.replica.run(id, [{ stream: window.replica.trainingLog(9, 50), rate: 40 }]);
      }, SCRIPT);
      await until('the stream is stored', async () =>
        (await witness(page)).store.events.some(({ event }) => event.cell === SCRIPT && event.len > 500),
      );
      await session.kill();
      await again();
      const fresh = await session.colab();
      await run(fresh, OOM);
      await run(fresh, HTML);
      await card(fresh, HTML);
      await settled(fresh, OTHER);
      assert.deepEqual(
        (await cards(fresh)).map((c) => c.cell),
        [HTML],
        'muted is muted',
      );
      const { store } = await until('only the pages that are open', async () => {
        const seen = await witness(fresh);
        return seen.store.pages.length === 1 && seen;
      });
      assert.deepEqual(new Set(store.events.map((row) => row.page)).size, 1);
    });

    test('another profile knows nothing about what was decided and printed here', async () => {
      const home = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-profile-'));
      const second = await start(home);
      try {
        const page = await second.colab();
        await run(page, OOM);
        await card(page, OOM, 'gpu-oom');
        const { store } = await witness(page);
        assert.equal(store.pages.length, 1);
        assert.equal(store.settings.muted, undefined);
      } finally {
        await second.close();
        await rm(home, { recursive: true, force: true, maxRetries: 5 });
      }
      // Nothing changed here.
      const page = await session.colab();
      await run(page, OOM);
      await settled(page, OTHER);
      assert.deepEqual(await cards(page), []);
      assert.deepEqual((await witness(page)).store.settings.muted, ['gpu-oom']);
      await page.close();
    });

    test('its files are truncated: everything works, with a new record', async (t) => {
      await session.kill();
      const damaged = await files(profile, DATABASE[kind]);
      assert.ok(damaged.length > 0, 'there is a database');
      for (const name of damaged) await truncate(name, Math.floor((await stat(name)).size / 2));
      await again();
      const page = await session.colab();
      await run(page, HTML);
      await card(page, HTML);
      await settled(page, OTHER);
      const { store, acks } = await witness(page);
      assert.ok(
        store.pages.some((one) => one.page === acks.at(-1).page),
        'what is sent is stored',
      );
      // Whatever part is damaged: a page that reads it shows what there is, and afterwards everything can be read.
      const history = await ownPage(session, 'history.html');
      await history.shows(/\d+ entr|Nothing yet/);
      await history.close();
      const after = await until('the history can be read', async () => {
        const seen = await witness(page);
        return seen.store.past !== null && seen.store;
      });
      const lost = !after.settings.muted;
      t.diagnostic(
        `${kind}: ${damaged.length} files cut short; ${store.past === null ? 'the history was damaged, ' : ''}${lost ? 'the record was begun anew' : 'the browser saved what was muted'}`,
      );
      // Chromium treats an unpacked extension as newly installed at every start.
      if (lost && kind === 'firefox') await inPopup(session, /stored data could not be read and was reset/);
    });
  });

  describe(`the record is full in ${kind}`, () => {
    const PAGE = 500_000;
    const ALL = 1_200_000;
    let session;
    let pages;
    before(async () => {
      session = await startSession(kind, {
        attach: false,
        unstored: 'its oldest outputs went',
        // The same limits, but lower: reaching them takes seconds instead of an afternoon.
        async change(dir) {
          await addWitness(dir);
          const file = path.join(dir, 'background.js');
          const code = await readFile(file, 'utf8');
          const near = code
            .replace(/MAX_PAGE ?= ?[^;]+/, `MAX_PAGE = ${PAGE}`)
            .replace(/MAX_ALL ?= ?[^;]+/, `MAX_ALL = ${ALL}`);
          assert.notEqual(near, code);
          await writeFile(file, near);
        },
      });
      pages = [];
      for (let i = 0; i < 3; i += 1) pages.push(await session.colab());
    });
    after(() => session?.close());

    test('three tabs that print at once stay within it: the oldest outputs are dropped, no tab starts again, none is mixed up', async () => {
      await Promise.all(
        pages.map((page, tab) =>
          page.evaluate(
            (id, which) => {
              const big = (i) =>
                Array.from(
                  { length: 1000 },
                  (_, k) => `tab ${which} output ${i} value ${k} ${(Math.sin(i * 1500 + k) * 1e9).toFixed(0)}\n`,
                ).join('');
              return window.replica.run(
                id,
                Array.from({ length: 24 }, (_, i) => (i % 2 ? { result: big(i) } : { stream: big(i) })),
              );
            },
            HTML,
            tab,
          ),
        ),
      );
      for (const page of pages) {
        // A hidden tab is read less often.
        await page.bringToFront();
        await run(page, OOM);
        await card(page, OOM, 'gpu-oom');
      }
      for (const [tab, page] of pages.entries()) {
        const { acks, store } = await witness(page);
        assert.equal(new Set(acks.map((ack) => ack.page)).size, 1, 'it never had to begin again');
        const mine = store.pages.find((one) => one.page === acks[0].page);
        const rows = store.events.filter((row) => row.page === mine.page);
        assert.equal(
          mine.size,
          rows.reduce((sum, { size }) => sum + size, 0),
        );
        assert.ok(mine.size <= PAGE, `${mine.size}`);
        const outputs = rows.map(({ event }) => event).filter(({ t, cell }) => t === 'output' && cell === HTML);
        assert.ok(outputs.length > 0 && outputs.every(({ head }) => head.startsWith(`tab ${tab} `)), 'its own outputs');
        const sent = acks.flatMap(({ events }) => events).filter(({ t, cell }) => t === 'output' && cell === HTML);
        assert.ok(sent.length > outputs.length, 'more was sent than is kept');
        assert.ok(
          outputs.some(({ out }) => out === Math.max(...sent.map((one) => one.out))),
          'the newest is kept',
        );
        assert.ok(store.pages.reduce((sum, { size }) => sum + size, 0) <= ALL + ALL / 16 + 600_000, 'all of them');
      }
    });

    test('and they continue from it when the background stops', async () => {
      await session.stopBackground();
      for (const page of pages) {
        await page.bringToFront();
        await run(page, SCRIPT);
        await card(page, SCRIPT, 'gpu-oom');
        assert.deepEqual((await cards(page)).map((c) => c.cell).sort(), [OOM, SCRIPT].sort());
        assert.equal((await census(page)).orphans, 0);
      }
      assert.deepEqual(session.errors, []);
    });
  });

  describe(`there is no room in ${kind}`, () => {
    let session;
    let page;
    before(async () => {
      session = await startSession(kind, {
        change: addWitness,
        unstored: 'there is no room to store it',
        ...(kind === 'firefox' ? { prefs: { 'dom.quotaManager.temporaryStorage.fixedLimit': 1024 } } : {}),
      });
      page = await session.colab();
      if (kind === 'chrome') {
        const client = await page.createCDPSession();
        await client.send('Storage.overrideQuotaForOrigin', {
          origin: `chrome-extension://${await session.extensionId()}`,
          quotaSize: 400_000,
        });
      }
    });
    after(() => session?.close());

    test('beyond the quota cards are right, reading continues, and the popup says what it means', async () => {
      const fill = (n) =>
        page.evaluate(
          (id, which) => {
            const big = (i) =>
              Array.from(
                { length: 1500 },
                (_, k) =>
                  `value ${which} ${i} ${k} ${(Math.sin(i * 1500 + k) * 1e9).toFixed(0)} and so on, a line of some length\n`,
              ).join('');
            return window.replica.run(
              id,
              Array.from({ length: 40 }, (_, i) => (i % 2 ? { result: big(i) } : { stream: big(i) })),
            );
          },
          HTML,
          n,
        );
      // Chromium caches the free space for half a minute.
      let n = 0;
      await until(
        'the page is held in memory',
        async () => {
          await fill((n += 1));
          const { acks, store } = await witness(page);
          return acks.length > 0 && !store.pages.some((one) => one.page === acks.at(-1).page);
        },
        { timeout: 90_000, every: 1000 },
      );
      await run(page, OOM);
      await card(page, OOM, 'gpu-oom');
      await inPopup(session, /The browser has no more storage for nbmedic/);
      await page.bringToFront();
      await run(page, SCRIPT);
      await card(page, SCRIPT, 'gpu-oom');
      await settled(page, OTHER);
      assert.deepEqual((await cards(page)).map((c) => c.cell).sort(), [OOM, SCRIPT].sort());
      assert.deepEqual(session.errors, []);
    });
  });
}
