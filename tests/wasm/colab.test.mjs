// Colab in detail: the replica, the sensor and the engine together, without a browser.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { until } from '../js/page.mjs';
import { openReplica } from '../js/replica.mjs';

const CLEAN = 'Vx5uNf7gQe1p';
const OOM = 'kW8sJd3hLr6o';
const SCRIPT = 'bM2yXc9tPz4i';
const HTML = 'eG6nRa1vUs7w';
const RAM = 'oD4fTh0jZk5q';
const OTHER = 'yL1cQw6bEi9m';
const MS = 20000;

const pages = [];
after(() => pages.forEach((page) => page.close()));

/** A replica whose sensor has read the page. */
async function opened(query, options = {}) {
  const page = openReplica(query, { quiet: 30, ...options });
  pages.push(page);
  if (options.start !== false) await until(() => page.b.last('vitals'), 'the first reading', MS);
  return page;
}

const at = (page, id) => page.cards().filter(({ host }) => host.closest('[id^=cell-]')?.id === `cell-${id}`);
const shown = async (page, id, what) => {
  await until(() => at(page, id).some((card) => card.id === what), `${what} at ${id}`, MS);
  return at(page, id);
};
const gone = (page, id) => until(() => !at(page, id).length, `no card at ${id}`, MS);
/** Sends a marker through the whole path, so that everything before it has been judged. */
async function settled(page) {
  const message = `marker_${Math.random()}`;
  await page.replica.run(OTHER, [
    {
      error: page.replica.traceback({
        type: 'NameError',
        message: `name '${message}' is not defined`,
        source: 'marker()',
        at: 1,
      }),
    },
  ]);
  await shown(page, OTHER, 'name-undefined');
  await page.replica.run(OTHER, []);
  await gone(page, OTHER);
}
const notices = (page, kind) => page.b.events.filter((e) => e.t === 'notice' && (!kind || e.kind === kind));

