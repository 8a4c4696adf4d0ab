// Every way that a page has to read, move or press a card, in both browsers, on http and https.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { startPlain } from '../replicas/plain/server.mjs';
import { NOTEBOOK_URL, startProxy } from '../replicas/server.mjs';
import { COPIED, SHOWN, cardAlone } from './harness/alone.mjs';
import { learned, prepare, reach } from './harness/attacks.mjs';
import { startChrome } from './harness/chrome.mjs';
import { clipboard } from './harness/clipboard.mjs';
import { startFirefox } from './harness/firefox.mjs';
import { BROWSERS } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const HOST = 'notebooks.lab.test';
const ADDRESSES = { http: `http://${HOST}/`, https: NOTEBOOK_URL };
const WORDS = [...SHOWN, ...Object.values(COPIED)];
/** Longer than a card has to stand still before it heeds a press, in milliseconds. */
const STILL_MS = 450;
/** Shorter than that: a press that takes longer leaves the card standing still for long enough. */
const QUICK_MS = 200;
/** As often a press is tried again because it took too long. */
const TRIES = 20;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

for (const kind of BROWSERS) {
  describe(`a hostile page in ${kind}`, () => {
    let server;
    let proxy;
    let made;
    let session;
    let page;
    before(async () => {
      server = await startPlain();
      proxy = await startProxy({ names: { [HOST]: server.port } });
      made = await cardAlone();
      session = await (kind === 'chrome' ? startChrome : startFirefox)({ extension: made.dir, proxy });
      session.kind = kind;
      if (kind === 'firefox') for (const host of [HOST]) await session.allow(`http://${host}/*`);
      page = await session.newPage();
      await page.evaluateOnNewDocument(prepare);
    });
    after(async () => {
      await session?.close();
      proxy?.close();
      server?.close();
      await made?.remove();
    });

    const known = async () => JSON.parse(await page.evaluate(() => document.documentElement.dataset.card ?? '{}'));

    /** Opens the page, whose own elements are gone but for the place of the card. */
    async function open(address) {
      await page.goto(address, { waitUntil: 'load' });
      await page.evaluate(() => {
        document.body.replaceChildren();
        const here = document.createElement('div');
        here.id = 'here';
        document.body.append('Text of the page', here);
      });
      await until('a card', async () => (await known()).shown);
    }

    /** What is known of the card once it has been looked at again, where it is by then. */
    async function looked() {
      const { looks } = await known();
      return until('another look', async () => {
        const now = await known();
        return now.looks > looks + 1 && now;
      });
    }

    /** Presses a button after the pointer was over it for a while. Returns what it says. */
    async function press(name, wait = STILL_MS) {
      const { at, said } = await looked();
      const [x, y] = at[`.${name}`];
      await page.mouse.move(x + 2, y);
      await pause(wait);
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.up();
      return until('an answer', async () => (await known()).said[name][said[name].length], { detail: known });
    }

    async function pasted() {
      if (kind === 'firefox') return clipboard(session, page);
      const reader = await session.newPage();
      try {
        await reader.goto(NOTEBOOK_URL, { waitUntil: 'load' });
        await reader.bringToFront();
        return await clipboard(session, reader);
      } finally {
        await reader.close();
        await page.bringToFront();
      }
    }

    for (const [scheme, address] of Object.entries(ADDRESSES)) {
      test(`reaches nothing from the card’s element, on ${scheme}`, async () => {
        await open(address);
        assert.deepEqual(await page.evaluate(reach, WORDS), []);
        await press('copy');
        const [x, y] = (await known()).at.summary;
        await page.mouse.click(x, y);
        await until('the details are open', async () => (await known()).open);
        await page.keyboard.press('Tab');
        const all = await page.evaluate(learned, WORDS);
        assert.deepEqual([all.roots, all.words, all.pages], [[], [], []]);
        // Firefox tells pages of the nodes inside; the next tests are about what they can do with them.
        if (kind === 'chrome') assert.deepEqual(all.nodes, []);
      });

      test(`neither reads nor replaces what is copied, on ${scheme}`, async () => {
        await open(address);
        await page.evaluate(() => {
          window.spy.replaces = true;
        });
        for (const [name, text] of Object.entries(COPIED)) {
          assert.equal(await press(name), 'yes');
          assert.equal(await pasted(), text);
        }
        assert.deepEqual((await page.evaluate(learned, WORDS)).words, []);
      });

      test(`can’t style the card’s element, on ${scheme}`, async () => {
        await open(address);
        const [before, then, style] = await page.evaluate(() => {
          const host = document.querySelector('[data-nbmedic-card]');
          const box = () => JSON.stringify(host.getBoundingClientRect());
          const old = box();
          const evil =
            'position: fixed !important; inset: 0 !important; opacity: 0 !important; transform: scale(9) !important;' +
            'z-index: 9 !important; display: flex !important; font-size: 99px !important; margin: -50px !important;' +
            'clip-path: inset(9px) !important; --nbmedic-inset: -900px !important; --ground: red !important;';
          host.style.cssText = evil;
          const { position, opacity, transform, display, clipPath } = getComputedStyle(host);
          return [old, box(), { position, opacity, transform, display, clipPath }];
        });
        assert.equal(then, before);
        assert.deepEqual(style, {
          position: 'static',
          opacity: '1',
          transform: 'none',
          display: 'block',
          clipPath: 'none',
        });
      });

      test(`can’t have a hidden, moved or covered button pressed, on ${scheme}`, async () => {
        await open(address);
        for (const [name, style] of [
          ['opacity', 'opacity: 0'],
          ['filter', 'filter: opacity(0.01)'],
          ['stretched', 'transform: scale(2.5); transform-origin: 0 0; width: 300px'],
          ['blended', 'mix-blend-mode: screen'],
        ]) {
          await open(address);
          await page.evaluate((css) => {
            document.querySelector('#here').style.cssText = css;
          }, style);
          assert.equal(await press('copy'), 'again', name);
        }
        // Moved under the pointer at the last moment, and hidden until then.
        for (const [before, then] of [
          ['position: fixed; width: 600px; top: 300px', 'position: fixed; width: 600px; top: 0'],
          ['opacity: 0', ''],
        ]) {
          let took = Infinity;
          for (let tries = 0; took > QUICK_MS && tries < TRIES; tries += 1) {
            await open(address);
            await page.evaluate((css) => (document.querySelector('#here').style.cssText = css), then);
            const [x, y] = (await looked()).at['.copy'];
            await page.evaluate(
              (hidden, last) => {
                const here = document.querySelector('#here');
                here.style.cssText = hidden;
                const change = () => (here.style.cssText = last);
                for (const type of ['pointerdown', 'mousedown']) addEventListener(type, change, true);
                // Of this press only.
                const first = { capture: true, once: true };
                addEventListener('pointerdown', () => (window.down = performance.now()), first);
                addEventListener('click', () => (window.took = performance.now() - window.down), first);
              },
              before,
              then,
            );
            await page.mouse.move(x, y);
            await pause(STILL_MS);
            await page.mouse.down();
            await page.mouse.up();
            // The answer to a later press, which counts, shows that this one has had its own.
            assert.equal(await press('report'), 'yes', before);
            took = await page.evaluate(() => window.took ?? 0);
          }
          assert.ok(took <= QUICK_MS, `no press was quick enough: ${took} ms`);
          const { said } = await known();
          assert.deepEqual(
            said.copy.filter((what) => what !== 'again'),
            [],
            before,
          );
        }
      });
    }

    test('that stops copying on http is named, and learns nothing', async () => {
      await page.goto(ADDRESSES.http, { waitUntil: 'load' });
      await open(ADDRESSES.http);
      await page.evaluate(() => {
        for (const type of ['beforecopy', 'copy'])
          document.addEventListener(type, (event) => event.stopImmediatePropagation(), true);
      });
      // Later listeners hear nothing.
      assert.equal(await press('report'), 'yes');
      const early = await page.evaluateOnNewDocument(() => {
        for (const type of ['beforecopy', 'copy'])
          addEventListener(type, (event) => event.stopImmediatePropagation(), true);
      });
      await open(ADDRESSES.http);
      assert.equal(await press('report'), 'pick');
      assert.equal((await known()).pick, 'Press Ctrl+C to copy');
      await page.keyboard.down('Control');
      await page.keyboard.press('c');
      await page.keyboard.up('Control');
      await until('it says so', async () => (await known()).pick === 'Could not copy');
      assert.deepEqual((await page.evaluate(learned, WORDS)).words, []);
      await page.removeScriptToEvaluateOnNewDocument(early.identifier);
    });

    if (kind === 'firefox') {
      test('that gets a button from an event can’t make use of it', async () => {
        for (const [how, answer] of [
          ['nothing', 'yes'],
          ['style', 'no'],
          ['class', 'no'],
          ['animation', 'no'],
          ['sheet', 'no'],
          // Firefox keeps pages from the rules of an extension's style sheets.
          ['rule', 'yes'],
        ]) {
          await open(ADDRESSES.http);
          await page.evaluate((way) => {
            let got = false;
            const use = ({ originalTarget: button }) => {
              if (button?.localName !== 'button' || got) return;
              got = true;
              const root = button.getRootNode();
              const sheet = new CSSStyleSheet();
              sheet.replaceSync('button { outline: 0 }');
              if (way === 'style') button.style.cssText = 'outline: 0';
              if (way === 'class') button.className = 'copy more';
              if (way === 'animation') button.animate({ opacity: [0, 0] }, { duration: 1e6 });
              if (way === 'sheet') root.adoptedStyleSheets = [sheet];
              try {
                if (way === 'rule') root.querySelector('style').sheet.insertRule('button { opacity: 0 }', 0);
              } catch {
                // Refused.
              }
            };
            addEventListener('pointermove', use, true);
          }, how);
          const [x, y] = (await known()).at['.copy'];
          await page.mouse.move(x - 2, y);
          await page.mouse.move(x - 1, y);
          assert.equal(await press('copy'), answer, how);
        }
      });
    }
  });
}
