// The line to the background: numbered batches, one in flight, sent again until they are stored.

import { slot } from '../slot.js';

/** Characters of one batch and of everything that waits, roughly. */
const MAX_BATCH = 512 * 1024;
const MAX_WAITING = 4 * 1024 * 1024;
/** The background wants everything again: less and less often, until it has not for this long. */
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
    /** Called when the extension is gone, and when the background wants everything again. */
    this.onGone = () => {};
    this.onResync = () => {};
    /** @type {(effects: Effect[], full: boolean) => void} */
    this.onEffects = () => {};
    /** Something that waited was dropped for want of room: it must be read again. */
    this.lost = false;
    /** @type {Map<string, Waiting>} */
    this.waiting = new Map();
    this.size = 0;
    this.seq = 0;
    /** @type {{seq: number, events: SensorEvent[]} | null} */
    this.flying = null;
    this.sending = false;
    /** Everything is about to be sent again: nothing is sent before. */
    this.renewing = false;
    this.tries = 0;
    /** How often everything had to be sent again lately, and when last. */
    this.resyncs = 0;
    this.resyncAt = -Infinity;
    this.timer = 0;
    this.stopped = false;
    /** Gives up on what was asked and not answered yet. @type {Set<(none: null) => void>} */
    this.asked = new Set();
    // Firefox drops answers that come while the page is kept aside for another one.
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

  /** Asks for the profiles and the style until they come. */
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

  /** A new page id: what was sent before no longer counts. */
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

  /** Begins again: everything is read and sent anew. */
  again() {
    this.renew();
    this.onResync();
  }

  /** Puts an event into the next batch. @param {SensorEvent} event */
  push(event) {
    const key = slot(event);
    const text = /** @type {{head?: string, tail?: string, text?: string}} */ (event);
    const size = 200 + (text.head?.length ?? 0) + (text.tail?.length ?? 0) + (text.text?.length ?? 0);
    const old = this.waiting.get(key);
    if (old) {
      // Deleted first, so that the order stays the order of the last change.
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
      // Not at once: a background that keeps asking must not make a loop, also where it takes a batch in between.
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
      this.onEffects(Array.isArray(reply.effects) ? reply.effects : [], reply.full === true);
      void this.send();
    } else {
      this.#later(() => void this.send());
    }
  }

  /** Asks the background for something; null when it cannot answer. @param {Record<string, unknown>} message */
  ask(message) {
    return this.#post({ page: this.page, ...message });
  }

  /** @param {() => void} task */
  #later(task) {
    try {
      this.timer = window.setTimeout(task, this.#delay());
    } catch {
      // Firefox: the tab is being closed.
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