describe('cells', () => {
  test('a mirror in a tab is not a second cell; the card is in the notebook', async () => {
    for (const early of [false, true]) {
      const page = await opened('', { start: !early });
      const { replica } = page;
      if (early) {
        replica.tab(OOM, { first: true });
        page.start();
        await until(() => page.b.last('vitals'), 'the first reading', MS);
      }
      await replica.run(OOM);
      if (!early) replica.tab(OOM, { first: true });
      await shown(page, OOM, 'gpu-oom');
      await settled(page);
      assert.equal(page.cards().length, 1);
      assert.equal(page.cards()[0].host.closest('.mirror-cell'), null, 'not in the tab');
      assert.ok(page.cards()[0].host.closest('.notebook-cell-list'));
      const index = page.b.last('cell', (e) => e.cell === OOM).index;
      assert.equal(index, 3, 'the mirror moves no cell');
      replica.closeTab();
      await settled(page);
      assert.equal(at(page, OOM).length, 1);
    }
  });

  test('cells edited after they ran are named when something that they defined fails; activating an editor is not an edit', async () => {
    const page = await opened();
    const { replica } = page;
    replica.load({
      name: 'edited.ipynb',
      cells: [
        { id: 'aWeights', source: 'import numpy as np\n\nweights = np.ones((3, 4))' },
        { id: 'bBatch', source: 'batch = load_batch(5)' },
        { id: 'cFails', source: 'scores = weights @ batch' },
      ],
    });
    // What ran before the sensor had seen the cells is not known to have run.
    await until(() => page.b.last('cell', ({ cell }) => cell === 'cFails'), 'the cells are known', MS);
    for (const id of ['aWeights', 'bBatch']) await replica.run(id, [{ result: 'done' }]);
    const error = replica.traceback({
      type: 'ValueError',
      message:
        'matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 5 is different from 4)',
      source: 'scores = weights @ batch',
      at: 1,
    });
    const says = (words) => at(page, 'cFails').some(({ text }) => words.test(text));
    const fails = async () => {
      await replica.run('cFails', [{ error }]);
      await shown(page, 'cFails', 'shape-mismatch');
    };
    // A click makes the editor a live one, with the same source.
    replica.edit('aWeights', 'import numpy as np\n\nweights = np.ones((3, 4))');
    await fails();
    // A later message on the same path has arrived.
    await replica.run('bBatch', [
      {
        error: replica.traceback({
          type: 'NameError',
          message: "name 'load_batch' is not defined",
          source: 'batch = load_batch(5)',
          at: 1,
        }),
      },
    ]);
    await shown(page, 'bBatch', 'name-undefined');
    assert.ok(!says(/edited/));
    await replica.run('bBatch', [{ result: 'done' }]);
    // Nobody edits within the moment that the sensor takes to read what ran; on a busy machine that moment is longer.
    await until(() => at(page, 'bBatch').length === 0, 'the run without an error', MS);
    replica.edit('aWeights', 'import numpy as np\n\nweights = np.ones((3, 5))');
    replica.edit('bBatch', 'batch = load_batch(4)');
    await fails();
    await until(
      () => says(/defines weights and was edited after it ran/) && says(/defines batch and was edited after it ran/),
      'both are named',
      MS,
    );
    await replica.run('bBatch', [{ result: 'done' }]);
    await until(() => !says(/defines batch/), 'one was run again', MS);
    assert.ok(says(/defines weights/));
  });

  test('a scratch cell is only in a tab, and has its own card', async () => {
    const page = await opened();
    const { replica } = page;
    replica.tab('scratch0000', { scratch: true });
    await until(() => page.b.last('cell', (e) => e.cell === 'scratch0000'), 'the scratch cell', MS);
    await replica.run('scratch0000', [
      { error: replica.traceback({ type: 'NameError', message: "name 'x' is not defined", source: 'x', at: 1 }) },
    ]);
    assert.ok((await shown(page, 'scratch0000', 'name-undefined'))[0].host.closest('.scratchpad'));
    assert.equal(page.b.last('cell', (e) => e.cell === OOM).index, 3);
  });

  test('each of three signals alone shows that a cell runs', async () => {
    const alone = {
      'the run button': ['.pending', '.queued', 'md-circular-progress', '#execution-status'],
      'the cell': ['.cell-execution', 'md-circular-progress', '#execution-status'],
    };
    for (const [signal, others] of Object.entries(alone)) {
      const page = await opened(`?${others.map((name) => `rename=${encodeURIComponent(name)}`).join('&')}`);
      if (signal === 'the run button')
        for (const cell of page.document.querySelectorAll('.cell'))
          cell.classList.add = cell.classList.toggle = () => {};
      const run = page.replica.run(OTHER, [{ wait: 400 }]);
      await until(() => page.b.last('cell', (e) => e.cell === OTHER && e.state === 'running'), signal, MS);
      await run;
    }
    const page = await opened('?rename=.cell-execution&rename=.running&rename=.pending');
    const run = page.replica.run(OTHER, [{ wait: 400 }]);
    await until(() => page.b.last('kernel')?.status === 'busy', 'the status bar', MS);
    await run;
    await until(() => page.b.last('kernel')?.status === 'idle', 'the status bar', MS);
    assert.ok(!page.b.last('cell', (e) => e.state === 'running'));
  });

  test('waiting, running, failed, done, stale and edited, with the count', async () => {
    for (const markup of ['2024', '2026']) {
      const page = await opened(`?markup=${markup}`);
      const states = (id) =>
        page.b.events
          .filter((e) => e.t === 'cell' && e.cell === id)
          .map(({ state, count, run }) => [state, count, run]);
      await until(() => states(CLEAN).length, 'cells', MS);
      const first = page.replica.run(OTHER, [{ wait: 600 }]);
      const second = page.replica.run(OOM, [
        { wait: 300 },
        { error: page.replica.traceback({ type: 'ValueError', message: 'no', source: 'f()', at: 1 }) },
      ]);
      await first;
      await second;
      await until(() => states(OOM).at(-1)[0] === 'error', 'the end', MS);
      assert.deepEqual(states(OTHER).at(-1), ['done', 2, 1]);
      assert.deepEqual(
        states(OOM),
        [
          ['stale', null, 0],
          ['pending', null, 1],
          ['running', null, 1],
          ['error', 3, 1],
        ],
        markup,
      );
    }
  });

  test('the source of the lazy and of the live editor, whatever its tokens and rows', async () => {
    const page = await opened();
    const long = `x = "${'a long name '.repeat(12)}"  # ${'y'.repeat(70)}\nfor i in range(3):\n    if i:\n        print(x,  i)\n\nboom()`;
    for (const live of [false, true]) {
      const cell = page.replica.notebooks.tiles.cells.find(({ id }) => id === OTHER);
      const text = `${long} # ${live}`;
      Object.assign(cell, { source: text, live });
      page.replica.load(page.replica.notebooks.tiles);
      // Long enough for the sensor to see it running on a busy machine.
      await page.replica.run(OTHER, [{ wait: 400 }]);
      await until(() => page.b.last('source', (e) => e.cell === OTHER)?.text === text, `the source, live: ${live}`, MS);
    }
  });
});

