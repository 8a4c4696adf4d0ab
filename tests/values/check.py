"""Compares the rows of src/values/rows with the libraries.

Each example of a row runs in the real library, and the model says what it would give (the program `values` of the crate): its
kind, its elements' type, its sizes, its columns. All that the model says must be so, and it must say something. A row without an
example is listed, with the reason that its line gives.

    python tests/values/check.py MODEL GROUP [FILE...]

MODEL is the program, GROUP the environment (tests/cures/requirements-GROUP.txt) whose files are checked: each names its own on
its first line.
"""

import contextlib
import importlib
import inspect
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

ROWS = pathlib.Path(__file__).resolve().parents[2] / "src" / "values" / "rows"
# What the model calls a kind, where the library's own name is another one.
NAMES = {"Array": ("ArrayImpl",), "shape": ("tuple", "Size", "TensorShape"), "function": ("function", "builtin_function_or_method")}

# Where the kinds with methods are, to look at the order of their parameters.
KINDS = {
    "DataFrame": "pandas.DataFrame",
    "Series": "pandas.Series",
    "Index": "pandas.Index",
    "Tensor": "torch.Tensor",
    "Axes": "matplotlib.axes.Axes",
    "Figure": "matplotlib.figure.Figure",
    "PCA": "sklearn.decomposition.PCA",
    "CountVectorizer": "sklearn.feature_extraction.text.CountVectorizer",
    "PolarsDataFrame": "polars.DataFrame",
    "PolarsExpr": "polars.Expr",
    "PolarsSeries": "polars.Series",
}


def read(path):
    """The rows of a file: its line, the row, the examples, the Python before it."""
    prelude, out = [], []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("> "):
            prelude.append(line[2:])
        elif line and not line.startswith(("#", "alias ", "kind ")):
            row, _, examples = line.partition("  # ")
            out.append((number, row.strip(), [e.strip() for e in examples.split(" | ") if e.strip()], "\n".join(prelude)))
    return out


def names(value):
    return [c.__name__ for c in type(value).__mro__]


def kind_is(kind, value):
    if kind == "scalar":
        return "generic" in names(value)
    if kind == "function":
        return callable(value)
    # Where PyTorch has a kind of the same name.
    if kind.startswith("Keras") and kind != "KerasTensor":
        kind = kind.removeprefix("Keras")
    # Where pandas has one, or nothing but polars.
    kind = kind.removeprefix("Polars")
    return any(n in NAMES.get(kind, (kind,)) for n in names(value))


def dims(value):
    """The sizes of a value by axis; of a container its length."""
    shape = getattr(value, "shape", None)
    if shape is not None and not isinstance(value, type):
        return [None if n is None else int(n) for n in shape]
    if type(value).__name__ in ("Size", "TensorShape"):
        return list(value)
    if hasattr(value, "__len__"):
        return [len(value)]
    return None


def differences(told, value, where=""):
    """What the model says of a value that is not so."""
    kind = told["kind"]
    if kind and not kind_is(kind, value):
        yield f"{where}kind {kind}, is {type(value).__name__}"
        return
    if told["int"] is not None and (not hasattr(value, "__index__") or int(value) != told["int"]):
        yield f"{where}{told['int']}, is {value!r}"
    if told["dims"] is not None and kind and kind != "PolarsExpr":
        real = list(value) if kind == "shape" else dims(value)
        same = {}
        if real is None or len(real) != len(told["dims"]):
            yield f"{where}sizes {told['dims']}, are {real}"
        elif any(r != t if isinstance(t, int) else same.setdefault(t, r) != r for t, r in zip(told["dims"], real)):
            yield f"{where}sizes {told['dims']}, are {real}"
    if told["dtype"] and kind not in ("dtype", "type", "shape", "str"):
        dtype = getattr(value, "dtype", None)
        real = getattr(dtype, "name", None) or str(dtype)
        if real != told["dtype"]:
            yield f"{where}type {told['dtype']}, is {real}"
    # An expression of polars: the name of what it makes.
    if kind == "PolarsExpr":
        if told["columns"] is not None and told["columns"] != [value.meta.output_name()]:
            yield f"{where}name {told['columns']}, is {value.meta.output_name()}"
        return
    if told["columns"] is not None and list(getattr(value, "columns", [])) != told["columns"]:
        yield f"{where}columns {told['columns']}, are {list(getattr(value, 'columns', []))}"
    if told["parts"] and kind in ("tuple", "list"):
        for i, (part, real) in enumerate(zip(told["parts"], value)):
            yield from differences(part, real, f"{where}part {i}: ")


