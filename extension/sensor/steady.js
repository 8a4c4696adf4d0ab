// Tells whether a press in a card is the user's own wish. A page can't reach into a card, but it can move, hide or cover
// what the card is in, so that a click meant for the page lands on a button. A press counts only if the card has been where
// it is, and has been visible there, for long enough to be seen.

/** How long a card must have stayed in one place under the pointer, in milliseconds. */
const SEEN_MS = 300;
/** A moving pointer looks at the card's place at most this often, in milliseconds. */
const LOOK_MS = 50;
/** A press that was held is repeated after this time at least, and until then at most, in milliseconds. */
const SOON_MS = 400;
const LATE_MS = 6000;
/** Below this an element counts as one that nobody sees. */
const MIN_OPACITY = 0.5;
/** Filters that can hide what they apply to; others, such as a dark mode's, only change its colours. */
const HIDING = /opacity|blur|brightness|contrast/;
/** How much an ancestor may stretch or shrink a card: browsers' own zoom is no transform. */
const MAX_SCALE = 2;

/** Chrome can tell that nothing is drawn over an element, even what lets clicks through (Intersection Observer v2). */
const seesCovers = () => 'isVisible' in (globalThis.IntersectionObserverEntry?.prototype ?? {});

/** @param {Element} element @returns {Element | null} the parent, as it is drawn */
function around(element) {
  const { assignedSlot, parentNode } = element;
  if (assignedSlot) return assignedSlot;
  return parentNode instanceof ShadowRoot ? parentNode.host : /** @type {Element | null} */ (element.parentElement);
}

/** Whether an element or what it is in hides, distorts or blends it. @param {Element} element */
function isHidden(element) {
  let opacity = 1;
  for (let at = /** @type {Element | null} */ (element); at; at = around(at)) {
    const style = getComputedStyle(at);
    // An empty value: a document that is not shown.
    opacity *= Number(style.opacity || 1);
    if (opacity < MIN_OPACITY || HIDING.test(style.filter ?? '')) return true;
    if ((style.mixBlendMode || 'normal') !== 'normal' || (style.maskImage || 'none') !== 'none') return true;
    if (style.transform && style.transform !== 'none' && globalThis.DOMMatrixReadOnly) {
      const { a, b, c, d } = new DOMMatrixReadOnly(style.transform);
      const [wide, high] = [Math.hypot(a, b), Math.hypot(c, d)];
      if ([wide, high].some((scale) => scale > MAX_SCALE || scale < 1 / MAX_SCALE)) return true;
    }
  }
  return false;
}

/** Follows one card's place under the pointer. */
export class Steady {
  /** @param {HTMLElement} host @param {ShadowRoot} root */
  constructor(host, root) {
    this.host = host;
    /** Where the card was last seen; empty: not visible. */
    this.place = '';
    this.since = Infinity;
    this.lookedAt = -Infinity;
    /** When a press was last held, and on what. @type {{at: number, element: Element | null}} */
    this.held = { at: -Infinity, element: null };
    /** The button under the pointer, and whether it was covered when the browser last looked. */
    this.button = /** @type {Element | null} */ (null);
    this.isCovered = false;
    /** @type {IntersectionObserver | null} */
    this.covers = null;
    host.addEventListener('pointerenter', () => this.#look());
    host.addEventListener('pointerdown', () => this.#look());
    host.addEventListener('pointermove', () => {
      if (performance.now() - this.lookedAt > LOOK_MS) this.#look();
    });
    host.addEventListener('pointerleave', () => this.#leave());
    root.addEventListener('pointerover', ({ target }) => this.#over(/** @type {Element} */ (target)));
  }

  /** Whether a click on one of the card's elements counts. @param {MouseEvent} event @param {Element} element */
  heeds(event, element) {
    this.#look();
    if (!this.place) return false;
    // A key: only the user moves the focus inside a card.
    if (event.detail === 0) return true;
    const now = performance.now();
    // A finger comes from nowhere: the card can't have been watched before it.
    const isTouch = /** @type {PointerEvent} */ (event).pointerType === 'touch';
    if (!isTouch && now - this.since < SEEN_MS) return false;
    if (!this.isCovered) return true;
    // Front ends draw harmless marks over their cells too, so a second press counts.
    const { held } = this;
    this.held = { at: now, element };
    return held.element === element && now - held.at > SOON_MS && now - held.at < LATE_MS;
  }

  #look() {
    const { host } = this;
    const now = performance.now();
    this.lookedAt = now;
    const shown =
      host.isConnected &&
      host.ownerDocument === document &&
      (host.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) ?? true) &&
      !isHidden(host);
    const { x, y, width } = host.getBoundingClientRect();
    const place = shown ? [x, y, width].map(Math.round).join(' ') : '';
    if (place === this.place) return;
    this.place = place;
    this.since = place ? now : Infinity;
  }

  #leave() {
    this.place = '';
    this.since = Infinity;
    this.button = null;
    this.covers?.disconnect();
  }

  /** @param {Element} target */
  #over(target) {
    const button = target.closest('button');
    if (button === this.button || !seesCovers()) return;
    this.button = button;
    this.isCovered = false;
    this.covers?.disconnect();
    if (!button) return;
    const watch = { trackVisibility: true, delay: 100, threshold: 0 };
    this.covers = new IntersectionObserver((entries) => {
      const last = /** @type {{isVisible?: boolean} | undefined} */ (entries.at(-1));
      this.isCovered = last?.isVisible === false;
    }, watch);
    this.covers.observe(button);
  }
}
