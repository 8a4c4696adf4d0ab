// Where a browser puts what pages save, and what came there.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { until } from './wait.mjs';

/** Has a browser put what is saved from now on into a folder of its own. */
export async function downloads(session) {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-downloads-'));
  if (session.kind === 'chrome') {
    const client = await session.browser.target().createCDPSession();
    await client.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: dir });
  } else {
    await session.marionette.chrome(
      `
      Services.prefs.setIntPref('browser.download.folderList', 2);
      Services.prefs.setStringPref('browser.download.dir', arguments[0]);
      Services.prefs.setBoolPref('browser.download.alwaysOpenPanel', false);`,
      [dir],
    );
  }
  return {
    /** Waits for a file whose name ends like this, and takes it out of the folder: its name and its text. */
    taken: (ending) =>
      until(
        `a file ${ending}`,
        async () => {
          const names = await readdir(dir);
          // While one is written there is another beside it, or it is still empty.
          if (names.some((name) => /\.(part|crdownload|tmp)$/.test(name))) return null;
          const name = names.find((one) => one.endsWith(ending));
          if (!name) return null;
          const text = await readFile(path.join(dir, name), 'utf8');
          if (!text) return null;
          await rm(path.join(dir, name));
          return { name, text };
        },
        { detail: () => readdir(dir) },
      ),
    remove: () => rm(dir, { recursive: true, force: true, maxRetries: 5 }),
  };
}
