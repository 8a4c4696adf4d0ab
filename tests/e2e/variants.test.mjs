// Past, present and possible future Colab pages: every variant of the replica and a few renamed ones, in both browsers.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { VARIANTS } from '../replicas/colab/variants.js';
import { card, cards, inCard } from './harness/cards.mjs';
import { clipboard } from './harness/clipboard.mjs';
import { ROOT } from './harness/packages.mjs';
import { inPopup } from './harness/popup.mjs';
import { BROWSERS, picture, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const OOM = 'kW8sJd3hLr6o';
const RAM = 'oD4fTh0jZk5q';

const run = (page, cell, steps = null) => page.evaluate((id, list) => window.replica.run(id, list), cell, steps);
const isDark = ({ background }) =>
  background
    .match(/[\d.]+/g)
    .slice(0, 3)
    .every((part) => Number(part) < 80);

/** At any width, the card is within its cell and the window, and does not cover what Colab offers below an error. */
async function fits(page, name) {
  for (const width of [480, 640, 1024, 1600]) {
    await page.setViewport({ width, height: 900 });
    const at = () =>
      page.evaluate((id) => {
        const cell = document.getElementById(`cell-${id}`);
        const next = cell.querySelector('colab-cell-next-steps');
        const host = cell.querySelector('[data-nbmedic-card]');
        const section = host.shadowRoot.querySelector('section[data-id]');
        const box = (el) => {
          const { left, top, right, bottom } = el.getBoundingClientRect();
          return { left, top, right, bottom };
        };
        return {
          wide: innerWidth,
          card: box(host),
          cell: box(cell),
          next: box(next),
          says: next.shadowRoot.textContent,
          inside: section.scrollWidth - section.clientWidth,
        };
      }, OOM);
    await until(`the window is ${width} px wide`, async () => (await at()).wide === width);
    const { card: own, cell, next, says, inside } = await at();
    const seen = JSON.stringify({ width, own, cell, next, inside });
    assert.match(says, /Explain error/);
    assert.ok(own.left >= cell.left && own.right <= Math.min(cell.right, width) + 1, `in its cell: ${seen}`);
    assert.ok(own.right - own.left >= 0.6 * (cell.right - cell.left), `wide enough: ${seen}`);
    assert.ok(own.top >= next.bottom - 1 || own.bottom <= next.top + 1, `beside "Explain error": ${seen}`);
    assert.ok(next.bottom - next.top >= 20, `it is there: ${seen}`);
    assert.ok(inside <= 1, `nothing sticks out: ${seen}`);
    await inCard(page, OOM, 'scroll');
    await picture(page, `${name}-${width}`);
  }
  await page.setViewport({ width: 1280, height: 900 });
}

/** The colour scheme that the browser reports to pages. */
async function system(session, page, scheme) {
  if (session.kind === 'chrome') await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  else
    await session.marionette.chrome(
      'Services.prefs.setIntPref("layout.css.prefers-color-scheme.content-override", arguments[0])',
      [scheme === 'dark' ? 0 : 1],
    );
}

for (const kind of BROWSERS) {
  describe(`Colab's variants in ${kind}`, () => {
    let session;
    before(async () => {
      session = await startSession(kind);
    });
    after(() => session?.close());

    for (const [name, { theme }] of Object.entries(VARIANTS)) {
      test(name, async () => {
        const page = await session.colab(`?variant=${name}`);
        await page.bringToFront();
        await system(session, page, 'light');
        await inPopup(session, /Accelerator\s+(?:T4|GPU)/, async (popup) => {
          const said = await popup.text();
          for (const part of [/1\.3 of 12\.7 GiB/, /38\.2 of 112\.6 GiB/, /Kernel\s+(?:idle|not shown)/])
            assert.match(said, part);
          assert.doesNotMatch(said, /missing|changed its page/);
        });

        await run(page, OOM);
        const found = await card(page, OOM, 'gpu-oom');
        assert.ok(found.text.includes('loader = tile_loader("/content/tiles", size=1024, batch_size=16)'), found.text);
        assert.equal(found.below, true);
        const colours = () => inCard(page, OOM, 'colours');
        assert.equal(isDark(await colours()), theme === 'dark');
        if (theme === 'adaptive') {
          await system(session, page, 'dark');
          await until('the dark card', async () => isDark(await colours()), { detail: colours });
        }
        await inCard(page, OOM, 'scroll');
        await picture(page, `variant-${kind}-${name}`);
        if (/light|dark/.test(name)) await fits(page, `variant-${kind}-${name}`);

        await page.evaluate(() => window.replica.dialog('inactive'));
        const top = await card(page, null, null);
        assert.match(top.id, /^(?:session-|runtime-disconnected)/);
        await page.evaluate(() => document.querySelector('mwc-dialog, md-dialog').remove());
        // A card at the top disappears when something runs again.
        await run(page, RAM);
        await card(page, RAM, 'host-oom');
        assert.deepEqual(
          (await cards(page)).map((c) => [c.cell, c.id]),
          [
            [OOM, 'gpu-oom'],
            [RAM, 'host-oom'],
          ],
        );
        await page.close();
      });
    }

    test('connected without the widget, connecting, not connected, in builds with and without a runtime button', async () => {
      for (const [name, states] of [
        ['2026-light', { local: 'idle', connecting: 'connecting', disconnected: 'disconnected' }],
        ['2025', { local: 'not shown', connecting: 'connecting', disconnected: 'disconnected' }],
      ]) {
        const page = await session.colab(`?variant=${name}`);
        await page.bringToFront();
        await system(session, page, 'light');
        for (const [state, kernel] of Object.entries(states)) {
          await page.evaluate((to) => window.replica.connect(to), state);
          const said = await inPopup(session, new RegExp(`Kernel\\s+${kernel}`));
          assert.doesNotMatch(said, /missing|changed its page/, `${name}, ${state}`);
        }
        // A runtime of one's own dies as a borrowed one does.
        await page.evaluate(() => window.replica.connect('local'));
        await run(page, RAM, [{ stream: 'loading\n' }, { wait: 900 }, { crash: 'unknown' }]);
        await card(page, RAM, 'kernel-died');
        assert.deepEqual(
          (await cards(page)).map((c) => [c.cell, c.id]),
          [[RAM, 'kernel-died']],
        );
        await page.close();
      }
    });

    test('renamed parts: the rest keeps working, and the popup says what does not', async () => {
      for (const [query, lost, id] of [
        ['?rename=.output', /but not cell outputs\./, OOM],
        ['?rename=colab-status-bar', /but not the status bar\./, OOM],
        ['?rename=.code', /but not code cells\. Blocks of text that look like tracebacks are still read\./, null],
      ]) {
        const page = await session.colab(query);
        await page.bringToFront();
        await run(page, OOM);
        const found = await until(`a card where ${query}`, async () =>
          (await cards(page)).find((c) => c.id === 'gpu-oom'),
        );
        if (id) assert.equal(found.cell, id);
        else
          assert.ok(
            await page.evaluate(() =>
              document
                .querySelector('[data-nbmedic-card]')
                .previousElementSibling.textContent.includes('OutOfMemoryError'),
            ),
            'the card stands below the text',
          );
        await run(page, RAM);
        await until(`the crash where ${query}`, async () => (await cards(page)).some((c) => c.id === 'host-oom'), {
          detail: () => cards(page),
        });
        await inPopup(session, lost, async (popup) => {
          if (id) return;
          if (kind === 'chrome') {
            for (const [look, width, scheme] of [
              ['light', '360px', 'light'],
              ['dark', '360px', 'dark'],
              ['narrow', '280px', 'light'],
            ]) {
              await popup.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
              await popup.page.evaluate((to) => {
                document.body.style.width = to;
              }, width);
              await (
                await popup.page.$('main')
              ).screenshot({ path: path.join(ROOT, `out/e2e/popup-drift-${look}.png`) });
            }
          }
          await until('the button is there', () => popup.click('Copy drift report'));
          await until('the report is copied', async () => /Copied/.test(await popup.text()), {
            detail: () => popup.text(),
          });
        });
        await picture(page, `drift-${kind}-${query.replace(/\W+/g, '-')}`);
        await page.close();
      }
      const page = await session.colab();
      await page.bringToFront();
      const report = await clipboard(session, page);
      assert.match(report, /^nbmedic drift report, version \d+\.\d+\.\d+, (?:Chrome|Firefox) \d+\n/);
      assert.match(report, /^ {2}cells {8}missing$/m);
      assert.match(report, /div#\?\.cell\.code-new\.notebook-cell/);
      assert.doesNotMatch(report, /Ada|OutOfMemory|segment_tiles|drive\//);
      await page.close();
    });

    test('nothing failed on the way', async () => {
      assert.deepEqual([...session.errors, ...(await session.extensionErrors())], []);
    });
  });
}
