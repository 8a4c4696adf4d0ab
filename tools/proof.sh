# The proof: programs that fail in real kernels, and the catalogue's fixes applied to them (tests/proof/README.md).
# shellcheck shell=bash

# The frameworks' environments: several gigabytes, and slow to download.
PROOF="${NBMEDIC_PROOF:-$TOOLS/proof}"

# proof_setup [CASE…]: makes the environments of these cases (default: all) and the one that runs the cases.
proof_setup() {
  local name file key
  mkdir -p "$PROOF"
  exec 9>"$PROOF/lock"
  flock 9
  for name in $(python3 tests/proof/run.py envs "$@"); do
    file="tests/proof/requirements-$name.txt"
    key=$(digest "$file")
    fresh "$PROOF/$name/nbmedic-stamp" "$key" && continue
    python3 -m venv "$PROOF/$name"
    "$PROOF/$name/bin/pip" install --quiet --disable-pip-version-check --no-input -r "$file"
    printf '%s' "$key" >"$PROOF/$name/nbmedic-stamp"
  done
  note "$(du -shL "$PROOF" | cut -f 1) of frameworks"
}

proof_engine() { host_build --bin nbmedic; }

# proof COMMAND [ARG…]: the runner, with the engine of the last build.
proof() {
  NBMEDIC_PROOF="$PROOF" NBMEDIC_CLI="$TARGET/debug/nbmedic" "$PROOF/torch/bin/python" tests/proof/run.py "$@"
}

# Judges the stored outputs again; needs no framework.
proof_replay() {
  proof_engine
  NBMEDIC_CLI="$TARGET/debug/nbmedic" python3 tests/proof/run.py replay
}
