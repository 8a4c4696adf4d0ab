// Causes found in the notebook itself, in a real JupyterLab (NBMEDIC_FRONT=notebook: in Notebook 7): a cell that was not
// run, cells edited after they ran, NumPy replaced by pip while the kernel has it loaded.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { card, cards, inCard, noCard } from './harness/cards.mjs';
import { makeWheel, notebook } from './harness/deaths.mjs';
import { jupyterHome, openNotebook, runCell, startJupyter } from './harness/jupyter.mjs';
import { inPopup } from './harness/popup.mjs';
import { BROWSERS, LOCALHOST, picture, startSession } from './harness/session.mjs';
import { steady, until } from './harness/wait.mjs';

const [IMPORT, INSTALL, WIDTH, TABLE, USES_RATE, RATE] = [0, 1, 2, 3, 4, 5];
const CELLS = [
  'import numpy',
  '%pip install --no-index --no-deps ./numpy-1.26.4-py3-none-any.whl',
  'width = 3',
  'table = [1, 2]',
  'print(rate)',
  'rate = 0.1',
  // Enough to move the cells above out of view.
  ...Array.from({ length: 40 }, (_, i) => `# step ${i}\n\n\n\n`),
  'print(table[width])',
];
const USES_TABLE = CELLS.length - 1;

/** A kernel in an environment of its own, which sees the tests' packages and into which pip may install. */
async function ownKernel(folder) {
  const env = path.join(folder, '.env');
  const python = path.join(jupyterHome(), 'bin/python');
  execFileSync(python, ['-m', 'venv', '--without-pip', env]);
  const site = (program) =>
    execFileSync(program, ['-c', "import sysconfig; print(sysconfig.get_path('purelib'))"], {
      encoding: 'utf8',
    }).trim();
  await writeFile(path.join(site(path.join(env, 'bin/python')), 'tests.pth'), site(python));
  const spec = path.join(folder, '.data/kernels/own');
  await mkdir(spec, { recursive: true });
  await writeFile(
    path.join(spec, 'kernel.json'),
    JSON.stringify({
      argv: [path.join(env, 'bin/python'), '-m', 'ipykernel_launcher', '-f', '{connection_file}'],
      display_name: 'Own',
      language: 'python',
    }),
  );
}

for (const kind of BROWSERS) {
  describe(`Causes in the notebook itself in ${kind}`, () => {
    let server;
    let session;
    let page;
    let made;
    before(async () => {
      made = await notebook('sense.ipynb', CELLS, { name: 'own', display_name: 'Own', language: 'python' });
      server = await startJupyter({ notebooks: [made.file], front: process.env.NBMEDIC_FRONT });
      await ownKernel(server.folder);
      makeWheel(server.folder, 'numpy', '1.26.4');
      session = await startSession(kind, { origins: [LOCALHOST], through: [`localhost:${server.port}`] });
      page = await session.newPage();
      await openNotebook(page, server, 'sense.ipynb');
      // These cells ran before the sensor started.
      await inPopup(session, /code cells/);
    });
    after(async () => {
      await session?.close();
      await server?.close();
      await made?.remove();
    });

    test('a NumPy that pip replaces under the running kernel needs a restart', async () => {
      await runCell(page, IMPORT);
      await runCell(page, INSTALL);
      const { variant, text } = await card(page, INSTALL, 'binary-incompatible');
      assert.equal(variant, 'restart-needed');
      assert.match(text, /pip replaced numpy with another version/);
      await inCard(page, INSTALL, 'open');
      await picture(page, `sense-${kind}-install`);
    });

    /** Types at the end of a cell's first line. */
    const edit = async (index, text) => {
      const at = await steady(`cell ${index} in view`, () =>
        page.evaluate((n) => {
          const cell = document.querySelectorAll('.jp-Notebook .jp-Cell')[n];
          const line = cell?.querySelector('.cm-line');
          const box = line?.getBoundingClientRect();
          if (box && cell.contains(document.elementFromPoint(box.x + 60, box.y + box.height / 2)))
            return { x: box.x + 60, y: box.y + box.height / 2 };
          (line ?? cell)?.scrollIntoView({ block: 'center' });
          return null;
        }, index),
      );
      await page.mouse.click(at.x, at.y);
      await page.keyboard.press('End');
      await page.keyboard.type(text);
    };

    test('edited cells that are out of view are named when something that they defined fails', async () => {
      await runCell(page, WIDTH);
      await runCell(page, TABLE);
      await edit(WIDTH, '0');
      await edit(TABLE, ' + [3]');
      await runCell(page, USES_TABLE);
      const says = async (words) => (await cards(page)).some((c) => c.cell === USES_TABLE && words.test(c.text));
      for (const name of ['table', 'width'])
        await until(
          `the cell that defines ${name} is named`,
          () => says(RegExp(`cell \\[\\d+\\] defines ${name} and was edited after it ran`)),
          { detail: () => cards(page) },
        );
      await inCard(page, USES_TABLE, 'open');
      await picture(page, `sense-${kind}-edited`);
      await runCell(page, WIDTH);
      await until('one is run again', async () => !(await says(/defines width/)), { detail: () => cards(page) });
      assert.ok(await says(/defines table/));
      await runCell(page, TABLE);
      await until('nothing is edited', async () => !(await says(/was edited/)), { detail: () => cards(page) });
    });

    test('a missing name is traced to the cell that was not run', async () => {
      await runCell(page, USES_RATE);
      const found = await until(
        'the cell is named',
        async () => (await cards(page)).find((c) => c.cell === USES_RATE && c.variant === 'not-run'),
        { detail: () => cards(page) },
      );
      assert.match(found.text, /cell 6 defines rate and has not been run since this page was opened/);
      await runCell(page, RATE);
      await runCell(page, USES_RATE);
      await noCard(page, USES_RATE);
    });
  });
}
