// `%load_ext nbmedic` in a real JupyterLab: alone, beside the extension, and as HTML under a policy without scripts.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { card, cards } from './harness/cards.mjs';
import { openNotebook, runCell, startJupyter } from './harness/jupyter.mjs';
import { BROWSERS, LOCALHOST, picture, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';
import { wheelModules } from './harness/wheel.mjs';

/** Cells that fail, each with its diagnosis. */
const FAILING = [
  ['print(totl)', 'name-undefined'],
  ["table['prise']", 'key-missing'],
  ['import nunpy', 'module-missing'],
  ['json.laods("{}")', 'attribute-missing'],
  ['open("nowhere/data.csv")', 'file-not-found'],
  ['"3" + total', 'type-misuse'],
  ['prices[3]', 'index-out-of-range'],
  ['def f(:\n    pass', 'syntax-invalid'],
  ['table()', 'type-misuse'],
  ['1 / (total - 3)', 'arithmetic-error'],
];
const LOADED = '%load_ext nbmedic\nimport json\ntotal = 3\ntable = {"price": 2, "count": 5}\nprices = [1, 2]';

const NOTEBOOK = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { kernelspec: { name: 'python3', display_name: 'Python 3 (ipykernel)', language: 'python' } },
  cells: [LOADED, ...FAILING.map(([source]) => source)].map((source, at) => ({
    id: `cell-${at}`,
    cell_type: 'code',
    metadata: {},
    execution_count: null,
    outputs: [],
    source,
  })),
};

/** The cards that the kernel printed below a cell: their text, markup and height. */
function printed(page, cell) {
  return page.evaluate((at) => {
    const all = document.querySelectorAll('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook .jp-Cell');
    return [...(all[at]?.querySelectorAll('.jp-Cell-outputArea [data-nbmedic="card"]') ?? [])].map((shown) => ({
      text: shown.textContent,
      html: shown.outerHTML,
      height: Math.round(shown.getBoundingClientRect().height),
    }));
  }, cell);
}

/** A folder with the wheel's modules, for PYTHONPATH, and one with the notebook. */
async function prepared() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-magic-'));
  const env = await wheelModules(path.join(folder, 'modules'));
  const notebook = path.join(folder, 'failing.ipynb');
  await writeFile(notebook, JSON.stringify(NOTEBOOK));
  return { folder, notebook, env };
}

for (const kind of BROWSERS) {
  describe(`%load_ext nbmedic in JupyterLab in ${kind}`, () => {
    let made;
    let server;
    let policy;
    const opened = [];
    const open = async (options) => {
      const session = await startSession(kind, { through: [`localhost:${server.port}`], ...options });
      opened.push(session);
      const page = await session.newPage();
      await openNotebook(page, server, 'failing.ipynb');
      await runCell(page, 0);
      return { session, page };
    };
    before(async () => {
      made = await prepared();
      server = await startJupyter({ notebooks: [made.notebook], env: made.env });
    });
    after(async () => {
      for (const session of opened) await session.close();
      policy?.close();
      await server?.close();
      await rm(made.folder, { recursive: true, force: true });
    });

    const shown = [];
    test('without the extension each of ten failures has one card', async () => {
      // Not allowed on this address, the extension does nothing there.
      const { session, page } = await open({});
      for (const cell of FAILING.keys()) {
        await runCell(page, cell + 1);
        const found = await until(`a card below cell ${cell + 1}`, async () => {
          const all = await printed(page, cell + 1);
          return all.length ? all : null;
        });
        assert.equal(found.length, 1);
        assert.ok(found[0].height > 60, `it can be read: ${found[0].height} pixels`);
        shown.push(found[0]);
      }
      assert.match(shown[0].text, /Replace totl by total/);
      assert.deepEqual(await cards(page), []);
      await picture(page, `magic-${kind}-alone`);
      await session.close();
      opened.pop();
    });

    test('a policy that forbids scripts and everything foreign leaves it as it is', async () => {
      const rules = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
      policy = createServer((request, answer) => {
        const headers = { 'content-type': 'text/html; charset=utf-8' };
        if (request.url === '/strict') headers['content-security-policy'] = rules;
        answer.writeHead(200, headers).end(`<!doctype html><body>${shown.map(({ html }) => html).join('\n')}`);
      });
      await new Promise((done) => policy.listen(0, '127.0.0.1', done));
      const { port } = policy.address();
      const session = await startSession(kind, { through: [`localhost:${port}`] });
      opened.push(session);
      const page = await session.newPage();
      const looks = async (at) => {
        await page.goto(`http://localhost:${port}/${at}`, { waitUntil: 'load' });
        return page.evaluate(() =>
          [...document.querySelectorAll('[data-nbmedic="card"]')].map((one) => {
            const { width, height } = one.getBoundingClientRect();
            const { backgroundColor, borderLeftColor } = getComputedStyle(one);
            return { width, height, backgroundColor, borderLeftColor, text: one.innerText };
          }),
        );
      };
      const free = await looks('free');
      assert.equal(free.length, FAILING.length);
      assert.deepEqual(await looks('strict'), free);
      await session.close();
      opened.pop();
    });

    test('beside the extension only one of the two cards can be seen', async () => {
      const { page } = await open({ origins: [LOCALHOST] });
      for (const [cell, [source, id]] of FAILING.entries()) {
        await runCell(page, cell + 1);
        await card(page, cell + 1, id);
        await until(`the kernel's card of ${source} is hidden`, async () => {
          const [one, ...more] = await printed(page, cell + 1);
          return one && !more.length && one.height === 0;
        });
      }
      const wanted = FAILING.map(([, id], cell) => [cell + 1, id]);
      assert.deepEqual(
        (await cards(page)).map(({ cell, id }) => [cell, id]),
        wanted,
      );
      await picture(page, `magic-${kind}-beside`);
    });
  });
}
