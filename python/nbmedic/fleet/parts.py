"""A fleet's failures in parts: each part is some files, and a Parquet file with a row for each of their failures. What is in it
depends on nothing but these files and nbmedic."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import re
from dataclasses import asdict, dataclass
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from .. import _engine, arrow
from .inputs import Refused, Source, Text, texts

PART = 64 << 20
"""Bytes of files in a part, and the most files in it."""
FILES = 512
BATCH = 16 << 20
"""Characters that are judged as one batch."""
SCHEMA = 1
"""The number of the rows' schema: it rises when a column changes."""
NAMED = 1000
"""Files of a part that are named among those that could not be read."""


@dataclass(frozen=True)
class Part:
    number: int
    sources: Tuple[Source, ...]

    @property
    def key(self) -> str:
        """The same for the same files and the same nbmedic."""
        said = json.dumps([SCHEMA, _engine.version(), [[one.path, one.size, one.changed] for one in self.sources]])
        return hashlib.sha256(said.encode()).hexdigest()

    def file(self, out: str) -> str:
        return os.path.join(out, "failures", f"part-{self.number:05}.parquet")

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(said: str) -> Part:
        raw = json.loads(said)
        return Part(raw["number"], tuple(Source(**one) for one in raw["sources"]))


def planned(sources: Sequence[Source]) -> List[Part]:
    """The files in parts, in their order."""
    parts: List[Part] = []
    held: List[Source] = []
    size = 0
    for one in sources:
        if held and (size + one.size > PART or len(held) == FILES):
            parts.append(Part(len(parts), tuple(held)))
            held, size = [], 0
        held.append(one)
        size += one.size
    if held:
        parts.append(Part(len(parts), tuple(held)))
    return parts


def schema() -> Any:
    """The columns of the Parquet files. They stay as they are; new ones come at the end."""
    import pyarrow as pa

    text, whole = pa.string(), pa.int64()
    return pa.schema(
        [
            pa.field("path", text, False),
            pa.field("member", text),
            pa.field("kind", text, False),
            pa.field("text_id", text, False),
            pa.field("id", text, False),
            pa.field("variant", text),
            pa.field("confidence", pa.float32(), False),
            pa.field("title", text, False),
            pa.field("facts", pa.map_(text, text), False),
            pa.field("fix", text),
            pa.field("signature", text, False),
            pa.field("line", whole),
            pa.field("cell", whole),
            pa.field("said", text),
            pa.field("time", pa.timestamp("us", "UTC")),
            pa.field("time_from", text),
            pa.field("seconds", pa.float64()),
            pa.field("person", text),
        ]
    )


def done(part: Part, out: str) -> Optional[bool]:
    """Whether a part is written; None: its file is another run's."""
    import pyarrow.parquet as pq

    try:
        said = about(pq.read_schema(part.file(out)))
    except FileNotFoundError:
        return False
    return True if said.get("key") == part.key else None


def about(schema: Any) -> Dict[str, Any]:
    """What a part's file says of it: `key`, `texts`, `characters`, `refused` and how many those are."""
    return json.loads((schema.metadata or {}).get(b"nbmedic", b"{}"))


