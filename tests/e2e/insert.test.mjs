// The probe's start cell, put into a notebook from the popup.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { FRONTS, openNotebook, runCell, startJupyter } from './harness/jupyter.mjs';
import { ROOT } from './harness/packages.mjs';
import { inPopup } from './harness/popup.mjs';
import { BROWSERS, LOCALHOST, picture, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const NOTEBOOK = path.join(ROOT, 'tests/fixtures/deaths.ipynb');
const DONE = /Inserted below|did not accept the cell/;

/** Presses the popup's button and waits for its message. */
async function insert(session, words) {
  let said = '';
  await inPopup(session, /Insert into this notebook/, async (popup) => {
    // The other way, where the Python package is installed.
    assert.match(await popup.text(), /Copy %load_ext nbmedic/);
    await popup.click('Insert into this notebook');
    await until('an answer', async () => {
      said = await popup.text();
      return DONE.test(said);
    });
    if (popup.page) await picture(popup.page, `insert-popup-${session.kind}`);
  });
  assert.match(said, words);
}

for (const kind of BROWSERS) {
  describe(`the start cell in ${kind}`, () => {
    const servers = {};
    let session;
    before(async () => {
      for (const front of ['lab', 'notebook']) servers[front] = await startJupyter({ notebooks: [NOTEBOOK], front });
      const through = Object.values(servers).map(({ port }) => `localhost:${port}`);
      session = await startSession(kind, { origins: [LOCALHOST], through });
    });
    after(async () => {
      await session?.close();
      for (const server of Object.values(servers)) await server.close();
    });

    for (const front of ['lab', 'notebook']) {
      describe(FRONTS[front].name, () => {
        let server;
        let page;
        before(async () => {
          server = servers[front];
          page = await session.newPage();
          await openNotebook(page, server, 'deaths.ipynb');
        });

        const cells = () =>
          page.evaluate(() =>
            [...document.querySelectorAll('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell')].map((cell) => ({
              source: cell.querySelector('.cm-content')?.innerText ?? '',
              out: cell.querySelector('.jp-OutputArea')?.textContent ?? '',
              active: cell.classList.contains('jp-mod-active'),
            })),
          );

        test('it appears below the cell with the cursor and does not run; when run, it starts the probe', async () => {
          await runCell(page, 0);
          const before = await cells();
          await insert(session, /Inserted below the cell you were in/);
          const now = await cells();
          assert.equal(now.length, before.length + 1);
          // The editor renders only the visible lines, which are the last ones.
          assert.ok(
            now[1].active && /^\s*code\["nbmedic"\]\(do, program\)$|^def nbmedic/m.test(now[1].source),
            now[1].source.slice(-300),
          );
          // A cell that scrolled out of view may have no editor.
          assert.ok(['', before[0].source].includes(now[0].source), now[0].source);
          assert.ok(!existsSync(path.join(server.folder, 'nbmedic-flight/nbmedic-flight.jsonl')), 'it was not run');
          await picture(page, `insert-${front}-${kind}`);
          // The cursor is in the new cell, whose editor is higher than the window.
          await page.bringToFront();
          await page.keyboard.down('Control');
          await page.keyboard.press('Enter');
          await page.keyboard.up('Control');
          const shown = await until(
            'the feed',
            async () => (await cells()).find(({ out }) => out.includes('⟦nbmedic:1')),
            { timeout: 60_000, detail: cells },
          );
          assert.match(shown.out, /nbmedic: .*RAM [\d.]+\/[\d.]+ GiB/);
          // Unchanged to the last byte: its program is complete and has started.
          const [start] = (
            await readFile(path.join(server.folder, 'nbmedic-flight/nbmedic-flight.jsonl'), 'utf8')
          ).split('\n');
          assert.equal(
            JSON.parse(start).mode,
            existsSync(path.join(ROOT, 'dist/probe/cell-native.py')) && process.arch === 'x64' ? 'native' : 'python',
          );
          assert.deepEqual(session.errors, []);
        });
      });
    }

    describe('the replica of Colab', () => {
      let page;
      before(async () => {
        page = await session.colab();
      });

      const first = () =>
        page.evaluate(() =>
          [...document.querySelectorAll('.cell.code')]
            .filter((cell) => cell.textContent.replaceAll('\u00a0', ' ').includes('#@title nbmedic probe'))
            .map((cell) => cell.classList.contains('focused')),
        );

      test('the page’s button for a code cell and a paste insert it', async () => {
        assert.deepEqual(await first(), []);
        await insert(session, /Inserted below/);
        assert.deepEqual(await first(), [true]);
        await picture(page, `insert-colab-${kind}`);
      });

      test('a cell that a script of the page changed on the way does not count as inserted', async () => {
        await page.evaluate(() => {
          const changed = (event) => {
            if (!event.target.matches?.('.inputarea')) return;
            window.removeEventListener('paste', changed, true);
            setTimeout(() => {
              const line = document.querySelector('.cell.code.focused .view-line');
              line.textContent = 'import evil; evil.run()';
            });
          };
          window.addEventListener('paste', changed, true);
        });
        await insert(session, /This notebook did not accept the cell, so it was copied/);
      });

      test('if the page has no such button, it is copied, and the popup says so', async () => {
        await page.evaluate(() => document.querySelector('#toolbar-add-code').remove());
        await insert(session, /This notebook did not accept the cell, so it was copied/);
        assert.deepEqual(session.errors, []);
      });
    });
  });
}
