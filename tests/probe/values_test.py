"""Tests what the start cell tells of values: `values_test.py`, run by a Python whose libraries to test; programs of libraries that
it lacks are left out. The programs fail as a cell does; what is told is compared with what they print of themselves."""

import builtins
import gc
import importlib.util
import itertools
import json
import linecache
import pathlib
import re
import sys
import time
import traceback
import types
import unittest.mock

from values_programs import HOSTILE, KNOWN, LEAKS, OBJECTS, REAL

SOURCE = pathlib.Path(__file__).parents[2] / "probe/cell/values.py"
code = {}
for source in (SOURCE, SOURCE.with_name("sampler.py"), SOURCE.with_name("judge.py")):
    exec(compile(source.read_text(), str(source), "exec"), code)


def told(shell, error):
    return code["nbmedic_values"](shell, error, code["shown"])


class Shell:
    """The part of IPython's shell that matters here."""

    def __init__(self):
        self.user_ns = {"__name__": "__main__", "__builtins__": builtins}
        self.count = 0

    def run(self, source):
        """Runs a cell; returns its exception."""
        self.count += 1
        name = f"<cell {self.count}>"
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        try:
            exec(compile(source, name, "exec"), self.user_ns)
        except Exception as error:
            return error
        return None


def look(*cells):
    """What is told of the last cell's failure: the text, the names' facts, and the seconds that it took."""
    shell = Shell()
    for cell in cells[:-1]:
        error = shell.run(cell)
        assert error is None, (cell, error)
    error = shell.run(cells[-1])
    assert error is not None, cells[-1]
    # As the hook does.
    gc.disable()
    began = time.thread_time()
    text = told(shell, error)
    took = time.thread_time() - began
    gc.enable()
    machine = re.search(r"\n⟦nbmedic:1 (.*)⟧$", text)
    facts = {}
    for _, _, names in json.loads(machine[1])["f"] if machine else []:
        facts.update(dict(names))
    return text, facts, took


def machine_of(text):
    return json.loads(re.search(r"\n⟦nbmedic:1 (.*)⟧$", text)[1])


def who_holds_the_memory_is_named_first():
    seen = 0
    for library, cells, name, wanted in LEAKS:
        if library and not importlib.util.find_spec(library):
            continue
        seen += 1
        shell = Shell()
        for cell in cells[:-1]:
            assert shell.run(cell) is None, cell
        vars(code["nbmedic_values"]).pop("kept", None)
        error = shell.run(cells[-1])
        gc.disable()
        began = time.thread_time()
        text = told(shell, error)
        took = time.thread_time() - began
        gc.enable()
        (first, facts), *_ = machine_of(text).get("h", [[cells, 0]])
        wanted = eval(wanted, {"sys": sys}, shell.user_ns)
        assert first == name and abs(facts["b"] - wanted) <= wanted / 20, (cells, wanted, first, facts)
        assert f"memory, the largest first\n    {name} = " in text and len(text.encode()) <= 4096 and took < 0.06, (took, text)
        assert ("g" in facts) == ("history.append(net(" in str(cells) or "w *" in str(cells)), facts
    print(f"{seen} programs that fill memory")


def what_is_sampled_stands_for_elements_only():
    """However short the time is, an object's attributes and a table's parts are not alike, as a list's elements are."""
    for library, cells, name in (
        (None, ["class Run: pass", "run = Run()\nrun.log, run.a, run.b = [f'{n:03}' * 9000 for n in range(900)], [1], [2]", "bytes(1 << 60)"], "run.log"),
        ("pandas", ["import pandas as pd", "df = pd.DataFrame({'a': [f'text {n:06}' for n in range(10 ** 5)]}, dtype=object)", "bytes(1 << 60)"], "df"),
    ):
        if library and not importlib.util.find_spec(library):
            continue
        shell = Shell()
        for cell in cells[:-1]:
            assert shell.run(cell) is None, cell
        error = shell.run(cells[-1])
        (first, long), *_ = machine_of(told(shell, error))["h"]
        slow = types.ModuleType("time")
        slow.thread_time = lambda ticks=itertools.count(): next(ticks) / 5000
        with unittest.mock.patch.dict(sys.modules, time=slow):
            (again, short), *_ = machine_of(told(shell, error))["h"]
        assert next(slow.thread_time.__defaults__[0]) > 20, "the clock was asked"
        assert first == again == name and abs(short["b"] - long["b"]) < long["b"] / 10, (long, short)


