"""A fleet's summary: one HTML file without scripts, from the parts' rows. Whatever a text or a path says is redacted and escaped."""

from __future__ import annotations

import glob
import html
import os
from typing import Any, Dict, List, Optional, Set, Tuple

from .. import _engine
from . import parts

TOP = 50
"""Causes that are shown."""
DAYS = 60
"""Days of which each has a bar of its own; for a longer time a bar is a week."""
BARS = 120

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
STYLE = """
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:64em;margin:2em auto;padding:0 1em}
h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.4em .6em;border-bottom:1px solid #8884}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
code{font:.85em/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
.new{border:1px solid #b98900;border-radius:4px;padding:0 .4em;font-size:.8em}
small{opacity:.75;overflow-wrap:anywhere}
svg{height:2.2em;width:100%;max-width:12em;fill:#3f83d6}
"""

Group = Dict[str, Any]


def _files(out: str) -> List[str]:
    return sorted(glob.glob(os.path.join(glob.escape(out), "failures", "part-*.parquet")))


def write(out: str, since: Optional[str], gpus: int) -> str:
    """Writes `summary.html` of a finished run, and returns its path."""
    file = os.path.join(out, "summary.html")
    fresh = f"{file}.{os.getpid()}.new"
    with open(fresh, "w", encoding="utf-8") as to:
        to.write(_page(_facts(out), _known(since), gpus))
    os.replace(fresh, file)
    return file


def _known(since: Optional[str]) -> Optional[Set[str]]:
    """The causes of an earlier run."""
    import pyarrow.parquet as pq

    if since is None:
        return None
    known: Set[str] = set()
    for file in _files(since):
        known.update(pq.read_table(file, columns=["signature"])["signature"].unique().to_pylist())
    return known


def _facts(out: str) -> Dict[str, Any]:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    files = _files(out)
    told: Dict[str, Any] = {"texts": 0, "characters": 0, "unread": 0, "refused": []}
    columns = ["signature", "text_id", "person", "time", "time_from", "seconds"]
    narrow = []
    for file in files:
        one = pq.ParquetFile(file)
        said = parts.about(one.schema_arrow)
        for name in ("texts", "characters", "unread"):
            told[name] += said.get(name, 0)
        told["refused"] = (told["refused"] + said.get("refused", []))[: parts.NAMED]
        narrow.append(one.read(columns=columns))
    rows = pa.concat_tables(narrow)
    groups = rows.group_by("signature").aggregate(
        [([], "count_all"), ("text_id", "count_distinct"), ("person", "count_distinct"), ("time", "max"), ("seconds", "sum")]
    )
    # The order depends on nothing but the rows.
    groups = groups.sort_by([("count_all", "descending"), ("signature", "ascending")])
    causes: List[Group] = groups.slice(0, TOP).to_pylist()
    examples = _examples(files, {one["signature"] for one in causes})
    days = _days(rows.filter(pc.is_valid(rows["time"])))
    for one in causes:
        one.update(example=examples[one["signature"]], days=days[1].get(one["signature"], {}))
    return {
        **told,
        "rows": len(rows),
        "failed": pc.count_distinct(rows["text_id"]).as_py(),
        "people": pc.count_distinct(rows["person"]).as_py(),
        "seconds": pc.sum(rows["seconds"]).as_py() or 0,
        "signatures": set(groups["signature"].to_pylist()),
        "causes": causes,
        "range": days[0],
        "files": pc.all(pc.equal(rows["time_from"], "file")).as_py(),
    }


def _examples(files: List[str], wanted: Set[str]) -> Dict[str, Group]:
    """The first row of each cause."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    found: Dict[str, Group] = {}
    for file in files:
        missing = pa.array(sorted(wanted - set(found)), pa.string())
        if not len(missing):
            break
        filtered = pq.read_table(file, columns=["signature", "id", "title", "said", "path", "member", "line", "cell"])
        for row in filtered.filter(pc.is_in(filtered["signature"], missing)).to_pylist():
            found.setdefault(row["signature"], row)
    return found


def _days(rows: Any) -> Tuple[Optional[Tuple[int, int, int]], Dict[str, Dict[int, int]]]:
    """First and last day (from 1970) and days in a bar, and of each cause the failures by bars."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not len(rows):
        return None, {}
    day = pc.cast(pc.cast(rows["time"], pa.date32()), pa.int32())
    counted = pa.table({"signature": rows["signature"], "day": day}).group_by(["signature", "day"]).aggregate([([], "count_all")])
    last = pc.max(day).as_py()
    first = max(pc.min(day).as_py(), last - 7 * BARS)
    step = 1 if last - first < DAYS else 7
    bars: Dict[str, Dict[int, int]] = {}
    for row in counted.to_pylist():
        if row["day"] >= first:
            of, at = bars.setdefault(row["signature"], {}), (row["day"] - first) // step
            of[at] = of.get(at, 0) + row["count_all"]
    return (first, last, step), bars


def _said(text: Optional[str], most: int = 400) -> str:
    """A text without secrets, cut and escaped."""
    clean = _engine.redacted(text or "")
    return html.escape(clean if len(clean) <= most else clean[:most] + "…")


