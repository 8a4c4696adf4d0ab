// From a failing cell to a solved one, and a kernel's death, in Notebook 7 with a real kernel: the README's pictures.
import { rm } from 'node:fs/promises';
import path from 'node:path';

import { card, pressInCard, solved } from '../e2e/harness/cards.mjs';
import { notebook, startCell } from '../e2e/harness/deaths.mjs';
import { acceptRestart, openNotebook, runCell, startJupyter } from '../e2e/harness/jupyter.mjs';
import { LOCALHOST, startSession } from '../e2e/harness/session.mjs';
import { until } from '../e2e/harness/wait.mjs';
import { SETUP } from './cures.mjs';
import { around, take } from './shots.mjs';

/** The cell that fails. */
const FAILS = 'rows, columns = features.shape()\nprint(f"{rows} samples with {columns} features")';
/** A cell that ends its kernel as a broken native library does: it reads from address 0. */
const DIES = '# What a broken native library does\nimport ctypes\n\nctypes.string_at(0)';

/** The cells of the notebook: the last one starts the probe, without which nobody sees why a kernel dies. */
const [FIRST, FAILING, DYING, PROBE] = [0, 1, 2, 3];
const sources = async () => [SETUP, FAILS, DIES, await startCell()];

/** Opens a notebook with these cells, or the first few of them, in a front end and a window of a size. */
export async function opened(closers, { name, front, size, cells = Infinity }) {
  const made = await notebook(name, (await sources()).slice(0, cells));
  closers.push(() => rm(path.dirname(made.file), { recursive: true, force: true }));
  const server = await startJupyter({ notebooks: [made.file], front });
  closers.push(() => server.close());
  const session = await startSession('chrome', {
    origins: [LOCALHOST],
    unstored: 'nothing is checked',
    through: [`localhost:${server.port}`],
    size,
  });
  closers.push(() => session.close());
  const page = await session.newPage();
  await openNotebook(page, server, name);
  return { page, session };
}

const source = (page, cell) =>
  page.evaluate((at) => document.querySelectorAll('.jp-Cell')[at]?.querySelector('.cm-content')?.innerText ?? '', cell);

/** Lets the cell fail, and waits for its card. */
export async function fail(page) {
  await runCell(page, FIRST);
  await runCell(page, FAILING);
  await card(page, FAILING);
  return FAILING;
}

/** Replaces the code as a person would, runs the cell, and waits for the line that is left of its card. */
export async function solve(page) {
  const before = await source(page, FAILING);
  await until(
    'the repaired cell',
    async () => {
      if ((await source(page, FAILING)) !== before) return true;
      await pressInCard(page, FAILING, 'Replace in this cell');
      return false;
    },
    { every: 1500, timeout: 30_000 },
  );
  await runCell(page, FAILING);
  await solved(page, FAILING);
  return FAILING;
}

/** Lets the kernel die, starts the probe again, and waits for the verdict. */
export async function die(page) {
  await runCell(page, PROBE);
  await runCell(page, DYING, { kills: true });
  await acceptRestart(page);
  // The front end queues the run for the new kernel.
  await runCell(page, PROBE, { wait: false });
  await card(page, DYING, 'native-crash', { timeout: 60_000 });
  return DYING;
}

/** Marks a cell, so that a picture can be cut out. */
export const mark = (page, at) =>
  page.evaluate((index) => {
    document.querySelectorAll('.jp-Cell').forEach((cell, i) => cell.classList.toggle('shown', i === index));
  }, at);

/** The README's three pictures. */
export async function steps(closers) {
  const { page } = await opened(closers, { name: 'steps.ipynb', front: 'notebook', size: [900, 1000] });
  // High enough for all cells: the front end takes those out of the page that are out of sight.
  await page.setViewport({ width: 900, height: 3000, deviceScaleFactor: 2 });
  for (const [name, act] of [
    ['step-fails', fail],
    ['step-solved', solve],
    ['step-died', die],
  ]) {
    await mark(page, await act(page));
    await take(page, name, await around(page, '.jp-Cell.shown', 0));
  }
}
