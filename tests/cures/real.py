"""Programs in real kernels: what the bench saves must be what a front end would save."""

import contextlib
import pathlib
import re
import shutil
import sys
import tempfile
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "proof"))

import values  # noqa: E402

# A cell's longest time, in seconds.
SECONDS = 300
ANSI = re.compile(r"\x1b\[[0-9;]*m")
# What differs between two kernels too.
OWN = re.compile(r"ipykernel_\d+|\b\d{6,}\.py|nbmedic-[\w-]+|worker-\d+/[0-9a-f]+/runs/[0-9a-f-]+|/tmp/\S*/(content|base|runs)\S*")


@contextlib.contextmanager
def kernel(python, files=""):
    """A new kernel of an environment, in a folder of its own with copies of `files`."""
    from sandbox import Kernel

    case = types.SimpleNamespace(limit={}, kill="", interrupt="", variables={"PYTHONHASHSEED": "0", "MPLBACKEND": "module://matplotlib_inline.backend_inline"})
    with tempfile.TemporaryDirectory(prefix="nbmedic-cures-") as base:
        made = Kernel(pathlib.Path(python), case, base, pathlib.Path(python))
        try:
            if files:
                shutil.copytree(files, made.folder, dirs_exist_ok=True)
            yield made
        finally:
            made.close()


def run(made, steps, may_fail=()):
    """Runs steps in a kernel until one fails that may not. Returns the outputs of each, and that one's number if there is one."""
    out = []
    for number, (_, source) in enumerate(steps):
        outputs, end = made.run(source, SECONDS)
        out.append(outputs)
        if end and number not in may_fail:
            return out, number
    return out, None


def plain(text):
    return OWN.sub("…", values.ADDRESS.sub("0x", ANSI.sub("", text))).strip()


def differ(ours, theirs):
    """What differs between the outputs of a program here and in a kernel: nothing, if they say the same."""
    if len(ours) != len(theirs):
        return f"{len(ours)} cells ran, and {len(theirs)} in a kernel"
    for number, (a, b) in enumerate(zip(ours, theirs), 1):
        if not values.same_text(values.shown(a), values.shown(b)):
            return f"step {number} shows something else: {values.shown(a)[:200]!r} and {values.shown(b)[:200]!r}"
    one, other = ([o for o in last[-1] if o["output_type"] == "error"] for last in (ours, theirs))
    if not one or not other:
        return "no error" if one != other else ""
    for key in ("ename", "evalue"):
        if plain(one[0][key]) != plain(other[0][key]):
            return f"{key}: {one[0][key]!r} and {other[0][key]!r}"
    a, b = (plain("\n".join(e[0]["traceback"])) for e in (one, other))
    return "" if a == b else f"traceback: {a[-600:]!r} and {b[-600:]!r}"
