// The texts for the stores match the packages: permissions, versions, texts and pictures.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { BROWSERS, manifest } from '../../extension/build-manifests.mjs';

const ROOT = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, ROOT), 'utf8');
const store = (name) => read(`docs/store/${name}.md`);
const manifests = Object.fromEntries(BROWSERS.map((browser) => [browser, manifest(browser)]));
const { chrome, firefox } = manifests;
const minimum = {
  chrome: Number(chrome.minimum_chrome_version),
  firefox: Number.parseInt(firefox.browser_specific_settings.gecko.strict_min_version, 10),
};

test('each permission of the manifests has its reason, and no other is named', () => {
  const wanted = new Set(
    Object.values(manifests).flatMap((made) => [
      ...made.permissions,
      ...made.optional_permissions,
      ...made.host_permissions,
      ...made.optional_host_permissions,
    ]),
  );
  const reasons = store('permissions')
    .split('## Declarations')[0]
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|')[1]);
  const named = new Set(reasons.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)));
  assert.deepEqual([...named].sort(), [...wanted].sort());
  const [, not] = store('permissions').match(/\nNo ([^:]+):/);
  for (const [, name] of not.matchAll(/`([^`]+)`/g)) assert.ok(!wanted.has(name), name);
});

test('the minimum versions that are named are the manifests’', () => {
  const text = store('README');
  assert.match(text, new RegExp(`Chrome ${minimum.chrome} or later`));
  assert.match(text, new RegExp(`Firefox ${minimum.firefox} or later`));
  assert.match(
    text,
    new RegExp(
      `the manifest says ${Number.parseInt(firefox.browser_specific_settings.gecko_android.strict_min_version, 10)},`,
    ),
  );
});

/** The first Chrome and Firefox versions with a feature. Source: MDN's browser-compat-data. */
const SINCE = [
  [/light-dark\(/, 123, 120],
  [/color-mix\(/, 111, 113],
  [/:has\(/, 105, 121],
  [/@container\b/, 105, 110],
  [/@starting-style\b/, 117, 129],
  [/text-wrap(-style)?:\s*balance/, 114, 121],
  [/text-wrap(-style)?:\s*pretty/, 117, Infinity],
  [/field-sizing:/, 123, Infinity],
  [/interpolate-size:/, 129, Infinity],
  [/@property\b/, 85, 128],
  [/\bpopover\b/i, 114, 125],
  [/\b(Object|Map)\.groupBy\b/, 117, 119],
  [/\.withResolvers\b/, 119, 121],
  [/\.(union|difference|intersection|isSubsetOf)\(/, 122, 127],
  [/\.(toSorted|toReversed|toSpliced)\(/, 110, 115],
  [/Array\.fromAsync\b/, 121, 115],
  [/Promise\.try\b/, 128, 134],
  [/RegExp\.escape\b/, 136, 134],
  [/\b(keys|values|entries)\(\)\.(map|filter|some|every|find|toArray|take|drop|reduce)\(/, 122, 131],
  [/\bURL\.parse\(/, 126, 126],
  [/\.checkVisibility\(/, 105, 106],
  [/sidePanel/, 114, 0],
];
/** Features that a browser may lack, because ignoring them changes little. */
const OPTIONAL = /text-wrap/;

test('style sheets and scripts use nothing that the oldest supported browsers lack', () => {
  const files = readdirSync(new URL('extension', ROOT), { recursive: true }).filter((name) => /\.(css|js)$/.test(name));
  assert.ok(files.length > 25);
  const missing = files.flatMap((name) => {
    const text = read(`extension/${name}`);
    return SINCE.filter(
      ([what, inChrome, inFirefox]) =>
        what.test(text) && !OPTIONAL.test(what.source) && (inChrome > minimum.chrome || inFirefox > minimum.firefox),
    ).map(([what]) => `${name}: ${what}`);
  });
  assert.deepEqual(missing, []);
  // The minimum version is exactly what these features need, so it excludes no browser needlessly.
  const all = files.map((name) => read(`extension/${name}`)).join('\n');
  assert.equal(Math.max(121, ...SINCE.filter(([what]) => what.test(all)).map(([, since]) => since)), minimum.chrome);
});

test('nothing is collected, and both stores are told so', () => {
  for (const made of Object.values(manifests))
    assert.deepEqual(made.browser_specific_settings.gecko.data_collection_permissions, { required: ['none'] });
  assert.match(store('permissions'), /`required: \["none"\]`/);
});

test('the listing respects the stores’ limits and matches the extension’s own description', () => {
  const messages = JSON.parse(read('extension/_locales/en/messages.json'));
  const [, name] = store('listing').match(/\*\*Name\*\*[^:]*: (.+)/);
  const [, summary] = store('listing').match(/\*\*Summary\*\*[^:]*:\n(.+)/);
  assert.deepEqual([name, summary], [messages.name.message, messages.description.message]);
  assert.ok(name.length <= 45 && summary.length <= 132, `${name.length} ${summary.length}`);
  for (const language of readdirSync(new URL('extension/_locales', ROOT))) {
    const { name: own, description } = JSON.parse(read(`extension/_locales/${language}/messages.json`));
    assert.ok(own.message.length <= 45 && description.message.length <= 132, language);
  }
});

test('the policy names the limits in the code', async () => {
  const { MAX_AGE, MAX_ALL } = await import('../../extension/background/store.js');
  const { MAX_PAST, MAX_PAST_AGE } = await import('../../extension/background/history.js');
  const text = store('privacy').replace(/\s+/g, ' ');
  const days = (ms) => ms / 86_400_000;
  assert.match(
    text,
    new RegExp(`after ${days(MAX_AGE)} days; at most about ${MAX_ALL / 1024 / 1024} million characters`),
  );
  assert.match(text, new RegExp(`at most ${MAX_PAST} entries`));
  assert.equal(days(MAX_PAST_AGE), 365);
});

test('the pictures have the sizes and the form that the stores accept, and the listing names each', () => {
  /** What a PNG's header says: width, height, and whether it is opaque (true colour without alpha). */
  const header = (bytes) => {
    assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
    return [bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[25] === 2];
  };
  const rows = [...store('listing').matchAll(/^\| \[(.+\.png)\]\(images\/\1\) \| (\d+) × (\d+) \|/gm)];
  const listed = rows.map(([, name, width, height]) => [name, Number(width), Number(height)]);
  const folder = new URL('docs/store/images/', ROOT);
  assert.deepEqual(listed.map(([name]) => name).sort(), readdirSync(folder).sort());
  assert.ok(listed.filter(([, width]) => width === 1280).length <= 5);
  for (const [name, width, height] of listed) {
    const bytes = readFileSync(new URL(name, folder));
    assert.deepEqual(header(bytes), [width, height, name !== 'icon.png'], name);
    assert.ok(
      [
        [1280, 800],
        [440, 280],
        [128, 128],
      ].some(([w, h]) => w === width && h === height),
      name,
    );
  }
});
