// nbmedic's own words in the person's language, through the browser's catalogues (`_locales`). Engine and pages say
// English; here an English text is looked up among the English messages and said as the browser's catalogue has it.
// What is not among them (the catalogue of diagnoses, names, what a notebook printed) stays as it is.

/** Longer texts are nobody's message. */
const MAX = 400;
/** Elements and parts of a tree whose text is never ours. */
const FOREIGN = new Set(['code', 'pre', 'svg']);
const SAID = ['title', 'aria-label', 'placeholder'];

/**
 * What English texts are called in another language; `null` for what is not known.
 *
 * A message with `$NAMES$` in it is a pattern. Names that begin with `COUNT` stand for a number, with `SAID` for
 * something that is said with another message, others for anything.
 * @param {Record<string, string>} english the English text of each message @param {(key: string, parts: string[]) => string} message
 * @returns {(text: string) => string | null}
 */
export function dictionary(english, message) {
  /** @type {Map<string, string>} */
  const plain = new Map();
  /** @type {{key: string, pattern: RegExp, names: string[]}[]} */
  const patterns = [];
  for (const [key, text] of Object.entries(english)) {
    const names = [...text.matchAll(/\$([A-Z]+)\$/g)].map(([, name = '']) => name);
    if (!names.length) {
      plain.set(text, key);
      continue;
    }
    const parts = text.split(/\$[A-Z]+\$/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const groups = names.map((name) => (name.startsWith('COUNT') ? '(\\d[\\d.,]*)' : '(.+?)'));
    patterns.push({ key, pattern: new RegExp(`^${parts.map((part, i) => part + (groups[i] ?? '')).join('')}$`, 's'), names });
  }
  // The most said of its own first: `$A$ and $B$` must not take what a longer message says.
  const own = (/** @type {{key: string}} */ { key }) => (english[key] ?? '').replace(/\$[A-Z]+\$/g, '').length;
  patterns.sort((a, b) => own(b) - own(a));

  /** @param {string} text @param {number} depth @returns {string | null} */
  function look(text, depth) {
    const key = plain.get(text);
    if (key !== undefined) return message(key, []) || null;
    if (!text || text.length > MAX || depth > 3) return null;
    for (const { key: name, pattern, names } of patterns) {
      const found = pattern.exec(text)?.slice(1);
      if (!found) continue;
      const parts = found.map((part, i) => (names[i]?.startsWith('SAID') ? look(part, depth + 1) : part));
      if (parts.every((part) => part !== null)) return message(name, /** @type {string[]} */ (parts)) || null;
    }
    return null;
  }
  return (text) => look(text, 0);
}

/**
 * A tree in the person's language: what was said anew is marked as being in it, the rest as English.
 * @param {TreeNode} tree @param {(text: string) => string | null} say @param {string} language @returns {TreeNode}
 */
export function translated(tree, say, language) {
  /** @param {TreeNode} node @returns {TreeNode} */
  function each(node) {
    if (FOREIGN.has(node.tag)) return node;
    const text = node.text ? say(node.text) : null;
    const attrs = { ...node.attrs };
    for (const name of SAID) if (attrs[name]) attrs[name] = say(attrs[name]) ?? attrs[name];
    if (text !== null) attrs.lang = language;
    return { ...node, ...(text === null ? {} : { text }), ...(Object.keys(attrs).length ? { attrs } : {}), ...(node.kids ? { kids: node.kids.map(each) } : {}) };
  }
  const done = each(tree);
  return { ...done, attrs: { lang: 'en', ...done.attrs } };
}

/** The texts that a style sheet shows, in the person's language. @param {string} css @param {(text: string) => string | null} say */
export function styled(css, say) {
  return css.replace(/content: "([^"\\]+)"/g, (whole, /** @type {string} */ text) => {
    const said = say(text.trim());
    // A space at the end stays one.
    return said === null ? whole : `content: ${JSON.stringify(said + (/\s$/.test(text) ? ' ' : ''))}`;
  });
}

/**
 * The words of this browser's language; `null` where that is English.
 * @returns {Promise<{language: string, say: (text: string) => string | null} | null>}
 */
export async function words() {
  const language = chrome.i18n.getMessage('language');
  if (!language || language === 'en') return null;
  try {
    const found = await fetch(chrome.runtime.getURL('english.json'));
    const english = await found.json();
    return { language, say: dictionary(english, (key, parts) => chrome.i18n.getMessage(key, parts)) };
  } catch {
    // English is better than nothing.
    return null;
  }
}
