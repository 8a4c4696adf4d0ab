// The folder for a browser's downloads, and the files in it.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { until } from './wait.mjs';

/** Makes a browser save downloads to a folder of its own from now on. */
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
    /** Waits for a file with this ending and removes it from the folder. Returns its name and text. */
    taken: (ending) =>
      until(
        `a file ${ending}`,
        async () => {
          const names = await readdir(dir);
          // While it is being written, a second file exists, or it is still empty.
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
