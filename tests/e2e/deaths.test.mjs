// Real deaths of real kernels, seen by the page alone: what it can tell, but never a wrong verdict.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { card, cards, inCard } from './harness/cards.mjs';
import { acceptRestart, openNotebook, runCell, startJupyter } from './harness/jupyter.mjs';
import { ROOT } from './harness/packages.mjs';
import { BROWSERS, LOCALHOST, picture, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const NOTEBOOK = path.join(ROOT, 'tests/fixtures/deaths.ipynb');
const [TABLE, OWN_END, USES_TABLE, SEGFAULT, KILLED, WAITS] = [0, 1, 2, 3, 4, 5];

for (const kind of BROWSERS) {
  describe(`Deaths in ${kind}`, () => {
    let server;
    let session;
    let page;
    before(async () => {
      server = await startJupyter({ notebooks: [NOTEBOOK] });
      session = await startSession(kind, { origins: [LOCALHOST], through: [`localhost:${server.port}`] });
      page = await session.newPage();
      await openNotebook(page, server, 'deaths.ipynb');
    });
    after(async () => {
      await session?.close();
      await server?.close();
    });

    /** Runs a cell that ends its kernel, and waits for its card before the dialog is answered. */
    const dies = async (index) => {
      await runCell(page, index, { kills: true });
      try {
        return await card(page, index, 'kernel-died');
      } finally {
        await acceptRestart(page);
      }
    };

    test('a cell that ends its own kernel is not a crash', async () => {
      await runCell(page, TABLE);
      const { variant, text } = await dies(OWN_END);
      assert.equal(variant, 'on-purpose');
      assert.match(text, /The notebook restarts its runtime here on purpose, on line 2/);
      assert.match(text, /os\._exit\(3\)/);
      await picture(page, `deaths-${kind}-own-end`);
    });

    test('a missing name is traced to the cell that has not run since the restart', async () => {
      await runCell(page, USES_TABLE);
      // The other cells' sources arrive after the error.
      const named = async () => (await cards(page)).find((c) => c.cell === USES_TABLE && c.variant === 'not-run');
      const { text } = await until('the cell is named', named, { detail: () => cards(page) });
      assert.match(text, /table is defined in cell 1/);
      assert.match(text, /has not been run since the kernel was restarted/);
      await inCard(page, USES_TABLE, 'scroll');
      await picture(page, `deaths-${kind}-not-run`);
    });

    test('a crash in native code and a kill from outside look the same to the page: the card says so, and what was examined', async () => {
      for (const [index, last] of [
        [SEGFAULT, null],
        [KILLED, 'step 1'],
      ]) {
        assert.equal((await dies(index)).variant, null);
        // The server's memory widget has no limit, so it shows no shortage.
        const looked = [
          /Memory: no (?:reading|limit is shown)/,
          /The code: no line ends the kernel/,
          /The signal and exit code: the page does not receive them/,
          RegExp(last ?? ''),
        ];
        await until(
          'what was looked at',
          async () =>
            (await cards(page)).some(
              (c) => c.cell === index && c.variant === null && looked.every((words) => words.test(c.text)),
            ),
          { detail: () => cards(page) },
        );
      }
      await inCard(page, KILLED, 'open');
      await picture(page, `deaths-${kind}-killed`);
    });

    test('a lost connection is reported as one', async () => {
      await runCell(page, WAITS, { wait: false });
      await until(
        'the cell prints',
        () => page.evaluate(() => /^waiting$/m.test(document.querySelector('.jp-Notebook')?.innerText ?? '')),
        { timeout: 30_000 },
      );
      await server.close();
      await until('a verdict', async () => (await cards(page)).some(({ id }) => id === 'runtime-disconnected'), {
        timeout: 60_000,
        detail: () => cards(page),
      });
      assert.ok(!(await cards(page)).some(({ cell, id }) => cell === WAITS && id !== 'runtime-disconnected'));
      await picture(page, `deaths-${kind}-cut`);
    });
  });
}
