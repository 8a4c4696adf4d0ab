// The repository's own files: workflows, issue forms, and the release command.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import yaml from 'js-yaml';

import { sourceFiles } from '../../tools/files.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (name) => readFileSync(path.join(ROOT, name), 'utf8');
const parsed = (folder) =>
  Object.fromEntries(
    readdirSync(path.join(ROOT, folder))
      .filter((name) => name.endsWith('.yml'))
      .map((name) => [name, yaml.load(read(`${folder}/${name}`))]),
  );

const WORKFLOWS = parsed('.github/workflows');
const jobs = (workflow) => Object.entries(workflow.jobs);
const commands = (workflow) => jobs(workflow).flatMap(([, job]) => job.steps.map((step) => step.run).filter(Boolean));

test('the workflows run the commands of the README and no others', () => {
  const ours = (name) => commands(WORKFLOWS[name]).filter((run) => run.startsWith('./'));
  assert.deepEqual(ours('test.yml'), ['./build.sh test "$PART"']);
  assert.deepEqual(ours('nightly.yml'), ['./build.sh test', './build.sh run --headless', './build.sh $COMMAND']);
  assert.ok(commands(WORKFLOWS['release.yml']).some((run) => run.startsWith('./build.sh release')));
  const usage = execFileSync(path.join(ROOT, 'build.sh'), ['help'], { encoding: 'utf8' });
  // The parts of the test run once each, the browsers' once for each browser; together they are all.
  const { matrix } = WORKFLOWS['test.yml'].jobs.test.strategy;
  const parts = matrix.include.map(({ part, browsers }) => [part, browsers].filter(Boolean).join(' '));
  assert.deepEqual(parts, ['check', 'rest', 'browsers chrome', 'browsers firefox']);
  const [, all] = /^ {2}test \[([\w|]+)\]$/m.exec(usage);
  assert.deepEqual([...new Set(matrix.include.map(({ part }) => part))], all.split('|'));
  for (const command of WORKFLOWS['nightly.yml'].jobs.long.strategy.matrix.command)
    assert.match(usage, new RegExp(`^  ${command.split(' ')[0]}\\b`, 'm'));
  for (const run of Object.values(WORKFLOWS).flatMap(commands)) {
    for (const [, command] of run.matchAll(/\.\/build\.sh ([\w-]+)/g))
      assert.match(usage, new RegExp(`^  ${command}\\b`, 'm'));
  }
});

test('a workflow has the least permissions, pinned actions, limits, and no input inside a script', () => {
  for (const [name, workflow] of Object.entries(WORKFLOWS)) {
    assert.ok(['{}', '{"contents":"read"}'].includes(JSON.stringify(workflow.permissions)), name);
    // "pull_request_target" would run a stranger's change with the repository's rights.
    assert.ok(
      !Object.keys(workflow.on).some((event) => event === 'pull_request_target' || event === 'workflow_run'),
      name,
    );
    for (const [job, { permissions = {}, steps, 'timeout-minutes': limit }] of jobs(workflow)) {
      assert.ok(limit > 0, `${name}: ${job}`);
      if (name !== 'release.yml' || job !== 'publish')
        assert.ok(!Object.values(permissions).includes('write'), `${name}: ${job}`);
      for (const step of steps) {
        // A tag can be moved to other code.
        if (step.uses) assert.match(step.uses, /^actions\/[\w-]+@[0-9a-f]{40}$/, `${name}: ${job}`);
        assert.ok(!step.run?.includes('${{'), `${name}: ${job}: values reach a script as variables, not as text`);
      }
    }
  }
});

