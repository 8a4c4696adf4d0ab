// Makes .tools/jupyter, a virtual environment with the pinned JupyterLab. Does nothing if it exists already.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { python } from './harness/jupyter.mjs';
import { ROOT } from './harness/packages.mjs';

const requirements = path.join(ROOT, 'tests/e2e/requirements.txt');
const home = path.join(ROOT, '.tools/jupyter');
const stamp = path.join(home, 'nbmedic-requirements');
const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex');

function step(words, command, args) {
  console.log(words);
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`failed: ${command} ${args.join(' ')}${error ? `: ${error.message}` : ''}`);
    process.exit(1);
  }
}

if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) process.exit(0);
const interpreter = python();
if (!interpreter) {
  console.error(
    'Python 3.10 or later with the venv module is needed for JupyterLab (Debian: apt install python3-venv)',
  );
  process.exit(1);
}
rmSync(home, { recursive: true, force: true });
mkdirSync(path.dirname(home), { recursive: true });
step('JupyterLab: making a virtual environment', interpreter, ['-m', 'venv', home]);
step('JupyterLab: installing (about a minute)', path.join(home, 'bin/python'), [
  '-m',
  'pip',
  'install',
  '--disable-pip-version-check',
  '--no-input',
  '--progress-bar',
  process.stdout.isTTY ? 'on' : 'off',
  '-q',
  '-r',
  requirements,
]);
writeFileSync(stamp, wanted);
