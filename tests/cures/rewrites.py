"""Other ways to write a program that mean the same, as edits of its cells.

Each edit is found in the tree of the unbroken cell and carried over to the broken one, whose text may have no tree: what stands
before and behind the fault stands in both.
"""

import ast
import dataclasses
import importlib
import inspect
import re

from operators.book import Book, reads, sets

# Of one cell as many places are rewritten at most.
MOST = 3


class Gap:
    """Where a text differs from the one that it was made from: between what both begin and what both end with."""

    def __init__(self, old, new):
        most = min(len(old), len(new))
        self.start = next((i for i in range(most) if old[i] != new[i]), most)
        tail = next((i for i in range(most - self.start) if old[-1 - i] != new[-1 - i]), most - self.start)
        self.end, self.by, self.same = len(old) - tail, len(new) - len(old), old == new

    def moved(self, start, end):
        """(start, end, whether the difference is within) of a range of the old text in the new one. None if it cannot be told."""
        if self.same or end < self.start or end == self.start and (start < end or self.start < self.end):
            return start, end, False
        if start > self.end or start == self.end and start < end:
            return start + self.by, end + self.by, False
        return (start, end + self.by, True) if start <= self.start and self.end <= end and start < end else None


def carried(groups, old, new):
    """`new` with those groups of (start, end, text) edits of `old` that can be made there as a whole. `text` may be a function of
    what stands there, which is none where it cannot be rewritten; what is broken is replaced only by such a one."""
    gap, out = Gap(old, new), []
    for group in groups:
        edits = []
        for start, end, text in group:
            a, b, within = gap.moved(start, end) or (0, 0, True)
            edits.append((a, b, text(new[a:b]) if callable(text) else None if within else text))
        taken = any(a < d and c < b or (a, b) == (c, d) for a, b, _ in edits for c, d, _ in out)
        if not taken and all(text is not None for _, _, text in edits):
            out += edits
        if len(out) >= MOST * len(group):
            break
    for a, b, text in sorted(out, reverse=True):
        new = new[:a] + text + new[b:]
    return new


def top(cell):
    """The statements at the top of a cell that stand on lines of their own, in order."""
    counts = {}
    for node in cell.tree.body:
        for line in range(node.lineno, node.end_lineno + 1):
            counts[line] = counts.get(line, 0) + 1
    return [node for node in cell.tree.body if node.col_offset == 0 and counts[node.lineno] == counts[node.end_lineno] == 1]


def signature(book, call):
    """The parameters that a call may give by position or by name, in order: of the program's own functions and of modules' that
    can be looked at."""
    if isinstance(call.func, ast.Name):
        for cell in book.cells:
            for node in cell.tree.body:
                if isinstance(node, ast.FunctionDef) and node.name == call.func.id and not node.decorator_list:
                    return [] if node.args.posonlyargs or node.args.vararg else [one.arg for one in node.args.args]
    path = book.path(call.func)
    if path.split(".")[0] not in ("numpy", "pandas", "math", "json", "random", "scipy", "sklearn"):
        return []
    try:
        module, _, name = path.rpartition(".")
        found = inspect.signature(getattr(importlib.import_module(module), name)).parameters.values()
    except (ImportError, AttributeError, TypeError, ValueError):
        return []
    names = []
    for one in found:
        if one.kind != one.POSITIONAL_OR_KEYWORD:
            break
        names.append(one.name)
    return names


def plain(call):
    """Whether no argument is unpacked."""
    return not any(isinstance(one, ast.Starred) for one in call.args) and all(one.arg for one in call.keywords)


def by_name(book, cell):
    """The last argument by position gets its name."""
    for call in cell.calls():
        names = signature(book, call) if plain(call) and call.args else []
        if 0 < len(call.args) <= len(names):
            start = cell.start(call.args[-1])
            yield [(start, start, f"{names[len(call.args) - 1]}=")]


def by_position(book, cell):
    """The first argument by name loses it, if it is the next by position."""
    for call in cell.calls():
        names = signature(book, call) if plain(call) and call.keywords else []
        if len(call.args) < len(names) and names[len(call.args)] == call.keywords[0].arg:
            yield [(*[cell.start(one) for one in (call.keywords[0], call.keywords[0].value)], "")]


