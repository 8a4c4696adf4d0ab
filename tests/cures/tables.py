"""What a run gave, as tables."""

import collections

from judge import VERDICTS


def counts(rows, name):
    found = collections.defaultdict(collections.Counter)
    for row in rows:
        found[name(row)][row["verdict"]] += 1
    return found


def percent(part, whole):
    return f"{100 * part / whole:.0f} %" if whole else "–"


def table(title, found):
    """One line for each name, most mutants first."""
    wide = max([len(title), *(len(str(name)) for name in found)])
    lines = [f"{title:<{wide}} " + " ".join(f"{one:>13}" for one in ("mutants", *VERDICTS))]
    for name, n in sorted(found.items(), key=lambda one: (-sum(one[1].values()), str(one[0]))):
        whole = sum(n.values())
        lines.append(f"{name:<{wide}} {whole:>13} " + " ".join(f"{n[one]:>5} {percent(n[one], whole):>7}" for one in VERDICTS))
    return "\n".join(lines)


def sentence(rows):
    whole, n = len(rows), collections.Counter(row["verdict"] for row in rows)
    precise = sum(row["precise"] for row in rows)
    sure = [row for row in rows if row["label"] == "sure" and row["kind"] == "edit"]
    good = sum(row["verdict"] == "repaired" for row in sure)
    said = ", ".join(f"{n[one]} {one} ({percent(n[one], whole)})" for one in VERDICTS)
    return f"{whole} mutants: {said}; of the words {precise} are precise; sure edits: {good} of {len(sure)} repaired, {sum(r['verdict'] == 'worse' for r in sure)} worse"


def report(rows, options, seconds, bases):
    """All tables of a run: the first engine's, and what another changes."""
    own = [row for row in rows if row["engine"] == 0]
    out = [f"{len(own)} mutants of {bases} bases in {seconds:.0f} s, seed {options.seed}"]
    for half in ("work", "judge"):
        part = [row for row in own if row["half"] == half]
        if part:
            out += ["", f"{'The half for work' if half == 'work' else 'The half for judging'}: {sentence(part)}"]
    out += ["", table("library", counts(own, lambda row: row["library"]))]
    out += ["", table("operator", counts(own, lambda row: row["operator"] if "+" not in row["operator"] else "two at once"))]
    out += ["", table("label", counts(own, lambda row: f"{row['label'] or 'none'} {row['kind']}".strip()))]
    if len({row["engine"] for row in rows}) > 1:
        out += ["", against(rows)]
    return "\n".join(out)


def against(rows):
    """Two engines over the same mutants: which first fixes changed."""
    by = collections.defaultdict(dict)
    for row in rows:
        by[row["id"]][row["engine"]] = row
    rank = {"repaired": 4, "words": 2, "nothing": 2, "still failing": 1, "other values": 1, "worse": 0}
    moves, listed = collections.Counter(), []
    for both in by.values():
        if len(both) < 2:
            continue
        new, old = both[0], both[1]
        if new["digest"] == old["digest"] and new["verdict"] == old["verdict"]:
            moves["same"] += 1
            continue
        gain = rank[new["verdict"]] - rank[old["verdict"]]
        how = "better" if gain > 0 else "worse" if gain < 0 else "otherwise"
        moves[how, old["verdict"], new["verdict"]] += 1
        if new["half"] == "work" and how != "better":
            listed.append(f"  {how:<9} {old['verdict']} → {new['verdict']}: {new['base']} {new['operator']}: {old['title']} → {new['title']}")
    lines = [f"against the other engine: {moves.pop('same', 0)} with the same first fix and verdict"]
    lines += [f"  {n:>5} {how:<9} {old} → {new}" for (how, old, new), n in sorted(moves.items(), key=lambda one: (one[0][0], -one[1]))]
    return "\n".join(lines + listed)


def misses(rows):
    """What was not repaired, of the half for work."""
    out = []
    for row in rows:
        if row["half"] == "work" and row["engine"] == 0 and row["verdict"] != "repaired":
            out += [f"\n{row['verdict']} ({row['label']} {row['kind']}) {row['base']} {row['operator']} {row['id']}", f"  {row['error'].splitlines()[0] if row['error'] else ''}"]
            out += [f"  cell {i}: {a!r} → {b!r}" for i, a, b in row["changed"]]
            out += [f"  {row['diagnosis']}/{row['fix']}: {row['title']} {row['edits'] or row['run'] or ''} [{row['note']}]"]
    return "\n".join(out)


def parquet(rows, path):
    """The rows without texts, if the library is there."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        return
    names = ("id", "base", "library", "operator", "half", "engine", "verdict", "label", "kind", "digest", "precise")
    if rows:
        pyarrow.parquet.write_table(pyarrow.table({name: [row[name] for row in rows] for name in names}), path)


