// Lints built packages with the pinned web-ext: no error, no notice, no warning.
// node tests/js/web-ext-lint.mjs DIR…
//
// One warning is expected of a Chrome package: web-ext says that Firefox does not use its service
// worker, which Chrome needs. Anything else fails, and so does its absence.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const WORKER = 'BACKGROUND_SERVICE_WORKER_IGNORED';
const bin = new URL('../../node_modules/web-ext/bin/web-ext.js', import.meta.url).pathname;
let failed = 0;

for (const dir of process.argv.slice(2)) {
  const manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'));
  const expected = manifest.background?.service_worker ? [WORKER] : [];
  const run = spawnSync(process.execPath, [bin, 'lint', '--source-dir', dir, '--output', 'json'], { encoding: 'utf8' });
  const { errors, notices, warnings } = JSON.parse(run.stdout.slice(run.stdout.indexOf('{')));
  const messages = [...errors, ...notices, ...warnings];
  const codes = messages.map(({ code }) => code).sort();
  const ok = JSON.stringify(codes) === JSON.stringify(expected);
  if (!ok) failed += 1;
  console.log(`${dir}: ${ok ? 'ok' : 'not as expected'}`);
  if (!ok) for (const { _type: type, code, message, file, line } of messages) console.log(`  ${type} ${code} ${file ?? ''}:${line ?? ''} ${message}`);
}
process.exitCode = failed || process.argv.length < 3 ? 1 : 0;
