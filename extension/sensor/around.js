// The page around a notebook that is in a frame: what it says and shows is told to the sensor in there.
'use strict';

/* global NbmedicPage */
/* exported NbmedicAround */
var NbmedicAround = (() => {
  const QUIET_MS = 250;
  const LATEST_MS = 1000;

  return class Around {
    /** @param {Profile} profile @param {InstanceType<typeof NbmedicLink>} link */
    constructor(profile, link) {
      this.profile = profile;
      this.link = link;
      /** What the meters show now, for a notebook that comes later. @type {Map<string, SensorEvent>} */
      this.vitals = new Map();
      /** @type {SensorEvent[]} */
      this.fresh = [];
      this.since = 0;
      this.timer = 0;
      this.page = new NbmedicPage(profile, { push: (event) => this.#note(event) }, (root) => this.#observe(root));
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

    /** What a notebook's sensor is told when it asks. A notice that was open before it came is about no run of its own. */
    all() {
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
      this.since ||= now;
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.#read(), Math.min(QUIET_MS, this.since + LATEST_MS - now));
    }

    #read() {
      this.since = 0;
      this.page.readNotices();
      this.page.readVitals();
      const { fresh } = this;
      this.fresh = [];
      if (fresh.length) void this.link.ask({ kind: 'around', around: this.profile.around, events: fresh });
    }

    /** @param {SensorEvent} event */
    #note(event) {
      // The notebook's own notices have numbers of their own.
      const told = event.id ? { ...event, id: `around-${event.id}` } : event;
      if (told.t === 'vitals') this.vitals.set(String(told.source), told);
      this.fresh.push(told);
    }
  };
})();
