"""Runs the start cells in real kernels, with Colab's versions and with the newest.

    run.py quick            every death once, those that are easily mistaken, and what the cell does while nothing dies
    run.py soak [ROUNDS]    every death, and those of ways.py, ROUNDS times, with both stacks and both cells; a part of them without
                            the status that newer Linux keeps; and an idle minute
    run.py values           what the cell tells of values, with the libraries of the proof's environments (tools/proof.sh makes them)

Makes the virtual environment with Colab's versions in .tools/ if it is missing; the browser tests' environment has the newest."""

import hashlib
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import threading
import time

from deaths import verdict

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CELLS = ROOT / "dist/probe"
RECORDS = ROOT / "out/flights"


def environment():
    """The Python with Colab's versions."""
    home, wanted = ROOT / ".tools/kernels", (HERE / "requirements-colab.txt").read_bytes()
    stamp, key = home / "nbmedic-requirements", hashlib.sha256(wanted).hexdigest()
    if not stamp.exists() or stamp.read_text() != key:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(home)], check=True)
        quiet = ["--disable-pip-version-check", "--no-input", "-q"]
        subprocess.run([home / "bin/python", "-m", "pip", "install", *quiet, "-r", HERE / "requirements-colab.txt"], check=True)
        stamp.write_text(key)
    return home / "bin/python"


def newest():
    home = pathlib.Path(os.environ.get("NBMEDIC_JUPYTER", ROOT / ".tools/jupyter"))
    return home / "bin/python"


def run(name, python, script, cell, *args):
    """Runs a script with one of the Pythons. Returns how many of its tests passed, and the names of those that failed."""
    start = time.monotonic()
    given = CELLS / f"cell-{cell}.py" if cell else library()
    done = subprocess.run(
        [python, HERE / script, given, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "NBMEDIC_RECORDS": str(RECORDS)},
    )
    lines = [line for line in done.stdout.splitlines() if line]
    print(f"{name}: {script}, {cell or 'no'} cell {' '.join(map(str, args))} ({time.monotonic() - start:.0f} s)", *lines, sep="\n  ", flush=True)
    failed = [line[5:] for line in lines if line.startswith("FAIL ")] + [line[:36].strip() for line in lines if line.endswith("FAILED")]
    passed = sum(line.startswith("ok ") or (" right," in line and not line.endswith("FAILED")) for line in lines)
    if done.returncode and not failed:
        failed = [""]
    return passed, failed


def library():
    """Builds the library's example that judges records."""
    target = f"{os.environ.get('CARGO_TARGET_DIR', ROOT / 'target')}/probe"
    cargo = ["cargo", "build", "--quiet", "--locked", "--manifest-path", ROOT / "probe/Cargo.toml", "--example", "verdict", "--target-dir", target]
    subprocess.run(cargo, check=True)
    return f"{target}/debug/examples/verdict"


def played_nvml():
    """Builds the library that simulates NVIDIA's."""
    target = f"{os.environ.get('CARGO_TARGET_DIR', ROOT / 'target')}/probe"
    cargo = ["cargo", "build", "--quiet", "--release", "--locked", "--manifest-path", ROOT / "probe/Cargo.toml", "-p", "fake-nvml", "--target-dir", target]
    subprocess.run(cargo, check=True)
    return f"{target}/release/libnvidia_ml.so"


def first_line():
    """Builds the example of src/secrets that prints what a report's redaction knows and finds."""
    target = os.environ.get("CARGO_TARGET_DIR", ROOT / "target")
    cargo = ["cargo", "build", "--quiet", "--locked", "--manifest-path", ROOT / "Cargo.toml", "-p", "nbmedic-secrets", "--example", "first_line", "--target-dir", target]
    subprocess.run(cargo, check=True)
    return f"{target}/debug/examples/first_line"


def judged_the_same():
    """Compares the start cell's verdicts with the library's on the same records. Returns their number, and the differences."""
    files = sorted(map(str, RECORDS.glob("*.jsonl")))
    said = {}
    for path in files:
        end = verdict([json.loads(line) for line in open(path, encoding="utf-8")])
        said[path] = [(end["cause"], end["sure"])]
    done = subprocess.run([library(), *files], stdout=subprocess.PIPE, text=True, check=True)
    found = {path: [] for path in files}
    for line in done.stdout.splitlines():
        path, cause, sure = line.rsplit(" ", 2)
        found[path].append((cause, sure))
    differ = [path for path in files if found[path] != said[path]]
    for path in differ:
        print(f"FAIL the library judges {path} otherwise: {found[path]}, the cell {said[path]}")
    print(f"{len(files)} records, judged again by the library: {len(files) - len(differ)} the same")
    return len(files), len(differ)


