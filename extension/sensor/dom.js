// Reads a notebook page: paths, states and texts. None of these functions changes the document.

import { MAX_HEAD, MAX_TAIL } from '../protocol.js';

/** Maximum number of text nodes counted per reading of an output. */
const MAX_NODES = 1024;
/** Elements that start a new line if the preceding text does not end with a line break. */
const BLOCK = /^(?:P|DIV|PRE|LI|TR|H[1-6]|TABLE|UL|OL|BLOCKQUOTE|SECTION|DT|DD)$/;
/** Elements whose text is ignored: icon names, style sheets, and tooltips, which may name people. */
const SILENT = /^(?:style|script|svg)$|-icon(?!-button)|tooltip/;
/** A card that nbmedic's Python package has put below a failed cell. */
const OWN = '[data-nbmedic="card"]';
/** How deep in an output's element such a card lies at most. */
const OWN_DEPTH = 6;
const TEMPLATE = '[shadowrootmode], [shadowroot], [shadowmode]';
/** Maximum number of shadow roots read below one element. */
const MAX_ROOTS = 64;

/** @typedef {{steps: string[], attr: string | null}} Path */
/** @type {Map<string, Path>} */
const paths = new Map();

/** @param {string} text @returns {Path} */
function path(text) {
  let known = paths.get(text);
  if (!known) {
    const at = text.match(/^(.*\S)\s+@([\w-]+)$/s);
    known = {
      steps: (at?.[1] ?? text).split('>>>').map((step) => step.trim()),
      attr: at?.[2] ?? null,
    };
    paths.set(text, known);
  }
  return known;
}

/**
 * Resolves one step of a path: an element below `base`, or `base` itself if the step begins with
 * `:scope` and has no combinator.
 * @param {ParentNode} base @param {string} step @returns {Element | null}
 */
function one(base, step) {
  if (step[0] !== ':') return base.querySelector(step);
  if (step === ':host') return base instanceof ShadowRoot ? base.host : (saved.get(base) ?? null);
  if (step.startsWith(':scope') && !/[\s>+~]/.test(step) && base instanceof Element) {
    return base.matches(step) ? base : null;
  }
  return base.querySelector(step);
}

/** Template contents that represent shadow roots in a saved page, and their hosts. @type {WeakMap<ParentNode, Element>} */
const saved = new WeakMap();

/** An element's open shadow root; in a saved page it may be a template that the parser did not attach. @param {Element} el @returns {ShadowRoot | DocumentFragment | null} */
function opened(el) {
  if (el.shadowRoot) return el.shadowRoot;
  const first = el.firstElementChild;
  if (!(first instanceof HTMLTemplateElement) || !first.matches(TEMPLATE)) return null;
  saved.set(first.content, el);
  return first.content;
}

/**
 * The first element found by one of the paths.
 * @param {ParentNode} base @param {string[]} list @param {Map<string, Element | null>} [firsts] see `walk`
 * @returns {Element | null}
 */
export function find(base, list, firsts) {
  for (const text of list) {
    const hit = walk(base, path(text).steps, firsts);
    if (hit) return hit;
  }
  return null;
}

/** @param {ParentNode} base @param {string} step @param {Map<string, Element | null>} [firsts] see `walk` */
function first(base, step, firsts) {
  let hit = firsts?.get(step);
  if (hit === undefined) {
    hit = one(base, step);
    firsts?.set(step, hit);
  }
  return hit;
}

/**
 * @param {ParentNode} base @param {string[]} steps
 * @param {Map<string, Element | null>} [firsts] caches the results of first steps below `base` while nothing changes
 * @returns {Element | null}
 */
function walk(base, steps, firsts) {
  let hit = first(base, /** @type {string} */ (steps[0]), firsts);
  for (let i = 1; hit && i < steps.length; i += 1) {
    const root = opened(hit);
    hit = root && one(root, /** @type {string} */ (steps[i]));
  }
  return hit;
}

