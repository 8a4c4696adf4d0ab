// Trees like the engine's, to inspect the card and to test the renderer.

const node = (tag, cls, text, kids = [], rest = {}) => ({
  tag,
  ...(cls ? { class: cls } : {}),
  ...(text ? { text } : {}),
  ...(kids.length ? { kids } : {}),
  ...rest,
});

const code = (text, language = 'python') =>
  node('div', 'code', '', [
    node('button', 'copy', 'Copy', [], { attrs: { 'aria-label': 'Copy this code' }, act: { do: 'copy', text } }),
    node('pre', '', '', [node('code', '', text, [], { attrs: { lang: language } })], { attrs: { 'data-key': 'code' } }),
  ]);

const fix = (tag, cls, title, sure, words, why, cost, text) =>
  node(tag, cls, '', [
    node('header', '', '', [node('strong', 'fix-title', title), node('span', `sure ${sure}`, words)]),
    node('p', '', why),
    ...(cost ? [node('small', 'cost', cost)] : []),
    ...(text ? [code(text)] : []),
    node(
      'small',
      'proven',
      sure === 'likely' ? 'Proven: with this fix, torch/losses-summed (torch 2.15.0) ran' : 'Not proven here',
    ),
  ]);

const head = (title, card) =>
  node('header', 'head', '', [
    node('span', 'badge', 'nbmedic'),
    node('h2', 'title', title),
    node('button', 'icon dismiss', '×', [], {
      attrs: { 'aria-label': 'Dismiss until the cell runs again' },
      act: { do: 'dismiss', card },
    }),
  ]);

const foot = (id) =>
  node('footer', 'foot', '', [
    node('button', 'assistant', 'Copy for an assistant', [], { act: { do: 'assistant', card: 'k' } }),
    node('button', 'missed', 'Report a missed failure', [], { act: { do: 'preview' } }),
    node('small', 'id', '', [node('code', '', id)]),
  ]);

const line = (number, text) =>
  node('code', 'line', '', [node('span', 'lineno', String(number)), node('span', 'text', text)]);

const section = (cls, title, kids) => node('section', cls, '', [node('h3', '', title), ...kids]);

const evidence = (lines) =>
  section('evidence', 'What this is based on', [
    node(
      'ol',
      '',
      '',
      lines.map(([n, text]) => node('li', '', '', [node('small', 'lineno', String(n)), node('code', '', text)])),
    ),
  ]);

