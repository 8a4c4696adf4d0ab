// Where the sensors run: on Colab and in its output frames by the manifest, elsewhere on the addresses
// that the person allowed.

/** The sensor's scripts, bundled from the modules in `sensor/`: in pages, and the small one in Colab's output frames. */
export const PAGE_SENSOR = ['sensor/notebook.js'];
export const FRAME_SENSOR = ['sensor/frame.js'];
/** What a drift report needs in the page. */
export const OUTLINE = ['sensor/outline.js'];
export const COLAB = 'https://colab.research.google.com/*';
/** The frames in which Colab shows outputs, and no other page of that host. */
export const FRAMES = 'https://*.googleusercontent.com/outputframe.html*';
/** What the manifest grants; browsers leave the path away where they list it. */
const OWN = [COLAB, FRAMES, FRAMES.replace(/[^/]+$/, '*')];
const SCRIPT = 'allowed';

/** The optional origins that are granted now. */
export async function granted() {
  const { origins = [] } = await chrome.permissions.getAll();
  return origins.filter((origin) => !OWN.includes(origin)).sort();
}

/** Firefox's match patterns know no ports: there a server's permission is its host's. @param {string} origin */
function pattern(origin) {
  const { protocol, hostname, host } = new URL(origin);
  return `${protocol}//${chrome.runtime.getURL('').startsWith('moz-') ? hostname : host}/*`;
}

/** Whether the sensor may read there now. A frame without an origin of its own goes with its tab. @param {string} origin @param {number} tab */
export async function mayRead(origin, tab) {
  try {
    if (/^https?:/.test(origin)) return await chrome.permissions.contains({ origins: [pattern(origin)] });
    // The browser tells a tab's address to those who may read it.
    return (await chrome.tabs.get(tab)).url !== undefined;
  } catch {
    return false;
  }
}

/** What the browser withholds of a page that may itself be read: patterns to ask for. @param {string} origin */
export async function withheld(origin) {
  if (!COLAB.startsWith(`${origin}/`) || !(await chrome.permissions.contains({ origins: [COLAB] }))) return [];
  return (await chrome.permissions.contains({ origins: [FRAMES] })) ? [] : [FRAMES];
}

/** Registers the sensor for exactly the granted origins. Calls run one after the other. */
export function register() {
  running = running.then(sync, sync);
  return running;
}

/** @type {Promise<void>} */
let running = Promise.resolve();

async function sync() {
  const matches = await granted();
  const [known] = await chrome.scripting.getRegisteredContentScripts({ ids: [SCRIPT] });
  if (!matches.length) {
    if (known) await chrome.scripting.unregisterContentScripts({ ids: [SCRIPT] });
    return;
  }
  if (
    known &&
    JSON.stringify([...(known.matches ?? [])].sort()) === JSON.stringify(matches) &&
    JSON.stringify(known.js) === JSON.stringify(PAGE_SENSOR)
  )
    return;
  /** @type {chrome.scripting.RegisteredContentScript} */
  const script = {
    id: SCRIPT,
    matches,
    js: PAGE_SENSOR,
    allFrames: true,
    runAt: 'document_idle',
    persistAcrossSessions: true,
  };
  if (known) await chrome.scripting.updateContentScripts([script]);
  else await chrome.scripting.registerContentScripts([script]);
}

/** Starts the sensor in tabs that are open already; it steps aside where one is alive. @param {string[]} matches */
export async function inject(matches) {
  if (!matches.length) return;
  const start = matches.includes(COLAB) ? injectColab : injectAll;
  for (const { id } of await chrome.tabs.query({ url: matches })) {
    // Nobody waits for it: a frame that loads lazily keeps the browser's answer back. A tab that shows an
    // error page or is not loaded yet can't be reached; the registration will.
    if (id !== undefined) void start(id).catch(() => {});
  }
}

/** A page that may come from the browser's page cache: its sensor was left behind with an earlier nbmedic, or when permission was taken back. @param {number} tabId */
export async function revive(tabId) {
  try {
    const tabs = await chrome.tabs.query({ url: [COLAB, ...(await granted())] });
    const tab = tabs.find(({ id }) => id === tabId);
    if (!tab) return;
    const asked = await chrome.scripting.executeScript({
      target: { tabId },
      func: () => document.documentElement.dispatchEvent(new CustomEvent('nbmedic-takeover', { cancelable: true })),
    });
    if (asked[0]?.result) await (tab.url?.startsWith(COLAB.slice(0, -1)) ? injectColab : injectAll)(tabId);
  } catch {
    // Left again already.
  }
}

/** @param {number} tabId */
async function injectAll(tabId) {
  await chrome.scripting.executeScript({ target: { tabId, allFrames: true }, files: PAGE_SENSOR });
}

/** Into the page, and into those of its frames that are output frames: each is asked for its path first. @param {number} tabId */
async function injectColab(tabId) {
  await chrome.scripting.executeScript({ target: { tabId }, files: PAGE_SENSOR });
  const paths = await chrome.scripting.executeScript({
    target: { tabId, allFrames: true },
    injectImmediately: true,
    func: () => location.pathname,
  });
  const frameIds = paths.flatMap(({ frameId, result }) => (frameId && result === '/outputframe.html' ? [frameId] : []));
  if (frameIds.length)
    await chrome.scripting.executeScript({ target: { tabId, frameIds }, injectImmediately: true, files: FRAME_SENSOR });
}
