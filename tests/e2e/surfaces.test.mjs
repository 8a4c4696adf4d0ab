// Every surface of the extension, light and dark: axe-core finds nothing, and nothing is wider than its window.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { cleanPage } from './harness/axe.mjs';
import { card, inCard, pressInCard } from './harness/cards.mjs';
import { ownPage } from './harness/own.mjs';
import { inPopup } from './harness/popup.mjs';
import { picture, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const OOM = 'kW8sJd3hLr6o';
const THEMES = ['light', 'dark'];
const DRAWN = { options: 'h1', welcome: 'nbmedic-card', report: '.preview *', history: 'h1' };

let session;
let page;
let tab;
before(async () => {
  session = await startSession('chrome');
  page = await session.colab();
  await page.evaluate((id) => window.replica.run(id), OOM);
  await card(page, OOM, 'gpu-oom');
  tab = await session.tabOf(page);
});
after(() => session?.close());

const scheme = (target, value) => target.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);

for (const name of ['options', 'welcome', 'report', 'history']) {
  test(`${name}: axe finds nothing, from 280 px on`, async () => {
    const { page: own } = await ownPage(session, name === 'report' ? `report.html?tab=${tab}` : `${name}.html`);
    await until(`${name} is drawn`, () => own.$(DRAWN[name]));
    for (const theme of THEMES) {
      await scheme(own, theme);
      for (const width of [280, 900]) {
        await own.setViewport({ width, height: 900 });
        const wide = await own.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${name}: ${wide} px in ${width}`);
        await picture(own, `${name}-${theme}-${width}`);
      }
      await cleanPage(own, `${name}, ${theme}`);
    }
    await own.close();
  });
}

test('popup: axe finds nothing', async () => {
  await page.bringToFront();
  await inPopup(session, /1 problem explained/, async (popup) => {
    for (const theme of THEMES) {
      await scheme(popup.page, theme);
      await cleanPage(popup.page, `popup, ${theme}`);
    }
  });
});

test('card: axe finds nothing, opened and closed', async () => {
  await page.bringToFront();
  for (const theme of THEMES) {
    await page.evaluate((name) => window.replica.theme(name), theme);
    await until(
      `the card is ${theme}`,
      () => page.evaluate((wanted) => document.querySelector('[data-nbmedic-card]').dataset.theme === wanted, theme),
      { detail: () => page.evaluate(() => document.querySelector('[data-nbmedic-card]').dataset.theme) },
    );
    for (const state of ['close', 'open']) {
      await inCard(page, OOM, state);
      await cleanPage(page, `card, ${theme}, ${state}`, { within: '[data-nbmedic-card]' });
    }
  }
});

test('rule page: a card leads to it, and axe finds nothing', async () => {
  await pressInCard(page, OOM, 'More about this');
  const { page: rule, text } = await ownPage(session, 'rules/gpu-oom.html', null);
  await until('the page is read', async () => /What to do/.test(await text()), { detail: text });
  for (const theme of THEMES) {
    await scheme(rule, theme);
    for (const width of [280, 900]) {
      await rule.setViewport({ width, height: 900 });
      const wide = await rule.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${wide} px in ${width}`);
      await picture(rule, `rule-${theme}-${width}`);
    }
    await cleanPage(rule, `rule page, ${theme}`);
  }
  // Every other page of the reference exists too.
  const missing = await rule.evaluate(async () => {
    const links = [...document.querySelectorAll('a[href]')]
      .map((link) => link.href)
      .filter((href) => href.startsWith('chrome-extension:'));
    const found = await Promise.all(
      links.map((href) =>
        fetch(href).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    return links.filter((_, i) => !found[i]);
  });
  assert.deepEqual(missing, []);
  await rule.close();
});

test('panel: the popup’s button opens it next to the page', async () => {
  await page.bringToFront();
  await inPopup(session, /Show curves and timeline/, (popup) => popup.click('Show curves and timeline'));
  const contexts = () =>
    session.inBackground(
      (wanted) => chrome.runtime.getContexts({ contextTypes: [wanted] }).then((list) => list.length),
      'SIDE_PANEL',
    );
  await until('the side panel is open', contexts, { detail: contexts });
});
