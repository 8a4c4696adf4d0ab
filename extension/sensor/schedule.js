// When something that changed is read. Times are those of performance.now(); `at` is Infinity while nothing is due,
// and 0 when the reading is due at once.

/** Reads `soon` after the last change, and at most `latest` after the first. */
export class Debounce {
  /** @param {number} soon @param {number} latest milliseconds */
  constructor(soon, latest) {
    this.soon = soon;
    this.latest = latest;
    this.at = Infinity;
    this.since = 0;
  }

  /** Something changed. What is due at once stays so. @param {number} now */
  touch(now) {
    if (this.at === 0) return;
    this.since ||= now;
    this.at = Math.min(this.since + this.latest, now + this.soon);
  }

  /** Makes the reading due at once. */
  hurry() {
    this.at = 0;
  }

  /** The reading begins. */
  begin() {
    this.at = Infinity;
    this.since = 0;
  }
}

/** Reads `soon` after the first change; while changes go on, each reading waits twice as long as the one before. */
export class Backoff {
  /** @param {number} soon @param {number} slowest longest wait, milliseconds */
  constructor(soon, slowest) {
    this.soon = soon;
    this.slowest = slowest;
    this.wait = soon;
    this.at = Infinity;
    this.readAt = -Infinity;
  }

  /** Whether the last reading is long enough ago that the next one is soon after a change. @param {number} now */
  isCalm(now) {
    return now - this.readAt > 2 * this.wait;
  }

  /** Something changed. @param {number} now */
  touch(now) {
    if (this.at < Infinity) return;
    if (this.isCalm(now)) this.wait = this.soon;
    this.at = now + this.wait;
  }

  /** Makes the reading due at once. */
  hurry() {
    this.at = 0;
  }

  /** What takes the place of something that goes on changing waits longer than that did. @param {Backoff} before @param {number} now */
  follow(before, now) {
    this.wait = Math.min(before.wait * 2, this.slowest);
    this.at = now + this.wait;
  }

  /** The next wait is the shortest again. */
  reset() {
    this.wait = this.soon;
  }

  /** The reading begins. @param {number} now */
  begin(now) {
    this.at = Infinity;
    this.readAt = now;
  }

  /** Changes go on: the next wait is longer. @param {number} [slowest] another bound than usual */
  slow(slowest = this.slowest) {
    this.wait = Math.min(this.wait * 2, slowest);
  }
}
