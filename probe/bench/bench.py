"""Compares the probe with nvitop, gpustat and a plain Python loop: `bench.py PROGRAM LIBRARY_FOLDER [SECONDS]`.

All sample ten times a second against the same stand-in for NVML, one after the other; the process that is watched is on its
GPU. Processor time is that of all threads, by the system's accounts (/proc/PID/task/*/schedstat), over the samples that
were taken: a loop that the machine was too busy to run on time took fewer. Memory is /proc/PID/smaps_rollup at the end. The
probe's start is the time from its call to its first sample in the file.
"""

import glob
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HZ = 10

# What each of the other monitors does for one sample.
LOOP = """
import time
{setup}
due = time.monotonic()
count = 0
file = open({counter!r}, "r+b", buffering=0)
while True:
    {sample}
    count += 1
    file.seek(0)
    file.write(count.to_bytes(8, "little"))
    due += {pause}
    time.sleep(max(0, due - time.monotonic()))
"""
NVITOP = (
    "import nvitop; collector = nvitop.ResourceMetricCollector(interval={pause}); collector.activate('bench')",
    "collector.collect()",
)
GPUSTAT = ("import gpustat", "gpustat.new_query()")
# The figures of the probe's sample that psutil and pynvml can read too.
PLAIN = (
    "import psutil, pynvml; pynvml.nvmlInit(); gpu = pynvml.nvmlDeviceGetHandleByIndex(0); kernel = psutil.Process({pid})",
    "psutil.virtual_memory(), psutil.swap_memory(), psutil.cpu_percent(), kernel.memory_info(), kernel.children(recursive=True), "
    "psutil.disk_usage('/'), psutil.disk_io_counters(), pynvml.nvmlDeviceGetMemoryInfo(gpu), pynvml.nvmlDeviceGetUtilizationRates(gpu), "
    "pynvml.nvmlDeviceGetTemperature(gpu, 0), pynvml.nvmlDeviceGetPowerUsage(gpu), pynvml.nvmlDeviceGetComputeRunningProcesses(gpu)",
)


def ran(pid):
    """Processor time of the process's threads, in nanoseconds."""
    total = 0
    for path in glob.glob(f"/proc/{pid}/task/*/schedstat"):
        try:
            total += int(pathlib.Path(path).read_text().split()[0])
        except OSError:
            pass  # The thread has just ended.
    return total


def memory(pid):
    """Resident KiB, and the private part of them."""
    rows = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:])
    kib = {name: int(value.split()[0]) for name, value in rows.items()}
    return kib["Rss"], kib["Private_Clean"] + kib["Private_Dirty"]


def measure(process, seconds, count):
    time.sleep(1)
    began, before, first = time.monotonic(), ran(process.pid), count()
    time.sleep(seconds)
    spent, took, samples = ran(process.pid) - before, time.monotonic() - began, count() - first
    resident, private = memory(process.pid)
    return {"us": spent / 1000 / samples, "percent": spent / 1e7 / took, "rss": resident, "private": private, "hz": samples / took}


def probe(program, environment, kernel, seconds):
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder, "nbmedic-flight.jsonl")
        began = time.monotonic()
        process = subprocess.Popen([program, str(kernel), folder, f"hz={HZ}", "fg=1"], stdin=subprocess.PIPE, env=environment)
        try:
            while not record.exists() or b'"k":"s"' not in record.read_bytes():
                time.sleep(0.0005)
            start = 1000 * (time.monotonic() - began)
            os.write(process.stdin.fileno(), b"r")
            # Sleeps until the next sample is due, so it misses none.
            found = measure(process, seconds, lambda: round(HZ * time.monotonic()))
            lines = [json.loads(line) for line in record.read_text().splitlines()]
            if not any("gpus" in line for line in lines):
                sys.exit("the probe did not find the stand-in's GPU")
            samples = [len(json.dumps(line, separators=(",", ":"))) + 1 for line in lines if line["k"] == "s"]
            return {**found, "start": start, "bytes": sum(samples[1:]) / max(1, len(samples) - 1)}
        finally:
            process.kill()
            process.wait()


def other(parts, environment, kernel, seconds):
    setup, sample = (part.format(pid=kernel, pause=1 / HZ) for part in parts)
    with tempfile.NamedTemporaryFile() as counter:
        counter.write(bytes(8))
        counter.flush()
        return run(LOOP.format(setup=setup, sample=sample, pause=1 / HZ, counter=counter.name), environment, seconds, pathlib.Path(counter.name))


def run(code, environment, seconds, counter):
    process = subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.DEVNULL)
    try:
        time.sleep(3)  # By then its modules are loaded.
        found = measure(process, seconds, lambda: int.from_bytes(counter.read_bytes(), "little"))
        if process.poll() is not None:
            sys.exit("one of the others ended")
        return found
    finally:
        process.kill()
        process.wait()


def main(program, library, seconds=20):
    environment = {**os.environ, "LD_LIBRARY_PATH": library}
    kernel = subprocess.Popen(["sleep", "1000"])
    environment["FAKE_NVML"] = f"pid={kernel.pid}:{1 << 30}"
    try:
        ours = probe(program, environment, kernel.pid, float(seconds))
        others = {
            name: other(parts, environment, kernel.pid, float(seconds))
            for name, parts in (("nvitop", NVITOP), ("gpustat", GPUSTAT), ("psutil + pynvml", PLAIN))
        }
    finally:
        kernel.kill()
        kernel.wait()
    print(f"{HZ} samples a second for {float(seconds):g} s each, {os.cpu_count()} processors, Python {sys.version.split()[0]}")
    print(f"{'':16}{'samples/s':>11}{'us/sample':>11}{'% of a core':>13}{'KiB resident':>14}{'KiB private':>13}")
    for name, row in {"nbmedic-probe": ours, **others}.items():
        print(f"{name:16}{row['hz']:11.1f}{row['us']:11.0f}{row['percent']:13.2f}{row['rss']:14,}{row['private']:13,}")
    best = {key: min(row[key] for row in others.values()) for key in ("us", "rss")}
    print(f"first sample after {ours['start']:.1f} ms, {ours['bytes']:.0f} bytes a line")
    checks = {
        "processor time at most a fifth of the best": ours["us"] * 5 <= best["us"],
        "memory at most a fifth of the best": ours["rss"] * 5 <= best["rss"],
        "at most 0.2 % of a core": ours["percent"] <= 0.2,
        "at most 2 MB": ours["rss"] <= 2048,
        "started within 50 ms": ours["start"] <= 50,
    }
    for check, holds in checks.items():
        print(f"{'yes' if holds else 'NO ':4}{check}")
    sys.exit(0 if all(checks.values()) else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
