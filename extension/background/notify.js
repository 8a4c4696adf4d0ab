// System notifications about hidden tabs, shown only if the user switched them on.

import { message } from '../messages.js';
import { quietly } from './badge.js';

const PERMISSION = { permissions: /** @type {chrome.runtime.ManifestPermission[]} */ (['notifications']) };
const NAME = 'tab-';

/** Whether the user switched notifications on and the browser still allows them. @param {() => Promise<unknown>} wanted */
export async function canNotify(wanted) {
  return (await wanted()) === true && (await chrome.permissions.contains(PERMISSION));
}

/** @param {number} tab */
export async function notify(tab) {
  const { title } = await chrome.tabs.get(tab);
  await chrome.notifications.create(`${NAME}${tab}`, {
    type: 'basic',
    iconUrl: chrome.runtime.getURL('icons/128.png'),
    title: 'nbmedic',
    message: title ? message('failedNamed', [title]) : message('failedSomewhere'),
  });
}

/** Handles a click on a notification by activating its tab. @param {string} id */
async function clicked(id) {
  if (!id.startsWith(NAME)) return;
  const tab = await quietly(() => chrome.tabs.update(Number(id.slice(NAME.length)), { active: true }));
  if (tab) await quietly(() => chrome.windows.update(tab.windowId, { focused: true }));
  await quietly(() => chrome.notifications.clear(id));
}

/** Listens for clicks on notifications; the API exists only once the permission is granted. */
export function listenToClicks() {
  const { onClicked } = chrome.notifications ?? {};
  if (onClicked && !onClicked.hasListener(onClick)) onClicked.addListener(onClick);
}

/** @param {string} id */
function onClick(id) {
  void clicked(id);
}
