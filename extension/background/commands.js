// Keyboard shortcuts. The browser lists them and lets the person change their keys.

import { quietly } from './badge.js';
import { send } from './parts.js';

/** What a sensor does at a shortcut, by its name in the manifest. @type {Record<string, Record<string, unknown>>} */
const ON_PAGE = { next: { kind: 'next' }, 'copy-fix': { kind: 'next', copies: true } };

/** @param {string} name @param {chrome.tabs.Tab} [tab] the active tab */
export async function onCommand(name, tab) {
  if (tab?.id === undefined) return;
  // The browser opens the panel only during the key press, so before any await. Firefox opens its sidebar itself.
  if (name === 'panel') {
    const { id } = tab;
    await quietly(() => chrome.sidePanel.open({ tabId: id }));
    return;
  }
  const message = ON_PAGE[name];
  if (message) await send(tab.id, message);
}
