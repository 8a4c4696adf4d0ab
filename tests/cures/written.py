"""Notebooks with the faults that people make, written whole: each runs in a real kernel until it fails, nbmedic's first fix is
followed as it stands, and what the notebook should hold at its end is asked."""

import argparse
import collections
import dataclasses
import json
import os
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]

import bases  # noqa: E402
import fixes  # noqa: E402
import judge  # noqa: E402
import real  # noqa: E402
import sample  # noqa: E402
import tables  # noqa: E402
import values  # noqa: E402

FOLDER, RESULTS = HERE / "written", sample.RESULTS / "written.json"
# A NumPy number shows its type.
NUMPY = re.compile(r"\bnp\.(?:float|int|bool|str)_?\d*\(([^()]*)\)")


@dataclasses.dataclass
class Written:
    name: str
    group: str
    # When those who work on the cures first saw it: the first fix of the engine before is the one that counts.
    seen: str
    fails: str
    # The positions of the code cells in the order in which they ran, if that was not from the top.
    order: list
    # (expression, its value as text) at the end of the repaired notebook.
    holds: list
    cells: list
    repaired: list
    # Those of the repair, if it is to run cells again.
    again: list

    def steps(self, cells, order=()):
        code = fixes.ordered(cells)
        return [code[number - 1] for number in order] if order else code


def read(path):
    """A notebook in percent format, in which a cell marked `[repaired]` is what a person would make of the cell above it."""
    head, parts = bases.percent(path.read_text(encoding="utf-8"))
    cells, repaired = [], []
    for kind, text in parts:
        if kind == "repaired":
            repaired[-1] = ("code", text)
        else:
            cells.append((kind, text))
            repaired.append((kind, text))
    word = {}
    for key in ("group", "seen", "fails"):
        found = re.search(rf"(?m)^# {key}: (.*)$", head)
        if not found:
            sys.exit(f"{path}: a comment `# {key}: …` is missing above the first cell")
        word[key] = found[1]
    order, again = ([int(one) for one in bases.words(head, key)] for key in ("order", "again"))
    holds = [tuple(one.rsplit(" -> ", 1)) for one in re.findall(r"(?m)^# holds: (.*)$", head)]
    return Written(path.stem, **word, order=order, holds=holds, cells=cells, repaired=repaired, again=again)


def unmet(kernel, holds):
    """What does not hold in a kernel at the end."""
    for expression, value in holds:
        now = values.shown(kernel.run(expression, real.SECONDS)[0])
        if not values.same_text(*(NUMPY.sub(r"\1", " ".join(text.split())) for text in (now, value))):
            return f"{expression} is {now or 'no value'}, and should be {value}"
    return ""


def elsewhere(outputs, places):
    """Outputs as another machine would have given them."""
    text = json.dumps(outputs)
    for here, there in places:
        text = text.replace(here, there)
    return json.loads(text)


def failed(outputs, number):
    return ": ".join(judge.error(outputs[number])).split("\n")[0]


class Bench:
    def __init__(self, options):
        self.options = options

    def python(self, one):
        return pathlib.Path(self.options.homes) / one.group / "bin/python"

    def broken(self, one):
        """The steps of the notebook until it fails, the number of the failing one, and the notebook as it is saved then."""
        steps = one.steps(one.cells, one.order)
        python = self.python(one)
        with real.kernel(python) as kernel:
            outputs, number = real.run(kernel, steps)
            outputs = elsewhere(outputs, [(str(kernel.folder), "/content"), *fixes.places(python.parent.parent)])
        if number is None:
            sys.exit(f"{one.name} does not fail here")
        ran = {position: (count, out) for count, ((position, _), out) in enumerate(zip(steps, outputs), 1)}
        return steps[: number + 1], number, fixes.saved(one.cells, ran), failed(outputs, number)

    def followed(self, one, fix, steps, number):
        """What became of the notebook with its first fix: the verdict, and why."""
        if fix["kind"] == "look" or not (fix.get("edits") or fix.get("run")):
            return "words", ""
        if one.order:
            # Who edits a cell of a session runs it, and goes on from there.
            fix = {**fix, "run": fix.get("run") or sorted({edit["cell"] for edit in fix["edits"]} - {steps[number][0]})}
        try:
            program = fixes.followed(fix, one.cells, steps, number, session=bool(one.order))
        except fixes.Refused as error:
            return "still failing", str(error)
        return self.ended(one, program.steps, program.may_fail)

    def ended(self, one, steps, may_fail):
        """The verdict on a repaired program, and why."""
        with real.kernel(self.python(one)) as kernel:
            outputs, at = real.run(kernel, steps, may_fail)
            if at is not None:
                return "still failing", failed(outputs, at)
            bad = unmet(kernel, one.holds)
        return ("other values", bad) if bad else ("repaired", "")

    def row(self, one):
        steps, number, notebook, error = self.broken(one)
        with tempfile.TemporaryDirectory(prefix="nbmedic-cures-") as folder:
            path = pathlib.Path(folder) / "notebook.ipynb"
            path.write_text(json.dumps(notebook), encoding="utf-8")
            failure = fixes.first(self.options.engine, path) or {}
        fix = failure.get("fix") or {}
        verdict, why = self.followed(one, fix, steps, number) if fix.get("kind") else ("nothing", "")
        return {
            "id": one.name, "base": f"written/{one.name}", "operator": one.group, "number": number, "verdict": verdict, "why": why,
            "label": fix.get("applicability") or "", "kind": fix.get("kind", ""), "digest": fixes.digest(fix) if fix.get("kind") else "",
            "title": fix.get("title", ""), "precise": False, "seen": one.seen, "error": error, "notebook": json.dumps(notebook, ensure_ascii=False),
        }

    def wrong(self, one):
        """What is wrong with the notebook itself: it has to fail as it says, and its repair has to hold."""
        error = self.broken(one)[3]
        if not values.ADDRESS.sub("0x", error).startswith(values.ADDRESS.sub("0x", one.fails)):
            return f"{one.name}: fails with {error!r}, and not with {one.fails!r}"
        steps = one.steps(one.repaired, one.again)
        # Where running again is the repair, the failure is a part of the session.
        may_fail = (len(one.order) - 1,) if one.again[: len(one.order)] == one.order and one.order else ()
        verdict, why = self.ended(one, steps, may_fail)
        return "" if verdict == "repaired" else f"{one.name}: its repair is {verdict}: {why}"


