import assert from 'node:assert/strict';
import test from 'node:test';
import { Badge } from '../../extension/background/badge.js';
import { english } from './english.mjs';

globalThis.chrome = { i18n: { getMessage: english } };

/** Badges as a browser stores them: a tab without its own text shows the text for all tabs. */
function make({ hidden = [], stored = {} } = {}) {
  const b = { texts: new Map(), all: '', title: '', notified: [], stored, hidden: new Set(hidden) };
  b.badge = new Badge({
    action: {
      async setBadgeText({ tabId, text }) {
        if (tabId === undefined) b.all = text;
        else if (text === null) b.texts.delete(tabId);
        else b.texts.set(tabId, text);
      },
      setBadgeBackgroundColor: async () => {},
      setTitle: async ({ title }) => {
        b.title = title;
      },
    },
    hidden: async (tab) => b.hidden.has(tab),
    load: async () => b.stored.badges,
    save: async (tabs) => {
      b.stored.badges = structuredClone(tabs);
    },
    notify: async (tab, count) => {
      b.notified.push([tab, count]);
    },
  });
  b.shown = (tab) => b.texts.get(tab) ?? b.all;
  return b;
}

test('a visible tab shows its number, without a notification', async () => {
  const b = make();
  await b.badge.show(1, { count: 2, news: true });
  assert.deepEqual([b.shown(1), b.shown(2), b.notified], ['2', '', []]);
  await b.badge.show(1, { count: 0 });
  assert.equal(b.shown(1), '');
});

test('a crash in a hidden tab is marked on the visible tab until the hidden one is shown', async () => {
  const b = make({ hidden: [1, 2] });
  await b.badge.show(1, { count: 1, news: true });
  assert.deepEqual([b.shown(9), b.title, b.notified], ['+1', 'nbmedic: something failed in another tab', [[1, 1]]]);
  await b.badge.show(2, { count: 1, news: true });
  assert.deepEqual([b.shown(9), b.title], ['+2', 'nbmedic: something failed in 2 other tabs']);
  await b.badge.show(1, { count: 1, news: true });
  assert.equal(b.notified.length, 2, 'once for each');
  await b.badge.seen(1);
  await b.badge.gone(2);
  assert.deepEqual([b.shown(9), b.shown(1), b.title], ['', '1', 'nbmedic']);
});

test('problems that a page opened in the background already had are not news', async () => {
  const b = make({ hidden: [1] });
  await b.badge.show(1, { count: 3 });
  assert.deepEqual([b.shown(9), b.shown(1), b.notified], ['', '3', []]);
});

test('a restarted background does not notify twice, and continues', async () => {
  const first = make({ hidden: [1] });
  await first.badge.show(1, { count: 1, news: true });
  const b = make({ hidden: [1], stored: first.stored });
  b.all = first.all;
  await b.badge.show(1, { count: 1, news: true });
  assert.deepEqual(b.notified, []);
  await b.badge.show(1, { count: 2, news: true });
  assert.deepEqual([b.notified, b.shown(9)], [[[1, 2]], '+1']);
  await b.badge.seen(1);
  assert.equal(b.shown(9), '');
});

test('a private window leaves nothing in the store and no notification', async () => {
  const b = make({ hidden: [1] });
  await b.badge.show(1, { count: 1, news: true, isPrivate: true });
  assert.deepEqual([b.shown(9), b.notified, b.stored.badges], ['+1', [], []]);
});

test('a failure of nbmedic itself has its own sign; a closed tab breaks nothing', async () => {
  const b = make();
  await b.badge.show(1, { trouble: true });
  assert.equal(b.shown(1), '!');
  b.badge.parts.action.setBadgeText = async () => {
    throw new Error('No tab with id: 1');
  };
  await b.badge.show(1, { count: 1, news: true });
});