def simple(cell):
    """(statement, node) for each expression of a statement that is evaluated once, in order: not in a function, loop or text."""
    for node in top(cell):
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr)):
            inner = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.JoinedStr)
            for one in ast.walk(node):
                if not cell.inside(one, *inner) and not isinstance(one, inner):
                    yield node, one


def literals(cell):
    """(statement, literal) for arguments and keys that are numbers or short texts."""
    for stmt, node in simple(cell):
        if isinstance(node, ast.Call):
            found = [*node.args, *(one.value for one in node.keywords)]
        else:
            found = [node.slice] if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) else []
        for one in found:
            if isinstance(one, ast.Constant) and type(one.value) in (int, float, str) and one.lineno == one.end_lineno:
                yield stmt, one


def literal(text):
    """Whether a text is one number or text: a broken one may not be."""
    try:
        return isinstance(ast.parse(text, mode="eval").body, ast.Constant)
    except (SyntaxError, ValueError):
        return False


def named_above(book, cell):
    """A literal is put into a variable, a line above."""
    for number, (stmt, node) in enumerate(literals(cell)):
        name = f"chosen_{cell.position}_{number}"
        start, end, line = cell.start(node), cell.end(node), cell.start(stmt)

        # From the statement's begin to the literal's end it is one edit: the line above has what stands there, broken or not.
        def text(found, name=name, before=cell.text[line:start]):
            one = found[len(before) :]
            return f"{name} = {one}\n{before}{name}" if found.startswith(before) and literal(one) else None

        yield [(line, end, text)]


def broken_lines(_book, cell):
    """Line breaks within brackets, and blank lines between statements."""
    for node in top(cell):
        if node is not cell.tree.body[0]:
            yield [(cell.start(node), cell.start(node), "\n\n")]
    for _, call in simple(cell):
        if isinstance(call, ast.Call) and len(call.args) > 1:
            start, end = cell.end(call.args[0]), cell.start(call.args[1])
            if cell.text[start:end].strip() == ",":
                yield [(start, end, ",\n        ")]


