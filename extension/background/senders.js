// Tells who sent a message.

/** @typedef {import('./pages.js').From} From */

/**
 * The sensor that sent a message; `own` for a page of the extension, told by its address: a page of the web may have no tab
 * either, while it is prerendered or closed. Null for anything else.
 * @param {chrome.runtime.MessageSender} sender @returns {From | 'own' | null}
 */
export function senderOf({ tab, frameId = 0, origin, url }) {
  if (url?.startsWith(chrome.runtime.getURL(''))) return 'own';
  if (tab?.id === undefined) return null;
  return {
    tab: tab.id,
    frame: frameId,
    origin: origin ?? new URL(url ?? 'about:blank').origin,
    isPrivate: tab.incognito,
  };
}
