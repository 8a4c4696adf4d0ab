// The Python package of this tree, for a kernel of the tests.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

import { jupyterHome } from './jupyter.mjs';
import { ROOT } from './packages.mjs';

/** Puts the wheel's modules into a folder. Returns the environment of a kernel that has them, without the probe. */
export async function wheelModules(folder) {
  const built = path.join(ROOT, 'dist/wheel-debug');
  const wheel = (await readdir(built).catch(() => [])).find((name) => name.endsWith('.whl'));
  if (!wheel) throw new Error(`${built} holds no wheel: ./build.sh test makes it`);
  const python = path.join(jupyterHome(), 'bin/python');
  const options = ['--quiet', '--disable-pip-version-check', '--no-index', '--no-deps', '--target', folder];
  const done = spawnSync(python, ['-m', 'pip', 'install', ...options, path.join(built, wheel)], { encoding: 'utf8' });
  assert.equal(done.status, 0, done.stderr);
  return { PYTHONPATH: folder, NBMEDIC_NO_PROBE: '1' };
}