test('each issue form has what GitHub requires, and each template is a form', () => {
  const forms = parsed('.github/ISSUE_TEMPLATE');
  const { 'config.yml': config, ...others } = forms;
  // The report page opens an issue with title and body, which needs blank issues.
  assert.equal(config.blank_issues_enabled, true);
  for (const link of config.contact_links) assert.ok(link.name && link.about && URL.canParse(link.url));
  assert.deepEqual(Object.keys(others).sort(), ['drift.yml', 'missed-failure.yml', 'wrong-diagnosis.yml']);
  for (const [name, form] of Object.entries(others)) {
    assert.ok(form.name && form.description && Array.isArray(form.body), name);
    assert.deepEqual(
      Object.keys(form).filter((key) => !['name', 'description', 'title', 'labels', 'body'].includes(key)),
      [],
      name,
    );
    const fields = form.body.filter(({ type }) => type !== 'markdown');
    assert.equal(new Set(fields.map(({ id }) => id)).size, fields.length, name);
    assert.ok(
      fields.some(({ validations }) => validations?.required),
      name,
    );
    for (const { type, id, attributes } of form.body) {
      assert.ok(['markdown', 'input', 'textarea', 'dropdown', 'checkboxes'].includes(type), `${name}: ${type}`);
      if (type === 'markdown') assert.ok(attributes.value, name);
      else assert.ok(/^[\w-]+$/.test(id) && attributes.label, `${name}: ${id}`);
      if (type === 'dropdown')
        assert.ok(
          attributes.options.length > 1 && attributes.options.every((one) => typeof one === 'string'),
          `${name}: ${id}`,
        );
      if (type === 'checkboxes')
        assert.ok(
          attributes.options.every(({ label }) => label),
          `${name}: ${id}`,
        );
    }
  }
});

test('the forms name buttons that the interface has', () => {
  const words = JSON.stringify(JSON.parse(read('extension/_locales/en/messages.json')));
  for (const button of ['Copy drift report', 'Event log']) {
    assert.ok(words.includes(button), button);
    assert.ok(
      readdirSync(path.join(ROOT, '.github/ISSUE_TEMPLATE')).some((name) =>
        read(`.github/ISSUE_TEMPLATE/${name}`).includes(button),
      ),
      button,
    );
  }
});

// The release command, in a repository that holds the files it works on.
const scratch = mkdtempSync(path.join(tmpdir(), 'nbmedic-release-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
const git = (...args) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
    cwd: scratch,
    encoding: 'utf8',
  }).trim();
const there = (name) => readFileSync(path.join(scratch, name), 'utf8');
const env = {
  ...process.env,
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};
const build = (...args) =>
  spawnSync(path.join(scratch, 'build.sh'), ['release', ...args], { cwd: scratch, encoding: 'utf8', env });
const release = (...args) =>
  spawnSync(process.execPath, [path.join(scratch, 'tools/release.mjs'), ...args], {
    cwd: scratch,
    encoding: 'utf8',
    env,
  });

const UNRELEASED = '\n### Fixed\n\n- A line to release.\n';

function startScratch() {
  for (const name of sourceFiles()) {
    if (/(^|\/)Cargo\.(toml|lock)$|^(tools\/.*|build\.sh|package\.json|\.gitignore)$/.test(name))
      cpSync(path.join(ROOT, name), path.join(scratch, name));
  }
  writeFileSync(path.join(scratch, 'CHANGELOG.md'), `# Changelog\n\n## [Unreleased]\n${UNRELEASED}`);
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Start');
}

