// Outputs of one cell: inline renderers, error outputs in both known forms, and streams that change as Colab's do.
import { ansiNodes, h } from './dom.js';
import { classes, closest } from './names.js';
import { variant } from './variants.js';

const KEPT_LINES = 5000;
const TRUNCATED = `Streaming output truncated to the last ${KEPT_LINES} lines.`;

export class Output {
  constructor(cell, index, { restored = false } = {}) {
    this.cell = cell;
    this.index = index;
    this.items = [];
    this.restored = restored;
    this.nextId = 1;
    this.element = h('div', { class: 'output', role: 'region', 'aria-label': this.modern() && `Cell ${index} output` });
    this.build();
  }

  build() {
    this.container = h('div', { class: 'output-iframe-container' });
    this.slot = h('div', {}, h('div'));
    this.sizer = h('div', { class: 'output-iframe-sizer' }, this.slot, h('div', {}, h('div')));
    this.container.append(this.sizer);
    this.content = h(
      'div',
      { class: 'output-content' },
      h('div', { class: 'output-info' }, h('colab-output-info')),
      this.container,
    );
    this.element.replaceChildren(
      document.createComment('?lit$replica$'),
      h('div', { class: 'output-header' }),
      this.content,
    );
    this.renderer = null;
    this.show();
  }

  show() {
    this.content.style.display = this.items.length ? '' : 'none';
    const cell = closest(this.element, '.cell');
    if (cell) classes(cell, { 'code-has-output': this.items.length });
  }

  clear() {
    this.items = [];
    this.restored = false;
    this.build();
  }

  // Hides the outputs behind a button, or removes them while the cell is off screen; `show` restores them.
  hide(how) {
    this.renderer = null;
    this.slot.replaceChildren();
    if (how === 'collapsed') this.slot.append(h('md-text-button', { class: 'output-show-output' }, 'Show output'));
  }

  // Renders the component again, as lit does: the same content in new nodes, and all foreign nodes are gone.
  rerender() {
    const items = this.items;
    this.items = [];
    this.build();
    for (const item of items) {
      item.pre = null;
      this.items.push(item);
      this.place(item);
    }
    this.show();
  }

  mount(item, kinds) {
    if (!this.renderer) {
      this.renderer = h('colab-static-output-renderer', { tabindex: '0', role: 'group' });
      this.slot.replaceChildren(h('div', {}, this.renderer));
    }
    const id = this.restored ? [] : [`output-id-${item.id}`];
    item.pre = h('pre', { class: item.kind === 'error' && !this.modern() ? 'lazy-loaded' : null });
    item.node = h('div', { class: [kinds[0], ...id, ...kinds.slice(1)].join(' ') }, item.pre);
    this.renderer.append(h('div', {}, item.node));
  }

  modern() {
    return variant.markup !== '2024';
  }

  place(item) {
    const kinds = {
      stream: ['stream', 'output_text'],
      result: ['execute_result', 'output_text'],
      error: this.modern() ? ['error', 'output_text'] : ['output_subarea', 'output_text', 'output_error'],
    }[item.kind];
    this.mount(item, kinds);
    item.pre.append(...(item.text.includes('\x1b') ? ansiNodes(item.text) : [document.createTextNode(item.text)]));
  }

  add(kind, text) {
    const item = { kind, text, id: this.nextId++, lines: 0 };
    this.items.push(item);
    this.place(item);
    this.show();
    return item;
  }

  // mode: edit (the text node's data changes), replace (a new text node), grow (text nodes are appended)
  stream(text, mode = 'edit') {
    let item = this.items.at(-1);
    if (item?.kind !== 'stream') item = this.add('stream', '');
    item.lines += text.split('\n').length - 1;
    let whole = item.text + text;
    if (item.lines > KEPT_LINES) {
      const body = whole.startsWith(TRUNCATED) ? whole.slice(TRUNCATED.length + 1) : whole;
      const lines = body.split('\n');
      whole = `${TRUNCATED}\n${lines.slice(Math.max(0, lines.length - KEPT_LINES - 1)).join('\n')}`;
    }
    const truncated = item.lines > KEPT_LINES;
    item.text = whole;
    const coloured = whole.includes('\x1b');
    if (coloured) item.pre.replaceChildren(...ansiNodes(whole));
    else if (mode === 'grow' && !truncated) item.pre.append(document.createTextNode(text));
    else if (mode === 'replace' || item.pre.childNodes.length !== 1)
      item.pre.replaceChildren(document.createTextNode(whole));
    else item.pre.firstChild.data = whole;
  }
}
