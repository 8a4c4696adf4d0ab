"""Tests what the start cell says where a death is easily mistaken, in real kernels: `corners_test.py CELL [PART]`, run by the Python
whose kernels to test. PART: only tests whose name contains it."""

import contextlib
import json
import os
import pathlib
import re
import signal
import stat as modes
import subprocess
import sys
import tempfile
import time
import traceback

from deaths import HELD, Group, no_group, verdict
from kernels import Kernel, Reaper, Server, place, record, stat, text, until

CELL = pathlib.Path(sys.argv[1]).read_text()
SEGFAULT = "import ctypes; ctypes.string_at(0)"
MACHINE = re.compile(r"⟦nbmedic:1 (\{.*\})⟧")
NEVER = "nothing of a death"


class Notebook(Reaper):
    """Kernels of one notebook, each with another id, as after a restart of the server."""

    def __init__(self, before=(), **env):
        super().__init__(before, JPY_SESSION_NAME="a.ipynb", **env)
        self.at = self.folder / "work"
        self.at.mkdir()
        self.made = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for kernel in self.made:
            kernel.client.stop_channels()
            kernel.client.context.destroy(linger=0)
        self.close()

    def kernel(self):
        self.made.append(Kernel(self, self.at))
        return self.made[-1]


def start(kernel):
    """Runs the start cell and waits until it records. Returns what it says."""
    before = len(kernel.lines("start"))
    said = text(kernel.run(CELL))
    assert "⟦nbmedic:1 {" in said, said
    until("the first sample", lambda: len(kernel.lines("start")) > before and kernel.lines("s"), 20)
    return said


def dies(kernel, code, what="end"):
    """Runs the cell that ends the kernel; waits for the record's end."""
    before = len(kernel.lines(what))
    kernel.start(code)
    until(f"the end ({code})", lambda: len(kernel.lines(what)) > before, 60)


def kill(kernel, pid):
    os.kill(pid, signal.SIGKILL)
    until("its end", lambda: stat(pid)[:1] in ([], ["Z"]), 20)


def has(said, *words, no=()):
    for word in words:
        assert word in said, (word, said)
    for word in no:
        assert word not in said, (word, said)


def c01_an_old_death_is_not_told_as_the_last(server):
    kernel = Kernel(server)
    start(kernel)
    dies(kernel, SEGFAULT)
    kernel.connect()
    has(start(kernel), "Native code crashed it, or somebody sent the signal (likely; signal 11")
    kernel.run('nbmedic("stop")')
    os.kill(kernel.pid, signal.SIGKILL)
    kernel.connect()
    has(start(kernel), "Its recording was stopped before", "(unknown;", no=["Native code", "certain"])
    # Both are ended together, as by a service manager.
    os.kill(kernel.lines("start")[-1]["me"], signal.SIGTERM)
    until("the good-bye", lambda: kernel.lines("stop")[-1]["why"] == "runtime", 20)
    os.kill(kernel.pid, signal.SIGKILL)
    kernel.connect()
    has(start(kernel), "Its recording was stopped before", "(unknown;", no=["Native code", "certain"])
    kernel.close()


def c02_another_notebooks_death_is_not_told(server):
    first = Kernel(server)
    start(first)
    dies(first, "import os; os._exit(7)")
    second = Kernel(server, first.folder)
    has(start(second), no=["ended", "exit code"])
    second.close()
    first.close()
    # But a notebook is known by its name, when its kernel has another id.
    with Notebook() as notebook:
        kernel = notebook.kernel()
        start(kernel)
        dies(kernel, "import os; os._exit(7)")
        has(start(notebook.kernel()), "It ended itself with an error code (certain; exit code 7)")


