"""Tests what the start cell tells of values, in real kernels: `values_kernels.py CELL [FOLDER…]`, run by the Python whose kernels to
test. FOLDER: a folder with libraries, which its kernels have in addition. Programs whose library is not there are left out. After each failure
the kernel itself is asked, by the libraries' own means, what its names are; that must be what was told."""

import ast
import json
import pathlib
import re
import sys
import traceback

from kernels import Kernel, Reaper
from values_programs import HOSTILE, KNOWN, LEAKS, OBJECTS, REAL

CELL, FOLDERS = pathlib.Path(sys.argv[1]).read_text(), sys.argv[2:]
MACHINE = re.compile(r"\n⟦nbmedic:1 (.*)⟧$")
# What a program prints of itself: nothing of it is the start cell's.
ASKED = r'''
def asked(names):
    import json, sys
    step, frames = sys.last_traceback, []
    while step is not None:
        frames.append((step.tb_lineno, step.tb_frame.f_code.co_name, step.tb_frame))
        step = step.tb_next
    def of(value):
        name, root = type(value).__name__, type(value).__module__.split(".")[0]
        told = {"t": name}
        if root in ("numpy", "torch", "tensorflow", "jaxlib") and hasattr(value, "shape") and hasattr(value, "dtype") and name[-1] not in "0123456789":
            told.update(s=[int(n) for n in value.shape], d=str(getattr(value.dtype, "name", value.dtype) if root != "numpy" else value.dtype).replace("torch.", ""))
            if root == "torch":
                told.update(dev=str(value.device), **({"grad": 1} if value.requires_grad else {}))
            import numpy
            here = value.detach().numpy() if root == "torch" else numpy.asarray(value)
            nan = numpy.isnan(here).sum() + numpy.isinf(here).sum() if "float" in told["d"] and told["d"] != "bfloat16" else 0
            told.update({"nan": int(nan)} if nan else {})
        elif name == "DataFrame":
            told.update(s=list(value.shape), c=[str(c) for c in value.columns], ct=[str(d) for d in value.dtypes], na=[c for c in value.columns if value[c].hasnans])
        elif name == "Series":
            told.update(n=value.size, d=str(value.dtype))
        elif name in ("list", "tuple", "dict", "bytes", "str"):
            told.update(n=len(value))
            if name == "dict":
                told.update(k=list(value))
        elif name in ("bool", "int", "float", "NoneType", "range"):
            told.update(v=repr(value) if len(repr(value)) < 60 else None)
        elif name == "function":
            import inspect
            told.update(a=list(inspect.signature(value).parameters))
        elif name == "module":
            told.update(v=getattr(value, "__version__", ""))
        elif isinstance(value, type):
            told.update(t="class")
        elif hasattr(value, "state_dict"):
            told.update(l={key: getattr(value, key) for key in ("in_features", "out_features", "in_channels", "out_channels") if hasattr(value, key)})
        return told
    found = []
    for line, function, name in names:
        frame, = [f for at, of_, f in frames if (at, of_) == (line, function)][-1:]
        found.append(of(eval(name, frame.f_globals, frame.f_locals)))
    return json.dumps(found)
'''


def told(messages):
    """What the start cell displays below a failure: its text, and what it holds for programs."""
    shown, = [m["content"]["data"]["text/plain"] for m in messages if m["msg_type"] == "display_data" and "values when it failed" in str(m["content"])]
    return shown, json.loads(MACHINE.search(shown)[1])


class Fresh:
    """A kernel with the start cell, which forgets its variables between programs."""

    def __init__(self, server):
        self.kernel = Kernel(server)
        # Otherwise what comes right after a failure is aborted, unseen.
        self.kernel.start = lambda code: self.kernel.client.execute(code, stop_on_error=False)
        self.kernel.run(f"import sys\nsys.path += {FOLDERS!r}")
        self.kernel.run(CELL)
        self.kernel.run(ASKED)
        self.kernel.run("kept = set(globals()) | {'kept'}")
        self.there = {None: True}

    def has(self, library):
        if library not in self.there:
            self.there[library] = self.kernel.value(f"__import__('importlib.util').util.find_spec({library!r}) is not None") == "True"
        return self.there[library]

    def fail(self, cells):
        self.kernel.run("for name in set(globals()) - kept:\n    if name[0] != '_' and name not in ('In', 'Out'): del globals()[name]")
        for cell in cells[:-1]:
            self.kernel.run(cell)
        return told(self.kernel.run(cells[-1], fails=True))


