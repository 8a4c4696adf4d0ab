// Notebooks of the replica: the content of the cells, and what happens when one is run.
// All programs, names and numbers are made up here; the shapes of the messages are the libraries' documented ones.

const RED = '\x1b[0;31m';
const GREEN = '\x1b[0;32m';
const CYAN = '\x1b[0;36m';
const OFF = '\x1b[0m';

// A traceback as IPython 7 prints it on Colab. `lines` are the cell's lines around line `at` (from 1).
export function traceback({ type, message, source, at, library = [] }) {
  const lines = source.split('\n');
  const first = Math.max(0, at - 3);
  const frame = lines.slice(first, at + 2).map((line, i) => {
    const n = first + i + 1;
    return n === at ? `${GREEN}----> ${n}${OFF}${RED} ${line}${OFF}` : `${GREEN}      ${n}${OFF} ${line}`;
  });
  const head = type.split('.').at(-1);
  const rest = library.flatMap(({ file, name, line, code }) => [
    '',
    `${GREEN}${file}${OFF} in ${CYAN}${name}${OFF}`,
    `${GREEN}--> ${line}${OFF}${RED} ${code}${OFF}`,
  ]);
  const folded = library.length ? ['', `${library.length + 2} frames`] : [];
  return [
    `${RED}${'-'.repeat(75)}${OFF}`,
    `${RED}${head}${OFF}${' '.repeat(Math.max(2, 42 - head.length))}Traceback (most recent call last)`,
    `${GREEN}/tmp/ipython-input-2907148311.py${OFF} in ${CYAN}<cell line: 0>${OFF}()`,
    ...frame,
    ...folded,
    ...rest,
    '',
    `${RED}${head}${OFF}: ${message}`,
  ].join('\n');
}

export function trainingLog(epochs, steps) {
  const lines = ['Found 48210 tiles in 12 classes', 'Using device: cuda (Tesla T4)'];
  for (let epoch = 1; epoch <= epochs; epoch++) {
    for (let step = 1; step <= steps; step++) {
      const loss = (2.3 / (epoch + step / steps)).toFixed(4);
      lines.push(
        `epoch ${epoch}/${epochs}  step ${String(step * 50).padStart(4)}  loss ${loss}  max error 0.${String(310 - epoch * step).padStart(3, '0')}  mem 9.2/14.7 GiB`,
      );
    }
    lines.push(
      `epoch ${epoch} done: val_loss ${(1.9 / epoch).toFixed(4)}, 0 failed batches, best so far, checkpoint saved`,
    );
  }
  return `${lines.join('\n')}\n`;
}

const SOURCES = {
  imports:
    'import torch, torch.nn as nn\nfrom tiles import TileFolder, SegNet\n\ndevice = "cuda"\nnet = SegNet(classes=12, width=96).to(device)',
  clean: 'history = fit(net, TileFolder("/content/tiles"), epochs=3)',
  oom: '# Larger tiles for the last epoch\nloader = tile_loader("/content/tiles", size=1024, batch_size=64)\n\nfor step, (tiles, masks) in enumerate(loader):\n    scores = net(tiles.to(device))\n    loss = nn.functional.cross_entropy(scores, masks.to(device))\n    loss.backward()',
  script: '!python finetune_tiles.py --size 1024 --batch 64',
  html: 'labels = read_labels("labels.csv")\ncheck(labels)',
  ram: 'mosaic = np.stack([read_tile(p) for p in paths])\nmosaic = mosaic.astype("float64")',
  flood: 'for step in range(100_000):\n    print(log_line(step))',
};

export const OOM_MESSAGE =
  'CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 14.74 GiB of which 1.10 GiB is free. Process 40217 has 13.63 GiB memory in use. Of the allocated memory 13.11 GiB is allocated by PyTorch, and 201.50 MiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  (https://docs.pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf)';

export const HTML_MESSAGE =
  '<img src=x onerror="window.nbmedicPwned = true"> is not a class name; expected one of <script>window.nbmedicPwned = true</script>';

