// Reads the clipboard through the browser itself, not through the page.

export async function clipboard(session, page) {
  if (session.kind === 'firefox') {
    return session.marionette.chrome(`
      const transferable = Cc['@mozilla.org/widget/transferable;1'].createInstance(Ci.nsITransferable);
      transferable.init(null);
      transferable.addDataFlavor('text/plain');
      Services.clipboard.getData(transferable, Services.clipboard.kGlobalClipboard);
      const data = {};
      transferable.getTransferData('text/plain', data);
      return data.value.QueryInterface(Ci.nsISupportsString).data;`);
  }
  // Pastes, as a person would.
  return page.evaluate(async () => {
    const before = document.activeElement;
    const text = await navigator.clipboard.readText();
    before?.focus();
    return text;
  });
}
