"""Tests of the bench that need none of its libraries: python3 tests/cures/test_bench.py"""

import pathlib
import sys
import types
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent)]

import bases  # noqa: E402
import edits  # noqa: E402
import fixes  # noqa: E402
import judge  # noqa: E402
import mutants  # noqa: E402
import rewrites  # noqa: E402
import sample  # noqa: E402
import twins  # noqa: E402
import values  # noqa: E402
from operators import ALL, Book  # noqa: E402

TEXT = """# library: pandas
# compare: total
# %%
import pandas as pd
# %% [markdown]
# Prices
# %%
df = pd.DataFrame({"price": [1, 2], "town": ["a", "b"]})  # two rows (only)
df = df.sort_values(by="price", ascending=False)
# %%
total = df["price"].sum()
print("total", total)
"""


def base(text=TEXT, name="data/small"):
    head, cells = bases.percent(text)
    return bases.Base(name, "pandas", "data", bases.words(head, "compare"), cells)


def error(name, said):
    return [{"output_type": "error", "ename": name, "evalue": said, "traceback": []}]


class Bases(unittest.TestCase):
    def test_percent_format(self):
        one = base()
        self.assertEqual([kind for kind, _ in one.cells], ["code", "markdown", "code", "code"])
        self.assertEqual([position for position, _ in one.steps], [1, 3, 4])
        self.assertEqual(one.cells[1][1], "Prices")
        self.assertEqual(one.compare, ["total"])

    def test_stored_bases_are_read(self):
        found = bases.every()
        self.assertGreaterEqual(len(found), 60)
        for one in found:
            self.assertTrue(one.compare, one.name)