def pure(node):
    """Whether evaluating a statement can change nothing but what it sets."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return True
    busy = (ast.Call, ast.Await, ast.Yield, ast.NamedExpr)
    return isinstance(node, ast.Assign) and all(isinstance(one, ast.Name) for one in node.targets) and not any(isinstance(one, busy) for one in ast.walk(node))


def swapped(_book, cell):
    """Two lines of which neither needs the other are swapped."""
    body, last = top(cell), None
    for one, other in zip(body, body[1:]):
        if one is last or not pure(one) or not isinstance(other, (ast.Assign, ast.Import, ast.ImportFrom)) or "__future__" in cell.code(one):
            continue
        mine, others = (set(sets(ast.Module([node], []))) for node in (one, other))
        needs, others_needs = (reads(ast.Module([node], [])) for node in (one, other))
        if mine & (others | others_needs) or needs & (others | others_needs):
            continue
        a, b = (cell.code(node) for node in (one, other))
        between = cell.text[cell.end(one) : cell.start(other)]
        if between.strip():
            continue
        last = other
        # What is broken in one of them moves with it.
        yield [(cell.start(one), cell.end(other), lambda text, a=a, b=b, between=between: exchanged(text, a, b, between))]


def exchanged(text, a, b, between):
    """Two statements in the other order, one of which may be broken."""
    if text.startswith(a + between):
        return text[len(a + between) :] + between + a
    return b + between + text[: -len(between + b)] if text.endswith(between + b) else None


@dataclasses.dataclass
class Rewrite:
    """How a program is otherwise written."""

    # Of a cell's text and its position: the new text. It is used for what ran in a session too.
    text: callable = None
    # Or of all cells: the new ones.
    cells: callable = None
    # What names have become.
    names: dict = dataclasses.field(default_factory=dict)


def everywhere(find):
    """The technique that rewrites a few places of each cell, those near the fault first."""

    def technique(mutant):
        book = Book(mutant.base)
        groups, texts = {}, {}
        for cell in book.cells:
            broken = dict(enumerate(mutant.cells, 1)).get(cell.position, ("", ""))[1]
            gap = Gap(cell.text, broken)
            near = gap.start if not mutant.session and not gap.same else 0
            groups[cell.position] = sorted(find(book, cell), key=lambda group: abs(group[-1][1] - near))
            texts[cell.position] = cell.text
        at = {text: position for position, text in texts.items()}

        def change(text, position):
            position = at.get(text, position)
            return carried(groups[position], texts[position], text) if position in groups else text

        return Rewrite(text=change)

    return technique


def faulty(mutant):
    """(cell of the unbroken program, its broken text) for each cell that was broken."""
    if mutant.session or len(mutant.cells) != len(mutant.base.cells):
        return []
    cells = [(cell, mutant.cells[cell.position - 1][1]) for cell in Book(mutant.base).cells]
    return [(cell, text) for cell, text in cells if cell.text != text]


def named_earlier(mutant):
    """A literal of the broken cell is put into a variable of the first one."""
    first = next(i for i, (kind, _) in enumerate(mutant.base.cells) if kind == "code")
    for cell, broken in faulty(mutant):
        gap = Gap(cell.text, broken)
        if cell.position - 1 == first or "__future__" in mutant.base.cells[first][1]:
            continue
        for _, node in sorted(literals(cell), key=lambda pair: abs(cell.start(pair[1]) - gap.start)):
            start, end = cell.start(node), cell.end(node)
            place = gap.moved(start, end)
            if not place or not literal(broken[place[0] : place[1]]):
                continue

            def change(cells, cell=cell, start=start, end=end):
                out = list(cells)
                text = out[cell.position - 1][1]
                a, b, _ = Gap(cell.text, text).moved(start, end)
                out[cell.position - 1] = ("code", f"{text[:a]}chosen{text[b:]}")
                out[first] = ("code", f"chosen = {text[a:b]}\n{out[first][1]}")
                return out

            return Rewrite(cells=change)
    return None


def indented(text, by):
    return re.sub(r"(?m)^(?=.)", " " * by, text)


def wrapped(head, by, tail):
    """The technique that puts the broken cells into a function."""

    def technique(mutant):
        chosen = {}
        for cell, broken in faulty(mutant):
            if re.search(r'"""|\'\'\'|\\\n|^[%!]|import \*|__|\bawait\b|\bglobal\b', f"{cell.text}\n{broken}", re.M):
                return None
            names = sets(cell.tree)
            for one, other in mutant.tokens:
                names += [new for old, new in ((one, other), (other, one)) if old in names and new.isidentifier() and new not in names]
            chosen[cell.position] = f"{' ' * by}global {', '.join(names)}\n" if names else ""

        def change(text, position):
            return f"{head}{chosen[position]}{indented(text, by)}\n\n{tail}" if position in chosen else text

        return Rewrite(text=change) if chosen else None

    return technique


def divided(mutant):
    """The broken cell is divided into two, near its middle."""
    for cell, _ in faulty(mutant):
        body = [node for node in top(cell) if node is not cell.tree.body[0]]
        for at in sorted((cell.start(node) for node in body), key=lambda at: abs(at - len(cell.text) // 2)):

            def change(cells, cell=cell, at=at):
                text = cells[cell.position - 1][1]
                place = Gap(cell.text, text).moved(at, at)
                if not place:
                    return cells
                parts = [("code", text[: place[0]].rstrip("\n")), ("code", text[place[0] :])]
                return cells[: cell.position - 1] + parts + cells[cell.position :]

            if len(change(mutant.cells)) > len(mutant.cells):
                return Rewrite(cells=change)
    return None


def joined(mutant):
    """The broken cell and its neighbour are one."""
    for cell, _ in faulty(mutant):
        for above in (cell.position - 2, cell.position - 1):
            pair = mutant.base.cells[max(above, 0) : above + 2]
            if [kind for kind, _ in pair] == ["code", "code"]:

                def change(cells, above=above):
                    return cells[:above] + [("code", f"{cells[above][1]}\n\n{cells[above + 1][1]}")] + cells[above + 2 :]

                return Rewrite(cells=change)
    return None


TECHNIQUES = {
    "by name": everywhere(by_name),
    "by position": everywhere(by_position),
    "literal above": everywhere(named_above),
    "literal earlier": named_earlier,
    "line breaks": everywhere(broken_lines),
    "lines swapped": everywhere(swapped),
    "cell divided": divided,
    "cells joined": joined,
    "in a function": wrapped("def step():\n", 4, "step()"),
    "in a class": wrapped("class Step:\n    def run(self):\n", 8, "Step().run()"),
}
