#!/usr/bin/env bash
# Builds, runs, tests and packages nbmedic. `./build.sh help` lists the commands.
set -Eeuo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
cd "$ROOT"
export LC_ALL=C.UTF-8 TZ=UTC

# shellcheck source=tools/lib.sh
. tools/lib.sh
# shellcheck source=tools/setup.sh
. tools/setup.sh
# shellcheck source=tools/wasm.sh
. tools/wasm.sh
# shellcheck source=tools/probe.sh
. tools/probe.sh
# shellcheck source=tools/probe-cell.sh
. tools/probe-cell.sh
# shellcheck source=tools/wheel.sh
. tools/wheel.sh
# shellcheck source=tools/proof.sh
. tools/proof.sh
# shellcheck source=tools/cures.sh
. tools/cures.sh
# shellcheck source=tools/gpu.sh
. tools/gpu.sh
# shellcheck source=tools/tests.sh
. tools/tests.sh
# shellcheck source=tools/fuzz.sh
. tools/fuzz.sh
# shellcheck source=tools/release.sh
. tools/release.sh

# The workspace's version. It is set in Cargo.toml; tools/release.mjs changes it.
version_now() { sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml; }
VERSION=$(version_now)

usage() {
  cat <<'END'
usage: ./build.sh COMMAND

  run [--headless]   build, then show the demo notebook in a local JupyterLab with the extension
                     (without a display, or with --headless: play it, with pictures and the report in out/)
  check              the quick part of the tests: formatting, lints, types, unit tests of Rust and JavaScript
  test [check|rest|browsers]
                     all tests: those of check, the builds, the probe in real kernels, both browsers; or one of the three
                     parts (NBMEDIC_BROWSERS=chrome or firefox runs one browser)
  measure            what the extension costs in both browsers: time to a card, work while idle, memory
  update-test [COMMIT]
                     build an earlier nbmedic (default: the previous commit) and update it to this one in the
                     middle of a run, in both browsers
  bench [--quick]    the engine's speed compared with ripgrep and plain loops, natively and in Chromium
                     (--long: the command line on a log of 5 GB, a pipe without an end and a million cells)
  build              the extension, unpacked, in dist/chrome and dist/firefox, and the web site in dist/www
  probe              the probe's program for x86-64 and aarch64, in dist/probe, built twice and compared
                     (--no-verify skips the second build; --bench compares it with other monitors)
  wheel              the Python package with the engine, the command and the probe, in dist, installed and tested
  fleet-test [TEXTS] the Python package in a local Spark and a local Ray, compared with one machine (default: 5000 texts);
                     needs Java, and downloads half a gigabyte into .tools/fleet
  site               the web site alone, in dist/www, ready to serve: playground, diagnoses, docs, search
  package            the stores' zips and the source archive, rebuilt and compared byte for byte
                     (--no-verify skips the rebuild)
  command            the command line for this machine, with completions and manual pages, in dist
  release [VERSION] [--dry-run]
                     set the version (default: the next one), date the changelog's section, build and verify the
                     packages, commit and tag; push nothing
  probe-cell         the cells that start the probe, in dist/probe
  soak [ROUNDS]      kill real kernels in every way, 20 times each, and read their flight records
  prove [CASE...]    break real programs in real kernels, apply the catalogue's fixes, run them again, and write
                     docs/proof.md (--mutate leaves the fix out and swaps the diagnosis: each case must fail;
                     --own applies the engine's own first fix, as it stands, and counts the programs that then end
                     well; --own --list only says what the first fix is, without a kernel);
                     downloads several gigabytes of frameworks into .tools/proof
  cures [ARG...]     break working notebooks by the hundred, apply nbmedic's first fix alone, run them again and
                     compare (docs/cures.md; --limit N, --half work|judge, --list-misses, --against REV, --tries;
                     --written: notebooks that were written broken);
                     downloads several gigabytes of libraries into .tools/cures
  values [GROUP...]  compare what src/values says of the libraries' calls with the libraries (data, torch, tensorflow, jax;
                     the environments of `cures`)
  gpu pack           what needs a GPU, with all that it needs, in dist/gpu
  gpu PART           on a machine with a GPU, without a network: probe, capture, prove or all; results in out/gpu
                     (--quick runs a few steps; without a GPU it rehearses, and says so: docs/gpu.md)
  gpu keep [FOLDER]  put a GPU's results into the tree
  fuzz [MINUTES] [TARGET...]
                     run the fuzz targets under libFuzzer, each for so long (10); findings are in out/fuzz. Without
                     libFuzzer `test` runs them over their seeds and a few thousand inputs made of these
  signatures [LIBRARY...]
                     install the libraries' releases and write src/libraries/tables from them
  translations       read what Jupyter, the C library and the shell say in other languages, and write
                     src/catalog/translated.toml
  audit              run Lighthouse on the web site: performance, accessibility, best practices
  pictures [PART]    take pictures of every surface, into docs/images, and those for the stores (PART: extension,
                     jupyterlab, steps, cures, tried, site, store)
  fmt                format Rust and JavaScript
  help               this text

