import ctypes, fcntl, json, os, re, select, signal, struct, sys, threading, time
COLAB = "/var/colab/cgroup/jupyter-children"
PAGE, TICKS = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")
def read(path):
 try:
  with open(path, errors="replace") as file:
   return file.read()
 except OSError:
  return ""
def number(text, pattern):
 found = re.search(pattern + r"\D*(\d+)", text, re.M)
 return int(found[1]) if found else None
def stat(pid):
 return read(f"/proc/{pid}/stat").rpartition(")")[2].split()
def now():
 return int(time.time() * 1000)
LIBRARIES = "", "/usr/lib64-nvidia/", "/usr/local/nvidia/lib64/", "/usr/lib/wsl/lib/"
REASONS = {
 3: "not-supported", 4: "no-permission", 9: "driver-not-loaded", 13: "not-supported", 15: "lost",
 16: "reset-required", 17: "blocked", 18: "driver-mismatch", 28: "no-gpu",
}
FIGURES = (
 ("util", "I", "UtilizationRates", ()),
 ("temp", "I", "Temperature", (0,)),
 ("watt", "I", "PowerUsage", ()),
 ("why", "Q", "CurrentClocksEventReasons CurrentClocksThrottleReasons", ()),
 ("ecc", "Q", "TotalEccErrors", (1, 0)),
)
class Gpus:
 def __init__(self, path):
  self.said, self.rows, self.at, self.xids, self.ours = None, None, 0, [], ()
  self.ready, self.asked = threading.Event(), threading.Event()
  threading.Thread(target=self.run, args=(path,), daemon=True).start()
 def ask(self, layout, names, *args, after=(), head=b""):
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
  gpu = {key: text(said) for key, name in (("u", "UUID"), ("n", "Name")) for said in [self.ask("96s", name, device, after=(96,))] if said}
  gpu["na"] = {}
  most = not whole and (self.ask("I", "MigMode", device, after=(ctypes.create_string_buffer(4),)) or [0])[0] and self.ask("I", "MaxMigDeviceCount", device)
  parts = [self.ask("P", "MigDeviceHandleByIndex", device, i) for i in range(most[0] if most else 0)]
  for part in filter(None, parts):
   self.add(ctypes.c_void_p(part[0]), gpu)
  if any(parts):
   return
  if whole:
   gpu.update(mig=1, of=whole.get("u"))
  used = self.memory(device, gpu)
  if used:
   gpu["tot"] = used[1]
  pci = self.ask("36x32s", "PciInfo_v3", device)
  if pci:
   gpu["pci"] = text(pci).lower()
  self.devices.append((device, gpu))
 def memory(self, device, gpu):
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
  count, name = ctypes.c_uint(64), "ComputeRunningProcesses"
  found = self.ask("1536s", f"{name}_v3 {name}_v2", device, ctypes.byref(count))
  found = found and [struct.unpack_from("=I4xQ", found[0], 24 * i) for i in range(min(count.value, 64))]
  why = None if found is not None else REASONS.get(self.code, "unknown-error")
  if found and any(used == 2**64 - 1 for _, used in found):
   why = "not-supported"
  elif found and not all(stat(pid) for pid, _ in found):
   why = "no-process-list"
  if why:
   gpu["na"]["own"] = why
   return None
  return sum(used for pid, used in found if pid in self.ours)
 def watch(self):
  events = ctypes.c_void_p((self.ask("P", "nvmlEventSetCreate") or [None])[0])
  for device, gpu in self.devices:
   if not events or device and self.lib.nvmlDeviceRegisterEvents(device, ctypes.c_ulonglong(8), events):
    gpu["na"]["xid"] = "not-supported"
  while events:
   got = self.ask("3Q", "nvmlEventSetWait_v2 nvmlEventSetWait", events, after=(5000,))
   if got and got[1] == 8:
    gpu = next((gpu for device, gpu in self.devices if device and device.value == got[0]), {})
    self.xids.append({"k": "xid", "t": now(), "x": got[2], "u": gpu.get("u"), "via": "nvml"})
   elif self.code not in (0, 10):
    return
