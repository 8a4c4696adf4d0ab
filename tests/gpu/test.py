"""Tests what runs on a GPU as far as that is possible without one: `test.py NVML`, the library that plays NVIDIA's, built.

No test here says anything about a GPU: it shows that each part runs to its end, that the comparison with nvidia-smi finds what
differs, and that what was not run on a GPU never counts as passed."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(ROOT / "tests/frameworks")]

import faults  # noqa: E402
import keep  # noqa: E402
import outputs  # noqa: E402
import sampling  # noqa: E402
import steps  # noqa: E402

PATH = os.environ["PATH"]
NVML = os.path.abspath(sys.argv[1])


def options(folder, gpu=""):
    return {"out": folder, "seconds": 60, "quick": True, "gpu": gpu, "engine": "", "played": NVML}


def compared(*questions):
    """What the step for the figures finds beside a played nvidia-smi, for each of (lies, old)."""
    faults.OPTIONS.update(options("", ""))
    process = subprocess.Popen(["sleep", "60"])
    sampler, found = sampling.Sampler("python", process.pid, NVML), []
    try:
        assert sampler.until(sampling.rows_of), "no sample"
        for lies, old in questions:
            os.environ.update(PATH=f"{HERE / 'played'}:{PATH}", SMI_LIES=lies, SMI_OLD=old)
            smi = sampling.Smi()
            one = sampling.beside(sampler.lines(), 0, smi.gpus()[0], None, 0, 0)
            differ = {field for field, said in one.items() if isinstance(said, list) and said[2] is False}
            found.append((differ, faults.same_gpu(sampling.gpus_of(sampler.lines()), smi)))
        return found
    finally:
        os.environ.update(PATH=PATH)
        sampler.close()
        process.kill()
        process.wait()


def what_differs_is_found_and_nothing_else():
    lies = "memory.used:9000,temperature.gpu:90,power.draw:300,ecc.errors.uncorrected.volatile.total:3,utilization.gpu:0,clocks.sm:1980"
    reason, unknown = "clocks_event_reasons.active:0x0000000000000001,uuid:GPU-1", "temperature.gpu:[N/A]"
    said = compared(("", ""), ("", "1"), (lies, ""), (reason, ""), (unknown, ""))
    assert said[0] == (set(), True)
    assert said[1] == (set(), True), "the older name of a field"
    assert said[2][0] == {"used", "temperature", "watts", "ecc", "utilisation", "sm_clock"}
    assert said[3] == ({"throttle"}, False)
    assert said[4] == (set(), True), "what nvidia-smi does not know is no difference"


def alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def a_step_that_hangs_is_ended():
    with tempfile.TemporaryDirectory() as folder:
        code = "import subprocess, sys, time; subprocess.Popen(['sleep', '987'], start_new_session=True); time.sleep(60)"
        process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
        while not steps.family(process.pid):
            pass
        below = steps.family(process.pid)
        steps.end_family(process)
        end = time.monotonic() + 60
        while any(alive(pid) for pid in below):
            assert time.monotonic() < end, "a descendant lives on"
        part = steps.Part("probe", options(folder))
        assert part.step("fault illegal", 10)["why"] == "no GPU"
        assert part.write("x", steps.passed(True))["status"] == "rehearsed"
        part.options["gpu"] = "NVIDIA T4"
        assert part.write("x", steps.passed(True))["status"] == "passed"
        part.end = 0
        assert part.step("fault illegal", 10)["why"] == "out of time"


def the_programs_are_programs():
    found = [(program, case) for program, case in outputs.programs() if program.family != "rehearsal"]
    names = [case.name for _, case in found]
    assert len(set(names)) == len(names), "names are unique"
    assert sum(case.label != "none" for _, case in found) >= 60 and sum(case.label == "none" for _, case in found) >= 20
    for program, case in found:
        lines = ["pass" if line.startswith("!") else line for line in ("\n".join(program.setup) + "\n" + case.source).split("\n")]
        compile("\n".join(lines), case.name, "exec")
        assert case.seconds <= 200, case.name


def only_a_real_gpus_results_are_kept():
    with tempfile.TemporaryDirectory() as folder:
        folder, root = pathlib.Path(folder) / "out", pathlib.Path(folder) / "root"
        folder.mkdir()
        made = {"id": "x", "label": "none", "also": [], "facts": {}, "text": "", "made": {"gpu": "NVIDIA T4", "program": "gpu/memory.ipy", "python": "3.12.3"}}
        (folder / "outputs.jsonl").write_text(json.dumps(made) + "\n")
        (folder / "proofs.jsonl").write_text(json.dumps({"name": "gpu/x", "captured": {"cell": 1}}) + "\n")
        for machine in ({}, {"gpu": "NVIDIA T4", "played": True}):
            (folder / "capture-summary.json").write_text(json.dumps({"machine": machine}))
            assert "not of a real GPU" in keep.main(folder, root) and not root.exists()
        (folder / "capture-summary.json").write_text(json.dumps({"machine": {"gpu": "NVIDIA T4", "played": False}}))
        assert keep.main(folder, root) == 0
        assert (root / "tests/fixtures/outputs/gpu.jsonl").exists() and (root / "tests/proof/captured/gpu/x.json").exists()


def all_of_it_runs_to_its_end():
    """Every part, without a network, as on a machine with a GPU; here nothing may pass."""
    with tempfile.TemporaryDirectory() as folder:
        alone = ["unshare", "-n"] if os.geteuid() == 0 and shutil.which("unshare") else []
        call = [*alone, sys.executable, str(HERE / "run.py"), "all", "--quick", "--out", folder]
        done = subprocess.run(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "NBMEDIC_GPU_PLAYED": NVML}, timeout=300)
        said = done.stdout.decode(errors="replace")
        assert done.returncode == 0, said
        for part in ("probe", "capture", "prove"):
            lines = [json.loads(line) for line in (pathlib.Path(folder) / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()]
            assert lines[0]["step"] == "machine" and not lines[0].get("gpu"), said
            assert not [line for line in lines if line["status"] in ("passed", "failed")], said
            assert [line for line in lines if line["status"] == "rehearsed" and line["step"] != "programs"], f"{part}: {said}"
            assert [line for line in lines if line["status"] == "not run" and line["why"] == "no GPU"], said
        assert keep.main(folder).endswith("not of a real GPU: capture-summary.json, probe-summary.json, prove-summary.json")


TESTS = (
    what_differs_is_found_and_nothing_else, a_step_that_hangs_is_ended, the_programs_are_programs, only_a_real_gpus_results_are_kept,
    all_of_it_runs_to_its_end,
)

if __name__ == "__main__":
    wrong = 0
    for test in TESTS if not __import__("cuda").real()[0] else TESTS[:-1]:
        try:
            test()
            print(f"ok   {test.__name__}", flush=True)
        except Exception as error:  # noqa: BLE001
            wrong += 1
            print(f"FAIL {test.__name__}: {type(error).__name__}: {error}", flush=True)
    print(f"{len(TESTS) - wrong} passed, {wrong} failed")
    sys.exit(1 if wrong else 0)
