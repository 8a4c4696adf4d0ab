// Assembles one browser's extension: its own files, the WASM modules, the prose, the licences.
//
//   node tools/assemble.mjs chrome|firefox STAGE_DIR OUT_DIR

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { filesUnder } from './files.mjs';
import { reference } from './reference.mjs';
import { FRAME_SENSOR, OUTLINE, PAGE_SENSOR } from '../extension/background/sites.js';
import { manifest } from '../extension/build-manifests.mjs';

// Files in extension/ that are for building and checking, not for the browser.
const NOT_SHIPPED = /(^|\/)(README\.md|tsconfig[^/]*\.json|manifest[^/]*)$|\.(d\.ts|mjs)$/;

/** The sensor's lines are broken at the first possible place after this many characters, for reviewers' editors. */
const LINE = 160;

const SENSOR = /^sensor\//;

const [browser, stage, out] = process.argv.slice(2);

function copy(from, to, keep = () => true) {
  for (const path of filesUnder(from).filter(keep)) {
    const target = join(to, path);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(from, path), target);
  }
}

/** Bundles a module and its imports into one script. Comments and white space go, half of its size; names stay. */
function bundle(entry, outfile, options = {}) {
  buildSync({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'iife',
    target: 'esnext',
    charset: 'utf8',
    minifyWhitespace: outfile.endsWith('.js'),
    minifySyntax: outfile.endsWith('.js'),
    lineLimit: LINE,
    logLevel: 'warning',
    ...options,
  });
}

// A content script can't be a module.
function bundleSensor() {
  for (const path of [...PAGE_SENSOR, ...FRAME_SENSOR, ...OUTLINE]) bundle(join('extension', path), join(out, path));
}

// Each extension page loads one script and one style sheet, because every request delays it.
function bundlePages() {
  const sheets = filesUnder(out).filter(
    (path) => /^[^/]*\.css$/.test(path) && readFileSync(join(out, path), 'utf8').startsWith('@import'),
  );
  for (const path of ['page.js', ...sheets]) {
    bundle(join(out, path), join(out, path), {
      allowOverwrite: true,
      define: { 'import.meta.url': 'location.href' },
      external: ['*.wasm'],
    });
  }
  rmSync(join(out, 'pages/pages.js'));
}

// So does the background, which the user waits for whenever a browser starts it again. The WASM loaders stay files of their
// own, as wasm-bindgen wrote them.
function bundleBackground() {
  const entry = join(out, 'background.js');
  bundle(entry, entry, {
    allowOverwrite: true,
    format: 'esm',
    external: ['engine/nbmedic.js', 'python/python.js'].map((path) => resolve(out, path)),
    // The tests change some of its constants.
    minifySyntax: false,
  });
  for (const path of ['background', 'messages.js', 'protocol.js', 'slot.js'])
    rmSync(join(out, path), { recursive: true });
}

copy('extension', out, (path) => !NOT_SHIPPED.test(path) && !SENSOR.test(path));
bundleSensor();
for (const part of ['engine', 'python', 'pages', 'prose']) {
  copy(join(stage, part), join(out, part), (path) => !path.startsWith('.'));
}
bundlePages();
bundleBackground();
// The pages that a card's "More about this" opens.
reference(JSON.parse(readFileSync(join(stage, 'reference.json'), 'utf8')), join(out, 'rules'));
// The style of a saved report, for its preview.
cpSync('src/report/report.css', join(out, 'report-page.css'));
copy(join(stage, 'probe'), out, (path) => path === 'probe-cell.json');
for (const licence of ['LICENSE-MIT', 'LICENSE-APACHE']) cpSync(licence, join(out, licence));
cpSync(join(stage, 'THIRD-PARTY.txt'), join(out, 'THIRD-PARTY.txt'));
writeFileSync(join(out, 'manifest.json'), `${JSON.stringify(manifest(browser), null, 2)}\n`);
