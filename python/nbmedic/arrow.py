"""Texts in Arrow record batches: as a function for every engine that hands over such batches, on one machine or on many."""

from __future__ import annotations

from typing import Any, Optional, Tuple

from . import _engine

COLUMNS = {
    "row": "bigint",
    "text_id": "string",
    "id": "string",
    "variant": "string",
    "confidence": "float",
    "title": "string",
    "facts": "map<string,string>",
    "fix": "string",
    "signature": "string",
    "line": "bigint",
    "cell": "bigint",
    "said": "string",
}
"""The answer's columns and their types, in the words of Spark. They stay as they are; new ones come at the end."""


class Batch:
    """A record batch that any library of Arrow can import, once: `pyarrow.record_batch(batch)`."""

    def __init__(self, capsules: Tuple[Any, Any]) -> None:
        self._capsules: Optional[Tuple[Any, Any]] = capsules

    def __arrow_c_array__(self, requested_schema: Any = None) -> Tuple[Any, Any]:
        """The schema and the array, as capsules of Arrow's C data interface."""
        capsules, self._capsules = self._capsules, None
        if capsules is None:
            raise ValueError("this batch was imported already")
        return capsules


def triage(
    batch: Any,
    *,
    text: str = "text",
    id: Optional[str] = None,
    source: Optional[str] = None,
    log: bool = True,
    redact: bool = False,
) -> Any:
    """Says what went wrong in each text of a record batch. The answer has one row for each diagnosis, best first within
    a text, and none for a text in which nothing is wrong:

    row         the text's row in the batch, from 0
    text_id     its id, if `id` names a column of texts or whole numbers
    id          the diagnosis, for example `gpu-oom`
    variant     its variant, or null
    confidence  from 0 to 1
    title       one line
    facts       what the text says, by name; sizes, named `…_bytes`, are in bytes
    fix         the id of the best fix, or null
    signature   the same for failures of one cause: group by it
    line        the line of the text that it rests on, from 1, or null; of a notebook, the line of the cell's output
    cell        the cell's position, from 1, if the text is a notebook's JSON, or null
    said        that line

    batch: whatever has `__arrow_c_array__` (a pyarrow.RecordBatch, for example), or a pyarrow.Table. Texts are read where
        they lie, without Python's lock; one longer than 16 KiB is copied while it is judged. Of pyarrow's types the answer
        is the same type, of others a `Batch`.
    text: the column with the texts; null says nothing.
    source: the column with the code of the cell that printed the text, if there is one.
    log: judge the texts as programs' logs; False: as the outputs of cells.
    redact: take secrets and personal data out of title, facts, signature and said.

    Raises ValueError if a column is missing or of a wrong type, TypeError if it is not a record batch.
    """
    if hasattr(batch, "to_batches"):
        import pyarrow

        parts = batch.to_batches() or [pyarrow.RecordBatch.from_pylist([], batch.schema)]
        done, first = [], 0
        for part in parts:
            told = triage(part, text=text, id=id, source=source, log=log, redact=redact)
            if first:
                rows = pyarrow.array((row.as_py() + first for row in told["row"]), pyarrow.int64())
                told = told.set_column(0, told.schema.field(0), rows)
            done.append(told)
            first += len(part)
        return pyarrow.Table.from_batches(done)
    answer = Batch(_engine.batch_of(batch, text, id, source, log, redact))
    if type(batch).__module__.startswith("pyarrow"):
        import pyarrow

        return pyarrow.record_batch(answer)
    return answer
