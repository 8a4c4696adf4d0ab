// Opens the extension's popup as its button does.
import { until } from './wait.mjs';

/** What a popup says, in its folded parts too, which stay folded: its size depends on them. Runs in the popup. */
export function readPopup(document) {
  const inline = new Set(['A', 'B', 'CODE', 'EM', 'I', 'KBD', 'MARK', 'SPAN', 'STRONG']);
  const read = (node) => {
    if (node.nodeType === 3) return node.data;
    if (node.nodeType !== 1 || node.hidden || /^(?:SCRIPT|STYLE)$/.test(node.tagName)) return '';
    const text = [...node.childNodes].map(read).join('');
    return inline.has(node.tagName) ? text : `\n${text}\n`;
  };
  return (document.body ? read(document.body) : '').replaceAll(/\s*\n\s*/g, '\n').trim();
}

/** The button or label with this text, its folded parts opened; null if there is none. Runs in the popup. */
export function findButton(document, words) {
  const button = [...document.querySelectorAll('button, label')].find((b) => b.textContent.trim() === words) ?? null;
  for (let part = button?.closest('details:not([open])'); part; part = button.closest('details:not([open])'))
    part.open = true;
  return button;
}

/** A popup shows the state at the time when it was opened. Opens it until it says `words`, then runs `task` in it. Returns
 * its text. `drawn` says whether it is complete. */
export async function inPopup(session, words, task = () => {}, drawn = /Nothing leaves this browser/) {
  let said = '';
  return until(
    `the popup says ${words}`,
    async () => {
      const popup = await session.popup();
      try {
        await until('the popup has looked', async () => {
          said = (await popup.text()) ?? '';
          return drawn.test(said);
        });
        if (!words.test(said)) return null;
        await task(popup);
        return said;
      } finally {
        await popup.close();
      }
    },
    { timeout: 30_000, every: 200, detail: () => said },
  );
}
