// Puts code into a notebook through the front end's own UI: clicks its button for a new cell and pastes into the new cell's
// editor, or pastes over all of a cell's code, which the editor's own undo takes back. Nothing is run; the user does that.

import { file } from './files.js';

/** The cell that starts the probe. */
export async function startCell() {
  const cells = await (await file('probe-cell.json')).json();
  return String(cells.native ?? cells.readable);
}

/**
 * Runs in the page's own world, because its editors ignore events from elsewhere. Returns whether the text is now in a
 * new cell: below the one that the sensor marked, otherwise below the one with the cursor; or, with `was`, in the marked cell
 * instead of that text. The function uses nothing outside itself, because the browser injects only its source into the page.
 * @param {string} text @param {string | null} was @returns {Promise<boolean>}
 */
async function place(text, was) {
  const PATIENCE_MS = 5000;
  const SETTLED_MS = 100;
  /** Selectors for JupyterLab and Notebook 7, then Colab: the notebook, its add button, its cells, the focused cell, what selects a cell. */
  const FRONTS = [
    {
      notebook: '.jp-NotebookPanel',
      add: '[data-command="notebook:insert-cell-below"]',
      cells: '.jp-Cell',
      active: '.jp-Cell.jp-mod-active',
      handle: '.jp-InputPrompt',
      editor: '.cm-content',
    },
    {
      notebook: 'body',
      add: '#toolbar-add-code',
      cells: '.cell.code',
      active: '.cell.code.focused',
      handle: ':scope',
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
  const plain = (/** @type {string} */ code) => code.replaceAll(/\s/g, '');
  /**
   * A cell's editor, as far as the page shows it: CodeMirror 6 keeps its view at its element, under a name that changed; Monaco
   * has a list of its editors.
   * @param {Element} cell
   */
  const editors = (cell) => {
    const content = /** @type {any} */ (cell.querySelector('.cm-content'));
    const all = /** @type {any} */ (window).monaco?.editor?.getEditors?.();
    return {
      view: content?.cmTile?.view ?? content?.cmView?.rootView?.view ?? content?.cmView?.view,
      monaco: all?.find((/** @type {any} */ one) => cell.contains(one.getDomNode?.())),
    };
  };
  /**
   * A cell's text: the whole of it from the editor's own model, otherwise the lines that the editor draws, which are
   * only the visible ones of a long text.
   * @param {Element} cell
   */
  const read = (cell) => {
    const { view, monaco } = editors(cell);
    const whole = view?.state?.doc?.toString() ?? monaco?.getValue?.();
    if (typeof whole === 'string') return { whole: true, text: whole.replaceAll('\r\n', '\n') };
    const top = (/** @type {Element} */ line) => parseFloat(/** @type {HTMLElement} */ (line).style.top) || 0;
    const drawn = [...cell.querySelectorAll('.cm-line, .view-line')].sort((a, b) => top(a) - top(b));
    return { whole: false, text: drawn.map((line) => line.textContent ?? '').join('\n') };
  };
  const options = { bubbles: true, cancelable: true, composed: true, view: window };
  /** @param {HTMLElement} field */
  const paste = (field) => {
    const data = new DataTransfer();
    data.setData('text/plain', text);
    // Firefox ignores clipboardData here and uses `data` and `dataType` instead.
    const init = { clipboardData: data, dataType: 'text/plain', data: text, ...options };
    field.dispatchEvent(new ClipboardEvent('paste', /** @type {ClipboardEventInit} */ (init)));
  };
  /** Presses a letter with the key of shortcuts. @param {HTMLElement} field @param {string} key */
  const press = (field, key) => {
    const mac = navigator.platform.startsWith('Mac');
    const keys = { key, code: `Key${key.toUpperCase()}`, keyCode: key.toUpperCase().charCodeAt(0) };
    field.dispatchEvent(new KeyboardEvent('keydown', { ...options, ...keys, ctrlKey: !mac, metaKey: mac }));
  };
  /** Selects all of a cell's text. @param {Element} cell @param {HTMLElement} field */
  const select = (cell, field) => {
    const { view, monaco } = editors(cell);
    if (view) view.dispatch({ selection: { anchor: 0, head: view.state.doc.length } });
    else if (monaco) monaco.setSelection(monaco.getModel().getFullModelRange());
    else press(field, 'a');
  };
  /** Whether a cell holds a text; lines that are drawn have hard blanks. @param {Element} cell @param {string} wanted */
  const holds = (cell, wanted) => {
    const { whole, text: now } = read(cell);
    return whole ? now.trimEnd() === wanted.trimEnd() : plain(now) === plain(wanted);
  };
  const settled = () =>
    new Promise((done) => {
      setTimeout(done, SETTLED_MS);
    });
  const marked = document.querySelector('[data-nbmedic-cell]');
  for (const { notebook, add, cells, active, handle, editor } of FRONTS) {
    const open = [...document.querySelectorAll(notebook)].filter((one) => shown(one) && one.querySelector(add));
    const panel = open.find((one) => one.contains(marked ?? document.activeElement)) ?? open[0];
    const button = /** @type {HTMLElement | null} */ (panel?.querySelector(add));
    if (!panel || !button) continue;
    const above = panel.contains(marked) ? marked : null;
    if (above && !above.matches(active)) {
      const at = above.querySelector(handle) ?? above;
      for (const type of ['mousedown', 'mouseup', 'click']) at.dispatchEvent(new MouseEvent(type, options));
      if (!(await wait(() => above.matches(active)))) return false;
    }
    if (was !== null) {
      const field = above && /** @type {HTMLElement | null} */ (await wait(() => above.querySelector(editor)));
      if (!above || !field || !holds(above, was)) return false;
      field.focus();
      select(above, field);
      paste(field);
      await wait(() => holds(above, text));
      await settled();
      if (holds(above, text)) return true;
      press(field, 'z');
      return false;
    }
    const before = new Set(panel.querySelectorAll(cells));
    // The new cell is the focused one: in a long notebook, other cells may also enter the document now.
    const added = () => [...panel.querySelectorAll(active)].find((cell) => !before.has(cell));
    // JupyterLab reacts to mousedown or to click, depending on the version.
    button.dispatchEvent(new MouseEvent('mousedown', options));
    button.dispatchEvent(new MouseEvent('mouseup', options));
    if (!(await wait(added, 300))) button.click();
    const cell = await wait(added);
    const field = cell && /** @type {HTMLElement | null} */ (await wait(() => cell.querySelector(editor)));
    if (!cell || !field || read(cell).text.trim()) return false;
    field.focus();
    paste(field);
    // The text as a whole must stand there: an editor may complete brackets or indent by itself, and scripts of the page
    // may change what is pasted.
    const same = () => {
      const { whole, text: now } = read(cell);
      if (whole) return now.trimEnd() === text.trimEnd();
      // An editor may draw a long line as several.
      return plain(now) !== '' && plain(text).includes(plain(now));
    };
    if (!(await wait(same))) return false;
    // Editors, and scripts that want to change it, answer a paste a moment later.
    await settled();
    return same();
  }
  return false;
}

/**
 * Puts the text into a new cell of a notebook in the tab, or in place of `was` into the cell that the sensor marked; returns
 * whether that succeeded.
 * @param {number} tab @param {number[]} frames frames that a sensor reads @param {string} text @param {string | null} [was]
 */
export async function insert(tab, frames, text, was = null) {
  for (const frameId of new Set(frames)) {
    const [found] = await chrome.scripting.executeScript({
      target: { tabId: tab, frameIds: [frameId] },
      world: 'MAIN',
      func: place,
      args: [text, was],
    });
    if (found?.result === true) return true;
  }
  return false;
}
