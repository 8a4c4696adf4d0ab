// Loads the pages' own WebAssembly; the document's `data-page` says which page it draws.
import init from './pages/pages.js';

init({ module_or_path: new URL('./pages/pages_bg.wasm', import.meta.url) }).catch((/** @type {unknown} */ error) => {
  const said = document.createElement('p');
  said.className = 'trouble';
  said.textContent = `nbmedic could not start this page: ${error}. Reinstalling the extension repairs missing files.`;
  document.body.append(said);
});
