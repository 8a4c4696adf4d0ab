// Copies a text from a page without the page reading or replacing it.

/**
 * Answers the browser's next copy events with a text, before the page hears of them: the text is never in the page's
 * document or selection. A script of the page that listened earlier, at the window, can only stop the event.
 * @param {string} text @param {() => void} [onDone] @returns {{stop: () => void, isDone: () => boolean}}
 */
function answer(text, onDone = () => {}) {
  let isDone = false;
  const take = (/** @type {Event} */ event) => {
    // An event that a script made would hand the text to that script.
    if (!event.isTrusted) return;
    event.stopImmediatePropagation();
    // Also says that there is something to copy, to browsers that ask first.
    event.preventDefault();
    const data = event.type === 'copy' ? /** @type {ClipboardEvent} */ (event).clipboardData : null;
    if (!data) return;
    data.clearData();
    data.setData('text/plain', text);
    isDone = true;
    onDone();
  };
  const types = ['beforecopy', 'copy'];
  for (const type of types) window.addEventListener(type, take, true);
  return {
    stop: () => types.forEach((type) => window.removeEventListener(type, take, true)),
    isDone: () => isDone,
  };
}

/** Copies a text by the browser's command. @param {string} text */
function command(text) {
  const answering = answer(text);
  try {
    return document.execCommand('copy') && answering.isDone();
  } finally {
    answering.stop();
  }
}

/**
 * Shows a field in which the user's own keys copy a text. The text itself is not in it: a page can read what is selected,
 * and in Firefox more (intact.js).
 * @param {string} text @param {ShadowRoot} root @param {import('./intact.js').Intact} intact
 */
function offer(text, root, intact) {
  const before = /** @type {HTMLElement | null} */ (root.activeElement);
  const area = document.createElement('pre');
  area.className = 'pick';
  area.tabIndex = 0;
  area.setAttribute('role', 'textbox');
  area.setAttribute('aria-readonly', 'true');
  area.setAttribute('aria-label', chrome.i18n.getMessage('textToCopy'));
  area.textContent = chrome.i18n.getMessage('selectedPress');
  /** @param {KeyboardEvent} event */
  const pressed = ({ key, ctrlKey, metaKey }) => {
    // The page stopped the event.
    if (key.toLowerCase() === 'c' && (ctrlKey || metaKey) && !answering.isDone())
      intact.change(() => (area.textContent = chrome.i18n.getMessage('couldNotCopy')));
  };
  const gone = () => {
    answering.stop();
    window.removeEventListener('keyup', pressed, true);
    // Deferred, because removing the focused element also fires a blur event.
    setTimeout(() => intact.change(() => area.remove()));
  };
  const answering = answer(text, () => {
    gone();
    setTimeout(() => before?.focus());
  });
  area.addEventListener('blur', gone);
  // At the window: a card's own keys go no further.
  window.addEventListener('keyup', pressed, true);
  intact.change(() => root.append(area));
  area.focus();
}

/**
 * @param {string} text @param {ShadowRoot} root @param {import('./intact.js').Intact} intact
 * @returns {Promise<'yes' | 'pick'>}
 */
export async function copy(text, root, intact) {
  try {
    await navigator.clipboard.writeText(text);
    return 'yes';
  } catch {
    // A plain http: page has no clipboard API.
    if (command(text)) return 'yes';
    offer(text, root, intact);
    return 'pick';
  }
}
