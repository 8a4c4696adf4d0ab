// The classic notebook as nbclassic serves it with Notebook 7: a real server below a path, a real kernel.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { card, cards, inCard } from './harness/cards.mjs';
import { startJupyter, SUB_PATH } from './harness/jupyter.mjs';
import { inPopup } from './harness/popup.mjs';
import { BROWSERS, LOCALHOST, picture, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const SAVED = [
  '---------------------------------------------------------------------------',
  'ModuleNotFoundError                       Traceback (most recent call last)',
  'Cell In[1], line 1',
  '----> 1 import lightgbmx',
  '',
  "ModuleNotFoundError: No module named 'lightgbmx'",
];

/** Each cell's code, and the card that it gets. */
const CELLS = [
  {
    source: 'import lightgbmx',
    outputs: [
      { output_type: 'error', ename: 'ModuleNotFoundError', evalue: "No module named 'lightgbmx'", traceback: SAVED },
    ],
    execution_count: 1,
    id: 'module-missing',
  },
  { source: 'print("all is well")\nimport sys; print("warning: nothing", file=sys.stderr)' },
  {
    source: 'import time\nfor i in range(5):\n    print("step", i); time.sleep(0.1)\nmissing_name',
    id: 'name-undefined',
  },
  {
    source: 'import os, signal, time\nprint("begins"); time.sleep(1.5); os.kill(os.getpid(), signal.SIGKILL)',
    id: 'kernel-died',
  },
];

// Both browsers use the same sensor and profile, so one is enough in a full run.
for (const kind of process.env.NBMEDIC_ALL ? BROWSERS : BROWSERS.slice(0, 1)) {
  describe(`the classic notebook at ${SUB_PATH} in ${kind}`, () => {
    let dir;
    let server;
    let session;
    let page;
    before(async () => {
      dir = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-classic-'));
      // The file format has no cell ids.
      const cells = CELLS.map(({ source, outputs = [], execution_count = null }) => ({
        cell_type: 'code',
        metadata: {},
        execution_count,
        outputs,
        source,
      }));
      const kernelspec = { name: 'python3', display_name: 'Python 3 (ipykernel)', language: 'python' };
      await writeFile(
        path.join(dir, 'old.ipynb'),
        JSON.stringify({ cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 4 }),
      );
      server = await startJupyter({ notebooks: [path.join(dir, 'old.ipynb')], front: 'classic', base: SUB_PATH });
      session = await startSession(kind, { origins: [LOCALHOST], through: [`localhost:${server.port}`] });
      page = await session.newPage();
      await page.goto(server.url('old.ipynb'), { waitUntil: 'domcontentloaded' });
      await until(
        'the notebook and its kernel',
        () =>
          page.evaluate(
            () =>
              document.querySelectorAll('#notebook-container .code_cell').length > 0 &&
              window.Jupyter?.notebook?.kernel?.is_connected() &&
              document.querySelector('.kernel_idle_icon') !== null,
          ),
        { timeout: 60_000, detail: () => server.log() },
      );
    });
    after(async () => {
      await session?.close();
      await server?.close();
      await rm(dir, { recursive: true, force: true });
    });

    /** Runs a cell as a user does: with a click into it and the keyboard. */
    async function run(index) {
      const box = await page.evaluate((at) => {
        const editor = document.querySelectorAll('#notebook .code_cell')[at].querySelector('.CodeMirror');
        editor.scrollIntoView({ block: 'center' });
        const { x, y, width } = editor.getBoundingClientRect();
        return { x: x + Math.min(width / 2, 200), y: y + 8 };
      }, index);
      await page.mouse.click(box.x, box.y);
      await page.keyboard.down('Control');
      await page.keyboard.press('Enter');
      await page.keyboard.up('Control');
    }
    /**
     * Asks the kernel, over a new connection if necessary: a kernel that died soon after its start gets other ports. The
     * dialog about the next death appears only if the page knows that this kernel is ready.
     */
    const answers = () =>
      page.evaluate(
        () =>
          new Promise((resolve) => {
            const { kernel } = window.Jupyter.notebook;
            const late = setTimeout(() => {
              kernel.reconnect();
              resolve(false);
            }, 3000);
            kernel.kernel_info(() => {
              if (kernel._autorestart_attempt) return;
              clearTimeout(late);
              resolve(true);
            });
          }),
      );
    const prompt = (index) =>
      page.evaluate(
        (at) => document.querySelectorAll('#notebook .code_cell')[at].querySelector('.input_prompt').textContent,
        index,
      );
    const shown = async () => (await cards(page)).map((c) => [c.cell, c.id]);

    test('a saved output has its card; the popup knows where it is', async () => {
      const found = await card(page, 0, CELLS[0].id);
      assert.equal(found.below, true, 'the card stands below the output');
      const said = await inPopup(session, /4 cells/);
      assert.match(said, /old/);
      assert.match(said, /Jupyter \(classic\)/);
      assert.doesNotMatch(said, /changed its page|missing/);
      // As jupyter-resource-usage up to 1.2 wrote it; in 1.3.0 the script for this front end fails at once.
      await page.evaluate(() => {
        const meter = document.createElement('div');
        meter.id = 'jupyter-resource-usage-display';
        meter.append('Memory: ', '512.5 MB / 2 GB');
        document.querySelector('#maintoolbar-container').append(meter);
      });
      await inPopup(session, /0\.5 of 2\.0 GiB/);
    });

    test('a run without an error gets none, one that fails gets its card, with the line', async () => {
      await run(1);
      await until('it has run', async () => /\[\d+\]/.test(await prompt(1)));
      await run(2);
      const { below, text } = await card(page, 2, CELLS[2].id);
      assert.equal(below, true);
      assert.ok(text.includes('missing_name'), text);
      assert.deepEqual(
        (await shown()).map(([cell]) => cell),
        [0, 2],
      );
      await inCard(page, 2, 'scroll');
      await picture(page, `nbclassic-${kind}`);
    });

    test('when a kernel dies, the cell that ran gets a card, also the second time', async () => {
      for (const time of ['first', 'second']) {
        await run(3);
        await until(
          `the ${time} dialog`,
          () =>
            page.evaluate(() => /appears to have died/.test(document.querySelector('.modal.in')?.textContent ?? '')),
          { timeout: 40_000, detail: () => prompt(3) },
        );
        await card(page, 3, CELLS[3].id);
        await until('the dialog is gone', () =>
          page.evaluate(() => {
            document.querySelector('.modal.in .btn-primary')?.click();
            return !document.querySelector('.modal');
          }),
        );
        await until('the new kernel answers', answers, { timeout: 60_000, every: 500 });
        assert.deepEqual(
          await shown(),
          CELLS.flatMap(({ id }, at) => (id ? [[at, id]] : [])),
        );
      }
      await inCard(page, 3, 'scroll');
      await picture(page, `nbclassic-died-${kind}`);
    });

    test('nothing failed on the way', async () => {
      assert.deepEqual([...session.errors, ...(await session.extensionErrors())], []);
    });
  });
}
