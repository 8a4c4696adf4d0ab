"""The engine's first fix for a failure, applied to the program as it stands: `run.py prove --own`.

Nothing of the case helps: no [[apply]], no names to fill in. A case counts if the program then ends well."""

import collections
import copy
import hashlib
import json
import pathlib
import re
import subprocess

from case import source

# What the last runs in kernels gave, case by case.
KEPT = pathlib.Path(__file__).resolve().parent / "own.json"
# As many programs must end well by the engine's first fix as it stands.
LEAST = 120

# What a first fix may be, in the order of the tables. `general` is a fix of the catalogue, written for no case.
KINDS = ("edit", "run", "install", "setting", "look", "general", "none")
# Kinds that can be applied without a person.
APPLIED = ("edit", "run", "install")


class Refused(Exception):
    """The fix cannot be applied, or it changes what the program is to show."""


def general(engine):
    """The fixes that stand in the catalogue: {(diagnosis, fix)}."""
    done = subprocess.run([engine, "rules", "--format", "json"], capture_output=True, text=True, check=True)
    return {(rule["id"], fix) for rule in json.loads(done.stdout) for fix in rule["fixes"]}


def first_of(diagnoses, position, catalogue):
    """The first fix for the cell at a position (None: for the whole text), with its kind and its diagnosis."""
    found = [d for d in diagnoses if position is None or d["location"].get("cell") == position]
    if not found or not found[0]["fixes"]:
        return {"id": "", "kind": "none", "applicability": "", "title": "", "diagnosis": found[0]["id"] if found else ""}
    fix = found[0]["fixes"][0]
    # The catalogue's own fixes have the kind of advice, whatever their code is.
    kind = "general" if (found[0]["id"], fix["id"]) in catalogue and not fix.get("edits") and not fix.get("run") else fix["kind"]
    return {**fix, "kind": kind, "diagnosis": found[0]["id"]}


def edited(notebook, edits):
    """The notebook with the edits applied. Lines and columns count from 1, columns in characters; `end` is exclusive."""
    out = copy.deepcopy(notebook)
    for edit in sorted(edits, key=lambda e: (e["cell"], e["start"]["line"], e["start"]["column"]), reverse=True):
        if not 0 < edit["cell"] <= len(out["cells"]) or out["cells"][edit["cell"] - 1]["cell_type"] != "code":
            raise Refused(f"there is no code cell {edit['cell']}")
        cell = out["cells"][edit["cell"] - 1]
        text = source(cell)
        start, end = offset(text, edit["start"]), offset(text, edit["end"])
        if end < start:
            raise Refused(f"an edit ends before it starts: {edit}")
        cell["source"] = text[:start] + edit["text"] + text[end:]
    missing = [line for line in asserted(notebook) if line not in asserted(out)]
    if missing:
        raise Refused(f"it changes what is asserted: {missing[0]}")
    return out


def offset(text, position):
    """The place of a position in a cell's source."""
    lines = text.split("\n")
    line, column = position["line"], position["column"]
    if not 0 < line <= len(lines) or not 0 < column <= len(lines[line - 1]) + 1:
        raise Refused(f"no line {line}, column {column}")
    return sum(len(one) + 1 for one in lines[: line - 1]) + column - 1


def asserted(notebook):
    """The assertions of the last code cell."""
    last = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"][-1]
    return [line.strip() for line in source(last).split("\n") if re.match(r"\s*assert\b", line)]


def continued(notebook, at, positions, died):
    """The notebook as a person goes on after cell `at` (of all, from 1) failed: the named cells, then what is below it.
    After a death there is nothing left: the cells run in a new kernel."""
    for one in positions:
        if not 0 < one <= len(notebook["cells"]) or notebook["cells"][one - 1]["cell_type"] != "code":
            raise Refused(f"there is no code cell {one}")
    out = copy.deepcopy(notebook)
    again = [{**copy.deepcopy(notebook["cells"][one - 1]), "id": f"again-{i}"} for i, one in enumerate(positions)]
    before = [] if died else out["cells"][:at]
    if before:
        before[-1]["metadata"] = {**before[-1]["metadata"], "tags": ["raises-exception"]}
    out["cells"] = [*before, *again, *out["cells"][at:]]
    return out


