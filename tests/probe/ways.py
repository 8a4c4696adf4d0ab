"""More ways for a kernel to die than `deaths.py` has, for the soak, and some in which it lives on and no death may be told."""

import contextlib
import os
import pathlib
import platform
import signal
import sys
import tempfile

from deaths import BUS, CHUNKS, HELD, MACHINE_CODE, Death, Life, cell, crash, killed, status, until_it_runs
from kernels import stat, text, until

INTEL = platform.machine() == "x86_64"
C = "import ctypes\nlibc = ctypes.CDLL(None)\n"
# An integer that is divided by zero, and a breakpoint without a debugger.
DIVIDE, TRAP = "31c931d231c0f7f9", "cc" if INTEL else "200020d4"
# A filter of system calls that ends the process at getppid.
SANDBOX = """
import ctypes, os, struct
steps = struct.pack("=HBBI", 0x20, 0, 0, 0) + struct.pack("=HBBI", 0x15, 0, 1, %d)
steps += struct.pack("=HBBI", 6, 0, 0, 0x80000000) + struct.pack("=HBBI", 6, 0, 0, 0x7FFF0000)
kept = ctypes.create_string_buffer(steps)
libc = ctypes.CDLL(None)
assert not libc.prctl(38, 1, 0, 0, 0)
assert not libc.prctl(22, 2, ctypes.byref(ctypes.create_string_buffer(struct.pack("HxxxxxxP", 4, ctypes.addressof(kept)))))
os.getppid()
""" % (110 if INTEL else 173)
TIMER = "import ctypes, os, threading\nthreading.Timer(0.6, lambda: %s).start()"
LIMIT = "import resource\nresource.setrlimit(resource.%s, %s)\n"
LOOP = "while True: pass"
# Who runs the tests in the background may have them ignored.
HEARD = "import signal\nfor number in (1, 3): signal.signal(number, signal.SIG_DFL)\n"
# A child that Python knows nothing of, with the interpreter's lock.
CHILD = "import ctypes, os, sys, time\nsys.setswitchinterval(60)\nchild = ctypes.PyDLL(None).fork()\nif not child: ctypes.string_at(0)\nassert os.waitpid(child, 0)[1] & 127 == 11\n"
# A call in C that no interrupt reaches, and that keeps the GIL.
HANG = "sum(iter(int, 1))"
FULL = (
    "import mmap, tempfile\nfile = tempfile.TemporaryFile(dir='.')\nfile.truncate(8 << 20)\npage = mmap.mmap(file.fileno(), 8 << 20)\n"
    "for at in range(0, 8 << 20, 4096): page[at] = 1"
)

SHM_FULL = FULL.replace("dir='.'", "dir='/dev/shm'").replace("8 << 20", "24 << 20")
SHM_LEFT = SHM_FULL.replace("file = tempfile.TemporaryFile(dir='/dev/shm')", "file = open('/dev/shm/left', 'w+b')")


def told(end):
    """Whether its server told it to end: politely, or in the end with a signal."""
    return end.get("st") in (0, 15, 9)


def asked(end):
    """Its server asked it to end, and it did so; or it was too slow on a busy machine, and the server ended it with a signal."""
    return end["cause"] == ("clean-exit" if end.get("st") == 0 else OWN) and told(end)


def both(*proofs):
    return lambda end: all(proof(end) for proof in proofs)


def said(words):
    return lambda end: words in end["words"]


def sent(end):
    """Not told as certain: a crash looks the same."""
    return end["sure"] == "likely"


def idle(code):
    """The code runs in a thread, when the cell has ended."""
    return cell(TIMER % code)


def busy(act):
    """The act, while a cell runs."""

    def acts(kernel):
        kernel.start("import time; time.sleep(600)")
        until_it_runs(kernel)
        act(kernel)

    return acts


def hanging(act):
    def acts(kernel):
        kernel.start(HANG)
        until_it_runs(kernel)
        act(kernel)

    return acts


def sends(number):
    return lambda kernel: os.kill(kernel.pid, number)


def restart(kernel):
    kernel.server.ask("POST", f"/api/kernels/{kernel.id}/restart")


def delete(kernel):
    kernel.server.ask("DELETE", f"/api/kernels/{kernel.id}")


def interrupt(kernel):
    kernel.start("import time; time.sleep(600)")
    until_it_runs(kernel)
    kernel.server.ask("POST", f"/api/kernels/{kernel.id}/interrupt")


def server_ends(number):
    return lambda kernel: kernel.server.process.send_signal(number)


