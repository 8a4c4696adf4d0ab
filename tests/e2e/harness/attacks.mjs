// What a page's own scripts can try against a card. The functions run in the page, before and after the card is there.

/** Runs before the sensor: opens what it can, and listens to everything. What it learns is in `window.spy`. */
export function prepare() {
  const MARK = '[data-nbmedic-card]';
  const spy = { nodes: [], texts: [], roots: [] };
  window.spy = spy;
  /** A node that is not in the page's own tree is one from inside the card. */
  const note = (how, node) => {
    if (!(node instanceof Node) || node.ownerDocument !== document) return;
    const root = node.getRootNode();
    if (root instanceof ShadowRoot && root.host.matches(MARK)) spy.nodes.push(`${how}: ${node.nodeName}`);
  };
  spy.note = note;

  const swallow = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener('nbmedic-takeover', swallow, true);
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function open(options) {
    return attachShadow.call(this, { ...options, mode: 'open', clonable: true, serializable: true });
  };
  // Elements that the page defines get their closed roots from ElementInternals.
  const greedy = (base) =>
    class extends base {
      constructor() {
        super();
        try {
          spy.roots.push(this.attachInternals().shadowRoot);
        } catch {
          // A built-in element has none.
        }
      }

      connectedCallback() {
        try {
          if (this.attachInternals().shadowRoot) spy.roots.push('internals');
        } catch {
          // As above.
        }
      }
    };
  customElements.define('nbmedic-card', greedy(HTMLElement));
  customElements.define('x-div', greedy(HTMLDivElement), { extends: 'div' });

  const events = [
    'pointerover pointerdown pointerup pointermove pointerout mouseover mousedown mouseup mousemove mouseout click dblclick',
    'auxclick contextmenu wheel focusin focusout focus blur keydown keyup select selectionchange selectstart dragstart',
    'transitionrun transitionstart transitionend animationstart animationend toggle beforetoggle scroll scrollend input',
    'beforecopy copy beforecut cut beforematch slotchange touchstart gotpointercapture command interest',
  ]
    .join(' ')
    .split(' ');
  const clipboard = (event) => {
    const data = event.clipboardData;
    if (data) spy.texts.push(...[...data.types].map((type) => data.getData(type)));
    spy.texts.push(String(getSelection()));
    // A text of the page's own instead.
    if (event.type === 'copy' && spy.replaces) {
      data.setData('text/plain', 'rm -rf /');
      event.preventDefault();
    }
  };
  for (const type of events) {
    for (const on of [window, document]) {
      on.addEventListener(
        type,
        (event) => {
          for (const name of [
            'target',
            'originalTarget',
            'explicitOriginalTarget',
            'relatedTarget',
            'rangeParent',
            'srcElement',
          ])
            note(`${type}.${name}`, event[name]);
          note(`${type}.animation`, event.animation?.effect?.target);
          for (const node of event.composedPath()) note(`${type}.composedPath`, node);
          if (/^(copy|beforecopy|selectionchange|selectstart|select)$/.test(type)) clipboard(event);
        },
        true,
      );
    }
  }
  for (const type of ['event', 'first-input', 'layout-shift', 'largest-contentful-paint', 'element']) {
    try {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          note(type, entry.target ?? entry.element);
          for (const source of entry.sources ?? []) note(type, source.node);
        }
      }).observe({ type, buffered: true, durationThreshold: 16 });
    } catch {
      // Not in this browser.
    }
  }
  new MutationObserver((records) => {
    for (const { target, addedNodes } of records) for (const node of [target, ...addedNodes]) note('mutation', node);
  }).observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
}

/** Tries to reach the card's inside from its element. Returns what it got, which should be nothing. */
export function reach(words) {
  const host = document.querySelector('[data-nbmedic-card]');
  const { spy } = window;
  const got = [];
  const attempt = (how, action) => {
    try {
      const found = action();
      if (found) got.push(`${how}: ${found}`);
    } catch {
      // Refused.
    }
  };
  attempt('shadowRoot', () => host.shadowRoot);
  attempt('openOrClosedShadowRoot', () => host.openOrClosedShadowRoot);
  attempt('attachInternals', () => HTMLElement.prototype.attachInternals.call(host).shadowRoot);
  attempt('upgrade', () => {
    host.setAttribute('is', 'x-div');
    customElements.upgrade(host);
    return HTMLElement.prototype.attachInternals.call(host).shadowRoot;
  });
  host.removeAttribute('is');
  attempt('attachShadow', () => Element.prototype.attachShadow.call(host, { mode: 'open' }));
  attempt('getHTML', () => host.getHTML({ serializableShadowRoots: true }));
  attempt('cloneNode', () => host.cloneNode(true).shadowRoot);
  attempt('importNode', () => document.importNode(host, true).shadowRoot);
  attempt('childNodes', () => host.childNodes.length);
  attempt('text', () => host.textContent + host.innerText + host.innerHTML);
  attempt('innerText of the page', () => words.some((word) => document.body.innerText.includes(word)));
  attempt('slot', () => {
    const slotted = host.appendChild(document.createElement('b'));
    const { assignedSlot } = slotted;
    slotted.remove();
    return assignedSlot;
  });
  attempt('getAnimations', () => {
    const all = [...document.getAnimations(), ...host.getAnimations({ subtree: true })];
    for (const { effect } of all) spy.note('getAnimations', effect.target);
    return '';
  });
  const { x, y, width, height } = host.getBoundingClientRect();
  for (let at = 5; at < width; at += 15) {
    for (const down of [10, height / 2, height - 10]) {
      attempt('elementFromPoint', () => {
        for (const node of document.elementsFromPoint(x + at, y + down)) spy.note('elementsFromPoint', node);
        spy.note('elementFromPoint', document.elementFromPoint(x + at, y + down));
      });
      attempt('caret', () => {
        spy.note('caretPositionFromPoint', document.caretPositionFromPoint?.(x + at, y + down)?.offsetNode);
        spy.note('caretRangeFromPoint', document.caretRangeFromPoint?.(x + at, y + down)?.startContainer);
      });
    }
  }
  attempt('selectAll', () => {
    document.execCommand('selectAll');
    const selection = getSelection();
    spy.note('selection', selection.anchorNode);
    spy.note('selection', selection.focusNode);
    spy.note('range', selection.getRangeAt(0).startContainer);
    spy.texts.push(String(selection));
    const holder = document.createElement('div');
    holder.append(selection.getRangeAt(0).cloneContents());
    spy.texts.push(holder.textContent);
    selection.removeAllRanges();
  });
  attempt('find', () => {
    // Tells whether a word is there; what it selects must not lead inside.
    for (const word of words) {
      window.find(word, false, false, true);
      spy.note('find', getSelection().anchorNode);
      if (getSelection().rangeCount) spy.note('find', getSelection().getRangeAt(0).startContainer);
      getSelection().removeAllRanges();
    }
  });
  spy.note('activeElement', document.activeElement);
  host.click();
  host.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, clientX: x + 20, clientY: y + 20 }));
  return got;
}

/** Everything that the page has learned of the card: the nodes, and which of the words. */
export function learned(words) {
  const { nodes, texts, roots, note } = window.spy;
  const selection = getSelection();
  for (const node of [selection.anchorNode, selection.focusNode]) note('selection', node);
  return {
    nodes: [...new Set(nodes)],
    roots: roots.filter(Boolean).map(String),
    words: words.filter((word) => texts.some((text) => text.includes(word))),
    pages: Object.keys(window).filter((name) => /nbmedic/i.test(name)),
  };
}
