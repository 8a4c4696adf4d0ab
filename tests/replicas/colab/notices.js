// Toasts, dialogs and banners, with Colab's wording where there is evidence for it.
import { h } from './dom.js';
import { $, $$, closest } from './names.js';
import { variant } from './variants.js';

export const TOASTS = {
  ram: ['Your session crashed after using all available RAM.', ['View runtime logs']],
  'ram-pro': ['Your session crashed after using all available RAM.', ['Get more RAM']],
  window: [
    'Your session crashed after requesting an X window. The X window system is not available in Colab.',
    ['View runtime logs'],
  ],
  unknown: ['Your session crashed for an unknown reason.', ['View runtime logs']],
  restarting: ['Your session crashed. Automatically restarting.', []],
  'ram-ja': ['使用可能な RAM をすべて使用した後、セッションがクラッシュしました。', []],
  'unknown-ja': ['不明な理由により、セッションがクラッシュしました。', []],
  // A language of which no sentence is known.
  'unknown-eo': ['Via seanco kolapsis pro nekonata kialo.', ['Vidi protokolojn']],
  connect: ['Unable to connect to the runtime.', []],
  'drive-time': ['A Google Drive timeout has occurred (most recently at 4:05:06 PM).', ['More info']],
  'drive-rate': ['A Google Drive quota has been exceeded (most recently at 4:05:06 PM).', ['More info']],
  'drive-full': ['A Google Drive storage quota has been exceeded (most recently at 4:05:06 PM).', ['More info']],
  unsent: ['Failed to execute cell. Could not send execute message to runtime: Error: Not connected to a runtime.', []],
  saved: ['All changes saved', []],
};

const GONE = {
  heading: 'Runtime disconnected',
  classes: 'disconnected-dialog yes-no-dialog',
  buttons: ['Close', 'Reconnect'],
};
const ENDED = 'Your runtime has been disconnected due to inactivity or reaching its maximum duration.';
const AGAIN = 'To connect to a new runtime, click the connect button below.';

