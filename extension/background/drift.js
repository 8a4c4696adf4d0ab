// The drift report: describes a page's structure when a front end's profile no longer matches it, so that
// the profile can be fixed. Contains element and class names and counts; no text, no ids, no URLs.

import { OUTLINE } from './sites.js';

/** @typedef {import('../sensor/outline.js').Outline} Outline */

/**
 * The report as text.
 * @param {Outline[]} outlines one for each frame that a sensor reads @param {{version: string, browser: string, words?: string}} about
 * `words`: what a notice says, if the person added it
 */
export function driftReport(outlines, { version, browser, words = '' }) {
  const known = browser.match(/(?:Firefox|Chrome)\/\d+/)?.[0].replace('/', ' ') ?? 'another browser';
  const parts = outlines.map(({ id, name, version: profile, mixed, build, lang, theme, marks, around, lines }) =>
    [
      `front end  ${name}${build ? `, build ${build}` : ''}`,
      `profile    ${id} ${profile}${mixed ? ', cells read as blocks of text' : ''}`,
      `page       ${[lang && `language ${lang}`, theme].filter(Boolean).join(', ')}`,
      '',
      'landmarks',
      ...marks.map(([mark, says]) => `  ${mark.padEnd(12)} ${says}`),
      '',
      'around notices and cells in error',
      ...around.map((line) => `  ${line}`),
      '',
      'structure',
      ...lines.map((line) => `  ${line}`),
    ].join('\n'),
  );
  return [
    `nbmedic drift report, version ${version}, ${known}`,
    words
      ? 'Names of elements and classes, and counts; of the text only the words that follow. No ids, no addresses.'
      : 'Names of elements and classes, and counts. No text, no ids, no addresses.',
    '',
    ...(words ? ['a notice says', ...words.split('\n').map((line) => `  ${line}`), ''] : []),
    ...parts,
    '',
  ].join('\n');
}

/**
 * The drift report of a tab.
 * @param {number} tab @param {number[]} frames @param {Profile[]} profiles @param {string} words see `driftReport`
 */
export async function drift(tab, frames, profiles, words) {
  const frameIds = [...new Set(frames)];
  if (!frameIds.length) return null;
  const target = { tabId: tab, frameIds };
  await chrome.scripting.executeScript({ target, files: OUTLINE });
  const results = await chrome.scripting.executeScript({
    target,
    func: (/** @type {Profile[]} */ list) => globalThis.nbmedicOutline?.(list),
    args: [profiles],
  });
  const outlines = results.flatMap(({ result }) => (result ? [/** @type {Outline} */ (result)] : []));
  return outlines.length
    ? driftReport(outlines, { version: chrome.runtime.getManifest().version, browser: navigator.userAgent, words })
    : null;
}