Every command sets up what it needs and is cheap to repeat. Downloads are in .tools/, node_modules/ and target/;
the logs of the steps are in out/logs/.
END
}

# One call of Cargo for all modules: what two of them use is compiled once, and their slow steps at link time, each of
# which keeps one core busy, run beside each other.
wasm_modules() {
  wasm_compile -p nbmedic -p nbmedic-pages -p nbmedic-answer \
    --features nbmedic/web,nbmedic-answer/web,nbmedic-answer/common-libraries
}

plan_parts() {
  plan "!the modules, to WebAssembly" wasm_modules
  plan_beside "!Zig for the probe" probe_setup
  plan_made
  plan "!the probe's program" probe_program
  plan "!the probe's cells" probe_cell
}

# What is made of the compiled modules, and of the catalogue.
plan_made() {
  plan "!the build's own programs" host_programs
  plan "!the engine's module" wasm_module nbmedic engine nbmedic
  plan_beside "!the reader's module" wasm_module nbmedic-answer python python
  plan_beside "!the pages' module" wasm_module nbmedic-pages pages pages
  plan "!prose" prose
  plan_beside "!third-party licences" notices
}

# What the demo needs, built to try it.
plan_try() {
  build_to_try
  # Beside JupyterLab, whose installation mostly waits for downloads.
  plan_beside "!the modules, to WebAssembly" wasm_modules
  plan_beside "!Zig for the probe" probe_setup
  plan "!the build's own programs" host_programs_to_try
  plan "!the engine's module" wasm_module nbmedic engine nbmedic
  plan_beside "!the reader's module" wasm_module nbmedic-answer python python
  plan_beside "!the pages' module" wasm_module nbmedic-pages pages pages
  plan_beside "!prose" prose
  plan_beside "!third-party licences" notices
  # Each keeps one core busy.
  plan_beside "!the probe's program and cells" probe_to_try
  plan "!the extension for Chrome" assemble chrome
  plan_beside "!the extension for Firefox" assemble firefox
}

probe_to_try() {
  probe_program x86_64
  probe_cell
}

plan_extension() {
  plan_parts
  plan_assembled
}

plan_assembled() {
  plan "!dist/chrome" assemble chrome
  plan_beside "!dist/firefox" assemble firefox
}

plan_build() {
  plan_extension
  plan "!dist/www" site
}

plan_packages() {
  plan "!zip for Chrome" pack chrome
  plan_beside "!zip for Firefox" pack firefox
  plan "!source archive" pack_source
  plan "!what it was built with" write_sums
}

plan_sizes() { plan "sizes and their limits" node tools/sizes.mjs dist/chrome dist/firefox; }

notices() { node tools/notices.mjs "$STAGE/THIRD-PARTY.txt" nbmedic nbmedic-answer nbmedic-pages; }

prose() {
  local out="$STAGE/prose"
  rm -rf "$out"
  "$PROGRAMS/nbmedic-catalogc" prose src/catalog "$out"
  "$PROGRAMS/examples/reference" >"$STAGE/reference.json"
  note "$(find "$out" -name '*.json' | wc -l) files"
}

