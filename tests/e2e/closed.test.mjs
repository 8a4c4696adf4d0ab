// What a page's own scripts can do to the cards of the package as it ships: nothing. attacks.test.mjs has every way.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { NOTEBOOK_URL } from '../replicas/server.mjs';
import { learned, prepare, reach } from './harness/attacks.mjs';
import { BROWSERS, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const OOM = 'kW8sJd3hLr6o';

for (const kind of BROWSERS) {
  describe(`scripts of the page in ${kind}`, () => {
    let session;
    let page;
    before(async () => {
      session = await startSession(kind, { shipped: true, unstored: 'no test can read its cards' });
      page = await session.newPage();
      await page.evaluateOnNewDocument(prepare);
      await page.goto(NOTEBOOK_URL, { waitUntil: 'load' });
      await until('the replica is ready', () => page.evaluate(() => document.documentElement.dataset.ready === 'true'));
    });
    after(() => session?.close());

    test('neither keep nbmedic from starting nor reach into a card', async () => {
      await page.evaluate((id) => window.replica.run(id), OOM);
      const height = () => page.evaluate(() => document.querySelector('[data-nbmedic-card]')?.offsetHeight ?? 0);
      await until('a card', async () => (await height()) > 50);
      const found = await page.evaluate(() => {
        const host = document.querySelector('[data-nbmedic-card]');
        host.scrollIntoView({ block: 'center' });
        const { x, y, width } = host.getBoundingClientRect();
        const hits = new Set();
        for (let i = 5; i < width; i += 20) hits.add(document.elementFromPoint(x + i, y + 20) === host);
        host.click();
        host.dispatchEvent(
          new MouseEvent('click', { bubbles: true, composed: true, clientX: x + 20, clientY: y + 20 }),
        );
        return {
          root: host.shadowRoot,
          children: host.childNodes.length,
          text: host.textContent + host.innerText,
          hits: [...hits].filter((isHost) => !isHost),
          pages: Object.keys(window).filter((name) => /nbmedic/i.test(name)),
        };
      });
      assert.deepEqual(found, { root: null, children: 0, text: '', hits: [], pages: [] });
      // Words of the card alone: the output has the message too.
      assert.deepEqual(await page.evaluate(reach, ['accumulate gradients']), []);
      assert.deepEqual((await page.evaluate(learned, [])).roots, []);
      // A second sensor would bring a second card.
      await page.evaluate(() =>
        document.documentElement.dispatchEvent(new CustomEvent('nbmedic-takeover', { cancelable: true })),
      );
      assert.equal(await page.evaluate(() => document.querySelectorAll('[data-nbmedic-card]').length), 1);
    });
  });
}
