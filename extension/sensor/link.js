// The connection to the background: sends numbered batches, one in flight, and retries until they are stored.

import { slot } from '../slot.js';

/** Approximate limits on the characters in one batch and in all waiting events. */
const MAX_BATCH = 512 * 1024;
const MAX_WAITING = 4 * 1024 * 1024;
/** Resyncs requested by the background are delayed more each time, until none was requested for this long. */
const CALM_MS = 60000;
const RETRY_MS = [500, 1000, 2000, 4000, 8000, 15000, 30000];

/** @typedef {{event: SensorEvent, size: number}} Waiting */

function uuid() {
  // crypto.randomUUID is missing on plain http: pages.
  const hex = [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export class Link {
  constructor() {
    this.page = uuid();
    /** @type {Profile[]} */
    this.profiles = [];
    this.css = '';
    /** Called when the extension is gone, and when the background asks for a resync. */
    this.onGone = () => {};
    this.onResync = () => {};
    /** @type {(effects: Effect[], full: boolean) => void} */
    this.onEffects = () => {};
    /** Whether a waiting event was dropped to save space; it must be read again. */
    this.lost = false;
    /** @type {Map<string, Waiting>} */
    this.waiting = new Map();
    this.size = 0;
    this.seq = 0;
    /** @type {{seq: number, events: SensorEvent[]} | null} */
    this.flying = null;
    this.sending = false;
    /** Whether a resync is about to start; nothing is sent before it. */
    this.renewing = false;
    this.tries = 0;
    /** The number of recent resyncs, and the time of the last one. */
    this.resyncs = 0;
    this.resyncAt = -Infinity;
    this.timer = 0;
    this.stopped = false;
    /** Functions that give up waiting for unanswered requests. @type {Set<(none: null) => void>} */
    this.asked = new Set();
    // Firefox drops answers that arrive while the page is in the back/forward cache.
    this.onBack = (/** @type {PageTransitionEvent} */ { persisted }) => {
      if (persisted) for (const giveUp of this.asked) giveUp(null);
    };
    window.addEventListener('pageshow', this.onBack);
  }

  alive() {
    return !this.stopped && Boolean(globalThis.chrome?.runtime?.id);
  }

  stop() {
    this.stopped = true;
    window.removeEventListener('pageshow', this.onBack);
    clearTimeout(this.timer);
    this.waiting.clear();
    this.flying = null;
  }

  /** Requests the profiles and the style sheet until they arrive. */
  async connect() {
    for (;;) {
      const reply = await this.#post({ kind: 'connect', page: this.page, began: performance.timeOrigin });
      if (this.stopped) return;
      if (reply && Array.isArray(reply.profiles)) {
        this.profiles = reply.profiles;
        this.css = String(reply.css ?? '');
        this.tries = 0;
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, this.#delay()));
    }
  }

  /** Assigns a new page id, so that events sent before no longer count. */
  renew() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.page = uuid();
    this.seq = 0;
    this.waiting.clear();
    this.size = 0;
    this.flying = null;
    this.renewing = false;
  }

  /** Starts over: reads and sends everything again. */
  again() {
    this.renew();
    this.onResync();
  }

  /** Adds an event to the next batch. @param {SensorEvent} event */
  push(event) {
    const key = slot(event);
    const text = /** @type {{head?: string, tail?: string, text?: string}} */ (event);
    const size = 200 + (text.head?.length ?? 0) + (text.tail?.length ?? 0) + (text.text?.length ?? 0);
    const old = this.waiting.get(key);
    if (old) {
      // Deleted first, so that events stay ordered by their last change.
      this.waiting.delete(key);
      this.size -= old.size;
    }
    this.waiting.set(key, { event, size });
    this.size += size;
    for (const [other, { event: waiting, size: freed }] of this.waiting) {
      if (this.size <= MAX_WAITING) break;
      if (waiting.t !== 'output') continue;
      this.waiting.delete(other);
      this.size -= freed;
      this.lost = true;
    }
  }

  /** Whether the background has stored an event that was pushed. @param {SensorEvent} event */
  isStored(event) {
    return this.waiting.get(slot(event))?.event !== event && !this.flying?.events.includes(event);
  }

  /** Sends the next batch, if none is in flight. */
  async send() {
    if (this.sending || this.stopped || this.renewing) return;
    if (!this.flying) {
      if (!this.waiting.size) return;
      const events = [];
      let size = 0;
      for (const [key, waiting] of this.waiting) {
        if (events.length && size + waiting.size > MAX_BATCH) break;
        events.push(waiting.event);
        size += waiting.size;
        this.waiting.delete(key);
      }
      this.size -= size;
      this.seq += 1;
      this.flying = { seq: this.seq, events };
    }
    clearTimeout(this.timer);
    this.timer = 0;
    this.sending = true;
    const { page, flying } = this;
    const reply = await this.#post({ kind: 'events', page, seq: flying.seq, events: flying.events });
    this.sending = false;
    if (this.stopped) return;
    if (page !== this.page) {
      void this.send();
    } else if (reply?.resync) {
      // Delayed, so that a background that keeps asking can't cause a loop, even if it accepts batches in between.
      const now = performance.now();
      if (now - this.resyncAt > CALM_MS) this.resyncs = 0;
      this.resyncAt = now;
      this.tries = Math.max(this.tries, this.resyncs);
      this.resyncs += 1;
      this.renewing = true;
      this.#later(() => this.again());
    } else if (reply?.ack === flying.seq) {
      this.flying = null;
      this.tries = 0;
      this.#take(reply);
      if (reply.more === true) void this.#rest(page);
      void this.send();
    } else {
      this.#later(() => void this.send());
    }
  }

  /** Hands on what a reply says. @param {any} reply */
  #take({ effects, full }) {
    this.onEffects(Array.isArray(effects) ? effects : [], full === true);
  }

  /** Requests what the last reply left out. @param {string} page */
  async #rest(page) {
    for (;;) {
      const reply = await this.#post({ kind: 'rest', page });
      if (this.stopped || page !== this.page) return;
      if (reply?.effects) return this.#take(reply);
      await new Promise((resolve) => setTimeout(resolve, this.#delay()));
    }
  }

  /** Sends a request to the background; returns null if it can't answer. @param {Record<string, unknown>} message */
  ask(message) {
    return this.#post({ page: this.page, ...message });
  }

  /** @param {() => void} task */
  #later(task) {
    try {
      this.timer = window.setTimeout(task, this.#delay());
    } catch {
      // Firefox throws while the tab is being closed.
    }
  }

  #delay() {
    const ms = RETRY_MS[Math.min(this.tries, RETRY_MS.length - 1)] ?? 0;
    this.tries += 1;
    return ms;
  }

  /** @param {Record<string, unknown>} message @returns {Promise<any>} */
  async #post(message) {
    if (!this.alive()) {
      if (!this.stopped) this.onGone();
      return null;
    }
    /** @type {(none: null) => void} */
    let giveUp = () => {};
    try {
      const reply = await new Promise((resolve, reject) => {
        giveUp = resolve;
        this.asked.add(giveUp);
        chrome.runtime.sendMessage({ nbmedic: 1, ...message }).then(resolve, reject);
      });
      if (reply?.gone) this.onGone();
      return reply;
    } catch (error) {
      if (/context invalidated/i.test(String(error)) || !globalThis.chrome?.runtime?.id) this.onGone();
      return null;
    } finally {
      this.asked.delete(giveUp);
    }
  }
}
