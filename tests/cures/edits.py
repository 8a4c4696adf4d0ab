"""Whether an edit is what it says: checks that need no kernel."""

import ast
import builtins
import json
import re
import shutil
import subprocess
import tempfile

import fixes

# What is said of an edit that is not.
BROKEN = "the cell cannot be parsed"
EARLY = "a name is read above the line that sets it"
ELSEWHERE = "something else in the notebook changed"
TWICE = "a second run changes the notebook again"
DOUBLED = "it adds a line that stands there already"
UNSAID = "the code that its title quotes is not in the result"

# The code that a title says is written, where it is quoted whole.
WRITES = re.compile(r"^(?:Replace .+ by|Rename .+ to|Add|Write|Call it:|Use) (?P<code>.+?)(?: (?:for|instead of|in line|above line|to|where|and) .*)?$")


def faults(engine, path, fix, base, cells):
    """What is wrong with an edit of a saved notebook; `base` are the cells before they were broken."""
    if fix.get("kind") != "edit" or not fix.get("edits"):
        return []
    try:
        after = fixes.edited(cells, fix["edits"])
    except fixes.Refused:
        return [BROKEN]
    found = []
    touched = {edit["cell"] for edit in fix["edits"]}
    for position in sorted(touched):
        if parsed(after[position - 1][1]) is None:
            found.append(BROKEN)
            break
    known = early(base) | early(cells)
    if early(after) - known:
        found.append(EARLY)
    if unsaid(fix["title"], [after[position - 1][1] for position in touched]):
        found.append(UNSAID)
    if any(adds_again(cells[i - 1][1], after[i - 1][1]) for i in touched):
        found.append(DOUBLED)
    return found + written(engine, path, after)


def unsaid(title, texts):
    """Whether a title quotes code that is in none of the changed cells. Prose, and what is shortened, quotes nothing."""
    said = WRITES.match(title)
    code = said and said["code"].rstrip("=")
    if not code or "…" in code or not re.search(r"[(\[._=\"']", code) or parsed(code) is None:
        return False

    def plain(text):
        return "".join(text.split()).replace('"', "'")

    return not any(plain(code) in plain(text) for text in texts)


def parsed(text):
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def early(cells):
    """The names that a cell's own statements read before anything has set them."""
    known, found = set(dir(builtins)), set()
    for kind, text in cells:
        tree = parsed(text) if kind == "code" else None
        for node in tree.body if tree else ():
            found |= {name for name in read_now(node) if name not in known}
            known |= set_by(node)
    return found


def read_now(node):
    """The names that a statement reads when it runs: not those within functions and lambdas, nor those that it sets itself."""
    own, out, waiting = set_by(node), set(), [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, (ast.FunctionDef, ast.Lambda, ast.AsyncFunctionDef)):
            waiting += getattr(one, "decorator_list", [])
            continue
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load) and one.id not in own:
            out.add(one.id)
        waiting += ast.iter_child_nodes(one)
    if isinstance(node, ast.Assign):
        # The right side is read first.
        out |= {one.id for one in ast.walk(node.value) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)} - inner(node.value)
    return out


def inner(node):
    """The names that comprehensions and lambdas within an expression set."""
    out = set()
    for one in ast.walk(node):
        if isinstance(one, ast.comprehension):
            out |= {x.id for x in ast.walk(one.target) if isinstance(x, ast.Name)}
        elif isinstance(one, ast.Lambda):
            out |= {x.arg for x in ast.walk(one.args) if isinstance(x, ast.arg)} | {x.id for x in ast.walk(one.body) if isinstance(x, ast.Name)}
        elif isinstance(one, ast.NamedExpr):
            out.add(one.target.id)
    return out


def set_by(node):
    out = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            out.add(one.id)
        elif isinstance(one, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            out.add(one.name)
        elif isinstance(one, (ast.Import, ast.ImportFrom)):
            out |= {name.asname or name.name.split(".")[0] for name in one.names}
        elif isinstance(one, ast.ExceptHandler) and one.name:
            out.add(one.name)
        elif isinstance(one, ast.arg):
            out.add(one.arg)
    return out


def adds_again(before, after):
    """Whether a whole line was added that the cell's top had already."""
    def top(text):
        return [line for line in text.split("\n") if line and not line[0].isspace() and line.startswith(("import ", "from "))]

    old, new = top(before), top(after)
    return any(new.count(line) > max(1, old.count(line)) for line in new)


def written(engine, path, after):
    """What `fix --write` does to a copy: only these edits, and the same once."""
    found = []
    with tempfile.TemporaryDirectory(prefix="nbmedic-cures-") as folder:
        copy = f"{folder}/notebook.ipynb"
        shutil.copy(path, copy)
        texts = []
        for _ in range(2):
            subprocess.run([engine, "fix", "--write", "--applicability", "maybe", copy], capture_output=True, timeout=120)
            with open(copy, encoding="utf-8") as file:
                texts.append(json.load(file))
    with open(path, encoding="utf-8") as file:
        before = json.load(file)
    sources = ["".join(cell["source"]) for cell in texts[0]["cells"]]
    if sources != [text for _, text in after] or bare(before) != bare(texts[0]):
        found.append(ELSEWHERE)
    if texts[0] != texts[1]:
        found.append(TWICE)
    return found


def bare(notebook):
    return {**notebook, "cells": [{**cell, "source": ""} for cell in notebook["cells"]]}
