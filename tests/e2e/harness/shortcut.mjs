// nbmedic's keyboard shortcuts.

/** Presses Alt+Shift and a key. Chromium's own shortcuts hear no key of a test, so there the background is told by the browser's event. */
export async function shortcut(session, page, key, name) {
  if (session.kind === 'firefox') {
    await session.marionette.chrome(
      `
      const tip = Cc['@mozilla.org/text-input-processor;1'].createInstance(Ci.nsITextInputProcessor);
      tip.beginInputTransactionForTests(window);
      const key = (name, code, keyCode) => new window.KeyboardEvent('', { key: name, code, keyCode });
      const held = [key('Alt', 'AltLeft', 18), key('Shift', 'ShiftLeft', 16), key(arguments[0], 'Key' + arguments[0], arguments[0].charCodeAt(0))];
      for (const one of held) tip.keydown(one);
      for (const one of held.reverse()) tip.keyup(one);`,
      [key],
    );
    return;
  }
  const tab = await session.tabOf(page);
  await session.inBackground(
    async (command, id) => chrome.commands.onCommand.dispatch(command, await chrome.tabs.get(id)),
    name,
    tab,
  );
}
