// Runs Firefox with the extension: WebDriver BiDi controls pages, Marionette the browser itself.
import { isOwn } from './noise.mjs';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import puppeteer from 'puppeteer-core';
import WebSocket from 'ws';

import { Marionette } from './marionette.mjs';
import { archive, OPENED } from './packages.mjs';
import { findButton, readPopup } from './popup.mjs';
import { startGroup, stopGroup } from './process.mjs';
import { LONGEST_WAIT_MS, until } from './wait.mjs';

const NAMES = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/snap/bin/firefox'];
export const EXTENSION_UUID = '6e1f3c1e-8d1b-4c1a-9a53-6b1f0d3c7a11';

export function firefoxPath() {
  const found = process.env.NBMEDIC_FIREFOX ?? NAMES.find((name) => existsSync(name));
  if (!found) throw new Error('no Firefox found; NBMEDIC_FIREFOX can name one');
  return found;
}

const preferences = (id, proxy, prefs) => ({
  'marionette.port': 0,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.server': '',
  'app.normandy.enabled': false,
  'network.stricttransportsecurity.preloadlist': false,
  'security.cert_pinning.enforcement_level': 0,
  'xpinstall.signatures.required': false,
  'extensions.webextensions.uuids': JSON.stringify(id ? { [id]: EXTENSION_UUID } : {}),
  // The permission prompt belongs to the browser; without it the answer is yes. The click on the popup's button that
  // leads to it remains a real one.
  'extensions.webextOptionalPermissionPrompts': false,
  // Codecs that the browser would download by itself.
  'media.gmp-manager.updateEnabled': false,
  'media.gmp-provider.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  // A browser that was killed starts without recovering its session.
  'toolkit.startup.max_resumed_crashes': -1,
  'browser.sessionstore.resume_from_crash': false,
  // A process and a page in reserve, which each start would make and few tests use.
  'dom.ipc.processPrelaunch.enabled': false,
  'browser.newtab.preload': false,
  ...(proxy
    ? {
        'network.proxy.type': 1,
        'network.proxy.http': '127.0.0.1',
        'network.proxy.http_port': proxy.port,
        'network.proxy.ssl': '127.0.0.1',
        'network.proxy.ssl_port': proxy.port,
        'network.proxy.allow_hijacking_localhost': true,
        'network.proxy.no_proxies_on': '',
      }
    : {}),
  ...prefs,
});

// Firefox has one automation session for both protocols: Marionette opens it, and this code answers BiDi's handshake.
async function transport(url, capabilities, sessionId) {
  const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 256 * 1024 * 1024 });
  await new Promise((done, fail) => {
    socket.once('open', done);
    socket.once('error', fail);
  });
  const wire = {
    onmessage: undefined,
    onclose: undefined,
    send(text) {
      const { id, method } = JSON.parse(text);
      if (method !== 'session.new') socket.send(text);
      else
        setImmediate(() =>
          wire.onmessage?.(JSON.stringify({ id, type: 'success', result: { sessionId, capabilities } })),
        );
    },
    close: () => socket.close(),
  };
  socket.on('message', (data) => wire.onmessage?.(data.toString()));
  socket.on('close', () => wire.onclose?.());
  socket.on('error', () => {});
  return wire;
}

/** A profile that Firefox has made and never used: without an extension, a page or a setting of a test. */
const STARTED = path.join(OPENED, 'firefox');
/** What belongs to one start, not to a profile. */
const PASSING = ['.parentlock', 'lock', 'user.js', 'MarionetteActivePort', 'sessionstore.jsonlz4'];

/**
 * Keeps the profile of a start, with what Firefox compiled of itself and the databases that it made. The new profiles of
 * later starts are copies of it, which start faster.
 */
export async function keepStarted() {
  const profile = path.join(OPENED, 'new-firefox');
  await mkdir(profile, { recursive: true });
  const firefox = await startFirefox({ profile });
  await firefox.quit();
  for (const name of PASSING) await rm(path.join(profile, name), { force: true });
  await rename(profile, STARTED);
}

/**
 * Starts Firefox with an unpacked extension, with all requests through the proxy. A given `profile` is kept; with
 * `installed` it already has the extension. The page that a first installation opens is closed, unless `welcome` is set.
 * `prefs` are set in addition to the usual ones.
 */
