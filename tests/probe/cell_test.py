"""Tests the start cell in real kernels that do not die: `cell_test.py CELL [SECONDS]`, run by the Python whose kernels to
test. SECONDS: how long the kernel is left idle."""

import json
import os
import pathlib
import platform
import re
import signal
import sys
import time
import traceback

from kernels import Kernel, Server, place, record, stat, text, until

CELL, IDLE = pathlib.Path(sys.argv[1]).read_text(), float(sys.argv[2]) if len(sys.argv) > 2 else 8.0
MACHINE = re.compile(r"⟦nbmedic:1 (\{.*\})⟧")
BUSY = "import time\nend = time.monotonic() + 4\nwhile time.monotonic() < end: time.sleep(0.01)"


def feed(messages):
    """The texts of the cell's only display, each with the time at which it arrived."""
    return [
        (message["header"]["date"].timestamp(), message["content"]["data"]["text/plain"])
        for message in messages
        if message["msg_type"] in ("display_data", "update_display_data") and "⟦nbmedic:1" in message["content"]["data"].get("text/plain", "")
    ]


def streams(messages):
    return [message for message in messages if message["msg_type"] in ("stream", "error")]


def hooks(kernel):
    count = "sum(getattr(f, '__qualname__', '').startswith('nbmedic') for f in get_ipython().events.callbacks['%s'])"
    return [int(kernel.value(count % name)) for name in ("pre_run_cell", "post_run_cell")]


def the_feed_is_one_short_line_a_second_while_a_cell_runs(server):
    kernel = Kernel(server)
    made = [m for m in kernel.run(CELL) if m["msg_type"] == "display_data"]
    assert len(made) == 1, made
    display = made[0]["content"]["transient"]["display_id"]
    # The native cell's replacement in Python would go unnoticed.
    native = "native" in sys.argv[1] and platform.machine() == "x86_64"
    assert kernel.lines("start")[0]["mode"] == ("native" if native else "python")
    messages = kernel.run(BUSY)
    shown = feed(messages)
    assert 3 <= len(shown) <= 5, len(shown)
    assert all(b[0] - a[0] >= 0.95 for a, b in zip(shown, shown[1:])), [at for at, _ in shown]
    assert not streams(messages)
    updates = [m for m in messages if m["msg_type"] == "update_display_data"]
    assert all(m["content"]["transient"]["display_id"] == display for m in updates)
    assert all(set(m["content"]["data"]) == {"text/plain"} for m in updates)
    for _, line in shown:
        assert len(line.encode()) <= 600 and "\n" not in line, line
        state = json.loads(MACHINE.search(line)[1])
        assert state["k"] == "s" and state["r"][1] > state["r"][0] > 0 and state["rss"][0] > 0, state
        # Nothing names the machine, the folder, a process or the cell's code.
        assert str(kernel.pid) not in line and str(kernel.folder) not in line and "monotonic" not in line, line
    # Ten samples a second are taken; while memory grows, more than one a second is written.
    grown = len(kernel.lines("s"))
    kernel.run("import time\nkept = []\nfor _ in range(10):\n    kept.append(b'x' * (300 << 20))\n    time.sleep(0.15)")
    assert len(kernel.lines("s")) - grown >= 6, kernel.lines("s")[grown:]
    kernel.close()


def idle_is_silent(server):
    kernel = Kernel(server)
    kernel.run(CELL)
    kernel.run("1 + 1")
    # The server learns about the cell's end shortly after its front end.
    activity = lambda: server.ask("GET", f"/api/kernels/{kernel.id}")["last_activity"]
    time.sleep(1)
    kernel.messages()
    before, lines = activity(), len(record(kernel.folder))
    sent = kernel.messages(IDLE)
    assert not sent, [m["msg_type"] for m in sent]
    assert activity() == before, (before, activity())
    if IDLE > 12:
        assert len(record(kernel.folder)) > lines, "the record goes on"
    assert kernel.value("1") == "1"
    kernel.close()


def what_the_cell_before_captures_stays_its_own(server):
    kernel = Kernel(server)
    kernel.run(CELL)
    kernel.run(f"%%capture taken\n{BUSY}\nprint('mine')")
    assert kernel.value("taken.stdout + str(len(taken.outputs))") == repr("mine\n0")
    kernel.close()


