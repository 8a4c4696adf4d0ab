// A failure that happened nowhere. Browsers compile WebAssembly when it is first called, so whoever meets the first failure
// after the background started waits for that; a rehearsal with this one takes the wait while a cell is still running.

/** The name of the page that it is on. */
export const PAGE = 'rehearsal';

const OUTPUT = `---------------------------------------------------------------------------
NameError                                 Traceback (most recent call last)
Cell In[2], line 2
      1 import numpy as np
----> 2 np.mean(totl)

NameError: name 'totl' is not defined
`;

const b = { nb: 'n', cell: 'b' };

/** Two cells of which the second, which ran later, fails. @type {{events: SensorEvent[], at: number}[]} */
export const FAILURE = [
  {
    at: 1,
    events: [
      { t: 'hello', profile: 'jupyterlab', origin: 'http://localhost', found: {}, theme: 'light' },
      { t: 'notebook', nb: 'n', name: 'rehearsal.ipynb' },
      { t: 'source', nb: 'n', cell: 'a', text: 'total = [1, 2, 3]' },
      { t: 'cell', nb: 'n', cell: 'a', index: 0, state: 'done', count: 1, run: 1 },
    ],
  },
  {
    at: 2,
    events: [
      { t: 'source', ...b, text: 'import numpy as np\nnp.mean(totl)' },
      { t: 'cell', ...b, index: 1, state: 'error', count: 2, run: 1 },
      { t: 'output', ...b, out: 0, run: 1, kind: 'error', len: OUTPUT.length, head: OUTPUT, lines: null },
    ],
  },
];