export async function startFirefox({
  extension = null,
  proxy = null,
  headless = true,
  size = [1280, 900],
  profile: given = null,
  installed = false,
  welcome = false,
  prefs: wanted = {},
} = {}) {
  const manifest = extension ? JSON.parse(await readFile(path.join(extension, 'manifest.json'), 'utf8')) : null;
  let id = manifest?.browser_specific_settings?.gecko?.id;
  const profile = given ?? (await mkdtemp(path.join(os.tmpdir(), 'nbmedic-firefox-')));
  await rm(path.join(profile, 'MarionetteActivePort'), { force: true });
  if (!given && existsSync(STARTED)) await cp(STARTED, profile, { recursive: true });
  const prefs = Object.entries(preferences(id, proxy, wanted)).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  await writeFile(path.join(profile, 'user.js'), prefs.join('\n'));
  const group = startGroup(
    firefoxPath(),
    [
      ...(headless ? ['--headless'] : []),
      '--no-remote',
      '--profile',
      profile,
      '--marionette',
      '--remote-allow-system-access',
      '--remote-debugging-port',
      '0',
      '--width',
      String(size[0]),
      '--height',
      String(size[1]),
      'about:blank',
    ],
    {
      stdio: 'ignore',
      env: { ...process.env, MOZ_HEADLESS_WIDTH: String(size[0]), MOZ_HEADLESS_HEIGHT: String(size[1]) },
    },
  );
  const errors = [];
  const port = await until('Marionette', async () =>
    Number(await readFile(path.join(profile, 'MarionetteActivePort'), 'utf8')),
  );
  const marionette = await Marionette.connect(port);
  const { sessionId, capabilities } = await marionette.send('WebDriver:NewSession', {
    acceptInsecureCerts: true,
    webSocketUrl: true,
    unhandledPromptBehavior: 'ignore',
  });
  const browser = await puppeteer.connect({
    protocol: 'webDriverBiDi',
    transport: await transport(capabilities.webSocketUrl, capabilities, sessionId),
    acceptInsecureCerts: true,
    networkEnabled: false,
    defaultViewport: headless ? { width: size[0], height: size[1] } : null,
    protocolTimeout: LONGEST_WAIT_MS,
  });
  // A temporary installation would not grant the addresses of the content scripts (MV3).
  // The requests of the extension's contexts, recorded by the browser from the start.
  await marionette.chrome(`
    const asked = window.nbmedicAsked = [];
    Services.obs.addObserver((subject) => {
      const channel = subject.QueryInterface(Ci.nsIChannel);
      const { loadingPrincipal, triggeringPrincipal } = channel.loadInfo ?? {};
      if ([loadingPrincipal, triggeringPrincipal].some((p) => p?.addonPolicy?.id === ${JSON.stringify(id ?? '')})) asked.push(channel.URI.spec);
    }, 'http-on-modify-request');`);
  const archives = [];
  async function install(dir) {
    id ??= JSON.parse(await readFile(path.join(dir, 'manifest.json'), 'utf8')).browser_specific_settings.gecko.id;
    const xpi = await archive(dir);
    archives.push(xpi);
    await marionette.send('Addon:Install', { path: xpi, temporary: false });
  }
  if (extension && !installed) {
    await install(extension);
    await until('the page that an installation opens', () =>
      marionette.chrome(
        `
      const [tab] = gBrowser.tabs.filter((one) => one.linkedBrowser.currentURI.spec.endsWith('/welcome.html'));
      if (tab && !arguments[0]) gBrowser.removeTab(tab);
      return Boolean(tab);`,
        [welcome],
      ),
    );
  }

  return {
    kind: 'firefox',
    browser,
    errors,
    marionette,
    id,
    async newPage(options) {
      const page = await browser.newPage(options);
      page.setDefaultTimeout(LONGEST_WAIT_MS);
      page.on('pageerror', ({ message }) => {
        if (!isOwn(message)) errors.push(`page: ${message}`);
      });
      return page;
    },
    /** Stops the event page, as Firefox does when it is idle; true if one was running. */
    stopBackground() {
      return marionette.chrome(
        `
        const { extension } = WebExtensionPolicy.getByID(arguments[0]);
        if (extension.backgroundState !== 'running') return 0;
        return extension.terminateBackground({ disableResetIdleForTest: true }).then(() => 1);`,
        [id],
      );
    },
    install,
    extensionRequests: () => marionette.chrome('return window.nbmedicAsked'),
    /** The addresses that were allowed in addition to Colab's and its frames'. */
    async granted() {
      const all = await marionette.chrome(
        'return WebExtensionPolicy.getByID(arguments[0]).allowedOrigins.patterns.map(({ pattern }) => pattern)',
        [id],
      );
      return all.filter(
        (pattern) => pattern.startsWith('http') && !/colab\.research\.google\.com|googleusercontent\.com/.test(pattern),
      );
    },
    /** Allows an address as the browser does after the user agreed. */
    allow(origin) {
      return marionette.chrome(
        `
        const { ExtensionPermissions } = ChromeUtils.importESModule('resource://gre/modules/ExtensionPermissions.sys.mjs');
        return ExtensionPermissions.add(arguments[0], { permissions: [], origins: [arguments[1]] }, WebExtensionPolicy.getByID(arguments[0]).extension).then(() => true);`,
        [id, origin],
      );
    },
    /** Revokes an address, as a user does in about:addons. */
    disallow(origin) {
      return marionette.chrome(
        `
        const { ExtensionPermissions } = ChromeUtils.importESModule('resource://gre/modules/ExtensionPermissions.sys.mjs');
        return ExtensionPermissions.remove(arguments[0], { permissions: [], origins: [arguments[1]] }, WebExtensionPolicy.getByID(arguments[0]).extension).then(() => true);`,
        [id, origin],
      );
    },
    /**
     * Opens the extension's popup for the active tab, as its button does. `text` reads it; `click` clicks the button with
     * this text with the mouse, which counts as user activation.
     */
    async popup() {
      await marionette.chrome(
        `
        const { extension } = WebExtensionPolicy.getByID(arguments[0]);
        extension.apiManager.global.browserActionFor(extension).openPopup(window, false);`,
        [id],
      );
      // Only the browser itself can reach into a popup: its script runs there and sends the answer back.
      const inside = (code, patience = 1000) =>
        marionette.chrome(
          `
        const popup = document.querySelector('browser.webextension-popup-browser');
        if (!popup) return null;
        const name = 'nbmedic:' + Math.random();
        return new Promise((done) => {
          popup.messageManager.addMessageListener(name, ({ data }) => done(data));
          // A popup that is loading drops the script; the caller tries again.
          setTimeout(() => done(null), arguments[1]);
          popup.messageManager.loadFrameScript('data:application/javascript,' + encodeURIComponent('{ const tell = (what) => sendAsyncMessage(' + JSON.stringify(name) + ', what); const said = (function () {' + arguments[0] + '})(); if (said !== undefined) tell(said); }'), false);
        });`,
          [code, patience],
        );
      return {
        text: () => inside(`return (${readPopup})(content.document)`),
        /** The result of the promise that an expression returns in the popup. */
        evaluate: async (expression) =>
          JSON.parse(
            await inside(
              `
          const box = Components.utils.Sandbox(content, { sandboxPrototype: content });
          Components.utils.exportFunction(tell, box, { defineAs: 'tell' });
          Components.utils.evalInSandbox(${JSON.stringify(`(${expression}).then((value) => tell(JSON.stringify(value)), (error) => tell(JSON.stringify(String(error))))`)}, box);`,
              60_000,
            ),
          ),
        click: (words) =>
          inside(`
          const button = (${findButton})(content.document, ${JSON.stringify(words)});
          if (!button) return false;
          const press = () => {
            button.scrollIntoView();
            const { x, y, width, height } = button.getBoundingClientRect();
            for (const type of ['mousedown', 'mouseup']) content.synthesizeMouseEvent(type, x + width / 2, y + height / 2, { button: 0, clickCount: 1 });
            tell(true);
          };
          // The panel takes its size from what is in it, which may just have been unfolded.
          content.setTimeout(press, 200);`),
        async close() {
          await marionette.chrome(
            `document.querySelector('browser.webextension-popup-browser')?.closest('panel')?.hidePopup();`,
          );
          await until('the popup is closed', () =>
            marionette.chrome(`return !document.querySelector('browser.webextension-popup-browser')`),
          );
        },
      };
    },
    /** The browser's id of the tab with a page. */
    tabOf: (page) =>
      marionette.chrome(
        `
      const { extension } = WebExtensionPolicy.getByID(arguments[0]);
      const tab = gBrowser.tabs.find((one) => one.linkedBrowser.currentURI.spec.split('#')[0] === arguments[1]);
      return tab ? extension.apiManager.global.tabTracker.getId(tab) : null;`,
        [id, page.url().split('#')[0]],
      ),
    /** The text of the extension's sidebar; null while it is not open. */
    sidebar: () =>
      marionette.chrome(`
      const inner = document.getElementById('sidebar')?.contentDocument?.getElementById('webext-panels-browser');
      if (!inner?.messageManager) return null;
      const name = 'nbmedic:' + Math.random();
      return new Promise((done) => {
        inner.messageManager.addMessageListener(name, ({ data }) => done(data));
        setTimeout(() => done(null), 1000);
        inner.messageManager.loadFrameScript('data:application/javascript,' + encodeURIComponent('sendAsyncMessage(' + JSON.stringify(name) + ', content.document.body?.innerText ?? "")'), false);
      });`),
    /** Errors about the extension in the browser console. */
    async extensionErrors() {
      return marionette.chrome(`
        return Services.console.getMessageArray()
          .filter((m) => m instanceof Ci.nsIScriptError && !(m.flags & 1) && String(m.sourceName).startsWith('moz-extension://'))
          // A page was closed while it waited for an answer: its actor was gone first, or its context.
          .filter((m) => !/Actor 'Conduits' destroyed before query|Promise (?:resolved|rejected) after context unloaded/.test(m.errorMessage))
          .map((m) => m.errorMessage + ' ' + m.sourceName + ':' + m.lineNumber);`);
    },
    /** Ends the browser as a crash does; with a `profile` it can be started again. */
    async kill() {
      marionette.close();
      process.kill(-group.child.pid, 'SIGKILL');
      await group.ended;
    },
    /** Ends the browser as a person does: it writes what it keeps. */
    async quit() {
      await marionette.send('Marionette:Quit', { flags: ['eAttemptQuit'] });
      await group.ended;
      await this.close();
    },
    async close() {
      marionette.close();
      await stopGroup(group);
      if (!given) await rm(profile, { recursive: true, force: true });
      for (const xpi of archives) await rm(path.dirname(xpi), { recursive: true, force: true });
    },
  };
}