def line(row):
    said = f"{row['verdict']:<13} {row['id']}: {row['error'][:90]}"
    if row["title"]:
        said += f"\n{'':<14}[{row['label'] or row['kind']}] {row['title']}"
    return said + (f"\n{'':<14}{row['why'][:160]}" if row["why"] else "")


def stored(found, but):
    """The kept rows of the notebooks that did not run now."""
    day = {one.name: one.seen for one in found}
    lines = sample.WRITTEN.read_text(encoding="utf-8").splitlines() if sample.WRITTEN.exists() else []
    kept = [json.loads(line) for line in lines]
    return [{**row, "seen": day[row["id"]]} for row in kept if row["id"] in day and row["id"] not in but]


def store(rows, engine):
    """Keeps the verdicts of all notebooks. Those that a set got when it was stored first stay beside those of today."""
    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"first": {}}
    kept["now"] = {"engine": sample.version(engine), **totals(rows)}
    for seen, counts in totals(rows).items():
        kept["first"].setdefault(seen, counts)
    RESULTS.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    sample.write(rows, sample.WRITTEN)


def totals(rows):
    return {seen: counted([row for row in rows if row["seen"] == seen]) for seen in sorted({row["seen"] for row in rows})}


def counted(rows):
    return {"notebooks": len(rows), "verdicts": dict(sorted(collections.Counter(row["verdict"] for row in rows).items())), "sure": sample.sure(rows)}


def main():
    here = argparse.ArgumentParser(description=__doc__)
    here.add_argument("names", nargs="*", help="parts of names; all notebooks if there is none")
    here.add_argument("--homes", default=os.environ.get("NBMEDIC_CURES"), help="the folder of the environments")
    here.add_argument("--engine", default=os.environ.get("NBMEDIC_CLI", str(HERE.parent.parent / "target/debug/nbmedic")))
    here.add_argument("--folder", type=pathlib.Path, default=FOLDER, help="other notebooks of the same form")
    here.add_argument("--check", action="store_true", help="only ask whether each notebook fails as it says and its repair holds")
    here.add_argument("--quiet", action="store_true", help="print totals alone: for notebooks that nobody may see")
    here.add_argument("--store", action="store_true", help="keep the verdicts and the failing notebooks in the tree; what does not run stays as it is kept")
    options = here.parse_args()
    bench = Bench(options)
    found = [read(path) for path in sorted(options.folder.glob("*.py"))]
    chosen = [one for one in found if not options.names or any(word in one.name for word in options.names)]
    if options.store and options.folder != FOLDER:
        sys.exit("--store keeps the project's notebooks: leave out --folder")
    if options.check:
        bad = [why for one in chosen if (why := bench.wrong(one))]
        print("\n".join([*bad, f"{len(chosen) - len(bad)} passed, {len(bad)} failed"]))
        sys.exit(bool(bad))
    rows = []
    for one in chosen:
        rows.append(bench.row(one))
        if not options.quiet:
            print(line(rows[-1]), flush=True)
    print()
    for seen in sorted({row["seen"] for row in rows}):
        print(f"seen {seen}: " + tables.sentence([row for row in rows if row["seen"] == seen], "notebooks"))
    if options.store:
        everything = [*rows, *stored(found, {row["id"] for row in rows})]
        store(sorted(everything, key=lambda row: row["id"]), options.engine)
    if options.folder == FOLDER:
        for seen, counts in json.loads(RESULTS.read_text())["first"].items():
            print(f"seen {seen}, when it was first stored: {counts['verdicts'].get('repaired', 0)} of {counts['notebooks']} repaired")


if __name__ == "__main__":
    main()
