"""Makes a forked child a copy that can change nothing outside itself: what it shares with its parent is replaced, what it may use is
limited, and a filter refuses the rest. Everything here runs in the child. docs/trials.md explains it."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import resource
import signal
import socket
import stat
import sys
import threading
from typing import Any, Callable, Iterator, List, Optional, Tuple

from . import _filter

COPIED = 16 << 20
"""Bytes of shared memory that are copied; what does not fit can't be touched."""

PATH_ONLY = 0o10000000
"""O_PATH: a descriptor that names a file and can't be read."""


class Unsafe(Exception):
    """The child can't be made safe, so nothing is tried in it."""


def seal(parent: int, keep: Tuple[int, ...], seconds: float, memory: int, lock: Callable[[], None]) -> None:
    """Makes this process safe. `keep` are the descriptors that it may use, `lock` installs the filter.

    seconds: of processor time. memory: bytes of addresses that it may have beside those of now.
    Raises Unsafe or OSError, if it can't be done."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        raise Unsafe("the kernel ended")
    # Without a terminal, out of reach of the interrupts that are meant for the kernel.
    os.setsid()
    with contextlib.suppress(OSError):
        # If memory runs out, the copy goes and not the kernel.
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    quiet()
    mappings(libc)
    descriptors(keep)
    limit(seconds, memory)
    lock()


def quiet() -> None:
    """Takes back what the kernel's code has set for signals and for each line of Python."""
    import faulthandler

    with contextlib.suppress(Exception):
        faulthandler.disable()
        faulthandler.cancel_dump_traceback_later()
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)) and number != signal.SIGINT:
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.settrace(None)
    sys.setprofile(None)


# Memory ---------------------------------------------------------------------------------------------------------------------


def shared() -> Iterator[Tuple[int, int, int, int, str, int, str]]:
    """The mappings that are shared: start, size, protection, offset, device, inode and path."""
    with open("/proc/self/maps") as file:
        rows = file.read().splitlines()
    for row in rows:
        place, may, offset, device, inode, *path = row.split(None, 5)
        if may[3] == "s":
            start, end = (int(n, 16) for n in place.split("-"))
            allowed = sum(bit for letter, bit in zip(may, (1, 2, 4)) if letter != "-")
            yield start, end - start, allowed, int(offset, 16), device, int(inode), path[0] if path else ""


def mappings(libc: Any) -> None:
    """Puts private memory in the place of what is shared: the file itself, mapped privately; a copy, where there is no such file; and
    otherwise, and for devices, nothing, so that touching it ends the child."""
    private, fixed, anonymous = 0x02, 0x10, 0x20
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    left = COPIED

    def put(start: int, size: int, may: int, flags: int, file: int = -1, offset: int = 0) -> None:
        if libc.mmap(start, size, may, private | fixed | flags, file, offset) != start:
            raise Unsafe("memory that it shares could not be replaced")

    for start, size, may, offset, device, inode, path in list(shared()):
        file = same(path, device, inode)
        if file is not None:
            put(start, size, may, 0, file, offset)
            os.close(file)
        elif may & 1 and size <= left and not path.startswith(("/dev/nvidia", "/dev/dri", "anon_inode:")):
            left -= size
            held = ctypes.string_at(start, size)
            put(start, size, 3, anonymous)
            ctypes.memmove(start, held, size)
            if libc.mprotect(ctypes.c_void_p(start), ctypes.c_size_t(size), may):
                raise Unsafe("memory that it shares could not be replaced")
        else:
            put(start, size, 0, anonymous)


def same(path: str, device: str, inode: int) -> Optional[int]:
    """The file of a mapping, opened for reading, if it is still there."""
    if not path.startswith("/") or not inode:
        return None
    try:
        # Without waiting for whom a pipe may have at its other end.
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return None
    found = os.fstat(file)
    major, minor = (int(n, 16) for n in device.split(":"))
    if stat.S_ISREG(found.st_mode) and found.st_ino == inode and found.st_dev == os.makedev(major, minor):
        return file
    os.close(file)
    return None


