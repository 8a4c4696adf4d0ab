// nbmedic's own words in every language: the catalogues are complete, and every English text of the pages and views is in them.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { dictionary, styled, translated } from '../../extension/words.js';

const ROOT = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, ROOT), 'utf8');
const catalogue = (language) => JSON.parse(read(`extension/_locales/${language}/messages.json`));
const LANGUAGES = readdirSync(new URL('extension/_locales', ROOT));
const ENGLISH = catalogue('en');
const KEYS = Object.keys(ENGLISH);
const TEXTS = Object.fromEntries(KEYS.filter((key) => !['name', 'description', 'language'].includes(key)).map((key) => [key, ENGLISH[key].message]));

/** What a browser says: the parts in the places that the catalogue names. */
const get = (messages) => (key, parts) => messages[key].message.replace(/\$([A-Z]+)\$/g, (_, name) => parts[Number(messages[key].placeholders[name.toLowerCase()].content.slice(1)) - 1]);

for (const language of LANGUAGES.filter((one) => one !== 'en')) {
  test(`${language} has English's messages, all of them and no others, with the same placeholders`, () => {
    const other = catalogue(language);
    assert.deepEqual(Object.keys(other).sort(), [...KEYS].sort());
    assert.equal(other.language.message, language);
    const names = (text) => [...text.matchAll(/\$[^$\s]+\$/g)].map(([name]) => name).sort();
    for (const key of KEYS) {
      assert.deepEqual(names(other[key].message), names(ENGLISH[key].message), key);
      assert.deepEqual(other[key].placeholders, ENGLISH[key].placeholders, key);
      assert.ok(other[key].message.trim(), key);
      // A narrow popup has no room for essays.
      assert.ok(other[key].message.length <= 40 + 1.6 * ENGLISH[key].message.length, `${key}: ${other[key].message}`);
    }
    // The manifest's limit of both stores.
    assert.ok(other.description.message.length <= 132, `${other.description.message.length}`);
    const same = KEYS.filter((key) => /[a-z]{4} [a-z]/.test(ENGLISH[key].message) && other[key].message === ENGLISH[key].message);
    assert.deepEqual(same, [], 'not translated');
  });
}

test('there are at least three languages, and each English text is one message', () => {
  assert.ok(LANGUAGES.length >= 3, `${LANGUAGES}`);
  const texts = Object.values(TEXTS);
  assert.equal(new Set(texts).size, texts.length);
});

test('a text is said with its message; numbers and names come along, what is nobody’s stays', () => {
  const say = dictionary(TEXTS, get(catalogue('de')));
  assert.equal(say('Copy report'), 'Bericht kopieren');
  assert.equal(say('3 problems explained'), '3 Probleme erklärt');
  assert.equal(say('cell 3 [12] · same as before'), 'Zelle 3 [12] · wie zuvor');
  assert.equal(say('5 minutes ago, 3 times'), 'vor 5 Minuten, 3-mal');
  assert.equal(say('Go to cell [7]'), 'Zu Zelle [7]');
  assert.equal(say('train.ipynb, 7 cells'), 'train.ipynb, 7 Zellen');
  assert.equal(say('without a name, 7 cells'), 'ohne Namen, 7 Zellen');
  assert.equal(say('Proven: numpy/copies (numpy 2.4.6)'), 'Erprobt: numpy/copies (numpy 2.4.6)');
  // What the catalogue says in words of its own stays English, in a sentence of ours.
  assert.equal(say('Not proven here: needs Google Drive'), 'Hier nicht erprobt: braucht Google Drive');
  assert.equal(say('Not proven here: needs an NVIDIA GPU'), 'Hier nicht erprobt: braucht eine NVIDIA-GPU');
  assert.equal(say('Google Colab changed its page: nbmedic still reads code cells, cell outputs, crash notices and 4 other parts, but not run buttons or the notebook.'),
    'Google Colab hat die Seite geändert: nbmedic liest noch: Codezellen, Ausgaben der Zellen, Absturzmeldungen und 4 weitere Teile; aber nicht: Ausführen-Knöpfe oder das Notebook.');
  assert.equal(say('failed after 48 s, RAM up to 3.2 GiB: KeyError: $NAME$ (.*)'), 'fehlgeschlagen nach 48 s, RAM bis 3.2 GiB: KeyError: $NAME$ (.*)');
  for (const text of ['Go to Runtime, Change runtime type', 'lots of problems explained', 'torch.save(x)', '', 'constructor', 'x'.repeat(5000)]) assert.equal(say(text), null, text);
});

