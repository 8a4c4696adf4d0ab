// The extension's pages in a tab of their own. In Firefox only Marionette can reach them.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { EXTENSION_UUID } from './firefox.mjs';
import { ROOT } from './packages.mjs';
import { LONGEST_WAIT_MS, until } from './wait.mjs';

/** Opens a page of the extension (`report.html?tab=7`); with `open` null, finds the one that is already open. */
export async function ownPage(session, name, open = name) {
  const own =
    session.kind === 'chrome' ? await chromePage(session, name, open) : await firefoxPage(session, name, open);
  const text = () => own.evaluate(() => document.body?.innerText ?? '');
  return {
    ...own,
    text,
    shows: (words) => until(`${name} shows ${words}`, async () => words.test(await text()), { detail: text }),
    click: (selector) => (own.page ? own.page.click(selector) : session.marionette.click(selector)),
    /** Chooses a value in a control. */
    choose: (selector, value) =>
      own.evaluate(
        (which, wanted) => {
          const control = document.querySelector(which);
          if (typeof wanted === 'boolean') control.checked = wanted;
          else control.value = wanted;
          control.dispatchEvent(new Event('change', { bubbles: true }));
        },
        selector,
        value,
      ),
    /** Clicks the button with this text. */
    press: (words) =>
      until(`the button ${words}`, () =>
        own.evaluate((wanted) => {
          const button = [...document.querySelectorAll('button')].find(
            (one) => one.textContent.trim() === wanted && !one.disabled,
          );
          button?.click();
          return Boolean(button);
        }, words),
      ),
    /** Chooses or ticks the control with this text. */
    tick: (words) =>
      until(`the choice ${words}`, () =>
        own.evaluate((wanted) => {
          const label = [...document.querySelectorAll('label')].find((one) => one.textContent.includes(wanted));
          const input = label?.querySelector('input');
          if (!input || input.disabled) return false;
          input.click();
          return true;
        }, words),
      ),
    fill: (selector, text) =>
      own.evaluate(
        (where, value) => {
          const input = document.querySelector(where);
          input.value = value;
          input.dispatchEvent(new Event('input', { bubbles: true }));
        },
        selector,
        text,
      ),
    async shot(file) {
      await mkdir(path.join(ROOT, 'out/e2e'), { recursive: true });
      await writeFile(path.join(ROOT, 'out/e2e', `${file}.png`), await own.png());
    },
  };
}

async function chromePage(session, name, open) {
  let page;
  if (open) {
    page = await session.newPage();
    await page.goto(`chrome-extension://${await session.extensionId()}/${open}`, { waitUntil: 'load' });
  } else {
    const target = await session.browser.waitForTarget((one) => one.url().includes(`/${name}`), {
      timeout: LONGEST_WAIT_MS,
    });
    page = await target.asPage();
  }
  return {
    page,
    evaluate: (task, ...args) => page.evaluate(task, ...args),
    async size(width, height) {
      await page.bringToFront();
      await page.setViewport({ width, height });
    },
    async png() {
      // Browsers do not draw a tab in the background.
      await page.bringToFront();
      return page.screenshot();
    },
    reload: () => page.reload({ waitUntil: 'load' }),
    close: () => page.close(),
  };
}

async function firefoxPage(session, name, open) {
  const { marionette } = session;
  const handles = async () => {
    const found = await marionette.send('WebDriver:GetWindowHandles');
    return Array.isArray(found) ? found : found.value;
  };
  const [first] = await handles();
  const enter = (handle) => marionette.send('WebDriver:SwitchToWindow', { handle });
  let handle;
  if (open) {
    handle = (await marionette.send('WebDriver:NewWindow', { type: 'tab', focus: true })).handle;
    await enter(handle);
    await marionette.send('WebDriver:Navigate', { url: `moz-extension://${EXTENSION_UUID}/${open}` });
  } else {
    handle = await until(
      `a tab with ${name}`,
      async () => {
        for (const one of await handles()) {
          await enter(one);
          const { value } = await marionette.send('WebDriver:GetCurrentURL');
          if (value.includes(`/${name}`)) return one;
        }
        return null;
      },
      { timeout: 60_000 },
    );
  }
  return {
    evaluate: (task, ...args) => marionette.script(`return (${task})(...arguments)`, args),
    size: (width, height) => marionette.send('WebDriver:SetWindowRect', { width, height }),
    png: async () => Buffer.from((await marionette.send('WebDriver:TakeScreenshot', { full: false })).value, 'base64'),
    reload: () => marionette.send('WebDriver:Refresh'),
    async close() {
      await enter(handle);
      await marionette.send('WebDriver:CloseWindow');
      await enter(first);
    },
  };
}
