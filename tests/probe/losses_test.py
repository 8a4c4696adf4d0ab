"""Tests what the start cell says where something was lost: the record, the recorder, the cell, what was full, the process itself; in
real kernels: `losses_test.py CELL [PART]`, as corners_test.py."""

import os
import pathlib
import re
import signal
import subprocess
import time

from corners_test import CELL, FILL, SEGFAULT, Notebook, dies, has, kill, main, start, tests
from deaths import LIMIT, Group, no_group
from kernels import SMALL_SHM, Kernel, place, record, stat, text, until


def c18_a_record_is_found_wherever_it_is(server):
    exits = "import os; os._exit(7)"
    # The folder changes before the start cell, or after it; and before the next one.
    for moves in ((True, False, False), (False, True, False), (False, False, True), (True, False, True)):
        with Notebook() as notebook:
            (notebook.at / "repo").mkdir()
            kernel, move = notebook.kernel(), lambda kernel, does: does and kernel.run("%cd -q repo")
            move(kernel, moves[0])
            start(kernel)
            move(kernel, moves[1])
            dies(kernel, exits)
            kernel = notebook.kernel()
            move(kernel, moves[2])
            has(start(kernel), "It ended itself with an error code (certain; exit code 7)", "while cell [")
    full = "import os, types\nhere, usage = os.getcwd(), os.statvfs\nos.statvfs = lambda path: types.SimpleNamespace(f_bavail=0) if path in (here, '/content') else usage(path)"
    # The disk is full when the next kernel starts; or it was full, and there is room again.
    for first in (False, True):
        with Notebook() as notebook:
            kernel = notebook.kernel()
            if first:
                kernel.run(full)
            said = text(kernel.run(CELL))
            has(said, "⟦nbmedic:1 {")
            home = pathlib.Path(re.search(r"the record is in (\S+)\.", said)[1]) if first else place(notebook.at)
            ends = lambda: '"k":"end"' in "".join(path.read_text() for path in home.glob("nbmedic-flight*.jsonl"))
            if first:
                kernel.run("os.statvfs = usage")
                before = {path: path.read_text().count('"k":"end"') for path in home.glob("*.jsonl")}
                ends = lambda: any(path.read_text().count('"k":"end"') > count for path, count in before.items())
            kernel.start(exits)
            until("the end", ends, 60)
            kernel = notebook.kernel()
            if not first:
                kernel.run(full)
            has(text(kernel.run(CELL)), "It ended itself with an error code (certain; exit code 7)", *["cannot write here"] * (not first))


