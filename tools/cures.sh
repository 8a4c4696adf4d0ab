# The bench of cures: working notebooks, broken, repaired by the first fix alone and run again (tests/cures/README.md).
# shellcheck shell=bash

# The libraries' environments: several gigabytes, and slow to download.
CURES="${NBMEDIC_CURES:-$TOOLS/cures}"

# cures_setup [GROUP…]: makes the environments; `data` runs the bench itself.
cures_setup() {
  local name file key
  mkdir -p "$CURES"
  exec 8>"$CURES/lock"
  flock 8
  for name in "${@:-data}"; do
    file="tests/cures/requirements-$name.txt"
    key=$(digest "$file")
    fresh "$CURES/$name/nbmedic-stamp" "$key" && continue
    [[ -x $CURES/$name/bin/python ]] || python3 -m venv "$CURES/$name"
    "$CURES/$name/bin/pip" install --quiet --disable-pip-version-check --no-input -r "$file"
    printf '%s' "$key" >"$CURES/$name/nbmedic-stamp"
  done
  note "$(du -shL "$CURES" | cut -f 1) of libraries"
}

# cures_groups: the environments to make: all, or what NBMEDIC_CURES_GROUPS names.
# shellcheck disable=SC2086
cures_groups() { cures_setup data ${NBMEDIC_CURES_GROUPS-torch tensorflow jax}; }

# cures PROGRAM ARG…: a program of the bench, with the engine of the last build. --against takes a revision or a binary.
cures() {
  NBMEDIC_CURES="$CURES" NBMEDIC_CLI="${NBMEDIC_CLI:-$TARGET/debug/nbmedic}" "$CURES/data/bin/python" "tests/cures/$1.py" "${@:2}"
}

# cures_revision REV: builds the engine of a revision, in a folder of its own, and prints where it is.
cures_revision() {
  local rev place
  rev=$(git rev-parse --short "$1^{commit}")
  place="$ROOT/target/cures/at-$rev"
  if [[ ! -x $place/nbmedic ]]; then
    mkdir -p "$place"
    [[ -d $place/tree ]] || git worktree add --quiet --detach "$place/tree" "$rev"
    (cd "$place/tree" && CARGO_TARGET_DIR="$place/target" cargo build --locked --quiet -p nbmedic-cli)
    cp "$place/target/debug/nbmedic" "$place/nbmedic"
    git worktree remove --force "$place/tree"
    rm -rf "$place/target"
  fi
  printf '%s' "$place/nbmedic"
}

# The Python package with the engine of this tree: what tries fixes in a kernel.
cures_package() {
  local place="$TARGET/cures/package/nbmedic"
  cargo build --locked --quiet -p nbmedic-wheel
  rm -rf "$place"
  mkdir -p "$place"
  cp python/nbmedic/*.py "$place/"
  cp probe/cell/values.py "$place/_values.py"
  cp "$TARGET/debug/libnbmedic_engine.so" "$place/_engine.abi3.so"
}

command_cures() {
  local -a args=()
  local tries='' bench=run
  while (($#)); do
    case $1 in
      --against)
        if [[ -n ${2-} && ! -x $2 ]]; then
          args+=(--against "$(cures_revision "$2")")
          shift
        else
          args+=("$1")
        fi
        ;;
      --written) bench=written ;;
      --tries)
        tries=1
        args+=(--tries "$TARGET/cures/package")
        ;;
      *) args+=("$1") ;;
    esac
    shift
  done
  plan "!the engine" proof_engine
  if [[ $tries ]]; then
    plan "!the Python package" cures_package
  fi
  plan "!libraries for the bench" cures_groups
  run_plan stop
  cures "$bench" "${args[@]}"
}

# The bench's own tests, and the stored sample judged again; needs no library. Checks the numbers of the stored run.
cures_replay() {
  proof_engine
  python3 tests/cures/test_bench.py
  NBMEDIC_CLI="$TARGET/debug/nbmedic" python3 tests/cures/sample.py check
}

# command_values [GROUP…]: the rows of src/values compared with the libraries, in the environments of the bench.
command_values() {
  local group failed=0
  local -a groups=("$@")
  ((${#groups[@]})) || groups=(data torch tensorflow jax)
  mkdir -p "$TOOLS"
  plan "!Rust" rust_setup build
  plan "!the model" cargo build --locked --quiet -p nbmedic-values --example values
  plan "!libraries for the rows" cures_setup "${groups[@]}"
  run_plan stop
  for group in "${groups[@]}"; do
    "$CURES/$group/bin/python" tests/values/check.py "$TARGET/debug/examples/values" "$group" || failed=1
  done
  return $failed
}
