"""What became of a program after its first fix was followed."""

import ast
import re

import values
from operators.book import sets

VERDICTS = ("repaired", "other values", "still failing", "worse", "words", "nothing")


def error(outputs):
    """(class, message) of the error among a cell's outputs."""
    for one in reversed(outputs):
        if one["output_type"] == "error":
            return one["ename"], one["evalue"]
    return "", ""


def last_shown(steps, outputs):
    """What each cell shows at the end, by position."""
    return {step[0]: values.shown(one) for step, one in zip(steps, outputs)}


def words(failure, tokens):
    """"precise" if the sentences name both the wrong and the right token of a fault, else "vague"."""
    fix = failure.get("fix") or {}
    text = " ".join([failure.get("title", ""), *(fix.get(key) or "" for key in ("title", "why", "code", "sample"))])
    return "precise" if any(a and b and named(a, text) and named(b, text) for a, b in tokens) else "vague"


def named(token, text):
    return re.search(rf"(?<!\w){re.escape(token)}(?!\w)", text) is not None


def unstable(steps, first, second):
    """Positions of the cells that show something else each time."""
    return {step[0] for step, a, b in zip(steps, first, second) if not values.same_text(values.shown(a), values.shown(b))}


def after(mutant, program, before, now, base, shaky):
    """The verdict on a run: `before` is the broken program's, `now` the followed one's, with outputs of all steps."""
    if now["end"] == "error":
        return failing(mutant, program, before, now)
    if now["end"]:
        return "still failing", now["end"]
    there = made_by(program) if mutant.session else None
    bad = [name for name, how in now["values"].items() if how != "same" and name not in shaky["names"] and (there is None or name in there)]
    if bad:
        return "other values", f"{bad[0]} {now['values'][bad[0]]}"
    shows = last_shown(program.steps, now["outputs"])
    for position, text in last_shown(mutant.base.steps, base["outputs"]).items():
        place = position if program.cells is mutant.base.cells else where(mutant, position)
        if position not in shaky["cells"] and place in shows and not values.same_text(text, shows[place]):
            return "other values", f"cell {place} shows something else"
    return "repaired", ""


def made_by(program):
    """The names that the cells which ran set: what a session never made, the fix is not asked for."""
    found = set()
    for _, text in program.steps:
        try:
            found |= set(sets(ast.parse(text)))
        except SyntaxError:
            continue
    return found


def where(mutant, position):
    """The place of a base's cell in the mutant, whose cells may be moved."""
    text = mutant.base.cells[position - 1][1]
    if len(mutant.cells) == len(mutant.base.cells) and mutant.cells[position - 1][1] != text:
        other = [i for i, (_, one) in enumerate(mutant.cells, 1) if one == text]
        return other[0] if len(other) == 1 else position
    if len(mutant.cells) != len(mutant.base.cells):
        other = [i for i, (_, one) in enumerate(mutant.cells, 1) if one == text]
        return other[0] if len(other) == 1 else None
    return position


def failing(mutant, program, before, now):
    """Of two faults one may be left. Otherwise it fails as before, or worse: earlier, or by a name used before it is set."""
    was, is_now = before["at"], now["at"]
    ename, evalue = error(now["outputs"][is_now])
    for single in mutant.left:
        if (single["position"], single["error"]) == (program.steps[is_now][0], (ename, evalue)):
            return "repaired", "one of two faults is left"
    old = error(before["outputs"][was])
    started = len(program.may_fail) and max(program.may_fail) + 1
    ran = {step[0] for step in mutant.steps[:was]} - {mutant.steps[was][0]}
    at = program.steps[is_now][0]
    said = f"{ename}: {evalue}".split("\n")[0][:200]
    if at in ran and is_now >= started:
        return "worse", said
    if ename in ("NameError", "UnboundLocalError") and old != (ename, evalue) and old[0] not in ("NameError", "UnboundLocalError") and not mutant.singles:
        return "worse", said
    return "still failing", said