test('a long text that almost fits costs little', () => {
  const say = dictionary(TEXTS, get(catalogue('de')));
  const began = performance.now();
  for (const text of ['failed after '.repeat(30), ', '.repeat(190), 'a and '.repeat(60), 'cell 1 · '.repeat(40)]) say(text.slice(0, 399));
  assert.ok(performance.now() - began < 500, `${performance.now() - began} ms`);
});

test('in a tree what others wrote is left, and languages are marked', () => {
  const say = dictionary(TEXTS, get(catalogue('es')));
  const tree = { tag: 'section', attrs: { 'aria-label': 'nbmedic: A title' }, kids: [
    { tag: 'button', text: 'Copy', attrs: { 'aria-label': 'Copy this code' } },
    { tag: 'pre', kids: [{ tag: 'code', text: 'Copy' }] },
    { tag: 'p', text: 'The catalogue speaks.' },
  ] };
  assert.deepEqual(translated(tree, say, 'es'), { tag: 'section', attrs: { lang: 'en', 'aria-label': 'nbmedic: A title' }, kids: [
    { tag: 'button', text: 'Copiar', attrs: { 'aria-label': 'Copiar este código', lang: 'es' }, },
    { tag: 'pre', kids: [{ tag: 'code', text: 'Copy' }] },
    { tag: 'p', text: 'The catalogue speaks.' },
  ] });
  assert.equal(styled('a::before { content: "Cost: "; } b { content: ""; }', say), 'a::before { content: "Coste: "; } b { content: ""; }');
});

test('what a remedy needs to be proven is said whole', () => {
  const say = dictionary(TEXTS, get(catalogue('es')));
  const rules = readdirSync(new URL('src/catalog', ROOT), { recursive: true }).filter((name) => name.endsWith('.md')).map((name) => read(`src/catalog/${name}`));
  const needs = new Set(rules.flatMap((text) => [...text.matchAll(/\bneeds = "([^"]+)"/g)].map(([, what]) => what)));
  assert.ok(needs.size > 10, `${needs.size}`);
  // Names stay what they are.
  const words = [...needs].filter((what) => !/^([A-Z]\w+ ?)+$|^(conda|git-lfs)$/.test(what));
  for (const what of words) assert.notEqual(say(what), null, what);
});

// Texts of the code that are no words of the interface: names of things, parts of other texts, reports in English.
const OTHER = new Set([
  'Home', 'End',
  'Blocks of text that look like tracebacks are read all the same.', 'This is no notebook that nbmedic knows. {BLOCKS}',
]);

/** The texts of a Rust file that people read: those with a capital or a blank in them, and what a `format!` puts into them. */
function texts(path) {
  const [code] = read(path).replace(/^\s*\/\/.*$/gm, '').split('#[cfg(test)]');
  const found = [];
  for (const [, raw] of code.matchAll(/"((?:[^"\\]|\\.)*)"/gs)) {
    const text = raw.replace(/\\\n\s*/g, '').replaceAll('\\"', '"').replaceAll('\\n', '\n');
    if (/^[A-Z1“][a-z’']* ?[a-z“]/.test(text) && (/ /.test(text) || /^[A-Z][a-z]+…?$/.test(text))) found.push(text);
  }
  return found;
}

test('every text of the pages and of the views is a message', () => {
  const say = dictionary(TEXTS, get(ENGLISH));
  const pages = readdirSync(new URL('pages/src', ROOT), { recursive: true }).filter((name) => name.endsWith('.rs') && !/^(playground|ask|browser|render|lib|words|choose)/.test(name)).map((name) => `pages/src/${name}`);
  const views = ['card', 'check', 'panel', 'popup'].map((name) => `src/view/${name}.rs`);
  const missing = [];
  let seen = 0;
  for (const path of [...pages, ...views]) {
    for (const text of texts(path)) {
      if (OTHER.has(text)) continue;
      seen += 1;
      // What a `format!` is given: a number, a cell, a name.
      const tries = text.includes('{') ? ['7', 'cell 7', 'open', 'cells', 'idle', 'Runtime RAM', 'Switch off', '7 cells', ''].map((part) => text.replace(/\{[^}]*\}/g, part)) : [text];
      if (!tries.some((one) => say(one) !== null)) missing.push(`${path}: ${text}`);
    }
  }
  assert.ok(seen > 100, `${seen}`);
  assert.deepEqual(missing, []);
});
