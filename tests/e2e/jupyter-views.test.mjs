// What JupyterLab can do with a notebook besides showing it: off-screen cells, moved cells, several views, windows and tabs.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { acceptRestart, kernelAnswered, openNotebook, runCell, startJupyter, SUB_PATH } from './harness/jupyter.mjs';
import { BROWSERS, LOCALHOST, picture, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const DIES = 'import os, signal, time\ntime.sleep(1.5); os.kill(os.getpid(), signal.SIGKILL)';
/** It runs until the test stops it. */
const FAILS_LATE =
  'import os, time\nprint("begins")\nwhile not os.path.exists("go"): time.sleep(0.05)\nresult = late_name';

/** Notebook files; the cells in between are for scrolling. */
async function notebooks() {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-views-'));
  const write = async (name, sources) => {
    const cells = sources.map((source, i) => ({
      cell_type: 'code',
      id: `${name[0]}-${i}`,
      metadata: {},
      execution_count: null,
      outputs: [],
      source,
    }));
    const kernelspec = { name: 'python3', display_name: 'Python 3 (ipykernel)', language: 'python' };
    await writeFile(
      path.join(dir, name),
      JSON.stringify({ cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 }),
    );
    return path.join(dir, name);
  };
  const between = Array.from({ length: 50 }, (_, i) => `# step ${i}\nprint(${i})`);
  return {
    dir,
    files: [
      await write('first.ipynb', ['early_name', FAILS_LATE, DIES, ...between]),
      await write('second.ipynb', ['other_name', 'import time\nfor i in range(200): print(i); time.sleep(0.1)']),
    ],
  };
}

/** The cards of each view, in page order: the view's title, and for each cell with cards its position and their text. */
const shown = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.jp-NotebookPanel, .jp-LinkedOutputView')].map((view) => {
      const list = [...view.querySelectorAll('.jp-Cell')];
      return [...view.querySelectorAll('[data-nbmedic-card]')].map((host) => [
        list.indexOf(host.closest('.jp-Cell')),
        host.shadowRoot.querySelector('section[data-id]')?.dataset.id,
      ]);
    }),
  );

async function expectShown(page, wanted, why) {
  await until(why, async () => JSON.stringify(await shown(page)) === JSON.stringify(wanted), {
    timeout: 15_000,
    detail: async () => ({ shown: await shown(page), wanted }),
  });
}

