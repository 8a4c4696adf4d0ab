// Zip archives that are byte for byte the same on every machine: sorted names, one fixed time, no owner, and a compressor
// in JavaScript (node's own zlib differs between versions and processors).
//
//   node tools/zip.mjs pack OUT.zip DIR         the files under DIR
//   node tools/zip.mjs source OUT.zip PREFIX    this repository's files, under the folder PREFIX
//   node tools/zip.mjs unpack IN.zip DIR
//   node tools/zip.mjs check IN.zip PREFIX      whether it holds this repository's files and no others

import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import { filesUnder, sourceFiles } from './files.mjs';

// The earliest time that a zip can store. Zips store local time, so this is local time too.
const TIME = new Date(1980, 0, 1);
const UNIX = 3;
/** How programs start: "#!" in a script, and what Linux's executables begin with. */
const STARTS = [
  [0x23, 0x21],
  [0x7f, 0x45, 0x4c, 0x46],
];

/** A file that starts like a program is one; the checkout's permissions are ignored. */
const isProgram = (bytes) => STARTS.some((start) => start.every((byte, i) => bytes[i] === byte));

function write(out, names, root, prefix) {
  const entries = {};
  for (const name of names) {
    const bytes = readFileSync(join(root, name));
    const mode = isProgram(bytes) ? 0o100755 : 0o100644;
    entries[prefix + name] = [bytes, { level: 9, mtime: TIME, os: UNIX, attrs: mode * 0x10000 }];
  }
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, zipSync(entries));
}

function unpack(archive, into) {
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(archive)))) {
    const path = normalize(join(into, name));
    if (!path.startsWith(normalize(into) + sep)) throw new Error(`${name} is outside of ${into}`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    if (isProgram(bytes)) chmodSync(path, 0o755);
  }
}

const sum = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** One line per file: its hash and its name. */
const manifest = (entries) =>
  entries
    .map(([name, bytes]) => `${sum(bytes)}  ${name}`)
    .sort()
    .join('\n');

function check(archive, prefix) {
  const wanted = manifest(sourceFiles().map((name) => [`${prefix}/${name}`, readFileSync(name)]));
  const found = manifest(Object.entries(unzipSync(readFileSync(archive))));
  const [only, missing] = [
    [found, wanted],
    [wanted, found],
  ].map(([one, other]) => {
    const there = new Set(other.split('\n'));
    return one.split('\n').filter((line) => !there.has(line));
  });
  for (const line of only) console.log(`in the archive only: ${line}`);
  for (const line of missing) console.log(`in the repository only: ${line}`);
  console.log(`${wanted.split('\n').length} files, list ${sum(wanted)}`);
  if (only.length || missing.length) process.exitCode = 1;
}

const [command, archive, place] = process.argv.slice(2);
if (command === 'pack' && statSync(place).isDirectory()) {
  write(archive, filesUnder(place), place, '');
} else if (command === 'source' && place) {
  write(archive, sourceFiles(), '.', `${place}/`);
} else if (command === 'unpack' && place) {
  unpack(archive, place);
} else if (command === 'check' && place) {
  check(archive, place);
} else {
  console.error('usage: zip.mjs pack|source|unpack|check ARCHIVE PLACE');
  process.exitCode = 2;
}
