// Every surface of the extension in Firefox, light and dark: axe-core finds nothing. Chromium's are in surfaces.test.mjs.
import { after, before, describe, test } from 'node:test';

import { clean, cleanPage } from './harness/axe.mjs';
import { card, inCard } from './harness/cards.mjs';
import { ownPage } from './harness/own.mjs';
import { inPopup } from './harness/popup.mjs';
import { BROWSERS, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const OOM = 'kW8sJd3hLr6o';
const THEMES = ['light', 'dark'];
/** The pages, and an element of each that exists once it is drawn. */
const PAGES = {
  panel: '.events li',
  options: 'h1',
  welcome: 'nbmedic-card',
  report: '.preview *',
  history: 'h1',
  'rules/gpu-oom': 'main h1',
};

describe('Surfaces in Firefox', { skip: !BROWSERS.includes('firefox') }, () => {
  let session;
  let page;
  let tab;
  before(async () => {
    session = await startSession('firefox');
    page = await session.colab();
    await page.evaluate((id) => window.replica.run(id), OOM);
    await card(page, OOM, 'gpu-oom');
    tab = await session.tabOf(page);
  });
  after(() => session?.close());

  /** The setting for the system's theme: 0 is dark, 1 is light. */
  const scheme = (theme) =>
    session.marionette.chrome(
      'Services.prefs.setIntPref("layout.css.prefers-color-scheme.content-override", arguments[0])',
      [theme === 'dark' ? 0 : 1],
    );

  /** `run` returns the result of a script whose last value is a promise. */
  async function audit(run, what) {
    let axe = '';
    await clean(
      (task, ...args) => run(axe, `(${task})(...${JSON.stringify(args)})`),
      async (source) => {
        axe = source;
      },
      what,
    );
  }

  for (const [name, drawn] of Object.entries(PAGES)) {
    test(`${name}: axe finds nothing`, async () => {
      const own = await ownPage(session, /panel|report/.test(name) ? `${name}.html?tab=${tab}` : `${name}.html`);
      await until(
        `${name} is drawn`,
        () => own.evaluate((selector) => Boolean(document.querySelector(selector)), drawn),
        { detail: own.text },
      );
      for (const theme of THEMES) {
        await scheme(theme);
        await until(`${name} is ${theme}`, () =>
          own.evaluate((wanted) => matchMedia(`(prefers-color-scheme: ${wanted})`).matches, theme),
        );
        await audit((axe, task) => session.marionette.script(`${axe}\nreturn ${task}`), `${name}, ${theme}`);
      }
      await own.close();
    });
  }

  test('popup: axe finds nothing', async () => {
    await page.bringToFront();
    for (const theme of THEMES) {
      await scheme(theme);
      await inPopup(session, /1 problem explained/, (popup) =>
        audit((axe, task) => popup.evaluate(`(() => { ${axe}\nreturn ${task}; })()`), `popup, ${theme}`),
      );
    }
  });

  test('card: axe finds nothing, opened', async () => {
    await page.bringToFront();
    await inCard(page, OOM, 'open');
    for (const theme of THEMES) {
      await page.evaluate((name) => window.replica.theme(name), theme);
      await until(`the card is ${theme}`, () =>
        page.evaluate((wanted) => document.querySelector('[data-nbmedic-card]').dataset.theme === wanted, theme),
      );
      await cleanPage(page, `card, ${theme}`, { within: '[data-nbmedic-card]' });
    }
  });
});
