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
import time
import uuid
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from . import _engine, _trial
from ._tries import Failure, Tries

Cell = Tuple[int, str, str]

USAGE = """\
%nbmedic            says whether cards are shown
%nbmedic off | on   shows no cards, or shows them again
%nbmedic last       shows the last card again
%nbmedic fix        puts the last failure's cure into a new cell; it runs nothing
%nbmedic report [FILE]
                    prints a report of the last failure without secrets, as Markdown, or writes it into a file
%nbmedic try off | on
                    tries no cures in a copy of the kernel, or does so again
%nbmedic try        tries those of the last failure now
%nbmedic probe on | off
                    starts or stops the flight recorder, which says after a kernel's death what killed it"""

MARK = {"nbmedic": {"card": 1}}
"""A card's metadata: by them whoever reads the saved notebook knows it for nbmedic's own."""

MOST = 1000
"""Cells that are remembered."""


PAUSE = 0.1
"""Seconds between a failed cell and the trials of its cures."""


class Medic:
    """The cards of one shell."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.on = True
        self.started = False
        # Each cell as it ran last, by the front end's id for it, or else by its count.
        self.cells: Dict[object, Tuple[int, str]] = {}
        self.last: Optional[Tuple[List[Cell], Tuple[str, str, str], Optional[str]]] = None
        self.tries = not os.environ.get("NBMEDIC_NO_TRY")
        self.untried = _trial.possible()
        self.begun = self.took = 0.0
        # Cells that run, one inside the other, and those that have ended.
        self.running = self.ended = 0
        for count, source in enumerate(shell.history_manager.input_hist_raw):
            if count and source:
                self.cells[count] = (count, source)

    def before(self, info: Any) -> None:
        """Before a cell."""
        self.running += 1
        self.begun = time.perf_counter()

    def after(self, result: Any) -> None:
        """After a cell. One that did not fail costs some microseconds."""
        self.running = max(0, self.running - 1)
        self.ended += 1
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
            self.took = time.perf_counter() - self.begun
            # Whatever goes wrong here must not come on top of what went wrong there.
            with contextlib.suppress(Exception):
                self.failed(error)

    def failed(self, error: BaseException) -> None:
        """Shows the card of the cell that ran last, if there is something to say."""
        text = self.traceback(error) + self.values(error)
        cells = [(count, source, "") for count, source in self.cells.values()]
        cells[-1] = (*cells[-1][:2], text)
        name = uuid.uuid4().hex
        if self.judge(cells, name=name) and self.tries and isinstance(error, Exception):
            self.later(Failure(cells, error, self.took), name)

    def judge(self, cells: List[Cell], trials: Optional[str] = None, name: str = "", update: bool = False) -> bool:
        """Shows the card of the last one of these cells, under a name; or shows it again in the place of the one that stands there."""
        told = _engine.card_of(cells, len(cells) - 1, shutil.get_terminal_size().columns, trials)
        if told is None:
            return False
        was, self.last = self.last, (cells, told, trials)
        # A terminal has no place for it: it prints what is new.
        if update and was is not None and not hasattr(self.shell, "kernel"):
            print(news(was[1], told))
            return True
        self.show(name, update)
        return True

    def show(self, name: str = "", update: bool = False) -> None:
        if self.last is None:
            print("nbmedic: no cell has failed.")
            return
        _, html, text = self.last[1]
        sys.stdout.flush()
        transient = {"display_id": name} if name else {}
        self.shell.display_pub.publish({"text/html": html, "text/plain": text}, MARK, transient=transient, update=update)

    # Trials -------------------------------------------------------------------------------------------------------------

    def later(self, failure: Failure, name: str) -> None:
        """Tries a failure's cures when the kernel has nothing else to do; in a terminal at once. Its card stands there already."""
        kernel, ended = getattr(self.shell, "kernel", None), self.ended

        def idle() -> None:
            # Another cell has run, or is running: the person went on.
            if not self.running and self.ended == ended:
                with contextlib.suppress(Exception), incoming(kernel) as stop:
                    self.attempt(failure, name, stop)

        if hasattr(kernel, "io_loop"):
            # Only after the cell's reply: what is asked for before it would be dropped as the rest of a failed notebook is.
            kernel.io_loop.call_later(PAUSE, idle)
        else:
            idle()

    def attempt(self, failure: Failure, name: str, stop: Callable[[], bool], asked: bool = False) -> bool:
        """Tries the cures of a failure in copies of the kernel, and puts into its card what that showed. Whether it has shown anything."""
        tries = Tries(self.shell, failure, stop, filtered=not (asked and self.untried))
        try:
            trials = tries.untried(self.untried) if self.untried and not asked else tries.all()
        except KeyboardInterrupt:
            return False
        if tries.refusal and not asked:
            # From now on nothing is tried by itself.
            self.untried = tries.refusal
            trials = tries.untried(self.untried)
        return bool(trials) and self.judge(failure.cells, json.dumps(trials), name, update=not asked)

    def retry(self) -> None:
        """Tries the last failure's cures because the person asked for it."""
        error = getattr(sys, "last_value", None)
        if self.last is None or not isinstance(error, Exception):
            print("nbmedic: no cell has failed.")
        elif not hasattr(os, "fork") or sys.platform != "linux":
            print(f"nbmedic: nothing can be tried here: {_trial.possible()}.")
        elif not self.attempt(Failure(self.last[0], error, self.took), uuid.uuid4().hex, lambda: False, asked=True):
            print("nbmedic: no cure of this can be tried.")

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
            return _trial.nbmedic_values(self.shell, error, _trial.shown) + "\n" if isinstance(error, Exception) else ""
        return ""

    # The command --------------------------------------------------------------------------------------------------------

    def magic(self, line: str) -> None:
        """Says why cells failed; `%nbmedic help` lists what it does."""
        words = shlex.split(line)
        what = words[0] if words else ""
        if what in ("on", "off"):
            self.on = what == "on"
        elif words in (["try", "on"], ["try", "off"]):
            self.tries = words[1] == "on"
        elif words == ["try"]:
            self.retry()
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
            said = f"cards are {'on' if self.on else 'off'}, trials are {'on' if self.tries else 'off'}"
            said += f" but not done by themselves ({self.untried})" if self.tries and self.untried else ""
            print(f"nbmedic {_engine.version()}: {said}. %nbmedic help lists what it does.")

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
        cells, _, trials = self.last
        text = _engine.report_of(cells, len(cells) - 1, trials)
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


