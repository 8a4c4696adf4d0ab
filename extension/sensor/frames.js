// Outputs in cross-origin frames: maps each frame to its cell and holds its contents.

import * as dom from './dom.js';

/** An output inside a frame: takes the place of the unreachable element among the cell's outputs. */
export class Part {
  /** @param {HTMLIFrameElement} frame */
  constructor(frame) {
    this.frame = frame;
    this.kind = 'unknown';
    /** @type {FramedOutput['read']} */
    this.read = { len: 0, head: '', lines: 0 };
  }

  get isConnected() {
    return this.frame.isConnected;
  }
}

/** @typedef {{id: number, el: HTMLIFrameElement, parts: Part[]}} Bound */

export class Frames {
  static Part = Part;

  /**
   * @param {Profile} profile @param {import('./link.js').Link} link
   * @param {(frame: Element, parts: Part[], more: boolean) => void} onChange `more`: outputs were added or removed
   */
  constructor({ cell, output }, link, onChange) {
    this.rules = output.frame;
    this.output = output;
    this.cell = cell;
    this.link = link;
    this.onChange = onChange;
    /** Frames by the browser's frame id. @type {Map<number, Bound>} */
    this.bound = new Map();
    /** @type {WeakMap<Element, Bound>} */
    this.of = new WeakMap();
    /** Words posted into frames and not yet returned. @type {Map<string, HTMLIFrameElement>} */
    this.words = new Map();
    this.onMessage = (
      /** @type {any} */ message,
      /** @type {unknown} */ _from,
      /** @type {(reply: unknown) => void} */ reply,
    ) => {
      if (message?.nbmedic === 1 && message.kind === 'frame') reply(this.#receive(message));
    };
    this.onLoad = (/** @type {Event} */ { target }) => {
      if (target instanceof HTMLIFrameElement && target.contentDocument) this.onChange(target, [], true);
    };
  }

  start() {
    if (!this.rules) return;
    chrome.runtime.onMessage.addListener(this.onMessage);
    document.addEventListener('load', this.onLoad, true);
    void this.link.ask({ kind: 'frames' });
  }

  stop() {
    chrome.runtime?.onMessage?.removeListener(this.onMessage);
    document.removeEventListener('load', this.onLoad, true);
    this.bound.clear();
    this.words.clear();
  }

  /** The outputs of a cell; only the outermost of nested ones. @param {Element} el */
  outputs(el) {
    const { area, find, not } = this.output;
    if (find === ':scope') return [el];
    const inside = dom.find(el, area);
    // A dedicated output area contains nothing but outputs.
    return dom.outermost(inside, find, inside === el ? not : undefined).flatMap((hit) => this.expand(hit));
  }

  /**
   * Expands an output element into the outputs in its frame, if they are known or if the frame is same-origin, as in
   * a saved page.
   * @param {Element} el @returns {(Element | Part)[]}
   */
  expand(el) {
    const { rules } = this;
    const frame =
      rules && /** @type {HTMLIFrameElement | null} */ (el.matches('iframe') ? el : el.querySelector('iframe'));
    if (!frame) return [el];
    const parts =
      this.of.get(frame)?.parts ??
      (frame.contentDocument && dom.outermost(dom.find(frame.contentDocument, rules.area), rules.find));
    return parts?.length ? parts : [el];
  }

  /** Called when a run ends: tells frames to send pending outputs now. @param {Iterable<{el: Element | Part}>} outs */
  hurry(outs) {
    const frames = new Set(
      [...outs].flatMap(({ el }) => (el instanceof Part ? (this.of.get(el.frame)?.id ?? []) : [])),
    );
    for (const frame of frames) void this.link.ask({ kind: 'hurry', frame });
  }

  /**
   * Handles a message from the sensor in a frame. The frame id comes from the background, so the page can't forge it.
   * @param {{frame: number, at?: number, word?: string, n?: number, outs?: [number, FramedOutput][]}} message
   */
  #receive({ frame, at, word, n, outs }) {
    if (word !== undefined) {
      const el = this.words.get(word);
      this.words.delete(word);
      return el?.isConnected ? this.#bind(frame, el) : {};
    }
    if (n !== undefined) return this.#take(frame, n, outs ?? []);
    return this.#meet(frame, at ?? -1);
  }

  /** Finds the element of a frame that has just announced itself. @param {number} id @param {number} at */
  #meet(id, at) {
    const { sel } = /** @type {FrameRules} */ (this.rules);
    const here = /** @type {HTMLIFrameElement[]} */ ([...document.querySelectorAll(sel)]).filter((el) =>
      this.#isOutput(el),
    );
    // Firefox provides the frame id directly.
    const { getFrameId } = /** @type {{getFrameId?: (el: Element) => number}} */ (chrome.runtime);
    if (getFrameId) {
      const el = here.find((known) => getFrameId(known) === id);
      return el ? this.#bind(id, el) : {};
    }
    // In other browsers the frame sends its index among the page's windows, which may be another frame's by now. So
    // a single-use word is posted to that window; the sensor that returns it through the background is in that frame.
    const el = here.find(({ contentWindow }) => contentWindow && contentWindow === window[at]);
    if (!el) return {};
    for (const [word, asked] of this.words) if (asked === el || !asked.isConnected) this.words.delete(word);
    const word = crypto.randomUUID();
    this.words.set(word, el);
    // Any document may be in the frame, but the word is useless to anything but our sensor.
    // eslint-disable-next-line no-restricted-properties -- it stays in the page
    el.contentWindow?.postMessage({ nbmedic: word }, '*');
    return { wait: true };
  }

  /** @param {Element} el */
  #isOutput(el) {
    const { find, skip } = this.cell;
    return el.closest(find) && !(skip && el.closest(skip));
  }

  /** @param {number} id @param {HTMLIFrameElement} el */
  #bind(id, el) {
    for (const [other, { el: known }] of this.bound) if (known === el || !known.isConnected) this.bound.delete(other);
    // The previous reading stays valid until the new one arrives.
    const bound = { id, el, parts: this.of.get(el)?.parts ?? [] };
    this.bound.set(id, bound);
    this.of.set(el, bound);
    return { rules: this.rules };
  }

  /** @param {number} id @param {number} n @param {[number, FramedOutput][]} outs */
  #take(id, n, outs) {
    const bound = this.bound.get(id);
    if (!bound?.el.isConnected) return {};
    const { el, parts } = bound;
    const more = parts.length !== n;
    while (parts.length < n) parts.push(new Part(el));
    parts.length = n;
    const fresh = outs.flatMap(([i, { kind, read }]) => (parts[i] ? [Object.assign(parts[i], { kind, read })] : []));
    this.onChange(el, fresh, more);
    return { took: true };
  }
}
