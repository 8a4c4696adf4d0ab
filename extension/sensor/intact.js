// Tells whether a card's inside is as it was drawn. Firefox hands a page the nodes of closed shadow roots, in an event's
// `originalTarget` and where `window.find` selects: the page could stretch a button over everything, unseen.

/** Follows the changes inside one card. */
export class Intact {
  #isChanged = false;

  /** @param {ShadowRoot} root */
  constructor(root) {
    this.root = root;
    this.observer = new MutationObserver((records) => this.#judge(records));
    this.observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  }

  /** Makes a change of our own. @param {() => void} action */
  change(action) {
    this.#judge(this.observer.takeRecords());
    action();
    this.observer.takeRecords();
  }

  /** @param {MutationRecord[]} records */
  #judge(records) {
    // Details are opened by users.
    if (records.some(({ attributeName }) => attributeName !== 'open')) this.#isChanged = true;
  }

  /** Whether only this script has changed the card. */
  holds() {
    const { root } = this;
    this.#judge(this.observer.takeRecords());
    if (this.#isChanged || root.adoptedStyleSheets?.length) return false;
    // Transitions are the style sheet's own, which is closed to pages in both browsers; other animations are a script's.
    return !root.getAnimations?.().some((one) => !('transitionProperty' in one));
  }
}
