// Installed while notebooks are open, updated in the middle of a run, put into the page cache and brought back.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { MIGRATIONS } from '../../extension/background/database.js';
import { NOTEBOOK_URL } from '../replicas/server.mjs';
import { card, cards, noCard, pressed, settled } from './harness/cards.mjs';
import { builtPackage, copied, manifest, ROOT } from './harness/packages.mjs';
import { BROWSERS, startSession } from './harness/session.mjs';
import { visit } from './harness/visit.mjs';
import { until } from './harness/wait.mjs';
import { addWitness, census, witness } from './harness/witness.mjs';

const [OOM, SCRIPT, HTML, OTHER] = ['kW8sJd3hLr6o', 'bM2yXc9tPz4i', 'eG6nRa1vUs7w', 'yL1cQw6bEi9m'];
const SCHEMA_1 = path.join(ROOT, 'tests/fixtures/store/schema-1.json');

/** A background that writes an earlier nbmedic's record and does nothing else. */
const planter = (record) => `const { version, stores } = ${record};
const request = indexedDB.open('nbmedic', version);
request.onupgradeneeded = () => {
  for (const [store, { keyPath, rows }] of Object.entries(stores)) {
    const made = request.result.createObjectStore(store, keyPath ? { keyPath } : {});
    for (const [key, value] of rows) made.put(value, ...(keyPath ? [] : [key]));
  }
};
request.onsuccess = () => {
  request.result.close();
  chrome.action.setBadgeText({ text: 'old' });
};
`;

const run = (page, cell, steps = null) => page.evaluate((id, list) => window.replica.run(id, list), cell, steps);
const shown = async (page) => (await cards(page)).map((c) => [c.cell, c.id]);

