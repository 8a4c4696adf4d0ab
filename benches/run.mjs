// `./build.sh bench`: compares the engine with its peers on the same text with the same patterns, and prints a Markdown page.
// --quick uses a tenth of the text.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openBrowser } from './browser.mjs';

const ROOT = path.join(import.meta.dirname, '..');
const MB = 1e6;
const quick = process.argv.includes('--quick');
const SIZES = quick ? [MB / 10, MB, 10 * MB] : [MB, 10 * MB, 100 * MB];
const LARGE = SIZES.at(-1);
// Below the limits of a text (8 MiB and 100,000 lines), so that every byte is judged.
const PIECE = 4 * MB;
const RUNS = 5;
const SHORT_RUNS = 200;
// Lines that each peer must find.
const TROUBLE = [
  'OSError: [Errno 28] No space left on device',
  "terminate called after throwing an instance of 'std::bad_alloc'",
  'RuntimeError: CUDA error: device-side assert triggered',
  'tcmalloc: large alloc 8589934592 bytes == 0x7f',
  'free(): invalid pointer',
  '^C',
  "imread_('photo.jpg'): can't open/read file: check file path/integrity",
];
const BENIGN = 'benign log';

const folder = mkdtempSync(path.join(os.tmpdir(), 'nbmedic-bench-'));
const at = (name) => path.join(folder, name);
const say = (line = '') => process.stdout.write(`${line}\n`);
const best = ({ seconds }) => Math.min(...seconds);
const ms = (seconds) => `${(seconds * 1000).toPrecision(3)} ms`;
const rate = (bytes, seconds) => `${(bytes / MB / seconds).toPrecision(3)} MB/s`;
const row = (...cells) => say(`| ${cells.join(' | ')} |`);
const table = (...heads) => {
  say();
  row(...heads);
  row(...heads.map((_, i) => (i ? '---:' : '---')));
};

function run(command, args, options = {}) {
  return execFileSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * MB,
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  });
}

const native = (args, options) =>
  run('cargo', ['bench', '--quiet', '--locked', '-p', 'nbmedic', '--bench', 'engine', '--', ...args], options);

/** Writes one of the texts of `tests/support/long_texts.rs` to a file. */
function write(file, name, bytes = 0) {
  const to = openSync(at(file), 'w');
  native(['text', name, String(bytes)], { stdio: ['ignore', to, 'inherit'] });
  closeSync(to);
}
const judge = (name, runs, piece) => JSON.parse(native(['judge', String(runs), String(piece), at(name)]));

/** ripgrep's time, with a larger automaton than its default allows, and the number of lines it matched. */
function ripgrep(name, args) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(
    'rg',
    ['--no-config', '--count', '--text', '--dfa-size-limit', '1G', '--regex-size-limit', '1G', ...args, at(name)],
    { encoding: 'utf8', maxBuffer: 64 * MB },
  );
  if (status > 1) throw new Error(stderr.slice(-300));
  return { seconds: (performance.now() - start) / 1000, matched: Number(stdout || 0) };
}

/**
 * ripgrep's patterns match Unicode, the engine's ASCII only. A pattern that is all ASCII gets a flag for that, which
 * saves ripgrep much work; a Unicode `\b` would keep it from using its faster automaton.
 */
const forRipgrep = (pattern) =>
  /^[\x20-\x7e]*$/.test(pattern) ? `(?-u:${pattern})` : `(?:${pattern.replaceAll('\\b', '(?-u:\\b)')})`;

function quiet(found, what) {
  if (found.length) throw new Error(`${what}: there is no failure in it, but the engine found ${found}`);
}

