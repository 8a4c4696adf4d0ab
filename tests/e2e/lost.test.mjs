// A runtime that is gone, on Colab's replica by the real clock: in twelve languages, in made-up words and without any. The
// page's own state says it; the words only join in.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { card, cards, inCard, settled } from './harness/cards.mjs';
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
      for (const what of PAGES) {
        const page = await session.colab();
        await page.bringToFront();
        await work(page, what);
        await lose(page, what);
        pages.push(page);
      }
      const began = performance.now();
      for (const [i, what] of PAGES.entries()) {
        if (!what.lost) continue;
        const [page, name] = [pages[i], JSON.stringify(what)];
        await page.bringToFront();
        const at = what.run === 'idle' ? null : LOST;
        const found = await card(page, at, 'runtime-disconnected', { timeout: 90_000 });
        assert.equal(found.text.includes(what.words), what.says !== 'nothing', `${name}: ${found.text}`);
        assert.equal((await cards(page)).length, 1, name);
        if (i !== 0 && i !== 2 && i !== 7) continue;
        if (at) await inCard(page, at, 'scroll');
        await picture(page, `lost-${kind}-${what.says}-${what.run.replace(' ', '-')}`);
      }
      // The last page lost its connection before the first one's card was asked for: by now all have been away for long.
      await until('a minute', () => performance.now() - began > 60_000, { timeout: 120_000 });
      for (const [i, what] of PAGES.entries()) {
        if (what.lost) continue;
        await pages[i].bringToFront();
        assert.deepEqual(await cards(pages[i]), [], JSON.stringify(what));
      }
    });
  });
}