def the_first_are_told_on_a_busy_machine():
    """Processor time that others took, as a shared machine counts it, is no reason to say nothing."""
    shell = Shell()
    cells = "def load():\n    rows = bytes(20 << 20)\n    1 / 0\nload()", "few = [bytes(3 << 20) for _ in range(3)]\nbytes(1 << 60)"
    slow = types.ModuleType("time")
    slow.thread_time = lambda ticks=itertools.count(): next(ticks)
    with unittest.mock.patch.dict(sys.modules, time=slow):
        texts = [told(shell, shell.run(cell)) for cell in cells]
        names = told(shell, shell.run("few[7]"))
    assert next(slow.thread_time.__defaults__[0]) > 20, "the clock was asked"
    (first, rows), (second, few) = machine_of(texts[1])["h"]
    assert (first, second, few["n"]) == ("rows", "few", 3), texts
    assert rows["b"] >> 20 == 20 and abs(few["b"] - (9 << 20)) < 1 << 18, texts
    assert "few = list of 3 bytes" in names, names


def what_the_traceback_before_kept_is_told():
    if not importlib.util.find_spec("numpy"):
        return
    shell = Shell()
    told(shell, shell.run("import numpy as np\ndef step():\n    batch = np.ones(1 << 20)\n    1 / 0\nstep()"))
    text = told(shell, shell.run("np.empty(1 << 50)"))
    assert machine_of(text)["h"] == [["batch", {"t": "ndarray", "b": 8 << 20, "a": 1, "in": "step", "was": 1}]], text
    assert "h" not in machine_of(told(shell, shell.run("np.foo")))
    assert "h" not in machine_of(told(shell, shell.run("np.empty(1 << 50)")))


def hostile_objects_are_not_weighed():
    for expression in OBJECTS:
        text, facts, took = look(HOSTILE, f"thing = {expression}\nholds = [thing, {{1: thing}}]\nclass Has: pass\nhas = Has()\nhas.it = thing", "bytes(1 << 60) if touched is not thing else 0")
        assert facts["touched"] == {"t": "list", "n": 0, "of": ""}, (expression, text)
        assert took < 0.06 and len(text.encode()) <= 4096, (expression, took)
    names = "\n".join(f"value_{n} = [[bytes(2000 + j) for j in range(20)] for _ in range(50)]" for n in range(60))
    text, _, took = look(names, "bytes(1 << 60)")
    assert len(machine_of(text)["h"]) == 8 and took < 0.06 and len(text.encode()) <= 4096, (took, text)


def values_are_what_they_are():
    seen = 0
    for library, cells, name, wanted in KNOWN:
        if library and not importlib.util.find_spec(library):
            continue
        seen += 1
        text, facts, took = look(*cells)
        got = facts[name]
        assert {key: got.get(key) for key in wanted} == wanted, (cells, got)
        assert text.startswith("nbmedic: values when it failed\n  ") and len(text.encode()) <= 4096, text
        assert took < 0.06, (cells, took)
    print(f"{seen} programs")


def hostile_objects_are_left_alone():
    for expression in OBJECTS:
        text, facts, took = look(HOSTILE, f"thing = {expression}", "1 / 0 if touched is not thing else 0")
        assert "thing" in facts, (expression, text)
        assert facts["touched"] == {"t": "list", "n": 0, "of": ""}, (expression, text)
        assert took < 0.06 and len(text.encode()) <= 4096, (expression, took)
    text, facts, _ = look("loop = []\nloop.append(loop)", "loop[5]")
    assert facts["loop"] == {"t": "list", "n": 1, "of": "list"}, facts
    text, facts, took = look("many = dict.fromkeys(range(10 ** 7))", "many['x']")
    assert facts["many"] == {"t": "dict", "n": 10 ** 7, "of": "NoneType"} and took < 0.06, (text, took)


def what_libraries_load_late_is_left_alone():
    seen = 0
    for library, expression, wanted in REAL:
        if not importlib.util.find_spec(library):
            continue
        seen += 1
        # In memory failures all objects are weighed.
        for last in ("1 / 0 if touched is not thing else 0", "bytes(1 << 60) if touched is not thing else 0"):
            text, facts, took = look(HOSTILE, f"thing = {expression}", last)
            assert {key: facts["thing"].get(key) for key in wanted} == wanted, (expression, text)
            assert facts["touched"] == {"t": "list", "n": 0, "of": ""}, (expression, text)
            assert took < 0.06 and len(text.encode()) <= 4096, (expression, took)
    print(f"{seen} objects of libraries")


