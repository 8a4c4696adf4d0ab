// The side panel: curves, timeline and problems of a session, on the Colab replica.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { cleanPage } from './harness/axe.mjs';
import { card } from './harness/cards.mjs';
import { BROWSERS, picture, startSession } from './harness/session.mjs';
import { ownPage } from './harness/own.mjs';
import { inPopup } from './harness/popup.mjs';
import { until } from './harness/wait.mjs';

const CLEAN = 'Vx5uNf7gQe1p';
const OOM = 'kW8sJd3hLr6o';
const RAM = 'oD4fTh0jZk5q';

const run = (page, cell, steps = null) => page.evaluate((id, list) => window.replica.run(id, list), cell, steps);

/** A session in which memory rises, a cell fails and the kernel dies. */
async function play(page) {
  await run(page, CLEAN, [
    { stream: 'reading\n' },
    { ram: [3.2, 12.67] },
    { wait: 400 },
    { ram: [4.9, 12.67] },
    { wait: 400 },
  ]);
  await run(page, OOM);
  await card(page, OOM, 'gpu-oom');
  await run(page, CLEAN, [
    { stream: 'again\n' },
    { ram: [8.1, 12.67] },
    { wait: 400 },
    { ram: [10.7, 12.67] },
    { wait: 400 },
  ]);
  await run(page, RAM);
  await card(page, RAM, 'host-oom');
}

const WORDS = [/2 open problems/, /What happened/, /The kernel died/, /failed after/, /Runtime RAM/, /of 12\.7 GiB/];
const complete = (text) => WORDS.every((words) => words.test(text));