# Assembles one browser's extension from the parts.
assemble() {
  local browser=$1 new="$DIST/.$1"
  rm -rf "$new"
  mkdir -p "$new"
  node tools/assemble.mjs "$browser" "$STAGE" "$new"
  rm -rf "${DIST:?}/$browser"
  mv "$new" "$DIST/$browser"
  note "$(find "$DIST/$browser" -type f | wc -l) files"
}

# The web site: the playground with the same modules, and the reference from the same prose.
site() {
  local new=dist/.www
  rm -rf "$new"
  mkdir -p "$new"
  node tools/site.mjs "$STAGE" "$STAGE/reference.json" "$new"
  rm -rf dist/www
  mv "$new" dist/www
  note "$(find dist/www -type f | wc -l) files"
}

pack() {
  local browser=$1
  node tools/zip.mjs pack "dist/nbmedic-$VERSION-$browser.zip" "dist/$browser"
  note "$(wc -c <"dist/nbmedic-$VERSION-$browser.zip") bytes"
}

pack_source() {
  node tools/zip.mjs source "dist/nbmedic-$VERSION-source.zip" "nbmedic-$VERSION"
  note "$(wc -c <"dist/nbmedic-$VERSION-source.zip") bytes"
}

# Whether the source archive holds exactly the repository's files: what a rebuild from it starts with.
check_source() {
  node tools/zip.mjs check "dist/nbmedic-$VERSION-source.zip" "nbmedic-$VERSION"
  note "$(tail -n 1 "${NOTE%.note}.log" | cut -d , -f 1)"
}

# Gives the checkout at $1 the third-party crates that were compiled for this machine: parts of the programs that run
# during a build. What goes into the packages is compiled there again. They are linked: nothing is lent to another disk.
lend_host_crates() {
  local profile from to part name
  [[ -d $TARGET && $(stat -c %d "$TARGET") == $(stat -c %d "$1") ]] || return 0
  for profile in debug wasm/wasm; do
    for part in deps build .fingerprint; do
      from="$TARGET/$profile/$part" to="$1/target/$profile/$part"
      mkdir -p "$to"
      for name in "$from"/*; do
        [[ ${name##*/} == *nbmedic* || ($part == deps && $name != */lib* && $name != *.d) ]] || printf '%s\0' "$name"
      done | xargs -0 -r cp -a "$([[ $part == deps ]] && echo -l || echo -r)" -t "$to"
    done
  done
}

# A folder for the rebuild, on the disk of the crates that it is lent: on another one all of them would be compiled again, and
# a small /tmp could not hold them.
rebuild_folder() {
  if [[ $(stat -c %d "${TMPDIR:-/tmp}") == $(stat -c %d "$TARGET") ]]; then
    mktemp -d
  else
    mktemp -d "$TARGET/rebuild.XXXXXX"
  fi
}

# Unpacks the source archive elsewhere, builds there from only what cargo and npm downloaded, and compares.
verify_packages() {
  local there part
  there=$(rebuild_folder)
  node tools/zip.mjs unpack "dist/nbmedic-$VERSION-source.zip" "$there"
  lend_host_crates "$there/nbmedic-$VERSION"
  # Nothing is compiled there twice.
  env -u CARGO_TARGET_DIR CARGO_INCREMENTAL=0 NBMEDIC_TOOLS="$TOOLS" \
    bash "$there/nbmedic-$VERSION/build.sh" package --no-verify
  for part in chrome firefox source; do
    cmp "dist/nbmedic-$VERSION-$part.zip" "$there/nbmedic-$VERSION/dist/nbmedic-$VERSION-$part.zip"
  done
  rm -rf "$there"
  note "the three archives are identical"
}

# Records what the packages were built with, for people who rebuild them.
write_sums() {
  {
    rustc --version
    node_modules/.bin/wasm-opt --version | head -n 1
    printf 'node %s\n' "$(node --version)"
    (cd dist && sha256sum "nbmedic-$VERSION"-{chrome,firefox,source}.zip)
  } >"dist/nbmedic-$VERSION-build.txt"
}

command_build() {
  plan_setup build
  plan_build
  plan_sizes
  run_plan stop
}

