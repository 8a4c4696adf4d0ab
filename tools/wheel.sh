# The Python package: its wheel, and the tests of the wheel as it is installed.
# shellcheck shell=bash

MATURIN=1.16.0

wheel_setup() {
  fresh "$TOOLS/maturin/stamp" "$MATURIN $ZIG" && return
  python3 -m venv --clear "$TOOLS/maturin"
  "$TOOLS/maturin/bin/pip" install --quiet --disable-pip-version-check "maturin==$MATURIN" "ziglang==$ZIG"
  printf '%s' "$MATURIN $ZIG" >"$TOOLS/maturin/stamp"
}

# What the wheel holds of the probe: its command, its program and its cell, and what looks at values.
wheel_probe() {
  local arch data=python/data target="${CARGO_TARGET_DIR:-$ROOT/target}/probe-wheel"
  arch=$(uname -m)
  rm -rf "$data"
  mkdir -p "$data/scripts" "$data/data/share/nbmedic-probe"
  cp probe/cell/values.py python/nbmedic/_values.py
  (cd probe && PATH="$TOOLS/zig/bin:$PATH" CARGO_TARGET_DIR="$target" \
    cargo zigbuild --quiet --release --locked -p nbmedic-probe-cli --target "$arch-unknown-linux-gnu.$GLIBC")
  cp "$target/$arch-unknown-linux-gnu/release/nbmedic-probe" "$data/scripts/"
  cp "dist/probe/nbmedic-probe-$arch" "$data/data/share/nbmedic-probe/"
  # If there is no native cell, because its program is for another processor, the readable one is used.
  cp "$(find dist/probe -name 'cell-native.py' -o -name 'cell-readable.py' | sort | head -n 1)" "$data/data/share/nbmedic-probe/cell.py"
}

# wheel_build OUT [ARG…]: builds the wheel for this processor into a folder; the arguments are maturin's.
wheel_build() {
  local out=$1
  shift
  rm -f "$out"/nbmedic-*.whl
  (cd python && PATH="$TOOLS/maturin/bin:$PATH" VIRTUAL_ENV="$TOOLS/maturin" \
    "$TOOLS/maturin/bin/maturin" build --quiet --locked --out "$out" "$@")
  note "$(cd "$out" && wc -c nbmedic-*.whl | sed '$!d; s/^ *//') bytes"
}

# wheel_sdist OUT: the source archive of the package, with the probe's programs for every processor.
wheel_sdist() {
  local share=python/data/data/share/nbmedic-probe other
  mkdir -p "$1"
  rm -f "$1"/nbmedic-*.tar.gz
  cp dist/probe/nbmedic-probe-* "$share/"
  (cd python && "$TOOLS/maturin/bin/maturin" sdist --out "$1" 2>"$1/sdist.log") || { cat "$1/sdist.log"; return 1; }
  rm "$1/sdist.log"
  for other in "$share"/nbmedic-probe-*; do
    [[ $other == *"-$(uname -m)" ]] || rm "$other"
  done
}

# The wheel that ships: for every Linux since 2014.
wheel_release() {
  wheel_sdist "$ROOT/dist"
  wheel_build "$ROOT/dist" --profile wheel --zig --compatibility manylinux2014 --target "$(uname -m)-unknown-linux-gnu"
}

# The wheel that the tests install: from the crates that the tests of the command line have built.
wheel_debug() {
  wheel_sdist "$ROOT/dist/wheel-debug"
  wheel_build "$ROOT/dist/wheel-debug" --profile dev --compatibility linux
}

# wheel_tests FOLDER: installs the folder's wheel and tests it there; in an interpreter of each kind that is found, at least
# its functions.
wheel_tests() {
  local key home="$TOOLS/wheel"
  key="$(python3 --version) $(digest tests/wheel/requirements.txt)"
  if ! fresh "$home/stamp" "$key"; then
    python3 -m venv --clear "$home"
    "$home/bin/pip" install --quiet --disable-pip-version-check -r tests/wheel/requirements.txt
    printf '%s' "$key" >"$home/stamp"
  fi
  PYTHONDONTWRITEBYTECODE=1 "$home/bin/python" tests/wheel/run.py "$(find "$1" -maxdepth 1 -name 'nbmedic-*.whl')" dist/probe
}

# fleet_tests FOLDER TEXTS: the folder's wheel in a local Spark and a local Ray.
fleet_tests() {
  local key home="$TOOLS/fleet"
  if ! have java; then
    say "Java is missing, which Spark needs: apt-get install openjdk-17-jre-headless"
    return 1
  fi
  key="$(python3 --version) $(digest tests/wheel/requirements-fleet.txt)"
  if ! fresh "$home/stamp" "$key"; then
    python3 -m venv --clear "$home"
    "$home/bin/pip" install --quiet --disable-pip-version-check -r tests/wheel/requirements-fleet.txt
    printf '%s' "$key" >"$home/stamp"
  fi
  "$home/bin/pip" install --quiet --disable-pip-version-check --no-index --no-deps --force-reinstall \
    "$(find "$1" -maxdepth 1 -name 'nbmedic-*.whl')"
  PYTHONDONTWRITEBYTECODE=1 "$home/bin/python" tests/wheel/fleet.py "$2"
}
