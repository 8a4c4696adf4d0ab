// A notebook whose outputs are in frames. Programs, names and numbers are made up here.
import { HTML_MESSAGE, OOM_MESSAGE, traceback, trainingLog } from './notebooks.js';

const TABLE = {
  rows: [
    ['', 'class', 'tiles', 'max error'],
    ['0', 'roof', '4120', '0.03'],
    ['1', 'road', '3977', '0.11'],
    ['2', 'failed', '12', '0.94'],
  ],
};

const SOURCES = {
  plain: 'counts = tiles.groupby("class").size()\ncounts.to_frame()',
  oom: 'display(counts)\nfor tiles, masks in loader:\n    scores = net(tiles.to(device))',
  restored: 'summary = summarise(runs)\nsummary.head()[missing]',
  flood: 'fig.show()\nfor step in range(100_000):\n    print(log_line(step))',
  other: 'render(HTML(page))',
};

const oom = traceback({ type: 'torch.OutOfMemoryError', message: OOM_MESSAGE, source: SOURCES.oom, at: 3 });
const restored = traceback({
  type: 'NameError',
  message: "name 'missing' is not defined",
  source: SOURCES.restored,
  at: 2,
});
export const FORGED = traceback({ type: 'AssertionError', message: HTML_MESSAGE, source: SOURCES.other, at: 1 });

export const FRAMED = {
  framed: {
    name: 'framed_tiles.ipynb',
    accelerator: 'T4',
    cells: [
      {
        id: 'jR2pWx6nBq0a',
        source: SOURCES.plain,
        steps: [
          {
            frame: [{ table: TABLE }, { stream: trainingLog(1, 3) }, { result: '3 of 3 failed: error, killed, fault' }],
          },
        ],
      },
      {
        id: 'tK7zLd1fGs5u',
        source: SOURCES.oom,
        live: true,
        steps: [
          { stream: 'reading 48210 tiles\n' },
          { frame: [{ table: TABLE }, { stream: 'step 0: fine\n' }, { error: oom }] },
        ],
      },
      { id: 'mS4vYt8cHd2k', source: SOURCES.other, live: true },
      { id: 'aQ9wEb3oZi7r', source: SOURCES.flood },
      {
        id: 'uC5hXn0kPf8y',
        kind: 'text',
        source: `# What was shown when the notebook was saved${'\n\nA long explanation of how the tiles were drawn.'.repeat(400)}`,
      },
      {
        id: 'vN6gTj4mRl1e',
        source: SOURCES.restored,
        count: 8,
        outputs: [['frame', [{ table: TABLE }, { error: restored }], { lazy: true, restored: true }]],
      },
    ],
  },
};
