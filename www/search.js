// The search page: finds sections of the docs, and diagnoses, in the index that the build made. What it shows is text.

import MiniSearch from 'minisearch';
import { OPTIONS } from './search-options.js';

/** How many results are shown. */
const SHOWN = 40;
/** How much of a text is shown before and after its first match, in characters. */
const BEFORE = 60;
const AFTER = 180;

const find = /** @type {HTMLInputElement} */ (document.getElementById('find'));
const status = /** @type {HTMLElement} */ (document.getElementById('found'));
const hits = /** @type {HTMLElement} */ (document.getElementById('hits'));
const box = /** @type {HTMLElement} */ (document.getElementById('search'));

/** The index, once something is searched. @type {Promise<MiniSearch> | null} */
let index = null;

async function read() {
  const answer = await fetch(new URL('search.json', import.meta.url));
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return MiniSearch.loadJSON(await answer.text(), OPTIONS);
}

/**
 * @param {string} name
 * @param {string} className
 * @param {...(string | Node)} content
 */
function element(name, className, ...content) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
}

/** The part of a text around its first match, with the matches marked. @param {string} text @param {string[]} terms */
function excerpt(text, terms) {
  const escaped = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).sort((a, b) => b.length - a.length);
  const words = new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  const at = terms.length ? Math.max(0, text.search(words)) : 0;
  const from = at > BEFORE ? text.indexOf(' ', at - BEFORE) + 1 : 0;
  const to = at + AFTER < text.length ? text.lastIndexOf(' ', at + AFTER) : text.length;
  const part = text.slice(from, to > at ? to : at + AFTER);
  const made = element('span', 'gist', from ? '… ' : '');
  let last = 0;
  for (const match of terms.length ? part.matchAll(words) : []) {
    made.append(part.slice(last, match.index), element('mark', '', match[0]));
    last = match.index + match[0].length;
  }
  made.append(part.slice(last), from + part.length < text.length ? ' …' : '');
  return made;
}

/** @param {import('minisearch').SearchResult} hit */
function entry(hit) {
  const link = document.createElement('a');
  link.href = new URL(hit.address, import.meta.url).href;
  const terms = Object.keys(hit.match).filter((term) => hit.match[term]?.includes('text'));
  link.append(element('span', 'rule-title', hit.title), element('span', 'place', hit.place), excerpt(hit.text, terms));
  return element('li', '', link);
}

/** How often the search has changed: an answer to an earlier one is dropped. */
let round = 0;

async function show() {
  const words = find.value.trim();
  const now = (round += 1);
  const address = new URL(location.href);
  if (words) address.searchParams.set('q', words);
  else address.searchParams.delete('q');
  history.replaceState(null, '', address);
  let said = '';
  /** @type {import('minisearch').SearchResult[]} */
  let found = [];
  try {
    index ??= read();
    const search = await index;
    found = search.search(words);
    if (words) said = `${found.length || 'None'} found`;
    if (words && !found.length) {
      found = search.search(words, { combineWith: 'OR' });
      if (found.length) said = 'None with all of these words. With some of them:';
    }
    if (found.length > SHOWN) said += said.endsWith(':') ? '' : `, the best ${SHOWN} first`;
  } catch (failure) {
    index = null;
    said = `The index did not load: ${failure instanceof Error ? failure.message : failure}`;
  }
  if (now !== round) return;
  status.textContent = said;
  hits.replaceChildren(...found.slice(0, SHOWN).map(entry));
}

const links = () => [...hits.querySelectorAll('a')];

find.addEventListener('input', show);
find.addEventListener('keydown', (event) => {
  if (event.isComposing || (event.key !== 'Enter' && event.key !== 'ArrowDown')) return;
  const [first] = links();
  if (!first) return;
  event.preventDefault();
  if (event.key === 'Enter') first.click();
  else first.focus();
});
hits.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const at = links().findIndex((link) => link === document.activeElement);
  if (!step || at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  (at + step < 0 ? find : links()[at + step])?.focus();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target === find) return;
  event.preventDefault();
  find.focus();
});

box.hidden = false;
find.value = new URL(location.href).searchParams.get('q') ?? '';
if (find.value.trim()) void show();
else find.focus();