/**
 * All elements found by the first path that matches anything.
 * @param {ParentNode} base @param {string[]} list @returns {Element[]}
 */
export function all(base, list) {
  for (const text of list) {
    const { steps } = path(text);
    const last = /** @type {string} */ (steps.at(-1));
    /** @type {ParentNode[]} */
    let roots = [base];
    for (const step of steps.slice(0, -1)) {
      roots = roots.flatMap((root) => [...root.querySelectorAll(step)].flatMap((e) => opened(e) ?? []));
    }
    const hits = roots.flatMap((root) => [...root.querySelectorAll(last)]);
    if (hits.length) return hits;
  }
  return [];
}

/**
 * The first non-empty text (or attribute) of the paths, trimmed and cut to `max` characters.
 * @param {ParentNode} base @param {string[]} list @param {number} max @param {Map<string, Element | null>} [firsts] see `walk`
 */
export function value(base, list, max, firsts) {
  for (const text of list) {
    const { steps, attr } = path(text);
    const hit = walk(base, steps, firsts);
    if (!hit) continue;
    const raw = attr
      ? hit.getAttribute(attr)
      : (steps.at(-1) === ':host' ? inner(hit) : [hit]).map((root) => short(root, max * 2).trim()).join('\n');
    const found = plain(raw ?? '').trim();
    if (found) return found.slice(0, max);
  }
  return '';
}

/**
 * The open shadow roots that the paths pass through, so that they can be observed.
 * @param {ParentNode} base @param {string[]} list @param {Map<string, Element | null>} [firsts] see `walk`
 * @returns {Iterable<ShadowRoot>}
 */
export function shadows(base, list, firsts) {
  /** @type {Set<ShadowRoot>} */
  const found = new Set();
  for (const text of list) {
    const { steps } = path(text);
    /** @type {ParentNode} */
    let at = base;
    for (let i = 0; i < steps.length - 1; i += 1) {
      const root = first(at, /** @type {string} */ (steps[i]), i ? undefined : firsts)?.shadowRoot;
      if (!root) break;
      found.add(root);
      at = root;
    }
    if (steps.at(-1) === ':host' && at instanceof ShadowRoot)
      for (const root of inner(at.host)) if (root instanceof ShadowRoot) found.add(root);
  }
  return found;
}

/** Reduces the paths to one for each chain of shadow roots. @param {string[]} list @returns {string[]} */
export function prefixes(list) {
  const through = list.filter((text) => text.includes('>>>'));
  return [...new Map(through.map((text) => [text.slice(0, text.lastIndexOf('>>>')), text])).values()];
}

/** The number of elements found by the first path that matches anything; a lower bound inside shadow roots. @param {ParentNode} base @param {string[]} list */
export function tally(base, list) {
  for (const text of list) {
    const { steps } = path(text);
    /** @type {ParentNode[]} */
    let roots = [base];
    for (const step of steps.slice(0, -1)) {
      const hosts = roots.flatMap((root) => [...take(root.querySelectorAll(step), MAX_ROOTS)]);
      roots = hosts.flatMap((host) => opened(host) ?? []);
    }
    const n = roots.reduce((sum, root) => sum + root.querySelectorAll(/** @type {string} */ (steps.at(-1))).length, 0);
    if (n) return n;
  }
  return 0;
}

/** The elements that match the selectors; `parent > child` is handled here, which is faster than querySelectorAll. @param {string[]} list */
export function hosts(list) {
  return list.flatMap((sel) => {
    const [, parent = '', child = ''] = sel.match(/^(\S+) > ([^\s>]+)$/) ?? [];
    if (!child) return [...document.querySelectorAll(sel)];
    const parents = parent === 'body' ? [document.body] : [...document.querySelectorAll(parent)];
    return parents.flatMap((el) => [...(el?.children ?? [])].filter((one) => one.matches(child)));
  });
}

