"""`nbmedic.spark.triage` and `nbmedic.ray.triage` on a local Spark and a local Ray: `fleet.py TEXTS`. Both must find what one machine
finds, row by row, Spark also when one of its workers is killed in the middle. Beside them, in the same engines, a loop of `re` over the same
texts; the table shows what each does on a core in a second. Texts lie in Parquet files, so memory does not grow with their number."""

import collections
import logging
import os
import pathlib
import random
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pyarrow.parquet as pq
from nbmedic import arrow

CORES = 2
FILE = 500
"""Texts in a file."""
LINES = 250
"""Lines in a text: some 10 KB."""
PLANTED = [
    "Traceback (most recent call last):\n  File \"job.py\", line {n}, in <module>\nModuleNotFoundError: No module named 'xarray'\n",
    "OSError: [Errno 28] No space left on device: '/data/run-{n}/part-0001'\n",
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate {n}.00 MiB\n",
]
WANTED = [
    r"^(\w+Error): (.*)$", r"No module named '([\w.]+)'", r"cannot import name '(\w+)'", r"\[Errno (\d+)\] (.*)", r"No space left on device",
    r"CUDA out of memory\. Tried to allocate ([\d.]+) (\w+)", r"CUDA error: (.*)", r"Killed", r"Segmentation fault", r"name '(\w+)' is not defined",
    r"has no attribute '(\w+)'", r"shapes? .* not aligned", r"Expected all tensors", r"Connection (refused|reset)", r"Permission denied: '(.*)'",
    r"Unable to allocate ([\d.]+) (\w+)", r"exit(?:ed with)? code (\d+)", r"Xid .*: (\d+)", r"ncclSystemError", r"KeyError: (.*)",
]  # fmt: skip


