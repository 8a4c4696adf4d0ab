// Opens the extension's popup as its button does.
import { until } from './wait.mjs';

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
