"""What nbmedic answers, as typed objects that cannot be changed. Each is made from the JSON of a schema in docs/schema,
and gives that JSON back with `to_json()`."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Tuple, Union

Fact = Union[int, float, str, Tuple[Tuple[int, ...], ...]]


@dataclass(frozen=True)
class Location:
    """Where it happened."""

    cell: Optional[int] = None
    """The cell's position in the notebook, from 1; None for a plain text."""
    line: Optional[int] = None
    """The line inside that cell, from 1."""


@dataclass(frozen=True)
class Evidence:
    """A line that a diagnosis rests on."""

    line: int
    """Its number in the text as given, from 1; 0 if it is not known."""
    text: str
    """The line."""


@dataclass(frozen=True)
class Edit:
    """A change of one cell's source, against the source as it was read."""

    cell: int
    """The cell's position in the notebook, from 1."""
    start: Tuple[int, int]
    """Line and column, both from 1; columns count characters."""
    end: Tuple[int, int]
    """The place after it, counted in the same way; equal to `start` for an insertion."""
    text: str
    """What stands there afterwards."""


@dataclass(frozen=True)
class Tried:
    """What a trial of a fix in a copy of the kernel showed."""

    ran: bool
    """Whether the failing cell ran to its end."""
    seconds: float
    result: str
    """One sentence: that it ran, how it failed, or why it was not tried."""
    values: Tuple[str, ...] = ()
    """What was printed, what the last expression is, and what the names are that the cell assigned."""


@dataclass(frozen=True)
class Fix:
    """What to do."""

    id: str
    """Stable within the diagnosis."""
    kind: str
    """`edit`, `run`, `install`, `setting` or `look`."""
    applicability: str
    """`sure` (it removes the cause and changes nothing else), `likely`, `maybe`, or `shows` (it only looks)."""
    title: str
    why: str
    code: str = ""
    """The whole cell as repaired, or what to run; may be empty."""
    sample: str = ""
    """Code that only shows how, with stand-ins for names; may be empty."""
    language: str = ""
    edits: Tuple[Edit, ...] = ()
    """Changes of the cells, in order; they do not overlap."""
    run: Tuple[int, ...] = ()
    """The positions of the cells to run, in order, after the edits if there are any."""
    tried: Optional[Tried] = None


@dataclass(frozen=True)
class Diagnosis:
    """Why something failed."""

    id: str
    """Stable, for example `gpu-oom`; `nbmedic.explain` tells all about it."""
    variant: Optional[str]
    confidence: float
    """From 0 to 1."""
    title: str
    """One line that can stand alone."""
    summary: str
    facts: Mapping[str, Fact]
    """What the text says: sizes, named `…_bytes`, are in bytes; `shapes` are tuples of dimensions."""
    location: Location
    evidence: Tuple[Evidence, ...]
    explanation: str
    fixes: Tuple[Fix, ...]
    """Best first."""
    links: Tuple[str, ...]
    occurrences: Optional[Mapping[str, Any]] = None
    """How often it is in a long text, and where first and last: `count`, `first`, `last`."""

    @property
    def fix(self) -> Optional[Fix]:
        """The best fix."""
        return self.fixes[0] if self.fixes else None


@dataclass(frozen=True)
class Triage:
    """The diagnoses of one text or notebook, best first. It is true if there are any, and it can be iterated."""

    source: str
    """The path; `-` for a text."""
    diagnoses: Tuple[Diagnosis, ...]
    read: Optional[Mapping[str, Any]] = None
    """For an input too long to be judged as one text: `bytes`, `lines`, `cells` and whether it was read completely."""
    _json: str = field(default="", repr=False, compare=False)

    def to_json(self) -> str:
        """One line, schema nbmedic.triage/1."""
        return self._json

    def __bool__(self) -> bool:
        return bool(self.diagnoses)

    def __iter__(self):
        return iter(self.diagnoses)

    def __len__(self) -> int:
        return len(self.diagnoses)


@dataclass(frozen=True)
class Failure:
    """A cell that failed, and its repair."""

    cell: int
    """Its position in the notebook, from 1."""
    line: Optional[int]
    """Its failing line, from 1."""
    diagnosis: str
    title: str
    state: str
    """`shown`, `written`, `written-before`, `not-sure-enough`, `not-an-edit`, `clashes` or `no-cure`."""
    fix: Optional[Fix]


