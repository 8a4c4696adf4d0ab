// Cards: renders a tree of nodes as elements in a closed shadow root, using only createElement and text nodes. Scripts of
// the page reach neither its texts nor its buttons.

import { copy } from './copy.js';
import { Intact } from './intact.js';
import { Steady } from './steady.js';

/** Marks a card's element for the style sheet and for a later sensor. Pages can set it too, so nothing else relies on it. */
const MARK = 'data-nbmedic-card';
const TAGS = new Set(
  (
    'section header footer div p span strong em code pre ul ol li h2 h3 h4 details summary button a ' +
    'small table thead tbody tr th td dl dt dd mark del ins'
  ).split(' '),
);
const ATTRS = /^(?:aria-[a-z]+|role|title|lang|hidden|open|id|type|href|data-[a-z0-9-]+)$/;
const MAX_DEPTH = 40;
const MAX_NODES = 5000;
/** Messages for the results of a button: copied, to be copied by keys, failed, in a new cell, copied because the page took no
 * cell, in place of the old code, not yet heeded. */
const SAID = {
  yes: () => chrome.i18n.getMessage('copied'),
  pick: () => chrome.i18n.getMessage('selectedPress'),
  no: () => chrome.i18n.getMessage('couldNotCopy'),
  put: () => chrome.i18n.getMessage('putDoneLook'),
  replaced: () => chrome.i18n.getMessage('replacedUndo'),
  instead: () => chrome.i18n.getMessage('insertCopied'),
  again: () => chrome.i18n.getMessage('pressAgain'),
};
/** How long a button shows its result, in milliseconds. */
const COPIED_MS = 2000;

/** What a button's action answers: a text to copy, or code that is in a new cell now or else is to be copied. @typedef {string | null | {done?: boolean, text?: string}} Answer */
/** @typedef {(act: NonNullable<TreeNode['act']>) => Promise<Answer> | void} Act */
/** @type {WeakMap<Element, NonNullable<TreeNode['act']>>} */
const acts = new WeakMap();
/** @type {WeakSet<Node>} */
const hosts = new WeakSet();

/** Whether a node is a card's element. @param {Node} node */
export const isHost = (node) => hosts.has(node);

/**
 * Makes `parent`'s children (after the first `skip`) match `nodes`, reusing matching elements so that focus,
 * scroll positions and opened details are preserved.
 * @param {ParentNode & Node} parent @param {TreeNode[]} nodes @param {string} text
 * @param {number} skip @param {number} depth @param {{left: number}} budget
 */
function patch(parent, nodes, text, skip, depth, budget) {
  const fresh = nodes.filter((node) => TAGS.has(node.tag) && depth < MAX_DEPTH && budget.left-- > 0);
  let at = skip;
  if (text) {
    const first = parent.childNodes[at];
    if (first?.nodeType !== Node.TEXT_NODE) {
      parent.insertBefore(document.createTextNode(text), first ?? null);
    } else if (first.nodeValue !== text) {
      first.nodeValue = text;
    }
    at += 1;
  }
  for (const node of fresh) {
    const old = parent.childNodes[at] ?? null;
    let match = old;
    while (match && !fits(match, node)) match = match.nextSibling;
    while (match && parent.childNodes[at] !== match) parent.childNodes[at]?.remove();
    const element = /** @type {HTMLElement} */ (match ?? document.createElement(node.tag));
    update(element, node, !match);
    if (!match) parent.insertBefore(element, old);
    patch(element, node.kids ?? [], node.text ?? '', 0, depth + 1, budget);
    at += 1;
  }
  while (parent.childNodes.length > at) parent.lastChild?.remove();
}

/** @param {ChildNode} old @param {TreeNode} node */
function fits(old, node) {
  if (!(old instanceof HTMLElement)) return false;
  return old.localName === node.tag && (old.dataset.key ?? '') === (node.attrs?.['data-key'] ?? '');
}

