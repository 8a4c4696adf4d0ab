// Waits for a condition, never for a fixed time.

const sleep = (ms) =>
  new Promise((done) => {
    setTimeout(done, ms);
  });

/**
 * Calls `probe` until it returns something truthy and returns that. The failure message names `what` did not happen;
 * `detail`, if given, returns text to add to it.
 */
export async function until(what, probe, { timeout = 20_000, every = 40, detail = null } = {}) {
  const end = Date.now() + timeout;
  let last;
  for (;;) {
    try {
      const value = await probe();
      if (value) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) {
      const more = detail ? `\n${JSON.stringify(await detail(), null, 1)}` : '';
      throw new Error(`not within ${timeout / 1000} s: ${what}${last ? ` (last error: ${last.message})` : ''}${more}`, {
        cause: last,
      });
    }
    await sleep(every);
  }
}

/** Like `until`, for a value that must be the same twice, such as a position on a page that may still move. */
export function steady(what, probe, options) {
  let last;
  return until(
    what,
    async () => {
      const found = await probe();
      const before = last;
      last = JSON.stringify(found);
      return last === before && found;
    },
    options,
  );
}
