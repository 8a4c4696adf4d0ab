// Finds elements that are known only by their text, using patterns.

import * as dom from './dom.js';

/** Limits: texts examined, length of a notice with its surrounding text, length of a meter, and ancestors checked. */
const MAX_TEXTS = 8000;
const MAX_NOTICE = 300;
const MAX_METER = 80;
const MAX_STEPS = 5;
const BYTES = /\d\s?[KMGT]?i?B\b/;
/** A meter may give its value only in a tooltip or an accessible name. */
const HINTED = '[title], [aria-label], [aria-valuetext]';
const SILENT = 'script, style, pre, code, textarea, [contenteditable]';

/**
 * The elements that `grow` finds around texts that match a pattern.
 * @param {RegExp} shape @param {string} skip excludes texts inside these elements @param {(el: Element) => Element | null} grow
 */
function around(shape, skip, grow) {
  /** @type {Element[]} */
  const found = [];
  const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  for (let left = MAX_TEXTS, node = walk.nextNode(); node && left > 0; node = walk.nextNode(), left -= 1) {
    const { data, parentElement: parent } = /** @type {Text} */ (node);
    if (data.length > MAX_NOTICE || !shape.test(data) || !parent || parent.closest(skip)) continue;
    const el = found.at(-1)?.contains(parent) ? null : grow(parent);
    if (el) found.push(el);
  }
  return found;
}

/** @param {Element} el @param {number} max @returns {string | null} null if it is longer */
function text(el, max) {
  const found = dom.head(el, max + 1);
  return found.length > max ? null : found;
}

/** Elements that contain these words and little surrounding text. @param {string} words a pattern @param {string} [not] */
export function notices(words, not) {
  return around(new RegExp(words), not ? `${SILENT}, ${not}` : SILENT, (el) => {
    let at = el;
    for (let up = at.parentElement; up && up !== document.body && text(up, MAX_NOTICE) !== null; up = up.parentElement)
      at = up;
    return at;
  });
}

/** The texts of meters, one per line: the smallest elements around a byte count that match the pattern. @param {string} pattern */
export function meters(pattern) {
  const whole = new RegExp(pattern);
  const found = around(BYTES, SILENT, (el) => {
    let at = /** @type {Element | null} */ (el);
    for (let left = MAX_STEPS; at && left; at = at.parentElement, left -= 1) {
      const said = text(at, MAX_METER);
      if (said === null) return null;
      if (whole.test(said)) return at;
    }
    return null;
  });
  const said = new Set(found.map((el) => text(el, MAX_METER)?.trim()));
  for (const el of document.querySelectorAll(HINTED)) {
    const hint = ['aria-label', 'aria-valuetext', 'title']
      .map((name) => el.getAttribute(name)?.trim())
      .filter(Boolean)
      .join(' ');
    if (hint.length <= MAX_METER && whole.test(hint)) said.add(hint);
  }
  return [...said].join('\n');
}
