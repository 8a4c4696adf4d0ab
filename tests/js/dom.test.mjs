import assert from 'node:assert/strict';
import test from 'node:test';
import { load, open, profile, shadow } from './page.mjs';

/** A page, and the module that reads it. */
async function page(html) {
  const window = open(html);
  const { document, Element } = window;
  return { window, document, Element, dom: await load(window, 'sensor/dom.js') };
}

const seen = () => ({ node: null, before: 0 });
const plain = (value) => JSON.parse(JSON.stringify(value));

test('paths pierce open shadow roots, read attributes and fall back in order', async () => {
  const { document, dom } = await page('<x-a></x-a><p title="no">two</p>');
  const inner = shadow(document.querySelector('x-a'), '<x-b tip="RAM: 1/2"></x-b>');
  shadow(inner.querySelector('x-b'), '<i class="n">deep</i>');
  assert.equal(dom.find(document, ['x-a >>> x-b >>> .n']).textContent, 'deep');
  assert.equal(dom.value(document, ['x-a >>> x-b @tip'], 100), 'RAM: 1/2');
  assert.equal(dom.value(document, ['x-a >>> .none', 'x-c >>> p', 'p'], 100), 'two');
  assert.equal(dom.value(document, ['p'], 2), 'tw');
  assert.equal(dom.find(document, ['x-c >>> p']), null);
  assert.equal([...dom.shadows(document, ['x-a >>> x-b >>> .n'])].length, 2);
});

test('an attribute of the base itself is tested with :scope', async () => {
  const { document, dom } = await page('<x-s labeltext="gone"></x-s><x-s labeltext=""></x-s>');
  const [full, empty] = document.querySelectorAll('x-s');
  const rule = [":scope[labeltext]:not([labeltext=''])"];
  assert.equal(dom.find(full, rule), full);
  assert.equal(dom.find(empty, rule), null);
});

test('states and counts of Colab come from the run button, whatever its other classes', async () => {
  const { document, dom } = await page(
    '<div class="cell code" id="cell-a"><colab-run-button></colab-run-button></div>',
  );
  const cell = document.querySelector('.cell');
  const button = shadow(
    document.querySelector('colab-run-button'),
    '<div class="cell-execution"><div class="status"><div class="execution-count">[ ]</div></div></div>',
  );
  const run = button.querySelector('.cell-execution');
  const { state, count } = profile('colab');
  const cases = [
    ['cell-execution', '[ ]', 'idle', null],
    ['cell-execution pending', '[ ]', 'pending', null],
    ['cell-execution animating running hovered', '[3]', 'running', 3],
    ['cell-execution stale error', '[4]', 'error', 4],
    ['cell-execution focused stale hovered', '[11]', 'done', 11],
    ['cell-execution stale', '[ ]', 'stale', null],
  ];
  for (const [classes, label, is, n] of cases) {
    run.className = classes;
    run.querySelector('.execution-count').textContent = label;
    assert.equal(dom.rule(cell, state), is, classes);
    assert.equal(dom.count(cell, count), n, classes);
  }
});

test('states of Jupyter come from the prompt', async () => {
  const { document, dom } = await page('<div class="jp-CodeCell"><div class="jp-InputArea-prompt"></div></div>');
  const cell = document.querySelector('.jp-CodeCell');
  const { state, count } = profile('jupyterlab');
  for (const [prompt, is, n] of [
    ['[*]:', 'running', null],
    ['[12]:', 'done', 12],
    ['[ ]:', 'idle', null],
  ]) {
    cell.firstChild.textContent = prompt;
    assert.equal(dom.rule(cell, state), is);
    assert.equal(dom.count(cell, count), n);
  }
});

test('Monaco rows are read in order of position, with tokens joined and no-break spaces replaced', async () => {
  const { document, dom } = await page(
    '<div class="cell"><div class="monaco-editor"><div class="view-lines">' +
      '<div class="view-line" style="top:38px"><span>b</span><span>\u00a0=\u00a02</span></div>' +
      '<div class="view-line" style="top:0px">a</div><div class="view-line" style="top:19px">\u200b</div></div></div></div>',
  );
  assert.equal(dom.source(document.querySelector('.cell'), profile('colab').source, 1000), 'a\n\nb = 2');
});

test('an editor that has not started yet is read by its line breaks', async () => {
  const { document, dom } = await page(
    '<div class="cell"><pre class="monaco-colorized"><span>for</span>\u00a0i:<br>\u00a0\u00a0x()<br></pre></div>',
  );
  assert.equal(dom.source(document.querySelector('.cell'), profile('colab').source, 1000), 'for i:\n  x()\n');
});

