// A browser with the extension and a proxy, for one test file.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { COLAB, isFrameHost, NOTEBOOK_URL, startProxy } from '../../replicas/server.mjs';
import { still } from './cards.mjs';
import { startChrome } from './chrome.mjs';
import { startFirefox } from './firefox.mjs';
import { builtPackage, copied, ROOT, shippedPackage, withOrigins } from './packages.mjs';
import { replaysTheSame } from './record.mjs';
import { until } from './wait.mjs';

/** The browsers to test: both, or those that NBMEDIC_BROWSERS names. */
export const BROWSERS = (process.env.NBMEDIC_BROWSERS ?? 'chrome,firefox').split(',').filter(Boolean);
for (const kind of BROWSERS)
  if (kind !== 'chrome' && kind !== 'firefox')
    throw new Error(`NBMEDIC_BROWSERS names "${kind}": there are chrome and firefox`);
/** A sensor whose batches were not answered tries again after this time at the latest, in milliseconds. */
export const RETRY_MS = 30_000;
export const LOCALHOST = 'http://localhost/*';

/**
 * `origins` are allowed as a user allows them; in Chromium through a copy of the package (see `withOrigins`).
 * `change` gets the folder of a copy of the package, for a test that needs a changed one; `names` are hosts that the
 * proxy maps to a port of this machine. `bare`: the extension is not installed yet; `shipped`: the package as it ships,
 * whose cards no test can read. At the end, a native replay of the
 * session's record must give the same cards; `unstored` says why that cannot be checked.
 */
export async function startSession(
  kind,
  {
    origins = [],
    through = [],
    names = {},
    change = null,
    bare = false,
    shipped = false,
    unstored = '',
    ...options
  } = {},
) {
  const built = (shipped ? shippedPackage : builtPackage)(kind);
  const proxy = await startProxy({ through, names });
  let copy = null;
  let browser;
  try {
    if (bare) {
      browser = await (kind === 'chrome' ? startChrome : startFirefox)({ proxy, ...options });
    } else if (kind === 'chrome') {
      copy = origins.length ? await withOrigins(built, origins) : change ? await copied(built, () => {}) : null;
      await change?.(copy.dir);
      browser = await startChrome({ extension: copy?.dir ?? built, proxy, ...options });
    } else {
      copy = change ? await copied(built, change) : null;
      browser = await startFirefox({ extension: copy?.dir ?? built, proxy, ...options });
      for (const origin of origins) await browser.allow(origin);
    }
  } catch (error) {
    proxy.close();
    await copy?.remove();
    throw error;
  }
  const whole = {
    ...browser,
    proxy,
    async colab(query = '', options = undefined) {
      const page = await browser.newPage(options);
      await page.goto(NOTEBOOK_URL + query, { waitUntil: 'load' });
      await until('the replica is ready', () => page.evaluate(() => document.documentElement.dataset.ready === 'true'));
      return page;
    },
    async close() {
      try {
        if (!unstored && !bare && options.extension !== null) await replaysTheSame(whole);
      } finally {
        await browser.close();
        proxy.close();
        await copy?.remove();
      }
    },
  };
  return whole;
}

/** Hosts that each browser requests by itself, with or without an extension. */
const OWN = {
  chrome:
    /^(clients2\.google\.com|accounts\.google\.com|update\.googleapis\.com|content-autofill\.googleapis\.com|optimizationguide-pa\.googleapis\.com|www\.google\.com|edgedl\.me\.gvt1\.com)(:\d+)?$/,
  firefox: /^([a-z0-9.-]+\.mozilla\.(com|org|net)|[a-z0-9.-]+\.firefox\.com|ciscobinary\.openh264\.org)(:\d+)?$/,
};

/** The requested hosts that are neither the page's nor the browser's own. */
export function strangers(session, extra = []) {
  const known = new Set([`${COLAB}:443`, ...extra]);
  return [...new Set(session.proxy.asked)].filter(
    (host) => !known.has(host) && !isFrameHost(host.replace(/:443$/, '')) && !OWN[session.kind].test(host),
  );
}

/** Saves a picture in `out/e2e`, to be looked at. */
export async function picture(page, name) {
  const dir = path.join(ROOT, 'out/e2e');
  await mkdir(dir, { recursive: true });
  await still(page);
  await page.screenshot({ path: path.join(dir, `${name}.png`) });
}

/** Stores a measurement's figures: as JSON for the build, and as a readable line. */
export async function figures(t, name, values, line) {
  const dir = path.join(ROOT, 'out/e2e');
  await mkdir(dir, { recursive: true });
  await writeFile(path.join(dir, `figures-${name}.json`), `${JSON.stringify({ name, line, values }, null, 1)}\n`);
  t.diagnostic(line);
}

export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)];
}
