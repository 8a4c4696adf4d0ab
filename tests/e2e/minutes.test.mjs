// Measures a person's first minutes in JupyterLab: the browser with the extension, the permission, the first failure, its
// repair put in place of the broken code, the run of it, and the line that says it is solved. Each round begins with a new
// profile. Chromium's question for the permission can't be answered by a test: there the package has it from the start.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { card, cards, focused, pressInCard, solved } from './harness/cards.mjs';
import { notebookOf, openNotebook, runCell, startJupyter } from './harness/jupyter.mjs';
import { BROWSERS, figures, LOCALHOST, quantile, startSession } from './harness/session.mjs';
import { shortcut } from './harness/shortcut.mjs';
import { until } from './harness/wait.mjs';

const ROUNDS = Number(process.env.NBMEDIC_ROUNDS) || 10;
const FAILING = 'total = sum([1, 2, 3])\nprint(totl)';
const REPAIRED = FAILING.replace('totl', 'total');
const STEPS = ['install', 'allow', 'open', 'fail', 'replace', 'run'];

const source = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell .cm-line')]
      .map((line) => line.textContent)
      .join('\n'),
  );

/** Allows this site in Firefox's popup, as a person does. */
async function allow(session) {
  const popup = await session.popup();
  try {
    await until('the popup offers to read this site', async () => /Allow on this site/.test(await popup.text()));
    await popup.click('Allow on this site');
    await until('the popup says that it may', async () => /Stop reading this site/.test(await popup.text()));
  } finally {
    await popup.close();
  }
}

for (const kind of BROWSERS) {
  describe(`the first minutes in ${kind}`, () => {
    let server;
    let folder;
    before(async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-minutes-'));
      const file = path.join(folder, 'first.ipynb');
      await writeFile(file, notebookOf([FAILING]));
      server = await startJupyter({ notebooks: [file] });
    });
    after(async () => {
      await server?.close();
      await rm(folder, { recursive: true, force: true });
    });

    /** Seconds of each step. */
    async function round() {
      const took = {};
      let began = performance.now();
      const lap = (step) => {
        took[step] = (performance.now() - began) / 1000;
        began = performance.now();
      };
      const session = await startSession(kind, {
        origins: kind === 'chrome' ? [LOCALHOST] : [],
        through: [`localhost:${server.port}`],
      });
      try {
        const page = await session.newPage();
        lap('install');
        await openNotebook(page, server, 'first.ipynb');
        lap('open');
        if (kind === 'firefox') await allow(session);
        lap('allow');
        await runCell(page, 0);
        await card(page, 0, 'name-undefined');
        lap('fail');
        // A press on a card that moved just then asks for another one.
        for (let tries = 0; tries < 3 && (await source(page)) !== REPAIRED; tries++) {
          await pressInCard(page, 0, 'Replace in this cell');
          await until('the repaired cell', async () => (await source(page)) === REPAIRED, { timeout: 4000 }).catch(
            () => {},
          );
        }
        assert.equal(await source(page), REPAIRED);
        lap('replace');
        await runCell(page, 0);
        assert.match(await solved(page, 0), /^Solved: cell \[\d+\] ran/);
        assert.deepEqual(await cards(page), []);
        lap('run');
        return took;
      } finally {
        await session.close();
      }
    }

    test('by the keyboard alone, from the failure to the solved line', async () => {
      const session = await startSession(kind, { origins: [LOCALHOST], through: [`localhost:${server.port}`] });
      try {
        const page = await session.newPage();
        await openNotebook(page, server, 'first.ipynb');
        await runCell(page, 0);
        await card(page, 0, 'name-undefined');
        await shortcut(session, page, 'N', 'next');
        await until('the focus is in the card', async () => (await focused(page)).card);
        for (let at = 0; at < 12 && !/replace in this cell/i.test((await focused(page)).text); at++)
          await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await until('the repaired cell', async () => (await source(page)) === REPAIRED);
        await page.keyboard.down('Control');
        await page.keyboard.press('Enter');
        await page.keyboard.up('Control');
        assert.match(await solved(page, 0), /^Solved: cell \[\d+\] ran/);
      } finally {
        await session.close();
      }
    });

    test(`${ROUNDS} times: install, allow, first failure, replace, run, solved`, async (t) => {
      const rounds = [];
      for (let at = 0; at < ROUNDS; at++) rounds.push(await round());
      const of = (step) => rounds.map((took) => took[step]);
      const all = rounds.map((took) => STEPS.reduce((sum, step) => sum + took[step], 0));
      const said = STEPS.map((step) => `${step} ${quantile(of(step), 0.5).toFixed(1)}`).join(', ');
      await figures(
        t,
        `minutes-${kind}`,
        { rounds },
        `first minutes in ${kind}, ${ROUNDS} rounds, seconds (median): ${said}; all ${quantile(all, 0.5).toFixed(1)}, at most ${Math.max(...all).toFixed(1)}`,
      );
    });
  });
}
