"""NVIDIA's management library (nvml.h), through ctypes. Follows sampler.py in the cell."""

import ctypes, threading

LIBRARIES = "", "/usr/lib64-nvidia/", "/usr/local/nvidia/lib64/", "/usr/lib/wsl/lib/", "/run/opengl-driver/lib/"
REASONS = {
    3: "not-supported", 4: "no-permission", 9: "driver-not-loaded", 13: "not-supported", 15: "lost",
    16: "reset-required", 17: "blocked", 18: "driver-mismatch", 28: "no-gpu",
}
# The queries for each GPU: name in `na`, layout of the result, functions (the newest first), arguments.
FIGURES = (
    ("util", "I", "UtilizationRates", ()),
    ("temp", "I", "Temperature", (0,)),
    ("watt", "I", "PowerUsage", ()),
    ("why", "Q", "CurrentClocksEventReasons CurrentClocksThrottleReasons", ()),
    ("ecc", "Q", "TotalEccErrors", (1, 0)),
    ("clock", "I", "ClockInfo", (1,)),
)


class Gpus:
    """Queries in a thread, because a broken driver may never answer."""

    def __init__(self, path):
        self.said, self.rows, self.at, self.xids, self.ours = None, None, 0, [], ()
        self.ready, self.asked, self.answer, self.devices = threading.Event(), threading.Event(), threading.local(), []
        threading.Thread(target=self.run, args=(path,), daemon=True).start()

    def ask(self, layout, names, *args, after=(), head=b""):
        """Calls the first function that the library has. Returns its result, or the reason why there is none."""
        answer = ctypes.create_string_buffer(head, 4096)
        for name in names.split():
            function = getattr(self.lib, name if name[0] == "n" else "nvmlDeviceGet" + name, None)
            if function:
                self.answer.code = function(*args, answer, *after)
                return None if self.answer.code else struct.unpack_from(layout, answer)
        self.answer.code = 13

    def why(self):
        return REASONS.get(self.answer.code, "unknown-error")

    def text(self, name, *device, size=96):
        said = self.ask(f"{size}s", name, *device, after=(size,))
        return said and said[0].split(b"\0")[0].decode(errors="replace")

    def run(self, path):
        said = self.open(path) or {"nogpu": self.why()}
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
        self.ask("", "nvmlInit_v2 nvmlInit")
        if self.answer.code:
            return None
        count = self.ask("I", "Count_v2 Count")
        if not count or not count[0]:
            return {"nogpu": "no-gpu"} if count else None
        self.events = ctypes.c_void_p((self.ask("P", "nvmlEventSetCreate") or [None])[0])
        for index in range(count[0]):
            device = self.ask("P", "HandleByIndex_v2 HandleByIndex", index)
            if device:
                self.add(ctypes.c_void_p(device[0]))
            else:
                self.devices.append((None, {"na": {"mem": self.why()}}))
        if self.events:
            threading.Thread(target=self.watch, daemon=True).start()
        driver = self.text("nvmlSystemGetDriverVersion", size=80)
        gpus = {"gpus": [gpu for _, gpu in self.devices]}
        return {"drv": driver, **gpus} if driver else gpus

    def listen(self, device):
        """Subscribes to Xids (8) and uncorrectable memory errors (2). Returns the reason if that is impossible."""
        types = self.ask("Q", "SupportedEventTypes", device) if self.events else (0,)
        if types and types[0] & 8:
            self.answer.code = self.lib.nvmlDeviceRegisterEvents(device, ctypes.c_ulonglong(types[0] & 10), self.events)
            return self.why() if self.answer.code else None
        return "not-supported" if types else self.why()

    def add(self, device, whole=None, deaf=None):
        deaf = deaf if whole else self.listen(device)
        gpu = {"na": {"xid": deaf} if deaf else {}}
        for key, name in (("u", "UUID"), ("n", "Name")):
            said = self.text(name, device)
            if said:
                gpu[key] = said
        # A partitioned GPU (MIG) is listed by its instances.
        mode = None if whole else self.ask("I", "MigMode", device, after=(ctypes.create_string_buffer(4),))
        most = mode and mode[0] and self.ask("I", "MaxMigDeviceCount", device)
        parts = [self.ask("P", "MigDeviceHandleByIndex", device, i) for i in range(most[0] if most else 0)]
        for part in filter(None, parts):
            self.add(ctypes.c_void_p(part[0]), (device, gpu), deaf)
        if any(parts):
            return
        if whole:
            gpu.update(mig=1, of=whole[1].get("u"))
            gpu["na"].update(dict.fromkeys(("util", "temp", "watt", "why", "clock"), "mig"))
        used = self.memory(device, gpu)
        if used:
            gpu["tot"] = used[1]
        pci = self.ask("16s", "PciInfo_v3 PciInfo_v2", whole[0] if whole else device)
        if pci:
            gpu["pci"] = pci[0].split(b"\0")[0].decode(errors="replace").lower()
        if self.ask("I", "VirtualizationMode", device) == (2,):
            gpu["vgpu"] = 1
        self.devices.append((device, gpu))

    def memory(self, device, gpu):
        """Bytes used and in total. The old call counts the driver's reserve as used."""
        got = self.ask("=8x4Q", "MemoryInfo_v2", device, head=struct.pack("=I", 40 | 2 << 24))
        if not got and self.answer.code in (3, 13, 25):
            got, gpu["v1"] = self.ask("3Q", "MemoryInfo", device), 1
        if got:
            return [got[-1], got[0]]
        gpu["na"]["mem"] = self.why()
        return None

    def row(self, device, gpu):
        used = device and self.memory(device, gpu)
        if not used:
            return None
        for key, layout, names, args in FIGURES:
            got = None if key in gpu["na"] else self.ask(layout, names, device, *args)
            if got is None:
                gpu["na"].setdefault(key, self.why())
            used.append(got and got[0] // (1000 if key == "watt" else 1))
        return used[:-1] + [self.own(device, gpu), used[-1]]

    def own(self, device, gpu):
        """Bytes used by the kernel and its descendants."""
        count, name = ctypes.c_uint(64), "ComputeRunningProcesses"
        found = self.ask("1536s", f"{name}_v3 {name}_v2", device, ctypes.byref(count))
        why = None if found else self.why()
        processes = [struct.unpack_from("=I4xQ", found[0], 24 * i) for i in range(min(count.value, 64))] if found else []
        own = [used for pid, used in processes if pid in self.ours]
        if processes and not own:
            # Only other processes, or ours by the host's process numbers, which mean nothing here.
            why = "no-process-list"
        elif 2**64 - 1 in own:
            why = "not-supported"
        gpu["na"].pop("own", None)
        if why:
            gpu["na"]["own"] = why
        return None if why else sum(own)

    def watch(self):
        """Waits for Xids. Earlier ones are lost."""
        while True:
            got = self.ask("3Q2I", "nvmlEventSetWait_v2 nvmlEventSetWait", self.events, after=(5000,), head=b"\xff" * 32)
            if got:
                seen = {"t": now(), "x": got[2] if got[1] == 8 else 48, "u": self.text("UUID", ctypes.c_void_p(got[0])), "via": "nvml"}
                self.xids.append(seen if got[3] == 2**32 - 1 else {**seen, "gi": got[3], "ci": got[4]})
            elif self.answer.code != 10:
                return
