#!/usr/bin/env python3
"""Everything that needs a real NVIDIA GPU, without a network and with nothing to build (docs/gpu.md).

    run.py probe|capture|prove|all [--out FOLDER] [--seconds N] [--quick] [--only PATTERN]

Run it with the Python that has PyTorch (CuPy, JAX and Triton are used where they are). It changes no setting of a GPU and
resets none. NBMEDIC_GPU_PLAYED=LIBRARY stands in for NVIDIA's management library: for the tests, and the results say so."""

import argparse
import contextlib
import importlib
import importlib.util
import json
import os
import pathlib
import platform
import sys
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(ROOT / "tests/frameworks"), str(ROOT / "tests/probe")]
PARTS = ("probe", "capture", "prove")
MODULES = {"probe": "faults", "capture": "outputs", "prove": "cures"}

import steps  # noqa: E402


def engine():
    """The command line: the one that was packed, or the last build's."""
    for path in (os.environ.get("NBMEDIC_CLI"), ROOT / "bin/nbmedic", ROOT / "target/debug/nbmedic"):
        if path and os.access(path, os.X_OK):
            return str(path)
    return ""


def about(gpu, why):
    """What this ran on. No names of the machine or of people."""
    import importlib.metadata as metadata

    versions = {}
    names = ("torch", "triton", "jax", "jaxlib", "numba-cuda", "numpy", "transformers", "ipykernel", "ipython")
    for name in (*names, "cupy-cuda13x", "cupy-cuda12x", "cupy-cuda11x", "cupy"):
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            pass
    found = {"gpu": gpu or None, "why": why, "python": platform.python_version(), "kernel": platform.release(), "versions": versions}
    found["played"] = bool(os.environ.get("NBMEDIC_GPU_PLAYED"))
    found["root"] = os.geteuid() == 0
    return {name: value for name, value in found.items() if value not in ("", None)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("part", choices=[*PARTS, "all"])
    parser.add_argument("--out", default=str(ROOT / "out/gpu"))
    parser.add_argument("--seconds", type=float, default=520, help="for each part")
    parser.add_argument("--quick", action="store_true", help="a few steps of each part, to see that all of it runs")
    parser.add_argument("--only", default="", metavar="PATTERN", help="only steps whose names a regular expression finds")
    given = parser.parse_args()
    with contextlib.ExitStack() as stack:
        if not has("ipykernel") and packed():
            use(stack.enter_context(tempfile.TemporaryDirectory(prefix="nbmedic-site-")))
        return run(given)


def run(given):
    import cuda

    gpu, why = cuda.real()
    options = {
        "out": str(pathlib.Path(given.out).resolve()), "seconds": given.seconds, "quick": given.quick, "only": given.only, "gpu": gpu, "engine": engine(),
        "played": os.environ.get("NBMEDIC_GPU_PLAYED", ""),
    }
    pathlib.Path(options["out"]).mkdir(parents=True, exist_ok=True)
    here = about(gpu, why)
    print(f"GPU: {gpu or f'none ({why})'}", flush=True)
    counts, failed = {}, 0
    for name in PARTS if given.part == "all" else [given.part]:
        part = steps.Part(name, options)
        part.write("machine", {"status": "seen", **here})
        importlib.import_module(MODULES[name]).main(part)
        counts[name] = part.close()
        failed += counts[name]["failed"]
        summary = {"machine": here, "parts": counts}
        (part.out / f"{name}-summary.json").write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    return 1 if failed else 0


def has(module):
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def packed():
    """Whether an ipykernel was packed for this Python; it has compiled parts."""
    try:
        least = (ROOT / "site-python").read_text().split(".")
    except OSError:
        return False
    return sys.version_info[:2] >= tuple(map(int, least)) and platform.machine() == "x86_64"


def use(site):
    """Unpacks the packed ipykernel, for this process and those below it; what the machine has goes first."""
    with tarfile.open(ROOT / "site.tar.gz") as archive:
        archive.extractall(site)
    sys.path.append(site)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), site]))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        part, step, answer, options, args = sys.argv[2:]
        module = importlib.import_module(MODULES[part])
        module.OPTIONS.update(json.loads(options))
        steps.run_child(step, answer, json.loads(args), vars(module))
    else:
        sys.exit(main())