def news(was: Tuple[str, str, str], now: Tuple[str, str, str]) -> str:
    """What a card says that the one before it did not: of the same first fix only what its trial showed."""
    old, new = ((json.loads(told[0])["diagnoses"][0]["fixes"] or [{}])[0] for told in (was, now))
    if "tried" in new and all(old.get(key) == new.get(key) for key in ("id", "code", "title")):
        return "\n".join([f"nbmedic: {new['tried']['result']}", *(f"    {row}" for row in new["tried"].get("values", []))])
    return now[2]


@contextlib.contextmanager
def incoming(kernel: Any) -> Iterator[Callable[[], bool]]:
    """A function that says whether the front end has asked the kernel for something: then the person comes first."""
    try:
        thread = getattr(kernel, "shell_channel_thread", None)
        # Since ipykernel 7 another thread reads the requests, and hands them to this one.
        stream = kernel.shell_stream if thread is None else thread.manager.get_shell_channel_to_subshell_pair(None).to_stream
        socket, loop, flush = stream.socket, stream.io_loop, stream.flush
    except AttributeError:
        yield lambda: False
        return
    # ZMQ's EVENTS, and among them POLLIN.
    events, receive = 15, 1
    try:
        yield lambda: bool(socket.getsockopt(events) & receive)
    finally:
        # Who looks takes away the signal that something came: the loop has to look itself.
        loop.add_callback(flush)


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
    shell.events.register("pre_run_cell", medic.before)
    shell.events.register("post_run_cell", medic.after)
    shell.register_magic_function(medic.magic, "line", "nbmedic")


def unload(shell: Any) -> None:
    """Shows no more cards, and stops the probe that was started here."""
    medic = getattr(shell, "_nbmedic_medic", None)
    if medic is None:
        return
    shell._nbmedic_medic = None
    with contextlib.suppress(ValueError):
        shell.events.unregister("pre_run_cell", medic.before)
        shell.events.unregister("post_run_cell", medic.after)
    shell.magics_manager.magics["line"].pop("nbmedic", None)
    if medic.started:
        medic.probe("stop")