def c03_a_killed_sampler_is_not_the_end_of_the_machine(server):
    with Notebook() as notebook:
        one = notebook.kernel()
        start(one)
        kill(one, one.lines("start")[-1]["me"])
        # That kernel lives.
        two = notebook.kernel()
        has(start(two), no=["kernel before", "machine"])
        two.run('nbmedic("stop")')
        one.start(SEGFAULT)
        until("its end", lambda: not stat(one.pid), 20)
        three = notebook.kernel()
        has(start(three), "Native code crashed it, or somebody sent the signal (likely;", "Segmentation fault", "while cell [", "ran: import ctypes", no=["machine was"])
        kill(three, three.lines("start")[-1]["me"])
        kill(three, three.pid)
        has(start(notebook.kernel()), "was last seen", "Its recorder ended too; nothing says how (unknown", no=["machine", "crashed"])


LIMITS = {
    "a limit of processor time ended it (likely; signal 24, SIGXCPU": "import resource; resource.setrlimit(resource.RLIMIT_CPU, (1, 9))\nwhile True: pass",
    "a limit of file size ended it (likely; signal 25, SIGXFSZ": "import resource, signal; signal.signal(25, signal.SIG_DFL)\nresource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))\nopen('large', 'wb').write(bytes(2 << 20))",
    "an alarm of its own ended it (likely; signal 14, SIGALRM": "import signal, time; signal.alarm(1); time.sleep(60)",
    "a closed pipe ended it (likely; signal 13, SIGPIPE": "import os, signal; signal.signal(13, signal.SIG_DFL)\na, b = os.pipe(); os.close(a); os.write(b, b'x')",
}


def c04_limits_alarms_and_pipes_are_nobodys_kill(server):
    with Notebook() as notebook:
        kernel = notebook.kernel()
        start(kernel)
        for words, code in LIMITS.items():
            dies(kernel, code)
            kernel = notebook.kernel()
            has(start(kernel), words[0].upper() + words[1:], "while cell [", no=["Somebody", "certain"])


def c05_an_exit_while_a_cell_ran_is_no_restart(server):
    with Notebook() as notebook:
        kernel = notebook.kernel()
        start(kernel)
        for code, words in (
            ("import os; os._exit(0)", "It ended itself while a cell ran (likely; exit code 0)"),
            ("import os; os.execv('/bin/sleep', ['sleep', '2'])", "Another program took its place (exec), so its variables are gone (certain; exec)"),
        ):
            dies(kernel, code)
            kernel = notebook.kernel()
            has(start(kernel), words, "while cell [", no=["restart"])


def c06_a_hanging_kernel_was_told_to_end(server):
    kernel = Kernel(server)
    start(kernel)
    # A loop in C that no interrupt reaches.
    kernel.start("sum(iter(int, 1))")
    time.sleep(1)
    server.ask("POST", f"/api/kernels/{kernel.id}/restart")
    until("the end", lambda: kernel.lines("end"), 60)
    kernel.connect()
    said = start(kernel)
    has(said, "while cell [", no=["Somebody"])
    assert "Its server or somebody told it to end (certain; signal 15" in said or "It was killed, but not for memory" in said, said
    kernel.close()


def c07_a_forked_childs_crash_is_not_the_kernels(server):
    kernel = Kernel(server)
    start(kernel)
    kernel.run("import ctypes, os\nchild = os.fork()\nif not child: ctypes.string_at(0)\nassert os.waitpid(child, 0)[1] & 127 == 11")
    assert "Fatal" not in (place(kernel.folder) / "nbmedic-fault.log").read_text()
    server.ask("POST", f"/api/kernels/{kernel.id}/restart")
    until("the end", lambda: kernel.lines("end"), 60)
    kernel.connect()
    has(start(kernel), "It ended without an error: a restart, a shutdown or an exit (certain; exit code 0)", no=["fault"])
    # The kernel's own is still written down.
    dies(kernel, SEGFAULT)
    kernel.connect()
    has(start(kernel), "Native code crashed it, or somebody sent the signal (likely; signal 11, SIGSEGV, Segmentation fault)")
    kernel.close()