def culled(kernel):
    """The server ends it, because nobody has used it for a while."""


def stopped_first(kernel):
    os.kill(kernel.pid, signal.SIGSTOP)
    os.kill(kernel.pid, signal.SIGKILL)


def entered_late(kernel):
    """The group with the limit holds the kernel only while a cell already runs. It is looked up once a second."""
    kernel.start("import time; time.sleep(3)\n" + HELD)
    until_it_runs(kernel)
    kernel.group.hold(kernel.pid)


def told_by_its_successor(kernel):
    """The server starts a new kernel after the crash, and the start cell says there how the old one ended."""
    kernel.start("import ctypes; ctypes.string_at(0)")
    until("the new kernel", lambda: (stat(kernel.pid)[:1] or ["Z"]) == ["Z"])
    kernel.connect()
    shown = text(kernel.run(kernel.cell))
    assert "Native code crashed it, or somebody sent the signal (likely; signal 11" in shown and "while cell [" in shown, shown


@contextlib.contextmanager
def small_disk(root):
    """A folder with a file system of 4 MiB of its own, or None."""
    with tempfile.TemporaryDirectory(dir=root) as folder:
        mounted = os.system(f"mount -t tmpfs -o size=4m tmpfs {folder} 2>/dev/null") == 0
        try:
            yield pathlib.Path(folder) if mounted else None
        finally:
            if mounted:
                os.system(f"umount -l {folder}")