def installed(notebook, fix):
    """The notebook with a cell before all others that installs what the fix names."""
    lines = [line for line in fix["code"].split("\n") if line.strip()]
    if not lines:
        raise Refused("it names nothing to install")
    if fix["language"] != "python":
        lines = [line if line.startswith(("#", "!", "%")) else f"!{line}" for line in lines]
    cell = {"cell_type": "code", "id": "install", "metadata": {}, "execution_count": None, "outputs": [], "source": "\n".join(lines)}
    return {**notebook, "cells": [cell, *copy.deepcopy(notebook["cells"])]}


def program(case, fix, at, died):
    """The program with the fix applied."""
    if fix["kind"] == "edit":
        if not fix.get("edits"):
            raise Refused("it has no edits")
        return edited(case.notebook, fix["edits"])
    if fix["kind"] == "run":
        if not fix.get("run"):
            raise Refused("it names no cells")
        return continued(case.notebook, at, fix["run"], died)
    return installed(case.notebook, fix)


def mutants(case, fix):
    """Fixes that must not count: edits that leave every text as it is, and one that takes the assertions away."""
    code = [i for i, cell in enumerate(case.notebook["cells"], 1) if cell["cell_type"] == "code"]
    lines = source(case.notebook["cells"][code[-1] - 1]).split("\n")
    whole = {"start": {"line": 1, "column": 1}, "end": {"line": len(lines), "column": len(lines[-1]) + 1}}
    return [
        ("an edit that changes nothing", {**fix, "kind": "edit", "edits": [{"cell": code[-1], **whole, "text": "\n".join(lines)}]}),
        ("an edit that removes the assertions", {**fix, "kind": "edit", "edits": [{"cell": code[-1], **whole, "text": "pass"}]}),
    ]


def check(case):
    """What is wrong with how edits are applied to the case's program: nothing, unless this file is broken."""
    bad = []
    for what, mutant in mutants(case, {"id": "", "kind": "edit"}):
        try:
            out = program(case, mutant, 1, False)
            if [source(c) for c in out["cells"]] != [source(c) for c in case.notebook["cells"]]:
                bad.append(f"{case.name}: {what} changes the program")
            if "removes" in what:
                bad.append(f"{case.name}: {what} is applied")
        except Refused as error:
            if "removes" not in what:
                bad.append(f"{case.name}: {what} is refused: {error}")
    return bad


# --- what is printed --------------------------------------------------------------------------


def line(row, wide):
    """One case of the table."""
    what = " ".join(filter(None, (row["kind"], row["applicability"] if row["kind"] in KINDS[:5] else "")))
    return f"{what:<15} {row['case']:<{wide}} {row['error']:<24} {row['id']}: {row['title']}"


def listed(rows):
    """The table of the first fixes, by kind, and how many there are of each."""
    wide = max((len(row["case"]) for row in rows), default=0)
    ordered = sorted(rows, key=lambda r: (KINDS.index(r["kind"]), r["error"], r["case"]))
    return [*(line(row, wide) for row in ordered), "", *without(rows), "", totals(rows)]


def without(rows):
    """The cases whose first fix has no edit, by class of error; most cases first."""
    kinds = collections.defaultdict(list)
    for row in rows:
        if row["kind"] not in APPLIED:
            kinds[row["error"]].append(row["case"])
    ordered = sorted(kinds.items(), key=lambda one: (-len(one[1]), one[0]))
    return ["no edit, by class of error", *(f"  {len(names):>3} {error}: {', '.join(sorted(names))}" for error, names in ordered)]


def totals(rows):
    counts = collections.Counter(row["kind"] for row in rows)
    return f"{len(rows)} cases, first fix: " + ", ".join(f"{counts[kind]} {kind}" for kind in KINDS)


