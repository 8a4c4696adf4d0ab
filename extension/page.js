// Loads the pages' own WebAssembly; the document's `data-page` says which page it draws. The build puts this file and
// what it imports into one: every request is time before the page is there.
import init from './pages/pages.js';
import { words } from './words.js';

/** Compiled while everything else is asked for. */
const code = WebAssembly.compileStreaming(fetch(new URL('./pages/pages_bg.wasm', import.meta.url)));
// Whoever awaits it says what is wrong.
code.catch(() => {});

/** The colours that the person chose, known before the background is asked. */
function paint() {
  const theme = localStorage.getItem('theme');
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}
paint();

// The panel's first question is asked while its module is still being loaded; `browser.rs` takes the answer.
const tab = new URLSearchParams(location.search).get('tab');
if (document.body.dataset.page === 'panel' && tab) {
  const message = { nbmedic: 1, kind: 'panel', tab: Number(tab) };
  Object.assign(globalThis, { nbmedicAsked: { json: JSON.stringify(message), answer: chrome.runtime.sendMessage(message) } });
}
addEventListener('storage', paint);

async function start() {
  const known = await words();
  if (known) {
    const { language, say } = known;
    document.documentElement.lang = language;
    document.title = say(document.title) ?? document.title;
    for (const element of document.querySelectorAll('main p')) element.textContent = say(element.textContent ?? '') ?? element.textContent;
    // The pages' module looks for it when it starts.
    Object.assign(globalThis, { nbmedicSay: say });
  }
  await init({ module_or_path: code });
}

start().catch((/** @type {unknown} */ error) => {
  const said = document.createElement('p');
  said.className = 'trouble';
  said.textContent = `nbmedic could not start this page: ${error}. Reinstalling the extension repairs missing files.`;
  document.body.append(said);
});