def running_it_again_leaves_one_of_everything(server):
    kernel = Kernel(server)
    before = kernel.value("__import__('faulthandler').is_enabled()")
    for _ in range(3):
        assert not streams(kernel.run(CELL))
    assert hooks(kernel) == [1, 1], hooks(kernel)
    threads = "[t.name for t in __import__('threading').enumerate()].count('nbmedic')"
    until("one thread", lambda: kernel.value(threads) == "1", 10)
    until("two samplers' good-bye", lambda: len(kernel.lines("stop")) == 2, 20)
    starts = kernel.lines("start")
    assert len(starts) == 3 and {line["pid"] for line in starts} == {kernel.pid}, starts
    alive = [stat(line["me"])[:1] not in ([], ["Z"]) for line in starts]
    assert alive == [False, False, True], alive
    # Detached: in a session of its own, no longer a child of the kernel.
    session = stat(starts[-1]["me"])
    assert int(session[3]) != kernel.pid and int(session[1]) != kernel.pid, session
    names = "sorted(n for n in globals() if 'nbmedic' in n.lower() or n in ('os', 'json', 'lzma', 'base64'))"
    assert set(json.loads(kernel.value(names).replace("'", '"'))) <= {"nbmedic", "nbmedic_values", "NBMEDIC_SAMPLER", "NBMEDIC_TRIAL", "NBMEDIC_FILTERS"}, kernel.value(names)
    assert "stopped" in text(kernel.run("nbmedic('stop')"))
    until("the last good-bye", lambda: len(kernel.lines("stop")) == 3, 20)
    assert hooks(kernel) == [0, 0] and kernel.value("__import__('faulthandler').is_enabled()") == before
    assert (place(kernel.folder) / "nbmedic-flight.jsonl").exists()
    assert "deleted" in text(kernel.run("nbmedic('remove')"))
    assert not list(kernel.folder.glob("nbmedic-*")), list(kernel.folder.iterdir())
    kernel.close()


def two_notebooks_in_one_folder_keep_their_own_records(server):
    first = Kernel(server)
    first.run(CELL)
    second = Kernel(server, first.folder)
    second.run(CELL)
    until("both records", lambda: (place(first.folder) / "nbmedic-flight-2.jsonl").exists() and record(first.folder, "nbmedic-flight-2"), 20)
    for name, kernel in (("nbmedic-flight", first), ("nbmedic-flight-2", second)):
        assert {line["pid"] for line in record(first.folder, name) if line["k"] == "start"} == {kernel.pid}
        assert {line["id"] for line in record(first.folder, name) if line["k"] == "start"} == {kernel.id}
    # Each reports its own kernel's death.
    for kernel, code in ((first, "import os; os._exit(7)"), (second, "import os; os.abort()")):
        kernel.start(code)
    for name in ("nbmedic-flight", "nbmedic-flight-2"):
        until("the end", lambda name=name: [line for line in record(first.folder, name) if line["k"] == "end"], 30)
    for kernel, words in ((first, "exit code 7"), (second, "SIGABRT, Aborted")):
        kernel.connect()
        said = text(kernel.run(CELL))
        assert words in said and "while cell [" in said, said
    second.run("nbmedic('remove')")
    assert [line for line in record(first.folder) if line["k"] == "start"], "the other's record stays"
    first.close()
    second.close()


def the_verdict_is_shown_and_recording_goes_on(server):
    kernel = Kernel(server)
    assert "ended" not in text(kernel.run(CELL))
    kernel.start("import ctypes  # the last thing that ran\nctypes.string_at(0)")
    until("the end", lambda: kernel.lines("end"), 30)
    kernel.connect()
    said = text(kernel.run(CELL))
    for words in ("while cell [", "ran: import ctypes", "Native code crashed it, or somebody sent the signal (likely; signal 11, SIGSEGV, Segmentation fault", "Memory just before"):
        assert words in said, said
    end = [json.loads(found) for found in MACHINE.findall(said) if '"k":"end"' in found]
    assert len(end) == 1 and end[0]["cause"] == "native-crash" and end[0]["st"] & 127 == 11, end
    assert kernel.lines("start")[-1]["pid"] == kernel.pid
    kernel.close()


def a_recorder_that_was_killed_is_told_of(server):
    kernel = Kernel(server)
    kernel.run(CELL)
    sampler = until("the start", lambda: kernel.lines("start"), 10)[-1]["me"]
    os.kill(sampler, signal.SIGKILL)
    until("its end", lambda: stat(sampler)[:1] in ([], ["Z"]), 10)
    assert "the recorder had ended and was started again at [" in text(kernel.run("import subprocess, time; time.sleep(1.2)"))
    # Where it can't be started again, the line says so.
    kernel.run("kept, subprocess.Popen = subprocess.Popen, None")
    sampler = kernel.lines("start")[-1]["me"]
    os.kill(sampler, signal.SIGKILL)
    until("its end", lambda: stat(sampler)[:1] in ([], ["Z"]), 10)
    assert "the recorder has ended; run this cell again" in text(kernel.run("time.sleep(1.2)"))
    kernel.run("subprocess.Popen = kept")
    assert "⟦nbmedic:1 {" in text(kernel.run(CELL))
    assert kernel.lines("start")[-1]["me"] != sampler
    kernel.close()


