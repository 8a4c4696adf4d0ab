// Nothing leaves the machine and no text becomes markup: fails where the code could do either.
// The packaged policy and a traffic capture hold the same; this says it before anything runs.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../extension/', import.meta.url);

/** Names that may stand nowhere in our code. */
const NETWORK = [
  'XMLHttpRequest',
  'WebSocket',
  'WebTransport',
  'EventSource',
  'sendBeacon',
  'RTCPeerConnection',
  'importScripts',
  'Worker',
  'SharedWorker',
];
const MARKUP = [
  'innerHTML',
  'outerHTML',
  'insertAdjacentHTML',
  'setHTMLUnsafe',
  'parseHTMLUnsafe',
  'createContextualFragment',
  'DOMParser',
  'srcdoc',
  'write',
  'writeln',
];
const CODE = ['eval', 'Function'];
/** What makes the page load something, in a sensor. */
const LOADING = ['fetch', 'Image', 'Audio', 'src', 'srcset', 'action', 'backgroundImage', 'open', 'postMessage'];
/** Allowed all the same: where, which word, and why. */
const ALLOWED = [
  ['sensor/clock.js', 'postMessage', 'the port that yields to the page between two slices; it leads nowhere else'],
  ['sensor/frames.js', 'postMessage', 'a word into a frame of the page, by which its sensor is known'],
  ['sensor/card.js', 'open', 'the attribute of <details>, and the mode of the shadow root'],
  ['sensor/read.js', 'open', 'a word in a comment or a profile field'],
  ['sensor/page.js', 'open', 'a profile field: when a notice is open'],
];

export const WORDS = { NETWORK, MARKUP, CODE, LOADING };

/**
 * The offences of one file: words that are used as names or as property strings, outside comments.
 * @param {string} name @param {string} text @param {'sensor' | 'background'} kind @returns {string[]}
 */
export function offences(name, text, kind) {
  const found = [];
  const words = new Set([...NETWORK, ...MARKUP, ...CODE, ...(kind === 'sensor' ? LOADING : [])]);
  const at = (pos) => text.slice(0, pos).split('\n').length;
  for (const { kind: what, value, pos, before, after } of tokens(text)) {
    if (what === 'import' && after === '(') found.push(`${name}:${at(pos)}: import() loads code`);
    if (!words.has(value)) {
      if (value === 'fetch' && kind === 'background' && !/^\(\s*chrome\.runtime\.getURL\(/.test(text.slice(pos + 5))) {
        found.push(`${name}:${at(pos)}: fetch of something else than a file of the package`);
      }
      continue;
    }
    if (ALLOWED.some(([file, word]) => file === name && word === value)) continue;
    found.push(`${name}:${at(pos)}: ${value}${before === '.' ? ' (property)' : ''}`);
  }
  return found;
}

/** The names and strings of a script. @param {string} text */
function* tokens(text) {
  const pattern = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|(['"])((?:\\.|(?!\1)[^\\\n])*)\1|([A-Za-z_$][\w$]*)/g;
  for (const match of text.matchAll(pattern)) {
    const pos = match.index;
    const value = match[2] ?? match[3];
    if (value === undefined) continue;
    const rest = text.slice(pos + match[0].length).trimStart();
    yield {
      kind: value === 'import' ? 'import' : 'name',
      value,
      pos,
      before: text[pos - 1] ?? '',
      after: rest[0] ?? '',
    };
  }
}

function main() {
  const files = [
    ['content.js', 'sensor'],
    ...readdirSync(new URL('sensor/', root))
      .filter((name) => name.endsWith('.js'))
      .map((name) => [`sensor/${name}`, 'sensor']),
    ['background.js', 'background'],
    ...readdirSync(new URL('background/', root))
      .filter((name) => name.endsWith('.js'))
      .map((name) => [`background/${name}`, 'background']),
  ];
  const found = files.flatMap(([name, kind]) => offences(name, readFileSync(new URL(name, root), 'utf8'), kind));
  for (const line of found) console.error(line);
  console.log(`${files.length} files, ${found.length} offences`);
  return found.length ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(main());
