// The command line on inputs that nothing can hold: a long log, a pipe without an end, a notebook of a million cells, and many
// logs beside ripgrep with the same literals. `./build.sh bench --long` runs it and prints a Markdown page.
// --quick uses a tenth of the sizes. Needs GNU time at /usr/bin/time and ripgrep.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '..');
const MB = 1e6;
const scale = process.argv.includes('--quick') ? 0.1 : 1;
const PROGRAM = process.env.NBMEDIC_CLI ?? path.join(ROOT, 'target/release/nbmedic');
const LITERALS = process.env.NBMEDIC_LITERALS;
const OOM =
  'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 14.70 GiB of which 1.10 GiB is free.\n';

const folder = mkdtempSync(path.join(os.tmpdir(), 'nbmedic-long-'));
const at = (name) => path.join(folder, name);
const say = (line = '') => process.stdout.write(`${line}\n`);

/** A fixed sequence of numbers from 0 to 1. */
function dice(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Lines of a run that goes well. */
function benign(bytes) {
  const next = dice(7);
  const forms = [
    (n) =>
      `Epoch ${n % 9} | step ${n} | loss ${next().toFixed(5)} | lr ${next().toFixed(3)}e-05 | mem ${(next() * 15).toFixed(2)}GB`,
    (n) =>
      `[${n}]\ttrain-logloss:${next().toFixed(5)}\teval-logloss:${next().toFixed(5)}\teval-error:${next().toFixed(5)}`,
    (n) =>
      `2026-03-11 10:${10 + (n % 50)}:17,204 - INFO - trainer - step=${n} loss=${next().toFixed(4)} errors=0 retries=0`,
    (n) =>
      `Epoch ${n}/200 - loss: ${next().toFixed(4)} - mean_absolute_error: ${next().toFixed(4)} - val_loss: ${next().toFixed(4)}`,
    (n) => `Requirement already satisfied: package${n % 90} in /usr/lib/python3/dist-packages (2.${n % 9}.0)`,
  ];
  const parts = [];
  for (let [size, n] = [0, 0]; size < bytes; n += 1) {
    const line = `${forms[Math.floor(n / 60) % forms.length](n)}\n`;
    parts.push(line);
    size += line.length;
  }
  return Buffer.from(parts.join(''));
}

/** Runs a command; its time, its processor time and its greatest memory, from GNU time. */
function measured(command, args, options = {}) {
  const { stdout, stderr, status } = spawnSync('/usr/bin/time', ['-f', '%e %U %S %M', command, ...args], {
    encoding: 'utf8',
    maxBuffer: 64 * MB,
    ...options,
  });
  const [wall, user, system, peak] = stderr.trimEnd().split('\n').at(-1).split(' ').map(Number);
  return { wall, cpu: user + system, peak, status, stdout };
}
const row = (...cells) => say(`| ${cells.join(' | ')} |`);
const figures = ({ wall, cpu, peak }) => [
  `${wall.toFixed(2)} s`,
  `${cpu.toFixed(2)} s`,
  `${(peak / 1024).toFixed(0)} MiB`,
];
const found = ({ stdout }) => {
  const value = JSON.parse(stdout);
  const counts = value.diagnoses.map((d) => `${d.id} ${d.occurrences?.count ?? 1}×`);
  return `${counts.slice(0, 4).join(', ') || 'nothing'}; ${value.read.lines ?? value.read.cells} ${value.read.lines ? 'lines' : 'cells'}`;
};

function longLog(part) {
  const to = openSync(at('long.log'), 'w');
  for (let size = 0; size < 5000 * MB * scale; size += part.length) {
    writeSync(to, part);
    if (size <= 2500 * MB * scale && size + part.length > 2500 * MB * scale) writeSync(to, OOM);
  }
  closeSync(to);
  const result = measured(PROGRAM, ['triage', '--format', 'json', at('long.log')]);
  row('a log, one failure in its middle', `${5 * scale} GB`, ...figures(result), found(result));
  rmSync(at('long.log'));
}

function failingLines() {
  const to = openSync(at('failing.log'), 'w');
  const lines = 1e6 * scale;
  for (let n = 0; n < lines; n += 1000) {
    const part = Array.from({ length: 1000 }, (_, i) => OOM.replace('2.00', `${(n + i) % 97}.00`));
    writeSync(to, part.join(''));
  }
  closeSync(to);
  const result = measured(PROGRAM, ['triage', '--format', 'json', at('failing.log')]);
  row('nothing but failures', `${lines} lines`, ...figures(result), found(result));
  rmSync(at('failing.log'));
}

/** A notebook; every tenth cell fails. */
function notebook(cells) {
  const to = openSync(at('cells.ipynb'), 'w');
  writeSync(to, '{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[');
  for (let n = 0; n < cells; n += 1000) {
    const part = Array.from({ length: 1000 }, (_, i) => {
      const k = n + i;
      const outputs =
        k % 10 === 3
          ? [{ output_type: 'error', ename: 'NameError', evalue: `name 'frame${k}' is not defined`, traceback: [] }]
          : [{ output_type: 'stream', name: 'stdout', text: [`row ${k}\n`] }];
      return JSON.stringify({
        cell_type: 'code',
        id: `c${k}`,
        execution_count: k,
        metadata: {},
        source: [`print(frame${k})`],
        outputs,
      });
    });
    writeSync(to, `${n ? ',' : ''}${part.join(',')}`);
  }
  writeSync(to, ']}');
  closeSync(to);
  const result = measured(PROGRAM, ['triage', '--format', 'json', at('cells.ipynb')]);
  row('a notebook, a tenth of its cells fails', `${cells} cells`, ...figures(result), found(result));
  rmSync(at('cells.ipynb'));
}

/** A pipe that is closed only when enough was seen. */
async function endless(part, seconds) {
  const child = spawn(PROGRAM, ['triage', '--format', 'text', '-'], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => {});
  const start = performance.now();
  let first = 0;
  child.stdout.on('data', () => {
    first ||= (performance.now() - start) / 1000;
  });
  let bytes = 0;
  child.stdin.write(OOM);
  while (performance.now() - start < seconds * 1000) {
    bytes += part.length;
    if (!child.stdin.write(part)) await new Promise((resolve) => child.stdin.once('drain', resolve));
  }
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]);
  child.kill('SIGKILL');
  row(
    'a pipe without an end',
    `${(bytes / MB / 1000).toFixed(1)} GB in ${seconds} s`,
    `first result after ${first.toFixed(2)} s`,
    '',
    `${(peak / 1024).toFixed(0)} MiB`,
    '',
  );
}

