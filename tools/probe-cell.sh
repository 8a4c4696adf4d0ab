# The probe's start cells, and the tests that let real kernels die.
# shellcheck shell=bash

# Writes STAGE/probe/probe-cell.json for the extension's package, and each cell as a file in dist/probe. The native cell
# needs the built program.
probe_cell() {
  local out="$STAGE/probe" program=dist/probe/nbmedic-probe-x86_64 python="$TOOLS/minifier/bin/python" repository key
  repository=$(sed -n 's/^repository = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
  if [[ ! -f $program ]]; then
    program=
    python=python3
  fi
  key="$(digest probe/cell/*.py python/nbmedic/*.py tools/probe-cell.sh ${program:+"$program"}) $VERSION $repository $MINIFIER"
  if ! fresh "$out/.stamp" "$key"; then
    rm -rf "$out"
    "$python" probe/cell/make.py "$out" "$VERSION" "$repository" ${program:+"$program"}
    printf '%s' "$key" >"$out/.stamp"
  fi
  mkdir -p dist/probe
  cp "$out"/cell-*.py dist/probe/
  note "$(cd dist/probe && wc -c cell-*.py | sed '$!d; s/^ *//') bytes"
}

# probe_kernels quick|soak [ROUNDS]: lets real kernels die with the real cells.
probe_kernels() { python3 tests/probe/run.py "$@"; }
