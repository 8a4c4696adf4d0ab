"""A seccomp filter under which a process can read and compute, and change nothing outside itself. docs/trials.md explains it."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
from typing import Dict, List, Optional, Tuple

# Each call's number on x86-64 and on aarch64 (`-`: there is none), from the kernel's asm/unistd_64.h and asm-generic/unistd.h.
# These only read, compute, wait, or act on this process and on descriptors that it has opened itself.
ALLOWED = """
read:0:63 pread64:17:67 readv:19:65 preadv:295:69 preadv2:327:286 write:1:64 writev:20:66 pwrite64:18:68 pwritev:296:70
pwritev2:328:287 close:3:57 close_range:436:436 lseek:8:62 stat:4:- lstat:6:- fstat:5:80 newfstatat:262:79 statx:332:291
access:21:- faccessat:269:48 faccessat2:439:439 readlink:89:- readlinkat:267:78 getcwd:79:17 chdir:80:49 fchdir:81:50 umask:95:166
getdents:78:- getdents64:217:61 statfs:137:43 fstatfs:138:44 getxattr:191:8 lgetxattr:192:9 fgetxattr:193:10 listxattr:194:11
llistxattr:195:12 flistxattr:196:13 fadvise64:221:223 readahead:187:213 mincore:27:232
msync:26:227 mmap:9:222 munmap:11:215 mprotect:10:226 mremap:25:216 madvise:28:233 brk:12:214 membarrier:324:283 get_mempolicy:239:236
dup:32:23 dup2:33:- dup3:292:24 pipe:22:- pipe2:293:59 poll:7:- ppoll:271:73 select:23:- pselect6:270:72 epoll_create:213:-
epoll_create1:291:20 epoll_ctl:233:21 epoll_wait:232:- epoll_pwait:281:22 epoll_pwait2:441:441 eventfd:284:- eventfd2:290:19
timerfd_create:283:85 timerfd_settime:286:86 timerfd_gettime:287:87 getsockopt:55:209 getsockname:51:204 getpeername:52:205
recvfrom:45:207 shutdown:48:210
rt_sigaction:13:134 rt_sigprocmask:14:135 rt_sigreturn:15:139 rt_sigpending:127:136 rt_sigtimedwait:128:137 rt_sigsuspend:130:133
sigaltstack:131:132 signalfd4:289:74 pause:34:- alarm:37:- setitimer:38:103 getitimer:36:102 restart_syscall:219:128
futex:202:98 sched_yield:24:124 sched_getaffinity:204:123 sched_getparam:143:121 sched_getscheduler:145:120
sched_get_priority_max:146:125 sched_get_priority_min:147:126 getcpu:309:168 set_robust_list:273:99 get_robust_list:274:100
set_tid_address:218:96 arch_prctl:158:- rseq:334:293 exit:60:93 exit_group:231:94 wait4:61:260 waitid:247:95
nanosleep:35:101 clock_nanosleep:230:115 clock_gettime:228:113 clock_getres:229:114 gettimeofday:96:169 time:201:- times:100:153
getpid:39:172 gettid:186:178 getppid:110:173 getpgrp:111:- getpgid:121:155 getsid:124:156 getuid:102:174 geteuid:107:175
getgid:104:176 getegid:108:177 getresuid:118:148 getresgid:120:150 getgroups:115:158 getpriority:140:141 getrlimit:97:163
getrusage:98:165 capget:125:90 sysinfo:99:179 uname:63:160 getrandom:318:278
"""
# Whether these are allowed depends on their arguments.
SOME = """
open:2:- openat:257:56 clone:56:220 ioctl:16:29 fcntl:72:25 prctl:157:167 prlimit64:302:261 socketpair:53:199 sendto:44:206
kill:62:129 tgkill:234:131 sched_setaffinity:203:122
"""
# Their arguments are in memory, where a filter can't look, or they go round it. They fail as on an older kernel, which
# does not have them: then the C library makes the calls above.
ABSENT = "clone3:435:435 openat2:437:437 io_uring_setup:425:425 io_uring_enter:426:426 io_uring_register:427:427 futex_waitv:449:449"
# What these ask for may be missed: they fail, and nothing is said of it. They place memory and set priorities.
MISSED = "mbind:237:235 set_mempolicy:238:237 mlock:149:228 mlock2:325:284 sched_setscheduler:144:119 sched_setparam:142:118 sched_setattr:314:274"
# Refused like all others, and named here so that it can be said what was refused.
REFUSED = """
creat:85:- rename:82:- renameat:264:38 renameat2:316:276 unlink:87:- unlinkat:263:35 rmdir:84:- mkdir:83:- mkdirat:258:34
link:86:- linkat:265:37 symlink:88:- symlinkat:266:36 truncate:76:45 ftruncate:77:46 fallocate:285:47 chmod:90:- fchmod:91:52
fchmodat:268:53 chown:92:- fchown:93:55 lchown:94:- fchownat:260:54 utime:132:- utimes:235:- futimesat:261:- utimensat:280:88
mknod:133:- mknodat:259:33 setxattr:188:5 lsetxattr:189:6 fsetxattr:190:7 flock:73:32 fsync:74:82 fdatasync:75:83
copy_file_range:326:285 sendfile:40:71 memfd_create:319:279
socket:41:198 connect:42:203 bind:49:200 listen:50:201 accept:43:202 accept4:288:242 sendmsg:46:211 sendmmsg:307:269
recvmsg:47:212 setsockopt:54:208 execve:59:221 execveat:322:281 fork:57:- vfork:58:- tkill:200:130 pidfd_send_signal:424:424
ptrace:101:117 process_vm_writev:311:271 shmget:29:194 shmat:30:196 semget:64:190 msgget:68:186 setpriority:141:140 seccomp:317:277
"""

# Where a path is among a call's arguments.
PATHS = {
    **dict.fromkeys("open creat rename unlink rmdir mkdir truncate chmod chown lchown utime utimes mknod setxattr lsetxattr".split(), 0),
    **dict.fromkeys("link symlink openat renameat renameat2 unlinkat mkdirat fchmodat fchownat utimensat mknodat".split(), 1),
    "symlinkat": 2,
    "linkat": 3,
}
WRITES = (*PATHS, "ftruncate", "fallocate", "fchmod", "fchown", "futimesat", "fsetxattr", "fsync", "fdatasync", "copy_file_range", "sendfile")
CONNECTS = ("socket", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "sendmmsg", "recvmsg", "setsockopt", "socketpair")
STARTS = ("execve", "execveat", "fork", "vfork", "clone")
SIGNALS = ("kill", "tkill", "tgkill", "pidfd_send_signal")

# The kernel's names: linux/audit.h, linux/bpf_common.h, linux/seccomp.h.
ARCHES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
LOAD, AND, EQUAL, AT_LEAST, ANY, RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
ALLOW, NOTIFY, ERRNO, KILL = 0x7FFF0000, 0x7FC00000, 0x00050000, 0x80000000
X32 = 0x40000000
SET_MODE_FILTER, NEW_LISTENER = 1, 1 << 3
RECEIVE, SEND = 0xC0502100, 0xC0182101

# What opens for anything but reading. Of O_TMPFILE it is the bit beside O_DIRECTORY.
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | 0o20000000
THREAD = 0x00010000
"""CLONE_THREAD: a thread of this process, not another process."""

Instruction = Tuple[int, int, int, int]


def arch() -> Optional[Tuple[int, int]]:
    """The processor's number in the kernel, and its column in the tables; none where no filter is known."""
    # A 32-bit Python makes the calls of another table.
    return ARCHES.get(platform.machine()) if platform.system() == "Linux" and struct.calcsize("P") == 8 else None