test('a release sets one version everywhere, dates the changelog, commits and tags, and a dry run changes nothing', () => {
  startScratch();
  const first = /^version = "(.+)"/m.exec(there('Cargo.toml'))[1];
  const [major] = first.split('.').map(Number);

  const dry = build('--dry-run');
  assert.equal(dry.status, 0, dry.stderr);
  // A version that was never released is the next one.
  assert.match(dry.stdout, new RegExp(`^Version ${first} `));
  assert.match(dry.stdout, /- A line to release\./);
  assert.equal(git('status', '--porcelain'), '');
  assert.equal(git('tag', '--list'), '');

  const next = `${major + 8}.7.6`;
  assert.match(build(next, '--dry-run').stdout, new RegExp(`^Version ${next.replaceAll('.', '\\.')} `));
  const applied = release('apply', next);
  assert.equal(applied.status, 0, applied.stderr);
  const changed = applied.stdout.trim().split('\n').sort();
  assert.deepEqual(changed, git('diff', '--name-only').split('\n'));
  // A crate that stands in for one of a registry has that one's version.
  const own = (lock) =>
    lock.split('\n\n').filter((entry) => entry.includes('[[package]]\nname = "nbmedic') && !/^source = /m.test(entry));
  for (const name of changed.filter((one) => one.endsWith('Cargo.lock'))) {
    for (const entry of own(there(name))) assert.ok(entry.includes(`version = "${next}"`), `${name}: ${entry}`);
  }
  // Every lock file belongs to a workspace, and no manifest holds the old version of one of our packages.
  assert.deepEqual(
    changed.filter((one) => one.endsWith('.lock')),
    git('ls-files', '*Cargo.lock').split('\n'),
  );
  for (const name of git('ls-files', '*Cargo.toml').split('\n'))
    assert.doesNotMatch(there(name), new RegExp(`^version = "${first.replaceAll('.', '\\.')}"`, 'm'), name);
  assert.match(
    there('CHANGELOG.md'),
    new RegExp(
      `^## \\[Unreleased\\]\\n\\n## \\[${next.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d\\n\\n### Fixed$`,
      'm',
    ),
  );
  assert.equal(release('notes', next).stdout.trim(), '### Fixed\n\n- A line to release.');

  assert.equal(release('seal', next).status, 0);
  assert.equal(git('describe', '--exact-match'), `v${next}`);
  assert.equal(git('status', '--porcelain'), '');

  // A version whose section is written by hand, without a tag, is released as it stands.
  git('tag', '--delete', `v${next}`);
  assert.match(build('--dry-run').stdout, new RegExp(`^Version ${next.replaceAll('.', '\\.')} `));
  assert.equal(release('apply', next).stdout.trim(), '');
  assert.equal(release('seal', next).status, 0);
  assert.equal(git('describe', '--exact-match'), `v${next}`);

  // With nothing to release, on a changed tree, or for a version that is not newer, the command stops.
  const refused = build('--dry-run');
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /lists nothing under "Unreleased"/);
  writeFileSync(
    path.join(scratch, 'CHANGELOG.md'),
    there('CHANGELOG.md').replace('## [Unreleased]\n', `## [Unreleased]\n${UNRELEASED}`),
  );
  assert.match(build('--dry-run').stderr, /not committed/);
  git('commit', '--quiet', '--all', '--message', 'More');
  assert.match(build(first, '--dry-run').stderr, /older than/);
  assert.match(build(next, '--dry-run').stderr, /exists already/);
  // Fixes alone raise the patch number, anything else the minor number.
  assert.match(build('--dry-run').stdout, new RegExp(`^Version ${major + 8}\\.7\\.7 `));
  writeFileSync(path.join(scratch, 'CHANGELOG.md'), there('CHANGELOG.md').replace('### Fixed', '### Added'));
  git('commit', '--quiet', '--all', '--message', 'Even more');
  assert.match(build('--dry-run').stdout, new RegExp(`^Version ${major + 8}\\.8\\.0 `));
});

