// What the sensor reads of Colab's page around the cells, as whole saves of it have it, and what it leaves alone.
import assert from 'node:assert/strict';
import test from 'node:test';
import { card, start } from './background.mjs';
import { load, profile, shadow, until, wait } from './page.mjs';

const CELL =
  '<div class="cell code" id="cell-a"><div class="main-content"><div class="cell-contents"><colab-run-button></colab-run-button><div class="output"></div></div></div></div>';
const CRASHED = 'Your session crashed for an unknown reason.';

/** A page of Colab with one cell, and these elements. */
function colab(html) {
  const page = start(`<body>${html}${CELL}</body>`);
  const { document } = page;
  const button = shadow(
    document.querySelector('colab-run-button'),
    '<div class="cell-execution"><div class="execution-count">[ ]</div></div>',
  );
  return { ...page, button, $: (selector) => document.querySelector(selector) };
}
const ready = (b) => until(() => b.of('cell').length, 'the cell');
const quiet = () => wait(400);

test('a toast is open as long as its class says so: its words and its button stay behind, and are not read', async () => {
  const { b, $ } = colab('<colab-snackbar labeltext=""></colab-snackbar>');
  const bar = $('colab-snackbar');
  const root = shadow(
    bar,
    `<div class="mdc-snackbar"><div class="mdc-snackbar__surface"><div class="mdc-snackbar__label">${CRASHED}</div><slot name="action"></slot></div></div>`,
  );
  bar.insertAdjacentHTML(
    'beforeend',
    '<md-text-button class="snackbar-action" slot="action">View runtime logs</md-text-button>',
  );
  await ready(b);
  await quiet();
  assert.deepEqual(b.of('notice'), []);
  root.firstElementChild.classList.add('mdc-snackbar--open');
  await until(() => b.of('notice').length === 1, 'the toast');
  assert.equal(b.last('notice').text, CRASHED);
  root.firstElementChild.classList.remove('mdc-snackbar--open');
  await until(() => b.of('notice-gone').length === 1, 'its end');
});

test("a dialog's title is in its shadow root; its buttons are not read", async () => {
  const { b, document } = colab('');
  await ready(b);
  const dialog = document.createElement('mwc-dialog');
  shadow(
    dialog,
    '<div class="mdc-dialog" aria-label="Runtime disconnected"><h2 id="title" class="mdc-dialog__title">Runtime disconnected</h2><slot></slot><slot name="primaryAction"></slot></div>',
  );
  dialog.innerHTML =
    '<div>Your runtime has been disconnected due to inactivity.</div><md-text-button slot="secondaryAction" dialogaction="cancel">Close</md-text-button><mwc-button slot="primaryAction">Reconnect</mwc-button>';
  document.body.append(dialog);
  await quiet();
  assert.deepEqual(b.of('notice'), [], 'it is not open');
  dialog.setAttribute('open', '');
  await until(() => b.of('notice').length, 'the dialog');
  assert.equal(b.last('notice').text, 'Runtime disconnected\nYour runtime has been disconnected due to inactivity.');
});

test('hidden warnings and dialogs are no notices; one that is shown is', async () => {
  const { b, $ } = colab(
    `<div role="banner"><div class="header-warning" hidden><div class="message">${CRASHED}</div></div><div class="header-warning hidden"><div class="message">${CRASHED}</div></div><div id="header"></div></div><div role="dialog" class="modal-dialog" style="display: none">Loading… ${CRASHED}</div>`,
  );
  await ready(b);
  await quiet();
  assert.deepEqual(b.of('notice'), []);
  $('.header-warning').removeAttribute('hidden');
  await until(() => b.of('notice').length === 1, 'the warning');
  assert.equal(b.last('notice').kind, 'banner');
});

test('connected without the widget, connecting, older status bars: known states, and no changed page', async () => {
  const bar = '<colab-execution-status></colab-execution-status>';
  for (const [name, icon, connect, status, kernel] of [
    ['a local runtime', 'icon-okay', 'tooltiptext="Connected to\nLocal runtime"', bar, 'idle'],
    ['older, connected', 'icon-okay', '', '<span class="cell-status"></span>', 'unknown'],
    ['connecting', 'icon-warning', 'disabled tooltiptext=""', bar, 'connecting'],
    ['older, not connected', '', '', '<span class="frames"></span>', 'disconnected'],
  ]) {
    const page = colab('<colab-connect-button></colab-connect-button><colab-status-bar></colab-status-bar>');
    shadow(
      page.$('colab-connect-button'),
      `<md-icon-button id="connect-icon" class="${icon}"></md-icon-button><colab-toolbar-button id="connect" ${connect}><div class="connect-button-content">Connecting<span class="attributes"><span class="attribute">L4</span></span></div></colab-toolbar-button>`,
    );
    shadow(page.$('colab-status-bar'), status);
    await until(() => page.b.last('kernel') && page.b.last('vitals'), name);
    assert.equal(page.b.last('kernel').status, kernel, name);
    const { found } = page.b.last('hello');
    assert.deepEqual([found['status-bar'], found.ram], [1, undefined], name);
    const named = page.b.of('vitals').find(({ source }) => source === 'accelerator');
    assert.equal(named?.text, 'L4', name);
  }
});

test('a card comes back at once when the element in which it stands is replaced', async () => {
  const { b, button, $ } = colab('');
  await ready(b);
  b.reply = () => ({ effects: [{ ...card('a'), nb: b.last('cell').nb }] });
  button.firstElementChild.classList.add('running');
  await until(() => $('#cell-a [data-nbmedic-card]'), 'the card');
  b.reply = () => null;
  for (const what of ['.cell-contents', '.main-content']) {
    const old = $(what);
    const fresh = old.cloneNode(true);
    fresh.querySelector('[data-nbmedic-card]')?.remove();
    old.replaceWith(fresh);
    await wait(0);
    assert.ok($('#cell-a [data-nbmedic-card]'), what);
  }
});

test('the drift report shows first what is around notices and failed cells, and words only if they were added', async () => {
  const many = Array.from({ length: 900 }, (_, i) => `<div class="row-a${i % 7}"><b class="deep-${i % 5}"></b></div>`);
  // As on every page of Colab: warnings that are hidden.
  const hidden = '<div class="header-warning" hidden><div class="message">a</div></div>'.repeat(6);
  const { button, $, window } = colab(
    `${many.join('')}${hidden}<colab-snackbar id="message-area" class="message-area"></colab-snackbar>`,
  );
  shadow($('colab-snackbar'), `<div class="mdc-snackbar bar-open"><span class="says">${CRASHED}</span></div>`);
  button.firstElementChild.classList.add('error');
  const { outline } = await load(window, 'sensor/outline.js');
  const found = outline([profile('colab')]);
  const around = found.around.join('\n');
  for (const part of ['.mdc-snackbar.bar-open', 'span.says (text)', '.cell.code', '.cell-execution.error'])
    assert.ok(around.includes(part), `${part}: ${around}`);
  assert.doesNotMatch(around, /crashed|row-a/);
  assert.equal(around.match(/colab-snackbar/g).length, 1, 'each notice once');
  const about = { version: '1', browser: 'Chrome/1' };
  const { driftReport } = await import('../../extension/background/drift.js');
  assert.doesNotMatch(driftReport([found], about), /crashed/);
  const added = driftReport([found], { ...about, words: CRASHED });
  assert.match(added, /only the words that follow[^]*a notice says\n {2}Your session crashed/);
});
