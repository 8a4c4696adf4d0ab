// Runs the end-to-end tests, one file at a time, and shows the figures that they measured.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

import { ROOT } from './harness/packages.mjs';

const out = path.join(ROOT, 'out/e2e');
rmSync(out, { recursive: true, force: true });
const named = process.argv.slice(2);
const files = readdirSync(path.join(ROOT, 'tests/e2e')).filter((name) => name.endsWith('.test.mjs') && (!named.length || named.some((part) => name.includes(part))));
const setup = process.env.NBMEDIC_JUPYTER ? { status: 0 } : spawnSync(process.execPath, [path.join(ROOT, 'tests/e2e/setup.mjs')], { stdio: 'inherit' });
if (setup.status !== 0) process.exit(setup.status ?? 1);
const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=1', '--test-timeout=600000', '--test-reporter=spec', ...files.map((name) => path.join(ROOT, 'tests/e2e', name))], { stdio: 'inherit', cwd: ROOT });
let shown = [];
try {
  shown = readdirSync(out).filter((name) => name.startsWith('figures-')).map((name) => JSON.parse(readFileSync(path.join(out, name), 'utf8')).line);
} catch {
  // No measurement among the files that were run.
}
if (shown.length) console.log(`\nmeasured:\n${shown.map((line) => `  ${line}`).join('\n')}`);
process.exit(status ?? 1);
