// The built packages, and the one copy that differs: see `withOrigins`.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');

/** The unpacked package of `dist/` for a browser; NBMEDIC_DIST names another place. */
export function builtPackage(kind) {
  const dir = path.join(process.env.NBMEDIC_DIST ?? path.join(ROOT, 'dist'), kind);
  if (!existsSync(path.join(dir, 'manifest.json'))) throw new Error(`${dir} holds no package: run ./build.sh first`);
  return dir;
}

/**
 * A copy of a package that may read `origins` from the start. Chrome asks for an optional host permission in a
 * window of its own that no test can click, so the copy's manifest names those addresses under `host_permissions`;
 * every other byte is the package's. Firefox needs no such copy: there the tests click the popup's own button.
 */
export async function withOrigins(dir, origins) {
  const copy = await mkdtemp(path.join(os.tmpdir(), 'nbmedic-package-'));
  await cp(dir, copy, { recursive: true });
  const file = path.join(copy, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  manifest.host_permissions = [...(manifest.host_permissions ?? []), ...origins];
  await writeFile(file, JSON.stringify(manifest, null, 2));
  return { dir: copy, remove: () => rm(copy, { recursive: true, force: true }) };
}
