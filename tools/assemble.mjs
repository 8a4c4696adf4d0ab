// Puts one browser's extension together: its own files, the WASM modules, the prose, the licences.
//
//   node tools/assemble.mjs chrome|firefox STAGE_DIR OUT_DIR

import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { filesUnder } from "./files.mjs";
import { manifest } from "../extension/build-manifests.mjs";

// In extension/ for those who build and check it, not for the browser.
const NOT_SHIPPED = /(^|\/)(README\.md|tsconfig[^/]*\.json|manifest[^/]*)$|\.(d\.ts|mjs)$/;

const [browser, stage, out] = process.argv.slice(2);

function copy(from, to, keep = () => true) {
  for (const path of filesUnder(from).filter(keep)) {
    const target = join(to, path);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(from, path), target);
  }
}

copy("extension", out, (path) => !NOT_SHIPPED.test(path));
for (const part of ["engine", "pages", "prose"]) {
  copy(join(stage, part), join(out, part), (path) => !path.startsWith("."));
}
for (const licence of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(licence, join(out, licence));
cpSync(join(stage, "THIRD-PARTY.txt"), join(out, "THIRD-PARTY.txt"));
writeFileSync(join(out, "manifest.json"), `${JSON.stringify(manifest(browser), null, 2)}\n`);
