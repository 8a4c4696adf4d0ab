// The cells, and what a kernel does to them; tests control it.
import { ansiNodes, h, shadow } from '/replica/dom.js';
import { OOM_MESSAGE, traceback } from '/replica/notebooks.js';

const SOURCES = [
  '# Train on small tiles first\nimport torch',
  'for tiles, masks in loader:\n    scores = net(tiles.to(device))',
  'mosaic = np.stack([read_tile(p) for p in paths])',
  'print("done")',
];
const sleep = (ms) =>
  new Promise((done) => {
    setTimeout(done, ms);
  });
let counter = 1;
let life = 0;

const cells = SOURCES.map((source) => {
  const prompt = h('div', { class: 'jp-InputPrompt jp-InputArea-prompt' }, '[ ]:');
  shadow(
    prompt,
    '',
    h('div', { class: 'cell-execution-button' }, h('div', { role: 'button', 'aria-label': 'Run cell' }, '▷')),
    h('slot'),
  );
  const outputs = h('div', { class: 'jp-OutputArea jp-Cell-outputArea' });
  const footer = h('div', { class: 'jp-CellFooter jp-Cell-footer' });
  shadow(footer, '', h('button', { title: 'Add a code cell' }, '+ Code'));
  const element = h(
    'div',
    { class: 'lm-Widget jp-Cell jp-CodeCell jp-Notebook-cell' },
    h(
      'div',
      { class: 'jp-Cell-inputWrapper' },
      h(
        'div',
        { class: 'jp-InputArea jp-Cell-inputArea' },
        prompt,
        h(
          'div',
          { class: 'jp-InputArea-editor' },
          h(
            'div',
            { class: 'cm-editor' },
            h(
              'div',
              { class: 'cm-content', 'data-language': 'python', role: 'textbox' },
              source.split('\n').map((line) => h('div', { class: 'cm-line' }, line)),
            ),
          ),
        ),
      ),
    ),
    h('div', { class: 'jp-Cell-outputWrapper' }, outputs),
    footer,
  );
  return { element, prompt, outputs, source };
});
document.querySelector('[role=feed]').append(...cells.map(({ element }) => element));

function print({ outputs }, text, mime = 'application/vnd.jupyter.stdout') {
  outputs.append(
    h(
      'div',
      { class: 'jp-OutputArea-child' },
      h('div', { class: 'jp-OutputPrompt jp-OutputArea-prompt' }),
      h(
        'div',
        { class: 'jp-RenderedText jp-OutputArea-output', 'data-mime-type': mime },
        h('pre', {}, ...ansiNodes(text)),
      ),
    ),
  );
}

window.replica = {
  async run(i, { stream = '', error = '', wait = 0 } = {}) {
    const cell = cells[i];
    const mine = life;
    cell.outputs.replaceChildren();
    cell.prompt.textContent = '[*]:';
    await sleep(30);
    if (stream) print(cell, stream);
    if (error) print(cell, error, 'application/vnd.jupyter.stderr');
    await sleep(wait);
    if (mine === life) cell.prompt.textContent = `[${counter++}]:`;
  },
  oom: () => traceback({ type: 'torch.OutOfMemoryError', message: OOM_MESSAGE, source: SOURCES[1], at: 2 }),
  // Restarts the session: prompts are reset, and the surrounding page says why.
  restart() {
    life += 1;
    counter = 1;
    for (const { prompt } of cells) prompt.textContent = '[ ]:';
  },
};
document.documentElement.dataset.ready = 'true';
