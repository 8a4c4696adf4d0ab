# Rust to WebAssembly, the same bytes wherever it is built.
# shellcheck shell=bash

TARGET="${CARGO_TARGET_DIR:-$ROOT/target}"
# Where parts wait to be copied into the packages.
STAGE="$TARGET/nbmedic-dist"
# What rustc's WebAssembly target uses by default and every browser we support has.
WASM_FEATURES=(--enable-bulk-memory --enable-bulk-memory-opt --enable-mutable-globals
  --enable-nontrapping-float-to-int --enable-sign-ext --enable-reference-types --enable-multivalue --enable-simd)

# rustc's flags, one per line: places of this machine that would otherwise stand in panic messages.
remaps() {
  local cargo_home="${CARGO_HOME:-$HOME/.cargo}" registry commit
  printf -- '--remap-path-prefix=%s=/nbmedic\n' "$ROOT"
  printf -- '--remap-path-prefix=%s=/target\n' "$TARGET"
  # Where the component rust-src is installed, the standard library's own places become local ones.
  commit=$(rustc -vV | sed -n 's/^commit-hash: //p')
  printf -- '--remap-path-prefix=%s/lib/rustlib/src/rust=/rustc/%s\n' "$(rustc --print sysroot)" "$commit"
  # A registry's folder is named after the address it was fetched from.
  for registry in "$cargo_home"/registry/src/*/; do
    printf -- '--remap-path-prefix=%s=/crates\n' "${registry%/}"
  done
}

# wasm_module CRATE FOLDER NAME [CARGO_ARG…]: STAGE/FOLDER/NAME.js and NAME_bg.wasm, optimised for size.
# Each module has a target folder of its own: the engine's library is built for both, with other
# features, and cargo gives a WASM library no hash in its name that would tell the two apart.
wasm_module() {
  local crate=$1 out="$STAGE/$2" name=$3 dir="$TARGET/wasm-$2" wasm flags key
  shift 3
  wasm="$dir/wasm32-unknown-unknown/wasm/${crate//-/_}.wasm"
  # Chrome has had vectors since 91, Firefox since 89.
  flags=$(printf -- '-Ctarget-feature=+simd128\037'; remaps | tr '\n' '\037')
  env -u RUSTFLAGS -u CARGO_BUILD_RUSTFLAGS CARGO_ENCODED_RUSTFLAGS="${flags%$'\037'}" \
    cargo build --locked --profile wasm --target wasm32-unknown-unknown --target-dir "$dir" \
    -p "$crate" --lib "$@"
  cargo build --locked -p nbmedic-bindgen
  key=$(digest "$wasm" "$TARGET/debug/nbmedic-bindgen" package-lock.json "$ROOT/tools/wasm.sh")
  if fresh "$out/.stamp" "$key"; then
    note "unchanged"
    return
  fi
  rm -rf "$out"
  mkdir -p "$out"
  "$TARGET/debug/nbmedic-bindgen" "$wasm" "$out" "$name"
  # The lowest kilobyte is the far end of rustc's stack: no object lies there, so offsets fold into loads (-lmu).
  # A function that only one place calls stays one of its own unless it is tiny (-ocimfs): in one large body the
  # numbers of the locals are no longer alike from place to place, which costs a twentieth of what is compressed.
  node_modules/.bin/wasm-opt -Oz -lmu -ocimfs=12 --converge "${WASM_FEATURES[@]}" --strip-debug --strip-producers \
    "$out/${name}_bg.wasm" -o "$out/$name.opt"
  mv "$out/$name.opt" "$out/${name}_bg.wasm"
  printf '%s' "$key" >"$out/.stamp"
}
