// Takes pictures of every surface for docs/images and docs/store/images: `./build.sh pictures`.
//
// It uses real browsers, the built packages, the Colab replica and a real JupyterLab with a real kernel. The pictures are
// small WebP files.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { card, inCard } from '../e2e/harness/cards.mjs';
import { startChrome } from '../e2e/harness/chrome.mjs';
import { expectations, notebookOf, openNotebook, runCell, startJupyter } from '../e2e/harness/jupyter.mjs';
import { ownPage } from '../e2e/harness/own.mjs';
import { ROOT } from '../e2e/harness/packages.mjs';
import { inPopup } from '../e2e/harness/popup.mjs';
import { LOCALHOST, startSession } from '../e2e/harness/session.mjs';
import { serveSite } from '../e2e/harness/site.mjs';
import { until } from '../e2e/harness/wait.mjs';
import { wheelModules } from '../e2e/harness/wheel.mjs';
import { CURES, SETUP } from './cures.mjs';
import { around, faults, take } from './shots.mjs';
import { steps } from './steps.mjs';
import { store } from './store.mjs';
import { terminal } from './terminal.mjs';

const [CLEAN, OOM, RAM, HTML] = ['Vx5uNf7gQe1p', 'kW8sJd3hLr6o', 'oD4fTh0jZk5q', 'eG6nRa1vUs7w'];
const UNDEFINED = [
  'NameError                                 Traceback (most recent call last)',
  'Cell In[5], line 1',
  '----> 1 tiles.shape',
  '',
  "NameError: name 'tiles' is not defined",
].join('\n');
const wanted = process.argv.slice(2);

const closers = [];

const scheme = (page, value) => page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
const run = (page, cell, steps = null) => page.evaluate((id, list) => window.replica.run(id, list), cell, steps);

async function extension() {
  const session = await startSession('chrome', {
    origins: [LOCALHOST],
    unstored: 'nothing is checked',
    size: [1200, 900],
  });
  closers.push(() => session.close());
  const page = await session.colab();
  // Memory rises, a cell fails, the kernel dies: content for the panel.
  await run(page, CLEAN, [
    { stream: 'reading\n' },
    { ram: [3.2, 12.67] },
    { wait: 900 },
    { ram: [4.9, 12.67] },
    { wait: 900 },
    { ram: [5.2, 12.67] },
    { wait: 900 },
  ]);
  await run(page, OOM);
  await card(page, OOM, 'gpu-oom');
  await run(page, CLEAN, [
    { stream: 'again\n' },
    { ram: [7.1, 12.67] },
    { wait: 900 },
    { ram: [9.4, 12.67] },
    { wait: 900 },
    { ram: [11.8, 12.67] },
    { wait: 900 },
  ]);
  await run(page, RAM);
  await card(page, RAM, 'host-oom');
  // High enough for the whole notebook.
  await page.setViewport({ width: 1100, height: 3200 });
  for (const theme of ['light', 'dark']) {
    await page.evaluate((name) => window.replica.theme(name), theme);
    await until(`cards are ${theme}`, () =>
      page.evaluate(
        (name) => [...document.querySelectorAll('[data-nbmedic-card]')].every((host) => host.dataset.theme === name),
        theme,
      ),
    );
    await take(page, `card-colab-${theme}`, await around(page, `#cell-${OOM}`, 0));
  }
  await page.evaluate(() => window.replica.theme('light'));
  await inCard(page, OOM, 'open');
  await take(page, 'card-colab-open', await around(page, `#cell-${OOM}`, 0));
  await inCard(page, OOM, 'close');
  const tab = await session.tabOf(page);
  // A problem that comes again, and one that a later run solves.
  await run(page, HTML, [{ error: UNDEFINED }]);
  await card(page, HTML, 'name-undefined');
  await run(page, HTML, [{ stream: 'fine\n' }]);
  await run(page, OOM);
  await card(page, OOM, 'gpu-oom');

  await inPopup(session, /2 problems explained/, async (popup) => {
    for (const theme of ['light', 'dark']) {
      await scheme(popup.page, theme);
      await take(popup.page, `popup-${theme}`);
    }
  });
  for (const [name, address, widths, drawn] of [
    ['options', 'options.html', [720], 'h1'],
    ['welcome', 'welcome.html', [960], 'nbmedic-card'],
    ['panel-narrow', `panel.html?tab=${tab}`, [320], '.lanes svg path.line'],
    ['panel-wide', `panel.html?tab=${tab}`, [900], '.lanes svg path.line'],
    ['report', `report.html?tab=${tab}`, [1000], '.preview *'],
    ['history', 'history.html', [900], 'li'],
  ]) {
    const { page: own } = await ownPage(session, address);
    await until(`${name} is drawn`, () => own.$(drawn));
    for (const theme of ['light', 'dark']) {
      await own.setViewport({ width: widths[0], height: 900 });
      await scheme(own, theme);
      // A complete report would be too long for a picture.
      await take(own, `${name}-${theme}`, { fullPage: name !== 'report' });
    }
    await own.close();
  }
}

async function jupyterlab() {
  const server = await startJupyter({ notebooks: [path.join(ROOT, 'tests/demo/demo.ipynb')] });
  closers.push(() => server.close());
  const session = await startSession('chrome', {
    origins: [LOCALHOST],
    unstored: 'nothing is checked',
    through: [`localhost:${server.port}`],
    size: [1200, 1000],
  });
  closers.push(() => session.close());
  const page = await session.newPage();
  await openNotebook(page, server, 'demo.ipynb');
  const cells = (await expectations(path.join(ROOT, 'tests/demo/demo.ipynb'))).filter(({ kills }) => !kills);
  for (const { index } of cells.slice(0, 4)) await runCell(page, index);
  await until('a card', async () => (await page.$$('[data-nbmedic-card]')).length > 0);
  await page.evaluate(() => document.querySelector('[data-nbmedic-card]').scrollIntoView({ block: 'center' }));
  await take(page, 'card-jupyterlab');
}