test('lines that an editor does not draw are read as empty, so that the others keep their numbers', async () => {
  const { document, Element, dom } = await page(
    '<div class="jp-CodeCell"><div class="cm-content"><div class="cm-line">a</div><div class="cm-gap" data-height="54.5"></div>' +
      '<div class="cm-line">e</div><div class="cm-gap" data-height="1e12"></div></div></div>',
  );
  Element.prototype.getBoundingClientRect = function height() {
    return { height: Number(this.dataset.height ?? 18.1875) };
  };
  const source = dom.source(document.querySelector('div'), profile('jupyterlab').source, 1000);
  assert.equal(source.trimEnd(), 'a\n\n\n\ne');
  assert.ok(source.length <= 1000);
  // Without layout, no element has a height.
  Element.prototype.getBoundingClientRect = () => ({ height: 0 });
  assert.equal(dom.source(document.querySelector('div'), profile('jupyterlab').source, 1000), 'a\n\ne\n');
});

test('no editor, no source', async () => {
  const { document, dom } = await page('<div class="jp-CodeCell"></div>');
  assert.equal(dom.source(document.querySelector('div'), profile('jupyterlab').source, 1000), null);
});

test('a short output is sent whole', async () => {
  const { document, dom } = await page('<pre>one\n<span>two</span>\n</pre>');
  assert.deepEqual(plain(dom.output(document.querySelector('pre'), seen())), { len: 8, head: 'one\ntwo\n', lines: 0 });
});

test('the window of a long output is the same for one text node and for many', async () => {
  const { document, dom } = await page('<pre id="one"></pre><pre id="many"></pre>');
  const lines = Array.from({ length: 9000 }, (_, i) => `step ${i} of the run\n`);
  const one = document.querySelector('#one');
  const many = document.querySelector('#many');
  one.append(lines.join(''));
  for (let i = 0; i < lines.length; i += 10) many.append(lines.slice(i, i + 10).join(''));
  const whole = lines.join('');
  for (const pre of [one, many]) {
    const read = dom.output(pre, seen());
    assert.equal(read.len, whole.length);
    assert.equal(read.head, whole.slice(0, 16384));
    assert.equal(read.tail, whole.slice(-65536));
    assert.equal(read.lines, null);
  }
});

test('a tail cuts inside a text node', async () => {
  const { document, dom } = await page('<pre>abc<b>def</b>ghi</pre>');
  assert.equal(dom.tail(document.querySelector('pre'), 5), 'efghi');
  assert.equal(dom.head(document.querySelector('pre'), 5), 'abcde');
});

test('lines in separate elements are kept apart, from either end', async () => {
  const { document, dom } = await page(
    '<div id="o"><div>one</div><div>two\n</div><div><span>three</span></div>four<br>five</div>',
  );
  const o = document.querySelector('#o');
  assert.equal(dom.head(o, 100), 'one\ntwo\nthreefour\nfive');
  assert.equal(dom.tail(o, 100), dom.head(o, 100));
});

test('counting continues where it stopped, and restarts when its position is gone', async () => {
  const { document, dom } = await page('<pre>aaaa</pre>');
  const pre = document.querySelector('pre');
  const memory = seen();
  assert.equal(dom.length(pre, memory), 4);
  pre.append('bbb');
  pre.firstChild.data += 'a'; // counted already: only in-place edits of the last node are seen
  pre.append('cc');
  assert.equal(dom.length(pre, memory), 10);
  pre.replaceChildren('zz');
  assert.equal(dom.length(pre, memory), 2);
});

test('luminance decides between light and dark', async () => {
  const { dom } = await page('');
  assert.ok(dom.luminance('#fff') > 0.9);
  assert.ok(dom.luminance(' #282a2c') < 0.3);
  assert.ok(dom.luminance('rgb(17, 17, 17)') < 0.3);
  assert.equal(dom.luminance('rgba(0, 0, 0, 0)'), null);
  assert.equal(dom.luminance(''), null);
  assert.equal(dom.luminance('color(srgb 1 1 1)'), null);
});

test('counting a landmark does not collect it, and looks into a bounded number of shadow roots', async () => {
  const { window, dom } = await page(`<body>${'<p></p>'.repeat(300)}${'<x-run></x-run>'.repeat(300)}</body>`);
  const { document } = window;
  for (const host of document.querySelectorAll('x-run')) shadow(host, '<i></i>');
  assert.equal(dom.tally(document, ['.none', 'p']), 300);
  assert.equal(dom.tally(document, ['x-run >>> i']), 64);
  assert.equal(dom.tally(document, ['x-run >>> b']), 0);
  assert.deepEqual(
    [...dom.prefixes(['x-run >>> i', 'x-run >>> b', 'p', 'x-run >>> y >>> i'])],
    ['x-run >>> b', 'x-run >>> y >>> i'],
  );
});
