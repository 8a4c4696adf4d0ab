// Opens the extension's popup as its button does.
import { until } from './wait.mjs';

/** What a popup says, in its folded parts too. Runs in the popup. */
export function readPopup(document) {
  const folded = [...document.querySelectorAll('details:not([open])')];
  for (const part of folded) part.open = true;
  const text = document.body?.innerText ?? '';
  // Nothing was painted meanwhile: it stays as the person sees it.
  for (const part of folded) part.open = false;
  return text;
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
