// Cells and editors: the lazy editor of an untouched cell, and the live one with its rows out of order.
import { h } from './dom.js';
import { variant } from './variants.js';

const TOKEN =
  /(#.*)|("""[^]*?"""|'''[^]*?'''|[fr]?"(?:\\.|[^"\\])*"|[fr]?'(?:\\.|[^'\\])*')|\b(import|from|as|def|class|return|for|in|while|if|elif|else|try|except|raise|with|not|and|or|is|lambda|None|True|False|pass|global)\b|\b(\d[\d_.e]*)\b|([A-Za-z_]\w*)(?=\()/g;

function tokens(line) {
  const parts = [];
  let rest = 0;
  const put = (text, kind) => {
    // Monaco cuts a long token after about fifty characters.
    for (let at = 0; at < text.length; at += 50) parts.push([text.slice(at, at + 50), kind]);
  };
  for (const match of line.matchAll(TOKEN)) {
    put(line.slice(rest, match.index), 'plain');
    const kind = match[1] ? 'comment' : match[2] ? 'string' : match[3] ? 'keyword' : match[4] ? 'number' : 'name';
    put(match[0], kind);
    rest = match.index + match[0].length;
  }
  put(line.slice(rest), 'plain');
  return parts;
}

const spans = (line) =>
  tokens(line).map(([text, kind]) => h('span', { class: `mtk-${kind}` }, text.replaceAll(' ', '\u00a0')));

function lazyEditor(source) {
  const code = h('pre', { class: 'monaco-colorized', 'data-lang': 'notebook-python' });
  source.split('\n').forEach((line, i) => {
    if (i) code.append(h('br'));
    code.append(...spans(line));
  });
  return h(
    'div',
    { class: 'editor flex lazy-editor' },
    h(
      'pre',
      { class: 'lazy-virtualized' },
      h(
        'pre',
        { class: 'lazy-gutter' },
        source.split('\n').map((_, i) => `${i + 1}\n`),
      ),
      code,
    ),
  );
}

let models = 1;

function liveEditor(source) {
  const lines = source.split('\n');
  const rows = lines.map((line, i) =>
    h('div', { class: 'view-line', style: `top:${i * 19}px;height:19px` }, h('span', {}, spans(line))),
  );
  // Monaco reuses row elements, so their order in the tree is not the order of the lines.
  const order = rows.length > 2 ? [...rows.slice(2), rows[0], rows[1]] : rows.toReversed();
  const view = h('div', { class: 'view-lines', role: 'presentation', style: `height:${lines.length * 19}px` }, order);
  return h(
    'div',
    { class: 'editor flex lazy-editor' },
    h(
      'div',
      { class: 'editor flex monaco', style: 'padding:0', 'data-mode-id': 'notebook-python' },
      h(
        'div',
        { class: 'monaco-editor', role: 'code', 'data-uri': `inmemory://model/${models++}` },
        h(
          'div',
          { class: 'overflow-guard' },
          h('div', { class: 'monaco-scrollable-element' }, h('div', { class: 'lines-content' }, view)),
        ),
      ),
    ),
  );
}

export const editor = (cell) => (cell.live ? liveEditor(cell.source) : lazyEditor(cell.source));

export function codeCell(cell, index, output) {
  const old = variant.markup === '2024';
  const run = h('colab-run-button');
  const element = h(
    'div',
    {
      class: `cell code ${old ? 'icon-scrolling' : 'notebook-cell'}`,
      id: `cell-${cell.id}`,
      role: 'region',
      'aria-label': `Cell ${index}: Code cell: `,
      tabindex: '-1',
    },
    h('div', { class: 'cell-tag-editor' }),
    h('div', { class: 'agent-focus-label' }),
    h('div', { class: 'cell-toolbar sticky' }, h('colab-cell-toolbar')),
    h(
      'div',
      { class: 'main-content' },
      h(
        'div',
        { class: 'cell-contents' },
        h('div', { class: 'cell-mask' }),
        h('span', { class: 'imported-info-area' }),
        h(
          'div',
          { class: 'codecell-input-output' },
          h(
            'div',
            { class: 'inputarea horizontal layout code' },
            h('div', { class: 'cell-gutter' }, h('div', { class: 'cell-execution-container' }, run)),
            editor(cell),
            h('colab-form', { class: 'formview' }),
          ),
          output,
        ),
        h('colab-cell-next-steps'),
      ),
    ),
    h('div', { class: 'add-cell' }),
  );
  return { element, run };
}

export function textCell(cell, index) {
  const markdown = h('div', { class: 'markdown' });
  for (const block of cell.source.split('\n\n')) {
    const heading = /^(#{1,3}) (.*)$/.exec(block);
    markdown.append(heading ? h(`h${heading[1].length}`, {}, heading[2]) : h('p', {}, block));
  }
  return h(
    'div',
    {
      class: 'cell text notebook-cell',
      id: `cell-${cell.id}`,
      role: 'region',
      'aria-label': `Cell ${index}: Text cell: `,
      tabindex: '-1',
    },
    h(
      'div',
      { class: 'main-content' },
      h('div', { class: 'cell-contents' }, h('div', { class: 'text-top-div' }, markdown)),
    ),
  );
}
