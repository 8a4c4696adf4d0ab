// Puts the probe's start cell into a notebook by the front end's own means: its button for a new cell, and a paste
// into the new cell's editor. Nothing is run: that is the person's to do.

/**
 * Runs in the page itself: its editors listen to their own page. Whether the text stands in a new cell now.
 * It stands for itself alone, because the browser takes only its source into the page.
 * @param {string} text @returns {Promise<boolean>}
 */
async function place(text) {
  const PATIENCE_MS = 5000;
  /** The notebooks of JupyterLab and Notebook 7, then Colab's: where it is, its button, a cell that has the cursor. */
  const FRONTS = [
    {
      notebook: '.jp-NotebookPanel',
      add: '[data-command="notebook:insert-cell-below"]',
      cells: '.jp-Cell',
      active: '.jp-Cell.jp-mod-active',
      editor: '.cm-content',
    },
    {
      notebook: 'body',
      add: '#toolbar-add-code',
      cells: '.cell.code',
      active: '.cell.code.focused',
      editor: '.monaco-editor textarea, .monaco-editor .native-edit-context',
    },
  ];
  /** @template T @param {() => T | null | undefined | false} look @param {number} [patience] */
  const wait = async (look, patience = PATIENCE_MS) => {
    for (const end = performance.now() + patience; ;) {
      const found = look();
      if (found || performance.now() > end) return found || null;
      await new Promise((done) => {
        setTimeout(done, 30);
      });
    }
  };
  /** @param {Element} element */
  const shown = (element) => element.getClientRects().length > 0;
  for (const { notebook, add, cells, active, editor } of FRONTS) {
    const open = [...document.querySelectorAll(notebook)].filter((one) => shown(one) && one.querySelector(add));
    const panel = open.find((one) => one.contains(document.activeElement)) ?? open[0];
    const button = /** @type {HTMLElement | null} */ (panel?.querySelector(add));
    if (!panel || !button) continue;
    const before = new Set(panel.querySelectorAll(cells));
    // The one that was added has the cursor: with many cells some come into the document only now.
    const added = () => [...panel.querySelectorAll(active)].find((cell) => !before.has(cell));
    const options = { bubbles: true, cancelable: true, composed: true, view: window };
    // JupyterLab acts when the button of the mouse goes down, or when it has been up again, as the version has it.
    button.dispatchEvent(new MouseEvent('mousedown', options));
    button.dispatchEvent(new MouseEvent('mouseup', options));
    if (!(await wait(added, 300))) button.click();
    const cell = await wait(added);
    const field = cell && /** @type {HTMLElement | null} */ (await wait(() => cell.querySelector(editor)));
    if (!cell || !field) return false;
    field.focus();
    const data = new DataTransfer();
    data.setData('text/plain', text);
    // Firefox takes no clipboardData here, but the text by itself.
    field.dispatchEvent(
      new ClipboardEvent(
        'paste',
        /** @type {ClipboardEventInit} */ ({
          clipboardData: data,
          dataType: 'text/plain',
          data: text,
          bubbles: true,
          cancelable: true,
          composed: true,
        }),
      ),
    );
    // An editor shows blanks that don't break, and of a long text only the lines in sight.
    const plain = (/** @type {string} */ line) => line.replaceAll(/\s/g, '');
    const lines = text
      .split('\n')
      .map(plain)
      .filter((line) => line.length > 8);
    return Boolean(await wait(() => lines.some((line) => plain(cell.textContent ?? '').includes(line))));
  }
  return false;
}

/**
 * Whether the text was put into a notebook of the tab.
 * @param {number} tab @param {number[]} frames that a sensor reads @param {string} text
 */
export async function insert(tab, frames, text) {
  for (const frameId of new Set(frames)) {
    const [found] = await chrome.scripting.executeScript({
      target: { tabId: tab, frameIds: [frameId] },
      world: 'MAIN',
      func: place,
      args: [text],
    });
    if (found?.result === true) return true;
  }
  return false;
}
