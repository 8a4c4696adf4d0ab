// A page of the extension in a tab: reading it, and using its controls.
import { EXTENSION_UUID } from './firefox.mjs';
import { until } from './wait.mjs';

/**
 * Opens a page of the extension (`options`, `welcome`). In Firefox only Marionette gets there, with its own first tab.
 * `script` runs a function in it; `click` presses the mouse; `choose` does what choosing in a control does.
 */
export async function ownPage(session, name) {
  let page = null;
  let script;
  if (session.kind === 'chrome') {
    page = await session.newPage();
    await page.goto(`chrome-extension://${await session.extensionId()}/${/\.html/.test(name) ? name : `${name}.html`}`);
    script = (task, ...args) => page.evaluate(task, ...args);
  } else {
    await session.marionette.send('WebDriver:Navigate', { url: `moz-extension://${EXTENSION_UUID}/${/\.html/.test(name) ? name : `${name}.html`}` });
    script = (task, ...args) => session.marionette.script(`return (${task})(...arguments)`, args);
  }
  const text = () => script(() => document.body.innerText);
  return {
    page,
    script,
    text,
    shows: (words) => until(`${name} shows ${words}`, async () => words.test(await text()), { detail: text }),
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
