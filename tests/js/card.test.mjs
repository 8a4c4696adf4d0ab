import assert from 'node:assert/strict';
import test from 'node:test';
import { click, dispatch, load, open, wait } from './page.mjs';
import { memory, missing } from './sample-trees.mjs';

async function card(window, onAct = () => null) {
  const { Card } = await load(window, 'sensor/card.js');
  const made = new Card('', 'light', onAct);
  window.document.body.append(made.host);
  return made;
}

test('a card is closed to scripts of the page, and heeds only clicks of the user', async () => {
  const window = open('');
  const asked = [];
  const made = await card(window, (act) => void asked.push(act));
  assert.deepEqual(window.shadowModes, ['div closed']);
  made.show({ tag: 'div', kids: [{ tag: 'button', text: 'Hide', act: { do: 'dismiss', card: 'c' } }] });
  const button = made.root.querySelector('button');
  button.click();
  button.dispatchEvent(new window.MouseEvent('click', { bubbles: true, composed: true }));
  assert.deepEqual(asked, []);
  click(button);
  assert.deepEqual(asked, [{ do: 'dismiss', card: 'c' }]);
});

test('text that looks like markup stays text', async () => {
  const window = open('');
  const made = await card(window);
  made.show({ tag: 'p', text: '<img src=x onerror=alert(1)>' });
  const p = made.root.querySelector('p');
  assert.equal(p.textContent, '<img src=x onerror=alert(1)>');
  assert.equal(p.children.length, 0);
});

test('tags and attributes outside the list are dropped', async () => {
  const window = open('');
  const made = await card(window);
  made.show({
    tag: 'div',
    attrs: { onclick: 'alert(1)', style: 'color:red', 'aria-label': 'a', 'data-x': '1', class: 'no' },
    kids: [
      { tag: 'script', text: 'alert(1)' },
      { tag: 'iframe', attrs: { src: 'https://x' } },
      { tag: 'a', text: 'bad', attrs: { href: 'javascript:alert(1)' } },
      { tag: 'a', text: 'good', attrs: { href: 'https://nbmedic.test/' } },
      { tag: 'span', text: 'no link', attrs: { href: 'https://nbmedic.test/' } },
    ],
  });
  const div = made.root.querySelector('div:not(.live)');
  assert.deepEqual([...div.attributes].map((a) => a.name).sort(), ['aria-label', 'data-x']);
  assert.equal(div.className, '');
  assert.deepEqual(
    [...div.children].map((e) => e.localName),
    ['a', 'a', 'span'],
  );
  assert.equal(div.children[0].getAttribute('href'), null);
  assert.equal(div.children[1].getAttribute('rel'), 'noopener noreferrer');
  assert.equal(div.children[2].getAttribute('href'), null);
});

test('rendering a tree of any depth terminates', async () => {
  const window = open('');
  let tree = { tag: 'div' };
  for (let i = 0; i < 3000; i += 1) tree = { tag: 'div', kids: [tree] };
  const made = await card(window);
  made.show(tree);
  assert.equal(made.root.querySelectorAll('div:not(.live)').length, 40);
});

test('a new rendering keeps elements, focus and open details', async () => {
  const window = open('');
  const made = await card(window);
  made.show(missing());
  made.show(memory());
  const details = made.root.querySelector('details');
  const summary = details.querySelector('summary');
  details.open = true;
  summary.focus();
  const next = memory();
  next.kids[1].text = 'Other words';
  next.kids.splice(2, 0, { tag: 'p', class: 'extra', text: 'One more' });
  made.show(next);
  assert.equal(made.root.querySelector('details'), details);
  assert.equal(made.root.activeElement, summary);
  assert.equal(details.open, true);
  assert.equal(made.root.querySelector('.summary').textContent, 'Other words');
  assert.equal(made.root.querySelector('.extra').textContent, 'One more');
  made.show(memory());
  assert.equal(made.root.querySelector('.extra'), null);
});

test('a copy button confirms the copy for a while', async () => {
  const window = open('');
  const copied = [];
  Object.defineProperty(window.navigator, 'clipboard', { value: { writeText: async (text) => copied.push(text) } });
  const made = await card(window);
  made.show(memory());
  const button = made.root.querySelector('.copy');
  click(button);
  await wait(20);
  assert.match(copied[0], /^BATCH_SIZE = 8/);
  assert.equal(button.dataset.done, 'yes');
  assert.equal(made.live.textContent, 'Copied');
  made.show(memory());
  assert.equal(button.dataset.done, 'yes');
});

test('a button that puts code into a new cell says so, and copies the code where the page takes none', async () => {
  const window = open('');
  const copied = [];
  Object.defineProperty(window.navigator, 'clipboard', {
    value: { writeText: async (text) => void copied.push(text) },
    configurable: true,
  });
  const answers = [{ done: true, text: 'x = 1' }, { done: false, text: 'x = 1' }, null];
  const asked = [];
  const made = await card(window, async (act) => {
    asked.push(act);
    return answers.shift();
  });
  const act = { do: 'below', cell: 'c', text: 'x = 1' };
  made.show({ tag: 'div', kids: [{ tag: 'button', text: 'Put below', act }] });
  const button = made.root.querySelector('button');
  for (const done of ['put', 'instead', 'no']) {
    click(button);
    await wait(20);
    assert.equal(button.dataset.done, done);
  }
  assert.deepEqual(asked, [act, act, act]);
  assert.deepEqual(copied, ['x = 1'], 'only where the page took no cell');
});

