// The page around a notebook in a frame: sends its notices and meters to the sensor in that frame.

import { Page } from './page.js';
import { Debounce } from './schedule.js';
import { LATEST_MS, QUIET_MS } from './times.js';

export class OuterPage {
  /** @param {Profile} profile @param {import('./link.js').Link} link */
  constructor(profile, link) {
    this.profile = profile;
    this.link = link;
    /** The meters' current values, for notebooks that appear later. @type {Map<string, SensorEvent>} */
    this.vitals = new Map();
    /** Events to be sent. @type {SensorEvent[]} */
    this.fresh = [];
    this.reading = new Debounce(QUIET_MS, LATEST_MS);
    this.timer = 0;
    this.page = new Page(profile, { push: (event) => this.#push(event) }, (root) => this.#observe(root));
    this.observer = new MutationObserver(() => this.#touch());
  }

  start() {
    this.#observe(document);
    this.#read();
  }

  stop() {
    this.observer.disconnect();
    clearTimeout(this.timer);
  }

  /** The answer to a notebook sensor's request. It omits open notices: those that precede the notebook concern none of its runs. */
  current() {
    const events = [...this.vitals.values()];
    return { around: this.profile.around, events };
  }

  /** @param {Node} node */
  #observe(node) {
    this.observer.observe(node, {
      childList: true,
      subtree: true,
      characterData: true,
      attributes: true,
      attributeFilter: this.profile.attributes,
    });
  }

  #touch() {
    const now = performance.now();
    this.reading.touch(now);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.#read(), this.reading.at - now);
  }

  #read() {
    this.reading.begin();
    this.page.readNotices();
    this.page.readVitals();
    const { fresh } = this;
    this.fresh = [];
    if (fresh.length) void this.link.ask({ kind: 'around', around: this.profile.around, events: fresh });
  }

  /** @param {SensorEvent} event */
  #push(event) {
    // The prefix avoids conflicts with the ids of the notebook's own notices.
    const own = event.t === 'notice' || event.t === 'notice-gone' ? { ...event, id: `around-${event.id}` } : event;
    if (own.t === 'vitals') this.vitals.set(own.source, own);
    this.fresh.push(own);
  }
}
