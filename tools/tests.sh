# The parts of `./build.sh check` and `./build.sh test`, cheap ones first. A part runs even if another one failed.
# shellcheck shell=bash

# Formatting, lints, types and unit tests.
plan_check() {
  plan "formatting" cargo fmt --all --check
  plan "formatting of the probe" cargo fmt --manifest-path probe/Cargo.toml --all --check
  plan "formatting of JavaScript" npm run --silent format:check
  plan "the tree" node tools/check-tree.mjs
  plan "JavaScript types" npm run --silent typecheck
  plan_beside "ESLint" npm run --silent lint
  plan "clippy" cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
  # Alone: these tests wait for a page's timers, and a busy machine delays them.
  plan "JavaScript tests" npm run --silent test:js
  plan "clippy for WebAssembly" cargo clippy --locked -p nbmedic -p nbmedic-answer -p nbmedic-pages --lib \
    --features nbmedic/web,nbmedic-answer/web --target wasm32-unknown-unknown -- -D warnings
  plan "Rust tests" cargo test --locked --workspace --all-features --no-fail-fast
}

# What `test` runs besides the parts of `check`.
plan_rest() {
  plan "the proof, as it is stored" proof_replay
  plan "the bench of cures, as it is stored" cures_replay
  plan_build
  plan "the probe's program again" probe_verify
  plan "clippy for the probe" probe_clippy
  plan_wheel debug
  # The compiler is busy; these tests mostly wait for processes.
  plan_beside "the probe's tests" probe_tests
  plan "the wheel at work" wheel_tests dist/wheel-debug
  plan_sizes
  # Firefox has neither the service worker nor the side panel that Chrome needs, and web-ext says so.
  plan "web-ext lint, Chrome" node tools/weblint.mjs dist/chrome BACKGROUND_SERVICE_WORKER_IGNORED \
    MANIFEST_PERMISSIONS
  plan_beside "web-ext lint, Firefox" node tools/weblint.mjs dist/firefox
  # Kernels mostly wait.
  plan "the probe in real kernels" probe_kernels quick
  plan_beside "WebAssembly tests" npm run --silent test:wasm
  plan "what a GPU will run" gpu_tests
  plan_packages
  # Browsers mostly wait. The rebuild uses what they leave of the processor, and nothing runs beside what is measured.
  plan "end to end in Chromium and Firefox" npm run --silent test:e2e -- --together
  plan_beside "packages, rebuilt from the source archive" verify_packages_beside
  plan "end to end, measured" npm run --silent test:e2e -- --alone
}
