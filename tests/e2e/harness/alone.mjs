// A card alone, in a small extension made of the sensor's own modules: for what a page can do to a card, which needs
// neither the engine nor a package.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

import { ROOT } from './packages.mjs';

const EXTENSION = path.join(ROOT, 'extension');

/** What is in the card, and what its buttons copy. */
export const SHOWN = ['Headline-7f1', 'Summary-7f2', 'Details-7f3'];
export const COPIED = { copy: 'Code-7f4', report: 'Report-7f5' };

/** Runs beside the card: writes what a test wants to know of it to the page's root element. */
const SCRIPT = `
import { Card, listen } from './sensor/card.js';
const [title, summary, details] = WORDS;
const button = (name) => ({ tag: 'button', class: name, text: name, act: name === 'copy' ? { do: 'copy', text: COPIED.copy } : { do: 'assistant' } });
listen();
const card = new Card(STYLE, 'light', async (act) => (act.do === 'assistant' ? COPIED.report : null));
card.show({ tag: 'section', class: 'card error', kids: [
  { tag: 'header', class: 'head', kids: [{ tag: 'h3', class: 'title', text: title }] },
  { tag: 'p', class: 'summary', text: summary },
  { tag: 'details', class: 'more', kids: [{ tag: 'summary', text: details }, { tag: 'p', text: details }] },
  { tag: 'footer', class: 'foot', kids: [button('copy'), button('report')] },
] });
// What each button has answered, in order: an answer shows for two seconds only.
const said = { copy: [], report: [] };
new MutationObserver((records) => {
  for (const { target } of records)
    for (const name of Object.keys(said)) if (target.dataset.done && target.matches('.' + name)) said[name].push(target.dataset.done);
}).observe(card.root, { subtree: true, attributes: true, attributeFilter: ['data-done'] });
let looks = 0;
setInterval(() => {
  const here = document.querySelector('#here');
  if (here && !card.host.isConnected && !here.dataset.over) here.append(card.host);
  const at = (name) => {
    const { x, y, width, height } = card.root.querySelector(name).getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  document.documentElement.dataset.card = JSON.stringify({
    looks: (looks += 1),
    shown: card.host.isConnected,
    at: Object.fromEntries(['.copy', '.report', '.title', 'summary'].map((name) => [name, at(name)])),
    said,
    pick: card.root.querySelector('.pick')?.textContent ?? null,
    open: card.root.querySelector('details').open,
  });
}, 30);
`;

/** Makes the extension. Returns its folder and what removes it. */
export async function cardAlone() {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-card-'));
  const messages = JSON.parse(await readFile(path.join(EXTENSION, '_locales/en/messages.json'), 'utf8'));
  const sheets = await Promise.all(
    ['theme.css', 'card.css', 'card-foot.css'].map((name) => readFile(path.join(EXTENSION, name), 'utf8')),
  );
  const style = sheets.join('\n').replaceAll(/__MSG_(\w+)__/g, (_, key) => messages[key].message);
  await build({
    stdin: { contents: SCRIPT, resolveDir: EXTENSION },
    outfile: path.join(dir, 'card.js'),
    bundle: true,
    format: 'iife',
    define: { STYLE: JSON.stringify(style), WORDS: JSON.stringify(SHOWN), COPIED: JSON.stringify(COPIED) },
    logLevel: 'warning',
  });
  await cp(path.join(EXTENSION, '_locales'), path.join(dir, '_locales'), { recursive: true });
  const everywhere = ['http://*/*', 'https://*/*'];
  const manifest = {
    manifest_version: 3,
    name: 'A card alone',
    version: '1',
    default_locale: 'en',
    content_scripts: [{ matches: everywhere, js: ['card.js'], run_at: 'document_idle' }],
    host_permissions: everywhere,
    background: { service_worker: 'background.js', scripts: ['background.js'] },
    browser_specific_settings: { gecko: { id: 'card@nbmedic.org', strict_min_version: '140.0' } },
  };
  await writeFile(path.join(dir, 'manifest.json'), JSON.stringify(manifest));
  await writeFile(path.join(dir, 'welcome.html'), '');
  await writeFile(
    path.join(dir, 'background.js'),
    "chrome.runtime.onInstalled.addListener(() => chrome.tabs.create({ url: 'welcome.html' }));",
  );
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) };
}
