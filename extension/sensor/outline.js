// Entry point of the drift report's script in the page: describes the structure of a page that its profile no longer
// matches: element and class names and counts; no text, no ids, no URLs. Injected when a report is requested.

import { choose, landmarks } from './check.js';
import { hash, hosts, rule, scheme } from './dom.js';

/** @typedef {{id: string, name: string, version: string, mixed: boolean, build: string, lang: string, theme: string, marks: [string, string][], around: string[], lines: string[]}} Outline */

/**
 * The drift report's data for this page; null if no profile matches it.
 * @param {Profile[]} profiles @returns {Outline | null}
 */
export function outline(profiles) {
  const MAX_LINES = 600;
  const MAX_AROUND = 150;
  const MAX_DEPTH = 32;
  const MAX_ALIKE = 4;
  const chosen = choose(profiles);
  if (!chosen) return null;
  const home = profiles.find((profile) => profile.home?.includes(location.origin));
  const profile = chosen.fallback && home ? { ...home, mixed: true } : chosen;

  // Words from the profile are known: an id that is one of them reveals nothing about the user.
  const own = new Set(JSON.stringify(profile).match(/[\w-]+/g));
  const opaque = `pre, code, table, svg, canvas, math, video, iframe, textarea, select, [contenteditable], [data-nbmedic-card], ${profile.content ?? 'i:empty'}`;
  const left = 'script, style, link, meta, noscript, template, [data-nbmedic-card]';
  /** @param {string} text */
  const shape = (text) =>
    /\d[^/\n]*\/[^/\n]*\d/.test(text)
      ? 'pair'
      : /^\s*\[\s*\d*\s*\]\s*$/.test(text)
        ? 'count'
        : text.trim()
          ? 'text'
          : '';
  /** @param {Element} el */
  const name = (el) => {
    const classes = [...el.classList].filter((word) => /^[A-Za-z_][\w-]{0,39}$/.test(word)).slice(0, 12);
    const custom = el.localName.includes('-');
    const attributes = [...el.attributes].map((a) => {
      if (a.name === 'class' || a.name === 'id' || a.name === 'style' || !/^[a-z][a-z-]{0,29}$/.test(a.name)) return '';
      const what = custom ? shape(a.value) : '';
      return custom || own.has(a.name) ? `[${a.name}${what === 'pair' || what === 'count' ? `=${what}` : ''}]` : '';
    });
    const text = [...el.childNodes]
      .map((node) => (node.nodeType === 3 ? shape(node.nodeValue ?? '') : ''))
      .find(Boolean);
    return [
      /^[a-z][a-z0-9-]{0,49}$/.test(el.localName) ? el.localName : 'element',
      own.has(el.id) ? `#${el.id}` : el.id ? '#?' : '',
      ...classes.map((word) => `.${word.replace(/\d+/g, '0')}`),
      ...attributes,
      text ? ` (${text})` : '',
    ].join('');
  };
  /** @param {Element[]} elements @param {string[]} lines @param {number} max @param {number} depth */
  const walk = (elements, lines, max, depth) => {
    const list = elements.filter((el) => !el.matches(left));
    /** @type {Map<string, number>} */
    const alike = new Map();
    for (let i = 0; i < list.length && lines.length < max;) {
      const el = /** @type {Element} */ (list[i]);
      const line = name(el);
      let n = 1;
      while (list[i + n] && name(/** @type {Element} */ (list[i + n])) === line) n += 1;
      i += n;
      const seen = (alike.get(el.localName) ?? 0) + 1;
      alike.set(el.localName, seen);
      if (seen > MAX_ALIKE) continue;
      lines.push(`${'  '.repeat(depth)}${line}${n > 1 ? ` x${n}` : ''}`);
      if (depth >= MAX_DEPTH || el.matches(opaque)) continue;
      if (el.shadowRoot) {
        lines.push(`${'  '.repeat(depth + 1)}#shadow`);
        walk([...el.shadowRoot.children], lines, max, depth + 2);
      }
      walk([...el.children], lines, max, depth + 1);
    }
    return lines;
  };
  // What a death that was not understood left on the page: a long notebook before it must not crowd it out.
  const failed = [...document.querySelectorAll(profile.cell?.find ?? 'i:empty')].filter(
    (el) => rule(el, profile.state ?? []) === 'error',
  );
  // A notice may be found in several ways. Cells come first: most pages have many hidden notices.
  const notices = [...new Set(profile.notice.flatMap(({ host = [] }) => hosts(host)))];
  const around = walk(notices, walk(failed, [], MAX_AROUND / 2, 0), MAX_AROUND, 0);

  const found = landmarks(profile);
  let build = '';
  if (profile.build) {
    for (const el of document.querySelectorAll(profile.build.sel)) {
      // eslint-disable-next-line no-restricted-syntax -- read, not set
      const where = [el.getAttribute('src'), el.getAttribute('href'), el.textContent].join('\n');
      build ||= where.match(new RegExp(profile.build.pattern))?.[1] ?? '';
    }
  }
  const { lang } = document.documentElement;
  return {
    id: profile.id,
    name: profile.name,
    version: hash(JSON.stringify(profiles.find(({ id }) => id === profile.id))).toString(16),
    mixed: Boolean(profile.mixed),
    build,
    lang: /^[A-Za-z]{2,3}([-_]\w{2,8})*$/.test(lang) ? lang : '',
    theme: scheme(profile.theme),
    marks: Object.entries(profile.landmarks).map(([mark, { min = 1, max }]) => {
      const n = found[mark];
      const says =
        n === undefined
          ? 'not expected now'
          : n < min
            ? 'missing'
            : max && n > max
              ? `${n}, more than ${max}`
              : String(n);
      return [mark, says];
    }),
    around,
    lines: walk([document.documentElement], [], MAX_LINES, 0),
  };
}
globalThis.nbmedicOutline = outline;
