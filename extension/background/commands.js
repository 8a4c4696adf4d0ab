// Keyboard shortcuts. The browser lists them and lets the person change their keys.

import { send } from './parts.js';
import { openPanel } from './sensor-requests.js';

/** What a sensor does at a shortcut, by its name in the manifest. @type {Record<string, Record<string, unknown>>} */
const ON_PAGE = { next: { kind: 'next' }, 'copy-fix': { kind: 'next', copies: true } };

/** @param {string} name @param {chrome.tabs.Tab} [tab] the active tab */
export async function onCommand(name, tab) {
  if (tab?.id === undefined) return;
  // The browser opens the panel only during the key press, so before any await. Firefox opens its sidebar itself.
  if (name === 'panel') {
    await openPanel(tab.id);
    return;
  }
  const message = ON_PAGE[name];
  if (message) await send(tab.id, message);
}
