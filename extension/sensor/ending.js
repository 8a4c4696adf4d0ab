// Whether an output looks like the end of an error: such a one is read at once. It decides nothing but the time, so it
// may be wrong either way; what reads the text is the engine.

import * as dom from './dom.js';

/** Characters at the end of an output that are looked at. */
const MAX = 1024;
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