def write(part: Part, out: str) -> None:
    """Judges a part's files and writes its Parquet file, which appears when it is complete."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows: List[Dict[str, Any]] = []
    told: Dict[str, Any] = {"key": part.key, "texts": 0, "characters": 0, "refused": [], "unread": 0}
    for batch in _batches(part, told):
        rows.extend(_rows(batch))
    kinds = schema().with_metadata({"nbmedic": json.dumps(told)})
    file = part.file(out)
    fresh = os.path.join(os.path.dirname(file), f".{os.path.basename(file)}.{os.getpid()}.new")
    try:
        pq.write_table(pa.Table.from_pylist(rows, schema=kinds), fresh, compression="zstd")
        os.replace(fresh, file)
    finally:
        if os.path.exists(fresh):
            os.unlink(fresh)


def _batches(part: Part, told: Dict[str, Any]) -> Iterator[List[Text]]:
    held: List[Text] = []
    size = 0
    for source in part.sources:
        for item in texts(source):
            if isinstance(item, Refused):
                told["unread"] += 1
                if len(told["refused"]) < NAMED:
                    told["refused"].append([item.path, item.member, item.reason])
                continue
            told["texts"] += not item.before
            told["characters"] += len(item.text)
            held.append(item)
            size += len(item.text)
            if size > BATCH:
                yield held
                held, size = [], 0
    yield held


def _rows(batch: List[Text]) -> Iterator[Dict[str, Any]]:
    """The failures of some texts, in their order, best first within a text."""
    import pyarrow as pa

    found: List[Dict[str, Any]] = []
    for log in (False, True):
        of_kind = [at for at, one in enumerate(batch) if (one.kind == "log") == log]
        texts = pa.array((batch[at].text for at in of_kind), pa.large_string())
        judged = arrow.triage(pa.record_batch({"text": texts}), log=log, redact=True).to_pylist()
        found.extend({**row, "row": of_kind[row["row"]]} for row in judged)
    found.sort(key=lambda row: row["row"])
    seen, times = set(), {}
    for row in found:
        at = row.pop("row")
        text = batch[at]
        row["path"], row["member"], row["kind"] = text.path, text.member, text.kind
        row["text_id"] = f"{text.path}!{text.member}" if text.member else text.path
        # A log in pieces tells each failure once, as one that is judged at once.
        if not text.whole and (row["text_id"], row["signature"]) in seen:
            continue
        if at not in times:
            times = {at: _times(text)}
        if row["line"] and text.kind != "notebook":
            row["line"] += text.before
        first = (at, row["cell"]) not in seen
        seen.update([(row["text_id"], row["signature"]), (at, row["cell"])])
        when, since, seconds, person = times[at].get(row["cell"]) or times[at][None]
        # A run's time counts once, with its best diagnosis.
        row.update(time=when, time_from=since, seconds=seconds if first and text.whole else None, person=person)
        yield row


Times = Tuple[Optional[datetime.datetime], Optional[str], Optional[float], Optional[str]]

_STAMP = re.compile(r"\b(20\d\d-[01]\d-[0-3]\d)[T ]([0-2]\d:[0-5]\d:[0-5]\d)(?:[.,](\d{1,6}))?(Z|[+-]\d\d:?\d\d)?")
HOME = re.compile(r"((?:^|/)(?:home|Users|user)/)([^/]+)/")
"""A person's folder."""


def _time(said: Any) -> Optional[datetime.datetime]:
    """A time as notebooks and logs write it; without a zone it is taken for UTC."""
    found = _STAMP.search(said) if isinstance(said, str) else None
    if not found:
        return None
    day, clock, part, zone = found.groups()
    zone = (zone or "+0000").replace("Z", "+0000").replace(":", "")
    try:
        return datetime.datetime.strptime(f"{day} {clock}.{part or 0}{zone}", "%Y-%m-%d %H:%M:%S.%f%z")
    except ValueError:
        return None


def _person(name: Any) -> Optional[str]:
    """Somebody, without a name: the same for the same person."""
    return hashlib.blake2b(str(name).encode(), digest_size=6).hexdigest() if name else None


def _times(text: Text) -> Dict[Optional[int], Times]:
    """When a text's failures happened, how long its run took until then, in seconds, and whose it was; of a notebook by cells, where
    it says so."""
    home = HOME.search(text.path)
    person = _person(home.group(2)) if home else None
    changed = datetime.datetime.fromtimestamp(text.changed, datetime.timezone.utc) if text.changed is not None else None
    plain: Times = (changed, "file" if changed else None, None, person)
    if text.kind == "notebook":
        return {None: plain, **_cells(text.text, plain)}
    first, last = _time(text.text[:8192]), None
    for found in _STAMP.finditer(text.text[-65536:]):
        last = _time(found.group()) or last
    if not last:
        return {None: plain}
    seconds = (last - first).total_seconds() if first else 0
    return {None: (last, "log", seconds if seconds > 0 else None, person)}


def _cells(said: str, plain: Times) -> Dict[Optional[int], Times]:
    """What the metadata of a notebook's cells say (JupyterLab's, papermill's, Colab's)."""
    times: Dict[Optional[int], Times] = {}
    try:
        cells = json.loads(said)["cells"]
        for at, cell in enumerate(cells, 1):
            meta = cell.get("metadata", {})
            execution, mill, colab = (meta.get(name) or {} for name in ("execution", "papermill", "executionInfo"))
            start = _time(execution.get("iopub.execute_input") or mill.get("start_time"))
            end = _time(execution.get("shell.execute_reply") or execution.get("iopub.status.idle") or mill.get("end_time"))
            seconds = (end - start).total_seconds() if start and end else None
            if isinstance(colab.get("timestamp"), (int, float)):
                end = datetime.datetime.fromtimestamp(colab["timestamp"] / 1000, datetime.timezone.utc)
                seconds = colab["elapsed"] / 1000 if isinstance(colab.get("elapsed"), (int, float)) else None
            person = _person((colab.get("user") or {}).get("userId")) or plain[3]
            if end or person:
                known = (end, "cell") if end else plain[:2]
                times[at] = (*known, seconds if seconds and seconds > 0 else None, person)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, OSError, RecursionError):
        pass
    return times
