"""Lets real kernels die in every way and reads the flight record: `soak.py CELL ROUNDS [KEY=VALUE …]`, run by the Python whose
kernels to test. The keys are passed to the sampler, except

    ways=all       those of ways.py, too
    only=PART      only those whose name contains it
    parent=server  under a Jupyter server; parent=reaper: under a parent that reaps its kernels at once; both: by turns
    beside=8       so many kernels at once; their deaths are mostly waiting

Prints a line per way, and exits with 1 if a verdict was wrong or too few were reached. With `info=0` and `parent=reaper`
together, no status may be left to read, so only wrong verdicts count."""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time
import traceback

from deaths import DEATHS, LIMIT, Group, Life, no_group, verdict
from kernels import SMALL_SHM, Kernel, Reaper, Server, place, record, text, until
from ways import WAYS

NEEDED = 0.98
LATE = 200  # maximum age, in ms, of the last figure when memory ran out
IDLE = 8  # seconds after which a server that culls ends an idle kernel


def last_memory(lines, end):
    """The control group's last memory figure: its age at the end in ms, and its share of the limit."""
    state = {}
    for line in lines:
        if line["k"] == "s":
            # A figure that a line omits has not changed.
            state.update(line)
    return end["t"] - state["t"], state["cg"][0] / LIMIT


def keep(way, folder):
    """Keeps the record for the library, which must judge it in the same way."""
    if os.environ.get("NBMEDIC_RECORDS"):
        kept = pathlib.Path(os.environ["NBMEDIC_RECORDS"], f"{way.name} {os.getpid()}-{time.time_ns()}.jsonl".replace(" ", "-").replace("/", "-"))
        shutil.copy(place(folder) / "nbmedic-flight.jsonl", kept)


def lives(kernel, way):
    """What the kernel survived: whether it goes on, and its record says nothing else."""
    way.act(kernel)
    kernel.messages(0.3)

    def goes_on():
        # A cell that fails takes those with it that are sent before it has ended.
        with contextlib.suppress(KeyError):
            return kernel.value("1 + 1") == "2"

    until("an answer", goes_on)
    # After an end the sampler would take a moment to write it.
    time.sleep(0.5)
    ends = kernel.lines("end")
    return "wrong" if ends else "right", (ends or [{"k": "none"}])[-1], []


def dies(kernel, way):
    """One death: whether the verdict is right, the `end` line, the record. If the sampler died too, there is no such line."""
    way.act(kernel)
    try:
        until(f"the end of the record ({way.name})", lambda: kernel.lines("end"))
    except TimeoutError as late:
        # The sampler is in the same full memory group, and Python allocates pages.
        if not way.limited:
            raise
        return "unknown", {"k": "none", "why": str(late)}, record(kernel.folder)
    lines = record(kernel.folder)
    end = verdict(lines)
    keep(way, kernel.folder)
    return way.judge(end), end, lines


def play(server, way, cell):
    """Plays a way in a new kernel of the server. None if the machine can't make its folder."""
    with contextlib.ExitStack() as stack:
        folder = way.folder and stack.enter_context(way.folder(server.root))
        if way.folder and not folder:
            return None
        kernel = Kernel(server, folder)
        stack.callback(kernel.close)
        kernel.cell = cell
        if way.limited:
            kernel.group = Group()
            stack.callback(kernel.group.close)
            if way.limited != "late":
                kernel.group.hold(kernel.pid)
        said = text(kernel.run(cell))
        assert "⟦nbmedic:1 {" in said, said
        # The sampler is running and has an earlier sample to compare with.
        until("the first sample", lambda: kernel.lines("s"))
        time.sleep(0.25)
        return (lives if isinstance(way, Life) else dies)(kernel, way)


class Soak:
    def __init__(self, cell, keys, parent):
        self.cell, self.keys, self.parent = cell, keys, parent
        # Each thread has servers of its own.
        self.mine, self.made, self.lock = threading.local(), [], threading.Lock()

    def server(self, way, number):
        """A server for a way; which kind depends on the way and, by turns, on the round's number."""
        held = self.mine.__dict__
        kind = "culls" if way.server == "culls" else "server"
        if not way.server and (self.parent == "reaper" or self.parent == "both" and number % 2):
            kind = "reaper"
        if way.shm:
            kind = "small"
        if kind not in held or not held[kind].alive():
            if kind in held:
                held[kind].close()
            options = [f"--MappingKernelManager.cull_idle_timeout={IDLE}", "--MappingKernelManager.cull_interval=1"] * (kind == "culls")
            keys = " ".join(self.keys)
            held[kind] = Reaper(SMALL_SHM * (kind == "small"), NBMEDIC_PROBE=keys) if kind in ("reaper", "small") else Server(*options, NBMEDIC_PROBE=keys)
            with self.lock:
                self.made.append(held[kind])
        return kind, held[kind]

    def once(self, way, number):
        kind, server = self.server(way, number)
        try:
            return play(server, way, self.cell)
        except Exception:
            # The others go on.
            return "failed", {"k": "none", "why": traceback.format_exc()}, []
        finally:
            if way.server == "ends":
                self.mine.__dict__.pop(kind).close()

    def close(self):
        for server in self.made:
            server.close()


