// Loads the WebAssembly of the extension's pages; the document's `data-page` selects the page to draw. The build bundles
// this file and its imports into one classic script, because each request delays the page and a module waits longer.
import init from './pages/pages.js';
import { loadMessages, message } from './messages.js';

// The first request of the panel and the popup is sent while their module is still loading; `browser.rs` uses the
// answer if it would send the same request.
const FIRST = new Map([
  ['/panel.html', 'panel'],
  ['/popup.html', 'status'],
]);
const kind = FIRST.get(location.pathname);

/** @param {number | undefined} tab @param {string} [url] */
function ask(tab, url = '') {
  if (tab === undefined) return;
  const origin = kind === 'status' && /^https?:/.test(url) ? { origin: new URL(url).origin } : {};
  const message = { nbmedic: 1, kind, tab, ...origin };
  const answer = chrome.runtime.sendMessage(message);
  // The code that uses the answer handles the error.
  answer.catch(() => {});
  Object.assign(globalThis, { nbmedicAsked: { json: JSON.stringify(message), answer } });
}

if (kind) {
  const named = kind === 'panel' && new URLSearchParams(location.search).get('tab');
  if (named) ask(Number(named));
  // If the query fails, the page sends its own request and shows the error.
  else
    chrome.tabs.query({ active: true, currentWindow: true }).then(
      ([tab]) => ask(tab?.id, tab?.url),
      () => {},
    );
}

/** Compiled while everything else loads. */
const code = WebAssembly.compileStreaming(fetch(new URL('./pages/pages_bg.wasm', import.meta.url)));
// The code that awaits it reports the error.
code.catch(() => {});

/** Applies the theme that the user chose. Reading localStorage blocks, so this comes last. */
function paint() {
  const theme = localStorage.getItem('theme');
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}
paint();
addEventListener('storage', paint);

/** Resolves when the document is parsed: the script may run before that. */
const parsed =
  document.readyState === 'loading' ? new Promise((done) => document.addEventListener('DOMContentLoaded', done)) : null;

/** Fills in the document's static texts in the user's language. */
function words() {
  document.documentElement.lang = message('language');
  for (const element of document.querySelectorAll('[data-say]')) {
    element.textContent = message(/** @type {import('./messages.js').MessageKey} */ (element.getAttribute('data-say')));
  }
}

async function start() {
  await Promise.all([parsed, loadMessages()]);
  words();
  // For the module (words.rs), whose texts may have to come from the package too.
  Object.assign(globalThis, { nbmedicMessage: message });
  await init({ module_or_path: code });
}

start().catch((/** @type {unknown} */ error) => {
  const said = document.createElement('p');
  said.className = 'trouble';
  said.textContent = message('pageFailed', [String(error)]);
  document.body.append(said);
});
