"""Lets real kernels die in every way and reads the flight record: `soak.py CELL ROUNDS [KEY=VALUE …]`, run by the Python whose
kernels are meant. Prints a line per way, exits 1 when a death was named wrongly or too few were named."""

import json
import pathlib
import sys
import time

from deaths import DEATHS, LIMIT, Group, no_group
from kernels import Kernel, Server, record, text, until

NEEDED = 0.95


def last_memory(lines, end):
    """Of the memory control group: how old its last figure was at the end (ms), and which part of the limit it was."""
    samples = [line for line in lines if line["k"] == "s" and "cg" in line and line["t"] <= end["t"]]
    return (end["t"] - samples[-1]["t"], samples[-1]["cg"][0] / LIMIT) if samples else (None, 0)


def die(server, death, cell):
    """One death: the verdict on the verdict, the `end` line, the record."""
    kernel, group = Kernel(server), None
    try:
        if death.limited:
            group = Group()
            group.hold(kernel.pid)
        said = text(kernel.run(cell))
        assert "⟦nbmedic:1 {" in said, said
        # The sampler is at work, and has something to compare with.
        until("the first sample", lambda: kernel.lines("s"))
        time.sleep(0.25)
        death.act(kernel)
        try:
            end = until(f"the end of the record ({death.name})", lambda: kernel.lines("end"), 60)[-1]
        except TimeoutError as error:
            print(error, json.dumps(record(kernel.folder)[-3:]))
            end = None
        return death.judge(end), end, record(kernel.folder)
    finally:
        if server.process.poll() is None:
            kernel.close()
        if group:
            group.close()


def soak(cell, rounds, keys=(), only=""):
    """Prints what came out; the number of ways that were named badly."""
    bad, missing = 0, no_group()
    old = "info=0" in keys
    for death in DEATHS:
        if only and only not in death.name:
            continue
        if death.limited and missing:
            print(f"  {death.name:26} left out: {missing}")
            continue
        counts, odd, ages, server = {"right": 0, "unknown": 0, "wrong": 0}, [], [], None
        try:
            for _ in range(rounds):
                if server is None or server.process.poll() is not None:
                    if server:
                        server.close()
                    server = Server(NBMEDIC_PROBE=" ".join(keys))
                verdict, end, lines = die(server, death, cell)
                counts[verdict] += 1
                if verdict != "right":
                    odd.append(end)
                if death.limited and end:
                    ages.append(last_memory(lines, end))
        finally:
            if server:
                server.close()
        # Where the parent reaps at once and Linux does not remember, nothing is left to read.
        enough = counts["right"] >= NEEDED * rounds or old
        fine = counts["wrong"] == 0 and enough
        note = ""
        if ages:
            age, part = max(a for a, _ in ages if a is not None), min(p for _, p in ages)
            note = f"  last memory figure at most {age} ms before, at least {part:.0%} of the limit"
        print(f"  {death.name:26} {counts['right']:3} right {counts['unknown']:3} unknown {counts['wrong']:3} wrong{note}{'' if fine else '  FAILED'}", flush=True)
        for end in odd:
            print("     ", json.dumps(end))
        bad += not fine
    return bad


if __name__ == "__main__":
    path, rounds, *keys = sys.argv[1:]
    only = next((key[5:] for key in keys if key.startswith("only=")), "")
    failed = soak(pathlib.Path(path).read_text(), int(rounds), [key for key in keys if not key.startswith("only=")], only)
    sys.exit(1 if failed else 0)
