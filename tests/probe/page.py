"""Lets a kernel die in each of some forty ways and writes what the next kernel's start cell says: `page.py CELL OUT`, run by the Python
whose kernels to use. OUT is tests/fixtures/deaths.jsonl, from which a test makes docs/deaths.md (tests/deaths.rs)."""

import contextlib
import json
import pathlib
import subprocess
import sys

from corners_test import Notebook, start
from deaths import DEATHS, Group, no_group
from kernels import SMALL_SHM, Kernel, Reaper, Server, text, until
from ways import WAYS

# The ways, under the heading of the page.
SHOWN = {
    "Memory": (
        "out of memory, in steps", "out of memory, GIL held", "out of memory, files in shared memory", "a guard near the limit",
        "bus error, shared memory was full", "bus error, a file in full shared memory is left", "bus error, the disk was full",
    ),
    "Crashes": (
        "segmentation fault", "segmentation fault, in a thread", "abort", "C++ without a handler", "C++ without memory", "freed twice",
        "failed assertion in C", "fatal error of Python", "illegal instruction", "division by zero, by the fault handler", "breakpoint",
        "stack overflow", "bus error",
    ),
    "Signals from outside": (
        "SIGKILL", "SIGKILL, idle", "SIGTERM, busy", "SIGHUP", "SIGABRT of a watchdog", "SIGSEGV, idle", "a child of C crashed, and the kernel exits",
    ),
    "Limits, alarms and pipes": (
        "limit of processor time", "hard limit of processor time", "limit of file size", "alarm", "closed pipe", "system call that a sandbox forbids",
    ),
    "It ended itself": (
        "os._exit(0) in a cell", "os._exit(3)", "exit after the folder changed", "exit after the record was deleted",
        "another program in its place", "quit()",
    ),
    "Its server": ("restart by the person", "restart while a cell runs", "restart of a kernel that hangs", "shutdown, idle", "server gone", "the server ends, idle"),
}


def play(way, cell):
    """Plays a way, and returns what the next kernel's start cell says. None if this machine can't play it."""
    if way.limited and no_group() or way.shm and subprocess.run([*SMALL_SHM, "true"], stderr=subprocess.DEVNULL).returncode:
        return None
    with contextlib.ExitStack() as stack:
        env = {"JPY_SESSION_NAME": "a.ipynb"}
        server = Server(**env) if way.server else Reaper(SMALL_SHM * way.shm, **env)
        stack.callback(server.close)
        folder = way.folder and stack.enter_context(way.folder(server.root))
        kernel = Kernel(server, folder)
        kernel.cell = cell
        if way.limited:
            group = Group()
            stack.callback(group.close)
            group.hold(kernel.pid)
        start(kernel)
        way.act(kernel)
        until(f"the end ({way.name})", lambda: kernel.lines("end"), 60)
        with Notebook() as notebook:
            notebook.at = kernel.folder
            said = text(notebook.kernel().run(cell))
        return said.partition("\nnbmedic: ")[0]


def main(path, out):
    cell, ways = pathlib.Path(path).read_text(), {way.name: way for way in DEATHS + WAYS}
    rows, missing = [], []
    for heading, names in SHOWN.items():
        for name in names:
            said = play(ways[name], cell)
            print(name, "left out" if said is None else said.split("\n")[-1][:120], flush=True)
            if said is None:
                missing.append(name)
            else:
                rows.append({"part": heading, "name": name, "code": getattr(ways[name].act, "code", ""), "said": said})
    if missing:
        sys.exit(f"not written: this machine can't play {', '.join(missing)}")
    pathlib.Path(out).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
