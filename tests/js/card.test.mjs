import assert from 'node:assert/strict';
import test from 'node:test';
import { click, load, open, wait } from './page.mjs';
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

test('without a clipboard the old API is tried, and the focus restored', async () => {
  const window = open('');
  const copied = [];
  const made = await card(window);
  window.document.execCommand = (what) => {
    copied.push(what, made.root.activeElement.value);
    return true;
  };
  made.show(memory());
  const button = made.root.querySelector('.copy');
  button.focus();
  click(button);
  await wait(20);
  assert.equal(copied[0], 'copy');
  assert.match(copied[1], /^BATCH_SIZE = 8/);
  assert.deepEqual(
    [made.live.textContent, button.dataset.done, made.root.querySelector('textarea'), made.root.activeElement],
    ['Copied', 'yes', null, button],
  );
});

test('where copying is forbidden, the text stays selected until it is copied or the focus leaves', async () => {
  const window = open('');
  window.document.execCommand = () => false;
  const made = await card(window);
  made.show(memory());
  const button = made.root.querySelector('.copy');
  for (const end of ['copy', 'blur']) {
    button.focus();
    click(button);
    await wait(20);
    const area = made.root.querySelector('textarea');
    assert.match(area.value, /^BATCH_SIZE = 8/);
    assert.deepEqual(
      [made.live.textContent, button.dataset.done, made.root.activeElement, area.selectionEnd],
      ['Selected: press Ctrl+C to copy', 'pick', area, area.value.length],
    );
    area.dispatchEvent(new window.Event(end));
    await wait(20);
    assert.equal(made.root.querySelector('textarea'), null);
  }
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
