// Lists of files, in the same order on every machine.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const byCodePoint = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** The paths of the files under a folder, relative to it. `skip` returns true for entries to leave out. */
export function filesUnder(root, skip = () => false, folder = '') {
  const found = [];
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder + entry.name;
    if (skip(entry, path)) continue;
    if (entry.isDirectory()) found.push(...filesUnder(root, skip, `${path}/`));
    else if (entry.isFile()) found.push(path);
    else throw new Error(`${path} is neither a file nor a folder`);
  }
  return found.sort(byCodePoint);
}

/** A test for what .gitignore excludes. It supports four forms only: `/path/of/folder/`, `/path/of/file`, `name/` and `*.ending`. */
function ignored(patterns) {
  const tests = patterns.map((pattern) => {
    const file = /^\/([\w./-]*[\w-])$/.exec(pattern);
    if (file) return (_entry, path) => path === file[1];
    const form = /^(\/?)((?<=\/)[\w./-]+|[\w.-]+)\/$|^\*(\.\w+)$/.exec(pattern);
    if (!form) throw new Error(`.gitignore: tools/files.mjs does not support the form of "${pattern}"`);
    const [, rooted, name, ending] = form;
    if (ending) return (entry) => entry.name.endsWith(ending);
    return (entry, path) => entry.isDirectory() && (rooted ? path === name : entry.name === name);
  });
  return (entry, path) => tests.some((test) => test(entry, path));
}

/** The repository's own files: those that git tracks or, in an unpacked source archive, all that are not ignored. */
export function sourceFiles() {
  if (existsSync('.git')) {
    const options = { encoding: 'utf8', maxBuffer: 1 << 26 };
    const files = execFileSync('git', ['ls-files', '-z'], options).split('\0').filter(Boolean);
    return files.filter((path) => existsSync(path)).sort(byCodePoint);
  }
  const lines = readFileSync('.gitignore', 'utf8').split('\n');
  return filesUnder('.', ignored(lines.map((l) => l.trim()).filter((l) => l && !l.startsWith('#'))));
}
