// Runs the end-to-end tests and prints the figures that they measured. Files that measure run alone, the others three at a
// time (browser tests mostly wait). A file that fails next to another one runs a second time, alone. If it passes then, it is
// a flake: its name and what failed are printed, and more than two of them fail the run.
// --tests leaves out the files that measure, --measures leaves out the others; words are parts of files' names.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

import { keepStarted } from './harness/firefox.mjs';
import { OPENED, ROOT } from './harness/packages.mjs';
import { BROWSERS } from './harness/session.mjs';
import { patience, slowdown } from './harness/wait.mjs';

const DIR = path.join(ROOT, 'tests/e2e');
const OUT = path.join(ROOT, 'out/e2e');
/**
 * Longest time for one file on an idle machine, in milliseconds: a browser that hangs must not block the others. Longer for
 * soak tests.
 */
const LIMIT_MS =
  420_000 + Number(process.env.NBMEDIC_KILLS ?? 0) * 25_000 + (process.env.NBMEDIC_DEATHS === 'all' ? 600_000 : 0);
/** As many files may fail beside others and then pass. */
const FLAKES = 2;
const LANES = Number(process.env.NBMEDIC_LANES) || 3;
/** The files that take longest, longest first. They start first, so that no lane is left waiting for one of them. */
const LONG = [
  // It waits by the clock.
  'lost',
  'crash',
  'jupyter',
  'insert',
  'verdicts',
  'www',
  'record',
  'try-below',
  'kill',
  'lifecycle',
  'jupyter-views',
  'cure',
  'deaths-probe',
  'deaths',
  'variants',
  'settings',
];
/** The summary lines of `node --test`, from which ours is computed. */
const SUMMARY = /^\S+ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ([\d.]+)$/;

const PARTS = ['--tests', '--measures'];
const part = process.argv.slice(2).find((arg) => PARTS.includes(arg));
const named = process.argv.slice(2).filter((arg) => !PARTS.includes(arg));

rmSync(OUT, { recursive: true, force: true });
rmSync(OPENED, { recursive: true, force: true });
const found = readdirSync(DIR).filter(
  (name) => name.endsWith('.test.mjs') && (!named.length || named.some((word) => name.includes(word))),
);
if (!found.length) {
  console.error(`no file of tests/e2e has ${named.join(' or ')} in its name`);
  process.exit(2);
}
const text = (name) => readFileSync(path.join(DIR, name), 'utf8');
/** A file that does not ask which browsers to test is about Chromium alone. */
const files = found.filter((name) => BROWSERS.includes('chrome') || /\bBROWSERS\b/.test(text(name)));
for (const name of found) if (!files.includes(name)) console.log(`left out without Chromium: ${name}`);
if (!files.length) process.exit(2);
const setup = process.env.NBMEDIC_JUPYTER
  ? { status: 0 }
  : spawnSync(process.execPath, [path.join(DIR, 'setup.mjs')], { stdio: 'inherit' });
if (setup.status !== 0) process.exit(setup.status ?? 1);
// One start more, which pays if there are several.
if (BROWSERS.includes('firefox') && files.length > 3) await keepStarted();

/** Runs one file. Returns its log without the summary, and how many of its checks passed and failed. */
function run(name) {
  return new Promise((resolve) => {
    const began = Date.now();
    const child = spawn(
      process.execPath,
      [
        '--test',
        // Node.js counts by the clock; the file's own limit below does not.
        `--test-timeout=${Math.ceil((LIMIT_MS - 60_000) * slowdown())}`,
        '--test-force-exit',
        '--test-reporter=spec',
        path.join(DIR, name),
      ],
      { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    );
    let log = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (words) => {
        log += words;
      });
    const spent = patience();
    const limit = setInterval(() => {
      if (spent() <= LIMIT_MS) return;
      clearInterval(limit);
      log += `\nkilled: ${name} ran for more than ${LIMIT_MS / 1000} s of an idle machine\n`;
      process.kill(-child.pid, 'SIGKILL');
    }, 1000);
    child.on('close', (status) => {
      clearInterval(limit);
      const lines = log.split('\n');
      const counts = Object.fromEntries(
        lines.flatMap((line) => (SUMMARY.exec(line) ? [SUMMARY.exec(line).slice(1)] : [])),
      );
      const failed = Number(counts.fail ?? 0) + Number(counts.cancelled ?? 0);
      resolve({
        name,
        status,
        passed: Number(counts.pass ?? 0),
        failed: status === 0 ? failed : Math.max(1, failed),
        log: lines
          .filter((line) => !SUMMARY.test(line))
          .join('\n')
          .trimEnd(),
        seconds: Math.round((Date.now() - began) / 1000),
      });
    });
    process.once(
      'exit',
      () => child.exitCode === null && child.signalCode === null && process.kill(-child.pid, 'SIGKILL'),
    );
  });
}

const tell = (result, words = '') => console.log(`${result.log}\n${result.name}: ${result.seconds} s${words}\n`);
const total = { passed: 0, failed: 0 };
const count = ({ passed, failed }) => {
  total.passed += passed;
  total.failed += failed;
};

const measures = (name) => text(name).includes('figures(');
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/** The names of a file's tests that failed, the innermost only. */
function failures(log) {
  const lines = log.split('\n').filter((line) => /^ *(✖|✔|▶) /.test(line));
  const depth = (line) => line.search(/\S/);
  const names = lines
    .filter((line, i) => /^ *✖ /.test(line) && !(lines[i - 1] && depth(lines[i - 1]) > depth(line)))
    .map((line) => line.replace(/^ *✖ /, '').replace(/ \([\d.]+ms\)$/, ''));
  return [...new Set(names.filter((line) => line !== 'failing tests:'))];
}

/** What failed next to another file: by the file's name, its tests that failed. */
const again = new Map();
const rank = (name) => {
  const place = LONG.indexOf(name.replace('.test.mjs', ''));
  return place < 0 ? LONG.length : place;
};
const queue = part === '--measures' ? [] : files.filter((name) => !measures(name)).sort((a, b) => rank(a) - rank(b));
const together = LANES > 1 && queue.length > 1;
const lane = async () => {
  for (let name = queue.shift(); name; name = queue.shift()) {
    const result = await run(name);
    const retry = together && result.failed > 0;
    tell(result, retry ? ', will run again alone' : '');
    if (retry) again.set(name, failures(result.log));
    else count(result);
  }
};
await Promise.all(Array.from({ length: LANES }, lane));
const flakes = [];
for (const name of [...(part === '--tests' ? [] : files.filter(measures)), ...again.keys()]) {
  const result = await run(name);
  tell(result);
  count(result);
  if (again.has(name) && !result.failed) flakes.push(name);
}
for (const name of flakes)
  console.log(
    `flake: ${name} failed next to another file and passed alone (${again.get(name).join('; ') || 'killed'})`,
  );

let shown = [];
try {
  shown = readdirSync(OUT)
    .filter((name) => name.startsWith('figures-'))
    .map((name) => JSON.parse(readFileSync(path.join(OUT, name), 'utf8')).line);
} catch {
  // None of these files measures.
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
if (shown.length) console.log(`\nmeasured:\n${shown.map((line) => `  ${line}`).join('\n')}`);
process.exit(total.failed || flakes.length > FLAKES ? 1 : 0);