class Operators(unittest.TestCase):
    def test_there_are_many_and_each_says_its_mistake(self):
        self.assertGreaterEqual(len(ALL), 80)
        for one in ALL.values():
            self.assertTrue(one.mistake.endswith("."), one.id)

    def test_an_edit_changes_only_its_place(self):
        book = Book(base())
        for one in ALL.values():
            for position, edit in mutants.places(book, one, 1):
                if one.session:
                    self.assertTrue(edit.steps != book.base.steps or edit.cells != book.base.cells, one.id)
                    continue
                text = book.base.cells[position - 1][1]
                self.assertTrue(0 <= edit.start <= edit.end <= len(text), one.id)
                self.assertNotEqual(mutants.applied(text, edit), text, one.id)

    def test_every_operator_applies_somewhere(self):
        books = [Book(one) for one in bases.every()]
        unused = [one.id for one in ALL.values() if not any(mutants.places(book, one, 1) for book in books)]
        # Those for libraries whose bases another environment has.
        self.assertLess(len(unused), len(ALL) // 8, unused)


class Drawing(unittest.TestCase):
    def test_same_seed_same_mutants(self):
        one, other = ([(m.id, m.cells) for m in mutants.drawn(base(), 7)] for _ in range(2))
        self.assertEqual(one, other)
        self.assertNotEqual(one, [(m.id, m.cells) for m in mutants.drawn(base(), 8)])

    def test_halves(self):
        names = [one.name for one in bases.every()]
        kept = [name for name in names if mutants.third("base", name)]
        self.assertTrue(len(names) // 5 < len(kept) < len(names) // 2)
        for name in kept:
            self.assertEqual(mutants.half(name, ("name-misspelt",)), "judge")
        held = [name for name in ALL if mutants.third("operator", name)]
        self.assertTrue(len(ALL) // 5 < len(held) < len(ALL) // 2)
        self.assertTrue(all(mutants.half(name, (held[0], "name-misspelt")) == "judge" for name in names))

    def test_two_faults_are_in_two_cells(self):
        for one in mutants.drawn(base(), 3):
            if len(one.operators) == 2:
                self.assertEqual(sum(a != b for a, b in zip(one.cells, one.base.cells)), 2)


def mutant(cells=None, steps=None, **more):
    one = base()
    cells = cells or one.cells
    made = mutants.Mutant(one, ("x",), 0, cells, steps or mutants.ordered(cells), [("prise", "price")], **more)
    made.left = []
    return made


class Twins(unittest.TestCase):
    def written(self, technique, wrong=("price", "prise"), cell=4):
        """A program with one word of a cell broken, otherwise written: its cells by position."""
        cells = [(kind, text.replace(*wrong) if i == cell else text) for i, (kind, text) in enumerate(base().cells, 1)]
        other = twins.twin(mutant(cells), technique)
        return other and dict(enumerate((text for _, text in other.cells), 1))

    def test_a_range_is_carried_over_what_differs(self):
        gap = rewrites.Gap("a = f(x, 'one')", "a = f(x, 'oone')")
        self.assertEqual(gap.moved(0, 5), (0, 5, False))
        self.assertEqual(gap.moved(9, 14), (9, 15, True))
        self.assertEqual(gap.moved(14, 15), (15, 16, False))
        self.assertIsNone(rewrites.Gap("abcdef", "abXYef").moved(3, 6))

    def test_a_broken_literal_goes_into_a_variable(self):
        self.assertEqual(self.written("literal above")[4].split("\n")[:2], ['chosen_4_0 = "prise"', "total = df[chosen_4_0].sum()"])
        earlier = self.written("literal earlier")
        self.assertEqual(earlier[1], 'chosen = "prise"\nimport pandas as pd')
        self.assertEqual(earlier[4].split("\n")[0], "total = df[chosen].sum()")

    def test_cells_are_divided_and_joined(self):
        self.assertEqual(self.written("cell divided")[4], 'total = df["prise"].sum()')
        self.assertEqual(self.written("cell divided")[5], 'print("total", total)')
        self.assertIn('False)\n\ntotal = df["prise"]', self.written("cells joined")[3])

    def test_a_cell_becomes_a_function_or_a_method(self):
        self.assertEqual(
            self.written("in a function")[4],
            'def step():\n    global total\n    total = df["prise"].sum()\n    print("total", total)\n\nstep()',
        )
        self.assertTrue(self.written("in a class")[4].startswith("class Step:\n    def run(self):\n        global total\n"))
        # A name that is broken where it is set stays the program's.
        self.assertIn("global total", self.written("in a function", ("total =", "totl ="))[4])

    def test_broken_lines_are_swapped_whole(self):
        text = "one = 1\ntwo = [2\nprint(one, two)"
        self.assertEqual(rewrites.exchanged("one = 1\ntwo = [2", "one = 1", "two = [2]", "\n"), "two = [2\none = 1")
        self.assertIsNone(rewrites.exchanged(text, "one = 2", "two = 2", "\n"))

    def test_lines_break_within_brackets(self):
        self.assertIn('print("total",\n        total)', self.written("line breaks")[4])

    def test_arguments_get_and_lose_their_names(self):
        text = TEXT.replace("total = ", "def add(a, b=1):\n    return a\nadd(2, 3)\nadd(2, b=3)\ntotal = ")
        one = base(text)
        cells = [(kind, text.replace("prise", "price")) for kind, text in one.cells]
        cells[3] = ("code", cells[3][1].replace("price", "prise"))
        broken = mutants.Mutant(one, ("x",), 0, cells, mutants.ordered(cells), [("prise", "price")])
        self.assertIn("add(2, b=3)\nadd(a=2, b=3)", twins.twin(broken, "by name").cells[3][1])
        self.assertIn("add(2, 3)\nadd(2, 3)", twins.twin(broken, "by position").cells[3][1])

    def test_every_technique_changes_stored_bases(self):
        drawn = [one for each in bases.every()[::9] for _, one in zip(range(6), mutants.drawn(each, 3))]
        for technique in twins.TECHNIQUES:
            self.assertTrue(any(twins.twin(one, technique) for one in drawn), technique)


class Following(unittest.TestCase):
    def test_an_edit_runs_from_the_top(self):
        edit = {"cell": 4, "start": {"line": 1, "column": 9}, "end": {"line": 1, "column": 11}, "text": "frame"}
        done = fixes.followed({"kind": "edit", "edits": [edit]}, base().cells, base().steps, 2, False)
        self.assertTrue(done.cells[3][1].startswith("total = frame["))
        self.assertEqual([i for i, _ in done.steps], [1, 3, 4])
        self.assertEqual(done.may_fail, ())

    def test_cells_to_run_go_on_in_the_session(self):
        steps = [step for step in base().steps if step[0] != 3]
        done = fixes.followed({"kind": "run", "run": [3]}, base().cells, steps, 1, True)
        self.assertEqual([i for i, _ in done.steps], [1, 4, 3, 4])
        self.assertEqual(done.may_fail, (1,))

    def test_what_cannot_be_followed_is_refused(self):
        for fix in ({"kind": "edit"}, {"kind": "run"}, {"kind": "run", "run": [2]}, {"kind": "run", "run": [9]}):
            with self.assertRaises(fixes.Refused):
                fixes.followed(fix, base().cells, base().steps, 2, False)

    def test_saved_as_a_front_end_saves(self):
        sheet = fixes.saved(base().cells, {1: (1, []), 3: (2, error("KeyError", "'prise'"))})
        self.assertEqual([cell.get("execution_count") for cell in sheet["cells"]], [1, None, 2, None])
        self.assertEqual(sheet["cells"][3]["outputs"], [])
        self.assertEqual("".join(sheet["cells"][2]["source"]), base().cells[2][1])


class Judging(unittest.TestCase):
    shaky = {"names": set(), "cells": set()}
    calm = {"outputs": [[], [], [{"output_type": "stream", "name": "stdout", "text": "total 3\n"}]]}

    def verdict(self, now, one=None, before=None):
        one = one or mutant()
        program = types.SimpleNamespace(cells=one.cells, steps=one.steps, may_fail=())
        before = before or {"at": 2, "outputs": [[], [], error("KeyError", "'prise'")]}
        return judge.after(one, program, before, now, self.calm, self.shaky)[0]

    def test_verdicts(self):
        same = {"end": "", "at": None, "values": {"total": "same"}, "outputs": self.calm["outputs"]}
        self.assertEqual(self.verdict(same), "repaired")
        self.assertEqual(self.verdict({**same, "values": {"total": "differs"}}), "other values")
        self.assertEqual(self.verdict({**same, "values": {"total": "missing"}}), "other values")
        shown = [[], [], [{"output_type": "stream", "name": "stdout", "text": "total 4\n"}]]
        self.assertEqual(self.verdict({**same, "outputs": shown}), "other values")
        failed = {"end": "error", "at": 2, "values": {}, "outputs": [[], [], error("KeyError", "'prise'")]}
        self.assertEqual(self.verdict(failed), "still failing")
        self.assertEqual(self.verdict({**failed, "at": 1, "outputs": [[], error("TypeError", "x")]}), "worse")
        self.assertEqual(self.verdict({**failed, "outputs": [[], [], error("NameError", "name 'frame' is not defined")]}), "worse")
        self.assertEqual(self.verdict({"end": "timeout", "at": None, "values": {}, "outputs": []}), "still failing")

    def test_one_of_two_faults_is_left(self):
        one = mutant()
        one.left = [{"position": 4, "error": ("TypeError", "other")}]
        left = {"end": "error", "at": 2, "values": {}, "outputs": [[], [], error("TypeError", "other")]}
        self.assertEqual(self.verdict(left, one), "repaired")

    def test_words(self):
        fix = {"title": "Replace prise by price", "why": ""}
        self.assertEqual(judge.words({"title": "", "fix": fix}, [("prise", "price")]), "precise")
        self.assertEqual(judge.words({"title": "", "fix": {"title": "Look at prise"}}, [("prise", "price")]), "vague")

    def test_values(self):
        self.assertTrue(values.same(values.still({"a": [1, 2.0, "x"]}), values.still({"a": [1, 2.0000001, "x"]})))
        self.assertFalse(values.same(values.still([1, 2]), values.still([1, 3])))
        self.assertFalse(values.same(values.still("1"), values.still(1)))
        self.assertTrue(values.same_text("mean 0.123456 of 3", "mean  0.123457 of 3"))
        self.assertFalse(values.same_text("mean 0.2 of 3", "mean 0.3 of 3"))


class Edits(unittest.TestCase):
    def test_a_name_read_above_its_line(self):
        good = [("code", "import torch\ndevice = torch.device('cpu')")]
        bad = [("code", "device = torch.device('cpu')\nimport torch")]
        self.assertEqual(edits.early(good), set())
        self.assertEqual(edits.early(bad), {"torch"})

    def test_functions_read_later(self):
        self.assertEqual(edits.early([("code", "def f():\n    return late\nlate = 1\nx = [i for i in range(3)]\ny = x")]), set())
        self.assertEqual(edits.early([("code", "n = n + 1")]), {"n"})

    def test_code_that_a_title_quotes(self):
        lost = "losses.append(running_loss / len(loader).item())"
        self.assertTrue(edits.unsaid("Write losses.append((running_loss / len(loader)).item())", [lost]))
        self.assertFalse(edits.unsaid("Write losses.append(running_loss / len(loader).item())", [lost]))
        self.assertFalse(edits.unsaid("Replace a.b by f( x ) in line 3", ["y = f(x)"]))
        self.assertTrue(edits.unsaid("Replace a.b by f( x ) in line 3", ["y = g(x)"]))
        self.assertFalse(edits.unsaid("Write the number without leading zeros", ["x = 7"]))

    def test_an_import_twice(self):
        self.assertTrue(edits.adds_again("import os\nx = 1", "import os\nimport os\nx = 1"))
        self.assertFalse(edits.adds_again("x = 1", "import os\nx = 1"))


class Stored(unittest.TestCase):
    def test_the_numbers_of_a_run_are_held(self):
        held = {"repaired": 90, "worse": 1}
        self.assertEqual(sample.numbers({"sure": {"edits": 100, "repaired": 90, "worse": 1}, "held": held}), [])
        self.assertEqual(len(sample.numbers({"sure": {"edits": 100, "repaired": 89, "worse": 2}, "held": held})), 2)


if __name__ == "__main__":
    done = unittest.main(exit=False).result
    bad = len(done.failures) + len(done.errors)
    print(f"{done.testsRun - bad} passed, {bad} failed")
    sys.exit(bool(bad))