for (const kind of BROWSERS) {
  describe(`views of notebooks in JupyterLab in ${kind}`, () => {
    let made;
    let server;
    let session;
    let page;
    before(async () => {
      made = await notebooks();
      server = await startJupyter({
        notebooks: made.files,
        base: SUB_PATH,
        args: ['--LabApp.expose_app_in_browser=True'],
        settings: { '@jupyterlab/notebook-extension:tracker': { windowingMode: 'full' } },
      });
      session = await startSession(kind, { origins: [LOCALHOST], through: [`localhost:${server.port}`] });
      page = await session.newPage();
      await openNotebook(page, server, 'first.ipynb');
    });
    after(async () => {
      await session?.close();
      await server?.close();
      await rm(made.dir, { recursive: true, force: true });
    });

    const command = (id, args = {}) =>
      page.evaluate(
        async (name, values) => {
          await window.jupyterapp.commands.execute(name, values);
        },
        id,
        args,
      );
    /** Runs the selected cell; the command returns when the run ends. */
    const run = () =>
      page.evaluate(() => {
        window.jupyterapp.commands.execute('notebook:run-cell').catch(() => {});
      });
    const status = () => page.evaluate(() => document.querySelector('.jp-Notebook-ExecutionIndicator').dataset.status);
    /** Scrolls, and waits until the first cells are in the document or removed from it. */
    async function scroll(to) {
      await page.evaluate((end) => {
        document.querySelector('.jp-WindowedPanel-outer').scrollTop = end ? 1e6 : 0;
      }, to === 'end');
      await until(`the ${to} of the notebook`, () =>
        page.evaluate((away) => {
          const cells = document.querySelectorAll('.jp-Notebook .jp-Cell');
          return (
            Boolean(cells[0].querySelector('.jp-InputArea-prompt')) !== away &&
            (!away || Boolean(cells[cells.length - 1].querySelector('.jp-InputArea-prompt')))
          );
        }, to === 'end'),
      );
    }
    /** Selects a cell of the front notebook by position (negative: from the end), for the commands to act on. */
    const select = (index) =>
      page.evaluate((at) => {
        const { content } = window.jupyterapp.shell.currentWidget;
        content.activeCellIndex = at < 0 ? content.widgets.length + at : at;
      }, index);

    test('a run that continues during scrolling gets its card once, however often its cell scrolls away', async () => {
      await runCell(page, 0);
      await expectShown(page, [[[0, 'name-undefined']]], 'the first card');
      await select(1);
      await run();
      await until('it runs', async () => (await status()) === 'busy');
      await scroll('end');
      await select(-1);
      await scroll('end');
      // JupyterLab keeps a running cell in the document and removes it after the run; other cells are out.
      assert.equal(await status(), 'busy', 'it still runs');
      await writeFile(path.join(server.folder, 'go'), '');
      await until('it has run', async () => (await status()) === 'idle');
      const both = [
        [
          [0, 'name-undefined'],
          [1, 'name-undefined'],
        ],
      ];
      await expectShown(page, both, 'the card of the cell off screen');
      for (let i = 0; i < 2; i++) {
        await scroll('top');
        await expectShown(page, both, 'the cards in view');
        await scroll('end');
        await expectShown(page, both, 'the cards out of view');
      }
      await scroll('top');
      await expectShown(page, both, 'the cards in the end');
    });

    test('a moved cell keeps its card, a deleted one loses it, and undo restores it', async () => {
      await select(0);
      await command('notebook:move-cell-down');
      await expectShown(
        page,
        [
          [
            [0, 'name-undefined'],
            [1, 'name-undefined'],
          ],
        ],
        'both cards, moved',
      );
      await command('notebook:delete-cell');
      await expectShown(page, [[[0, 'name-undefined']]], 'one card fewer');
      await command('notebook:undo-cell-action');
      await expectShown(
        page,
        [
          [
            [0, 'name-undefined'],
            [1, 'name-undefined'],
          ],
        ],
        'both cards again',
      );
    });

    test('an output in a separate view has no second card, and a second view of the notebook has its own', async () => {
      await select(0);
      await command('notebook:create-output-view');
      await until('the view of the output', () =>
        page.evaluate(() => document.querySelector('.jp-LinkedOutputView .jp-OutputArea-output') !== null),
      );
      const both = [
        [0, 'name-undefined'],
        [1, 'name-undefined'],
      ];
      await command('docmanager:open', { path: 'first.ipynb' });
      await command('docmanager:clone');
      const views = () => page.evaluate(() => document.querySelectorAll('.jp-NotebookPanel').length);
      await until('the second view', async () => (await views()) === 2);
      const mine = async () => (await shown(page)).filter((list) => list.length);
      await until(
        'the cards in both views',
        async () => JSON.stringify(await mine()) === JSON.stringify([both, both]),
        { detail: () => shown(page) },
      );
      await picture(page, `jupyter-views-${kind}`);
      await command('application:close');
      await until('it is closed', async () => (await views()) === 1);
    });

    test('of two notebooks side by side, the one whose kernel died says so, while the other keeps running', async () => {
      await command('docmanager:open', { path: 'second.ipynb', options: { mode: 'split-right' } });
      await kernelAnswered(page, 'second.ipynb');
      await select(1);
      await run();
      await until('the second one runs', () =>
        page.evaluate(() =>
          /\[\*\]/.test(
            [...document.querySelectorAll('.jp-NotebookPanel')].find((view) => view.textContent.includes('other_name'))
              .textContent,
          ),
        ),
      );
      await command('docmanager:open', { path: 'first.ipynb' });
      await select(2);
      await run();
      await until(
        'the dialog about the dead kernel',
        () => page.evaluate(() => /Kernel/.test(document.querySelector('.jp-Dialog')?.textContent ?? '')),
        { timeout: 30_000 },
      );
      await until(
        'the card at the cell that died',
        async () =>
          JSON.stringify((await shown(page)).filter((list) => list.length)) ===
          JSON.stringify([
            [
              [0, 'name-undefined'],
              [1, 'name-undefined'],
              [2, 'kernel-died'],
            ],
          ]),
        { detail: () => shown(page) },
      );
      await acceptRestart(page);
      await picture(page, `jupyter-split-${kind}`);
    });

    /** Runs the selected cell, which kills its kernel, and answers the dialog. */
    async function die() {
      await run();
      await until(
        'the dialog about the dead kernel',
        () => page.evaluate(() => /Kernel/.test(document.querySelector('.jp-Dialog')?.textContent ?? '')),
        { timeout: 30_000 },
      );
      await acceptRestart(page);
    }
    const mine = async (tab) => JSON.stringify((await shown(tab)).filter((list) => list.length));
    const saved = [
      [0, 'name-undefined'],
      [1, 'name-undefined'],
    ];

    test('two tabs on the same kernel both show what they know about its next death', async () => {
      await command('docmanager:save');
      const other = await session.newPage();
      await other.goto(server.url('first.ipynb'), { waitUntil: 'domcontentloaded' });
      await until('the cards of what was saved', async () => (await mine(other)) === JSON.stringify([saved]), {
        timeout: 40_000,
        detail: () => shown(other),
      });
      // The cards come from the file, before the tab has a kernel. A tab that is not connected to it never hears of its death.
      await kernelAnswered(other, 'first.ipynb');
      await page.bringToFront();
      await until(
        "the first tab's cards",
        async () => (await mine(page)) === JSON.stringify([[...saved, [2, 'kernel-died']]]),
        { detail: () => shown(page) },
      );
      await select(2);
      await die();
      await until(
        "the first tab's cards, after the second death",
        async () => (await mine(page)) === JSON.stringify([[...saved, [2, 'kernel-died']]]),
        { detail: () => shown(page) },
      );
      await other.bringToFront();
      // Nothing ran in this tab, so the card about the kernel's death is at the top.
      await until(
        "the other tab's cards",
        async () => (await mine(other)) === JSON.stringify([[[-1, 'kernel-died'], ...saved]]),
        { detail: () => shown(other) },
      );
      await other.close();
    });

    test('two views of a notebook both show that its kernel died', async () => {
      await page.bringToFront();
      await command('docmanager:open', { path: 'first.ipynb' });
      await command('docmanager:clone');
      const views = () =>
        page.evaluate(
          () =>
            [...document.querySelectorAll('.jp-NotebookPanel')].filter((view) =>
              view.textContent.includes('early_name'),
            ).length,
        );
      await until('the second view', async () => (await views()) === 2);
      await select(2);
      await die();
      const both = [...saved, [2, 'kernel-died']];
      await until('the card in both views', async () => (await mine(page)) === JSON.stringify([both, both]), {
        detail: () => shown(page),
      });
    });

    test('nothing failed on the way', async () => {
      assert.deepEqual([...session.errors, ...(await session.extensionErrors())], []);
    });
  });
}
