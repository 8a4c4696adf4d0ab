"""`nbmedic.spark.triage` and `nbmedic.ray.triage` on a local Spark and a local Ray: `fleet.py TEXTS`. Both must find what one machine
finds, row by row."""

import collections
import os
import random
import sys
import time

import pyarrow as pa
from nbmedic import arrow

PLANTED = [
    "Traceback (most recent call last):\n  File \"job.py\", line {n}, in <module>\nModuleNotFoundError: No module named 'xarray'\n",
    "OSError: [Errno 28] No space left on device: '/data/run-{n}/part-0001'\n",
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate {n}.00 MiB\n",
]


def logs(count):
    """Texts of some kilobytes, of which every tenth holds a failure."""
    chance = random.Random(7)
    for i in range(count):
        lines = [f"step {step}: loss {chance.random():.4f}, {chance.randrange(9000)} samples/s\n" for step in range(100)]
        if i % 10 == 0:
            lines.insert(chance.randrange(100), PLANTED[i // 10 % len(PLANTED)].format(n=chance.randrange(1, 900)))
        yield f"job-{i}", "".join(lines)


def counted(rows):
    return collections.Counter((row["text_id"], row["id"], row["fix"], row["signature"], row["line"]) for row in rows)


def in_spark(table):
    from nbmedic import spark
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    made = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
    session = made.config("spark.log.level", "ERROR").getOrCreate()
    df = session.createDataFrame(table.to_pylist(), "job string, text string")
    try:
        return [row.asDict() for row in spark.triage(df, id="job").collect()]
    finally:
        session.stop()


def in_ray(table):
    from nbmedic import ray as ours

    import ray

    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR")
    try:
        return ours.triage(ray.data.from_arrow(table).repartition(4), id="job").take_all()
    finally:
        ray.shutdown()


def main(count):
    jobs, texts = zip(*logs(int(count)))
    table = pa.table({"job": jobs, "text": texts})
    start = time.monotonic()
    want = counted(arrow.triage(table, id="job").to_pylist())
    print(f"one machine: {want.total()} failures in {count} texts, {time.monotonic() - start:.1f} s")
    failed = 0
    for name, run in ("Spark", in_spark), ("Ray", in_ray):
        start = time.monotonic()
        same = counted(run(table)) == want
        failed += not same
        print(f"{'ok  ' if same else 'FAIL'} {name} finds the same ({time.monotonic() - start:.1f} s, its start included)", flush=True)
    print(f"{2 - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
