// nbmedic in another language: in this copy of the package, the browser's language has another language's messages.
import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { card } from './harness/cards.mjs';
import { ownPage } from './harness/own.mjs';
import { ROOT } from './harness/packages.mjs';
import { inPopup } from './harness/popup.mjs';
import { BROWSERS, picture, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const OOM = 'kW8sJd3hLr6o';
const catalogue = (language) =>
  JSON.parse(readFileSync(path.join(ROOT, `extension/_locales/${language}/messages.json`), 'utf8'));
const ENGLISH = catalogue('en');
const GERMAN = catalogue('de');
const same = new Set(Object.keys(ENGLISH).filter((key) => ENGLISH[key].message === GERMAN[key].message));
/** English messages that are a complete line of a text. */
const left = (text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => Object.entries(ENGLISH).some(([key, { message }]) => message === line && !same.has(key)));

const german = (dir) => cpSync(path.join(dir, '_locales/de'), path.join(dir, '_locales/en'), { recursive: true });

for (const kind of BROWSERS) {
  describe(`German in ${kind}`, () => {
    let session;
    let page;
    before(async () => {
      session = await startSession(kind, { change: german });
      page = await session.colab();
      await page.evaluate((id) => window.replica.run(id), OOM);
    });
    after(() => session?.close());

    test('the card’s own texts are German; the catalogue’s stay English and are marked as English', async () => {
      await card(page, OOM, 'gpu-oom');
      const said = await page.evaluate(() => {
        const root = document.querySelector('[data-nbmedic-card]').shadowRoot;
        const words = (selector) => root.querySelector(selector)?.textContent;
        return {
          lang: root.querySelector('.card').lang,
          more: words('.more > summary'),
          copy: words('.copy'),
          assistant: words('.assistant'),
          title: words('.title'),
          before: getComputedStyle(root.querySelector('.first .fix-title'), '::before').content,
          own: root.querySelector('.more > summary').lang,
        };
      });
      assert.match(said.title, /GPU/);
      assert.deepEqual(
        { ...said, title: '' },
        {
          lang: 'en',
          more: 'Was sonst noch hilft',
          copy: 'Zelle kopieren',
          assistant: 'Für einen Assistenten kopieren',
          title: '',
          before: '"Das hilft: "',
          own: 'de',
        },
      );
    });

    test('popup, options and welcome are German', async () => {
      await page.bringToFront();
      const popup = await inPopup(session, /1 Problem erklärt/, () => {}, /Nichts verlässt diesen Browser/);
      assert.deepEqual(left(popup), []);
      for (const name of ['options', 'welcome']) {
        const open = await ownPage(session, `${name}.html`);
        await open.shows(name === 'options' ? /nbmedic zurücksetzen/ : /Die nächsten Schritte/);
        assert.deepEqual(left(await open.text()), []);
        assert.equal(await open.evaluate(() => document.documentElement.lang), 'de');
        if (open.page) {
          for (const width of [280, 700]) {
            await open.page.setViewport({ width, height: 900 });
            await picture(open.page, `german-${name}-${width}`);
            const wide = await open.page.evaluate(() => document.documentElement.scrollWidth);
            assert.ok(wide <= width, `${name}: ${wide} px in ${width}`);
          }
        }
        await open.close();
      }
      await until('no errors', () => session.errors.length === 0);
    });

    // On a busy machine Chromium has no messages for an extension's process, for as long as that lives.
    test('a page whose process has no messages takes them from the package', { skip: kind !== 'chrome' }, async () => {
      const bare = await session.newPage();
      await bare.evaluateOnNewDocument(() => {
        chrome.i18n.getMessage = () => '';
      });
      await bare.goto(`chrome-extension://${await session.extensionId()}/options.html`);
      const text = () => bare.evaluate(() => `${document.title}\n${document.body.innerText}`);
      await until('its texts', async () => /nbmedic zurücksetzen/.test(await text()), { detail: text });
      assert.deepEqual(left(await text()), []);
      assert.equal(await bare.evaluate(() => document.documentElement.lang), 'de');
      await bare.close();
    });
  });
}
