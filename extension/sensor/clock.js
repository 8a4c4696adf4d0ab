// Schedules the reading of changes: one timer, none while nothing changes, and work in slices that yield to the page.

/** Approximate maximum duration of one slice on the page's main thread. */
const SLICE_MS = 6;
/** In a hidden tab with no running cell for this long, changes are read at most once per this interval. */
const REST_MS = 30000;

export class Clock {
  /**
   * @param {() => Iterable<void>} work reads what is due; the page may run between its steps
   * @param {() => number} next called after the work; returns the time of the next reading, or Infinity for none
   */
  constructor(work, next) {
    this.work = work;
    this.next = next;
    this.timer = 0;
    this.at = Infinity;
    /** Whether a cell is running, and the last time one was. */
    this.runs = false;
    this.ranAt = performance.now();
    /** When this slice began. */
    this.began = 0;
    /** Whether work is in progress: it may pause to let the page run. */
    this.busy = false;
    this.stopped = false;
    /** @type {MessageChannel | null} */
    this.channel = null;
  }

  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
    this.#close();
  }

  /** @param {boolean} runs */
  running(runs) {
    if (runs || this.runs) this.ranAt = performance.now();
    this.runs = runs;
  }

  /** Called when the tab becomes visible again. */
  wake() {
    if (this.at < Infinity) this.arm(0);
  }

  /** Schedules a reading. @param {number} at */
  arm(at) {
    if (this.stopped || this.busy) return;
    const now = performance.now();
    if (document.hidden && !this.runs && now - this.ranAt > REST_MS) at = Math.max(at, now + REST_MS);
    if (at >= this.at) return;
    clearTimeout(this.timer);
    this.at = at;
    this.timer = window.setTimeout(() => void this.#flush(), Math.max(0, at - now));
  }

  async #flush() {
    this.at = Infinity;
    if (this.busy || this.stopped) return;
    this.busy = true;
    this.began = performance.now();
    for (const _ of this.work()) {
      if (this.stopped) return;
      // There is a step for each cell and output, so a promise is created only for a pause.
      if (performance.now() - this.began < SLICE_MS) continue;
      await this.#pause();
      this.began = performance.now();
    }
    this.#close();
    this.busy = false;
    if (this.stopped) return;
    const next = this.next();
    if (next < Infinity) this.arm(next);
  }

  #close() {
    this.channel?.port1.close();
    this.channel = null;
  }

  /** Yields to the page. */
  #pause() {
    const { port1, port2 } = (this.channel ??= new MessageChannel());
    return new Promise((resolve) => {
      port1.onmessage = () => resolve(undefined);
      // eslint-disable-next-line no-restricted-properties -- the port yields to the page between two slices; it leads nowhere else
      port2.postMessage(0);
    });
  }
}
