"""The probe in plain Python: writes the flight record of the process PID into DIR, called with `PID DIR [KEY=VALUE …]`.
Lines, keys and standard input are those of probe/FORMAT.md, the rules of the verdict those of probe/src/verdict.rs.
Only the standard library is used. This part looks at memory and at the process, and says how it died; the start cell
carries it, compressed, for machines that cannot run the native probe. figures.py adds the rest; the readable cell has
both."""

import fcntl, json, os, re, select, signal, struct, sys, time

COLAB = "/var/colab/cgroup/jupyter-children"
# Usage, limit, counter and droppable cache of a memory control group.
GROUPS = {
    "v1": ("usage_in_bytes", "limit_in_bytes", "oom_control", "^total_inactive_file"),
    "v2": ("current", "max", "events", "^inactive_file"),
}


def read(path):
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def number(text, pattern="^"):
    found = re.search(pattern + r"[ :]*(\d+)", text, re.M)
    return int(found[1]) if found else None


def stat(pid):
    """/proc/PID/stat from its third field (the state) on; [] when there is no such process."""
    return read(f"/proc/{pid}/stat").rpartition(")")[2].split()


def now():
    return int(time.time() * 1000)


def resident(pid):
    return int((read(f"/proc/{pid}/statm").split() + [0, 0])[1]) * os.sysconf("SC_PAGE_SIZE")


