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


def sentence(rows, of="mutants"):
    whole, n = len(rows), collections.Counter(row["verdict"] for row in rows)
    precise = sum(row["precise"] for row in rows)
    sure = [row for row in rows if row["label"] == "sure" and row["kind"] == "edit"]
    good = sum(row["verdict"] == "repaired" for row in sure)
    said = ", ".join(f"{n[one]} {one} ({percent(n[one], whole)})" for one in VERDICTS)
    return f"{whole} {of}: {said}; of the words {precise} are precise; sure edits: {good} of {len(sure)} repaired, {sum(r['verdict'] == 'worse' for r in sure)} worse"


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
    if options.against:
        out += ["", against(rows, 0, 1)]
    if options.tries:
        trials = options.engines.index("tries")
        other = [row for row in rows if row["engine"] == trials]
        for half in ("work", "judge"):
            part = [row for row in other if row["half"] == half]
            if part:
                out += ["", f"With trials, the half for {'work' if half == 'work' else 'judging'}: {sentence(part)}"]
        out += ["", against(rows, trials, 0)]
    return "\n".join(out)


def against(rows, this, that):
    """Two engines over the same mutants: which first fixes changed."""
    by = collections.defaultdict(dict)
    for row in rows:
        by[row["id"]][row["engine"]] = row
    rank = {"repaired": 4, "words": 2, "nothing": 2, "still failing": 1, "other values": 1, "worse": 0}
    moves, listed = collections.Counter(), []
    for both in by.values():
        if this not in both or that not in both:
            continue
        new, old = both[this], both[that]
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
    return "\n".join(described(row) for row in rows if row["half"] == "work" and row["engine"] == 0 and row["verdict"] != "repaired")


def checks(rows, options):
    """Whether the judge is right: without a fix all fail as before, with the right text put back all are repaired, and real kernels say the same."""
    out = [""]
    for engine, right in (("none", "still failing"), ("original", "repaired")):
        own = [row for row in rows if row["engine"] == options.engines.index(engine)]
        bad = [row for row in own if row["verdict"] != right]
        out.append(f"fix {'left out' if engine == 'none' else 'replaced by the right text'}: {len(own) - len(bad)} of {len(own)} {right}")
        out += [f"  {row['verdict']}: {row['base']} {row['operator']} {row.get('error', '')} [{row.get('note', '')}]" for row in bad if row["half"] == "work"]
    differ = [one for one in options.compared if one]
    out.append(f"in real kernels: {len(options.compared) - len(differ)} of {len(options.compared)} the same")
    return "\n".join(out + [f"  {one}" for one in differ])


def twins(rows):
    """What was repaired, otherwise written: how often the first fix is the same, by technique."""
    out, own = [""], [row for row in rows if row["engine"] == 0]
    out.append(f"twins: {sum(row['same'] for row in own)} of {len(own)} get the same first fix ({percent(sum(row['same'] for row in own), len(own))})")
    for technique in sorted({row["twin"] for row in own}):
        of = [row for row in own if row["twin"] == technique]
        out.append(f"  {technique:<16} {sum(row['same'] for row in of):>5} of {len(of)}")
    return "\n".join(out + [f"{described(row)}\n  by {row['twin']}; was {row['was']}" for row in own if not row["same"] and row["half"] == "work"])


def faults(rows):
    """Edits that are not what they say, by kind, and those of the half for work."""
    own = [row for row in rows if row["engine"] == 0 and row.get("faults") is not None and row["kind"] == "edit"]
    found = collections.Counter(one for row in own for one in row["faults"])
    out = ["", f"{len(own)} edits: {sum(not row['faults'] for row in own)} are what they say"]
    out += [f"  {n:>5} {name}" for name, n in found.most_common()]
    return "\n".join(out + [f"{described(row)}\n  {', '.join(row['faults'])}" for row in own if row["faults"] and row["half"] == "work"][:60])


def readable(rows, options):
    """Verdicts for reading by hand, spread over all that there are."""
    own = [row for row in rows if row["half"] == "work" and row["engine"] == 0]
    own.sort(key=lambda row: (VERDICTS.index(row["verdict"]), row["id"]))
    step = max(1, len(own) // options.read)
    return "\n".join(described(row) for row in own[::step][: options.read])


def described(row):
    lines = [f"\n{row['verdict']} ({row['label']} {row['kind']}) {row['base']} {row['operator']} {row['id']}", f"  {row['error'].splitlines()[0] if row['error'] else ''}"]
    lines += [f"  cell {i}: {a!r} → {b!r}" for i, a, b in row["changed"]]
    return "\n".join([*lines, f"  {row['diagnosis']}/{row['fix']}: {row['title']} {row['edits'] or row['run'] or ''} [{row['note']}]"])


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


