// Errors of a front end's own that come with what the tests do to it.

const OWN = [
  // JupyterLab gives up on what it had asked a kernel that died.
  /^(?:Error: )?Canceled future for \w+ message before replies were done/,
  // Notebook 7.6.5 looks for a plugin's settings before they are there, without any extension as well.
  /\bschema\b[^]*\/notebook_core\./,
  // The same in Firefox's words.
  /can't access property "schema", \w+\.plugins\[[\w.]+\] is undefined/,
];

/** Whether a page's error is the front end's own. @param {string} message */
export const isOwn = (message) => OWN.some((pattern) => pattern.test(message));
