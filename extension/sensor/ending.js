// Detects outputs that look like the end of an error, which are read at once. This affects only timing, so it may be
// wrong either way; the engine interprets the text.

import * as dom from './dom.js';

/** Number of characters examined at the end of an output. */
const MAX = 1024;
/** An addition of fewer characters may only end a line. */
const SHORT = 64;
/** Maximum number of mutation records examined per batch. */
const MAX_RECORDS = 16;
/** Matches the last line of a traceback or a shell's message about a dead program. Class names don't depend on the language. */
const ENDING =
  /^(?:[\w.]*(?:Error|Exception|Interrupt|Exit|Fault)\b|(?:ERROR|FATAL|Killed|Aborted|Segmentation fault|Bus error)\b)/m;

/** The selector for a profile's outputs of kind error; if it has none, the selector matches nothing. @param {{kind: {is: string, sel: string}[]}} output */
export function errors({ kind }) {
  return kind.flatMap(({ is, sel }) => (is === 'error' ? [sel] : [])).join(', ') || ':not(*)';
}

/** Whether the complete lines of a text end an error: a stream may continue the line after them. @param {string} text */
function endsError(text) {
  return ENDING.test(text.slice(0, text.lastIndexOf('\n') + 1));
}

/** @param {Element} el @param {string} sel selects outputs of kind error */
export function isEnding(el, sel) {
  return el.matches(sel) || Boolean(el.querySelector(sel)) || endsError(dom.tail(el, MAX));
}

/** The end of a node's text, at most `max` characters. A stream adds texts, and elements with one text each. @param {Node} node @param {number} max */
function end(node, max) {
  const only = node instanceof Element && node.firstChild === node.lastChild ? node.firstChild : node;
  if (only instanceof Text) {
    const from = Math.max(0, only.length - max);
    return only.substringData(from, only.length - from);
  }
  return node instanceof Element ? dom.tail(node, max) : '';
}

/**
 * Whether changes added something that looks like the end of an error. Long streams bring many changes at a time, so it
 * reads only the last characters of what was added.
 * @param {MutationRecord[]} records @param {string} sel selects outputs of kind error
 */
export function bringsEnding(records, sel) {
  let text = '';
  for (const { addedNodes } of records.slice(-MAX_RECORDS)) {
    for (const node of addedNodes)
      if (node instanceof Element && (node.matches(sel) || node.querySelector(sel))) return true;
  }
  for (const { type, target, addedNodes } of records.slice(-MAX_RECORDS).reverse()) {
    const nodes = type === 'characterData' ? [target] : addedNodes;
    for (let i = nodes.length - 1; i >= 0 && text.length < MAX; i -= 1) {
      text = end(/** @type {Node} */ (nodes[i]), MAX - text.length) + text;
    }
  }
  if (text.length >= SHORT || !text.includes('\n')) return endsError(text);
  // The line that it ends may have begun before.
  const el = dom.element(/** @type {MutationRecord} */ (records.at(-1)).target);
  const all = el ? dom.tail(el, MAX) : text;
  return endsError(all.slice(all.lastIndexOf('\n', all.length - text.length - 1) + 1));
}
