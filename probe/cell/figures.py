"""What the native probe looks at besides: GPUs by NVIDIA's management library (nvml.h), the system's log, pressure, disks,
processors, the kernel's children. Follows sampler.py in the readable cell."""

import ctypes, threading

LIBRARIES = "", "/usr/lib64-nvidia/", "/usr/local/nvidia/lib64/", "/usr/lib/wsl/lib/"
REASONS = {
    3: "not-supported", 4: "no-permission", 9: "driver-not-loaded", 13: "not-supported", 15: "lost",
    16: "reset-required", 17: "blocked", 18: "driver-mismatch", 28: "no-gpu",
}
# What is asked of each GPU: name in `na`, layout of the answer, functions (the newest first), arguments.
FIGURES = (
    ("util", "I", "UtilizationRates", ()),
    ("temp", "I", "Temperature", (0,)),
    ("watt", "I", "PowerUsage", ()),
    ("why", "Q", "CurrentClocksEventReasons CurrentClocksThrottleReasons", ()),
    ("ecc", "Q", "TotalEccErrors", (1, 0)),
)


class Gpus:
    """Asks in a thread: a driver in trouble may never answer."""

    def __init__(self, path):
        self.said, self.rows, self.at, self.xids, self.ours = None, None, 0, [], ()
        self.ready, self.asked = threading.Event(), threading.Event()
        threading.Thread(target=self.run, args=(path,), daemon=True).start()

    def ask(self, layout, names, *args, after=(), head=b""):
        """Calls the first function that the library has; its answer, or the reason why there is none."""
        answer = ctypes.create_string_buffer(head, 4096)
        for name in names.split():
            function = getattr(self.lib, name if name[0] == "n" else "nvmlDeviceGet" + name, None)
            if function:
                self.code = function(*args, answer, *after)
                return None if self.code else struct.unpack_from(layout, answer)
        self.code = 13

    def run(self, path):
        said = self.open(path) or {"nogpu": REASONS.get(self.code, "unknown-error")}
        self.said, self.at = said, time.monotonic()
        self.ready.set()
        while "gpus" in said and self.asked.wait():
            self.asked.clear()
            self.rows = [self.row(*entry) for entry in self.devices]
            self.at = time.monotonic()

    def open(self, path):
        for folder in LIBRARIES:
            try:
                self.lib = ctypes.CDLL(path or folder + "libnvidia-ml.so.1")
                break
            except OSError:
                pass
        else:
            return {"nogpu": "no-library"}
        self.ask("", "nvmlInit_v2 nvmlInit", after=())
        if self.code:
            return None
        count = self.ask("I", "Count_v2 Count")
        if not count or not count[0]:
            return {"nogpu": "no-gpu"} if count else None
        self.devices = []
        for index in range(count[0]):
            device = self.ask("P", "HandleByIndex_v2 HandleByIndex", index)
            if device:
                self.add(ctypes.c_void_p(device[0]))
            else:
                self.devices.append((None, {"na": {"mem": REASONS.get(self.code, "unknown-error")}}))
        threading.Thread(target=self.watch, daemon=True).start()
        driver = self.ask("80s", "nvmlSystemGetDriverVersion", after=(80,))
        gpus = {"gpus": [gpu for _, gpu in self.devices]}
        return {"drv": text(driver), **gpus} if driver else gpus

    def add(self, device, whole=None):
        gpu = {"na": {}}
        for key, name in (("u", "UUID"), ("n", "Name")):
            said = self.ask("96s", name, device, after=(96,))
            if said:
                gpu[key] = text(said)
        # A GPU that is cut up (MIG) is shown by its parts.
        mode = None if whole else self.ask("I", "MigMode", device, after=(ctypes.create_string_buffer(4),))
        most = mode and mode[0] and self.ask("I", "MaxMigDeviceCount", device)
        parts = [self.ask("P", "MigDeviceHandleByIndex", device, i) for i in range(most[0] if most else 0)]
        for part in filter(None, parts):
            self.add(ctypes.c_void_p(part[0]), gpu)
        if any(parts):
            return
        if whole:
            gpu.update(mig=1, of=whole.get("u"), na=dict.fromkeys(("util", "temp", "watt", "why"), "mig"))
        used = self.memory(device, gpu)
        if used:
            gpu["tot"] = used[1]
        pci = self.ask("16s", "PciInfo_v3 PciInfo_v2", device)
        if pci:
            gpu["pci"] = text(pci).lower()
        if self.ask("I", "VirtualizationMode", device) == (2,):
            gpu["vgpu"] = 1
        self.devices.append((device, gpu))

    def memory(self, device, gpu):
        """Bytes used and there are. The old call counts what the driver keeps for itself as used."""
        got = self.ask("=8x4Q", "MemoryInfo_v2", device, head=struct.pack("=I", 40 | 2 << 24))
        if not got and self.code in (3, 13, 25):
            got, gpu["v1"] = self.ask("3Q", "MemoryInfo", device), 1
        if got:
            return [got[-1], got[0]]
        gpu["na"]["mem"] = REASONS.get(self.code, "unknown-error")
        return None

    def row(self, device, gpu):
        used = device and self.memory(device, gpu)
        if not used:
            return None
        for key, layout, names, args in FIGURES:
            got = None if key in gpu["na"] else self.ask(layout, names, device, *args)
            if got is None:
                gpu["na"].setdefault(key, REASONS.get(self.code, "unknown-error"))
            used.append(got and got[0] // (1000 if key == "watt" else 1))
        return used + [self.own(device, gpu)]

    def own(self, device, gpu):
        """Bytes used by the kernel and its descendants."""
        count, name = ctypes.c_uint(64), "ComputeRunningProcesses"
        found = self.ask("1536s", f"{name}_v3 {name}_v2", device, ctypes.byref(count))
        why = None if found else REASONS.get(self.code, "unknown-error")
        processes = [struct.unpack_from("=I4xQ", found[0], 24 * i) for i in range(min(count.value, 64))] if found else []
        own = [used for pid, used in processes if pid in self.ours]
        if processes and not own:
            # Others' only, or ours by numbers of the machine's that mean nothing here.
            why = "no-process-list"
        elif 2**64 - 1 in own:
            why = "not-supported"
        gpu["na"].pop("own", None)
        if why:
            gpu["na"]["own"] = why
        return None if why else sum(own)

    def watch(self):
        """Waits for Xids, event type 8. What happened before is lost."""
        events = ctypes.c_void_p((self.ask("P", "nvmlEventSetCreate") or [None])[0])
        for device, gpu in self.devices:
            if not events or device and self.lib.nvmlDeviceRegisterEvents(device, ctypes.c_ulonglong(8), events):
                gpu["na"]["xid"] = "not-supported"
        while events:
            got = self.ask("3Q", "nvmlEventSetWait_v2 nvmlEventSetWait", events, after=(5000,))
            if got and got[1] == 8:
                gpu = next((gpu for device, gpu in self.devices if device and device.value == got[0]), {})
                self.xids.append({"t": now(), "x": got[2], "u": gpu.get("u"), "via": "nvml"})
            elif self.code not in (0, 10):
                return


def text(answer):
    return answer[0].split(b"\0")[0].decode(errors="replace")

class Full(Sampler):
    def begin(self):
        self.old, self.family, self.killed, self.xids, self.told = {}, [self.pid], [], [], None
        self.gpus = Gpus(self.keys.get("nvml"))
        try:
            self.kmsg = os.open(self.keys.get("kmsg", "/dev/kmsg"), os.O_RDONLY | os.O_NONBLOCK)
            os.lseek(self.kmsg, 0, os.SEEK_END)
        except OSError:
            self.kmsg = None
        self.gpus.ready.wait(0.04)
        return {"kmsg": int(self.kmsg is not None)}

    def grown(self, name, values, at):
        """By how much values grew a second; None the first time."""
        before, self.old[name] = self.old.get(name), (values, at)
        return before and [max(0, a - b) / (at - before[1] or 1) for a, b in zip(values, before[0])]

    def look(self, slow):
        found, at, na = super().look(slow), time.monotonic(), {}
        if slow:
            pressure = [read("/proc/pressure/" + kind) for kind in ("memory", "io", "cpu")]
            wanted = ((0, "some"), (0, "full"), (1, "some"), (1, "full"), (2, "some"))
            averages = [re.search(which + r" avg10=(\d+)\.(\d\d)", pressure[i]) for i, which in wanted]
            if any(averages):
                found["psi"] = [a and int(a[1] + a[2]) for a in averages]
            else:
                na["psi"] = "no-file"
            self.disks_and_processors(found, at)
            children = {}
            for pid in filter(str.isdigit, os.listdir("/proc")):
                children.setdefault("".join(stat(pid)[1:2]), []).append(int(pid))
            self.family = [self.pid]
            for pid in self.family:
                self.family += children.get(str(pid), [])
            self.gpus.ours = self.family
            self.others = sum(map(resident, self.family[1:]))
        found["rss"] = [resident(self.pid), self.others]
        if self.gpus.rows:
            found["g"] = self.gpus.rows
            if at - self.gpus.at > 5 + self.pause:
                na["g"] = "no-answer"
        self.gpus.asked.set()
        return {**found, "na": na or None} if na or self.now.get("na") else found

    def disks_and_processors(self, found, at):
        rows = [row.split() for row in read("/proc/diskstats").splitlines()]
        # Whole disks, and of those the ones with hardware behind them.
        rows = [row for row in rows if os.path.exists(f"/sys/block/{row[2]}/device")]
        flow = self.grown("io", [int(row[n]) for row in rows for n in (5, 9, 12)], at)
        if flow:
            found["io"] = [int(sum(flow[0::3]) * 512), int(sum(flow[1::3]) * 512), int(max(flow[2::3]))]
        spent = self.grown("cpu", [int(n) for n in read("/proc/stat").split("\n")[0].split()[1:9]], at)
        own = self.grown("own", [int(n) for n in stat(self.pid)[11:13]], at)
        if spent and own and sum(spent):
            load = int(float(read("/proc/loadavg").split()[0]) * 100)
            idle, waits = spent[3] + spent[4], spent[4]
            parts = [100 * (1 - idle / sum(spent)), 100 * waits / sum(spent), 100 * sum(own) / os.sysconf("SC_CLK_TCK")]
            found["cpu"] = [*map(round, parts), load]
        if stat(1):
            found["up"] = int(float(read("/proc/uptime").split()[0]) - int(stat(1)[19]) / os.sysconf("SC_CLK_TCK"))

    def news(self):
        """Xids, by the library and by the system's log; what there is of GPUs, when that is known or changes."""
        said = self.gpus.said if self.gpus.ready.is_set() else None
        while self.kmsg is not None:
            try:
                line = os.read(self.kmsg, 8192).decode(errors="replace").partition(";")[2].split("\n")[0]
            except BrokenPipeError:
                continue  # Lines were overwritten before they could be read.
            except OSError:
                break
            if not line:
                break
            xid = re.search(r"NVRM: Xid \((?:PCI:)?([\w:.]+)[^)]*\): (\d+),? ?(.{0,160})", line)
            if xid:
                gpu = next((g for g in (said or {}).get("gpus", []) if xid[1].lower() in g.get("pci", "")), {})
                self.gpus.xids.append({"t": now(), "x": int(xid[2]), "u": gpu.get("u"), "via": "kmsg", "msg": xid[3]})
            killed = number(line, "[Oo]ut of memory: Killed process")
            if killed:
                self.killed.append((now(), killed, line[:200]))
        while self.gpus.xids:
            self.xids.append(self.gpus.xids.pop(0))
            self.write("xid", self.xids[-1])
        if said and json.dumps(said) != self.told:
            self.told = json.dumps(said)
            self.write("gpus", json.loads(self.told))

    def judge(self, line, gpu):
        # Pids in the log are those of the machine's first namespace: elsewhere nobody knows whose they are.
        killed = [k for k in self.killed if k[0] > line["t"] - 15000]
        ours = [k for k in killed if k[1] == self.pid]
        if ours or killed and os.stat("/proc/self/ns/pid").st_ino == 0xEFFFFFFC:
            self.log = bool(ours)
            line["oompid"], line["oomline"] = (ours or killed)[-1][1:]
            line["oomother"] = None if ours else 1
        self.lost = any(row is None for row in self.now.get("g") or [])
        line["lost"] = 1 if self.lost else None
        super().judge(line, gpu)

    def gpu(self, at):
        best = (0,)
        for xid in self.xids:
            number, before = xid["x"], at - xid["t"]
            # Only an address out of range makes an illegal access of a 13.
            address = number == 31 or "Out Of Range Address" in xid.get("msg", "")
            weights = (
                (5, (48, 64, 74, 79, 94, 95, 140)), (4 if address else 3, (13, 31, 43, 68, 109)),
                (2, (8, 32, 38, 61, 62, 69, 119, 120)), (1, (45,)),
            )
            for weight, known in weights:
                if number in known and abs(before) <= 10000:
                    best = max(best, (weight, before, number))
        return best


KIND = Full