def written(home, count):
    """Files of texts of which every tenth holds a failure, and how many bytes these are."""
    chance = random.Random(7)
    pool = [f"step {step}: loss {chance.random():.4f}, {chance.randrange(9000)} samples/s\n" for step in range(20000)]
    size = 0
    for first in range(0, count, FILE):
        jobs, texts = [], []
        for i in range(first, min(first + FILE, count)):
            at = chance.randrange(len(pool) - LINES)
            lines = pool[at : at + LINES]
            if i % 10 == 0:
                lines.insert(chance.randrange(LINES), PLANTED[i // 10 % len(PLANTED)].format(n=chance.randrange(1, 900)))
            jobs.append(f"job-{i}")
            texts.append("".join(lines))
            size += len(texts[-1])
        pq.write_table(pa.table({"job": jobs, "text": texts}), os.path.join(home, f"texts-{first:07}.parquet"), compression="zstd")
    return size


def counted(rows):
    return collections.Counter((row["text_id"], row["id"], row["fix"], row["signature"], row["line"]) for row in rows)


def timed(work):
    start = time.perf_counter()
    done = work()
    return done, time.perf_counter() - start


def one_machine(home, threads):
    """What threads of one Python find that take a file each, and the seconds for reading and judging."""

    def judged(file):
        return [arrow.triage(batch, id="job") for batch in pq.ParquetFile(file).iter_batches(FILE, use_threads=False)]

    with ThreadPoolExecutor(threads) as pool:
        files, spent = timed(lambda: list(pool.map(judged, sorted(pathlib.Path(home).iterdir()))))
    found = collections.Counter()
    for told in files:
        for batch in told:
            found += counted(batch.to_pylist())
    return found, spent


def searched(batch):
    """A loop of `re`: what people write instead."""
    patterns = [re.compile(one, re.MULTILINE) for one in WANTED]
    texts = batch.column("text").to_pylist()
    return pa.array([sum(1 for pattern in patterns if pattern.search(text)) for text in texts], pa.int64())


class Watch(threading.Thread):
    """Looks at the processes below this one while something runs: how much memory a worker has, in the first and in the second half of the
    looks; and it kills one worker that is at work, if asked."""

    def __init__(self, kind, kill=False):
        super().__init__(daemon=True)
        self.kind, self.kill, self.killed, self.over, self.looks = kind, kill, 0, threading.Event(), []

    def workers(self):
        """Process, memory in MiB and seconds at work of each worker."""
        parents, said = {}, {}
        for path in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                fields = (path / "stat").read_text().rpartition(")")[2].split()
                said[int(path.name)] = (path / "cmdline").read_bytes().decode(errors="replace"), int(fields[11]) / 100, int(fields[21]) / 256
                parents[int(path.name)] = int(fields[1])
            except (OSError, ValueError):
                continue
        for process, (command, busy, memory) in said.items():
            above, ours = process, False
            while above in parents and not ours:
                above = parents[above]
                ours = above == os.getpid()
            # Spark's daemon forks its workers, which keep its name.
            forked = self.kind in said.get(parents[process], ("",))[0] or self.kind != "pyspark.daemon"
            if ours and forked and self.kind in command:
                yield process, memory, busy

    def run(self):
        while not self.over.wait(0.2):
            now = list(self.workers())
            self.looks.append(max((memory for _, memory, _ in now), default=0))
            busy = [process for process, _, busy in now if busy > 0.3]
            if self.kill and busy and not self.killed:
                self.killed = busy[0]
                os.kill(self.killed, signal.SIGKILL)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.join()

    def memory(self):
        half = len(self.looks) // 2
        return f"{max(self.looks[:half], default=0):.0f} and {max(self.looks[half:], default=0):.0f} MiB"


def in_spark(home):
    """Rows found, seconds and watch, without and with a death; seconds of the loop of `re`."""
    from nbmedic import spark
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    # A task may fail: its worker is killed.
    made = SparkSession.builder.master(f"local[{CORES},4]").config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
    made = made.config("spark.sql.execution.arrow.maxRecordsPerBatch", FILE).config("spark.sql.files.maxPartitionBytes", 4 << 20)
    session = made.config("spark.log.level", "OFF").getOrCreate()

    def loop(batches):
        for batch in batches:
            yield pa.RecordBatch.from_arrays([searched(batch)], ["found"])

    def triaged():
        return [row.asDict() for row in spark.triage(session.read.parquet(home), id="job").collect()]

    try:
        session.read.parquet(home).limit(1).mapInArrow(loop, "found bigint").collect()
        for kill in False, True:
            with Watch("pyspark.daemon", kill) as watch:
                rows, spent = timed(triaged)
            yield rows, spent, watch
        yield timed(session.read.parquet(home).mapInArrow(loop, "found bigint").collect)[1]
    finally:
        session.stop()


def in_ray(home):
    """The same."""
    from nbmedic import ray as ours

    import ray

    ray.init(num_cpus=CORES, include_dashboard=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)

    def texts():
        return ray.data.read_parquet(home)

    def loop(batch):
        return pa.table({"found": searched(batch)})

    try:
        texts().limit(1).map_batches(loop, batch_format="pyarrow").take_all()
        for kill in False, True:
            # Ray's workers are called by what they do; its agents, which must live, are called otherwise.
            with Watch("MapBatches", kill) as watch:
                rows, spent = timed(lambda: ours.triage(texts(), id="job").take_all())
            yield rows, spent, watch
        yield timed(lambda: texts().map_batches(loop, batch_format="pyarrow").sum("found"))[1]
    finally:
        ray.shutdown()


def main(count):
    count = int(count)
    results = []

    def say(fine, what):
        results.append(fine)
        print(f"{'ok  ' if fine else 'FAIL'} {what}", flush=True)

    with tempfile.TemporaryDirectory(prefix="nbmedic-fleet-") as home:
        if shutil.disk_usage(home).free < 30000 * count:
            sys.exit("not enough room on the disk")
        size = written(home, count)
        want, alone = one_machine(home, 1)
        planted = sum(1 for i in range(0, count, 10))
        say(want.total() == planted, f"one thread finds the {planted} failures planted in {count} texts of {size / 1e6:.0f} MB")
        # Cores that are all at work may be slower than one alone, so the engines are compared with as many threads as they have cores.
        found, native = one_machine(home, CORES)
        say(found == want, f"{CORES} threads find the same")
        table = [("one thread", alone, 1), (f"{CORES} threads", native, CORES)]
        for name, run in [("Spark", in_spark), ("Ray", in_ray)]:
            steps = run(home)
            rows, spent, watch = next(steps)
            say(counted(rows) == want, f"{name} finds the same; its largest worker had {watch.memory()} in the halves of the run")
            rows, _, watch = next(steps)
            # A run of few texts may end before a worker is at work for long.
            what = "when a worker is killed" if watch.killed else "again; it ended before a worker could be killed"
            say(counted(rows) == want, f"{name} finds the same {what}")
            loop = next(steps)
            steps.close()
            table += [(name, spent, CORES), (f"{name}, a loop of {len(WANTED)} patterns of re", loop, CORES)]
    print(f"\n{'':40} {'seconds':>8} {'texts/s a core':>15} {'MB/s a core':>12} {f'of {CORES} threads':>14}")
    for name, spent, cores in table:
        print(f"{name:40} {spent:8.1f} {count / spent / cores:15.0f} {size / 1e6 / spent / cores:12.2f} {100 * native * CORES / spent / cores:12.0f} %")
    print(f"\n{sum(results)} passed, {len(results) - sum(results)} failed")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
