// Determines where the sensors run: on Colab and in its output frames through the manifest, and on the sites
// that the user allowed.

/** The sensor scripts, bundled from `sensor/`: one for pages, and a small one for Colab's output frames. */
export const PAGE_SENSOR = ['sensor/notebook.js'];
export const FRAME_SENSOR = ['sensor/frame.js'];
/** The script that a drift report runs in the page. */
export const OUTLINE = ['sensor/outline.js'];
export const COLAB = 'https://colab.research.google.com/*';
/** Matches only the frames in which Colab shows outputs, and no other page of that host. */
export const FRAMES = 'https://*.googleusercontent.com/outputframe.html*';
/** The origins that the manifest grants; browsers list them without a path. */
const OWN = [COLAB, FRAMES, FRAMES.replace(/[^/]+$/, '*')];
const SCRIPT = 'allowed';

/** The optional origins that are currently granted. */
export async function granted() {
  const { origins = [] } = await chrome.permissions.getAll();
  return origins.filter((origin) => !OWN.includes(origin)).sort();
}

/** The match pattern of an origin. Firefox's patterns have no ports, so there it covers the whole host. @param {string} origin */
function pattern(origin) {
  const { protocol, hostname, host } = new URL(origin);
  return `${protocol}//${chrome.runtime.getURL('').startsWith('moz-') ? hostname : host}/*`;
}

/** Whether the sensor may read an origin now. A frame without its own origin has the permission of its tab. @param {string} origin @param {number} tab */
export async function mayRead(origin, tab) {
  try {
    if (/^https?:/.test(origin)) return await chrome.permissions.contains({ origins: [pattern(origin)] });
    // The browser reveals a tab's URL only to extensions that may read it.
    return (await chrome.tabs.get(tab)).url !== undefined;
  } catch {
    return false;
  }
}

/** Patterns still to be requested for a readable page, because the browser withholds access to its frames. @param {string} origin */
export async function withheld(origin) {
  if (!COLAB.startsWith(`${origin}/`) || !(await chrome.permissions.contains({ origins: [COLAB] }))) return [];
  return (await chrome.permissions.contains({ origins: [FRAMES] })) ? [] : [FRAMES];
}

/** Registers the sensor for exactly the granted origins. Calls run one at a time. */
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

/** Starts the sensor in tabs that are already open; it exits if another one is already running. @param {string[]} matches */
export async function inject(matches) {
  if (!matches.length) return;
  const start = matches.includes(COLAB) ? injectColab : injectAll;
  for (const { id } of await chrome.tabs.query({ url: matches })) {
    // Not awaited, because a lazily loading frame delays the browser's answer. A tab that shows an error page
    // or has not loaded yet can't be reached; the registered script covers it later.
    if (id !== undefined) void start(id).catch(() => {});
  }
}

/** Restarts the sensor of a page from the back/forward cache, which an update or a revoked permission may have orphaned. @param {number} tabId */
export async function revive(tabId) {
  try {
    const tabs = await chrome.tabs.query({ url: [COLAB, ...(await granted())] });
    const tab = tabs.find(({ id }) => id === tabId);
    if (!tab) return;
    const alive = await chrome.scripting.executeScript({
      target: { tabId },
      func: () => Boolean(/** @type {any} */ (globalThis).nbmedicSensor?.link.alive()),
    });
    if (!alive[0]?.result) await (tab.url?.startsWith(COLAB.slice(0, -1)) ? injectColab : injectAll)(tabId);
  } catch {
    // The user has already left the page.
  }
}

/** @param {number} tabId */
async function injectAll(tabId) {
  await chrome.scripting.executeScript({ target: { tabId, allFrames: true }, files: PAGE_SENSOR });
}

/** Injects the sensors into a Colab page and its output frames, which are identified by their paths. @param {number} tabId */
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
