// Loads the pages' own WebAssembly; the document's `data-page` says which page it draws. The build puts this file and
// what it imports into one plain script: every request is time before the page is there, and a module waits for more.
import init from './pages/pages.js';
import { message } from './messages.js';

// The first question of the panel and of the popup is asked while their module is still being loaded; `browser.rs` takes
// the answer, if it would ask the same.
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
  // Whoever takes it hears what is wrong.
  answer.catch(() => {});
  Object.assign(globalThis, { nbmedicAsked: { json: JSON.stringify(message), answer } });
}

if (kind) {
  const named = kind === 'panel' && new URLSearchParams(location.search).get('tab');
  if (named) ask(Number(named));
  // Where the browser does not say, the page asks and fails by itself.
  else
    chrome.tabs.query({ active: true, currentWindow: true }).then(
      ([tab]) => ask(tab?.id, tab?.url),
      () => {},
    );
}

/** Compiled while everything else is asked for. */
const code = WebAssembly.compileStreaming(fetch(new URL('./pages/pages_bg.wasm', import.meta.url)));
// Whoever awaits it says what is wrong.
code.catch(() => {});

/** The colours that the person chose. Reading them waits for the browser, so that it comes last. */
function paint() {
  const theme = localStorage.getItem('theme');
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}
paint();
addEventListener('storage', paint);

/** The script runs as soon as it is there, which may be before the whole document is. */
const parsed =
  document.readyState === 'loading' ? new Promise((done) => document.addEventListener('DOMContentLoaded', done)) : null;

/** Says what the document itself says. */
function words() {
  document.documentElement.lang = message('language');
  for (const element of document.querySelectorAll('[data-say]')) {
    element.textContent = message(/** @type {import('./messages.js').MessageKey} */ (element.getAttribute('data-say')));
  }
}

async function start() {
  await parsed;
  words();
  await init({ module_or_path: code });
}

start().catch((/** @type {unknown} */ error) => {
  const said = document.createElement('p');
  said.className = 'trouble';
  said.textContent = message('pageFailed', [String(error)]);
  document.body.append(said);
});
