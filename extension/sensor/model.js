// What the sensor remembers of each cell and each output.

import * as dom from './dom.js';
import { Backoff, Debounce } from './schedule.js';
import { LATEST_MS, SLOWEST_MS, SOON_MS } from './times.js';

/** One output of a cell. */
export class Out {
  /** @param {Cell} cell @param {Element | import('./frames.js').Part} el @param {number} at */
  constructor(cell, el, at) {
    this.cell = cell;
    this.el = el;
    this.at = at;
    this.reading = new Backoff(SOON_MS, SLOWEST_MS);
    /** Changes until the next reading that may still be looked at for the end of an error. */
    this.peeks = 0;
    this.sent = '';
    /** @type {{node: Node | null, before: number}} */
    this.seen = { node: null, before: 0 };
  }
}

/** One code cell. */
export class Cell {
  /** @param {string} nb @param {string} id @param {Element} el */
  constructor(nb, id, el) {
    this.nb = nb;
    this.id = id;
    this.el = el;
    this.index = -1;
    this.state = '';
    /** @type {number | null} */
    this.count = null;
    this.run = 0;
    this.cut = false;
    /** Its state can't be seen now: it is off screen. */
    this.blind = false;
    this.reading = new Debounce(SOON_MS, LATEST_MS);
    /** When it was last read at once. */
    this.hurriedAt = -Infinity;
    this.sent = '';
    this.wantsSource = false;
    this.sourceHash = 0;
    /** The run whose source was read, and whether lines of it were not drawn. */
    this.sourceRun = 0;
    this.part = false;
    /** Its last run printed what may be an error. */
    this.trouble = false;
    /** @type {Out[] | null} null until the first reading */
    this.outs = null;
  }

  get key() {
    return `${this.nb}\n${this.id}`;
  }

  /** The source, if it is another one than before. @param {string | null} text null: it can't be read @param {boolean} part */
  newSource(text, part) {
    if (text === null) return null;
    this.wantsSource = false;
    // Where lines are not drawn, another text after the same run is no edit.
    if (this.sourceHash && this.sourceRun === this.run && (part || this.part)) return null;
    this.sourceRun = this.run;
    this.part = part;
    const hash = dom.hash(text);
    if (hash === this.sourceHash) return null;
    this.sourceHash = hash;
    return text;
  }
}

/** Whether a cell is shown a second time, in a tab. @param {Element} el @param {Profile['cell']} rules */
export const isMirror = (el, { mirror }) => Boolean(mirror && el.closest(mirror));

/** Cells that wait or run, in the order in which they started. @extends {Set<Cell>} */
export class Queue extends Set {
  /** The first cell of a notebook. @param {string} nb @returns {Cell | null} */
  head(nb) {
    for (const cell of this) if (cell.nb === nb) return cell;
    return null;
  }

  /** Those of a notebook that can't be seen. @param {string} nb @param {Cell | null} until only what started before it @returns {Cell[]} */
  blind(nb, until) {
    const all = [...this];
    return all.slice(0, until ? all.indexOf(until) : all.length).filter((cell) => cell.nb === nb && cell.blind);
  }
}

/** Ids for elements that have none. */
export class Ids {
  constructor() {
    /** @type {WeakMap<Element, string>} */
    this.known = new WeakMap();
    this.last = 0;
  }

  /** @param {string} prefix */
  next(prefix) {
    return `${prefix}${(this.last += 1)}`;
  }

  /** @param {Element} el @param {string} prefix */
  of(el, prefix) {
    const id = this.known.get(el) ?? this.next(prefix);
    this.known.set(el, id);
    return id;
  }
}
