// What a page's own scripts can do to the cards: nothing. With the package as it ships.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { NOTEBOOK_URL } from '../replicas/server.mjs';
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
      // Runs before the sensor: the page swallows the words that sensors exchange, and opens every shadow root it can.
      await page.evaluateOnNewDocument(() => {
        const swallow = (event) => {
          event.preventDefault();
          event.stopImmediatePropagation();
        };
        window.addEventListener('nbmedic-takeover', swallow, true);
        const { attachShadow } = Element.prototype;
        Element.prototype.attachShadow = function open(options) {
          return attachShadow.call(this, { ...options, mode: 'open' });
        };
      });
      await page.goto(NOTEBOOK_URL, { waitUntil: 'load' });
      await until('the replica is ready', () => page.evaluate(() => document.documentElement.dataset.ready === 'true'));
    });
    after(() => session?.close());

    test('neither keep nbmedic from starting nor reach into a card', async () => {
      await page.evaluate((id) => window.replica.run(id), OOM);
      const height = () => page.evaluate(() => document.querySelector('nbmedic-card')?.offsetHeight ?? 0);
      await until('a card', async () => (await height()) > 50);
      const found = await page.evaluate(() => {
        const host = document.querySelector('nbmedic-card');
        const { x, y, width } = host.getBoundingClientRect();
        const hits = new Set();
        for (let i = 5; i < width; i += 20) hits.add(document.elementFromPoint(x + i, y + 20)?.localName);
        host.click();
        host.dispatchEvent(
          new MouseEvent('click', { bubbles: true, composed: true, clientX: x + 20, clientY: y + 20 }),
        );
        return {
          root: host.shadowRoot,
          children: host.childNodes.length,
          text: host.textContent + host.innerText,
          hits: [...hits].filter((name) => name && name !== 'nbmedic-card'),
          pages: Object.keys(window).filter((name) => /nbmedic/i.test(name)),
        };
      });
      assert.deepEqual(found, { root: null, children: 0, text: '', hits: [], pages: [] });
      // A second sensor would bring a second card.
      await page.evaluate(() =>
        document.documentElement.dispatchEvent(new CustomEvent('nbmedic-takeover', { cancelable: true })),
      );
      assert.equal(await page.evaluate(() => document.querySelectorAll('nbmedic-card').length), 1);
    });
  });
}