def numbers(table: str, column: int) -> Dict[str, int]:
    """The numbers of a table's calls on a processor."""
    rows = (row.split(":") for row in table.split())
    return {row[0]: int(row[1 + column]) for row in rows if row[1 + column] != "-"}


def fail(number: int) -> Instruction:
    return RETURN, 0, 0, ERRNO | number


def argument(index: int, high: bool = False) -> Instruction:
    """Loads one half of an argument. Both processors store the low half first."""
    return LOAD, 0, 0, 16 + 8 * index + 4 * high


def when(test: int, value: int) -> List[Instruction]:
    """Allows the call if the loaded number passes a test, and goes on if not."""
    return [(test, 0, 1, value), (RETURN, 0, 0, ALLOW)]


def one_of(index: int, *values: int) -> List[Instruction]:
    return [argument(index), *(step for value in values for step in when(EQUAL, value))]


def rules(pid: int, refused: Instruction) -> Dict[str, List[Instruction]]:
    """For each call of SOME the instructions that decide on it. They end with what is done if nothing allowed it."""

    def reading(index: int) -> List[Instruction]:
        return [argument(index), (ANY, 1, 0, WRITING), (RETURN, 0, 0, ALLOW), refused]

    def null(index: int, otherwise: Instruction) -> List[Instruction]:
        """Allows a pointer that is null."""
        return [argument(index), (EQUAL, 0, 3, 0), argument(index, True), (EQUAL, 0, 1, 0), (RETURN, 0, 0, ALLOW), otherwise]

    return {
        "open": reading(1),
        "openat": reading(2),
        "clone": [argument(0), *when(ANY, THREAD), refused],
        # TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
        "ioctl": [*one_of(1, 0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451), fail(errno.ENOTTY)],
        # Duplicates, and flags of descriptors and of open files, which are this process's own. No locks, no owner who gets signals.
        "fcntl": [*one_of(1, 0, 1, 2, 3, 4, 1030, 1032), refused],
        # PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_SET_VMA
        "prctl": [*one_of(0, 3, 15, 16, 0x53564D41), fail(errno.EPERM)],
        # Limits are read, not set.
        "prlimit64": [argument(0), (EQUAL, 1, 0, 0), fail(errno.EPERM), *null(2, fail(errno.EPERM))],
        # A pair of connected streams inside this process: AF_UNIX, and SOCK_STREAM whatever the flags beside it.
        "socketpair": [argument(0), (EQUAL, 1, 0, 1), refused, argument(1), (AND, 0, 0, 0xF), *when(EQUAL, 1), refused],
        # To the other end of such a pair, not to an address.
        "sendto": null(4, refused),
        "kill": [*one_of(0, pid), refused],
        "tgkill": [*one_of(0, pid), refused],
        "sched_setaffinity": [*one_of(0, 0), fail(errno.EPERM)],
    }


