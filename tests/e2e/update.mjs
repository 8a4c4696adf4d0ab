// The update from an earlier nbmedic that is built from its own commit, in the middle of a run, in both browsers.
//
//   node tests/e2e/update.mjs [COMMIT]      the commit before this one, where none is named; NBMEDIC_EARLIER names
//                                           a folder with its packages, if they are built already
//
// Too slow for every test run: `lifecycle.test.mjs` holds the same with a record that an earlier version wrote.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { card, cards, pressInCard, inCard, settled } from './harness/cards.mjs';
import { builtPackage, copied, manifest, ROOT } from './harness/packages.mjs';
import { BROWSERS, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';
import { addWitness, census, witness } from './harness/witness.mjs';

const [HTML, SCRIPT, OTHER] = ['eG6nRa1vUs7w', 'bM2yXc9tPz4i', 'yL1cQw6bEi9m'];
const commit = process.argv[2] ?? 'HEAD~1';

function command(name, args, options = {}) {
  const { status } = spawnSync(name, args, { cwd: ROOT, stdio: 'inherit', ...options });
  if (status !== 0) throw new Error(`${name} ${args.join(' ')}: ${status}`);
}

/** The unpacked packages of a commit, built in a work tree of their own. */
async function built() {
  if (process.env.NBMEDIC_EARLIER) return { dist: process.env.NBMEDIC_EARLIER, remove() {} };
  const home = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-earlier-'));
  const tree = path.join(home, 'tree');
  command('git', ['worktree', 'add', '--detach', tree, commit]);
  // The tools that are fetched are the same ones.
  await symlink(path.join(ROOT, '.tools'), path.join(tree, '.tools'));
  const env = { ...process.env };
  delete env.CARGO_TARGET_DIR;
  command('bash', ['build.sh', 'build'], { cwd: tree, env });
  return { dist: path.join(tree, 'dist'), async remove() {
    command('git', ['worktree', 'remove', '--force', tree]);
    await rm(home, { recursive: true, force: true });
  } };
}

/** Installs `old`, opens a notebook, updates to `now` while a cell streams. */
async function update(kind, old, now) {
  const session = await startSession(kind, { bare: true });
  // One folder, so that Chromium takes both for the same extension.
  const copy = await copied(path.join(old, kind), async (dir) => manifest(dir, (made) => { made.version = '0.0.1'; }));
  const next = await copied(now, addWitness);
  try {
    await session.install(copy.dir);
    const page = await session.colab();
    await page.evaluate((id) => window.replica.run(id), HTML);
    await card(page, HTML);
    await page.evaluate((id) => {
      window.ended = false;
      const { trainingLog, SCRIPT_TRACEBACK } = window.replica;
      window.replica.run(id, [{ stream: trainingLog(3, 20), rate: 25, odd: true }, { stream: SCRIPT_TRACEBACK }]).then(() => { window.ended = true; });
    }, SCRIPT);
    await until('the stream', () => page.evaluate((id) => document.querySelector(`#cell-${id} .output`).textContent.length > 300, SCRIPT));
    command('cp', ['-a', `${next.dir}/.`, copy.dir]);
    await session.install(copy.dir);
    await until('the new sensor', async () => (await census(page)).working === 1, { detail: () => census(page) });
    assert.equal(await page.evaluate(() => window.ended), false, 'the run still goes on');
    await card(page, SCRIPT, 'gpu-oom', { timeout: 40_000 });
    await settled(page, OTHER);
    assert.deepEqual((await cards(page)).map((c) => c.cell), [SCRIPT, HTML]);
    for (const cell of [SCRIPT, HTML]) {
      await pressInCard(page, cell, 'report');
      await until(`the report button at ${cell} works`, () => inCard(page, cell, 'reported'));
    }
    assert.equal((await census(page)).orphans, 0);
    const { store } = await witness(page);
    assert.equal(store.pages.length, 1);
    console.log(`${kind}: from ${commit} to this one: ${(await cards(page)).length} cards, 1 sensor, 0 orphans, record of version ${store.version}`);
  } finally {
    await session.close();
    await copy.remove();
    await next.remove();
  }
}

const earlier = await built();
try {
  for (const kind of BROWSERS) await update(kind, earlier.dist, builtPackage(kind));
} finally {
  await earlier.remove();
}
