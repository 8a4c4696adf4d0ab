// Reads the Markdown documents: their titles, headings, links and texts. The web site's pages and the check of links use it.

import { posix } from 'node:path';
import MarkdownIt from 'markdown-it';

export const markdown = new MarkdownIt({ html: true });

/** The text of a heading or paragraph, without its markup. */
export function textOf(inline) {
  return (inline.children ?? [])
    .map((part) => (part.type === 'softbreak' || part.type === 'hardbreak' ? ' ' : part.content))
    .join('');
}

/** The anchor that GitHub gives a heading. */
export function slug(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** The parts of a document, and its headings: each with its level, text and anchor. */
export function parsed(text) {
  const tokens = markdown.parse(text, {});
  const seen = new Map();
  const headings = [];
  tokens.forEach((token, i) => {
    if (token.type !== 'heading_open') return;
    const said = textOf(tokens[i + 1]);
    const name = slug(said);
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    const id = before ? `${name}-${before}` : name;
    token.meta = { id, said };
    headings.push({ level: Number(token.tag.slice(1)), said, id });
  });
  return { tokens, headings };
}

/** The addresses that a document links to or shows. */
export function addresses({ tokens }) {
  return tokens
    .flatMap((token) => token.children ?? [])
    .map((part) =>
      part.type === 'link_open' ? part.attrGet('href') : part.type === 'image' ? part.attrGet('src') : null,
    )
    .filter((address) => address !== null);
}

/** Where an address in a document leads: out of the repository, or to a path of it and an anchor there. */
export function target(from, address) {
  if (/^[a-z][a-z+.-]*:|^\/\//i.test(address)) return { outside: address };
  const [to, anchor] = address.split('#');
  const path = to ? posix.normalize(posix.join(posix.dirname(from), decodeURIComponent(to))) : from;
  return { path: path.replace(/\/$/, ''), anchor: anchor && decodeURIComponent(anchor) };
}