def values():
    """Tests the values in both stacks with each of the proof's environments."""
    home, failed = pathlib.Path(os.environ.get("NBMEDIC_PROOF", ROOT / ".tools/proof")), []
    for name, python in (("Colab's stack", environment()), ("newest stack", newest())):
        version = subprocess.run([python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        for folder in sorted(home.glob(f"*/lib/python{version}/site-packages")):
            failed += run(name, python, "values_kernels.py", "readable", folder)[1]
    return 1 if failed else 0


def main(what, rounds="20"):
    shutil.rmtree(RECORDS, ignore_errors=True)
    RECORDS.mkdir(parents=True)
    cells = [cell for cell in ("native", "readable") if (CELLS / f"cell-{cell}.py").exists()]
    stacks = {"Colab's stack": environment(), "newest stack": newest()}
    alone = "no kernel", sys.executable, "sampler_test.py", "", CELLS / f"nbmedic-probe-{platform.machine()}", played_nvml(), first_line()
    # Jobs run in parallel, the parts of a job one after the other. In a quick run there are more jobs, because they mostly wait.
    jobs, long = [[alone]], []
    for number, (name, python) in enumerate(stacks.items()):
        if what == "quick":
            # Each Python with one of the cells, so that both cells are used.
            cell = cells[number % len(cells)]
            # The deaths take as long as the other two together. More at a time would disturb those that fill memory.
            jobs += [[(name, python, "cell_test.py", cell, 6), (name, python, "corners_test.py", cell), (name, python, "losses_test.py", cell)], [(name, python, "soak.py", cell, 1, "beside=3")]]
            jobs[0] += [(name, python, "values_test.py", ""), (name, python, "values_kernels.py", cell)]
            continue
        jobs.append([(name, python, "values_test.py", ""), *((name, python, "values_kernels.py", cell) for cell in cells)])
        for cell in cells:
            jobs.append([(name, python, "cell_test.py", cell, 60), (name, python, "corners_test.py", cell), (name, python, "losses_test.py", cell)])
            # The machine counts what is killed for memory, so one soak at a time; each keeps the processors busy.
            long += [
                (name, python, "soak.py", cell, rounds, "ways=all", "parent=both"),
                (name, python, "soak.py", cell, max(1, int(rounds) // 4), "parent=reaper", "info=0"),
            ]
    if "native" in cells:
        # The replacement for the program where it cannot run; after the shortest job.
        (jobs[0] if what == "quick" else long).append(("Colab's stack", stacks["Colab's stack"], "soak.py", "native", 1 if what == "quick" else rounds, "mode=python", "only=segmentation"))
    counts, again = [0, 0], []

    def work(job):
        for args in job:
            passed, failed = run(*args)
            counts[0] += passed
            # These tests say which one to run. In a soak every single verdict counts.
            if "" not in failed and args[2] in ("corners_test.py", "losses_test.py", "cell_test.py", *["soak.py"] * (what == "quick")):
                again.extend((args, name) for name in failed)
            else:
                counts[1] += len(failed)

    threads = [threading.Thread(target=work, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    work(long)
    # Beside others, processes may be late, and limits of memory hit the wrong one. A fault shows when its test is alone, too.
    for args, name in again:
        print(f"failed beside others, runs again alone: {name}")
        passed, failed = run(*args, f"only={name}" if args[2] == "soak.py" else name)
        counts[0] += passed
        counts[1] += len(failed)
        if passed and not failed:
            # build.sh counts these lines: more than two fail the run.
            print(f"flake: {name} ({args[0]}) failed beside others and passed alone")
    judged, otherwise = judged_the_same()
    # One check: there are records, and both judge all of them the same.
    counts[1 if otherwise or not judged else 0] += 1
    print(f"\n{counts[0]} passed, {counts[1]} failed")
    return 1 if counts[1] else 0


if __name__ == "__main__":
    sys.exit(values() if sys.argv[1:] == ["values"] else main(*sys.argv[1:]))
