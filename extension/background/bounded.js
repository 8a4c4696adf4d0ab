// A bound on how often something may happen.

/**
 * A function that says whether it may happen at `now`: at most `most` times within any `span` milliseconds.
 * @param {number} most @param {number} span @returns {(now: number) => boolean}
 */
export function bounded(most, span) {
  /** @type {number[]} */
  let times = [];
  return (now) => {
    times = times.filter((at) => now - at < span);
    if (times.length >= most) return false;
    times.push(now);
    return true;
  };
}
