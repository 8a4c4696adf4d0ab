// A witness in a copy of the package: records what was acknowledged to the sensor and what the background stored.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { manifest } from './packages.mjs';
import { until } from './wait.mjs';

const BACKGROUND = `import './background.js';
chrome.runtime.onMessage.addListener((message, sender, reply) => {
  if (message?.witness !== 'store') return false;
  const request = indexedDB.open('nbmedic');
  // It is nbmedic's to make.
  request.onupgradeneeded = () => request.transaction.abort();
  request.onerror = () => reply({ error: String(request.error) });
  request.onsuccess = () => {
    const db = request.result;
    // Each store on its own: a damaged one is nbmedic's to find when it reads it.
    const read = (name, method) => new Promise((resolve, reject) => {
      const work = db.transaction(name);
      const rows = work.objectStore(name)[method]();
      work.oncomplete = () => resolve(rows.result);
      work.onabort = () => reject(work.error);
    });
    const all = ['pages', 'events', 'settings'].map((name) => read(name, 'getAll'));
    const history = read('history', 'getAll').then((rows) => rows.length, () => null);
    Promise.all([...all, read('settings', 'getAllKeys'), history]).then(
      ([pages, events, values, keys, past]) => {
        const settings = Object.fromEntries(keys.map((key, i) => [key, values[i]]));
        reply({ version: db.version, pages, events, settings, past });
      },
      (error) => reply({ error: String(error) }),
    ).finally(() => db.close());
  };
  return true;
});
`;

const SENSOR = `{
  const acks = [];
  const send = chrome.runtime.sendMessage;
  chrome.runtime.sendMessage = async (message) => {
    const reply = await send.call(chrome.runtime, message);
    if (message.kind === 'events' && reply?.ack === message.seq) acks.push({ page: message.page, seq: message.seq, events: message.events });
    return reply;
  };
  const root = document.documentElement;
  root.addEventListener('witness', async () => {
    if (!chrome.runtime?.id) return;
    const known = acks.length;
    let store = await send.call(chrome.runtime, { witness: 'store' }).catch((error) => ({ error: String(error) }));
    const page = acks.at(-1)?.page;
    const report = page && await send.call(chrome.runtime, { nbmedic: 1, kind: 'ask', page, what: 'report', format: 'json' }).catch(() => null);
    // What was acknowledged after the store was read is not in it.
    if (acks.length > known) store = { error: 'a batch was acknowledged meanwhile' };
    root.dataset.witness = JSON.stringify({ acks, store, report: report?.text ? JSON.parse(report.text) : null });
  });
}
`;

// Counts the working watchers, in this script world and in those of earlier versions that are still on the page: a working
// one reacts when its tab is shown.
const CENSUS = `if (!globalThis.census) {
  const working = new Set();
  globalThis.census = working;
  const { addEventListener, removeEventListener } = document;
  document.addEventListener = (type, listener, ...rest) => {
    if (type === 'visibilitychange') working.add(listener);
    addEventListener.call(document, type, listener, ...rest);
  };
  document.removeEventListener = (type, listener, ...rest) => {
    if (type === 'visibilitychange') working.delete(listener);
    removeEventListener.call(document, type, listener, ...rest);
  };
  document.documentElement.addEventListener('census', () => {
    const root = document.documentElement;
    const seen = JSON.parse(root.dataset.census ?? '[]');
    root.dataset.census = JSON.stringify([...seen, { orphan: !chrome.runtime?.id, working: working.size }]);
  });
}
`;

/** Adds the witness to an unpacked package, so that it runs before nbmedic's sensor. */
export async function addWitness(dir) {
  // Earlier builds have more than one file.
  const [sites] = ['background/sites.js', 'background.js'].map((name) => path.join(dir, name)).filter(existsSync);
  const list = await readFile(sites, 'utf8');
  // Earlier builds name it SHIPPED.
  const first = /(SHIPPED|PAGE_SENSOR) ?= ?\[['"]/;
  if (!first.test(list)) throw new Error(`${sites} names no script of the sensor where one is expected`);
  await writeFile(
    sites,
    list.replace(first, (match) => `${match.slice(0, -1)}'witness.js', ${match.at(-1)}`),
  );
  await manifest(dir, (made) => {
    if (made.background.service_worker) made.background.service_worker = 'witness-background.js';
    made.background.scripts = ['witness-background.js'];
    made.content_scripts[0].js.unshift('witness.js');
  });
  await writeFile(path.join(dir, 'witness-background.js'), BACKGROUND);
  await writeFile(path.join(dir, 'witness.js'), CENSUS + SENSOR);
}

/**
 * The sensors on a page: the `working` ones, how many of them are `orphans` of an extension that is gone, and the number
 * of script `worlds` that answered.
 */
export async function census(page) {
  const seen = JSON.parse(
    await page.evaluate(() => {
      const root = document.documentElement;
      root.dataset.census = '[]';
      root.dispatchEvent(new Event('census'));
      return root.dataset.census;
    }),
  );
  return {
    worlds: seen.length,
    working: seen.reduce((sum, { working }) => sum + working, 0),
    orphans: seen.reduce((sum, { orphan, working }) => sum + (orphan ? working : 0), 0),
  };
}

/** What a page's witness saw: `acks`, the `store` (`past` is the number of its history's entries, or null where they can't be read), and the page's
 * `report`. Asks again if the answer was lost with a background. */
export function witness(page) {
  const AGAIN_MS = 4000;
  let asked = 0;
  let error = null;
  return until(
    'the witness',
    async () => {
      const again = Date.now() - asked > AGAIN_MS;
      if (again) asked = Date.now();
      const text = await page.evaluate((ask) => {
        const root = document.documentElement;
        if (ask) {
          delete root.dataset.witness;
          root.dispatchEvent(new Event('witness'));
        }
        return root.dataset.witness ?? '';
      }, again);
      const seen = text && JSON.parse(text);
      if (seen && !seen.store?.error) return seen;
      if (seen) ({ error } = seen.store);
      if (seen) asked = 0;
      return null;
    },
    { every: 100, detail: () => error },
  );
}
