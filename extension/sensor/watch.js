// Watching one notebook page: what changed in it, and reading that when the time has come.
'use strict';

/* global NbmedicRead, NbmedicCheck, NbmedicPage, NbmedicModel, NbmedicClock, NbmedicCells */
/* exported NbmedicWatch */
var NbmedicWatch = (() => {
  const R = NbmedicRead;
  const { QUIET_MS, SOON_MS, TOGETHER_MS, CHECK_MS, LATEST_MS, SLOWEST_MS, Cell, Out } = NbmedicModel;
  /** Landmarks are looked for at least so often while a page goes on changing. */
  const SLOWEST_CHECK_MS = 12000;

  return class Watch {
    /** @param {Profile} profile @param {InstanceType<typeof NbmedicLink>} link */
    constructor(profile, link) {
      this.profile = profile;
      this.link = link;
      this.clock = new NbmedicClock(
        () => this.#work(),
        () => this.#next(),
      );
      this.cells = new NbmedicCells(profile, link, this.clock, (node) => this.#observe(node));
      this.stage = this.cells.stage;
      this.page = new NbmedicPage(profile, link, (node) => this.#observe(node));
      /** @type {WeakSet<Node>} */
      this.watched = new WeakSet();
      /** Where notices stand: what comes there may go again soon. */
      this.hosts = profile.notice.flatMap(({ host = [] }) => host).join(', ');
      /** When the page is due to be read, and since when; 0: it is not. The beginning reads everything. */
      this.pageDue = 1;
      this.pageSince = 0;
      /** When a notice was last read at once. */
      this.noticeAt = -Infinity;
      /** Cells came or went, and are looked for less and less often while more come. */
      this.cellsDue = 1;
      this.cellsWait = QUIET_MS;
      this.cellsAt = 0;
      this.checkDue = 1;
      this.checkWait = CHECK_MS;
      this.checkAt = 0;
      this.themeDirty = true;
      this.theme = 'light';
      this.title = document.title;
      /** Called when the page's cells are gone, or back. */
      this.onLost = () => {};
      this.media = matchMedia('(prefers-color-scheme: dark)');
      const changed = (/** @type {MutationRecord[]} */ records) => this.#changed(records);
      this.observer = new MutationObserver(changed);
      this.onScheme = () => {
        this.themeDirty = true;
        this.#touchPage();
      };
      this.onShow = (/** @type {Event} */ event) => {
        // The background forgot this page when another took its place.
        if (/** @type {PageTransitionEvent} */ (event).persisted) this.link.again();
        else if (!document.hidden) this.clock.wake();
      };
    }

    start() {
      this.link.onEffects = (effects, full) => this.stage.apply(effects, full);
      this.media.addEventListener('change', this.onScheme);
      window.addEventListener('pageshow', this.onShow);
      document.addEventListener('visibilitychange', this.onShow);
      this.#observe(document);
      this.cells.frames.start();
      this.clock.arm(1);
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
      /** @type {Set<InstanceType<typeof Cell>> | null} */
      let touched = null;
      for (const record of records) {
        const owner = cells.owner(record.target);
        if (owner === 'own') continue;
        // The hot path: an output that streams and is to be read later anyway.
        if (owner instanceof Out && owner.due) continue;
        now ||= performance.now();
        if (owner instanceof Out) cells.touchOut(owner, now);
        else if (this.stage.made(record)) continue;
        else if (owner) (touched ??= new Set()).add(owner);
        else this.#elsewhere(record, now);
      }
      cells.forget();
      for (const cell of touched ?? []) {
        // Now, not when it is quiet: a run that kills its kernel at once is over before.
        cells.readState(cell);
        cells.touch(cell, now);
      }
    }

    /** A change outside of the cells that are known. @param {MutationRecord} record @param {number} now */
    #elsewhere(record, now) {
      const { find, all, skip } = this.profile.cell;
      const { target, type } = record;
      // Editors put style elements into the head, one for each.
      if (target === document.head && !R.holds(record, ':not(style)')) return;
      if (target.nodeName === 'TITLE') {
        // Some write the same one again and again.
        if (document.title === this.title) return;
        this.title = document.title;
      }
      this.themeDirty ||=
        target === document.head ||
        (type === 'attributes' && (target === document.body || target === document.documentElement));
      const inside = R.element(target)?.closest(all);
      if ((inside?.matches(find) && !(skip && inside.closest(skip))) || R.holds(record, all)) this.#touchCells(now);
      // What changes within a text is no sign of anything else.
      else if (!inside) {
        const urgent = now - this.noticeAt > SOON_MS && this.#isNotice(record);
        if (urgent) this.noticeAt = now;
        this.#touchPage(now, urgent);
      }
    }

    /** Whether a notice came, went or changed. @param {MutationRecord} record */
    #isNotice(record) {
      if (!this.hosts) return false;
      const root = record.target.getRootNode();
      const at = root instanceof ShadowRoot ? root.host : R.element(record.target);
      return at?.matches(this.hosts) || R.holds(record, this.hosts);
    }

    /** @param {number} [now] @param {boolean} [urgent] */
    #touchPage(now = performance.now(), urgent = false) {
      this.pageSince ||= now;
      // A dialog may be answered before the page is quiet.
      this.pageDue = urgent || this.pageDue === 1 ? 1 : Math.min(this.pageSince + LATEST_MS, now + SOON_MS);
      this.clock.arm(this.pageDue);
      this.#touchCheck(now);
    }

    /** @param {number} now */
    #touchCells(now) {
      if (this.cellsDue) return;
      if (now - this.cellsAt > 2 * this.cellsWait) this.cellsWait = QUIET_MS;
      this.cellsDue = now + this.cellsWait;
      this.clock.arm(this.cellsDue);
      this.#touchCheck(now);
    }

    /** @param {number} now */
    #touchCheck(now) {
      if (this.checkDue) return;
      if (now - this.checkAt > 2 * this.checkWait) this.checkWait = CHECK_MS;
      this.checkDue = now + this.checkWait;
      this.clock.arm(this.checkDue);
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
      if (this.checkDue && this.checkDue <= clock.began) attempt(() => this.#check());
    }

    /** When the next reading is due; what this one found is told. */
    #next() {
      const { link } = this;
      if (link.lost && !link.waiting.size) {
        link.lost = false;
        this.cells.everything();
        this.#touchCells(performance.now());
      }
      void link.send();
      return Math.min(
        this.pageDue || Infinity,
        this.cellsDue || Infinity,
        this.checkDue || Infinity,
        this.cells.next(),
      );
    }

    /** The steps of reading the page. */
    *#page() {
      const { began } = this.clock;
      const first = !this.cellsAt;
      // What is said beside a cell is about what ran before: it is told first.
      const page = this.pageDue > 0 && this.pageDue <= began + TOGETHER_MS;
      const look = this.cellsDue > 0 && this.cellsDue <= began;
      if (first) yield () => this.#check();
      if (page) {
        this.pageSince = 0;
        this.pageDue = 0;
        yield () => {
          this.#readTheme();
          this.page.readNotices();
        };
      }
      if (look) {
        this.cellsAt = began;
        this.cellsWait = first ? QUIET_MS : Math.min(this.cellsWait * 2, SLOWEST_MS);
        this.cellsDue = 0;
      }
      if (page || look)
        yield () => {
          if (!this.cells.readNotebooks(look) || first) return;
          // Somebody opened it to work with it: its cells are wanted soon.
          this.cellsWait = QUIET_MS;
          this.cellsDue = began + QUIET_MS;
        };
      if (page) yield () => this.page.readVitals(this.clock.runs);
      if (look) yield () => this.stage.settle();
    }

    #readTheme() {
      if (!this.themeDirty) return;
      this.themeDirty = false;
      this.theme = R.scheme(this.profile.theme);
      this.stage.setTheme(this.theme);
    }

    /** Whether the page still is what it was taken for. */
    #check() {
      this.checkAt = this.clock.began;
      this.checkDue = 0;
      this.#readTheme();
      this.page.greet(this.theme);
      // What is missing is told to people: not longer than it is true.
      this.checkWait = Math.min(this.checkWait * 2, this.page.misses ? 2 * CHECK_MS : SLOWEST_CHECK_MS);
      if (NbmedicCheck.lost(this.profile) !== Boolean(this.profile.mixed)) this.onLost();
    }

    /** @param {InstanceType<typeof Cell>} cell */
    #readCell(cell) {
      this.cells.read(cell);
      const now = performance.now();
      // What is missed of the front end may have come with it, or it is no cell any more.
      if (this.page.misses) this.#touchCheck(now);
      if (!cell.el.matches(this.profile.cell.find)) this.#touchCells(now);
    }
  };

  /** What one place of a page does to us must not cost the others. @param {() => void} read */
  function attempt(read) {
    try {
      read();
    } catch (error) {
      console.debug('nbmedic could not read a part of this page:', error);
    }
  }
})();