async function site() {
  const served = await serveSite();
  closers.push(() => served.close());
  const chrome = await startChrome();
  closers.push(() => chrome.close());
  const page = await chrome.newPage();
  await page.setViewport({ width: 1000, height: 900 });
  for (const theme of ['light', 'dark']) {
    await scheme(page, theme);
    await page.goto(served.address);
    await page.waitForSelector('#explain:not([disabled])');
    await page.click('[data-example="gpu-oom.txt"]');
    await page.waitForSelector('nbmedic-card');
    await page.evaluate(() => scrollTo(0, 0));
    await take(page, `playground-${theme}`, { fullPage: true });
  }
  await scheme(page, 'light');
  await page.goto(new URL('rules/gpu-oom/', served.address).href);
  await take(page, 'rule-light');
  const file = path.join(ROOT, 'www/examples/classifier.ipynb');
  const target = process.env.CARGO_TARGET_DIR ?? path.join(ROOT, 'target');
  const { stdout, status } = spawnSync(
    'script',
    ['-qefc', `${path.join(target, 'debug/nbmedic')} triage ${path.relative(ROOT, file)}`, '/dev/null'],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, TERM: 'xterm-256color', COLUMNS: '92' } },
  );
  if (status !== 1) throw new Error(`nbmedic triage ended with ${status}`);
  // The site's pages accept no markup.
  await page.goto('about:blank');
  await page.setContent(terminal('nbmedic triage classifier.ipynb', stdout));
  await take(page, 'terminal', await around(page, '.window', 0));
}

/** Ten repairs in Notebook 7 with a real kernel: light, dark, and in a narrow window. */
async function cures() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-cures-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'cures.ipynb');
  const sources = [SETUP, ...Object.values(CURES)];
  await writeFile(file, notebookOf(sources));
  for (const theme of ['light', 'dark']) {
    const settings = {
      '@jupyterlab/apputils-extension:themes': { theme: theme === 'dark' ? 'JupyterLab Dark' : 'JupyterLab Light' },
    };
    const server = await startJupyter({ notebooks: [file], front: 'notebook', settings });
    closers.push(() => server.close());
    const session = await startSession('chrome', {
      origins: [LOCALHOST],
      unstored: 'nothing is checked',
      through: [`localhost:${server.port}`],
      size: [900, 1000],
    });
    closers.push(() => session.close());
    const page = await session.newPage();
    await openNotebook(page, server, 'cures.ipynb');
    // High enough for all cells: the front end takes those out of the page that are out of sight.
    await page.setViewport({ width: 900, height: 9000 });
    for (const index of sources.keys()) await runCell(page, index);
    const widths = theme === 'light' ? { light: 900, narrow: 420 } : { dark: 900 };
    for (const [name, width] of Object.entries(widths)) {
      await page.setViewport({ width, height: 9000 });
      for (const [index, cure] of Object.keys(CURES).entries()) {
        await card(page, index + 1);
        await page.evaluate((at) => {
          document.querySelectorAll('.jp-Cell').forEach((cell, i) => cell.classList.toggle('shown', i === at));
        }, index + 1);
        await take(page, `cures/${cure}-${name}`, await around(page, '.jp-Cell.shown', 0));
      }
    }
  }
}

/** A repair that was tried in a copy of the kernel, as `%load_ext nbmedic` shows it. */
async function tried() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-pictures-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const env = await wheelModules(path.join(folder, 'modules'));
  const file = path.join(folder, 'tried.ipynb');
  const sources = [
    '%load_ext nbmedic\nfrom statistics import mean\nfares = {"Fare": [7.25, 71.28, 8.05], "Class": [3, 1, 3]}',
    'average = mean(fares["fare"])\naverage',
  ];
  await writeFile(file, notebookOf(sources));
  const server = await startJupyter({ notebooks: [file], front: 'notebook', env });
  closers.push(() => server.close());
  const session = await startSession('chrome', {
    unstored: 'nothing is checked',
    through: [`localhost:${server.port}`],
    size: [900, 1000],
  });
  closers.push(() => session.close());
  const page = await session.newPage();
  await openNotebook(page, server, 'tried.ipynb');
  await page.setViewport({ width: 900, height: 2400 });
  for (const index of sources.keys()) await runCell(page, index);
  const card = '.jp-Cell-outputArea [data-nbmedic="card"]';
  await until('the trial is told', () =>
    page.evaluate((which) => /Tried on your data/.test(document.querySelector(which)?.textContent ?? ''), card),
  );
  await page.evaluate((which) => document.querySelector(which).closest('.jp-Cell').classList.add('shown'), card);
  await take(page, 'tried-light', await around(page, '.jp-Cell.shown', 0));
}

const parts = { extension, jupyterlab, steps, cures, tried, site, store };
try {
  for (const [name, part] of Object.entries(parts)) {
    if (wanted.length && !wanted.includes(name)) continue;
    console.log(name);
    await part(closers);
    for (const close of closers.splice(0).reverse()) await close();
  }
} finally {
  for (const close of closers.splice(0).reverse()) await close().catch(() => {});
}
if (faults.length) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
}