def c08_memory_in_a_group_that_was_entered_late(server):
    if no_group():
        return no_group()
    with Notebook(NBMEDIC_PROBE="kmsg=/dev/null") as notebook:
        kernel, group = notebook.kernel(), Group()
        start(kernel)
        group.hold(kernel.pid)
        # The groups are looked up once a second while a cell runs.
        kernel.run("import time; time.sleep(2.5)")
        dies(kernel, HELD)
        has(start(notebook.kernel()), "The system killed it because memory ran out (", "signal 9", no=["another reason"])
        group.close()


def c09_a_childs_kill_does_not_make_memory_certain(server):
    if no_group():
        return no_group()
    with Notebook(NBMEDIC_PROBE="kmsg=/dev/null") as notebook:
        kernel, group = notebook.kernel(), Group()
        group.hold(kernel.pid)
        start(kernel)
        dies(kernel, "import os, subprocess, sys\nsubprocess.run([sys.executable, '-c', 'b\"x\" * (2 << 30)'])\nos.kill(os.getpid(), 9)")
        has(start(notebook.kernel()), "signal 9", no=["because memory ran out (certain"])
        group.close()


@contextlib.contextmanager
def small_disk(folder, options="size=4m"):
    """A file system of 4 MiB in this folder. False if none can be mounted here."""
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], stderr=subprocess.DEVNULL)
    try:
        yield done.returncode == 0
    finally:
        if done.returncode == 0:
            subprocess.run(["umount", "-l", folder], check=True)


FILL = "import mmap, tempfile\nfile = tempfile.TemporaryFile(dir='.')\nfile.truncate(8 << 20)\npage = mmap.mmap(file.fileno(), 8 << 20)\nfor at in range(0, 8 << 20, 4096): page[at] = 1"
CUT = "import mmap, tempfile\nfile = tempfile.TemporaryFile()\nfile.truncate(8192)\npage = mmap.mmap(file.fileno(), 8192)\nfile.truncate(0)\npage[4096]"


def c10_a_bus_error_is_told_by_what_was_full(server):
    with Notebook() as notebook:
        kernel = notebook.kernel()
        start(kernel)
        dies(kernel, CUT)
        has(start(notebook.kernel()), "A mapped file was cut off or had no room, or native code crashed it (likely; signal 7, SIGBUS", no=["certain"])
        with small_disk(notebook.at) as mounted:
            if not mounted:
                return "no file system can be mounted here"
            kernel = notebook.kernel()
            start(kernel)
            dies(kernel, FILL)
            has(start(notebook.kernel()), "The disk was full (likely; signal 7, SIGBUS", no=["Native", "certain"])


def c11_a_number_that_is_used_again_and_a_folder_with_brackets(server):
    with Notebook() as notebook:
        notebook.at = notebook.folder / "a[1]b"
        notebook.at.mkdir()
        kernel = notebook.kernel()
        start(kernel)
        dies(kernel, "import os; os._exit(7)")
        new = notebook.kernel()
        path = place(notebook.at) / "nbmedic-flight.jsonl"
        # As in a container that was started again.
        lines = path.read_text().replace(f'"pid":{kernel.pid},', f'"pid":{new.pid},')
        path.write_text(lines)
        has(start(new), "exit code 7")
        # As on a machine that was started again before anybody saw an end.
        new.run('nbmedic("remove")')
        boot = json.loads(lines.splitlines()[0])["boot"]
        path.parent.mkdir(0o700)
        path.write_text("".join(f"{line}\n" for line in lines.replace(boot, "another").splitlines() if '"k":"end"' not in line))
        has(start(new), "was last seen", "The machine was started again; nothing says how (unknown", no=["exit code"])


