"""The part `capture`: the GPU programs of tests/frameworks/programs/gpu, each in a kernel of its own, and how many of their
outputs the engine names rightly at first sight. Labels and facts stand in the programs and were written before.

What was captured goes to `outputs.jsonl` in the form of tests/fixtures/outputs. Without a GPU, the programs that end in the same
way on a processor are rehearsed there, and go to `rehearsed.jsonl`, which nobody may take for a capture."""

import functools
import glob
import importlib.util
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import sysconfig
import tempfile
import time

import capture
from steps import not_run, passed

PROGRAMS = pathlib.Path(capture.HERE) / "programs/gpu"
OPTIONS = {}
NAME = "gpu"
# What a kernel keeps of the environment: where the driver is, and the packed ipykernel.
KEPT = ("CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH", "PYTHONPATH", "NVIDIA_VISIBLE_DEVICES", "CUDA_HOME", "CUDA_PATH")


class Here:
    """This Python, in the place of one of capture.py's environments."""

    name, two = NAME, False

    def __init__(self):
        self.version = platform.python_version()
        self.dir, self.site = sys.prefix, sysconfig.get_path("purelib")

    def python(self):
        return sys.executable

    def base(self):
        return os.path.realpath(sys.base_prefix)

    def version_of(self, package):
        import importlib.metadata as metadata

        try:
            return metadata.version(package)
        except metadata.PackageNotFoundError:
            return None


def programs():
    found = []
    for path in sorted(glob.glob(str(PROGRAMS / "*.ipy"))):
        program = capture.Program(path)
        program.file = f"gpu/{program.file}"
        for case in program.cases:
            case.needs = [*program.needs, *(n for n in case.needs if n not in program.needs)]
            found.append((program, case))
    return found


def find(name):
    return next((program, case) for program, case in programs() if case.name == name)


def missing(case, options):
    """Why a case cannot run here, or an empty string."""
    if not options["gpu"] and "cpu" not in case.flags:
        return "no GPU"
    lacking = [name for name in case.needs if not there(name)]
    return f"needs {', '.join(lacking)}" if lacking else ""


@functools.cache
def there(name):
    """Whether a module can be imported; `jax.cuda` is JAX's plugin for CUDA."""
    if name == "jax.cuda":
        return there("jax") and any(there(f"jax_cuda{n}_plugin") for n in (12, 13, 14))
    if "." in name:
        # A part can be there and fail: numba.cuda of another NumPy's time.
        return subprocess.run([sys.executable, "-c", f"import {name}"], stderr=subprocess.DEVNULL).returncode == 0
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def main(part):
    # First what needs no GPU.
    rehearsal = [one for one in programs() if one[0].family == "rehearsal"]
    every = [one for one in programs() if one[0].family != "rehearsal"]
    failing = sum(case.label != "none" for _, case in every)
    part.write("programs", passed(failing >= 60 and len(every) - failing >= 20, failing=failing, benign=len(every) - failing))
    if not there("ipykernel") or not there("jupyter_client"):
        part.write("kernel", {"status": "failed", "why": "this Python has no ipykernel and jupyter_client, and none is packed for it"})
        return
    for name in ("outputs", "rehearsed"):
        (part.out / f"{name}.jsonl").unlink() if (part.out / f"{name}.jsonl").exists() else None
    every = every if part.options["gpu"] else rehearsal + every
    can = [(case, missing(case, part.options)) for _, case in every]
    for case, why in can:
        if why:
            part.write(f"case {case.name}", not_run(why))
    ready = [case for case, why in can if not why]
    if part.options["quick"]:
        ready = ready[:2]
    # Those that fill the card come last, one at a time.
    job = lambda case: (f"case {case.name}", case.seconds + 60, (case.name,), False)
    together = [job(case) for case in ready if "alone" not in case.flags]
    results = part.at_once(together, workers(part.options))
    results += [part.step(*job(case)[:2], case.name, gpu=False) for case in ready if "alone" in case.flags]
    records = [result.pop("record") for result in results if "record" in result]
    figures(part, records)