def the_facts_are_what_the_program_prints_of_itself(fresh):
    seen = names = 0
    for library, cells, name, wanted in KNOWN:
        if not fresh.has(library):
            continue
        seen += 1
        shown, machine = fresh.fail(cells)
        assert len(shown.encode()) <= 4096 and "\x1b" not in shown, shown
        rows = [(line, function, *row) for line, function, rows in machine["f"] for row in rows]
        facts = dict(row[2:] for row in rows)
        assert {key: facts[name].get(key) for key in wanted} == wanted, (cells, facts)
        # Texts are told by their length, too, where they may be secrets.
        asked = json.loads(ast.literal_eval(fresh.kernel.value(f"asked({[row[:3] for row in rows]!r})")))
        for (_, _, what, got), own in zip(rows, asked):
            names += 1
            assert all(got.get(key) == value for key, value in own.items() if value is not None), (cells, what, got, own)
    print(f"{seen} programs, {names} names")


def hostile_objects_are_untouched(fresh):
    for expression in OBJECTS:
        shown, machine = fresh.fail([HOSTILE, f"thing = {expression}", "1 / 0 if touched is not thing else 0"])
        facts = dict(row for _, _, rows in machine["f"] for row in rows)
        assert "thing" in facts and facts["touched"] == {"t": "list", "n": 0, "of": ""}, (expression, shown)
    there = [of for of in REAL if fresh.has(of[0])]
    for _, expression, wanted in there:
        shown, machine = fresh.fail([HOSTILE, f"thing = {expression}", "1 / 0 if touched is not thing else 0"])
        facts = dict(row for _, _, rows in machine["f"] for row in rows)
        assert {key: facts["thing"].get(key) for key in wanted} == wanted and facts["touched"]["n"] == 0, (expression, shown)
    print(f"{len(OBJECTS)} objects, {len(there)} of libraries")


def who_holds_the_memory_is_first(fresh):
    seen = 0
    for library, cells, name, wanted in LEAKS:
        # A kernel has an `Out` of its own.
        if not fresh.has(library) or name == "Out":
            continue
        seen += 1
        # What the traceback of the failure before kept is told, too: this one keeps nothing.
        fresh.kernel.run("1 / 0", fails=True)
        shown, machine = fresh.fail(cells)
        (first, facts), *_ = machine["h"]
        wanted = json.loads(fresh.kernel.value(wanted))
        assert first == name and abs(facts["b"] - wanted) <= wanted / 20, (cells, wanted, machine["h"])
    print(f"{seen} programs that fill memory")


# The least time that the hook takes after a cell that did not fail, in microseconds.
COST = r"""
def cost():
    import time
    hook, = [f for f in get_ipython().events.callbacks["post_run_cell"] if f.__qualname__.startswith("nbmedic")]
    class Result: success, error_in_exec = True, None
    times = []
    for _ in range(2000):
        began = time.perf_counter()
        hook(Result)
        times.append(time.perf_counter() - began)
    return min(times) * 1e6
"""


def a_cell_that_does_not_fail_costs_no_more(fresh):
    # The text that starts it says so before.
    assert "prints the values on the failing line" in CELL and 'nbmedic("no values")' in CELL
    fresh.kernel.run(COST)
    looks = float(fresh.kernel.value("cost()"))
    fresh.kernel.run('nbmedic("no values")')
    none = float(fresh.kernel.value("cost()"))
    assert looks - none < 20, (looks, none)
    messages = fresh.kernel.run("[][1]", fails=True)
    assert "values when it failed" not in str(messages)
    print(f"{looks:.1f} µs, without the look at values {none:.1f}")


TESTS = [a_cell_that_does_not_fail_costs_no_more, the_facts_are_what_the_program_prints_of_itself, hostile_objects_are_untouched, who_holds_the_memory_is_first]

if __name__ == "__main__":
    failed, server = 0, Reaper()
    for test in TESTS:
        try:
            test(Fresh(server))
            print(f"ok   {test.__name__}", flush=True)
        except Exception:
            failed += 1
            print(f"FAIL {test.__name__}", flush=True)
            traceback.print_exc(file=sys.stdout)
    server.close()
    sys.exit(1 if failed else 0)
