"""Checks the bases (README.md): `check.py FILE|DIR…` runs each notebook twice and compares its values.

Each environment has two workers with different hash seeds. A worker imports what a notebook needs and forks for each run,
so that the time and memory of the imports don't count.
"""

import ast
import hashlib
import importlib
import io
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

CPU_SECONDS = 2.0
WALL_SECONDS = 60
MEGABYTES = 200
OUTPUT_BYTES = 30_000
CELLS = range(3, 16)
KEYS = ("library", "needs", "compare")
# What libraries import when they are first used.
LATER = {"torch": ["torch._dynamo"], "pandas": ["pyarrow.compute"], "transformers": ["transformers.trainer"]}


class Unfit(Exception):
    """A notebook that breaks a rule of README.md."""


def read(path):
    """A notebook's header as a dict of lists of names, and its cells' sources."""
    header, cells = {}, []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line == "# %%":
            cells.append([])
        elif cells:
            cells[-1].append(line)
        elif line:
            key, colon, names = line.removeprefix("# ").partition(": ")
            if not colon or key not in KEYS or key in header:
                raise Unfit(f"unknown line of the header: {line}")
            header[key] = [name.strip() for name in names.split(",")]
    for key in ("library", "compare"):
        if key not in header:
            raise Unfit(f"no `# {key}:`")
    sources = ["\n".join(lines).strip("\n") for lines in cells]
    if len(sources) not in CELLS:
        raise Unfit(f"{len(sources)} cells")
    if not all(sources):
        raise Unfit("an empty cell")
    return header, sources


def foreign(sources):
    """The modules that the cells import and Python does not bring."""
    found = set()
    for node in ast.walk(ast.parse("\n".join(sources))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module)
    return {name for name in found if top(name) not in sys.stdlib_module_names}


def top(module):
    return module.partition(".")[0]


def plain(value, depth=0):
    """A value as text, with numbers to nine digits; raises Unfit for what can't be compared."""
    if depth > 8:
        raise Unfit("a value nested too deeply")
    kind = type(value)
    of = kind.__module__.partition(".")[0]
    if value is None or kind in (bool, int, str, bytes):
        return repr(value)
    if kind in (float, complex):
        return f"{value:.9g}"
    if kind is dict or isinstance(value, dict):
        return "{" + ",".join(f"{plain(k, depth + 1)}:{plain(v, depth + 1)}" for k, v in value.items()) + "}"
    if isinstance(value, (set, frozenset)):
        return "{" + ",".join(sorted(plain(item, depth + 1) for item in value)) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(plain(item, depth + 1) for item in value) + "]"
    if of == "numpy":
        if getattr(value, "dtype", None) is not None and value.dtype.kind in "OV":
            return plain(value.tolist(), depth + 1)
        return f"{value.dtype}{value.shape}" + plain(value.tolist(), depth + 1)
    if of == "torch" and hasattr(value, "detach"):
        return plain(value.detach().numpy(), depth + 1)
    if of == "torch" and hasattr(value, "state_dict"):
        return plain(dict(value.state_dict()), depth + 1)
    if of in ("tensorflow", "jax", "jaxlib") and hasattr(value, "__array__"):
        return plain(value.__array__(), depth + 1)
    if of == "pandas" and kind.__name__ == "DataFrame":
        return plain([[*map(str, value.dtypes)], list(value.columns), list(value.index), value.to_numpy(object)], depth + 1)
    if of == "pandas" and kind.__name__ == "Series":
        return plain([str(value.dtype), value.name, list(value.index), value.to_numpy(object)], depth + 1)
    if of == "pandas":
        return f"{kind.__name__} {value}"
    if of == "polars" and hasattr(value, "to_dict"):
        return plain(value.to_dict(as_series=False), depth + 1)
    if kind.__module__ in ("datetime", "decimal", "fractions", "pathlib", "pathlib._local", "uuid"):
        return f"{kind.__name__} {value}"
    if kind.__module__ == "__main__" and hasattr(value, "__dict__"):
        return kind.__name__ + plain(vars(value), depth + 1)
    raise Unfit(f"a value of {kind.__module__}.{kind.__name__} can't be compared")


def play(header, sources):
    """Runs the cells in one shell in the current folder: the compared values' digests by name."""
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance(colors="nocolor", cache_size=100)
    shell.history_manager.enabled = False
    sys.modules["__main__"].__dict__.update(shell.user_ns)
    shell.user_ns = sys.modules["__main__"].__dict__
    printed = io.StringIO()
    for number, source in enumerate(sources, 1):
        with redirect_stdout(printed), redirect_stderr(printed):
            done = shell.run_cell(source, store_history=True)
        if not done.success:
            error = done.error_before_exec or done.error_in_exec
            raise Unfit(f"cell {number}: {type(error).__name__}: {error}")
    if len(printed.getvalue()) > OUTPUT_BYTES:
        raise Unfit(f"prints {len(printed.getvalue())} characters")
    missing = [name for name in header["compare"] if name not in shell.user_ns]
    if missing:
        raise Unfit(f"not set at the end: {', '.join(missing)}")
    values = {name: plain(shell.user_ns[name]) for name in header["compare"]}
    return {name: [hashlib.sha256(text.encode()).hexdigest()[:16], text[:60]] for name, text in values.items()}