function besideRipgrep(part) {
  const names = ['a', 'b', 'c', 'd'].map((n) => at(`${n}.log`));
  const size = Math.round(500 * MB * scale);
  for (const name of names) {
    const to = openSync(name, 'w');
    for (let n = 0; n < size; n += part.length) writeSync(to, part);
    closeSync(to);
  }
  say();
  say(`## Four benign logs of ${size / MB} MB, beside \`rg -F -f\` with the catalogue's literals`);
  say();
  row('', 'cores', 'time', 'processor', 'memory', 'MB/s of processor');
  row('---', '---:', '---:', '---:', '---:', '---:');
  const rg = ['--no-config', '--count', '--text', '--dfa-size-limit', '1G', '-F', '-f', LITERALS];
  for (const cores of [1, 2]) {
    const on = (command, args) => {
      const cpus = cores === 1 ? '0' : '0,1';
      const runs = [1, 2, 3].map(() => measured('taskset', ['-c', cpus, command, ...args]));
      return runs.reduce((a, b) => (b.cpu < a.cpu ? b : a));
    };
    for (const [name, result] of [
      ['nbmedic', on(PROGRAM, ['triage', ...names])],
      ...(LITERALS ? [['`rg -F -f`', on('rg', [...rg, '-j', String(cores), ...names])]] : []),
    ])
      row(name, cores, ...figures(result), ((4 * size) / MB / result.cpu).toFixed(0));
  }
}

try {
  const load = os.loadavg()[0].toFixed(1);
  const rg = LITERALS ? execFileSync('rg', ['--version'], { encoding: 'utf8' }).split('\n')[0] : 'no ripgrep';
  say(`${os.cpus()[0].model.trim()}, ${os.cpus().length} cores, load ${load} at the start; ${rg}.`);
  say();
  say('## Inputs without a bound');
  say();
  row('input', 'size', 'time', 'processor', 'memory', 'found');
  row('---', '---:', '---:', '---:', '---:', '---');
  const part = benign(20 * MB);
  longLog(part);
  failingLines();
  notebook(1e6 * scale);
  await endless(part, 10 * scale);
  writeFileSync(at('part'), part);
  besideRipgrep(part);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
