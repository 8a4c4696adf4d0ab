// The built engine, as the extension's background loads it, outside a browser.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const DIST = new URL('../../dist/chrome/', import.meta.url);
const { default: init, Engine } = await import(new URL('engine/nbmedic.js', DIST));
const instance = await init({ module_or_path: readFileSync(new URL('engine/nbmedic_bg.wasm', DIST)) });
const prose = (id) => readFileSync(new URL(`prose/${id}.json`, DIST), 'utf8');

const OUT_OF_MEMORY = `---------------------------------------------------------------------------
OutOfMemoryError                          Traceback (most recent call last)
Cell In[7], line 3
      1 model = Net().cuda()
      2 batch = next(iter(loader))
----> 3 loss = model(batch.cuda())

OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 14.74 GiB of which 1.06 GiB is free. Process 4242 has 13.68 GiB memory in use. Of the allocated memory 12.50 GiB is allocated by PyTorch, and 1.02 GiB is reserved by PyTorch but unallocated.
`;
const MISSING = `Traceback (most recent call last):
  File "train.py", line 2, in <module>
    import lightgbm
ModuleNotFoundError: No module named 'lightgbm'
`;
const CLEAN = Array.from(
  { length: 200 },
  (_, i) => `Epoch ${i + 1}/200 - loss: ${(2 / (i + 1)).toFixed(4)} - val_error: ${(3 / (i + 1)).toFixed(4)}`,
).join('\n');

const cell = (over) => ({ t: 'cell', nb: 'n', cell: 'c', index: 0, state: 'done', count: 7, run: 1, ...over });

/** The events of one page on which one cell printed `text`. */
function failedCell(text) {
  return [
    { t: 'hello', profile: 'jupyterlab', origin: 'http://localhost', found: {}, theme: 'light' },
    { t: 'notebook', nb: 'n', name: 'demo.ipynb' },
    cell({ state: 'running', count: null }),
    { t: 'output', nb: 'n', cell: 'c', out: 0, run: 1, kind: 'error', len: text.length, head: text, lines: 0 },
    cell({ state: 'error' }),
  ];
}

/** Does what the background does: applies, provides the requested prose, applies again. */
function effects(engine, page, events) {
  const found = engine.apply(page, events, 1000);
  const needed = found.filter(({ t }) => t === 'need').flatMap(({ ids }) => ids);
  for (const id of needed) engine.provide(id, prose(id));
  return needed.length ? [...found, ...engine.apply(page, [], 1000)] : found;
}

const textOf = (node) => [node.text ?? '', ...(node.kids ?? []).map(textOf)].join(' ');

test('the engine knows its version, its front ends and its diagnoses', () => {
  const cargo = readFileSync(new URL('../../Cargo.toml', import.meta.url), 'utf8');
  assert.equal(Engine.version(), /^version = "(.+)"/m.exec(cargo)[1]);
  const profiles = JSON.parse(new Engine().profiles()).map(({ id }) => id);
  for (const id of ['colab', 'jupyterlab']) assert.ok(profiles.includes(id), `no profile for ${id}`);
});

test('the same text gives the same diagnoses in WebAssembly and natively', () => {
  for (const [text, id] of [
    [OUT_OF_MEMORY, 'gpu-oom'],
    [MISSING, 'module-missing'],
    [CLEAN, undefined],
  ]) {
    const here = JSON.parse(new Engine().triage(text, 'run.log'));
    assert.equal(here[0]?.id, id);
    const args = ['run', '--quiet', '--locked', '-p', 'nbmedic-cli', '--', 'triage', '--format', 'json', '-'];
    const { stdout, stderr, status } = spawnSync('cargo', args, { input: text, encoding: 'utf8' });
    assert.equal(status, id ? 1 : 0, stderr);
    const there = JSON.parse(stdout).diagnoses;
    const core = (list) => list.map(({ id, variant, facts, evidence }) => ({ id, variant, facts, evidence }));
    assert.deepEqual(core(here), core(there));
  }
});

test('a failed cell gets one card under it, with the numbers', () => {
  const engine = new Engine();
  const cards = effects(engine, 'p', failedCell(OUT_OF_MEMORY)).filter(({ t }) => t === 'card');
  assert.equal(cards.length, 1);
  assert.equal(cards[0].cell, 'c');
  assert.match(textOf(cards[0].tree), /2\.0+ GiB/);
  assert.match(engine.report('p', 'markdown', 2000), /gpu-oom|GPU/);
});

test('a clean log gets no card', () => {
  const shown = effects(
    new Engine(),
    'p',
    failedCell(CLEAN).map((e) => (e.kind ? { ...e, kind: 'stream' } : e)),
  );
  assert.deepEqual(
    shown.filter(({ t }) => t === 'card'),
    [],
  );
});

test('markup in a message stays text in the tree', () => {
  const hostile = '<img src=x onerror=alert(1)>';
  const text = `Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nFileNotFoundError: [Errno 2] No such file or directory: '${hostile}'\n`;
  const [card] = effects(new Engine(), 'p', failedCell(text)).filter(({ t }) => t === 'card');
  const tags = [];
  (function walk({ tag, kids = [] }) {
    tags.push(tag);
    kids.forEach(walk);
  })(card.tree);
  assert.ok(textOf(card.tree).includes(hostile));
  assert.ok(!tags.includes('img'));
});

test('the engine accepts every prose file of the package', () => {
  const engine = new Engine();
  const ids = readdirSync(new URL('prose/', DIST)).map((name) => name.replace(/\.json$/, ''));
  assert.ok(ids.length >= 16, `only ${ids.length} diagnoses`);
  for (const id of ids) engine.provide(id, prose(id));
});

test('megabytes of hostile text are processed in time with bounded memory', () => {
  const engine = new Engine();
  const shapes = [
    '\u001b[31m',
    '((((',
    'Traceback (most recent call last):\n',
    '\r\b',
    'CUDA error: ',
    'é\u0000\ud800',
  ];
  const limit = instance.memory.buffer.byteLength + 64 * 1024 * 1024;
  for (const shape of shapes) {
    const text = shape.repeat(Math.ceil((4 << 20) / shape.length));
    const start = process.hrtime.bigint();
    JSON.parse(engine.triage(text, ''));
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    assert.ok(seconds < 10, `${JSON.stringify(shape)} took ${seconds.toFixed(1)} s`);
  }
  assert.ok(instance.memory.buffer.byteLength < limit, `${instance.memory.buffer.byteLength} bytes`);
});
