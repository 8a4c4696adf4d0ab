// The sensor of a page: detects the page's front end, watches the page as that front end's profile specifies, sends
// changes to the background, and shows the cards that it returns. It has no code for any front end and makes no diagnoses.

import * as cards from './card.js';
import { choose } from './check.js';
import { Link } from './link.js';
import { OuterPage } from './outer-page.js';
import { Watch } from './watch.js';

/**
 * Dispatched by a new sensor: one whose extension is gone stops, which otherwise happens when it next sends. Scripts of
 * the page can hear, send and stop this event, so nothing else depends on it.
 */
const TAKEOVER = 'nbmedic-takeover';
/** Delay before a changed page is searched for a notebook again, in milliseconds; it grows while none is found. */
const SEARCH_MS = 250;
const SLOWEST_SEARCH_MS = 500;
/** Maximum number of profile changes in this time; a page that changes more often keeps its current profile. */
const MAX_SWITCHES = 6;
const SWITCHES_MS = 60000;

/** Whether another sensor of this extension is alive in the page. The page's own scripts do not see this variable. */
export function isTaken() {
  return Boolean(/** @type {any} */ (globalThis).nbmedicSensor?.link.alive());
}

export class Sensor {
  constructor() {
    this.link = new Link();
    /** @type {Watch | null} */
    this.watch = null;
    /** The watcher of the outer page, if the notebook is in a frame of this page. @type {OuterPage | null} */
    this.outer = null;
    /** @type {MutationObserver | null} */
    this.search = null;
    this.timer = 0;
    this.wait = SEARCH_MS;
    this.lookedAt = 0;
    /** Times of recent profile changes. @type {number[]} */
    this.switches = [];
    this.onTakeover = () => {
      if (!this.link.alive()) this.stop();
    };
    this.onMessage = (
      /** @type {any} */ message,
      /** @type {unknown} */ _sender,
      /** @type {(answer: unknown) => void} */ reply,
    ) => this.#receive(message, reply);
  }

  start() {
    const { link } = this;
    document.documentElement.dispatchEvent(new CustomEvent(TAKEOVER));
    Object.assign(globalThis, { nbmedicSensor: this });
    // Removes cards left by a stopped sensor.
    cards.clear();
    document.documentElement.addEventListener(TAKEOVER, this.onTakeover);
    link.onGone = () => this.stop();
    link.onResync = () => {
      const { profile } = this.watch ?? {};
      this.watch?.stop();
      this.watch = null;
      if (profile) this.#begin(profile);
    };
    chrome.runtime.onMessage.addListener(this.onMessage);
    cards.listen();
    void link.connect().then(() => this.#search());
  }

  /** Stops the sensor and removes everything it added to the page. */
  stop() {
    clearTimeout(this.timer);
    this.search?.disconnect();
    this.watch?.stop();
    this.watch = null;
    this.outer?.stop();
    this.link.stop();
    cards.unlisten();
    cards.clear();
    document.documentElement.removeEventListener(TAKEOVER, this.onTakeover);
    // Chrome throws once the extension is gone.
    if (globalThis.chrome?.runtime?.id) chrome.runtime.onMessage.removeListener(this.onMessage);
  }

  /** Handles a message from the background. @param {any} message @param {(answer: unknown) => void} reply */
  #receive(message, reply) {
    if (message?.nbmedic !== 1) return;
    if (message.kind === 'goto') this.watch?.stage.goTo(String(message.cell));
    else if (message.kind === 'next') this.watch?.stage.next(message.copies === true);
    else if (message.kind === 'again') this.link.again();
    else if (message.kind === 'stop') this.stop();
    else if (message.kind !== 'around') return;
    else if (this.outer && !message.events) reply(this.outer.current());
    else this.#adopt(message);
  }

  /** Sends the surrounding page's events as this notebook's own. @param {{around?: string[], events?: SensorEvent[]} | null} message */
  #adopt(message) {
    if (!this.watch || !message?.around?.includes(this.watch.profile.id)) return;
    for (const event of message.events ?? []) this.link.push(event);
    void this.link.send();
  }

  /** Searches for a notebook now and after each change of the page, until one is found. */
  #search() {
    if (!this.link.alive() || this.#look()) return;
    const changed = () => {
      if (this.timer) return;
      if (performance.now() - this.lookedAt > 2 * this.wait) this.wait = SEARCH_MS;
      this.timer = window.setTimeout(() => {
        this.timer = 0;
        this.lookedAt = performance.now();
        this.wait = Math.min(2 * this.wait, SLOWEST_SEARCH_MS);
        if (this.#look()) this.search?.disconnect();
      }, this.wait);
    };
    this.search = new MutationObserver(changed);
    this.search.observe(document.documentElement, { childList: true, subtree: true });
  }

  /** Starts watching with the first profile that matches. @returns {boolean} whether no better match can follow */
  #look() {
    const profile = choose(this.link.profiles);
    if (!profile) return false;
    if (profile !== (this.outer ?? this.watch)?.profile) {
      const now = performance.now();
      this.switches = this.switches.filter((at) => now - at < SWITCHES_MS);
      if (this.switches.length >= MAX_SWITCHES) return false;
      if (this.watch) {
        this.switches.push(now);
        // Another profile matches now, so the data sent so far is useless.
        this.watch.stop();
        this.link.renew();
      }
      this.#begin(profile);
    }
    return !profile.fallback;
  }

  /** @param {Profile} profile */
  #begin(profile) {
    this.outer?.stop();
    this.outer = profile.around ? new OuterPage(profile, this.link) : null;
    if (this.outer) {
      this.watch = null;
      this.outer.start();
      return;
    }
    this.watch = new Watch(profile, this.link);
    this.watch.onLost = () => void this.#look();
    this.watch.start();
    if (window !== top) void this.link.ask({ kind: 'around' }).then((answer) => this.#adopt(answer));
  }
}
