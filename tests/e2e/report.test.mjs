// The report's preview, and the history, on the Colab replica with secrets planted in a cell.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { NOTEBOOK_URL, startProxy } from '../replicas/server.mjs';
import { cleanPage } from './harness/axe.mjs';
import { card } from './harness/cards.mjs';
import { startChrome } from './harness/chrome.mjs';
import { exported, replayed, validJson, validMarkdown, validPage } from './harness/exports.mjs';
import { startFirefox } from './harness/firefox.mjs';
import { clipboard } from './harness/clipboard.mjs';
import { downloads } from './harness/downloads.mjs';
import { ownPage } from './harness/own.mjs';
import { builtPackage } from './harness/packages.mjs';
import { inPopup } from './harness/popup.mjs';
import { BROWSERS, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';

const [SCRIPT, OOM, RAM] = ['bM2yXc9tPz4i', 'kW8sJd3hLr6o', 'oD4fTh0jZk5q'];
const start = { chrome: startChrome, firefox: startFirefox };
const run = (page, cell, steps = null) => page.evaluate((id, list) => window.replica.run(id, list), cell, steps);

// Put together here, so that scanners of this repository don't take them for real ones.
const TOKEN = ['hf', 'aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH'].join('_');
const MAIL = 'ada.l@example.org';
const PERSON = 'grace';
const FAILS = [
  'Traceback (most recent call last):',
  `  File "/home/${PERSON}/train.py", line 3, in <module>`,
  '    load()',
  `FileNotFoundError: [Errno 2] No such file or directory: '/home/${PERSON}/${TOKEN}/${MAIL}.csv'`,
  '',
].join('\n');

async function colab(session) {
  const page = await session.newPage();
  await page.goto(NOTEBOOK_URL, { waitUntil: 'load' });
  await until('the replica is ready', () => page.evaluate(() => document.documentElement.dataset.ready === 'true'));
  return page;
}

const preview = (own) => own.evaluate(() => document.querySelector('.preview pre')?.textContent ?? '');
const shows = (own, words) =>
  until(`the preview shows ${words}`, async () => words.test(await preview(own)), {
    timeout: 30_000,
    detail: () => own.text(),
  });

const accessible = (own) => cleanPage(own.page, 'report');

for (const kind of BROWSERS) {
  describe(`what leaves the browser, in ${kind}`, () => {
    let proxy;
    let profile;
    let session;
    let page;
    let saves;
    before(async () => {
      proxy = await startProxy();
      profile = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-profile-'));
      session = await start[kind]({ extension: builtPackage(kind), proxy, profile });
      saves = await downloads(session);
      page = await colab(session);
      await run(page, OOM);
      await card(page, OOM, 'gpu-oom');
      await run(page, SCRIPT, [{ stream: FAILS }]);
      await card(page, SCRIPT, 'file-not-found');
      await run(page, RAM);
      await card(page, RAM, 'host-oom');
    });
    after(async () => {
      await session?.close();
      proxy?.close();
      await saves?.remove();
      if (profile) await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    });

    let own;
    test('the popup opens the preview, which contains nothing that was redacted', async () => {
      // The popup closes when another tab comes to the front.
      await inPopup(session, /Preview the report/);
      const popup = await session.popup();
      await until('its button', () => popup.click('Preview the report'));
      own = await ownPage(session, 'report.html', null);
      await shows(own, /nbmedic triage report/);
      const text = await own.text();
      for (const words of [
        /What it contains\s+3 problems/,
        /hugging face/,
        /e-mail address/,
        /user name/,
        /Made at \d/,
      ])
        assert.match(text, words);
      for (const secret of [TOKEN, MAIL, PERSON])
        assert.ok(!(await own.evaluate(() => document.documentElement.outerHTML)).includes(secret), secret);
      assert.match(await preview(own), /Redacted: .*1? × e-mail|Redacted: .*e-mail/);
    });

    test('each value can be restored separately, and redacted again', async () => {
      await own.tick('e-mail address');
      await shows(own, new RegExp(MAIL.replaceAll('.', '\\.')));
      assert.ok(!(await preview(own)).includes(TOKEN));
      await own.tick('hugging face');
      await shows(own, new RegExp(TOKEN.replace('_', '\\\\?_')));
      await own.tick('e-mail address');
      await until('it is out again', async () => !(await preview(own)).includes(MAIL));
      await own.tick('hugging face');
      await until('it is out again', async () => !(await preview(own)).includes(TOKEN.slice(3)));
    });

    test('the failing cells’ sources are included only if they are ticked', async () => {
      const line = '# Larger tiles for the last epoch';
      assert.ok(!(await preview(own)).includes(line));
      await own.tick('Include the source');
      await until('the source is in it', async () => (await preview(own)).includes(line), {
        detail: () => preview(own),
      });
      await own.tick('Include the source');
      await until('the source is out of it', async () => !(await preview(own)).includes(line));
    });

    test('every format is accepted by its readers', async () => {
      const markdown = await exported(own, saves, 'Markdown', 'nbmedic-report.md', () =>
        /^## nbmedic/.test(document.querySelector('.preview pre')?.textContent ?? ''),
      );
      assert.equal(markdown, await preview(own), 'what is saved is what is shown');
      const { headings, code } = validMarkdown(markdown);
      assert.equal(headings[0], 'nbmedic triage report');
      assert.ok(headings.length >= 5 && code.length >= 3, headings.join());
      const json = await exported(own, saves, 'JSON', 'nbmedic-report.json', () =>
        document.querySelector('.preview pre')?.textContent.startsWith('{'),
      );
      const report = validJson(json, 'report');
      assert.deepEqual(report.findings.map(({ diagnoses }) => diagnoses[0].id).sort(), [
        'file-not-found',
        'gpu-oom',
        'host-oom',
      ]);
      const html = await exported(
        own,
        saves,
        'HTML',
        'nbmedic-report.html',
        () => document.querySelector('.paper')?.shadowRoot.querySelectorAll('.card').length === 3,
      );
      await own.size(1200, 900);
      await own.evaluate(() => document.querySelector('.preview').scrollIntoView());
      await own.shot(`report-html-${kind}`);
      if (kind === 'chrome') await accessible(own);
      const seen = await validPage(session, html);
      assert.deepEqual(
        [seen.heading, seen.cards, seen.curves >= 1, seen.events >= 3],
        ['nbmedic triage report', 3, true, true],
      );
      const log = await exported(own, saves, 'Event log', 'nbmedic-events.jsonl', () =>
        document.querySelector('.preview pre')?.textContent.startsWith('{"at"'),
      );
      assert.deepEqual((await replayed(log)).sort(), ['file-not-found', 'gpu-oom', 'host-oom']);
      assert.ok(!log.includes('"t":"source"'));
      for (const text of [markdown, json, html, log])
        for (const secret of [TOKEN.slice(3, 20), MAIL, PERSON]) assert.ok(!text.includes(secret), secret);
      await own.tick('Markdown');
    });

    test('an issue is prefilled as far as an address allows; the full report is on the clipboard', async () => {
      await shows(own, /^## nbmedic/);
      await own.fill('input[type=text]', 'not a repository');
      assert.equal(
        await own.evaluate(
          () => [...document.querySelectorAll('button')].find((b) => /Open an issue/.test(b.textContent)).disabled,
        ),
        true,
      );
      await own.fill('input[type=text]', 'octo-org/octo-repo');
      const text = await preview(own);
      const words = await own.text();
      const cut = /too long for an address/.test(words);
      assert.ok(cut || /The whole report fits/.test(words), words);
      await own.press('Open an issue on github.com');
      const asked = await until('GitHub is asked for', () => proxy.asked.includes('github.com:443'));
      assert.ok(asked);
      if (cut && kind === 'chrome') {
        await session.browser
          .defaultBrowserContext()
          .overridePermissions('https://colab.research.google.com', ['clipboard-read', 'clipboard-sanitized-write']);
        await page.bringToFront();
        assert.equal(await clipboard(session, page), text);
      }
    });

    for (const [theme, width] of [
      ['light', 1200],
      ['dark', 1200],
      ['light', 300],
    ]) {
      test(`it is accessible, ${theme}, ${width} px`, async (t) => {
        if (kind === 'firefox') {
          await own.size(Math.max(width, 500), 900);
          await own.shot(`report-${kind}-${width}`);
          return t.diagnostic('axe runs in Chromium');
        }
        await own.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
        await own.size(width, 900);
        await own.shot(`report-${theme}-${width}`);
        assert.ok((await own.evaluate(() => document.documentElement.scrollWidth)) <= width);
        await accessible(own);
      });
    }

    test('a report on a closed tab says so', async () => {
      await own.close();
      own = await ownPage(session, 'report.html?tab=999999');
      await until('it says so', async () => /There is no notebook to report on/.test(await own.text()));
      await own.close();
    });

    test('the history lists what was found, can be searched and filtered, and survives a restart of the browser', async () => {
      await run(page, SCRIPT, [{ stream: 'fine\n' }]);
      own = await ownPage(session, 'history.html');
      await until('three entries', async () => /3 entries/.test(await own.text()), { detail: () => own.text() });
      await until(
        'one of them is solved',
        async () => {
          await own.reload();
          await own.shows(/3 entries/);
          return /Solved: cell .* ran/.test(await own.text());
        },
        { detail: () => own.text() },
      );
      for (const secret of [TOKEN.slice(3, 20), MAIL, PERSON])
        assert.ok(!(await own.evaluate(() => document.documentElement.outerHTML)).includes(secret), secret);
      for (const [words, found] of [
        ['gpu', /1 of 3 entries/],
        ['death', /1 of 3 entries/],
        ['no such file', /1 of 3 entries/],
        ['elephant', /Nothing matches/],
        ['', /3 entries/],
      ]) {
        await own.fill('input[type=search]', words);
        await until(`${words}: ${found}`, async () => found.test(await own.text()), { detail: () => own.text() });
      }
      const ids = () => own.evaluate(() => [...document.querySelectorAll('.past .id code')].map((e) => e.textContent));
      const label = (name) => `//label[normalize-space(text())="${name}"]/select`;
      const choose = (name, value) =>
        own.evaluate(
          (where, wanted) => {
            const select = document.evaluate(
              where,
              document,
              null,
              XPathResult.FIRST_ORDERED_NODE_TYPE,
              null,
            ).singleNodeValue;
            select.value = wanted;
            select.dispatchEvent(new Event('input', { bubbles: true }));
            return [...select.options].map((option) => option.textContent);
          },
          label(name),
          value,
        );
      assert.deepEqual(await choose('State', 'solved'), ['any', 'open', 'solved']);
      assert.deepEqual(await ids(), ['file-not-found']);
      assert.deepEqual(await choose('Cause', 'gpu-oom'), ['any', 'file not found', 'gpu oom', 'host oom']);
      await own.shows(/Nothing matches/);
      await choose('State', 'open');
      assert.equal((await ids()).length, 1);
      assert.match(String(await ids()), /^gpu-oom/);
      await choose('Cause', '');
      assert.equal((await ids()).length, 2);
      assert.equal((await choose('Notebook', '')).length, 2, 'any, and the one');
      await choose('State', '');
      await own.evaluate(() => {
        document.querySelector('details').open = true;
      });
      for (const width of [280, 900]) {
        await own.size(width, 900);
        await own.shot(`history-${kind}-${width}`);
        // Firefox has no window as narrow as that.
        const [wide, inner] = await own.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
        assert.ok(wide <= inner, `${wide} px in ${inner}`);
      }
      if (kind === 'chrome') await accessible(own);
      // Stored data reaches the disk a little later; the browser is closed normally.
      await own.close();
      await session.close();
      session = await start[kind]({
        extension: builtPackage(kind),
        proxy,
        profile,
        ...(kind === 'firefox' ? { installed: true } : {}),
      });
      saves = await downloads(session);
      own = await ownPage(session, 'history.html');
      await until('three entries', async () => /3 entries/.test(await own.text()), { detail: () => own.text() });
    });

    test('it is exported and erased, each with a click', async () => {
      await own.press('Export as JSON');
      const { entries } = validJson((await saves.taken('nbmedic-history.json')).text, 'history');
      assert.deepEqual(entries.map(({ found }) => found.id).sort(), ['file-not-found', 'gpu-oom', 'host-oom']);
      assert.deepEqual(entries.map(({ death }) => death).sort(), [false, false, true]);
      const solved = entries.filter((entry) => entry.solved);
      assert.deepEqual(
        solved.map((entry) => [entry.found.id, entry.solved.how]),
        [['file-not-found', 'same']],
      );
      await own.press('Erase the history');
      await until('it asks', async () => /Erase all 3 entries\?/.test(await own.text()));
      await own.press('Keep');
      await own.press('Erase the history');
      await own.press('Erase');
      await until('it is empty', async () => /Nothing yet/.test(await own.text()), { detail: () => own.text() });
      await own.reload();
      await until('it is empty', async () => /Nothing yet/.test(await own.text()), { detail: () => own.text() });
      await own.close();
      assert.deepEqual(session.errors, []);
    });
  });

  test(`values that the background of ${kind} has forgotten are listed, and can’t be put back`, async () => {
    // Without a debugger: a background with one cannot be stopped.
    const session = await startSession(kind, {
      attach: false,
      unstored: 'the card on the page holds the secrets that the record does not',
    });
    try {
      const page = await session.colab();
      await run(page, SCRIPT, [{ stream: FAILS }]);
      await card(page, SCRIPT, 'file-not-found');
      const asks = await ownPage(session, 'history.html');
      const tab =
        kind === 'firefox'
          ? await session.tabOf(page)
          : await asks.evaluate(
              async (url) => (await chrome.tabs.query({})).find((one) => one.url === url).id,
              NOTEBOOK_URL,
            );
      await asks.close();
      assert.equal(await session.stopBackground(), 1);
      const own = await ownPage(session, `report.html?tab=${tab}`);
      await shows(own, /^## nbmedic/);
      const text = await own.text();
      assert.match(text, /These were removed before they were stored/);
      assert.match(text, /hugging face/);
      assert.equal(await own.evaluate(() => document.querySelectorAll('.taken input').length), 0);
      await own.shot(`report-forgotten-${kind}`);
      await own.close();
      assert.deepEqual(session.errors, []);
    } finally {
      await session.close();
    }
  });
}
