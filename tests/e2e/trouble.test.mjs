// nbmedic itself fails: the notebook stays unchanged, the popup says what happened, and the engine continues from the store.
import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { card, cards } from './harness/cards.mjs';
import { clipboard } from './harness/clipboard.mjs';
import { inPopup } from './harness/popup.mjs';
import { BROWSERS, picture, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const [OOM, SCRIPT, OTHER] = ['kW8sJd3hLr6o', 'bM2yXc9tPz4i', 'yL1cQw6bEi9m'];
const GONE = 'name-undefined';

/** Makes the engine trap on a marked output, by a read outside its memory, and removes one file. */
async function plant(dir) {
  const file = path.join(dir, 'engine/nbmedic.js');
  const code = await readFile(file, 'utf8');
  const planted = code.replace(
    'wasm.engine_apply(this.__wbg_ptr,',
    "wasm.engine_apply(JSON.stringify(events).includes('PLANTED') || (JSON.stringify(events).includes('ONCE') && !globalThis.once++) ? -16 : this.__wbg_ptr,",
  );
  assert.notEqual(planted, code);
  await writeFile(file, `globalThis.once = 0;\n${planted}`);
  await rm(path.join(dir, 'prose', `${GONE}.json`));
}

/** The notebook as the page made it, without nbmedic's elements. */
const notebook = (page) =>
  page.evaluate(() => {
    const copy = document.querySelector('.notebook-cell-list').cloneNode(true);
    for (const host of copy.querySelectorAll('[data-nbmedic-card]')) host.remove();
    return copy.textContent;
  });

for (const kind of BROWSERS) {
  describe(`nbmedic fails in ${kind}`, () => {
    let session;
    let page;
    before(async () => {
      session = await startSession(kind, { change: plant, unstored: 'the engine is made to fail' });
      page = await session.colab();
      await page.evaluate((id) => window.replica.run(id), OOM);
      await card(page, OOM, 'gpu-oom');
    });
    after(() => session?.close());

    test('an engine that stops once continues from the store, and the popup says so', async () => {
      await page.evaluate(
        (id) => window.replica.run(id, [{ stream: 'ONCE\n' }, { stream: window.replica.SCRIPT_TRACEBACK }]),
        SCRIPT,
      );
      await card(page, SCRIPT, 'gpu-oom');
      assert.deepEqual((await cards(page)).map((c) => c.cell).sort(), [SCRIPT, OOM].sort());
      await inPopup(session, /engine stopped while reading this tab\. It was restarted and works again\./);
    });

    test('an engine that keeps stopping leaves the tab alone; the notebook and its cards stay', async () => {
      const before = await notebook(page);
      await page.evaluate((id) => window.replica.run(id, [{ stream: 'PLANTED\n' }]), OTHER);
      let report = '';
      await inPopup(session, /engine stopped repeatedly[^]*The notebook is not affected/, async (popup) => {
        if (kind === 'chrome') await picture(popup.page, 'trouble-popup');
        await popup.click('Copy a report about nbmedic');
        await until('it is copied', async () => /It contains nothing from your notebooks/.test(await popup.text()), {
          detail: () => popup.text(),
        });
      });
      await page.bringToFront();
      report = await clipboard(session, page);
      assert.match(report, /^# nbmedic about itself\n\n- nbmedic \d/);
      assert.match(report, /\| engine-left \| {2}\| \d+ \| no \| RuntimeError: /);
      assert.doesNotMatch(report, /PLANTED|segment_tiles|colab/);
      const words = (text) => text.replace(/\s+/g, ' ').length;
      assert.ok(words(await notebook(page)) >= words(before), 'nothing of the notebook is gone');
      assert.deepEqual((await cards(page)).map((c) => c.cell).sort(), [SCRIPT, OOM].sort());
      await picture(page, `trouble-${kind}`);
    });

    test('after a click the tab is read again', async () => {
      await page.evaluate((id) => window.replica.run(id, []), OTHER);
      await inPopup(session, /Try again/, (popup) => popup.click('Try again'));
      await inPopup(session, /2 problems explained/);
      await page.evaluate((id) => window.replica.run(id, []), OOM);
      await until('the card is gone', async () => (await cards(page)).every((c) => c.cell !== OOM));
    });

    test('a missing explanation costs only its own card, and the popup says which', async () => {
      await page.evaluate((id) => {
        const error = window.replica.traceback({
          type: 'NameError',
          message: "name 'x' is not defined",
          source: 'x',
          at: 1,
        });
        return window.replica.run(id, [{ error }]);
      }, OTHER);
      await inPopup(session, new RegExp(`The explanation of “${GONE}” is missing`));
      await page.evaluate((id) => window.replica.run(id), OOM);
      await card(page, OOM, 'gpu-oom');
      assert.deepEqual(
        (await cards(page)).filter((c) => c.cell === OTHER),
        [],
      );
      assert.deepEqual(session.errors, []);
    });
  });

  describe(`the engine's file is missing in ${kind}`, () => {
    let session;
    before(async () => {
      session = await startSession(kind, {
        change: (dir) => rm(path.join(dir, 'engine/nbmedic_bg.wasm')),
        unstored: 'there is no engine',
      });
    });
    after(() => session?.close());

    test('the page is as it would be without nbmedic, and the popup says what to do', async () => {
      const page = await session.colab();
      await page.evaluate((id) => window.replica.run(id), OOM);
      await inPopup(
        session,
        /engine could not be started: a file of the extension is missing or damaged\. Reinstall nbmedic to repair it/,
      );
      assert.equal(await page.evaluate(() => document.querySelectorAll('[data-nbmedic-card]').length), 0);
      assert.match(await notebook(page), /CUDA out of memory/);
      assert.deepEqual(
        session.errors.filter((line) => line.startsWith('page:')),
        [],
      );
    });
  });
}
