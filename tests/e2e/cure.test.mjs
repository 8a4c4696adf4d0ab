// A cure under the failing cell: the change of the user's own lines, the repaired cell to copy and to put below, which
// then runs; the text for an assistant; the offer to start the probe after a death.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { card, cards, inCard, pressed, pressInCard, solved, still, watchSolved } from './harness/cards.mjs';
import { clipboard } from './harness/clipboard.mjs';
import { acceptRestart, FRONTS, notebookOf, openNotebook, runCell, startJupyter } from './harness/jupyter.mjs';
import { BROWSERS, LOCALHOST, picture, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const VALUES = 'values = [1.5, 4.0]';
const FAILING = 'root = math.sqrt(values[1])\nprint("root:", root)';
const REPAIRED = `import math\n${FAILING}`;
/** JupyterLab draws its error, which has no traceback, as it draws what goes to stderr. */
const UNCLOSED = 'print("root:", min(values)';
/** Its cell ends well; only what the command printed says that it failed. */
const COMMAND = '!python3 nbmedic-no-such-script.py';

/** What the first fix of a card shows. */
const shown = (page) =>
  page.evaluate(() => {
    const root = document.querySelector('[data-nbmedic-card]').shadowRoot;
    const rows = [...root.querySelectorAll('.first .diff > div')];
    return {
      rows: rows.map((row) => [...row.children].map((part) => part.textContent)),
      said: rows.map((row) => row.querySelector('.sign').getAttribute('aria-label')),
      order: [...root.querySelector('.card').children].map((part) => part.className),
      open: [...root.querySelectorAll('details')].map((part) => part.open),
    };
  });

function checkDiff({ rows, said, order, open }) {
  assert.deepEqual(rows, [['1', '+', 'import math']]);
  assert.deepEqual(said, ['added line']);
  assert.deepEqual(
    order.filter((name) => name !== 'where'),
    ['head', 'kind', 'first cure', 'more others', 'more', 'foot', 'icon dismiss'],
  );
  assert.deepEqual(open, [false, false]);
}

function checkAssistant(text) {
  for (const part of ['name-undefined', "name 'math' is not defined", FAILING, VALUES, 'sets values', 'import math'])
    assert.ok(text.includes(part), `${part} in: ${text}`);
  assert.ok(text.length < 12_000, String(text.length));
}

for (const kind of BROWSERS) {
  const front = kind === 'chrome' ? 'lab' : 'notebook';
  const fronts = process.env.NBMEDIC_ALL ? ['lab', 'notebook'] : [front];
  describe(`a cure in ${kind}`, () => {
    const servers = {};
    let session;
    let folder;
    before(async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-cure-'));
      const file = path.join(folder, 'cure.ipynb');
      await writeFile(file, notebookOf([VALUES, FAILING, UNCLOSED, COMMAND, 'import ctypes\nctypes.string_at(0)']));
      for (const other of fronts) servers[other] = await startJupyter({ notebooks: [file], front: other });
      const through = Object.values(servers).map(({ port }) => `localhost:${port}`);
      session = await startSession(kind, { origins: [LOCALHOST], through });
    });
    after(async () => {
      await session?.close();
      for (const server of Object.values(servers)) await server.close();
      await rm(folder, { recursive: true, force: true });
    });

    for (const other of fronts) {
      describe(FRONTS[other].name, () => {
        let page;
        before(async () => {
          page = await session.newPage();
          await openNotebook(page, servers[other], 'cure.ipynb');
        });

        const cells = () =>
          page.evaluate(() =>
            [...document.querySelectorAll('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell')].map((cell) => ({
              source: [...cell.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n'),
              prompt: cell.querySelector('.jp-InputArea-prompt')?.textContent ?? '',
              out: cell.querySelector('.jp-OutputArea-output')?.textContent ?? '',
              active: cell.classList.contains('jp-mod-active'),
            })),
          );

        /** What a user would paste, read on a page that may read the clipboard. */
        async function pasted() {
          const reader = kind === 'firefox' ? page : await session.colab();
          await reader.bringToFront();
          const text = await clipboard(session, reader);
          if (reader !== page) {
            await reader.close();
            await page.bringToFront();
          }
          return text.replaceAll('\r\n', '\n');
        }

        /** Puts the repaired cell in place of the broken one. */
        async function replace(cell, repaired, tries = 2) {
          await pressInCard(page, cell, 'Replace in this cell');
          const there = () => until('the repaired cell', async () => (await cells())[cell].source === repaired);
          if (tries === 1) await there();
          // A press on a card that moved just then asks for another one.
          else await there().catch(() => replace(cell, repaired, tries - 1));
        }

        test('the change stands under the failing cell, and the rest is closed', async () => {
          await runCell(page, 0);
          await runCell(page, 1);
          await card(page, 1, 'name-undefined');
          checkDiff(await shown(page));
          await inCard(page, 1, 'scroll');
          await still(page);
          await picture(page, `cure-${other}-${kind}`);
        });

        test('Copy cell copies the whole repaired cell', async () => {
          assert.equal(await pressed(page, 1, 'Copy cell'), 'yes');
          assert.equal(await pasted(), REPAIRED);
        });

        test('Copy for an assistant copies the error, its code and what it rests on', async () => {
          assert.equal(await pressed(page, 1, 'for an assistant'), 'yes');
          checkAssistant(await pasted());
        });

        test('the same failure again says so, and is never called solved in between', async () => {
          const wasSolved = await watchSolved(page);
          await runCell(page, 1);
          await until('the same again', async () =>
            (await card(page, 1, 'name-undefined')).text.includes('Again: this cell is as it was in the run before'),
          );
          assert.equal(await wasSolved(), false);
        });

        test('Put below makes a cell with it below the failing one', async () => {
          const before = await cells();
          assert.equal(await pressed(page, 1, 'Put below'), 'put');
          const now = await cells();
          assert.equal(now.length, before.length + 1);
          assert.equal(now[2].source, REPAIRED);
          assert.ok(now[2].active && !now[2].out && !/\d/.test(now[2].prompt), JSON.stringify(now[2]));
          await picture(page, `cure-below-${other}-${kind}`);
        });

        test('Replace puts it in place of the broken one; undo takes it back', async () => {
          // A press on a card that moved just then asks for another one.
          const key = async (name) => {
            await page.keyboard.down('Control');
            await page.keyboard.press(name);
            await page.keyboard.up('Control');
          };
          const before = await cells();
          await replace(1, REPAIRED);
          assert.equal((await cells()).length, before.length);
          assert.equal((await cells())[1].out, before[1].out, 'it was not run');
          await picture(page, `cure-replaced-${other}-${kind}`);
          await page.bringToFront();
          await key('z');
          await until('the broken cell again', async () => (await cells())[1].source === FAILING);
        });

        test('what was put below runs well: one line is left of the card', async () => {
          await runCell(page, 2);
          assert.match((await cells())[2].out, /root: 2\.0/);
          assert.match(await solved(page, 1), /^Solved: cell \[\d+\] ran$/);
          assert.deepEqual(await cards(page), []);
          await picture(page, `cure-solved-${other}-${kind}`);
        });

        test('a cell that Python could not read is repaired too; in its place it runs and is solved', async () => {
          await runCell(page, 3);
          await card(page, 3, 'syntax-invalid');
          assert.match(await inCard(page, 3, 'first'), /Put \) at the end of line 1/);
          await replace(3, `${UNCLOSED})`);
          await runCell(page, 3);
          assert.match(await solved(page, 3), /^Solved: cell \[\d+\] ran$/);
        });

        test('what a command in a cell printed is cured when the cell has ended', async () => {
          await runCell(page, 4);
          await card(page, 4, 'file-not-found');
          const first = () => inCard(page, 4, 'first');
          await until('the cure', async () =>
            /Change into the folder that has nbmedic-no-such-script\.py/.test(await first()),
          );
        });

        test('after a death without the probe, the first offer is to start it', async () => {
          await runCell(page, 5, { kills: true });
          await acceptRestart(page);
          await card(page, 5, 'kernel-died');
          const first = () => inCard(page, 5, 'first');
          assert.match(await first(), /Start the probe.*signal/s);
          await inCard(page, 5, 'scroll');
          await picture(page, `cure-death-${other}-${kind}`);
          const before = await cells();
          assert.equal(await pressed(page, 5, 'Insert the start cell'), 'put');
          assert.equal((await cells()).length, before.length + 1);
          assert.deepEqual(session.errors, []);
        });
      });
    }

    describe('the replica of Colab', () => {
      const [FIRST, CELL] = ['r9TzCk2mYb0a', 'Vx5uNf7gQe1p'];
      let page;
      before(async () => {
        page = await session.colab();
        await page.evaluate(
          async (first, values, cell, source) => {
            const { replica } = window;
            replica.edit(first, values);
            replica.edit(cell, source);
            await replica.run(first, []);
            const error = replica.traceback({
              type: 'NameError',
              message: "name 'math' is not defined",
              source,
              at: 1,
            });
            await replica.run(cell, [{ error }]);
          },
          FIRST,
          VALUES,
          CELL,
          FAILING,
        );
      });

      test('the change, the repaired cell, and the text for an assistant', async () => {
        await card(page, CELL, 'name-undefined');
        checkDiff(await shown(page));
        await inCard(page, CELL, 'scroll');
        await still(page);
        await picture(page, `cure-colab-${kind}`);
        assert.equal(await pressed(page, CELL, 'Copy cell'), 'yes');
        assert.equal((await clipboard(session, page)).replaceAll('\r\n', '\n'), REPAIRED);
        assert.equal(await pressed(page, CELL, 'for an assistant'), 'yes');
        checkAssistant((await clipboard(session, page)).replaceAll('\r\n', '\n'));
      });

      test('Replace puts it in place of the broken code', async () => {
        const source = () => page.evaluate((id) => window.replica.source(id), CELL);
        assert.equal(await pressed(page, CELL, 'Replace in this cell'), 'replaced');
        assert.equal(await source(), REPAIRED);
        await page.evaluate((id, text) => window.replica.edit(id, text), CELL, FAILING);
      });

      test('Put below makes a cell with it below the failing one; without the page’s button it is copied', async () => {
        const below = () =>
          page.evaluate((id) => {
            const cell = document.querySelector(`#cell-${id}`).nextElementSibling;
            return {
              text: cell.querySelector('.editor, .monaco-editor')?.innerText.replaceAll('\u00a0', ' ').trim() ?? '',
              focused: cell.classList.contains('focused'),
              output: cell.querySelector('.output')?.textContent.trim() ?? '',
            };
          }, CELL);
        assert.equal(await pressed(page, CELL, 'Put below'), 'put');
        const now = await below();
        assert.ok(now.text.includes('import math') && now.text.includes('print("root:", root)'), JSON.stringify(now));
        assert.deepEqual([now.focused, now.output], [true, '']);
        await picture(page, `cure-below-colab-${kind}`);
        await page.evaluate(() => document.querySelector('#toolbar-add-code').remove());
        assert.equal(await pressed(page, CELL, 'Put below'), 'instead');
        assert.equal((await clipboard(session, page)).replaceAll('\r\n', '\n'), REPAIRED);
        assert.deepEqual(session.errors, []);
      });
    });
  });
}
