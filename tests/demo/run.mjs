// The demo: JupyterLab with a notebook of cells that really fail, and a browser with the extension.
//
//   node tests/demo/run.mjs              a browser window, for people
//   node tests/demo/run.mjs --headless   runs by itself: pictures and the report in out/, the triage on the terminal
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { card, cards, inCard, still } from '../e2e/harness/cards.mjs';
import { chromePath, startChrome } from '../e2e/harness/chrome.mjs';
import { downloads } from '../e2e/harness/downloads.mjs';
import { exported } from '../e2e/harness/exports.mjs';
import { firefoxPath, startFirefox } from '../e2e/harness/firefox.mjs';
import { acceptRestart, expectations, openNotebook, runCell, startJupyter } from '../e2e/harness/jupyter.mjs';
import { ownPage } from '../e2e/harness/own.mjs';
import { builtPackage, ROOT, withOrigins } from '../e2e/harness/packages.mjs';
import { until } from '../e2e/harness/wait.mjs';

const OUT = path.join(ROOT, 'out');
const NAME = 'demo.ipynb';
const NOTEBOOK = path.join(ROOT, 'tests/demo', NAME);
const LOCALHOST = 'http://localhost/*';

const started = Date.now();
const say = (text) => console.log(`[${((Date.now() - started) / 1000).toFixed(1).padStart(5)} s] ${text}`);

// Ends all processes, however the run ends.
const closers = [];
async function closeAll() {
  for (const close of closers.splice(0).reverse()) await close().catch(() => {});
}
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    closeAll().finally(() => process.exit(130));
  });

async function jupyter() {
  say('starting JupyterLab');
  const server = await startJupyter({ notebooks: [NOTEBOOK] });
  closers.push(() => server.close());
  return server;
}

/** JupyterLab's own theme, chosen in its menu. */
async function theme(page, name) {
  await page.evaluate(() => {
    document.activeElement?.blur();
  });
  const click = (words, within) =>
    until(`the menu entry ${words}`, () =>
      page.evaluate(
        (text, selector) => {
          const item = [...document.querySelectorAll(selector)].find((node) =>
            node.textContent.trim().startsWith(text),
          );
          if (!item) return null;
          const { x, y, width, height } = item.getBoundingClientRect();
          return width ? { x: x + width / 2, y: y + height / 2 } : null;
        },
        words,
        within,
      ),
    ).then(({ x, y }) => page.mouse.click(x, y));
  await click('Settings', '.lm-MenuBar-item');
  await click('Theme', '.lm-Menu-item');
  await click(name, '.lm-Menu:last-of-type .lm-Menu-item');
  await until(`the theme ${name}`, () =>
    page.evaluate((light) => document.body.dataset.jpThemeLight === light, name.includes('Light') ? 'true' : 'false'),
  );
  const wanted = name.includes('Light') ? 'light' : 'dark';
  await until('the cards in it', async () => (await cards(page)).every((shown) => shown.theme === wanted));
}

/** A click on the open side panel's tab closes it. */
async function closeSidebar(page) {
  const tab = await page.evaluate(() => {
    const open = document.querySelector('.jp-SideBar.jp-mod-left .lm-TabBar-tab.lm-mod-current');
    if (!open) return null;
    const { x, y, width, height } = open.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  });
  if (!tab) return;
  await page.mouse.click(tab.x, tab.y);
  await until('the side panel is away', () =>
    page.evaluate(() => !document.querySelector('.jp-SideBar.jp-mod-left .lm-TabBar-tab.lm-mod-current')),
  );
}

async function shot(page, name, cell = null) {
  const file = path.join(OUT, `${name}.png`);
  await still(page);
  if (cell === null) {
    await page.screenshot({ path: file });
    return;
  }
  const box = await page.evaluate((index) => {
    const element = document.querySelectorAll('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook .jp-Cell')[index];
    element.scrollIntoView({ block: 'center' });
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y, width, height, page: innerHeight };
  }, cell);
  const top = Math.max(0, box.y);
  await page.screenshot({
    path: file,
    clip: {
      x: box.x,
      y: top,
      width: box.width,
      height: Math.max(1, Math.min(box.height + box.y - top, box.page - top)),
    },
  });
}

/** The report of a page, saved from its preview. */
async function report(session, page) {
  const saves = await downloads(session);
  const own = await ownPage(session, `report.html?tab=${await session.tabOf(page)}`);
  try {
    return await exported(own, saves, 'Markdown', 'nbmedic-report.md', () =>
      (document.querySelector('.preview pre')?.textContent ?? '').startsWith('## nbmedic'),
    );
  } finally {
    await own.close();
    await saves.remove();
  }
}

