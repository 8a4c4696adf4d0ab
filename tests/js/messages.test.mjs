// The background's texts when the browser has no catalogue for the extension.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { loadMessages, message, spokenTree } from '../../extension/messages.js';

/** A browser that knows these texts and speaks this language. */
function browser(texts, language) {
  const asked = [];
  globalThis.chrome = {
    i18n: { getMessage: (key) => texts[key] ?? '', getUILanguage: () => language },
    runtime: { getURL: (path) => path },
  };
  globalThis.fetch = async (path) => {
    asked.push(path);
    return { json: async () => JSON.parse(readFileSync(`extension/${path}`, 'utf8')) };
  };
  return asked;
}

test('the browser’s own texts are used, and nothing is loaded', async () => {
  const asked = browser({ language: 'en', copied: 'Copied' }, 'en-US');
  await loadMessages();
  assert.deepEqual([message('copied'), asked], ['Copied', []]);
});

test('without them the package’s texts are used, in the user’s language, with their arguments', async () => {
  const asked = browser({}, 'de-DE');
  assert.equal(message('copyReport'), '');
  await loadMessages();
  await loadMessages();
  assert.deepEqual(asked, ['_locales/de/messages.json'], 'loaded once');
  assert.deepEqual(
    [message('copyReport'), message('minutesAgo', ['5']), message('amountOf', ['1', '2'])],
    ['Bericht kopieren', 'vor 5 Minuten', '1 von 2 GiB'],
  );
  assert.equal(spokenTree({ tag: 'p', text: { key: 'copied' } }).attrs.lang, 'de');
});
