// Waits for a condition, never for a fixed time.
import os from 'node:os';

const sleep = (ms) =>
  new Promise((done) => {
    setTimeout(done, ms);
  });

/**
 * How many times longer work takes here than on an idle machine: processes that want to run, for each processor. Between
 * 1 and 8.
 */
export const slowdown = () => Math.min(8, Math.max(1, os.loadavg()[0] / os.availableParallelism()));

/**
 * Counts time as an idle machine would need it, in milliseconds: other work beside the tests makes them no failure. The
 * first `clock` milliseconds are not counted: a timer that is waited for takes as long on every machine.
 */
export function patience(clock = 0) {
  let spent = 0;
  let left = clock;
  let last = performance.now();
  return () => {
    const now = performance.now();
    const free = Math.min(left, now - last);
    left -= free;
    spent += (now - last - free) / slowdown();
    last = now;
    return spent;
  };
}

/** The longest wait of the browsers' own functions, in milliseconds. They count by the clock, so a busy machine needs long. */
export const LONGEST_WAIT_MS = 120_000;
/** The longest time between two looks for what takes long: each look takes processor time from the work that is waited for. */
const LONGEST_PAUSE_MS = 200;

/**
 * Calls `probe` until it returns something truthy and returns that; `timeout` is the time on an idle machine, after `clock`
 * milliseconds in which only a timer runs. Between two calls are `every` milliseconds, or a twentieth of the time since the
 * first one, up to a fifth of a second. The failure message names `what` did not happen; `detail`, if given, returns text to
 * add to it.
 */
export async function until(what, probe, { timeout = 20_000, clock = 0, every = 40, detail = null } = {}) {
  const spent = patience(clock);
  const began = performance.now();
  let last;
  for (;;) {
    try {
      const value = await probe();
      if (value) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (spent() > timeout) {
      const more = detail ? `\n${JSON.stringify(await detail(), null, 1)}` : '';
      throw new Error(
        `not within ${Math.round((clock + timeout) / 1000)} s: ${what}${last ? ` (last error: ${last.message})` : ''}${more}`,
        {
          cause: last,
        },
      );
    }
    await sleep(Math.max(every, Math.min(LONGEST_PAUSE_MS, (performance.now() - began) / 20)));
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
