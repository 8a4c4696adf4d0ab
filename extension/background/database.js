// The extension's IndexedDB database: page events, history and settings.

import { slot } from '../slot.js';
import { isOver, remembered, solved } from './history.js';
import { MAX_PAGE, PER_BATCH, isPassing, obsolete, outputs, place, rows, whole } from './store.js';

/** @typedef {import('./store.js').Page} Page @typedef {import('./store.js').Stored} Stored */

/**
 * The steps from one schema version to the next; the version is their number. A released step is never
 * changed: a database runs every step it has not yet run.
 * @type {((db: IDBDatabase, work: IDBTransaction) => void)[]}
 */
export const MIGRATIONS = [
  (db) => {
    db.createObjectStore('pages', { keyPath: 'page' });
    db.createObjectStore('events', { keyPath: ['page', 'slot'] });
    db.createObjectStore('settings');
  },
  // Indexes events by order, so the oldest events of a page over its limit are found without reading all of them.
  (_db, work) => {
    work.objectStore('events').createIndex('order', ['page', 'order']);
  },
  // Past findings, indexed by time.
  (db) => {
    db.createObjectStore('history', { keyPath: 'key' }).createIndex('at', 'at');
  },
];

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
function end(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('aborted'));
  });
}

/** The keys of a page's events. @param {string} page @param {string} [from] @param {string} [to] */
function range(page, from = '', to = '\uffff') {
  return IDBKeyRange.bound([page, from], [page, to]);
}

/**
 * The stored rows that a new row replaces or makes obsolete.
 * @param {IDBObjectStore} store @param {string} page @param {SensorEvent} event @returns {Promise<Stored[]>}
 */
async function touched(store, page, event) {
  const own = slot(event);
  const ranges = [range(page, own, own)];
  if (clears(event)) {
    const prefix = outputs(event);
    ranges.push(range(page, prefix, `${prefix}\uffff`));
  }
  if (event.t === 'removed') for (const other of whole(event)) ranges.push(range(page, other, other));
  const found = await Promise.all(ranges.map((keys) => answer(store.getAll(keys))));
  return found.flat();
}

/** Whether an event can make other events obsolete. @param {SensorEvent} event */
const clears = (event) => event.t === 'removed' || event.t === 'outputs';

/**
 * Puts rows in the place of those that they replace or make obsolete; returns by how much the page's size changes.
 * @param {IDBObjectStore} store @param {Stored[]} fresh @param {Stored[]} found what `touched` found for each of them
 */
function replace(store, fresh, found) {
  let change = 0;
  const sizes = new Map(found.map((old) => [old.slot, old.size]));
  for (const row of fresh) {
    if (clears(row.event)) {
      for (const [old, size] of sizes) {
        if (!obsolete(old, row.event)) continue;
        change -= size;
        sizes.delete(old);
        store.delete([row.page, old]);
      }
    }
    change += row.size - (sizes.get(row.slot) ?? 0);
    sizes.set(row.slot, row.size);
    store.put(row);
  }
  return change;
}

/** Deletes a page's oldest outputs and notices until `over` characters are freed; returns the number freed. @param {IDBObjectStore} store @param {string} page @param {number} over @returns {Promise<number>} */
function shrink(store, page, over) {
  return new Promise((resolve, reject) => {
    let freed = 0;
    const request = store.index('order').openCursor(IDBKeyRange.bound([page, 0], [page, Infinity]));
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor || freed >= over) return resolve(freed);
      if (isPassing(cursor.value.event)) {
        freed += cursor.value.size;
        cursor.delete();
      }
      return cursor.continue();
    };
  });
}

/** Deletes history entries over the limits. @param {IDBIndex} index by time @param {number} rows number of entries @param {number} now */
function prune(index, rows, now) {
  return new Promise((resolve, reject) => {
    let left = rows;
    const request = index.openCursor();
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor || !isOver(Number(cursor.key), left, now)) return resolve(left);
      left -= 1;
      cursor.delete();
      return cursor.continue();
    };
  });
}

/**
 * `rebuild` closes the database, so that the next call reopens it; with `fresh` it is also deleted. `made` is
 * called when no database existed: at the first start, or after the browser discarded a damaged one.
 * @param {string} [name] @param {() => void} [made] @returns {import('./store.js').Store & {rebuild(fresh: boolean): Promise<void>}}
 */
