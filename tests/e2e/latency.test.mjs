// Measures the time from an output to its card, with the background awake and asleep.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { card, noCard } from './harness/cards.mjs';
import { memoryError, OOM, untilCard } from './harness/drawn.mjs';
import { BROWSERS, figures, quantile, startSession } from './harness/session.mjs';

/** The cell whose failure is repaired, and what it has to hold. */
const CURED = 'Vx5uNf7gQe1p';
const FAILING = 'root = math.sqrt(4.0)\nprint("root:", root)';
const AWAKE_RUNS = 12;
const ASLEEP_RUNS = 15;
// The goals on a quiet machine are 50 ms median and 80 ms p95 with the background awake, and 120 ms p95 asleep. Other
// work on the machine only adds to a measurement, so the limit applies to the lower quartile. Awake it is tight enough to
// fail if an error waits as long as a stream does (150 ms). Asleep, the browser starts the background and compiles both
// modules, which took 340 ms on the slowest machine seen; the limit leaves room for a slower one.
const AWAKE_MS = 100;
const ASLEEP_MS = 600;
// A card that shows a change of the person's own lines may take this many times as long as one that doesn't.
const CURED_TIMES = 1.5;
// The goal is 60 ms; every run prints the measured times. A busy machine may take this long.
const WAKE_MS = 250;

const BESIDE_RUNS = 8;
// What another page's output may add.
const BESIDE_MS = 100;
/** First letters of secrets, again and again: each of them could begin a token that extends to the end. */
const SLOW = ['pat.', 'xoxb-', 'Cookie: a=b; '].map((part) => `${part.repeat(Math.ceil(18_000 / part.length))}\n`);

/** Where an error may be drawn. On Colab it is in a frame. */
const WAYS = { inline: 'in the page', made: 'in a frame made for it', open: 'in a frame that is there' };

/** The times for each way; the ways take turns, so that other work on the machine slows all of them. */
async function series(page, runs, ways, between) {
  const error = await memoryError(page);
  const times = Object.fromEntries(ways.map((way) => [way, []]));
  for (let i = 0; i < runs; i++) {
    for (const way of ways) {
      await page.evaluate((id) => window.replica.run(id, []), OOM);
      await noCard(page, OOM);
      await between();
      times[way].push(await untilCard(page, error, way));
      await card(page, OOM, 'gpu-oom');
    }
  }
  return times;
}

/** The times of a card without a change of the person's lines and of one with it, in turns. */
async function cured(page, runs) {
  const plain = await memoryError(page);
  const curable = await page.evaluate(
    (id, source) => {
      window.replica.edit(id, source);
      return window.replica.traceback({
        type: 'NameError',
        message: "name 'math' is not defined",
        source,
        at: 1,
      });
    },
    CURED,
    FAILING,
  );
  const times = { without: [], with: [] };
  for (let i = 0; i < runs; i++) {
    for (const id of [OOM, CURED]) {
      await page.evaluate((cell) => window.replica.run(cell, []), id);
      await noCard(page, id);
    }
    times.without.push(await untilCard(page, plain, 'inline'));
    times.with.push(await untilCard(page, curable, 'inline', CURED, '.first .diff'));
    await card(page, CURED, 'name-undefined');
  }
  return times;
}

const words = (times) =>
  `${quantile(times, 0.5).toFixed(0)} ms median, ${quantile(times, 0.95).toFixed(0)} ms p95, quicker quarter ${quantile(times, 0.25).toFixed(0)} ms`;