describe('outputs', () => {
  test('arrive after the page, are rendered again, hidden, removed and restored, and the card stays', async () => {
    const page = await opened();
    const { replica } = page;
    replica.error(OOM, replica.notebooks.tiles.cells.find(({ id }) => id === OOM).steps[1].error);
    await shown(page, OOM, 'gpu-oom');
    for (const change of [
      () => replica.rerender(OOM),
      () => replica.rerender(OOM, { deep: true }),
      () => replica.hide(OOM, 'collapsed'),
      () => replica.show(OOM),
      () => replica.hide(OOM, 'absent'),
      () => replica.show(OOM),
      () => {
        replica.rerender(OOM, { deep: true });
        replica.hide(OOM, 'absent');
      },
      () => replica.show(OOM),
    ]) {
      change();
      await settled(page);
      // A card moves into its recreated cell when the whole page is read.
      await until(() => at(page, OOM).length === 1, String(change), MS);
      assert.equal(page.cards().length, 1, String(change));
    }
    replica.clear(OOM);
    await gone(page, OOM);
  });

  test('are read in every element that is one, and in no other', async () => {
    const page = await opened();
    const { document, replica } = page;
    const text = replica.SCRIPT_TRACEBACK;
    const markup = {
      'an unknown class': ['div', 'oops', 'pre', null],
      'without a block of text': ['div', 'oops', 'div', 'text-plain'],
      'the older class': ['div', 'output_subarea output_error', 'pre', null],
    };
    for (const [what, [outer, of, inner, within]] of Object.entries(markup)) {
      await replica.run(OTHER, [{ stream: 'fine\n' }]);
      const block = document.createElement(outer);
      block.className = of;
      const holder = block.appendChild(document.createElement(inner));
      if (within) holder.className = within;
      holder.append(text);
      const wrapper = document.createElement('div');
      wrapper.append(block);
      document.querySelector(`#cell-${OTHER} colab-static-output-renderer`).append(wrapper);
      await shown(page, OTHER, 'gpu-oom');
      assert.equal(page.cards().length, 1, what);
    }
    await replica.run(OTHER, []);
    await gone(page, OTHER);
    // Code and prose that quote a traceback are not outputs.
    document
      .querySelector(`#cell-${CLEAN} .editor`)
      .append(Object.assign(document.createElement('pre'), { textContent: text }));
    document
      .querySelector('.cell.text .markdown')
      .append(Object.assign(document.createElement('pre'), { textContent: text }));
    await settled(page);
    assert.deepEqual(page.cards(), []);
  });

  test('are cut at the top to the last 5000 lines', async () => {
    const page = await opened();
    const { replica } = page;
    await replica.run(OTHER, [
      { stream: Array.from({ length: 7000 }, (_, i) => `step ${i} of 7000\n`).join('') },
      { stream: replica.SCRIPT_TRACEBACK },
    ]);
    const [card] = await shown(page, OTHER, 'gpu-oom');
    const { head } = page.b.last('output', (e) => e.cell === OTHER);
    assert.match(head, /^Streaming output truncated to the last 5000 lines\.\nstep 2010 /);
    assert.match(card.text, /1\.10 GiB free of 14\.7 GiB/);
  });
});

