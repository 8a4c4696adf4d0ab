// nbmedic's own texts: every language has every message, every message is used, and no text is hard-coded elsewhere.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { spokenStyle, spokenTree } from '../../extension/messages.js';
import { catalogue, english, speaker } from './english.mjs';

const ROOT = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, ROOT), 'utf8');
const LANGUAGES = readdirSync(new URL('extension/_locales', ROOT));
const ENGLISH = catalogue('en');
const KEYS = Object.keys(ENGLISH);

/** The files under a folder whose names end like this. */
const files = (folder, end) =>
  readdirSync(new URL(folder, ROOT), { recursive: true })
    .filter((name) => name.endsWith(end))
    .map((name) => `${folder}/${name}`);
/** A Rust file's own code: no comments, no tests. */
const rust = (path) =>
  read(path)
    .replace(/^\s*\/\/.*$/gm, '')
    .split(/#\[cfg\(test\)\]\s*mod /)[0];
const RUST = [...files('src', '.rs'), ...files('pages/src', '.rs'), ...files('cli/src', '.rs')].filter(
  (path) => !/\/tests(\/|\.rs$)/.test(path),
);

for (const language of LANGUAGES.filter((one) => one !== 'en')) {
  test(`${language} has the same messages as English, with the same placeholders`, () => {
    const other = catalogue(language);
    assert.deepEqual(Object.keys(other).sort(), [...KEYS].sort());
    assert.equal(other.language.message, language);
    const names = (text) => [...text.matchAll(/\$[^$\s]+\$/g)].map(([name]) => name).sort();
    for (const key of KEYS) {
      assert.deepEqual(names(other[key].message), names(ENGLISH[key].message), key);
      assert.deepEqual(other[key].placeholders, ENGLISH[key].placeholders, key);
      assert.ok(other[key].message.trim(), key);
      // A narrow popup has no room for long texts.
      assert.ok(other[key].message.length <= 40 + 1.6 * ENGLISH[key].message.length, `${key}: ${other[key].message}`);
    }
    // The manifest's limit of both stores.
    assert.ok(other.description.message.length <= 132, `${other.description.message.length}`);
    const same = KEYS.filter(
      (key) => /[a-z]{4} [a-z]/.test(ENGLISH[key].message) && other[key].message === ENGLISH[key].message,
    );
    assert.deepEqual(same, [], 'not translated');
  });
}

test('there are at least three languages', () => {
  assert.ok(LANGUAGES.length >= 3, `${LANGUAGES}`);
});

/** `noAnswer` for `no_answer`. */
const camel = (name) => name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());

/** The keys that the code names, each with one file that names it. */
function used() {
  const found = new Map();
  const look = (path, text, pattern, key = (name) => name) => {
    for (const [, name] of text.matchAll(pattern)) found.set(key(name), path);
  };
  // Excludes what the crate `words` has in addition to the messages.
  const API = /\bwords::(?!foreign\b|named\b|self\b|spoken\b)([a-z]\w*)/g;
  // Cures are English, and a module of theirs may be called `words` too.
  const speaking = RUST.filter((path) => !path.startsWith('src/cure/'));
  for (const path of [...speaking, ...files('catalogc/src', '.rs')]) look(path, rust(path), API, camel);
  for (const path of files('extension', '.js')) look(path, read(path), /\b(?:message|getMessage)\(\s*'(\w+)'/g);
  for (const path of [...files('extension', '.css'), 'extension/manifest.source.js'])
    look(path, read(path), /__MSG_(\w+?)__/g);
  for (const path of files('extension', '.html')) look(path, read(path), /data-say="(\w+)"/g);
  for (const path of files('src/host', '.json')) look(path, read(path), /"(?:what|lost)": "(\w+)"/g);
  // The needs of a remedy's proof: the catalogue names each message by the rest of its key.
  const needs = (name) => camel(`needs_${name.replaceAll('-', '_')}`);
  for (const path of [...files('src/catalog', '.md'), ...files('src/catalog', '.toml')])
    look(path, read(path), /\bneeds = "([a-z-]+)"/g, needs);
  look('catalogc/src/markdown.rs', read('catalogc/src/markdown.rs'), /=> "([a-z]+)",/g, needs);
  return found;
}

test('every key that is used is a message, and every message is used', () => {
  const found = used();
  const known = new Set(KEYS);
  assert.deepEqual(
    [...found].filter(([key]) => !known.has(key)),
    [],
    'unknown',
  );
  assert.deepEqual(
    KEYS.filter((key) => !found.has(key)),
    [],
    'unused',
  );
  // Fails if one of the patterns no longer finds anything.
  for (const [key, path] of [
    ['noAnswer', /\.rs$/],
    ['failedTab', /\.js$/],
    ['tryFirst', /\.css$/],
    ['titleOptions', /\.(html|rs)$/],
    ['name', /manifest/],
    ['lostErrors', /\.json$/],
  ])
    assert.match(found.get(key), path, key);
});

test('messages are called by their module, so that a search finds them', () => {
  const wrong = RUST.filter((path) => path !== 'src/words/lib.rs').flatMap((path) =>
    [...rust(path).matchAll(/use [\w:]*words::\{([^}]*)\}/g)].flatMap(([, names]) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name && !/^(self( as words)?|foreign|spoken|[A-Z]\w+)$/.test(name))
        .map((name) => `${path}: ${name}`),
    ),
  );
  assert.deepEqual(wrong, []);
});

