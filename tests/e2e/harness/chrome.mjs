// Runs Chromium with the extension.
import { isOwn } from './noise.mjs';
import { existsSync } from 'node:fs';
import path from 'node:path';
import puppeteer from 'puppeteer-core';
import { findButton, readPopup } from './popup.mjs';

import { LONGEST_WAIT_MS, until } from './wait.mjs';

const NAMES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
];

export function chromePath() {
  const found = process.env.NBMEDIC_CHROME ?? NAMES.find((name) => existsSync(name));
  if (!found) throw new Error('no Chromium found; NBMEDIC_CHROME can name one');
  return found;
}

/**
 * What Chromium leaves out: asking for pages by https first, and the suggestions of its address bar as pages of its own.
 * Loading these takes a third of the processor's time of a start, and no test sees them.
 */
const LEFT_OUT = [
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
];

/**
 * Starts Chromium with an unpacked extension. Every request goes through the proxy, including those to this machine.
 * With `attach` off, no debugger keeps the extension's service worker alive: only then can it be stopped and timed.
 * The page that a first installation opens is closed, unless `welcome` is set. With `network`, pages have events for their
 * requests, which cost time.
 * @param {{welcome?: boolean, network?: boolean, extension?: string|null, proxy?: {port: number}|null, headless?: boolean, size?: number[], args?: string[], attach?: boolean, profile?: string|null}} options
 */
