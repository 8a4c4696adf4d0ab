// The sensor of a page: finds out which front end the page is, watches it as that one's profile says, sends what
// changed to the background, and shows the cards that come back. It knows no front end and decides nothing.

import * as cards from './card.js';
import { choose } from './check.js';
import { Link } from './link.js';
import { OuterPage } from './outer-page.js';
import { Watch } from './watch.js';

/** Dispatched by a new sensor: a living one cancels it, one whose extension is gone steps down. */
const TAKEOVER = 'nbmedic-takeover';
/** Delay before the search for a notebook looks at a changed page again; it grows while nothing is found. Milliseconds. */
const SEARCH_MS = 250;
const SLOWEST_SEARCH_MS = 500;
/** A page that keeps turning into another front end is read as one of them: most changes of profile in this time. */
const MAX_SWITCHES = 6;
const SWITCHES_MS = 60000;

/** Whether another sensor of this page is alive. */
export function isTaken() {
  return !document.documentElement.dispatchEvent(new CustomEvent(TAKEOVER, { cancelable: true }));
}

export class Sensor {
  constructor() {
    this.link = new Link();
    /** @type {Watch | null} */
    this.watch = null;
    /** The page's own watcher, where the notebook is in a frame of this page. @type {OuterPage | null} */
    this.outer = null;
    /** @type {MutationObserver | null} */
    this.search = null;
    this.timer = 0;
    this.wait = SEARCH_MS;
    this.lookedAt = 0;
    /** When the profile changed lately. @type {number[]} */
    this.switches = [];
    this.onTakeover = (/** @type {Event} */ event) => {
      if (this.link.alive()) event.preventDefault();
      else this.stop();
    };
    this.onMessage = (
      /** @type {any} */ message,
      /** @type {unknown} */ _sender,
      /** @type {(answer: unknown) => void} */ reply,
    ) => this.#receive(message, reply);
  }

  start() {
    const { link } = this;
    // Those of a sensor that is gone.
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

  /** Takes everything of this sensor out of the page. */
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

  /** A message from the background. @param {any} message @param {(answer: unknown) => void} reply */
  #receive(message, reply) {
    if (message?.nbmedic !== 1) return;
    if (message.kind === 'goto') this.watch?.stage.goTo(String(message.cell));
    else if (message.kind === 'again') this.link.again();
    else if (message.kind === 'stop') this.stop();
    else if (message.kind !== 'around') return;
    else if (this.outer && !message.events) reply(this.outer.current());
    else this.#adopt(message);
  }

  /** Sends events of the page around as this notebook's own. @param {{around?: string[], events?: SensorEvent[]} | null} message */
  #adopt(message) {
    if (!this.watch || !message?.around?.includes(this.watch.profile.id)) return;
    for (const event of message.events ?? []) this.link.push(event);
    void this.link.send();
  }

  /** Looks for a notebook, now and whenever the page changes, until one is found. */
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

  /** Begins with the first profile that fits the page. @returns {boolean} that nothing better can come */
  #look() {
    const profile = choose(this.link.profiles);
    if (!profile) return false;
    if (profile !== (this.outer ?? this.watch)?.profile) {
      const now = performance.now();
      this.switches = this.switches.filter((at) => now - at < SWITCHES_MS);
      if (this.switches.length >= MAX_SWITCHES) return false;
      if (this.watch) {
        this.switches.push(now);
        // Another profile fits now: what was sent is of no use to it.
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