async function headless() {
  await rm(OUT, { recursive: true, force: true });
  await mkdir(OUT, { recursive: true });
  const server = await jupyter();
  say('starting Chromium with the extension');
  const copy = await withOrigins(builtPackage('chrome'), [LOCALHOST]);
  closers.push(() => copy.remove());
  const session = await startChrome({ extension: copy.dir, size: [1280, 1000] });
  closers.push(() => session.close());
  const page = await session.newPage();
  say(`opening ${NAME}`);
  await openNotebook(page, server, NAME);
  await closeSidebar(page);

  const demo = await expectations(NOTEBOOK);
  const missing = [];
  for (const { index, expect, kills, source } of demo) {
    const code = source.split('\n').findLast((line) => line.trim());
    say(`cell ${index + 1}: ${code}${kills ? '   (kills the kernel)' : ''}`);
    await runCell(page, index, { kills });
    if (expect) {
      const shown = await card(page, index, expect).catch((error) => {
        missing.push(`cell ${index + 1}: ${error.message.split('\n')[0]}`);
        return null;
      });
      if (shown) say(`        → ${shown.id}: ${shown.title}`);
    }
    if (kills) await acceptRestart(page);
  }

  const found = await cards(page);
  for (const { cell, id } of found) {
    if (!demo.some(({ index, expect }) => index === cell && expect === id))
      missing.push(`cell ${cell === null ? '?' : cell + 1} has a card that nobody expected: ${id}`);
  }

  say('taking pictures');
  for (const name of ['Light', 'Dark']) {
    if (name === 'Dark') await theme(page, 'JupyterLab Dark');
    // High enough for the longest open card.
    await page.setViewport({ width: 1280, height: 3600 });
    const suffix = name.toLowerCase();
    for (const { cell, id } of found) {
      await shot(page, `cell-${cell + 1}-${id}-${suffix}`, cell);
      await inCard(page, cell, 'open');
      await shot(page, `cell-${cell + 1}-${id}-${suffix}-open`, cell);
      await inCard(page, cell, 'close');
    }
    await page.setViewport({ width: 1280, height: 1600 });
    if (found.length) await inCard(page, found[0].cell, 'scroll');
    await shot(page, `page-${suffix}`);
  }
  await theme(page, 'JupyterLab Light');
  await page.setViewport({ width: 560, height: 3600 });
  for (const { cell, id } of found) await shot(page, `cell-${cell + 1}-${id}-narrow`, cell);
  await page.setViewport({ width: 1280, height: 1000 });

  if (found.length) {
    say('exporting the report');
    const text = await report(session, page);
    await writeFile(path.join(OUT, 'report.md'), text.endsWith('\n') ? text : `${text}\n`);
    if (!found.every(({ id }) => text.includes(id))) missing.push('the report does not name every diagnosis');
  }

  console.log('\nTriage');
  const rows = [
    ...found.map(({ cell, id, title }) => ({ cell, id, words: title })),
    ...demo
      .filter(({ index }) => !found.some(({ cell }) => cell === index))
      .map(({ index, expect }) => ({
        cell: index,
        id: '–',
        words: expect ? `no card, expected ${expect}` : 'no card: nothing is wrong there',
      })),
  ];
  const width = Math.max(...rows.map(({ id }) => id.length));
  for (const { cell, id, words } of rows.sort((one, two) => one.cell - two.cell))
    console.log(`  cell ${String(cell + 1).padStart(2)}  ${id.padEnd(width)}  ${words}`);
  console.log(`\nPictures and report.md are in ${path.relative(process.cwd(), OUT) || OUT}/`);
  for (const error of session.errors) missing.push(`an error in the browser: ${error}`);
  if (missing.length) console.error(`\nNot as expected:\n${missing.map((line) => `  ${line}`).join('\n')}`);
  return missing.length ? 1 : 0;
}

/** Interactive use: a window that stays open until the user closes it. */
async function visible() {
  const server = await jupyter();
  const found = (probe) => {
    try {
      return existsSync(probe());
    } catch {
      return false;
    }
  };
  let session;
  if (found(chromePath)) {
    say('opening Chromium with the extension');
    // The address is allowed from the start, so that a card appears first and not a permission prompt.
    const copy = await withOrigins(builtPackage('chrome'), [LOCALHOST]);
    closers.push(() => copy.remove());
    session = await startChrome({ extension: copy.dir, headless: false });
  } else if (found(firefoxPath)) {
    say('opening Firefox with the extension');
    session = await startFirefox({ extension: builtPackage('firefox'), headless: false });
    await session.allow(LOCALHOST);
  } else {
    throw new Error('neither Chromium nor Firefox was found');
  }
  closers.push(() => session.close());
  const page = (await session.browser.pages())[0] ?? (await session.browser.newPage());
  await openNotebook(page, server, NAME);
  say('ready: run the cells one by one with Ctrl+Enter. Close the browser, or press Ctrl+C here, to end.');
  await new Promise((done) => {
    session.browser.once('disconnected', done);
  });
  return 0;
}

let status = 1;
try {
  const display = process.env.DISPLAY || process.env.WAYLAND_DISPLAY || process.platform === 'darwin';
  status = process.argv.includes('--headless') || !display ? await headless() : await visible();
} catch (error) {
  console.error(`\nThe demo stopped: ${error.message}`);
} finally {
  await closeAll();
}
process.exit(status);
