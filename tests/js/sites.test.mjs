import assert from 'node:assert/strict';
import test from 'node:test';

/** The part of a browser's permissions and registered scripts that nbmedic uses. */
function browser({ origins = [], firefox = false } = {}) {
  const b = { origins, scripts: [], calls: [] };
  globalThis.chrome = {
    runtime: { getURL: () => (firefox ? 'moz-extension://x/' : 'chrome-extension://x/') },
    permissions: {
      getAll: async () => ({ origins: b.origins }),
      contains: async ({ origins: [one] }) => {
        b.calls.push(one);
        return b.origins.includes(one);
      },
    },
    scripting: {
      getRegisteredContentScripts: async ({ ids }) => b.scripts.filter(({ id }) => ids.includes(id)),
      registerContentScripts: async ([script]) => {
        b.scripts.push(script);
      },
      updateContentScripts: async ([script]) => {
        b.scripts = [script];
      },
      unregisterContentScripts: async () => {
        b.scripts = [];
      },
    },
    tabs: { get: async (id) => (id === 1 ? { url: 'https://notebook.test/' } : {}) },
  };
  return b;
}
const { COLAB, FRAMES, PAGE_SENSOR, mayRead, register, revive, withheld } =
  await import('../../extension/background/sites.js');
const matches = (b) => b.scripts.flatMap((script) => script.matches);

test('the sensor is registered for exactly the allowed addresses', async () => {
  const b = browser({ origins: [COLAB, 'http://localhost/*'] });
  await register();
  assert.deepEqual(matches(b), ['http://localhost/*']);
  b.origins = [COLAB, 'https://hub.test/*', 'http://localhost/*'];
  await register();
  assert.deepEqual(matches(b), ['http://localhost/*', 'https://hub.test/*']);
  b.origins = ['https://hub.test/*'];
  await register();
  assert.deepEqual(matches(b), ['https://hub.test/*']);
  b.origins = [COLAB];
  await register();
  assert.deepEqual(matches(b), []);
});

test('many changes at once end in the final permissions', async () => {
  const b = browser();
  const all = [];
  for (const origins of [['http://a.test/*'], [], ['http://b.test/*', 'http://c.test/*']]) {
    b.origins = origins;
    all.push(register());
  }
  await Promise.all(all);
  assert.deepEqual(matches(b), ['http://b.test/*', 'http://c.test/*']);
});

test('whether an address may be read is checked with the browser’s patterns', async () => {
  let b = browser({ origins: ['http://localhost:8888/*'] });
  assert.deepEqual(
    [await mayRead('http://localhost:8888', 1), await mayRead('http://localhost:9999', 1)],
    [true, false],
  );
  // Firefox's match patterns have no port.
  b = browser({ origins: ['http://localhost/*'], firefox: true });
  assert.equal(await mayRead('http://localhost:8888', 1), true);
  assert.deepEqual(b.calls, ['http://localhost/*']);
  // A sandboxed frame has no origin, so its tab's address counts, for those who may read it.
  assert.deepEqual([await mayRead('null', 1), await mayRead('null', 2)], [true, false]);
});

test('withheld output frames are reported where Colab itself may be read', async () => {
  browser({ origins: [COLAB] });
  assert.deepEqual(await withheld('https://colab.research.google.com'), [FRAMES]);
  assert.deepEqual(await withheld('https://colab.research.google'), []);
  assert.deepEqual(await withheld('http://localhost:8888'), []);
  browser({ origins: [COLAB, FRAMES] });
  assert.deepEqual(await withheld('https://colab.research.google.com'), []);
  // The page itself is requested first.
  browser({ origins: [] });
  assert.deepEqual(await withheld('https://colab.research.google.com'), []);
});

test('a page that comes back gets a sensor if it has none, but only if it is allowed', async () => {
  const b = browser({ origins: [COLAB, FRAMES, 'http://localhost/*'] });
  const open = {
    1: 'https://colab.research.google.com/drive/1',
    2: 'http://localhost/lab',
    3: 'https://x.googleusercontent.com/picture',
    4: 'http://localhost/tree',
  };
  const started = [];
  chrome.tabs.query = async ({ url }) =>
    Object.entries(open)
      .map(([id, one]) => ({ id: Number(id), url: one }))
      .filter((tab) => url.some((pattern) => tab.url.startsWith(pattern.replace('*', ''))));
  chrome.scripting.executeScript = async ({ target: { tabId }, files, func }) => {
    if (files) started.push([tabId, files]);
    // The fourth has a live sensor; there are no frames.
    return [{ frameId: 0, result: Boolean(func) && tabId === 4 }];
  };
  for (const id of [1, 2, 3, 4, 99]) await revive(id);
  assert.deepEqual(started, [
    [1, PAGE_SENSOR],
    [2, PAGE_SENSOR],
  ]);
  assert.deepEqual(b.calls, []);
});
