// Reports and triage of recorded sessions and outputs match their JSON Schemas in docs/schema.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import { built } from '../js/built.mjs';

const ROOT = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, ROOT), 'utf8');
const { create } = await built(new URL('dist/chrome/', ROOT));

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
/** A compiled schema; each is added once. @param {string} name */
const schema = (name) =>
  ajv.getSchema(`nbmedic.${name}/1`) ?? ajv.compile(JSON.parse(read(`docs/schema/${name}-1.schema.json`)));

function holds(validate, value, where) {
  const valid = validate(value);
  assert.ok(valid, `${where}: ${JSON.stringify(validate.errors?.slice(0, 3))}`);
}

/** An engine with a recorded session and all the explanations that it requested. */
function replayed(log) {
  const engine = create();
  let at = 0;
  for (const line of log.trim().split('\n')) {
    const batch = JSON.parse(line);
    at = batch.at;
    const needs = engine.apply('p', batch.events, at).filter(({ t }) => t === 'need');
    for (const id of needs.flatMap(({ ids }) => ids)) engine.provide(id, read(`dist/chrome/prose/${id}.json`));
  }
  return { engine, at };
}

test('every recorded session gives a valid report', () => {
  const report = schema('report');
  const names = readdirSync(new URL('tests/fixtures/sessions', ROOT)).filter((name) => name.endsWith('.jsonl'));
  assert.ok(names.length >= 8);
  let findings = 0;
  let events = 0;
  for (const name of names) {
    const { engine, at } = replayed(read(`tests/fixtures/sessions/${name}`));
    const made = JSON.parse(engine.report('p', 'json+source', at));
    holds(report, made, name);
    findings += made.findings.length;
    events += made.notebooks.flatMap((notebook) => notebook.events ?? []).length;
  }
  assert.ok(findings > 5 && events > 10, `${findings} findings, ${events} events`);
});

test('the result of examining a text is valid', () => {
  const triage = schema('triage');
  const text =
    'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    a @ b\nRuntimeError: mat1 and mat2 shapes cannot be multiplied (10x20 and 5x15)\n';
  const engine = create();
  for (const id of ['shape-mismatch']) engine.provide(id, read(`dist/chrome/prose/${id}.json`));
  const { json } = JSON.parse(engine.examine(text, 'a.log'));
  holds(triage, JSON.parse(json), 'examine');
  const broken = { ...JSON.parse(json), extra: 1 };
  assert.equal(triage(broken), false, 'the schema refuses what it does not know');
});

test('a notebook with a repair gives valid edits', () => {
  const triage = schema('triage');
  const traceback = [
    'TypeError                                 Traceback (most recent call last)',
    "Cell In[2], line 1\n----> 1 table = table.drop('price', 1)\n",
    'TypeError: DataFrame.drop() takes from 1 to 2 positional arguments but 3 were given',
  ];
  const evalue = traceback[2].slice('TypeError: '.length);
  const cell = (count, source, outputs = []) => ({
    cell_type: 'code',
    execution_count: count,
    metadata: {},
    source,
    outputs,
  });
  const cells = [
    cell(1, "import pandas as pd\ntable = pd.DataFrame({'price': [1], 'size': [2]})"),
    cell(2, "table = table.drop('price', 1)", [{ output_type: 'error', ename: 'TypeError', evalue, traceback }]),
  ];
  const text = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
  const engine = create();
  let said = JSON.parse(engine.examine(text, 'a.ipynb'));
  for (const id of said.need) engine.provide(id, read(`dist/chrome/prose/${id}.json`));
  said = JSON.parse(JSON.parse(engine.examine(text, 'a.ipynb')).json);
  holds(triage, said, 'examine');
  const [fix] = said.diagnoses[0].fixes;
  assert.equal(fix.kind, 'edit');
  assert.equal(fix.edits[0].cell, 2);
  assert.equal(fix.code, "table = table.drop('price', axis=1)");
});
