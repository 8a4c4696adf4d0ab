// What the pictures have in common: where they are stored, how large they may be, and how a part of a page is cut out.
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

import { still } from '../e2e/harness/cards.mjs';
import { ROOT } from '../e2e/harness/packages.mjs';

/** The documents' pictures. */
export const OUT = path.join(ROOT, 'docs/images');
/** The stores' pictures. */
export const STORE = path.join(ROOT, 'docs/store/images');
const QUALITY = 82;
/** Maximum size of a document's picture, in bytes. */
const MOST = 300_000;

/** What is wrong with the pictures that were taken. */
export const faults = [];

/** Takes one of the documents' pictures. @param {import('puppeteer-core').Page} page */
export async function take(page, name, options = {}) {
  await still(page);
  const file = path.join(OUT, `${name}.webp`);
  mkdirSync(path.dirname(file), { recursive: true });
  await page.screenshot({ path: file, type: 'webp', quality: QUALITY, ...options });
  const { size } = statSync(file);
  console.log(`  ${name}.webp  ${(size / 1000).toFixed(0)} kB`);
  if (size > MOST) faults.push(`${name} weighs ${size} bytes`);
}

/** Takes one of the stores' pictures, as they accept them: PNG, in the size of the window. @param {import('puppeteer-core').Page} page */
export async function takeForStore(page, name, options = {}) {
  await still(page);
  const file = path.join(STORE, `${name}.png`);
  mkdirSync(STORE, { recursive: true });
  await page.screenshot({ path: file, type: 'png', ...options });
  console.log(`  store/${name}.png  ${(statSync(file).size / 1000).toFixed(0)} kB`);
}

/** The area of an element on its page, with a margin. */
export async function around(page, selector, pad = 12) {
  const box = await page.evaluate((which) => {
    const { x, y, width, height } = document.querySelector(which).getBoundingClientRect();
    return { x: x + scrollX, y: y + scrollY, width, height };
  }, selector);
  return {
    clip: {
      x: Math.max(0, box.x - pad),
      y: Math.max(0, box.y - pad),
      width: box.width + 2 * pad,
      height: box.height + 2 * pad,
    },
    captureBeyondViewport: true,
  };
}
