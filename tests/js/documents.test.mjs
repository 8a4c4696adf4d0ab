// The Markdown documents: their links, and the commands, files and buttons that they name. What the command `nbmedic` has is
// checked by tests/wheel/docs_test.py, and what docs/ci.md shows by cli/tests/reports.rs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { addresses, parsed, slug, target } from '../../tools/documents.mjs';
import { sourceFiles } from '../../tools/files.mjs';
import { FILES } from '../../tools/site-docs.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (name) => readFileSync(path.join(ROOT, name), 'utf8');
const sources = sourceFiles();
/** Files and folders. */
const there = new Set(sources.flatMap((name) => name.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'))));
// Diagnoses have a format of their own, which the catalogue's compiler checks; fixtures are what others wrote.
const names = sources.filter((name) => /\.md$/.test(name) && !/^src\/catalog\/[^/]+\/|\/fixtures\//.test(name));
const documents = new Map(names.map((name) => [name, parsed(read(name))]));

/** The code of a document: the lines of its blocks, and what stands between words. */
function code({ tokens }) {
  const blocks = tokens.filter(({ type }) => type === 'fence' || type === 'code_block');
  const inline = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'code_inline');
  return [...blocks.flatMap(({ content }) => content.trimEnd().split('\n')), ...inline.map(({ content }) => content)];
}

/** What a pattern finds in the documents' code, with the document. */
function* found(pattern) {
  for (const [name, document] of documents)
    for (const line of code(document)) for (const match of line.matchAll(pattern)) yield { name, line, match };
}

test('every link leads to a file of the repository, and its anchor to a heading there', () => {
  let links = 0;
  for (const [name, document] of documents) {
    for (const address of addresses(document)) {
      const { outside, path: to, anchor } = target(name, address);
      if (outside) {
        assert.match(outside, /^https:\/\//, `${name}: ${address}`);
        continue;
      }
      links += 1;
      assert.ok(there.has(to), `${name}: ${address}`);
      if (anchor)
        assert.ok(
          documents.get(to)?.headings.some(({ id }) => id === anchor),
          `${name}: ${address}`,
        );
    }
  }
  assert.ok(links > 80, `${links}`);
});

test('addresses of the repository itself lead to files of it', () => {
  const [, repository] = /^repository = "(.+)"$/m.exec(read('Cargo.toml'));
  const own = new RegExp(
    `${repository.replaceAll('.', '\\.')}/(?:blob|tree)/main/([\\w./-]*[\\w-])(?:#([\\w-]+))?`,
    'g',
  );
  let checked = 0;
  for (const name of sources.filter((one) => /\.(md|toml|html|yml)$/.test(one) && !/\/fixtures\//.test(one)))
    for (const [address, to, anchor] of read(name).matchAll(own)) {
      checked += 1;
      assert.ok(there.has(to), `${name}: ${address}`);
      if (anchor)
        assert.ok(
          documents.get(to)?.headings.some(({ id }) => id === anchor),
          `${name}: ${address}`,
        );
    }
  assert.ok(checked > 1, `${checked}`);
});

test('anchors are GitHub’s', () => {
  assert.equal(slug('Events (`t`)'), 'events-t');
  assert.equal(slug('What leaves your machine?'), 'what-leaves-your-machine');
  assert.equal(slug('C++ & Größe_1 – x-y'), 'c--größe_1--x-y');
  assert.deepEqual(
    parsed('# A\n\n## B `c`\n\n## B c\n').headings.map(({ id }) => id),
    ['a', 'b-c', 'b-c-1'],
  );
});

test('every document of docs/ is a page of the site, and every page has its document', () => {
  for (const name of names.filter((one) => /^docs\/[^/]+\.md$/.test(one))) assert.ok(FILES.includes(name), name);
  for (const name of FILES) assert.ok(documents.has(name), name);
  assert.equal(new Set(FILES).size, FILES.length);
});

test('the files that the documents name exist', () => {
  let files = 0;
  const built = new Set(['pages/pages_bg.wasm']);
  // `src/a-<n>.json` is a name with a hole. What docs/store/build.md has on the left is in the package, not in the tree.
  const folders = 'benches|catalogc|cli|docs|extension|pages|probe|python|src|tests|tools|www|\\.github';
  for (const { name, match } of found(new RegExp(`(?<![\\w./*-])(?:${folders})/[\\w./-]*\\w(?![\\w*<{]|-<)`, 'g'))) {
    const file = match[0];
    // A word in capitals stands for a name.
    if ((/\/[A-Z]+$/.test(file) && !there.has(file)) || built.has(file)) continue;
    files += 1;
    assert.ok(there.has(file), `${name}: ${file}`);
  }
  assert.ok(files > 100, `${files}`);
});

/** The part of the usage about each command. */
const usage = {};
before(() => {
  let command = '';
  for (const line of execFileSync(path.join(ROOT, 'build.sh'), ['help'], { encoding: 'utf8' }).split('\n')) {
    command = /^ {2}([a-z-]+)(?= |$)/.exec(line)?.[1] ?? (/^ {4}/.test(line) ? command : '');
    if (command) usage[command] = `${usage[command] ?? ''}${line}\n`;
  }
});
/** Where further options of a command are read. */
const READ = {
  cures: ['tests/cures/run.py', 'tools/cures.sh'],
  prove: ['tests/proof/run.py'],
  gpu: ['tests/gpu/run.py'],
};

test('every command and option of build.sh that the documents name exists', () => {
  let commands = 0;
  for (const { name, line, match } of found(/\.\/build\.sh (?<command>[a-z][\w-]*)(?<rest>[^#|;]*)/g)) {
    const { command, rest } = match.groups;
    commands += 1;
    assert.ok(usage[command], `${name}: ${line}`);
    const known = [usage[command], ...(READ[command] ?? []).map(read)].join('\n');
    for (const [option] of rest.matchAll(/(?<=\s)--[\w-]+/g))
      assert.match(known, new RegExp(`(?<![\\w-])${option}(?![\\w-])`), `${name}: ${line}`);
  }
  assert.ok(commands > 60, `${commands}`);
});

test('the scripts, packages and tests that the documents run exist', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const manifests = sources.filter((name) => /(^|\/)Cargo\.toml$/.test(name));
  const crates = new Map(manifests.map((name) => [/^name = "(.+)"/m.exec(read(name))?.[1], path.dirname(name)]));
  for (const { name, match } of found(/\bnpm run ([\w:-]+)/g)) assert.ok(scripts[match[1]], `${name}: ${match[0]}`);
  let installed = 0;
  for (const { name, line, match } of found(/\bcargo install\b[^|;#]* --path ([\w./-]+)/g)) {
    installed += 1;
    assert.ok(
      manifests.some((one) => path.dirname(one) === match[1] && /^\[\[bin\]\]/m.test(read(one))),
      `${name}: ${line}`,
    );
  }
  assert.ok(installed > 0);
  // `npx web-ext` runs a program of a package that is pinned.
  const { devDependencies } = JSON.parse(read('package.json'));
  for (const { name, match } of found(/\bnpx ([\w@/-]+)/g))
    assert.ok(devDependencies[match[1]] ?? match[1] === 'tsc', `${name}: ${match[0]}`);
  for (const { name, line, match } of found(/\bcargo (?:test|run|build)\b[^|;#]*/g)) {
    const option = (pattern) => pattern.exec(match[0])?.[1];
    const crate = option(/ -p ([\w-]+)/) ?? 'nbmedic';
    assert.ok(crates.has(crate), `${name}: ${line}`);
    for (const [kind, pattern] of [
      ['tests', / --test ([\w-]+)/],
      ['examples', / --example ([\w-]+)/],
    ]) {
      const one = option(pattern);
      if (one) assert.ok(there.has(path.join(crates.get(crate), kind, `${one}.rs`)), `${name}: ${line}`);
    }
  }
  for (const { name, line, match } of found(/\b(?:node|python3?|bash) ([\w./-]+\.(?:mjs|js|py|sh))\b/g))
    assert.ok(there.has(match[1].replace(/^dist\/gpu\//, '')) || !match[1].includes('/'), `${name}: ${line}`);
  // Parts of the end-to-end tests.
  for (const { name, match } of found(/tests\/e2e\/run\.mjs ([a-z][\w-]*)/g))
    assert.ok(
      readdirSync(path.join(ROOT, 'tests/e2e')).some((file) => file.startsWith(match[1])),
      `${name}: ${match[0]}`,
    );
});

test('the variables that the documents name are read somewhere', () => {
  const programs = sources.filter((name) => /\.(rs|js|mjs|py|sh|yml)$|^build\.sh$/.test(name));
  const all = programs.map(read).join('\n');
  const named = new Set([...found(/\bNBMEDIC_[A-Z_]+\b/g)].map(({ match }) => match[0]));
  assert.ok(named.size > 10, `${named.size}`);
  for (const name of named) assert.ok(new RegExp(`\\b${name}\\b`).test(all), name);
});

test('the guide names buttons and headings that the interface has', () => {
  const messages = Object.values(JSON.parse(read('extension/_locales/en/messages.json'))).map(({ message }) => message);
  const said = documents
    .get('docs/guide.md')
    .tokens.flatMap(({ children }) => children ?? [])
    .flatMap((token, i, all) => (token.type === 'em_open' ? [all[i + 1].content] : []));
  assert.ok(said.length > 40, `${said.length}`);
  for (const one of said.filter((text) => text !== 'italics')) assert.ok(messages.includes(one), one);
});
