// Runs a real JupyterLab or Notebook 7 with real kernels, in a folder of its own.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

import { ROOT } from './packages.mjs';
import { startGroup, stopGroup } from './process.mjs';
import { steady, until } from './wait.mjs';

/** The virtual environment that `setup.mjs` makes; NBMEDIC_JUPYTER names another. */
export function jupyterHome() {
  const home = process.env.NBMEDIC_JUPYTER ?? path.join(ROOT, '.tools/jupyter');
  if (!existsSync(path.join(home, 'bin/jupyter-lab')))
    throw new Error(`no JupyterLab in ${home}: run node tests/e2e/setup.mjs first`);
  return home;
}

function freePort() {
  return new Promise((done) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

/** The front ends: the program that serves each, and the path of its notebooks. */
export const FRONTS = {
  lab: { name: 'JupyterLab', program: 'jupyter-lab', at: 'lab/tree/' },
  notebook: { name: 'Notebook 7', program: 'jupyter-notebook', at: 'notebooks/' },
  // It has a path of its own when it is served together with Notebook 7.
  classic: { name: 'the classic notebook', program: 'jupyter-nbclassic', at: 'nbclassic/notebooks/' },
};

/** A server's address on JupyterHub has a path. */
export const SUB_PATH = '/user/somebody/';

/** The text of a notebook whose code cells have these sources and have not run. @param {string[]} sources */
export function notebookOf(sources) {
  const cells = sources.map((source, at) => ({
    cell_type: 'code',
    id: `cell${at}`,
    metadata: {},
    execution_count: null,
    outputs: [],
    source,
  }));
  const kernelspec = { name: 'python3', display_name: 'Python 3', language: 'python' };
  return JSON.stringify({ cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 });
}

/**
 * Starts the server of a front end with copies of `notebooks` in its root. `base` is the path it is served under;
 * `env` is added to the server's environment;
 * `settings` are the user's settings, by plugin: `{'@jupyterlab/notebook-extension:tracker': {…}}`.
 * The address space of server and kernels is limited: a machine that overcommits memory would otherwise grant an array
 * of 745 GiB and fill it until the machine freezes.
 */
export async function startJupyter({ notebooks, front = 'lab', base = '/', settings = {}, args = [], env = {} }) {
  const { name, program, at } = FRONTS[front];
  const home = jupyterHome();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-jupyter-'));
  for (const file of notebooks) await cp(file, path.join(folder, path.basename(file)));
  const port = await freePort();
  const token = randomBytes(12).toString('hex');
  const config = path.join(folder, '.config');
  // Disables the news prompt, which would cover the pictures.
  const chosen = {
    '@jupyterlab/apputils-extension:notification': { fetchNews: 'false', checkForUpdates: false },
    ...settings,
  };
  for (const [plugin, values] of Object.entries(chosen)) {
    const file = path.join(config, 'settings', `${plugin.replace(':', '/')}.jupyterlab-settings`);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(values));
  }
  const launch = () =>
    startGroup(
      'sh',
      [
        '-c',
        'ulimit -v 201326592; exec "$@"',
        'sh',
        path.join(home, 'bin', program),
        '--no-browser',
        '--allow-root',
        '--ServerApp.ip=127.0.0.1',
        `--ServerApp.port=${port}`,
        '--ServerApp.port_retries=0',
        `--IdentityProvider.token=${token}`,
        `--ServerApp.root_dir=${folder}`,
        `--ServerApp.base_url=${base}`,
        ...args,
        '--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate',
        '--LabApp.collaborative=False',
        '--LabApp.extension_manager=readonly',
      ],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...process.env,
          JUPYTER_CONFIG_DIR: config,
          JUPYTERLAB_SETTINGS_DIR: path.join(config, 'settings'),
          JUPYTER_DATA_DIR: path.join(folder, '.data'),
          JUPYTER_RUNTIME_DIR: path.join(folder, '.runtime'),
          IPYTHONDIR: path.join(folder, '.ipython'),
          OPENBLAS_NUM_THREADS: '1',
          PYTHONDONTWRITEBYTECODE: '1',
          ...env,
        },
      },
    );
  let group;
  let log = '';
  const note = (data) => {
    log = (log + data).slice(-20_000);
  };
  const address = `http://localhost:${port}`;
  const start = async () => {
    group = launch();
    const server = group.child;
    server.stdout.on('data', note);
    server.stderr.on('data', note);
    await until(
      `${name} answers`,
      async () => {
        if (server.exitCode !== null) throw new Error(`${name} ended: ${log}`);
        return (await fetch(`http://127.0.0.1:${port}${base}api`)).ok;
      },
      { timeout: 60_000, every: 150 },
    );
  };
  await start();
  return {
    port,
    token,
    address,
    folder,
    log: () => log,
    /** Whether the server reports a running, idle kernel. Useful only at the start: after a death, neither the server nor
     * the page's indicator is certain to return to "idle" before the new kernel is used. */
    async idle() {
      const sessions = await (
        await fetch(`http://127.0.0.1:${port}${base}api/sessions`, { headers: { authorization: `token ${token}` } })
      ).json();
      return sessions.some((session) => session.kernel?.execution_state === 'idle');
    },
    /** The process ids of its kernels. */
    async kernels() {
      const found = [];
      for (const pid of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
        const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
        if (line.includes('ipykernel_launcher') && line.includes(path.join(folder, '.runtime')))
          found.push(Number(pid));
      }
      return found;
    },
    /** Kills the server as a crash does: its orphaned kernels end themselves. */
    async kill() {
      process.kill(group.child.pid, 'SIGKILL');
      await group.ended;
    },
    /** Restarts it at the same address. */
    again: start,
    url: (file) => `${address}${base}${at}${encodeURIComponent(file)}?token=${token}`,
    async close() {
      await stopGroup(group);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The cells of a notebook file, each with the card that it must get (its `nbmedic.expect`; null: no card). */
export async function expectations(file) {
  const { cells } = JSON.parse(await readFile(file, 'utf8'));
  return cells
    .map((cell, index) => ({
      index,
      kind: cell.cell_type,
      expect: cell.metadata.nbmedic?.expect ?? null,
      kills: Boolean(cell.metadata.nbmedic?.kills),
      source: [cell.source].flat().join(''),
    }))
    .filter((cell) => cell.kind === 'code');
}

/** Opens a notebook in JupyterLab and waits for its kernel. */
export async function openNotebook(page, server, name) {
  await page.goto(server.url(name), { waitUntil: 'domcontentloaded' });
  await until(
    `the notebook ${name} with a kernel`,
    async () => {
      const shown = await page.evaluate(() => {
        // JupyterLab asks for the kernel if it remembers no choice; its proposal is right.
        document.querySelector('.jp-Dialog button.jp-mod-accept')?.click();
        const panel = document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden)');
        return (
          !document.querySelector('.jp-Dialog') &&
          Boolean(panel?.querySelector('.jp-CodeCell .cm-content')) &&
          panel.querySelector('.jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle'
        );
      });
      if (!shown) return false;
      return server.idle();
    },
    { timeout: 60_000, every: 100, detail: () => server.log() },
  );
}

/**
 * Waits until a notebook is in front and its kernel has answered the page: the server tells of a kernel's death only the pages
 * that are connected to it. The indicator is no sign of that: it shows "idle" before there is a connection. Needs
 * `--LabApp.expose_app_in_browser=True`.
 */
export const kernelAnswered = (page, name) =>
  until(
    `an answer of the kernel of ${name}`,
    () =>
      page.evaluate((wanted) => {
        const { context } = window.jupyterapp?.shell.currentWidget ?? {};
        return context?.path === wanted && context.sessionContext.session?.kernel?.status === 'idle';
      }, name),
    {
      timeout: 40_000,
      detail: () =>
        page.evaluate(() => {
          const { context } = window.jupyterapp?.shell.currentWidget ?? {};
          const { status, connectionStatus } = context?.sessionContext.session?.kernel ?? {};
          return { path: context?.path, status, connectionStatus, hidden: document.hidden };
        }),
    },
  );

const cellState = (page, index) =>
  page.evaluate((at) => {
    const panel = document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden)');
    const cell = panel.querySelectorAll('.jp-Notebook .jp-Cell')[at];
    return {
      prompt: cell?.querySelector('.jp-InputArea-prompt')?.textContent.trim() ?? '',
      status: panel.querySelector('.jp-Notebook-ExecutionIndicator')?.dataset.status ?? '',
      dialog: document.querySelector('.jp-Dialog')?.textContent ?? '',
    };
  }, index);

/** Where a click puts the cursor into a cell. A windowed list of cells moves once more when other cells come into view. */
const placeOf = (page, index) =>
  steady(`cell ${index} in view`, () =>
    page.evaluate((at) => {
      const cell = document.querySelectorAll('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook .jp-Cell')[at];
      const editor = cell?.querySelector('.cm-content');
      if (!editor) {
        cell?.scrollIntoView();
        return null;
      }
      const { x, y, width } = editor.getBoundingClientRect();
      const point = { x: x + Math.min(width / 2, 200), y: y + 8 };
      if (editor.contains(document.elementFromPoint(point.x, point.y))) return point;
      // The first line of a long one.
      editor.scrollIntoView({ block: editor.offsetHeight > window.innerHeight / 2 ? 'start' : 'center' });
      return null;
    }, index),
  );

/** Runs a cell with the keyboard, as a user does, and waits for its end (with `kills`, for the kernel's). */
export async function runCell(page, index, { kills = false, wait = true } = {}) {
  // A card that is drawn or removed above moves the cell between the look and the click: then the click met something else.
  await until(
    `the cursor is in cell ${index}`,
    async () => {
      const { x, y } = await placeOf(page, index);
      await page.mouse.click(x, y);
      return page.evaluate((at) => {
        const cell = document.querySelectorAll('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook .jp-Cell')[at];
        return cell?.querySelector('.cm-content')?.contains(document.activeElement) ?? false;
      }, index);
    },
    { every: 200 },
  );
  const before = await cellState(page, index);
  await page.keyboard.down('Control');
  await page.keyboard.press('Enter');
  await page.keyboard.up('Control');
  if (!wait) return;
  if (kills) {
    await until('the dialog about the dead kernel', async () => /Kernel/.test((await cellState(page, index)).dialog), {
      timeout: 40_000,
      detail: () => cellState(page, index),
    });
    return;
  }
  await until(
    `cell ${index} has run`,
    async () => {
      const now = await cellState(page, index);
      return /\[\d+\]/.test(now.prompt) && now.prompt !== before.prompt && now.status === 'idle';
    },
    { timeout: 60_000, detail: () => cellState(page, index) },
  );
}

/** Answers the dialog about the kernel's death. JupyterLab queues later runs for the new kernel. */
export async function acceptRestart(page) {
  await until('the dialog is gone', () =>
    page.evaluate(() => {
      document.querySelector('.jp-Dialog button.jp-mod-accept')?.click();
      return !document.querySelector('.jp-Dialog');
    }),
  );
}

/** Whether a usable Python exists for the environment; used by the setup script. */
export function python() {
  for (const name of [process.env.PYTHON, 'python3', 'python'].filter(Boolean)) {
    const probe = spawnSync(name, ['-c', 'import sys, venv; print(sys.version_info >= (3, 10))'], { encoding: 'utf8' });
    if (probe.status === 0 && probe.stdout.trim() === 'True') return name;
  }
  return null;
}
