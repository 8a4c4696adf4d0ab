// Ways for a real kernel to die in a real notebook, and what the card must say about each.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, rmdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { jupyterHome } from './jupyter.mjs';
import { ROOT } from './packages.mjs';
import { until } from './wait.mjs';

const GROUPS = '/sys/fs/cgroup/memory';
const LIMIT = 400 << 20;
const SLEEP = "import time\nprint('working', flush=True)\ntime.sleep(600)";
const MAKE_WHEEL = `
import sys, zipfile
folder, name, version = sys.argv[1:]
with zipfile.ZipFile(f'{folder}/{name}-{version}-py3-none-any.whl', 'w') as wheel:
    wheel.writestr(f'{name}.py', f'__version__ = {version!r}')
    info = f'{name}-{version}.dist-info/'
    wheel.writestr(info + 'METADATA', f'Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n')
    wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(info + 'RECORD', '')
`;

/**
 * With the probe: the diagnosis, its variant and words on the card. `page`: the diagnosis and variant that the page alone
 * may show; without it, the card must be the unknown death with the list of what was examined.
 */
const VERDICTS = {
  'out of memory, in steps': {
    id: 'host-oom',
    variant: 'system-says',
    words: [/count of out-of-memory kills rose/, /ended by SIGKILL/],
  },
  'out of memory, GIL held': { id: 'host-oom', variant: 'system-says', words: [/count of out-of-memory kills rose/] },
  SIGKILL: {
    id: 'kernel-died',
    variant: 'killed',
    words: [/killed from outside, by signal 9/, /no count of out-of-memory kills rose/],
  },
  'segmentation fault': {
    id: 'native-crash',
    variant: null,
    words: [/Compiled code crashed: segmentation fault/, /Segmentation fault/],
  },
  abort: {
    id: 'native-crash',
    variant: null,
    words: [/Compiled code crashed: it aborted/, /Aborted/],
    page: ['kernel-died', 'asked'],
  },
  'bus error': { id: 'native-crash', variant: null, words: [/Compiled code crashed: bus error/, /Bus error/] },
  'illegal instruction': {
    id: 'native-crash',
    variant: null,
    words: [/Compiled code crashed: illegal instruction/, /Illegal instruction/],
  },
  'stack overflow': {
    id: 'native-crash',
    variant: null,
    words: [/Compiled code crashed: (?:stack overflow|segmentation fault)/, /Segmentation fault/],
  },
  'os._exit(3)': {
    id: 'kernel-died',
    variant: 'on-purpose',
    words: [/restarts its runtime here on purpose, on line 1/, /exit code 3/],
    page: ['kernel-died', 'on-purpose'],
  },
  install: {
    id: 'kernel-died',
    variant: 'on-purpose',
    words: [
      /restarts its runtime here on purpose, on line 3/,
      /pip installs packages in this cell/,
      /ended itself without an error/,
    ],
    page: ['kernel-died', 'on-purpose'],
  },
  restart: {
    id: 'kernel-died',
    variant: 'restarted',
    words: [
      /The kernel was restarted while this cell ran/,
      /a restart was requested/,
      /the kernel (?:was ended by SIGKILL|ended itself)/,
    ],
    page: ['kernel-died', 'restarted'],
  },
  gone: { id: 'runtime-disconnected', variant: null, words: [/its Jupyter server had ended before it/] },
  // The last one, because the kernel survives it.
  cut: { id: 'runtime-disconnected', variant: null, words: [] },
};

/** Every way to die: name, the cell's code, and the verdict. The probe's own tests define some of them. */
export function ways() {
  const known = JSON.parse(
    execFileSync(path.join(jupyterHome(), 'bin/python'), [path.join(ROOT, 'tests/probe/deaths.py')], {
      encoding: 'utf8',
    }),
  );
  const install = `%pip install -q --no-index --target tiny ./nbmedic_tiny-1.0-py3-none-any.whl\nimport IPython\nIPython.Application.instance().kernel.do_shutdown(True)`;
  return Object.entries(VERDICTS).map(([name, verdict]) => ({
    name,
    ...verdict,
    limited: false,
    ...known[name],
    ...(known[name] ? {} : { code: name === 'install' ? install : SLEEP }),
  }));
}

/** A notebook with these cells in a folder of its own: its path, and a function that removes it. */
export async function notebook(
  name,
  cells,
  kernelspec = { display_name: 'Python 3 (ipykernel)', language: 'python', name: 'python3' },
) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-deaths-'));
  const file = path.join(folder, name);
  const made = cells.map((source, i) => ({
    cell_type: 'code',
    id: `cell-${i}`,
    metadata: {},
    execution_count: null,
    outputs: [],
    source,
  }));
  await writeFile(file, JSON.stringify({ cells: made, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 }));
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The cell that starts the probe, as it ships. */
export const startCell = () => readFile(path.join(ROOT, 'dist/probe/cell-native.py'), 'utf8');

/** Writes a one-line package, which pip installs without a network, to a server's folder. */
export function makeWheel(folder, name, version) {
  execFileSync(path.join(jupyterHome(), 'bin/python'), ['-c', MAKE_WHEEL, folder, name, version]);
}

/** A memory control group that really kills; null if none can be made. */
export async function memoryGroup() {
  const folder = `${GROUPS}/nbmedic-e2e-${process.pid}-${Date.now()}`;
  try {
    await readFile(`${GROUPS}/memory.limit_in_bytes`);
    await mkdir(folder);
    await writeFile(`${folder}/memory.limit_in_bytes`, String(LIMIT));
  } catch {
    return null;
  }
  return {
    hold: (pid) => writeFile(`${folder}/cgroup.procs`, String(pid)),
    async close() {
      await until('the control group is empty', async () => {
        for (const pid of (await readFile(`${folder}/cgroup.procs`, 'utf8')).split('\n').filter(Boolean))
          await writeFile(`${GROUPS}/cgroup.procs`, pid);
        await rmdir(folder);
        return true;
      });
    },
  };
}