def report(rows):
    """The table of what the first fixes did, by class of error."""
    errors = collections.defaultdict(collections.Counter)
    for row in rows:
        errors[row["error"]]["cases"] += 1
        errors[row["error"]][row["kind"]] += 1
        errors[row["error"]]["well"] += row["ends_well"]
    head = ("class of error", "cases", "edit", "run", "install", "no edit", "ends well")
    table = [head]
    for error, n in sorted(errors.items(), key=lambda one: (-one[1]["cases"], one[0])):
        none = n["cases"] - sum(n[kind] for kind in APPLIED)
        table.append((error, n["cases"], n["edit"], n["run"], n["install"], none, n["well"]))
    wide = max(len(row[0]) for row in table)
    out = [f"{row[0]:<{wide}} " + " ".join(f"{cell:>9}" for cell in row[1:]) for row in table]
    failed = [f"  {row['case']} ({row['kind']} {row['id']}): {row['end']}" for row in rows if row["kind"] in APPLIED and not row["ends_well"]]
    kinds = {kind: [row for row in rows if row["kind"] == kind] for kind in APPLIED}
    well = ", ".join(f"{sum(r['ends_well'] for r in of)} of {len(of)} by {kind}" for kind, of in kinds.items())
    total = f"{sum(row['ends_well'] for row in rows)} of {len(rows)} cases end well by the engine's own first fix: {well}"
    return [*out, "", "applied, and does not end well", *failed, "", *without(rows), "", totals(rows), total]


# --- what is stored ---------------------------------------------------------------------------


def digest(fix):
    """The checksum of what a first fix does: a changed one must be run again."""
    done = [fix["kind"], fix.get("edits") or [], fix.get("run") or [], fix.get("code") or "" if fix["kind"] == "install" else ""]
    return hashlib.sha256(json.dumps(done, sort_keys=True).encode()).hexdigest()[:16]


def kept():
    """What is stored of each case: {case: entry}."""
    return {one["case"]: one for one in json.loads(KEPT.read_text(encoding="utf-8"))} if KEPT.exists() else {}


def store(rows, cases):
    """Stores what the first fixes that were applied did; forgets cases that have none or are gone."""
    all_ = kept()
    for row in rows:
        all_.pop(row["case"], None)
        if row["kind"] in APPLIED:
            all_[row["case"]] = {**{k: row[k] for k in ("case", "error", "kind", "id", "digest", "ends_well")}, "end": "" if row["ends_well"] else row["end"]}
    names = {case.name for case in cases}
    lines = [json.dumps(all_[name], ensure_ascii=False) for name in sorted(all_) if name in names]
    KEPT.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def replay(rows):
    """Compares the first fixes of now with those that were run. Returns a sentence, and what is wrong."""
    now, ran = {row["case"]: row for row in rows}, kept()
    changed = sorted(name for name, one in ran.items() if name in now and now[name]["digest"] != one["digest"])
    new = sorted(name for name, row in now.items() if row["kind"] in APPLIED and name not in ran)
    well = sum(one["ends_well"] for name, one in ran.items() if name in now and name not in changed)
    bad = [] if well >= LEAST else [f"{well} programs end well by the engine's own first fix, and at least {LEAST} must: ./build.sh prove --own"]
    said = f"{well} of {len(rows)} programs end well by the engine's own first fix as it stands"
    again = [f"; changed since it was run: {', '.join(changed)}"] if changed else []
    more = [f"; not run yet: {', '.join(new)}"] if new else []
    return "".join([said, *again, *more]), bad


def section(cases):
    """The lines of docs/proof.md."""
    ran = kept().values()
    errors = collections.defaultdict(collections.Counter)
    for one in ran:
        errors[one["error"]].update(["applied", one["kind"], *(["well"] if one["ends_well"] else [])])
    out = [
        "## The engine's own first fix", "",
        "`./build.sh prove --own` puts the first fix that nbmedic offers into the program as it stands, without the case's help, and runs",
        "it in a new kernel. It counts if the program ends and its last cell asserts what it did.", "",
        f"Of {len(cases)} programs, {len(ran)} have a first fix that can be applied and was run: {sum(one['ends_well'] for one in ran)} end well.", "",
        "| Class of error | Applied | Edits | Cells to run | Installs | Ends well |", "|---|---|---|---|---|---|",
    ]
    for error, n in sorted(errors.items(), key=lambda one: (-one[1]["applied"], one[0])):
        out.append(f"| {error} | {n['applied']} | {n['edit']} | {n['run']} | {n['install']} | {n['well']} |")
    failed = [f"- {one['case']} (`{one['id']}`)" for one in ran if not one["ends_well"]]
    return [*out, "", *(["Applied, and it did not end well:", "", *failed, ""] if failed else [])]
