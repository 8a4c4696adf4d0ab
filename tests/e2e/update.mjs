// Updates from an earlier nbmedic, built from its own commit, in the middle of a run, in both browsers:
//
//   ./build.sh update-test [COMMIT]     default: the commit before this one. NBMEDIC_EARLIER names a folder with its
//                                       packages if they are already built
//
// Building another commit takes minutes. In every test run, `lifecycle.test.mjs` also updates in the middle of a run,
// from a record that an earlier version wrote and from this version to itself.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { MIGRATIONS } from '../../extension/background/database.js';
import { card, cards, noCard, pressed, settled } from './harness/cards.mjs';
import { builtPackage, copied, manifest, ROOT } from './harness/packages.mjs';
import { inPopup } from './harness/popup.mjs';
import { BROWSERS, startSession } from './harness/session.mjs';
import { until } from './harness/wait.mjs';
import { addWitness, census, witness } from './harness/witness.mjs';

const [OOM, HTML, SCRIPT, OTHER] = ['kW8sJd3hLr6o', 'eG6nRa1vUs7w', 'bM2yXc9tPz4i', 'yL1cQw6bEi9m'];
const commit = process.argv[2] || 'HEAD~1';

function command(name, args, options = {}) {
  const { status } = spawnSync(name, args, { cwd: ROOT, stdio: 'inherit', ...options });
  if (status !== 0) throw new Error(`${name} ${args.join(' ')}: ${status}`);
}

/** The unpacked packages of a commit, built in a worktree of their own. */
async function built() {
  if (process.env.NBMEDIC_EARLIER) return { dist: process.env.NBMEDIC_EARLIER, remove() {} };
  const home = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-earlier-'));
  const tree = path.join(home, 'tree');
  const remove = async () => {
    if (existsSync(tree)) command('git', ['worktree', 'remove', '--force', tree]);
    await rm(home, { recursive: true, force: true });
  };
  try {
    command('git', ['worktree', 'add', '--detach', tree, commit]);
    // Downloaded tools are shared, and so is much of the compiled code.
    await symlink(path.join(ROOT, '.tools'), path.join(tree, '.tools'));
    const target = path.join(process.env.CARGO_TARGET_DIR ?? path.join(ROOT, 'target'), 'earlier');
    command('bash', ['build.sh', 'build'], { cwd: tree, env: { ...process.env, CARGO_TARGET_DIR: target } });
    return { dist: path.join(tree, 'dist'), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The schema version of a package's record, from its own code. */
async function schema(dir) {
  // Earlier builds have more than one file.
  const [file] = ['background/database.js', 'background.js'].map((name) => path.join(dir, name)).filter(existsSync);
  const [, steps] = /MIGRATIONS ?= ?(\[.*?\},?\s*\]);/s.exec(await readFile(file, 'utf8'));
  return (await import(`data:text/javascript,export default ${encodeURIComponent(steps)}`)).default.length;
}

/** Installs `old`, opens a notebook, updates to `now` while a cell streams. */
async function update(kind, old, now) {
  const session = await startSession(kind, { bare: true });
  // The same folder, so that Chromium treats both as the same extension.
  const copy = await copied(path.join(old, kind), async (dir) =>
    manifest(dir, (made) => {
      made.version = '0.0.1';
    }),
  );
  const next = await copied(now, addWitness);
  try {
    await session.install(copy.dir);
    const page = await session.colab();
    const run = (cell, steps = null) => page.evaluate((id, list) => window.replica.run(id, list), cell, steps);
    await run(OOM);
    await card(page, OOM, 'gpu-oom');
    // The page that an installation opens may have appeared meanwhile.
    await page.bringToFront();
    // Its label in this version and in earlier ones.
    await inPopup(session, /1 problem explained/, async (popup) => {
      if (!(await popup.click('Mute this kind'))) await popup.click('Mute');
    });
    await page.bringToFront();
    await run(OOM);
    await noCard(page, OOM);
    await run(HTML);
    await card(page, HTML);
    await page.evaluate((id) => {
      window.ended = false;
      window.cut = false;
      const { trainingLog, traceback } = window.replica;
      const error = traceback({
        type: 'ValueError',
        message: 'too many values to unpack (expected 2)',
        source: 'a, b = 1, 2, 3',
        at: 1,
      });
      const steps = {
        *[Symbol.iterator]() {
          while (!window.cut) yield { stream: trainingLog(1, 5), rate: 25, odd: true };
          yield { error };
        },
      };
      window.replica.run(id, steps).then(() => {
        window.ended = true;
      });
    }, SCRIPT);
    const printed = () =>
      page.evaluate((id) => document.querySelector(`#cell-${id} .output`).textContent.length, SCRIPT);
    await until('the stream', async () => (await printed()) > 300);
    command('cp', ['-a', `${next.dir}/.`, copy.dir]);
    await session.install(copy.dir);
    await until(
      'the new sensor works, and it alone',
      async () => {
        const { working, orphans } = await census(page);
        return working === 1 && orphans === 0;
      },
      { detail: () => census(page) },
    );
    const before = await printed();
    await until('the stream goes on', async () => (await printed()) > before);
    await page.evaluate(() => {
      window.cut = true;
    });
    await until('the run is over', () => page.evaluate(() => window.ended));
    await card(page, SCRIPT);
    await run(OOM);
    await settled(page, OTHER);
    // What was muted is still muted, and every card is still shown, once.
    assert.deepEqual(
      (await cards(page)).map((c) => c.cell),
      [SCRIPT, HTML],
    );
    for (const cell of [SCRIPT, HTML]) assert.equal(await pressed(page, cell, 'assistant'), 'yes');
    assert.deepEqual([(await census(page)).working, (await census(page)).orphans], [1, 0]);
    const { store } = await witness(page);
    assert.equal(store.version, MIGRATIONS.length);
    assert.deepEqual(store.settings.muted, ['gpu-oom']);
    assert.equal(store.pages.length, 1);
    assert.deepEqual(
      [...session.errors, ...(await session.extensionErrors())].filter(
        (line) => !/Extension context invalidated/.test(line),
      ),
      [],
    );
    console.log(
      `${kind}: from ${process.env.NBMEDIC_EARLIER ?? commit} (schema ${await schema(path.join(old, kind))}) to this one (schema ${store.version}): 2 cards, 1 sensor, 0 orphans, what was muted is muted`,
    );
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
