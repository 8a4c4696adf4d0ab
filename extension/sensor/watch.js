// Watches one notebook page: tracks its changes and reads them when they are due.

import { Cells } from './cells.js';
import { lost } from './check.js';
import { Clock } from './clock.js';
import * as dom from './dom.js';
import { Cell, Out } from './model.js';
import { Page } from './page.js';
import { Backoff, Debounce } from './schedule.js';
import { CHECK_MS, LATEST_MS, QUIET_MS, SLOWEST_CHECK_MS, SLOWEST_MS, SOON_MS, TOGETHER_MS } from './times.js';

export class Watch {
  /** @param {Profile} profile @param {import('./link.js').Link} link */
  constructor(profile, link) {
    this.profile = profile;
    this.link = link;
    this.clock = new Clock(
      () => this.#work(),
      () => this.#next(),
    );
    this.cells = new Cells(profile, link, this.clock, (node) => this.#observe(node));
    this.stage = this.cells.stage;
    this.page = new Page(profile, link, (node) => this.#observe(node));
    /** @type {WeakSet<Node>} */
    this.watched = new WeakSet();
    /** The selector for notices, which may disappear soon after they appear. */
    this.hosts = profile.notice.flatMap(({ host = [] }) => host).join(', ');
    /** Readings of what the page shows besides cells, of its list of cells, and of whether its profile still matches. */
    this.pageReading = new Debounce(SOON_MS, LATEST_MS);
    this.cellsReading = new Backoff(QUIET_MS, SLOWEST_MS);
    this.checkReading = new Backoff(CHECK_MS, SLOWEST_CHECK_MS);
    // Everything is read at the start.
    for (const reading of [this.pageReading, this.cellsReading, this.checkReading]) reading.hurry();
    /** When a notice was last read immediately. */
    this.noticeAt = -Infinity;
    this.themeDirty = true;
    this.theme = 'light';
    this.title = document.title;
    /** Called when the page's cells disappear or reappear. */
    this.onLost = () => {};
    this.media = matchMedia('(prefers-color-scheme: dark)');
    const changed = (/** @type {MutationRecord[]} */ records) => this.#changed(records);
    this.observer = new MutationObserver(changed);
    this.onScheme = () => {
      this.themeDirty = true;
      this.#touchPage();
    };
    this.onShow = (/** @type {Event} */ event) => {
      // The background forgot this page when another one replaced it in the tab.
      if (/** @type {PageTransitionEvent} */ (event).persisted) this.link.again();
      else if (!document.hidden) this.clock.wake();
    };
  }

  start() {
    this.link.onEffects = (effects, full) => {
      this.cells.stored();
      this.stage.apply(effects, full);
    };
    this.media.addEventListener('change', this.onScheme);
    window.addEventListener('pageshow', this.onShow);
    document.addEventListener('visibilitychange', this.onShow);
    this.#observe(document);
    this.cells.frames.start();
    this.clock.arm(0);
  }

  stop() {
    this.clock.stop();
    this.observer.disconnect();
    this.media.removeEventListener('change', this.onScheme);
    window.removeEventListener('pageshow', this.onShow);
    document.removeEventListener('visibilitychange', this.onShow);
    this.cells.stop();
  }

  // --- changes -------------------------------------------------------------------------------

  /** @param {Node} node */
  #observe(node) {
    if (this.watched.has(node)) return;
    this.watched.add(node);
    const { attributes } = this.profile;
    this.observer.observe(node, {
      childList: true,
      subtree: true,
      characterData: true,
      ...(attributes.length ? { attributes: true, attributeFilter: attributes } : {}),
    });
  }

  /** @param {MutationRecord[]} records */
  #changed(records) {
    const { cells } = this;
    let now = 0;
    /** The cells that changed, with their changes. @type {Map<Cell, MutationRecord[]> | null} */
    let touched = null;
    /** @type {Set<Out> | null} */
    let grown = null;
    for (const record of records) {
      const owner = cells.owner(record.target);
      if (owner === 'own') continue;
      // The hot path: a streaming output whose reading is already scheduled.
      if (owner instanceof Out && owner.reading.at < Infinity && !owner.peeks) continue;
      now ||= performance.now();
      if (owner instanceof Out) (grown ??= new Set()).add(owner);
      else if (this.stage.made(record)) continue;
      else if (owner) {
        touched ??= new Map();
        const list = touched.get(owner) ?? [];
        list.push(record);
        touched.set(owner, list);
      } else this.#elsewhere(record, now);
    }
    cells.forget();
    for (const out of grown ?? []) cells.touchOut(out, now);
    for (const [cell, changes] of touched ?? []) {
      // Read now rather than after the delay: a run that kills its kernel at once would already be over.
      cells.readState(cell);
      cells.touch(cell, now);
      cells.peek(cell, changes, now);
    }
  }