command_site() {
  plan_setup build
  plan_parts
  plan "!dist/www" site
  run_plan stop
}

plan_probe() {
  plan "!Zig for the probe" probe_setup
  plan "!the probe's program" probe_program
}

command_probe() {
  mkdir -p "$TOOLS"
  plan "!Rust" rust_setup build
  plan_probe
  case ${1-} in
    --no-verify | --bench) ;;
    *) plan "!the probe's program again" probe_verify ;;
  esac
  run_plan stop
  cat dist/probe/sha256.txt
  [[ ${1-} != --bench ]] || probe_bench
}

# plan_wheel release|debug
plan_wheel() {
  plan "what builds the wheel" wheel_setup
  plan "the probe for the wheel" wheel_probe
  plan "the wheel" "wheel_$1"
}

command_wheel() {
  mkdir -p "$TOOLS"
  plan "!Rust" rust_setup build
  plan_probe
  plan "!the probe's cells" probe_cell
  plan_wheel release
  plan "!the wheel at work" wheel_tests dist
  run_plan stop
}

command_fleet_test() {
  mkdir -p "$TOOLS"
  plan "!Rust" rust_setup build
  plan_probe
  plan "!the probe's cells" probe_cell
  plan_wheel release
  plan "Spark and Ray" fleet_tests dist "${1:-5000}"
  run_checks
}

plan_package() {
  plan_extension
  plan_packages
  if [[ ${1-} != --no-verify ]]; then
    plan "!the probe's program again" probe_verify
    plan "!rebuild from the source archive" verify_packages
  fi
  plan_sizes
}

command_package() {
  plan_setup build
  plan_package "${1-}"
  run_plan stop
  cat "dist/nbmedic-$VERSION-build.txt"
}

command_probe_cell() {
  plan_setup build
  plan_probe
  plan "!the probe's cells" probe_cell
  run_plan stop
}

command_soak() {
  plan_setup all
  plan_probe
  plan "!the probe's cells" probe_cell
  run_plan stop
  probe_kernels soak "${1-20}"
}

command_prove() {
  local arg listing= own=
  local -a cases=()
  for arg; do
    case $arg in
      --mutate) ;;
      --own) own=yes ;;
      --list) listing=yes ;;
      -*) die "prove: unknown option $arg" ;;
      *) cases+=("$arg") ;;
    esac
  done
  [[ -z $listing || -n $own ]] || die "prove: --list needs --own"
  mkdir -p "$TOOLS"
  plan "!system packages" system_packages build
  plan "!Rust" rust_setup build
  plan "!the engine" proof_engine
  if [[ -n $listing ]]; then
    run_plan stop
    NBMEDIC_CLI="$TARGET/debug/nbmedic" python3 tests/proof/run.py prove "$@"
    return
  fi
  plan_probe
  plan "!the probe's cells" probe_cell
  plan "!frameworks for the proof" proof_setup "${cases[@]}"
  run_plan stop
  if ((${#cases[@]} < $#)); then
    proof prove "$@"
    return
  fi
  local failed=0
  proof prove "$@" || failed=1
  proof mark
  proof_engine
  proof report
  return $failed
}

command_gpu() {
  case ${1-} in
    pack)
      mkdir -p "$TOOLS"
      plan "!Rust" rust_setup build
      plan_gpu
      run_plan stop
      ;;
    keep) exec python3 tests/gpu/keep.py "${2:-out/gpu}" ;;
    probe | capture | prove | all) gpu_run "$@" ;;
    *) die "gpu: pack, probe, capture, prove, all or keep" ;;
  esac
}

command_run() {
  local -a args=("$@")
  if [[ -z ${DISPLAY-} && -z ${WAYLAND_DISPLAY-} && " $* " != *" --headless "* ]]; then
    say "No display: running the demo headless."
    args+=(--headless)
  fi
  plan_setup all
  plan_try
  run_plan stop
  print_times
  say ""
  NBMEDIC_DIST="$ROOT/$DIST" exec node tests/demo/run.mjs "${args[@]}"
}

command_check() {
  plan_setup check
  plan_check
  run_checks
}