/** @param {HTMLElement} element @param {TreeNode} node @param {boolean} isNew */
function update(element, node, isNew) {
  if (element.className !== (node.class ?? '')) element.className = node.class ?? '';
  /** @type {Map<string, string>} */
  const wanted = new Map();
  for (const [name, value] of Object.entries(node.attrs ?? {})) {
    if (!ATTRS.test(name) || (name === 'open' && !isNew)) continue;
    if (name === 'href' && !(node.tag === 'a' && /^https:\/\//.test(value))) continue;
    wanted.set(name, String(value));
  }
  if (node.tag === 'button' && !wanted.has('type')) wanted.set('type', 'button');
  if (wanted.has('href')) {
    wanted.set('target', '_blank');
    wanted.set('rel', 'noopener noreferrer');
  }
  for (const { name } of [...element.attributes]) {
    if (name !== 'class' && name !== 'open' && name !== 'data-done' && !wanted.has(name)) element.removeAttribute(name);
  }
  for (const [name, value] of wanted) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
  if (node.act) acts.set(element, node.act);
  else acts.delete(element);
}

/** One card on the page. */
export class Card {
  /** @param {string} css @param {string} theme @param {Act} onAct */
  constructor(css, theme, onAct) {
    // A page could define an element with a name of our own, and get its closed root from ElementInternals.
    this.host = document.createElement('div');
    this.host.setAttribute(MARK, '');
    hosts.add(this.host);
    this.root = this.host.attachShadow({ mode: 'closed' });
    this.steady = new Steady(this.host, this.root);
    this.intact = new Intact(this.root);
    const style = document.createElement('style');
    style.textContent = css;
    /** The gutter next to the outputs, in the card's own style: a page can change styles of the host. */
    this.gutter = document.createElement('style');
    this.live = document.createElement('div');
    this.live.className = 'live';
    this.live.setAttribute('role', 'status');
    this.live.lang = chrome.i18n.getMessage('language');
    this.intact.change(() => this.root.append(style, this.gutter, this.live));
    this.inset('0px');
    this.theme(theme);
    this.root.addEventListener('click', (event) => this.#click(event, onAct));
    // Otherwise the notebook would treat the event as a click on its cell: select it, scroll or start a drag.
    for (const type of [
      'mousedown',
      'mouseup',
      'click',
      'dblclick',
      'pointerdown',
      'contextmenu',
      'paste',
      'cut',
      'copy',
    ]) {
      this.host.addEventListener(type, (event) => event.stopPropagation());
    }
  }

  /** @param {string} theme */
  theme(theme) {
    if (this.host.dataset.theme !== theme) this.host.dataset.theme = theme;
  }

  /** Leaves room for the front end's gutter. @param {string} width */
  inset(width) {
    const rule = `:host { --nbmedic-inset: ${width} !important; }`;
    if (this.gutter.textContent !== rule) this.intact.change(() => (this.gutter.textContent = rule));
  }

  /** @param {TreeNode} tree */
  show(tree) {
    this.intact.change(() => patch(this.root, [tree], '', 3, 0, { left: MAX_NODES }));
  }

  hasFocus() {
    return this.root.activeElement !== null;
  }

  /** Scrolls to the card, and gives its first button the focus. */
  focus() {
    this.host.scrollIntoView({ block: 'center' });
    this.root.querySelector('button')?.focus({ preventScroll: true });
  }

  /** Copies the first code that the card offers to copy. */
  copyFix() {
    const button = [...this.root.querySelectorAll('button')].find((one) => acts.get(one)?.do === 'copy');
    if (!button || !this.intact.holds()) return;
    button.focus({ preventScroll: true });
    void this.#run(button, /** @type {NonNullable<TreeNode['act']>} */ (acts.get(button)), () => {});
  }

  /** @param {Event} event @param {Act} onAct */
  #click(event, onAct) {
    // A click that a script made is not the user's wish.
    if (!event.isTrusted) return;
    for (const node of event.composedPath()) {
      if (node === this.root) return;
      const act = node instanceof Element ? acts.get(node) : undefined;
      if (act && node instanceof HTMLElement) {
        if (!this.intact.holds()) this.#say(node, 'no');
        else if (this.steady.heeds(/** @type {MouseEvent} */ (event), node)) void this.#run(node, act, onAct);
        else this.#say(node, 'again');
        return;
      }
    }
  }

  /** @param {HTMLElement} element @param {NonNullable<TreeNode['act']>} act @param {Act} onAct */
  async #run(element, act, onAct) {
    const answer = act.do === 'copy' ? (act.text ?? '') : await onAct(act);
    if (!['copy', 'assistant', 'below', 'replace', 'probe'].includes(act.do)) return;
    /** @type {keyof typeof SAID} */
    let done = act.do === 'replace' ? 'replaced' : 'put';
    if (!answer || typeof answer === 'string' || !answer.done) {
      const text = typeof answer === 'string' ? answer : answer?.text;
      done = typeof text === 'string' ? await copy(text, this.root, this.intact) : 'no';
      if (answer && typeof answer !== 'string' && done === 'yes') done = 'instead';
    }
    this.#say(element, done);
  }

  /** @param {HTMLElement} element @param {keyof typeof SAID} done */
  #say(element, done) {
    const say = (/** @type {string | null} */ what, text = '') =>
      this.intact.change(() => {
        if (what) element.dataset.done = what;
        else delete element.dataset.done;
        this.live.textContent = text;
      });
    say(done, SAID[done]());
    setTimeout(() => say(null), COPIED_MS);
  }
}

/**
 * Keeps keys pressed inside a card from the notebook, which handles shortcuts in the document's capture
 * phase: events are stopped earlier, at the window. The browser's default actions still happen.
 * @param {Event} event
 */
function guard(event) {
  const from = event.composedPath();
  if (from.some((node) => node instanceof Node && isHost(node))) event.stopPropagation();
}

const KEYS = ['keydown', 'keypress', 'keyup'];
export const listen = () => KEYS.forEach((type) => window.addEventListener(type, guard, true));
export const unlisten = () => KEYS.forEach((type) => window.removeEventListener(type, guard, true));

/** Removes every card, including those left by a stopped sensor. */
export function clear() {
  for (const host of document.querySelectorAll(`div[${MARK}]:empty`)) host.remove();
}