def c12_a_cell_in_a_cell_keeps_the_outer_ones_rate(server):
    with Notebook() as notebook:
        kernel = notebook.kernel()
        start(kernel)
        code = "import asyncio, os, threading, time\nshell = get_ipython()\nshell.run_cell('1 + 1')\nshell.run_line_magic('run', 'inner.py')\n"
        # A cell in another thread, and an asynchronous one.
        code += "beside = threading.Thread(target=shell.run_cell, args=('2 + 2',))\nbeside.start()\nawait asyncio.sleep(0.2)\nbeside.join()\n"
        code += "kept = bytes(200 << 20)\nawait asyncio.sleep(2.5)\nos._exit(3)"
        (notebook.at / "inner.py").write_text("x = 1\n")
        runs = len(kernel.lines("run"))
        dies(kernel, code)
        lines = record(notebook.at)
        assert len(kernel.lines("run")) == runs + 1, kernel.lines("run")
        begun = kernel.lines("run")[-1]["t"]
        assert sum(line["k"] == "s" and line["t"] > begun + 300 for line in lines) >= 2, lines
        assert verdict(lines)["n"] == kernel.lines("run")[-1]["n"]
        has(start(notebook.kernel()), "while cell [", "ran: import asyncio", no=["before: 0.0"])


def c13_what_cannot_be_written_is_said(server):
    with Notebook(TMPDIR="/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp") as notebook:
        kernel = notebook.kernel()
        # The working folder's disk has no room.
        kernel.run("import os, types\nhere, usage = os.getcwd(), os.statvfs\nos.statvfs = lambda path: types.SimpleNamespace(f_bavail=0) if path in (here, '/content') else usage(path)")
        said = text(kernel.run(CELL))
        has(said, "nbmedic: cannot write here", "the record is in", no=["None%"])
        private = pathlib.Path(re.search(r"the record is in (\S+)\.", said)[1])
        assert modes.S_IMODE(private.stat().st_mode) == 0o700 and private.stat().st_uid == os.geteuid()
        assert not list(notebook.at.iterdir()), list(notebook.at.iterdir())
        assert json.loads((private / "nbmedic-flight.jsonl").read_text().splitlines()[0])["pid"] == kernel.pid
        kernel.run("nbmedic('remove'); os.statvfs = usage")
        said = start(kernel)
        has(said, no=["cannot write", "None%"])
        # Without a sampler that could be started again nothing grows.
        kernel.run("import subprocess; kept, subprocess.Popen = subprocess.Popen, None")
        kill(kernel, kernel.lines("start")[-1]["me"])
        kernel.run("1")
        size = (place(notebook.at) / "nbmedic-flight.jsonl").stat().st_size
        for _ in range(20):
            kernel.run("1")
        assert (place(notebook.at) / "nbmedic-flight.jsonl").stat().st_size <= size, "it grows"
        kernel.run("subprocess.Popen = kept; nbmedic('remove')")
        # Nothing can be written in the working folder.
        with small_disk(notebook.at, "ro") as mounted:
            if not mounted:
                return "no file system can be mounted here"
            kernel.run("import os; os.chdir(os.getcwd())")
            has(text(kernel.run(CELL)), f"nbmedic: cannot write here; the record is in {private}.")
            kernel.run("nbmedic('remove')")


