// Colab's custom elements with open shadow roots where Colab has them.
import { h, icon, ICONS, shadow } from './dom.js';
import { $, $$, attribute, classes, classNames, get, set, tag } from './names.js';
import { variant } from './variants.js';

const BUTTON = `
  button { font: inherit; color: inherit; background: none; border: 0; padding: 4px 8px; margin: 0; cursor: pointer;
    display: inline-flex; align-items: center; gap: 6px; border-radius: 16px; min-height: 28px; }
  button:hover { background: #8882; }
  .screenreader-only { position: absolute; left: -9999px; width: 1px; height: 1px; overflow: hidden; }`;

class MdButton extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    shadow(this, BUTTON, h('button', { id: 'button', 'aria-label': get(this, 'aria-label') }, h('slot')));
  }
}
class MdTextButton extends MdButton {}
class MdIconButton extends MdButton {}

// The icon's name is its text; a font would draw it.
class MdIcon extends HTMLElement {
  connectedCallback() {
    if (!this.shadowRoot) shadow(this, ':host { display: inline-flex; }', icon(ICONS[this.textContent], 18));
  }
}

class TooltipTrigger extends HTMLElement {}

class Sparkline extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    const canvas = h('canvas', { width: 40, height: 18 });
    shadow(
      this,
      `:host { display: flex; align-items: center; gap: 4px; height: 20px; font-size: 11px; }
      canvas { border-bottom: 1px solid var(--colab-success-color); width: 40px; height: 18px; }`,
      h('span', { class: 'label' }, get(this, 'label')),
      canvas,
    );
    this.draw(0.1);
  }

  draw(share) {
    const canvas = this.shadowRoot.querySelector('canvas');
    const pen = canvas.getContext('2d');
    this.levels = [...(this.levels ?? []), share].slice(-20);
    pen.clearRect(0, 0, 40, 18);
    pen.fillStyle = share > 0.9 ? '#d93025' : '#34a853';
    this.levels.forEach((level, i) => pen.fillRect(40 - 2 * (this.levels.length - i), 18 - 17 * level, 2, 17 * level));
  }
}

class ToolbarButton extends HTMLElement {
  static observedAttributes = [attribute('tooltiptext')];

  connectedCallback() {
    if (this.shadowRoot) return;
    this.reader = h('span', { class: 'screenreader-only' });
    this.trigger = h('colab-tooltip-trigger', { id: get(this, 'tooltipid') ?? 'tooltip' });
    shadow(
      this,
      ':host { display: inline-flex; } .screenreader-only { position: absolute; left: -9999px; width: 1px; overflow: hidden; }',
      h('md-text-button', { id: 'button' }, h('slot'), this.reader),
      this.trigger,
    );
    this.attributeChangedCallback();
  }

  set disabled(on) {
    this.shadowRoot.firstElementChild.nextElementSibling.toggleAttribute('disabled', on);
  }

  attributeChangedCallback() {
    if (!this.reader) return;
    const text = get(this, 'tooltiptext') ?? '';
    this.reader.textContent = text;
    set(this.trigger, 'message', text);
  }
}