def text(answer):
 return answer[0].split(b"\0")[0].decode(errors="replace")
class Sampler:
 def __init__(self, pid, folder, keys):
  self.pid, self.folder, self.keys = pid, folder, keys
  self.born, self.parent = int(stat(pid)[19]), stat(pid)[1]
  name = "-" + keys["name"] if "name" in keys else ""
  self.path, self.faults = f"{folder}/nbmedic-flight{name}", f"{folder}/nbmedic-fault{name}.log"
  self.head, self.now, self.written, self.xids, self.log = {}, {}, {}, [], []
  self.family, self.counts, self.old = [pid], [], {}
  self.second = self.kept = self.seen = 0
  self.told = self.watch = None
  self.open()
 def open(self):
  self.file = os.open(self.path + ".jsonl", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
  self.fresh = True
  try:
   fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
  except OSError:
   pass
 def write(self, kind, line):
  line = {"k": kind, "t": now(), **{name: value for name, value in line.items() if value is not None}}
  dump = lambda line: (json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n").encode()
  try:
   if os.fstat(self.file).st_size > 524288 - 2000 and os.path.exists(self.path + ".jsonl"):
    os.replace(self.path + ".jsonl", self.path + ".1.jsonl")
    os.close(self.file)
    self.open()
    for old in self.head.values():
     os.write(self.file, dump({**old, "again": 1}))
   os.write(self.file, dump(line))
  except OSError:
   pass
  if kind in ("start", "gpus"):
   self.head[kind] = line
 def find_group(self):
  folders = [("v2", COLAB)]
  for line in read(f"/proc/{self.pid}/cgroup").split():
   _, kinds, path = line.split(":", 2)
   for version in ["v1"] if "memory" in kinds.split(",") else [] if kinds else ["v2"]:
    while path:
     folders.append((version, "/sys/fs/cgroup" + ("/memory" if kinds else "") + path))
     path = path.rpartition("/")[0] if path != "/" else ""
     path = path or ("/" if folders[-1][1][-1] != "/" else "")
  self.files = {
   "v1": ("/memory.usage_in_bytes", "/memory.limit_in_bytes", "/memory.oom_control", "^total_inactive_file"),
   "v2": ("/memory.current", "/memory.max", "/memory.events", "^inactive_file"),
  }
  folders = [(v, f) for v, f in folders if os.path.exists(f + self.files[v][0])]
  self.group = self.leaf = next(iter(folders), None)
  self.limit = None
  for version, folder in folders:
   limit = number(read(folder + self.files[version][1]), "^")
   if limit and limit < min(self.limit or 1 << 60, 1 << 60):
    self.limit, self.group = limit, (version, folder)
 def used(self):
  version, folder = self.group
  usage, _, _, cache = self.files[version]
  return [(number(read(folder + usage), "^") or 0) - (number(read(folder + "/memory.stat"), cache) or 0), self.limit]
 def kills(self):
  group = self.leaf and number(read(self.leaf[1] + self.files[self.leaf[0]][2]), "^oom_kill ")
  colab = re.findall(r"oom_kill[ =](\d+)", read(COLAB + "/memory.events") + "\n" + read("/var/colab/events"))
  return [number(read("/proc/vmstat"), "^oom_kill "), group, max(map(int, colab), default=None)]
 def grown(self, name, values, at):
  before, self.old[name] = self.old.get(name), (values, at)
  return before and [max(0, a - b) / (at - before[1] or 1) for a, b in zip(values, before[0])]
 def slow(self, at):
  found, pressure = {}, [read("/proc/pressure/" + kind) for kind in ("memory", "io", "cpu")]
  averages = [re.search(pattern + r" avg10=(\d+)\.(\d\d)", pressure[i]) for i, pattern in ((0, "some"), (0, "full"), (1, "some"), (1, "full"), (2, "some"))]
  if any(averages):
   found["psi"] = [a and int(a[1] + a[2]) for a in averages]
  disks = {}
  for name, path in (("/", "/"), (".", self.folder), ("/dev/shm", "/dev/shm")):
   if os.path.exists(path):
    room = os.statvfs(path)
    disks.setdefault(os.stat(path).st_dev, [name, room.f_bavail * room.f_frsize, room.f_blocks * room.f_frsize])
  found["d"] = list(disks.values())
  rows = [row.split() for row in read("/proc/diskstats").splitlines()]
  rows = [row for row in rows if os.path.exists(f"/sys/block/{row[2]}/device")]
  flow = self.grown("io", [int(row[n]) for row in rows for n in (5, 9, 12)], at)
  if flow:
   found["io"] = [int(sum(flow[0::3]) * 512), int(sum(flow[1::3]) * 512), int(max(flow[2::3]))]
  spent = self.grown("cpu", [int(n) for n in read("/proc/stat").split("\n")[0].split()[1:9]], at)
  own = self.grown("own", [int(n) for n in stat(self.pid)[11:13]], at)
  if spent and own and sum(spent):
   share = lambda part: round(100 * part / sum(spent))
   load = int(float(read("/proc/loadavg").split()[0]) * 100)
   found["cpu"] = [share(sum(spent) - spent[3] - spent[4]), share(spent[4]), round(100 * sum(own) / TICKS), load]
  found["up"] = int(float(read("/proc/uptime").split()[0]) - int(stat(1)[19]) / TICKS)
  children = {}
  for pid in filter(str.isdigit, os.listdir("/proc")):
   children.setdefault("".join(stat(pid)[1:2]), []).append(int(pid))
  self.family = [self.pid]
  for pid in self.family:
   self.family += children.get(str(pid), [])
  self.gpus.ours = self.family
  return found
 def sample(self):
  at = time.monotonic()
  slow = at - self.second > 0.98 or self.fresh
  found = self.slow(at) if slow else {}
  memory = read("/proc/meminfo")
  there, free = (number(memory, name) for name in ("MemTotal", "MemAvailable"))
  found["r"] = [(there - free) * 1024, there * 1024]
  resident = lambda pids: sum(int((read(f"/proc/{pid}/statm").split() + [0, 0])[1]) * PAGE for pid in pids)
  found["rss"] = [resident([self.pid]), resident(self.family[1:]) if slow else self.now["rss"][1]]
  if slow:
   self.second = at
   there, free = (number(memory, name) or 0 for name in ("SwapTotal", "SwapFree"))
   found["sw"] = [(there - free) * 1024, there * 1024]
  if self.group:
   found["cg"] = self.used()
  found["oom"] = self.kills()
  na = {}
  if self.gpus.rows:
   found["g"] = self.gpus.rows
   if at - self.gpus.at > 5 + self.pause:
    na["g"] = "no-answer"
  self.gpus.asked.set()
  self.counts = [c for c, later in zip(self.counts, self.counts[1:] + [(at,)]) if later[0] > at - 15] + [(at, found["oom"])]
  was, self.now = self.written, {**self.now, **found}
  pairs = [(was.get(k), found.get(k)) for k in ("r", "cg", "rss")] + list(zip(was.get("g") or [], found.get("g") or []))
  moved = lambda a, b: a and b and abs(a[0] - b[0]) >= max(1 << 24, found["r"][1] // 100 if b is found["rss"] else (b[1] or 0) // 100)
  if self.fresh or at - self.kept > 0.98 or was.get("oom") != found["oom"] or any(moved(*pair) for pair in pairs):
   was = {} if self.fresh else was
   self.kept, self.fresh = at, False
   self.write("s", {**{k: v for k, v in self.now.items() if was.get(k) != v}, "na": na or None})
   self.written = {} if self.fresh else self.now
  self.news()
 def news(self):
  said = self.gpus.said if self.gpus.ready.is_set() else None
  while self.kmsg:
   try:
    line = os.read(self.kmsg, 8192).decode(errors="replace").partition(";")[2].split("\n")[0]
   except BrokenPipeError:
    continue
   except OSError:
    break
   if not line:
    break
   xid = re.search(r"NVRM: Xid \((?:PCI:)?([\w:.]+)[^)]*\): (\d+),? ?(.{0,160})", line)
   if xid:
    gpu = next((g for g in (said or {}).get("gpus", []) if xid[1].lower() in g.get("pci", "")), {})
    self.gpus.xids.append({"k": "xid", "t": now(), "x": int(xid[2]), "u": gpu.get("u"), "via": "kmsg", "msg": xid[3]})
   killed = number(line, "[Oo]ut of memory: Killed process")
   if killed:
    self.log.append((now(), killed, line[:200]))
  while self.gpus.xids:
   self.xids.append(self.gpus.xids.pop(0))
   self.write("xid", self.xids[-1])
  if said and json.dumps(said) != self.told:
   self.told = json.dumps(said)
   self.write("gpus", json.loads(self.told))
 def start(self):
  self.find_group()
  self.gpus = Gpus(self.keys.get("nvml"))
  try:
   self.kmsg = os.open(self.keys.get("kmsg", "/dev/kmsg"), os.O_RDONLY | os.O_NONBLOCK)
   os.lseek(self.kmsg, 0, os.SEEK_END)
  except OSError:
   self.kmsg = None
  if os.path.exists(self.faults):
   self.seen = os.path.getsize(self.faults)
  try:
   self.watch = os.pidfd_open(self.pid) if self.keys.get("pidfd") != "0" else None
  except (OSError, AttributeError):
   pass
  self.gpus.ready.wait(0.04)
  self.write("start", {
   "v": 1, "mode": "python", "me": os.getpid(), "pid": self.pid, "born": self.born, "id": self.keys.get("id"),
   "boot": read("/proc/sys/kernel/random/boot_id").strip(), "cpus": os.cpu_count(),
   "ram": number(read("/proc/meminfo"), "MemTotal") * 1024, "cg": self.group[0] if self.group else "none",
   "lim": self.limit, "na": None if self.limit else {"lim": "no-limit"},
   "st": int(os.getuid() in (0, os.stat(f"/proc/{self.pid}").st_uid)), "pidfd": int(self.watch is not None),
   "kmsg": int(self.kmsg is not None),
  })
 def run(self):
  poll = select.poll()
  poll.register(0, select.POLLIN)
  if self.watch is not None:
   poll.register(self.watch, select.POLLIN)
  busy, due = True, 0
  while True:
   self.pause = 1 / float(self.keys.get("hz", 10)) if busy else float(self.keys.get("idle", 10))
   wait = max(0, due - time.monotonic())
   for file, event in poll.poll(1000 * (wait if self.watch is not None else min(wait, 0.1))):
    if file:
     return self.end()
    words = os.read(0, 64).decode(errors="replace")
    if not words:
     poll.unregister(0)
    if "q" in words:
     return self.write("stop", {"why": "asked"})
    for letter in re.findall("[rd]", words):
     busy, due = letter == "r", 0
   fields = stat(self.pid) if self.watch is None else ["S"]
   if not fields or fields[0] in "ZX" or len(fields) > 19 and int(fields[19]) != self.born:
    return self.end()
   if time.monotonic() >= due:
    due = time.monotonic() + self.pause
    self.sample()
 def status(self):
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
 def end(self):
  at = now()
  status, via, parent = self.status()
  self.news()
  line = {"t": at, "st": status, "via": via, "par": int(parent)}
  line["last"] = last = self.now["cg"] if self.limit else self.now.get("r", [0, 0])
  line["oom"] = [None if None in pair else pair[0] - pair[1] for pair in zip(self.kills(), self.counts[0][1])]
  line["shm"] = shm = next((disk[1:] for disk in self.now["d"] if disk[0] == "/dev/shm"), None)
  if os.path.exists(self.faults):
   with open(self.faults, errors="replace") as file:
    file.seek(self.seen)
    fault = file.read(65536)
   found = re.search("Fatal Python error: (.{1,160})", fault)
   line["fault"] = found and found[1]
   line["deep"] = 1 if re.search(r"^Current thread.*\n(  File.*\n)+  \.\.\.", fault, re.M) else None
  log = [o for o in self.log if o[0] > at - 15000]
  named = next((o for o in log if o[1] in self.family), None)
  if named:
   line["oompid"], line["oomline"] = named[1:]
  ours = any(o[1] == self.pid for o in log) or (False if log and os.stat("/proc/self/ns/pid").st_ino == 0xEFFFFFFC else None)
  lost = any(row is None for row in self.now.get("g") or [])
  xids = [(x["x"], at - x["t"], "out of range" in x.get("msg", "").lower()) for x in self.xids]
  line["cause"], line["sure"], line["for"] = verdict(status, line["oom"], ours, line.get("fault"), last, shm, lost, xids)
  self.write("end", line)
def verdict(status, oom, log, fault, memory, shm, lost, xids):
 code, signal = (status >> 8, status & 0x7F) if status is not None else (None, None)
 crash = signal in (4, 5, 6, 7, 8, 11, 31)
 best = (0,)
 for x, before, address in xids:
  kind = next((i for i, known in enumerate(((48, 64, 74, 79, 94, 95, 140), (13, 31, 43, 68, 109), (8, 32, 38, 61, 62, 69, 119, 120), (45,))) if x in known), None)
  if kind is not None and abs(before) <= 10000:
   weight = (5, 3 + (x == 31 or address), 2, 1)[kind]
   best = max(best, (weight, before, x))
 percent = memory[0] * 100 // memory[1] if memory[1] else 80
 other = log is False
 tests = {
  "signal-kill": signal == 9, "signal-crash": crash, "signal-other": signal and signal != 9 and not crash,
  "exit-code": signal == 0 and code, "exit-clean": status == 0, "no-status": status is None,
  "oom-cgroup": oom[1], "oom-colab": oom[2], "oom-host": oom[0], "oom-log": log, "oom-other": other,
  "oom-none": not any(oom) and oom != [None] * 3, "memory-high": percent >= 90, "memory-low": percent < 70,
  "fault-file": fault, "shm-full": shm and shm[0] <= shm[1] // 50, "xid-application": best[0] in (3, 4),
  "xid-hardware": best[0] == 5, "xid-driver": best[0] == 2, "xid-consequence": best[0] == 1, "gpu-lost": lost,
 }
 seen = [name for name in tests if tests[name]]
 hardware = ("certain" if best[2] in (48, 64, 79, 95, 140) else "likely") if best[0] == 5 else lost and "likely"
 counted = (oom[1] or oom[2]) and not other
 alone = oom[2] is not None
 if status is None:
  told = log and ("host-oom", "certain") or fault and ("native-crash", "likely") or counted and ("host-oom", "likely")
 elif signal == 9:
  host = oom[0] and not other and ("host-oom", "certain" if alone else "likely")
  told = (log or counted) and ("host-oom", "certain") or host or hardware and ("gpu-hardware-fault", "likely")
  told = told or ("kernel-died", "certain" if other or "oom-none" in seen else "likely")
 elif crash:
  told = hardware and ("gpu-hardware-fault", hardware) or signal == 6 and best[0] == 4 and ("cuda-illegal-access", "likely")
  told = told or ("shared-memory-exhausted" if signal == 7 and "shm-full" in seen else "native-crash", "certain")
 elif status == 0:
  told = not (fault or oom[1] or oom[2] or log) and ("clean-exit", "certain")
 else:
  told = "kernel-died", "certain"
 return *(told or ("unknown", "unknown")), seen
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
 sampler.start()
 sampler.run()
 os._exit(0)
main(*sys.argv[1:])
