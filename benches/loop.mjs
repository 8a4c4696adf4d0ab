// A plain loop in JavaScript: every pattern on every line. Usage: node loop.mjs PATTERNS FILE
import { readFileSync } from 'node:fs';

const [patterns, file] = process.argv.slice(2);

/** JavaScript takes flags separately; other engines write them at the start of a pattern or group. */
function compiled(source) {
  const flags = [...new Set([...source.matchAll(/\(\?([ims]+)[:)]/g)].flatMap(([, letters]) => [...letters]))].join('');
  return new RegExp(source.replace(/\(\?[ims]+\)/g, '').replace(/\(\?[ims]+:/g, '(?:'), flags);
}

const list = readFileSync(patterns, 'utf8').trimEnd().split('\n').map(compiled);
const text = readFileSync(file, 'utf8');
const start = performance.now();
let matched = 0;
for (const line of text.split('\n')) {
  let any = false;
  for (const pattern of list) {
    if (pattern.test(line)) any = true;
  }
  if (any) matched += 1;
}
console.log(JSON.stringify({ matched, seconds: (performance.now() - start) / 1000 }));