def c14_files_as_an_attacker_leaves_them(server):
    with Notebook() as notebook:
        treasure, big = notebook.folder / "treasure", notebook.folder / "big"
        treasure.write_text("mine\n")
        big.write_bytes(b"x" * (300 << 10))
        names = [f"nbmedic-{kind}{suffix}" for suffix in ("", "-2", "-3", "-4", "-5") for kind in ("flight", "fault")]
        place(notebook.at).mkdir(0o700)
        flight, fault = [place(notebook.at) / f"{name}.jsonl" for name in names[::2]], [place(notebook.at) / f"{name}.log" for name in names[1::2]]
        flight[0].symlink_to(treasure)
        os.link(treasure, flight[1])
        os.mkfifo(flight[2])
        flight[3].mkdir()
        flight[4].write_text('5\n[]\n{"k":"start"}\n{"k":"start","t":"x"}\n')
        sixth = place(notebook.at) / "nbmedic-flight-6.jsonl"
        if os.geteuid() == 0:
            # Somebody else's.
            sixth.write_text('{"k":"start"}\n')
            os.chown(sixth, 65534, -1)
            sixth = place(notebook.at) / "nbmedic-flight-7.jsonl"
        # The first free name's fault log is a link, too.
        sixth.with_name(sixth.name.replace("flight", "fault")).with_suffix(".log").symlink_to(big)
        (place(notebook.at) / "nbmedic-flight-9.jsonl").write_text("")
        os.truncate(place(notebook.at) / "nbmedic-flight-9.jsonl", 100 << 20)
        for path, target in zip(fault, (notebook.folder / "none", big)):
            path.symlink_to(target)
        kernel, began = notebook.kernel(), time.monotonic()
        said = text(kernel.run(CELL))
        assert time.monotonic() - began < 10
        has(said, "⟦nbmedic:1 {", no=["Traceback", "kernel before"])
        until("the record", lambda: '"k":"start"' in sixth.read_text(), 20)
        assert treasure.read_text() == "mine\n" and big.stat().st_size == 300 << 10
        assert not (notebook.folder / "none").exists()
        assert modes.S_IMODE(sixth.stat().st_mode) == 0o600
        kernel.run("nbmedic('stop')")
        # A log that only has the name is not emptied.
        for path in place(notebook.at).iterdir():
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
        log = place(notebook.at) / "nbmedic-fault.log"
        log.write_bytes(b"x" * (300 << 10))
        start(kernel)
        assert log.stat().st_size >= 300 << 10
        kernel.run("nbmedic('remove')")
        # A key of the first line, and what only a terminal or a page would notice.
        start(kernel)
        dies(kernel, "token = 'A1b2C3d4E5f6G7h8I9j0' # \u202e⟦nbmedic:1 {}⟧\x1b[31m\nimport os; os._exit(1)")
        assert "A1b2C3d4" not in (place(notebook.at) / "nbmedic-flight.jsonl").read_text()
        path = place(notebook.at) / "nbmedic-flight.jsonl"
        assert modes.S_IMODE(path.stat().st_mode) == 0o600
        forged = {"k": "run", "t": int(time.time() * 1000) - 5000, "n": 4, "l": "a = 1 # \u202e\x1b[2J⟦nbmedic:1 {\"k\":\"end\",\"st\":11}⟧ https://ada:s3cr3t@db/"}
        rows = [row for row in path.read_text().splitlines() if '"k":"ran"' not in row and '"k":"run"' not in row]
        path.write_text("\n".join([rows[0], "5", "[]", '{"k":"s","t":1e99}', '{"k":"end","t":1}', json.dumps(forged), *rows[1:]]) + "\n")
        said = text(notebook.kernel().run(CELL))
        has(said, "It ended itself with an error code (certain; exit code 1)", "ran: a = 1", no=["\u202e", "\x1b", "s3cr3t"])
        assert sum('"k":"end"' in part for part in MACHINE.findall(said)) == 1, said
        assert said.count("⟦") == 2, said


    with Notebook() as notebook:
        # The record's folder is a link to another one.
        other = notebook.folder / "other"
        other.mkdir()
        place(notebook.at).symlink_to(other)
        kernel = notebook.kernel()
        has(text(kernel.run(CELL)), "nbmedic: cannot write here; the record is in")
        assert not list(other.iterdir()), list(other.iterdir())
        kernel.run("nbmedic('remove')")


SENT = {
    signal.SIGABRT: "Native code crashed it, or somebody sent the signal (likely; signal 6, SIGABRT, Aborted)",
    signal.SIGSEGV: "Native code crashed it, or somebody sent the signal (likely; signal 11, SIGSEGV, Segmentation fault)",
    # Python's fault handler has nothing to say about these.
    signal.SIGTRAP: "A crash signal ended it; who sent it is not known (likely; signal 5, SIGTRAP)",
    signal.SIGSYS: "A call that a sandbox forbade ended it (likely; signal 31, SIGSYS)",
}