async function peers(browser) {
  write('large.log', BENIGN, LARGE);
  const text = readFileSync(at('large.log'));
  const slice = text.subarray(0, text.indexOf('\n', MB) + 1);
  writeFileSync(at('slice.log'), slice);
  writeFileSync(at('nothing.log'), '');
  writeFileSync(at('patterns'), native(['patterns']));
  writeFileSync(at('literals'), native(['literals']));
  const patterns = readFileSync(at('patterns'), 'utf8').trimEnd().split('\n');
  writeFileSync(at('rg-patterns'), patterns.map((p) => `${forRipgrep(p)}\n`).join(''));
  writeFileSync(
    at('check.log'),
    TROUBLE.map((line) => `${line}\n`)
      .join('')
      .repeat(9),
  );
  appendFileSync(at('check.log'), slice.subarray(0, slice.indexOf('\n', MB / 20) + 1));

  say(`## A benign training log, ${patterns.length} patterns`);
  say();
  say(
    `The log: ${text.length} bytes; the slice: its first ${slice.length}. Each figure is the best of ${RUNS} runs, for the loops and ripgrep's patterns of one run.`,
  );
  table('', 'text', 'time', 'throughput');
  const here = judge('large.log', RUNS, PIECE);
  quiet(here.found, 'the benign log, natively');
  const line = (name, what, bytes, seconds) =>
    row(name, what, seconds < 1 ? ms(seconds) : `${seconds.toFixed(2)} s`, rate(bytes, seconds));
  line('nbmedic, native', 'log', text.length, best(here));
  const wasm = await browser.judge('large.log', RUNS, PIECE);
  quiet(wasm.found, 'the benign log, in Chromium');
  line('nbmedic, WASM in Chromium', 'log', text.length, best(wasm));
  const several = (name, args) => Math.min(...Array.from({ length: RUNS }, () => ripgrep(name, args).seconds));
  const literals = several('large.log', ['--fixed-strings', '--file', at('literals')]);
  line('`rg -F -f`, only the literals', 'log', text.length, literals);
  // The time to compile the patterns is subtracted, so that the slice's throughput holds for the whole log.
  const rg =
    ripgrep('slice.log', ['--file', at('rg-patterns')]).seconds - several('nothing.log', ['--file', at('rg-patterns')]);
  line('`rg -f`, the patterns', 'slice', slice.length, rg);
  const js = JSON.parse(run(process.execPath, ['benches/loop.mjs', at('patterns'), at('slice.log')]));
  line('JavaScript, a loop of `RegExp`', 'slice', slice.length, js.seconds);
  const py = JSON.parse(run('python3', ['benches/loop.py', at('patterns'), at('slice.log')]));
  line('Python, a loop of `re`', 'slice', slice.length, py.seconds);

  const per = best(here) / text.length;
  const times = (seconds) => (seconds / slice.length / per).toPrecision(3);
  say();
  say(
    `Per byte, native nbmedic is ${times(rg)} times as fast as \`rg -f\`, ${times(js.seconds)} times as JavaScript's loop and ${times(py.seconds)} times as Python's; the WASM has ${(best(here) / best(wasm)).toFixed(2)} of its throughput.`,
  );
  const counts = [
    ripgrep('check.log', ['--file', at('rg-patterns')]).matched,
    ...[
      [process.execPath, 'benches/loop.mjs'],
      ['python3', 'benches/loop.py'],
    ].map(([program, loop]) => JSON.parse(run(program, [loop, at('patterns'), at('check.log')])).matched),
  ];
  if (!counts[0] || counts.some((n) => n !== counts[0]))
    throw new Error(`the peers disagree on what to find: ${counts} lines`);
  say(`On a text with matches the three peers find the same ${counts[0]} lines.`);
}

async function tracebacks(browser) {
  say();
  say('## A traceback of 1,000 lines, to the ranked diagnosis');
  say();
  say(`The best and the median of ${SHORT_RUNS} runs; the first run compiles the patterns.`);
  table('', 'native', 'native, median', 'native, first', 'WASM', 'WASM, median', 'WASM, first');
  for (const name of ["Python's", "IPython's"]) {
    const file = 'traceback.txt';
    write(file, name);
    const middle = ({ seconds }) => seconds.toSorted((a, b) => a - b)[seconds.length >> 1];
    const cells = [judge(file, SHORT_RUNS, 0), await browser.judge(file, SHORT_RUNS, 0)].flatMap((r) => {
      if (r.found.join() !== 'gpu-oom') throw new Error(`the engine took ${name} traceback for ${r.found}`);
      return [best(r), middle(r), r.seconds[0]];
    });
    row(name, ...cells.map(ms));
  }
}

async function growth(browser) {
  say();
  say('## How the cost grows');
  say();
  say(
    'One call for the whole text. The text is cleaned as a stream; beyond 8 MiB or 100,000 lines, only its beginning and end are judged.',
  );
  table('nanoseconds per byte', ...SIZES.map((n) => `${n / MB} MB`));
  const cost = (r) => ((best(r) / r.bytes) * 1e9).toPrecision(3);
  const rows = [BENIGN, ...native(['texts']).trimEnd().split('\n')];
  for (const name of rows) {
    const cells = [];
    for (const size of SIZES) {
      write('grown.log', name, size);
      cells.push(cost(judge('grown.log', size > 10 * MB ? 1 : 3, 0)));
    }
    row(name, ...cells);
  }
  for (const name of rows.slice(0, 3)) {
    const cells = [];
    for (const size of SIZES) {
      write('grown.log', name, size);
      cells.push(cost(await browser.judge('grown.log', size > 10 * MB ? 1 : 3, 0)));
    }
    row(`${name}, WASM`, ...cells);
  }
}

const first = (command, args) => run(command, args).split('\n')[0];
let browser;
try {
  native(['patterns']);
  browser = await openBrowser(path.join(ROOT, 'dist/chrome/engine'), folder);
  const load = os.loadavg()[0].toFixed(1);
  say(
    `${os.cpus()[0].model.trim()}, ${os.cpus().length} cores, load ${load} at the start; ${first('rustc', ['--version'])}, ${first('rg', ['--version'])}, Node.js ${process.version}, ${first('python3', ['--version'])}, ${browser.version}.`,
  );
  say();
  await peers(browser);
  await tracebacks(browser);
  await growth(browser);
} finally {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
}
