"""Cells that were not run, run twice, in another order, or edited since."""

import ast
import re

from .book import Session, misspelt, operator, reads, sets

GROUP = "session"


def needed(book, cell):
    """A name that the cell sets and a cell below it reads."""
    return next((name for name in sets(cell.tree) if book.uses(name, cell.position)), "")


def is_imports(cell):
    return cell.tree.body and all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in cell.tree.body)


@operator("cell-not-run", GROUP, 5, session=True)
def cell_not_run(book, rng):
    """A cell was skipped, and one below needs what it sets."""
    for cell in book.cells:
        if name := needed(book, cell):
            yield Session([step for step in book.base.steps if step[0] != cell.position], book.base.cells, name, name)


@operator("imports-not-run", GROUP, 3, session=True)
def imports_not_run(book, rng):
    """After a restart the cell with the imports was not run."""
    for cell in book.cells:
        if is_imports(cell):
            name = needed(book, cell)
            yield Session([step for step in book.base.steps if step[0] != cell.position], book.base.cells, name, name)


@operator("restarted", GROUP, 3, session=True)
def restarted(book, rng):
    """The kernel was restarted, and work went on where it was."""
    for cell in book.cells[1:]:
        missing = [name for name in reads(cell.tree) if book.names.get(name, cell.position) < cell.position]
        if missing:
            yield Session([step for step in book.base.steps if step[0] >= cell.position], book.base.cells, missing[0], missing[0])


@operator("run-twice", GROUP, 3, session=True)
def run_twice(book, rng):
    """A cell that changes what it reads was run a second time."""
    for cell in book.cells:
        steps = []
        for step in book.base.steps:
            steps += [step, step] if step[0] == cell.position else [step]
        changed = [name for name in sets(cell.tree) if name in reads(cell.tree)]
        if changed or re.search(r"inplace=True|\.pop\(|\bdel ", cell.text):
            yield Session(steps, book.base.cells, changed[0] if changed else "", "")


@operator("run-before", GROUP, 2, session=True)
def run_before(book, rng):
    """A cell was run before the one above it."""
    for one, other in zip(book.cells, book.cells[1:]):
        if set(sets(one.tree)) & reads(other.tree):
            steps = [step for step in book.base.steps if step[0] != one.position]
            at = next(i for i, step in enumerate(steps) if step[0] == other.position) + 1
            name = next(iter(set(sets(one.tree)) & reads(other.tree)))
            yield Session([*steps[:at], [one.position, one.text], *steps[at:]], book.base.cells, name, name)


@operator("earlier-again", GROUP, 2, session=True)
def earlier_again(book, rng):
    """A cell was run again after cells below it had changed what it works on."""
    for one in book.cells[:-2]:
        for other in book.cells[book.cells.index(one) + 1 :]:
            if set(sets(other.tree)) & reads(one.tree) or set(sets(one.tree)) & set(sets(other.tree)) & reads(other.tree):
                at = next(i for i, step in enumerate(book.base.steps) if step[0] == other.position) + 1
                again = [[one.position, one.text]]
                yield Session([*book.base.steps[:at], *again, *book.base.steps[at:]], book.base.cells)


@operator("renamed-not-run", GROUP, 2, session=True)
def renamed_not_run(book, rng):
    """A name was changed in all cells, but the cell that sets it was not run again."""
    for cell in book.cells:
        for name in sets(cell.tree)[:3]:
            if len(name) < 2 or not book.uses(name, cell.position) or name in book.modules or book.names[name] != cell.position:
                continue
            new = rng.choice([f"{name}_new", f"{name}2", f"my_{name}", misspelt(name, rng)])
            if new in book.names:
                continue
            change = re.compile(rf"(?<![\w.'\"]){re.escape(name)}(?![\w'\"]|=[^=])")
            cells = [(kind, change.sub(new, text) if kind == "code" else text) for kind, text in book.base.cells]
            try:
                for kind, text in cells:
                    ast.parse(text if kind == "code" else "")
            except SyntaxError:
                continue
            steps = [[i, text if i <= cell.position else cells[i - 1][1]] for i, text in book.base.steps]
            yield Session(steps, cells, new, name)


@operator("cell-moved", GROUP, 2, session=True)
def cell_moved(book, rng):
    """A cell was moved below the one that needs it."""
    for one, other in zip(book.cells, book.cells[1:]):
        if common := set(sets(one.tree)) & reads(other.tree):
            cells = list(book.base.cells)
            i, j = one.position - 1, other.position - 1
            cells[i], cells[j] = cells[j], cells[i]
            name = sorted(common)[0]
            yield Session([[k, text] for k, (kind, text) in enumerate(cells, 1) if kind == "code"], cells, name, name)


@operator("cell-deleted", GROUP, 1, session=True)
def cell_deleted(book, rng):
    """A cell was deleted as superfluous."""
    for cell in book.cells:
        if name := needed(book, cell):
            cells = [one for i, one in enumerate(book.base.cells, 1) if i != cell.position]
            yield Session([[k, text] for k, (kind, text) in enumerate(cells, 1) if kind == "code"], cells, name, name)
