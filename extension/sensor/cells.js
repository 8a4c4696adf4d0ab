// The cells of a page: finds them, tracks their changes and reads their contents.

import { MAX_SOURCE } from '../protocol.js';
import { isHost } from './card.js';
import * as dom from './dom.js';
import { bringsEnding, errors, isEnding } from './ending.js';
import { Frames, Part } from './frames.js';
import { Cell, Ids, Out, Queue, isMirror } from './model.js';
import { Stage } from './stage.js';
import { AWAY_MS, SOON_MS, TOGETHER_MS } from './times.js';

/** Maximum number of other cells whose sources are read again when a cell fails. */
const MAX_AROUND = 400;
/** Output text that makes cell sources worth reading; it affects nothing else. */
const TROUBLE = /error|exception|traceback|killed|fault/i;
/** Changes to an output examined for the end of an error before its next reading. */
const MAX_PEEKS = 16;
const ACTIVE = new Set(['running', 'pending']);
/** Kernel statuses in which no cell runs; they end the runs of cells whose own state can't be read. */
const OVER = new Set(['idle', 'starting', 'restarting', 'autorestarting', 'dead']);
/** Kernel statuses without a connection. */
const AWAY = new Set(['disconnected', 'connecting']);

/**
 * A notebook: `said` is the last event about its kernel, `away` the timer of a connection that is away.
 * @typedef {{el: Element, name: string | null, kernel: string, said: SensorEvent | null, away: number}} Nb
 */

export class Cells {
  /**
   * @param {Profile} profile @param {import('./link.js').Link} link
   * @param {import('./clock.js').Clock} clock @param {(node: Node) => void} observe
   */
  constructor(profile, link, clock, observe) {
    this.profile = profile;
    this.link = link;
    this.clock = clock;
    this.observe = observe;
    /** @type {Map<string, Nb>} */
    this.nbs = new Map();
    /** @type {Map<string, Cell>} */
    this.all = new Map();
    /** The cell or output of a page element or of an output in a frame. @type {WeakMap<object, Cell | Out>} */
    this.known = new WeakMap();
    this.ids = new Ids();
    this.queue = new Queue();
    /** @type {Set<Cell>} */
    this.dirty = new Set();
    /** @type {Set<Out>} */
    this.dirtyOuts = new Set();
    /** The target of the last change; reset when a cell's outputs are read again. @type {Node | null} */
    this.lastTarget = null;
    this.lastOwner = /** @type {Cell | Out | 'own' | null} */ (null);
    this.lastQuiet = /** @type {Element | null} */ (null);
    /** One path for each chain of shadow roots through which states are read. */
    this.through = dom.prefixes(profile.state.flatMap(({ sel = [], and = [] }) => [...sel, ...and]));
    this.errors = errors(profile.output);
    this.stage = new Stage(profile, link, this.all, this.nbs);
    this.frames = new Frames(profile, link, (frame, parts, more) => this.#framed(frame, parts, more));
  }

  stop() {
    this.frames.stop();
    for (const { away } of this.nbs.values()) clearTimeout(away);
    this.stage.clear();
    this.all.clear();
    this.nbs.clear();
  }

  // --- changes -------------------------------------------------------------------------------

  /** The cell or output that contains a node; 'own' if the node belongs to nbmedic or is irrelevant. @param {Node} node @returns {Cell | Out | 'own' | null} */
  owner(node) {
    if (node !== this.lastTarget) {
      this.lastTarget = node;
      this.lastOwner = node.isConnected ? this.#owner(node) : 'own';
    }
    return this.lastOwner;
  }

  /** @param {Node} node @returns {Cell | Out | 'own' | null} */
  #owner(node) {
    const { quiet } = this.profile;
    if (this.lastQuiet?.contains(node)) return 'own';
    this.lastQuiet = quiet ? (dom.element(node)?.closest(quiet) ?? null) : null;
    if (this.lastQuiet) return 'own';
    for (
      let at = /** @type {Node | null} */ (node);
      at;
      at = at.parentNode ?? (at instanceof ShadowRoot ? at.host : null)
    ) {
      const known = this.known.get(at);
      if (known) return known;
      if (isHost(at)) return 'own';
    }
    return null;
  }

  /** Drops the cached nodes after a batch of changes, so that removed ones can be freed; keeps the target of a stream. */
  forget() {
    if (!(this.lastOwner instanceof Out)) this.lastTarget = null;
    this.lastQuiet = null;
  }

