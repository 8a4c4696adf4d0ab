// The page that a first installation opens, and only that.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { cleanPage } from './harness/axe.mjs';
import { ownPage } from './harness/own.mjs';
import { builtPackage, ROOT } from './harness/packages.mjs';
import { BROWSERS, picture, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const NOTEBOOK = JSON.parse(readFileSync(path.join(ROOT, 'extension/welcome.ipynb'), 'utf8'));
const CODE = NOTEBOOK.cells[0].source.join('');

/** How many welcome pages are open. */
const count = async (session) =>
  session.kind === 'chrome'
    ? (await session.browser.pages()).filter((page) => page.url().endsWith('/welcome.html')).length
    : session.marionette.chrome(
        "return gBrowser.tabs.filter((tab) => tab.linkedBrowser.currentURI.spec.endsWith('/welcome.html')).length",
      );

for (const kind of BROWSERS) {
  describe(`the welcome page in ${kind}`, () => {
    let session;
    let welcome;
    before(async () => {
      session = await startSession(kind, { welcome: true, unstored: 'the page has a card of its own' });
    });
    after(() => session?.close());

    test('an installation opens it; an update does not', async () => {
      await until('it is open', async () => (await count(session)) === 1);
      if (kind === 'firefox') {
        await session.install(builtPackage('firefox'));
        await until('the update runs', () =>
          session.marionette.chrome(
            'return WebExtensionPolicy.getByID(arguments[0])?.extension.backgroundState === "running"',
            [session.id],
          ),
        );
        assert.ok((await count(session)) <= 1);
      }
    });

    test('the engine makes its card from the output above it', async () => {
      welcome = await ownPage(session, 'welcome.html');
      await until(
        'the card',
        () =>
          welcome.evaluate(() => Boolean(document.querySelector('nbmedic-card')?.shadowRoot.querySelector('.card'))),
        { detail: welcome.text },
      );
      const shown = await welcome.evaluate(() => {
        const { shadowRoot } = document.querySelector('nbmedic-card');
        const one = shadowRoot.querySelector('.card');
        return {
          id: one.dataset.id,
          cause: one.querySelector('.title').textContent,
          kind: one.querySelector('.kind').textContent,
          changes: [...one.querySelectorAll('.first .diff code')].map((row) => row.textContent),
          radius: getComputedStyle(one).borderTopLeftRadius,
        };
      });
      assert.deepEqual(shown, {
        id: 'name-undefined',
        cause: 'No cell that ran imports math',
        kind: '“math” was not imported in this session',
        changes: ['import math'],
        radius: '8px',
      });
      assert.match(await welcome.text(), /NameError: name 'math' is not defined/);
      assert.equal(await welcome.evaluate(() => document.querySelector('.cell .input code').textContent), CODE);
    });

    test('the cell is copied', async () => {
      if (kind === 'chrome') {
        await session.browser
          .defaultBrowserContext()
          .overridePermissions(`chrome-extension://${await session.extensionId()}`, [
            'clipboard-read',
            'clipboard-write',
          ]);
        await welcome.page.bringToFront();
      }
      await welcome.click('.cell .copy');
      await welcome.shows(/Copied/);
      if (kind === 'chrome') assert.equal(await welcome.evaluate(() => navigator.clipboard.readText()), CODE);
    });

    test('it fails again until it is repaired, and then one line is left', async () => {
      const card = () => welcome.evaluate(() => Boolean(document.querySelector('.below nbmedic-card')));
      await welcome.click('.cell .primary');
      await until('it fails again, as [2]', async () => /\[2\]:/.test(await welcome.text()) && (await card()));
      await welcome.evaluate(() =>
        document.querySelector('.below nbmedic-card').shadowRoot.querySelector('.first .replace').click(),
      );
      const code = () => welcome.evaluate(() => document.querySelector('.cell .input code').textContent);
      assert.equal(await code(), `import math\n${CODE}`);
      await welcome.click('.cell .primary');
      await welcome.shows(/Solved: cell \[3\] ran/);
      assert.equal(await card(), false);
      const printed = await welcome.evaluate(() => document.querySelector('.cell .output').textContent);
      assert.equal(Number(printed), Math.PI * 2.5 ** 2);
    });

    test('it promises to change nothing unless asked, and leads to Colab and to a Jupyter server', async () => {
      await welcome.shows(/It changes nothing unless you click/);
      assert.equal(
        await welcome.evaluate(() => document.querySelector('.doors a').href),
        'https://colab.research.google.com/#create=true',
      );
      await welcome.evaluate(() => {
        document.querySelector('#address').value = 'not an address';
      });
      await welcome.click('.doors .add button');
      await welcome.shows(/That is not the address of a web page/);
    });

    if (kind === 'chrome')
      for (const theme of ['light', 'dark'])
        test(`axe finds nothing, ${theme}`, async () => {
          await welcome.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
          for (const width of [280, 960, 1600]) {
            await welcome.page.setViewport({ width, height: 1000 });
            await picture(welcome.page, `welcome-${theme}-${width}`);
            const wide = await welcome.evaluate(() => document.documentElement.scrollWidth);
            assert.ok(wide <= width, `${wide} px in ${width}`);
          }
          await cleanPage(welcome.page, `welcome, ${theme}`, { least: 11 });
        });

    test('it says what is allowed, and one button requests what is withheld', async () => {
      await welcome.shows(/Ready: nbmedic reads the notebooks/);
      if (kind !== 'firefox') return;
      await session.disallow('https://colab.research.google.com/*');
      welcome = await ownPage(session, 'welcome.html');
      await welcome.shows(/doesn't let nbmedic read anything yet/);
      await welcome.click('.allowed button');
      await welcome.shows(/Ready: nbmedic reads the notebooks/);
      assert.deepEqual(session.errors, []);
    });
  });
}
