// Colab changes its page: every name that the profile relies on is renamed in turn. nbmedic reports what no longer works,
// everything else keeps working, nothing throws.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { english } from '../js/english.mjs';
import { profile, until, wait } from '../js/page.mjs';
import { openReplica, replicaText } from '../js/replica.mjs';

const OOM = 'kW8sJd3hLr6o';
const RAM = 'oD4fTh0jZk5q';
const colab = profile('colab');

/** What breaks when a landmark is missing. Nothing else may break. */
const MAY_BREAK = {
  cells: ['at the cell', 'source', 'running', 'count'],
  outputs: [],
  source: ['source'],
  editor: ['source'],
  'run-state': ['count'],
  toast: ['toast'],
  connect: ['ram', 'connected', 'accelerator'],
  ram: ['ram'],
  'status-bar': ['busy', 'accelerator'],
  accelerator: ['accelerator'],
};

/** Fields of a profile without selectors. */
const PLAIN = new Set([
  '//',
  'id',
  'name',
  'home',
  'attributes',
  'strip',
  'is',
  'has',
  'place',
  'inset',
  'vitals',
  'what',
  'lost',
  'pattern',
  'theme',
  'build',
  'content',
  'kept',
  'not',
  'mirror',
]);

/** The names in selectors: Colab's own elements, classes, ids, attributes. */
function namesOf(value, key = '') {
  if (typeof value === 'string') {
    const names = [];
    for (const [, sigil, name, attribute] of value
      .replace(/=[^\]]*\]/g, ']')
      .matchAll(/(?:([.#[]?)([A-Za-z_][\w-]*)|@([\w-]+))/g)) {
      if (attribute || sigil === '[') names.push(`[${attribute ?? name}]`);
      else if (sigil || /^[a-z]+-[a-z-]+$/.test(name)) names.push(sigil + name);
    }
    return names.filter((name) => !/^\[(?:id|class|role|hidden|src|href)\]$/.test(name));
  }
  if (Array.isArray(value)) return value.flatMap((item) => namesOf(item, key));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([field, part]) =>
    PLAIN.has(field) || (key === 'vitals' && field === 'source') ? [] : namesOf(part, field),
  );
}

/** Plays a session and returns what was observed. */
async function play(renamed) {
  const page = openReplica(`?${renamed.map((name) => `rename=${encodeURIComponent(name)}`).join('&')}`, { quiet: 20 });
  const { b, replica } = page;
  const seen = {};
  /** Records whether something appears. It checks a number of times rather than for a time, because the machine may be busy. */
  const note = async (what, check, looks = 200) => {
    for (let i = 0; i < looks && !seen[what]; i += 1) {
      await wait(10);
      seen[what] = Boolean(check());
    }
  };
  await until(() => b.last('hello'), 'the sensor', 60000);
  await until(() => b.last('vitals') || b.last('hello').profile === 'generic', 'the page', 60000);
  await replica.run(OOM, [{ wait: 500 }, ...replica.notebooks.tiles.cells.find(({ id }) => id === OOM).steps]);
  await note('card', () => page.cards().some(({ id }) => id === 'gpu-oom'), 500);
  const host = page.cards().find(({ id }) => id === 'gpu-oom')?.host;
  seen['at the cell'] =
    host?.parentElement.closest('[id^=cell-]')?.id === `cell-${OOM}` &&
    host.previousElementSibling?.localName !== 'pre';
  seen['near the text'] = Boolean(
    host?.closest('[id^=cell-]')?.id === `cell-${OOM}` ||
    host?.previousElementSibling?.textContent.includes('OutOfMemoryError'),
  );
  seen.source = b.events.some(
    (e) => e.t === 'source' && e.cell === OOM && e.text.includes('scores = net(tiles.to(device))'),
  );
  seen.running = b.events.some((e) => e.t === 'cell' && e.cell === OOM && e.state === 'running');
  await note('count', () => b.last('cell', (e) => e.cell === OOM)?.count === 2);
  seen.busy = b.events.some((e) => e.t === 'kernel' && e.status === 'busy');
  seen.ram = b.status().includes('1.3 of 12.7 GiB');
  seen.accelerator = b.status().includes('"text":"T4"');
  replica.dialog('inactive');
  await note('dialog', () => b.last('notice', (e) => e.kind === 'dialog' && e.text.includes('due to inactivity')));
  replica.banner('Qw ertz');
  await note('banner', () => b.last('notice', (e) => e.text.includes('Qw ertz')));
  await replica.run(RAM, [{ stream: 'stacking\n' }, { crash: 'ram' }]);
  await note('toast', () => b.last('notice', (e) => e.kind === 'toast' && e.text.includes('all available RAM')));
  const tree = b.tree();
  replica.connect('reconnect');
  await note('connected', () => b.last('kernel')?.status === 'disconnected');
  const parts = [];
  let said = '';
  const walk = (node) => {
    if (node.tag === 'li' && node.class === 'missing') parts.push(node.text);
    if (node.class === 'drift' && node.tag === 'div') said = JSON.stringify(node);
    node.kids?.forEach(walk);
  };
  walk(tree);
  const missing = Object.entries(colab.landmarks).flatMap(([name, { what }]) =>
    parts.includes(english(what)) ? [name] : [],
  );
  const profileId = b.last('hello').profile;
  const errors = page.errors;
  page.close();
  return { seen, missing, said, errors, profileId };
}

/** What is wrong with how a renamed page was read. */
function complaints({ seen, missing, said, errors }) {
  const broken = Object.entries(seen).flatMap(([what, works]) => (works ? [] : [what]));
  const allowed = new Set(missing.flatMap((name) => MAY_BREAK[name] ?? []));
  return [
    ...broken.filter((what) => !allowed.has(what)).map((what) => `broken and not said: ${what}`),
    ...missing
      .filter((name) => !said.includes(english(colab.landmarks[name].lost)))
      .map((name) => `not said what is lost without ${name}`),
    ...errors.map((error) => `threw: ${error}`),
  ];
}

/** Runs tasks, a few at a time. */
async function all(list, task) {
  const results = new Map();
  const queue = [...list];
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) results.set(item, await task(item));
    }),
  );
  return results;
}

