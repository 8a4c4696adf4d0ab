// Schedules when changes are read. Times are those of performance.now(); `at` is Infinity while nothing is due,
// and 0 if the reading is due at once.

/** Reads `soon` after the last change, and at most `latest` after the first. */
export class Debounce {
  /** @param {number} soon @param {number} latest milliseconds */
  constructor(soon, latest) {
    this.soon = soon;
    this.latest = latest;
    this.at = Infinity;
    this.since = 0;
  }

  /** Records a change. A reading that is due at once stays so. @param {number} now */
  touch(now) {
    if (this.at === 0) return;
    this.since ||= now;
    this.at = Math.min(this.since + this.latest, now + this.soon);
  }

  /** Makes the reading due at once. */
  hurry() {
    this.at = 0;
  }

  /** Records that the reading begins. */
  begin() {
    this.at = Infinity;
    this.since = 0;
  }
}

/** Reads `soon` after the first change; while changes continue, each wait is twice as long as the one before. */
export class Backoff {
  /** @param {number} soon @param {number} slowest longest wait, milliseconds */
  constructor(soon, slowest) {
    this.soon = soon;
    this.slowest = slowest;
    this.wait = soon;
    this.at = Infinity;
    this.readAt = -Infinity;
  }

  /** Whether the last reading was long enough ago that the next wait is the shortest again. @param {number} now */
  isCalm(now) {
    return now - this.readAt > 2 * this.wait;
  }

  /** Records a change. @param {number} now */
  touch(now) {
    if (this.at < Infinity) return;
    if (this.isCalm(now)) this.wait = this.soon;
    this.at = now + this.wait;
  }

  /** Makes the reading due at once. */
  hurry() {
    this.at = 0;
  }

  /** Starts with a longer wait than `before`, for an item that replaces one that kept changing. @param {Backoff} before @param {number} now */
  follow(before, now) {
    this.wait = Math.min(before.wait * 2, this.slowest);
    this.at = now + this.wait;
  }

  /** Resets the wait to the shortest. */
  reset() {
    this.wait = this.soon;
  }

  /** Records that the reading begins. @param {number} now */
  begin(now) {
    this.at = Infinity;
    this.readAt = now;
  }

  /** Lengthens the next wait because changes continue. @param {number} [slowest] overrides the longest wait */
  slow(slowest = this.slowest) {
    this.wait = Math.min(this.wait * 2, slowest);
  }
}