# Descriptors ----------------------------------------------------------------------------------------------------------------


def descriptors(keep: Tuple[int, ...]) -> None:
    """Replaces every descriptor: files become readable ones with an offset of their own, all others dead ends."""
    blank, sink = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC), os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
    for number in map(int, os.listdir("/proc/self/fd")):
        if number in keep or number in (blank, sink):
            continue
        try:
            of, flags = os.fstat(number), fcntl.fcntl(number, fcntl.F_GETFL)
        except OSError:
            # The one that listed them.
            continue
        new = reopened(number, of, flags)
        # What is printed goes nowhere; writing to anything else fails, so that it is seen.
        os.dup2(new if new is not None else sink if number in (1, 2) else blank, number, inheritable=False)
        if new is not None:
            os.close(new)
    os.close(blank)
    os.close(sink)


def reopened(number: int, of: os.stat_result, flags: int) -> Optional[int]:
    """The same file for reading, at the same place; none if it is no file, or can't be read."""
    plain = stat.S_ISREG(of.st_mode)
    # Memory devices: null, zero, random.
    harmless = stat.S_ISCHR(of.st_mode) and os.major(of.st_rdev) == 1 and number > 2
    if flags & PATH_ONLY or flags & os.O_ACCMODE == os.O_WRONLY or not (plain or harmless or stat.S_ISDIR(of.st_mode)):
        return None
    new = None
    try:
        new = os.open(f"/proc/self/fd/{number}", os.O_RDONLY | os.O_CLOEXEC)
        if plain:
            os.lseek(new, os.lseek(number, 0, os.SEEK_CUR), os.SEEK_SET)
        return new
    except OSError:
        if new is not None:
            os.close(new)
        return None


# Limits ---------------------------------------------------------------------------------------------------------------------


