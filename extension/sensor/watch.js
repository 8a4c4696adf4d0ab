// Watching one notebook page: which cells there are and what changed in them.
'use strict';

/* global NbmedicRead, NbmedicCheck, NbmedicPage, NbmedicCard, NbmedicStage, NbmedicModel, NbmedicFrames */
/* exported NbmedicWatch */
var NbmedicWatch = (() => {
  const R = NbmedicRead;
  const { QUIET_MS, MAX_SOURCE, pause, isMirror, Cell: CellRecord, Out: OutRecord } = NbmedicModel;
  /** A change is read when the place has been quiet for a while, and at the latest after this time. */
  const LATEST_MS = 1000;
  const GRID_MS = 100;
  /** An output that keeps growing is read less and less often, down to once in this time. */
  const SLOWEST_MS = 5000;
  /** In a hidden tab in which nothing has run for this long, changes are read no more often than this. */
  const REST_MS = 30000;
  /** Work on one task of the page's main thread at most, roughly. */
  const SLICE_MS = 6;
  /** Cells that are read anew beside one that fails. */
  const MAX_AROUND = 400;
  /** A text that is worth the cell's source. It decides nothing else. */
  const TROUBLE = /error|exception|traceback|killed|fault/i;
  const ACTIVE = new Set(['running', 'pending']);
  /** What a kernel's status says about cells whose own state can't be seen: nothing runs. */
  const OVER = new Set(['idle', 'starting', 'restarting', 'autorestarting', 'dead']);

  /** @typedef {InstanceType<typeof CellRecord>} Cell @typedef {InstanceType<typeof OutRecord>} Out */

  return class Watch {
    /** @param {Profile} profile @param {InstanceType<typeof NbmedicLink>} link */
    constructor(profile, link) {
      this.profile = profile;
      this.link = link;
      /** @type {Map<string, {el: Element, name: string | null, kernel: string}>} */
      this.nbs = new Map();
      /** @type {Map<string, Cell>} */
      this.cells = new Map();
      /** What an element of the page, or an output in a frame, is to us. @type {WeakMap<object, Cell | Out>} */
      this.known = new WeakMap();
      this.ids = new NbmedicModel.Ids();
      /** @type {WeakSet<Node>} */
      this.watched = new WeakSet();
      this.queue = new NbmedicModel.Queue();
      /** @type {Set<Cell>} */
      this.dirtyCells = new Set();
      /** @type {Set<Out>} */
      this.dirtyOuts = new Set();
      /** Where the last change was; forgotten when the outputs of a cell are read anew. @type {Node | null} */
      this.lastTarget = null;
      this.lastOwner = /** @type {Cell | Out | 'own' | null} */ (null);
      this.lastQuiet = /** @type {Element | null} */ (null);
      this.pageSince = 0;
      this.pageDue = 0;
      /** Cells came or went, and are looked for less and less often while more come. */
      this.cellsDue = 1;
      this.cellsWait = QUIET_MS;
      this.cellsAt = 0;
      this.themeDirty = true;
      this.theme = 'light';
      /** One path for each shadow root through which states are read. */
      this.through = R.prefixes(profile.state.flatMap(({ sel = [], and = [] }) => [...sel, ...and]));
      this.page = new NbmedicPage(profile, link, (node) => this.#observe(node));
      this.stage = new NbmedicStage(profile, link, this.cells, this.nbs);
      this.frames = new NbmedicFrames(profile, link, (frame, parts, more) => this.#framed(frame, parts, more));
      this.timer = 0;
      this.timerAt = Infinity;
      /** When a cell was last seen running. */
      this.ranAt = performance.now();
      this.busy = false;
      this.stopped = false;
      /** Called when the page's cells are gone, or back. */
      this.onLost = () => {};
      this.media = matchMedia('(prefers-color-scheme: dark)');
      this.observer = new MutationObserver((records) => this.#changed(records));
      this.onScheme = () => {
        this.themeDirty = true;
        this.#touchPage();
      };
      this.onShow = (/** @type {Event} */ event) => {
        // The background forgot this page when another took its place.
        if (/** @type {PageTransitionEvent} */ (event).persisted) this.link.again();
        else if (!document.hidden && this.timerAt < Infinity) this.#arm(1);
      };
    }

    start() {
      this.link.onEffects = (effects, full) => this.stage.apply(effects, full);
      this.media.addEventListener('change', this.onScheme);
      window.addEventListener('pageshow', this.onShow);
      document.addEventListener('visibilitychange', this.onShow);
      this.#observe(document);
      this.#readTheme();
      this.page.greet(this.theme);
      this.frames.start();
      this.pageDue = 1;
      this.#arm(1);
    }

    stop() {
      this.stopped = true;
      this.frames.stop();
      this.observer.disconnect();
      clearTimeout(this.timer);
      this.media.removeEventListener('change', this.onScheme);
      window.removeEventListener('pageshow', this.onShow);
      document.removeEventListener('visibilitychange', this.onShow);
      this.stage.clear();
      this.cells.clear();
    }

    // --- changes -------------------------------------------------------------------------------

    /** @param {Node} node */
    #observe(node) {
      if (this.watched.has(node)) return;
      this.watched.add(node);
      const { attributes } = this.profile;
      this.observer.observe(node, {
        childList: true, subtree: true, characterData: true,
        ...(attributes.length ? { attributes: true, attributeFilter: attributes } : {}),
      });
    }

    /** @param {MutationRecord[]} records */
    #changed(records) {
      let now = 0;
      /** @type {Set<Cell> | null} */
      let touched = null;
      for (const record of records) {
        const { target } = record;
        if (target !== this.lastTarget) {
          this.lastTarget = target;
          this.lastOwner = target.isConnected ? this.#owner(target) : 'own';
        }
        const owner = this.lastOwner;
        if (owner === 'own') continue;
        // The hot path: an output that streams and is to be read later anyway.
        if (owner instanceof OutRecord && owner.due) continue;
        now ||= performance.now();
        if (owner instanceof OutRecord) this.#touchOut(owner, now);
        else if (this.stage.made(record)) continue;
        else if (owner) (touched ??= new Set()).add(owner);
        else {
          // Editors put style elements into the head, one for each.
          if (target === document.head && !R.holds(record, ':not(style)')) continue;
          this.themeDirty ||= target === document.head || (record.type === 'attributes' && (target === document.body || target === document.documentElement));
          if (R.holds(record, this.profile.cell.all)) this.#touchCells(now);
          else this.#touchPage(now);
        }
      }
      // The document is free to take it away, unless it is where the stream goes on.
      if (!(this.lastOwner instanceof OutRecord)) this.lastTarget = null;
      this.lastQuiet = null;
      for (const cell of touched ?? []) {
        // Now, not when it is quiet: a run that kills its kernel at once is over before.
        this.#readState(cell);
        this.#touchCell(cell, now);
      }
    }

    /** The cell or output that a node belongs to. @param {Node} node @returns {Cell | Out | 'own' | null} */
    #owner(node) {
      const { quiet } = this.profile;
      if (this.lastQuiet?.contains(node)) return 'own';
      this.lastQuiet = quiet ? ((node instanceof Element ? node : node.parentElement)?.closest(quiet) ?? null) : null;
      if (this.lastQuiet) return 'own';
      for (let at = /** @type {Node | null} */ (node); at; at = at.parentNode ?? (at instanceof ShadowRoot ? at.host : null)) {
        const known = this.known.get(at);
        if (known) return known;
        if (/** @type {Element} */ (at).localName === NbmedicCard.HOST) return 'own';
      }
      return null;
    }

    /** @param {number} [now] */
    #touchPage(now = performance.now()) {
      this.pageSince ||= now;
      this.pageDue = Math.min(this.pageSince + LATEST_MS, now + QUIET_MS);
      this.#arm(this.pageDue);
    }

    /** @param {number} now */
    #touchCells(now) {
      if (this.cellsDue) return;
      if (now - this.cellsAt > 2 * this.cellsWait) this.cellsWait = QUIET_MS;
      this.cellsDue = now + this.cellsWait;
      this.#arm(this.cellsDue);
    }

    /** @param {Cell} cell @param {number} now */
    #touchCell(cell, now) {
      cell.since ||= now;
      // Cells that change one after the other are read together.
      cell.due = Math.ceil(Math.min(cell.since + LATEST_MS, now + QUIET_MS) / GRID_MS) * GRID_MS;
      this.dirtyCells.add(cell);
      this.#arm(cell.due);
    }

    /** @param {Out} out @param {number} now */
    #touchOut(out, now) {
      if (out.due) return;
      if (now - out.readAt > 2 * out.wait) out.wait = QUIET_MS;
      out.due = now + out.wait;
      this.dirtyOuts.add(out);
      this.#arm(out.due);
    }

    /** The sensor in a frame told something; it does so seldom enough. @param {Element} frame @param {object[]} parts @param {boolean} more */
    #framed(frame, parts, more) {
      const owner = more && this.#owner(frame);
      const cell = owner instanceof OutRecord ? owner.cell : owner;
      if (cell instanceof CellRecord) {
        cell.due = 1;
        this.dirtyCells.add(cell);
      }
      for (const part of parts) {
        const out = this.known.get(part);
        if (!(out instanceof OutRecord)) continue;
        out.due = 1;
        this.dirtyOuts.add(out);
      }
      this.#arm(1);
    }

    #everything() {
      const now = performance.now();
      for (const cell of this.cells.values()) {
        this.#touchCell(cell, now);
        for (const out of cell.outs ?? []) {
          out.sent = '';
          this.#touchOut(out, now);
        }
      }
      this.#touchCells(now);
      this.#touchPage(now);
    }

    // --- the clock -----------------------------------------------------------------------------

    /** One timer for everything; none while nothing changed. @param {number} at */
    #arm(at) {
      if (this.stopped || this.busy) return;
      const now = performance.now();
      if (document.hidden && !this.queue.size && now - this.ranAt > REST_MS) at = Math.max(at, now + REST_MS);
      if (at >= this.timerAt) return;
      clearTimeout(this.timer);
      this.timerAt = at;
      this.timer = window.setTimeout(() => {
        this.timerAt = Infinity;
        void this.#flush();
      }, Math.max(0, at - now));
    }

    /** Reads what is due, in slices, and sends it. */
    async #flush() {
      if (this.busy || this.stopped) return;
      this.busy = true;
      let began = performance.now();
      // There are as many steps as cells and outputs: no promise where there is no pause.
      const breathe = () => performance.now() - began >= SLICE_MS && pause().then(() => (began = performance.now()));
      let paused;
      if ((this.pageDue && this.pageDue <= began) || (this.cellsDue && this.cellsDue <= began)) {
        this.pageSince = 0;
        this.pageDue = 0;
        for (const step of this.#readPage()) {
          this.#attempt(step);
          if ((paused = breathe())) await paused;
          if (this.stopped) return;
        }
      }
      for (const cell of [...this.dirtyCells]) {
        if (this.stopped) return;
        if (cell.due > began) continue;
        this.dirtyCells.delete(cell);
        cell.since = 0;
        if (this.cells.get(cell.key) === cell) this.#attempt(() => this.#readCell(cell));
        // What is missed of the front end may have come with it, or it is no cell any more.
        if (this.page.misses) this.#touchPage();
        if (!cell.el.matches(this.profile.cell.find)) this.#touchCells(began);
        if ((paused = breathe())) await paused;
      }
      for (const out of [...this.dirtyOuts]) {
        if (this.stopped) return;
        if (out.due > began) continue;
        this.dirtyOuts.delete(out);
        this.#attempt(() => this.#readOut(out));
        if ((paused = breathe())) await paused;
      }
      this.busy = false;
      if (this.stopped) return;
      if (this.link.lost && !this.link.waiting.size) {
        this.link.lost = false;
        this.#everything();
      }
      void this.link.send();
      let next = Math.min(this.pageDue || Infinity, this.cellsDue || Infinity);
      for (const { due } of this.dirtyCells) next = Math.min(next, due);
      for (const { due } of this.dirtyOuts) next = Math.min(next, due);
      if (next < Infinity) this.#arm(next);
    }

    /** What one place of a page does to us must not cost the others. @param {() => void} read */
    #attempt(read) {
      try {
        read();
      } catch (error) {
        console.debug('nbmedic could not read a part of this page:', error);
      }
    }

    // --- the page ------------------------------------------------------------------------------

    #readTheme() {
      if (!this.themeDirty) return;
      this.themeDirty = false;
      this.theme = R.scheme(this.profile.theme);
      this.stage.setTheme(this.theme);
    }

    /** The steps of reading the page. */
    #readPage() {
      const first = !this.cellsAt;
      this.cellsAt = performance.now();
      const look = this.cellsDue > 0 && this.cellsDue <= this.cellsAt;
      // The start has counted the landmarks; while cells come in one after the other only what is missed is counted.
      const greet = !first && (!look || this.cellsWait === QUIET_MS);
      if (look) {
        this.cellsWait = Math.min(this.cellsWait * 2, SLOWEST_MS);
        this.cellsDue = 0;
      }
      return [
        () => {
          this.#readTheme();
          this.page.readNotices();
        },
        () => {
          const { root, id: attr } = this.profile.notebook;
          const roots = root.length ? R.all(document, root) : [document.documentElement];
          const seen = new Set();
          for (const el of roots) {
            const id = (attr && el.getAttribute(attr)) || this.ids.of(el, 'n');
            if (seen.has(id)) continue;
            seen.add(id);
            this.#readNotebook(id, el, roots.length === 1, look);
          }
          for (const id of [...this.nbs.keys()]) if (!seen.has(id)) this.nbs.delete(id);
          for (const cell of [...this.cells.values()]) if (!seen.has(cell.nb)) this.#remove(cell);
        },
        () => {
          this.page.readVitals();
          this.stage.settle();
          if (greet || this.page.misses) this.page.greet(this.theme);
          if (NbmedicCheck.lost(this.profile) !== Boolean(this.profile.mixed)) this.onLost();
        },
      ];
    }

    /** @param {string} id @param {Element} el @param {boolean} only it is the only one on the page @param {boolean} look at its cells */
    #readNotebook(id, el, only, look) {
      const { notebook, cell: rules, kernel: kernels, count: counts } = this.profile;
      const nb = this.nbs.get(id) ?? { el, name: null, kernel: '' };
      this.nbs.set(id, nb);
      nb.el = el;
      const name = R.name(el, id, notebook.name).replace(notebook.strip ?? '', '');
      if (name !== nb.name) {
        nb.name = name;
        this.link.push({ t: 'notebook', nb: id, name });
      }
      // A toolbar that is too narrow puts what does not fit elsewhere.
      const kernel = R.rule(el, kernels) ?? (only ? R.rule(document, kernels) : null) ?? '';
      for (const { sel, from } of kernels) for (const shadow of R.shadows(el, sel ?? from ?? [])) this.#observe(shadow);
      if (kernel !== nb.kernel) {
        nb.kernel = kernel;
        this.link.push({ t: 'kernel', nb: id, status: kernel });
      }
      if (OVER.has(kernel)) this.#endBlind(id, null, kernel !== 'idle');
      if (!look) return;

      /** @type {Set<Cell>} */
      const here = new Set();
      /** @type {Set<number>} */
      const taken = new Set();
      // A cell that is moved is made anew by some front ends: the same code and count where one is gone.
      const gone = [...this.cells.values()].filter((cell) => cell.nb === id && cell.sourceHash && !cell.el.isConnected);
      let index = -1;
      // Mirrors come last: a cell that is shown elsewhere as well stands there.
      const all = [...el.querySelectorAll(rules.all)];
      const mirrors = rules.mirror && el.querySelector(rules.mirror) ? all.filter((found) => isMirror(found, rules)) : [];
      for (const found of mirrors.length ? [...all.filter((other) => !mirrors.includes(other)), ...mirrors] : all) {
        if (rules.skip && found.closest(rules.skip)) continue;
        index += 1;
        const at = rules.index ? Number(found.getAttribute(rules.index) ?? index) : index;
        taken.add(at);
        if (!found.matches(rules.find)) continue;
        if (gone.length && !this.known.has(found)) {
          const hash = R.hash(R.source(found, this.profile.source, MAX_SOURCE) ?? '');
          const moved = gone.findIndex((other) => other.sourceHash === hash && other.count === R.count(found, counts));
          if (moved >= 0) this.ids.known.set(found, gone.splice(moved, 1)[0]?.id ?? '');
        }
        const cell = this.#cell(id, found);
        if (here.has(cell)) continue;
        here.add(cell);
        if (cell.index !== at) {
          cell.index = at;
          if (cell.outs) this.#pushCell(cell);
        }
      }
      for (const cell of this.cells.values()) {
        if (cell.nb !== id || here.has(cell)) continue;
        // Taken out because it is off screen, as long as no other cell has its place.
        if (rules.index && !taken.has(cell.index) && el.isConnected) continue;
        this.#remove(cell);
      }
    }

    /** The cell of an element, made when it is new. @param {string} nb @param {Element} el */
    #cell(nb, el) {
      const { cell: rules } = this.profile;
      const { id: attr, strip = '' } = rules;
      const own = attr ? (el.getAttribute(attr) ?? '') : '';
      const id = own.startsWith(strip) && own.length > strip.length ? own.slice(strip.length) : this.ids.of(el, 'c');
      let cell = this.cells.get(`${nb}\n${id}`);
      if (!cell) {
        cell = new CellRecord(nb, id, el);
        this.cells.set(cell.key, cell);
      } else if (cell.el === el || (cell.el.isConnected && this.known.get(cell.el) === cell && isMirror(cell.el, rules) <= isMirror(el, rules))) {
        return cell; // a mirror of a cell that is shown elsewhere changes nothing
      } else {
        cell.el = el;
      }
      this.known.set(el, cell);
      cell.due = 1;
      this.dirtyCells.add(cell);
      return cell;
    }

    /** @param {Cell} cell */
    #remove(cell) {
      this.cells.delete(cell.key);
      this.known.delete(cell.el);
      this.lastTarget = null;
      this.#leave(cell);
      this.dirtyCells.delete(cell);
      for (const out of cell.outs ?? []) this.dirtyOuts.delete(out);
      this.stage.dropCell(cell);
      this.link.push({ t: 'removed', nb: cell.nb, cell: cell.id });
    }

    // --- cells ---------------------------------------------------------------------------------

    /** Reads a cell's state and count and notes a run that began or ended. @param {Cell} cell */
    #readState(cell) {
      const { state: rules, count: counts, queue } = this.profile;
      const shown = R.rule(cell.el, rules);
      const { blind } = cell;
      // Off screen nothing shows it: what was seen last holds.
      cell.blind = shown === null && this.profile.cell.index !== undefined;
      if (cell.blind && cell.state) return;
      let state = shown ?? 'unknown';
      const count = ACTIVE.has(state) ? null : R.count(cell.el, counts);
      const was = ACTIVE.has(cell.state);
      const is = ACTIVE.has(state);
      if (is) this.queue.add(cell);
      if (is || was) this.ranAt = performance.now();
      if (is && queue) state = this.queue.head(cell.nb) === cell ? 'running' : 'pending';
      const isNew = cell.state === '' || blind;
      const unseen = !isNew && !is && !was && count !== null && count !== cell.count;
      if ((is && !was) || unseen) {
        cell.run += 1;
        cell.cut = false;
        cell.wantsSource = true;
        this.stage.dropCell(cell);
        // What it printed before the run was seen belongs to that run.
        if (blind) for (const out of cell.outs ?? []) this.#touchOut(out, performance.now());
      }
      if (was && !is) {
        cell.cut = cell.state === 'running' && count === null && state !== 'error';
        if (count !== null) this.#endBlind(cell.nb, cell, false);
        this.#leave(cell);
        for (const out of cell.outs ?? []) {
          out.wait = QUIET_MS;
          if (out.due) out.due = 1;
        }
        this.frames.hurry(cell.outs ?? []);
      }
      if (cell.state === state && cell.count === count && !unseen) return;
      cell.state = state;
      cell.count = count;
      if (is && !was) this.#pushCell(cell);
    }

    /** Runs that can't be seen are over. @param {string} nb @param {Cell | null} until the one they started before @param {boolean} died */
    #endBlind(nb, until, died) {
      for (const cell of this.queue.blind(nb, until)) {
        cell.cut = died && cell.state === 'running';
        cell.state = died ? 'idle' : 'done';
        this.#leave(cell);
        this.#pushCell(cell);
      }
    }

    /** @param {Cell} cell */
    #leave(cell) {
      if (!this.queue.delete(cell)) return;
      const next = this.queue.head(cell.nb);
      if (next && next.state === 'pending') this.#touchCell(next, performance.now());
    }

    /** @param {Cell} cell */
    #pushCell(cell) {
      const { nb, id, index, state, count, run, cut } = cell;
      const event = { t: 'cell', nb, cell: id, index, state, count, run, cut };
      const text = JSON.stringify(event);
      if (text === cell.sent) return;
      cell.sent = text;
      this.link.push(event);
    }

    /** @param {Cell} cell */
    #readCell(cell) {
      const { profile } = this;
      for (const shadow of R.shadows(cell.el, this.through)) this.#observe(shadow);
      this.#readState(cell);
      this.#pushCell(cell);
      this.#readSource(cell);

      const els = this.frames.outputs(cell.el);
      const old = cell.outs ?? [];
      // Collapsed, or taken out of the document while it is off screen: what was printed still stands.
      if (!els.length && !ACTIVE.has(cell.state) && R.find(cell.el, profile.output.kept ?? [])) {
        cell.outs ??= [];
        return;
      }
      if (cell.outs && els.length === old.length && els.every((el, i) => el === old[i]?.el)) return;
      const now = performance.now();
      this.lastTarget = null;
      cell.outs = els.map((el, i) => {
        const kept = old.find((out) => out.el === el);
        const out = kept?.at === i ? kept : new OutRecord(cell, el, i);
        if (out === kept) return out;
        this.known.set(el, out);
        // One that takes the place of another while the cell runs is the same output drawn anew.
        out.wait = els.length === old.length ? Math.min(SLOWEST_MS, (old[i]?.wait ?? QUIET_MS) * 2) : QUIET_MS;
        out.due = out.wait > QUIET_MS && ACTIVE.has(cell.state) ? now + out.wait : 1;
        this.dirtyOuts.add(out);
        return out;
      });
      for (const out of old) {
        if (cell.outs.includes(out)) continue;
        this.dirtyOuts.delete(out);
        // It may be on the page still: a frame's outputs stand for it now.
        if (this.known.get(out.el) === out) this.known.delete(out.el);
      }
      if (els.length < old.length || !old.length) {
        this.link.push({ t: 'outputs', nb: cell.nb, cell: cell.id, n: els.length });
      }
    }

    /** @param {Cell} cell */
    #readSource(cell) {
      if (!cell.wantsSource) return;
      const text = cell.newSource(R.source(cell.el, this.profile.source, MAX_SOURCE));
      if (text !== null) this.link.push({ t: 'source', nb: cell.nb, cell: cell.id, text });
    }

    /** @param {Out} out */
    #readOut(out) {
      const { cell, el, at } = out;
      out.due = 0;
      if (!out.el.isConnected) this.lastTarget = null;
      out.readAt = performance.now();
      if (!el.isConnected) return;
      if (ACTIVE.has(cell.state)) out.wait = Math.min(out.wait * 2, SLOWEST_MS);
      const { kind, read } = el instanceof NbmedicFrames.Part ? el : {
        kind: this.profile.output.kind.find(({ sel }) => el.matches(sel))?.is ?? 'unknown',
        read: R.output(el, out.seen),
      };
      const end = read.tail ?? read.head;
      const { has } = this.profile.output;
      if (has && !out.sent && !new RegExp(has, 'm').test(`${read.head}\n${end}`)) return;
      const sent = `${kind} ${cell.run} ${read.len} ${R.hash(end)}`;
      if (sent === out.sent) return;
      out.sent = sent;
      if (!cell.sourceHash && (kind === 'error' || TROUBLE.test(end))) {
        cell.wantsSource = true;
        this.#readSource(cell);
      }
      this.link.push({ t: 'output', nb: cell.nb, cell: cell.id, out: at, run: cell.run, kind, ...read });
      if (cell.run && (kind === 'error' || end.includes(' is not defined'))) this.#readAround(cell);
    }

    /** What a failing cell misses may stand in another one: their sources are read anew. @param {Cell} cell */
    #readAround({ nb, id }) {
      for (const other of [...this.cells.values()].slice(0, MAX_AROUND)) {
        if (other.nb !== nb || other.id === id) continue;
        other.wantsSource = true;
        this.#touchCell(other, performance.now());
      }
    }
  };
})();
