"""A notebook as a front end saves it, nbmedic's first fix for it, and the fix followed as it stands."""

import dataclasses
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "proof"))

from own import Refused, digest, offset  # noqa: E402

__all__ = ["Refused", "digest", "first", "followed", "places", "saved"]

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python", "version": "3.11.7"},
}


def saved(cells, ran):
    """The notebook: `cells` are (kind, source); `ran` has [count, outputs] of the cells that ran, by position."""
    out = []
    for position, (kind, source) in enumerate(cells, 1):
        cell = {"cell_type": kind, "id": f"cell-{position}", "metadata": {}, "source": source.splitlines(keepends=True)}
        if kind == "code":
            count, outputs = ran.get(position, (None, []))
            cell |= {"execution_count": count, "outputs": [split(one) for one in outputs]}
        out.append(cell)
    return {"cells": out, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}


def split(output):
    """An output with its texts as lines, as they are saved."""
    if output["output_type"] == "stream":
        return {**output, "text": output["text"].splitlines(keepends=True)}
    if "data" in output:
        return {**output, "data": {kind: text.splitlines(keepends=True) for kind, text in output["data"].items()}}
    return output


def places(home):
    """Where this machine has an environment's libraries and its Python, and where another one would have them."""
    found = re.search(r"(?m)^home *= *(.*)/bin$", (home / "pyvenv.cfg").read_text())
    return [(str(home), "/usr/local"), *([(found[1].strip(), "/usr/local")] if found else [])]


def first(engine, path):
    """The first failure of a notebook's file and its fix, as `nbmedic fix` says them; None if it finds no failure."""
    done = subprocess.run([engine, "fix", "--format", "json", path], capture_output=True, text=True, timeout=120)
    if done.returncode not in (0, 1) or not done.stdout.startswith("{"):
        return {"broken": (done.stderr or done.stdout)[:300], "fix": None, "title": "", "diagnosis": ""}
    failures = json.loads(done.stdout)["failures"]
    return failures[0] if failures else None


def edited(cells, edits):
    """The cells with the edits applied."""
    out = [list(cell) for cell in cells]
    for edit in sorted(edits, key=lambda e: (e["cell"], e["start"]["line"], e["start"]["column"]), reverse=True):
        if not 0 < edit["cell"] <= len(out) or out[edit["cell"] - 1][0] != "code":
            raise Refused(f"there is no code cell {edit['cell']}")
        text = out[edit["cell"] - 1][1]
        start, end = offset(text, edit["start"]), offset(text, edit["end"])
        if end < start:
            raise Refused(f"an edit ends before it starts: {edit}")
        out[edit["cell"] - 1][1] = text[:start] + edit["text"] + text[end:]
    return [tuple(cell) for cell in out]


@dataclasses.dataclass
class Program:
    """What is run after a fix was followed."""

    cells: list
    steps: list
    # Numbers of the steps that may fail: what failed before the fix.
    may_fail: tuple = ()
    # What was installed.
    installed: str = ""


def ordered(cells):
    return [[i, text] for i, (kind, text) in enumerate(cells, 1) if kind == "code"]


def followed(fix, cells, steps, failed, session):
    """The program with the first fix followed: its edits, then the whole notebook from the top. If it names cells to run, or if
    the fault is in what was run (`session`) and not in the text, the session goes on instead: the cells named, then those below."""
    edits, named = fix.get("edits") or [], fix.get("run") or []
    if fix["kind"] == "edit" and not edits:
        raise Refused("it has no edits")
    if fix["kind"] == "run" and not named:
        raise Refused("it names no cells")
    new = edited(cells, edits) if edits else list(cells)
    if fix["kind"] == "install":
        return Program(new, ordered(new), installed=installs(fix))
    if edits and not session:
        return Program(new, ordered(new))
    before = [list(step) for step in steps[: failed + 1]]
    at = steps[failed][0]
    for one in named:
        if not 0 < one <= len(new) or new[one - 1][0] != "code":
            raise Refused(f"there is no code cell {one}")
    order = [*named, *([] if at in named else [at])]
    again = [[one, new[one - 1][1]] for one in order]
    below = [[i, text] for i, text in ordered(new) if i > max(at, order[-1])]
    return Program(new, [*before, *again, *below], may_fail=(failed,))


def installs(fix):
    """The distribution that an install names."""
    found = re.search(r"install\s+((?:-\S+\s+)*)([A-Za-z0-9_.\[\]-]+)", fix.get("code") or "")
    return found[2] if found else ""