class ConnectButton extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    this.icon = h(
      'md-icon-button',
      { id: 'connect-icon', class: 'icon-okay', 'data-aria-label': 'Focus the last run cell' },
      h('md-icon', {}, 'done'),
    );
    this.button = h('colab-toolbar-button', {
      id: 'connect',
      class: 'split-button',
      tooltipid: 'colab-connect-tooltip',
    });
    shadow(
      this,
      `:host { display: flex; align-items: center; font: 500 13px var(--colab-chrome-font-family); color: var(--colab-primary-text-color); }
      #connect-icon { color: var(--colab-success-color); } #connect-button-resource-display { text-align: left; }`,
      this.icon,
      this.button,
      h(
        'md-icon-button',
        { id: 'connect-dropdown', 'data-aria-label': 'Additional connection options' },
        icon(ICONS.down, 18),
      ),
    );
  }

  // state: connected, busy, connecting, reconnect, disconnected
  show({ state, backend, ram, disk, accelerator, locale = 'en' }) {
    const number = (value) => (locale === 'en' ? value.toFixed(2) : value.toFixed(2).replace('.', ','));
    const connected = ['connected', 'busy', 'local'].includes(state);
    this.button.disabled = state === 'connecting';
    this.button.toggleAttribute('disabled', state === 'connecting');
    const first = {
      connected: 'Connected to',
      local: 'Connected to',
      busy: 'Waiting to finish the current execution.',
      connecting: '',
      reconnect: 'Click to connect',
      disconnected: 'Connect to a new runtime',
    }[state];
    const lines = [first];
    const name = { local: '', connecting: 'Connecting', reconnect: 'Reconnect', disconnected: 'Connect' }[state];
    // The tooltip says only "(GPU)"; the button names the accelerator.
    const content = h(
      'div',
      { class: 'connect-button-content' },
      name,
      accelerator && h('span', { class: 'attributes' }, h('span', { class: 'attribute' }, accelerator)),
    );
    if (state === 'local') {
      // Connected without the widget.
      lines.push('Local runtime');
      this.button.replaceChildren(content);
    } else if (connected) {
      lines.push(
        backend,
        `RAM: ${number(ram[0])} GB/${number(ram[1])} GB`,
        `Disk: ${number(disk[0])} GB/${number(disk[1])} GB`,
      );
      let display = $('#connect-button-resource-display', this.button);
      if (!display) {
        display = h(
          'div',
          { id: 'connect-button-resource-display' },
          h('colab-usage-sparkline', { class: 'ram', label: 'RAM' }),
          h('colab-usage-sparkline', { class: 'disks', label: 'Disk' }),
        );
        this.button.replaceChildren(content, display);
      }
      display.children[0].draw(ram[0] / ram[1]);
      display.children[1].draw(disk[0] / disk[1]);
    } else {
      this.button.replaceChildren(content);
    }
    this.icon.hidden = !connected && state !== 'connecting';
    this.icon.toggleAttribute('disabled', state === 'connecting');
    classes(this.icon, { 'icon-okay': connected, 'icon-warning': state === 'connecting' });
    set(this.button, 'tooltiptext', lines.join('\n'));
  }
}

class ConnectWarning extends HTMLElement {
  connectedCallback() {
    if (!this.shadowRoot) shadow(this, '');
  }
}

class RunButton extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    this.state = { run: 'stale', count: null, tooltip: 'Run cell (Ctrl+Enter)' };
    this.old = variant.markup === '2024';
    this.body = h('div', { class: 'cell-execution' });
    shadow(
      this,
      `:host { display: block; font: 13px var(--colab-code-font-family); color: var(--colab-secondary-text-color); }
      .cell-execution { position: relative; display: flex; justify-content: center; padding-top: 7px; height: 36px; }
      button { all: unset; cursor: pointer; display: none; color: var(--colab-primary-text-color); }
      .execution-count { line-height: 22px; }
      .focused button, .hovered button, .running button, .error button, .pending button { display: inline-flex; }
      .focused .status, .hovered .status, .running .status, .error .status, .pending .status { display: none; }
      .error button { color: var(--colab-error-color); }
      .running button { outline: 2px dashed var(--colab-secondary-text-color); border-radius: 50%; }
      .pending button { opacity: .5; }`,
      this.body,
    );
    this.addEventListener('click', () => this.dispatchEvent(new CustomEvent('run-cell', { bubbles: true })));
    this.addEventListener('mouseenter', () => classes(this.body, { hovered: true }));
    this.addEventListener('mouseleave', () => classes(this.body, { hovered: false }));
    this.render();
  }

  set(change) {
    Object.assign(this.state, change);
    this.render();
  }

  render() {
    const { run, count, tooltip, focused } = this.state;
    this.body.className = classNames(['cell-execution', focused && 'focused', run].filter(Boolean).join(' '));
    const label = count === null ? '[ ]' : `[${count}]`;
    const counter = h('div', { class: 'execution-count' }, label);
    const button = h(
      'button',
      { id: 'run-button', 'aria-label': run.includes('running') ? 'Interrupt execution' : 'Run cell' },
      icon(run.includes('running') ? ICONS.stop : ICONS.play, 24),
    );
    if (this.old) {
      this.title = tooltip;
      this.body.replaceChildren(button, label);
    } else {
      this.body.replaceChildren(
        button,
        h('colab-tooltip-trigger', { id: 'run-button-tooltip', message: tooltip }),
        h('div', { class: 'status' }, counter),
      );
    }
  }
}