/** A full card. @param {string} key @param {boolean} open */
export const memory = (key = 'k1', open = false) =>
  node(
    'section',
    'card error',
    '',
    [
      head('The GPU ran out of memory: 2.0 GiB asked for, 1.1 GiB free of 14.7 GiB', key),
      node(
        'p',
        'summary',
        'Most of it is held by your own program: 11.9 GiB live tensors and 1.4 GiB that PyTorch keeps for reuse in pieces too small to help.',
      ),
      node('div', 'where', '', [
        line(14, 'loss = model(batch["input_ids"].to(device), labels=batch["labels"].to(device)).loss'),
      ]),
      fix(
        'div',
        'first',
        'Halve the batch and accumulate gradients over two steps',
        'likely',
        'usually fixes it',
        'Activation memory grows with the batch; the result of the training stays nearly the same.',
        'about 5 % slower',
        'BATCH_SIZE = 8            # was 16\nACCUMULATE = 2\n\nfor step, batch in enumerate(loader):\n    loss = model(**batch).loss / ACCUMULATE\n    loss.backward()\n    if (step + 1) % ACCUMULATE == 0:\n        optimizer.step(); optimizer.zero_grad(set_to_none=True)',
      ),
      node(
        'details',
        'more',
        '',
        [
          node('summary', '', 'Why, and what else to do'),
          node('div', 'body', '', [
            section('means', 'What it means', [
              node(
                'p',
                '',
                'An allocation was refused. Nothing is broken: the GPU and the session go on working, and you need not restart.',
              ),
            ]),
            section('why', 'Why it happens', [
              node(
                'p',
                '',
                'While training, PyTorch keeps every layer’s activations until the backward pass. They grow with batch size × sequence length.',
              ),
              node('ul', '', '', [
                node('li', '', 'A list that collects losses with their graph keeps every step alive.'),
                node('li', '', 'A failed cell keeps its tensors in the traceback.'),
              ]),
            ]),
            section('fixes', 'What else to do', [
              node('ol', '', '', [
                fix(
                  'li',
                  'fix',
                  'Let the allocator grow its blocks',
                  'sure',
                  'fixes it',
                  'Restart first: the variable is read when torch is imported.',
                  '',
                  'import os\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"',
                ),
                fix(
                  'li',
                  'fix',
                  'Use mixed precision',
                  'likely',
                  'usually fixes it',
                  'Halves activation memory on this GPU.',
                  'a few models need tuning',
                  '',
                ),
                fix(
                  'li',
                  'fix',
                  'Clear what the failed cell left behind',
                  'maybe',
                  'worth trying',
                  'The traceback holds the function’s locals.',
                  '',
                  'import sys, gc, torch\nsys.last_traceback = None; gc.collect(); torch.cuda.empty_cache()',
                ),
              ]),
            ]),
            evidence([
              [
                41,
                'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 14.74 GiB of which 1.10 GiB is free.',
              ],
              ['RAM', '5.2 of 12.7 GiB'],
            ]),
            section('also', 'Also possible', [
              node('ul', '', '', [node('li', '', 'Another notebook uses the same GPU')]),
            ]),
            node(
              'section',
              'links',
              '',
              [
                node('ul', '', '', [
                  node('li', '', '', [
                    node('a', '', 'PyTorch: memory management', [], {
                      attrs: { href: 'https://docs.pytorch.org/docs/stable/notes/cuda.html' },
                    }),
                  ]),
                  node('li', '', '', [
                    node('a', '', 'Colab: GPU limits', [], {
                      attrs: { href: 'https://research.google.com/colaboratory/faq.html' },
                    }),
                  ]),
                ]),
              ],
              { attrs: { 'aria-label': 'Read on' } },
            ),
          ]),
        ],
        open ? { attrs: { open: '' } } : {},
      ),
      foot('gpu-oom/full'),
    ],
    { attrs: { 'aria-label': 'nbmedic: the GPU ran out of memory' } },
  );

export const missing = (key = 'k2') =>
  node(
    'section',
    'card warning',
    '',
    [
      head(
        'The package pillow_heif_extended_edition_with_a_very_long_name_that_does_not_end is not installed in this session',
        key,
      ),
      node('div', 'where', '', [
        line(1, 'import pillow_heif_extended_edition_with_a_very_long_name_that_does_not_end as p'),
        node('small', 'note', 'CUDA reports errors late: this line may be innocent'),
      ]),
      fix(
        'div',
        'first',
        'Install it',
        'sure',
        'fixes it',
        'Installs are gone when the runtime is: keep this cell at the top.',
        '',
        '%pip install pillow-heif-extended-edition',
      ),
      foot('module-missing'),
    ],
    { attrs: { 'aria-label': 'nbmedic: a package is missing' } },
  );

export const died = (key = 'k3') =>
  node(
    'section',
    'card info',
    '',
    [
      head('The kernel died while this cell was running', key),
      node(
        'p',
        'summary',
        'Its last output gives no reason. Killed for memory and crashed in native code look the same from here.',
      ),
      node('details', 'more', '', [
        node('summary', '', 'Why, and what else to do'),
        node('div', 'body', '', [
          section('means', 'What it means', [node('p', '', 'All variables are gone; files on disk are still there.')]),
        ]),
      ]),
      foot('kernel-died'),
    ],
    { attrs: { 'aria-label': 'nbmedic: the kernel died' } },
  );
