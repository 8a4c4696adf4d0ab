// A runtime that is gone, on Colab's replica by the real clock: in twelve languages, in made-up words and without any. The
// page's own state says it; the words only join in.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { card, cards, inCard, settled } from './harness/cards.mjs';
import { stored } from './harness/record.mjs';
import { BROWSERS, picture, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const [EARLIER, LOST] = ['bM2yXc9tPz4i', 'kW8sJd3hLr6o'];

/** No rule knows any of these notices. */
const WORDS = [
  'Laufzeit getrennt',
  'Environnement d’exécution déconnecté',
  'Entorno de ejecución desconectado',
  'Tempo de execução desconectado',
  'Runtime disconnesso',
  'Runtime losgekoppeld',
  'Środowisko wykonawcze rozłączone',
  'Среда выполнения отключена',
  'Çalışma zamanının bağlantısı kesildi',
  'ランタイムが切断されました',
  '런타임 연결이 끊어졌습니다',
  '运行时已断开连接',
  'Qw ertz uiop',
];
/** The background is told this long after it has stored that a connection is away (`AWAY_MS` of the sensor), in milliseconds. */
const AWAY_MS = 46_000;
/** A connection that has been away for this long is lost (`RECONNECT_MS` of the engine), in milliseconds. */
const LOST_MS = 45_000;
const AWAY = new Set(['disconnected', 'connecting']);
const SAYS = ['dialog', 'snackbar', 'nothing'];
const RUN = ['cut off', 'runs on', 'idle'];

/** Each way of saying it meets each state of the run; the languages take turns. */
const PAGES = [
  ...WORDS.map((words, i) => ({ words, says: SAYS[i % 3], run: RUN[Math.floor(i / 3) % 3], lost: true })),
  // Back before it counts as lost: after 40 s of the 45.
  ...SAYS.map((says) => ({ words: WORDS[12], says, run: 'runs on', lost: false, back: 40_000 })),
  // The person answers a dialog, and the runtime is deleted.
  { words: WORDS[0], says: 'answer', run: 'cut off', lost: false },
  { words: WORDS[12], says: 'answer', run: 'idle', lost: false },
];

/** The last stored events of each page on its kernel and its notebook. */
async function connections(session) {
  const pages = new Map();
  for (const row of (await stored(session)).rows) {
    const { t } = row.event;
    if (t === 'kernel' || t === 'notebook') pages.set(row.page, { ...pages.get(row.page), [t]: row });
  }
  return [...pages.values()].filter(({ kernel, notebook }) => kernel && notebook);
}

/** Runs a cell that ends well, and is seen to, then one that is at work, unless nothing is to run. */
async function work(page, { run }) {
  await settled(page, EARLIER);
  if (run === 'idle') return;
  await page.evaluate((id) => {
    const steps = [{ stream: 'epoch 1\n' }, { wait: 300 }, { stream: 'epoch 2\n' }, { wait: 600_000 }];
    void window.replica.run(id, steps);
  }, LOST);
  await until('the run', () =>
    page.evaluate(
      (id) => document.querySelector(`#cell-${id} .output`)?.textContent.includes('epoch 2') ?? false,
      LOST,
    ),
  );
}

/** Takes the runtime away, and says so on the page as it is to be said. */
async function lose(page, { words, says, run, back }) {
  if (says === 'answer') {
    await page.evaluate((text) => window.replica.dialog(text), words);
    // A person reads it.
    await new Promise((done) => {
      setTimeout(done, 1500);
    });
    await page.evaluate(() => document.querySelector('[open] md-text-button').click());
  }
  await page.evaluate(
    (how, text, cut, later) => {
      window.replica.connect('reconnect');
      if (cut) window.replica.crash('');
      if (how === 'dialog' || how === 'snackbar') window.replica[how](text);
      if (later) setTimeout(() => window.replica.connect('connected'), later);
    },
    says,
    words,
    run === 'cut off',
    back ?? 0,
  );
}

for (const kind of BROWSERS) {
  describe(`A lost runtime in ${kind}`, () => {
    let session;
    before(async () => {
      session = await startSession(kind);
    });
    after(() => session?.close());

    // All at once: they wait most of the time. A page of its own for each, as for a person.
    test('a card at the right cell in every language and without words, and none for a connection that comes back', async () => {
      const pages = [];
      /** When each page lost its connection. */
      const since = [];
      /** What is left of the time that a page is away before it counts as lost. */
      const left = (i) => Math.max(0, since[i] + AWAY_MS - performance.now());
      for (const what of PAGES) {
        const page = await session.colab();
        await page.bringToFront();
        await work(page, what);
        await lose(page, what);
        pages.push(page);
        since.push(performance.now());
      }
      for (const [i, what] of PAGES.entries()) {
        if (!what.lost) continue;
        const [page, name] = [pages[i], JSON.stringify(what)];
        await page.bringToFront();
        const at = what.run === 'idle' ? null : LOST;
        const found = await card(page, at, 'runtime-disconnected', { clock: left(i) });
        assert.equal(found.text.includes(what.words), what.says !== 'nothing', `${name}: ${found.text}`);
        assert.equal((await cards(page)).length, 1, name);
        if (i !== 0 && i !== 2 && i !== 7) continue;
        if (at) await inCard(page, at, 'scroll');
        await picture(page, `lost-${kind}-${what.says}-${what.run.replace(' ', '-')}`);
      }
      // Until the engine could have judged every page: those with the connection back, and those that are away for long.
      const back = PAGES.filter((what) => what.back).length;
      const judged = ({ kernel, notebook }) => !AWAY.has(kernel.event.status) || notebook.at - kernel.at >= LOST_MS;
      await until(
        'every page is judged',
        async () => {
          const known = await connections(session);
          return known.every(judged) && known.filter(({ kernel }) => !AWAY.has(kernel.event.status)).length === back;
        },
        { clock: left(PAGES.length - 1), every: 500, detail: () => connections(session) },
      );
      for (const [i, what] of PAGES.entries()) {
        if (what.lost) continue;
        await pages[i].bringToFront();
        // The card of an error that comes later shows that what came before has been answered.
        await pages[i].evaluate((id) => {
          const { error, traceback } = window.replica;
          error(
            id,
            traceback({ type: 'NameError', message: "name 'marker' is not defined", source: 'marker()', at: 1 }),
          );
        }, EARLIER);
        await card(pages[i], EARLIER, 'name-undefined');
        assert.deepEqual(
          (await cards(pages[i])).map(({ id }) => id),
          ['name-undefined'],
          JSON.stringify(what),
        );
      }
    });
  });
}
