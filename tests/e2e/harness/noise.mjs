// Errors of a front end's own that come with what the tests do to it.

/** JupyterLab gives up on what it had asked a kernel that died. */
const OWN = [/^Canceled future for \w+ message before replies were done/];

/** Whether a page's error is the front end's own. @param {string} message */
export const isOwn = (message) => OWN.some((pattern) => pattern.test(message));
