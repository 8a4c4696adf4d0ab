"""Tries the cures of a failure in copies of the kernel, and says what that showed."""

from __future__ import annotations

import json
import time
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from . import _engine
from ._trial import Ended, Job, attempt

Cell = Tuple[int, str, str]

LEAST, MOST = 2.0, 20.0
"""Seconds that all trials of a failure have, at least and at most; between them as long as its cell had run."""

DEEP = 3
"""Failures, one behind the other, that are repaired together."""

BRANCHES = 3
"""Candidates that are tried against a failure behind the first one."""

LONG = 1.0
"""Seconds after which a cell, with the printing of its traceback, is not run again from its beginning."""

RAN, FURTHER, OPEN, WORSE, GONE = 4, 3, 2, 1, 0
"""The order of the cures on the card; what failed as before is not shown. The engine gives those that were not tried OPEN."""


class Failure(NamedTuple):
    """A cell that failed."""

    cells: List[Cell]
    """The session's cells, in the order in which they ran last; the last one failed, and has its traceback."""
    error: BaseException
    took: float
    """Seconds for which it ran."""

    @property
    def source(self) -> str:
        return self.cells[-1][1]


class Found(NamedTuple):
    """How a candidate ended, with what was needed for that."""

    ended: Ended
    sources: Dict[int, str]
    """The cells that ran, by index."""
    also: Tuple[str, ...] = ()
    """The titles of the further repairs."""


class Tries:
    """The trials of one failure. `stop` says when to end them."""

    def __init__(self, shell: Any, failure: Failure, stop: Callable[[], bool], filtered: bool = True) -> None:
        self.shell, self.failure, self.stop, self.filtered = shell, failure, stop, filtered
        self.budget = min(max(LEAST, failure.took), MOST)
        self.begun = time.monotonic()
        self.refusal = ""
        """Why this system can't try anything."""

    def left(self) -> float:
        return self.begun + self.budget - time.monotonic()

    def all(self) -> List[Dict[str, Any]]:
        """Tries the candidates, best first. Returns what the engine needs to tell of it: nothing, if there was nothing to try."""
        trials: List[Dict[str, Any]] = []
        ran = False
        for candidate in self.candidates(self.failure.cells):
            # Beside one that runs, others that run are worth half of the time.
            if self.left() < (self.budget / 2 if ran else 0.02) or self.stop():
                break
            found = self.follow(candidate)
            trials.append(self.told(candidate, found))
            ran = ran or found.ended.how == "ran"
            if self.refusal or found.ended.why == "another cell was waiting":
                break
        # Of several that run, another one is worth showing only if something else comes out.
        seen: List[Any] = []
        for trial in trials:
            if trial["rank"] == RAN:
                values = trial["tried"]["values"]
                trial["rank"] = RAN if values not in seen else OPEN
                seen.append(values)
        return trials

    def untried(self, why: str) -> List[Dict[str, Any]]:
        """What is told where nothing is tried by itself."""
        result = f"Not tried by itself: {why}. %nbmedic try does it, without what keeps a copy from writing."
        tried = {"ran": False, "seconds": 0.0, "result": result}
        return [{"at": one["at"], "rank": OPEN, "tried": tried} for one in self.candidates(self.failure.cells)[:1]]

    def candidates(self, cells: List[Cell]) -> List[Dict[str, Any]]:
        return json.loads(_engine.candidates_of(cells, len(cells) - 1))

    def follow(self, candidate: Dict[str, Any]) -> Found:
        """Tries a candidate, and the cures of the failures that come behind the first one."""
        sources = dict(map(tuple, candidate["steps"]))
        found = Found(self.attempt(sources), sources)
        for _ in range(DEEP - 1):
            if found.ended.how != "further" or not found.ended.text:
                break
            better = self.deeper(found)
            if better is None:
                break
            found = better
        return found

    def deeper(self, found: Found) -> Optional[Found]:
        """What goes on from the failure in which a candidate ended."""
        cells = [(count, found.sources.get(at, source), text) for at, (count, source, text) in enumerate(self.failure.cells)]
        cells[-1] = (*cells[-1][:2], found.ended.text)
        best = None
        for candidate in self.candidates(cells)[:BRANCHES]:
            if self.left() < 0.02 or self.stop():
                break
            sources = {**found.sources, **dict(map(tuple, candidate["steps"]))}
            next_ = Found(self.attempt(sources), sources, (*found.also, candidate["title"]))
            if next_.ended.how == "ran":
                return next_
            if best is None and next_.ended.how == "further" and next_.ended.why != found.ended.why:
                best = next_
        return best

    def attempt(self, sources: Dict[int, str]) -> Ended:
        """Runs cells in a copy, by index; the failing one comes last."""
        cells, error = self.failure.cells, self.failure.error
        last = len(cells) - 1
        order = sorted(at for at in sources if at != last)
        steps = [(cells[at][0], sources.get(at, cells[at][1])) for at in (*order, last)]
        job = Job(steps, self.failure.source, error, rest=self.failure.took > LONG)
        ended = attempt(self.shell, job, self.left(), self.stop, self.filtered)
        if ended.how in ("refused", "killed") and not job.rest and self.left() > 0.02:
            # What stands before the failing line has run already, with all that it writes.
            rest = attempt(self.shell, job._replace(rest=True), self.left(), self.stop, self.filtered)
            ended = rest if rest.how not in ("untried", "killed") else ended
        if ended.how == "untried" and ended.why.startswith("this system"):
            self.refusal = ended.why
        return ended

    def told(self, candidate: Dict[str, Any], found: Found) -> Dict[str, Any]:
        """What the engine is told of a trial."""
        ended = found.ended
        rank = {"ran": RAN, "further": FURTHER, "elsewhere": WORSE, "same": GONE}.get(ended.how, OPEN)
        if rank == GONE and self.needs_restart(found):
            rank = OPEN
        trial: Dict[str, Any] = {"at": candidate["at"], "rank": rank}
        if found.also:
            trial.update(sources=list(found.sources.items()), also=list(found.also))
        if rank != GONE:
            trial["tried"] = {
                "ran": ended.how == "ran",
                "seconds": round(ended.seconds, 3),
                "result": self.sentence(ended),
                "values": list(ended.values),
            }
        return trial

    def needs_restart(self, found: Found) -> bool:
        """Whether a repair sets what libraries read when they are imported: a kernel in which they are does not show its effect."""
        was = [source for _, source, _ in self.failure.cells]
        new = [row for at, source in found.sources.items() for row in source.splitlines() if row not in was[at].splitlines()]
        return any("environ" in row or row.startswith("%env") for row in new)

    def sentence(self, ended: Ended) -> str:
        where = "Tried on your data in a copy of this kernel" + ", from the failing statement on" * ended.rest
        if ended.how == "ran":
            without = f" There it could not do everything: {', '.join(ended.refused[:2])}." if ended.refused else ""
            return f"{where}: the cell runs ({ended.seconds:.1f} s).{without}"
        if ended.how == "further":
            return f"{where}: this failure is gone, and the cell then fails with {ended.why}"
        if ended.how == "elsewhere":
            return f"{where}: the cell then fails before this line, with {ended.why}"
        if ended.how == "same":
            return "Tried in this kernel it makes no difference: it acts on a library when it is imported, so restart the kernel first."
        if ended.how == "refused":
            return f"It could not be tried here: {ended.why}."
        return f"Not tried to its end: {ended.why}." if ended.how == "killed" else f"Not tried: {ended.why}."
