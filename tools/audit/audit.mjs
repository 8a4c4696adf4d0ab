// Runs Lighthouse on the built web site, in the system's Chromium: performance, accessibility and best practices.
// Lighthouse is in this folder's package.json, away from what every build installs.
//
//   node tools/audit/audit.mjs      prints the scores; fails if one is below the limit

import { launch } from 'puppeteer-core';
import lighthouse, { desktopConfig } from 'lighthouse';
import { chromePath } from '../../tests/e2e/harness/chrome.mjs';
import { serveSite } from '../../tests/e2e/harness/site.mjs';

const LIMIT = 95;
const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
const PAGES = ['', 'rules/', 'rules/gpu-oom/', 'probe/', 'docs/', 'docs/guide/', 'search/'];
/** Runs per page; the best one counts, because other programs on the machine slow some runs down. */
const ROUNDS = 3;

const site = await serveSite();
const args = ['--no-sandbox', '--disable-dev-shm-usage', '--remote-debugging-port=0'];
const browser = await launch({ executablePath: chromePath(), headless: true, args });
const port = Number(new URL(browser.wsEndpoint()).port);
let low = 0;
console.log(`measured: ${CATEGORIES.join(', ')}; the limit is ${LIMIT}`);
try {
  for (const path of PAGES) {
    for (const [device, config] of [
      ['desktop', desktopConfig],
      ['phone', undefined],
    ]) {
      const best = {};
      const wrong = new Map();
      for (let round = 0; round < ROUNDS && !CATEGORIES.every((name) => best[name] >= LIMIT); round += 1) {
        const { lhr } = await lighthouse(
          site.address + path,
          { port, onlyCategories: CATEGORIES, logLevel: 'error' },
          config,
        );
        if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
        for (const name of CATEGORIES) {
          const category = lhr.categories[name];
          best[name] = Math.max(best[name] ?? 0, Math.round(category.score * 100));
          const refs = category.auditRefs.filter(
            ({ id, weight }) => weight && lhr.audits[id].score !== null && lhr.audits[id].score < 0.9,
          );
          if (category.score * 100 < LIMIT)
            wrong.set(
              name,
              refs.map(({ id }) => `${id} ${lhr.audits[id].displayValue ?? ''}`.trim()),
            );
        }
      }
      console.log(
        `  /${path.padEnd(16)} ${device.padEnd(8)} ${CATEGORIES.map((name) => String(best[name]).padStart(4)).join('')}`,
      );
      for (const name of CATEGORIES) {
        if (best[name] >= LIMIT) continue;
        low += 1;
        console.log(`      ${name}: ${wrong.get(name).join('; ')}`);
      }
    }
  }
} finally {
  await browser.close();
  await site.close();
}
console.log(low ? `${low} below the limit` : 'all at or above the limit');
process.exitCode = low ? 1 : 0;
