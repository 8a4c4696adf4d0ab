"""Broken programs, drawn from the bases by a seed, and the half that each belongs to."""

import dataclasses
import hashlib
import math

from operators import ALL, Book, Session, seeded

# Of each operator as many places of a program are drawn at most, and as many pairs of faults.
PLACES, PAIRS = 4, 12
# Of the mutants whose base and operator may both be studied, one in so many is kept for judging too.
KEPT = 8


@dataclasses.dataclass
class Mutant:
    base: object
    # Ids of its operators: two for two faults at once.
    operators: tuple
    number: int
    cells: list
    steps: list
    # (wrong token, right token) of each fault.
    tokens: list
    # For two faults: the programs with only one of them.
    singles: tuple = ()
    # The half of the mutant that this one is a twin of.
    of: str = ""

    @property
    def name(self):
        return f"{self.base.name}:{'+'.join(self.operators)}:{self.number}"

    @property
    def id(self):
        return hashlib.sha256(self.name.encode()).hexdigest()[:12]

    @property
    def session(self):
        """Whether the fault is in what was run, and not in the text."""
        return self.steps != ordered(self.cells)

    @property
    def renamed(self):
        """Names that were changed where they are set: a repair may as well change them everywhere else."""
        out = {}
        for one, other in self.tokens:
            out |= {one: other, other: one} if one.isidentifier() and other.isidentifier() and one != other else {}
        return out

    @property
    def half(self):
        return self.of or half(self.base.name, self.operators)


def ordered(cells):
    return [[i, text] for i, (kind, text) in enumerate(cells, 1) if kind == "code"]


def third(kind, name):
    """Whether a base or an operator is of the third that is only for judging."""
    return int(hashlib.sha256(f"{kind}:{name}".encode()).hexdigest(), 16) % 3 == 0


def half(base, operators):
    if third("base", base) or any(third("operator", one) for one in operators):
        return "judge"
    return "judge" if int(hashlib.sha256(f"{base}:{'+'.join(operators)}".encode()).hexdigest(), 16) % KEPT == 0 else "work"


def places(book, operator, seed):
    """What an operator can do to a program, in an order drawn by the seed: pairs of a position and an edit, or sessions."""
    rng = seeded(seed, book.base.name, operator.id)
    if operator.session:
        found = [(0, one) for one in operator.make(book, rng)]
    else:
        found = []
        for cell in book.cells:
            found += [(cell.position, one) for one in operator.make(book, cell, rng) if one and applied(cell.text, one) != cell.text]
    rng.shuffle(found)
    return found


def applied(text, edit):
    return text[: edit.start] + edit.text + text[edit.end :]


def broken(base, changes):
    """The base's cells with edits, at most one a cell: {position: edit}."""
    return [(kind, applied(text, changes[i]) if i in changes else text) for i, (kind, text) in enumerate(base.cells, 1)]


def made(book, names, number, found):
    base = book.base
    if len(found) == 1 and isinstance(found[0][1], Session):
        one = found[0][1]
        return Mutant(base, names, number, one.cells, [list(step) for step in one.steps], [(one.wrong, one.right)])
    changes = dict(found)
    cells = broken(base, changes)
    singles = tuple(ordered(broken(base, {i: edit})) for i, edit in found) if len(found) > 1 else ()
    return Mutant(base, names, number, cells, ordered(cells), [(edit.wrong, edit.right) for _, edit in found], singles)


def drawn(base, seed, wanted=None):
    """The mutants of a base in the order drawn: the weights of operators decide how early each comes. `wanted` are ids of operators."""
    book = Book(base)
    pools = {name: places(book, one, seed) for name, one in ALL.items() if not wanted or name in wanted or name in " ".join(wanted)}
    order = []
    for name, pool in pools.items():
        for number in range(min(PLACES, len(pool))):
            key = -math.log(seeded(seed, base.name, name, number).random() or 1e-9) / ALL[name].weight * (1 + number)
            order.append((key, (name,), number, [pool[number]]))
    if not wanted:
        single = [name for name, pool in pools.items() if pool and not ALL[name].session]
        for number in range(PAIRS if len(single) > 1 else 0):
            rng = seeded(seed, base.name, "two", number)
            one, other = rng.choices(single, [ALL[name].weight for name in single], k=2)
            a, b = rng.choice(pools[one]), rng.choice(pools[other])
            if one != other and a[0] != b[0]:
                order.append((-math.log(rng.random() or 1e-9) / 4, (one, other), number, [a, b]))
    seen = set()
    for _, names, number, found in sorted(order, key=lambda one: one[:3]):
        mutant = made(book, names, number, found)
        key = repr((mutant.cells, mutant.steps))
        if key not in seen:
            seen.add(key)
            yield mutant