/** @param {NodeListOf<Element>} list @param {number} max */
function* take(list, max) {
  for (let i = 0; i < list.length && i < max; i += 1) yield /** @type {Element} */ (list[i]);
}

/** The open shadow roots of an element and its descendants, at any depth. @param {Element} host */
function inner(host) {
  /** @type {(ShadowRoot | DocumentFragment)[]} */
  const roots = [opened(host) ?? []].flat();
  for (let i = 0; i < roots.length; i += 1) {
    for (const el of /** @type {ParentNode} */ (roots[i]).querySelectorAll('*')) {
      const root = SILENT.test(el.localName) ? null : opened(el);
      if (root && roots.length < MAX_ROOTS) roots.push(root);
    }
  }
  return roots;
}

/**
 * The result of the first rule that applies: its `is`, or the value of its `from`.
 * @param {ParentNode} base @param {Rule[]} rules @param {Map<string, Element | null>} [firsts] see `walk`
 * @returns {string | null}
 */
export function rule(base, rules, firsts = new Map()) {
  for (const { is, sel, has, from, and } of rules) {
    if (from) {
      const status = value(base, from, 40);
      if (status) return status;
    } else if (sel) {
      const hit = find(base, sel, firsts);
      if (hit && (has === undefined || shows(short(hit, 200), has)) && (!and || find(base, and, firsts)))
        return is ?? null;
    }
  }
  return null;
}

/** @param {string} text @param {string} has */
function shows(text, has) {
  return has === '#' ? /\d/.test(text) : text.includes(has);
}

/** A notebook's name. @param {Element} el @param {string} id @param {string[]} paths */
export function name(el, id, paths) {
  for (const text of paths) {
    const page = text.includes('{id}') || text === 'title';
    const found = value(page ? document : el, [text.replace('{id}', CSS.escape(id))], 300);
    if (found) return found;
  }
  return '';
}

/** The count in a prompt such as `[12]:`. @param {ParentNode} base @param {string[]} list @param {Map<string, Element | null>} [firsts] see `walk` */
export function count(base, list, firsts) {
  const text = value(base, list, 200, firsts);
  const number = text.match(/\[\s*(\d{1,9})\s*\]/);
  return number ? Number(number[1]) : null;
}

/**
 * The code of a cell, with lines joined by `\n`, or null if there is no editor.
 * @param {Element} cell @param {Profile['source']} rules @param {number} max
 */
export function source(cell, rules, max) {
  for (const { lines, gap, order, block } of rules) {
    let text = null;
    if (lines) {
      const first = cell.querySelector(lines);
      if (!first) continue;
      const rows = [...cell.querySelectorAll(gap ? `${lines}, ${gap}` : lines)];
      if (order === 'top') rows.sort((a, b) => top(a) - top(b));
      const height = (/** @type {Element} */ row) => row.getBoundingClientRect().height;
      // Lines that are not rendered are replaced by as many empty ones, so that line numbers stay correct.
      const empty = (/** @type {Element} */ row) =>
        '\n'.repeat(Math.min(Math.round(height(row) / height(first) || 1) - 1, max));
      text = rows.map((row) => (gap && row.matches(gap) ? empty(row) : (row.textContent ?? ''))).join('\n');
    } else if (block) {
      const hit = cell.querySelector(block);
      if (hit) text = head(hit, max);
    }
    if (text !== null) return plain(text).replaceAll('\u200b', '').slice(0, max);
  }
  return null;
}

/** Whether a change added or removed an element that matches the selector or contains a match. @param {MutationRecord} record @param {string} sel */
export function holds({ addedNodes, removedNodes }, sel) {
  for (const list of [addedNodes, removedNodes]) {
    for (const node of list) if (node instanceof Element && (node.matches(sel) || node.querySelector(sel))) return true;
  }
  return false;
}

/** The node itself if it is an element, otherwise its parent element. @param {Node} node @returns {Element | null} */
export function element(node) {
  return node instanceof Element ? node : node.parentElement;
}