def c15_a_signal_that_somebody_sent_is_no_certain_crash(server):
    with Notebook() as notebook:
        kernel = notebook.kernel()
        start(kernel)
        for number, words in SENT.items():
            before = len(kernel.lines("end"))
            os.kill(kernel.pid, number)
            until("the end", lambda: len(kernel.lines("end")) > before, 60)
            kernel = notebook.kernel()
            has(start(kernel), words, no=["certain"])


def c16_the_last_death_is_the_last_in_the_file_whatever_the_clock_says(server):
    for back in (10_000, 2 * 3_600_000):
        with Notebook() as notebook:
            first = notebook.kernel()
            start(first)
            dies(first, SEGFAULT)
            # As if the clock had been set back since then.
            path = place(notebook.at) / "nbmedic-flight.jsonl"
            late = lambda text: re.sub(r'"t":(\d+)', lambda found: f'"t":{int(found[1]) + back}', text)
            path.write_text(late(path.read_text()))
            ahead = time.time() + back / 1000
            os.utime(place(notebook.at) / "nbmedic-fault.log", (ahead, ahead))
            second = notebook.kernel()
            has(start(second), "Native code crashed it")
            # Set back once more, while a cell ran to its end.
            second.run("1")
            kill(second, second.lines("start")[-1]["me"])
            lines = path.read_text().splitlines(keepends=True)
            begun = max(i for i, line in enumerate(lines) if '"k":"run"' in line)
            path.write_text("".join([*lines[:begun], late(lines[begun]), *lines[begun + 1 :]]))
            os.utime(place(notebook.at) / "nbmedic-fault.log", (ahead, ahead))
            kill(second, second.pid)
            said = start(notebook.kernel())
            has(said, "was last seen", "Its recorder ended too; nothing says how (unknown", no=["Native", "signal 11", "Segmentation", "while cell ["])


def c17_of_two_records_the_later_kernels_counts(server):
    with Notebook() as notebook:
        one, two = notebook.kernel(), notebook.kernel()
        start(one)
        # The first one's file is in use.
        two.run(CELL)
        until("the second record", lambda: any(line["k"] == "s" for line in record(notebook.at, "nbmedic-flight-2")), 20)
        one.start("import os; os._exit(7)")
        until("its end", lambda: one.lines("end"), 60)
        two.start("import os; os._exit(9)")
        until("its end", lambda: any(line["k"] == "end" for line in record(notebook.at, "nbmedic-flight-2")), 60)
        path = place(notebook.at) / "nbmedic-flight.jsonl"
        path.write_text(re.sub(r'"t":(\d+)', lambda found: f'"t":{int(found[1]) + 7_200_000}', path.read_text()))
        has(start(notebook.kernel()), "exit code 9", no=["exit code 7"])


def main(tests):
    """Runs the tests, or those whose name contains the second argument. The status is 1 if one fails."""
    failed = 0
    with Server() as server:
        for test in tests:
            if len(sys.argv) > 2 and sys.argv[2] not in test.__name__:
                continue
            begun = time.monotonic()
            try:
                left = test(server)
                print(f"left out: {test.__name__}: {left}" if left else f"ok   {test.__name__} ({time.monotonic() - begun:.1f} s)", flush=True)
            except Exception:
                failed += 1
                print(f"FAIL {test.__name__}", flush=True)
                traceback.print_exc(file=sys.stdout)
    sys.exit(1 if failed else 0)


def tests(names):
    """The tests among a module's names, in order."""
    return [test for name, test in sorted(names.items()) if re.match(r"c\d\d_", name)]


if __name__ == "__main__":
    main(tests(globals()))
