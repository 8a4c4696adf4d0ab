// The built web site on a plain server: the playground, the rule reference, the docs and the search.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { cleanPage } from './harness/axe.mjs';
import { startChrome } from './harness/chrome.mjs';
import { ROOT } from './harness/packages.mjs';
import { serveSite } from './harness/site.mjs';
import { until } from './harness/wait.mjs';

const OUT_OF_MEMORY = `Traceback (most recent call last):
  File "fit.py", line 21, in <module>
    loss = step(batch)
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 640.00 MiB. GPU 0 has a total capacity of 7.79 GiB of which 201.00 MiB is free.
`;
const error = (name, value, traceback) => ({ output_type: 'error', ename: name, evalue: value, traceback });
const cell = (source, outputs) => ({ cell_type: 'code', metadata: {}, execution_count: 1, source, outputs });
const NOTEBOOK = JSON.stringify({
  nbformat: 4,
  nbformat_minor: 5,
  metadata: {},
  cells: [
    { cell_type: 'markdown', metadata: {}, source: ['# One'] },
    cell(['import polars'], [error('ModuleNotFoundError', "No module named 'polars'", [])]),
    cell(['1 + 1'], [{ output_type: 'execute_result', metadata: {}, data: { 'text/plain': ['2'] } }]),
    cell(
      ['x = 4\n', 'x + y'],
      [
        error('NameError', "name 'y' is not defined", [
          'NameError                                 Traceback (most recent call last)',
          'Cell In[3], line 2\n      1 x = 4\n----> 2 x + y\n',
          "NameError: name 'y' is not defined",
        ]),
      ],
    ),
  ],
});

let site;
let chrome;
before(async () => {
  site = await serveSite();
  chrome = await startChrome({ network: true });
  await chrome.browser
    .defaultBrowserContext()
    .overridePermissions(new URL(site.address).origin, [
      'clipboard-read',
      'clipboard-write',
      'clipboard-sanitized-write',
    ]);
});
after(async () => {
  await chrome?.close();
  await site?.close();
});

