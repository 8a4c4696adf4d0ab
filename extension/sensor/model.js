// The sensor's state for each cell and output.

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
    /** Remaining changes to examine for the end of an error before the next reading. */
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
    /** A card that nbmedic's Python package has put among the outputs. @type {HTMLElement | null} */
    this.own = null;
    this.state = '';
    /** @type {number | null} */
    this.count = null;
    this.run = 0;
    this.cut = false;
    /** Whether its state can't be read because it is off screen. */
    this.blind = false;
    this.reading = new Debounce(SOON_MS, LATEST_MS);
    /** When it was last read immediately. */
    this.hurriedAt = -Infinity;
    this.sent = '';
    this.wantsSource = false;
    this.sourceHash = 0;
    /** The run whose source was read, and whether some of its lines were not rendered. */
    this.sourceRun = 0;
    this.part = false;
    /** Whether its last run printed a possible error. */
    this.trouble = false;
    /** @type {Out[] | null} null until the first reading */
    this.outs = null;
  }

  get key() {
    return `${this.nb}\n${this.id}`;
  }

  /** The source, if it has changed. @param {string | null} text null if it can't be read @param {boolean} part */
  newSource(text, part) {
    if (text === null) return null;
    this.wantsSource = false;
    // If some lines are not rendered, a different text after the same run is not an edit.
    if (this.sourceHash && this.sourceRun === this.run && (part || this.part)) return null;
    this.sourceRun = this.run;
    this.part = part;
    const hash = dom.hash(text);
    if (hash === this.sourceHash) return null;
    this.sourceHash = hash;
    return text;
  }
}

/** Whether an element is a second view of a cell, in a tab. @param {Element} el @param {Profile['cell']} rules */
export const isMirror = (el, { mirror }) => Boolean(mirror && el.closest(mirror));

/** Waiting and running cells, in the order in which they started. @extends {Set<Cell>} */
export class Queue extends Set {
  /** The first cell of a notebook. @param {string} nb @returns {Cell | null} */
  head(nb) {
    for (const cell of this) if (cell.nb === nb) return cell;
    return null;
  }

  /** A notebook's cells whose state can't be read. @param {string} nb @param {Cell | null} until only cells that started before it @returns {Cell[]} */
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