describe('notices', () => {
  test('a toast stays until it is dismissed, and is reported once; the next one is another notice', async () => {
    const page = await opened();
    const { replica } = page;
    await replica.run(RAM);
    await shown(page, RAM, 'host-oom');
    replica.snackbar('ram', { secondary: true });
    // Before anything runs again, because later notices concern the next run.
    await until(() => notices(page).length === 2, 'the second one', MS);
    replica.connect('connected', { ram: [2, 12.67] });
    await settled(page);
    assert.equal(page.b.events.filter((e) => e.t === 'notice-gone').length, 0);
    assert.ok(notices(page).length <= 2, 'one in each place');
    assert.equal(page.cards().filter(({ id }) => id === 'host-oom').length <= 1, true);
    replica.dismissSnackbars();
    await until(() => page.b.events.filter((e) => e.t === 'notice-gone').length === 2, 'their end', MS);
    const told = notices(page).length;
    await replica.run(SCRIPT, [{ wait: 200 }, { crash: 'unknown' }]);
    await shown(page, SCRIPT, 'kernel-died');
    assert.equal(notices(page).length, told + 1);
  });

  test('the label is in the attribute, in the shadow root, or in both', async () => {
    for (const label of ['both', 'attribute', 'shadow']) {
      const page = await opened();
      const run = page.replica.run(OTHER, [{ wait: 300 }, { crash: null }]);
      await until(() => page.b.last('cell', (e) => e.cell === OTHER && e.state === 'running'), 'the run', MS);
      page.replica.snackbar('ram', { label });
      await shown(page, OTHER, 'host-oom');
      await run;
      assert.equal(notices(page).length, 1, label);
    }
  });

  test('one that was open before is old, and causes no card', async () => {
    const page = await opened('', { start: false });
    page.replica.snackbar('unknown');
    page.start();
    await until(() => notices(page).length, 'the toast', MS);
    assert.equal(notices(page)[0].old, true);
    await settled(page);
    assert.deepEqual(page.cards(), []);
  });

  test('both kinds of dialogs are reported once each, with a diagnosis each', async () => {
    const expected = {
      inactive: /^session-|runtime-disconnected/,
      disallowed: /^runtime-policy-terminated$/,
      gpu: /^runtime-quota-exhausted$/,
      sessions: /^runtime-quota-exhausted$/,
    };
    for (const kind of ['mwc', 'md']) {
      for (const [name, id] of Object.entries(expected)) {
        const page = await opened();
        const dialog = page.replica.dialog(name, { kind });
        await until(
          () => page.cards().some((card) => id.test(card.id)),
          `${name} in ${kind}: ${page.cards().map((card) => card.id)}`,
          MS,
        );
        dialog.classList.add('focused');
        await settled(page);
        assert.equal(notices(page, 'dialog').length, 1, name);
        dialog.remove();
        await until(() => page.b.last('notice-gone'), 'its end', MS);
        page.close();
      }
    }
  });

  test('banners, and the warning next to the connect button', async () => {
    const page = await opened();
    page.replica.banner('Your session crashed for an unknown reason.');
    await until(() => notices(page, 'banner').length === 1, 'the banner', MS);
    assert.equal(notices(page, 'banner')[0].text, 'Your session crashed for an unknown reason.');
    const warning = page.document.querySelector('colab-connect-warning-button').shadowRoot;
    warning.append(Object.assign(page.document.createElement('span'), { textContent: 'Qw ertz' }));
    await until(() => notices(page, 'banner').length === 2, 'the warning', MS);
    assert.equal(notices(page, 'banner')[1].text, 'Qw ertz');
  });

  test('unknown wording is shown unchanged next to a restart, and otherwise not at all', async () => {
    const page = await opened();
    await page.replica.run(CLEAN, [{ stream: 'fine\n' }]);
    const run = page.replica.run(OTHER, [{ wait: 300 }]);
    await until(() => page.b.last('cell', (e) => e.cell === OTHER && e.state === 'running'), 'the run', MS);
    page.replica.snackbar('Asdf ghjk.');
    await until(() => notices(page).length === 1, 'the toast', MS);
    await run;
    await settled(page);
    assert.deepEqual(page.cards(), [], 'a run that ends well');
    page.replica.dismissSnackbars();
    await page.replica.run(OTHER, [{ wait: 300 }, { crash: 'Qw ertz uiop.' }]);
    const [card] = await shown(page, OTHER, 'kernel-died');
    assert.match(card.text, /Qw ertz uiop\./);
    assert.match(card.text, /nbmedic does not recognise the wording of the notice/);
  });

  test('the wordings that were seen in other languages', async () => {
    const page = await opened();
    await page.replica.run(OTHER, [{ wait: 300 }, { crash: 'unknown-ja' }]);
    const [card] = await shown(page, OTHER, 'kernel-died');
    assert.match(card.text, /不明な理由により/);
    assert.match(card.text, /The notice names no reason/);
  });
});

