// The built engine, as the extension's background loads it, outside a browser.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { FAILURE, PAGE } from '../../extension/background/rehearsal.js';
import { built } from '../js/built.mjs';

// The command line: NBMEDIC_CLI names it, or Cargo builds it.
const COMMAND = process.env.NBMEDIC_CLI
  ? [process.env.NBMEDIC_CLI]
  : ['cargo', 'run', '--quiet', '--locked', '-p', 'nbmedic-cli', '--'];

const DIST = new URL('../../dist/chrome/', import.meta.url);
const { Engine, answer, create, instance, prose, reset } = await built(DIST);

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
    const args = [...COMMAND.slice(1), 'triage', '--format', 'json', '-'];
    const { stdout, stderr, status } = spawnSync(COMMAND[0], args, { input: text, encoding: 'utf8' });
    assert.equal(status, id ? 1 : 0, stderr);
    const there = JSON.parse(stdout).diagnoses;
    const core = (list) => list.map(({ id, variant, facts, evidence }) => ({ id, variant, facts, evidence }));
    assert.deepEqual(core(here), core(there));
  }
});

test('a failed cell gets one card under it, with the numbers', () => {
  const engine = create();
  const cards = effects(engine, 'p', failedCell(OUT_OF_MEMORY)).filter(({ t }) => t === 'card');
  assert.equal(cards.length, 1);
  assert.equal(cards[0].cell, 'c');
  assert.match(textOf(cards[0].tree), /2\.0+ GiB/);
  assert.match(engine.report('p', 'markdown', 2000), /gpu-oom|GPU/);
});

test('a clean log gets no card', () => {
  const shown = effects(
    create(),
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
  const [card] = effects(create(), 'p', failedCell(text)).filter(({ t }) => t === 'card');
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

const MISSPELT = `---------------------------------------------------------------------------
NameError                                 Traceback (most recent call last)
Cell In[7], line 1
----> 1 totl + 1

NameError: name 'totl' is not defined
`;

/** Two cells of a page; the second then fails because of a name that the first spells differently. */
const CELLS = [
  ...failedCell(MISSPELT).slice(0, 2),
  { t: 'source', nb: 'n', cell: 'a', text: 'total = 3' },
  { t: 'source', nb: 'n', cell: 'c', text: 'totl + 1' },
  cell({ cell: 'a', count: 6 }),
];

const kinds = (found) => found.map(({ t }) => t).sort();
const need = (found) => found.find(({ t }) => t === 'need');

test('what only a failure needs is a module of its own, and a card appears with its cure at once', () => {
  reset();
  const engine = new Engine();
  const asked = [];
  const reader = (question) => {
    asked.push(question);
    return answer(question);
  };
  engine.provide('name-undefined', prose('name-undefined'));
  assert.equal(need(engine.apply('p', CELLS, 500)), undefined, 'nothing failed');
  const first = engine.apply('p', failedCell(MISSPELT).slice(2), 1000);
  assert.deepEqual(need(first), { t: 'need', ids: [], python: true });
  assert.ok(!kinds(first).includes('card'), 'no card without its cure');
  assert.equal(engine.missed(), true);
  assert.equal(engine.missed(), false, 'told once');
  assert.equal(need(engine.apply('p', [], 1000)).python, true, 'as long as it is missing');
  engine.lend(reader);
  const [card, ...others] = engine.apply('p', [], 1000).filter(({ t }) => t === 'card');
  assert.deepEqual(others, []);
  assert.ok(JSON.stringify(card.tree).includes('"total + 1"'), 'the repaired cell');
  assert.ok(asked.length > 0);
  const before = asked.length;
  engine.missed();
  assert.ok(engine.report('p', 'markdown', 1000).includes('total'));
  assert.equal(engine.missed(), false);
  assert.equal(asked.length, before, 'no question is asked twice');
});

test('the rehearsal goes all the way to a card with a cure of the cell', () => {
  reset();
  const engine = new Engine();
  const found = FAILURE.map(({ events, at }) => engine.apply(PAGE, events, at));
  assert.equal(need(found.at(-1)).python, true);
  engine.lend(answer);
  assert.deepEqual(need(engine.apply(PAGE, [], 1000)).ids, ['name-undefined']);
  engine.provide('name-undefined', prose('name-undefined'));
  const [card] = engine.apply(PAGE, [], 1000).filter(({ t }) => t === 'card');
  assert.ok(JSON.stringify(card.tree).includes('np.mean(total)'), 'the repaired cell');
  engine.drop(PAGE);
  assert.equal(engine.knows(PAGE), false);
});

test('the batch that reports a death waits for the reader of the code, and only once', () => {
  reset();
  const engine = new Engine();
  engine.provide('kernel-died', prose('kernel-died'));
  const source = { t: 'source', nb: 'n', cell: 'c', text: 'import os\nos._exit(1)\ntrain()' };
  const running = [...failedCell('').slice(0, 2), source, cell({ state: 'running', count: null })];
  assert.equal(need(engine.apply('p', running, 1000)), undefined);
  const died = engine.apply('p', [{ t: 'kernel', nb: 'n', status: 'dead' }], 2000);
  assert.deepEqual(died, [{ t: 'need', ids: [], python: true }]);
  // It can't be loaded: the card comes without what the code says.
  engine.lend(undefined);
  const [plain] = engine.apply('p', [], 2000).filter(({ t }) => t === 'card');
  assert.equal(plain.tree.attrs['data-variant'], undefined);
  reset();
  const again = new Engine();
  again.provide('kernel-died', prose('kernel-died'));
  again.apply('p', running, 1000);
  again.apply('p', [{ t: 'kernel', nb: 'n', status: 'dead' }], 2000);
  again.lend(answer);
  const [card] = again.apply('p', [], 2000).filter(({ t }) => t === 'card');
  assert.equal(card.tree.attrs['data-variant'], 'asked');
});

test('a file is examined with cures, and a reader that fails leaves them out', () => {
  reset();
  const engine = new Engine();
  engine.provide('module-missing', prose('module-missing'));
  assert.deepEqual(JSON.parse(engine.examine(MISSING, 'a.txt')), { need: [], python: true });
  engine.lend(() => {
    throw new Error('broken');
  });
  const { fixes } = JSON.parse(JSON.parse(engine.examine(MISSING, 'a.txt')).json).diagnoses[0];
  engine.lend(() => 'no answer');
  assert.ok(JSON.parse(engine.examine(MISSING, 'a.txt')).json);
  engine.lend(answer);
  const cured = JSON.parse(JSON.parse(engine.examine(MISSING, 'a.txt')).json).diagnoses[0].fixes;
  assert.equal(cured[0].kind, 'install');
  assert.notDeepEqual(cured, fixes);
});