export const DIALOGS = {
  inactive: { ...GONE, text: `${ENDED} ${AGAIN}` },
  'inactive-free': {
    ...GONE,
    text: `${ENDED} For longer running notebooks, consider upgrading to Colab Pro. ${AGAIN}`,
  },
  'inactive-pro': {
    ...GONE,
    text: `${ENDED} As a Colab Pro subscriber you have access to longer runtime durations than non-subscribers do, but durations are still not guaranteed or unlimited. ${AGAIN}`,
  },
  disallowed: {
    ...GONE,
    text: 'Your runtime has been disconnected due to executing code that is disallowed in our free of charge tier. If you believe this message is in error, file an appeal.',
  },
  'high-ram': {
    heading: 'Switch to a high-RAM runtime?',
    text: 'Your session crashed after using all available RAM. A high-RAM runtime has more of it. Its variables start empty.',
    classes: 'yes-no-dialog',
    buttons: ['Cancel', 'Switch'],
  },
  // A warning before the run.
  'may-be-disallowed': {
    heading: 'Warning',
    text: 'You may be executing code that is disallowed, and this may restrict your ability to use Colab in the future.',
    classes: 'yes-no-dialog',
    buttons: ['Cancel', 'Continue anyway'],
  },
  still: { heading: 'Are you still here?', text: '', classes: 'yes-no-dialog', buttons: ["I'm here"] },
  gpu: {
    heading: 'Cannot connect to GPU backend',
    text: 'You cannot currently connect to a GPU due to usage limits in Colab. Learn more',
    classes: 'yes-no-dialog',
    buttons: ['Cancel', 'Connect without GPU'],
  },
  'gpu-plus': {
    heading: 'Cannot connect to GPU backend',
    text: 'You cannot currently connect to a GPU due to usage limits in Colab. As a Colab Pro+ subscriber, you have higher usage limits than other users. Learn more',
    classes: 'yes-no-dialog',
    buttons: ['Cancel', 'Connect without GPU'],
  },
  'gpu-pt': {
    heading: 'Não é possível conectar ao back-end da GPU',
    text: 'Para ter mais acesso a GPUs, compre unidades de computação do Colab com Pay As You Go.',
    classes: 'yes-no-dialog',
    buttons: ['Cancelar', 'Conectar sem GPU'],
  },
  assign: {
    heading: 'Failed to assign a backend',
    text: 'No backend with GPU available. Would you like to use a runtime with no accelerator?',
    classes: 'yes-no-dialog',
    buttons: ['Cancel', 'OK'],
  },
  'assign-tpu': {
    heading: 'Failed to assign a backend',
    text: 'No backend with TPU is available. Would you like to use a runtime with no accelerator?',
    classes: 'yes-no-dialog',
    buttons: ['Cancel', 'OK'],
  },
  none: {
    heading: '',
    text: 'Sorry, no backends available. Please try again later.',
    classes: 'yes-no-dialog',
    buttons: ['OK'],
  },
  restart: {
    heading: 'Restart session',
    text: 'WARNING: The following packages were previously imported in this runtime: [numpy] You must restart the runtime in order to use newly installed versions. Restarting will lose all runtime state, including local variables.',
    classes: 'yes-no-dialog',
    buttons: ['Cancel', 'Restart session'],
  },
  foreign: {
    heading: 'Warning: This notebook was not authored by Google',
    text: 'This notebook is being loaded from GitHub. It may request access to your data stored with Google.',
    classes: 'yes-no-dialog',
    buttons: ['Cancel', 'Run anyway'],
  },
  // Colab's log dialog is not documented. This is a dialog with a table of lines, as the menu's wording suggests.
  logs: {
    heading: 'Runtime logs',
    text: 'Timestamp\tLevel\tMessage\n',
    classes: 'confirm-dialog',
    buttons: ['Close'],
  },
  sessions: {
    heading: 'Too many sessions',
    text: 'You have too many active sessions. Terminate an existing session to continue.',
    classes: 'yes-no-dialog',
    buttons: ['Cancel', 'Manage sessions'],
  },
};

export function snackbar(name, { secondary = false, label = 'shadow' } = {}) {
  const [text, actions] = TOASTS[name] ?? [name, []];
  const buttons = actions.map((name) => ({ name, onclick: () => name === 'Get more RAM' && dialog('high-ram') }));
  $(secondary ? '#message-area-secondary' : '#message-area').open(text, buttons, label);
}

export function dismissSnackbars() {
  $$('colab-snackbar').forEach((bar) => bar.close());
}

export function dialog(name, { kind = variant.dialog, more = '' } = {}) {
  const {
    heading,
    text: words,
    classes,
    buttons,
  } = DIALOGS[name] ?? { heading: '', text: name, classes: '', buttons: ['OK'] };
  const text = words + more;
  const close = (event) => closest(event.currentTarget, 'mwc-dialog, md-dialog').remove();
  const element =
    kind === 'mwc'
      ? h(
          'mwc-dialog',
          { class: classes, open: true },
          h('div', { class: 'content-area' }, text),
          ...buttons.map((label, i) =>
            h(
              'md-text-button',
              { slot: i ? 'primaryAction' : 'secondaryAction', dialogaction: i ? 'ok' : 'cancel', onclick: close },
              label,
            ),
          ),
        )
      : h(
          'md-dialog',
          { class: classes, open: true },
          h('div', { slot: 'headline' }, heading),
          h('div', { slot: 'content' }, text),
          h('div', { slot: 'actions' }, ...buttons.map((label) => h('md-text-button', { onclick: close }, label))),
        );
  // A property; no attribute says it.
  element.heading = heading;
  document.body.append(element);
  return element;
}

export function banner(text, action = 'Dismiss') {
  const element = h(
    'div',
    { class: 'header-warning' },
    h('div', { class: 'message' }, text),
    h('div', { class: 'actions' }, h('span', { onclick: () => element.remove() }, action)),
  );
  $('[role=banner]').prepend(element);
}