// What a script started with ! prints: CPython's own traceback, in a stream.
export const SCRIPT_TRACEBACK = [
  'Traceback (most recent call last):',
  '  File "/content/finetune_tiles.py", line 88, in <module>',
  '    main(parser.parse_args())',
  '  File "/content/finetune_tiles.py", line 61, in main',
  '    scores = net(tiles)',
  '  File "/usr/local/lib/python3.12/dist-packages/torch/nn/modules/module.py", line 1775, in _wrapped_call_impl',
  '    return self._call_impl(*args, **kwargs)',
  '  File "/usr/local/lib/python3.12/dist-packages/torch/nn/modules/conv.py", line 543, in _conv_forward',
  '    return F.conv2d(input, weight, bias, self.stride,',
  `torch.OutOfMemoryError: ${OOM_MESSAGE}`,
  '',
].join('\n');

const oomError = traceback({
  type: 'torch.OutOfMemoryError',
  message: OOM_MESSAGE,
  source: SOURCES.oom,
  at: 5,
  library: [
    {
      file: '/usr/local/lib/python3.12/dist-packages/torch/nn/modules/conv.py',
      name: '_conv_forward(self, input, weight, bias)',
      line: 543,
      code: 'return F.conv2d(input, weight, bias, self.stride,',
    },
  ],
});
const htmlError = traceback({ type: 'AssertionError', message: HTML_MESSAGE, source: SOURCES.html, at: 2 });

/** 500 cells, as in a long course: every fifth is text, two in three have printed something, some of them a lot. */
const LONG = Array.from({ length: 500 }, (_, i) => {
  const id = `long${String(i).padStart(8, '0')}`;
  if (i % 5 === 0)
    return { id, kind: 'text', source: `## Part ${i / 5 + 1}\n\nWhat follows builds on the part before.` };
  const log = Array.from(
    { length: i % 100 === 1 ? 2000 : 12 },
    (_, k) =>
      `epoch ${k + 1}  loss ${(2 / (k + 1)).toFixed(4)}  ${i % 10 ? 'lr 3.0e-04' : 'max error 0.31'}  mem 9.2/14.7 GiB\n`,
  ).join('');
  return {
    id,
    source: `part_${i} = fit(net, TileFolder("/content/tiles/${i}"), epochs=2)\nprint(part_${i}.summary())`,
    ...(i % 3 ? { count: i, outputs: [['stream', log]] } : {}),
  };
});

// The ids are fixed random strings; on the real page they are random strings too.
export const NOTEBOOKS = {
  tiles: {
    name: 'segment_tiles.ipynb',
    accelerator: 'T4',
    cells: [
      {
        id: 'Hq3vKd8sWnLe',
        kind: 'text',
        source: '# Segmenting aerial tiles\n\nTrain on small tiles first, then finish with one epoch on large ones.',
      },
      { id: 'r9TzCk2mYb0a', source: SOURCES.imports, count: 1, live: true },
      { id: 'Vx5uNf7gQe1p', source: SOURCES.clean, steps: [{ stream: trainingLog(3, 4), rate: 60 }] },
      {
        id: 'kW8sJd3hLr6o',
        source: SOURCES.oom,
        live: true,
        steps: [{ stream: 'step 0: 61 classes of tiles cached\n' }, { error: oomError }],
      },
      {
        id: 'bM2yXc9tPz4i',
        source: SOURCES.script,
        steps: [{ stream: trainingLog(1, 3) + SCRIPT_TRACEBACK, rate: 60, odd: true }],
      },
      {
        id: 'eG6nRa1vUs7w',
        source: SOURCES.html,
        live: true,
        steps: [{ stream: '<b>reading</b> labels.csv &amp; checking\n' }, { error: htmlError }],
      },
      {
        id: 'oD4fTh0jZk5q',
        source: SOURCES.ram,
        live: true,
        steps: [{ stream: 'stacking 48210 tiles\n' }, { ram: [12.41, 12.67] }, { wait: 300 }, { crash: 'ram' }],
      },
      { id: 'yL1cQw6bEi9m', source: SOURCES.flood },
    ],
  },
  long: { name: 'course.ipynb', cells: LONG },
};