def the_operands_that_failed_are_said():
    if sys.version_info < (3, 11):
        return
    text, facts, _ = look("a, b, c = [1], {'k': 2}, 'x'", "d = a[0], b['q'], c, a")
    assert "  line 1, at b['…']\n    b = " in text and facts["b"]["at"] == 1 and "at" not in facts["a"], text
    text, facts, _ = look("a, b, é = 1, 'x', 3", "é + é, (a +\n  b)")
    assert "  line 1\n    a = 1\n" in text and facts["a"]["at"] == 1 and "at" not in facts["é"], text
    # Where all of it failed, there is nothing to say.
    text, facts, _ = look("a, b = 1, 'x'", "a + b")
    assert "  line 1\n" in text and "at" not in facts["a"], text


def secrets_are_not_told():
    cells = ["api_key = 'plainword'\ntoken = 'abc'\nurl = 'postgres://me:pw@host/db'\nx = 'hf_abcdefghijklmnop1234'\nok = 'mean'", "ok + api_key + token + url + x + 1"]
    text, facts, _ = look(*cells)
    assert facts["ok"]["v"] == "mean"
    for secret in ("plainword", "'abc'", "postgres", "hf_abc"):
        assert secret not in text, (secret, text)
    # A report's redaction knows these, too.
    text, facts, _ = look("path, mail, login_as, note = '/home/ada/x.csv', 'ada@example.org', 'ada', 'mean'", "path + mail + login_as + note + 1")
    assert "ada" not in text and facts["path"] == {"t": "str", "n": 15} and facts["note"]["v"] == "mean", text
    text, facts, _ = look("of = {'ada@example.org': 1, 'user_id': 2, 'größe': 3}", "of[1]")
    assert facts["of"]["k"] == ["user_id", "größe"] and "ada" not in text, text
    if importlib.util.find_spec("pandas"):
        text, facts, _ = look("import pandas as pd", "df = pd.DataFrame({'ada@example.org': [1], 'user_id': [None], 'größe': [3]})", "df['x']")
        assert facts["df"]["c"] == ["…", "user_id", "größe"] and "ada" not in text, text
    text, _, _ = look("auth, n = {}, 1", "m = n, auth['ada'] + 1")
    assert ", at " not in text and "ada" not in text, text


def it_ends_in_time_and_within_its_bounds():
    names = [f"value_{n}" for n in range(200)]
    cell = "\n".join(f"{name} = list(range({n}))" for n, name in enumerate(names))
    text, facts, took = look(cell, "(" + ", ".join(names) + ")[999]")
    assert 10 < len(facts) <= 60 and len(text.encode()) <= 4096 and took < 0.06, (len(facts), took)
    # Wide tables lose columns before their names are lost, and non-ASCII ones take more room.
    if importlib.util.find_spec("pandas"):
        text, facts, took = look("import pandas as pd", "df = pd.DataFrame({f'Größe der Fläche {n} ' + 'ä' * 30: [n] for n in range(60)})", "n = 1; df['x']")
        assert facts["df"]["s"] == [1, 60] and 3 < len(facts["df"]["c"]) == len(facts["df"]["ct"]) < 60 and len(text.encode()) <= 4096, text
    many = "\n".join(f"{'ä' * 50}{n} = [bytes({2000000 + n})]" for n in range(20))
    text, _, _ = look(many, "bytes(1 << 60)")
    assert 2 < len(machine_of(text)["h"]) <= 8 and len(text.encode()) <= 4096, text
    deep = "def f(n):\n    return f(n - 1) if n else 1 / 0"
    text, facts, took = look(deep, "f(500)")
    assert facts["n"] == {"t": "int", "v": "0"} and took < 0.06, (text, took)


def nothing_steers_a_terminal_or_forges_the_machine_part():
    text, _, _ = look("d = {'a\\x1b[2J⟧': 1, '\\u202eb': 2}", "d['x']")
    words, _, machine = text.partition("\n⟦")
    assert all(c.isprintable() or c == "\n" for c in words) and "⟧" not in words, words
    assert json.loads(machine[len("nbmedic:1 ") : -1])["k"] == "v" and machine.isascii() is False and machine.count("⟧") == 1, machine


def no_reference_is_kept():
    import weakref

    shell = Shell()
    shell.run("class A: pass\na = A()")
    ref = weakref.ref(shell.user_ns["a"])
    told(shell, shell.run("a + 1"))
    del shell.user_ns["a"]
    gc.collect()
    assert ref() is None


if __name__ == "__main__":
    tests = [one for name, one in list(globals().items()) if callable(one) and getattr(one, "__module__", "") == "__main__" and not name[0].isupper() and name not in ("look", "told", "machine_of")]
    failed = 0
    for test in tests:
        try:
            test()
            print("ok ", test.__name__, flush=True)
        except Exception:
            failed += 1
            print("FAIL", test.__name__, flush=True)
            traceback.print_exc(file=sys.stdout)
    sys.exit(1 if failed else 0)
