// Entry point of the sensor in an output frame: reads the frame's outputs and sends them to the sensor of the surrounding
// page, which knows the cell. It shows nothing, and starts reading only once that sensor has recognized it.

import * as dom from './dom.js';
import { bringsEnding, errors, isEnding } from './ending.js';
import { Backoff } from './schedule.js';
import { SLOWEST_MS, SOON_MS } from './times.js';

const SLICE_MS = 6;
/** Delay between announcements and their maximum number; after that, the page's sensor has to ask. */
const AGAIN_MS = 2000;
const MAX_TRIES = 3;
/** Maximum number of outputs read; if there are more, only the first ones and the last one are read. */
const MAX_OUTS = 256;
const MAX_MESSAGE = 512 * 1024;
/** Changes examined for the end of an error before the next reading. */
const MAX_PEEKS = 16;

/** @typedef {{seen: {node: Node | null, before: number}, hash: string, dirty: boolean}} Known */

class Frame {
  constructor() {
    /** Rules for reading this frame; null until the page's sensor has sent them. @type {FrameRules | null} */
    this.rules = null;
    /** The selector for outputs of kind error. */
    this.errors = '';
    /** @type {WeakMap<Node, Known>} */
    this.known = new WeakMap();
    /** The number of outputs last sent. */
    this.sent = -1;
    /** @type {Node | null} */
    this.lastTarget = null;
    /** The output that contains `lastTarget`. @type {Known | null} */
    this.lastOwner = null;
    /** @type {Element | null} */
    this.lastOutput = null;
    /** The first output of the last reading. @type {Element | null} */
    this.whole = null;
    this.reading = new Backoff(SOON_MS, SLOWEST_MS);
    /** When an added error was last read at once. */
    this.hurriedAt = -Infinity;
    /** Remaining changes to examine for the end of an error before the next reading. */
    this.peeks = MAX_PEEKS;
    this.timer = 0;
    this.again = 0;
    this.busy = false;
    this.tries = 0;
    /** Remaining words from the page's sensor that may be passed on. */
    this.claims = 0;
    this.observer = new MutationObserver((records) => this.#changed(records));
    this.onPageWord = (/** @type {MessageEvent} */ event) => this.#onWord(event);
    this.onMessage = (/** @type {any} */ message) => {
      if (message?.nbmedic !== 1) return;
      if (message.kind === 'who') {
        this.tries = 0;
        void this.#announce();
      } else if (message.kind === 'hurry' && this.reading.at < Infinity) {
        this.reading.reset();
        this.#arm(0);
      }
    };
  }

  start() {
    // Registered before the frame's own scripts, so that they never see a word posted to this sensor.
    window.addEventListener('message', this.onPageWord, true);
    chrome.runtime.onMessage.addListener(this.onMessage);
    void this.#announce();
  }

  stop() {
    window.removeEventListener('message', this.onPageWord, true);
    chrome.runtime?.onMessage?.removeListener(this.onMessage);
    this.observer.disconnect();
    clearTimeout(this.timer);
    clearTimeout(this.again);
    this.rules = null;
  }

  alive() {
    return Boolean(globalThis.chrome?.runtime?.id);
  }

  /** @param {Record<string, unknown>} message @returns {Promise<any>} */
  async #post(message) {
    try {
      if (this.alive()) return await chrome.runtime.sendMessage({ nbmedic: 1, kind: 'frame', ...message });
    } catch {
      if (this.alive()) return null;
    }
    this.stop();
    return null;
  }

  /** Announces this frame and its index among the page's windows. */
  async #announce() {
    this.rules = null;
    this.claims = MAX_TRIES;
    clearTimeout(this.again);
    let at = parent.length - 1;
    while (at >= 0 && parent[at] !== window) at -= 1;
    const reply = await this.#post({ at });
    if (reply?.rules) this.#begin(reply.rules);
    // A reply without rules means this frame belongs to no cell. No reply means the page's sensor has not started yet; it
    // asks when it starts.
    else if ((!reply || reply.wait) && this.alive() && (this.tries += 1) < MAX_TRIES) {
      this.again = window.setTimeout(() => this.rules || void this.#announce(), AGAIN_MS * this.tries);
    }
  }

