import assert from 'node:assert/strict';
import test from 'node:test';
import { Badge } from '../../extension/background/badge.js';
import { english } from './english.mjs';

globalThis.chrome = { i18n: { getMessage: english } };

/** Badges as a browser holds them: a tab without a text of its own shows the text of all. */
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

test('a tab that shows has its number, and nobody is notified', async () => {
  const b = make();
  await b.badge.show(1, { count: 2, news: true });
  assert.deepEqual([b.shown(1), b.shown(2), b.notified], ['2', '', []]);
  await b.badge.show(1, { count: 0 });
  assert.equal(b.shown(1), '');
});

test('a crash in a hidden tab shows on the tab that one looks at, until one has looked', async () => {
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

test('what stood on a page that was opened in the background is no news', async () => {
  const b = make({ hidden: [1] });
  await b.badge.show(1, { count: 3 });
  assert.deepEqual([b.shown(9), b.shown(1), b.notified], ['', '3', []]);
});

test('a background that was started again notifies nobody twice, and goes on', async () => {
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

test('of a private window nothing is written and no notification is left', async () => {
  const b = make({ hidden: [1] });
  await b.badge.show(1, { count: 1, news: true, isPrivate: true });
  assert.deepEqual([b.shown(9), b.notified, b.stored.badges], ['+1', [], []]);
});

test('a trouble of nbmedic itself has its own sign; a tab that is gone breaks nothing', async () => {
  const b = make();
  await b.badge.show(1, { trouble: true });
  assert.equal(b.shown(1), '!');
  b.badge.parts.action.setBadgeText = async () => {
    throw new Error('No tab with id: 1');
  };
  await b.badge.show(1, { count: 1, news: true });
});
