"""The probe in plain Python: writes the flight record of the process PID into DIR, called with `PID DIR [KEY=VALUE …]`.
probe/FORMAT.md describes its lines, keys and standard input. It uses only the standard library. The readable cell shows it;
the native cell contains it, compressed, for machines that cannot run the native probe, and judges with it."""

import contextlib, ctypes, fcntl, json, os, re, select, signal, struct, sys, time

COLAB = "/var/colab/cgroup/jupyter-children"
# Usage, limit, counter and reclaimable cache of a memory control group.
GROUPS = {
    "v1": ("usage_in_bytes", "limit_in_bytes", "oom_control", "^total_inactive_file"),
    "v2": ("current", "max", "events", "^inactive_file"),
}
# Kinds of Xids, as in probe/src/xid.rs: hardware, program, driver, mere consequence.
XIDS = {5: (48, 64, 74, 79, 94, 95, 140), 3: (13, 31, 43, 68, 109), 2: (8, 32, 38, 61, 62, 69, 119, 120), 1: (45,)}


# What a signal means that the kernel's own limits, alarms, pipes and calls cause; others send it as well.
OWN = {13: "a closed pipe", 24: "a limit of processor time", 25: "a limit of file size", 31: "a call that a sandbox forbade", **dict.fromkeys((14, 26, 27), "an alarm of its own")}