def values_are_told_below_a_cell_that_failed(server):
    kernel = Kernel(server)
    values = lambda messages: [m["content"]["data"]["text/plain"] for m in messages if m["msg_type"] == "display_data" and "values when it failed" in str(m["content"])]
    kernel.run("rows = [1, 2]\nrows[9]", fails=True)
    kernel.run(CELL)
    assert not values(kernel.run("rows[1]")) and not values(kernel.run("1 +", fails=True))
    messages = kernel.run("def pick(of, n):\n    return of[n]\npick(rows, 9)", fails=True)
    shown = [m["msg_type"] for m in messages if m["msg_type"] in ("error", "display_data")]
    assert shown == ["error", "display_data"], shown
    text, = values(messages)
    assert text.startswith("nbmedic: values when it failed\n  line 3\n"), text
    assert "  in pick, line 2\n    of = list of 2 int\n    n = 9\n" in text, text
    facts = json.loads(MACHINE.search(text)[1])
    assert facts["f"][1] == [2, "pick", [["of", {"t": "list", "n": 2, "of": "int"}], ["n", {"t": "int", "v": "9"}]]], facts
    # The user's own handler is still called, and what it shows comes first.
    handled = kernel.run("get_ipython().set_custom_exc((ValueError,), lambda *a, **k: print('mine'))\nraise ValueError(rows)", fails=True)
    assert any("mine" in str(m["content"]) for m in handled), handled
    kernel.run('nbmedic("no values")')
    assert not values(kernel.run("rows[9]", fails=True))
    kernel.close()


def who_holds_the_memory_is_told_in_a_kernel(server):
    kernel = Kernel(server)
    kernel.run(CELL)
    first = lambda messages: json.loads(MACHINE.search(text(messages)[text(messages).index("values when it failed"):])[1]).get("h", [None])[0]
    kernel.run("class Step:\n    def __init__(self): self.data = bytes(3 << 20)")
    for _ in range(3):
        kernel.run("Step()")
    full = "bytes(1 << 60)"
    name, facts = first(kernel.run(full, fails=True))
    assert name == "Out" and facts["n"] == 3 and abs(facts["b"] - (9 << 20)) < 1 << 18, (name, facts)
    # What only the traceback before this one kept, is gone with it.
    kernel.run("def load():\n    rows = bytes(20 << 20)\n    1 / 0\nload()", fails=True)
    name, facts = first(kernel.run(full, fails=True))
    assert name == "rows" and facts["in"] == "load" and facts["was"] == 1 and abs(facts["b"] - (20 << 20)) < 1 << 18, (name, facts)
    kernel.run("history = []")
    for _ in range(4):
        kernel.run("history += [bytes(4 << 20) for _ in range(3)]")
    name, facts = first(kernel.run(full, fails=True))
    assert name == "history" and facts["n"] == 12 and abs(facts["b"] - (48 << 20)) < 1 << 18, (name, facts)
    kernel.close()


def debugger_and_traceback_modes_are_undisturbed(server):
    said = []
    for with_probe in (False, True):
        kernel = Kernel(server)
        if with_probe:
            kernel.run(CELL)
        shown = []
        for mode in ("Plain", "Verbose", "Minimal", "Context"):
            kernel.run(f"%xmode {mode}")
            messages = kernel.run("def half(n):\n    return n / 0\nhalf(7)", fails=True)
            # A cell's number and file and the function's address differ.
            shown += [re.sub(r"\x1b\[[0-9;]*m|\[\d+\]|ipykernel_\d+/\d+|File \S+|0x[0-9a-f]+", "", "\n".join(m["content"]["traceback"])) for m in messages if m["msg_type"] == "error"]
        # The debugger reads its commands by the kernel's input.
        kernel.run("answers = iter(['p n * 6', 'up', 'p 5', 'q'])\nget_ipython().kernel.raw_input = lambda prompt='': next(answers)")
        kernel.run("half(7)", fails=True)
        debugged = text(kernel.run("%debug"))
        assert "42" in debugged.split() and "5" in debugged.split(), debugged
        kernel.run("import sys")
        shown.append(kernel.value("(sys.last_type.__name__, sys.last_traceback is not None, sys.excepthook.__module__)"))
        said.append(shown)
        kernel.close()
    assert said[0] == said[1] and len(said[0]) == 5, said


