// Builds the web site: the playground, the rule reference with one page per diagnosis, the probe's cells, the documents and
// the search through them.
//
//   node tools/site.mjs STAGE_DIR REFERENCE.json OUT_DIR

import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { version } from '../extension/build-manifests.mjs';
import { spokenStyle } from '../extension/messages.js';
import { filesUnder } from './files.mjs';
import { documents, shelf } from './site-docs.mjs';
import { probe } from './site-probe.mjs';
import { list, rule } from './site-rules.mjs';
import { index, search } from './site-search.mjs';
import { Html, html } from './html.mjs';

const [stage, reference, out] = process.argv.slice(2);

// The pages' policy: they load only the site's own files, and strings cannot become markup.
const POLICY = [
  ...["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "img-src 'self'"],
  ...["connect-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'"],
  ...["require-trusted-types-for 'script'", 'trusted-types nbmedic'],
].join('; ');

/** A whole page; `up` is the relative path to the site's root. */
function page({ up, title, about, here, styles, scripts, body }) {
  const current = (name) => (name === here ? html` aria-current="page"` : '');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="description" content="${about}">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#1c2024">
<title>${title}</title>
<link rel="icon" href="${up}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${up}site.css">
${styles.map((name) => html`<link rel="stylesheet" href="${up}${name}">\n`)}${scripts.map((name) => html`<script type="module" src="${up}${name}"></script>\n`)}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar"><div class="bar-in">
<a class="brand" href="${up || './'}"><img src="${up}icon.svg" width="28" height="28" alt="">nbmedic</a>
<nav aria-label="Site"><a href="${up || './'}"${current('playground')}>Playground</a><a href="${up}rules/"${current('rules')}>Diagnoses</a><a href="${up}probe/"${current('probe')}>Probe</a><a href="${up}docs/"${current('docs')}>Docs</a><a href="${up}search/"${current('search')}>Search</a></nav>
</div></header>
${body}
<footer class="base"><div class="base-in">
<p>nbmedic ${version()}, the notebook medic. No account, no server, no telemetry.</p>
<p><a href="${up}LICENSE-MIT">MIT</a> or <a href="${up}LICENSE-APACHE">Apache-2.0</a>, with <a href="${up}THIRD-PARTY.txt">others’ work</a></p>
</div></footer>
</body>
</html>
`.text;
}

function write(path, content) {
  const target = join(out, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
}

function copy(from, to, keep = () => true) {
  for (const path of filesUnder(from).filter(keep)) write(join(to, path), readFileSync(join(from, path)));
}

copy('www', '', (path) => !['playground.html', 'search.js', 'search-options.js', 'sw.js'].includes(path));
for (const part of ['engine', 'python', 'pages', 'prose'])
  copy(join(stage, part), part, (path) => !path.startsWith('.'));
for (const [from, to] of [
  ['extension/icons/icon.svg', 'icon.svg'],
  ['LICENSE-MIT', 'LICENSE-MIT'],
  ['LICENSE-APACHE', 'LICENSE-APACHE'],
  [join(stage, 'THIRD-PARTY.txt'), 'THIRD-PARTY.txt'],
]) {
  cpSync(from, join(out, to));
}

// The card's sheets as the extension joins them, in English.
const english = JSON.parse(readFileSync('extension/_locales/en/messages.json', 'utf8'));
const sheets = ['theme.css', 'card.css', 'card-foot.css']
  .map((name) => readFileSync(join('extension', name), 'utf8'))
  .join('\n');
write(
  'card.css',
  spokenStyle(sheets, (key) => english[key].message),
);

write(
  'index.html',
  page({
    up: '',
    title: 'nbmedic: why did the notebook fail?',
    about:
      'Paste a traceback or a log, or drop a notebook: what happened, the lines that show it, and what to do. Nothing is uploaded.',
    here: 'playground',
    styles: ['play.css'],
    scripts: ['site.js', 'playground.js'],
    body: new Html(readFileSync('www/playground.html', 'utf8').trimEnd()),
  }),
);
const rules = JSON.parse(readFileSync(reference, 'utf8'));
const reading = { here: 'rules', styles: ['rules.css'], scripts: ['site.js', 'rules.js'] };
write('rules/index.html', page({ up: '../', ...reading, ...list(rules) }));
for (const one of rules) write(`rules/${one.id}/index.html`, page({ up: '../../', ...reading, ...rule(one, rules) }));

const cells = JSON.parse(readFileSync(join(stage, 'probe/probe-cell.json'), 'utf8'));
write('probe/index.html', page({ up: '../', ...reading, here: 'probe', ...probe(cells) }));

const docs = { here: 'docs', styles: ['rules.css', 'docs.css'], scripts: ['site.js', 'rules.js'] };
const written = documents();
write('docs/index.html', page({ up: '../', ...docs, ...shelf() }));
for (const one of written) write(`docs/${one.at}/index.html`, page({ up: '../../', ...docs, ...one }));
for (const path of new Set(written.flatMap(({ images }) => [...images])))
  write(`docs/images/${basename(path)}`, readFileSync(path));

write(
  'search.json',
  index(
    written.flatMap(({ sections }) => sections),
    rules,
  ),
);
write(
  'search/index.html',
  page({ up: '../', ...docs, ...search(), here: 'search', scripts: ['site.js', 'search.js'] }),
);
buildSync({
  entryPoints: ['www/search.js'],
  outfile: join(out, 'search.js'),
  bundle: true,
  format: 'esm',
  minify: true,
});
const licence = readFileSync('node_modules/minisearch/LICENSE.txt', 'utf8');
appendFileSync(
  join(out, 'THIRD-PARTY.txt'),
  `\n${'-'.repeat(80)}\n\nThe search page contains MiniSearch.\n\n${licence}`,
);

// Last, because the service worker for offline use lists all other files.
const files = filesUnder(out);
const hash = createHash('sha256');
for (const path of files)
  hash
    .update(`${path}\0`)
    .update(readFileSync(join(out, path)))
    .update('\0');
const addresses = files.map((path) => (path === 'index.html' ? './' : path.replace(/\/index\.html$/, '/')));
const worker = readFileSync('www/sw.js', 'utf8')
  .replace('__VERSION__', hash.digest('hex').slice(0, 16))
  .replace("['__FILES__']", () => JSON.stringify(addresses));
write('sw.js', worker);
