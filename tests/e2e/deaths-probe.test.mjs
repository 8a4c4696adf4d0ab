// Real deaths of real kernels in JupyterLab, with and without the probe: the card shows the right verdict and its evidence,
// and never a wrong verdict without the probe. By default a few ways to die are tested; NBMEDIC_DEATHS=all tests every way,
// or it names some, separated by semicolons.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { cards, inCard } from './harness/cards.mjs';
import { makeWheel, memoryGroup, notebook, startCell, ways } from './harness/deaths.mjs';
import { acceptRestart, openNotebook, runCell, startJupyter } from './harness/jupyter.mjs';
import { BROWSERS, LOCALHOST, picture, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const FEW = { probe: ['out of memory, in steps', 'segmentation fault'], page: ['out of memory, GIL held'] };
const wanted = (mode) =>
  ways().filter(({ name }) =>
    process.env.NBMEDIC_DEATHS
      ? process.env.NBMEDIC_DEATHS === 'all' || process.env.NBMEDIC_DEATHS.split(';').includes(name)
      : FEW[mode].includes(name),
  );
// The server gives up on a kernel that dies too often; here kernels die on purpose.
const PATIENT = ['--KernelRestarter.restart_limit=1000'];
const DARK = { '@jupyterlab/apputils-extension:themes': { theme: 'JupyterLab Dark' } };
// A death without an explanation lists what was examined.
const LOOKED_AT = [
  /The code: /,
  /Memory: no (?:reading|limit is shown)|Memory was (?:not )?nearly full/,
  /The signal and exit code: the page does not receive them/,
];
const START = 0;

for (const kind of BROWSERS) {
  for (const mode of ['probe', 'page']) {
    const list = wanted(mode);
    describe(
      `Deaths ${mode === 'probe' ? 'with the probe running' : 'seen by the page alone'} in ${kind}`,
      { skip: !list.length },
      () => {
        let server;
        let session;
        let page;
        let made;
        before(async () => {
          made = await notebook('deaths.ipynb', [await startCell(), ...list.map(({ code }) => code)]);
          server = await startJupyter({
            notebooks: [made.file],
            args: PATIENT,
            settings: mode === 'probe' ? {} : DARK,
          });
          makeWheel(server.folder, 'nbmedic_tiny', '1.0');
          session = await startSession(kind, { origins: [LOCALHOST], through: [`localhost:${server.port}`] });
          page = await session.newPage();
          await openNotebook(page, server, 'deaths.ipynb');
        });
        after(async () => {
          await session?.close();
          await server?.close();
          await made?.remove();
        });

        const works = (index) =>
          until(
            'the cell works',
            () =>
              page.evaluate(
                (at) =>
                  /^working$/m.test(
                    document.querySelectorAll('.jp-Notebook .jp-Cell')[at]?.querySelector('.jp-OutputArea')
                      ?.innerText ?? '',
                  ),
                index,
              ),
            { timeout: 30_000 },
          );
        const shown = async (index) => (await cards(page)).filter(({ cell }) => cell === index);
        /** Starts the probe; in a new kernel it reports how the previous one ended. */
        const probe = async () => {
          const asked = Date.now();
          await runCell(page, START, { wait: false });
          // Its execution count may be the same as in the previous kernel; the time of the newest sample differs.
          await until(
            'the probe speaks',
            () =>
              page.evaluate(
                (at, since) => {
                  const text =
                    document.querySelectorAll('.jp-Notebook .jp-Cell')[at]?.querySelector('.jp-OutputArea')
                      ?.innerText ?? '';
                  const spoken = [...text.matchAll(/"k":"s","t":(\d+)/g)].some(([, t]) => Number(t) >= since);
                  return spoken && document.querySelector('.jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle';
                },
                START,
                asked,
              ),
            { timeout: 60_000, detail: () => cards(page) },
          );
        };

        /** What ends the kernel, besides the cell's own code. */
        const acts = {
          async SIGKILL() {
            for (const pid of await server.kernels()) process.kill(pid, 'SIGKILL');
          },
          async restart() {
            await page.keyboard.press('Escape');
            await page.keyboard.press('0');
            await page.keyboard.press('0');
            await until(
              'the restart is confirmed',
              () =>
                page.evaluate(() => {
                  document.querySelector('.jp-Dialog button.jp-mod-accept')?.click();
                  return (
                    !document.querySelector('.jp-Dialog') &&
                    document.querySelector('.jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle'
                  );
                }),
              { every: 150 },
            );
          },
          async cut() {
            session.proxy.cut(`localhost:${server.port}`);
          },
          async gone() {
            await server.kill();
          },
        };

        /** Lets a cell's kernel die, and the front end start the next one. */
        async function die({ name, limited }, index) {
          const group = limited ? await memoryGroup() : null;
          try {
            if (group) for (const pid of await server.kernels()) await group.hold(pid);
            if (mode === 'probe') await probe();
            if (!acts[name]) {
              await runCell(page, index, { kills: true });
            } else {
              await runCell(page, index, { wait: false });
              await works(index);
              await acts[name]();
            }
            await until('a card', async () => (await shown(index)).length, {
              timeout: 60_000,
              detail: () => cards(page),
            });
          } finally {
            if (!['restart', 'cut', 'gone'].includes(name)) await acceptRestart(page);
            await group?.close();
          }
        }

        for (const [i, way] of list.entries()) {
          test(way.name, async (t) => {
            const index = i + 1;
            if (way.limited) {
              const group = await memoryGroup();
              if (!group) return t.skip('no memory control group can be made here');
              await group.close();
            }
            await die(way, index);
            if (mode === 'probe' && way.name !== 'cut') {
              if (way.name === 'gone') await back();
              await probe();
            }
            const alone = mode === 'page' || way.name === 'cut';
            const [id, variant] = alone
              ? (way.page ?? [way.name === 'cut' || way.name === 'gone' ? way.id : 'kernel-died', null])
              : [way.id, way.variant];
            const words = !alone ? way.words : id === 'kernel-died' && variant === null ? LOOKED_AT : [];
            // The cell's source may arrive after the death.
            const found = async () =>
              (await shown(index)).some(
                (one) => one.id === id && one.variant === variant && words.every((word) => word.test(one.text)),
              );
            await until(`the card ${id}/${variant}, which says ${words.join(' ')}`, found, {
              timeout: 40_000,
              detail: () => cards(page),
            });
            assert.equal((await shown(index)).length, 1);
            if (mode === 'probe')
              assert.equal((await shown(START)).length, 0, 'what the probe tells of a death is no death of its cell');
            // Its evidence is at the end.
            await inCard(page, index, 'end');
            await picture(page, `deaths-${mode}-${kind}-${way.name.replaceAll(/\W+/g, '-')}`);
            // A new kernel reports nothing about the other deaths.
            for (const [j, other] of list.slice(0, i).entries()) {
              const [before] = await shown(j + 1);
              if (before && mode === 'probe' && other.name !== 'cut')
                assert.equal(before.id, other.id, `${other.name} after ${way.name}`);
            }
            if (way.name === 'gone' && mode === 'page') await back();
            if (way.name === 'cut') assert.equal((await server.kernels()).length, 1, 'the kernel lives on');
          });
        }

        /** Restarts the server and selects a new kernel, as a user would. */
        async function back() {
          await until('the kernel ends itself', async () => !(await server.kernels()).length, { timeout: 30_000 });
          await server.again();
          await until(
            'a new kernel',
            async () => {
              // Confirms the front end's dialog; without a dialog, runs the menu's Restart command.
              const asks = await page.evaluate(() => {
                const button = document.querySelector('.jp-Dialog button.jp-mod-accept');
                button?.click();
                return Boolean(button);
              });
              if (asks) return false;
              if (await server.idle()) return true;
              await page.keyboard.press('Escape');
              await page.keyboard.press('0');
              await page.keyboard.press('0');
              return false;
            },
            { timeout: 90_000, every: 1000 },
          );
        }
      },
    );
  }
}
