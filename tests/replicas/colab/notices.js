// Toasts, dialogs and banners, with Colab's wording where there is evidence for it.
import { h } from './dom.js';
import { $, $$, closest } from './names.js';
import { variant } from './variants.js';

export const TOASTS = {
  ram: ['Your session crashed after using all available RAM.', ['View runtime logs']],
  unknown: ['Your session crashed for an unknown reason.', ['View runtime logs']],
  'unknown-ja': ['不明な理由により、セッションがクラッシュしました。', []],
  saved: ['All changes saved', []],
};

export const DIALOGS = {
  inactive: {
    heading: 'Runtime disconnected',
    text: 'Your runtime has been disconnected due to inactivity or reaching its maximum duration. To connect to a new runtime, click the connect button below.',
    classes: 'disconnected-dialog yes-no-dialog',
    buttons: ['Close', 'Reconnect'],
  },
  disallowed: {
    heading: 'Runtime disconnected',
    text: 'Your runtime has been disconnected due to executing code that is disallowed in our free of charge tier. If you believe this message is in error, file an appeal.',
    classes: 'disconnected-dialog yes-no-dialog',
    buttons: ['Close', 'Reconnect'],
  },
  gpu: {
    heading: 'Cannot connect to GPU backend',
    text: 'You cannot currently connect to a GPU due to usage limits in Colab. Learn more',
    classes: 'yes-no-dialog',
    buttons: ['Cancel', 'Connect without GPU'],
  },
  sessions: {
    heading: 'Too many sessions',
    text: 'You have too many active sessions. Terminate an existing session to continue.',
    classes: 'yes-no-dialog',
    buttons: ['Cancel', 'Manage sessions'],
  },
};

export function snackbar(name, { secondary = false, label = 'both' } = {}) {
  const [text, actions] = TOASTS[name] ?? [name, []];
  $(secondary ? '#message-area-secondary' : '#message-area').open(text, actions, label);
}

export function dismissSnackbars() {
  $$('colab-snackbar').forEach((bar) => bar.close());
}

export function dialog(name, { kind = variant.dialog } = {}) {
  const { heading, text, classes, buttons } = DIALOGS[name] ?? { heading: '', text: name, classes: '', buttons: ['OK'] };
  const close = (event) => closest(event.currentTarget, 'mwc-dialog, md-dialog').remove();
  const element = kind === 'mwc'
    ? h('mwc-dialog', { class: classes, heading, open: true }, h('div', { class: 'content-area' }, text),
      ...buttons.map((label, i) => h('md-text-button', { slot: i ? 'primaryAction' : 'secondaryAction', dialogaction: i ? 'ok' : 'cancel', onclick: close }, label)))
    : h('md-dialog', { class: classes, open: true }, h('div', { slot: 'headline' }, heading), h('div', { slot: 'content' }, text),
      h('div', { slot: 'actions' }, ...buttons.map((label) => h('md-text-button', { onclick: close }, label))));
  document.body.append(element);
  return element;
}

export function banner(text, action = 'Dismiss') {
  const element = h('div', { class: 'header-warning' }, h('div', { class: 'message' }, text),
    h('div', { class: 'actions' }, h('span', { onclick: () => element.remove() }, action)));
  $('[role=banner]').prepend(element);
}
