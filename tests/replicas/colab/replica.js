// The page's script: builds the notebook and offers `window.replica`, with which tests simulate a runtime.
import { codeCell, editor, textCell } from './cells.js';
import { h } from './dom.js';
import { defineElements } from './elements.js';
import { FORGED, FRAMED } from './framed.js';
import { framed, frameOf } from './frames.js';
import { NOTEBOOKS, SCRIPT_TRACEBACK, traceback, trainingLog } from './notebooks.js';
import { banner, dialog, dismissSnackbars, snackbar } from './notices.js';
import { $, classes, renameStatic } from './names.js';
import { Output } from './outputs.js';
import { variant } from './variants.js';

const query = new URLSearchParams(location.search);
const page = document.documentElement;
page.setAttribute('theme', variant.theme);
page.setAttribute('editor', variant.editor);
renameStatic();
defineElements();

const CHUNK_MS = 50;
const PERSON = 'Ada Example';
const sleep = (ms) =>
  new Promise((done) => {
    setTimeout(done, ms);
  });

const runtime = {
  state: 'connected',
  accelerator: null,
  backend: 'Python 3 Google Compute Engine backend',
  ram: [1.31, 12.67],
  disk: [38.2, 112.64],
  counter: 1,
  queue: Promise.resolve(),
  alive: 0,
  executing: 0,
  /** The cell that runs. */
  current: null,
  time: '10:15\u202fPM',
};
const cells = new Map();

function showRuntime() {
  const shown = {
    ...runtime,
    backend: runtime.backend + (runtime.accelerator ? ' (GPU)' : ''),
    locale: query.get('locale') ?? 'en',
  };
  if (shown.state === 'connected' && runtime.executing) shown.state = 'busy';
  $('colab-connect-button').show(shown);
  $('colab-status-bar').show({ ...shown, executing: runtime.executing ? `${runtime.executing}s` : '' });
  $('colab-usage-display')?.show(usageLines());
}

function usageLines() {
  const pair = ([used, total]) => `${used.toFixed(1)} / ${total.toFixed(1)} GB`;
  const gpu = runtime.accelerator ? ['GPU RAM', pair(runtime.gpu ?? [0, 15])] : [];
  return [
    runtime.backend + (runtime.accelerator ? ' (GPU)' : ''),
    'System RAM',
    pair(runtime.ram),
    ...gpu,
    'Disk',
    pair(runtime.disk),
  ];
}

function build(cell, index) {
  if (cell.kind === 'text') return { ...cell, element: textCell(cell, index) };
  const output = new Output(cell, index, { restored: Boolean(cell.outputs) });
  const made = { ...cell, index, output, script: cell.steps ?? [], ...codeCell(cell, index, output.element) };
  for (const [kind, text, options] of cell.outputs ?? [])
    if (kind === 'frame') framed(output, text, options);
    else output.add(kind, text);
  return made;
}

function load(notebook) {
  const list = $('.notebook-cell-list');
  cells.clear();
  list.replaceChildren();
  document.title = `${notebook.name} - Colab`;
  $('#doc-name').value = notebook.name;
  runtime.accelerator = notebook.accelerator ?? null;
  notebook.cells.forEach((cell, index) => {
    const made = build(cell, index);
    cells.set(cell.id, made);
    list.append(made.element);
    if (made.run) {
      made.run.set({ count: cell.count ?? null });
      if (cell.count) runtime.counter = Math.max(runtime.counter, cell.count + 1);
      made.element.addEventListener('run-cell', () => replica.run(cell.id));
      made.element.addEventListener('mousedown', () => focus(made));
    }
  });
  $('.proxies').replaceChildren(
    ...['', 'accelerometer; autoplay; clipboard-write'].map((allow) =>
      h('iframe', {
        src: 'https://q1mzx8rtv0-496ff2e9c6d22116-0-colab.googleusercontent.com/outputframe.html?vrz=replica',
        sandbox: 'allow-scripts allow-same-origin allow-popups allow-forms allow-downloads',
        allow,
        'aria-hidden': 'true',
        tabindex: '-1',
      }),
    ),
  );
  showRuntime();
}

function focus(cell) {
  for (const other of cells.values()) {
    classes(other.element, { focused: other === cell });
    other.run?.set({ focused: other === cell });
  }
  if (cell.run && cell.live) input(cell);
}

/**
 * The field of a live editor, which takes keys and what is pasted. Typed text replaces the selection; only "select all" and
 * "undo" are known.
 */
