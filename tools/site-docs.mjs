// The documents as pages of the web site, from the Markdown files.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { html, Html } from './html.mjs';
import { markdown, parsed, target, textOf } from './documents.mjs';

/** The documents in the order of their list: file, address, name and what it is about. A document without a file is a part
 *  of another one. */
const PARTS = [
  {
    id: 'users',
    name: 'For users',
    about: 'nbmedic in the browser and in the kernel.',
    documents: [
      [
        'docs/guide.md',
        'guide',
        'Guide',
        'Install it, allow it, read a card, replace the code, find out why a kernel died.',
      ],
      ['README.md', 'overview', 'Overview', 'What nbmedic is, what it can do, and what leaves your machine.'],
      [
        'docs/magic.md',
        'magic',
        'In a notebook’s kernel',
        'Cards without the extension, with one line: %load_ext nbmedic.',
      ],
      ['docs/trials.md', 'trials', 'Trials', 'How a cure is tried in a copy of the kernel, and what keeps that safe.'],
      ['docs/deaths.md', 'deaths', 'How did my kernel die?', 'Each ending of a kernel, and what the probe says of it.'],
      [
        'docs/store/privacy.md',
        'privacy',
        'Privacy policy',
        'What is read, what is kept, and what leaves the browser.',
      ],
      ['SECURITY.md', 'security', 'Security', 'How to report a problem, and what counts as one.'],
      ['CHANGELOG.md', 'changelog', 'Changelog', 'What changed.'],
    ],
  },
  {
    id: 'logs',
    name: 'For people with logs and fleets',
    about: 'nbmedic on a command line, in CI, in Python and on a cluster.',
    documents: [
      [null, 'overview/#in-the-terminal', 'In the terminal', 'The command, and what each of its parts does.'],
      ['docs/ci.md', 'ci', 'In CI and in editors', 'Each output format, the GitHub action and the pre-commit hook.'],
      [
        'docs/python.md',
        'python',
        'In Python',
        'The package: where it runs, its functions and what they answer, batches of texts.',
      ],
      ['docs/fleet.md', 'fleet', 'Many notebooks and logs', 'One command for whole folders, and for Spark and Ray.'],
      ['probe/cli/README.md', 'nbmedic-probe', 'nbmedic-probe', 'The flight recorder’s own command.'],
    ],
  },
  {
    id: 'contributors',
    name: 'For contributors',
    about: 'How nbmedic is made, tested and measured.',
    documents: [
      [
        'CONTRIBUTING.md',
        'contributing',
        'Contributing',
        'How to run things, and how to add a diagnosis, a front end, a language.',
      ],
      ['docs/architecture.md', 'architecture', 'Architecture', 'How the parts fit together.'],
      ['src/catalog/README.md', 'catalog', 'The catalogue', 'The format of a diagnosis.'],
      ['src/host/README.md', 'front-ends', 'Front-end profiles', 'The format of a front end.'],
      ['src/libraries/README.md', 'libraries', 'The libraries’ tables', 'What each release of a library can do.'],
      ['src/values/README.md', 'values', 'The values', 'What each call of a library gives, as rows of data.'],
      ['probe/FORMAT.md', 'flight-record', 'The flight record', 'What the probe writes, and the rules of its verdict.'],
      ['tests/proof/README.md', 'proof-cases', 'Cases of the proof', 'How a fix is proven.'],
      ['tests/cures/README.md', 'bench', 'The bench of cures', 'How notebooks are broken and repaired.'],
      ['docs/proof.md', 'proof', 'Proven fixes', 'Programs that failed, and ran after a fix of the catalogue.'],
      ['docs/cures.md', 'cures', 'How good the cures are', 'What the bench of cures found.'],
      ['docs/speed.md', 'speed', 'Speed', 'The engine beside ripgrep and plain loops.'],
      ['docs/probe.md', 'probe-measured', 'The probe, measured', 'Deaths, memory, GPUs, and other monitors.'],
      ['docs/gpu.md', 'gpu', 'On a GPU', 'What ran on a GPU, and how to run it.'],
      ['tools/README.md', 'tools', 'Building', 'What builds, tests and packages nbmedic.'],
      ['docs/store/README.md', 'store', 'Store submissions', 'What goes to which store.'],
      ['docs/store/permissions.md', 'permissions', 'Permissions', 'The reason for each permission.'],
      ['docs/store/build.md', 'reproducing', 'Reproducing the build', 'The same bytes from the source archive.'],
    ],
  },
].map((part) => ({
  ...part,
  documents: part.documents.map(([file, at, name, about]) => ({ file, at, name, about, part })),
}));

