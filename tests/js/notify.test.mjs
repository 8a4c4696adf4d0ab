import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { canNotify, listenToClicks, notify } from '../../extension/background/notify.js';
import { dictionary } from '../../extension/words.js';

function browser({ granted = true, api = true } = {}) {
  const b = { made: [], clicked: null, updated: [] };
  globalThis.chrome = {
    runtime: { getURL: (name) => `x/${name}` },
    permissions: { contains: async ({ permissions }) => granted && permissions[0] === 'notifications' },
    tabs: {
      get: async (id) => (id === 1 ? { title: 'train.ipynb' } : {}),
      update: async (id, change) => {
        b.updated.push([id, change]);
        return { windowId: 5 };
      },
    },
    windows: {
      update: async (id, change) => {
        b.updated.push([id, change]);
      },
    },
  };
  if (api) {
    globalThis.chrome.notifications = {
      create: async (id, what) => {
        b.made.push([id, what.message]);
      },
      clear: async () => {},
      onClicked: {
        hasListener: (f) => b.clicked === f,
        addListener: (f) => {
          assert.equal(b.clicked, null);
          b.clicked = f;
        },
      },
    };
  }
  return b;
}

test('only where the person switched it on and the browser allows it', async () => {
  browser();
  assert.equal(await canNotify(async () => true), true);
  assert.equal(await canNotify(async () => undefined), false);
  browser({ granted: false });
  assert.equal(await canNotify(async () => true), false);
});

test('it names the tab and nothing that was printed; a click leads there', async () => {
  const b = browser();
  const say = dictionary(
    JSON.parse(
      readFileSync(new URL('../../extension/_locales/en/messages.json', import.meta.url), 'utf8'),
      (_key, value) => value.message ?? value,
    ),
    (key, parts) => [key, ...parts].join(' '),
  );
  await notify(1, say);
  await notify(2, say);
  assert.deepEqual(b.made, [
    ['tab-1', 'failedNamed train.ipynb'],
    ['tab-2', 'failedSomewhere'],
  ]);
  listenToClicks();
  listenToClicks();
  b.clicked('tab-1');
  b.clicked('of somebody else');
  await new Promise((done) => {
    setTimeout(done, 5);
  });
  assert.deepEqual(b.updated, [
    [1, { active: true }],
    [5, { focused: true }],
  ]);
});

test('without the permission there is nothing to listen to', () => {
  browser({ api: false });
  listenToClicks();
});
