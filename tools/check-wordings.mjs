// Checks that what a message says stands in one place: a wording that two places need is a family of src/wordings.
// Prints every offence, then the counts.

import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { sourceFiles } from './files.mjs';

/** A shorter text, or one of two short words, is language and not a wording. */
const LEAST = 12;
const OF_TWO_WORDS = 16;
/** @param {string} text */
const isWording = (text) =>
  text.length >= (/\S \S+ \S/.test(text) ? LEAST : OF_TWO_WORDS) && /\S \S/.test(text) && /[a-z]{3}/i.test(text);

/** The texts between the holes of `Expected {a#} but got {b#}`. @param {string} says */
const pieces = (says) => says.split(/\{\w*[#@_]?\}/).map((one) => one.trim());
/** @param {string} quoted what stands between the quotes of a string */
const unescaped = (quoted) => quoted.replaceAll('\\"', '"').replaceAll('\\\\', '\\');

/** What families, messages and rules look for. @param {string} path @param {string} text */
function ofEntries(path, text) {
  return text.split('\n').flatMap((line, n) => {
    const field = /^(says|literal|absent): (.*)$/.exec(line);
    if (!field) return [];
    const all = field[2].split(' || ');
    const only = field[1] === 'literal' && all.length === 1;
    return all.flatMap((one) => pieces(one).map((piece) => ({ path, line: n + 1, text: piece, only })));
  });
}

/** What the matches of a diagnosis look for. @param {string} path @param {string} text */
function ofDiagnosis(path, text) {
  const strings = /"((?:[^"\\]|\\.)*)"|'([^']*)'/g;
  return [...text.matchAll(/^(?:literal|not|absent) = (\[(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\]"'])*\]|.*)$/gm)].flatMap(
    ({ 1: list, index }) => {
      const line = text.slice(0, index).split('\n').length;
      return [...list.matchAll(strings)].map(([, a, b]) => ({ path, line, text: b ?? unescaped(a) }));
    },
  );
}

/** The strings of Rust, without those of tests. @param {string} path @param {string} text */
function ofRust(path, text) {
  return text
    .split('#[cfg(test)]')[0]
    .split('\n')
    .flatMap((line, n) =>
      /^\s*\/\//.test(line)
        ? []
        : [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, a]) => ({ path, line: n + 1, text: unescaped(a).trim() })),
    );
}

const all = sourceFiles().filter(
  (path) => /^src\/(cure|wordings|catalog)\//.test(path) && !/tests?(\.rs|\/)/.test(path),
);
const data = [];
const code = [];
for (const path of all) {
  const text = readFileSync(path, 'utf8');
  if (extname(path) === '.rs') code.push(...ofRust(path, text).filter((one) => isWording(one.text)));
  else if (basename(path) === 'README.md') continue;
  else if (extname(path) === '.txt') data.push(...ofEntries(path, text));
  else if (['.md', '.toml'].includes(extname(path))) data.push(...ofDiagnosis(path, text));
}
const wordings = data.filter(({ text }) => isWording(text));

/** The only literal of a family, with its place. */
const ofFamily = new Map(
  data.filter(({ path, only }) => only && path.startsWith('src/wordings/')).map((one) => [one.text, one]),
);

let failed = 0;
/** @param {{path: string, line: number, text: string}} one @param {{path: string, line: number} | undefined} place */
function mustName(one, place) {
  if (!place) return;
  failed += 1;
  console.error(`${one.path}:${one.line}: "${one.text}" stands in ${place.path}:${place.line}: name its family`);
}
for (const one of code)
  mustName(
    one,
    wordings.find(({ text }) => text.includes(one.text)),
  );
for (const one of data) if (one.path.startsWith('src/catalog/')) mustName(one, ofFamily.get(one.text));
console.log(`${wordings.length} wordings, ${failed} offences`);
process.exitCode = failed ? 1 : 0;
