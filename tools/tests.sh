# The parts of `./build.sh check` and `./build.sh test`, cheap ones first. A part runs even if another one failed.
# shellcheck shell=bash

# Formatting, lints, types and unit tests.
plan_check() {
  plan "formatting" cargo fmt --all --check
  plan_beside "formatting of the probe" cargo fmt --manifest-path probe/Cargo.toml --all --check
  plan_beside "formatting of JavaScript" npm run --silent format:check
  plan_beside "the tree" node tools/check-tree.mjs
  plan_beside "wordings" node tools/check-wordings.mjs
  plan_beside "JavaScript types" npm run --silent typecheck
  plan_beside "ESLint" npm run --silent lint
  plan "clippy" cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
  # Alone: these tests wait for a page's timers, and a busy machine delays them.
  plan "JavaScript tests" npm run --silent test:js
  plan "clippy for WebAssembly" cargo clippy --locked -p nbmedic -p nbmedic-answer -p nbmedic-pages --lib \
    --features nbmedic/web,nbmedic-answer/web --target wasm32-unknown-unknown -- -D warnings
  plan "Rust tests" rust_tests
}

# The TypeScript definitions need crates of their own, which the rest would share with nothing.
rust_tests() {
  local failed=0
  cargo test "${HOST[@]}" --no-fail-fast || failed=1
  cargo test "${HOST[@]}" --features nbmedic-protocol/typescript --test generated || failed=1
  return $failed
}

# What `test` runs between the parts of `check` and the browsers.
plan_rest() {
  plan_probe
  plan_beside "what builds the wheel" wheel_setup
  plan "!the probe's cells" probe_cell
  plan "the proof, as it is stored" proof_replay
  # Kernels mostly wait. They come early, and what is beside them gets the processor time that they leave.
  plan "the probe in real kernels" probe_kernels quick
  plan_beside "!the modules, to WebAssembly" aside wasm_modules
  plan_beside "the bench of cures, as it is stored" aside cures_replay
  plan_beside "clippy for the probe" aside probe_clippy
  plan_beside "the probe for the wheel" aside wheel_probe
  plan_made
  plan_assembled
  plan "!dist/www" site
  plan "the wheel" wheel_debug
  # The compiler is busy; these tests mostly wait for processes.
  plan_beside "the probe's tests" probe_tests
  plan "the wheel at work" wheel_tests dist/wheel-debug
  plan_beside "WebAssembly tests" aside wasm_tests
  plan_sizes
  # Firefox has neither the service worker nor the side panel that Chrome needs, and web-ext says so.
  plan "web-ext lint, Chrome" node tools/weblint.mjs dist/chrome BACKGROUND_SERVICE_WORKER_IGNORED \
    MANIFEST_PERMISSIONS
  plan_beside "web-ext lint, Firefox" node tools/weblint.mjs dist/firefox
  plan "what a GPU will run" gpu_tests
  plan_packages
  # That an archive builds the same packages again is what `package` and `release` show.
  plan "the source archive's files" check_source
}

wasm_tests() { NBMEDIC_CLI="$TARGET/debug/nbmedic" npm run --silent test:wasm; }

# The browsers' tests, of the packages that ship. Nothing runs beside them.
plan_browsers() { plan "end to end in Chromium and Firefox" browsers; }
browsers() { NBMEDIC_CLI="$TARGET/debug/nbmedic" npm run --silent test:e2e -- --tests; }
