// What the sensor remembers of each cell and each output.
'use strict';

/* exported NbmedicModel */
var NbmedicModel = (() => {
  /** A place is read when it has been quiet for this long, in milliseconds. */
  const QUIET_MS = 250;

  /** One output of a cell. */
  class Out {
    /** @param {Cell} cell @param {Element | InstanceType<typeof NbmedicFrames.Part>} el @param {number} at */
    constructor(cell, el, at) {
      this.cell = cell;
      this.el = el;
      this.at = at;
      this.wait = QUIET_MS;
      /** When it is to be read; 0: nothing changed. */
      this.due = 0;
      this.readAt = -Infinity;
      this.sent = '';
      /** @type {{node: Node | null, before: number}} */
      this.seen = { node: null, before: 0 };
    }
  }

  /** One code cell. */
  class Cell {
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
      this.since = 0;
      this.due = 0;
      this.sent = '';
      this.wantsSource = false;
      this.sourceHash = 0;
      /** @type {Out[] | null} null until the first reading */
      this.outs = null;
    }
  }

  return { QUIET_MS, Cell, Out };
})();