export function indexedStore(name = 'nbmedic', made = () => {}) {
  /** @type {Promise<IDBDatabase> | null} */
  let opened = null;
  function open() {
    opened ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(name, MIGRATIONS.length);
      let fresh = false;
      request.onupgradeneeded = ({ oldVersion }) => {
        fresh = oldVersion === 0;
        for (const step of MIGRATIONS.slice(oldVersion))
          step(request.result, /** @type {IDBTransaction} */ (request.transaction));
      };
      request.onsuccess = () => {
        if (fresh) made();
        request.result.onclose = () => {
          opened = null;
        };
        // A newer background or a deletion waits until this connection is closed.
        request.result.onversionchange = () => {
          request.result.close();
          opened = null;
        };
        resolve(request.result);
      };
      request.onerror = () => {
        opened = null;
        reject(request.error);
      };
    });
    return opened;
  }

  /**
   * Runs a task in one transaction. On failure it throws the transaction's error, which names the cause
   * (for example, quota exceeded), rather than the error of the request that failed first.
   * @template T @param {string[]} stores @param {(work: IDBTransaction) => Promise<T>} task
   * @param {IDBTransactionOptions} [options] @returns {Promise<T>}
   */
  async function change(stores, task, options) {
    const work = (await open()).transaction(stores, 'readwrite', options);
    const done = end(work);
    done.catch(() => {});
    try {
      const result = await task(work);
      await done;
      return result;
    } catch (error) {
      try {
        work.abort();
      } catch {
        // The transaction had already finished.
      }
      await done.catch(() => {});
      throw work.error ?? error;
    }
  }

  return {
    commit(page, seq, events, sender, at) {
      return change(
        ['pages', 'events'],
        async (work) => {
          const pages = work.objectStore('pages');
          const store = work.objectStore('events');
          // All is asked for at once: each answer waits for its turn while the engine replays a record.
          const [known, found] = await Promise.all([
            answer(/** @type {IDBRequest<Page | undefined>} */ (pages.get(page))),
            Promise.all(events.map((event) => touched(store, page, event))),
          ]);
          const outcome = place(known, seq);
          if (outcome !== 'stored') return outcome;
          let size = (known?.size ?? 0) + replace(store, rows(page, seq, events, at), found.flat());
          if (size > MAX_PAGE) size -= await shrink(store, page, size - MAX_PAGE);
          pages.put({ page, seq, at, size, ...sender });
          return outcome;
        },
        { durability: 'relaxed' },
      );
    },
    keep(page, events, at) {
      return change(
        ['pages', 'events'],
        async (work) => {
          const pages = work.objectStore('pages');
          const store = work.objectStore('events');
          const [known, found] = await Promise.all([
            answer(/** @type {IDBRequest<Page | undefined>} */ (pages.get(page))),
            Promise.all(events.map((event) => touched(store, page, event))),
          ]);
          if (!known) return;
          const size = known.size + replace(store, rows(page, known.seq, events, at, PER_BATCH / 2), found.flat());
          pages.put({ ...known, size });
        },
        { durability: 'relaxed' },
      );
    },
    async load(page) {
      const db = await open();
      return answer(
        db
          .transaction('events')
          .objectStore('events')
          .index('order')
          .getAll(IDBKeyRange.bound([page, 0], [page, Infinity])),
      );
    },
    async pages() {
      const db = await open();
      return answer(db.transaction('pages').objectStore('pages').getAll());
    },
    trim(page, size) {
      return change(['pages', 'events'], async (work) => {
        const pages = work.objectStore('pages');
        /** @type {Page | undefined} */
        const known = await answer(pages.get(page));
        if (!known || known.size <= size) return known?.size ?? 0;
        const left = known.size - (await shrink(work.objectStore('events'), page, known.size - size));
        pages.put({ ...known, size: left });
        return left;
      });
    },
    forget(page) {
      return change(['pages', 'events'], async (work) => {
        work.objectStore('pages').delete(page);
        work.objectStore('events').delete(range(page));
      });
    },
    async get(key) {
      const db = await open();
      return answer(db.transaction('settings').objectStore('settings').get(key));
    },
    set(key, value) {
      return change(['settings'], async (work) => {
        work.objectStore('settings').put(value, key);
      });
    },
    async clear() {
      const all = [...(await open()).objectStoreNames];
      await change(all, async (work) => {
        for (const name of all) work.objectStore(name).clear();
      });
    },
    remember(found, over, now) {
      return change(['history'], async (work) => {
        const rows = work.objectStore('history');
        for (const row of found) rows.put(remembered(await answer(rows.get(row.key)), row));
        for (const one of over) {
          const row = solved(await answer(rows.get(one.key)), one);
          if (row) rows.put(row);
        }
        await prune(rows.index('at'), await answer(rows.count()), now);
      });
    },
    async past() {
      const db = await open();
      return answer(db.transaction('history').objectStore('history').index('at').getAll());
    },
    forgetPast() {
      return change(['history'], async (work) => {
        work.objectStore('history').clear();
      });
    },
    async rebuild(fresh) {
      const old = await opened?.catch(() => null);
      old?.close();
      opened = null;
      if (fresh) await answer(indexedDB.deleteDatabase(name));
    },
  };
}
