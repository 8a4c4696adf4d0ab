"""Lets real kernels die in every way and reads the flight record: `soak.py CELL ROUNDS [KEY=VALUE …]`, run by the Python whose
kernels to test. The keys are passed to the sampler, except `only=PART` (only deaths whose name contains it) and `parent=reaper`
(a parent that reaps its kernels at once). Prints a line per death, and exits with 1 if a verdict was wrong or too few were
reached. With `info=0` and `parent=reaper` together, no status may be left to read, so only wrong verdicts count."""

import json
import os
import pathlib
import shutil
import sys
import time

from deaths import DEATHS, LIMIT, Group, no_group, verdict
from kernels import Kernel, Reaper, Server, record, text, until

NEEDED = 0.95
LATE = 200  # maximum age, in ms, of the last figure when memory ran out


def last_memory(lines, end):
    """The control group's last memory figure: its age at the end in ms, and its share of the limit."""
    state = {}
    for line in lines:
        if line["k"] == "s":
            # A figure that a line omits has not changed.
            state.update(line)
    return end["t"] - state["t"], state["cg"][0] / LIMIT


def die(server, death, cell):
    """One death: whether the verdict is right, the `end` line, the record. If the sampler died too, there is no such line."""
    kernel, group = Kernel(server), None
    try:
        if death.limited:
            group = Group()
            group.hold(kernel.pid)
        said = text(kernel.run(cell))
        assert "⟦nbmedic:1 {" in said, said
        # The sampler is running and has an earlier sample to compare with.
        until("the first sample", lambda: kernel.lines("s"))
        time.sleep(0.25)
        death.act(kernel)
        try:
            until(f"the end of the record ({death.name})", lambda: kernel.lines("end"))
        except TimeoutError as late:
            # The sampler is in the same full memory group, and Python allocates pages.
            if not death.limited:
                raise
            return "unknown", {"k": "none", "why": str(late)}, record(kernel.folder)
        lines = record(kernel.folder)
        end = verdict(lines)
        if os.environ.get("NBMEDIC_RECORDS"):
            # For the library, which must judge them in the same way.
            kept = pathlib.Path(os.environ["NBMEDIC_RECORDS"], f"{death.name} {os.getpid()}-{time.time_ns()}.jsonl".replace(" ", "-"))
            shutil.copy(kernel.folder / "nbmedic-flight.jsonl", kept)
        return death.judge(end), end, lines
    finally:
        kernel.close()
        if group:
            group.close()


def soak(cell, rounds, keys=(), only="", parent=Server):
    """Prints the results. Returns the number of wrong verdicts."""
    bad, missing, server = 0, no_group(), None
    forgets = parent is Reaper and "info=0" in keys
    try:
        for death in DEATHS:
            if only not in death.name or death.server and parent is Reaper:
                continue
            if death.limited and missing:
                print(f"left out: {death.name}: {missing}")
                continue
            counts, odd, ages, parts = {"right": 0, "unknown": 0, "wrong": 0}, [], [], []
            for _ in range(rounds):
                if server is None or not server.alive():
                    if server:
                        server.close()
                    server = parent(NBMEDIC_PROBE=" ".join(keys))
                named, end, lines = die(server, death, cell)
                counts[named] += 1
                if named != "right":
                    odd.append(end)
                if death.cause == "host-oom" and end["k"] == "end":
                    age, part = last_memory(lines, end)
                    ages.append(age)
                    parts.append(part)
            fine = counts["wrong"] == 0 and (forgets or counts["right"] >= NEEDED * rounds)
            note = ""
            if ages:
                ages.sort()
                note = f"; last figure of memory {ages[len(ages) // 2]} ms before the end (at most {ages[-1]}), at {min(parts):.0%} of the limit or more"
                # The call that holds the GIL stops everything in the kernel, but must not stop the sampler. A single
                # round proves little on a busy machine.
                fine = fine and ("GIL" not in death.name or ages[int(0.95 * len(ages)) - 1] <= (LATE if rounds >= 20 else 5 * LATE))
            words = ", ".join(f"{count} {word}" for word, count in counts.items())
            print(f"{death.name:36} {words}{note}{'' if fine else '  FAILED'}", *map(json.dumps, odd), sep="\n    ", flush=True)
            bad += not fine
    finally:
        if server:
            server.close()
    return bad


if __name__ == "__main__":
    path, rounds, *keys = sys.argv[1:]
    own = dict(key.split("=", 1) for key in keys if key.startswith(("only=", "parent=")))
    keys = [key for key in keys if not key.startswith(("only=", "parent="))]
    parent = Reaper if own.get("parent") == "reaper" else Server
    sys.exit(1 if soak(pathlib.Path(path).read_text(), int(rounds), keys, own.get("only", ""), parent) else 0)
