// Writes a page that shows the card in light and dark, wide and narrow, for inspection in a browser: with sample trees, or
// with the engine's cards of notebooks or of cases of the proof:
// node tests/js/look.mjs FILE.html [NOTEBOOK.ipynb | FRAMEWORK/CASE]…

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spokenStyle } from '../../extension/messages.js';
import { buildSync } from 'esbuild';
import { died, memory, missing } from './sample-trees.mjs';

const read = (path) => readFileSync(new URL('../../extension/' + path, import.meta.url), 'utf8');
const english = JSON.parse(read('_locales/en/messages.json'));
const [, , page = 'card.html', ...named] = process.argv;

/** The cards that the engine draws for notebooks. @param {string[]} names */
function drawn(names) {
  const folder = mkdtempSync(join(tmpdir(), 'nbmedic-look-'));
  const notebook = (/** @type {string} */ name) => {
    if (name.endsWith('.ipynb')) return name;
    const file = join(folder, `${name.replaceAll('/', '-')}.ipynb`);
    const captured = JSON.parse(readFileSync(`tests/proof/captured/${name}.json`, 'utf8'));
    writeFileSync(file, JSON.stringify(captured.notebook));
    return file;
  };
  const args = ['run', '-q', '-p', 'nbmedic', '--features', 'prose', '--example', 'cards', '--'];
  const json = execFileSync('cargo', [...args, ...names.map(notebook)], { encoding: 'utf8', maxBuffer: 1 << 28 });
  rmSync(folder, { recursive: true });
  return Object.fromEntries(JSON.parse(json).map((tree, at) => [`card${at}`, tree]));
}

const trees = named.length
  ? drawn(named)
  : { memory: memory('k1'), open: memory('k1', true), missing: missing(), died: died() };
const [{ text: bundle }] = buildSync({
  entryPoints: ['extension/sensor/card.js'],
  bundle: true,
  format: 'iife',
  globalName: 'cards',
  write: false,
}).outputFiles;
const inline = (value) => JSON.stringify(value).replaceAll('<', '\\u003c');

writeFileSync(
  page,
  `<!doctype html><meta charset="utf-8"><title>Cards</title>
<style>body{margin:0;font:14px sans-serif}.pane{padding:16px}.dark{background:#111418}.light{background:#fff}
.grid{display:grid;grid-template-columns:1fr 300px;gap:16px;align-items:start}</style>
<body></body>
<script>${bundle}</script>
<script>
const css = ${inline(spokenStyle(read('theme.css') + read('card.css') + read('card-foot.css'), (key) => english[key].message))};
const english = ${inline(english)};
globalThis.chrome = { i18n: { getMessage: (key) => english[key]?.message ?? '' } };
const trees = ${inline(trees)};
for (const theme of ['light', 'dark']) {
  const pane = document.createElement('div');
  pane.className = 'pane ' + theme;
  const grid = document.createElement('div');
  grid.className = 'grid';
  for (let column = 0; column < 2; column += 1) {
    const holder = document.createElement('div');
    for (const [name, tree] of Object.entries(trees)) {
      if (column && name === 'open') continue;
      const card = new cards.Card(css, theme, async () => 'a report');
      card.show(tree);
      holder.append(card.host);
    }
    grid.append(holder);
  }
  pane.append(grid);
  document.body.append(pane);
}
</script>
`,
);