/** @param {Element} row */
function top(row) {
  return parseFloat(/** @type {HTMLElement} */ (row).style?.top) || 0;
}

/** @param {Node} root @param {NodeFilter} [filter] */
function walker(root, filter) {
  const doc = root.ownerDocument ?? document;
  return doc.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, filter);
}

/** A dialog's buttons say nothing of what happened. @type {NodeFilter} */
const audible = (node) =>
  SILENT.test(/** @type {Element} */ (node).localName ?? '') || /action/i.test(/** @type {Element} */ (node).slot)
    ? NodeFilter.FILTER_REJECT
    : NodeFilter.FILTER_ACCEPT;

/** @param {Node} node */
function breaks(node) {
  return node.nodeType === Node.ELEMENT_NODE && BLOCK.test(node.nodeName);
}

/** The first characters of an element's text. @param {Node} root @param {number} max @param {NodeFilter} [filter] */
export function head(root, max, filter) {
  let only = root.firstChild;
  if (!filter)
    while (only?.nodeType === Node.ELEMENT_NODE && only.firstChild && !only.nextSibling) only = only.firstChild;
  if (only?.nodeType === Node.TEXT_NODE && !only.nextSibling) return /** @type {Text} */ (only).substringData(0, max);
  const walk = walker(root, filter);
  let text = '';
  for (let node = walk.nextNode(); node && text.length < max; node = walk.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) {
      text += /** @type {Text} */ (node).substringData(0, max - text.length);
    } else if (node.nodeName === 'BR' || (breaks(node) && text && !text.endsWith('\n'))) {
      text += '\n';
    }
  }
  return text;
}

/** The last characters of an element's text, read backwards from the end. @param {Node} root @param {number} max */
export function tail(root, max) {
  const walk = walker(root);
  /** @type {string[]} */
  const parts = [];
  let size = 0;
  let broken = false;
  while (walk.lastChild());
  for (let node = walk.currentNode; node !== root && size < max;) {
    if (node.nodeType === Node.TEXT_NODE) {
      const data = /** @type {Text} */ (node);
      const from = Math.max(0, data.length - (max - size));
      const piece = data.substringData(from, data.length - from);
      if (broken && piece && !piece.endsWith('\n')) parts.push('\n');
      broken &&= !piece;
      parts.push(piece);
      size += piece.length;
    } else if (node.nodeName === 'BR') {
      parts.push('\n');
      size += 1;
    } else if (breaks(node)) {
      broken = size > 0;
    }
    const before = walk.previousNode();
    if (!before) break;
    node = before;
  }
  return parts.reverse().join('').slice(-max);
}

/** An element's text without ignored parts, at most `max` characters. @param {Node} root @param {number} max */
function short(root, max) {
  return head(root, max, audible);
}

/** The outermost matching elements. @param {Element | null} inside @param {string} sel @param {string} [not] excludes elements within these */
export function outermost(inside, sel, not) {
  /** @type {Element[]} */
  const found = [];
  for (const hit of inside?.querySelectorAll(sel) ?? [])
    if (!found.at(-1)?.contains(hit) && !(not && hit.closest(not))) found.push(hit);
  return found;
}

/**
 * The outputs in a frame. If its markup is not known, what it shows is one output.
 * @param {Document} doc @param {FrameRules} rules
 */
export function framed(doc, { area, find: sel }) {
  const inside = find(doc, area);
  const found = outermost(inside, sel);
  const says = (/** @type {Element} */ el) => !SILENT.test(el.localName) && short(el, 200).trim();
  if (found.length || !inside || !says(inside)) return found;
  // A frame's scripts may stand beside what it shows.
  return inside.querySelector('script, style') ? [...inside.children].filter(says) : [inside];
}

/**
 * The length of a text in UTF-16 units. `seen` stores where counting stopped, so that a growing output
 * is not counted again from the start. If there are too many nodes to count, the result is a lower bound.
 * @param {Node} root @param {{node: Node | null, before: number}} seen
 */
