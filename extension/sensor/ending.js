// Detects outputs that look like the end of an error, which are read at once. This affects only timing, so it may be
// wrong either way; the engine interprets the text.

import * as dom from './dom.js';

/** Number of characters examined at the end of an output. */
const MAX = 1024;
/** Maximum number of mutation records examined per batch. */
const MAX_RECORDS = 16;
/** Matches the last line of a traceback or a shell's message about a dead program. Class names don't depend on the language. */
const ENDING =
  /^(?:[\w.]*(?:Error|Exception|Interrupt|Exit|Fault)\b|(?:ERROR|FATAL|Killed|Aborted|Segmentation fault|Bus error)\b)/m;

/** The selector for a profile's outputs of kind error; if it has none, the selector matches nothing. @param {{kind: {is: string, sel: string}[]}} output */
export function errors({ kind }) {
  return kind.flatMap(({ is, sel }) => (is === 'error' ? [sel] : [])).join(', ') || ':not(*)';
}

/** Whether the last complete lines of an element end an error: a stream may continue the line after them. @param {Element} el */
function endsLine(el) {
  const text = dom.tail(el, MAX);
  return ENDING.test(text.slice(0, text.lastIndexOf('\n') + 1));
}

/** @param {Element} el @param {string} sel selects outputs of kind error */
export function isEnding(el, sel) {
  return el.matches(sel) || Boolean(el.querySelector(sel)) || endsLine(el);
}

/** Whether changes added something that looks like the end of an error. @param {MutationRecord[]} records @param {string} sel selects outputs of kind error */
export function bringsEnding(records, sel) {
  for (const { addedNodes } of records.slice(-MAX_RECORDS)) {
    for (const node of addedNodes) if (node instanceof Element && isEnding(node, sel)) return true;
  }
  const { type, target, addedNodes } = /** @type {MutationRecord} */ (records.at(-1));
  const isText = type === 'characterData' || [...addedNodes].some((node) => node.nodeType === Node.TEXT_NODE);
  const el = isText && dom.element(target);
  return Boolean(el) && endsLine(/** @type {Element} */ (el));
}