test('the code of views and pages contains no hard-coded text', () => {
  const views = files('src/view', '.rs').filter((path) => !/\/(?:html|tests)\.rs$/.test(path));
  const pages = files('pages/src', '.rs');
  const wrong = [];
  let seen = 0;
  for (const path of [...views, ...pages]) {
    // Leaves out panic messages, which are for developers.
    const code = rust(path).replace(/\.(expect|ok_or)\("[^"]*"\)|\bpanic!\([^)]*\)/g, '');
    for (const [, raw] of code.matchAll(/"((?:[^"\\]|\\.)*)"/gs)) {
      seen += 1;
      const text = raw.replace(/\\\n\s*/g, '');
      if (isWords(text) && !OTHER.has(text)) wrong.push(`${path}: ${text}`);
    }
    // A literal is nbmedic's own text, so it is not foreign. Only the product's name and text without words stay as they are.
    for (const [, text] of code.matchAll(/\bforeign\(\s*"([^"]*)"/g))
      if (/[a-z]{2}/i.test(text) && text !== 'nbmedic') wrong.push(`${path}: foreign ${text}`);
    if (!path.endsWith('/render.rs'))
      for (const [whole] of code.matchAll(
        /\b(?:attr|set_attribute)\(\s*"(?:aria-label|title|placeholder)"|set_placeholder\("[^"/]*"/g,
      ))
        wrong.push(`${path}: ${whole}`);
  }
  assert.ok(seen > 300, `${seen}`);
  assert.deepEqual(wrong, []);
});

/** Whether a literal is text for people: a sentence's beginning, or several words. Class names and Markdown syntax are not. */
function isWords(text) {
  return /^[A-Z1“][a-z’']* ?[a-z“]/.test(text) && (/ /.test(text) || /^[A-Z][a-z]+…?$/.test(text));
}

// Names of keys, parts of the English reports, and messages for developers.
const OTHER = new Set(['Home', 'End', 'Enter', 'Files', 'Nothing failed in the last day.\\n']);

test('a tree is put into the user’s language; foreign text stays unchanged, and languages are marked', () => {
  const tree = {
    tag: 'section',
    labels: { 'aria-label': { key: 'cardName', args: ['A title'] } },
    kids: [
      {
        tag: 'button',
        text: { key: 'copy' },
        attrs: { type: 'button' },
        labels: { 'aria-label': { key: 'copyCode' } },
      },
      { tag: 'pre', kids: [{ tag: 'code', text: 'Copy' }] },
      { tag: 'p', text: 'The catalogue speaks.', class: 'x' },
      { tag: 'small', text: { key: 'placeState', args: [{ key: 'cellPlace', args: ['3'] }, { key: 'stateOpen' }] } },
      { tag: 'div' },
    ],
  };
  globalThis.chrome = { i18n: { getMessage: speaker(catalogue('es')) } };
  assert.deepEqual(spokenTree(tree), {
    tag: 'section',
    attrs: { lang: 'en', 'aria-label': 'nbmedic: A title' },
    kids: [
      { tag: 'button', text: 'Copiar', attrs: { type: 'button', 'aria-label': 'Copiar este código', lang: 'es' } },
      { tag: 'pre', kids: [{ tag: 'code', text: 'Copy' }] },
      { tag: 'p', text: 'The catalogue speaks.', class: 'x' },
      { tag: 'small', text: 'celda 3 · abierto', attrs: { lang: 'es' } },
      { tag: 'div' },
    ],
  });
  globalThis.chrome = { i18n: { getMessage: english } };
  assert.deepEqual(spokenTree(tree).kids[0], {
    tag: 'button',
    text: 'Copy',
    attrs: { type: 'button', 'aria-label': 'Copy this code' },
  });
  assert.deepEqual(spokenTree(tree).attrs, { 'aria-label': 'nbmedic: A title' });
});

test('a style sheet is translated too, and its messages need no escapes', () => {
  assert.equal(
    spokenStyle('a::before { content: "__MSG_cost__ "; } b { content: ""; }', speaker(catalogue('es'))),
    'a::before { content: "Coste: "; } b { content: ""; }',
  );
  const keys = [...(read('extension/card.css') + read('extension/card-foot.css')).matchAll(/__MSG_(\w+?)__/g)].map(
    ([, key]) => key,
  );
  assert.ok(keys.length > 3);
  for (const language of LANGUAGES)
    for (const key of keys) assert.doesNotMatch(catalogue(language)[key].message, /["\\\n]/, `${language}: ${key}`);
});
