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
import string
import sys
import types

HERE = pathlib.Path(__file__).parent
# Bytes of the native cell: the target, and the limit. Looking at values takes 3 kB of it.
WANTED, LIMIT = 16384, 36000
# BYTES bytes become CHARACTERS characters of an alphabet of 93, because 93¹⁰⁰⁰ is just over 256⁸¹⁷. Shorter parts scale.
BYTES, CHARACTERS = 817, 1000
RUN = 'if __name__ == "__main__":\n    main(*sys.argv[1:])\n'
# One stream for all. The x86 filter makes the program's jump addresses compressible and leaves text unchanged.
PACKED = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 20, "lc": 3, "lp": 0, "pb": 0, "nice_len": 64}]

ABOUT = """\
#@title nbmedic probe: why the kernel died, and what GPU and memory did {{ display-mode: "form" }}
# Starts a small program next to this kernel. Ten times a second while a cell runs, otherwise every ten seconds, it
# samples GPU, memory, disk and the kernel's process and writes nbmedic-flight.jsonl to this folder, with the first line
# of each cell that runs; Python's fault handler writes nbmedic-fault.log. When the kernel dies, the program records
# how: run this cell again to read it. Below a cell that fails it prints what the names on the failing line stood for:
# types, shapes, columns, short values. It installs nothing, and nothing leaves this machine.
# Not to look at values: nbmedic("no values"). To stop it: nbmedic("stop"). To stop it and delete its files: nbmedic("remove").
# nbmedic {version}, {repository}, MIT or Apache-2.0.
"""
NATIVE = """\
# The program is for Linux on x86-64, SHA-256 {sha}.
# To rebuild it: ./build.sh probe. On other machines a slower one in Python replaces it; nbmedic also offers a cell with
# the Python alone, all of it readable.
def nbmedic(do="start"):
    import functools, hashlib, lzma
    packed = b"".join(functools.reduce(lambda n, c: n * 93 + ord(c) - 33, row, 0).to_bytes(len(row) * {bytes} // {characters}, "big") for row in r'''
{data}
'''.replace("~", "'").split())
    both = lzma.LZMADecompressor(lzma.FORMAT_RAW, None, [{{"id": lzma.FILTER_X86}}, {{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 20}}]).decompress(packed)
    code, program = {{"NBMEDIC_SAMPLER": both[{first}:{second}].decode()}}, both[{second}:]
    exec(both[:{first}], code)
    code["nbmedic"](do, program if hashlib.sha256(program).hexdigest() == "{sha}" else b"")
nbmedic()
"""
READABLE = """\
# The complete source: first the sampler, which runs as a separate process, then what this kernel runs.
NBMEDIC_SAMPLER = r'''
{sampler}'''


{start}"""


def small(source):
    """The program without comments and with short inner names; its behaviour stays the same."""
    import python_minifier
    from python_minifier import expression_printer

    # Quotes in f-strings must work in every Python, not only from 3.12 on.
    expression_printer.sys = types.SimpleNamespace(version_info=(3, 9))
    return python_minifier.minify(
        own_names(source), remove_literal_statements=True, rename_globals=True, preserve_globals=["nbmedic", "judge"], hoist_literals=False,
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


def rows(data):
    """Encodes bytes as lines of printable ASCII without the apostrophe, each a number in base 93."""
    lines = []
    for at in range(0, len(data), BYTES):
        part = data[at : at + BYTES]
        number, line = int.from_bytes(part, "big"), ""
        for _ in range(-(-len(part) * CHARACTERS // BYTES)):
            number, digit = divmod(number, 93)
            line = chr(33 + digit) + line
        lines.append(line.replace("'", "~"))
    return "\n".join(lines)


def cells(version, repository, program):
    sampler, gpus, values, start = ((HERE / name).read_text() for name in ("sampler.py", "gpus.py", "values.py", "start.py"))
    start = f"{values}\n\n{start}"
    about = ABOUT.format(version=version, repository=repository)
    sampler = f"{sampler}\n\n{gpus}\n\n{RUN}"
    made = {"readable": about + READABLE.format(sampler=sampler, start=start)}
    if program:
        parts = [small(start.rpartition("nbmedic()\n")[0]).encode(), small(sampler).encode(), program]
        pack = lambda data: lzma.compress(data, lzma.FORMAT_RAW, filters=PACKED)
        packed = pack(b"".join(parts))
        sha, first = hashlib.sha256(program).hexdigest(), len(parts[0])
        made["native"] = about + NATIVE.format(sha=sha, bytes=BYTES, characters=CHARACTERS, first=first, second=first + len(parts[1]), data=rows(packed))
        names = "hooks", "sampler in Python", "program"
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
