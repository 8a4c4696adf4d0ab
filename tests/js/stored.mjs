// Saves a database as JSON, and restores it.

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const answer = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Everything in a database: its version, and for each store its key path, indexes (name and key path) and rows. */
export async function dump(name) {
  const db = await answer(indexedDB.open(name));
  const stores = {};
  for (const store of db.objectStoreNames) {
    const rows = db.transaction(store).objectStore(store);
    const [keys, values] = [await answer(rows.getAllKeys()), await answer(rows.getAll())];
    stores[store] = {
      keyPath: rows.keyPath,
      indexes: [...rows.indexNames].map((index) => [index, rows.index(index).keyPath]),
      rows: keys.map((key, i) => [key, values[i]]),
    };
  }
  const { version } = db;
  db.close();
  return { version, stores };
}

/** Creates a database as an older nbmedic left it. */
export async function plant(name, { version, stores }) {
  const request = indexedDB.open(name, version);
  request.onupgradeneeded = () => {
    for (const [store, { keyPath, indexes = [], rows }] of Object.entries(stores)) {
      const made = request.result.createObjectStore(store, keyPath ? { keyPath } : {});
      for (const [index, path] of indexes) made.createIndex(index, path);
      for (const [key, value] of rows) made.put(value, ...(keyPath ? [] : [key]));
    }
  };
  (await answer(request)).close();
}