test('a button that replaces a cell’s code says how it is taken back', async () => {
  const window = open('');
  const made = await card(window, async () => ({ done: true, text: 'x = 1' }));
  const act = { do: 'replace', cell: 'c', text: 'x = 1', was: 'x = l' };
  made.show({ tag: 'div', kids: [{ tag: 'button', text: 'Replace', act }] });
  const button = made.root.querySelector('button');
  click(button);
  await wait(20);
  assert.equal(button.dataset.done, 'replaced');
  assert.match(made.live.textContent, /Ctrl\+Z/);
});

test('a changed line keeps its marks', async () => {
  const window = open('');
  const made = await card(window);
  const kids = [
    { tag: 'del', text: '128' },
    { tag: 'ins', text: '256' },
    { tag: 'mark', text: '!' },
  ];
  made.show({ tag: 'code', kids });
  const code = made.root.querySelector('code');
  assert.deepEqual(
    [...code.children].map((part) => part.localName),
    ['del', 'ins', 'mark'],
  );
});

/** jsdom has no clipboard events; a browser's own are trusted. Returns what was copied, or null. */
function copied(window, { trusted = true, data = new Map() } = {}) {
  let text = null;
  for (const type of ['beforecopy', 'copy']) {
    const event = new window.Event(type, { bubbles: true, composed: true, cancelable: true });
    Object.assign(event, {
      clipboardData: { clearData: () => data.clear(), setData: (kind, value) => data.set(kind, value) },
    });
    dispatch(window.document.body, event, trusted);
    text = event.defaultPrevented && data.size === 1 ? (data.get('text/plain') ?? null) : null;
  }
  return text;
}

test('without a clipboard the text goes into the browser’s own copy event, unseen by the page', async () => {
  const window = open('');
  const heard = [];
  const made = await card(window);
  window.addEventListener('copy', ({ type }) => heard.push(type));
  window.document.addEventListener('copy', ({ type }) => heard.push(type), true);
  const texts = [];
  window.document.execCommand = (what) => {
    // An event of the page's own, with its own data, gets nothing.
    texts.push(what, copied(window, { trusted: false }), copied(window, { data: new Map([['text/html', 'evil']]) }));
    return true;
  };
  made.show(memory());
  const button = made.root.querySelector('.copy');
  button.focus();
  click(button);
  await wait(20);
  assert.deepEqual(texts.slice(0, 2), ['copy', null]);
  assert.match(texts[2], /^BATCH_SIZE = 8/);
  assert.deepEqual(heard, ['copy', 'copy'], 'the page hears its own event only');
  assert.deepEqual(
    [made.live.textContent, button.dataset.done, made.root.querySelector('.pick'), made.root.activeElement],
    ['Copied', 'yes', null, button],
  );
  assert.equal(copied(window), null, 'later events are the page’s');
});

test('where scripts may not copy, the user’s keys do, until then or until the focus leaves', async () => {
  const window = open('');
  // Some browsers say that they copied although the page stopped the event.
  for (const answer of [false, true]) {
    window.document.execCommand = () => answer;
    const made = await card(window);
    made.show(memory());
    const button = made.root.querySelector('.copy');
    for (const end of ['copy', 'blur']) {
      button.focus();
      click(button);
      await wait(20);
      const area = made.root.querySelector('.pick');
      assert.deepEqual(
        [area.textContent, made.live.textContent, button.dataset.done, made.root.activeElement],
        ['Press Ctrl+C to copy', 'Press Ctrl+C to copy', 'pick', area],
      );
      if (end === 'copy') assert.match(copied(window), /^BATCH_SIZE = 8/);
      else area.blur();
      await wait(20);
      assert.equal(made.root.querySelector('.pick'), null);
      assert.equal(copied(window), null);
    }
    made.host.remove();
  }
});

test('a page that stops the keys’ copying too is named', async () => {
  const window = open('');
  window.document.execCommand = () => false;
  const made = await card(window);
  made.show(memory());
  click(made.root.querySelector('.copy'));
  await wait(20);
  const area = made.root.querySelector('.pick');
  area.dispatchEvent(new window.KeyboardEvent('keyup', { key: 'c', ctrlKey: true, bubbles: true, composed: true }));
  assert.equal(area.textContent, 'Could not copy');
});

/** A clock that only the test moves: a busy machine must not make a press late. */
function stopped(window) {
  const clock = { now: 1000 };
  Object.defineProperty(window.performance, 'now', { value: () => clock.now });
  return clock;
}

