// Compares the two ways across the boundary between JavaScript and the engine: JSON texts, and objects by
// serde-wasm-bindgen. Usage: node benches/boundary.mjs (builds the engine with the feature `boundary` first).
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = resolve(import.meta.dirname, '..');
const OUT = join(ROOT, 'target/boundary');
const run = (command, ...args) => {
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
};
const cargo = (...args) => run('cargo', 'build', '--quiet', '--locked', ...args);

const target = ['--profile', 'wasm', '--target', 'wasm32-unknown-unknown', '--target-dir', OUT];
cargo(...target, '-p', 'nbmedic', '--lib', '--features', 'boundary');
cargo('-p', 'nbmedic-bindgen');
mkdirSync(join(OUT, 'module'), { recursive: true });
const wasm = join(OUT, 'wasm32-unknown-unknown/wasm/nbmedic.wasm');
run(join(ROOT, 'target/debug/nbmedic-bindgen'), wasm, join(OUT, 'module'), 'nbmedic');
const module = await import(pathToFileURL(join(OUT, 'module/nbmedic.js')));
await module.default({ module_or_path: readFileSync(join(OUT, 'module/nbmedic_bg.wasm')) });

const cell = (i, over) => ({ t: 'cell', nb: 'n', cell: `c${i}`, index: i, state: 'done', count: i, run: 1, ...over });
const output = (i, text) => {
  const parts = { len: text.length, head: text.slice(0, 16_384), tail: text.slice(-65_536), lines: null };
  return { t: 'output', nb: 'n', cell: `c${i}`, out: 0, run: 1, kind: 'error', ...parts };
};
const TEXT = Array.from({ length: 4000 }, (_, i) => `Epoch ${i}/4000 – loss: ${(2 / (i + 1)).toFixed(4)}\n`).join('');
const ERROR = `Traceback (most recent call last):\n  File "a.py", line 2, in <module>\n    import lightgbm\nModuleNotFoundError: No module named 'lightgbm'\n`;
const range = (n, one) => Array.from({ length: n }, (_, i) => one(i));

/** A page with this many failed cells, whose explanations are provided. */
function engineWith(failures) {
  const engine = new module.Engine();
  const events = range(failures, (i) => [cell(i, { state: 'error' }), output(i, ERROR)]).flat();
  const all = [
    { t: 'hello', profile: 'jupyterlab', origin: 'http://localhost', found: {}, theme: 'light' },
    { t: 'notebook', nb: 'n', name: 'demo.ipynb' },
    ...events,
  ];
  const effects = engine.apply('p', all, 1000, false);
  for (const id of effects.flatMap(({ ids }) => ids ?? []))
    engine.provide(id, readFileSync(join(ROOT, `dist/chrome/prose/${id}.json`), 'utf8'));
  engine.apply('p', [], 1000, false);
  return engine;
}

/** Median milliseconds of one call. */
function time(call) {
  const times = range(300, () => {
    const start = performance.now();
    call();
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[150];
}

const batches = {
  'one output of 80 KiB': [output(0, TEXT)],
  'a run: 5 events': [cell(0, {}), output(0, ERROR), cell(0, {}), output(0, ERROR), cell(0, {})],
  '1,000 cells': range(1000, (i) => cell(i, {})),
};
console.log('measured:\nto the engine                 as text, ms  as objects, ms');
const row = (name, text, objects) =>
  console.log(`  ${name.padEnd(28)}${text.toFixed(3).padStart(11)}${objects.toFixed(3).padStart(16)}`);
for (const [name, events] of Object.entries(batches)) {
  row(
    name,
    time(() => module.events_as_text(JSON.stringify(events))),
    time(() => module.events_as_objects(events)),
  );
}
console.log('from the engine');
for (const n of [1, 20]) {
  const engine = engineWith(n);
  const cards = JSON.parse(engine.cards_as_text('p'));
  const same = JSON.stringify(engine.cards_as_objects('p')) === JSON.stringify(cards);
  if (!same || cards.length !== n) throw new Error(`${cards.length} cards, the same both ways: ${same}`);
  row(
    `${n} card${n > 1 ? 's' : ''}`,
    time(() => JSON.parse(engine.cards_as_text('p'))),
    time(() => engine.cards_as_objects('p')),
  );
}
