# Compiles Rust to WebAssembly, reproducibly.
# shellcheck shell=bash

TARGET="${CARGO_TARGET_DIR:-$ROOT/target}"
# What is built: the packages as they ship, with Cargo's profile `wasm`, or to try them (`./build.sh run`), with `try`, which
# compiles in a fraction of the time. The parts that are copied into the packages are in STAGE, the packages in DIST, and the
# programs that run during a build in PROGRAMS.
WASM_PROFILE=wasm
PROGRAMS="$TARGET/debug"
STAGE="$TARGET/nbmedic-dist"
DIST=dist

build_to_try() {
  WASM_PROFILE=try
  PROGRAMS="$TARGET/wasm/try"
  STAGE="$TARGET/nbmedic-try"
  DIST=dist/try
}

# What rustc's WebAssembly target uses by default, and SIMD. Every supported browser has them.
WASM_FEATURES=(--enable-bulk-memory --enable-bulk-memory-opt --enable-mutable-globals
  --enable-nontrapping-float-to-int --enable-sign-ext --enable-reference-types --enable-multivalue --enable-simd)

# Prints rustc's flags, one per line, that keep this machine's paths out of panic messages.
remaps() {
  local cargo_home="${CARGO_HOME:-$HOME/.cargo}" registry commit
  printf -- '--remap-path-prefix=%s=/nbmedic\n' "$ROOT"
  printf -- '--remap-path-prefix=%s=/target\n' "$TARGET"
  # With the component rust-src installed, the standard library's paths would be local ones.
  commit=$(rustc -vV | sed -n 's/^commit-hash: //p')
  printf -- '--remap-path-prefix=%s/lib/rustlib/src/rust=/rustc/%s\n' "$(rustc --print sysroot)" "$commit"
  # A registry's folder is named after its address.
  for registry in "$cargo_home"/registry/src/*/; do
    printf -- '--remap-path-prefix=%s=/crates\n' "${registry%/}"
  done
}

# wasm_compile CARGO_ARG…: compiles crates for WebAssembly.
wasm_compile() {
  local flags
  # Chrome supports SIMD since 91, Firefox since 89.
  flags=$(printf -- '-Ctarget-feature=+simd128\037'; remaps | tr '\n' '\037')
  env -u RUSTFLAGS -u CARGO_BUILD_RUSTFLAGS CARGO_ENCODED_RUSTFLAGS="${flags%$'\037'}" \
    cargo build --locked --profile "$WASM_PROFILE" --target wasm32-unknown-unknown --target-dir "$TARGET/wasm" --lib "$@"
}

# One choice of crates and features for all that is compiled for this machine: the features of the command line and of the
# wheel, so that tests, programs and wheel share what they use. Without bindgen, which gives features to crates that the
# engine uses.
HOST=(--locked --workspace --exclude nbmedic-bindgen --features nbmedic/prose)

# Compiles programs for this machine. After the Rust tests they share what they use with those: --tests chooses the tests'
# features.
host_build() { cargo build --quiet "${HOST[@]}" ${TESTED:+--tests} "$@"; }

# The programs that run during a build. For bindgen the other crates are chosen too, so that it shares what it can with them.
host_programs() {
  host_build --bin nbmedic-catalogc --example reference
  cargo build --quiet --locked --workspace --features nbmedic/prose --bin nbmedic-bindgen
}

# The same without the engine, which none of them uses, and of what the modules' build scripts and macros were compiled from.
# The modules' packages are named for the features that they give those crates, and bindgen by itself, because it would give
# them others.
host_programs_to_try() {
  local -a build=(cargo build --quiet --locked --profile try --target-dir "$TARGET/wasm" -p nbmedic-pages)
  "${build[@]}" -p nbmedic-catalogc -p nbmedic-explain --bin nbmedic-catalogc --example reference
  "${build[@]}" -p nbmedic-bindgen -p nbmedic-answer --bin nbmedic-bindgen
}

# wasm_module CRATE FOLDER NAME: makes STAGE/FOLDER/NAME.js and NAME_bg.wasm of a compiled crate; what ships is optimised
# for size.
wasm_module() {
  local wasm="$TARGET/wasm/wasm32-unknown-unknown/$WASM_PROFILE/${1//-/_}.wasm" out="$STAGE/$2" name=$3 key
  key=$(digest "$wasm" "$PROGRAMS/nbmedic-bindgen" package-lock.json "$ROOT/tools/wasm.sh")
  if fresh "$out/.stamp" "$key"; then
    note "unchanged"
    return
  fi
  rm -rf "$out"
  mkdir -p "$out"
  "$PROGRAMS/nbmedic-bindgen" "$wasm" "$out" "$name"
  if [[ $WASM_PROFILE == try ]]; then
    printf '%s' "$key" >"$out/.stamp"
    return
  fi
  # -lmu: the lowest kilobyte is the far end of rustc's stack and holds no object, so offsets can be folded into loads.
  # -ocimfs: a function with a single caller is inlined only if it is tiny. In one large body the numbers of the locals
  # repeat less, which makes the compressed module a twentieth larger. Not --converge: three times the work for 0.2 %.
  node_modules/.bin/wasm-opt -Oz -lmu -ocimfs=12 "${WASM_FEATURES[@]}" --strip-debug --strip-producers \
    "$out/${name}_bg.wasm" -o "$out/$name.opt"
  mv "$out/$name.opt" "$out/${name}_bg.wasm"
  printf '%s' "$key" >"$out/.stamp"
}