function input(cell) {
  const there = $('textarea.inputarea', cell.element);
  if (there) return there;
  const field = h('textarea', {
    class: 'inputarea monaco-mouse-cursor-text',
    'aria-label': 'Editor content',
    autocorrect: 'off',
  });
  const undone = (cell.undone ??= []);
  const set = (source) => {
    cell.source = source;
    $('.editor', cell.element).replaceWith(editor(cell));
    input(cell).focus();
  };
  let all = false;
  field.addEventListener('keydown', (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    if (event.keyCode === 65) all = true;
    if (event.keyCode === 90 && undone.length > 0) set(undone.pop());
  });
  field.addEventListener('paste', (event) => {
    event.preventDefault();
    undone.push(cell.source);
    set((all ? '' : cell.source) + event.clipboardData.getData('text/plain'));
  });
  $('.monaco-editor', cell.element).append(field);
  return field;
}

/** Adds a cell below the one that has the cursor, with an empty live editor, as the button "+ Code" does. */
function addCode() {
  const at =
    [...cells.values()].find(({ element }) => element.classList.contains('focused')) ?? [...cells.values()].at(-1);
  const cell = build({ id: `new${cells.size}`, kind: 'code', source: '', live: true }, cells.size);
  cells.set(cell.id, cell);
  at.element.after(cell.element);
  focus(cell);
  input(cell).focus();
}

function pieces(text, perChunk, odd) {
  if (odd) return text.match(/[^]{1,97}/g) ?? []; // pieces that end in the middle of words and lines
  const lines = text.split(/(?<=\n)/);
  const made = [];
  for (let i = 0; i < lines.length; i += perChunk) made.push(lines.slice(i, i + perChunk).join(''));
  return made;
}

async function stream(cell, text, { rate = 0, mode = 'edit', odd = false, while: going = () => true } = {}) {
  if (!rate) {
    cell.output.stream(text, mode);
    return;
  }
  for (const piece of pieces(text, Math.max(1, Math.round((rate * CHUNK_MS) / 1000)), odd)) {
    if (!going()) return;
    cell.output.stream(piece, mode);
    await sleep(CHUNK_MS);
  }
}

async function execute(cell, steps) {
  const life = runtime.alive;
  const going = () => life === runtime.alive;
  focus(cell);
  classes(cell.element, { running: true, pending: false });
  cell.output.clear();
  nextSteps(cell).offer(false);
  cell.run.set({ run: 'animating running' });
  runtime.current = cell;
  runtime.executing = 1;
  showRuntime();
  const clock = setInterval(() => {
    runtime.executing += 1;
    showRuntime();
  }, 1000);
  let failed = false;
  await sleep(30);
  for (const step of steps) {
    if (!going()) break;
    if ('stream' in step) await stream(cell, step.stream, { ...step, while: going });
    else if ('error' in step) {
      if (variant.errors === 'framed') await framed(cell.output, [step]);
      else cell.output.add('error', step.error);
      failed = true;
    } else if ('result' in step) cell.output.add('result', step.result);
    else if ('wait' in step) await sleep(step.wait);
    else if ('ram' in step) {
      runtime.ram = step.ram;
      showRuntime();
    } else if ('snackbar' in step) snackbar(step.snackbar);
    else if ('crash' in step) crash(step.crash, step.after);
    else if ('flood' in step) await flood(cell, step.flood);
    else if ('frame' in step) await framed(cell.output, step.frame, step.options);
  }
  clearInterval(clock);
  runtime.executing = 0;
  classes(cell.element, { running: false, pending: false });
  if (going()) {
    runtime.current = null;
    const count = runtime.counter++;
    cell.run.set({
      run: failed ? 'error' : '',
      count,
      tooltip: `Run cell (Ctrl+Enter)\ncell executed since last change\n\nexecuted by ${PERSON}\n${runtime.time} (0 minutes ago)\nexecuted in 1.204s`,
    });
  }
  if (going()) nextSteps(cell).offer(failed);
  showRuntime();
}

const nextSteps = (cell) => $('colab-cell-next-steps', cell.element);

// The kernel dies: the run that it cut off is an error without a count, other counts are reset, the connect button stays
// as it is. The toast comes when the server has said why: up to 30 s `after`, in milliseconds.
function crash(kind, after = 0) {
  runtime.alive += 1;
  runtime.counter = 1;
  runtime.ram = [0.94, 12.67];
  for (const cell of cells.values()) {
    if (!cell.run) continue;
    classes(cell.element, { running: false, pending: false });
    cell.run.set({
      run: cell === runtime.current ? 'stale error' : 'stale',
      count: null,
      tooltip: 'Run cell (Ctrl+Enter)\ncell has not been executed in this session',
    });
  }
  runtime.current = null;
  if (kind && after) setTimeout(() => snackbar(kind), after);
  else if (kind) snackbar(kind);
  showRuntime();
}

const logLine = (i, n) =>
  `step ${String(i).padStart(6, '0')}/${n}  loss ${(0.7 + Math.sin(i / 97) / 3).toFixed(4)}  max error ${(Math.cos(i / 31) ** 2).toFixed(4)}  lr 3.0e-04\n`;

