// Localizes nbmedic's own messages. The engine and the pages refer to a message by its key; the browser's
// catalogues (`_locales`) contain the texts.

/** @typedef {keyof typeof import('./_locales/en/messages.json')} MessageKey */

/** The package's own texts; only loaded if the browser has none. @type {Record<string, {message: string, placeholders?: Record<string, {content: string}>}>} */
let own = {};

/**
 * Loads the texts from the package if the browser did not: on a busy machine Chromium sometimes has no catalogue for an
 * extension's process, and then returns empty texts for as long as that process lives.
 */
export async function loadMessages() {
  if (chrome.i18n.getMessage('language') || own.language) return;
  const language = chrome.i18n.getUILanguage?.() ?? 'en';
  for (const name of [language.split('-')[0], 'en']) {
    try {
      const found = await fetch(chrome.runtime.getURL(`_locales/${name}/messages.json`));
      own = await found.json();
      return;
    } catch {
      // Not a language of this package.
    }
  }
}

/** A message in the user's language. @param {MessageKey} key @param {string[]} [args] */
export function message(key, args = []) {
  const said = chrome.i18n.getMessage(key, args);
  const text = own[key];
  if (said || !text) return said;
  return text.message.replace(/\$(\w+)\$/g, (whole, name) => {
    const { content = whole } = text.placeholders?.[name.toLowerCase()] ?? {};
    return args[Number(content.slice(1)) - 1] ?? '';
  });
}

/** A text with its messages resolved. @param {Words} text @returns {string} */
function spoken(text) {
  return typeof text === 'string' ? text : message(text.key, (text.args ?? []).map(spoken));
}

/**
 * A tree with its messages in the user's language. If that is not English, `lang` attributes mark the messages as being
 * in that language and everything else as English.
 * @param {SaidNode} tree @returns {TreeNode}
 */
export function spokenTree(tree) {
  const language = message('language');
  const foreign = language !== 'en';
  /** @param {SaidNode} node @returns {TreeNode} */
  const each = ({ text, labels, attrs, kids, ...rest }) => {
    const all = { ...attrs };
    for (const [name, label] of Object.entries(labels ?? {})) all[name] = spoken(label);
    if (foreign && typeof text === 'object') all.lang = language;
    const said = text === undefined ? {} : { text: spoken(text) };
    return {
      ...rest,
      ...said,
      ...(Object.keys(all).length ? { attrs: all } : {}),
      ...(kids ? { kids: kids.map(each) } : {}),
    };
  };
  const done = each(tree);
  return foreign ? { ...done, attrs: { lang: 'en', ...done.attrs } } : done;
}

/** A reply to a sensor with its cards in the user's language. @param {Reply} reply @returns {Reply} */
export function spokenReply(reply) {
  if (!reply.effects) return reply;
  return {
    ...reply,
    effects: reply.effects.map((effect) =>
      effect.t === 'card' ? { ...effect, tree: spokenTree(effect.tree) } : effect,
    ),
  };
}

/** A style sheet with its messages in the user's language. @param {string} css @param {(key: MessageKey) => string} [say] */
export function spokenStyle(css, say = message) {
  return css.replace(/__MSG_(\w+)__/g, (_whole, key) => say(key));
}