describe('the runtime', () => {
  test('the connect button in every state', async () => {
    const page = await opened();
    await until(() => page.b.last('kernel')?.status === 'idle', 'connected', MS);
    for (const [state, status] of [
      ['connecting', 'connecting'],
      ['connected', 'idle'],
      ['reconnect', 'disconnected'],
      ['disconnected', 'disconnected'],
      ['connected', 'idle'],
    ]) {
      page.replica.connect(state);
      await until(() => page.b.last('kernel')?.status === status, `${state}: ${page.b.last('kernel')?.status}`, MS);
      const connected = status === 'idle';
      await until(() => page.b.status().includes('1.3 of 12.7 GiB') === connected, `figures when ${state}`, MS);
    }
    page.replica.connect('connected');
    const run = page.replica.run(OTHER, [{ wait: 400 }]);
    await until(() => page.b.last('kernel')?.status === 'busy', 'busy', MS);
    assert.ok(page.b.status().includes('1.3 of 12.7 GiB'), 'and its figures');
    await run;
    assert.deepEqual(page.cards(), []);
  });

  test('device memory is read while the panel is open, and not before or after', async () => {
    const page = await opened();
    const gpu = (what) => until(() => page.b.status().includes(`"GPU memory"},{"tag":"dd","text":"${what}"`), what, MS);
    await gpu('the resource widget does not show it');
    page.replica.connect('connected', { gpu: [3.2, 15] });
    page.replica.resources(true);
    await gpu('3.2 of 15.0 GiB');
    page.replica.connect('connected', { gpu: [14.9, 15] });
    await gpu('14.9 of 15.0 GiB');
    assert.match(page.b.engine.report(page.b.page, 'markdown', Date.now()), /Accelerator \| T4 \|/);
    page.replica.resources(false);
    await gpu('the resource widget does not show it');
  });

  test('figures are read in any language: commas, narrow spaces, other units, other words', async () => {
    const page = await opened();
    const button = page.document.querySelector('colab-connect-button').shadowRoot.querySelector('#connect');
    for (const text of [
      'Qw ertz\nUiop\nRAM: 1,08 GB/12,67 GB\nAsdf: 21,20 GB/107,72 GB',
      'ОЗУ: 1,08 ГБ/12,67 ГБ\nДиск: 21,20 ГБ/107,72 ГБ',
      'Qw\n1,08\u202fGo / 12,67\u00a0Go\n21,20\u202fGo / 107,72\u00a0Go',
      'Qw\n1.08 GB/12.67 GB\nディスク: 21.20 GB/107.72 GB',
    ]) {
      button.setAttribute('tooltiptext', 'none');
      await until(() => page.b.last('vitals', (e) => e.source === 'connect').text === 'none', 'a change', MS);
      button.setAttribute('tooltiptext', text);
      await until(
        () => page.b.status().includes('1.1 of 12.7 GiB') && page.b.status().includes('21.2 of 107.7 GiB'),
        text,
        MS,
      );
    }
  });

  test('no person is named in what is sent or shown', async () => {
    const page = await opened();
    const who = 'Ada Example (ada@example.org)';
    const plant = (root) => {
      for (const el of root.querySelectorAll('*')) {
        if (el.shadowRoot) plant(el.shadowRoot);
        if (/tooltip/.test(el.localName) && el.id !== 'colab-connect-tooltip') {
          el.setAttribute('message', `executed by ${who}`);
          if (!el.shadowRoot) el.attachShadow({ mode: 'open' }).append(`executed by ${who}`);
        } else if (!el.matches('[data-nbmedic-card]') && !el.closest('title')) {
          el.setAttribute('title', who);
          el.setAttribute('aria-label', who);
        }
      }
    };
    plant(page.document.body);
    page.replica.resources(true);
    await page.replica.run(OOM);
    plant(page.document.body);
    page.replica.dialog('inactive');
    await until(() => notices(page, 'dialog').length, 'the dialog', MS);
    await page.replica.run(HTML);
    await settled(page);
    plant(page.document.body);
    page.replica.connect('connected', { ram: [2, 12.67] });
    await settled(page);
    const told =
      JSON.stringify(page.b.events) +
      page.b.status() +
      page
        .cards()
        .map(({ text }) => text)
        .join('');
    assert.ok(told.length > 5000 && told.includes('2.0 of 12.7 GiB'));
    assert.doesNotMatch(told, /ada (?:example|\()|ada@/i);
  });
});
