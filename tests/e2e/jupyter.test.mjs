// The demo notebook in a real JupyterLab and a real Notebook 7 with real kernels, at the root of their server and below a
// path, in both browsers. NBMEDIC_ALL=1 runs every combination.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { card, cards, inCard } from './harness/cards.mjs';
import { clipboard } from './harness/clipboard.mjs';
import { exported, replayed, validJson, validMarkdown, validPage } from './harness/exports.mjs';
import {
  acceptRestart,
  expectations,
  FRONTS,
  openNotebook,
  runCell,
  startJupyter,
  SUB_PATH,
} from './harness/jupyter.mjs';
import { downloads } from './harness/downloads.mjs';
import { ownPage } from './harness/own.mjs';
import { ROOT } from './harness/packages.mjs';
import { BROWSERS, LOCALHOST, picture, startSession, strangers } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const DEMO = path.join(ROOT, 'tests/demo/demo.ipynb');
const demo = await expectations(DEMO);

/** Notebook 7 has no status bar; jupyter-resource-usage shows memory in the top bar if this setting is on. */
const TOP_BAR = { '@jupyter-server/resource-usage:topbar-item': { enable: true } };

/** Covers each front end at both kinds of address, and both browsers at each, in half the runs. */
const PAIRS = BROWSERS.flatMap((kind) =>
  ['lab', 'notebook'].flatMap((front) => {
    const first = (kind === 'chrome') === (front === 'lab') ? SUB_PATH : '/';
    const other = first === '/' ? SUB_PATH : '/';
    return (process.env.NBMEDIC_ALL ? [first, other] : [first]).map((base) => ({ kind, front, base }));
  }),
);

