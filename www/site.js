// Registers the offline copy and the search's key, on every page.

// The pages' policy accepts only script addresses as strings, and only these.
const SCRIPTS = ['engine-worker.js', 'sw.js'];
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy('nbmedic', {
  createScriptURL: (/** @type {string} */ name) => {
    if (!SCRIPTS.includes(name)) throw new TypeError(`${name} is no script of this site`);
    return new URL(name, import.meta.url).href;
  },
});

/** The address of one of the site's scripts. @param {string} name */
export const script = (name) => policy?.createScriptURL(name) ?? new URL(name, import.meta.url).href;

// Not available on plain http; the page works without it.
navigator.serviceWorker?.register(script('sw.js')).catch(() => {});

// A page with a field of its own for searching focuses that one.
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || document.getElementById('find')) return;
  if (event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')) return;
  event.preventDefault();
  location.assign(new URL('search/', import.meta.url));
});