  /** Handles a change outside the known cells. @param {MutationRecord} record @param {number} now */
  #elsewhere(record, now) {
    const { find, all, skip } = this.profile.cell;
    const { target, type } = record;
    // Each editor adds a style element to the head.
    if (target === document.head && !dom.holds(record, ':not(style)')) return;
    if (target.nodeName === 'TITLE') {
      // Some pages set the same title repeatedly.
      if (document.title === this.title) return;
      this.title = document.title;
    }
    this.themeDirty ||=
      target === document.head ||
      (type === 'attributes' && (target === document.body || target === document.documentElement));
    const inside = dom.element(target)?.closest(all);
    if ((inside?.matches(find) && !(skip && inside.closest(skip))) || dom.holds(record, all)) this.#touchCells(now);
    // Changes inside a text cell affect nothing else.
    else if (!inside) {
      const urgent = now - this.noticeAt > SOON_MS && this.#isNotice(record);
      if (urgent) this.noticeAt = now;
      this.#touchPage(now, urgent);
    }
  }

  /** Whether a notice appeared, disappeared or changed. @param {MutationRecord} record */
  #isNotice(record) {
    if (!this.hosts) return false;
    const root = record.target.getRootNode();
    const at = root instanceof ShadowRoot ? root.host : dom.element(record.target);
    return at?.matches(this.hosts) || dom.holds(record, this.hosts);
  }

  /** @param {number} [now] @param {boolean} [urgent] */
  #touchPage(now = performance.now(), urgent = false) {
    if (urgent) {
      // A dialog may be answered before changes stop.
      this.pageReading.hurry();
      // Or before the work in progress ends: then its notice is read between two slices.
      if (this.clock.busy) window.setTimeout(() => this.clock.stopped || attempt(() => this.page.readNotices()));
    } else this.pageReading.touch(now);
    this.clock.arm(this.pageReading.at);
    this.#touchCheck(now);
  }

  /** @param {number} now */
  #touchCells(now) {
    if (this.cellsReading.at < Infinity) return;
    this.cellsReading.touch(now);
    this.clock.arm(this.cellsReading.at);
    this.#touchCheck(now);
  }

  /** @param {number} now */
  #touchCheck(now) {
    if (this.checkReading.at < Infinity) return;
    this.checkReading.touch(now);
    this.clock.arm(this.checkReading.at);
  }

  // --- reading -------------------------------------------------------------------------------

  /** Reads what is due, step by step. */
  *#work() {
    const { clock, cells } = this;
    for (const step of this.#page()) {
      attempt(step);
      yield;
    }
    for (const one of cells.due()) {
      attempt(() => (one instanceof Cell ? this.#readCell(one) : cells.readOut(one)));
      yield;
    }
    if (this.checkReading.at <= clock.began) attempt(() => this.#check());
  }

  /** Sends what was read. Returns the time of the next reading. */
  #next() {
    const { link } = this;
    if (link.lost && !link.waiting.size) {
      link.lost = false;
      this.cells.resend();
      this.#touchCells(performance.now());
    }
    void link.send();
    return Math.min(this.pageReading.at, this.cellsReading.at, this.checkReading.at, this.cells.next());
  }

  /** The steps of reading the page. */
  *#page() {
    const { pageReading, cellsReading } = this;
    const { began } = this.clock;
    const first = cellsReading.readAt === -Infinity;
    // Notices concern earlier runs, so they are read first.
    const page = pageReading.at <= began + TOGETHER_MS;
    const look = cellsReading.at <= began;
    if (first) yield () => this.#check();
    if (page) {
      pageReading.begin();
      yield () => {
        this.#readTheme();
        this.page.readNotices();
      };
    }
    if (look) {
      cellsReading.begin(began);
      if (!first) cellsReading.slow();
    }
    if (page || look)
      yield () => {
        if (!this.cells.readNotebooks(look) || first) return;
        // The user has just opened the notebook, so its cells are searched for again soon.
        cellsReading.reset();
        cellsReading.at = began + QUIET_MS;
      };
    if (page) yield () => this.page.readVitals(this.clock.runs);
    if (look) yield () => this.stage.settle();
  }

  #readTheme() {
    if (!this.themeDirty) return;
    this.themeDirty = false;
    this.theme = dom.scheme(this.profile.theme);
    this.stage.setTheme(this.theme);
  }

  /** Checks whether the profile still matches the page. */
  #check() {
    this.checkReading.begin(this.clock.began);
    this.#readTheme();
    this.page.greet(this.theme);
    // Missing landmarks are shown to the user, so they are checked more often.
    this.checkReading.slow(this.page.misses ? 2 * CHECK_MS : SLOWEST_CHECK_MS);
    if (lost(this.profile) !== Boolean(this.profile.mixed)) this.onLost();
  }

  /** @param {Cell} cell */
  #readCell(cell) {
    this.cells.read(cell);
    const now = performance.now();
    // The cell may have brought a missing landmark, or its element may no longer be a cell.
    if (this.page.misses) this.#touchCheck(now);
    if (!cell.el.matches(this.profile.cell.find)) this.#touchCells(now);
  }
}

/** Runs one reading; an error in it must not stop the others. @param {() => void} read */
function attempt(read) {
  try {
    read();
  } catch (error) {
    console.debug('nbmedic could not read a part of this page:', error);
  }
}