command_test() {
  case ${1:-all} in
    all)
      # What the Rust tests compile is used again.
      TESTED=yes
      plan_setup all
      plan_check
      plan_rest
      plan_browsers
      ;;
    check) command_check; return ;;
    rest)
      plan_setup all
      plan_rest
      ;;
    browsers)
      plan_setup all
      plan_build
      plan "!the command line" proof_engine
      plan_browsers
      ;;
    *) die "test: check, rest, browsers, or nothing for all" ;;
  esac
  run_checks
}

plan_measures() { plan "end to end, measured" npm run --silent test:e2e -- --measures; }

command_measure() {
  plan_setup all
  plan_build
  plan_measures
  run_checks
}

command_update_test() {
  plan_setup all
  plan_extension
  run_plan stop
  exec node tests/e2e/update.mjs "$@"
}

command_bench() {
  if [[ ${1-} == --long ]]; then
    shift
    plan_setup bench
    plan "!the command line" cargo build --quiet --release --locked -p nbmedic-cli
    run_plan stop
    mkdir -p "$STAGE"
    cargo bench --quiet --locked -p nbmedic --bench engine -- literals >"$STAGE/literals.txt"
    NBMEDIC_CLI="$TARGET/release/nbmedic" NBMEDIC_LITERALS="$STAGE/literals.txt" exec node benches/long.mjs "$@"
  fi
  plan_setup bench
  plan_build
  plan "!engine, natively" cargo bench --locked -p nbmedic --bench engine --no-run
  run_plan stop
  exec node benches/run.mjs "$@"
}

command_fuzz() {
  local minutes=${1-10}
  [[ $minutes =~ ^[0-9]+$ ]] || die "fuzz: how many minutes? $minutes"
  mkdir -p "$TOOLS"
  plan "!Rust" rust_setup build
  plan "!the fuzz targets and their seeds" fuzz_build
  run_plan stop
  fuzz_run "$minutes" "${@:2}"
}

# Lighthouse brings a hundred packages that only this command needs.
audit_setup() {
  local key
  key="$(digest tools/audit/package-lock.json) $(node --version)"
  fresh tools/audit/node_modules/.nbmedic-stamp "$key" && return
  npm ci --prefix tools/audit --no-audit --no-fund --loglevel=error
  printf '%s' "$key" >tools/audit/node_modules/.nbmedic-stamp
}

command_audit() {
  plan_setup all
  plan "!Lighthouse" audit_setup
  plan_parts
  plan "!dist/www" site
  run_plan stop
  exec node tools/audit/audit.mjs
}

command_pictures() {
  plan_setup all
  plan_build
  plan "!the command line" proof_engine
  # A kernel that tries has the package.
  if (($# == 0)) || [[ " $* " == *" tried "* ]]; then plan_wheel debug; fi
  run_plan stop
  exec node tests/pictures/run.mjs "$@"
}

case ${1-help} in
  run) shift; command_run "$@" ;;
  check) command_check ;;
  test) command_test "${2-}" ;;
  measure) command_measure ;;
  update-test) command_update_test "${2-}" ;;
  bench) shift; command_bench "$@" ;;
  build) command_build ;;
  probe) command_probe "${2-}" ;;
  wheel) command_wheel ;;
  fleet-test) command_fleet_test "${2-}" ;;
  site) command_site ;;
  probe-cell) command_probe_cell ;;
  prove) shift; command_prove "$@" ;;
  cures) shift; command_cures "$@" ;;
  values) shift; command_values "$@" ;;
  gpu) shift; command_gpu "$@" ;;
  translations) exec python3 tools/translations.py ;;
  signatures) shift; exec python3 tools/signatures/signatures.py "$@" ;;
  soak) command_soak "${2-20}" ;;
  fuzz) shift; command_fuzz "$@" ;;
  audit) command_audit ;;
  pictures) shift; command_pictures "$@" ;;
  command) command_command ;;
  package) command_package "${2-}" ;;
  release) shift; command_release "$@" ;;
  fmt) cargo fmt --all && npm run --silent format ;;
  help | -h | --help) usage ;;
  *)
    usage >&2
    exit 2
    ;;
esac