@dataclass(frozen=True)
class Repairs:
    """The repairs of a notebook's failing cells, in the order of the cells."""

    source: str
    failures: Tuple[Failure, ...]
    backup: Optional[str] = None
    """The file was written, and here it is as it was."""
    run: Tuple[int, ...] = ()
    """The positions of the cells to run now, from 1, if repairs were written."""
    notebook: Optional[Mapping[str, Any]] = None
    """The repaired notebook, if one was given as an object and `write` was asked for."""
    _json: str = field(default="", repr=False, compare=False)

    def to_json(self) -> str:
        """One line, schema nbmedic.fix/1."""
        return self._json

    def __bool__(self) -> bool:
        return bool(self.failures)

    def __iter__(self):
        return iter(self.failures)

    def __len__(self) -> int:
        return len(self.failures)


@dataclass(frozen=True)
class PageFix:
    """A fix as the reference describes it, for no particular case."""

    id: str
    title: str
    why: str
    cost: str
    applicability: str
    code: str
    language: str
    proof: str
    """Which program proved it, or that none did."""


@dataclass(frozen=True)
class Page:
    """All that is known of a diagnosis, with placeholders where a case has facts."""

    id: str
    family: str
    severity: str
    """`error`, `warning` or `info`."""
    title: str
    summary: str
    meaning: str
    why: str
    variants: Mapping[str, str]
    """Each variant's summary."""
    fixes: Tuple[PageFix, ...]
    links: Tuple[str, ...]
    _json: str = field(default="", repr=False, compare=False)

    def to_json(self) -> str:
        """One line."""
        return self._json


def _fact(value: Any) -> Fact:
    return tuple(tuple(one) for one in value) if isinstance(value, list) else value


def _edit(raw: Mapping[str, Any]) -> Edit:
    start, end = raw["start"], raw["end"]
    return Edit(raw["cell"], (start["line"], start["column"]), (end["line"], end["column"]), raw["text"])


def _tried(raw: Mapping[str, Any]) -> Tried:
    return Tried(raw["ran"], raw["seconds"], raw["result"], tuple(raw.get("values", ())))


def _fix(raw: Mapping[str, Any]) -> Fix:
    return Fix(
        **{key: raw[key] for key in ("id", "kind", "applicability", "title", "why", "code", "language")},
        sample=raw.get("sample", ""),
        edits=tuple(map(_edit, raw.get("edits", ()))),
        run=tuple(raw.get("run", ())),
        tried=_tried(raw["tried"]) if "tried" in raw else None,
    )


def _diagnosis(raw: Mapping[str, Any]) -> Diagnosis:
    return Diagnosis(
        **{key: raw[key] for key in ("id", "confidence", "title", "summary", "explanation")},
        variant=raw.get("variant"),
        facts={name: _fact(value) for name, value in raw["facts"].items()},
        location=Location(raw["location"].get("cell"), raw["location"].get("line")),
        evidence=tuple(Evidence(one["line"], one["text"]) for one in raw["evidence"]),
        fixes=tuple(map(_fix, raw["fixes"])),
        links=tuple(raw["links"]),
        occurrences=raw.get("occurrences"),
    )


def _triage(text: str) -> Triage:
    raw = json.loads(text)
    return Triage(raw["source"], tuple(map(_diagnosis, raw["diagnoses"])), raw.get("read"), text)


def _repairs(text: str, repaired: Optional[str]) -> Repairs:
    raw = json.loads(text)
    failures = tuple(
        Failure(
            one["cell"],
            one.get("line"),
            one["diagnosis"],
            one["title"],
            one["state"],
            _fix(one["fix"]) if "fix" in one else None,
        )
        for one in raw["failures"]
    )
    notebook = json.loads(repaired) if repaired else None
    return Repairs(raw["source"], failures, raw.get("backup"), tuple(raw.get("run", ())), notebook, text)


def _page(text: str) -> Page:
    raw = json.loads(text)
    return Page(
        **{key: raw[key] for key in ("id", "family", "severity", "title", "summary", "meaning", "why")},
        variants={one["id"]: one["summary"] for one in raw["variants"]},
        fixes=tuple(PageFix(**one) for one in raw["fixes"]),
        links=tuple(raw["links"]),
        _json=text,
    )
