// The search page, and the index that it reads.

import MiniSearch from 'minisearch';
import { OPTIONS } from '../www/search-options.js';
import { html } from './html.mjs';
import { plain, title } from './site-rules.mjs';

/** What a search finds of a diagnosis. */
function entry(one) {
  const variants = (one.variants ?? []).flatMap((v) => [title(v), plain(v.summary)]);
  const fixes = one.fixes.map((fix) => fix.title);
  return {
    title: title(one),
    place: `Diagnoses / ${one.id}`,
    address: `rules/${one.id}/`,
    text: [plain(one.summary), plain(one.meaning), plain(one.why), ...variants, ...fixes].join(' '),
  };
}

/** The index of the documents' sections and the diagnoses, as JSON. */
export function index(sections, rules) {
  const search = new MiniSearch(OPTIONS);
  search.addAll([...sections, ...rules.map(entry)].map((one, id) => ({ id, ...one })));
  return JSON.stringify(search);
}

/** The page; its script fills it. */
export function search() {
  return {
    title: 'Search: nbmedic',
    about: 'A search through the docs and the diagnoses of nbmedic.',
    body: html`<main id="main">
<h1>Search</h1>
<div class="search" id="search" role="search" hidden><label for="find">Search the docs and the diagnoses</label><input id="find" type="search" autocomplete="off" spellcheck="false" placeholder="allow a site, exit status, out of memory …" aria-describedby="found"></div>
<p class="found" id="found" role="status"></p>
<ol class="hits" id="hits"></ol>
<noscript><p class="notice">The search needs JavaScript. The <a href="../docs/">list of documents</a> and the <a href="../rules/">list of diagnoses</a> work without it.</p></noscript>
</main>`,
  };
}