for (const kind of BROWSERS) {
  describe(`the extension comes and goes in ${kind}`, () => {
    let session;
    let copy;
    let page;
    let other;
    before(async () => {
      session = await startSession(kind, { bare: true });
      copy = await copied(builtPackage(kind), addWitness);
      page = await session.colab('?back=yes');
      other = await session.colab('', { type: 'window' });
    });
    after(async () => {
      await session?.close();
      await copy?.remove();
    });
    /** The browser's newest page that is not in `known`. */
    const another = (known) =>
      until('the other tab', async () => {
        for (const one of await session.browser.pages())
          if (!known.includes(one) && one.url().startsWith(NOTEBOOK_URL)) return one;
        return null;
      });
    const tabOf = (url) =>
      session.inBackground(
        async (wanted) => (await chrome.tabs.query({})).filter((tab) => tab.url === wanted).map(({ id }) => id),
        url,
      );

    test('an earlier nbmedic and its record exist', async () => {
      const names = ['manifest.json', 'witness-background.js'].map((name) => path.join(copy.dir, name));
      const keep = await Promise.all(names.map((name) => readFile(name, 'utf8')));
      await writeFile(path.join(copy.dir, 'witness-background.js'), planter(await readFile(SCHEMA_1, 'utf8')));
      await manifest(copy.dir, (made) => {
        made.version = '0.0.1';
        delete made.content_scripts;
      });
      await session.install(copy.dir);
      if (kind === 'chrome')
        await until('its record', () =>
          session.inBackground(async () => (await chrome.action.getBadgeText({})) === 'old'),
        );
      else {
        await until('its record', () =>
          session.marionette.chrome(
            `
          const { extension } = WebExtensionPolicy.getByID(arguments[0]);
          return extension.apiManager.global.browserActionFor(extension).action.getProperty(null, 'badgeText') === 'old';`,
            ['nbmedic@nbmedic.org'],
          ),
        );
      }
      for (const [i, name] of names.entries()) await writeFile(name, keep[i]);
      assert.deepEqual([await shown(page), await shown(other)], [[], []]);
    });

    test('open notebooks in every window get a sensor; what was muted stays muted', async () => {
      await session.install(copy.dir);
      for (const one of [page, other]) {
        await until('one sensor', async () => (await census(one)).working === 1, { detail: () => census(one) });
        await settled(one, OTHER);
      }
      await run(page, OOM);
      await settled(page, OTHER);
      assert.deepEqual(await shown(page), [], 'the record of the earlier version says that it is muted');
      const { store } = await witness(page);
      assert.equal(store.version, MIGRATIONS.length);
      assert.deepEqual(store.settings.muted, ['gpu-oom', 'slow-import']);
      // Nothing remains of the tabs that the earlier version knew.
      assert.equal(store.pages.length, 2);
    });

    test('an update in the middle of a run hands over once: no duplicate card, no dead button, no orphan', async () => {
      await run(page, HTML);
      const first = await card(page, HTML);
      const error = {
        type: 'ValueError',
        message: 'too many values to unpack (expected 2)',
        source: 'a, b = 1, 2, 3',
        at: 1,
      };
      await page.evaluate(
        (id, what) => {
          const { trainingLog, traceback } = window.replica;
          window.over = false;
          window.ended = false;
          const steps = {
            *[Symbol.iterator]() {
              while (!window.over) yield { stream: trainingLog(1, 5), rate: 25, odd: true };
              yield { error: traceback(what) };
            },
          };
          window.replica.run(id, steps).then(() => {
            window.ended = true;
          });
        },
        SCRIPT,
        error,
      );
      await until('the stream', () =>
        page.evaluate((id) => document.querySelector(`#cell-${id} .output`).textContent.length > 500, SCRIPT),
      );
      await manifest(copy.dir, (made) => {
        made.version = '99.0.0';
      });
      await session.install(copy.dir);
      await until(
        'the new sensor works',
        async () => {
          const { working, orphans } = await census(page);
          return working === 1 && orphans === 0;
        },
        { detail: () => census(page) },
      );
      assert.equal(await page.evaluate(() => window.ended), false, 'the run still went on');
      await page.evaluate(() => {
        window.over = true;
      });
      await until('the end', () => page.evaluate(() => window.ended));
      await card(page, SCRIPT);
      await settled(page, OTHER);
      const now = await cards(page);
      assert.deepEqual(
        now.map((c) => c.cell),
        [SCRIPT, HTML],
      );
      assert.equal(now[1].id, first.id);
      for (const cell of [SCRIPT, HTML]) assert.equal(await pressed(page, cell, 'assistant'), 'yes');
      const seen = await census(page);
      assert.deepEqual([seen.working, seen.orphans], [1, 0]);
      // Chromium keeps the old scripts' world, Firefox removes it.
      if (kind === 'chrome') assert.equal(seen.worlds, 2);
      assert.equal((await census(other)).working, 1);
    });

    test('after a return from another page the notebook is as before, and recognised', async () => {
      await page.evaluate(() =>
        window.addEventListener('pageshow', ({ persisted }) => {
          window.kept = persisted;
        }),
      );
      const before = await shown(page);
      await page.goto(`${NOTEBOOK_URL}?elsewhere`, { waitUntil: 'load' });
      await page.evaluate(() => {
        setTimeout(() => history.back());
      });
      await until('the page is back', () => page.evaluate(() => window.kept === true));
      await settled(page, OTHER);
      assert.deepEqual(await shown(page), before);
      const { store, acks } = await witness(page);
      assert.ok(
        store.pages.some((one) => one.page === acks.at(-1).page),
        'what it sends is stored',
      );
      assert.equal((await census(page)).working, 1);
    });

    test('an update while the page is in the cache: after the return it works, with one sensor and no duplicate card', async (t) => {
      await page.evaluate(() => {
        window.kept = null;
      });
      await visit(page, '?elsewhere', () => {
        location.search = '?elsewhere';
      });
      await manifest(copy.dir, (made) => {
        made.version = '99.0.1';
      });
      await session.install(copy.dir);
      await until('the new sensor', async () => (await census(page)).working === 1, { detail: () => census(page) });
      await visit(page, '?back=yes', () => history.back());
      t.diagnostic(
        `${kind}: the page ${(await page.evaluate(() => window.kept === true)) ? 'was kept' : 'is loaded anew'}`,
      );
      await run(page, HTML);
      await card(page, HTML);
      await settled(page, OTHER);
      const { working, orphans } = await census(page);
      assert.deepEqual([working, orphans], [1, 0]);
      assert.equal((await cards(page)).filter((c) => c.cell === HTML).length, 1);
    });

    test('a duplicate of the tab is a notebook of its own', async () => {
      const known = await session.browser.pages();
      await page.bringToFront();
      const before = await shown(page);
      if (kind === 'chrome') {
        const [id] = await tabOf(page.url());
        await session.inBackground((tab) => chrome.tabs.duplicate(tab).then(() => true), id);
      } else {
        await session.marionette.chrome('gBrowser.duplicateTab(gBrowser.selectedTab)');
      }
      const twin = await another(known);
      await until('the twin is ready', () => twin.evaluate(() => document.documentElement.dataset.ready === 'true'));
      await run(twin, HTML);
      await card(twin, HTML);
      await settled(twin, OTHER);
      assert.deepEqual(
        (await shown(twin)).map(([cell]) => cell),
        [HTML],
      );
      assert.deepEqual(await shown(page), before);
      assert.equal((await witness(twin)).store.pages.length, 3);
      await twin.close();
      await until('the closed tab is forgotten', async () => (await witness(page)).store.pages.length === 2);
    });

    test('a discarded tab works again when it is shown', async () => {
      const known = await session.browser.pages();
      await page.bringToFront();
      const url = other.url();
      if (kind === 'chrome') {
        const [id] = await tabOf(url);
        const now = await session.inBackground(async (tab) => {
          const front = await chrome.tabs.create({
            windowId: (await chrome.tabs.get(tab)).windowId,
            active: true,
            url: 'about:blank',
          });
          const aside = await chrome.tabs.discard(tab);
          await chrome.tabs.update(aside.id, { active: true });
          await chrome.tabs.remove(front.id);
          return aside.id;
        }, id);
        assert.ok(now);
      } else {
        await session.marionette.chrome(
          `
          for (const window of Services.wm.getEnumerator('navigator:browser')) {
            const { gBrowser } = window;
            const tab = gBrowser.tabs.find((one) => one.linkedBrowser.currentURI.spec === arguments[0]);
            if (!tab) continue;
            const { TabStateFlusher } = ChromeUtils.importESModule('resource:///modules/sessionstore/TabStateFlusher.sys.mjs');
            const front = gBrowser.addTrustedTab('about:blank');
            gBrowser.selectedTab = front;
            // State that is not stored yet would be lost.
            return TabStateFlusher.flush(tab.linkedBrowser).then(() => {
              gBrowser.discardBrowser(tab, true);
              gBrowser.selectedTab = tab;
              gBrowser.removeTab(front);
              return true;
            });
          }
          return false;`,
          [url],
        );
      }
      const again = await until(
        'the tab is loaded again',
        async () => {
          for (const one of await session.browser.pages()) {
            if (one === page || one.url() !== url) continue;
            if (await one.evaluate(() => document.documentElement.dataset.ready === 'true').catch(() => false))
              return one;
          }
          return null;
        },
        { detail: async () => (await session.browser.pages()).map((one) => [one.url(), known.includes(one)]) },
      );
      await run(again, HTML);
      await card(again, HTML);
      await settled(again, OTHER);
      assert.deepEqual(
        (await shown(again)).map(([cell]) => cell),
        [HTML],
      );
      assert.equal((await witness(page)).store.pages.length, 2);
    });

    test('a cell that runs again loses its card, at the end as well as at the start', async () => {
      await run(page, HTML, [{ stream: 'fine\n' }]);
      await noCard(page, HTML);
      assert.deepEqual(
        session.errors.filter((line) => line.startsWith('page:')),
        [],
      );
    });
  });
}
