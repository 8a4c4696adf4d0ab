// A page of the extension in a tab: reading it, and using its controls.
import { EXTENSION_UUID } from './firefox.mjs';
import { until } from './wait.mjs';

/**
 * Opens a page of the extension (`options`, `welcome`, `report` with a `query`). In Firefox only Marionette gets there, with its own first tab.
 * `script` runs a function in it; `click` presses the mouse; `choose` does what choosing in a control does.
 */
export async function ownPage(session, name, query = '') {
  let page = null;
  let script;
  if (session.kind === 'chrome') {
    page = await session.newPage();
    await page.goto(`chrome-extension://${await session.extensionId()}/${name}.html${query}`);
    script = (task, ...args) => page.evaluate(task, ...args);
  } else {
    await session.marionette.send('WebDriver:Navigate', { url: `moz-extension://${EXTENSION_UUID}/${name}.html${query}` });
    script = (task, ...args) => session.marionette.script(`return (${task})(...arguments)`, args);
  }
  const text = () => script(() => document.body.innerText);
  return {
    page,
    script,
    text,
    shows: (words) => until(`${name} shows ${words}`, async () => words.test(await text()), { detail: text }),
    /** Presses the mouse on the control with these words. */
    async press(words) {
      await until(`${words} is there`, () => script((text) => {
        const all = [...document.querySelectorAll('button, label')];
        for (const one of all) one.removeAttribute('data-press');
        all.find((one) => one.textContent.trim() === text)?.setAttribute('data-press', '');
        return Boolean(document.querySelector('[data-press]'));
      }, words));
      await (page ? page.click('[data-press]') : session.marionette.click('[data-press]'));
    },
    click: (selector) => (page ? page.click(selector) : session.marionette.click(selector)),
    choose: (selector, value) => script((which, wanted) => {
      const control = document.querySelector(which);
      if (typeof wanted === 'boolean') control.checked = wanted;
      else control.value = wanted;
      control.dispatchEvent(new Event('change', { bubbles: true }));
    }, selector, value),
    close: async () => { await page?.close(); },
  };
}
