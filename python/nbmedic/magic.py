"""`%load_ext nbmedic`: a card below each cell that fails, with the cure in the person's own code."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import shutil
import site
import sys
from typing import Any, Dict, List, Optional, Tuple

from . import _engine

Cell = Tuple[int, str, str]

USAGE = """\
%nbmedic            says whether cards are shown
%nbmedic off | on   shows no cards, or shows them again
%nbmedic last       shows the last card again
%nbmedic fix        puts the last failure's cure into a new cell; it runs nothing
%nbmedic report [FILE]
                    prints a report of the last failure without secrets, as Markdown, or writes it into a file
%nbmedic probe on | off
                    starts or stops the flight recorder, which says after a kernel's death what killed it"""

MARK = {"nbmedic": {"card": 1}}
"""A card's metadata: by them whoever reads the saved notebook knows it for nbmedic's own."""

MOST = 1000
"""Cells that are remembered."""


class Medic:
    """The cards of one shell."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.on = True
        self.started = False
        # Each cell as it ran last, by the front end's id for it, or else by its count.
        self.cells: Dict[object, Tuple[int, str]] = {}
        self.last: Optional[Tuple[List[Cell], Tuple[str, str, str]]] = None
        for count, source in enumerate(shell.history_manager.input_hist_raw):
            if count and source:
                self.cells[count] = (count, source)

    def after(self, result: Any) -> None:
        """After a cell. One that did not fail costs some microseconds."""
        count = result.execution_count
        if count is None:
            return
        info = result.info
        cells = self.cells
        key = getattr(info, "cell_id", None) or count
        # At the end again: the last one that ran.
        cells.pop(key, None)
        cells[key] = (count, info.raw_cell)
        if len(cells) > MOST:
            del cells[next(iter(cells))]
        error = result.error_in_exec or result.error_before_exec
        if error is not None and self.on:
            # Whatever goes wrong here must not come on top of what went wrong there.
            with contextlib.suppress(Exception):
                self.failed(error)

    def failed(self, error: BaseException) -> None:
        """Shows the card of the cell that ran last, if there is something to say."""
        text = self.traceback(error) + self.values(error)
        cells = [(count, source, "") for count, source in self.cells.values()]
        cells[-1] = (*cells[-1][:2], text)
        self.judge(cells)

    def judge(self, cells: List[Cell]) -> bool:
        told = _engine.card_of(cells, len(cells) - 1, shutil.get_terminal_size().columns)
        if told is None:
            return False
        self.last = cells, told
        self.show()
        return True

    def show(self) -> None:
        if self.last is None:
            print("nbmedic: no cell has failed.")
            return
        _, html, text = self.last[1]
        sys.stdout.flush()
        self.shell.display_pub.publish({"text/html": html, "text/plain": text}, MARK)

    def traceback(self, error: BaseException) -> str:
        """The traceback as it was printed."""
        lines = getattr(self.shell, "_last_traceback", None)
        if not lines:
            kind, tb = type(error), error.__traceback__
            if isinstance(error, SyntaxError):
                lines = self.shell.SyntaxTB.structured_traceback(kind, error, [])
            else:
                lines = self.shell.InteractiveTB.structured_traceback(kind, error, tb, tb_offset=1)
        return "\n".join(lines) + "\n"

    def values(self, error: BaseException) -> str:
        """What the names on the failing lines stand for, as the probe prints it."""
        with contextlib.suppress(Exception):
            from ._values import nbmedic_values

            return nbmedic_values(self.shell, error, shown) + "\n" if isinstance(error, Exception) else ""
        return ""

    # The command --------------------------------------------------------------------------------------------------------

    def magic(self, line: str) -> None:
        """Says why cells failed; `%nbmedic help` lists what it does."""
        words = shlex.split(line)
        what = words[0] if words else ""
        if what in ("on", "off"):
            self.on = what == "on"
        elif what == "last":
            self.show()
        elif what == "fix":
            self.fix()
        elif what == "report":
            self.report(words[1:])
        elif what == "probe" and words[1:] in (["on"], ["off"]):
            self.probe("start" if words[1] == "on" else "stop")
        elif what:
            print(USAGE)
        else:
            print(f"nbmedic {_engine.version()}: cards are {'on' if self.on else 'off'}. %nbmedic help lists what it does.")

    def fix(self) -> None:
        """Puts the last failure's cure below, as a cell that the person runs."""
        if self.last is None:
            print("nbmedic: no cell has failed.")
            return
        fixes = [fix for d in json.loads(self.last[1][0])["diagnoses"][:1] for fix in d["fixes"]]
        code = next((fix for fix in fixes[:1] if fix["code"]), None)
        if code is None:
            print("nbmedic: no code repairs this; %nbmedic last shows what may help.")
            return
        text = code["code"]
        if code["language"] not in ("python", "") and not text.startswith(("%", "!")):
            print(text)
            return
        self.shell.set_next_input(text)
        print(f"nbmedic: {code['title']}. The next cell has it; run it when you have read it.")

    def report(self, where: List[str]) -> None:
        if self.last is None:
            print("nbmedic: no cell has failed.")
            return
        cells = self.last[0]
        text = _engine.report_of(cells, len(cells) - 1)
        if where:
            with open(where[0], "w", encoding="utf-8") as file:
                file.write(text)
            print(f"nbmedic: the report is in {where[0]}.")
        else:
            print(text)

    # The probe ----------------------------------------------------------------------------------------------------------

    def probe(self, do: str) -> None:
        """Starts or stops the flight recorder, if this wheel holds it; after a death, shows the card of the death."""
        path = shipped("cell.py")
        # In a terminal there is no kernel that anything would outlive.
        if path is None or not hasattr(self.shell, "kernel") or sys.platform != "linux":
            return
        with open(path, encoding="utf-8") as file:
            source = file.read()
        if do != "start":
            source = source.rpartition("nbmedic()")[0] + f"nbmedic({do!r})\n"
        said = io.StringIO()
        with contextlib.suppress(Exception), contextlib.redirect_stdout(said):
            exec(compile(source, path, "exec"), {"__name__": "nbmedic_probe"})
        text = said.getvalue()
        if text:
            print(text, end="")
        if '"k":"end"' in text and self.on:
            with contextlib.suppress(Exception):
                self.judge([(0, "", text)])