export async function startChrome({
  extension = null,
  proxy = null,
  headless = true,
  size = [1280, 900],
  args = [],
  attach = true,
  profile = null,
  welcome = false,
  network = false,
} = {}) {
  const first = extension && !(profile && existsSync(path.join(profile, 'Default')));
  const browser = await puppeteer.launch({
    executablePath: chromePath(),
    ...(profile ? { userDataDir: profile } : {}),
    headless,
    pipe: true,
    acceptInsecureCerts: true,
    networkEnabled: network,
    issuesEnabled: false,
    enableExtensions: extension ? [extension] : true,
    defaultViewport: headless ? { width: size[0], height: size[1] } : null,
    timeout: LONGEST_WAIT_MS,
    protocolTimeout: LONGEST_WAIT_MS,
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-dev-shm-usage',
      '--hide-scrollbars',
      `--disable-features=${LEFT_OUT.join(',')}`,
      ...(proxy ? [`--proxy-server=http://127.0.0.1:${proxy.port}`, '--proxy-bypass-list=<-loopback>'] : []),
      ...(headless ? [] : [`--window-size=${size.join(',')}`]),
      ...args,
    ],
  });
  const errors = [];
  const requests = [];

  // All requests of the extension's own contexts, and their errors.
  async function watch(target) {
    if (!target.url().startsWith('chrome-extension://')) return;
    const session = await target.createCDPSession().catch(() => null);
    if (!session) return;
    session.on('Network.requestWillBeSent', ({ request }) => requests.push(request.url));
    session.on('Runtime.exceptionThrown', ({ exceptionDetails: e }) =>
      errors.push(`background: ${e.exception?.description ?? e.text}`),
    );
    session.on('Runtime.consoleAPICalled', ({ type, args: list }) => {
      if (type === 'error') errors.push(`background: ${list.map((arg) => arg.value ?? arg.description).join(' ')}`);
    });
    await Promise.all([session.send('Network.enable'), session.send('Runtime.enable')]).catch(() => {});
  }
  if (attach) {
    browser.on('targetcreated', (target) => {
      watch(target);
    });
    await Promise.all(browser.targets().map(watch));
  }

  const raw = await browser.target().createCDPSession();
  // Puppeteer attaches to every worker that starts, and pauses it for that moment.
  const ALL_BUT_WORKERS = {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
    filter: [{ type: 'service_worker', exclude: true }, { type: 'page', exclude: true }, {}],
  };
  if (!attach) await raw.send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'service_worker' }] });
  if (!attach) await raw.connection().send('Target.setAutoAttach', ALL_BUT_WORKERS);
  const workers = async () => {
    const { targetInfos } = await raw.send('Target.getTargets', {
      filter: [{ type: 'service_worker', exclude: false }],
    });
    return targetInfos.filter(({ url }) => url.startsWith('chrome-extension://'));
  };
  let id = null;
  if (extension) {
    await until("the extension's background", async () => (await workers()).length > 0);
    await browser
      .defaultBrowserContext()
      .overridePermissions('https://colab.research.google.com', ['clipboard-read', 'clipboard-sanitized-write']);
  }

  if (extension) id = new URL((await workers())[0].url).host;
  if (first) {
    const opened = await browser.waitForTarget((target) => target.url().endsWith('/welcome.html'), {
      timeout: LONGEST_WAIT_MS,
    });
    if (!welcome) await raw.send('Target.closeTarget', { targetId: opened._targetId });
  }
  return {
    kind: 'chrome',
    browser,
    errors,
    workers,
    /** Whether a debugger is attached to the extension's service worker, which runs for as long. */
    attached: attach,
    async newPage(options) {
      const page = await browser.newPage(options);
      page.setDefaultTimeout(LONGEST_WAIT_MS);
      page.on('pageerror', ({ message }) => {
        if (!isOwn(message)) errors.push(`page: ${message}`);
      });
      if (!attach)
        await page._client().send('Target.setAutoAttach', {
          ...ALL_BUT_WORKERS,
          filter: [{ type: 'service_worker', exclude: true }, {}],
        });
      return page;
    },
    /** Every address that the extension's own contexts requested. */
    extensionRequests: async () => requests,
    extensionErrors: async () => [],
    /** Installs a package, or another version over the installed one, in the running browser. */
    install: (dir) => browser.installExtension(dir),
    /** Runs a function in the background, with the extension's APIs. */
    async inBackground(task, ...args) {
      const isBackground = (one) => one.type() === 'service_worker' && one.url().startsWith('chrome-extension://');
      await browser.waitForTarget(isBackground, { timeout: LONGEST_WAIT_MS });
      // After an update, the earlier version's background may still be listed.
      const session = await browser.targets().findLast(isBackground).createCDPSession();
      try {
        const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
          expression: `(${task})(...${JSON.stringify(args)})`,
          awaitPromise: true,
          returnByValue: true,
        });
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
      } finally {
        await session.detach().catch(() => {});
      }
    },
    /** Opens the extension's popup for the active tab, as its button does. `click` is a mouse click. */
    async popup() {
      await this.inBackground(() => chrome.action.openPopup());
      const isPopup = (target) => target.url().endsWith('/popup.html');
      const page = await (await browser.waitForTarget(isPopup, { timeout: LONGEST_WAIT_MS })).asPage();
      return {
        page,
        text: () => page.evaluate(`(${readPopup})(document)`),
        async click(words) {
          const button = await page.evaluateHandle(`(${findButton})(document, ${JSON.stringify(words)})`);
          if (!button.asElement()) return false;
          await button.asElement().click();
          return true;
        },
        close: () => page.close(),
      };
    },
    /** The browser's id of the tab with a page that the extension may read. */
    tabOf(page) {
      return this.inBackground(
        async (address) => (await chrome.tabs.query({})).find((tab) => tab.url?.split('#')[0] === address)?.id,
        page.url().split('#')[0],
      );
    },
    /** The button's badge for a tab (its own, otherwise that of all tabs). */
    badge(tabId = null) {
      return this.inBackground((id) => chrome.action.getBadgeText(id === null ? {} : { tabId: id }), tabId);
    },
    /** Stops the extension's service worker, as Chrome does when it is idle, or at any time. */
    async stopBackground() {
      if (attach) throw new Error('a debugger holds the background: start with attach: false');
      const running = await workers();
      for (const { targetId } of running) {
        const gone = new Promise((done) => {
          const see = (event) => {
            if (event.targetId === targetId) {
              raw.off('Target.targetDestroyed', see);
              done();
            }
          };
          raw.on('Target.targetDestroyed', see);
        });
        await raw.send('Target.closeTarget', { targetId });
        await gone;
      }
      return running.length;
    },
    /** The extension's id, which stays the same when the background stops. */
    extensionId: async () => {
      id ??= new URL((await workers())[0].url).host;
      return id;
    },
    /** Ends the browser as a crash does; with a `profile` it can be started again. */
    async kill() {
      const process = browser.process();
      const gone = new Promise((done) => {
        process.once('exit', done);
      });
      process.kill('SIGKILL');
      await gone;
    },
    close: () => browser.close(),
  };
}
