// The parts of `./build.sh release` that change or record something.
//
//   node tools/release.mjs plan [VERSION]    prints the version to release, and on standard error what prevents the release
//   node tools/release.mjs apply VERSION     sets the version in the manifests and lock files, dates the changelog's
//                                            section; prints the files that it changed. A version that has its section
//                                            and no tag is prepared: nothing is left to change
//   node tools/release.mjs notes VERSION     prints the changelog's section of a version
//   node tools/release.mjs seal VERSION      commits these changes and tags the commit, in this repository only

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { sourceFiles } from './files.mjs';

const CHANGELOG = 'CHANGELOG.md';
/** A version beside nbmedic's name. */
const NAMED = /(\bnbmedic[- ])(\d+\.\d+\.\d+)(?=[-,])/g;
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

/** An error that is the user's to solve: its message alone is printed. */
class Refusal extends Error {}

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();
const read = (path) => readFileSync(path, 'utf8');

function currentVersion() {
  const found = /^\[workspace\.package\][^[]*?^version = "([^"]+)"/ms.exec(read('Cargo.toml'));
  if (!found) throw new Refusal('Cargo.toml has no version under [workspace.package]');
  return found[1];
}

/** The changelog's sections in order: heading ("[1.2.0] - 2026-01-31" or "[Unreleased]") and text. */
function sections(changelog) {
  const [, ...parts] = changelog.split(/^## /m);
  return parts.map((part) => {
    const end = part.indexOf('\n');
    // Link definitions are below the last section and belong to none.
    const body = part.slice(end + 1).replace(/^\[[^\]]+\]: \S+\n?/gm, '');
    return { version: /^\[([^\]]+)\]/.exec(part)?.[1], body: body.trim() };
  });
}

const tagged = (version) => git('tag', '--list', `v${version}`) !== '';

/** Whether a version has its dated section, and waits for its packages and its tag. */
const prepared = (version, changelog) =>
  version === currentVersion() && !tagged(version) && sections(changelog).some((one) => one.version === version);

/**
 * The next version. A version that has no tag or no section in the changelog was never released, so it is the next one.
 * Otherwise the patch number rises if the changelog lists fixes only, else the minor number. A major version is named by hand.
 */