class Sampler:
    lost, log = False, None

    def __init__(self, pid, folder, keys):
        self.pid, self.folder, self.keys = pid, folder, keys
        self.born, self.parent = int(stat(pid)[19]), stat(pid)[1]
        name = "-" + keys["name"] if "name" in keys else ""
        self.path, self.faults = f"{folder}/nbmedic-flight{name}", f"{folder}/nbmedic-fault{name}.log"
        self.head, self.now, self.written = {}, {}, {}
        self.second = self.kept = self.seen = self.ending = 0
        self.healthy = [None] * 3
        self.open()

    # The record: one write per line, two files, a lock that tells others that it is in use.

    def open(self):
        self.file = os.open(self.path + ".jsonl", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        self.fresh = True
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            pass

    def put(self, line):
        os.write(self.file, (json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n").encode())

    def write(self, kind, line):
        line = {"k": kind, "t": now(), **{name: value for name, value in line.items() if value is not None}}
        try:
            # Who removed the file wants no more of it.
            if os.fstat(self.file).st_size > 522288 and os.path.exists(self.path + ".jsonl"):
                os.replace(self.path + ".jsonl", self.path + ".1.jsonl")
                os.close(self.file)
                self.open()
                for old in self.head.values():
                    self.put({**old, "again": 1})
            self.put(line)
        except OSError:
            pass  # A full disk: the end may still find room.
        if kind in ("start", "gpus"):
            self.head[kind] = line

    # What the system says.

    def find_group(self):
        """The memory control group of the kernel, and the one at or above it with the tightest limit."""
        folders, whole = [("v2", COLAB)], []
        for line in read(f"/proc/{self.pid}/cgroup").split():
            _, kinds, path = line.split(":", 2)
            if not kinds or "memory" in kinds.split(","):
                version, root = ("v1", "/sys/fs/cgroup/memory") if kinds else ("v2", "/sys/fs/cgroup")
                whole.append(f"{root}{path.rstrip('/')}/memory.stat")
                while path.strip("/"):
                    folders.append((version, root + path))
                    path = path.rpartition("/")[0]
                folders.append((version, root))
        folders = [
            [f"{path}/memory.{file}" for file in (*GROUPS[version][:3], "stat")] + [version]
            for version, path in folders
            if os.path.exists(f"{path}/memory.{GROUPS[version][0]}")
        ]
        self.group = self.leaf = folders[0] if folders else None
        self.exact = bool(folders) and self.leaf[3] in whole and ".." not in self.leaf[3]
        self.limit = None
        for group in folders:
            limit = number(read(group[1]))
            if limit and limit < (self.limit or 1 << 60):
                self.limit, self.group = limit, group

    def used(self):
        usage, _, _, cache, version = self.group
        return (number(read(usage)) or 0) - (number(read(cache), GROUPS[version][3]) or 0)

    def kills(self):
        """How often the system has killed for want of memory: machine, control group, Colab's monitor."""
        group = self.leaf and number(read(self.leaf[2]), "^oom_kill ")
        colab = re.findall(r"oom_kill[ =](\d+)", read(COLAB + "/memory.events") + read("/var/colab/events"))
        return [number(read("/proc/vmstat"), "^oom_kill "), group, max(map(int, colab), default=None)]

    def look(self, slow):
        """What is looked at besides the memory; the slow things once a second at most."""
        if not slow:
            return {}
        disks = {}
        for name, path in (("/", "/"), (".", self.folder), ("/dev/shm", "/dev/shm")):
            if os.path.exists(path):
                room = os.statvfs(path)
                block = room.f_frsize
                disks.setdefault(os.stat(path).st_dev, [name, room.f_bavail * block, room.f_blocks * block])
        return {"d": list(disks.values())}

    def sample(self):
        """Lays what is found over what was known; writes it down once a second, and whenever something moved."""
        at, oom, fields = time.monotonic(), self.kills(), stat(self.pid)
        # Ending (PF_EXITING) or about to (SIGKILL is pending): what is to be seen now is not what it died of.
        if not fields or int(fields[6]) & 4 or int(fields[28]) & 256:
            self.ending = self.ending or now()
            return
        self.healthy = oom
        slow = at - self.second > 0.98 or self.fresh
        self.second = at if slow else self.second
        memory = read("/proc/meminfo")
        total, free, swap, left = ((number(memory, name) or 0) * 1024 for name in ("MemTotal", "MemAvailable", "SwapTotal", "SwapFree"))
        found = {"r": [total - free, total], "sw": [swap - left, swap], "oom": oom, "rss": [resident(self.pid), None]}
        if self.group:
            found["cg"] = [self.used(), self.limit]
        found.update(self.look(slow))
        was, self.now = self.written, {**self.now, **found}
        pairs = [(was.get(key), found.get(key)) for key in ("r", "rss", "cg")] + list(zip(was.get("g") or [], found.get("g") or []))
        room = min(self.limit or total, total)
        moved = any(a and b and abs(a[0] - b[0]) >= max(1 << 24, (room if i < 3 else b[1]) // 100) for i, (a, b) in enumerate(pairs))
        if self.fresh or moved or at - self.kept > 0.98 or was.get("oom") != oom or found.keys() - was.keys():
            line = {key: value for key, value in self.now.items() if self.fresh or was.get(key) != value}
            self.kept, self.fresh = at, False
            self.write("s", line)
            # After a rotation the next line repeats everything.
            self.written = {} if self.fresh else self.now

    def news(self):
        pass  # figures.py reads the system's log here.

    # Its life.

    def begin(self):
        return {}

    def start(self):
        self.find_group()
        if os.path.exists(self.faults):
            self.seen = os.path.getsize(self.faults)
        try:
            self.watch = os.pidfd_open(self.pid) if self.keys.get("pidfd") != "0" else None
        except (OSError, AttributeError):
            self.watch = None
        self.write("start", {
            "v": 1, "mode": "python", "me": os.getpid(), "pid": self.pid, "born": self.born, "id": self.keys.get("id"),
            "boot": read("/proc/sys/kernel/random/boot_id").strip(), "cpus": os.cpu_count(),
            "ram": number(read("/proc/meminfo"), "MemTotal") * 1024, "cg": self.group[4] if self.group else "none",
            "lim": self.limit, "na": None if self.limit else {"lim": "no-limit"}, "pidfd": int(self.watch is not None),
            "st": int(os.getuid() in (0, os.stat(f"/proc/{self.pid}").st_uid)), **self.begin(),
        })

    def run(self):
        poll = select.poll()
        poll.register(0, select.POLLIN)
        if self.watch is not None:
            poll.register(self.watch, select.POLLIN)
        busy, due = True, 0
        while True:
            wait = max(0, due - time.monotonic())
            for file, event in poll.poll(1000 * (wait if self.watch is not None else min(wait, 0.1))):
                if file:
                    return self.end()
                words = os.read(0, 64)
                if not words:
                    poll.unregister(0)
                if b"q" in words:
                    return self.write("stop", {"why": "asked"})
                if words:
                    busy, due = words.rfind(b"r") > words.rfind(b"d"), 0
            fields = stat(self.pid) if self.watch is None else ["S"]
            if not fields or fields[0] in "ZX" or len(fields) > 19 and int(fields[19]) != self.born:
                return self.end()
            if time.monotonic() >= due:
                self.pause = 1 / float(self.keys.get("hz", 10)) if busy else float(self.keys.get("idle", 10))
                due = time.monotonic() + self.pause
                try:
                    self.sample()
                    self.news()
                except Exception:
                    pass  # At the limit of memory anything may fail, and the end is still to be told.

    def status(self):
        """The wait status and where it was read: the zombie, then what the pidfd remembers (linux/pidfd.h: struct
        pidfd_info, PIDFD_GET_INFO, PIDFD_INFO_EXIT). And whether the parent is still there."""
        fields = stat(self.pid)
        if len(fields) > 49 and int(fields[19]) == self.born and fields[0] in "ZX":
            return int(fields[49]), "zombie", fields[1] == self.parent
        info = bytearray(struct.pack("Q56x", 8))
        for _ in range(20 if self.watch is not None and self.keys.get("info") != "0" else 0):
            try:
                fcntl.ioctl(self.watch, 0xC040FF0B, info)
            except OSError:
                break
            if info[0] & 8:
                return struct.unpack_from("i", info, 60)[0], "pidfd", bool(stat(self.parent))
            time.sleep(0.01)
        return None, "gone", bool(stat(self.parent))

    def gpu(self, at):
        """The weight, time and number of the Xid that matters: 5 hardware, 4 a bad address, 3 other faults of programs."""
        return (0,)

    def end(self):
        at, (status, via, parent) = self.ending or now(), self.status()
        self.news()
        shm = next((disk[1:] for disk in self.now.get("d", []) if disk[0] == "/dev/shm"), None)
        last = self.now.get("cg" if self.limit else "r", [0, 0])
        oom = [None if None in pair else pair[0] - pair[1] for pair in zip(self.kills(), self.healthy)]
        line = {
            "t": at, "took": now() - at, "st": status, "via": via, "par": int(parent), "exact": int(self.exact), "oom": oom,
            "last": last, "shm": shm,
        }
        if os.path.exists(self.faults):
            with open(self.faults, errors="replace") as file:
                file.seek(self.seen)
                fault = file.read(65536)
            found = re.search("Fatal Python error: (.{1,160})", fault)
            # The fault handler writes a hundred frames, and dots for the rest.
            deep = re.search(r"^Current thread.*\n(  File.*\n)+  \.\.\.", fault, re.M)
            line.update(fault=found and found[1], deep=1 if deep else None)
        self.judge(line, self.gpu(at))
        self.write("end", line)

    # The verdict: the rules of probe/src/verdict.rs.

    def judge(self, line, gpu):
        status, oom, shm, fault, last, log = *(line.get(key) for key in ("st", "oom", "shm", "fault", "last")), self.log
        code, signal = (status >> 8, status & 127) if status is not None else (None, None)
        crash = signal in (4, 5, 6, 7, 8, 11, 31)
        percent = last[0] * 100 // last[1] if last[1] else 80
        # The system's log says that it killed somebody else, or the machine killed and the kernel's own group knows of nothing.
        other = log is False or self.exact and oom[0] and oom[1] == 0 and not oom[2]
        alone = oom[2] is not None  # Colab's monitor is only on machines that one person has to himself.
        full = shm and shm[1] and shm[0] <= shm[1] // 50
        none = not any(oom) and oom != [None] * 3
        counted = (oom[1] or oom[2]) and not other
        seen = {
            "signal-kill": signal == 9, "signal-crash": crash, "signal-other": signal and signal != 9 and not crash,
            "exit-code": signal == 0 and code, "exit-clean": status == 0, "no-status": status is None,
            "oom-cgroup": oom[1], "oom-colab": oom[2], "oom-host": oom[0], "oom-log": log, "oom-other": other,
            "oom-none": none, "memory-high": percent >= 90, "memory-low": percent < 70, "fault-file": fault,
            "shm-full": full, "gpu-lost": self.lost, "xid-hardware": gpu[0] == 5, "xid-application": gpu[0] in (3, 4),
            "xid-driver": gpu[0] == 2, "xid-consequence": gpu[0] == 1,
        }
        line["for"] = [name for name in seen if seen[name]]
        hardware = ("certain" if gpu[2] in (48, 64, 79, 95, 140) else "likely") if gpu[0] == 5 else self.lost and "likely"
        if status is None:
            told = log and ("host-oom", "certain") or fault and ("native-crash", "likely") or counted and ("host-oom", "likely")
        elif signal == 9:
            host = oom[0] and not other and ("host-oom", "certain" if alone else "likely")
            told = (log or counted) and ("host-oom", "certain") or host or hardware and ("gpu-hardware-fault", "likely")
            # Some guards against exhaustion live outside the system's core and kill like anybody.
            told = told or ("kernel-died", "certain" if percent < 90 and (other or none) else "likely")
        elif crash:
            told = hardware and ("gpu-hardware-fault", hardware) or signal == 6 and gpu[0] == 4 and ("cuda-illegal-access", "likely")
            told = told or ("shared-memory-exhausted" if signal == 7 and full else "native-crash", "certain")
        elif status == 0:
            # Of a process of another user 0 is read whatever happened.
            told = not (fault or oom[1] or oom[2] or log) and ("clean-exit", "certain")
        else:
            told = "kernel-died", "certain"
        line["cause"], line["sure"] = told or ("unknown", "unknown")


def main(pid, folder, *keys):
    for name in (signal.SIGHUP, signal.SIGINT):
        signal.signal(name, signal.SIG_IGN)
    if not stat(pid):
        sys.exit(3)
    try:
        sampler = KIND(int(pid), folder, dict(key.split("=", 1) for key in keys))
    except OSError:
        sys.exit(4)
    if sampler.keys.get("fg") != "1" and os.fork():
        os._exit(0)

    def leave(*_):
        sampler.write("stop", {"why": "runtime"})
        os._exit(0)

    signal.signal(signal.SIGTERM, leave)
    os.chdir("/")
    sampler.start()
    sampler.run()
    os._exit(0)


KIND = Sampler
