"""Makes the start cells: `make.py OUT_DIR VERSION REPOSITORY [PROGRAM]` writes probe-cell.json (both cells as texts), and each as
a file. PROGRAM is the native probe for x86-64; without it only the readable cell is made. For the native one the package
python-minifier must be there (tools/probe-cell.sh)."""

import ast
import collections
import hashlib
import itertools
import json
import keyword
import lzma
import pathlib
import re
import string
import sys
import types

HERE = pathlib.Path(__file__).parent
# What makes a copy of a kernel safe is the Python package's.
PACKAGE = HERE.parent.parent / "python/nbmedic"
# What a trial takes of it: the child's side, without the filter's listener.
SAFE = "Unsafe COPIED PATH_ONLY seal quiet shared mappings same descriptors reopened limit Asks detach special nothing".split()
IMPORTS = "import contextlib, ctypes, errno, fcntl, os, resource, signal, stat, sys\n"
# Stands in a filter for the process that it is made for.
PLACE = 0x7EADBEEF
# Bytes of the native cell: the target, and the limit. Looking at values takes 3.5 kB of it, naming who holds the memory 2.4 kB
# (0.4 kB of them for what autograd graphs keep), telling deaths that are easily mistaken and files that others left 1 kB,
# what a first line may not show 1 kB, clocks 0.4 kB, deleted records, lost recorders and full disks 2.5 kB, trials 3.8 kB.
WANTED, LIMIT = 34000, 46500
# BYTES bytes become CHARACTERS characters of an alphabet of 94, because 94⁴⁰⁰⁰ is just over 256³²⁷⁷. Shorter parts scale.
BYTES, CHARACTERS = 3277, 4000
RUN = 'if __name__ == "__main__":\n    main(*sys.argv[1:])\n'
# One stream for all. The x86 filter makes the program's jump addresses compressible and leaves text unchanged.
PACKED = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 20, "lc": 3, "lp": 0, "pb": 0}]

ABOUT = """\
#@title nbmedic probe: why the kernel died {{ display-mode: "form" }}
# A program beside this kernel writes GPU, memory, disk and the first line of each cell, without secrets, to the folder
# nbmedic-flight, which git ignores; Python's fault handler writes there, too. After a death, run this cell again. Below a cell
# that fails it prints the values on the failing line, unless nbmedic("no values"). nbmedic("stop") stops it,
# nbmedic("remove") deletes its files; nothing leaves this machine.
# nbmedic {version}, {repository}, MIT or Apache-2.0.
"""
NATIVE = """\
# x86-64 program: SHA-256 {sha}. To rebuild: ./build.sh probe.
def nbmedic(do="start"):
    import functools, hashlib, lzma
    p = lzma.decompress(b"".join(functools.reduce(lambda n, c: n*94+c-33, r, 0).to_bytes(len(r)*{bytes}//{characters}, "big") for r in br'''
{data}
'''.split()), 3, None, [{{"id": 4}}, {{"id": 33, "dict_size": 1 << 20}}])
    code, program = {{"NBMEDIC_TRIAL": p[{first}:{second}].decode(), "NBMEDIC_SAMPLER": p[{second}:{third}].decode(), "NBMEDIC_FILTERS": {{"x86_64": p[{third}:{fourth}]}}}}, p[{fourth}:]
    exec(p[:{first}], code)
    code["nbmedic"](do, program * (hashlib.sha256(program).hexdigest()[:16] == "{sha:.16}"))
nbmedic()
"""
# The numbers in it are lzma.FORMAT_RAW, FILTER_X86 and FILTER_LZMA2.
READABLE = """\
# The complete source: first the sampler, which runs as a separate process, then what this kernel runs.
NBMEDIC_SAMPLER = r'''
{sampler}'''


# What tries a cell in a copy of this kernel: the filter, what makes the copy safe, and the trial.
NBMEDIC_TRIAL = r'''
{trial}'''
# It makes its filter itself.
NBMEDIC_FILTERS = None


{start}"""


