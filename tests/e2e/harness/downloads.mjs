// Where a browser puts what pages save, and what came there.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { until } from './wait.mjs';

/** A folder for downloads; `prefs` are those with which Firefox has to be started to use it, `use` tells Chromium. */
export async function downloads() {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-downloads-'));
  return {
    prefs: { 'browser.download.folderList': 2, 'browser.download.dir': dir, 'browser.download.alwaysOpenPanel': false },
    async use(session) {
      if (session.kind !== 'chrome') return;
      const client = await session.browser.target().createCDPSession();
      await client.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: dir });
    },
    /** Waits for a file whose name ends like this, and takes it out of the folder: its name and its text. */
    taken: (ending) => until(`a file ${ending}`, async () => {
      const names = await readdir(dir);
      if (names.some((name) => /\.(part|crdownload|tmp)$/.test(name))) return null;
      const name = names.find((one) => one.endsWith(ending));
      if (!name) return null;
      const text = await readFile(path.join(dir, name), 'utf8');
      if (!text) return null;
      await rm(path.join(dir, name));
      return { name, text };
    }, { detail: () => readdir(dir) }),
    remove: () => rm(dir, { recursive: true, force: true, maxRetries: 5 }),
  };
}
