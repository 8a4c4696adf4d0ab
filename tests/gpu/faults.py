"""The part `probe`: the samplers on a real GPU, beside nvidia-smi; memory that fills; faults, and what was seen of them.

Expectations are written here, before anything has run on a GPU. `record` is the verdict from the flight record, `text` the
diagnosis of what the program printed; several where the driver may choose."""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import cuda
import sampling
from sampling import KINDS, Sampler, Smi
from steps import not_run, passed

HERE = pathlib.Path(__file__).resolve().parent
OPTIONS = {}

# A fault in a program that ends itself: with an exception, or with abort(), as C++ does when nothing catches.
DRIVER = (
    ("illegal", ["cuda-illegal-access"], [31]),
    ("misaligned", ["cuda-illegal-access", "cuda-launch-failed"], [13]),
    ("trap", ["cuda-launch-failed"], [13, 43]),
    ("stack", ["cuda-illegal-access", "cuda-launch-failed"], [13, 31]),
    ("assert", ["cuda-device-assert"], [43, 13]),
    ("block", ["cuda-launch-failed", "cuda-misuse"], []),
    ("memory", ["gpu-oom"], []),
)
IN_TORCH = """
import sys, torch
sys.path.insert(0, {here!r})
import cuda
x = torch.zeros(4, device="cuda")
torch.cuda.synchronize()
"""
TORCH = {
    "illegal": "cuda.Driver().launch('illegal'); torch.cuda.synchronize()",
    "trap": "cuda.Driver().launch('trap'); torch.cuda.synchronize()",
    "stack": "cuda.Driver().launch('stack'); torch.cuda.synchronize()",
    "assert": "x[torch.tensor([0, 99], device='cuda')]; torch.cuda.synchronize()",
    "memory": "torch.empty(1 << 50, dtype=torch.uint8, device='cuda')",
}
TORCH_TEXT = {**{name: text for name, text, _ in DRIVER}, "block": None}


def main(part):
    nvml = part.options["played"]
    any_gpu = bool(part.options["gpu"] or nvml)
    for kind in KINDS:
        part.step(f"fields {kind}", 60, kind, nvml, gpu=False) if any_gpu else part.write(f"fields {kind}", not_run("no GPU"))
        part.step(f"growth {kind}", 60, kind, nvml, gpu=False) if any_gpu else part.write(f"growth {kind}", not_run("no GPU"))
    part.step("no-fault", 60, "nothing", "driver", "raise")
    endings = ("raise", "abort")
    for fault, text, xids in DRIVER:
        for end in endings:
            part.step(f"fault {fault} driver {end}", 60, fault, "driver", end, text, xids)
    for fault in TORCH:
        text, xids = next((text, xids) for name, text, xids in DRIVER if name == fault)
        for end in endings:
            part.step(f"fault {fault} torch {end}", 90, fault, "torch", end, text, xids)
    # What stands in for the GPU here is a program that ends in the same ways; it shows that the steps work, not more.
    if not part.options["gpu"]:
        for end in endings:
            part.step(f"rehearse {end}", 30, end, gpu=False)
    part.step("log", 20, gpu=False)


# --- figures ----------------------------------------------------------------------------------

BUSY = """
import sys, time
sys.path.insert(0, {here!r})
import cuda
driver = cuda.Driver()
driver.enter()
kept = driver.allocate(1 << 30)
print("ready", flush=True)
try:
    import torch
    a = torch.randn(4096, 4096, device="cuda")
    while True:
        for _ in range(50): a @ a
        torch.cuda.synchronize()
except ImportError:
    time.sleep(600)
"""
IDLE = "import time\nprint('ready', flush=True)\ntime.sleep(600)\n"
GROW = """
import sys
sys.path.insert(0, {here!r})
import cuda
print("ready", flush=True)
sys.stdin.readline()
driver = cuda.Driver()
driver.enter()
try:
    driver.fill(50, 0.1)
except cuda.CudaError as error:
    print(error, flush=True)
import time
time.sleep(2)
"""


