"""The failures of many notebooks and logs: `nbmedic fleet`. Each is a row of Parquet files, and a page shows what fails most.

    >>> from nbmedic import fleet
    >>> fleet.run(["/shared/notebooks"], out="/shared/failures", engine="local")
"""

from __future__ import annotations

import os
import sys
from typing import Callable, Optional, Sequence

__all__ = ["run"]


def run(
    paths: Sequence[str],
    *,
    out: str,
    engine: str = "local",
    since: Optional[str] = None,
    jobs: Optional[int] = None,
    gpus: int = 0,
    told: Callable[[int, int], None] = lambda done, all: None,
) -> str:
    """Judges the notebooks, logs and archives of the paths, writes their failures to `out`/failures/part-*.parquet and a summary to
    `out`/summary.html, and returns the summary's path. A run that was ended goes on where it was: parts that are written are kept.

    paths: files, folders, and addresses such as s3://…, if fsspec is installed. Workers of Spark and Ray read them, and write
        to `out`, by the same names.
    since: the folder of an earlier run, to say what is new.
    jobs: threads, or the processors of a Spark or Ray that is started here.
    gpus: GPUs of each run, to show lost time in GPU hours.
    told: called with how many parts are written, and of how many.

    Raises ValueError if a path does not exist, a package is missing, or `out` holds the result of other files.
    """
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise ValueError("a fleet needs pyarrow: pip install 'nbmedic[fleet]'") from None
    from . import page, parts
    from .engines import ENGINES
    from .inputs import listed

    if engine not in ENGINES:
        raise ValueError(f"engine is {', '.join(ENGINES)}, not {engine}")
    out = os.path.abspath(out)
    paths = [one if "://" in one else os.path.abspath(one) for one in paths]
    every = parts.planned(listed(paths, out))
    if not every:
        raise ValueError("no file is there")
    if since is not None and not os.path.isdir(os.path.join(since, "failures")):
        raise ValueError(f"{since}: holds no result of nbmedic fleet")
    folder = os.path.join(out, "failures")
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        # What an ended run had not finished.
        if name.startswith(".part-") and name.endswith(".new"):
            os.unlink(os.path.join(folder, name))
    state = [parts.done(part, out) for part in every]
    expected = {os.path.basename(part.file(out)) for part in every}
    if None in state or any(name.startswith("part-") and name not in expected for name in os.listdir(folder)):
        raise ValueError(f"{out}: holds the result of other files, or of another nbmedic: give another --out, or remove {folder}")
    todo = [part for part, written in zip(every, state) if not written]
    kept = len(every) - len(todo)
    told(kept, len(every))
    if todo:
        ENGINES[engine](todo, out, jobs, lambda done: told(kept + done, len(every)))
    return page.write(out, since, gpus)


def main(arguments: Sequence[str]) -> int:
    """The command `nbmedic fleet`; returns its exit status."""
    import argparse

    parser = argparse.ArgumentParser(
        prog="nbmedic fleet",
        description="Judges many notebooks, logs and archives: a row for each failure, in Parquet, and a summary as a page. "
        "A run that was ended goes on where it was. Sends nothing anywhere.",
        epilog="Exit status: 0 done, 2 bad usage or unreadable input, 130 ended from outside.",
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder, or an address if fsspec is installed")
    parser.add_argument("--engine", choices=("local", "spark", "ray"), default="local", help="what runs it (local)")
    parser.add_argument("--out", required=True, metavar="DIR", help="where failures/ and summary.html go")
    parser.add_argument("--since", metavar="DIR", help="an earlier run's folder: the summary says what is new")
    parser.add_argument("--jobs", type=int, metavar="N", help="threads, or processors of a Spark or Ray that is started here")
    parser.add_argument("--gpus", type=int, default=0, metavar="N", help="GPUs of each run, to show lost time in GPU hours")
    asked = parser.parse_args(arguments)
    terminal = sys.stderr.isatty()

    def told(done: int, every: int) -> None:
        if terminal:
            print(f"\r{done} of {every} parts", end="\n" if done == every else "", file=sys.stderr, flush=True)

    try:
        made = run(asked.paths, out=asked.out, engine=asked.engine, since=asked.since, jobs=asked.jobs, gpus=asked.gpus, told=told)
    except (ValueError, OSError) as e:
        print(f"nbmedic fleet: {e}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nnbmedic fleet: ended; the same command goes on from here", file=sys.stderr)
        return 130
    print(made)
    return 0
