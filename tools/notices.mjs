// Writes the licences of the crates that are linked into the WASM modules, or a program for another target, as their terms
// require.
//
//   node tools/notices.mjs [--target=TRIPLE] OUT_FILE CRATE…

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

// If a crate offers several licences, the one with the shortest text comes first.
const FILES = [/^licen[cs]e-mit/i, /^mit-licen[cs]e/i, /^licen[cs]e(\.(md|txt))?$/i, /^copying/i, /^licen[cs]e/i];

const {
  values: { target: TARGET },
  positionals: [out, ...crates],
} = parseArgs({
  allowPositionals: true,
  options: { target: { type: 'string', default: 'wasm32-unknown-unknown' } },
});

function cargo(...args) {
  return execFileSync('cargo', args, { encoding: 'utf8', maxBuffer: 1 << 28 });
}

const wanted = crates.flatMap((crate) => ['-p', crate]);
const tree = cargo(
  ...['tree', '--locked', ...wanted, '--target', TARGET, '--edges', 'normal,no-proc-macro'],
  ...['--prefix', 'none', '--format', '{p}'],
);
const linked = new Set(tree.split('\n').map((line) => line.split(' ').slice(0, 2).join(' ')));
const { packages } = JSON.parse(cargo('metadata', '--locked', '--format-version', '1', '--filter-platform', TARGET));

const notices = packages
  .filter(({ name, version, source }) => source && linked.has(`${name} v${version}`))
  .map(({ name, version, license, manifest_path }) => {
    const folder = dirname(manifest_path);
    const names = readdirSync(folder).sort();
    const file = FILES.flatMap((form) => names.filter((entry) => form.test(entry)))[0];
    const text = file ? readFileSync(join(folder, file), 'utf8').replaceAll('\r', '').trim() : '';
    return { title: `${name} ${version} (${license})`, text };
  })
  .sort((a, b) => (a.title < b.title ? -1 : 1));

const byText = new Map();
for (const { title, text } of notices) byText.set(text, [...(byText.get(text) ?? []), title]);
const parts = [...byText].map(
  ([text, titles]) => `${titles.join('\n')}\n\n${text || '(no licence file in the crate)'}\n`,
);
parts.unshift("nbmedic is linked with these libraries and with Rust's standard library (MIT OR Apache-2.0).\n");
writeFileSync(out, parts.join(`\n${'-'.repeat(80)}\n\n`));
