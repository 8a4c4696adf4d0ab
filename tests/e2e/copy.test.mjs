// Copying and saving where browsers give pages no clipboard: plain http on a host that is not local, a sandboxed frame.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { startPlain } from '../replicas/plain/server.mjs';
import { answers, pressAt } from './harness/cards.mjs';
import { clipboard } from './harness/clipboard.mjs';
import { BROWSERS, picture, startSession } from './harness/session.mjs';
import { slowdown, until } from './harness/wait.mjs';

const HOST = 'notebooks.lab.test';
const ORIGIN = `http://${HOST}`;

/** The position of a card's button, found by its text, in the page or one of its frames. */
const place = (frame, words) =>
  frame.evaluate((text) => {
    const section = document.querySelector('[data-nbmedic-card]')?.shadowRoot.querySelector('section[data-id]');
    if (!section) return null;
    for (const details of section.querySelectorAll('details')) details.open = true;
    const button = [...section.querySelectorAll('button')].find((one) =>
      new RegExp(text, 'i').test(one.textContent + one.getAttribute('aria-label')),
    );
    button.scrollIntoView({ block: 'center' });
    const { x, y, width, height } = button.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  }, words);

/** Makes the cards of a package heed a script's click too: browsers let a script copy for seconds after a real one. */
async function believeScripts(dir) {
  const file = path.join(dir, 'sensor/notebook.js');
  const parts = (await readFile(file, 'utf8')).split(/event\.\s*isTrusted/);
  // The first one is where the browser's copying is answered: that stays.
  assert.equal(parts.length, 3, 'the places where a card asks who clicked, and who copies');
  await writeFile(file, `${parts[0]}event.isTrusted${parts[1]}!0${parts[2]}`);
}

const done = (frame) =>
  frame.evaluate(() => {
    const { shadowRoot } = document.querySelector('[data-nbmedic-card]');
    return {
      said: [...shadowRoot.querySelectorAll('button')].map((button) => button.dataset.done).find(Boolean) ?? '',
      pick: shadowRoot.querySelector('.pick')?.textContent ?? null,
    };
  });

for (const kind of BROWSERS) {
  describe(`without a clipboard in ${kind}`, () => {
    let server;
    let session;
    let page;
    before(async () => {
      server = await startPlain();
      session = await startSession(kind, {
        origins: [`${ORIGIN}/*`],
        names: { [HOST]: server.port },
        change: believeScripts,
      });
      page = await session.newPage();
    });
    after(async () => {
      await session?.close();
      server?.close();
    });

    /** What a user would paste, read on a page that may read the clipboard. */
    async function pasted() {
      if (kind === 'firefox') return clipboard(session, page);
      const reader = await session.colab();
      try {
        await reader.bringToFront();
        return await clipboard(session, reader);
      } finally {
        await reader.close();
        await page.bringToFront();
      }
    }

    async function pressed(frame, words, offset = { x: 0, y: 0 }) {
      const at = await until(`the button ${words}`, () => place(frame, words));
      const answer = await answers(frame);
      await pressAt(page, at.x + offset.x, at.y + offset.y);
      const said = await until('an answer', answer);
      return { said, pick: (await done(frame)).pick };
    }

    test('on plain http: the code, and the words for an assistant', async () => {
      await page.goto(`${ORIGIN}/`, { waitUntil: 'load' });
      assert.deepEqual(await page.evaluate(() => [isSecureContext, typeof navigator.clipboard]), [false, 'undefined']);
      await until('a card', () => place(page, 'copy'));
      for (const [words, text] of [
        ['assistant', /NameError/],
        ['copy', /\S/],
      ]) {
        const { said } = await pressed(page, words);
        assert.equal(said, 'yes', words);
        assert.match(await pasted(), text);
        await until('the button is itself again', async () => !(await done(page)).said);
      }
      await picture(page, `copy-http-${kind}`);
    });

    test('where no script may copy: the user’s keys do', async () => {
      await page.goto(`${ORIGIN}/`, { waitUntil: 'load' });
      await until('a card', () => place(page, 'assistant'));
      // Browsers let a script copy for some seconds after a user's action, and a call of `evaluate` counts as one. So this
      // click comes from a script, later, and in the same call as the wait for its answer.
      const said = await page.evaluate(async (longest) => {
        const buttons = [...document.querySelector('[data-nbmedic-card]').shadowRoot.querySelectorAll('button')];
        const button = buttons.find((one) => /assistant/i.test(one.textContent + one.getAttribute('aria-label')));
        const wait = async (value) => {
          for (const end = performance.now() + longest; !value() && performance.now() < end;)
            await new Promise((next) => {
              setTimeout(next, 50);
            });
          return value();
        };
        if (!(await wait(() => !navigator.userActivation.isActive))) return 'still active';
        button.click();
        return wait(() => buttons.map((one) => one.dataset.done).find(Boolean));
      }, 10_000 * slowdown());
      assert.equal(said, 'pick');
      const shown = await page.evaluate(() => {
        const { shadowRoot } = document.querySelector('[data-nbmedic-card]');
        const area = shadowRoot.querySelector('.pick');
        const { width, height } = area.getBoundingClientRect();
        return {
          text: area.textContent,
          focused: shadowRoot.activeElement === area,
          seen: width > 100 && height > 10,
          words: shadowRoot.querySelector('.live').textContent,
        };
      });
      const words = 'Press Ctrl+C to copy';
      assert.deepEqual(shown, { text: words, focused: true, seen: true, words });
      await picture(page, `copy-picked-${kind}`);
      await page.keyboard.down('Control');
      await page.keyboard.press('c');
      await page.keyboard.up('Control');
      await until('the field is gone', async () => (await done(page)).pick === null);
      assert.match(await pasted(), /NameError/);
    });

    test('in a sandboxed frame: copied, or left to the user’s keys', async (t) => {
      await page.goto(`${ORIGIN}/framed`, { waitUntil: 'load' });
      const frame = await until('the frame', () => page.frames().find((one) => one !== page.mainFrame()));
      await until('a card in the frame', () => place(frame, 'assistant'));
      const corner = await page.evaluate(() => {
        const { x, y } = document.querySelector('iframe').getBoundingClientRect();
        return { x: x + 2, y: y + 2 };
      });
      let { said, pick } = await pressed(frame, 'assistant', corner);
      t.diagnostic(`${kind}: in a sandboxed frame the text is ${said === 'yes' ? 'copied' : 'left to the keys'}`);
      if (said === 'pick') {
        assert.equal(pick, 'Press Ctrl+C to copy');
        await picture(page, `copy-frame-${kind}`);
        await page.keyboard.down('Control');
        await page.keyboard.press('c');
        await page.keyboard.up('Control');
        await until('the field is gone', async () => (await done(frame)).pick === null);
        said = 'yes';
      }
      assert.equal(said, 'yes');
      assert.match(await pasted(), /NameError/);
      assert.deepEqual(session.errors, []);
    });
  });
}
