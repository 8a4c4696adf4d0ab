# Runs the fuzz targets (tests/fuzz/targets.rs) under libFuzzer.
# shellcheck shell=bash

# Stable Rust: coverage is a pass of LLVM that any compiler has, and libFuzzer's runtime comes with its crate. The
# sanitizer for addresses would need nightly Rust, and would look for what safe code cannot do: no room has `unsafe`.
FUZZ_FLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
  -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
  -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1"

fuzz_build() {
  # For a target that is named, the flags are not those of build scripts. The lock file follows the manifests of the rooms.
  RUSTFLAGS="$FUZZ_FLAGS" CARGO_TARGET_DIR="$TARGET/fuzz" cargo build --quiet --release \
    --manifest-path tests/fuzz/Cargo.toml --target "$(rustc -vV | sed -n 's/^host: //p')"
  NBMEDIC_FUZZ_SEEDS="$ROOT/out/fuzz/seeds" cargo test --quiet --locked -p nbmedic --test fuzz
}

# fuzz_run MINUTES [TARGET…]: each target for so long, one after the other, with what it found before. A finding stays
# in out/fuzz/TARGET; it becomes a file in tests/fixtures/fuzz/TARGET, which the tests run first.
fuzz_run() {
  local minutes=$1 target failed=0 program
  shift
  program=$(echo "$TARGET"/fuzz/*/release/nbmedic-fuzz)
  (($#)) || set -- cleaner plain traceback triage notebook events redaction record edits json
  for target; do
    [[ -d out/fuzz/seeds/$target ]] || die "fuzz: no target $target"
    mkdir -p "out/fuzz/corpus/$target" "out/fuzz/$target"
    say "$target, $minutes min:"
    NBMEDIC_FUZZ_TARGET=$target nice -n 19 "$program" -max_total_time=$((minutes * 60)) -max_len=4096 -timeout=20 \
      -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="out/fuzz/$target/" \
      "out/fuzz/corpus/$target" "out/fuzz/seeds/$target" >"$LOGS/fuzz-$target.log" 2>&1 || failed=1
    grep -aE '^stat::(number_of_executed_units|peak_rss_mb)|^Done|SUMMARY|panicked' "$LOGS/fuzz-$target.log" || true
  done
  return $failed
}