def git(folder, *args):
    done = subprocess.run(["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", *args], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def c19_a_record_that_is_deleted_while_it_is_written(server):
    for deletes in ("git clean -fdxq", "rm -r nbmedic-flight", "rm nbmedic-flight/*"):
        with Notebook() as notebook:
            git(notebook.at, "init", "-q")
            kernel = notebook.kernel()
            has(start(kernel), "the record is in nbmedic-flight/, which git ignores")
            assert git(notebook.at, "status", "--porcelain", "-uall") == ""
            kernel.run(f"!{deletes}\nimport time; time.sleep(2)")
            kernel.run("1")
            assert git(notebook.at, "status", "--porcelain", "-uall") == "", git(notebook.at, "status", "--porcelain", "-uall")
            # What was known before is there, and it goes on.
            lines = record(notebook.at)
            assert [line["k"] for line in lines if line["k"] in ("run", "ran")] == ["ran", "run", "ran", "run", "ran"], lines
            assert lines[0]["k"] == "start" and sum(line["k"] == "s" for line in lines) > 2, lines
            # Deleted again, and it dies at once: Python's fault handler still writes where the sampler reads.
            kernel.start(f"import ctypes, os\nos.system({deletes!r})\nctypes.string_at(0)")
            until("the end", lambda: kernel.lines("end"), 60)
            has(start(notebook.kernel()), "Native code crashed it, or somebody sent the signal (likely; signal 11, SIGSEGV, Segmentation fault)", "while cell [", "ran: import ctypes, os")
    with Notebook() as notebook:
        kernel = notebook.kernel()
        start(kernel)
        said = text(kernel.run("import shutil, time\nshutil.rmtree('../work')\ntime.sleep(1)") + kernel.run("time.sleep(2)"))
        has(said, "nbmedic: the record's folder is gone; run this cell again.")


def c20_a_lost_recorder_is_started_again_and_the_right_cell_is_told(server):
    with Notebook() as notebook:
        kernel = notebook.kernel()
        start(kernel)
        kill(kernel, kernel.lines("start")[-1]["me"])
        said = text(kernel.run("import time; time.sleep(1.5)"))
        has(said, "the recorder had ended and was started again at [")
        assert len(kernel.lines("start")) == 2
        # Killed while a cell runs that ends well; the next one crashes.
        kernel.start(f"import os, time; os.kill({kernel.lines('start')[-1]['me']}, 9); time.sleep(0.3)")
        dies(kernel, "import ctypes  # the last one\nctypes.string_at(0)")
        has(start(notebook.kernel()), "Native code crashed it", "ran: import ctypes  # the last one")
    with Notebook() as notebook:
        # It can't be started again, so of later cells nothing is known.
        kernel = notebook.kernel()
        start(kernel)
        kernel.run("import subprocess; subprocess.Popen = None")
        ran = kernel.lines("run")[-1]["n"]
        kill(kernel, kernel.lines("start")[-1]["me"])
        kernel.run("1")
        kernel.start(SEGFAULT)
        until("its end", lambda: stat(kernel.pid)[:1] in ([], ["Z"]), 20)
        has(start(notebook.kernel()), "was last seen", f", after cell [{ran}].", "Native code crashed it (likely;", no=["while cell ["])
    with Notebook() as notebook:
        # After it was told to stop, no cell was seen.
        kernel = notebook.kernel()
        start(kernel)
        kernel.run("nbmedic('stop')")
        kill(kernel, kernel.pid)
        has(start(notebook.kernel()), "Its recording was stopped before", no=["while cell ["])


def c21_what_was_full_is_seen_at_full_speed(server):
    if subprocess.run([*SMALL_SHM, "true"], stderr=subprocess.DEVNULL).returncode:
        return "no file system can be mounted here"
    fills = FILL.replace("dir='.'", "dir='/dev/shm'").replace("8 << 20", "24 << 20")
    keeps = "import mmap\nfile = open('/dev/shm/nbmedic-test', 'w+b')\n" + fills[fills.index("file.truncate"):]
    for code in (fills, keeps):
        with Notebook(SMALL_SHM) as notebook:
            kernel = notebook.kernel()
            start(kernel)
            dies(kernel, code)
            end = kernel.lines("end")[-1]
            assert (end.get("kept", 0) > 15 << 20) == (code is keeps), end
            said = start(notebook.kernel())
            has(said, "Shared memory, /dev/shm, was full (likely; signal 7, SIGBUS", *["Files in /dev/shm still hold 16 MiB"] * (code is keeps))


def c22_a_child_of_c_and_a_program_in_the_kernels_place(server):
    # The child crashes before it runs any Python, whose lock another thread may have held at the fork.
    child = "import ctypes, os, time\nlibc = ctypes.CDLL(None)\nlibc.__register_atfork(*map(ctypes.c_void_p, (None, None, 1, None)))\nassert os.waitpid(libc.fork(), 0)[1] & 127 == 11\n"
    for rest, words in (("os._exit(3)", "It ended itself with an error code (certain; exit code 3)."), ("time.sleep(2.5)\nos.kill(os.getpid(), 9)", "It was killed")):
        with Notebook() as notebook:
            kernel = notebook.kernel()
            start(kernel)
            dies(kernel, child + rest)
            # The words; what was observed stands behind them.
            has(start(notebook.kernel()).partition("⟦")[0], words, no=["Segmentation", "Native"])
    # The same process, with a new kernel in it: its server sees nothing.
    kernel = Kernel(server)
    start(kernel)
    kernel.start("import os, sys\nos.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]] if hasattr(sys, 'orig_argv') else [sys.executable, '-m', 'ipykernel_launcher', *sys.argv[1:]])")
    until("the end", lambda: kernel.lines("end"), 60)
    pid = kernel.pid
    kernel.connect()
    assert kernel.pid == pid
    has(start(kernel), "Another program took its place (exec), so its variables are gone (certain; exec)", "while cell [", "ran: import os, sys")
    # What the new one does is told of it.
    dies(kernel, "import os; os._exit(5)")
    kernel.connect()
    has(start(kernel), "It ended itself with an error code (certain; exit code 5)", no=["exec"])
    kernel.close()


def c23_a_kill_near_a_limit_is_told_with_the_limit(server):
    with Notebook() as notebook:
        kernel = notebook.kernel()
        start(kernel)
        dies(kernel, "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (3, 3))\nwhile True: pass")
        has(start(notebook.kernel()), "A limit of processor time ended it (likely; signal 9, SIGKILL)")
    if no_group():
        return no_group()
    with Notebook(NBMEDIC_PROBE="kmsg=/dev/null") as notebook:
        kernel, group = notebook.kernel(), Group()
        group.hold(kernel.pid)
        start(kernel)
        # A guard of the person's that watches the limit, and kills at three quarters of it.
        used = "int(open('/sys/fs/cgroup/memory/%s/memory.usage_in_bytes').read())" % group.path.name
        dies(kernel, f"import os, time\nkept = []\nwhile {used} < {LIMIT * 3 // 4}:\n    kept.append(b'x' * (4 << 20))\n    time.sleep(0.02)\ntime.sleep(0.2)\nos.kill(os.getpid(), 9)")
        has(start(notebook.kernel()), "It was killed, maybe for memory (likely; signal 9, SIGKILL)", "of 400 MiB (7", no=["certain", "GiB of 0"])
        group.close()


def c24_what_files_in_shared_memory_hold_is_said(server):
    if no_group():
        return no_group()
    path = pathlib.Path(f"/dev/shm/nbmedic-test-{os.getpid()}")
    with Notebook(NBMEDIC_PROBE="kmsg=/dev/null") as notebook:
        kernel, group = notebook.kernel(), Group()
        group.hold(kernel.pid)
        start(kernel)
        try:
            dies(kernel, f"with open({str(path)!r}, 'wb') as file:\n    while True: file.write(bytes(1 << 20))")
            has(start(notebook.kernel()), "The system killed it because memory ran out (", "Files in /dev/shm still hold 3", "signal 9")
        finally:
            path.unlink()
        group.close()


def c25_recorder_and_kernel_killed_at_once(server):
    with Notebook() as notebook:
        kernel = notebook.kernel()
        start(kernel)
        kernel.start("import time; time.sleep(60)")
        until("the cell", lambda: kernel.lines("run"), 20)
        time.sleep(1.2)
        for pid in (kernel.pid, kernel.lines("start")[-1]["me"]):
            os.kill(pid, signal.SIGSTOP)
        for pid in (kernel.pid, kernel.lines("start")[-1]["me"]):
            kill(kernel, pid)
        has(start(notebook.kernel()), "was last seen", "while cell [", "Its recorder ended too; nothing says how (unknown;", "Memory just before: ", " %)")


if __name__ == "__main__":
    main(tests(globals()))
