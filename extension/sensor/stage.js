// Manages the cards on the page: applies the background's effects, places each card and handles its buttons.

import * as dom from './dom.js';
import { Card, isHost } from './card.js';

/** A card is put back at most this many times in this period, in milliseconds; then the front end may remove it. */
const MAX_MOVES = 5;
const MOVES_MS = 10000;
/** Marks the cell that is changed, or below which a new one is put. */
const MARKED = 'data-nbmedic-cell';

export class Stage {
  /**
   * @param {Profile} profile @param {import('./link.js').Link} link
   * @param {Map<string, {nb: string, id: string, el: Element, own: HTMLElement | null}>} cells by `nb` and `id`, joined with a line break
   * @param {Map<string, {el: Element}>} nbs
   */
  constructor(profile, link, cells, nbs) {
    this.profile = profile;
    this.link = link;
    this.cells = cells;
    this.nbs = nbs;
    this.theme = 'light';
    /** @type {Map<string, {effect: CardEffect, card: Card, moves: number[]}>} */
    this.cards = new Map();
    /** Cards that the user closed, and their cells; they stay closed until the cell runs again. @type {Map<string, string>} */
    this.dismissed = new Map();
  }

  /** @param {string} theme */
  setTheme(theme) {
    this.theme = theme;
    for (const { card } of this.cards.values()) card.theme(theme);
  }

  /** Places cards whose cell was missing or has a different element now. */
  settle() {
    for (const name of this.cards.keys()) this.#place(name);
  }

  clear() {
    for (const name of [...this.cards.keys()]) this.#drop(name);
  }

  /** Applies the background's effects. @param {Effect[]} effects @param {boolean} full whether they replace all earlier ones */
  apply(effects, full) {
    if (full) {
      const named = new Set(effects.map((effect) => (effect.t === 'card' ? effect.card : '')));
      for (const name of [...this.cards.keys()]) if (!named.has(name)) this.#drop(name);
    }
    for (const effect of effects) {
      if (effect.t === 'uncard') {
        this.dismissed.delete(effect.card);
        this.#drop(effect.card);
      } else if (effect.t === 'card' && !this.dismissed.has(effect.card)) {
        // The background has resolved its messages.
        this.#show(/** @type {CardEffect} */ (effect));
      }
    }
  }

  /** @param {CardEffect} effect */
  #show(effect) {
    const { card: name, tree } = effect;
    const old = this.cards.get(name);
    const card = old?.card ?? new Card(this.link.css, this.theme, (act) => this.#act(act));
    this.cards.set(name, { effect, card, moves: old?.moves ?? [] });
    if (old?.effect.rev !== effect.rev) card.show(tree);
    this.#place(name);
  }