  /** @param {Cell} cell @param {number} now */
  touch(cell, now) {
    cell.reading.touch(now);
    this.dirty.add(cell);
    this.clock.arm(cell.reading.at);
  }

  /**
   * Reads a cell at once if changes added something that looks like the end of an error, but within a run no more often
   * than it is read anyway.
   * @param {Cell} cell @param {MutationRecord[]} changes @param {number} now
   */
  peek(cell, changes, now) {
    if (now - cell.hurriedAt < SOON_MS || !bringsEnding(changes, this.errors)) return;
    cell.hurriedAt = now;
    cell.reading.hurry();
    this.dirty.add(cell);
    this.clock.arm(0);
  }

  /** @param {Out} out @param {number} now */
  touchOut(out, now) {
    const { reading } = out;
    if (reading.at === Infinity) {
      reading.touch(now);
      out.peeks = reading.wait === reading.soon && now - reading.readAt > SOON_MS ? MAX_PEEKS : 0;
      this.dirtyOuts.add(out);
    }
    // A long-running stream is read on schedule and not examined before that.
    if (out.peeks) {
      out.peeks -= 1;
      if (out.el instanceof Element && isEnding(out.el, this.errors)) {
        out.peeks = 0;
        reading.hurry();
      }
    }
    this.clock.arm(reading.at);
  }

