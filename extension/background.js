// The background script: stores what sensors send, runs the engine, and answers cards and the extension's own pages.
// Browsers stop it when it is idle and restart it for an event, so every listener is registered here in the first turn
// and state survives only if it is stored.

// Imported first because compiling the engine takes longest.
import './background/code.js';
import { applyPermissions } from './background/access.js';
import { ACTIONS } from './background/action-requests.js';
import { quietly } from './background/badge.js';
import { onCommand } from './background/commands.js';
import { listenToClicks } from './background/notify.js';
import { badge, engine, markInstalled, pages, relay, settings, troubles } from './background/parts.js';
import { senderOf } from './background/senders.js';
import { answerSensor } from './background/sensor-requests.js';
import { register, revive } from './background/sites.js';
import { VIEWS } from './background/view-requests.js';

/** Handlers for requests from the extension's own pages, by kind. @type {Record<string, (message: any) => unknown>} */
const OWN = { ...VIEWS, ...ACTIONS };

/** @param {any} message @param {chrome.runtime.MessageSender} sender @returns {Promise<unknown>} */
async function answer(message, sender) {
  const from = senderOf(sender);
  if (from !== 'own') return from && answerSensor(message, from);
  return Object.hasOwn(OWN, message.kind) ? OWN[message.kind]?.(message) : null;
}

chrome.runtime.onMessage.addListener((message, sender, reply) => {
  if (message?.nbmedic !== 1 || sender.id !== chrome.runtime.id) return false;
  answer(message, sender).then(reply, (error) => {
    // A missing engine has already been recorded by the engine host.
    if (!engine.missing) void troubles.record('failed', error);
    reply({ trouble: engine.missing ? 'engine-missing' : 'failed' });
  });
  return true;
});

chrome.runtime.onInstalled.addListener(({ reason }) => {
  markInstalled();
  if (reason === 'install') void quietly(() => chrome.tabs.create({ url: 'welcome.html' }));
  void applyPermissions();
});
chrome.runtime.onStartup.addListener(() => {
  void pages.started(performance.timeOrigin);
  void badge.reset();
});
chrome.permissions.onAdded.addListener(() => {
  listenToClicks();
  void applyPermissions();
});
chrome.permissions.onRemoved.addListener(() => void applyPermissions());
// Firefox for Android has no shortcuts.
chrome.commands?.onCommand.addListener((name, tab) => void onCommand(name, tab));
chrome.tabs.onActivated.addListener(({ tabId }) => void badge.seen(tabId));
// Firefox for Android has no windows.
chrome.windows?.onFocusChanged.addListener((id) => {
  void quietly(async () => {
    const [tab] = await chrome.tabs.query({ active: true, windowId: id });
    if (tab?.id !== undefined) await badge.seen(tab.id);
  });
});

/** @param {number} tab */
function onTabGone(tab) {
  void pages.closed(tab);
  void badge.gone(tab);
  relay.closed(tab);
}
chrome.tabs.onRemoved.addListener(onTabGone);
// A tab discarded to save memory may come back with a different id.
chrome.tabs.onReplaced?.addListener((_now, before) => onTabGone(before));
// Firefox keeps cached pages across an extension update; onUpdated reports those the extension may read.
if (chrome.runtime.getURL('').startsWith('moz-')) {
  const listen = /** @type {any} */ (chrome.tabs.onUpdated).addListener.bind(chrome.tabs.onUpdated);
  listen(
    (/** @type {number} */ id, /** @type {{status?: string}} */ { status }) => status === 'complete' && void revive(id),
    { urls: ['http://*/*', 'https://*/*'], properties: ['status'] },
  );
}
listenToClicks();
// Opens the database while the engine is compiled.
settings.all().catch(() => {});
// Permissions may have changed while the background was stopped.
void register();