def limit(seconds: float, memory: int) -> None:
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    for what, most in (
        (resource.RLIMIT_CPU, int(seconds) + 2),
        (resource.RLIMIT_AS, now + memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


def lock(door: socket.socket) -> None:
    """Installs the filter. The parent gets its listener by the door, where the kernel has them (Linux 5.0): it answers for what is
    refused."""
    if len(os.listdir("/proc/self/task")) != 1:
        raise Unsafe("a thread began in the copy")
    if _filter.arch() is None:
        raise Unsafe("there is no filter for this processor")
    # What hands the listener over, and installs the second filter.
    last = "sendmsg", "seccomp"
    _filter.promise()
    try:
        listener = _filter.install(_filter.program(os.getpid(), _filter.NOTIFY, last), _filter.NEW_LISTENER)
    except OSError as problem:
        if problem.errno not in (errno.EINVAL, errno.EBUSY, errno.ENOSYS, errno.EOPNOTSUPP):
            raise
        _filter.install(_filter.program(os.getpid(), _filter.ERRNO | errno.EPERM))
        return
    socket.send_fds(door, [b"1"], [listener])
    os.close(listener)
    _filter.install(_filter.without(last))


# Python ---------------------------------------------------------------------------------------------------------------------


class Asks(PermissionError):
    """The code asks for something that a copy hasn't got."""


def detach(shell: Any, said: Any, refused: List[str]) -> None:
    """Cuts the front end off: what is shown goes nowhere, what is printed goes into `said`, and nobody answers questions."""
    import builtins

    sys.dont_write_bytecode = True
    sys.stdout = sys.stderr = said
    sys.stdin = open(os.devnull)
    sys.displayhook = nothing
    shell.display_pub.publish = nothing
    shell.display_pub.clear_output = nothing
    kernel = getattr(shell, "kernel", None)
    session = getattr(kernel, "session", None)
    if session is not None:
        # Widgets say what they are; nobody shows them.
        session.send = nothing

    def ask(*_: Any, **__: Any) -> Any:
        refused.append("it asks for input")
        raise Asks(errno.EPERM, "a copy of the kernel has no input")

    builtins.input = ask
    if "getpass" in sys.modules:
        sys.modules["getpass"].getpass = ask  # type: ignore[attr-defined]

    def audit(event: str, arguments: Tuple[Any, ...]) -> None:
        # Who reads from a pipe takes away what somebody else waits for, even where it may only read.
        if event == "open" and not isinstance(arguments[0], int) and special(arguments[0]):
            refused.append("it reads from a pipe or a device")
            raise Asks(errno.EPERM, "a copy of the kernel reads files only")

    sys.addaudithook(audit)


def special(path: Any) -> bool:
    """Whether a path leads to what is neither a file nor a folder, nor memory."""
    try:
        of = os.stat(path)
    except (OSError, ValueError, TypeError):
        return False
    return not (stat.S_ISREG(of.st_mode) or stat.S_ISDIR(of.st_mode) or stat.S_ISCHR(of.st_mode) and os.major(of.st_rdev) == 1)


def nothing(*_: Any, **__: Any) -> None:
    pass


# Calls with which libraries are told how many threads to use: GNU's and Intel's OpenMP, OpenBLAS under its names, MKL, BLIS.
THREADS = {
    "gomp": ("omp_set_num_threads",),
    "omp": ("omp_set_num_threads",),
    "openblas": tuple(f"{start}openblas_set_num_threads{end}" for start in ("", "scipy_") for end in ("", "64_")),
    "mkl_rt": ("MKL_Set_Num_Threads",),
    "blis": ("bli_thread_set_num_threads",),
}


def one_thread() -> None:
    """Threads of a pool do not survive a fork: libraries compute in this thread, and no other processes are started for it."""
    with open("/proc/self/maps") as file:
        paths = {row.rstrip("\n").partition("/")[2] for row in file if ".so" in row}
    for path in paths:
        name = os.path.basename(path)
        calls = next((calls for part, calls in THREADS.items() if part in name), ())
        with contextlib.suppress(OSError):
            # The copy of the library that is loaded.
            library = ctypes.CDLL("/" + path) if calls else None
            for call in calls:
                if hasattr(library, call):
                    getattr(library, call)(1)
    with contextlib.suppress(Exception):
        sys.modules["torch"].set_num_threads(1)
    with contextlib.suppress(Exception):
        sys.modules["joblib.parallel"].DEFAULT_BACKEND = "threading"  # type: ignore[attr-defined]


def one_process() -> None:
    """The semaphores of `multiprocessing`, which are files, become locks between threads."""
    if "multiprocessing.synchronize" in sys.modules:
        import _multiprocessing

        _multiprocessing.SemLock = Semaphore  # type: ignore[misc]


class Semaphore:
    """In the place of multiprocessing's, which make files: here only threads share them."""

    SEM_VALUE_MAX = 1 << 30
    _rebuild = None

    def __init__(self, kind: int, value: int, maxvalue: int, name: str, unlink: bool) -> None:
        self.kind, self.value, self.maxvalue, self.name, self.handle = kind, value, maxvalue, None, 0
        self.held = threading.Condition()
        self.owner: Optional[int] = None
        self.count = 0

    def acquire(self, block: bool = True, timeout: Optional[float] = None) -> bool:
        me = threading.get_ident()
        with self.held:
            # Kind 0 may be taken again by whoever has it.
            if self.kind == 0 and self.owner == me:
                self.count += 1
                return True
            if not self.held.wait_for(lambda: self.value > 0, timeout if block else 0):
                return False
            self.value, self.owner, self.count = self.value - 1, me, self.count + 1
            return True

    def release(self) -> None:
        with self.held:
            self.count -= 1
            if self.kind == 0 and self.count:
                return
            self.value, self.owner = self.value + 1, None
            self.held.notify()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: Any) -> None:
        self.release()

    def _count(self) -> int:
        return self.count

    def _is_mine(self) -> bool:
        return self.owner == threading.get_ident()

    def _get_value(self) -> int:
        return self.value

    def _is_zero(self) -> bool:
        return self.value == 0

    def _after_fork(self) -> None:
        pass
