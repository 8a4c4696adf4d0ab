// Runs Mozilla's linter on one built extension. An error, a warning or a notice fails.
//
//   node tools/weblint.mjs DIST_DIR [EXPECTED_CODE…]
//
// The linter checks Chrome's manifest against Firefox, so a few complaints are expected there. The caller names them, and
// an expected complaint that does not appear fails too.

import { spawnSync } from 'node:child_process';

const [dir, ...expected] = process.argv.slice(2);
const options = ['lint', '--source-dir', dir, '--output', 'json', '--no-config-discovery'];
const run = spawnSync('node_modules/.bin/web-ext', options, {
  encoding: 'utf8',
  maxBuffer: 1 << 26,
  env: { ...process.env, NO_UPDATE_NOTIFIER: '1' },
});
const start = run.stdout.indexOf('{');
if (run.error || start < 0) {
  console.error(run.error ?? (run.stderr || 'web-ext printed no report'));
  process.exit(1);
}
const report = JSON.parse(run.stdout.slice(start));
const all = [...report.errors, ...report.warnings, ...report.notices];
const complaints = all.filter(({ code }) => !expected.includes(code));
const stale = expected.filter((code) => !all.some((complaint) => complaint.code === code));
for (const { _type, code, message, description, file, line } of complaints) {
  console.log(`${_type}: ${file ?? 'package'}:${line ?? ''} ${code}: ${message}\n    ${description}`);
}
for (const code of stale) console.log(`expected, but not reported: ${code}`);
console.log(
  `${dir}: ${report.errors.length} errors, ${report.warnings.length} warnings, ${expected.length} of them expected`,
);
process.exitCode = complaints.length || stale.length ? 1 : 0;
