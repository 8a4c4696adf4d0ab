# What needs a GPU: packs it here, runs it there (docs/gpu.md).
# shellcheck shell=bash

# The oldest Python for which the packed kernel is.
GPU_PYTHON=${NBMEDIC_GPU_PYTHON:-3.12}
GPU_LIMIT=$((60 << 20))

# The command line without any library beside it.
gpu_cli() {
  local profile=${NBMEDIC_GPU_PROFILE:-release} target=x86_64-unknown-linux-gnu folder
  RUSTFLAGS="-C target-feature=+crt-static -C strip=symbols" \
    cargo build --quiet --locked --profile "$profile" -p nbmedic-cli --target "$target"
  folder=${profile/#dev/debug}
  mkdir -p dist/.gpu/bin
  cp "$TARGET/$target/$folder/nbmedic" dist/.gpu/bin/
  note "$(wc -c <dist/.gpu/bin/nbmedic) bytes"
}

gpu_site() {
  local site=dist/.gpu/site
  rm -rf "$site"
  python3 -m pip install --quiet --disable-pip-version-check --no-input --no-compile --target "$site" --only-binary=:all: \
    --implementation cp --python-version "$GPU_PYTHON" --platform manylinux2014_x86_64 --platform manylinux_2_28_x86_64 \
    -r tests/gpu/requirements.txt
  # A debugger, types for completion and time zones: no test uses them.
  rm -rf "$site"/debugpy* "$site"/jedi/third_party "$site"/tzdata* "$site"/bin "$site"/share "$site"/etc
  # What the machine has goes before what is packed.
  printf '%s\n' 'import os, sys' 'here = os.path.dirname(os.path.abspath(__file__))' \
    'if here in sys.path:' '    sys.path.remove(here)' '    sys.path.append(here)' >"$site/sitecustomize.py"
  printf '%s\n' "$GPU_PYTHON" >dist/.gpu/site-python
  tar -C "$site" --sort=name --owner=0 --group=0 --mtime=@0 -cf - . | gzip -9n >dist/.gpu/site.tar.gz
  rm -rf "$site"
  note "$(wc -c <dist/.gpu/site.tar.gz) bytes"
}

gpu_folder() {
  local new=dist/.gpu size
  mkdir -p "$new"/{dist/probe,probe/cell,tests/frameworks/programs,tests/proof/cases/jupyter}
  cp dist/probe/nbmedic-probe-* dist/probe/cell-*.py "$new/dist/probe/"
  cp probe/cell/{sampler,gpus}.py "$new/probe/cell/"
  cp -r tests/gpu "$new/tests/"
  cp -r tests/probe "$new/tests/"
  cp tests/frameworks/capture.py "$new/tests/frameworks/"
  cp -r tests/frameworks/programs/gpu "$new/tests/frameworks/programs/"
  cp tests/proof/*.py "$new/tests/proof/"
  cp -r tests/proof/cases/gpu "$new/tests/proof/cases/"
  cp -r tests/proof/cases/jupyter/assignment-for-comparison "$new/tests/proof/cases/jupyter/"
  find "$new" -name __pycache__ -prune -exec rm -rf {} +
  rm -rf dist/gpu
  mv "$new" dist/gpu
  size=$(du -sb dist/gpu | cut -f 1)
  note "$((size >> 20)) MiB"
  if ((size > GPU_LIMIT)); then
    say "dist/gpu has $size bytes, more than $GPU_LIMIT."
    return 1
  fi
}

plan_gpu() {
  plan_probe
  plan "!the probe's cells" probe_cell
  plan "!the command line, alone" gpu_cli
  plan "!a kernel for Python $GPU_PYTHON" gpu_site
  plan "!dist/gpu" gpu_folder
}

# gpu_run PART [OPTION…]: with what was packed, or else with what was built here.
gpu_run() {
  local there=$ROOT
  [[ ! -d dist/gpu ]] || there=$ROOT/dist/gpu
  PYTHONDONTWRITEBYTECODE=1 exec "${NBMEDIC_PYTHON:-python3}" "$there/tests/gpu/run.py" "$1" --out "$ROOT/out/gpu" "${@:2}"
}

# What can be shown without a GPU: a quick run of all parts, against the library that plays NVIDIA's.
gpu_tests() {
  local target="${CARGO_TARGET_DIR:-$ROOT/target}/probe"
  CARGO_TARGET_DIR="$target" cargo build --quiet --release --locked --manifest-path probe/Cargo.toml -p fake-nvml
  NBMEDIC_CLI="$TARGET/debug/nbmedic" PYTHONDONTWRITEBYTECODE=1 "${NBMEDIC_JUPYTER:-$TOOLS/jupyter}/bin/python" tests/gpu/test.py \
    "$target/release/libnvidia_ml.so"
}
