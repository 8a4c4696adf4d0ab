// A repaired cell, put below with a line that tries it in a copy of the kernel: with the extension and the probe's start cell alone.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { card, cards, inCard, pressed, solved, still } from './harness/cards.mjs';
import { startCell } from './harness/deaths.mjs';
import { FRONTS, notebookOf, openNotebook, runCell, startJupyter } from './harness/jupyter.mjs';
import { BROWSERS, LOCALHOST, picture, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const FAILING = 'root = math.sqrt(16)\nprint("root:", root)';

for (const kind of BROWSERS) {
  const front = kind === 'chrome' ? 'lab' : 'notebook';
  describe(`a trial below in ${FRONTS[front].name} in ${kind}`, () => {
    let server;
    let session;
    let page;
    let folder;
    before(async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-try-'));
      const file = path.join(folder, 'try.ipynb');
      await writeFile(file, notebookOf([FAILING, await startCell(), FAILING]));
      server = await startJupyter({ notebooks: [file], front });
      session = await startSession(kind, { origins: [LOCALHOST], through: [`localhost:${server.port}`] });
      page = await session.newPage();
      await openNotebook(page, server, 'try.ipynb');
    });
    after(async () => {
      await session?.close();
      await server?.close();
      await rm(folder, { recursive: true, force: true });
    });

    const sources = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell')].map((cell) =>
          [...cell.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n'),
        ),
      );
    const out = (cell) =>
      page.evaluate(
        (at) =>
          [...document.querySelectorAll('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell')][at].querySelector(
            '.jp-OutputArea',
          )?.textContent ?? '',
        cell,
      );

    test('without the probe there is nothing to try with', async () => {
      await runCell(page, 0);
      await card(page, 0, 'name-undefined');
      assert.doesNotMatch(await inCard(page, 0, 'first'), /Try below/);
    });

    test('with it, the card offers a trial; it tells what comes out, and changes nothing', async () => {
      await runCell(page, 1);
      await runCell(page, 2);
      await card(page, 2, 'name-undefined');
      await until('the offer', async () => /Try below/.test(await inCard(page, 2, 'first')));
      await inCard(page, 2, 'scroll');
      await still(page);
      await picture(page, `try-below-card-${front}-${kind}`);
      assert.equal(await pressed(page, 2, 'Try below'), 'put');
      await until('the cell', async () => (await sources())[3] === `%%nbmedic_try\nimport math\n${FAILING}`);
      await runCell(page, 3);
      await until('its answer', async () => /the cell runs \(\d+\.\d s\)/.test(await out(3)));
      assert.match(await out(3), /root = 4\.0/);
      assert.doesNotMatch(await out(3), /root: 4/, 'it runs in the copy');
      await picture(page, `try-below-${front}-${kind}`);
      // What was only tried solves nothing.
      assert.ok((await cards(page)).length > 0);
    });

    test('the same cell without its first line solves it', async () => {
      assert.equal(await pressed(page, 2, 'Put below'), 'put');
      await until('the cell', async () => (await sources())[3] === `import math\n${FAILING}`);
      await runCell(page, 3);
      assert.match(await solved(page, 2), /^Solved: cell \[\d+\] ran$/);
    });
  });
}
