// Reads files from the extension package.

/** A file from the package. @param {string} name its path in the package @throws {TypeError} if it is missing or unreadable */
export async function file(name) {
  const found = await fetch(chrome.runtime.getURL(name));
  if (!found.ok) throw new TypeError(`${name}: ${found.status}`);
  return found;
}

/** The prose of a diagnosis, as JSON. @param {string} id */
export async function prose(id) {
  if (!/^[a-z0-9-]+$/.test(id)) throw new Error(`no prose: ${id}`);
  return (await file(`prose/${id}.json`)).text();
}