def told(way, rounds, found, forgets):
    """Prints what a way's rounds gave. Returns whether it is fine."""
    counts, odd, ages, parts = {"right": 0, "unknown": 0, "wrong": 0, "failed": 0}, [], [], []
    for named, end, lines in found:
        counts[named] += 1
        if named != "right":
            odd.append(end)
        if way.cause == "host-oom" and end["k"] == "end" and way.limited is True:
            age, part = last_memory(lines, end)
            ages.append(age)
            parts.append(part)
    fine = not counts["wrong"] + counts["failed"] and (forgets or counts["right"] >= int(NEEDED * rounds))
    note = ""
    if ages:
        ages.sort()
        note = f"; last figure of memory {ages[len(ages) // 2]} ms before the end (at most {ages[-1]}), at {min(parts):.0%} of the limit or more"
        # The call that holds the GIL stops everything in the kernel, but must not stop the sampler. A single
        # round proves little on a busy machine.
        fine = fine and ("GIL" not in way.name or ages[int(0.95 * len(ages)) - 1] <= (LATE if rounds >= 20 else 5 * LATE))
    words = ", ".join(f"{count} {word}" for word, count in counts.items() if count or word != "failed")
    print(f"{way.name:36} {words}{note}{'' if fine else '  FAILED'}", *map(json.dumps, odd), sep="\n    ", flush=True)
    return fine, counts


def phases(ways):
    """The ways in three parts. The machine counts what is killed for memory, whoever it was; so a kill for another reason would
    be doubtful beside one for memory."""
    memory = [way for way in ways if way.limited]
    alone = [way for way in memory if way.cause not in ("host-oom", "")]
    return [way for way in ways if not way.limited], [way for way in memory if way not in alone], alone


def soak(cell, rounds, keys=(), only="", parent="server", ways="", beside=8):
    """Prints the results. Returns the number of ways that are not fine."""
    missing, forgets = no_group(), parent == "reaper" and "info=0" in keys
    whole, bad = {"right": 0, "unknown": 0, "wrong": 0, "failed": 0}, 0
    chosen = [way for way in DEATHS + WAYS * (ways == "all") if only in way.name and not (way.server and parent == "reaper")]
    own = subprocess.run([*SMALL_SHM, "true"], stderr=subprocess.DEVNULL).returncode
    for way in [way for way in chosen if way.limited and missing or way.shm and own]:
        print(f"left out: {way.name}: {missing or 'no file system can be mounted here'}")
        chosen.remove(way)
    player = Soak(cell, keys, parent)
    try:
        for at, part in enumerate(phases(chosen)):
            # Kernels with little memory left are slow on a busy machine, and one sampler must not wait for another's kernel.
            with concurrent.futures.ThreadPoolExecutor((beside, max(1, beside // 2), 1)[at]) as pool:
                jobs = {way: [pool.submit(player.once, way, number) for number in range(rounds)] for way in part}
                for way, done in jobs.items():
                    found = [job.result() for job in done]
                    if None in found:
                        print(f"left out: {way.name}: its folder cannot be made here")
                        continue
                    fine, counts = told(way, rounds, found, forgets)
                    bad += not fine
                    for name in whole:
                        whole[name] += counts[name]
    finally:
        player.close()
    total = sum(whole.values())
    print(f"in all {total}: " + ", ".join(f"{count} {name}" for name, count in whole.items()) + f" ({100 * whole['right'] / max(1, total):.1f} %)", flush=True)
    return bad


if __name__ == "__main__":
    path, rounds, *given = sys.argv[1:]
    own = {key: value for key, value in (word.split("=", 1) for word in given) if key in ("only", "parent", "ways", "beside")}
    rest = [word for word in given if word.split("=", 1)[0] not in own]
    beside = int(own.pop("beside", "8"))
    sys.exit(1 if soak(pathlib.Path(path).read_text(), int(rounds), rest, beside=beside, **own) else 0)
