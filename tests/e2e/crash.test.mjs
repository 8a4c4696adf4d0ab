// Colab's crash as it is: the run is cut off, and up to 30 s later a toast says why. Meanwhile another cell may have run.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { card, cards, inCard, settled } from './harness/cards.mjs';
import { clipboard } from './harness/clipboard.mjs';
import { inPopup } from './harness/popup.mjs';
import { BROWSERS, picture, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const [CRASHES, OTHER] = ['kW8sJd3hLr6o', 'bM2yXc9tPz4i'];
const ON_PURPOSE = '!pip install -q tiny\nimport os\nos.kill(os.getpid(), 9)';

/** Delay of the toast in seconds, its words, the diagnosis, and whether another cell runs in between: by the real clock. */
const SEQUENCES = [
  [8, 'unknown', 'kernel-died', true],
  [20, 'ram-pro', 'host-oom', true],
  [29, 'window', 'display-missing', true],
  [29, 'unknown', 'kernel-died/on-purpose', false],
];

/** The toasts and their diagnoses; the delays in seconds; what else happens. Each toast meets each delay, the rest takes turns. */
const WORDS = {
  ram: 'host-oom',
  'ram-ja': 'host-oom',
  window: 'display-missing',
  unknown: 'kernel-died',
  'unknown-ja': 'kernel-died',
  'unknown-eo': 'kernel-died',
};
const DELAYS = [0, 8, 20, 29, 40];
const BETWEEN = ['nothing', 'an end', 'a run'];
const CONNECTED = ['connected', 'reconnect'];

/** Lets the sensor of a copy of the package say what it sends, and move the background's clock. */
async function withClock(dir) {
  const edit = async (name, change) => {
    const file = path.join(dir, name);
    const before = await readFile(file, 'utf8');
    const after = change(before);
    assert.notEqual(after, before, `${name} has changed`);
    await writeFile(file, after);
  };
  await edit('sensor/notebook.js', (code) =>
    code.replace(
      // Its lines may break between any two words.
      /kind:\s*"events",\s*page,\s*seq:\s*(\w+)\.\s*seq,\s*events:\s*\1\.\s*events/,
      'kind:"events",page,seq:$1.seq,later:Number(document.documentElement.dataset.later??0),events:(document.documentElement.dataset.sent+=JSON.stringify($1.events),$1.events)',
    ),
  );
  await edit(
    'background.js',
    (code) =>
      `${code}\n{ const now = Date.now.bind(Date); let later = 0; Date.now = () => now() + later; const hear = (m) => { if (m?.later > later) later = m.later; }; chrome.runtime.onMessage.addListener((m) => void hear(m)); }\n`,
  );
}

for (const kind of BROWSERS) {
  describe(`Colab's crash in ${kind}`, () => {
    let session;
    before(async () => {
      session = await startSession(kind);
    });
    after(() => session?.close());

    // All at once: they wait most of the time. A page of its own for each, as for a person.
    test('the card stands under the cell that was cut off, whenever the toast comes', async () => {
      const pages = await Promise.all(
        SEQUENCES.map(([, , id]) => session.colab(id.includes('/') ? '' : '?errors=framed')),
      );
      const start = async (page, [late, words, what]) => {
        await page.evaluate(
          (id, words, after, source) => {
            if (source)
              window.replica.load({
                name: 'setup.ipynb',
                cells: [
                  { id, source },
                  { id: 'next', source: 'f()' },
                ],
              });
            void window.replica.run(id, [{ stream: 'loading\n' }, { wait: 1500 }, { crash: words, after }]);
          },
          CRASHES,
          words,
          late * 1000,
          what.includes('/') ? ON_PURPOSE : '',
        );
      };
      for (const [i, page] of pages.entries()) {
        await page.bringToFront();
        await start(page, SEQUENCES[i]);
        const [, , , between] = SEQUENCES[i];
        if (!between) continue;
        await until('the run is cut off', () =>
          page.evaluate(
            (id) =>
              document
                .querySelector(`#cell-${id} colab-run-button`)
                .shadowRoot.querySelector('.cell-execution')
                .matches('.stale.error'),
            CRASHES,
          ),
        );
        await page.evaluate((id) => void window.replica.run(id, [{ stream: 'next\n' }, { wait: 500 }]), OTHER);
      }
      for (const [i, page] of pages.entries()) {
        const [late, words, what] = SEQUENCES[i];
        const [id, variant] = what.split('/');
        await page.bringToFront();
        const found = await card(page, CRASHES, id, { clock: late * 1000 });
        if (variant) assert.equal(found.variant, variant);
        // The button of the toast opens a dialog about the same death.
        if (words === 'ram-pro') {
          await page.evaluate(() => document.querySelector('.snackbar-action').click());
          await until('the dialog', () => page.evaluate(() => Boolean(document.querySelector('mwc-dialog[open]'))));
        }
        await inCard(page, CRASHES, 'scroll');
        if (['window', 'unknown'].includes(words) && late === 29) await picture(page, `crash-${kind}-${words}`);
        const all = await cards(page);
        assert.deepEqual(
          all.map((c) => [c.cell, c.id]),
          [[CRASHES, id]],
          `${words} after ${late} s`,
        );
      }
    });
  });

  describe(`each kind of crash in ${kind}, with a clock that is moved`, () => {
    let session;
    let page;
    before(async () => {
      session = await startSession(kind, { change: withClock });
      page = await session.colab('?errors=framed');
    });
    after(() => session?.close());

    /** Milliseconds by which the clock is late. */
    let later = 0;
    const wait = (seconds) => {
      later += seconds * 1000;
      return page.evaluate((ms) => {
        document.documentElement.dataset.later = ms;
      }, later);
    };
    const sent = (what, match) =>
      until(what, () =>
        page.evaluate((pattern) => new RegExp(pattern).test(document.documentElement.dataset.sent), match),
      );

    for (const [w, [words, id]] of Object.entries(WORDS).entries()) {
      test(words, async () => {
        const cellOf = (part, d) => `${part}${w}x${d}`;
        const all = DELAYS.flatMap((_, d) => ['dies', 'next', 'probe'].map((part) => cellOf(part, d)));
        await page.evaluate((ids) => {
          document.documentElement.dataset.sent = '';
          const list = ids.map((cell) => ({ id: cell, source: `work("${cell}")` }));
          window.replica.load({ name: 'crash.ipynb', cells: list });
        }, all);
        await sent('the cells', `"cell":"${all.at(-1)}"`);
        for (const [d, late] of DELAYS.entries()) {
          const between = BETWEEN[(w + d) % 3];
          const connected = CONNECTED[(w + d) % 2];
          const probed = (w + d) % 4 === 0;
          const [dies, next, feed] = ['dies', 'next', 'probe'].map((part) => cellOf(part, d));
          const name = `${words} after ${late} s, ${between}, ${connected}${probed ? ', probed' : ''}`;
          // Long after the one before.
          await wait(300);
          await page.evaluate(() => window.replica.connect('connected'));
          await page.evaluate(
            (cell) => void window.replica.run(cell, [{ stream: 'loading\n' }, { wait: 50 }, { crash: '' }]),
            dies,
          );
          await sent(`the end of the run: ${name}`, `"cell":"${dies}"[^}]*"cut":true`);
          const died = await page.evaluate(() => Date.now() + Number(document.documentElement.dataset.later ?? 0));
          if (connected !== 'connected') {
            await page.evaluate((state) => window.replica.connect(state), connected);
            await sent(`no connection: ${name}`, '"t":"kernel"[^}]*"disconnected"');
          }
          if (between !== 'nothing') {
            await wait(Math.min(late, 2));
            await page.evaluate(
              (cell, goesOn) =>
                void window.replica.run(cell, [{ stream: 'next\n' }, ...(goesOn ? [{ wait: 800 }] : [])]),
              next,
              between === 'a run',
            );
            await sent(
              `the next cell: ${name}`,
              `"cell":"${next}"[^}]*"state":"${between === 'a run' ? 'running' : 'done'}"`,
            );
          }
          await wait(between === 'nothing' ? late : Math.max(0, late - 2));
          await page.evaluate((toast) => window.replica.snackbar(toast), words);
          // The earlier ones keep their cards.
          const shown = async () =>
            (await cards(page))
              .filter(({ cell }) => !cell || [dies, next, feed].includes(cell))
              .map((one) => [one.cell, one.id]);
          await card(page, dies, id);
          assert.deepEqual(await shown(), [[dies, id]], name);
          if (id === 'host-oom') {
            await page.evaluate(() => window.replica.dialog('high-ram'));
            await sent(`the dialog: ${name}`, 'Switch to a high-RAM runtime');
          }
          if (probed) {
            // The probe is started again and tells how the kernel before it ended.
            const known = id === 'display-missing' ? '"st":6,"oom":[0,0,null]' : '"st":9,"oom":[3,4,null]';
            await page.evaluate(
              (cell, record) => window.replica.run(cell, [{ stream: record }]),
              feed,
              `nbmedic: the kernel before this one died ⟦nbmedic:1 {"k":"end","t":${died},"p":1,${known}}⟧\n`,
            );
            await card(page, dies, id === 'kernel-died' ? 'host-oom' : id);
          }
          assert.deepEqual(
            await shown(),
            [[dies, probed && id === 'kernel-died' ? 'host-oom' : id]],
            `${name}, at the end`,
          );
          await page.evaluate(() => {
            document.querySelector('mwc-dialog')?.remove();
            window.replica.dismissSnackbars();
          });
        }
      });
    }

    test('the drift report holds the unknown words only if the person adds them', async () => {
      const said = 'Via seanco kolapsis pro nekonata kialo.';
      for (const [button, has] of [
        ['Copy drift report', false],
        ['Copy it with these words', true],
      ]) {
        await page.bringToFront();
        await inPopup(session, /does not know the words with which the page said so: “Via seanco/, async (popup) => {
          await until('the button is there', () => popup.click(button));
          await until('the report is copied', async () => /Copied/.test(await popup.text()));
        });
        const report = await clipboard(session, page);
        assert.match(report, /^nbmedic drift report, version/);
        assert.equal(report.includes(said), has, report.slice(0, 400));
        // What is around the toast and the cell that was cut off comes before the whole page.
        const around = report.slice(report.indexOf('around notices'), report.indexOf('\nstructure'));
        assert.match(around, /colab-snackbar#message-area/);
        assert.match(around, /\.cell-execution[\w.-]*\.stale\.error/);
        assert.doesNotMatch(report, /work\(|crash\.ipynb|drive\/|Ada/);
      }
    });

    test('no card for what is no crash', async () => {
      const lone = await session.colab('?errors=framed');
      await lone.bringToFront();
      const shown = async (what) => {
        await settled(lone, OTHER);
        const all = (await cards(lone)).map((one) => [one.cell, one.id]);
        assert.deepEqual(all, [], what);
      };
      const ask = async (name) => {
        await lone.evaluate((dialog) => window.replica.dialog(dialog), name);
        await lone.evaluate(() => document.querySelector('mwc-dialog [dialogaction=ok]').click());
      };
      const clean = [{ stream: 'loading\n' }];
      // A warning before a run that is answered, and the run ends well.
      await ask('may-be-disallowed');
      await lone.evaluate((id, steps) => window.replica.run(id, steps), CRASHES, clean);
      await shown('a warning that was answered');
      // The words of a closed toast, and its buttons, stay in the page; hidden warnings and dialogs are there from the start.
      await lone.evaluate(() => {
        window.replica.snackbar('saved');
        window.replica.dismissSnackbars();
        document.querySelector('.modal-dialog-content').textContent = 'Your session crashed for an unknown reason.';
        document.querySelector('.header-warning .message').textContent = 'Your session crashed for an unknown reason.';
      });
      await lone.evaluate((id, steps) => window.replica.run(id, steps), CRASHES, clean);
      await shown('what is closed or hidden');
      for (const state of ['reconnect', 'connecting', 'connected'])
        await lone.evaluate((to) => window.replica.connect(to), state);
      await shown('a new connection');
      // The person restarts the session: nothing runs, and all counts go back.
      await ask('restart');
      await lone.evaluate(() => {
        window.replica.crash('');
        window.replica.snackbar('saved');
      });
      await shown('a restart that was asked for');
      // The same while a cell runs.
      await lone.evaluate((id) => {
        const steps = {
          *[Symbol.iterator]() {
            for (;;) yield { wait: 50 };
          },
        };
        void window.replica.run(id, steps);
      }, CRASHES);
      await until('the cell runs', () =>
        lone.evaluate((id) => document.getElementById(`cell-${id}`).classList.contains('running'), CRASHES),
      );
      await ask('restart');
      await lone.evaluate(() => {
        window.replica.crash('');
        window.replica.snackbar('saved');
      });
      await shown('a restart that was asked for during a run');
      await lone.close();
    });

    test('nothing failed on the way', async () => {
      assert.deepEqual([...session.errors, ...(await session.extensionErrors())], []);
    });
  });
}
