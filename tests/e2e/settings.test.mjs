// Settings take effect on open notebooks: theme, warnings, muted diagnoses, disabled sites, reset.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { card, cards, noCard } from './harness/cards.mjs';
import { ownPage } from './harness/own.mjs';
import { inPopup } from './harness/popup.mjs';
import { BROWSERS, picture, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const OOM = 'kW8sJd3hLr6o';
const PLANNED = 'aPlan1';
const NOTEBOOK = {
  name: 'memory.ipynb',
  cells: [{ id: PLANNED, source: 'import numpy as np\nx = np.random.rand(100000, 1000, 1000)', live: true }],
};
const HERE = 'colab.research.google.com';

/** The background colour of a card. */
const ground = (page) =>
  page.evaluate(
    () =>
      getComputedStyle(document.querySelector('[data-nbmedic-card]').shadowRoot.querySelector('.card')).backgroundColor,
  );

for (const kind of BROWSERS) {
  describe(`settings take effect in ${kind}`, () => {
    let session;
    let page;
    let options;
    before(async () => {
      session = await startSession(kind);
      page = await session.colab();
      await page.evaluate((id) => window.replica.run(id), OOM);
      await card(page, OOM, 'gpu-oom');
      options = await ownPage(session, 'options.html');
      await options.shows(/Reset nbmedic/);
    });
    after(() => session?.close());

    test('the theme: cards of open notebooks and the pages change at once, and change back', async () => {
      const [light, dark] = ['rgb(255, 255, 255)', 'rgb(30, 33, 38)'];
      assert.equal(await ground(page), light);
      for (const [theme, cardGround, root] of [
        ['2', dark, 'dark'],
        ['1', light, 'light'],
        ['0', light, null],
      ]) {
        await options.choose('#set-theme', theme);
        await until(
          `cards are ${root}`,
          async () => (await cards(page)).length === 1 && (await ground(page)) === cardGround,
          { detail: () => cards(page) },
        );
        assert.equal(await options.evaluate(() => document.documentElement.getAttribute('data-theme')), root);
        const scheme = await options.evaluate(() => getComputedStyle(document.body).backgroundColor);
        if (root) assert.equal(scheme, root === 'dark' ? 'rgb(31, 34, 37)' : 'rgb(255, 255, 255)');
      }
      // A change that comes while the sensor of the one before it begins is the one that holds.
      for (const wait of [0, 10, 20, 30, 40, 60, 80, 120, 160]) {
        await options.choose('#set-theme', '1');
        await new Promise((resolve) => setTimeout(resolve, wait));
        await options.choose('#set-theme', '2');
        await until(
          `cards are dark, ${wait} ms after they were light`,
          async () => (await cards(page)).length === 1 && (await ground(page)) === dark,
        );
      }
      // A page that is opened later has the colours before it sends any request.
      await options.reload();
      await options.shows(/Colours/);
      assert.equal(await options.evaluate(() => document.documentElement.dataset.theme), 'dark');
      await options.choose('#set-theme', '0');
      await until('cards are light', async () => (await cards(page)).length === 1 && (await ground(page)) === light);
    });

    test('a muted diagnosis and a muted cell are silent on the open page until they are unmuted', async () => {
      for (const [words, listed] of [
        ['Mute this kind', /gpu-oom/],
        ['Mute this cell', /A cell that begins with\s*\S/],
      ]) {
        await page.bringToFront();
        await inPopup(session, /1 problem explained/, (popup) => popup.click(words));
        await noCard(page, OOM);
        const list = await ownPage(session, 'options.html');
        await list.shows(listed);
        await list.click('.muted button');
        await list.shows(/Nothing\. You can mute a diagnosis or a cell/);
        await card(page, OOM, 'gpu-oom');
        await list.close();
      }
    });

    test('switched off for a site, its notebooks have no cards; switched on, they have them again', async () => {
      await page.bringToFront();
      await inPopup(session, new RegExp(`On for ${HERE}`), (popup) => popup.click(`On for ${HERE}`));
      await until('no card', async () => (await cards(page)).length === 0);
      await page.evaluate((id) => window.replica.run(id), OOM);
      await inPopup(session, new RegExp(`Off for ${HERE}`));
      assert.equal((await cards(page)).length, 0);
      const list = await ownPage(session, 'options.html');
      await list.shows(/Switch on again/);
      await list.close();
      await page.bringToFront();
      await inPopup(session, new RegExp(`Off for ${HERE}`), (popup) => popup.click(`Off for ${HERE}`));
      await card(page, OOM, 'gpu-oom');
    });

    test('warnings appear when the settings ask for them', async () => {
      await page.evaluate((notebook) => window.replica.load(notebook), NOTEBOOK);
      await page.evaluate(() => window.replica.connect('connected', { ram: [2.1, 12.67] }));
      await page.evaluate((id) => {
        void window.replica.run(id, [{ wait: 600_000 }]);
      }, PLANNED);
      await card(page, PLANNED, 'host-oom');
      const open = await ownPage(session, 'options.html');
      await open.shows(/Warn before something fails/);
      await open.choose('#set-warn', false);
      await noCard(page, PLANNED);
      await until('the others mean nothing', () =>
        open.evaluate(() => document.querySelector('#set-memory')?.disabled),
      );
      await open.choose('#set-warn', true);
      await card(page, PLANNED, 'host-oom');
      await until('the choice is there', () =>
        open.evaluate(() => document.querySelector('#set-memory')?.disabled === false),
      );
      await open.choose('#set-memory', '5');
      await until('it is kept', () =>
        open.evaluate(() =>
          chrome.runtime.sendMessage({ nbmedic: 1, kind: 'options' }).then(({ set }) => set.limits.memory === 5),
        ),
      );
      await open.close();
    });

    test('an address can be entered by name; anything else is rejected with a message', async () => {
      const open = await ownPage(session, 'options.html');
      await open.shows(/Allow a Jupyter server/);
      const type = (text) =>
        open.evaluate((value) => {
          document.querySelector('#address').value = value;
        }, text);
      for (const wrong of ['http://', 'file:///etc/passwd', 'two words']) {
        await type(wrong);
        await open.click('.add button');
        await open.shows(/That is not the address of a web page/);
        await open.evaluate(() => {
          document.querySelector('.add .said').textContent = '';
        });
      }
      // A test cannot answer Chromium's prompt.
      if (kind === 'firefox') {
        await type('localhost:8888/lab?token=secret');
        await open.click('.add button');
        await open.shows(/http:\/\/localhost\/\*/);
        assert.deepEqual(await session.granted(), ['http://localhost/*']);
        assert.doesNotMatch(await open.text(), /token=|8888/);
      }
      await open.close();
    });

    test('reset, after a second click: everything is as after the installation', async () => {
      await page.bringToFront();
      await inPopup(session, /1 problem explained/, (popup) => popup.click('Mute this kind'));
      await noCard(page, PLANNED);
      const open = await ownPage(session, 'options.html');
      await open.shows(/host-oom/);
      await open.choose('#set-theme', '2');
      // The page is redrawn when the background is done.
      await until('it is dark', () =>
        open.evaluate(
          () =>
            document.documentElement.dataset.theme === 'dark' &&
            document.querySelector('#set-theme option[value="2"]')?.defaultSelected,
        ),
      );
      await open.shows(/Reset nbmedic/);
      await open.click('#reset-ask');
      await open.shows(/This can.t be undone/);
      if (open.page) await picture(open.page, 'options-reset');
      assert.match(await open.text(), /host-oom/, 'the first click does nothing');
      await open.click('#reset-yes');
      await open.shows(/Nothing\. You can mute a diagnosis or a cell/);
      const now = await open.evaluate(() => chrome.runtime.sendMessage({ nbmedic: 1, kind: 'options' }));
      assert.deepEqual(
        [now.muted, now.allowed, now.set],
        [[], [], { theme: 'system', off: [], limits: { quiet: false, memory: 15, disk: 30, full: 50, unsaved: 90 } }],
      );
      assert.equal(await open.evaluate(() => document.documentElement.dataset.theme ?? null), null);
      await page.bringToFront();
      await card(page, PLANNED, 'host-oom');
      assert.deepEqual(session.errors, []);
      await open.close();
    });
  });
}
