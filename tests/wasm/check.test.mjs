// The self-check on the Colab replica: its text, that it follows the page, and the drift report.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { driftReport } from '../../extension/background/drift.js';
import { load, profile, until } from '../js/page.mjs';
import { openReplica } from '../js/replica.mjs';

const OOM = 'kW8sJd3hLr6o';
const MS = 20000;
const pages = [];
after(() => pages.forEach((page) => page.close()));

async function opened(query = '') {
  const page = openReplica(query, { quiet: 30 });
  pages.push(page);
  await until(() => page.b.last('vitals') || page.b.last('hello')?.profile === 'generic', 'the first reading', MS);
  return page;
}

/** The check as the popup shows it: its sentence, and the missing parts. */
function check(page) {
  // Folded as long as nothing is missing.
  const { kids } = page.b.tree();
  const folded = kids.find((kid) => kid.class === 'sees')?.kids ?? [];
  const section = [...kids, ...folded].find((kid) => kid.class === 'landmarks');
  const box = section.kids.find((kid) => kid.tag === 'div');
  const parts = section.kids.find((kid) => kid.class === 'parts')?.kids ?? [];
  return {
    sentence: box?.kids[0].text ?? '',
    act: JSON.stringify(box ?? {}).includes('"do":"drift"'),
    missing: parts.filter((part) => part.class === 'missing').map(({ text }) => text),
  };
}

const report = async (page) => {
  const { outline } = await load(page.window, 'sensor/outline.js');
  const made = outline(['colab', 'jupyterlab', 'generic'].map(profile));
  return driftReport([JSON.parse(JSON.stringify(made))], {
    version: '9.8.7',
    browser: 'Mozilla/5.0 (X11) Gecko/20100101 Firefox/140.0',
  });
};

test('a part that disappears is reported as missing, and one that returns is not', async () => {
  const page = await opened();
  const { document } = page;
  assert.deepEqual(check(page), { sentence: '', act: false, missing: [] });
  const bars = [...document.querySelectorAll('colab-snackbar')];
  bars.forEach((bar) => bar.remove());
  await until(() => check(page).missing.length, 'the check', MS);
  assert.deepEqual(check(page).missing, ['crash notices']);
  assert.match(
    check(page).sentence,
    /^Google Colab changed its page: nbmedic still reads code cells, cell outputs, .*, but not crash notices\.$/,
  );
  assert.equal(check(page).act, true, 'the report is offered');
  document.body.prepend(...bars);
  await until(() => !check(page).missing.length, 'the check', MS);
  assert.equal(check(page).sentence, '');
});

test('a part inside a cell is missing and found again as the cell changes', async () => {
  const page = await opened('?rename=.cell-execution');
  assert.deepEqual(check(page).missing, ['run buttons']);
  const before = page.b.events.length;
  const body = page.document.querySelector('colab-run-button').shadowRoot.querySelector('.cell-execution-new');
  body.classList.add('cell-execution');
  await until(() => !check(page).missing.length, 'the check', MS);
  assert.equal(page.b.events.slice(before).filter((e) => e.t === 'hello').length, 1, 'told once');
});

test('a part that is currently absent is not a change of the page', async () => {
  const page = await opened();
  page.replica.connect('reconnect');
  await until(() => page.b.last('kernel').status === 'disconnected', 'the disconnection', MS);
  await until(() => page.b.last('hello').found.ram === undefined, 'the check', MS);
  assert.deepEqual(check(page), { sentence: '', act: false, missing: [] });
  const texts = await opened();
  texts.replica.load({
    name: 'texts.ipynb',
    cells: [{ id: 'a', kind: 'text', source: 'Traceback (most recent call last):' }],
  });
  await until(() => texts.b.last('hello').found.cells === undefined, 'the check', MS);
  assert.deepEqual(check(texts), { sentence: '', act: false, missing: [] });
  assert.equal(texts.b.last('hello').found.blocks, undefined, 'and nothing else is read');
});

