// Prints the size of each part of the packages, and fails if a part exceeds its limit.
//
//   node tools/sizes.mjs DIST_DIR…

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { filesUnder } from './files.mjs';

// Limits in bytes, gzipped. A file belongs to the first part whose pattern matches.
const PARTS = [
  { name: 'sensor of a page', files: /^sensor\/notebook\.js$/, limit: 21_000 },
  { name: 'sensor of a frame', files: /^sensor\/frame\.js$/, limit: 4_500 },
  { name: 'drift report', files: /^sensor\//, limit: 4_500 },
  { name: 'engine WASM', files: /^engine\/.*\.wasm$/, limit: 1_015_000 },
  { name: 'engine loader', files: /^engine\// },
  // The Python parser, the cures and a fifth of it the libraries' tables; loaded for the first failure that needs them.
  { name: 'Python WASM', files: /^python\/.*\.wasm$/, limit: 1_690_000 },
  { name: 'Python loader', files: /^python\// },
  { name: 'pages WASM', files: /^pages\/.*\.wasm$/ },
  { name: 'prose', files: /^prose\// },
  { name: 'rule reference', files: /^rules\// },
  { name: 'texts', files: /^_locales\// },
  { name: 'the rest', files: /./ },
];

const right = (value, width) => String(value).padStart(width);
console.log('measured:');
let over = 0;
let checked = 0;

for (const dist of process.argv.slice(2)) {
  const parts = PARTS.map((part) => ({ ...part, count: 0, raw: 0, gzip: 0 }));
  for (const path of filesUnder(dist)) {
    const bytes = readFileSync(join(dist, path));
    const part = parts.find(({ files }) => files.test(path));
    part.count += 1;
    part.raw += bytes.length;
    part.gzip += gzipSync(bytes, { level: 9 }).length;
  }
  console.log(`\n${dist.padEnd(24)} files       bytes     gzipped       limit`);
  for (const { name, count, raw, gzip, limit } of parts) {
    if (limit === undefined && count === 0) continue;
    const missing = limit !== undefined && count === 0;
    const bad = missing || gzip > limit;
    const verdict = missing ? '  missing' : bad ? '  OVER THE LIMIT' : '';
    console.log(
      `  ${name.padEnd(22)} ${right(count, 5)} ${right(raw, 11)} ${right(gzip, 11)} ${right(limit ?? '', 11)}${verdict}`,
    );
    if (limit === undefined) continue;
    checked += 1;
    if (bad) over += 1;
  }
}
console.log(`\n${checked - over} passed, ${over} failed`);
process.exitCode = over || !existsSync(process.argv[2] ?? '') ? 1 : 0;
