// Checks on the repository's files as such. Prints every offence, then the counts.

import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { sourceFiles } from './files.mjs';

const MAX_LINES = 600;
const SOURCE = new Set(['.rs', '.js', '.mjs', '.ts', '.py', '.sh', '.css', '.html']);
const TEXT = new Set([...SOURCE, '', '.md', '.toml', '.json', '.txt', '.svg', '.ipynb', '.jsonl']);
// Written by their tools.
const LOCKS = new Set(['Cargo.lock', 'package-lock.json']);
// What programs printed elsewhere: paths in it are part of the example.
const RECORDED = /^(tests\/(fixtures|replicas|proof\/captured)|src\/catalog)\//;

const UNFINISHED = new RegExp(`\\b(${['TO', 'FIX', 'XX'].map((a, i) => a + ['DO', 'ME', 'X'][i]).join('|')})\\b`);
// Names that stand for anybody in examples.
const ANYBODY = '(?:user|you|me|a|u|jovyan|ada|public|shared)\\b';
const HOME = new RegExp(`(?<!\\w)(?:/home/|/Users/|[A-Z]:\\\\{1,2}Users\\\\{1,2})(?!${ANYBODY})[a-z]`, 'i');
// Where this checkout lies says something about the machine wherever it stands; a short path such
// as "/src" says nothing.
const here = process.cwd().replace(/[^\w/]/g, '\\$&');
const HERE = here.split('/').length > 2 ? new RegExp(`(?<![\\w.-])${here}(?![\\w-])`) : /(?!)/;

const CHECKS = {
  'no source file over 600 lines': ({ kind, lines }) =>
    SOURCE.has(kind) && lines.length > MAX_LINES ? [`${lines.length} lines`] : [],
  // Tracebacks show the marks of the libraries they pass through.
  'nothing marked unfinished': ({ path, lines }) =>
    RECORDED.test(path) ? [] : matches(lines, (line) => UNFINISHED.test(line)),
  'no conflict left from a merge': ({ lines }) => matches(lines, (line) => /^(<{7}|>{7}) /.test(line)),
  'no path of a machine': ({ path, lines }) =>
    matches(lines, (line) => HERE.test(line) || (!RECORDED.test(path) && HOME.test(line))),
  'no tests that are switched off': ({ path, kind, lines }) =>
    SOURCE.has(kind) && path !== 'tools/check-tree.mjs'
      ? matches(lines, (line) => /#\[ignore\b|\b(?:test|it|describe)\.(?:skip|only|todo)\b/.test(line))
      : [],
  'lines end plainly': ({ path, kind, text, lines }) =>
    RECORDED.test(path) || kind === '.ipynb'
      ? []
      : [
          ...(text === '' || text.endsWith('\n') ? [] : ['no newline at the end']),
          ...(text.includes('\r') ? ['carriage return'] : []),
          // rustfmt keeps code clean; what is left stands in strings, with .txt lists and Markdown for a reason.
          ...(['.md', '.txt', '.rs'].includes(kind) ? [] : matches(lines, (line) => /[ \t]$/.test(line))),
        ],
};

function matches(lines, test) {
  return lines.flatMap((line, i) => (test(line) ? [`${i + 1}: ${line.trim().slice(0, 100)}`] : []));
}

const files = sourceFiles()
  .filter((path) => !LOCKS.has(path) && TEXT.has(extname(path)))
  .map((path) => {
    const text = readFileSync(path, 'utf8');
    return { path, kind: extname(path), text, lines: text.replace(/\n$/, '').split('\n') };
  });

let failed = 0;
for (const [name, check] of Object.entries(CHECKS)) {
  const offences = files.flatMap((file) => check(file).map((what) => `${file.path}: ${what}`));
  if (offences.length) failed += 1;
  console.log(`${offences.length ? 'FAIL' : 'ok  '} ${name}`);
  for (const offence of offences) console.log(`       ${offence}`);
}
console.log(`${files.length} files\n`);
console.log(`${Object.keys(CHECKS).length - failed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
