// What the background says, in the person's language.

import { styled, translated, words } from '../words.js';

/** The words of the browser's language; null where that is English. */
const speaking = words();

/** Translates an English text of ours. @returns {Promise<(text: string) => string>} */
export async function saying() {
  const known = await speaking;
  return (text) => known?.say(text) ?? text;
}

/** An answer whose cards are in the person's language. @param {Reply} reply @returns {Promise<Reply>} */
export async function spoken(reply) {
  const known = await speaking;
  if (!known || !reply.effects) return reply;
  const { say, language } = known;
  return {
    ...reply,
    effects: reply.effects.map((effect) =>
      effect.t === 'card' ? { ...effect, tree: translated(effect.tree, say, language) } : effect,
    ),
  };
}

/** A style sheet whose texts are in the person's language. @param {string} css */
export async function spokenStyle(css) {
  const known = await speaking;
  return known ? styled(css, known.say) : css;
}