  /** Places a card unless it is already in place. @param {string} name */
  #place(name) {
    const shown = this.cards.get(name);
    if (!shown) return;
    const { card, effect } = shown;
    const cell = effect.cell ? this.cells.get(`${effect.nb}\n${effect.cell}`) : null;
    // This card has buttons; the one of the Python package says the same without them.
    if (cell?.own) cell.own.hidden = true;
    if (effect.cell && (!cell || cell.el.contains(card.host))) return;
    const base = cell?.el ?? this.nbs.get(effect.nb ?? '')?.el ?? this.nbs.values().next().value?.el;
    if (!base || (!cell && card.host.isConnected)) return;
    for (const { sel, place, inset } of cell ? this.profile.card : this.profile.top) {
      const anchor = dom.find(base, sel);
      if (!anchor) continue;
      if (inset) card.inset(inset);
      anchor[place](card.host);
      return;
    }
  }

  /** Whether a change affects only nbmedic's cards; puts back a card that the page removed. @param {MutationRecord} record */
  made({ type, addedNodes, removedNodes }) {
    if (type !== 'childList' || !this.cards.size) return false;
    let others = 0;
    for (const node of addedNodes) if (!isHost(node)) others += 1;
    for (const node of removedNodes) {
      if (!isHost(node)) others += 1;
      this.#putBack(node);
    }
    return others === 0;
  }

  /** Puts back a card's element that the page removed, alone or with what is around it, unless the page keeps removing it. @param {Node} node */
  #putBack(node) {
    for (const [name, shown] of this.cards) {
      const { host } = shown.card;
      if (host.isConnected || !node.contains(host)) continue;
      const now = performance.now();
      shown.moves = shown.moves.filter((at) => now - at < MOVES_MS);
      if (shown.moves.length >= MAX_MOVES) continue;
      shown.moves.push(now);
      this.#place(name);
    }
  }

  /** @param {string} name */
  #drop(name) {
    const shown = this.cards.get(name);
    this.cards.delete(name);
    shown?.card.host.remove();
    const cell = shown && this.cells.get(`${shown.effect.nb}\n${shown.effect.cell}`);
    if (cell?.own) cell.own.hidden = false;
  }

  /** Removes the cards of a cell. @param {{nb: string, id: string}} cell */
  dropCell(cell) {
    for (const [name, { effect }] of this.cards) {
      if (effect.cell === cell.id && effect.nb === cell.nb) this.#drop(name);
    }
    for (const [name, of] of this.dismissed) if (of === `${cell.nb}\n${cell.id}`) this.dismissed.delete(name);
  }

  /** Scrolls a cell into view. @param {string} cell */
  goTo(cell) {
    for (const { id, el } of this.cells.values()) if (id === cell) el.scrollIntoView({ block: 'center' });
  }

  /**
   * Moves to the next card that explains: the one after the card with the focus, or the first that is in view or below, and from the last
   * to the first. `copies`: copies the fix of the card with the focus instead, or of the card it would move to.
   * @param {boolean} copies
   */
  next(copies) {
    const explained = [...this.cards.values()].filter(({ effect }) => !effect.tree.attrs?.['data-unexplained']);
    const all = explained.map(({ card }) => card).filter(({ host }) => host.isConnected);
    all.sort((a, b) => (a.host.compareDocumentPosition(b.host) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    const at = all.findIndex((card) => card.hasFocus());
    const seen = at < 0 ? all.findIndex(({ host }) => host.getBoundingClientRect().bottom > 0) : -1;
    const card = all[at < 0 ? Math.max(seen, 0) : copies ? at : (at + 1) % all.length];
    card?.focus();
    if (copies) card?.copyFix();
  }

  /** @param {NonNullable<TreeNode['act']>} act @returns {Promise<import('./card.js').Answer>} */
  async #act(act) {
    if (act.do === 'goto') {
      this.goTo(act.cell);
    } else if (act.do === 'assistant') {
      return (await this.link.ask({ kind: 'ask', what: 'assistant', id: act.card }))?.text ?? null;
    } else if (act.do === 'probe') {
      return this.link.ask({ kind: 'ask', what: 'probe' });
    } else if (act.do === 'below' || act.do === 'replace') {
      // The background's script finds the cell by this mark.
      const cell = [...this.cells.values()].find(({ id }) => id === act.cell)?.el;
      cell?.setAttribute(MARKED, '');
      const was = act.do === 'replace' ? act.was : undefined;
      const reply = await this.link.ask({ kind: 'ask', what: act.do, text: act.text, was });
      cell?.removeAttribute(MARKED);
      return reply ?? { text: act.text };
    } else if (act.do === 'preview' || act.do === 'rule') {
      const [id, text] = act.do === 'rule' ? [act.id, act.variant] : [];
      void this.link.ask({ kind: 'ask', what: act.do, id, text });
    } else if (act.do === 'dismiss') {
      const { nb, cell } = this.cards.get(act.card)?.effect ?? {};
      this.dismissed.set(act.card, `${nb}\n${cell}`);
      this.#drop(act.card);
      this.link.push({ t: 'act', do: 'dismiss', card: act.card, id: null });
      void this.link.send();
    }
    return null;
  }
}
