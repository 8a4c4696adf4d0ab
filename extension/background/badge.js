// The badge on the toolbar button: the active tab's problem count, or the number of hidden tabs with new failures.

import { message } from '../messages.js';

const RED = '#c2313a';
const GREY = '#5f6b7a';
const AMBER = '#9a5b00';

/**
 * @typedef {{setBadgeText(details: {tabId?: number, text: string | null}): Promise<void>,
 *   setBadgeBackgroundColor(details: {tabId?: number, color: string}): Promise<void>,
 *   setTitle(details: {tabId?: number, title: string}): Promise<void>}} Action
 */

export class Badge {
  /** Each tab's problem count, and whether it has grown since the tab was last viewed. @type {Map<number, {count: number, unseen: boolean, isPrivate: boolean}>} */
  #tabs = new Map();
  /** @type {Promise<void> | null} */
  #loaded = null;

  /**
   * @param {{action: Action, hidden: (tab: number) => Promise<boolean>, load: () => Promise<unknown>,
   *   save: (tabs: [number, number, boolean][]) => Promise<void>, notify: (tab: number, count: number) => Promise<void>}} parts
   * `notify` is called when something fails in a hidden tab
   */
  constructor(parts) {
    this.parts = parts;
  }

  #ready() {
    this.#loaded ??= this.parts.load().then(
      (tabs) => {
        if (Array.isArray(tabs))
          for (const [tab, count, unseen] of tabs) this.#tabs.set(tab, { count, unseen, isPrivate: false });
      },
      () => {},
    );
    return this.#loaded;
  }

  /**
   * Shows a tab's problems. `news`: a problem occurred just now; false when it was already on the page at opening.
   * @param {number} tab @param {{count?: number, trouble?: boolean, news?: boolean, isPrivate?: boolean}} what
   */
  async show(tab, { count = 0, trouble = false, news = false, isPrivate = false }) {
    await this.#ready();
    const { action } = this.parts;
    const old = this.#tabs.get(tab);
    // A tab without its own text shows the global text.
    const text = trouble ? '!' : count ? String(count) : null;
    await quietly(() => action.setBadgeText({ tabId: tab, text }));
    if (text) await quietly(() => action.setBadgeBackgroundColor({ tabId: tab, color: trouble ? GREY : RED }));
    const isUnseenNews = news && count > (old?.count ?? 0) && (await this.parts.hidden(tab));
    const unseen = isUnseenNews || (count > 0 && (old?.unseen ?? false));
    if (old?.count === count && old.unseen === unseen) return;
    if (count) this.#tabs.set(tab, { count, unseen, isPrivate });
    else this.#tabs.delete(tab);
    await this.#save();
    if (unseen !== (old?.unseen ?? false)) await this.#others();
    // The system stores notifications, and nothing from a private window may be stored.
    if (isUnseenNews && !isPrivate) await quietly(() => this.parts.notify(tab, count));
  }

  /** Marks a tab as viewed. @param {number} tab */
  async seen(tab) {
    await this.#ready();
    const known = this.#tabs.get(tab);
    if (!known?.unseen) return;
    known.unseen = false;
    await this.#save();
    await this.#others();
  }

  /** @param {number} tab */
  async gone(tab) {
    await this.seen(tab);
    if (this.#tabs.delete(tab)) await this.#save();
  }

  /** Called at browser startup, when tabs get new ids. */
  async reset() {
    await this.#ready();
    this.#tabs.clear();
    await this.#save();
    await this.#others();
  }

  #save() {
    return this.parts.save(
      [...this.#tabs].flatMap(([tab, { count, unseen, isPrivate }]) => (isPrivate ? [] : [[tab, count, unseen]])),
    );
  }

  async #others() {
    const { action } = this.parts;
    const tabs = [...this.#tabs.values()].filter(({ unseen }) => unseen).length;
    const elsewhere = tabs === 1 ? message('failedTab') : message('failedTabs', [String(tabs)]);
    await quietly(() => action.setBadgeText({ text: tabs ? `+${tabs}` : '' }));
    if (tabs) await quietly(() => action.setBadgeBackgroundColor({ color: AMBER }));
    await quietly(() => action.setTitle({ title: tabs ? elsewhere : 'nbmedic' }));
  }
}

/** Runs a task on a tab that may be closed by now; returns null if it fails. @template T @param {() => Promise<T>} task @returns {Promise<T | null>} */
export async function quietly(task) {
  try {
    return await task();
  } catch {
    return null;
  }
}