def small(source, globally):
    """The program without comments and with short inner names; its behaviour stays the same. `self` gets the same name everywhere,
    and so do modules that are used everywhere: what is alike packs well. `/proc/self` stays."""
    import python_minifier
    from python_minifier import expression_printer

    # Quotes in f-strings must work in every Python, not only from 3.12 on.
    expression_printer.sys = types.SimpleNamespace(version_info=(3, 9))
    return python_minifier.minify(
        re.sub(r"(?<!/)\bself\b", "S", short_parameters(own_names(source))), remove_literal_statements=True, rename_globals=globally, preserve_locals=["S", "json", "quiet"] + ["device", "os", "time"] * globally, preserve_globals=["nbmedic", "judge", "own", "shown", "stat", "read", "tail", "tightest"], hoist_literals=False,
    )


def own_names(source):
    """Shortens the names of attributes (`self.…`), which python-minifier does not: the most used get the shortest."""
    tree = ast.parse(source)
    ours = [n for n in ast.walk(tree) if isinstance(n, ast.Attribute) and ast.unparse(n.value) in ("self", "self.gpus", "sampler")]
    names = (a + b for a in ("", *string.ascii_lowercase) for b in string.ascii_lowercase)
    counted = collections.Counter(n.attr for n in ours)
    short = dict(zip(sorted(counted, key=lambda name: (-counted[name], name)), itertools.filterfalse(keyword.iskeyword, names)))
    methods = [m for c in ast.walk(tree) if isinstance(c, ast.ClassDef) for m in c.body if isinstance(m, ast.FunctionDef) and m.name in short]
    for node in ours:
        node.attr = short[node.attr]
    for node in methods:
        node.name = short[node.name]
    return ast.unparse(tree)


def short_parameters(source):
    """Shortens the names of parameters that no call names, which python-minifier does not: it copies them to short names."""
    tree = ast.parse(source)
    kept = {"self", "do", "program", *(k.arg for n in ast.walk(tree) if isinstance(n, ast.Call) for k in n.keywords)}
    # The outer functions first.
    for function in (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)):
        free = itertools.filterfalse(names(function).__contains__, string.ascii_uppercase)
        for parameter in parameters(function):
            if parameter.arg not in kept:
                rename(function, parameter.arg, next(free))
    return ast.unparse(tree)


def parameters(function):
    args = function.args
    return [*args.args, *args.kwonlyargs, *filter(None, (args.vararg, args.kwarg))]


def names(node):
    """All names in it."""
    fields = {ast.Name: "id", ast.arg: "arg", ast.FunctionDef: "name", ast.ExceptHandler: "name"}
    return {name for n in ast.walk(node) for name in [getattr(n, fields.get(type(n), ""), None), *getattr(n, "names", ())] if isinstance(name, str)} | {
        alias.asname or alias.name for n in ast.walk(node) if isinstance(n, (ast.Import, ast.ImportFrom)) for alias in n.names
    }


def rename(function, old, new):
    """Renames a parameter, in inner functions too unless they have a variable of this name."""
    def inside(node):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Name) and child.id == old:
                child.id = new
            elif isinstance(child, (ast.Nonlocal, ast.Global)):
                child.names = [new if name == old else name for name in child.names]
            elif isinstance(child, (ast.FunctionDef, ast.Lambda)) and old in own(child):
                # Its defaults stand outside.
                inside(ast.Tuple([*child.args.defaults, *filter(None, child.args.kw_defaults)]))
                continue
            inside(child)

    for parameter in parameters(function):
        if parameter.arg == old:
            parameter.arg = new
    inside(ast.Module(function.body))


def own(function):
    """The names that a function binds itself."""
    found, others = {p.arg for p in parameters(function)}, set()

    def look(node):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.Nonlocal, ast.Global)):
                others.update(child.names)
            elif isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
                found.add(child.id)
            elif isinstance(child, (ast.FunctionDef, ast.ExceptHandler)):
                found.add(child.name)
            elif isinstance(child, (ast.Import, ast.ImportFrom)):
                found.update(alias.asname or alias.name for alias in child.names)
            if not isinstance(child, (ast.FunctionDef, ast.Lambda)):
                look(child)

    look(ast.Module(function.body if isinstance(function.body, list) else [function.body]))
    return found - others