@contextlib.contextmanager
def program(code, **more):
    process = subprocess.Popen(
        [sys.executable, "-c", code.format(here=str(HERE))], stdin=subprocess.PIPE, stdout=subprocess.PIPE, universal_newlines=True, **more,
    )
    try:
        process.stdout.readline()
        yield process
    finally:
        process.kill()
        process.wait()


def against():
    return "real NVML" if OPTIONS["gpu"] else "played NVML"


def step_fields(kind, nvml):
    """Every figure of the record beside nvidia-smi's of the same second, five times; and what the record says of the GPUs."""
    smi = Smi()
    with program(BUSY if OPTIONS["gpu"] else IDLE) as process:
        sampler = Sampler(kind, process.pid, nvml)
        try:
            if not sampler.until(sampling.rows_of):
                return {"status": "failed", "why": "no sample has a GPU", "lines": sampler.lines()[:3]}
            seen = compare(sampler, smi, process.pid)
            lines = sampler.lines()
        finally:
            sampler.close()
    gpus, row = sampling.gpus_of(lines), sampling.rows_of(lines)[-1][1]
    # A figure is there, or there is a reason.
    silent = [name for name, value in zip(("mem", "mem", "util", "temp", "watt", "why", "ecc", "own"), row) if value is None and name not in gpus[0].get("na", {})]
    found = {"against": against(), "gpus": [safe(gpu) for gpu in gpus], "row": row, "without_reason": silent, "seen": seen}
    if not smi.path:
        return passed(not silent, words="no nvidia-smi to compare with: figures and reasons only", **found)
    wrong = sorted({field for one in seen for field, said in one.items() if isinstance(said, list) and said[2] is False})
    # What changes by the moment may differ once; what differs most of the time is wrong.
    wrong = [field for field in wrong if sum(one[field][2] is False for one in seen) > len(seen) // 2]
    return passed(not silent and not wrong and bool(seen), differ=wrong, same_gpu=same_gpu(gpus, smi), **found)


def compare(sampler, smi, pid):
    seen = []
    for _ in range(5 if smi.path else 0):
        time.sleep(1)
        start = time.time() * 1000
        theirs, processes = smi.gpus(), smi.processes()
        end = time.time() * 1000
        sampler.until(lambda lines: sampling.rows_of(lines) and sampling.rows_of(lines)[-1][0] > (start + end) / 2, 2)
        if theirs:
            own = processes.get(pid) if processes is not None else None
            seen.append(sampling.beside(sampler.lines(), 0, theirs[0], own, start, end))
    return seen


def safe(gpu):
    """A GPU's description without what identifies this one."""
    return {name: value for name, value in gpu.items() if name not in ("u", "of", "pci")}


def same_gpu(gpus, smi):
    """Whether number, names, UUIDs and bus ids are nvidia-smi's."""
    theirs = smi.gpus()
    pairs = zip(gpus, theirs)
    tail = lambda pci: str(pci).lower().split(":", 1)[-1]
    return len(gpus) >= len(theirs) > 0 and all(
        a.get("mig") or (a.get("u") == b.get("uuid") and a.get("n") == b.get("name") and tail(a.get("pci")) == tail(b.get("pci"))) for a, b in pairs
    )


def step_growth(kind, nvml):
    """Memory that fills in some seconds: the record follows it to the end."""
    code, script = (GROW, None) if OPTIONS["gpu"] else (IDLE, {**os.environ, "FAKE_NVML": "grow"})
    with program(code) as process:
        saved = os.environ.get("FAKE_NVML")
        if script:
            os.environ["FAKE_NVML"] = "grow"
        try:
            sampler = Sampler(kind, process.pid, nvml)
        finally:
            if script:
                os.environ.pop("FAKE_NVML")
                if saved is not None:
                    os.environ["FAKE_NVML"] = saved
        try:
            sampler.until(sampling.rows_of, 5)
            process.stdin.write("\n")
            process.stdin.flush()
            full = lambda lines: [row for _, row in sampling.rows_of(lines) if row[0] >= 0.97 * row[1]]
            sampler.until(full, 40)
            rows = sampling.rows_of(sampler.lines())
        finally:
            sampler.close()
    used = [row[0] for _, row in rows]
    changes = [(t, u) for (t, row), u in zip(rows, used) if u > 1.02 * used[0] or u == max(used)]
    gaps = [b[0] - a[0] for a, b in zip(changes, changes[1:])]
    most = max(used) / rows[-1][1][1] if rows else 0
    return passed(
        most >= 0.97 and len(changes) >= 3, against=against(), samples=len(rows), on_the_way=len(changes), longest_gap_ms=max(gaps, default=None),
        most_percent=round(100 * most, 1), rising=all(a <= b for a, b in zip(used, used[1:])), curve=[[t - rows[0][0], u // sampling.MIB] for t, u in changes[:80]],
    )


# --- faults -----------------------------------------------------------------------------------


def command(fault, by, end):
    """The program that does it, waiting for a line first, so that the samplers are there."""
    wait = "import sys; sys.stdin.readline()\n"
    if by == "driver":
        return wait + f"sys.path.insert(0, {str(HERE)!r})\nimport cuda\ncuda.main({fault!r}, {end!r})\n"
    body = IN_TORCH.format(here=str(HERE)) + TORCH[fault]
    if end == "abort":
        body = "import os\ntry:\n" + "".join("    " + line + "\n" for line in body.splitlines()) + "except RuntimeError:\n"
        body += "    sys.excepthook(*sys.exc_info()); sys.stderr.flush(); os.abort()\n"
    return wait + body


def step_no_fault(fault, by, end):
    """A kernel that does nothing wrong: no Xid, no complaint, no death."""
    found = watch(command(fault, by, end))
    return passed(found["status_word"] == "exit 0" and not found["xids"] and not found["diagnoses"], **found)


def step_fault(fault, by, end, text, xids):
    found = watch(command(fault, by, end))
    if found["status_word"] == "exit 0":
        return {"status": "failed", "why": "nothing went wrong", **found}
    said = found["diagnoses"][:1]
    right = bool(said) and said[0] in text
    # With a bad address and abort() the record must name the GPU; an exit with a code is only that.
    causes = {kind: found["verdicts"].get(kind, [None])[0] for kind in KINDS}
    wanted = ["kernel-died"]
    # PyTorch may abort() on its way out after an exception, too.
    if found["status_word"] == "signal SIGABRT":
        wanted = ["cuda-illegal-access"] if 31 in found["xids"] else ["native-crash", "cuda-illegal-access"]
    record = all(cause in wanted for cause in causes.values())
    return passed(
        right and record, wanted_text=text, wanted_record=wanted, wanted_xids=xids, xid_as_expected=bool(set(xids) & set(found["xids"])) if xids else not found["xids"], **found,
    )


def step_rehearse(end):
    """The same path without a GPU: a program that prints the driver's words and ends in this way."""
    words = "raise RuntimeError('CUDA error: an illegal memory access was encountered')"
    code = "import os, sys; sys.stdin.readline()\n"
    code += words if end == "raise" else f"try:\n    {words}\nexcept RuntimeError:\n    sys.excepthook(*sys.exc_info()); sys.stderr.flush(); os.abort()\n"
    found = watch(code, OPTIONS["played"] or "")
    wanted = "kernel-died" if end == "raise" else "native-crash"
    right = all(found["verdicts"].get(kind, [None])[0] == wanted for kind in KINDS)
    well = right and (not OPTIONS["engine"] or found["diagnoses"][:1] == ["cuda-illegal-access"])
    return passed(well, words="without a GPU: words and end are played", **found)


def watch(code, nvml=""):
    """Runs a program under both samplers; what it said, how it ended, and what each recorded."""
    log = Log()
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=tempfile.gettempdir(),
    )
    samplers = {kind: Sampler(kind, process.pid, nvml) for kind in KINDS}
    try:
        for sampler in samplers.values():
            sampler.until(lambda lines: any(line["k"] == "s" for line in lines))
        process.stdin.write(b"\n")
        process.stdin.flush()
        # The process stays unreaped until the samplers have read how it ended.
        said = process.stderr.read().decode(errors="replace")
        records = {kind: sampler.until(lambda lines: lines if lines and lines[-1]["k"] == "end" else None) or sampler.lines() for kind, sampler in samplers.items()}
        status = process.wait()
    finally:
        process.kill()
        process.wait()
        for sampler in samplers.values():
            sampler.close()
    xids = sorted({line["x"] for lines in records.values() for line in lines if line["k"] == "xid"})
    return {
        "status_word": f"signal {signal.Signals(-status).name}" if status < 0 else f"exit {status}",
        "said": shortened(said), "diagnoses": diagnosed(said), "xids": xids,
        "xid_lines": {kind: [safe_xid(line) for line in lines if line["k"] == "xid"] for kind, lines in records.items()},
        "verdicts": {kind: verdict(lines) for kind, lines in records.items()},
        "library": {kind: library(lines) for kind, lines in records.items()}, "log": log.new(),
        "ends": {kind: next((line for line in lines if line["k"] == "end"), None) for kind, lines in records.items()},
    }


def safe_xid(line):
    return {name: value for name, value in line.items() if name != "u"}


def shortened(said):
    said = re.sub(r'File "[^"]*/', 'File "/content/', said)
    return said if len(said) < 3000 else said[:1000] + "\n…\n" + said[-2000:]


def verdict(lines):
    """By the readable cell's rules."""
    end = next((line for line in lines if line["k"] == "end"), None)
    if end is None:
        return ["no end", "", ""]
    xids = [[line["x"], end["t"] - line["t"], 0] for line in lines if line["k"] == "xid"]
    return list(sampling.judge(end, xids))


def library(lines):
    """By the engine's rules: what the command line says of the record."""
    with tempfile.TemporaryDirectory(prefix="nbmedic-record-") as folder:
        path = pathlib.Path(folder) / "nbmedic-flight.jsonl"
        path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines), encoding="utf-8")
        return triage([str(path)])


