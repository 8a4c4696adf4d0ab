// Saving without a permission for downloads: each file of the report's page and of the history arrives, and is right.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { card } from './harness/cards.mjs';
import { downloads } from './harness/downloads.mjs';
import { ownPage } from './harness/own.mjs';
import { builtPackage } from './harness/packages.mjs';
import { BROWSERS, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const OOM = 'kW8sJd3hLr6o';
const SECRET = ['hf', 'QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUi'].join('_');

/** What a file has to be, by its name. */
const CHECKS = {
  'nbmedic-report.md': (text) => assert.match(text, /^## nbmedic triage report.*\n[^]*gpu-oom/),
  'nbmedic-report.json': (text) => {
    const report = JSON.parse(text);
    assert.equal(report.schema, 'nbmedic.report/1');
    assert.ok(JSON.stringify(report).includes('gpu-oom'));
  },
  'nbmedic-report.html': (text) => {
    assert.match(text, /^<!doctype html>[^]*gpu-oom[^]*<\/html>\s*$/i);
    assert.doesNotMatch(text, /<script/i);
  },
  // For `nbmedic replay`.
  'nbmedic-events.jsonl': (text) => {
    const lines = text.trim().split('\n').map((line) => JSON.parse(line));
    assert.ok(lines.every(({ at, page, events }) => at > 0 && page && Array.isArray(events)));
    const outputs = lines.flatMap(({ events }) => events).filter(({ t, cell }) => t === 'output' && cell === OOM);
    assert.ok(outputs.some(({ head }) => /CUDA out of memory/.test(head)));
  },
};

const FILES = Object.keys(CHECKS);

for (const kind of BROWSERS) {
  describe(`saving in ${kind}`, () => {
    let folder;
    let session;
    let tab;
    before(async () => {
      session = await startSession(kind);
      folder = await downloads(session);
      const page = await session.colab();
      await page.evaluate((id, secret) => window.replica.run(id, [{ stream: `token ${secret}\n` }, { stream: window.replica.SCRIPT_TRACEBACK }]), OOM, SECRET);
      await card(page, OOM, 'gpu-oom');
      tab = await session.tabOf(page);
    });
    after(async () => {
      await session?.close();
      await folder?.remove();
    });

    test('there is no permission for it', () => {
      const { permissions, optional_permissions: optional } = JSON.parse(readFileSync(path.join(builtPackage(kind), 'manifest.json'), 'utf8'));
      assert.ok(![...permissions, ...optional].some((name) => /^downloads/.test(name)));
    });

    test('each format of the report arrives as it was shown, without the secret that was printed', async () => {
      const open = await ownPage(session, `report.html?tab=${tab}`);
      await open.shows(/As it would leave/);
      const formats = await open.evaluate(() => document.querySelectorAll('.formats input').length);
      const arrived = [];
      for (let i = 0; i < formats; i += 1) {
        await open.evaluate((n) => {
          window.drawn = n === 0;
          new MutationObserver(() => { window.drawn = true; }).observe(document.querySelector('.result'), { childList: true, subtree: true });
          document.querySelectorAll('.formats input')[n].click();
        }, i);
        await until('it is shown', () => open.evaluate(() => window.drawn));
        await open.press('Save as a file');
        const { name, text } = await folder.taken(path.extname(FILES[i]));
        assert.equal(name, FILES[i]);
        await open.shows(new RegExp(`Saved as ${name}`));
        CHECKS[name](text);
        assert.ok(!text.includes(SECRET), name);
        arrived.push(name);
      }
      assert.deepEqual(arrived, FILES);
      await open.close();
    });

    test('the history arrives', async () => {
      const open = await ownPage(session, 'history.html');
      await open.shows(/GPU/);
      await open.press('Export as JSON');
      const { text } = await folder.taken('nbmedic-history.json');
      const made = JSON.parse(text);
      assert.equal(made.schema, 'nbmedic.history/1');
      assert.ok(made.entries.some(({ id }) => id === 'gpu-oom'));
      await open.close();
    });
  });
}
