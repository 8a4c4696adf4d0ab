// nbmedic's own words in the person's language. The engine and the pages name a message by its key; the browser's
// catalogues (`_locales`) hold the words.

/** @typedef {keyof typeof import('./_locales/en/messages.json')} MessageKey */

/** A message in the person's language. @param {MessageKey} key @param {string[]} [args] */
export function message(key, args = []) {
  return chrome.i18n.getMessage(key, args);
}

/** A text as it is shown. @param {Words} text @returns {string} */
function spoken(text) {
  return typeof text === 'string' ? text : message(text.key, (text.args ?? []).map(spoken));
}

/**
 * A tree with its messages in the person's language. Where that is not English, they are marked as being in it, and
 * everything else as English.
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

/** An answer to a sensor, its cards in the person's language. @param {Reply} reply @returns {Reply} */
export function spokenReply(reply) {
  if (!reply.effects) return reply;
  return {
    ...reply,
    effects: reply.effects.map((effect) =>
      effect.t === 'card' ? { ...effect, tree: spokenTree(effect.tree) } : effect,
    ),
  };
}

/** A style sheet with its messages in the person's language. @param {string} css @param {(key: MessageKey) => string} [say] */
export function spokenStyle(css, say = message) {
  return css.replace(/__MSG_(\w+)__/g, (_whole, key) => say(key));
}
