"""`nbmedic fix --try NOTEBOOK`: runs a saved notebook in a fresh kernel, in a copy of its folder, up to the first failure, and tries its cures there."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from typing import Any, List, Optional

MOST = 1 << 30
"""Bytes of a folder that is copied."""

READY = """
try:
    import nbmedic
except ImportError:
    __import__("sys").path.append({path!r})
    import nbmedic
get_ipython().run_line_magic("load_ext", "nbmedic")
"""
# The cell's own trials begin only when nothing more is asked for.
ASKED = "get_ipython()._nbmedic_medic.retry(); print(__import__('json').dumps((get_ipython()._nbmedic_medic.last or [None, None])[1]))"


def main(arguments: List[str]) -> int:
    """Returns the exit status: 0 if nothing failed or a cure ran, 1 if none did, 2 if it could not be tried."""
    parser = argparse.ArgumentParser(
        prog="nbmedic fix --try",
        description="Runs a notebook in a fresh kernel, in a copy of its folder, up to the first failure, and tries the cures of that failure. "
        "The cells really run: what they do outside their folder, they do.",
    )
    parser.add_argument("notebook")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="json: the diagnoses, nbmedic.triage/1")
    parser.add_argument("--timeout", type=float, default=600, metavar="SECONDS", help="most time for one cell (default: 600)")
    asked = parser.parse_args(arguments)
    try:
        told = run(asked.notebook, asked.timeout)
    except Problem as problem:
        print(f"nbmedic: {problem}", file=sys.stderr)
        return 2
    if told is None:
        print(f"nothing failed: {asked.notebook}")
        return 0
    print(told[0] if asked.format == "json" else told[2])
    fixes = [fix for diagnosis in json.loads(told[0])["diagnoses"][:1] for fix in diagnosis["fixes"][:1]]
    return 0 if any(fix.get("tried", {}).get("ran") for fix in fixes) else 1


class Problem(Exception):
    """Why a notebook can't be run."""


def run(path: str, timeout: float) -> Optional[List[str]]:
    """The failure of the first cell that fails: its JSON, its card as HTML, and as text. None if none fails."""
    try:
        from jupyter_client.manager import KernelManager
    except ImportError:
        raise Problem("`fix --try` runs the notebook, and needs jupyter_client: pip install jupyter_client") from None
    try:
        with open(path, encoding="utf-8") as file:
            notebook = json.load(file)
        cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise Problem(f"{path}: no notebook: {problem}") from None
    name = notebook.get("metadata", {}).get("kernelspec", {}).get("name") or "python3"
    folder = os.path.dirname(os.path.abspath(path))
    if sum(os.path.getsize(file) for file in files(folder)) > MOST:
        raise Problem(f"{folder} holds more than {MOST >> 30} GiB, too much to be copied: put the notebook into a folder with what it needs")
    with tempfile.TemporaryDirectory(prefix="nbmedic-") as there:
        scratch = os.path.join(there, os.path.basename(folder) or "notebook")
        shutil.copytree(folder, scratch, ignore_dangling_symlinks=True)
        manager = KernelManager(kernel_name=name)
        try:
            manager.start_kernel(cwd=scratch, env={**os.environ, "NBMEDIC_NO_PROBE": "1"})
        except Exception as problem:
            raise Problem(f"the kernel {name} does not start: {problem}") from None
        client = manager.blocking_client()
        try:
            client.start_channels()
            client.wait_for_ready(timeout=60)
            return first(client, cells, timeout)
        except (RuntimeError, TimeoutError) as problem:
            raise Problem(f"the kernel gave no answer: {problem}") from None
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)


def files(folder: str) -> List[str]:
    found = (os.path.join(place, name) for place, _, names in os.walk(folder, followlinks=True) for name in names)
    return [path for path in found if os.path.isfile(path)]


def first(client: Any, cells: List[str], timeout: float) -> Optional[List[str]]:
    """Runs cells up to the first that fails."""
    printed: List[str] = []

    def keep(message: Any) -> None:
        if message["msg_type"] == "stream":
            printed.append(message["content"]["text"])

    def execute(code: str, stored: bool) -> str:
        printed.clear()
        return client.execute_interactive(code, store_history=stored, timeout=timeout, allow_stdin=False, output_hook=keep)["content"]["status"]

    parent = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if execute(READY.format(path=parent), False) != "ok":
        raise Problem("nbmedic can't be loaded in this kernel")
    for cell in cells:
        if execute(cell, True) != "ok":
            execute(ASKED, False)
            told = json.loads(("".join(printed).splitlines() or ["null"])[-1])
            if told is None:
                raise Problem("a cell failed, and nothing is known of it")
            return told
    return None
