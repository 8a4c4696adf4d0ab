"""Makes the start cells: `make.py OUT_DIR VERSION REPOSITORY [PROGRAM]` writes probe-cell.json (both cells as texts), and each as
a file. PROGRAM is the native probe for x86-64; without it only the readable cell is made."""

import base64
import hashlib
import io
import json
import lzma
import pathlib
import sys
import tokenize

HERE = pathlib.Path(__file__).parent
# Bytes of the native cell: what it should weigh, and what it must not exceed.
WANTED, LIMIT, WIDTH = 16000, 34000, 100
RUN = "main(*sys.argv[1:])\n"
TEXT = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 20, "lc": 3, "pb": 0}]
CODE = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 20}]

ABOUT = """\
#@title nbmedic probe: why the kernel died, and what GPU and memory did {{ display-mode: "form" }}
# Starts a small program beside this kernel. Ten times a second while a cell runs, else every ten seconds, it looks at
# GPU, memory, disk and the kernel's process and writes nbmedic-flight.jsonl into this folder, with the first line of
# each cell that runs; Python's fault handler writes nbmedic-fault.log. When the kernel dies the program stays to write
# down how: run this cell again to read it. Nothing is installed, nothing leaves this machine.
# To end it: nbmedic("stop"). To end it and delete its files: nbmedic("remove").
# nbmedic {version}, {repository}, MIT or Apache-2.0.
"""
NATIVE = """\
# The program is for Linux on x86-64, SHA-256 {sha}.
# To build it again: ./build.sh probe. On other machines a slower one in Python takes its place; nbmedic hands out a
# cell with that alone, all of it readable.
def nbmedic(do="start"):
    import base64, hashlib, lzma
    data = base64.b85decode("".join('''
{data}
'''.split()))
    unpack = lambda part, *more: lzma.decompress(part, lzma.FORMAT_RAW, None, [*more, {{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 20}}])
    program = unpack(data[:{cut}], {{"id": lzma.FILTER_X86}})
    if hashlib.sha256(program).hexdigest() != "{sha}":
        program = b""
    code = {{}}
    exec(unpack(data[{cut}:]), code)
    code["nbmedic"](do, program)
nbmedic()
"""
READABLE = """\
# All of it stands here: first the sampler, which runs as a process of its own, then what this kernel runs.
NBMEDIC_SAMPLER = r'''
{sampler}'''


{start}"""


def strip(source):
    """A program without its comments, its docstrings and most of its indentation."""
    kept, last = [], None
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.STRING and last in (None, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT):
            token = token._replace(string="")
        if token.type == tokenize.COMMENT:
            continue
        if token.type not in (tokenize.NL, tokenize.ENCODING):
            last = token.type
        kept.append(token)
    rows = tokenize.untokenize(kept).replace("\\\n", "\n").splitlines()
    rows = [row.rstrip() for row in rows if row.strip()]
    return "".join(" " * ((len(row) - len(row.lstrip())) // 4) + row.lstrip() + "\n" for row in rows)


def wrap(text):
    return "\n".join(text[i : i + WIDTH] for i in range(0, len(text), WIDTH))


def cells(version, repository, program):
    sampler, figures, start = ((HERE / name).read_text() for name in ("sampler.py", "figures.py", "start.py"))
    about = ABOUT.format(version=version, repository=repository)
    made = {"readable": about + READABLE.format(sampler=f"{sampler}\n\n{figures}\n\n{RUN}", start=start)}
    if program:
        code = f"NBMEDIC_SAMPLER = {strip(sampler) + RUN!r}\n" + strip(start).rpartition("nbmedic()\n")[0]
        first, second = lzma.compress(program, lzma.FORMAT_RAW, filters=CODE), lzma.compress(code.encode(), lzma.FORMAT_RAW, filters=TEXT)
        sha = hashlib.sha256(program).hexdigest()
        data = wrap(base64.b85encode(first + second).decode())
        made["native"] = about + NATIVE.format(sha=sha, cut=len(first), data=data)
        print(f"measured:\n  program {len(program)} bytes, packed {len(first)}; hooks and fallback packed {len(second)}")
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
