"""The samplers at work on a process, and nvidia-smi's figures beside theirs."""

import contextlib
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CELL = ROOT / "probe/cell"
KINDS = ("native", "python")
MIB = 1 << 20
RUN = 'if __name__ == "__main__":\n    main(*sys.argv[1:])\n'
FIGURES = ("used", "total", "utilisation", "temperature", "watts", "throttle", "ecc", "own", "sm_clock")


def sampler_source():
    return "".join((CELL / name).read_text(encoding="utf-8") for name in ("sampler.py", "judge.py", "gpus.py"))


def judge(end, xids):
    """The readable cell's verdict: cause, certainty, words."""
    module = {"__name__": "sampler"}
    exec(sampler_source(), module)
    return module["judge"](end, xids)


class Sampler:
    """A sampler of one kind that records a process."""

    def __init__(self, kind, pid, nvml=""):
        self.kind, self.folder = kind, tempfile.mkdtemp(prefix="nbmedic-flight-")
        keys = [str(pid), self.folder, *(["nvml=" + nvml] if nvml else [])]
        program = [str(ROOT / f"dist/probe/nbmedic-probe-{platform.machine()}")]
        if kind == "python":
            program = [sys.executable, "-ISc", sampler_source() + RUN]
        elif not os.access(program[0], os.X_OK):
            raise FileNotFoundError(f"no native probe: {program[0]}")
        self.process = subprocess.Popen([*program, *keys], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.process.stdin.write(b"r")
        self.process.stdin.flush()
        if self.process.wait(20):
            raise RuntimeError(f"the {kind} sampler ended with {self.process.returncode}")

    def lines(self):
        found = []
        for name in ("nbmedic-flight.1.jsonl", "nbmedic-flight.jsonl"):
            with contextlib.suppress(FileNotFoundError):
                text = (pathlib.Path(self.folder) / name).read_text(encoding="utf-8")
                found += [json.loads(line) for line in text.splitlines(True) if line.endswith("\n")]
        return found

    def until(self, found, patience=20.0):
        """Waits until the record has what `found` looks for, and returns that."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            value = found(self.lines())
            if value:
                return value
            time.sleep(0.02)
        return None

    def close(self):
        with contextlib.suppress(OSError):
            self.process.stdin.write(b"q")
            self.process.stdin.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def gpus_of(lines):
    """The GPUs as last described, or []."""
    for line in reversed(lines):
        if "gpus" in line:
            return line["gpus"]
    return []


def rows_of(lines, gpu=0):
    """(time, row) of each sample in which the record has this GPU's figures."""
    return [(line["t"], line["g"][gpu]) for line in lines if line["k"] == "s" and len(line.get("g") or []) > gpu and line["g"][gpu]]


# --- nvidia-smi -------------------------------------------------------------------------------

# Names of the same figure in newer and in older versions.
ASKED = (
    ("uuid", "uuid"), ("name", "name"), ("pci", "pci.bus_id"), ("driver", "driver_version"), ("total", "memory.total"), ("used", "memory.used"),
    ("reserved", "memory.reserved"), ("utilisation", "utilization.gpu"), ("temperature", "temperature.gpu"), ("watts", "power.draw"),
    ("throttle", "clocks_event_reasons.active clocks_throttle_reasons.active"), ("ecc", "ecc.errors.uncorrected.volatile.total"),
    ("mig", "mig.mode.current"), ("sm_clock", "clocks.sm"), ("memory_clock", "clocks.mem"),
)


class Smi:
    """nvidia-smi, asked with what it knows."""

    def __init__(self):
        self.path = shutil.which("nvidia-smi")
        self.names = [(name, options.split()[0]) for name, options in ASKED] if self.path else []
        if not self.path or self.gpus():
            return
        # It does not know all of them: each by itself.
        self.names = []
        for name, options in ASKED:
            known = next((one for one in options.split() if self.ask(["--query-gpu=" + one])), None)
            if known:
                self.names.append((name, known))

    def ask(self, arguments):
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            call = [self.path, *arguments, "--format=csv,noheader,nounits"]
            done = subprocess.run(call, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True, timeout=20)
            if not done.returncode:
                return [[word.strip() for word in line.split(", ")] for line in done.stdout.splitlines() if line.strip()]
        return None

    def gpus(self):
        rows = self.ask(["--query-gpu=" + ",".join(known for _, known in self.names)]) or []
        return [{name: number(value) for (name, _), value in zip(self.names, row)} for row in rows]

    def processes(self):
        """MiB by process, or None if it does not say."""
        rows = self.ask(["--query-compute-apps=pid,used_memory"])
        return None if rows is None else {int(pid): number(used) for pid, used in rows if pid.isdigit()}


def number(text):
    """A figure as a number; None for `[N/A]` and the like; else the text."""
    if text.startswith("[") or text in ("N/A", ""):
        return None
    with contextlib.suppress(ValueError):
        return int(text, 16) if text.startswith("0x") else float(text)
    return text


def near(field, ours, theirs):
    """Whether two figures of the same second agree. Both read the same driver, a moment apart."""
    if field in ("used", "own"):
        return abs(ours / MIB - theirs) <= max(64, theirs * 0.02)
    if field == "total":
        # A MiB is cut off.
        return abs(ours / MIB - theirs) <= 1
    if field == "utilisation":
        return abs(ours - theirs) <= 40
    if field == "temperature":
        return abs(ours - theirs) <= 4
    if field == "watts":
        return abs(ours - theirs) <= max(25, theirs * 0.25)
    if field == "sm_clock":
        # It follows the load within a second.
        return abs(ours - theirs) <= max(200, theirs * 0.2)
    # Masks and counts; reasons for a lower clock come and go with the load.
    return int(ours) == int(theirs)


def beside(lines, gpu, theirs, own, start, end):
    """The record's figures of this second beside nvidia-smi's: by field ours, theirs, and whether they agree."""
    rows = rows_of(lines, gpu)
    at = (start + end) / 2
    t, row = min(rows, key=lambda one: abs(one[0] - at))
    found = {"apart_ms": int(abs(t - at))}
    for field, ours in zip(FIGURES, row):
        other = own if field == "own" else theirs.get(field)
        if other is not None and not isinstance(other, str):
            agree = ours is not None and near(field, ours, other)
            if field == "used" and ours is not None and not agree:
                # The old call counts the driver's reserve as used.
                agree = near(field, ours, other + (theirs.get("reserved") or 0))
        else:
            agree = None if ours is not None else True
        found[field] = [ours, other, agree]
    return found
