// Relays messages between a page's sensor and those in its frames: up, adding the sender's frame id as the browser
// reports it, and down, to one frame or all. The relay limits how often either side can ask the other.

/** Minimum interval between identity requests to a page's frames, in milliseconds; an earlier request waits until it ends. */
const WHO_MS = 1000;
/** After this many announcements within `FRAME_MS` with no output accepted, a frame is told it belongs to no cell. */
const MAX_ANNOUNCED = 8;
const FRAME_MS = 60_000;

/** @typedef {import('./pages.js').From} From @typedef {(tab: number, message: Record<string, unknown>, frameId?: number) => Promise<any>} Send */

export class Relay {
  /** Tabs whose frames were asked recently, and whether to ask once more. @type {Map<number, {again: boolean}>} */
  #asked = new Map();
  /** @type {Map<string, {times: number, at: number}>} */
  #announced = new Map();

  /** @param {Send} send @param {() => number} now @param {(task: () => void, ms: number) => void} later */
  constructor(send, now = () => Date.now(), later = (task, ms) => void setTimeout(task, ms)) {
    this.send = send;
    this.now = now;
    this.later = later;
  }

  /** Forwards a message and returns the reply. @param {any} message @param {From} sensor */
  pass({ kind, frame, ...rest }, sensor) {
    const { tab } = sensor;
    if (sensor.frame) {
      if (kind === 'frame') return this.#up(rest, sensor);
      return kind === 'around' ? this.send(tab, { ...rest, kind, frame: sensor.frame }, 0) : null;
    }
    if (kind === 'around') return this.send(tab, { ...rest, kind });
    return kind === 'frames' ? this.#who(tab) : this.send(tab, { kind }, Number(frame));
  }

  /** Forgets a closed tab. @param {number} tab */
  closed(tab) {
    for (const place of this.#announced.keys()) if (place.startsWith(`${tab} `)) this.#announced.delete(place);
  }

  /** @param {number} tab */
  async #who(tab) {
    const lately = this.#asked.get(tab);
    if (lately) {
      lately.again = true;
      return null;
    }
    const asked = { again: false };
    this.#asked.set(tab, asked);
    this.later(() => {
      this.#asked.delete(tab);
      if (asked.again) void this.#who(tab);
    }, WHO_MS);
    return this.send(tab, { kind: 'who' });
  }

  /** @param {Record<string, unknown>} message @param {From} sensor */
  async #up(message, { tab, frame }) {
    const place = `${tab} ${frame}`;
    if (message.at !== undefined) {
      const now = this.now();
      const known = this.#announced.get(place);
      const lately = known && Math.abs(now - known.at) < FRAME_MS ? known : { times: 0, at: now };
      if (lately.times >= MAX_ANNOUNCED) return {};
      this.#announced.set(place, { ...lately, times: lately.times + 1 });
    }
    const answer = await this.send(tab, { ...message, kind: 'frame', frame }, 0);
    if (answer?.took) this.#announced.delete(place);
    return answer;
  }
}
