"""Ways for a kernel to die, and what the flight record must say about each.

A way is a cell that kills the kernel, or a function that kills it, with what the record's `end` line must contain.
As a program it prints the cells as JSON, for the browser tests: `{name: {"code": …, "cause": …, "limited": …}}`."""

import contextlib
import json
import os
import pathlib
import platform
import signal
import sys
import time

CELL = pathlib.Path(__file__).resolve().parents[2] / "probe/cell"
CGROUP = pathlib.Path("/sys/fs/cgroup/memory")
LIMIT = 400 << 20
# Code that calls itself until the stack is full, and an invalid instruction.
RECURSE, ILLEGAL = {"x86_64": ("e8fbffffff", "0f0b"), "aarch64": ("fd7bbfa9ffffff97", "00000000")}.get(platform.machine(), ("", ""))

MACHINE_CODE = """
import ctypes, mmap
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(bytes.fromhex("%s"))
ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
"""
BUS = """
import mmap, tempfile
file = tempfile.TemporaryFile()
file.truncate(8192)
page = mmap.mmap(file.fileno(), 8192)
file.truncate(0)
page[4096]
"""
# From 3.12 on, Python notices when its own recursion fills the stack.
DEEP = """
import sys
sys.setrecursionlimit(10**7)
def sink(n): return sorted([n + 1], key=sink)
sink(0)
"""
CHUNKS = """
import time
kept = []
while True:
    kept.append(b"x" * (20 << 20))
    time.sleep(0.02)
"""
# A single call in C, which never releases the GIL.
HELD = "kept = [0] * (2 << 30)"


# Causes that depend on what was full.
FULL = "disk-full", "shared-memory-exhausted"


class Group:
    """A memory control group with a limit; version 1, needs root."""

    def __init__(self):
        self.path = CGROUP / f"nbmedic-{os.getpid()}-{time.monotonic_ns()}"
        self.path.mkdir()
        (self.path / "memory.limit_in_bytes").write_text(str(LIMIT))

    def hold(self, pid):
        (self.path / "cgroup.procs").write_text(str(pid))

    def close(self):
        for _ in range(100):
            with contextlib.suppress(OSError):
                for pid in (self.path / "cgroup.procs").read_text().split():
                    (CGROUP / "cgroup.procs").write_text(pid)
                self.path.rmdir()
                return
            time.sleep(0.05)


def no_group():
    """Why no memory limit can be set here, or an empty string."""
    if not (CGROUP / "memory.limit_in_bytes").exists():
        return "no control groups of version 1 on this machine"
    try:
        Group().close()
    except OSError as error:
        return f"a control group cannot be made: {error.strerror}"
    return ""


def status(number):
    return lambda end: end.get("st") == number


def verdict(lines):
    """The `end` line of a record, with the verdict that the start cell would make."""
    end = next(line for line in reversed(lines) if line["k"] == "end")
    xids = [[x["x"], end["t"] - x["t"], "Out Of Range Address" in x.get("msg", "")] for x in lines if x["k"] == "xid"]
    rules = {}
    exec((CELL / "judge.py").read_text(), rules)
    # A cell was running if the last one that began did not end.
    runs = [line for line in lines if line["k"] in ("run", "ran")]
    if runs and runs[-1]["k"] == "run":
        end = {**end, "n": runs[-1]["n"]}
    cause, sure, words = rules["judge"](end, xids)
    return {**end, "cause": cause, "sure": sure, "words": words}


class Death:
    """A way to die, and the cause that must be told (or one of several)."""

    def __init__(self, name, act, cause, proof=lambda end: True, limited=False, server=False, folder=None, shm=False):
        self.name, self.act, self.proof = name, act, proof
        self.causes = (cause,) if isinstance(cause, str) else cause
        # Whether it needs a memory limit ("late": the act sets it), whether it needs a server ("ends": which the act ends,
        # "culls": which ends idle kernels), and what makes its working folder.
        self.limited, self.server, self.folder = limited, server, folder
        # Whether it needs a small /dev/shm of its own.
        self.shm = shm

    @property
    def cause(self):
        return self.causes[0]

    def judge(self, end):
        """`right`, `unknown` or `wrong`. Without a status the cause may still be known; then it must be right. That the disk was full is
        not seen if the sampler had no processor at that moment; the words leave it open then."""
        if end["cause"] in self.causes and (not end.keys() & {"st", "exec"} or self.proof(end)):
            return "right"
        return "unknown" if end["cause"] == "unknown" or self.cause in FULL and "had no room" in end["words"] else "wrong"


class Life(Death):
    """What a kernel survives: no death may be told."""

    def __init__(self, name, act, **needs):
        super().__init__(name, act, "", **needs)


def cell(code):
    def act(kernel):
        kernel.start(code)

    act.code = code
    return act


def until_it_runs(kernel):
    """Waits until the record says that a cell runs."""
    # Those who only judge records have no Jupyter.
    from kernels import record, until

    until("the cell's start", lambda: [line["k"] for line in record(kernel.folder) if line["k"] in ("run", "ran")][-1:] == ["run"])
    time.sleep(0.2)


def killed(number, before=""):
    def act(kernel):
        kernel.start(before + "import time; time.sleep(600)")
        until_it_runs(kernel)
        os.kill(kernel.pid, number)

    return act


def worker_then_killed(kernel):
    """A child of the kernel runs out of memory and the kernel survives; a second later something else kills it."""
    kernel.run("import subprocess, sys; print(subprocess.run([sys.executable, '-c', 'b\"x\" * (2 << 30)']).returncode)")
    time.sleep(1)
    os.kill(kernel.pid, signal.SIGKILL)


def restart(kernel):
    kernel.server.ask("POST", f"/api/kernels/{kernel.id}/restart")


def server_gone(kernel):
    kernel.server.process.send_signal(signal.SIGKILL)


def crash(number, *words):
    def proof(end):
        return end["st"] & 127 == number and any(word in end.get("fault", "") for word in words)

    return proof


DEATHS = [
    Death("out of memory, in steps", cell(CHUNKS), "host-oom", status(9), limited=True),
    Death("out of memory, GIL held", cell(HELD), "host-oom", status(9), limited=True),
    Death("SIGKILL", killed(signal.SIGKILL), "kernel-died", status(9)),
    Death("SIGKILL, worker out of memory before", worker_then_killed, "kernel-died", status(9), limited=True),
    Death("segmentation fault", cell("import ctypes; ctypes.string_at(0)"), "native-crash", crash(11, "Segmentation")),
    Death("abort", cell("import os; os.abort()"), "native-crash", crash(6, "Abort")),
    Death("bus error", cell(BUS), "native-crash", crash(7, "Bus")),
    Death("illegal instruction", cell(MACHINE_CODE % ILLEGAL), "native-crash", crash(4, "Illegal")),
    (
        Death("stack overflow", cell(DEEP), "native-crash", lambda end: end["st"] & 127 == 11 and end.get("deep") == 1)
        if sys.version_info < (3, 12)
        else Death("stack overflow", cell(MACHINE_CODE % RECURSE), "native-crash", crash(11, "Segmentation"))
    ),
    Death("os._exit(3)", cell("import os; os._exit(3)"), "kernel-died", status(3 << 8)),
    Death("restart by the person", restart, "clean-exit", status(0), server=True),
    Death("server gone", server_gone, "kernel-died", lambda end: end.get("par") == 0, server="ends"),
]


if __name__ == "__main__":
    cells = {death.name: death for death in DEATHS if hasattr(death.act, "code")}
    print(json.dumps({name: {"code": d.act.code.strip(), "cause": d.cause, "limited": d.limited} for name, d in cells.items()}))