const DOCUMENTS = PARTS.flatMap(({ documents }) => documents);
const PAGES = DOCUMENTS.filter(({ file }) => file);
/** The files that the pages are made from. */
export const FILES = PAGES.map(({ file }) => file);
const byFile = new Map(PAGES.map((page) => [page.file, page]));

/** Where the repository's files are shown. */
const [, REPOSITORY] = /^repository = "(https:.+)"$/m.exec(readFileSync('Cargo.toml', 'utf8'));
const shown = (path) => `${REPOSITORY}/${statSync(path).isDirectory() ? 'tree' : 'blob'}/main/${path}`;

/** The folder of images, below the documents' own. */
const IMAGES = 'docs/images';

/** The width and height of a picture in WebP's lossy, lossless or extended form. */
function size(bytes) {
  const form = bytes.toString('latin1', 12, 16);
  if (form === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (form === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  if (form !== 'VP8L') throw new Error(`a picture of the unknown form ${form}`);
  const bits = bytes.readUInt32LE(21);
  return [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1];
}

const attributes = (name, value) => (value ? html` ${name}="${value}"` : '');

// How the parts of a document look that need more than markdown-it's own markup.
Object.assign(markdown.renderer.rules, {
  fence: (tokens, i) =>
    html`<div class="code"><pre tabindex="0"><code${attributes('data-language', tokens[i].info.trim())}>${tokens[i].content.trimEnd()}</code></pre></div>\n`
      .text,
  code_block: (tokens, i) =>
    html`<div class="code"><pre tabindex="0"><code>${tokens[i].content.trimEnd()}</code></pre></div>\n`.text,
  heading_open: (tokens, i) => html`<div class="heading"><${tokens[i].tag} id="${tokens[i].meta.id}">`.text,
  heading_close: (tokens, i) => {
    const { id, said } = tokens[i - 2].meta;
    return html`</${tokens[i].tag}><a class="anchor" href="#${id}" aria-label="Link to “${said}”">#</a></div>\n`.text;
  },
  table_open: () => '<div class="wide" role="group" aria-label="Table" tabindex="0"><table>\n',
  table_close: () => '</table></div>\n',
  image: (tokens, i, _options, env) => {
    const { path } = target(env.file, tokens[i].attrGet('src'));
    if (posix.dirname(path) !== IMAGES) throw new Error(`${env.file}: ${path} is not in ${IMAGES}`);
    env.images.add(path);
    const [width, height] = size(readFileSync(path));
    return html`<img src="../images/${posix.basename(path)}" width="${width}" height="${height}" loading="lazy" alt="${textOf(tokens[i])}">`
      .text;
  },
  link_open: (tokens, i, _options, env) => {
    const href = tokens[i].attrGet('href');
    const { outside, path, anchor } = target(env.file, href);
    const hash = anchor ? `#${anchor}` : '';
    if (outside) {
      if (!outside.startsWith('https://')) throw new Error(`${env.file}: ${href}: only https: addresses may be linked`);
      return html`<a href="${outside}" rel="noopener noreferrer">`.text;
    }
    const page = byFile.get(path);
    if (page) return html`<a href="${page.file === env.file ? hash : `../${page.at}/${hash}`}">`.text;
    if (!existsSync(path)) throw new Error(`${env.file}: ${href} leads nowhere`);
    return html`<a href="${shown(path)}${hash}" rel="noopener noreferrer">`.text;
  },
  html_block: comment,
  html_inline: comment,
});

/** Comments are marks for tests; other HTML would escape the checks of a page's markup. */
function comment(tokens, i, _options, env) {
  if (/^<!--(?:(?!-->)[\s\S])*-->\s*$/.test(tokens[i].content)) return '';
  throw new Error(`${env.file}: HTML in a document: ${tokens[i].content}`);
}

/** Tables without styles in attributes, which the pages' policy forbids, and without empty heads. */
function tidyTables(tokens) {
  const kept = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token.type === 'thead_open') {
      const end = tokens.findIndex((one, at) => at > i && one.type === 'thead_close');
      if (!tokens.slice(i, end).some((one) => one.type === 'inline' && one.content)) {
        i = end;
        continue;
      }
    }
    if (token.type === 'th_open' && !tokens[i + 1].content) {
      token.tag = 'td';
      tokens[i + 2].tag = 'td';
    }
    const align = /^text-align:(center|right)$/.exec(token.attrGet?.('style') ?? '');
    if (token.attrGet?.('style')) token.attrs = align ? [['class', align[1]]] : null;
    kept.push(token);
  }
  return kept;
}

