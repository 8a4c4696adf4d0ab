// The built packages, and changed copies of them.
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');

/** What test files share during a run. */
export const OPENED = path.join(ROOT, 'out/opened');

/** The unpacked package of `dist/` for a browser, as it ships; NBMEDIC_DIST names another place. */
export function shippedPackage(kind) {
  const dir = path.join(process.env.NBMEDIC_DIST ?? path.join(ROOT, 'dist'), kind);
  if (!existsSync(path.join(dir, 'manifest.json'))) throw new Error(`${dir} holds no package: run ./build.sh first`);
  return dir;
}

const SENSOR = 'sensor/notebook.js';
/** Its lines may break between any two words. */
const CLOSED = /mode:\s*"closed"/;

/**
 * A copy of the package that differs in one word: the cards' shadow roots are open, so that tests can read them. What
 * the closed ones keep from a page is tested with the package as it ships (`closed.test.mjs`). The copy is made once for
 * each build.
 */
export function builtPackage(kind) {
  const shipped = shippedPackage(kind);
  mkdirSync(OPENED, { recursive: true });
  const built = `${statSync(path.join(shipped, SENSOR)).mtimeMs}-${statSync(path.join(shipped, 'manifest.json')).mtimeMs}`;
  const made = path.join(OPENED, `${kind}-${built}-${crc32(Buffer.from(shipped))}`);
  if (existsSync(made)) return made;
  // Renamed when it is complete: other test files may be looking for it at the same time.
  const copy = mkdtempSync(path.join(OPENED, 'new-'));
  cpSync(shipped, copy, { recursive: true });
  const file = path.join(copy, SENSOR);
  const parts = readFileSync(file, 'utf8').split(CLOSED);
  if (parts.length !== 2) throw new Error(`${SENSOR} has ${parts.length - 1} places with ${CLOSED} instead of one`);
  writeFileSync(file, parts.join('mode:"open"'));
  try {
    renameSync(copy, made);
  } catch (error) {
    rmSync(copy, { recursive: true });
    if (!existsSync(made)) throw error;
  }
  return made;
}

/**
 * A copy of a package that may read `origins` from the start. Chrome asks for an optional host permission in a
 * window of its own that no test can click, so the copy's manifest lists those addresses under `host_permissions`;
 * every other byte is the package's. Firefox needs no such copy, because there the tests click the popup's own button.
 */
export function withOrigins(dir, origins) {
  return copied(dir, (copy) =>
    manifest(copy, (made) => {
      made.host_permissions = [...(made.host_permissions ?? []), ...origins];
    }),
  );
}

/** A copy of a package, changed by `change(dir)`: with a witness in it, or a part that fails. */
export async function copied(dir, change) {
  const copy = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-package-'));
  await cp(dir, copy, { recursive: true });
  await change(copy);
  return { dir: copy, remove: () => rm(copy, { recursive: true, force: true }) };
}

/** Changes the manifest of an unpacked package. */
export async function manifest(dir, change) {
  const file = path.join(dir, 'manifest.json');
  const made = JSON.parse(await readFile(file, 'utf8'));
  change(made);
  await writeFile(file, JSON.stringify(made, null, 2));
}

const u16 = (n) => Buffer.from([n & 255, n >> 8]);
const u32 = (n) => Buffer.from([n & 255, (n >>> 8) & 255, (n >>> 16) & 255, n >>> 24]);

/** The package as the archive that Firefox installs permanently: stored, not compressed. Returns the file's path. */
export async function archive(dir) {
  const files = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const bodies = [];
  const index = [];
  let at = 0;
  for (const entry of files) {
    const full = path.join(entry.parentPath ?? entry.path, entry.name);
    const name = Buffer.from(path.relative(dir, full).split(path.sep).join('/'));
    const data = await readFile(full);
    const common = [
      u16(0),
      u16(0),
      u16(0),
      u16(0x21),
      u32(crc32(data)),
      u32(data.length),
      u32(data.length),
      u16(name.length),
      u16(0),
    ];
    const local = Buffer.concat([u32(0x04034b50), u16(20), ...common, name, data]);
    index.push(
      Buffer.concat([u32(0x02014b50), u16(20), u16(20), ...common, u16(0), u16(0), u16(0), u32(0), u32(at), name]),
    );
    bodies.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(index);
  const end = Buffer.concat([
    u32(0x06054b50),
    u16(0),
    u16(0),
    u16(index.length),
    u16(index.length),
    u32(directory.length),
    u32(at),
    u16(0),
  ]);
  const file = path.join(await mkdtemp(path.join(os.tmpdir(), 'nbmedic-xpi-')), 'nbmedic.xpi');
  await writeFile(file, Buffer.concat([...bodies, directory, end]));
  return file;
}