OWN = "kernel-died"
WAYS = [
    # Signals from outside, in every state of the kernel.
    Death("SIGKILL, idle", sends(9), OWN, status(9)),
    Death("SIGKILL, hanging in C", hanging(sends(9)), OWN, status(9)),
    Death("SIGKILL, stopped before", stopped_first, OWN, status(9)),
    Death("SIGKILL to its group", lambda kernel: os.killpg(kernel.pid, 9), OWN, status(9)),
    Death("SIGKILL by itself", cell("import os; os.kill(os.getpid(), 9)"), OWN, status(9)),
    Death("SIGKILL by a child", cell("import os\nif not os.fork(): os.kill(os.getppid(), 9)"), OWN, status(9)),
    Death("SIGTERM, busy", killed(signal.SIGTERM), OWN, both(status(15), said("told it to end"))),
    Death("SIGTERM, idle", sends(15), OWN, both(status(15), said("told it to end"))),
    Death("SIGHUP", killed(signal.SIGHUP, HEARD), OWN, said("told it to end")),
    Death("SIGUSR1", killed(signal.SIGUSR1), OWN, said("told it to end")),
    Death("SIGQUIT", killed(signal.SIGQUIT, HEARD), OWN, said("told it to end")),
    Death("a real-time signal", killed(40), OWN, said("told it to end")),
    # Crash signals that somebody sent: what raised them can't be told.
    Death("SIGABRT of a watchdog", killed(signal.SIGABRT), "native-crash", both(crash(6, "Abort"), sent)),
    Death("SIGSEGV, idle", sends(11), "native-crash", both(crash(11, "Segmentation"), sent)),
    Death("SIGTRAP", killed(signal.SIGTRAP), "native-crash", both(status(5), sent)),
    # Limits, alarms and pipes of its own.
    Death("limit of processor time", cell(LIMIT % ("RLIMIT_CPU", "(1, 9)") + LOOP), OWN, said("a limit of processor time")),
    Death("hard limit of processor time", cell(LIMIT % ("RLIMIT_CPU", "(3, 3)") + LOOP), OWN, both(status(9), said("a limit of processor time"))),
    Death(
        "limit of file size",
        cell("import signal; signal.signal(25, signal.SIG_DFL)\n" + LIMIT % ("RLIMIT_FSIZE", "(1 << 20, 1 << 20)") + "open('large', 'wb').write(bytes(2 << 20))"),
        OWN, said("a limit of file size"),
    ),
    Death("alarm", cell("import signal, time; signal.alarm(1); time.sleep(60)"), OWN, said("an alarm of its own")),
    Death("alarm of its processor time", cell("import signal; signal.setitimer(signal.ITIMER_VIRTUAL, 0.2)\n" + LOOP), OWN, said("an alarm of its own")),
    Death("alarm of a profiler", cell("import signal; signal.setitimer(signal.ITIMER_PROF, 0.2)\n" + LOOP), OWN, said("an alarm of its own")),
    Death("closed pipe", cell("import os, signal; signal.signal(13, signal.SIG_DFL)\na, b = os.pipe(); os.close(a); os.write(b, b'x')"), OWN, said("a closed pipe")),
    # Crashes.
    Death("write to nowhere", cell(C + "ctypes.memset(0, 0, 1)"), "native-crash", crash(11, "Segmentation")),
    Death("call of nowhere", cell(C + "ctypes.CFUNCTYPE(None)(0)()" if INTEL else C + "ctypes.CFUNCTYPE(None)(8)()"), "native-crash", crash(11, "Segmentation")),
    Death("write to constant memory", cell("import ctypes, mmap\npage = mmap.mmap(-1, 4096)\nat = ctypes.addressof(ctypes.c_char.from_buffer(page))\nctypes.CDLL(None).mprotect(ctypes.c_void_p(at), 4096, 1)\nctypes.memset(at, 1, 1)"), "native-crash", crash(11, "Segmentation")),
    Death("segmentation fault, in a thread", cell("import ctypes, threading, time\nthreading.Thread(target=ctypes.string_at, args=(0,)).start()\ntime.sleep(60)"), "native-crash", crash(11, "Segmentation")),
    Death("segmentation fault, idle", idle("ctypes.string_at(0)"), "native-crash", crash(11, "Segmentation")),
    Death("segmentation fault, in a nested cell", cell("get_ipython().run_cell('import ctypes; ctypes.string_at(0)')"), "native-crash", both(crash(11, "Segmentation"), lambda end: "n" in end)),
    Death("segmentation fault, asynchronous cell", cell("import asyncio, ctypes\nawait asyncio.sleep(0.2)\nctypes.string_at(0)"), "native-crash", both(crash(11, "Segmentation"), lambda end: "n" in end)),
    Death("abort of the C library", cell(C + "libc.abort()"), "native-crash", crash(6, "Abort")),
    Death("freed twice", cell(C + "libc.free.argtypes = [ctypes.c_void_p]\nlibc.malloc.restype = ctypes.c_void_p\nat = libc.malloc(4000)\nlibc.free(at)\nlibc.free(at)\nlibc.free(at + 8)"), "native-crash", lambda end: end["st"] & 127 in (6, 11)),
    Death("stack smashed", cell(C + "libc.__stack_chk_fail()"), "native-crash", lambda end: end["st"] & 127 in (6, 11)),
    Death("failed assertion in C", cell(C + "libc.__assert_fail(b'x > 0', b'x.c', 7, b'f')"), "native-crash", lambda end: end["st"] & 127 in (6, 11)),
    Death("fatal error of Python", cell("import ctypes; ctypes.pythonapi.Py_FatalError(b'no more')"), "native-crash", status(6)),
    Death("breakpoint", cell(MACHINE_CODE % TRAP), "native-crash", lambda end: end["st"] & 127 == 5),
    Death("system call that a sandbox forbids", cell(SANDBOX), OWN, said("a call that a sandbox forbade")),
    Death("bus error, idle", cell("import threading\ndef cut():\n" + "".join(f"    {row}\n" for row in BUS.strip().splitlines()) + "threading.Timer(0.6, cut).start()"), "native-crash", crash(7, "Bus")),
    Death("bus error, the disk was full", cell(FULL), "disk-full", crash(7, "Bus"), folder=small_disk),
    Death("bus error, shared memory was full", cell(SHM_FULL), "shared-memory-exhausted", crash(7, "Bus"), shm=True),
    Death("bus error, a file in full shared memory is left", cell(SHM_LEFT), "shared-memory-exhausted", both(crash(7, "Bus"), lambda end: end["kept"] > 15 << 20), shm=True),
    Death("segmentation fault, raised by itself", cell("import signal; signal.raise_signal(11)"), "native-crash", both(crash(11, "Segmentation"), sent)),
    Death("segmentation fault, by the fault handler", cell("import faulthandler; faulthandler._sigsegv()"), "native-crash", crash(11, "Segmentation")),
    Death("abort, by the fault handler", cell("import faulthandler; faulthandler._sigabrt()"), "native-crash", crash(6, "Abort")),
    Death("division by zero, by the fault handler", cell("import faulthandler; faulthandler._sigfpe()"), "native-crash", crash(8, "Floating")),
    Death("abort, in a thread", cell("import os, threading, time\nthreading.Thread(target=os.abort).start()\ntime.sleep(60)"), "native-crash", crash(6, "Abort")),
    Death("abort, idle", idle("os.abort()"), "native-crash", crash(6, "Abort")),
    Death("C++ without a handler", cell(C + "ctypes.CDLL('libstdc++.so.6')._ZSt9terminatev()"), "native-crash", crash(6, "Abort")),
    Death("C++ without memory", cell(C + "ctypes.CDLL('libstdc++.so.6')._ZSt17__throw_bad_allocv()"), "native-crash", lambda end: end["st"] & 127 in (6, 11)),
    Death("memory that is not the process's", cell(C + "libc.munmap(ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(__import__('mmap').mmap(-1, 1 << 16)))), 1 << 16)\nctypes.memset(-4096, 1, 1)"), "native-crash", crash(11, "Segmentation")),
    Death("crash while memory is read from a file", cell("import mmap, os, tempfile\nfile = tempfile.NamedTemporaryFile()\nfile.write(bytes(1 << 20)); file.flush()\npage = mmap.mmap(file.fileno(), 1 << 20)\nos.truncate(file.name, 0)\nbytes(page)"), "native-crash", crash(7, "Bus")),
    Death("a child of C crashed a while before", cell(CHILD + "time.sleep(2.5)\nos.kill(os.getpid(), 9)"), OWN, both(status(9), lambda end: "fault" not in end)),
    Death("a child of C crashed, and the kernel exits", cell(CHILD + "os._exit(3)"), OWN, both(status(3 << 8), said("with an error code"))),
    Death("a child of C crashed, and the kernel's crash follows", cell(CHILD + "time.sleep(2.5)\nos.abort()"), "native-crash", crash(6, "Abort")),
    # It ended itself.
    Death("os._exit(0) in a cell", cell("import os; os._exit(0)"), OWN, said("ended itself while a cell ran")),
    Death("os._exit(0), idle", idle("os._exit(0)"), "clean-exit", status(0)),
    Death("os._exit(9), idle", idle("os._exit(9)"), OWN, both(status(9 << 8), said("with an error code"))),
    Death("os._exit(137)", cell("import os; os._exit(137)"), OWN, both(status(137 << 8), said("with an error code"))),
    Death("exit of the C library", cell(C + "libc._exit(5)"), OWN, both(status(5 << 8), said("with an error code"))),
    Death("another program in its place", cell("import os; os.execv('/bin/sleep', ['sleep', '2'])"), OWN, said("another program took its place")),
    Death("a failing program in its place", cell("import os; os.execv('/bin/sh', ['sh', '-c', 'sleep 2; exit 3'])"), OWN, said("another program took its place")),
    Death("Python again in its place", cell("import os, sys; os.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(2)'])"), OWN, said("another program took its place")),
    Death("another program in its place, idle", idle("os.execv('/bin/sleep', ['sleep', '2'])"), OWN, said("another program took its place")),
    Death("exit, in a thread", cell("import os, threading, time\nthreading.Thread(target=os._exit, args=(4,)).start()\ntime.sleep(60)"), OWN, both(status(4 << 8), said("with an error code"))),
    Death("exit with 256", cell("import os; os._exit(256)"), OWN, said("ended itself while a cell ran")),
    Death("exit of a nested cell", cell("get_ipython().run_cell('import os; os._exit(6)')"), OWN, both(status(6 << 8), lambda end: "n" in end)),
    Death("exit after the folder changed", cell("import os, tempfile; os.chdir(tempfile.mkdtemp()); os._exit(6)"), OWN, status(6 << 8)),
    Death("exit after the record was deleted", cell("import os, shutil, time; shutil.rmtree('nbmedic-flight'); time.sleep(1.5); os._exit(6)"), OWN, both(status(6 << 8), lambda end: "n" in end)),
    Death("exit after its name changed", cell(C + "import os, time\nlibc.prctl(15, b'ray::IDLE', 0, 0, 0); time.sleep(1.5); os._exit(6)"), OWN, both(status(6 << 8), said("with an error code"))),
    Death("quit()", cell("quit()"), "clean-exit", status(0)),
    # Memory.
    Death("out of memory, a list that grows", cell("kept = []\nwhile True: kept.append(bytearray(1 << 20))"), "host-oom", status(9), limited=True),
    Death("out of memory, in a thread", cell("import threading, time\ndef grow():\n    kept = []\n    while True: kept.append(b'x' * (8 << 20))\nthreading.Thread(target=grow).start()\ntime.sleep(60)"), "host-oom", status(9), limited=True),
    Death("out of memory, idle", cell("import threading\ndef grow():\n    kept = []\n    while True: kept.append(b'x' * (8 << 20))\nthreading.Timer(0.6, grow).start()"), "host-oom", status(9), limited=True),
    Death("out of memory, in a nested cell", cell("get_ipython().run_cell(%r)" % CHUNKS), "host-oom", both(status(9), lambda end: "n" in end), limited=True),
    Death("out of memory, in a group entered late", entered_late, "host-oom", status(9), limited="late"),
    Death("out of memory, files in shared memory", cell("import tempfile\nfile = tempfile.TemporaryFile(dir='/dev/shm')\nwhile True: file.write(bytes(1 << 20))"), "host-oom", status(9), limited=True),
    Death("a guard near the limit", cell("import os, time\nkept = []\nfor _ in range(75):\n    kept.append(b'x' * (4 << 20))\n    time.sleep(0.01)\ntime.sleep(0.3)\nos.kill(os.getpid(), 9)"), OWN, both(status(9), sent, said("maybe for memory")), limited=True),
    # What a real server does.
    Death("restart while a cell runs", busy(restart), ("clean-exit", OWN), told, server=True),
    Death("restart of a kernel that hangs", hanging(restart), OWN, lambda end: end.get("st") in (9, 15), server=True),
    Death("shutdown, idle", delete, ("clean-exit", OWN), asked, server=True),
    Death("shutdown while a cell runs", busy(delete), ("clean-exit", OWN), told, server=True),
    Death("shutdown of a kernel that hangs", hanging(delete), OWN, lambda end: end.get("st") in (9, 15), server=True),
    Death("culled", culled, ("clean-exit", OWN), asked, server="culls"),
    Death("the server ends, idle", server_ends(signal.SIGTERM), ("clean-exit", OWN), asked, server="ends"),
    Death("the server ends while a cell runs", busy(server_ends(signal.SIGTERM)), ("clean-exit", OWN), told, server="ends"),
    Death("the server crashes", server_ends(signal.SIGSEGV), OWN, said("its Jupyter server was gone"), server="ends"),
    Death("crash, told by the server's new kernel", told_by_its_successor, "native-crash", crash(11, "Segmentation"), server=True),
    # It lives.
    Life("interrupt", interrupt, server=True),
    Life("MemoryError", lambda kernel: kernel.run("bytes(1 << 60)", fails=True)),
    Life("RecursionError", lambda kernel: kernel.run("def f(): f()\nf()", fails=True)),
    Life("SystemExit", lambda kernel: kernel.run("import sys; sys.exit(3)", fails=True)),
    Life("forked child crashes", lambda kernel: kernel.run("import ctypes, os\nchild = os.fork()\nif not child: ctypes.string_at(0)\nassert os.waitpid(child, 0)[1] & 127 == 11")),
    Life("child of C crashes", lambda kernel: kernel.run(CHILD)),
    Life("MemoryError of a limit", lambda kernel: kernel.run(LIMIT % ("RLIMIT_AS", "(4 << 30, -1)") + "bytes(8 << 30)", fails=True)),
    Life("its name changes", lambda kernel: kernel.run(C + "libc.prctl(15, b'ray::IDLE', 0, 0, 0)\nimport time; time.sleep(1.5)")),
    Life("a session of its own", lambda kernel: kernel.run("import os\nif os.getsid(0) != os.getpid(): os.setpgid(0, 0)\nimport time; time.sleep(1.2)")),
    Life("a thread exits", lambda kernel: kernel.run("import sys, threading\nbeside = threading.Thread(target=sys.exit)\nbeside.start(); beside.join()")),
    Life("program is killed", lambda kernel: kernel.run("import subprocess\nassert subprocess.run(['sh', '-c', 'kill -9 $$']).returncode == -9")),
    Life("program runs out of memory", lambda kernel: kernel.run("import subprocess, sys\nassert subprocess.run([sys.executable, '-c', 'b\"x\" * (2 << 30)']).returncode == -9"), limited=True),
]
if INTEL:
    WAYS.append(Death("division by zero in C", cell(MACHINE_CODE % DIVIDE), "native-crash", crash(8, "Floating")))
if sys.version_info < (3, 12):
    # The fault handler has a stack of its own only for the main thread, so it says nothing.
    WAYS.append(
        Death("stack overflow, in a thread", cell("import sys, threading\nsys.setrecursionlimit(10**7)\ndef sink(n): return sorted([n + 1], key=sink)\nthreading.Thread(target=sink, args=(0,)).start()\nimport time; time.sleep(60)"), "native-crash", status(11))
    )
assert len({way.name for way in WAYS}) == len(WAYS)