test('a press counts only if the card was where it is, and visible, for a while', async () => {
  const window = open('<div id="around"></div>');
  const clock = stopped(window);
  const { document } = window;
  const asked = [];
  const made = await card(window, (act) => void asked.push(act.card));
  const around = document.querySelector('#around');
  around.append(made.host);
  made.show({ tag: 'div', kids: [{ tag: 'button', text: 'Hide', act: { do: 'dismiss', card: 'c' } }] });
  const button = made.root.querySelector('button');
  let x = 0;
  made.host.getBoundingClientRect = () => ({ x, y: 0, width: 100 });
  const point = (type, target = button) =>
    target.dispatchEvent(new window.MouseEvent(type, { bubbles: true, composed: true }));
  /** Presses with the mouse; says whether it counted. */
  const press = () => {
    const before = asked.length;
    point('pointerdown');
    click(button, { detail: 1 });
    return asked.length > before;
  };
  assert.equal(press(), false, 'a press out of nowhere');
  assert.equal(button.dataset.done, 'again');
  point('pointerenter', made.host);
  assert.equal(press(), false, 'too soon');
  clock.now += 320;
  assert.equal(press(), true);
  x = 50;
  assert.equal(press(), false, 'it has moved');
  clock.now += 320;
  assert.equal(press(), true);
  for (const [name, value] of [
    ['opacity', '0.1'],
    ['filter', 'opacity(0)'],
    ['visibility', 'hidden'],
    ['mix-blend-mode', 'multiply'],
  ]) {
    around.style.setProperty(name, value);
    if (name === 'visibility') made.host.checkVisibility = () => false;
    clock.now += 320;
    assert.equal(press(), false, name);
    // Shown only for the press.
    around.style.removeProperty(name);
    delete made.host.checkVisibility;
    assert.equal(press(), false, `${name}, just gone`);
    clock.now += 320;
    assert.equal(press(), true, `${name}, gone`);
  }
  made.host.dispatchEvent(new window.MouseEvent('pointerleave'));
  assert.equal(press(), false, 'the pointer was elsewhere');
  // A key: the focus is the user's.
  click(button);
  assert.equal(asked.length, 7);
  document.implementation.createHTMLDocument('').adoptNode(made.host);
  click(button, {}, window);
  assert.equal(asked.length, 7, 'in a document that the page made');
});

test('a card that a page has changed heeds no press', async () => {
  const window = open('');
  const tree = { tag: 'div', kids: [{ tag: 'button', text: 'Hide', act: { do: 'dismiss', card: 'c' } }] };
  const details = { tag: 'details', kids: [{ tag: 'summary', text: 'More' }] };
  for (const [harm, change] of [
    [false, (root) => (root.querySelector('details').open = true)],
    [true, (root) => (root.querySelector('button').style.position = 'fixed')],
    [true, (root) => (root.querySelector('button').className = 'more')],
    [true, (root) => root.append(window.document.createElement('style'))],
    [true, (root) => (root.querySelector('summary').textContent = 'Less')],
    [true, (root) => (root.getAnimations = () => [{}])],
    [false, (root) => (root.getAnimations = () => [{ transitionProperty: 'color' }])],
    [true, (root) => (root.adoptedStyleSheets = [{}])],
  ]) {
    const asked = [];
    const made = await card(window, (act) => void asked.push(act.card));
    made.show({ ...tree, kids: [...tree.kids, details] });
    change(made.root);
    // Drawing it again makes it no better.
    made.show({ ...tree, kids: [...tree.kids, details] });
    click(made.root.querySelector('button'));
    assert.equal(asked.length, harm ? 0 : 1, String(change));
    made.host.remove();
  }
});

test('a button that something may cover counts the second time', async () => {
  const window = open('');
  const clock = stopped(window);
  window.IntersectionObserverEntry = class {};
  Object.defineProperty(window.IntersectionObserverEntry.prototype, 'isVisible', { value: false });
  window.IntersectionObserver = class {
    constructor(tell) {
      this.tell = tell;
    }

    observe() {
      this.tell([{ isVisible: false }]);
    }

    disconnect() {}
  };
  const asked = [];
  const made = await card(window, (act) => void asked.push(act.card));
  made.show({ tag: 'div', kids: [{ tag: 'button', text: 'Hide', act: { do: 'dismiss', card: 'c' } }] });
  const button = made.root.querySelector('button');
  made.host.dispatchEvent(new window.MouseEvent('pointerenter'));
  button.dispatchEvent(new window.MouseEvent('pointerover', { bubbles: true }));
  clock.now += 320;
  click(button, { detail: 1 });
  click(button, { detail: 1 });
  assert.deepEqual(asked, [], 'not even by a double click');
  clock.now += 420;
  click(button, { detail: 1 });
  assert.deepEqual(asked, ['c']);
});

test('keys pressed in a card do not reach the notebook, others do', async () => {
  const window = open('<button id="b"></button>');
  const heard = [];
  (await load(window, 'sensor/card.js')).listen();
  window.document.addEventListener('keydown', (event) => heard.push(event.key), true);
  const made = await card(window);
  made.show(memory());
  const press = (target, key) =>
    target.dispatchEvent(new window.KeyboardEvent('keydown', { key, bubbles: true, composed: true }));
  press(made.root.querySelector('summary'), 'd');
  press(window.document.querySelector('#b'), 'x');
  assert.deepEqual(heard, ['x']);
});