def target(row, scope):
    """The function or method of a row, if it can be looked up by its name."""
    name = row.partition("(")[0]
    first, *rest = name.split(".")
    try:
        if first in KINDS:
            module, _, kind = KINDS[first].rpartition(".")
            found = getattr(importlib.import_module(module), kind)
        else:
            found = importlib.import_module(first)
            path = first
            for part in rest[:-1]:
                path += f".{part}"
                with contextlib.suppress(ImportError):
                    importlib.import_module(path)
        for part in rest:
            found = getattr(found, part)
        return found, first in KINDS
    except (ImportError, AttributeError):
        return None, False


def misplaced(row):
    """A parameter that stands at another place in the library's own signature."""
    head = re.match(r"([\w.]+)\((.*?)\) ->", row)
    if not head or not head[2]:
        return None
    given = []
    for part in re.split(r",\s*", head[2]):
        if part.startswith("*") or part == "...":
            break
        given.append(part.partition("=")[0])
    found, method = target(row, {})
    try:
        real = list(inspect.signature(found).parameters.values())
    except (TypeError, ValueError):
        return None
    if method:
        real = real[1:]
    if any(p.kind == p.VAR_POSITIONAL for p in real):
        return None
    real = [p for p in real if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if any(p.name.startswith("_") or p.kind == p.POSITIONAL_ONLY for p in real):
        return None
    names = [p.name for p in real][: len(given)]
    return None if names == given else f"its parameters are {', '.join(p.name for p in real)}"


def check(model, paths):
    asked, told = [], []
    for path in paths:
        for number, row, examples, prelude in read(path):
            asked += [(path, number, row, e, prelude) for e in examples]
    lines = [json.dumps({"source": f"{prelude}\n{example}"}) for *_, example, prelude in asked]
    run = subprocess.run([model], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    told = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(told) == len(asked), "the model answers each line"
    wrong, checked = [], set()
    for (path, number, row, example, prelude), says in zip(asked, told):
        place = f"{path.name}:{number}: {example}"
        scope = {}
        try:
            exec(prelude, scope)
            value = eval(example, scope)
        except Exception as error:
            wrong.append(f"{place}: it fails: {type(error).__name__}: {error}")
            continue
        if not says or not says["kind"]:
            wrong.append(f"{place}: the model knows nothing of it ({type(value).__name__})")
            continue
        different = list(differences(says, value))
        wrong += [f"{place}: {d}" for d in different]
        if not different:
            checked.add((path, number))
    rows = [(path, number, row, examples) for path in paths for number, row, examples, _ in read(path)]
    wrong += [f"{path.name}:{n}: {why}: {row}" for path, n, row, _ in rows if (why := misplaced(row))]
    bare = [(path, number, row) for path, number, row, examples in rows if not examples]
    for line in wrong:
        print(line)
    print(f"{len(rows)} rows, {len(asked)} examples: {len(checked)} rows hold, {len(bare)} have no example, {len(wrong)} differences")
    if "-v" in sys.argv:
        for path, number, row in bare:
            print(f"  no example: {path.name}:{number}: {row}")
    return not wrong


def main():
    warnings.simplefilter("ignore")
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    os.environ["MPLBACKEND"] = "Agg"
    model, group, *files = [a for a in sys.argv[1:] if a != "-v"]
    paths = sorted(ROWS.glob("*.txt"))
    paths = [p for p in paths if re.match(rf"# Environment: {group}\b", p.read_text()) and (not files or p.stem in files)]
    model = os.path.abspath(model)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        good = check(model, paths)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