class StatusBar extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    const css = `:host { display: flex; align-items: center; font: 13px var(--colab-chrome-font-family); color: var(--colab-primary-text-color); }
      .left { flex: 1; padding-left: 16px; display: flex; gap: 20px; } .right { display: flex; gap: 8px; padding-right: 12px; align-items: center; }`;
    if (variant.markup === '2025') {
      // No .connect-status; without a runtime nothing but the frames.
      this.cell = h('span', { class: 'cell-status' });
      this.closed = h('span', { class: 'visible-on-closed', title: '' });
      shadow(this, css, h('span', { class: 'left' }), h('span', { class: 'frames' }), this.cell, this.closed);
      return;
    }
    if (variant.markup === '2024') {
      this.status = h(
        'span',
        { class: 'connect-status' },
        h('md-icon', { status: 'icon-okay' }, 'done'),
        h('span', { class: 'text' }),
      );
      shadow(this, css, h('span', { class: 'left' }), this.status);
      return;
    }
    this.execution = h('colab-execution-status');
    this.runtime = h('colab-runtime-status');
    shadow(
      this,
      css,
      h(
        'span',
        { class: 'left' },
        h('slot', { name: 'bottom-pane-buttons' }, h('span', {}, '{ } Variables'), h('span', {}, '›_ Terminal')),
      ),
      h('span', { class: 'right' }, this.execution, this.runtime),
    );
  }

  show({ executing, time, accelerator, backend, state }) {
    const connected = state === 'connected' || state === 'busy';
    const busy = connected && executing;
    if (this.cell) {
      this.cell.hidden = this.closed.hidden = !connected;
      this.cell.textContent = executing ? `${executing}` : time;
      set(this.closed, 'title', connected ? `completed at ${time}` : '');
      return;
    }
    if (this.status) {
      this.status.lastChild.textContent = executing
        ? 'Waiting to finish the current execution'
        : state === 'connecting'
          ? 'Connecting to Python 3 Google Compute Engine backend'
          : `Connected to ${backend}`;
      return;
    }
    const part = (host, id, glyph, text, message) =>
      shadow(
        host,
        ':host { display: inline-flex; }',
        h('md-text-button', { id }, glyph, text),
        h('colab-tooltip-trigger', { message }),
      );
    // Saves of 2025 without a runtime show nothing here.
    this.execution.hidden = !connected;
    part(
      this.execution,
      'execution-status',
      busy ? h('md-circular-progress') : h('md-icon', {}, 'check'),
      busy ? `Executing (${executing})` : time,
      busy ? 'Focus the running cell' : `Focus the last run cell\n${time} (0 minutes ago)`,
    );
    part(
      this.runtime,
      'runtime-options',
      h('md-icon', {}, 'dns'),
      // Before July 2026 the name stood here.
      accelerator && variant.named === 'bar' ? `${accelerator} (Python 3)` : 'Python 3',
      'Runtime options',
    );
    if (state === 'connecting')
      this.runtime.shadowRoot.replaceChildren(h('span', { class: 'status-message' }, 'Allocating runtime'));
  }
}

class Snackbar extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    set(this, 'labeltext', '');
    this.label = h('div', { class: 'mdc-snackbar__label', role: 'status', 'aria-live': 'polite' });
    this.bar = h(
      'div',
      { class: 'mdc-snackbar mdc-snackbar--leading' },
      h(
        'div',
        { class: 'mdc-snackbar__surface' },
        this.label,
        h('div', { class: 'mdc-snackbar__actions' }, h('slot', { name: 'action' }), h('slot', { name: 'dismiss' })),
      ),
    );
    shadow(
      this,
      `.mdc-snackbar { display: none; position: fixed; left: 16px; bottom: 44px; z-index: 1000; }
      .mdc-snackbar--open { display: block; }
      .mdc-snackbar__surface { display: flex; align-items: center; gap: 8px; background: #303030; color: #f2f2f2; border-radius: 4px; padding: 6px 8px 6px 16px;
        font: 14px/20px var(--colab-chrome-font-family); box-shadow: 0 3px 8px #0006; max-width: 640px; }
      .mdc-snackbar__actions { display: flex; align-items: center; color: #a8c7fa; white-space: nowrap; }`,
      this.bar,
    );
    this.append(
      h(
        'md-icon-button',
        { class: 'close', slot: 'dismiss', title: 'Close', onclick: () => this.close() },
        icon(ICONS.close, 18),
      ),
    );
  }

  // `label`: where the words are. In the saved pages labeltext is always empty.
  open(text, actions = [], label = 'shadow') {
    $$('[slot=action]', this).forEach((node) => node.remove());
    if (label !== 'shadow') set(this, 'labeltext', text);
    this.label.textContent = label === 'attribute' ? '' : text;
    this.prepend(
      ...actions.map(({ name, onclick }) =>
        h('md-text-button', { slot: 'action', class: 'snackbar-action', onclick }, name),
      ),
    );
    classes(this.bar, { 'mdc-snackbar--open': true });
  }

  // The words and the buttons stay.
  close() {
    classes(this.bar, { 'mdc-snackbar--open': false });
    set(this, 'labeltext', '');
  }
}