  /** Handles outputs from the sensor in a frame, which are read at once because that sensor limits its own rate. @param {Element} frame @param {object[]} parts @param {boolean} more */
  #framed(frame, parts, more) {
    const owner = more && this.#owner(frame);
    const cell = owner instanceof Out ? owner.cell : owner;
    if (cell instanceof Cell) {
      cell.reading.hurry();
      this.dirty.add(cell);
    }
    for (const part of parts) {
      const out = this.known.get(part);
      if (!(out instanceof Out)) continue;
      out.reading.hurry();
      this.dirtyOuts.add(out);
    }
    this.clock.arm(0);
  }

  /** Reads and sends everything again. */
  resend() {
    const now = performance.now();
    for (const cell of this.all.values()) {
      this.touch(cell, now);
      for (const out of cell.outs ?? []) {
        out.sent = '';
        this.touchOut(out, now);
      }
    }
  }

  /** The time when the next cell or output is due. */
  next() {
    let next = Infinity;
    for (const { reading } of this.dirty) next = Math.min(next, reading.at);
    for (const { reading } of this.dirtyOuts) next = Math.min(next, reading.at);
    return next;
  }

  /** The cells and outputs that are due, in reading order. @returns {Generator<Cell | Out>} */
  *due() {
    const dirty = [...this.dirty];
    // Cells that changed before an urgent one are read first, to keep the order: a full store drops the oldest outputs.
    const last = dirty.findLastIndex(({ reading }) => reading.at === 0);
    for (const [i, cell] of dirty.entries()) {
      if (i > last && cell.reading.at > this.clock.began + TOGETHER_MS) continue;
      this.dirty.delete(cell);
      cell.reading.begin();
      if (this.all.get(cell.key) === cell) yield cell;
    }
    for (const out of [...this.dirtyOuts]) {
      if (out.reading.at > this.clock.began) continue;
      this.dirtyOuts.delete(out);
      yield out;
    }
  }

  // --- finding cells -------------------------------------------------------------------------

  /** Reads the notebooks' names and kernels and, with `look`, finds their cells. Returns whether a notebook is new. @param {boolean} look */
  readNotebooks(look) {
    const { root, id: attr } = this.profile.notebook;
    const known = dom.all(document, root);
    // If no notebook element is found, the cells belong to the page itself.
    const roots =
      known.length || (root.length && !dom.find(document, [this.profile.cell.find]))
        ? known
        : [document.documentElement];
    const seen = new Set();
    let came = false;
    for (const el of roots) {
      const id = (attr && el.getAttribute(attr)) || this.ids.of(el, 'n');
      if (seen.has(id)) continue;
      seen.add(id);
      came ||= !this.nbs.has(id);
      this.#readNotebook(id, el, roots.length === 1);
      if (look) this.#look(id, el);
    }
    for (const id of [...this.nbs.keys()]) if (!seen.has(id)) this.#forget(id);
    for (const cell of [...this.all.values()]) if (!seen.has(cell.nb)) this.#remove(cell);
    return came;
  }

  /** @param {string} id @param {Element} el @param {boolean} only whether it is the only one on the page */
  #readNotebook(id, el, only) {
    const { notebook, kernel: kernels } = this.profile;
    const nb = this.nbs.get(id) ?? { el, name: null, kernel: '', said: null, away: 0 };
    this.nbs.set(id, nb);
    nb.el = el;
    const full = dom.name(el, id, notebook.name);
    const end = full.lastIndexOf(notebook.strip ?? '\n');
    const name = end < 0 ? full : full.slice(0, end);
    if (name !== nb.name) {
      nb.name = name;
      this.link.push({ t: 'notebook', nb: id, name });
    }
    // A narrow toolbar moves overflowing items elsewhere in the document.
    const kernel = dom.rule(el, kernels) ?? (only ? dom.rule(document, kernels) : null) ?? '';
    for (const { sel, from } of kernels) for (const shadow of dom.shadows(el, sel ?? from ?? [])) this.observe(shadow);
    if (kernel !== nb.kernel) {
      nb.kernel = kernel;
      nb.said = { t: 'kernel', nb: id, status: /** @type {KernelStatus} */ (kernel) };
      this.link.push(nb.said);
      if (!AWAY.has(kernel)) {
        clearTimeout(nb.away);
        nb.away = 0;
      }
    }
    if (OVER.has(kernel)) this.#endBlind(id, null, kernel !== 'idle');
  }

  /**
   * Called when the background has stored a batch: from then on it counts how long a connection is away. Sends the name of
   * such a notebook again after that time: the engine has no clock, and nothing on the page may change any more.
   */
  stored() {
    for (const [id, nb] of this.nbs) {
      if (nb.away || !AWAY.has(nb.kernel) || !nb.said || !this.link.isStored(nb.said)) continue;
      nb.away = window.setTimeout(() => {
        this.link.push({ t: 'notebook', nb: id, name: nb.name ?? '' });
        void this.link.send();
      }, AWAY_MS);
    }
  }

  /** @param {string} id */
  #forget(id) {
    clearTimeout(this.nbs.get(id)?.away);
    this.nbs.delete(id);
  }

  /** @param {string} id @param {Element} el */
  #look(id, el) {
    const { cell: rules, count: counts } = this.profile;
    /** @type {Set<Cell>} */
    const here = new Set();
    /** @type {Set<number>} */
    const taken = new Set();
    // Some front ends recreate a moved cell; it is recognized by the source and count of a removed one.
    const gone = [...this.all.values()].filter((cell) => cell.nb === id && cell.sourceHash && !cell.el.isConnected);
    let index = -1;
    // Mirrors come last, so that a cell that is also shown elsewhere keeps its own element and position.
    const all = [...el.querySelectorAll(rules.all)];
    const { mirror = ':not(*)' } = rules;
    const places = new Set(all.map(({ parentElement }) => parentElement));
    const mirrored = [...places].some((place) => place?.closest(mirror)) || all.some((found) => found.matches(mirror));
    const mirrors = mirrored ? all.filter((found) => isMirror(found, rules)) : [];
    for (const found of mirrors.length ? [...all.filter((other) => !mirrors.includes(other)), ...mirrors] : all) {
      if (rules.skip && found.closest(rules.skip)) continue;
      index += 1;
      const at = rules.index ? Number(found.getAttribute(rules.index) ?? index) : index;
      taken.add(at);
      if (!found.matches(rules.find)) continue;
      if (gone.length && !this.known.has(found)) {
        const hash = dom.hash(dom.source(found, this.profile.source, MAX_SOURCE) ?? '');
        const moved = gone.findIndex((other) => other.sourceHash === hash && other.count === dom.count(found, counts));
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
    for (const cell of this.all.values()) {
      if (cell.nb !== id || here.has(cell)) continue;
      // The front end removed the element because it is off screen, unless another cell has its index.
      if (rules.index && !taken.has(cell.index) && el.isConnected) continue;
      this.#remove(cell);
    }
  }

  /** The cell of an element, created if it is new. @param {string} nb @param {Element} el */
  #cell(nb, el) {
    const { cell: rules } = this.profile;
    const { id: attr, strip = '' } = rules;
    const own = attr ? (el.getAttribute(attr) ?? '') : '';
    const id = own.startsWith(strip) && own.length > strip.length ? own.slice(strip.length) : this.ids.of(el, 'c');
    let cell = this.all.get(`${nb}\n${id}`);
    if (!cell) {
      cell = new Cell(nb, id, el);
      this.all.set(cell.key, cell);
    } else if (
      cell.el === el ||
      (cell.el.isConnected && this.known.get(cell.el) === cell && isMirror(cell.el, rules) <= isMirror(el, rules))
    ) {
      return cell; // a mirror of a cell that is shown elsewhere is ignored
    } else {
      cell.el = el;
    }
    this.known.set(el, cell);
    cell.reading.hurry();
    this.dirty.add(cell);
    return cell;
  }

  /** @param {Cell} cell */
  #remove(cell) {
    this.all.delete(cell.key);
    this.known.delete(cell.el);
    this.lastTarget = null;
    this.#leave(cell);
    this.dirty.delete(cell);
    for (const out of cell.outs ?? []) this.dirtyOuts.delete(out);
    this.stage.dropCell(cell);
    this.link.push({ t: 'removed', nb: cell.nb, cell: cell.id });
  }

  // --- reading cells -------------------------------------------------------------------------

  /** Reads a cell's state and count and detects the start and end of runs. @param {Cell} cell @param {Map<string, Element | null>} [firsts] */
  readState(cell, firsts = new Map()) {
    const { state: rules, count: counts, queue } = this.profile;
    const shown = dom.rule(cell.el, rules, firsts);
    const { blind } = cell;
    // An off-screen cell shows no state, so the last one read stays valid.
    cell.blind = shown === null && this.profile.cell.index !== undefined;
    if (cell.blind && cell.state) return;
    let state = shown ?? 'unknown';
    const count = ACTIVE.has(state) ? null : dom.count(cell.el, counts, firsts);
    const was = ACTIVE.has(cell.state);
    const is = ACTIVE.has(state);
    if (is) this.queue.add(cell);
    if (is || was) this.clock.running(this.queue.size > 0);
    if (is && queue) state = this.queue.head(cell.nb) === cell ? 'running' : 'pending';
    const isNew = cell.state === '' || blind;
    const unseen = !isNew && !is && !was && count !== null && count !== cell.count;
    if ((is && !was) || unseen) {
      cell.run += 1;
      cell.hurriedAt = -Infinity;
      cell.cut = false;
      cell.trouble = false;
      cell.wantsSource = true;
      this.stage.dropCell(cell);
      // Output printed before the run was noticed belongs to that run.
      if (blind) for (const out of cell.outs ?? []) this.touchOut(out, performance.now());
    }
    if (was && !is) {
      cell.cut = cell.state === 'running' && count === null && (state !== 'error' || this.profile.counted === true);
      if (count !== null) this.#endBlind(cell.nb, cell, false);
      this.#leave(cell);
      for (const out of cell.outs ?? []) {
        out.reading.reset();
        if (out.reading.at === Infinity) continue;
        // Reads output that was waiting for its next reading, together with the end of the run.
        out.reading.hurry();
        cell.reading.hurry();
      }
      this.frames.hurry(cell.outs ?? []);
      if (cell.trouble) this.#readAround(cell);
    }
    // The count may be drawn after the state.
    if (state === 'error' && count !== null) cell.cut = false;
    if (cell.state === state && cell.count === count && !unseen) return;
    cell.state = state;
    cell.count = count;
    if (is && !was) {
      // Read before the run is sent: later edits are not part of the running code.
      this.#readSource(cell);
      this.#pushCell(cell);
    }
  }

  /** Ends runs whose state can't be read. @param {string} nb @param {Cell | null} until ends only runs that started before this cell's @param {boolean} died */
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
    this.clock.running(this.queue.size > 0);
    const next = this.queue.head(cell.nb);
    if (next && next.state === 'pending') this.touch(next, performance.now());
  }

  /** @param {Cell} cell */
  #pushCell(cell) {
    const { nb, id, index, state, count, run, cut } = cell;
    const text = `${index} ${state} ${count} ${run} ${cut}`;
    if (text === cell.sent) return;
    cell.sent = text;
    this.link.push({ t: 'cell', nb, cell: id, index, state: /** @type {CellState} */ (state), count, run, cut });
  }

  /** Reads a cell: its state, its list of outputs and, if wanted, its source. @param {Cell} cell */
  read(cell) {
    const { el } = cell;
    const firsts = new Map();
    for (const shadow of dom.shadows(el, this.through, firsts)) this.observe(shadow);
    this.readState(cell, firsts);
    this.#pushCell(cell);
    this.#readSource(cell);

    const els = this.frames.outputs(el);
    const old = cell.outs ?? [];
    // The outputs are collapsed, or removed from the document while off screen; the known ones stay valid.
    if (!els.length && !ACTIVE.has(cell.state) && dom.find(el, this.profile.output.kept ?? [])) {
      cell.outs ??= [];
      return;
    }
    if (cell.outs && els.length === old.length && els.every((found, i) => found === old[i]?.el)) return;
    const now = performance.now();
    const first = !cell.outs;
    this.lastTarget = null;
    cell.outs = els.map((found, i) => {
      const kept = old.find((out) => out.el === found);
      const out = kept?.at === i ? kept : new Out(cell, found, i);
      if (out === kept) return out;
      this.known.set(found, out);
      // An output that replaces another while the cell runs is the same output, rendered again.
      const before = els.length === old.length ? old[i]?.reading : undefined;
      if (before && ACTIVE.has(cell.state) && !(found instanceof Element && isEnding(found, this.errors)))
        out.reading.follow(before, now);
      else out.reading.hurry();
      this.dirtyOuts.add(out);
      return out;
    });
    for (const out of old) {
      if (cell.outs.includes(out)) continue;
      this.dirtyOuts.delete(out);
      // The element may still be on the page, now represented by the outputs in its frame.
      if (this.known.get(out.el) === out) this.known.delete(out.el);
    }
    if (!first && (els.length < old.length || !old.length)) {
      this.link.push({ t: 'outputs', nb: cell.nb, cell: cell.id, n: els.length });
    }
  }

  /** @param {Cell} cell */
  #readSource(cell) {
    if (!cell.wantsSource) return;
    const { source: rules } = this.profile;
    const part = rules.some(({ gap }) => gap && cell.el.querySelector(gap));
    const text = cell.newSource(dom.source(cell.el, rules, MAX_SOURCE), part);
    if (text !== null) this.link.push({ t: 'source', nb: cell.nb, cell: cell.id, text });
  }

  /** @param {Out} out */
  readOut(out) {
    const { cell, el, at } = out;
    out.reading.begin(performance.now());
    if (!el.isConnected) {
      this.lastTarget = null;
      return;
    }
    if (ACTIVE.has(cell.state)) out.reading.slow();
    // It is no output of the cell's, and of two cards one is too many.
    const own = el instanceof Part ? null : dom.own(el);
    if (own) {
      cell.own = own;
      this.stage.settle();
      return;
    }
    const { kind, read } =
      el instanceof Part
        ? el
        : {
            kind: this.profile.output.kind.find(({ sel }) => el.matches(sel))?.is ?? 'unknown',
            read: dom.output(el, out.seen),
          };
    const end = read.tail ?? read.head;
    const { has } = this.profile.output;
    if (has && !out.sent && !new RegExp(has, 'm').test(`${read.head}\n${end}`)) return;
    // The first reading computes no hash, because most outputs of an opened notebook never change.
    const sent = out.sent ? `${kind} ${cell.run} ${read.len} ${dom.hash(end)}` : 'once';
    if (sent === out.sent) return;
    out.sent = sent;
    const trouble = kind === 'error' || TROUBLE.test(end);
    if (!cell.sourceHash && trouble) {
      cell.wantsSource = true;
      this.#readSource(cell);
    }
    this.link.push({
      t: 'output',
      nb: cell.nb,
      cell: cell.id,
      out: at,
      run: cell.run,
      kind: /** @type {OutputKind} */ (kind),
      ...read,
    });
    if (!cell.run || !trouble) return;
    cell.trouble = true;
    // An error output ends the run; other output that looks like an error may continue.
    if (kind === 'error' || !ACTIVE.has(cell.state)) this.#readAround(cell);
  }

  /** Reads the sources of other cells again: what a failing cell lacks may be defined or have been edited there. @param {Cell} cell */
  #readAround({ nb, id }) {
    for (const other of [...this.all.values()].slice(0, MAX_AROUND)) {
      if (other.nb !== nb || other.id === id) continue;
      other.wantsSource = true;
      this.touch(other, performance.now());
    }
  }
}