async function flood(cell, { lines, rate = 5000, mode = 'edit' }) {
  const chunk = Math.max(1, Math.round((rate * CHUNK_MS) / 1000));
  const start = performance.now();
  for (let i = 0; i < lines; i += chunk) {
    let text = '';
    for (let k = i; k < Math.min(lines, i + chunk); k++) text += logLine(k + 1, lines);
    cell.output.stream(text, mode);
    const due = start + ((i + chunk) / rate) * 1000;
    await sleep(Math.max(0, due - performance.now()));
  }
}

const find = (id) =>
  cells.get(id) ??
  (() => {
    throw new Error(`no cell ${id}`);
  })();

const replica = {
  /** Colab replaces the element in which a card stands. */
  replaceContents(id) {
    const old = $('.cell-contents', find(id).element);
    const fresh = old.cloneNode(false);
    fresh.append(...[...old.childNodes].filter((node) => !node.matches?.('[data-nbmedic-card]')));
    old.replaceWith(fresh);
  },
  notebooks: NOTEBOOKS,
  traceback,
  trainingLog,
  SCRIPT_TRACEBACK,
  load,
  crash,
  snackbar,
  dismissSnackbars,
  dialog,
  banner,
  ids: () => [...cells.keys()],
  run(id, steps = null) {
    const cell = find(id);
    cell.run.set({ run: 'pending' });
    classes(cell.element, { pending: true });
    runtime.queue = runtime.queue.then(() => execute(cell, steps ?? cell.script));
    return runtime.queue;
  },
  rerun: (id) => replica.run(id),
  stream: (id, text, options) => stream(find(id), text, options),
  flood: (id, options) => flood(find(id), options),
  error: (id, text) => {
    find(id).output.add('error', text);
  },
  result: (id, text) => {
    find(id).output.add('result', text);
  },
  clear: (id) => find(id).output.clear(),
  FORGED,
  framed: (id, steps, options) => framed(find(id).output, steps, options),
  frameOf: (id) => frameOf(find(id).output),
  source: (id) => find(id).source,
  // Simulates a user who clicks into the code, which makes the editor a live one, and changes it.
  edit(id, source) {
    const cell = find(id);
    Object.assign(cell, { live: true, source });
    cell.element.querySelector('.lazy-editor').replaceWith(editor(cell));
  },
  // Recreates the output's own tree; with `deep` the whole cell, as when it is scrolled out of view and back.
  rerender(id, { deep = false } = {}) {
    const cell = find(id);
    if (!deep) {
      cell.output.rerender();
      return;
    }
    const { state } = cell.run;
    const items = cell.output.items;
    const fresh = build({ ...cell, outputs: null }, cell.index);
    cell.element.replaceWith(fresh.element);
    cells.set(id, fresh);
    fresh.run.set(state);
    fresh.element.addEventListener('run-cell', () => replica.run(id));
    for (const item of items) fresh.output.add(item.kind, item.text);
  },
  activate(id) {
    const cell = find(id);
    cell.live = true;
    $('.lazy-editor', cell.element).replaceWith(editor(cell));
  },
  hide: (id, how) => find(id).output.hide(how),
  show: (id) => find(id).output.rerender(),
  // Opens a cell in a tab: the mirror of one in the notebook, or a scratch cell.
  tab(id, { scratch = false, first = false } = {}) {
    const holder = h('div', { class: scratch ? 'scratchpad' : 'cell-tab mirror-cell' });
    const shown = scratch ? { id, source: 'scratch()' } : find(id);
    const made = build({ ...shown, live: true, outputs: null }, cells.size);
    if (scratch) cells.set(id, made);
    else for (const { kind, text } of shown.output.items) made.output.add(kind, text);
    holder.append(made.element);
    const pane = $('.tab-pane-1');
    pane.hidden = false;
    pane.replaceChildren(h('colab-tab', {}, holder));
    if (first) $('.tab-pane-parent').prepend(pane);
    return made;
  },
  closeTab() {
    $('.tab-pane-1').replaceChildren();
  },
  theme: (name) => page.setAttribute('theme', name),
  connect(state, change = {}) {
    Object.assign(runtime, change, { state });
    showRuntime();
  },
  resources(open) {
    const pane = $('.tab-pane-1');
    pane.hidden = !open;
    pane.replaceChildren(...(open ? [h('colab-tab', {}, h('h2', {}, 'Resources'), h('colab-usage-display'))] : []));
    showRuntime();
  },
};
window.replica = replica;
$('#toolbar-add-code').addEventListener('click', addCode);
load({ ...NOTEBOOKS, ...FRAMED }[query.get('notebook') ?? 'tiles']);
page.dataset.ready = 'true';
