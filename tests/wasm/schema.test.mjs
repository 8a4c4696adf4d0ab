// Reports and triage of recorded sessions and outputs match their JSON Schemas in docs/schema.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';

const ROOT = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, ROOT), 'utf8');
const { default: init, Engine } = await import(new URL('dist/chrome/engine/nbmedic.js', ROOT));
await init({ module_or_path: readFileSync(new URL('dist/chrome/engine/nbmedic_bg.wasm', ROOT)) });

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
const schema = (name) => ajv.compile(JSON.parse(read(`docs/schema/${name}-1.schema.json`)));

function holds(validate, value, where) {
  const valid = validate(value);
  assert.ok(valid, `${where}: ${JSON.stringify(validate.errors?.slice(0, 3))}`);
}

/** An engine with a recorded session and all the explanations that it requested. */
function replayed(log) {
  const engine = new Engine();
  let at = 0;
  for (const line of log.trim().split('\n')) {
    const batch = JSON.parse(line);
    at = batch.at;
    const needs = JSON.parse(engine.apply('p', JSON.stringify(batch.events), at)).filter(({ t }) => t === 'need');
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
  const engine = new Engine();
  for (const id of ['shape-mismatch']) engine.provide(id, read(`dist/chrome/prose/${id}.json`));
  const { json } = JSON.parse(engine.examine(text, 'a.log'));
  holds(triage, JSON.parse(json), 'examine');
  const broken = { ...JSON.parse(json), extra: 1 };
  assert.equal(triage(broken), false, 'the schema refuses what it does not know');
});