const DIALOG = `
  .backdrop { position: fixed; inset: 0; background: #0006; z-index: 1001; }
  .surface { position: fixed; z-index: 1002; top: 28%; left: 50%; transform: translateX(-50%); width: min(480px, 90vw); padding: 24px;
    border-radius: 12px; background: var(--colab-primary-surface-color); color: var(--colab-primary-text-color); font: 14px/20px var(--colab-chrome-font-family); }
  h2 { font: 500 20px/28px var(--colab-chrome-font-family); margin: 0 0 12px; }
  .buttons { display: flex; justify-content: flex-end; gap: 8px; margin-top: 20px; color: var(--colab-primary-color); }`;

class MwcDialog extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    shadow(
      this,
      DIALOG,
      h(
        'div',
        { class: 'mdc-dialog mdc-dialog--open', role: 'alertdialog', 'aria-label': this.heading },
        h('div', { class: 'backdrop mdc-dialog__scrim' }),
        h(
          'div',
          { class: 'surface mdc-dialog__surface' },
          h('h2', { id: 'title', class: 'mdc-dialog__title' }, this.heading ?? ''),
          h('div', { id: 'content', class: 'mdc-dialog__content' }, h('slot', { id: 'contentSlot' })),
          h(
            'footer',
            { id: 'actions', class: 'buttons' },
            h('slot', { name: 'secondaryAction' }),
            h('slot', { name: 'primaryAction' }),
          ),
        ),
      ),
    );
  }
}

class MdDialog extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    shadow(
      this,
      DIALOG,
      h('div', { class: 'backdrop scrim' }),
      h(
        'div',
        { class: 'surface', role: 'dialog' },
        h('h2', { class: 'headline' }, h('slot', { name: 'headline' })),
        h('div', { class: 'content' }, h('slot', { name: 'content' })),
        h('div', { class: 'buttons actions' }, h('slot', { name: 'actions' })),
      ),
    );
  }
}

class OutputInfo extends HTMLElement {
  connectedCallback() {
    if (!this.shadowRoot)
      shadow(
        this,
        ':host { color: var(--colab-secondary-text-color); }',
        h('button', { 'aria-label': 'Code cell output actions', style: 'all:unset' }, icon(ICONS.output, 16)),
      );
  }
}

class NextSteps extends HTMLElement {
  connectedCallback() {
    if (!this.shadowRoot) shadow(this, '');
  }

  /** @param {boolean} on whether something is offered: for an error, its explanation */
  offer(on) {
    this.toggleAttribute('hascontent', on);
    shadow(
      this,
      `:host([hascontent]) { display: flex; padding: 4px 0 4px 48px; font: 13px/28px var(--colab-chrome-font-family); color: var(--colab-secondary-text-color); }
      .content { display: flex; align-items: center; gap: 8px; } .fix { border: 1px solid var(--colab-border-color); border-radius: 16px; padding: 0 12px; color: var(--colab-primary-color); }`,
      ...(on
        ? [h('div', { class: 'content' }, 'Next steps:', h('mwc-button', { class: 'fix' }, 'Explain error'))]
        : []),
    );
  }
}

class CellToolbar extends HTMLElement {
  connectedCallback() {
    if (!this.shadowRoot) shadow(this, '', h('div', { class: 'toolbar' }));
  }
}

class UsageDisplay extends HTMLElement {
  show(lines) {
    shadow(
      this,
      'div { font: 13px/24px var(--colab-chrome-font-family); }',
      ...lines.map((line) => h('div', {}, line)),
    );
  }
}

export function defineElements() {
  const elements = {
    'md-icon': MdIcon,
    'md-text-button': MdTextButton,
    'md-icon-button': MdIconButton,
    'colab-tooltip-trigger': TooltipTrigger,
    'colab-usage-sparkline': Sparkline,
    'colab-toolbar-button': ToolbarButton,
    'colab-connect-button': ConnectButton,
    'colab-connect-warning-button': ConnectWarning,
    'colab-run-button': RunButton,
    'colab-status-bar': StatusBar,
    'colab-snackbar': Snackbar,
    'mwc-dialog': MwcDialog,
    'md-dialog': MdDialog,
    'colab-output-info': OutputInfo,
    'colab-cell-next-steps': NextSteps,
    'colab-cell-toolbar': CellToolbar,
    'colab-usage-display': UsageDisplay,
  };
  for (const [name, type] of Object.entries(elements)) customElements.define(tag(name), type);
}
