"""nbmedic, the notebook medic: says why a notebook's cell failed, and what to change.

    >>> import nbmedic
    >>> found = nbmedic.triage("ModuleNotFoundError: No module named 'xarray'")
    >>> found.diagnoses[0].id
    'module-missing'

All functions are pure, work without the interpreter's lock, and may be called from any thread and after a fork.
Nothing leaves the machine. In a notebook, `%load_ext nbmedic` shows a card below each cell that fails.
"""

from __future__ import annotations

import json
import os
from typing import Any, List, Mapping, Optional, Union

from . import _engine
from ._types import (
    Diagnosis,
    Edit,
    Evidence,
    Failure,
    Fix,
    Location,
    Page,
    PageFix,
    Repairs,
    Triage,
    Tried,
    _page,
    _repairs,
    _triage,
)

__version__ = _engine.version()
__all__ = [
    "Diagnosis",
    "Edit",
    "Evidence",
    "Failure",
    "Fix",
    "Location",
    "Page",
    "PageFix",
    "Repairs",
    "Triage",
    "Tried",
    "explain",
    "fix",
    "ids",
    "redact",
    "triage",
    "triage_notebook",
]

_Path = Union[str, "os.PathLike[str]"]


def triage(text: str, source: Optional[str] = None, *, log: bool = False, redact: bool = False) -> Triage:
    """Says what went wrong in a text: a traceback, a cell's output, a log of any length, or a notebook's JSON.

    source: the code of the cell that printed the text. With it, fixes are made in that code, as cell 1.
    log: judge it as a program's log, in which a frightening word means less than in a cell's output.
    redact: take secrets and personal data out of the answer.

    Raises ValueError if the text is neither text nor log, for example a picture's bytes.
    """
    return _triage(_engine.triage_text(text, source, log, redact))


def redact(text: str) -> str:
    """The text without secrets and personal data: each becomes [redacted-KIND] wherever it occurs, whole, wrapped or in
    pieces.
    """
    return _engine.redacted(text)


def triage_notebook(path: _Path, *, redact: bool = False) -> Triage:
    """Says what went wrong in a saved notebook (.ipynb), whose fixes change its own cells, or in a log or saved output,
    also compressed with gzip. The file is read as a stream, in bounded memory.

    Raises ValueError if it cannot be read or is no such file.
    """
    return _triage(_engine.triage_file(os.fspath(path), redact))


def fix(
    notebook: Union[_Path, Mapping[str, Any]],
    *,
    write: bool = False,
    applicability: str = "sure",
) -> Repairs:
    """The repair of each failing cell of a notebook, with the outputs of its run. Runs no cell.

    notebook: a path, or the notebook as an object (nbformat's, or a dict of the same shape).
    write: take the edits that are at least as sure as `applicability` (`sure`, `likely`, `maybe`). A file is written,
        and kept as it was beside it (`Repairs.backup`); of an object, `Repairs.notebook` is a repaired copy.

    Raises ValueError if it is not a notebook, or cannot be read or written.
    """
    least = applicability if write else None
    if isinstance(notebook, Mapping):
        return _repairs(*_engine.fix_text(json.dumps(notebook), least))
    return _repairs(_engine.fix_file(os.fspath(notebook), least), None)


def explain(id: str) -> Page:
    """All that is known of a diagnosis: what it means, why it happens, and every fix.

    Raises KeyError, with ids like it, if there is no such diagnosis.
    """
    return _page(_engine.explain(id))


def ids() -> List[str]:
    """The ids of all diagnoses, in order."""
    return _engine.ids()


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext nbmedic`"""
    from .magic import load

    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """`%unload_ext nbmedic`"""
    from .magic import unload

    unload(shell)