for (const kind of BROWSERS) {
  describe(`from output to card in ${kind}`, () => {
    let session;
    let page;
    before(async () => {
      session = await startSession(kind, kind === 'chrome' ? { attach: false } : {});
      page = await session.colab();
    });
    after(() => session?.close());

    test('with the background awake, in the page and in frames', async (t) => {
      const all = await series(page, AWAKE_RUNS, Object.keys(WAYS), () => {});
      for (const [way, name] of Object.entries(WAYS)) {
        const times = all[way];
        const line = `from output to card, ${kind}, ${name}, background awake: ${words(times)}`;
        await figures(t, `card-awake-${kind}${way === 'inline' ? '' : `-${way}`}`, { times }, line);
      }
      for (const way of Object.keys(WAYS)) assert.ok(quantile(all[way], 0.25) < AWAKE_MS, `${way}: ${words(all[way])}`);
    });

    test('with a change of the person’s own lines', async (t) => {
      const times = await cured(page, AWAKE_RUNS);
      const line = `from output to card, ${kind}, without a change to show: ${words(times.without)}; with one: ${words(times.with)}`;
      await figures(t, `card-cured-${kind}`, times, line);
      // As above, the lower quartile is what the extension itself needs.
      assert.ok(quantile(times.with, 0.25) <= CURED_TIMES * quantile(times.without, 0.25), line);
    });

    test('beside a page that prints what is slow to read', async (t) => {
      // All pages share one background: what another page prints must not hold this page's card.
      const front = await session.colab();
      const alone = await series(front, BESIDE_RUNS, ['inline'], () => {});
      let run = 0;
      const beside = await series(front, BESIDE_RUNS, ['inline'], async () => {
        await page.evaluate(
          (id, texts) =>
            window.replica.run(
              id,
              texts.map((stream) => ({ stream })),
            ),
          CURED,
          SLOW,
        );
        // A stream is read 150 ms after its first change: the error comes just before, while and after that is judged.
        run += 1;
        await sleep(120 + 20 * run);
      });
      const line = `from output to card, ${kind}, alone: ${words(alone.inline)}; beside a page that prints what is slow to read: ${words(beside.inline)}`;
      await figures(t, `card-beside-${kind}`, { alone: alone.inline, beside: beside.inline }, line);
      await front.close();
      const more = quantile(beside.inline, 0.75) - quantile(alone.inline, 0.75);
      assert.ok(more < BESIDE_MS, line);
    });

    test('with the background asleep', async (t) => {
      const { inline: times } = await series(page, ASLEEP_RUNS, ['inline'], () => session.stopBackground());
      await figures(
        t,
        `card-asleep-${kind}`,
        { times },
        `from output to card, ${kind}, background asleep: ${words(times)}`,
      );
      assert.ok(quantile(times, 0.25) < ASLEEP_MS, words(times));
    });

    if (kind !== 'chrome') return;

    test('from waking to ready', async (t) => {
      // An extension page asks the sleeping background a question that needs the engine: first about a text without
      // errors, which shows when the engine is ready, then about a traceback, which makes it prepare what that needs.
      const own = await session.newPage();
      await own.goto(`chrome-extension://${await session.extensionId()}/popup.html`, { waitUntil: 'load' });
      const ask = (text) =>
        own.evaluate(async (output) => {
          const start = performance.now();
          const { diagnoses } = await chrome.runtime.sendMessage({
            nbmedic: 1,
            kind: 'triage',
            text: output,
            name: 'probe',
          });
          return { ms: performance.now() - start, found: diagnoses.length };
        }, text);
      const traceback =
        'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n    x\nNameError: name \'x\' is not defined\n';
      const wake = [];
      const first = [];
      for (let i = 0; i < ASLEEP_RUNS; i++) {
        await session.stopBackground();
        const asleep = await ask('epoch 1 loss 0.52\n');
        const prepared = await ask(traceback);
        const awake = await ask('epoch 1 loss 0.52\n');
        assert.deepEqual([asleep.found, prepared.found], [0, 1], 'the engine answered');
        wake.push(asleep.ms - awake.ms);
        first.push(prepared.ms);
      }
      const quick = quantile(wake, 0.25);
      await figures(
        t,
        'wake-chrome',
        { wake, first },
        `from waking to ready, chrome: ${words(wake)}; the first traceback after it: ${words(first)}`,
      );
      // Other work on the machine only adds to a measurement, so the lower quartile is nearest to what the
      // extension itself needs.
      assert.ok(
        quick <= WAKE_MS,
        `${quick.toFixed(0)} ms for the quicker quarter, ${words(wake)}; allowed are ${WAKE_MS} ms`,
      );
    });
  });
}
