"""Who writes the parts: threads of this machine, or the executors of Spark or Ray, which schedule them and try a lost one again."""

from __future__ import annotations

import concurrent.futures
import os
import sys
from typing import Any, Callable, List, Optional

from . import parts
from .parts import Part

Told = Callable[[int], None]


def local(todo: List[Part], out: str, jobs: Optional[int], told: Told) -> None:
    """Threads: the engine works without Python's lock."""
    with concurrent.futures.ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        running = [pool.submit(parts.write, part, out) for part in todo]
        try:
            for at, one in enumerate(concurrent.futures.as_completed(running), 1):
                one.result()
                told(at)
        except BaseException:
            for one in running:
                one.cancel()
            raise


def _written(table: Any, out: str) -> Any:
    """Writes the parts of a batch, and says which."""
    import pyarrow as pa

    numbers = []
    for said in table.column("part").to_pylist():
        part = Part.from_json(said)
        # An attempt before this one may have written it.
        if not parts.done(part, out):
            parts.write(part, out)
        numbers.append(part.number)
    return pa.RecordBatch.from_pydict({"part": pa.array(numbers, pa.int64())})


def spark(todo: List[Part], out: str, jobs: Optional[int], told: Told) -> None:
    """A task for each part, in the session that there is, or in one that Spark's own settings make."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise ValueError("--engine spark needs pyspark: pip install 'nbmedic[spark]'") from None
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    maker = SparkSession.builder.appName("nbmedic fleet")
    if jobs:
        maker = maker.master(f"local[{jobs}]")
    ours = SparkSession.getActiveSession() is None
    session = maker.getOrCreate()

    def written(batches: Any) -> Any:
        for batch in batches:
            yield _written(batch, out)

    try:
        rows = session.sparkContext.parallelize([(part.to_json(),) for part in todo], len(todo))
        df = session.createDataFrame(rows, "part string").mapInArrow(written, "part bigint")
        for at, _ in enumerate(df.collect(), 1):
            told(at)
    finally:
        if ours:
            session.stop()


def ray(todo: List[Part], out: str, jobs: Optional[int], told: Told) -> None:
    """A block for each part, in the Ray that there is, or in one of this machine."""
    try:
        import ray as the_ray
        import ray.data as data
    except ImportError:
        raise ValueError("--engine ray needs Ray: pip install 'nbmedic[ray]'") from None
    ours = not the_ray.is_initialized()
    if ours:
        the_ray.init(num_cpus=jobs, logging_level="ERROR")

    def written(table: Any) -> Any:
        import pyarrow as pa

        return pa.Table.from_batches([_written(table, out)])

    try:
        ds = data.from_items([{"part": part.to_json()} for part in todo], override_num_blocks=len(todo))
        ds = ds.map_batches(written, batch_format="pyarrow", batch_size=1)
        for at, _ in enumerate(ds.iter_rows(), 1):
            told(at)
    finally:
        if ours:
            the_ray.shutdown()


ENGINES = {"local": local, "spark": spark, "ray": ray}
