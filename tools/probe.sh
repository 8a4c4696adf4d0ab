# Builds the probe's program for both processors, reproducibly.
# shellcheck shell=bash

# Zig is the linker: it can link against glibc 2.17 (2012), which every notebook's system provides.
ZIG=0.16.0
ZIGBUILD=0.24.0
MINIFIER=3.4.0
GLIBC=2.17
PROBE_ARCHS=(x86_64 aarch64)

probe_setup() {
  local arch missing=()
  if ! fresh "$TOOLS/zig/stamp" "$ZIG $ZIGBUILD"; then
    python3 -m venv --clear "$TOOLS/zig"
    "$TOOLS/zig/bin/pip" install --quiet --disable-pip-version-check "ziglang==$ZIG" "cargo-zigbuild==$ZIGBUILD"
    printf '%s' "$ZIG $ZIGBUILD" >"$TOOLS/zig/stamp"
  fi
  if ! fresh "$TOOLS/minifier/stamp" "$MINIFIER"; then
    python3 -m venv --clear "$TOOLS/minifier"
    "$TOOLS/minifier/bin/pip" install --quiet --disable-pip-version-check "python-minifier==$MINIFIER"
    printf '%s' "$MINIFIER" >"$TOOLS/minifier/stamp"
  fi
  for arch in "${PROBE_ARCHS[@]}"; do
    [[ -d $(rustc --print sysroot)/lib/rustlib/$arch-unknown-linux-gnu ]] || missing+=("$arch-unknown-linux-gnu")
  done
  if ((${#missing[@]})); then
    if have rustup; then
      rustup target add "${missing[@]}"
    else
      say "Rust's standard library for ${missing[*]} is missing, and so is rustup, which would install it."
      return 1
    fi
  fi
  note "Zig $ZIG"
}

# probe_build SOURCE TARGET_FOLDER OUT [ARCH…]: builds the program from a copy of the probe's folder, as OUT/nbmedic-probe-ARCH,
# for all processors or those named.
probe_build() {
  local source=$1 target=$2 out=$3 arch flags
  shift 3
  (($#)) || set -- "${PROBE_ARCHS[@]}"
  # Size comes first: no relocation at startup, no unwind tables.
  flags="-C relocation-model=static -C relro-level=off -C link-arg=-Wl,-z,norelro -C link-arg=-Wl,-T,$source/native/link.ld -C link-arg=-Wl,--hash-style=gnu"
  mkdir -p "$out"
  for arch; do
    (cd "$source" &&
      PATH="$TOOLS/zig/bin:$PATH" RUSTFLAGS="$flags" CARGO_TARGET_DIR="$target" \
        cargo zigbuild --quiet --release --locked -p nbmedic-probe-native --target "$arch-unknown-linux-gnu.$GLIBC")
    cp "$target/$arch-unknown-linux-gnu/release/nbmedic-probe" "$out/nbmedic-probe-$arch"
    python3 tools/probe-trim.py "$out/nbmedic-probe-$arch"
  done
}

# probe_program [ARCH…]: builds the program that ships.
probe_program() {
  if [[ $(sed -n 's/^version = "\(.*\)"/\1/p' probe/Cargo.toml) != "$VERSION" ]]; then
    say "The version in probe/Cargo.toml differs from the repository's, $VERSION."
    return 1
  fi
  probe_build "$ROOT/probe" "${CARGO_TARGET_DIR:-$ROOT/target}/probe" "$ROOT/dist/probe" "$@"
  (cd dist/probe && sha256sum nbmedic-probe-* | tee sha256.txt)
  note "$(wc -c <dist/probe/nbmedic-probe-x86_64) bytes"
}

# Builds it again from scratch, from a copy in another folder, and compares.
probe_verify() {
  local there arch
  there=$(mktemp -d)
  cp -r probe "$there/"
  probe_build "$there/probe" "$there/target" "$there/out"
  for arch in "${PROBE_ARCHS[@]}"; do
    cmp "dist/probe/nbmedic-probe-$arch" "$there/out/nbmedic-probe-$arch"
  done
  rm -rf "$there"
  note "identical for both processors"
}

# Compares the probe with other monitors: prints their processor time and memory, and the probe's limits.
probe_bench() {
  local key
  key=$(digest probe/bench/requirements.txt)
  if ! fresh "$TOOLS/bench-probe/stamp" "$key"; then
    python3 -m venv --clear "$TOOLS/bench-probe"
    "$TOOLS/bench-probe/bin/pip" install --quiet --disable-pip-version-check -r probe/bench/requirements.txt
    printf '%s' "$key" >"$TOOLS/bench-probe/stamp"
  fi
  local target="${CARGO_TARGET_DIR:-$ROOT/target}/probe"
  CARGO_TARGET_DIR="$target" cargo build --quiet --release --locked --manifest-path probe/Cargo.toml -p fake-nvml
  mkdir -p "$target/nvml"
  cp "$target/release/libnvidia_ml.so" "$target/nvml/libnvidia-ml.so.1"
  "$TOOLS/bench-probe/bin/python" probe/bench/bench.py "dist/probe/nbmedic-probe-$(uname -m)" "$target/nvml" "$@"
}

# One call for each package: a joint call would enable the library's features that need an allocator for the program too.
probe_clippy() {
  local package
  for package in nbmedic-probe nbmedic-probe-cli fake-nvml nbmedic-probe-native; do
    CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$ROOT/target}/probe" \
      cargo clippy --locked --manifest-path probe/Cargo.toml -p "$package" --all-targets -- -D warnings
  done
}

# The probe's tests. They run the program that ships.
probe_tests() {
  local program
  program="$ROOT/dist/probe/nbmedic-probe-$(uname -m)"
  [[ ! -x $program ]] || export NBMEDIC_PROBE=$program
  CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$ROOT/target}/probe" \
    cargo test --locked --manifest-path probe/Cargo.toml -p nbmedic-probe -p nbmedic-probe-cli --no-fail-fast
}
