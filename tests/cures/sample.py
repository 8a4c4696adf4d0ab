"""The stored run: its numbers, and a sample of mutants whose first fixes are compared without a kernel."""

import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]

import fixes  # noqa: E402

RESULTS = HERE / "results"
SAMPLE, SUMMARY = HERE / "sample.jsonl", RESULTS / "run.json"
# The notebooks that were written broken (written.py).
WRITTEN = HERE / "written.jsonl"
# Mutants of the sample, and of each operator at most.
SIZE, EACH = 200, 4
# Of the edits marked sure that many in a hundred are to repair, and none is to make it worse.
SURE = 98


def counted(rows, name):
    found = collections.defaultdict(collections.Counter)
    for row in rows:
        found[name(row)][row["verdict"]] += 1
    return {key: dict(sorted(n.items())) for key, n in sorted(found.items())}


def sure(rows):
    """Of the edits marked sure: how many there are, repair, and make it worse."""
    own = [row["verdict"] for row in rows if row["label"] == "sure" and row["kind"] == "edit"]
    return {"edits": len(own), "repaired": own.count("repaired"), "worse": own.count("worse")}


def store(rows, options, seconds, chosen, command):
    """Keeps a run's numbers, and the sample of its half for work."""
    RESULTS.mkdir(exist_ok=True)
    own = [row for row in rows if row["engine"] == 0]
    before = json.loads(SUMMARY.read_text()) if SUMMARY.exists() else {}
    numbers = sure(own)
    share = 100 * numbers["repaired"] / max(1, numbers["edits"])
    held = before.get("held") or {"repaired": round(min(SURE, share), 2), "worse": numbers["worse"]}
    summary = {
        "command": command, "seed": options.seed, "mutants": len(own), "bases": len(chosen), "seconds": round(seconds), "engine": version(options.engine),
        "versions": versions(options), "sure": numbers,
        # What a later run may not fall below, until it is what the issue asks for: SURE in a hundred repaired and none worse.
        "held": {"repaired": round(max(held["repaired"], min(SURE, share)), 2), "worse": min(held["worse"], numbers["worse"])},
        "halves": {half: half_of(own, half) for half in ("work", "judge")},
    }
    if options.tries:
        tried = [row for row in rows if row["engine"] == options.engines.index("tries")]
        summary["with trials"] = {half: half_of(tried, half)["verdicts"] for half in ("work", "judge")}
    SUMMARY.write_text(json.dumps(summary, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    small = [row for row in own if "notebook" in row]
    small.sort(key=lambda row: hashlib.sha256(row["id"].encode()).hexdigest())
    taken, per = [], collections.Counter()
    for row in small:
        if per[row["operator"]] < EACH and len(taken) < SIZE:
            per[row["operator"]] += 1
            taken.append(row)
    write(taken)
    return f"stored: {len(own)} mutants in {SUMMARY.name}, {len(taken)} in {SAMPLE.name}"


KEPT = ("id", "base", "operator", "number", "verdict", "label", "kind", "digest", "error", "notebook")


def write(rows, path=SAMPLE):
    lines = [json.dumps({key: row[key] for key in KEPT}, ensure_ascii=False) for row in sorted(rows, key=lambda row: row["id"])]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def half_of(rows, half):
    own = [row for row in rows if row["half"] == half]
    return {
        "mutants": len(own), "verdicts": dict(sorted(collections.Counter(row["verdict"] for row in own).items())), "precise words": sum(row["precise"] for row in own),
        "sure": sure(own), "library": counted(own, lambda row: row["library"]),
        "operator": counted(own, lambda row: row["operator"] if "+" not in row["operator"] else "two at once"),
        "label": counted(own, lambda row: f"{row['label'] or 'none'} {row['kind']}".strip()),
    }


def version(engine):
    done = subprocess.run([engine, "--version"], capture_output=True, text=True)
    return f"{done.stdout.strip()} ({hashlib.sha256(pathlib.Path(engine).read_bytes()).hexdigest()[:12]})"


def versions(options):
    """What the environments had."""
    ask = "import sys, importlib.metadata as m; print(sys.version.split()[0], *sorted({d.name + '==' + d.version for d in m.distributions() if d.name.lower() in sys.argv[1:]}))"
    names = "numpy pandas scikit-learn scipy matplotlib seaborn statsmodels xgboost lightgbm polars torch transformers datasets tensorflow keras jax ipython pillow".split()
    out = {}
    for group in ("data", "torch", "tensorflow", "jax"):
        python = pathlib.Path(options.homes) / group / "bin/python"
        if python.exists():
            out[group] = subprocess.run([python, "-c", ask, *names], capture_output=True, text=True).stdout.split()
    return out


def read(path=SAMPLE):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def now(engine, row):
    """The first fix that the engine has today for a stored mutant."""
    with tempfile.TemporaryDirectory(prefix="nbmedic-cures-") as folder:
        path = pathlib.Path(folder) / "notebook.ipynb"
        path.write_text(row["notebook"], encoding="utf-8")
        failure = fixes.first(engine, path)
    fix = (failure or {}).get("fix") or {}
    return fix, fixes.digest(fix) if fix.get("kind") else ""


def check(engine):
    """What does not hold of the stored run."""
    bad, rows = [], [*read(), *read(WRITTEN)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for row, (fix, digest) in zip(rows, pool.map(lambda row: now(engine, row), rows)):
            if digest != row["digest"]:
                bad.append(f"{row['base']} {row['operator']} {row['id']} ({row['verdict']}): another first fix: {fix.get('title', 'none')}")
    summary = json.loads(SUMMARY.read_text())
    return rows, bad, numbers(summary)


def changed(engine):
    """The mutants of the sample whose first fix is another one today: their ids, and their bases."""
    rows = [row for row in read() if now(engine, row)[1] != row["digest"]]
    return {row["id"] for row in rows}, {row["base"] for row in rows}


def renew(rows):
    """Stores what the first fixes of today did for mutants of the sample."""
    new = {row["id"]: row for row in rows if row["engine"] == 0}
    old, moved = read(), []
    for i, row in enumerate(old):
        if one := new.get(row["id"]):
            moved.append(f"  {row['verdict']} → {one['verdict']}: {row['base']} {row['operator']}: {one['title']}")
            # With the notebook as it is made today: its base may have changed.
            old[i] = {**row, **{key: one[key] for key in ("verdict", "label", "kind", "digest", "error", "notebook") if key in one}}
    write(old)
    return "\n".join([*moved, f"{len(moved)} of the sample stored"])


def numbers(summary):
    """What is wrong with the numbers of a stored run."""
    of, held = summary["sure"], summary["held"]
    bad = []
    if 100 * of["repaired"] < (held["repaired"] - 0.01) * of["edits"]:
        bad.append(f"{of['repaired']} of {of['edits']} sure edits repaired, and {held['repaired']} % must")
    if of["worse"] > held["worse"]:
        bad.append(f"{of['worse']} sure edits made it worse, and at most {held['worse']} may")
    return bad


def main():
    engine = os.environ.get("NBMEDIC_CLI", str(HERE.parent.parent / "target/debug/nbmedic"))
    if not SAMPLE.exists():
        sys.exit("there is no stored run: ./build.sh cures --store")
    rows, changed, bad = check(engine)
    for one in [*changed, *bad]:
        print(one)
    if changed:
        print("run them again: ./build.sh cures --sample, ./build.sh cures --written --store")
    print(f"{len(rows) - len(changed) + 2 - len(bad)} passed, {len(changed) + len(bad)} failed")
    sys.exit(bool(changed or bad))


if __name__ == "__main__":
    main()
