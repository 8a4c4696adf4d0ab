"""Texts in a Ray Dataset."""

from __future__ import annotations

from typing import Any, Optional

from . import arrow


def triage(
    ds: Any,
    *,
    text: str = "text",
    id: Optional[str] = None,
    source: Optional[str] = None,
    log: bool = True,
    redact: bool = False,
    **options: Any,
) -> Any:
    """Says what went wrong in each text of a Dataset: the columns of `nbmedic.arrow.triage`, without `row`, which means
    nothing in a cluster. The options are those of `map_batches`, for example `concurrency`."""

    def judged(table: Any) -> Any:
        told = arrow.triage(table, text=text, id=id, source=source, log=log, redact=redact)
        return told.drop_columns(["row"])

    return ds.map_batches(judged, batch_format="pyarrow", zero_copy_batch=True, **options)
