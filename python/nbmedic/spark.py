"""Texts in a Spark DataFrame."""

from __future__ import annotations

from typing import Any, Optional

from . import arrow


def triage(
    df: Any,
    *,
    text: str = "text",
    id: Optional[str] = None,
    source: Optional[str] = None,
    log: bool = True,
    redact: bool = False,
) -> Any:
    """Says what went wrong in each text of a DataFrame: the columns of `nbmedic.arrow.triage`, without `row`, which means
    nothing in a cluster. nbmedic must be installed where the executors run; it runs there by `mapInArrow`."""
    names = [name for name in (text, id, source) if name]
    schema = ", ".join(f"{name} {kind}" for name, kind in arrow.COLUMNS.items() if name != "row")

    def judged(batches: Any) -> Any:
        for batch in batches:
            told = arrow.triage(batch, text=text, id=id, source=source, log=log, redact=redact)
            yield told.select([name for name in told.schema.names if name != "row"])

    return df.select(*names).mapInArrow(judged, schema)
