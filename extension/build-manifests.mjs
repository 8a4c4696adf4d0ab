// Writes the manifest of each browser: node extension/build-manifests.mjs DIR → DIR/<browser>/manifest.json

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as source from './manifest.source.js';

export const BROWSERS = /** @type {const} */ (['chrome', 'firefox']);

/** The workspace's version: Cargo.toml is its one place. */
export function version() {
  const cargo = readFileSync(new URL('../Cargo.toml', import.meta.url), 'utf8');
  const found = cargo.match(/^\[workspace\.package\][^[]*?^version\s*=\s*"(\d+\.\d+\.\d+)"/ms);
  if (!found?.[1]) throw new Error('Cargo.toml names no version under [workspace.package]');
  return found[1];
}

/** @param {'chrome' | 'firefox'} browser */
export function manifest(browser) {
  return { ...source.common(version()), ...source[browser] };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const out = process.argv[2];
  if (!out) {
    console.error('usage: node extension/build-manifests.mjs DIR');
    process.exit(2);
  }
  for (const browser of BROWSERS) {
    mkdirSync(join(out, browser), { recursive: true });
    writeFileSync(join(out, browser, 'manifest.json'), JSON.stringify(manifest(browser), null, 2) + '\n');
  }
}