def program(pid: int, refusal: int, also: Tuple[str, ...] = ()) -> bytes:
    """The filter for a process. `refusal` is what refused calls return; `also` names calls that are allowed beside the others."""
    kind, column = arch() or (0, 0)
    refused = (RETURN, 0, 0, refusal)
    steps: List[Instruction] = [(LOAD, 0, 0, 4), (EQUAL, 1, 0, kind), (RETURN, 0, 0, KILL), (LOAD, 0, 0, 0)]
    if column == 0:
        # The same processor's second table of calls.
        steps += [(AT_LEAST, 0, 1, X32), fail(errno.ENOSYS)]
    for number in numbers(ALLOWED, column).values():
        steps += when(EQUAL, number)
    for name in also:
        steps += when(EQUAL, numbers(REFUSED, column)[name])
    for table, problem in (ABSENT, errno.ENOSYS), (MISSED, errno.EPERM):
        for number in numbers(table, column).values():
            steps += [(EQUAL, 0, 1, number), fail(problem)]
    some = rules(pid, refused)
    for name, number in numbers(SOME, column).items():
        steps += [(EQUAL, 0, len(some[name]), number), *some[name]]
    return assembled([*steps, refused])


def without(names: Tuple[str, ...]) -> bytes:
    """A second filter, which refuses what the first one still had to allow. Of two filters the stricter answer counts."""
    _, column = arch() or (0, 0)
    steps: List[Instruction] = [(LOAD, 0, 0, 0)]
    for name in names:
        steps += [(EQUAL, 0, 1, numbers(REFUSED, column)[name]), fail(errno.EPERM)]
    return assembled([*steps, (RETURN, 0, 0, ALLOW)])


def assembled(steps: List[Instruction]) -> bytes:
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


class Program(ctypes.Structure):
    """`struct sock_fprog` (linux/filter.h)."""

    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def promise() -> None:
    """Gives up the ways to more privileges, without which no filter may be installed. Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0):  # PR_SET_NO_NEW_PRIVS
        raise OSError(ctypes.get_errno(), "no_new_privs")


def install(code: bytes, flags: int = 0) -> int:
    """Puts a filter on this thread and on those that it starts; it can't be taken off. With NEW_LISTENER it returns a descriptor.

    Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    held = ctypes.create_string_buffer(code, len(code))
    filter_ = Program(len(code) // 8, ctypes.cast(held, ctypes.c_void_p).value)
    _, column = arch() or (0, 0)
    done = libc.syscall(numbers(REFUSED, column)["seccomp"], SET_MODE_FILTER, flags, ctypes.byref(filter_))
    if done < 0:
        raise OSError(ctypes.get_errno(), "seccomp")
    return done


# The parent's side ----------------------------------------------------------------------------------------------------------


class Refusals:
    """What a child's filter refuses: its listener tells of each call, which is answered with EPERM and put into words."""

    MOST = 20

    def __init__(self, listener: int) -> None:
        self.listener = listener
        self.words: List[str] = []
        _, column = arch() or (0, 0)
        self.names = {number: name for table in (REFUSED, SOME) for name, number in numbers(table, column).items()}

    def answer(self) -> None:
        """Answers one call. Raises OSError when the child is gone."""
        import fcntl

        call = bytearray(80)
        fcntl.ioctl(self.listener, RECEIVE, call)
        # struct seccomp_notif: id, pid, flags, and of the call its number, processor, place and arguments.
        ident, pid, _, number, _, _, *arguments = struct.unpack("=QIIiIQ6Q", call)
        if len(self.words) < self.MOST:
            words = self.said(self.names.get(number, f"system call {number}"), pid, arguments)
            if words not in self.words:
                self.words.append(words)
        fcntl.ioctl(self.listener, SEND, struct.pack("=QqiI", ident, 0, -errno.EPERM, 0))

    def said(self, name: str, pid: int, arguments: List[int]) -> str:
        if name in WRITES:
            path = text_of(pid, arguments[PATHS[name]]) if name in PATHS else ""
            return f"it writes `{path}`" if path else "it writes a file"
        for calls, words in (CONNECTS, "it uses a connection"), (STARTS, "it starts another process"), (SIGNALS, "it sends a signal"):
            if name in calls:
                return words
        return "it locks a file" if name in ("fcntl", "flock") else f"it calls {name}"


def text_of(pid: int, address: int) -> str:
    """A path in another process's memory; of an absolute one the last part."""
    try:
        with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
            memory.seek(address)
            raw = memory.read(min(4096, 4096 - address % 4096)) or b""
    except (OSError, ValueError, OverflowError):
        return ""
    path = raw.partition(b"\0")[0].decode(errors="replace")
    path = "".join(c if c.isprintable() and c != "`" else "?" for c in path)
    return path.rstrip("/").rpartition("/")[2][-80:] if path.startswith("/") else path[-80:]
