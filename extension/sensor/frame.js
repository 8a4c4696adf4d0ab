// The sensor in an output frame: reads the outputs in there and hands them to the sensor of the page
// around it, which knows the cell. It shows nothing, and reads only once that sensor has known it.
'use strict';

/* global NbmedicRead */
/* exported NbmedicFrame */
var NbmedicFrame = ((/** @type {{alive(): boolean, stop(): void} | undefined} */ before) => {
  const R = NbmedicRead;
  /** As in the page: soon after a change, and less and less often while it goes on. Milliseconds. */
  const SOON_MS = 150;
  const SLOWEST_MS = 5000;
  const SLICE_MS = 6;
  /** How long the page's sensor is waited for, and how often, before it has to ask by itself. */
  const AGAIN_MS = 2000;
  const MAX_TRIES = 3;
  /** Outputs that are told apart; of more, the last one stands for the rest. */
  const MAX_OUTS = 256;
  const MAX_MESSAGE = 512 * 1024;

  /** @typedef {{seen: {node: Node | null, before: number}, hash: string, dirty: boolean}} Known */

  class Frame {
    constructor() {
      /** What to read here; null until the page's sensor has said so. @type {FrameRules | null} */
      this.rules = null;
      /** @type {WeakMap<Node, Known>} */
      this.known = new WeakMap();
      /** What was told: outputs, and the text of each. */
      this.told = -1;
      /** @type {Node | null} */
      this.lastTarget = null;
      /** @type {Known | null} */
      this.lastOwner = null;
      this.due = 0;
      this.wait = SOON_MS;
      this.readAt = -Infinity;
      this.timer = 0;
      this.again = 0;
      this.busy = false;
      this.tries = 0;
      /** Words of the page's sensor that may still be passed on. */
      this.claims = 0;
      this.observer = new MutationObserver((records) => this.#changed(records));
      this.onWord = (/** @type {MessageEvent} */ event) => this.#word(event);
      this.onTold = (/** @type {any} */ message) => {
        if (message?.nbmedic !== 1) return;
        if (message.kind === 'who') {
          this.tries = 0;
          void this.#announce();
        } else if (message.kind === 'hurry' && this.due) {
          this.wait = SOON_MS;
          this.#arm(0);
        }
      };
    }

    start() {
      // Before any script of the frame: what is said to us is heard by nobody else.
      window.addEventListener('message', this.onWord, true);
      chrome.runtime.onMessage.addListener(this.onTold);
      void this.#announce();
    }

    stop() {
      window.removeEventListener('message', this.onWord, true);
      chrome.runtime?.onMessage?.removeListener(this.onTold);
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

    /** Says that this frame is there, and which of the page's windows it is. */
    async #announce() {
      this.rules = null;
      this.claims = MAX_TRIES;
      clearTimeout(this.again);
      let at = parent.length - 1;
      while (at >= 0 && parent[at] !== window) at -= 1;
      const reply = await this.#post({ at });
      if (reply?.rules) this.#begin(reply.rules);
      // An answer without rules: this frame is no cell's. None: the page's sensor is not there, and asks when it is.
      else if ((!reply || reply.wait) && this.alive() && (this.tries += 1) < MAX_TRIES) {
        this.again = window.setTimeout(() => this.rules || void this.#announce(), AGAIN_MS * this.tries);
      }
    }

    /** The page's sensor says a word into the frame of one cell: whoever hears it is in that cell. @param {MessageEvent} event */
    async #word(event) {
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
      clearTimeout(this.again);
      this.known = new WeakMap();
      this.told = -1;
      this.wait = SOON_MS;
      this.lastTarget = null;
      this.observer.observe(document, { childList: true, subtree: true, characterData: true });
      void this.#read();
    }

    /** @param {MutationRecord[]} records */
    #changed(records) {
      for (const { target } of records) {
        if (target !== this.lastTarget) {
          this.lastTarget = target;
          this.lastOwner = null;
          for (let at = /** @type {Node | null} */ (target); at && !this.lastOwner; at = at.parentNode)
            this.lastOwner = this.known.get(at) ?? null;
        }
        if (this.lastOwner) this.lastOwner.dirty = true;
        // Where outputs come and go the next look is soon.
        else this.wait = SOON_MS;
      }
      const now = performance.now();
      if (now - this.readAt > 2 * this.wait) this.wait = SOON_MS;
      if (!this.due || this.due > now + this.wait) this.#arm(now + this.wait);
    }

    /** @param {number} due */
    #arm(due) {
      this.due = due || 1;
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => void this.#read(), Math.max(0, due - performance.now()));
    }

    /** Reads what changed and tells it. */
    async #read() {
      const { rules } = this;
      if (this.busy || !rules) return;
      this.busy = true;
      this.due = 0;
      this.lastTarget = null;
      this.readAt = performance.now();
      const took = await this.#tell(rules);
      this.busy = false;
      if (this.rules !== rules) {
        if (this.rules) void this.#read();
      } else if (took) {
        this.tries = 0;
        this.wait = Math.min(this.wait * 2, SLOWEST_MS);
        if (this.due) this.#arm(this.due);
      } else {
        // The page's sensor does not know this frame any more. One that says so again and again is let be.
        this.observer.disconnect();
        this.rules = null;
        if ((this.tries += 1) < MAX_TRIES) void this.#announce();
      }
    }

    /** @param {FrameRules} rules @returns {Promise<boolean>} that the page's sensor took it */
    async #tell(rules) {
      const all = outputs(rules);
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
        this.told = list.length;
        return Boolean((await this.#post(message))?.took);
      };
      for (const [i, el] of list.entries()) {
        const known = this.known.get(el) ?? { seen: { node: null, before: 0 }, hash: '', dirty: true };
        this.known.set(el, known);
        if (!known.dirty && known.hash.startsWith(`${i} `)) continue;
        known.dirty = false;
        const kind = rules.kind.find(({ sel }) => el.matches(sel))?.is ?? 'unknown';
        const read = R.output(el, known.seen);
        const hash = `${i} ${kind} ${read.len} ${R.hash(read.tail ?? read.head)}`;
        if (hash === known.hash) continue;
        known.hash = hash;
        changed.push([i, { kind, read }]);
        size += read.head.length + (read.tail?.length ?? 0);
        if (size > MAX_MESSAGE && !(await send())) return false;
        if (performance.now() - began > SLICE_MS) {
          await new Promise((resolve) => {
            setTimeout(resolve);
          });
          began = performance.now();
        }
      }
      return (!changed.length && this.told === list.length) || send();
    }
  }

  /** The outputs of this frame; of nested ones the outermost. @param {FrameRules} rules */
  function outputs({ area, find }) {
    const inside = R.find(document, area);
    /** @type {Element[]} */
    const found = [];
    for (const hit of inside?.querySelectorAll(find) ?? []) if (!found.at(-1)?.contains(hit)) found.push(hit);
    return found;
  }

  // Outputs stand in frames right below the notebook's page.
  if (parent === window || parent !== top || before?.alive()) return before;
  before?.stop();
  const frame = new Frame();
  frame.start();
  return frame;
})(globalThis.NbmedicFrame);