def _place(path: str, member: Optional[str]) -> str:
    """A text's name, without its owner's."""
    return _said(parts.HOME.sub(r"\1~/", path + (f"!{member}" if member else "")))


def _number(n: float) -> str:
    return f"{n:,.0f}".replace(",", "\u202f")


def _count(n: int, one: str) -> str:
    return f"{_number(n)} {one if n == 1 else one + 's'}"


def _hours(seconds: Optional[float]) -> str:
    return f"{(seconds or 0) / 3600:,.1f}".replace(",", "\u202f") if seconds else ""


def _date(day: int) -> str:
    import datetime

    return (datetime.date(1970, 1, 1) + datetime.timedelta(days=day)).isoformat()


def _trend(days: Dict[int, int], span: Tuple[int, int, int]) -> str:
    first, last, step = span
    count, most = (last - first) // step + 1, max(days.values(), default=1)
    bars = "".join(f'<rect x="{at}" y="{10 - 10 * n / most:.2f}" width=".8" height="{10 * n / most:.2f}"/>' for at, n in sorted(days.items()))
    said = ", ".join(f"{_date(first + at * step)}: {n}" for at, n in sorted(days.items())[-10:])
    return f'<svg viewBox="0 0 {count} 10" preserveAspectRatio="none" role="img" aria-label="{said}"><title>{said}</title>{bars}</svg>'


def _cause(one: Group, known: Optional[Set[str]], facts: Dict[str, Any], gpus: int) -> str:
    example = one["example"]
    place = ", ".join(f"{name} {example[name]}" for name in ("cell", "line") if example[name])
    new = ' <span class="new">new</span>' if known is not None and one["signature"] not in known else ""
    cells = [
        f'<td class="n">{_number(one["count_all"])}</td>',
        f'<td class="n">{_number(one["text_id_count_distinct"])}</td>',
    ]
    if facts["people"]:
        cells.append(f'<td class="n">{_number(one["person_count_distinct"])}</td>')
    if facts["seconds"]:
        cells.append(f'<td class="n">{_hours((one["seconds_sum"] or 0) * (gpus or 1))}</td>')
    if facts["range"]:
        cells.append(f"<td>{_trend(one['days'], facts['range'])}</td>")
    said = f"<br><code>{_said(example['said'])}</code>" if example["said"] else ""
    return (
        f"<tr>{''.join(cells)}<td>{_said(example['title'])}{new}{said}"
        f"<br><small>{_said(one['signature'], 200)} · for example {_place(example['path'], example['member'])}{', ' + place if place else ''}</small></td></tr>"
    )


def _page(facts: Dict[str, Any], known: Optional[Set[str]], gpus: int) -> str:
    heads = ['<th class="n">failures</th>', '<th class="n">notebooks and logs</th>']
    if facts["people"]:
        heads.append('<th class="n">people</th>')
    if facts["seconds"]:
        heads.append(f'<th class="n">{"GPU hours" if gpus else "hours"}</th>')
    if facts["range"]:
        first, last, step = facts["range"]
        heads.append(f"<th>{'by days' if step == 1 else 'by weeks'}, {_date(first)} to {_date(last)}</th>")
    heads.append("<th>cause, and an example</th>")
    lead = [f"{_count(facts['rows'], 'failure')} in {_number(facts['failed'])} of {_number(facts['texts'])} notebooks and logs"]
    if facts["people"]:
        lead.append(f"of {_number(facts['people'])} {'person' if facts['people'] == 1 else 'people'}")
    lead.append(_count(len(facts["signatures"]), "cause"))
    if known is not None:
        lead.append(f"{_number(len(facts['signatures'] - known))} of them new, {_number(len(known - facts['signatures']))} gone")
    notes = []
    if facts["seconds"]:
        hours = _hours(facts["seconds"] * (gpus or 1)) or "0"
        notes.append(f"{hours} {'GPU hours' if gpus else 'hours'} ran until a failure, where the times are known.")
    if facts["files"]:
        notes.append("Times are those of the files.")
    if len(facts["signatures"]) > TOP:
        notes.append(f"The {TOP} most frequent causes are shown; all are in failures/.")
    refused = "".join(
        f"<li><code>{_place(path, member)}</code>: {_said(reason)}</li>"
        for path, member, reason in facts["refused"][:20]
    )
    if refused:
        refused = f"<h2>Not read: {_number(facts['unread'])}</h2><ul>{refused}</ul>"
    causes = "\n".join(_cause(one, known, facts, gpus) for one in facts["causes"])
    table = f"<table><thead><tr>{''.join(heads)}</tr></thead><tbody>\n{causes}\n</tbody></table>" if causes else "<p>Nothing wrong was found.</p>"
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width"><title>What fails: nbmedic fleet</title><style>{STYLE}</style></head>
<body><h1>What fails</h1>
<p>{", ".join(lead)}.</p><p>{" ".join(notes)}</p>
{table}
{refused}
<p><small>nbmedic {html.escape(_engine.version())}. Secrets and names of people are taken out; each cause's failures are in failures/*.parquet, by the
column signature.</small></p>
</body></html>
"""
