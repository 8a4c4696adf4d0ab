// Keyboard shortcuts: from card to card, and the fix into the clipboard, without the mouse.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { card } from './harness/cards.mjs';
import { clipboard } from './harness/clipboard.mjs';
import { ownPage } from './harness/own.mjs';
import { BROWSERS, picture, startSession } from './harness/session.mjs';
import { shortcut } from './harness/shortcut.mjs';
import { until } from './harness/wait.mjs';

const SOURCES = { aRoot: 'root = math.sqrt(2)', aText: 'text = json.dumps({})' };
const NOTEBOOK = {
  name: 'shortcuts.ipynb',
  cells: [
    { id: 'aLong', source: Array.from({ length: 80 }, (_, at) => `x${at} = ${at}`).join('\n'), live: true },
    ...Object.entries(SOURCES).map(([id, source]) => ({ id, source, live: true })),
  ],
};
const FAILURES = { aRoot: "name 'math' is not defined", aText: "name 'json' is not defined" };

/** The cell whose card has the focus, and whether that card is in view; null if none has it. */
const at = (page) =>
  page.evaluate(() => {
    const host = document.activeElement;
    if (!host?.matches('[data-nbmedic-card]') || !host.shadowRoot.activeElement) return null;
    const { top, bottom } = host.getBoundingClientRect();
    return { cell: host.closest('.cell').id, seen: bottom > 0 && top < innerHeight };
  });

for (const kind of BROWSERS) {
  describe(`shortcuts in ${kind}`, () => {
    let session;
    let page;
    before(async () => {
      session = await startSession(kind);
      page = await session.colab();
      await page.evaluate((notebook) => window.replica.load(notebook), NOTEBOOK);
      for (const [cell, message] of Object.entries(FAILURES)) {
        await page.evaluate((id, what) => window.replica.run(id, [{ error: window.replica.traceback(what) }]), cell, {
          type: 'NameError',
          message,
          source: SOURCES[cell],
          at: 1,
        });
        await card(page, cell);
      }
      await page.bringToFront();
      await page.evaluate(() => window.scrollTo(0, 0));
    });
    after(() => session?.close());

    test('each press leads to the next card, and from the last to the first', async () => {
      for (const cell of ['cell-aRoot', 'cell-aText', 'cell-aRoot']) {
        await shortcut(session, page, 'N', 'next');
        await until(`the focus in ${cell}`, async () => (await at(page))?.cell === cell, { detail: () => at(page) });
        assert.equal((await at(page)).seen, true);
      }
    });

    test('the fix of the card with the focus is copied', async () => {
      await shortcut(session, page, 'C', 'copy-fix');
      await until('the code is copied', async () => /^import math\b/.test(await clipboard(session, page)));
    });

    test('the options show the keys', async () => {
      const options = await ownPage(session, 'options.html');
      // Chromium gives a test's extension no keys.
      for (const [words, key] of [
        ['Go to the next explained failure', 'N'],
        ['Copy the fix', 'C'],
        ['Open the panel', 'P'],
      ])
        await options.shows(new RegExp(`${words}\\s+${kind === 'chrome' ? 'no keys' : `Alt\\+Shift\\+${key}`}`));
      if (options.page) await picture(options.page, 'shortcuts-options');
      await options.close();
    });
  });
}