def workers(options):
    """Kernels at a time: each needs two processors, 3 GB of the machine's memory and 3 GB of the GPU's."""
    free = next(int(line.split()[1]) >> 10 for line in open("/proc/meminfo") if line.startswith("MemAvailable"))
    least = min((os.cpu_count() or 2) // 2, free // 3000, 6)
    if options["gpu"]:
        import cuda

        driver = cuda.Driver()
        driver.enter()
        least = min(least, driver.memory()[0] // (3 << 30))
    return max(1, least)


def step_case(name):
    program, case = find(name)
    env, rehearsed = Here(), not OPTIONS["gpu"]
    more = {**{key: os.environ[key] for key in KEPT if key in os.environ}, "HF_HUB_OFFLINE": "1", **case.variables}
    if os.path.isdir("/usr/local/nvidia/lib64"):
        more["LD_LIBRARY_PATH"] = ":".join(filter(None, [more.get("LD_LIBRARY_PATH"), "/usr/local/nvidia/lib64"]))
    setup = "\n".join(program.setup)
    source = case.source.replace('"cuda"', '"cpu"').replace(".cuda()", "") if rehearsed else case.source
    for attempt in range(2):
        try:
            kernel = capture.Kernel(env, setup, more)
            break
        except RuntimeError:
            # Another kernel took its port.
            if attempt:
                raise
    try:
        start = time.time()
        try:
            text, line = kernel.run(source, interrupt=case.interrupt, seconds=case.seconds)
        except TimeoutError:
            return {"status": "failed", "why": f"over {case.seconds:.0f} s"}
        took = time.time() - start
        died = not kernel.manager.is_alive()
        made = capture.record(case, program, env, kernel, text, line)
    finally:
        kernel.stop()
    made["text"] = without_site(made["text"])
    made["made"].update({"gpu": OPTIONS["gpu"]} if not rehearsed else {"rehearsed": True})
    made["made"]["versions"] = {name: version for name, version in made["made"]["versions"].items() if version}
    failed = "Traceback (most recent call last)" in text or died
    # What was written before, held against what happened; the engine has no part in this.
    as_written = failed == (case.label != "none") and bool(text.strip())
    scored, said = score([made]), named(made["text"])
    right = scored.get("right") == 1
    return passed(
        as_written, case=name, label=case.label, first_sight=right, facts_right=scored.get("facts"), said=said, died=died,
        ran=round(took, 1), record=made, words=("right" if right else "said " + (", ".join(said[:1]) or "none")) if as_written else "did not end as it was written",
    )


def without_site(text):
    """The packed ipykernel's folder is one of this machine's names too."""
    for folder in filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)):
        text = text.replace(folder, "/usr/local/lib/python3/dist-packages")
    return text


def named(text):
    if not OPTIONS["engine"]:
        return []
    with tempfile.TemporaryDirectory(prefix="nbmedic-text-") as folder:
        path = pathlib.Path(folder) / "output.txt"
        path.write_text(text, encoding="utf-8")
        done = subprocess.run([OPTIONS["engine"], "triage", str(path), "--format", "json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    found = json.loads(done.stdout.decode().splitlines()[0])["diagnoses"]
    return ["/".join(filter(None, [one["id"], one.get("variant")])) for one in found]


def score(records, engine=None):
    """What `nbmedic score` says of these records: cases, right ones, facts."""
    engine = engine or OPTIONS.get("engine")
    if not engine or not records:
        return {}
    with tempfile.TemporaryDirectory(prefix="nbmedic-score-") as folder:
        store(pathlib.Path(folder) / "gpu.jsonl", records)
        done = subprocess.run([engine, "score", folder, "--misses"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    table = done.stdout.decode(errors="replace")
    found = re.search(r"(?m)^all +(\d+) +(\d+) +[\d.]+ +(\S+)$", table)
    if not found:
        return {"unreadable": (table + done.stderr.decode(errors="replace"))[-500:]}
    return {"cases": int(found[1]), "right": int(found[2]), "facts": found[3], "table": table if len(records) > 1 else ""}


def store(path, records):
    with open(path, "w", encoding="utf-8") as file:
        for one in records:
            file.write(json.dumps(one, ensure_ascii=False) + "\n")


def figures(part, records):
    """First-sight figures, of all that ended as written."""
    name = "outputs" if part.options["gpu"] else "rehearsed"
    store(part.out / f"{name}.jsonl", records)
    if not records:
        part.write("first sight", not_run("nothing was captured"))
        return
    if not part.options["engine"]:
        part.write("first sight", not_run("no command line"))
        return
    bad = [one for one in records if one["label"] != "none"]
    benign = [one for one in records if one["label"] == "none"]
    part.write("first sight", {
        "status": "seen", "of": name, "failing": score(bad, part.options["engine"]), "benign": score(benign, part.options["engine"]),
    })
