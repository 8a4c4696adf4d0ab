"""Runs programs for the bench: a process that has loaded a group's libraries and forks for each run.

The unbroken program runs once, cell by cell. Before each of its steps, the programs that differ from it from there on
are forked off, so that what they share with it runs once. Reads jobs from standard input, one JSON object a line."""

import contextlib
import gc
import importlib
import json
import os
import pickle
import resource
import shutil
import signal
import sys
import time
import traceback

import shell as shells
import values

# A run's longest time in seconds, and what it may allocate beyond what is loaded, in bytes.
SECONDS, MEMORY = 20, 1536 << 20


def fork(job, done, after=0):
    """Runs `done` in a forked process with a group and a clock of its own. Returns how it ended: "", "timeout" or "died"."""
    sys.stdout.flush()
    pid = os.fork()
    if not pid:
        try:
            os.setsid()
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, after or SECONDS)
            done(job)
        except BaseException:
            traceback.print_exc()
            os._exit(3)
        os._exit(0)
    status = os.waitpid(pid, 0)[1]
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)
    if os.WIFSIGNALED(status):
        return "timeout" if os.WTERMSIG(status) == signal.SIGALRM else "died"
    return "broken" if os.WEXITSTATUS(status) else ""


def limit():
    with open("/proc/self/statm") as file:
        size = int(file.read().split()[0]) * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


def shared(program, steps, mode):
    """How many steps a program has in common with the unbroken one."""
    if mode == "start":
        return 0
    count = 0
    for one, other in zip(program["steps"], steps):
        if one != other or count in program.get("may_fail", ()):
            break
        count += 1
    return count


def named(made, names):
    return {name: values.still(made.user_ns[name]) for name in names if name in made.user_ns}


def compared(made, job, other=None):
    """Of each named value: whether it is what the unbroken program gave. `other` are names that a program may have for the same."""
    with open(job["values"], "rb") as file:
        before = pickle.load(file)
    now = named(made, job["compare"])
    for name, new in (other or {}).items():
        if name in before and name not in now and new in made.user_ns:
            now[name] = values.still(made.user_ns[new])
    return {name: "missing" if name not in now else "same" if values.same(before[name], now[name]) else "differs" for name in before}


def tried(made, steps, number, error, took):
    """The first fix of a step's failure once `%load_ext nbmedic` has tried its candidates here; None if none of them runs."""
    from nbmedic import _engine
    from nbmedic._tries import Failure, Tries
    from nbmedic.magic import Medic

    medic = Medic(made)
    # Each cell as it ran last. The engine is told counts, and knows a cell by its own.
    ran = {}
    for count, (position, source) in enumerate(steps[: number + 1], 1):
        ran.pop(position, None)
        ran[position] = (count, source)
    places = {count: position for position, (count, _) in ran.items()}
    cells = [(*cell, "") for cell in ran.values()]
    cells[-1] = (*cells[-1][:2], medic.traceback(error) + medic.values(error))
    trials = Tries(made, Failure(cells, error, took), lambda: False).all()
    told = trials and _engine.card_of(cells, len(cells) - 1, 100, json.dumps(trials))
    found = json.loads(told[0])["diagnoses"][0] if told else {"fixes": []}
    fix = next(iter(found["fixes"]), {})
    if not fix.get("tried", {}).get("ran"):
        return None
    fix["edits"] = [{**edit, "cell": places[edit["cell"]]} for edit in fix.get("edits") or []]
    fix["run"] = [places[count] for count in fix.get("run") or []]
    return {"title": found["title"], "diagnosis": found["id"], "fix": fix}


def run_rest(made, job, program, first):
    """The steps of a program from one on, in a folder of its own."""
    folder = os.path.join(job["folder"], "runs", program["id"])
    shutil.copytree(os.getcwd(), folder, symlinks=True)
    os.chdir(folder)
    limit()
    result = {"id": program["id"], "first": first, "outputs": [], "end": "", "at": None, "values": {}}
    allowed = program.get("may_fail", ())
    for number in range(first, len(program["steps"])):
        position, source = program["steps"][number]
        began = time.monotonic()
        outputs, failed = shells.run(made, source, position)
        result["outputs"].append(outputs)
        if failed and number not in allowed:
            result["end"], result["at"] = "error", number
            if job.get("tries") and isinstance(failed, Exception):
                result["tried"] = tried(made, program["steps"], number, failed, time.monotonic() - began)
            break
    else:
        if job["pass"] == 2:
            result["values"] = compared(made, job, program.get("renamed"))
    with open(os.path.join(job["folder"], "results", f"{program['id']}.json"), "w") as file:
        json.dump(result, file)


def run_base(job, made, mode):
    """The unbroken program, and what branches off from it."""
    os.chdir(os.path.join(job["folder"], "base"))
    steps, kept, ends = job["steps"], [], {}
    waiting = {}
    for program in job["programs"]:
        waiting.setdefault(shared(program, steps, mode), []).append(program)
    report = {"outputs": kept, "end": "", "ends": ends}
    for number in range(len(steps) + 1):
        for program in waiting.get(number, []):
            ends[program["id"]] = fork(job, lambda job: run_rest(made, job, program, number))
            shutil.rmtree(os.path.join(job["folder"], "runs", program["id"]), ignore_errors=True)
        if number < len(steps):
            outputs, failed = shells.run(made, steps[number][1], steps[number][0])
            kept.append(outputs)
            if failed:
                report["end"] = "error"
                break
    if not report["end"]:
        if job["pass"] == 1:
            with open(job["values"], "wb") as file:
                pickle.dump(named(made, job["compare"]), file)
        else:
            report["values"] = compared(made, job)
    with open(os.path.join(job["folder"], "base.json"), "w") as file:
        json.dump(report, file)


def warm(made):
    """Loads what the first traceback, the first table and the first figure load, so that no run has to."""
    cells = ["def f(x):\n    return x / 0\n\nf(1)", "x = (", "1"]
    if "pandas" in sys.modules:
        cells.append("import pandas as _p\n_t = _p.DataFrame({'a': [1.5, 2]})\n_t")
        cells.append("_t.describe(), _t.groupby('a').size(), _t.merge(_t)\n_t['b']")
    if "matplotlib.pyplot" in sys.modules:
        cells.append("import matplotlib.pyplot as _q\n_f = _q.figure()\n_f.add_subplot().plot([1, 2])\n_q.show()\n_q.close('all')")
    for cell in cells:
        shells.run(made, cell, 1)
    made.reset(new_session=True)


def main():
    mode, modules = sys.argv[1], sys.argv[2:]
    shells.settle()
    made = shells.shell()
    for name in modules:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    warm(made)
    gc.collect()
    gc.freeze()
    print("ready", flush=True)
    for line in sys.stdin:
        job = json.loads(line)
        for name in ("base", "runs", "results"):
            shutil.rmtree(os.path.join(job["folder"], name), ignore_errors=True)
            os.makedirs(os.path.join(job["folder"], name))
        if job["files"]:
            shutil.copytree(job["files"], os.path.join(job["folder"], "base"), dirs_exist_ok=True)
        end = fork(job, lambda job: run_base(job, made, mode), after=SECONDS * (len(job["programs"]) + 3))
        print(json.dumps({"end": end}), flush=True)


if __name__ == "__main__":
    main()