/** A page of the site. `wrong` collects errors, policy violations, dialogs and foreign requests. */
async function open(where, { theme = 'light', bypass = false, script = true, address = site.address } = {}) {
  const page = await chrome.newPage();
  const wrong = [];
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) wrong.push(message.text());
  });
  page.on('pageerror', (failure) => wrong.push(String(failure)));
  page.on('dialog', (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !/^(?:blob|data):/.test(request.url()))
      wrong.push(`asked for ${request.url()}`);
  });
  await page.evaluateOnNewDocument(() => {
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  await page.setBypassCSP(bypass);
  await page.setJavaScriptEnabled(script);
  await page.setViewport({ width: 1000, height: 900 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
  await page.goto(new URL(where, address).href);
  if (where === '' && script) await page.waitForSelector('#explain:not([disabled])');
  return { page, wrong };
}

const cards = (page) =>
  page.$$eval('nbmedic-card', (hosts) =>
    hosts.map((host) => {
      const card = host.shadowRoot.querySelector('.card');
      return {
        id: card.dataset.id,
        title: card.querySelector('.title').textContent,
        line: card.querySelector('.line')?.textContent ?? '',
        text: card.textContent,
        above: host.previousElementSibling.textContent,
        theme: host.dataset.theme,
        styled: getComputedStyle(card).borderTopLeftRadius,
        dismiss: card.querySelectorAll('.dismiss').length,
      };
    }),
  );
const said = (page) => page.$eval('#said', (e) => e.textContent);

async function type(page, text) {
  await page.$eval(
    '#text',
    (area, value) => {
      area.value = value;
      area.focus();
    },
    text,
  );
  await page.keyboard.down('Control');
  await page.keyboard.press('Enter');
  await page.keyboard.up('Control');
}

/** Drops a file on the page, as a file manager does. */
function drop(page, name, text) {
  return page.evaluate(
    ([fileName, body]) => {
      const data = new DataTransfer();
      data.items.add(new File([body], fileName));
      for (const kind of ['dragover', 'drop']) {
        document.body.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));
      }
    },
    [name, text],
  );
}

test('a pasted traceback is explained at once, with the report', async () => {
  const { page, wrong } = await open('');
  await page.bringToFront();
  await page.evaluate((text) => navigator.clipboard.writeText(text), OUT_OF_MEMORY);
  await page.focus('#text');
  await page.keyboard.press('v', { commands: ['paste'] });
  await page.waitForSelector('nbmedic-card');
  const [card, ...others] = await cards(page);
  assert.deepEqual(others, []);
  assert.equal(card.id, 'gpu-oom');
  assert.match(card.title, /640 MiB/);
  assert.equal(card.styled, '8px', 'the card has its style sheet');
  assert.equal(card.dismiss, 0);
  assert.match(card.above, /All about gpu-oom/);
  assert.equal(await said(page), 'One problem');
  // The focus stays where the text was pasted.
  assert.equal(await page.evaluate(() => document.activeElement.id), 'text');
  for (const [label, check] of [
    ['Copy report', (text) => assert.match(text, /^## nbmedic: pasted text\n\n### The GPU ran out of memory/)],
    [
      'Copy JSON',
      (text) => {
        const report = JSON.parse(text);
        assert.equal(report.schema, 'nbmedic.triage/1');
        assert.equal(report.diagnoses[0].id, 'gpu-oom');
        assert.equal(report.diagnoses[0].facts.requested_bytes, 640 * 2 ** 20);
      },
    ],
  ]) {
    if (label === 'Copy JSON') {
      assert.equal(await page.$eval('.report details', (e) => e.open), false, 'one button stands alone');
      await page.click('.report summary');
    }
    await page.click(`::-p-xpath(//button[text()="${label}"])`);
    await until(`${label} says so`, async () => (await said(page)).startsWith('Copied'));
    check(await page.evaluate(() => navigator.clipboard.readText()));
    await page.$eval('#said', (e) => {
      e.textContent = '';
    });
  }
  assert.deepEqual(wrong, []);
  await page.close();
});

test('the button in a card copies its code; the report has one button, above the cards', async () => {
  const { page, wrong } = await open('');
  await page.bringToFront();
  // The first fix for a training has code.
  await type(page, `epoch 1\n${OUT_OF_MEMORY}`);
  await page.waitForSelector('nbmedic-card');
  await page.focus('nbmedic-card >>> .first .copy');
  await page.keyboard.press('Enter');
  await until('it says that it copied', () => page.$('nbmedic-card >>> .first .copy[data-done=yes]'));
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /\w/);
  assert.equal(await page.$('nbmedic-card >>> .copy-report'), null);
  const copies = await page.$$eval('button', (all) => all.filter((one) => /report/i.test(one.textContent)).length);
  assert.equal(copies, 1);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('it leads to where nbmedic is installed', async () => {
  const { page, wrong } = await open('');
  const link = await page.$eval('.install a', (a) => [a.textContent, a.href]);
  assert.deepEqual(link, ['Install nbmedic', 'https://github.com/nbmedic/nbmedic#install']);
  assert.match(readFileSync(path.join(ROOT, 'README.md'), 'utf8'), /^## Install$/m, 'the anchor');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a dropped notebook gets cards in the order of its cells', async () => {
  const { page, wrong } = await open('', { theme: 'dark' });
  await drop(page, 'analysis.ipynb', NOTEBOOK);
  await page.waitForSelector('nbmedic-card');
  const found = await cards(page);
  assert.deepEqual(
    found.map(({ id, above }) => [id, above.match(/^Cell \d+/)?.[0]]),
    [
      ['module-missing', 'Cell 2'],
      ['name-undefined', 'Cell 4'],
    ],
  );
  assert.equal(found[1].line, '2x + y');
  assert.deepEqual(
    found.map(({ theme }) => theme),
    ['dark', 'dark'],
  );
  assert.equal(await page.$eval('#verdict', (e) => e.textContent), '2 problems in analysis.ipynb');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'verdict');
  await page.click('#clear');
  assert.equal(await page.$('nbmedic-card'), null);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a dropped log says why the kernel was restarted', async () => {
  const { page, wrong } = await open('');
  await drop(
    page,
    'app.log',
    [
      'Nov 22, 2026, 1:03:00 PM\tINFO\tSaving file at /a.ipynb',
      'Nov 22, 2026, 1:04:02 PM\tWARNING\ttcmalloc: large alloc 8589934592 bytes == 0x5616 @  0x7f',
      'Nov 22, 2026, 1:04:09 PM\tINFO\tKernelRestarter: restarting kernel (1/1), keep random ports',
      'Nov 22, 2026, 1:04:09 PM\tWARNING\tWARNING:root:kernel 11112222-3333-4444-5555-666677778888 restarted',
    ].join('\n'),
  );
  await page.waitForSelector('nbmedic-card');
  const [first] = await cards(page);
  assert.equal(first.id, 'host-oom');
  assert.match(first.text, /tcmalloc: large alloc 8589934592 bytes/);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('unreadable and error-free inputs get a message', async () => {
  const { page, wrong } = await open('');
  await type(page, '  \n');
  assert.match(await said(page), /nothing to read yet/);
  for (const [name, text, message] of [
    ['cut.ipynb', NOTEBOOK.slice(0, 300), /^cut\.ipynb: not a notebook: /],
    ['data.ipynb', '{"a": 1}', /^data\.ipynb: not a notebook: it has no cells/],
    ['model.zip', 'PK\x03\x04rest', /^model\.zip: not a text/],
    ['none.log', '', /^none\.log is empty/],
  ]) {
    await drop(page, name, text);
    await until(`${name} is refused`, async () => message.test(await said(page)), { detail: () => said(page) });
    assert.equal(await page.$eval('#said', (e) => e.className), 'said trouble');
    assert.equal(await page.$('nbmedic-card'), null);
  }
  await type(page, 'Epoch 1/3 - loss: 0.41\nEpoch 2/3 - loss: 0.32\n');
  await page.waitForSelector('.calm');
  assert.equal(await said(page), 'Nothing wrong found');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('text that looks like markup stays text', async () => {
  const { page, wrong } = await open('');
  const name = '<img src=x onerror=alert(1)>';
  await type(
    page,
    `Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    import b\nValueError: ${name}<script>alert(2)</script>\n`,
  );
  await page.waitForSelector('nbmedic-card');
  assert.match((await cards(page))[0].title, /<img src=x onerror=alert\(1\)>/);
  await drop(page, `${name}.ipynb`, NOTEBOOK);
  await until('the notebook is read', async () => (await page.$$('nbmedic-card')).length === 2);
  const made = await page.evaluate(() =>
    [document, ...[...document.querySelectorAll('nbmedic-card')].map((host) => host.shadowRoot)].flatMap((root) =>
      [...root.querySelectorAll('.results img, .card img, .card script, [onerror]')].map((e) => e.outerHTML),
    ),
  );
  assert.deepEqual(made, []);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('each example is explained', async () => {
  const { page, wrong } = await open('');
  const names = await page.$$eval('[data-example]', (buttons) => buttons.map((button) => button.dataset.example));
  const found = {};
  for (const name of names) {
    await page.click(`[data-example="${name}"]`);
    await page.waitForFunction(
      (wanted) => document.getElementById('verdict')?.textContent.endsWith(wanted),
      {},
      `in ${name}`,
    );
    found[name] = (await cards(page)).map(({ id }) => id);
  }
  assert.deepEqual(found, {
    'gpu-oom.txt': ['gpu-oom'],
    'classifier.ipynb': ['module-missing', 'shape-mismatch'],
    'loader.log': ['shared-memory-exhausted'],
  });
  assert.deepEqual(wrong, []);
  await page.close();
});

test('every diagnosis has a page, and every link inside the site leads somewhere', () => {
  const ids = readdirSync(path.join(ROOT, 'src/catalog'), { recursive: true })
    .map((name) => /^[^/]+\/([a-z0-9-]+)\.md$/.exec(name)?.[1])
    .filter(Boolean)
    .sort();
  const built = readdirSync(path.join(site.root, 'rules'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  assert.ok(ids.length > 50);
  assert.deepEqual(built, ids);
  const pages = readdirSync(site.root, { recursive: true }).filter((name) => name.endsWith('.html'));
  let links = 0;
  for (const name of pages) {
    const text = readFileSync(path.join(site.root, name), 'utf8');
    assert.match(text, /<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; /, name);
    assert.doesNotMatch(text, /<script(?![^>]* src=)|<style|<[a-z][^>]*\s(?:style|on\w+)=/, name);
    for (const [, href] of text.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      if (/^https:\/\//.test(href)) continue;
      links += 1;
      const [to, anchor] = href.split('#');
      let file = to ? path.join(site.root, path.dirname(name), to) : path.join(site.root, name);
      if (file.endsWith('/') || to === './') file = path.join(file, 'index.html');
      assert.ok(existsSync(file), `${name}: ${href}`);
      if (anchor) assert.ok(readFileSync(file, 'utf8').includes(` id="${anchor}"`), `${name}: ${href}`);
    }
  }
  assert.ok(links > 1000);
});

test('the list is filtered by every word, and is complete without scripts', async () => {
  const { page, wrong } = await open('rules/');
  const left = () =>
    page.$$eval('.family li', (rules) =>
      rules.filter((rule) => rule.offsetParent).map((rule) => rule.querySelector('.id').textContent),
    );
  const all = await left();
  await page.keyboard.press('/');
  await page.keyboard.type('memory GPU');
  const some = await left();
  assert.ok(some.includes('gpu-oom') && some.length < all.length / 4, `${some}`);
  assert.equal(await page.$eval('#found', (e) => e.textContent), `${some.length} of ${all.length}`);
  // A search has an address of its own.
  assert.match(page.url(), /\?q=memory\+GPU$/);
  await page.reload();
  assert.deepEqual(await left(), some);
  await page.focus('#find');
  await page.keyboard.type(' zzz');
  assert.deepEqual(await left(), []);
  assert.match(await page.$eval('#found', (e) => e.textContent), /^None/);
  assert.deepEqual(wrong, []);
  await page.close();
  const plain = await open('rules/', { script: false });
  const { shown, search } = await plain.page.$eval('.families', (e) => ({
    shown: e.innerText,
    search: document.getElementById('search').hidden,
  }));
  for (const id of all) assert.ok(shown.includes(id), id);
  assert.equal(search, true);
  await plain.page.close();
});

test('a rule page shows what the catalogue says, and its code can be copied', async () => {
  const { page, wrong } = await open('rules/gpu-oom/');
  await page.bringToFront();
  const prose = JSON.parse(readFileSync(path.join(site.root, 'prose/gpu-oom.json'), 'utf8'));
  const text = await page.$eval('main', (e) => e.textContent);
  for (const part of [
    // A page about no case in particular has no facts to fill in.
    ...prose.fixes.map((fix) => fix.title.replace(/\[[^\]]*\]/g, '').replace(/\{\w+\}/g, '…')),
    ...prose.links.map(([name]) => name),
    prose.meaning[0].p[0].text,
  ])
    assert.ok(text.includes(part), part);
  assert.equal((await page.$$('.variant')).length, prose.variants.length);
  await page.click('.fix .copy');
  await page.waitForFunction(() => document.querySelector('.fix .copy').textContent === 'Copied');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, await page.$eval('.fix pre code', (e) => e.textContent));
  assert.deepEqual(wrong, []);
  await page.close();
});

test("the probe's page offers both cells exactly as built, and the package's line", async () => {
  const { page, wrong } = await open('probe/');
  await page.bringToFront();
  for (const variant of ['native', 'readable']) {
    const built = readFileSync(path.join(site.root, `../probe/cell-${variant}.py`), 'utf8');
    const button = `section[aria-labelledby="${variant}"] .copy`;
    await page.click(button);
    await page.waitForFunction((selector) => document.querySelector(selector).textContent === 'Copied', {}, button);
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), built);
  }
  // Where the Python package is installed, a line does the same.
  await page.click('section[aria-labelledby="line"] .copy');
  await page.waitForFunction(
    () => document.querySelector('section[aria-labelledby="line"] .copy').textContent === 'Copied',
  );
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '%load_ext nbmedic');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a document has its contents, its neighbours and working links, and its code can be copied', async () => {
  const { page, wrong } = await open('docs/');
  const parts = await page.$$eval('.family h2', (all) => all.map((e) => e.textContent));
  assert.deepEqual(parts, ['For users', 'For people with logs and fleets', 'For contributors']);
  await page.click('a[href="python/"]');
  await page.waitForSelector('.shelf [aria-current]');
  assert.equal(await page.$eval('h1', (e) => e.textContent), 'nbmedic in Python');
  assert.equal(await page.$eval('.shelf [aria-current]', (e) => e.textContent), 'In Python');
  await page.bringToFront();
  await (await page.waitForSelector('.code .copy')).click();
  await page.waitForFunction(() => document.querySelector('.code .copy').textContent === 'Copied');
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^\.\/build\.sh wheel/);
  await page.click('.toc a[href="#platforms"]');
  assert.match(page.url(), /docs\/python\/#platforms$/);
  await Promise.all([page.waitForNavigation(), page.click('.turn a:last-child')]);
  assert.match(await page.title(), /^Many notebooks/);
  // A picture has its size before it is loaded.
  await page.goto(new URL('docs/guide/', site.address).href);
  const [picture] = await page.$$eval('.prose img', (all) =>
    all.map((e) => [e.naturalWidth, e.width > 200, e.getAttribute('width')]),
  );
  assert.deepEqual([picture[0] > 0 ? String(picture[0]) : picture[2], picture[1]], [picture[2], true]);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('the search finds sections and diagnoses, by keys alone, and has an address', async () => {
  const { page, wrong } = await open('docs/guide/');
  await page.keyboard.press('/');
  await page.waitForSelector('#search:not([hidden])');
  const hits = () =>
    page.$$eval('.hits a', (all) =>
      all.map((e) => new URL(e.href).pathname.replace(/^\/nbmedic\//, '') + new URL(e.href).hash),
    );
  const look = async (words) => {
    await page.$eval('#find', (e) => {
      e.value = '';
      e.focus();
    });
    await page.keyboard.type(words);
    await until(`${words} is looked up`, async () => page.url().endsWith(new URLSearchParams({ q: words }).toString()));
    await until(`${words} is answered`, async () => (await page.$eval('#found', (e) => e.textContent)) !== '');
    return hits();
  };
  assert.equal((await look('gpu-oom'))[0], 'rules/gpu-oom/');
  assert.ok((await look('allow a site')).slice(0, 3).includes('docs/guide/#allow-a-site'));
  // A word that is unfinished, and one that is misspelt.
  assert.ok((await look('histor')).slice(0, 3).includes('docs/guide/#the-history'));
  assert.ok((await look('platfroms')).slice(0, 3).includes('docs/python/#platforms'));
  await look('exit status');
  assert.ok(await page.$$eval('.hits mark', (all) => all.some((e) => /^(exit|status)$/i.test(e.textContent))));
  // Markup in a search, and in what it finds, is text.
  assert.deepEqual(await look('<img src=x onerror=alert(1)> zzzz').then(() => page.$$('.hits img')), []);
  const found = await look('memory');
  assert.ok(found.length > 10);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement === document.querySelectorAll('.hits a')[1]), true);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'find');
  await page.reload();
  await page.waitForSelector('.hits a');
  assert.deepEqual(await hits(), found);
  await Promise.all([page.waitForNavigation(), page.focus('#find').then(() => page.keyboard.press('Enter'))]);
  assert.ok(page.url().endsWith(found[0]), page.url());
  assert.deepEqual(wrong, []);
  await page.close();
});

for (const theme of ['light', 'dark']) {
  test(`axe finds nothing, ${theme}`, async () => {
    for (const where of [
      '',
      'rules/',
      'rules/gpu-oom/',
      'probe/',
      'docs/',
      'docs/guide/',
      'docs/python/',
      'search/?q=memory',
    ]) {
      const { page } = await open(where, { theme, bypass: true });
      if (where === '') {
        await page.click('[data-example="classifier.ipynb"]');
        await page.waitForSelector('nbmedic-card');
        await page.$$eval('nbmedic-card', (hosts) =>
          hosts.forEach((host) =>
            host.shadowRoot.querySelectorAll('details').forEach((e) => {
              e.open = true;
            }),
          ),
        );
      }
      if (where.startsWith('search')) await page.waitForSelector('.hits a');
      for (const width of [1600, 480, 280]) {
        await page.setViewport({ width, height: 900 });
        await cleanPage(page, `${where}, ${theme}, ${width} px`, { least: 16 });
        assert.ok(
          await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
          `${where} fits into ${width} px`,
        );
      }
      await page.close();
    }
  });
}

test('once opened, the site works with no server', async () => {
  const own = await serveSite();
  const { page, wrong } = await open('', { address: own.address });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await own.close();
  await page.goto(new URL('rules/host-oom/', own.address).href);
  assert.match(await page.$eval('h1', (e) => e.textContent), /memory/);
  await page.goto(new URL('search/?q=platforms', own.address).href);
  await page.waitForSelector('.hits a');
  await page.click('.hits a');
  await page.waitForSelector('.document h1');
  await page.goto(own.address);
  await page.waitForSelector('#explain:not([disabled])');
  await type(page, OUT_OF_MEMORY);
  await page.waitForSelector('nbmedic-card');
  assert.equal((await cards(page))[0].id, 'gpu-oom');
  assert.deepEqual(wrong, []);
  await page.close();
});