function nextVersion(current, changelog) {
  const all = sections(changelog);
  if (!tagged(current) || !all.some(({ version }) => version === current)) return current;
  const [major, minor, patch] = VERSION.exec(current).slice(1).map(Number);
  const unreleased = all.find(({ version }) => version === 'Unreleased')?.body ?? '';
  const kinds = [...unreleased.matchAll(/^### (.+)$/gm)].map(([, kind]) => kind.trim());
  const fixesOnly = kinds.length > 0 && kinds.every((kind) => kind === 'Fixed' || kind === 'Security');
  return fixesOnly ? `${major}.${minor}.${patch + 1}` : `${major}.${minor + 1}.0`;
}

const number = (version) => VERSION.exec(version).slice(1).map(Number);

function isBefore(a, b) {
  const [x, y] = [number(a), number(b)];
  const i = x.findIndex((part, at) => part !== y[at]);
  return i >= 0 && x[i] < y[i];
}

function plan(wanted) {
  const current = currentVersion();
  const changelog = read(CHANGELOG);
  const version = wanted ?? nextVersion(current, changelog);
  if (!VERSION.test(version)) throw new Refusal(`"${version}" is not a version of the form 1.2.3`);
  const problems = [];
  const unreleased = sections(changelog).find((section) => section.version === 'Unreleased');
  if (prepared(version, changelog)) {
    if (unreleased?.body) problems.push(`${CHANGELOG} lists changes under "Unreleased" that ${version} would contain`);
  } else {
    if (!unreleased?.body) problems.push(`${CHANGELOG} lists nothing under "Unreleased"`);
    if (sections(changelog).some((section) => section.version === version))
      problems.push(`${CHANGELOG} has a section for ${version} already`);
  }
  if (isBefore(version, current)) problems.push(`${version} is older than ${current}, the version in Cargo.toml`);
  if (tagged(version)) problems.push(`the tag v${version} exists already`);
  const changed = git('status', '--porcelain');
  if (changed) problems.push(`the working tree has changes that are not committed:\n${changed}`);
  if (problems.length) throw new Refusal(problems.join('\n'));
  return version;
}

/** A Cargo.toml with the version of its own packages, and of their dependencies among each other, replaced. */
function manifestWith(text, from, to) {
  let table = '';
  return text
    .split('\n')
    .map((line) => {
      table = /^\[([^\]]+)\]/.exec(line)?.[1] ?? table;
      const own = (table === 'package' || table === 'workspace.package') && line.startsWith('version =');
      const sibling = /\bpath = "/.test(line) && /\bversion = "/.test(line);
      return own || sibling ? line.replace(`"${from}"`, `"${to}"`) : line;
    })
    .join('\n');
}

/** A Cargo.lock with the version of its own packages replaced: those without a source. */
function lockWith(text, from, to) {
  return text
    .split('\n\n')
    .map((entry) => (/^source = /m.test(entry) ? entry : entry.replace(`\nversion = "${from}"`, `\nversion = "${to}"`)))
    .join('\n\n');
}

function changelogWith(text, version, date) {
  const repository = /^repository = "([^"]+)"/m.exec(read('Cargo.toml'))?.[1];
  const before = sections(text).find((section) => section.version !== 'Unreleased')?.version;
  const links = [
    `[Unreleased]: ${repository}/compare/v${version}...HEAD`,
    before
      ? `[${version}]: ${repository}/compare/v${before}...v${version}`
      : `[${version}]: ${repository}/releases/tag/v${version}`,
  ].join('\n');
  const dated = text.replace(/^## \[Unreleased\]\n/m, `## [Unreleased]\n\n## [${version}] - ${date}\n`);
  const old = /^\[Unreleased\]: .*$/m;
  return old.test(dated) ? dated.replace(old, links) : `${dated.trimEnd()}\n\n${links}\n`;
}

/** A document with the version in the names of packages ("nbmedic-1.2.3-cp39…") and beside the name replaced. */
const documentWith = (text, from, to) =>
  text.replaceAll(NAMED, (all, name, version) => (version === from ? name + to : all));

// package.json names no version: it is not published.
const EDITS = [
  [/(^|\/)Cargo\.toml$/, manifestWith],
  [/(^|\/)Cargo\.lock$/, lockWith],
  [/^(README\.md|(docs|python|\.github\/ISSUE_TEMPLATE)\/.*\.(md|yml))$/, documentWith],
];

function apply(version) {
  const from = currentVersion();
  const changed = [];
  const edit = (path, text) => {
    if (text === read(path)) return;
    writeFileSync(path, text);
    changed.push(path);
  };
  if (prepared(version, read(CHANGELOG))) return changed;
  for (const path of sourceFiles()) {
    const [, change] = EDITS.find(([files]) => files.test(path)) ?? [];
    if (change) edit(path, change(read(path), from, version));
  }
  edit(CHANGELOG, changelogWith(read(CHANGELOG), version, new Date().toISOString().slice(0, 10)));
  return changed;
}

function notes(version) {
  const section = sections(read(CHANGELOG)).find((one) => one.version === version);
  if (!section) throw new Refusal(`${CHANGELOG} has no section for ${version}`);
  return section.body;
}

function seal(version) {
  // A prepared version changes no file, but has a commit of its own too.
  git('commit', '--quiet', '--all', '--allow-empty', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `nbmedic ${version}`);
  return `committed and tagged v${version}; nothing was pushed`;
}

const [command, version] = process.argv.slice(2);
const COMMANDS = { plan, apply: (to) => apply(to).join('\n'), notes, seal };
try {
  const known = command === 'notes' ? version : VERSION.test(version ?? '');
  if (!COMMANDS[command] || (command !== 'plan' && !known)) {
    throw new Refusal('usage: release.mjs plan [VERSION] | apply VERSION | notes VERSION | seal VERSION');
  }
  console.log(COMMANDS[command](version || undefined));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
