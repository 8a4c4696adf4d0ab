// Returns a message's text as a browser does.
import { readFileSync } from 'node:fs';

const ROOT = new URL('../../extension/_locales/', import.meta.url);

/** The messages of a language. @param {string} language */
export const catalogue = (language) => JSON.parse(readFileSync(new URL(`${language}/messages.json`, ROOT), 'utf8'));

/** A message of a catalogue with its arguments; empty for an unknown key, as in browsers. @param {ReturnType<typeof catalogue>} messages */
export const speaker =
  (messages) =>
  (/** @type {string} */ key, /** @type {string[]} */ args = []) => {
    const { message = '', placeholders = {} } = messages[key] ?? {};
    return message.replace(
      /\$([A-Z]+)\$/g,
      (_, name) => args[Number(placeholders[name.toLowerCase()].content.slice(1)) - 1],
    );
  };

export const english = speaker(catalogue('en'));
