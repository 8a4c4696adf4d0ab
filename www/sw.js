// Keeps one complete version of the site for offline use. A new version takes over when no page of the old one is open, so
// a page never loads another version's engine or texts.

/** The build fills these in: a hash of all files, and their names. */
const VERSION = '__VERSION__';
const FILES = ['__FILES__'];

/** Untyped, because the type check assumes a page, not a service worker. @type {any} */
const worker = self;

const PREFIX = 'nbmedic-site-';
const NAME = PREFIX + VERSION;

worker.addEventListener('install', (/** @type {any} */ event) => {
  const requests = FILES.map((file) => new Request(file, { cache: 'reload' }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(requests)));
});

worker.addEventListener('activate', (/** @type {any} */ event) => {
  const tidy = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith(PREFIX) && name !== NAME) await caches.delete(name);
    }
    await worker.clients.claim();
  };
  event.waitUntil(tidy());
});

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  const kept = caches.open(NAME).then((cache) => cache.match(request, { ignoreSearch: true }));
  event.respondWith(kept.then((answer) => answer ?? fetch(request)));
});