for (const kind of BROWSERS) {
  describe(`The side panel in ${kind}`, () => {
    let session;
    let page;
    before(async () => {
      session = await startSession(kind);
      page = await session.colab();
      await play(page);
    });
    after(() => session?.close());

    if (kind === 'firefox') {
      test('the popup opens the sidebar, which shows the session', async () => {
        await inPopup(session, /Show curves and timeline/, (popup) => popup.click('Show curves and timeline'));
        let text = '';
        await until('the sidebar shows the session', async () => complete((text = (await session.sidebar()) ?? '')), {
          timeout: 30_000,
          detail: () => text,
        });
      });

      test('in a tab it shows the same, and the arrow keys read the curves', async () => {
        const panel = await ownPage(session, `panel.html?tab=${await session.tabOf(page)}`);
        await until('the panel is drawn', async () => complete(await panel.text()), { detail: panel.text });
        const press = (key) =>
          panel.evaluate((name) => {
            const lanes = document.querySelector('.lanes');
            lanes.focus();
            lanes.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
            return document.querySelector('.readout').textContent;
          }, key);
        const [first, last] = [await press('Home'), await press('End')];
        assert.match(first, /Runtime RAM [\d.]+ of 12\.7 GiB/);
        assert.notEqual(first, last);
        for (const width of [460, 900]) {
          await panel.size(width, 900);
          await panel.shot(`panel-firefox-${width}`);
        }
        await panel.close();
      });
      return;
    }

    /** @type {import('puppeteer-core').Page} */
    let panel;
    const text = () => panel.evaluate(() => document.body.innerText);

    test('it shows curves, events and problems, and stays up to date', async () => {
      const tab = await session.tabOf(page);
      panel = await session.newPage();
      await panel.setViewport({ width: 400, height: 900 });
      await panel.goto(`chrome-extension://${await session.extensionId()}/panel.html?tab=${tab}`, {
        waitUntil: 'load',
      });
      await until('the panel is drawn', async () => complete(await text()), { detail: text });
      assert.equal(
        await panel.evaluate(() => document.querySelectorAll('.lane svg path.line').length),
        2,
        'RAM and disk',
      );
      await run(page, CLEAN, [{ stream: 'after the crash\n' }]);
      await until(
        'the new run is listed',
        async () =>
          /No open problem|1 open problem|2 open problems/.test(await text()) &&
          // Of five runs and a death, the death and the run that it ended are one row.
          (await panel.evaluate(() => document.querySelectorAll('.events li').length)) >= 5,
        { detail: text },
      );
    });

    test('a problem has its count, its last cell, its fix and a button that copies it', async () => {
      await run(page, OOM);
      const times = () =>
        panel.evaluate(() => document.querySelector('.problems [data-id=gpu-oom] .times')?.textContent);
      await until('it is counted', async () => (await times()) === '× 2', { detail: text });
      const [oom, ram] = await panel.$$eval('.problems > ul > li', (items) =>
        items.map((item) => ({
          id: item.dataset.id,
          times: item.querySelector('.times')?.textContent,
          place: item.querySelector('.place .goto').textContent,
          fix: item.querySelector('.fix').textContent,
        })),
      );
      assert.equal(oom.id, 'gpu-oom');
      assert.equal(oom.times, '× 2');
      assert.match(oom.place, /^last in cell .*\d/);
      assert.match(oom.fix, /batch/);
      assert.deepEqual([ram.id, ram.times], ['host-oom', undefined]);
      await panel.bringToFront();
      await panel.click('.problems [data-id=gpu-oom] .do');
      await panel.waitForSelector('.problems [data-id=gpu-oom] .do[data-done=yes]');
    });

    test('the timeline tells a failure by its title, and a death with the run that it ended', async () => {
      const rows = await panel.$$eval('.events li', (items) => items.map((item) => [item.className, item.innerText]));
      const failures = rows.filter(([kind]) => kind === 'failure').map(([, said]) => said);
      assert.ok(failures.length > 0);
      for (const said of failures) {
        assert.match(said, /The GPU ran out of memory/);
        assert.doesNotMatch(said, /Process \d+ has/);
      }
      assert.equal(rows.filter(([kind]) => kind === 'death').length, 1);
    });

    test('the curve has the names of the cells, those that fit', async () => {
      for (const width of [280, 400, 900, 1600]) {
        await panel.setViewport({ width, height: 900 });
        const names = await panel.$$eval('.names .name', (boxes) =>
          boxes.map((box) => {
            const name = box.firstElementChild;
            const { left, right } = name.getBoundingClientRect();
            return { name: name.textContent, left, right, hidden: name.offsetTop >= box.clientHeight };
          }),
        );
        const shown = names.filter(({ hidden }) => !hidden).sort((a, b) => a.left - b.left);
        assert.ok(shown.length > 0, `${width}: ${JSON.stringify(names)}`);
        for (const { name } of shown) assert.match(name, /^\[\d+\]$|^\d+$/);
        shown.slice(1).forEach((one, i) => assert.ok(one.left >= shown[i].right, JSON.stringify(shown)));
        const plot = await panel.$eval('.plot', (e) => e.getBoundingClientRect().right);
        assert.ok(shown.at(-1).right <= plot + 0.5, JSON.stringify(shown));
      }
      await panel.setViewport({ width: 400, height: 900 });
    });

    test('what is solved is folded, and stays unfolded when something changes', async () => {
      await run(page, OOM, [{ stream: 'fits\n' }]);
      await until('it is solved', async () => /1 solved/.test(await text()), { detail: text });
      assert.equal(await panel.$eval('.solved', (e) => e.open), false);
      await panel.focus('.solved summary');
      await panel.keyboard.press('Enter');
      assert.match(await text(), /Solved: cell \[\d+\] ran/);
      const rows = () => panel.$eval('.events', (part) => part.innerText);
      const before = await rows();
      await run(page, CLEAN, [{ stream: 'more\n' }]);
      await until('the panel is redrawn', async () => (await rows()) !== before);
      assert.equal(await panel.$eval('.solved', (e) => e.open), true);
      // Open again, for what follows.
      await run(page, OOM);
      await until('it is open', async () => /2 open problems/.test(await text()), { detail: text });
    });

    test('the arrow keys read the curves', async () => {
      await panel.focus('.lanes');
      await panel.keyboard.press('Home');
      const first = await panel.evaluate(() => document.querySelector('.readout').textContent);
      await panel.keyboard.press('End');
      const last = await panel.evaluate(() => document.querySelector('.readout').textContent);
      assert.match(first, /Runtime RAM [\d.]+ of 12\.7 GiB/);
      assert.match(last, /Runtime RAM [\d.]+ of 12\.7 GiB/);
      assert.notEqual(first, last);
    });

    test('a click goes to the cell', async () => {
      await page.evaluate(() => window.scrollTo(0, 0));
      await panel.evaluate(() => document.querySelector('.problems [data-id=host-oom] button.goto').click());
      await until('the cell is in view', () =>
        page.evaluate((id) => {
          const { top, bottom } = document.getElementById(`cell-${id}`).getBoundingClientRect();
          return bottom > 0 && top < window.innerHeight;
        }, RAM),
      );
    });

    test('with forced colours, every line is visible', async () => {
      const client = await panel.createCDPSession();
      await client.send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value: 'active' }] });
      await picture(panel, 'panel-forced-colours');
      const [line, ground] = await panel.evaluate(() => [
        getComputedStyle(document.querySelector('.lane path.line')).stroke,
        getComputedStyle(document.body).backgroundColor,
      ]);
      assert.notEqual(line, ground);
      assert.notEqual(line, 'none');
      await client.send('Emulation.setEmulatedMedia', { features: [] });
      await client.detach();
    });

    test('a tab without a notebook: a text says what will be here', async () => {
      const empty = await session.newPage();
      await empty.goto(`chrome-extension://${await session.extensionId()}/panel.html?tab=999999`, {
        waitUntil: 'load',
      });
      await until('it says so', () =>
        empty.evaluate(() => /No notebook that nbmedic may read is open in this tab/.test(document.body.innerText)),
      );
      await empty.close();
    });

    for (const theme of ['light', 'dark']) {
      test(`axe finds nothing, ${theme}`, async () => {
        await panel.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
        for (const width of [280, 400, 900, 1600]) {
          await panel.setViewport({ width, height: 1000 });
          await picture(panel, `panel-${theme}-${width}`);
          const wide = await panel.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(wide <= width, `${wide} px in ${width}`);
        }
        await cleanPage(panel, `panel, ${theme}`, { least: 11 });
      });
    }
  });
}
