// When what changed is read: one timer, none while nothing changed, and work in slices that leave the page its time.

/** Work on one task of the page's main thread at most, roughly. */
const SLICE_MS = 6;
/** In a hidden tab in which nothing has run for this long, changes are read no more often than this. */
const REST_MS = 30000;

export class Clock {
  /**
   * @param {() => Iterable<void>} work reads what is due; between two of its steps the page may work
   * @param {() => number} next called after the work; returns when something is due again, Infinity for never
   */
  constructor(work, next) {
    this.work = work;
    this.next = next;
    this.timer = 0;
    this.at = Infinity;
    /** Something runs, or did so then. */
    this.runs = false;
    this.ranAt = performance.now();
    /** When this slice began. */
    this.began = 0;
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

  /** Somebody looks at the tab again. */
  wake() {
    if (this.at < Infinity) this.arm(0);
  }

  /** Something is due then. @param {number} at */
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
      // There are as many steps as cells and outputs: no promise where there is no pause.
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

  /** Lets the page work. */
  #pause() {
    const { port1, port2 } = (this.channel ??= new MessageChannel());
    return new Promise((resolve) => {
      port1.onmessage = () => resolve(undefined);
      // eslint-disable-next-line no-restricted-properties -- the port yields to the page between two slices; it leads nowhere else
      port2.postMessage(0);
    });
  }
}
