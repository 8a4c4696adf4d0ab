// JupyterLab in other languages, with its real language packs: its notice is read in each of them. JupyterLab 4.6 shows the
// notice of a dead kernel in English whatever its language is; that of a server that is gone is in its language.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { card } from './harness/cards.mjs';
import { openNotebook, startJupyter } from './harness/jupyter.mjs';
import { LOCALHOST, picture, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

/** The title of the dialog in each pack. */
const TITLES = {
  fr_FR: 'Erreur de connexion au serveur',
  ja_JP: 'サーバー接続のエラー',
  ru_RU: 'Ошибка соединения с сервером',
  zh_CN: '服务器连接错误',
};

const NOTEBOOK = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { kernelspec: { name: 'python3', display_name: 'Python 3 (ipykernel)', language: 'python' } },
  cells: [{ id: 'one', cell_type: 'code', metadata: {}, execution_count: null, outputs: [], source: '1' }],
};

describe("JupyterLab's language packs", () => {
  const servers = {};
  let folder;
  let session;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-languages-'));
    const notebook = path.join(folder, 'one.ipynb');
    await writeFile(notebook, JSON.stringify(NOTEBOOK));
    for (const locale of Object.keys(TITLES))
      servers[locale] = await startJupyter({
        notebooks: [notebook],
        settings: { '@jupyterlab/translation-extension:plugin': { locale } },
      });
    const through = Object.values(servers).map(({ port }) => `localhost:${port}`);
    session = await startSession('chrome', { origins: [LOCALHOST], through });
  });
  after(async () => {
    await session?.close();
    for (const server of Object.values(servers)) await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  // All servers go at once: each page takes its time to notice.
  test('the notice that the server is gone', async () => {
    const pages = {};
    for (const locale of Object.keys(TITLES)) {
      pages[locale] = await session.newPage();
      await pages[locale].bringToFront();
      await openNotebook(pages[locale], servers[locale], 'one.ipynb');
    }
    await Promise.all(Object.values(servers).map((server) => server.kill()));
    for (const [locale, title] of Object.entries(TITLES)) {
      const page = pages[locale];
      await page.bringToFront();
      const dialog = () => page.evaluate(() => document.querySelector('.jp-Dialog')?.textContent ?? '');
      await until(`the dialog in ${locale}`, async () => (await dialog()).startsWith(title), {
        timeout: 60_000,
        detail: dialog,
      });
      const { text } = await card(page, null, 'runtime-disconnected');
      assert.ok(text.includes(title), `the notice in its own words: ${text}`);
      await picture(page, `jupyter-${locale}`);
    }
  });
});
