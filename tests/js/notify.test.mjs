import assert from 'node:assert/strict';
import test from 'node:test';
import { canNotify, listenToClicks, notify } from '../../extension/background/notify.js';

function browser({ granted = true, api = true } = {}) {
  const b = { made: [], clicked: null, updated: [] };
  globalThis.chrome = {
    i18n: { getMessage: (key, args) => [key, ...args].join(' ') },
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

test('only if the user switched it on and the browser allows it', async () => {
  browser();
  assert.equal(await canNotify(async () => true), true);
  assert.equal(await canNotify(async () => undefined), false);
  browser({ granted: false });
  assert.equal(await canNotify(async () => true), false);
});

test('it names the tab and nothing that was printed; a click leads to the tab', async () => {
  const b = browser();
  await notify(1);
  await notify(2);
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

test('without the permission nothing is subscribed', () => {
  browser({ api: false });
  listenToClicks();
});
