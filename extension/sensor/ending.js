// Whether an output looks like the end of an error: such a one is read at once. It decides nothing but the time, so it
// may be wrong either way; what reads the text is the engine.

import * as dom from './dom.js';

/** Characters at the end of an output that are looked at. */
const MAX = 1024;
/** Changes of one moment that are looked at. */
const MAX_RECORDS = 16;
/** A line that begins as the last one of a traceback does, or as what a shell says of a program that died. Names of classes are the same in every language. */
const ENDING =
  /^(?:[\w.]*(?:Error|Exception|Interrupt|Exit|Fault)\b|(?:ERROR|FATAL|Killed|Aborted|Segmentation fault|Bus error)\b)/m;

/** The selector of a profile's outputs of kind error; it matches nothing where there are none. @param {{kind: {is: string, sel: string}[]}} output */
export function errors({ kind }) {
  return kind.flatMap(({ is, sel }) => (is === 'error' ? [sel] : [])).join(', ') || ':not(*)';
}

/** @param {Element} el @param {string} sel of outputs of kind error */
export function isEnding(el, sel) {
  return el.matches(sel) || Boolean(el.querySelector(sel)) || ENDING.test(dom.tail(el, MAX));
}

/** Whether changes put something into a page that looks like the end of an error. @param {MutationRecord[]} records @param {string} sel of outputs of kind error */
export function bringsEnding(records, sel) {
  for (const { addedNodes } of records.slice(-MAX_RECORDS)) {
    for (const node of addedNodes) if (node instanceof Element && isEnding(node, sel)) return true;
  }
  const { type, target, addedNodes } = /** @type {MutationRecord} */ (records.at(-1));
  const isText = type === 'characterData' || [...addedNodes].some((node) => node.nodeType === Node.TEXT_NODE);
  const el = isText && dom.element(target);
  return Boolean(el) && ENDING.test(dom.tail(/** @type {Element} */ (el), MAX));
}