def judge(end, xids):
    """What ended a kernel, how certain that is, and in words: from its `end` line and the Xids before it, each as number,
    milliseconds before the end and whether an address was out of range. The rules are those of probe/src/verdict.rs, and the
    table in probe/FORMAT.md."""
    status, fault, lost = map(end.get, ("st", "fault", "lost"))
    used, total = end.get("last") or (0, 0)
    oom, signal = end["oom"], status and status & 127
    gpu = max(
        ((weight + (weight == 3 and (x == 31 or address)), before, x) for x, before, address in xids
         for weight, known in XIDS.items() if x in known and abs(before) <= 10000), default=(0,))
    low = total and used * 100 // total < 70
    log = "oomline" in end and "oommaybe" not in end and "oomother" not in end
    # The machine killed some process, and the kernel's own group counted none.
    elsewhere = end.get("exact") and oom[0] and oom[1] == 0 and not oom[2]
    other = "oomother" in end or elsewhere
    counted = not other and (oom[1] or oom[2])
    # Counters may have counted a child, but the system kills the largest process.
    largest = "certain" if total and 2 * end.get("own", -1) >= total else "likely"
    hardware = ("certain" if gpu[2] in (48, 64, 79, 95, 140) else "likely") if gpu[0] == 5 else lost and "likely"
    memory, crash = "host-oom", "native-crash"

    def full(name):
        free, size = end.get(name) or (1, 0)
        return free <= min(size // 50, 1 << 26)

    told = None
    if "exec" in end:
        return "kernel-died", "certain", "another program took its place (exec), so its variables are gone"
    if status is None:
        told = log and (memory, "certain") or fault and (crash, "likely") or counted and (memory, "likely")
    elif signal == 9:
        # Colab's monitor exists only on machines with a single user.
        host = oom[0] and not other and (memory, "likely" if oom[2] is None else largest)
        told = log and (memory, "certain") or counted and (memory, largest) or host or hardware and ("gpu-hardware-fault", "likely")
        # Some out-of-memory guards are ordinary processes, and their kills look like any other.
        unnamed = "oomline" not in end or "oommaybe" in end
        quiet = oom[0] == 0 and not any(oom) and unnamed and low
        told = told or not (elsewhere and unnamed) and ("kernel-died", "certain" if quiet and "spent" not in end else "likely")
    elif signal in (4, 5, 6, 7, 8, 11):
        told = hardware and ("gpu-hardware-fault", hardware) or signal == 6 and gpu[0] == 4 and ("cuda-illegal-access", "likely")
        # A mapped file that was cut off, or for which there was no room: which file is not known.
        bus = "shared-memory-exhausted" if full("shm") else "disk-full" if full("disk") else crash
        # Anybody may send these signals, and the fault handler writes the same for a signal that was sent.
        told = told or (bus if signal == 7 else crash, "likely")
    elif status:
        told = "kernel-died", "likely" if signal in OWN else "certain"
    # For another user's process, 0 is read in any case.
    elif not (fault or oom[1] or oom[2] or log):
        # A restart interrupts the cell first.
        told = ("kernel-died", "likely") if "n" in end else ("clean-exit", "certain")
    cause, sure = told or ("unknown", "unknown")
    if cause == "kernel-died":
        words = "its server or somebody told it to end"
        if not signal:
            words = "it ended itself " + ("with an error code" if status else "while a cell ran")
        if end.get("par") == 0:
            words = "its Jupyter server was gone"
        if signal in OWN:
            words = OWN[signal] + " ended it"
        if signal == 9:
            words = "it was killed" + (", but not for memory" if sure == "certain" else ", maybe for memory")
            if "spent" in end:
                words = OWN[24] + " ended it"
        return cause, sure, words
    native = "native code crashed it"
    if signal:
        native = "a mapped file was cut off or had no room, or " + native if signal == 7 else native + ", or somebody sent the signal" if fault else "a crash signal ended it; who sent it is not known"
    return cause, sure, {
        memory: "the system killed it because memory ran out",
        "shared-memory-exhausted": "shared memory, /dev/shm, was full",
        "disk-full": "the disk was full",
        crash: native,
        "cuda-illegal-access": "code on the GPU used a bad address",
        "gpu-hardware-fault": "a GPU failed",
        "clean-exit": "it ended without an error: a restart, a shutdown or an exit",
    }.get(cause, "nothing says how")


def tightest(figures):
    """The memory that was fuller: the control group's, or the machine's. Bytes used and in total; None if neither is known."""
    known = [pair for pair in map(figures.get, ("cg", "r")) if pair and pair[0] is not None and pair[1]]
    return max(known, key=lambda pair: pair[0] / pair[1], default=None)


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


def own(path, flags):
    """Opens a regular file of ours with a single name. Raises OSError for anything else that somebody may have put there: a link,
    a pipe, a folder."""
    file = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    found = os.fstat(file)
    if found.st_mode >> 12 == 8 and found.st_nlink == 1 and found.st_uid == os.geteuid():
        return file
    os.close(file)
    raise OSError


# The beginnings of what a first line may not show: by what follows them.
# Generated by tests/probe/first_line.py from the table of src/secrets.
ALWAYS = r"""api_live|astracs|usernamepassword|(?<![a-z])(?:eu1|na1|xapp|ya29)(?![a-z])|%2fhome%2f|%2fusers%2f|%5cusers%5c|
/glade/work/|/home/|/home1/|/home2/|/home3/|/homes/|/media/|/pscratch/sd/|/scratch/|/users/|\\/home\\/|
\\/users\\/|\\home\\|\\users\\|desktop-|documents.and.settings\\|laptop-|(?-i:LOGNAME|
USER)(?:name)?['"\]]*\s?[=:]"""
PASSWORDS = r"""adgangskode|contrase|heslo|kennwort|mnemonic|pass(?=[pw]|code|[^a-z_])|pwd|salasana|seed_phrase|senha|
wachtwoord|(?<![a-z])(?:psk|pw)(?![a-z])"""
NAMES = r""".login|.write|appid|auth|azure.sas|bearer|bindpw|chave.de.api|clave|connect.sid|connection_string|cookie|cred|
csrf|hmac|jwt|key|palavra-passe|parola.d'ordine|printf|secret|sessid|session|sig%3d|signature|token|webhook|
xsrf|(?<![a-z])(?:code|dsn|echo|otp|pat|pin|psid|salt|sas|sig|tkn)(?![a-z])"""
CALLS = r"""aes.new|aesgcm|auth|awscredentials|fernet|hmac.new|jwt.decode|jwt.encode|login|networkcredential|
passwordcredentials|pscredential|serializer|set_password|username_pw_set"""
COMMANDS = r""".logon|7z.a|7z.x|auth.default|auth.login|auth.plain|authtoken|b'login|bcp|beeline|buildah|cargo.login|
chpasswd|clickhouse-client|codecov|config.http-basic|convertto-securestring|cqlsh|curl|db2.connect|docker|
expdp|gpg|helm|htpasswd|https|identified.by|identified.with|impdp|influx|ipmitool|isql|jdbc:oracle|
kaggle.config.set|keytool|kinit|kubeadm|ldapmodify|ldappasswd|ldapsearch|lftp|mariadb|mc.alias.set|mongo|
mosquitto_|mysql|ncftp|net.use|nuget.push|openssl|oracle.connect|oracledb.connect|podman|poetry.config|
pragma.key|pragma.rekey|psexec|rabbitmqctl|rclone.obscure|rdesktop|redis-cli|schtasks|secret.set|send_keys|
sendline|set.password|skopeo|smbclient|snmp|snowsql|sqlcmd|sqlplus|ssh-keygen|sshpass|ssm.put-parameter|
sudo.-s|tsql|twine|vault.login|vsql|wandb.login|wpa_passphrase|xfreerdp|zip|(?<![a-z])(?:az|cf|http|oc|
send)(?![a-z])"""
ENDS = r"""corp|home.arpa|internal|intra|intranet|lan|local|localdomain|priv"""


def shown(text, strictly=False):
    """A line of code or of a record as it may be stored and printed: without secrets, people's names and control characters.
    Strictly, a name of a secret is enough, whatever follows."""
    text = "".join(c if c.isprintable() and c not in "⟦⟧" else " " for c in text[:400])
    # What a program made: a long word with digits, or one of letters.
    made = r"""(?=.*?((?<![\w.])(?=[^\s"'(),=/]{0,40}\d)[^\s"'(),\[\]={}/]{8}|["'][a-z]{16}))"""
    # After a password's name, maybe with a type, a value that is no call.
    value = r"""(?=\W+(is\s|\w[\w\[\]|\s]*=\W+)?(?!none|true|false|[\w.]+[(\[])\S{4})"""
    given = r"""(?=\w*[=(].*["'])"""
    if strictly:
        made = value = given = ""
    # A person's folder, a password in an address, a call with a string, a command's or any other option.
    text = re.sub(
        rf"""(?xi) ({ALWAYS} | :\d{{4}}: | :\*: | ://(?=\S*@) | ~(?=[\w.-]+/) | ({PASSWORDS})\w*{value} | (({NAMES})|[\s'"]-[-a-z]){made}
        | ({CALLS}){given} | ({COMMANDS})(?=.*[\s'"]-([abkpuwx]|-user)) | echo(?=.*\|)).+""", r"\1…", text)
    # Long words with digits that are not words with numbers (`resnet-50`), or with capitals where no name has them; addresses of
    # machines and of people.
    odd = r"(?<![^\W_])((?=[^\W_]{5})([a-z]+\d|\d+[a-z])|\d{6}|[a-z]{13})"
    return re.sub(
        rf"(?xi) (?:\w+\.)* (?=[\w+/=~%$-]*\d) (?=[\w+/=~%$-]*?{odd}) [\w+/=~%$-]{{14,}} (\.\w+)* | (?-i: (?=\w*[A-Z][a-z][A-Z])\w{{16,}} )"
        rf"| \b(\d+\.){{3}}\d+ | [\w.-]+\.({ENDS})\b[\w.]* | [^\s/@\"']+(@|%40|\\+u0040)[\w.]+", "…", text,
    ).strip()[:80]


def tail(path, start=0, most=1 << 16):
    """The end of a file of ours, from an offset on but not more than so much: its bytes, and the offset."""
    with os.fdopen(own(path, os.O_RDONLY), "rb") as file:
        start = max(start, os.fstat(file.fileno()).st_size - most)
        file.seek(start)
        return file.read(most), start


def now():
    return int(time.time() * 1000)


def resident(pid):
    return int((read(f"/proc/{pid}/statm").split() + [0, 0])[1]) * os.sysconf("SC_PAGE_SIZE")


class Sampler:
    def __init__(self, pid, folder, keys):
        self.pid, self.folder, self.keys = pid, folder, keys
        self.born, self.parent = int(stat(pid)[19]), stat(pid)[1]
        name = "-" + keys["name"] if "name" in keys else ""
        self.path, self.faults = f"{folder}/nbmedic-flight{name}", f"{folder}/nbmedic-fault{name}.log"
        self.head, self.now, self.written, self.old, self.family = {}, {}, {}, {}, [pid]
        self.second = self.kept = self.found = self.seen = self.ending = self.micros = self.spent = 0
        self.healthy, self.kill, self.told, self.kmsg, self.tail = [None] * 3, None, None, None, None
        self.fault, self.size, self.alarm, self.brim, self.allowed, self.stack = None, 0, None, [], 0, "".join(stat(pid)[25:26])
        self.open()
        with contextlib.suppress(OSError, AttributeError):
            # Read through this file even when its name is gone. The handler writes there while what the kernel holds is still in use.
            self.fault = own(self.faults, os.O_RDONLY)
            self.seen = self.size = os.fstat(self.fault).st_size
            system = ctypes.CDLL(None)
            self.alarm = system.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
            # IN_MODIFY of sys/inotify.h.
            system.inotify_add_watch(self.alarm, self.faults.encode(), 2)

    # The record: one write per line, two files, a lock that shows others that it is in use.

    def open(self):
        self.file = own(self.path + ".jsonl", os.O_RDWR | os.O_APPEND | os.O_CREAT)
        self.fresh = True
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            pass

    def keep(self):
        """Makes the record again if it was deleted, as by `git clean`: what it held is still in the open file."""
        if os.path.lexists(self.path + ".jsonl"):
            return
        with contextlib.suppress(OSError):
            os.mkdir(self.folder, 0o700)
            with open(self.folder + "/.gitignore", "x") as file:
                file.write("*\n")
        old, fresh = self.file, self.fresh
        self.open()
        self.fresh = fresh
        os.write(self.file, os.pread(old, 1 << 20, 0))
        os.close(old)

    def put(self, line):
        os.write(self.file, (json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n").encode())

    def write(self, kind, line):
        line = {"k": kind, "t": now(), **{name: value for name, value in line.items() if value is not None}}
        try:
            self.keep()
            if os.fstat(self.file).st_size > 522288 and os.path.exists(self.path + ".jsonl"):
                os.replace(self.path + ".jsonl", self.path + ".1.jsonl")
                old = self.file
                self.open()
                os.close(old)
                for old in self.head.values():
                    self.put({**old, "again": 1})
            self.put(line)
        except OSError:
            pass  # The disk is full; there may be room again for the end.
        if kind in ("start", "gpus"):
            self.head[kind] = line

    # What the system reports.

    def find_group(self):
        """The kernel's memory control group, and the group at or above it with the tightest limit."""
        folders, whole = [("v2", COLAB)], []
        self.groups = read(f"/proc/{self.pid}/cgroup")
        for line in self.groups.split():
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
        """Number of out-of-memory kills: machine, control group, Colab's monitor."""
        group = self.leaf and number(read(self.leaf[2]), "^oom_kill ")
        colab = re.findall(r"oom_kill[ =](\d+)", read(COLAB + "/memory.events") + read("/var/colab/events"))
        return [number(read("/proc/vmstat"), "^oom_kill "), group, max(map(int, colab), default=None)]

    def grown(self, name, values, at):
        """Growth of values per second; None the first time."""
        before, self.old[name] = self.old.get(name), (values, at)
        return before and [max(0, a - b) / (at - before[1] or 1) for a, b in zip(values, before[0])]

    def rooms(self):
        """Space on the file systems, each once: name, bytes free to the user, bytes in total."""
        disks = {}
        for name, path in (("/", "/"), (".", self.folder), ("/dev/shm", "/dev/shm")):
            with contextlib.suppress(OSError):
                room = os.statvfs(path)
                block = room.f_frsize
                disks.setdefault(os.stat(path).st_dev, [name, room.f_bavail * block, room.f_blocks * block])
        return list(disks.values())

    def slow(self, at, found):
        """The figures that are read at most once a second."""
        children, found["d"] = {}, self.rooms()
        self.allowed = number(read(f"/proc/{self.pid}/limits"), r"^Max cpu time +\w+") or 0
        if self.fault is not None:
            # What stood there a second ago is not what the kernel died of: a child wrote it.
            size = os.fstat(self.fault).st_size
            if size == self.size:
                self.seen, self.brim = size, []
            self.size = size
        # The system counts a dead process among the root's.
        if read(f"/proc/{self.pid}/cgroup") != self.groups and self.is_well():
            self.find_group()
            self.healthy = found["oom"] = self.kills()
        wanted = "memory some", "memory full", "io some", "io full", "cpu some"
        averages = [re.search(which + r" avg10=(\d+)\.(\d\d)", read("/proc/pressure/" + kind)) for kind, which in map(str.split, wanted)]
        if any(averages):
            found["psi"] = [a and int(a[1] + a[2]) for a in averages]
        there = {"psi": any(averages), "cg": self.group, "oom": found["oom"] != [None] * 3}
        self.missing = {key: "no-file" for key in there if not there[key]}
        rows = [row.split() for row in read("/proc/diskstats").splitlines()]
        # Whole disks only, and of those only hardware devices.
        rows = [row for row in rows if os.path.exists(f"/sys/block/{row[2]}/device")]
        flow = self.grown("io", [int(row[n]) for row in rows for n in (5, 9, 12)], at)
        if flow:
            found["io"] = [int(sum(flow[0::3]) * 512), int(sum(flow[1::3]) * 512), int(max(flow[2::3]))]
        clock = os.sysconf("SC_CLK_TCK")
        spent = self.grown("cpu", [int(n) for n in read("/proc/stat").split("\n")[0].split()[1:9]], at)
        own = self.grown("own", [int(n) for n in stat(self.pid)[11:13]], at)
        if spent and own and sum(spent):
            load = int(float(read("/proc/loadavg").split()[0]) * 100)
            idle, waits = spent[3] + spent[4], spent[4]
            found["cpu"] = [*map(round, (100 * (1 - idle / sum(spent)), 100 * waits / sum(spent), 100 * sum(own) / clock)), load]
        if stat(1):
            found["up"] = int(float(read("/proc/uptime").split()[0]) - int(stat(1)[19]) / clock)
        for pid in filter(str.isdigit, os.listdir("/proc")):
            children.setdefault("".join(stat(pid)[1:2]), []).append(int(pid))
        self.family = [self.pid]
        for pid in self.family:
            self.family += children.get(str(pid), [])
        self.gpus.ours = self.family
        self.others = sum(map(resident, self.family[1:]))

    def is_well(self, fields=()):
        """Not exiting (PF_EXITING) nor about to (SIGKILL pending): then what is visible is not what it died of."""
        fields = fields or stat(self.pid)
        return fields and not (int(fields[6]) & 4 or int(fields[28]) & 256)

    def is_told(self, fields):
        """Whether the system would show the kernel's wait status. It shows the code's address under the same conditions."""
        return len(fields) > 23 and int(fields[23]) > 1

    def sample(self):
        """Merges new figures into the known ones; writes them once a second, and whenever something changed."""
        at, oom = time.monotonic(), self.kills()
        if not self.is_well():
            self.ending = self.ending or now()
            return
        fields = stat(self.pid)
        self.healthy, self.told_status, self.spent = oom, self.is_told(fields), sum(map(int, fields[11:13]))
        # A process with much memory takes seconds to die after the log's line. One that lives on was not meant.
        if self.kill and not (self.kill[0] and at < self.kill[2] + 10):
            self.kill = None
        slow = at - self.second > 0.98 or self.fresh
        memory = read("/proc/meminfo")
        total, free, swap, left = ((number(memory, name) or 0) * 1024 for name in ("MemTotal", "MemAvailable", "SwapTotal", "SwapFree"))
        found = {"r": [total - free, total], "sw": [swap - left, swap], "oom": oom}
        if self.group:
            found["cg"] = [self.used(), self.limit]
        if slow:
            self.second = at
            self.slow(at, found)
        found["rss"], na = [resident(self.pid), self.others], {**self.missing}
        if self.gpus.rows:
            found["g"] = self.gpus.rows
            if at - self.gpus.at > 5 + self.pause:
                na["g"] = "no-answer"
        self.gpus.asked.set()
        if na or self.now.get("na"):
            found["na"] = na or None
        was, self.now, self.found = self.written, {**self.now, **found}, now()
        pairs = [(was.get(key), found.get(key)) for key in ("r", "rss", "cg")] + list(zip(was.get("g") or [], found.get("g") or []))
        room = min(self.limit or total, total)
        moved = any(a and b and abs(a[0] - b[0]) >= max(1 << 24, (room if i < 3 else b[1]) // 100) for i, (a, b) in enumerate(pairs))
        if self.fresh or moved or at - self.kept > 0.98 or was.get("oom") != oom or found.keys() - was.keys():
            self.kept = at
            self.say()
        return moved

    def say(self):
        """Writes the last sample, unless it was written."""
        if not self.found:
            return
        line = {key: value for key, value in self.now.items() if self.fresh or self.written.get(key) != value}
        self.fresh = False
        self.write("s", {"t": self.found, **line})
        self.found = 0
        # After a rotation the next line repeats everything.
        self.written = {} if self.fresh else self.now

    def log(self):
        """New lines of the kernel log: from /dev/kmsg if it can be opened, otherwise from syslog(2)."""
        while self.kmsg is not None:
            try:
                raw = os.read(self.kmsg, 8192).decode(errors="replace")
            except BrokenPipeError:
                continue  # Lines were overwritten before they could be read.
            except OSError:
                return
            if not raw:
                return
            yield from re.findall("^[^ ;]*;(.*)", raw, re.M)
        if self.tail:
            size = self.syslog(3, self.tail, 8192)
            for part in re.finditer(r"<\d+>\[ *(\d+)\.(\d+)\] (.*)", self.tail.raw[: max(size, 0)].decode(errors="replace")):
                micros = int(part[1] + part[2])
                if micros > self.micros:
                    self.micros = micros
                    yield part[3]

    def news(self):
        """Xids, from the library and from the kernel log; the GPUs, when they become known or change."""
        said = self.gpus.said if self.gpus.ready.is_set() else None
        for line in self.log():
            xid = re.search(r"NVRM: Xid \((?:PCI:)?([\w:.]+)[^)]*\): (\d+),? ?(.{0,160})", line)
            lost = re.search(r"NVRM: (GPU (?:at PCI:)?([\w:.]+\w).*fallen off the bus.*)", line)
            if xid or lost:
                bus, x, text = (xid[1], int(xid[2]), xid[3]) if xid else (lost[2], 79, lost[1])
                gpu = next((gpu for gpu in (said or {}).get("gpus", []) if bus.lower() in gpu.get("pci", "")), {})
                self.gpus.xids.append({"t": now(), "x": x, "u": gpu.get("of", gpu.get("u")), "via": "kmsg", "msg": text[:160]})
            kill = re.search(r"ut of memory.*Killed process (\d+) \((.*?)\)", line)
            if kill:
                # Process ids in the log belong to the initial PID namespace; in another one they mean nothing.
                host = os.stat("/proc/self/ns/pid").st_ino == 0xEFFFFFFC
                ours = int(kill[1]) == self.pid or (None if not host and kill[2] == self.name else False)
                if ours or not self.kill:
                    self.kill = ours, line[:200], time.monotonic()
        while self.gpus.xids:
            self.write("xid", self.gpus.xids.pop(0))
        if said and json.dumps(said) != self.told:
            self.told = json.dumps(said)
            self.write("gpus", json.loads(self.told))

    # The main loop.

    def start(self):
        self.find_group()
        self.told_status = self.is_told(stat(self.pid))
        self.name = read(f"/proc/{self.pid}/comm").strip()
        try:
            self.watch = os.pidfd_open(self.pid) if self.keys.get("pidfd") != "0" else None
        except (OSError, AttributeError):
            self.watch = None
        self.gpus = Gpus(self.keys.get("nvml"))
        try:
            self.kmsg = os.open(self.keys.get("kmsg", "/dev/kmsg"), os.O_RDONLY | os.O_NONBLOCK)
            os.lseek(self.kmsg, 0, os.SEEK_END)
        except OSError:
            if self.kmsg is None:
                self.syslog = ctypes.CDLL(None).klogctl
                self.tail = ctypes.create_string_buffer(8192)
                # Skips what is there already.
                if not list(self.log()):
                    self.tail = None
        self.gpus.ready.wait(0.04)
        self.write("start", {
            "v": 1, "mode": "python", "me": os.getpid(), "pid": self.pid, "born": self.born, "id": self.keys.get("id"),
            "boot": read("/proc/sys/kernel/random/boot_id").strip(), "cpus": os.cpu_count(),
            "ram": number(read("/proc/meminfo"), "MemTotal") * 1024, "cg": self.group[4] if self.group else "none",
            "lim": self.limit, "na": None if self.limit else {"lim": "no-limit"}, "pidfd": int(self.watch is not None),
            "st": int(self.told_status), "kmsg": int((self.kmsg or self.tail) is not None),
        })

    def run(self):
        poll = select.poll()
        poll.register(0, select.POLLIN)
        for file in (self.watch, self.alarm):
            if file is not None and file >= 0:
                poll.register(file, select.POLLIN)
        busy, due = True, 0
        while True:
            wait = max(0, due - time.monotonic())
            for file, event in poll.poll(1000 * (wait if self.watch is not None else min(wait, 0.1))):
                if file and file == self.alarm:
                    os.read(file, 4096)
                    self.brim = self.rooms()
                    continue
                if file:
                    return self.end()
                words = os.read(0, 64)
                if not words:
                    poll.unregister(0)
                    due = 0
                if b"q" in words:
                    return self.write("stop", {"why": "asked"})
                if words:
                    busy, due = words.rfind(b"r") > words.rfind(b"d"), 0
            fields = stat(self.pid) if self.watch is None else ["S"]
            if not fields or fields[0] in "ZX" or len(fields) > 19 and int(fields[19]) != self.born:
                return self.end()
            if time.monotonic() >= due:
                self.pause = 1 / float(self.keys.get("hz", 10)) if busy else float(self.keys.get("idle", 10))
                due = time.monotonic()
                fields = stat(self.pid)
                # Where its stack began: each program that is started gets another place.
                if self.is_well(fields) and fields[25] != self.stack:
                    # Another program runs in the kernel's process, and none of its memory is left.
                    return self.write("end", {"exec": 1, "oom": [None] * 3})
                try:
                    # A fast change may be over soon.
                    due += self.pause / 4 if self.sample() and busy else self.pause
                    self.news()
                except Exception:
                    due += self.pause  # When memory runs out anything may fail, but the end must still be recorded.

    def status(self):
        """The wait status and its source: the zombie, then the pidfd (linux/pidfd.h: struct pidfd_info,
        PIDFD_GET_INFO, PIDFD_INFO_EXIT). Also whether the parent is still running."""
        fields = stat(self.pid)
        there = len(fields) > 49 and int(fields[19]) == self.born and fields[0] in "ZX"
        # While somebody reaps it, Linux shows 0 for its parent.
        shown = fields[1] if there else "0"
        parent = shown == self.parent or shown == "0" and bool(stat(self.parent))
        if there and self.told_status:
            return int(fields[49]), "zombie", parent
        # A server checks its kernels every three seconds; until then the pidfd has no status.
        until = time.monotonic() + (4 if there else 0.25)
        while self.watch is not None and self.keys.get("info") != "0" and time.monotonic() < until:
            info = bytearray(struct.pack("Q56x", 8))
            try:
                fcntl.ioctl(self.watch, 0xC040FF0B, info)
            except OSError:
                break
            if info[0] & 8:
                return struct.unpack_from("i", info, 60)[0], "pidfd", parent
            time.sleep(0.01)
        return None, "gone", parent

    def end(self):
        # The last sample may not have been written, because it was no news then.
        at, _, (status, via, parent), since = self.ending or now(), self.say(), self.status(), time.monotonic()
        while True:
            oom = [None if None in pair else pair[0] - pair[1] for pair in zip(self.kills(), self.healthy)]
            # Drivers and Colab's monitor need a moment to report.
            if time.monotonic() > since + (1.3 if status == 9 and oom[2] == 0 and not any(oom) else 0.25):
                break
            time.sleep(0.02)
        self.news()
        rooms, left = {}, self.rooms()
        # What was in a file without a name is free by now.
        for name, *room in sorted(left + self.brim + self.now.get("d", []), key=lambda row: -row[1]):
            rooms[name] = room
        shm = rooms.pop("/dev/shm", None)
        kept = sum(size - free for name, free, size in left if name == "/dev/shm")
        memory = self.now.get("cg" if self.limit else "r") if any(oom) else tightest(self.now)
        clock = os.sysconf("SC_CLK_TCK")
        line = {
            "t": at, "took": now() - at, "st": status, "via": via, "par": int(parent), "exact": int(self.exact), "oom": oom,
            "last": memory, "shm": shm, "disk": min(rooms.values(), default=None), "kept": kept or None,
            "spent": 1 if self.allowed and self.spent + clock >= self.allowed * clock else None,
            "own": (self.now.get("rss") or [None])[0],
            "lost": 1 if None in (self.now.get("g") or []) else None,
        }
        if self.fault is not None:
            fault = os.pread(self.fault, 1 << 16, self.seen).decode(errors="replace")
            found = re.search("Fatal Python error: (.{1,160})", fault)
            # The fault handler writes a hundred frames, and dots for further ones.
            deep = re.search(r"^Current thread.*\n(  File.*\n)+  \.\.\.", fault, re.M)
            line.update(fault=found and found[1], deep=1 if deep else None)
        if self.kill:
            line["oomline"] = self.kill[1]
            if not self.kill[0]:
                line["oommaybe" if self.kill[0] is None else "oomother"] = 1
        self.write("end", line)


def main(pid, folder, *keys):
    for name in (signal.SIGHUP, signal.SIGINT):
        signal.signal(name, signal.SIG_IGN)
    if not stat(pid):
        sys.exit(3)
    try:
        sampler = Sampler(int(pid), folder, dict(key.split("=", 1) for key in keys))
    except OSError:
        sys.exit(4)
    if sampler.keys.get("fg") != "1" and os.fork():
        os._exit(0)

    def leave(*_):
        sampler.write("stop", {"why": "runtime"})
        os._exit(0)

    signal.signal(signal.SIGTERM, leave)
    os.chdir("/")
    # Asks to run at once when something happens, and not to be killed when memory runs out. The system grants that to administrators.
    with contextlib.suppress(OSError):
        os.nice(-10)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("-1000")
    sampler.start()
    sampler.run()
    os._exit(0)