export function length(root, seen) {
  const walk = walker(root);
  let total = 0;
  if (seen.node && root.contains(seen.node)) {
    walk.currentNode = seen.node;
    total = seen.before;
  } else {
    seen.node = null;
    if (!walk.nextNode()) return 0;
  }
  let visited = 0;
  /** @type {Node | null} */
  let node = walk.currentNode;
  for (; node && visited < MAX_NODES; node = walk.nextNode(), visited += 1) {
    if (node.nodeType !== Node.TEXT_NODE) continue;
    seen.node = node;
    seen.before = total;
    total += /** @type {Text} */ (node).length;
  }
  return total;
}

/** Replaces non-breaking spaces with ordinary ones. @param {string} text */
function plain(text) {
  return text.replaceAll('\u00a0', ' ');
}

/** A 32-bit hash of a text (FNV-1a over its UTF-16 units). @param {string} text */
export function hash(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

/** The card of nbmedic's Python package, if it is this output. @param {Element} root @returns {HTMLElement | null} */
export function own(root) {
  let el = /** @type {Element | null} */ (root);
  for (let depth = 0; el && depth < OWN_DEPTH; depth += 1, el = el.firstElementChild)
    if (el.matches(OWN)) return /** @type {HTMLElement} */ (el);
  return null;
}

/**
 * The part of an output that is sent: its first and last characters and its length.
 * @param {Node} root @param {{node: Node | null, before: number}} seen
 */
export function output(root, seen) {
  const start = plain(head(root, MAX_HEAD + 1));
  if (start.length <= MAX_HEAD) return { len: start.length, head: start, lines: 0 };
  const end = plain(tail(root, MAX_TAIL));
  const len = Math.max(length(root, seen), end.length);
  return { len, head: start.slice(0, MAX_HEAD), tail: end, lines: null };
}

/**
 * The page's appearance: `light` or `dark`.
 * @param {Profile['theme']} theme
 */
export function scheme(theme) {
  // Only the html and body elements are tested, which avoids searching the document.
  const has = (/** @type {string} */ sel) => [document.documentElement, document.body].some((el) => el?.matches(sel));
  const marked = theme.dark?.some(has) ? 'dark' : theme.light?.some(has) ? 'light' : null;
  if (marked && theme.marked) return marked;
  for (const where of theme.surface ?? []) {
    const light = where.startsWith('--')
      ? luminance(
          getComputedStyle(document.documentElement).getPropertyValue(where) ||
            (document.body ? getComputedStyle(document.body).getPropertyValue(where) : ''),
        )
      : luminance(background(document.querySelector(where)));
    if (light !== null) return light < 0.4 ? 'dark' : 'light';
  }
  if (marked) return marked;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** @param {Element | null} element */
function background(element) {
  return element ? getComputedStyle(element).backgroundColor : '';
}

/**
 * Perceived lightness from 0 to 1 of an opaque `#rgb`, `#rrggbb` or `rgb()` colour, otherwise null.
 * @param {string} colour
 */
export function luminance(colour) {
  const text = colour.trim();
  const hex = text.match(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i)?.[1];
  let rgb = null;
  if (hex) {
    const full = hex.length === 3 ? [...hex].map((c) => c + c).join('') : hex;
    rgb = [0, 2, 4].map((i) => parseInt(full.slice(i, i + 2), 16));
  } else {
    const named = /** @type {Record<string, string>} */ ({ white: '255,255,255', black: '0,0,0' })[text];
    const parts = (named ?? text.match(/^rgba?\(([^)]*)\)$/)?.[1])?.split(/[\s,/]+/).map(Number);
    if (!parts || parts.length < 3 || (parts[3] ?? 1) < 0.5 || parts.some(Number.isNaN)) return null;
    rgb = parts;
  }
  return (0.2126 * (rgb[0] ?? 0) + 0.7152 * (rgb[1] ?? 0) + 0.0722 * (rgb[2] ?? 0)) / 255;
}