test('cells that disappear while the page is open are read as blocks of text, the rest stays, and they return', async () => {
  const page = await opened();
  const { b, document, replica } = page;
  const cells = [...document.querySelectorAll('.cell.code')];
  cells.forEach((cell) => cell.classList.replace('code', 'coded'));
  await until(() => 'blocks' in b.last('hello').found, 'the fallback', MS);
  await until(
    () => /Blocks of text that look like tracebacks are still read/.test(check(page).sentence),
    'the check',
    MS,
  );
  assert.match(check(page).sentence, /but not code cells\./);
  await replica.run(OOM);
  const card = await page.card('gpu-oom', 'near the text');
  assert.match(card.host.previousElementSibling.textContent, /OutOfMemoryError/);
  assert.equal(page.cards().length, 1);
  await replica.run(OOM, [{ wait: 200 }, { crash: 'ram' }]);
  await page.card('host-oom');
  assert.ok(b.status().includes('of 12.7 GiB'), 'figures are read');
  cells.forEach((cell) => cell.classList.replace('coded', 'code'));
  await until(() => !('blocks' in b.last('hello').found), 'its own cells', MS);
  await until(() => !check(page).missing.length, 'the check', MS);
  await replica.run(OOM);
  assert.equal((await page.card('gpu-oom')).host.parentElement.className, 'cell-contents');
  assert.deepEqual(page.errors, []);
});

test('the report shows how the page is built, and none of its content', async () => {
  const page = await opened('?rename=%23connect-button-resource-display&rename=.mdc-snackbar__label');
  await page.replica.run(OOM);
  await page.card('gpu-oom');
  page.document
    .querySelector('.output')
    .insertAdjacentHTML('beforeend', '<div class="output_html"><b class="ada-example">Ada</b></div>');
  // Assembled here, so that scanners of this repository don't take them for real ones.
  const body = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8';
  const keys = ['hf_', 'ghp_', 'sk-ant-api03-', 'AKIA', 'glpat-', 'xoxb-1-', 'sk_live_', 'npm_', 'gsk_', 'AIza'].map(
    (prefix) => prefix + body,
  );
  for (const key of keys) {
    const div = page.document.createElement('div');
    Object.assign(div, { id: key, title: key, textContent: `token ${key}` });
    div.dataset.key = key;
    page.document.body.append(div);
  }
  page.document.documentElement.lang = 'de';
  const text = await report(page);
  assert.ok(!text.includes(body.slice(0, 12)), text);
  for (const part of [
    'nbmedic drift report, version 9.8.7, Firefox 140',
    'front end  Google Colab, build 6f1d0c9e4b7a2835',
    /^profile {4}colab [0-9a-f]{1,8}$/m,
    'language de, light',
    /^ {2}cells {8}7$/m,
    /colab-run-button\n +#shadow\n +div\.cell-execution.*\n/,
    /md-text-button#button|md-text-button/,
    /colab-toolbar-button#connect.*\[tooltiptext=pair\]/,
    '.mdc-snackbar__label-new',
    /div#\?\.cell\.code\.notebook-cell/,
    /\(count\)/,
  ]) {
    assert.ok(typeof part === 'string' ? text.includes(part) : part.test(text), `${part} in\n${text}`);
  }
  for (const secret of [
    /ada/i,
    /segment_tiles/,
    new RegExp(OOM),
    /OutOfMemory/,
    /12\.67/,
    /drive\//,
    /imports?\b|torch/,
    /Qw|Connected|Python 3/,
    /@/,
  ]) {
    assert.doesNotMatch(text, secret);
  }
  assert.ok(text.length < 64 * 1024 && text.split('\n').length < 700, `${text.length} characters`);
});

test('the report of a page that is no longer recognised is about its former front end', async () => {
  const page = await opened(
    '?rename=.code&rename=colab-connect-button&rename=colab-status-bar&rename=colab-run-button&rename=colab-snackbar&rename=.cell',
  );
  assert.equal(page.b.last('hello').profile, 'generic');
  const text = await report(page);
  assert.match(text, /profile {4}colab [0-9a-f]+, cells read as blocks of text/);
  assert.match(text, /^ {2}cells {8}missing$/m);
  assert.match(text, /colab-run-button-new/);
});
