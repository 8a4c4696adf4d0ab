// The Colab replica, at Colab's own address and under its policy, in both browsers.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { card, cards, focused, inCard, noCard, settled } from './harness/cards.mjs';
import { clipboard } from './harness/clipboard.mjs';
import { BROWSERS, picture, startSession, strangers } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const CLEAN = 'Vx5uNf7gQe1p';
const OOM = 'kW8sJd3hLr6o';
const SCRIPT = 'bM2yXc9tPz4i';
const HTML = 'eG6nRa1vUs7w';
const RAM = 'oD4fTh0jZk5q';
const OTHER = 'yL1cQw6bEi9m';

const run = (page, cell, steps = null) => page.evaluate((id, list) => window.replica.run(id, list), cell, steps);

const luminance = (colour) => {
  const [r, g, b] = colour.match(/[\d.]+/g).map(Number);
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
};

async function tabTo(page, what, match, limit = 25) {
  const seen = [];
  for (let i = 0; i < limit; i++) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    seen.push(`${now.tag} ${now.label || now.text.slice(0, 40)}`);
    if (match(now)) return now;
  }
  throw new Error(`Tab does not reach ${what}; it went over\n${seen.join('\n')}`);
}

for (const kind of BROWSERS) {
  describe(`Colab in ${kind}`, () => {
    let session;
    let page;
    before(async () => {
      session = await startSession(kind);
      page = await session.colab();
    });
    after(() => session?.close());

    test('a clean training log gets no card', async () => {
      await run(page, CLEAN);
      await settled(page, OTHER);
      assert.deepEqual(await cards(page), []);
    });

    test('a CUDA OOM traceback streamed by a script', async () => {
      await run(page, SCRIPT);
      const found = await card(page, SCRIPT, 'gpu-oom');
      assert.match(found.title, /2(\.0+)? GiB/);
      assert.match(found.title, /1\.1\d* GiB/);
      assert.match(found.title, /14\.7\d* GiB/);
      assert.equal(found.below, true, 'the card stands below the output');
      assert.equal((await cards(page)).length, 1);
    });

    test("a CUDA OOM raised in the cell, with the cell's own line repaired", async () => {
      await run(page, OOM);
      const found = await card(page, OOM, 'gpu-oom');
      assert.ok(found.text.includes('loader = tile_loader("/content/tiles", size=1024, batch_size=16)'), found.text);
      await inCard(page, OOM, 'scroll');
      await picture(page, `colab-${kind}-light`);
      await inCard(page, OOM, 'open');
      await picture(page, `colab-${kind}-light-open`);
      await inCard(page, OOM, 'close');
    });

    test('markup in an exception message stays text', async () => {
      await run(page, HTML);
      const found = await card(page, HTML);
      await inCard(page, HTML, 'open');
      await picture(page, `colab-${kind}-markup`);
      assert.ok(found.text.includes('<img src=x onerror='), `the message is shown as it is: ${found.text}`);
      assert.equal(found.html, 0, 'no element was made of it');
      assert.equal(await page.evaluate(() => 'nbmedicPwned' in window), false, 'nothing of it ran');
    });

    test('the keyboard reaches the card, opens it and copies', async () => {
      await page.bringToFront();
      await page.evaluate((id) => document.querySelector(`#cell-${id} colab-static-output-renderer`).focus(), OOM);
      await tabTo(page, 'the card', (now) => now.card, 3);
      const summary = await tabTo(page, "the card's details", (now) => now.card && now.tag === 'summary');
      assert.equal(summary.open, false);
      await page.keyboard.press('Enter');
      await until('the details open', async () => (await focused(page)).open);
      await tabTo(
        page,
        'a copy button',
        (now) => now.card && now.tag === 'button' && /copy/i.test(now.label || now.text),
      );
      await page.keyboard.press('Enter');
      await until('the button says that it copied', async () => (await focused(page)).done === 'yes', {
        timeout: 5000,
      });
      assert.ok((await clipboard(session, page)).trim().length > 0, 'something was copied');
      await inCard(page, OOM, 'close');
    });

    test('what an assistant needs can be copied and contains no personal names', async () => {
      await page.evaluate((id) => document.querySelector(`#cell-${id} colab-static-output-renderer`).focus(), OOM);
      await tabTo(
        page,
        'the button for an assistant',
        (now) => now.card && now.tag === 'button' && /assistant/i.test(now.label || now.text),
      );
      await page.keyboard.press('Enter');
      await until('the button says that it copied', async () => (await focused(page)).done === 'yes', {
        timeout: 5000,
      });
      const words = await clipboard(session, page);
      assert.match(words, /gpu-oom/);
      assert.doesNotMatch(words, /Ada Example/);
      await tabTo(page, 'the close button, last', (now) => now.card && /dismiss/i.test(now.label), 1);
    });

    test('a failure of which nothing is known beyond its message gets one quiet line', async () => {
      await page.evaluate((id) => {
        const error = {
          type: 'ValueError',
          message: 'the stock is odd',
          source: 'raise ValueError("the stock is odd")',
          at: 1,
        };
        return window.replica.run(id, [{ error: window.replica.traceback(error) }]);
      }, OTHER);
      const line = () =>
        page.evaluate((id) => {
          const root = document.querySelector(`#cell-${id} [data-nbmedic-card]`)?.shadowRoot;
          const section = root?.querySelector('[data-unexplained]');
          return (
            section && {
              title: section.querySelector('.title').textContent,
              buttons: [...section.querySelectorAll('button')].map((button) => button.className),
              high: section.getBoundingClientRect().height,
            }
          );
        }, OTHER);
      const { title, buttons, high } = await until('the line', line);
      assert.match(title, /the stock is odd/);
      assert.deepEqual(buttons, ['assistant', 'missed', 'icon dismiss']);
      assert.ok(high < 48, `it is one line: ${high} px`);
      for (const theme of ['dark', 'light']) {
        await page.evaluate((name) => window.replica.theme(name), theme);
        const shown = () => page.evaluate((tag) => document.querySelector(tag).dataset.theme, '[data-nbmedic-card]');
        await until(`the cards are ${theme}`, async () => (await shown()) === theme, { detail: shown });
        await page.evaluate((id) => document.getElementById(`cell-${id}`).scrollIntoView({ block: 'center' }), OTHER);
        await picture(page, `colab-${kind}-unexplained-${theme}`);
      }
      await run(page, OTHER, []);
      await noCard(page, OTHER);
    });

    test('the card survives when the front end renders the cell again', async () => {
      for (const deep of [false, true]) {
        await page.evaluate((id, whole) => window.replica.rerender(id, { deep: whole }), OOM, deep);
        const found = await card(page, OOM, 'gpu-oom');
        assert.equal(found.below, true);
        assert.equal((await cards(page)).filter((c) => c.cell === OOM).length, 1, 'and there is one of it');
      }
    });

    test("the card follows the page's theme", async () => {
      const light = await inCard(page, OOM, 'colours');
      assert.ok(luminance(light.background) > 0.7 && luminance(light.color) < 0.4, JSON.stringify(light));
      await page.evaluate(() => window.replica.theme('dark'));
      await until(
        'the dark card',
        async () => {
          const { background, color } = await inCard(page, OOM, 'colours');
          return luminance(background) < 0.3 && luminance(color) > 0.6;
        },
        { detail: () => inCard(page, OOM, 'colours') },
      );
      await inCard(page, OOM, 'scroll');
      await picture(page, `colab-${kind}-dark`);
      await page.evaluate(() => window.replica.theme('light'));
      await until('the light card', async () => luminance((await inCard(page, OOM, 'colours')).background) > 0.7);
    });

    test('the card disappears when the cell runs again', async () => {
      await run(page, OOM, [{ stream: 'step 0: fine\n' }, { stream: 'done\n' }]);
      await noCard(page, OOM);
      await run(page, OOM);
      await card(page, OOM, 'gpu-oom');
    });

    test('a session that used all its RAM', async () => {
      await run(page, RAM);
      const found = await card(page, RAM, 'host-oom');
      assert.equal((await cards(page)).filter((c) => c.id === 'host-oom').length, 1);
      await inCard(page, RAM, 'scroll');
      await picture(page, `colab-${kind}-ram`);
      assert.ok(found.title.length > 0);
      await page.evaluate(() => window.replica.dismissSnackbars());
    });

    test('the markup of 2024 is read too', async () => {
      const old = await session.colab('?markup=2024');
      await run(old, CLEAN);
      await run(old, OOM);
      const found = await card(old, OOM, 'gpu-oom');
      assert.ok(found.text.includes('loader = tile_loader("/content/tiles", size=1024, batch_size=16)'), found.text);
      assert.equal((await cards(old)).length, 1);
      await old.close();
    });

    test('nothing left the browser, and nothing failed on the way', async () => {
      assert.deepEqual(strangers(session), [], "no host but the page's own was asked for");
      const paths = session.proxy.requests
        .map(({ path }) => path.split('?')[0])
        .filter((path) => !/^\/(drive\/|replica\/|outputframe\.html$)/.test(path));
      assert.deepEqual(paths, [], 'and there only what the page itself asks for');
      const asked = (await session.extensionRequests()).filter((url) => !/^(chrome|moz)-extension:/.test(url));
      assert.deepEqual(asked, [], 'the extension asked for files of its own package only');
      assert.deepEqual([...session.errors, ...(await session.extensionErrors())], []);
    });
  });
}
