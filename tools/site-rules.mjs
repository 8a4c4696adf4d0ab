// The pages of the rule reference, from the catalogue's prose.

import { html } from './html.mjs';

/** Families in the order of the list; others follow, sorted by id. */
const FAMILIES = {
  'gpu-memory': 'GPU memory',
  'host-memory': 'Memory of the machine',
  'gpu-fault': 'GPU faults',
  'gpu-setup': 'GPU setup',
  tensor: 'Tensors and models',
  process: 'Processes and kernels',
  'host-limit': 'Limits of the machine',
  session: 'Sessions and runtimes',
  environment: 'Packages',
  storage: 'Files and storage',
  network: 'Network',
  python: 'Python',
};
const SURE = {
  sure: ['certain', 'fixes it'],
  likely: ['likely', 'usually fixes it'],
  maybe: ['maybe', 'worth trying'],
  shows: ['maybe', 'shows more'],
};
const SEVERITY = { error: 'Error', warning: 'Warning', info: 'Notice' };

const SHORT = /\b(?:cpu|cuda|gpu|nan|os|ram|tpu|xla)\b/g;

function words(id) {
  const text = id.replaceAll('-', ' ').replace(SHORT, (word) => word.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}
const familyName = (id) => FAMILIES[id] ?? words(id);

/** A title without the figures of a case; if nothing else would remain, the id in words. */
export function title({ id, title }) {
  const short = title.replace(/:[^:]*….*$/, '');
  return /[a-z]/i.test(short) ? short : words(id);
}

function inline(part) {
  const [[kind, value]] = Object.entries(part);
  if (kind === 'code') return html`<code>${value}</code>`;
  if (kind === 'em') return html`<em>${value}</em>`;
  if (kind === 'strong') return html`<strong>${value}</strong>`;
  if (kind === 'link') return link(value);
  return html`${value}`;
}

function link([text, href]) {
  if (!href.startsWith('https://')) throw new Error(`${href}: only https: addresses may be linked`);
  return html`<a href="${href}" rel="noopener noreferrer">${text}</a>`;
}

function code(language, text) {
  return html`<div class="code"><pre tabindex="0"><code data-language="${language}">${text}</code></pre></div>\n`;
}

function block(one) {
  const [[kind, value]] = Object.entries(one);
  if (kind === 'code') return code(...value);
  if (kind === 'list') return html`<ul>${value.map((item) => html`<li>${item.map(inline)}</li>`)}</ul>\n`;
  return html`<p>${value.map(inline)}</p>\n`;
}

/** Blocks as one line of text. */
export function plain(blocks) {
  const line = (parts) => parts.map((part) => [Object.values(part)[0]].flat()[0]).join('');
  return blocks.flatMap((one) => (one.p ? [line(one.p)] : (one.list ?? []).map(line))).join(' ');
}

/** The first sentence, for lists. */
const gist = (blocks) => /^.*?[.!?](?=\s+[A-Z“`]|$)/.exec(plain(blocks))?.[0] ?? plain(blocks);

function byFamily(rules) {
  const names = Object.keys(FAMILIES);
  const others = [...new Set(rules.map(({ family }) => family))].filter((id) => !names.includes(id)).sort();
  return [...names, ...others]
    .map((id) => ({ id, rules: rules.filter(({ family }) => family === id) }))
    .filter(({ rules }) => rules.length);
}

/** Addresses of the pages on the web site: each in a folder, relative to the list (`entry`) and to one another. */
const SITE = { list: '../', page: (id) => `../${id}/`, entry: (id) => `${id}/` };

/** The list of all diagnoses. */
export function list(rules, to = SITE) {
  const entry = (one) => {
    // A search also finds the variants' words.
    const more = one.variants?.map((v) => `${v.id} ${v.title}`).join(' ') ?? '';
    return html`<li data-words="${more}"><a href="${to.entry(one.id)}"><span class="rule-title">${title(one)}</span> <code class="id">${one.id}</code> <span class="gist">${gist(one.summary)}</span></a></li>\n`;
  };
  const family = ({
    id,
    rules,
  }) => html`<section class="family" aria-labelledby="${id}"><h2 id="${id}">${familyName(id)}</h2><ul>
${rules.map(entry)}</ul></section>\n`;
  return {
    title: 'Diagnoses: nbmedic',
    about: `The ${rules.length} things that nbmedic knows to go wrong in notebooks: what each means, why it happens, and what to do.`,
    body: html`<main id="main">
<h1>Diagnoses</h1>
<p class="lead">The ${rules.length} things that nbmedic knows to go wrong in a notebook: what each means, why it happens, and what to do about it.</p>
<div class="search" id="search" role="search" hidden><label for="find">Find a diagnosis</label><input id="find" type="search" autocomplete="off" spellcheck="false" placeholder="out of memory, shapes, pip …" aria-describedby="found"></div>
<p class="found" id="found" role="status" data-all="${rules.length}"></p>
<div class="families">
${byFamily(rules).map(family)}</div>
</main>`,
  };
}

function variant(one) {
  return html`<section class="variant" id="variant-${one.id}"><h3>${title(one)}</h3>
${one.summary.map(block)}</section>\n`;
}

function fix(one, variants) {
  const [kind, sure] = SURE[one.applies];
  // The plain case has no name and no section of its own.
  const name = (id) =>
    id ? html`<a class="only" href="#variant-${id}">${words(id)}</a> ` : html`<span class="only">Plain</span> `;
  const only =
    one.variants?.length && variants.length
      ? html`<span class="only-for">Only for</span> ${one.variants.map(name)}`
      : '';
  return html`<article class="fix" id="fix-${one.id}"><h3>${one.title}</h3>
<p class="fix-marks"><span class="sure ${kind}">${sure}</span>${only}</p>
${one.why.map(block)}${one.cost ? html`<p class="cost"><strong>Cost:</strong> ${one.cost}</p>\n` : ''}${one.code ? code(one.language ?? '', one.code) : ''}<p class="proven">${one.proven}</p>\n</article>\n`;
}

/** The page of one diagnosis. */
export function rule(one, all, to = SITE) {
  const variants = one.variants ?? [];
  const siblings = all.filter(({ id, family }) => family === one.family && id !== one.id);
  const sections = [
    { id: 'means', name: 'What it means', body: one.meaning.map(block) },
    { id: 'why', name: 'Why it happens', body: one.why.map(block) },
    { id: 'variants', name: 'Variants', body: variants.map(variant) },
    {
      id: 'fixes',
      name: 'What to do',
      body: one.fixes.map((f) => fix(f, variants)),
      kids: one.fixes.map((f) => [`fix-${f.id}`, f.title]),
    },
    {
      id: 'links',
      name: 'Read on',
      body: one.links?.length ? html`<ul>${one.links.map((l) => html`<li>${link(l)}</li>`)}</ul>` : [],
    },
  ].filter(({ body }) => body.length !== 0);
  const section = ({
    id,
    name,
    body,
  }) => html`<section class="${id}" aria-labelledby="${id}"><h2 id="${id}">${name}</h2>
${body}</section>\n`;
  const entry = ({ id, name, kids = [] }) =>
    html`<li><a href="#${id}">${name}</a>${
      kids.length ? html`<ul>${kids.map(([to, text]) => html`<li><a href="#${to}">${text}</a></li>`)}</ul>` : ''
    }</li>\n`;
  const late = html`<p class="note">Errors of the GPU are reported late: the line that a traceback shows may be innocent.</p>\n`;
  return {
    title: `${title(one)}: ${one.id}, nbmedic`,
    about: plain(one.summary),
    body: html`<main class="rule" id="main">
<nav class="crumbs" aria-label="Where this page is"><a href="${to.list}">Diagnoses</a> / <a href="${to.list}#${one.family}">${familyName(one.family)}</a></nav>
<h1>${title(one)}</h1>
<p class="marks"><code>${one.id}</code> <span>${SEVERITY[one.severity] ?? one.severity}</span></p>
<div class="lead prose">${one.summary.map(block)}</div>
<div class="columns">
<div class="prose">
${one.late ? late : ''}${sections.map(section)}${
      siblings.length
        ? html`<nav class="siblings" aria-labelledby="siblings"><h2 id="siblings">More about ${familyName(one.family)}</h2><ul>${siblings.map((s) => html`<li><a href="${to.page(s.id)}">${title(s)}</a></li>`)}</ul></nav>\n`
        : ''
    }</div>
<nav class="toc" aria-labelledby="toc"><h2 id="toc">On this page</h2><ul>
${sections.map(entry)}</ul></nav>
</div>
</main>`,
  };
}