  /** Handles the word that the page's sensor posts into a cell's frame: it proves that this frame is in that cell. @param {MessageEvent} event */
  async #onWord(event) {
    const word = event.data?.nbmedic;
    if (!event.isTrusted || event.source !== parent || typeof word !== 'string') return;
    event.stopImmediatePropagation();
    if (this.rules || this.claims <= 0) return;
    this.claims -= 1;
    const reply = await this.#post({ word });
    if (reply?.rules) this.#begin(reply.rules);
  }

  /** @param {FrameRules} rules */
  #begin(rules) {
    this.rules = rules;
    this.errors = errors(rules);
    clearTimeout(this.again);
    this.known = new WeakMap();
    this.sent = -1;
    this.reading.reset();
    this.hurriedAt = -Infinity;
    this.lastTarget = null;
    this.observer.observe(document, { childList: true, subtree: true, characterData: true });
    void this.#read();
  }

  /** @param {MutationRecord[]} records */
  #changed(records) {
    const { reading } = this;
    for (const { target } of records) {
      if (target !== this.lastTarget) this.#locate(target);
      if (this.lastOwner) this.lastOwner.dirty = true;
      // If outputs are added or removed, the next reading is soon.
      else reading.reset();
    }
    const now = performance.now();
    if (reading.isCalm(now)) reading.reset();
    // A long-running stream is read on schedule and not examined before that. What is added is, even right after a reading:
    // the frame of an error is read when it opens, and the error comes a moment later.
    const before = this.lastOutput ? reading.readAt : this.hurriedAt;
    if (reading.at > 0 && this.peeks && reading.wait === reading.soon && now - before > SOON_MS) {
      this.peeks -= 1;
      if (this.#brings(records)) {
        this.hurriedAt = now;
        return this.#arm(0);
      }
    }
    if (reading.at > now + reading.wait) this.#arm(now + reading.wait);
  }

  /** Finds the output that a node belongs to. @param {Node} target */
  #locate(target) {
    this.lastTarget = target;
    this.lastOwner = null;
    this.lastOutput = null;
    for (let at = /** @type {Node | null} */ (target); at && !this.lastOwner; at = at.parentNode) {
      this.lastOwner = this.known.get(at) ?? null;
      if (this.lastOwner) this.lastOutput = /** @type {Element} */ (at);
    }
  }

  /** Whether an added output, or the last one that changed, looks like the end of an error. @param {MutationRecord[]} records */
  #brings(records) {
    const { lastOutput } = this;
    if (lastOutput) return isEnding(lastOutput, this.errors);
    return bringsEnding(records, this.errors);
  }

  /** @param {number} at when to read the outputs */
  #arm(at) {
    this.reading.at = at;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.#read(), Math.max(0, at - performance.now()));
  }

  /** Reads what changed and sends it. */
  async #read() {
    const { rules } = this;
    if (this.busy || !rules) return;
    this.busy = true;
    this.lastTarget = null;
    this.reading.begin(performance.now());
    this.peeks = MAX_PEEKS;
    const took = await this.#send(rules);
    this.busy = false;
    if (this.rules !== rules) {
      if (this.rules) void this.#read();
    } else if (took) {
      this.tries = 0;
      this.reading.slow();
      if (this.reading.at < Infinity) this.#arm(this.reading.at);
    } else {
      // The page's sensor no longer knows this frame. Announcing stops after repeated refusals.
      this.observer.disconnect();
      this.rules = null;
      if ((this.tries += 1) < MAX_TRIES) void this.#announce();
    }
  }

  /** @param {FrameRules} rules @returns {Promise<boolean>} whether the page's sensor accepted the outputs */
  async #send(rules) {
    const all = dom.framed(document, rules);
    // The element that stood for outputs of unknown markup must not hide that others are added.
    if (this.whole && !all.includes(this.whole)) this.known.delete(this.whole);
    this.whole = all[0] ?? null;
    const list =
      all.length > MAX_OUTS ? [...all.slice(0, MAX_OUTS - 1), .../** @type {Element[]} */ (all.slice(-1))] : all;
    /** @type {[number, FramedOutput][]} */
    let changed = [];
    let size = 0;
    let began = performance.now();
    const send = async () => {
      const message = { n: list.length, outs: changed };
      changed = [];
      size = 0;
      this.sent = list.length;
      return Boolean((await this.#post(message))?.took);
    };
    for (const [i, el] of list.entries()) {
      const known = this.known.get(el) ?? { seen: { node: null, before: 0 }, hash: '', dirty: true };
      this.known.set(el, known);
      if (!known.dirty && known.hash.startsWith(`${i} `)) continue;
      known.dirty = false;
      const kind = rules.kind.find(({ sel }) => el.matches(sel))?.is ?? 'unknown';
      const read = dom.output(el, known.seen);
      const hash = `${i} ${kind} ${read.len} ${dom.hash(read.tail ?? read.head)}`;
      if (hash === known.hash) continue;
      known.hash = hash;
      changed.push([i, { kind: /** @type {OutputKind} */ (kind), read }]);
      size += read.head.length + (read.tail?.length ?? 0);
      if (size > MAX_MESSAGE && !(await send())) return false;
      if (performance.now() - began > SLICE_MS) {
        await new Promise((resolve) => {
          setTimeout(resolve);
        });
        began = performance.now();
      }
    }
    return (!changed.length && this.sent === list.length) || send();
  }
}

/** A sensor injected into this frame earlier. @type {{alive(): boolean, stop(): void} | undefined} */
const before = globalThis.nbmedicFrame;

// Output frames are direct children of the notebook's page.
if (parent !== window && parent === top && !before?.alive()) {
  before?.stop();
  const frame = new Frame();
  globalThis.nbmedicFrame = frame;
  frame.start();
}