def tried(kernel, source, seconds=""):
    """What a cell that is tried in a copy prints."""
    return text(kernel.run(f"%%nbmedic_try {seconds}\n{source}"))


def a_cell_is_tried_in_a_copy_that_changes_nothing(server):
    kernel = Kernel(server)
    kernel.run(CELL)
    kernel.run("import glob, os, sqlite3\nfull = [1, 2, 3]\nkept = open('kept.txt', 'w+')\n_ = kept.write('one two'), kept.flush(), kept.seek(0)")
    # IPython writes its history in a thread of its own, and for a moment it has the folder open, too.
    history = os.path.realpath(server.folder / "ipython")
    pids = f"open('/proc/{kernel.pid}/task/{kernel.pid}/children').read(), [l for l in map(os.path.realpath, glob.glob('/proc/self/fd/*')) if not l.startswith(({history!r}, '/proc/'))]"
    before = kernel.value(f"(full, kept.tell(), os.environ.get('X'), {pids})"), sorted(os.listdir(kernel.folder))
    said = tried(kernel, "os.environ['X'] = 'y'\nfull.append(4)\nmore = full * 2\nprint('printed')\nlen(more)")
    if platform.machine() != "x86_64" and "native" in sys.argv[1]:
        assert "cannot be tried" in said, said
        return kernel.close()
    assert "the cell runs" in said and "more = list of 8" in said and "printed" not in said, said
    assert "it fails. ZeroDivisionError: division by zero" in tried(kernel, "full.clear()\n1 / 0"), said
    assert "it fails. SyntaxError" in tried(kernel, "for"), said
    for source, why in (
        ("open('new.txt', 'w')", "it writes `new.txt`"), ("kept.write('x'); kept.flush()", "it writes"), ("os.unlink('kept.txt')", "it writes `kept.txt`"),
        ("import socket\nsocket.create_connection(('127.0.0.1', 9))", "could not be tried"), ("import subprocess\nsubprocess.run(['touch', 'made.txt'])", "could not be tried"),
        (f"os.kill({kernel.pid}, 9)", "could not be tried"), ("input('?')", "it asks for input"), ("os.fork()", "could not be tried"),
        ("import asyncio\nawait asyncio.sleep(0)", "it awaits"), ("os._exit(0)", "the copy crashed"), (f"open('/proc/{kernel.pid}/mem', 'r+b')", "could not be tried"), ("bytearray(1 << 40)", "MemoryError"),
    ):
        said = tried(kernel, source)
        assert why in said, (source, said)
    # Memory that caches hold can be had: a copy may have half of what is available. Zeros take addresses only.
    available = int(re.search(r"MemAvailable:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text())[1]) << 10
    said = tried(kernel, f"len(bytes({available // 4}))")
    assert "the cell runs" in said, said
    assert "it fails. OperationalError" in tried(kernel, "sqlite3.connect('new.db').execute('create table t (a)')")
    began = time.monotonic()
    assert "had not ended after 1.0 s" in tried(kernel, "while True: pass", 1) and time.monotonic() - began < 5
    after = kernel.value(f"(full, kept.tell(), os.environ.get('X'), {pids})"), sorted(os.listdir(kernel.folder))
    assert after == before, (before, after)
    # Stopped, it takes the magic away.
    kernel.run('nbmedic("stop")')
    assert kernel.value("'nbmedic_try' in get_ipython().magics_manager.magics['cell']") == "False"
    kernel.close()


TESTS = [
    a_cell_is_tried_in_a_copy_that_changes_nothing,
    who_holds_the_memory_is_told_in_a_kernel, debugger_and_traceback_modes_are_undisturbed,
    the_feed_is_one_short_line_a_second_while_a_cell_runs, idle_is_silent, what_the_cell_before_captures_stays_its_own,
    running_it_again_leaves_one_of_everything, two_notebooks_in_one_folder_keep_their_own_records,
    values_are_told_below_a_cell_that_failed, the_verdict_is_shown_and_recording_goes_on, a_recorder_that_was_killed_is_told_of,
]

if __name__ == "__main__":
    failed = 0
    with Server() as server:
        for test in TESTS:
            if len(sys.argv) > 3 and sys.argv[3] not in test.__name__:
                continue
            start = time.monotonic()
            try:
                test(server)
                print(f"ok   {test.__name__} ({time.monotonic() - start:.1f} s)", flush=True)
            except Exception:
                failed += 1
                print(f"FAIL {test.__name__}", flush=True)
                traceback.print_exc(file=sys.stdout)
    sys.exit(1 if failed else 0)