for (const { kind, front, base } of PAIRS) {
  describe(`${FRONTS[front].name} at ${base} in ${kind}`, () => {
    let server;
    let session;
    let page;
    before(async () => {
      server = await startJupyter({ notebooks: [DEMO], front, base, settings: TOP_BAR });
      session = await startSession(kind, {
        origins: kind === 'chrome' ? [LOCALHOST] : [],
        through: [`localhost:${server.port}`],
      });
      page = await session.newPage();
      await openNotebook(page, server, 'demo.ipynb');
    });
    after(async () => {
      await session?.close();
      await server?.close();
    });

    // A test cannot answer Chromium's permission prompt: see `withOrigins`.
    if (kind === 'firefox') {
      test('the popup requests only this address, and the sensor starts in the open tab', async () => {
        const popup = await session.popup();
        try {
          await until('the popup offers to read this site', async () => /Allow on this site/.test(await popup.text()), {
            detail: () => popup.text(),
          });
          await popup.click('Allow on this site');
          await until('the popup says that it may', async () => /Stop reading this site/.test(await popup.text()), {
            detail: () => popup.text(),
          });
        } finally {
          await popup.close();
        }
        // Firefox's match patterns have no port.
        assert.deepEqual(await session.granted(), [LOCALHOST]);
        let said = '';
        await until(
          'the popup sees the notebook',
          async () => {
            const again = await session.popup();
            try {
              await until('the popup has looked', async () => {
                said = await again.text();
                return /Nothing leaves this browser/.test(said);
              });
            } finally {
              await again.close();
            }
            // Notebook 7 omits the file extension.
            return new RegExp(`demo(\\.ipynb)?, ${demo.length} cells`).test(said);
          },
          { detail: () => said },
        );
      });

      test('the popup copies the cell that starts the probe', async () => {
        const popup = await session.popup();
        try {
          await until('the popup offers the cell', async () => /Copy it in readable Python/.test(await popup.text()), {
            detail: () => popup.text(),
          });
          await popup.click('Copy it in readable Python');
          await until('the popup says that it is copied', async () => /Copied\. Paste it/.test(await popup.text()), {
            detail: () => popup.text(),
          });
        } finally {
          await popup.close();
        }
        assert.equal(
          await clipboard(session, page),
          await readFile(path.join(ROOT, 'dist/probe/cell-readable.py'), 'utf8'),
        );
      });
    }

    for (const { index, expect, kills, source } of demo) {
      test(`${source.split('\n').findLast((line) => line)}: ${expect ?? 'no card'}`, async () => {
        await runCell(page, index, { kills });
        try {
          if (expect) {
            const { below, text } = await card(page, index, expect);
            assert.equal(below, true, 'the card stands below the output');
            // From the real jupyter-resource-usage.
            if (kills) assert.match(text, /the last reading was [\d.]+ [KMG]i?B|Memory: no reading/);
          }
        } finally {
          if (kills) await acceptRestart(page);
        }
        // Every earlier card is still shown under its own cell, and there is no other.
        const wanted = demo
          .filter((cell) => cell.index <= index && cell.expect)
          .map((cell) => [cell.index, cell.expect]);
        const shown = async () => (await cards(page)).map((c) => [c.cell, c.id]);
        await until(
          'every card where it belongs',
          async () => JSON.stringify(await shown()) === JSON.stringify(wanted),
          { timeout: 5000, detail: async () => ({ shown: await shown(), wanted }) },
        );
        if (expect) {
          await inCard(page, index, 'scroll');
          await picture(page, `jupyter-${front}-${kind}-${index}-${expect}`);
        }
      });
    }

    // Once per browser is enough, because the rest does not depend on the front end.
    if (front === 'lab') {
      // Failures are listed with their run; runs of an earlier kernel may have been dropped.
      const ids = demo
        .filter(({ expect }) => expect)
        .map(({ expect }) => expect)
        .sort();

      test('the panel shows the timeline and the curves', async () => {
        const panel = await ownPage(session, `panel.html?tab=${await session.tabOf(page)}`);
        const seen = () =>
          panel.evaluate(() => ({
            curves: document.querySelectorAll('.lane svg path.line').length,
            runs: [...document.querySelectorAll('.lane.runs path')].reduce(
              (n, path) => n + (path.getAttribute('d')?.split('M').length ?? 1) - 1,
              0,
            ),
            failures: document.querySelectorAll('.events li.failure').length,
            deaths: document.querySelectorAll('.events li.death').length,
            problems: document.querySelectorAll('.problems li').length,
          }));
        const kills = demo.filter((cell) => cell.kills).length;
        const failing = demo.filter((cell) => cell.expect && !cell.kills).length;
        await until(
          'all of it',
          async () => {
            const { curves, runs, failures, deaths, problems } = await seen();
            return (
              curves >= 1 && runs >= ids.length && failures >= failing && deaths === kills && problems >= ids.length
            );
          },
          { timeout: 20_000, detail: seen },
        );
        await panel.shot(`panel-demo-${kind}`);
        await panel.close();
      });

      test('every export opens and is valid', async () => {
        const saves = await downloads(session);
        const own = await ownPage(session, `report.html?tab=${await session.tabOf(page)}`);
        const starts = (text) =>
          `(document.querySelector('.preview pre')?.textContent ?? '').startsWith(${JSON.stringify(text)})`;
        const ready = (code) => new Function(`return ${code}`);
        try {
          const { headings } = validMarkdown(
            await exported(own, saves, 'Markdown', 'nbmedic-report.md', ready(starts('## nbmedic'))),
          );
          assert.ok(headings.length > ids.length, headings.join(', '));
          const report = validJson(
            await exported(own, saves, 'JSON', 'nbmedic-report.json', ready(starts('{'))),
            'report',
          );
          assert.deepEqual(report.findings.map(({ diagnoses }) => diagnoses[0].id).sort(), ids);
          const html = await exported(
            own,
            saves,
            'HTML',
            'nbmedic-report.html',
            ready("document.querySelector('.paper') !== null"),
          );
          const log = await exported(own, saves, 'Event log', 'nbmedic-events.jsonl', ready(starts('{"at"')));
          assert.deepEqual((await replayed(log)).sort(), ids);
          const seen = await validPage(session, html);
          assert.equal(seen.cards, ids.length);
          assert.ok(seen.curves >= 1 && seen.events >= demo.length, JSON.stringify(seen));
        } finally {
          await own.close();
          await saves.remove();
        }
      });
    }

    test('nothing left the browser, and nothing failed on the way', async () => {
      assert.deepEqual(strangers(session, [`localhost:${server.port}`]), []);
      const asked = (await session.extensionRequests()).filter((url) => !/^(chrome|moz)-extension:/.test(url));
      assert.deepEqual(asked, []);
      // An exported page whose policy forbids scripts was opened, and a script was tried on it.
      const own = (error) => !/blocked an inline script/.test(error);
      assert.deepEqual([...session.errors, ...(await session.extensionErrors())].filter(own), []);
    });
  });
}
