"""Steps with a time limit each, in processes of their own; what they found goes to JSON lines at once.

A step's status is `passed`, `failed`, `seen` (a measurement without an expectation) or `not run`, with `why`. A step that
needs a GPU and has none is never anything but `not run`; what the other steps show without one is `rehearsed`, not passed."""

import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
STATUSES = ("passed", "failed", "seen", "rehearsed", "not run")
NO_GPU = "no GPU"


def passed(well, **found):
    return {"status": "passed" if well else "failed", **found}


def not_run(why, **found):
    return {"status": "not run", "why": why, **found}


class Part:
    """One part: its results' file, its deadline, and the counts."""

    def __init__(self, name, options):
        self.name, self.options = name, options
        self.out = pathlib.Path(options["out"])
        self.out.mkdir(parents=True, exist_ok=True)
        self.file = open(self.out / f"{name}.jsonl", "w", encoding="utf-8")
        self.end, self.lock, self.results = time.monotonic() + options["seconds"], threading.Lock(), []

    def left(self):
        return self.end - time.monotonic()

    def write(self, step, result, took=0.0):
        if result["status"] == "passed" and not self.options["gpu"]:
            result = {**result, "status": "rehearsed"}
        line = {"part": self.name, "step": step, **result, "took": round(took, 1)}
        assert line["status"] in STATUSES, line
        with self.lock:
            self.results.append(line)
            self.file.write(json.dumps({name: value for name, value in line.items() if name != "record"}, ensure_ascii=False) + "\n")
            self.file.flush()
            why = line.get("why") or line.get("words") or ""
            print(f"{line['status']:9} {step} {took:.0f} s {f'({why})' if why else ''}".rstrip(), flush=True)
        return line

    def step(self, step, limit, *args, gpu=True):
        """Runs a step, the function `step_<first word>` of this part's module, with these arguments."""
        if not re.search(self.options.get("only", ""), step):
            return not_run("not asked for")
        if gpu and not self.options["gpu"]:
            return self.write(step, not_run(NO_GPU))
        if self.left() < min(limit, 10):
            return self.write(step, not_run("out of time"))
        start = time.monotonic()
        result = child(self.name, step, min(limit, self.left()), self.options, args)
        return self.write(step, result, time.monotonic() - start)

    def at_once(self, jobs, workers):
        """Runs (step, limit, args, gpu) several at a time."""
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            return list(pool.map(lambda job: self.step(job[0], job[1], *job[2], gpu=job[3]), jobs))

    def close(self):
        self.file.close()
        counts = {status: sum(r["status"] == status for r in self.results) for status in STATUSES}
        print(f"gpu {self.name}: " + ", ".join(f"{n} {status}" for status, n in counts.items()), flush=True)
        return counts


def child(part, step, limit, options, args):
    """Runs one step in a process of its own, whose whole family ends with it."""
    with tempfile.TemporaryDirectory(prefix="nbmedic-gpu-") as folder:
        answer, log = pathlib.Path(folder) / "answer.json", pathlib.Path(folder) / "log"
        call = [sys.executable, str(HERE / "run.py"), "--child", part, step, str(answer), json.dumps(options), json.dumps(args)]
        with open(log, "wb") as out:
            process = subprocess.Popen(call, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
            try:
                code = process.wait(limit)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                end_family(process)
        said = log.read_text(encoding="utf-8", errors="replace")[-1500:]
        if answer.exists():
            return json.loads(answer.read_text(encoding="utf-8"))
        if code is None:
            return {"status": "failed", "why": f"over {limit:.0f} s", "said": said}
        return {"status": "failed", "why": f"the step ended with {code}", "said": said}


def run_child(step, answer, args, functions):
    """In the child: runs the step and leaves its result where the parent looks for it."""
    found = functions["step_" + step.split()[0].replace("-", "_")](*args)
    partial = pathlib.Path(answer + ".new")
    partial.write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")
    partial.rename(answer)


def family(pid):
    """A process's descendants, which may have sessions of their own."""
    found = [pid]
    for one in found:
        for task in pathlib.Path(f"/proc/{one}/task").glob("*/children"):
            try:
                found += map(int, task.read_text().split())
            except OSError:
                pass
    return found[1:]


def end_family(process):
    below = family(process.pid)
    for pid in [process.pid] if process.poll() is None else []:
        os.kill(pid, signal.SIGKILL)
    process.wait()
    for pid in below:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except OSError:
        pass
