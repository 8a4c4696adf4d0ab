// Checks nbmedic's exports: a third-party reader reads each format.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import Ajv2020 from 'ajv/dist/2020.js';
import { Parser } from 'commonmark';

import { built } from '../../js/built.mjs';
import { ROOT } from './packages.mjs';
import { until } from './wait.mjs';

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });

/** Checks JSON against its schema in docs/schema. */
export function validJson(text, schema) {
  const file = path.join(ROOT, `docs/schema/${schema}-1.schema.json`);
  const validate = ajv.getSchema(`nbmedic.${schema}/1`) ?? ajv.compile(JSON.parse(readFileSync(file, 'utf8')));
  const value = JSON.parse(text);
  assert.ok(validate(value), JSON.stringify(validate.errors?.slice(0, 3)));
  return value;
}

/** Checks with a CommonMark parser that no markup comes from the notebook. Returns headings and code blocks. */
export function validMarkdown(text) {
  const walker = new Parser().parse(text).walker();
  const found = { headings: [], code: [] };
  for (let step = walker.next(); step; step = walker.next()) {
    const { node, entering } = step;
    if (!entering) continue;
    assert.ok(!['html_block', 'html_inline', 'image'].includes(node.type), `${node.type}: ${node.literal}`);
    if (node.type === 'heading') found.headings.push(words(node));
    if (node.type === 'code_block') found.code.push(node.literal);
  }
  return found;
}

function words(node) {
  const walker = node.walker();
  let text = '';
  for (let step = walker.next(); step; step = walker.next()) text += step.entering ? (step.node.literal ?? '') : '';
  return text;
}

/** Checks that a saved page opens without a browser error, contains no script, and that its own policy forbids scripts. */
export async function validPage(session, html) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-page-'));
  const page = await session.newPage();
  const said = [];
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  try {
    const file = path.join(folder, 'report.html');
    await writeFile(file, html);
    await page.goto(pathToFileURL(file).href, { waitUntil: 'load' });
    const seen = await page.evaluate(() => ({
      policy: document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.content ?? '',
      scripts: document.scripts.length,
      loaded: performance.getEntriesByType('resource').length,
      heading: document.querySelector('h1')?.textContent ?? '',
      cards: document.querySelectorAll('.card').length,
      curves: document.querySelectorAll('svg path.line').length,
      events: document.querySelectorAll('.events tr').length,
      text: document.body.innerText,
    }));
    assert.match(seen.policy, /default-src 'none'/);
    assert.doesNotMatch(seen.policy, /script-src/);
    assert.deepEqual([seen.scripts, seen.loaded], [0, 0]);
    // The policy is in force: an injected script does not run.
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'document.documentElement.dataset.ran = "yes"';
      document.head.append(script);
    });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.ran ?? 'no'), 'no');
    const before = said.filter((line) => !/script-src|inline script/i.test(line));
    assert.deepEqual(before, []);
    return seen;
  } finally {
    await page.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Loads the built package's engine in this process. */
async function engine() {
  const dist = pathToFileURL(path.join(ROOT, 'dist/chrome/'));
  const { create, prose } = await built(dist);
  return { live: create(), prose };
}

/** The diagnoses of the cards that a replay of an event log ends with, in the order of the cards. */
export async function replayed(log) {
  const { live, prose } = await engine();
  const cards = new Map();
  const take = (effects) => {
    for (const { t, card, tree } of effects) {
      if (t === 'card') cards.set(card, tree.attrs['data-id']);
      if (t === 'uncard') cards.delete(card);
    }
    const ids = effects.flatMap((effect) => (effect.t === 'need' ? effect.ids : []));
    for (const id of ids) live.provide(id, prose(id));
    return ids.length;
  };
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.ok(
    lines.every(({ at, page, events }) => Number.isInteger(at) && typeof page === 'string' && Array.isArray(events)),
  );
  for (const { at, events } of lines) if (take(live.apply('p', events, at))) take(live.apply('p', [], at));
  return [...cards].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, id]) => id);
}

/** Saves the previewed report in a format, once the preview shows it. */
export async function exported(own, saves, format, file, ready) {
  await own.tick(format);
  await until(`the preview shows ${format}`, () => own.evaluate(ready), { timeout: 30_000, detail: own.text });
  await own.press('Save as a file');
  return (await saves.taken(file)).text;
}