test('one version everywhere: manifests, lock files, documents, the changelog’s latest section', () => {
  const version = /^\[workspace\.package\][^[]*?^version = "([^"]+)"/ms.exec(read('Cargo.toml'))[1];
  assert.equal(JSON.parse(read('package.json')).version, undefined, 'package.json is not published');
  const found = [];
  for (const name of sourceFiles()) {
    const add = (...all) => found.push(...all.map((one) => [name, one]));
    if (/(^|\/)Cargo\.toml$/.test(name)) {
      const table = /^\[(?:workspace\.)?package\]\n(?:(?!\[).*\n)*/m.exec(read(name))?.[0] ?? '';
      // A stand-in for a registry's crate has that one's version.
      const own = /^name = "nbmedic|^\[workspace/m.test(table);
      if (own) add(...[...table.matchAll(/^version = "(.+)"/gm)].map(([, one]) => one));
    } else if (/(^|\/)Cargo\.lock$/.test(name)) {
      add(...[...read(name).matchAll(/^name = "nbmedic[\w-]*"\nversion = "(.+)"/gm)].map(([, one]) => one));
    } else if (/^(README\.md|(docs|python|\.github\/ISSUE_TEMPLATE)\/.*\.(md|yml))$/.test(name)) {
      add(...[...read(name).matchAll(/\bnbmedic[- ](\d+\.\d+\.\d+)(?=[-,])/g)].map(([, one]) => one));
    }
  }
  const files = new Set(found.map(([name]) => name));
  for (const name of ['Cargo.toml', 'Cargo.lock', 'probe/Cargo.toml', 'tests/fuzz/Cargo.lock', 'docs/fleet.md'])
    assert.ok(files.has(name), name);
  assert.deepEqual(
    found.filter(([, one]) => one !== version),
    [],
  );
  const changelog = read('CHANGELOG.md');
  assert.match(changelog, /^## \[Unreleased\]$/m);
  const latest = /^## \[(\d[^\]]*)\] - \d{4}-\d\d-\d\d$/m.exec(changelog)?.[1];
  // Between two releases the version is the latest one's.
  assert.equal(latest, version);
  assert.match(
    changelog,
    new RegExp(`^\\[Unreleased\\]: https://\\S+/compare/v${version.replaceAll('.', '\\.')}\\.\\.\\.HEAD$`, 'm'),
  );
});

test('the plan of build.sh runs steps in parallel, counts their checks, and stops if a step fails that the rest needs', () => {
  const folder = path.join(scratch, 'plan');
  const script = (mode) => `
    set -Eeuo pipefail
    ROOT=${folder}
    mkdir -p "$ROOT" && cd "$ROOT"
    . ${path.join(ROOT, 'tools/lib.sh')}
    # Each of the two waits for the other: one after the other they would never end.
    meet() { : >"$1"; until [[ -e $2 ]]; do sleep 0.05; done; }
    plan "first" meet a b
    plan_beside "second" meet b a
    plan "counted" printf '%s\\n' "flake: it passed alone (why)" "7 passed, 2 failed"
    plan "not counted" false
    plan "!needed" false
    plan "never run" touch ran
    run_plan ${mode}
    print_times
    say "$PASSED passed, $FAILED failed, $FLAKES at a second try"`;
  const ran = (mode) =>
    spawnSync('bash', ['-c', script(mode)], { encoding: 'utf8', env: { ...process.env, NBMEDIC_STEP_STALL_S: '20' } });
  const counted = ran('count');
  assert.equal(counted.status, 0, counted.stderr);
  assert.match(counted.stdout, /^\[1-2\/6\] at the same time: first, second …/);
  assert.match(counted.stdout, /\n {4}flake: it passed alone \(why\)\n/);
  assert.match(counted.stdout, /\n9 passed, 4 failed, 1 at a second try\n$/);
  const times = readFileSync(path.join(folder, 'out/logs/times.txt'), 'utf8').trimEnd().split('\n').slice(1);
  assert.deepEqual(
    times.map((line) => line.replace(/^ *\d+ +\d+\.\d {2}/, '')),
    ['first', 'second', 'counted', 'not counted', 'needed', 'together'],
  );
  assert.ok(!existsSync(path.join(folder, 'ran')));
  const stopped = ran('stop');
  assert.equal(stopped.status, 1);
  assert.match(stopped.stdout, /not counted … FAILED/);
  assert.doesNotMatch(stopped.stdout, /needed/);
});

test('a run with more than two flakes fails, though every check passed', () => {
  const run = (flakes) => {
    const folder = path.join(scratch, `flakes-${flakes}`);
    const script = `
      set -Eeuo pipefail
      ROOT=${folder}
      mkdir -p "$ROOT" && cd "$ROOT"
      . ${path.join(ROOT, 'tools/lib.sh')}
      plan "flaky" printf '%s\\n' ${'"flake: it passed alone (why)" '.repeat(flakes)} "7 passed, 0 failed"
      run_checks`;
    return spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  };
  const two = run(2);
  assert.equal(two.status, 0, two.stderr);
  assert.match(two.stdout, /\n2 passed only at a second try \(at most 2 may\)\n7 passed, 0 failed\n$/);
  const three = run(3);
  assert.equal(three.status, 1);
  assert.match(three.stdout, /\n3 passed only at a second try \(at most 2 may\)\n7 passed, 0 failed\n$/);
});

test('a step that neither prints nor computes is ended, and one that is only slow is not', () => {
  const folder = path.join(scratch, 'slow');
  const script = `
    set -Eeuo pipefail
    ROOT=${folder}
    mkdir -p "$ROOT" && cd "$ROOT"
    . ${path.join(ROOT, 'tools/lib.sh')}
    WATCH_S=1
    prints() { for n in 1 2 3 4 5 6 7 8 9 10; do echo "$n"; sleep 1; done; }
    computes() { for ((; SECONDS < 10; )); do :; done; }
    hangs() { sleep 1000; }
    plan "prints" prints
    plan_beside "computes" computes
    plan_beside "hangs" hangs
    run_plan count
    say "$PASSED passed, $FAILED failed"`;
  const env = { ...process.env, NBMEDIC_STEP_STALL_S: '6' };
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { encoding: 'utf8', env });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /hangs: FAILED after \d+ s\n.*\n.*this step neither printed nor computed for 6 s/);
  assert.match(stdout, /\n2 passed, 1 failed\n$/);
});