def child(path, pipe):
    """One run, in the forked process."""
    report = {}
    try:
        import socket

        def refuse(*_):
            raise Unfit("it wants a network")

        socket.socket.connect = refuse
        signal.alarm(WALL_SECONDS)
        header, sources = read(path)
        before = resource.getrusage(resource.RUSAGE_SELF)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            report["values"] = play(header, sources)
            os.chdir("/")
        after = resource.getrusage(resource.RUSAGE_SELF)
        report["seconds"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        report["megabytes"] = (after.ru_maxrss - before.ru_maxrss) / 1024
    except BaseException as error:
        report["error"] = str(error) if isinstance(error, Unfit) else f"{type(error).__name__}: {error}"
    with os.fdopen(pipe, "w") as out:
        json.dump(report, out)
    os._exit(0)


def work():
    """Reads paths, prints a report of one line for each."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        path = Path(line.rstrip("\n"))
        try:
            _, sources = read(path)
            for module in ["IPython.core.interactiveshell", *sorted(foreign(sources))]:
                for name in [module, *LATER.get(module, [])]:
                    importlib.import_module(name)
            reader, writer = os.pipe()
            if not os.fork():
                child(path, writer)
            os.close(writer)
            with os.fdopen(reader) as text:
                report = json.loads(text.read() or '{"error": "killed: it takes too long, or crashed"}')
            os.wait()
        except (Unfit, ImportError, SyntaxError) as error:
            report = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(report), file=out, flush=True)


def python_of(group):
    return Path(os.environ.get("NBMEDIC_TOOLS", ".tools")).resolve() / "cures" / group / "bin" / "python"


def start(group, seed):
    one = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")}
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false", "CUDA_VISIBLE_DEVICES": ""}
    home = tempfile.mkdtemp(prefix="nbmedic-bases-")
    env = {**os.environ, **one, **quiet, "PYTHONHASHSEED": seed, "MPLBACKEND": "Agg", "IPYTHONDIR": home}
    return subprocess.Popen(
        [python_of(group), "-W", "ignore::DeprecationWarning", __file__, "--worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=env,
    )


def ask(workers, path):
    """What is wrong with a notebook, as a list of texts, and its first report."""
    try:
        header, sources = read(path)
        needed, imported = set(header.get("needs", [])), set(map(top, foreign(sources)))
    except (Unfit, SyntaxError) as error:
        return [str(error)], {}
    wrong = []
    if needed != imported:
        wrong.append(f"needs: {', '.join(sorted(imported))}")
    for worker in workers:
        print(path, file=worker.stdin, flush=True)
    reports = [json.loads(worker.stdout.readline()) for worker in workers]
    for report in reports:
        if "error" in report:
            return [*wrong, report["error"]], report
    first, second = (report["values"] for report in reports)
    wrong += [f"{name} differs: {first[name][1]} and {second[name][1]}" for name in first if first[name] != second[name]]
    if min(report["seconds"] for report in reports) > CPU_SECONDS:
        wrong.append(f"takes {reports[0]['seconds']:.1f} s")
    if reports[0]["megabytes"] > MEGABYTES:
        wrong.append(f"takes {reports[0]['megabytes']:.0f} MB")
    return wrong, reports[0]


def main(arguments):
    verbose = "-v" in arguments
    paths = []
    for argument in (Path(text).resolve() for text in arguments if text != "-v"):
        paths += sorted(argument.rglob("*.py")) if argument.is_dir() else [argument]
    paths = [path for path in paths if path != Path(__file__).resolve()]
    by_group = {}
    for path in paths:
        by_group.setdefault(path.parent.name, []).append(path)
    failed = 0
    for group, files in by_group.items():
        if not python_of(group).exists():
            print(f"FAIL {group}: no {python_of(group)}", flush=True)
            failed += len(files)
            continue
        workers = [start(group, seed) for seed in ("1", "2")]
        for path in files:
            wrong, report = ask(workers, path)
            failed += bool(wrong)
            label = f"{group}/{path.stem}"
            if wrong:
                print(f"FAIL {label}: {'; '.join(wrong)}", flush=True)
            elif verbose:
                values = ", ".join(f"{name} = {text}" for name, (_, text) in report["values"].items())
                print(f"ok   {label} ({report['seconds']:.2f} s, {report['megabytes']:.0f} MB): {values}", flush=True)
        for worker in workers:
            worker.stdin.close()
            worker.wait()
    print(f"{len(paths) - failed} of {len(paths)} bases are fit")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--worker"]:
        work()
    else:
        sys.exit(main(sys.argv[1:]))
