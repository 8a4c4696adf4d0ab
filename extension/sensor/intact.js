// Tells whether a card's inside is as it was drawn. Firefox hands a page the nodes of closed shadow roots, in an event's
// `originalTarget` and where `window.find` selects: the page could stretch a button over everything, unseen.

/** @param {CSSStyleSheet | null} sheet */
const rules = (sheet) => [...(sheet?.cssRules ?? [])].map(({ cssText }) => cssText).join('\n');

/** What the browser makes of a style sheet that nobody has changed. @type {Map<string, string>} */
const parsed = new Map();

/** @param {string} css */
function original(css) {
  const known = parsed.get(css);
  if (known !== undefined) return known;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  const text = rules(sheet);
  parsed.set(css, text);
  return text;
}

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
    // Its own transitions are no script's animations.
    if (root.getAnimations?.().some((one) => !('transitionProperty' in one))) return false;
    return [...root.querySelectorAll('style')].every(
      ({ sheet, textContent }) => !sheet || !globalThis.CSSStyleSheet?.prototype.replaceSync || rules(sheet) === original(textContent ?? ''),
    );
  }
}
