// Limits how often a frame is asked to send everything again, so that resyncing can't become a loop.

/** Minimum delays between a frame's resyncs, in milliseconds, each longer; after `CALM_MS` without one, they start over. */
const AGAIN_MS = [0, 0, 2000, 8000, 30_000, 120_000];
const CALM_MS = 10 * 60 * 1000;

export class Resyncs {
  /** How often each frame was asked to resync, and when last. @type {Map<string, {times: number, at: number}>} */
  #asked = new Map();

  /**
   * Whether a frame may be asked now. A sensor that was asked recently gets an empty reply and resends the same batch later,
   * with growing delays.
   * @param {string} place tab, frame and origin @param {number} now
   */
  allow(place, now) {
    const { times, at } = this.#asked.get(place) ?? { times: 0, at: now };
    const since = Math.abs(now - at);
    if (since < (AGAIN_MS[Math.min(times, AGAIN_MS.length - 1)] ?? 0)) return false;
    this.#asked.set(place, { times: since < CALM_MS ? times + 1 : 1, at: now });
    return true;
  }

  /** @param {number} tab */
  closed(tab) {
    for (const place of this.#asked.keys()) if (place.startsWith(`${tab} `)) this.#asked.delete(place);
  }
}