def rows(data):
    """Encodes bytes as lines of printable ASCII, each a number in base 94."""
    lines = []
    for at in range(0, len(data), BYTES):
        part = data[at : at + BYTES]
        number, line = int.from_bytes(part, "big"), ""
        for _ in range(-(-len(part) * CHARACTERS // BYTES)):
            number, digit = divmod(number, 94)
            line = chr(33 + digit) + line
        lines.append(line)
    return "\n".join(lines)


def safe():
    """The source of what makes a copy of a kernel safe, from the Python package."""
    source = (PACKAGE / "_copy.py").read_text()
    named = ((getattr(n, "name", None) or getattr(getattr(n, "targets", [None])[0], "id", None), n) for n in ast.parse(source).body)
    parts = [ast.get_source_segment(source, node) for name, node in named if name in SAFE]
    assert len(parts) == len(SAFE), "python/nbmedic/_copy.py has changed: SAFE names what a trial takes of it"
    return "\n\n\n".join(parts)


def filter_and_source():
    """The filter for x86-64, as bytes, and the source that makes it."""
    path = PACKAGE / "_filter.py"
    known = {"__name__": "filter"}
    exec(compile(path.read_text(), str(path), "exec"), known)
    known["arch"] = lambda: known["ARCHES"]["x86_64"]
    source = path.read_text().partition("# The parent's side")[0].partition("from typing")[2].partition("\n")[2]
    return known["program"](PLACE, known["ERRNO"] | 1), source


def cells(version, repository, program):
    sampler, judge, gpus, values, trial, start = ((HERE / f"{name}.py").read_text() for name in ("sampler", "judge", "gpus", "values", "trial", "start"))
    made_filter, filter_source = filter_and_source()
    place = f'PLACE = ({PLACE}).to_bytes(4, "little")\n'
    trial = f"{IMPORTS}{place}\n\n{safe()}\n\n\n{trial}"
    filter_source = "import ctypes, errno, os, platform, struct\nfrom typing import Any, Callable, Dict, Iterator, List, Optional, Tuple\n" + filter_source
    filter_source += f'FILTERS = {{platform.machine(): program({PLACE}, ERRNO | errno.EPERM)}} if arch() else {{}}'
    start = f"{values}\n\n{start}"
    about = ABOUT.format(version=version, repository=repository)
    sampler = f"{sampler}\n\n{judge}\n\n{gpus}\n\n{RUN}"
    made = {"readable": about + READABLE.format(sampler=sampler, trial=f"{filter_source}\n\n\n{trial}", start=start)}
    if program:
        parts = [small(start.rpartition("nbmedic()\n")[0], False).encode(), small(trial, False).encode(), small(sampler, True).encode(), made_filter, program]
        pack = lambda data, nice=64: lzma.compress(data, lzma.FORMAT_RAW, filters=[PACKED[0], {**PACKED[1], "nice_len": nice}])
        # The smallest one in which no three apostrophes end the string.
        tried = (pack(b"".join(parts), nice) for nice in range(28, 132))
        packed = min((data for data in tried if "'''" not in rows(data)), key=len)
        sha = hashlib.sha256(program).hexdigest()
        first, second, third, fourth = itertools.islice(itertools.accumulate(map(len, parts)), 4)
        made["native"] = about + NATIVE.format(sha=sha, bytes=BYTES, characters=CHARACTERS, first=first, second=second, third=third, fourth=fourth, data=rows(packed))
        names = "hooks", "trial", "sampler in Python", "filter", "program"
        print("measured:", *(f"  {name}: {len(part)} bytes, compressed alone {len(pack(part))}" for name, part in zip(names, parts)), sep="\n")
        print(f"  together packed: {len(packed)} bytes; as text {len(rows(packed))}")
    return made


def main(out, version, repository, program=None):
    made = cells(version, repository, pathlib.Path(program).read_bytes() if program else None)
    folder = pathlib.Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    for name, cell in made.items():
        (folder / f"cell-{name}.py").write_text(cell)
        over = f", over the {WANTED} that it should have" if name == "native" and len(cell.encode()) > WANTED else ""
        print(f"  the {name} cell: {len(cell.encode())} bytes, {cell.count(chr(10))} lines{over}")
    (folder / "probe-cell.json").write_text(json.dumps(made, ensure_ascii=False) + "\n")
    if len(made.get("native", "").encode()) > LIMIT:
        sys.exit(f"the native cell is over its limit of {LIMIT} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