def diagnosed(text):
    with tempfile.TemporaryDirectory(prefix="nbmedic-text-") as folder:
        path = pathlib.Path(folder) / "output.txt"
        path.write_text(text, encoding="utf-8")
        return triage([str(path)])


def triage(paths):
    if not OPTIONS["engine"]:
        return []
    done = subprocess.run([OPTIONS["engine"], "triage", *paths, "--format", "json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return [said["id"] for line in done.stdout.decode().splitlines() for said in json.loads(line)["diagnoses"]]


class Log:
    """The kernel log's lines from now on, of the NVIDIA driver only."""

    def __init__(self):
        self.file, self.why = None, ""
        try:
            self.file = os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK)
            os.lseek(self.file, 0, os.SEEK_END)
        except OSError as error:
            self.why = error.strerror

    def new(self):
        if self.file is None:
            return {"unreadable": self.why}
        found = []
        while True:
            try:
                line = os.read(self.file, 8192).decode(errors="replace").partition(";")[2].strip()
            except BrokenPipeError:
                continue
            except OSError:
                break
            if "NVRM" in line or "nvidia" in line.lower():
                found.append(line[:300])
        os.close(self.file)
        return {"lines": found[:20]}


def step_log():
    """Whether the kernel log can be read here at all."""
    log = Log()
    return {"status": "seen", "readable": log.file is not None, "words": log.why}
