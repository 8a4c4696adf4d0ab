// A front end's own errors that the tests provoke.

const OWN = [
  // JupyterLab drops its requests to a kernel that died.
  /^(?:Error: )?Canceled future for \w+ message before replies were done/,
  // Notebook 7.6.5 requests a plugin's settings before they exist, also without any extension.
  /\bschema\b[^]*\/notebook_core\./,
  // The same in Firefox's words.
  /can't access property "schema", \w+\.plugins\[[\w.]+\] is undefined/,
];

/** Whether a page's error is the front end's own. @param {string} message */
export const isOwn = (message) => OWN.some((pattern) => pattern.test(message));