def shown(text: str, strictly: bool = False) -> str:
    """A short text as a report has it: without secrets and personal data. Where the look at values asks strictly, too: this is exact."""
    return _engine.redacted(text)[:80]


def shipped(name: str) -> Optional[str]:
    """A file of the probe that the wheel has installed."""
    for prefix in (sys.prefix, site.getuserbase(), "/usr/local"):
        path = os.path.join(prefix or "", "share", "nbmedic-probe", name)
        if os.path.exists(path):
            return path
    return None


def runs(shell: Any) -> bool:
    """Whether a probe runs beside this kernel: its start cell leaves what stops it, and a lambda when it is stopped."""
    return getattr(getattr(shell, "_nbmedic", None), "__name__", "<lambda>") != "<lambda>"


def load(shell: Any) -> None:
    """Shows cards from now on. The probe starts where the wheel holds it, unless one runs or NBMEDIC_NO_PROBE is set."""
    unload(shell)
    medic = shell._nbmedic_medic = Medic(shell)
    if not os.environ.get("NBMEDIC_NO_PROBE") and not runs(shell):
        medic.probe("start")
        medic.started = runs(shell)
    # After the probe's: the card stands below the values.
    shell.events.register("post_run_cell", medic.after)
    shell.register_magic_function(medic.magic, "line", "nbmedic")


def unload(shell: Any) -> None:
    """Shows no more cards, and stops the probe that was started here."""
    medic = getattr(shell, "_nbmedic_medic", None)
    if medic is None:
        return
    shell._nbmedic_medic = None
    with contextlib.suppress(ValueError):
        shell.events.unregister("post_run_cell", medic.after)
    shell.magics_manager.magics["line"].pop("nbmedic", None)
    if medic.started:
        medic.probe("stop")