test('the known page: everything works, and nothing is reported as missing', async () => {
  const whole = await play([]);
  assert.deepEqual(complaints(whole), []);
  assert.deepEqual([whole.missing, whole.said], [[], '']);
});

test('each landmark renamed in turn: it is reported, and everything else keeps working', async () => {
  const results = await all(Object.keys(colab.landmarks), (name) =>
    play([
      ...new Set(
        namesOf({
          sel:
            colab.landmarks[name].sel ??
            colab.vitals.find(({ source }) => source === colab.landmarks[name].vitals).text,
        }),
      ),
    ]),
  );
  for (const [name, result] of results) {
    assert.deepEqual(complaints(result), [], name);
    // A widget is inside another landmark, which disappears with it.
    const gone = colab.landmarks[name].vitals ? result.missing.length : result.missing.includes(name);
    assert.ok(gone, `${name} is not said to be missing, but ${result.missing}`);
  }
});

test('each name of the profile renamed in turn: what breaks is reported', async () => {
  // Markup of other years, which the replica never shows, can't be renamed.
  const names = [...new Set(namesOf(colab))].filter((name) => replicaText.includes(name.replace(/^[.#[]|\]$/g, '')));
  assert.ok(names.length > 50, names.join(' '));
  const results = await all(names, (name) => play([name]));
  const wrong = [...results].flatMap(([name, result]) => complaints(result).map((what) => `${name}: ${what}`));
  assert.deepEqual(wrong, []);
});

test('a page that is no longer recognised is read as blocks of text', async () => {
  const result = await play([...new Set(namesOf(colab))]);
  assert.deepEqual([result.seen.card, result.seen['near the text'], result.errors], [true, true, []]);
  assert.equal(result.profileId, 'generic');
  assert.match(
    result.said,
    /Google Colab changed its page: nbmedic no longer recognises anything there\. Blocks of text/,
  );
});