/** How much of a section is searched, in characters: all of it, except a table of hundreds of rows. */
const SEARCHED = 10_000;

/** A document's sections, for the search: the heading's text and anchor, and what follows until the next one. */
function sections(tokens) {
  const found = [];
  tokens.forEach((token, i) => {
    if (token.type === 'heading_open') found.push({ said: token.meta.said, id: token.meta.id, text: [] });
    else if (token.type === 'inline' && tokens[i - 1].type !== 'heading_open') found.at(-1)?.text.push(textOf(token));
    else if (token.type === 'fence' || token.type === 'code_block') found.at(-1)?.text.push(token.content);
  });
  return found.map(({ text, ...rest }) => ({
    ...rest,
    text: text.join(' ').replace(/\s+/g, ' ').trim().slice(0, SEARCHED),
  }));
}

function contents(headings) {
  const list = [];
  for (const heading of headings) {
    if (heading.level === 2) list.push({ ...heading, kids: [] });
    else if (heading.level === 3) list.at(-1)?.kids.push(heading);
  }
  const entry = ({ id, said, kids = [] }) =>
    html`<li><a href="#${id}">${said}</a>${kids.length ? html`<ul>${kids.map(entry)}</ul>` : ''}</li>\n`;
  return list.length > 1
    ? html`<nav class="toc" aria-labelledby="toc"><h2 id="toc">On this page</h2><ul>
${list.map(entry)}</ul></nav>\n`
    : '';
}

/** The list of all documents, beside one of them. */
function beside(here) {
  const entry = ({ file, at, name }) =>
    html`<li><a href="../${at}${file ? '/' : ''}"${at === here.at ? html` aria-current="page"` : ''}>${name}</a></li>\n`;
  return html`<nav class="shelf" aria-label="All documents">
${PARTS.map(({ name, documents }) => html`<h2>${name}</h2><ul>\n${documents.map(entry)}</ul>\n`)}</nav>\n`;
}

function document(one) {
  const { tokens, headings } = parsed(readFileSync(one.file, 'utf8'));
  const env = { file: one.file, images: new Set() };
  const first = tokens.findIndex(({ type }) => type === 'heading_open');
  const render = (some) => new Html(markdown.renderer.render(some, markdown.options, env));
  const title = new Html(markdown.renderer.render([tokens[first + 1]], markdown.options, env));
  const body = render(tidyTables(tokens.toSpliced(first, 3)));
  const at = PAGES.indexOf(one);
  const turn = (to, name) => (to ? html`<a href="../${to.at}/"><span>${name}</span> ${to.name}</a>\n` : '');
  return {
    at: one.at,
    images: env.images,
    sections: sections(tokens).map(({ id, said, text }, i) => ({
      title: said,
      place: i ? `${one.part.name} / ${one.name}` : one.part.name,
      address: `docs/${one.at}/${i ? `#${id}` : ''}`,
      text,
    })),
    title: `${one.name}: nbmedic`,
    about: one.about,
    body: html`<main class="document" id="main">
<nav class="crumbs" aria-label="Where this page is"><a href="../">Docs</a> / <a href="../#${one.part.id}">${one.part.name}</a></nav>
<h1 id="${headings[0].id}">${title}</h1>
<div class="columns">
${beside(one)}${contents(headings)}<div class="prose">
${body}<p class="origin">This page is <a href="${shown(one.file)}" rel="noopener noreferrer">${one.file}</a> in the repository.</p>
<nav class="turn" aria-label="Next documents">
${turn(PAGES[at - 1], 'Before:')}${turn(PAGES[at + 1], 'Next:')}</nav>
</div>
</div>
</main>`,
  };
}

/** A page for each document. */
export const documents = () => PAGES.map(document);

/** The list of all documents. */
export function shelf() {
  const entry = ({ file, at, name, about }) =>
    html`<li><a href="${at}${file ? '/' : ''}"><span class="rule-title">${name}</span> <span class="gist">${about}</span></a></li>\n`;
  const part = ({ id, name, about, documents }) =>
    html`<section class="family" aria-labelledby="${id}"><div><h2 id="${id}">${name}</h2><p class="gist">${about}</p></div><ul>
${documents.map(entry)}</ul></section>\n`;
  return {
    title: 'Docs: nbmedic',
    about: 'How to use nbmedic: in the browser, on a command line, in Python; and how it is made.',
    body: html`<main id="main">
<h1>Docs</h1>
<p class="lead">How to use nbmedic, in the browser and on many logs, and how it is made. <a href="../search/">Search</a> looks through all of it, and through the diagnoses.</p>
<div class="families">
${PARTS.map(part)}</div>
</main>`,
  };
}
