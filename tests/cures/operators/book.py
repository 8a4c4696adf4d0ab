"""A notebook as operators see it, and what they yield."""

import ast
import builtins
import dataclasses
import functools
import random
import zlib


@dataclasses.dataclass
class Edit:
    """A place of a cell's text and what a person would have written there instead."""

    start: int
    end: int
    text: str
    # The token that is wrong then, and the one that was right: a sentence that names both is precise.
    wrong: str = ""
    right: str = ""


@dataclasses.dataclass
class Session:
    """Another run of the same notebook: [position, source] of each step, and the cells as they are saved."""

    steps: list
    cells: list
    wrong: str = ""
    right: str = ""


class Cell:
    """A code cell with its tree. Offsets are in characters."""

    def __init__(self, position, text):
        self.position, self.text = position, text
        self.tree = ast.parse(text)
        self.starts = [0]
        for line in text.split("\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.lines = text.split("\n")

    def offset(self, line, column):
        """The place of a node's position, whose columns count bytes."""
        text = self.lines[line - 1]
        return self.starts[line - 1] + (column if text.isascii() else len(text.encode()[:column].decode()))

    def start(self, node):
        return self.offset(node.lineno, node.col_offset)

    def end(self, node):
        return self.offset(node.end_lineno, node.end_col_offset)

    def code(self, node):
        return self.text[self.start(node) : self.end(node)]

    @functools.cached_property
    def every(self):
        return list(ast.walk(self.tree))

    def nodes(self, *kinds):
        return [node for node in self.every if isinstance(node, kinds)]

    def calls(self, *names):
        """Calls of functions or methods with one of these names (of any, if there are none)."""
        return [node for node in self.nodes(ast.Call) if not names or called(node) in names]

    @functools.cached_property
    def parents(self):
        return {child: node for node in self.every for child in ast.iter_child_nodes(node)}

    def inside(self, node, *kinds):
        """The nearest node of these kinds around a node."""
        while (node := self.parents.get(node)) is not None:
            if isinstance(node, kinds):
                return node
        return None

    def swap(self, node, text, wrong="", right=""):
        return Edit(self.start(node), self.end(node), text, wrong, right)

    def without(self, node, wrong="", right=""):
        """The edit that takes a whole statement away, with its lines if nothing else is on them."""
        body = next((b for p in [self.parents.get(node)] for b in bodies(p) if node in b), [])
        if len(body) == 1 and not isinstance(self.parents.get(node), ast.Module):
            return self.swap(node, "pass", wrong, right)
        first, last = self.starts[node.lineno - 1], self.starts[node.end_lineno]
        around = self.text[first : self.start(node)] + self.text[self.end(node) : last - 1]
        if around.strip() and not around.strip().startswith("#"):
            return None
        return Edit(first, min(last, len(self.text)), "", wrong, right)

    def attribute(self, node):
        """Where the name of an attribute stands."""
        return self.end(node) - len(node.attr), self.end(node)

    def keyword(self, node):
        """Where the name of a keyword argument stands."""
        return self.start(node), self.start(node) + len(node.arg)

    def opening(self, call):
        """Where a call's bracket opens."""
        return self.text.index("(", self.end(call.func))


def bodies(node):
    return [getattr(node, name) for name in ("body", "orelse", "finalbody") if isinstance(getattr(node, name, None), list)]


def called(call):
    """The last name of what is called."""
    return getattr(call.func, "attr", None) or getattr(call.func, "id", "")


class Book:
    """A base, parsed."""

    def __init__(self, base):
        self.base = base
        self.cells = [Cell(i, text) for i, (kind, text) in enumerate(base.cells, 1) if kind == "code"]

    @functools.cached_property
    def names(self):
        """Names that the program sets at its top, with the position of the first cell that does."""
        found = {}
        for cell in self.cells:
            for name in sets(cell.tree):
                found.setdefault(name, cell.position)
        return found

    @functools.cached_property
    def modules(self):
        """What each imported name stands for: {"np": "numpy", "train_test_split": "sklearn.model_selection.train_test_split"}."""
        found = {}
        for cell in self.cells:
            for node in cell.nodes(ast.Import):
                found |= {one.asname or one.name.split(".")[0]: one.name if one.asname else one.name.split(".")[0] for one in node.names}
            for node in cell.nodes(ast.ImportFrom):
                found |= {one.asname or one.name: f"{node.module}.{one.name}" for one in node.names}
        return found

    def path(self, node):
        """The full name of an expression like `pd.read_csv`, or an empty string."""
        if isinstance(node, ast.Name):
            return self.modules.get(node.id, "")
        if isinstance(node, ast.Attribute) and (above := self.path(node.value)):
            return f"{above}.{node.attr}"
        return ""

    def uses(self, name, after):
        """Whether a cell below a position reads a name."""
        return any(
            isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
            for cell in self.cells if cell.position > after for node in cell.every
        )


def sets(tree):
    """The names that a cell's statements set at the top of the program."""
    found = {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            found[node.name] = None
            continue
        for one in ast.walk(node):
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                found[one.id] = None
            elif isinstance(one, (ast.Import, ast.ImportFrom)):
                found.update({name.asname or name.name.split(".")[0]: None for name in one.names})
    return list(found)


def reads(tree):
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)} - set(dir(builtins))


def seeded(*parts):
    """A generator that gives the same numbers for the same parts, on every machine."""
    return random.Random(zlib.crc32(repr(parts).encode()) * 2654435761 + len(repr(parts)))


def misspelt(word, rng):
    """The word with a slip of the fingers: two letters swapped, one doubled, missing, or another."""
    letters = [i for i, c in enumerate(word) if c.isalpha()]
    for _ in range(20):
        if len(letters) < 2:
            return word + "s"
        i = rng.choice(letters)
        kind = rng.randrange(4)
        if kind == 0 and i + 1 < len(word) and word[i + 1].isalpha():
            new = word[:i] + word[i + 1] + word[i] + word[i + 2 :]
        elif kind == 1:
            new = word[:i] + word[i] + word[i:]
        elif kind == 2 and len(word) > 3:
            new = word[:i] + word[i + 1 :]
        else:
            new = word[:i] + rng.choice("aeiorstn") + word[i + 1 :]
        if new != word and new.replace("_", "x").isalnum():
            return new
    return word + "s"


# --- the table of operators -------------------------------------------------------------------


@dataclasses.dataclass
class Operator:
    id: str
    group: str
    # How often it is drawn, relative to the others.
    weight: float
    make: callable
    # Whether it makes another run (Session) instead of another text.
    session: bool = False

    @property
    def mistake(self):
        return (self.make.__doc__ or "").strip()


ALL = {}


def operator(name, group, weight=1.0, session=False):
    """Adds an operator: a generator of edits for (book, cell, rng), or of sessions for (book, rng)."""

    def add(make):
        if name in ALL:
            raise ValueError(f"two operators are named {name}")
        if not (make.__doc__ or "").strip():
            raise ValueError(f"{name} does not say which mistake it is")
        ALL[name] = Operator(name, group, weight, make, session)
        return make

    return add
