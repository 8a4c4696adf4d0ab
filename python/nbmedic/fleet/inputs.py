"""What a fleet's failures are read from: notebooks, logs and archives of them, in folders and object stores, in bounded memory."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from dataclasses import dataclass
from typing import Any, BinaryIO, Dict, Iterator, List, Optional, Sequence, Tuple, Union

PIECE = 32 << 20
"""Characters of a text that are judged at once; a longer log is judged in such pieces, cut between lines."""
BOOK = 512 << 20
"""Characters of the longest notebook: it can't be cut."""
EXPANDED = 64 << 30
"""Bytes that one archive may hold."""

_TAR = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
_PACKED = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}
_WRONG = (OSError, EOFError, zlib.error, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile, RuntimeError, NotImplementedError)


@dataclass(frozen=True)
class Source:
    """A file."""

    path: str
    size: int
    """In bytes."""
    changed: Optional[float]
    """When it was changed, in seconds since 1970, if that is known."""


@dataclass(frozen=True)
class Text:
    """A notebook's JSON, a log, or a piece of one."""

    path: str
    member: Optional[str]
    """Its name in the archive."""
    kind: str
    """`notebook`, `log` (judged as a program's log) or `output`."""
    text: str
    before: int
    """Lines before this piece."""
    whole: bool
    changed: Optional[float]


@dataclass(frozen=True)
class Refused:
    """What could not be read, and why."""

    path: str
    member: Optional[str]
    reason: str


Item = Union[Text, Refused]


def _store(path: str) -> bool:
    return "://" in path


def _fsspec() -> Any:
    try:
        import fsspec
    except ImportError:
        raise ValueError("an address needs fsspec and the package of its store: pip install fsspec s3fs") from None
    return fsspec


def listed(paths: Sequence[str], without: Optional[str] = None) -> List[Source]:
    """The files of the paths, in order of their names: folders with what is in them, but for hidden files and folders and
    what lies in `without`.

    Raises ValueError if a path does not exist.
    """
    found: Dict[str, Source] = {}
    hidden = os.path.realpath(without) if without else None
    for path in paths:
        every = _of_store(path) if _store(path) else _of_disk(path, hidden)
        found.update((one.path, one) for one in every)
    return [found[path] for path in sorted(found)]


def _of_disk(path: str, without: Optional[str]) -> Iterator[Source]:
    try:
        info = os.stat(path)
    except OSError as e:
        raise ValueError(f"{path}: {e.strerror}") from None
    if not stat.S_ISDIR(info.st_mode):
        yield Source(path, info.st_size, info.st_mtime)
        return
    for folder, folders, names in os.walk(path):
        folders[:] = [one for one in folders if not one.startswith(".") and os.path.realpath(os.path.join(folder, one)) != without]
        for name in names:
            full = os.path.join(folder, name)
            try:
                info = os.stat(full)
            except OSError:
                continue
            if not name.startswith(".") and stat.S_ISREG(info.st_mode):
                yield Source(full, info.st_size, info.st_mtime)


def _of_store(url: str) -> Iterator[Source]:
    fs, root = _fsspec().core.url_to_fs(url)
    if not fs.exists(root):
        raise ValueError(f"{url}: nothing is there")
    for path, info in sorted(fs.find(root, detail=True).items()):
        changed = info.get("mtime", info.get("LastModified", info.get("updated")))
        changed = changed.timestamp() if hasattr(changed, "timestamp") else changed
        yield Source(fs.unstrip_protocol(path), info.get("size") or 0, changed if isinstance(changed, (int, float)) else None)


def texts(source: Source) -> Iterator[Item]:
    """The texts of a file, one after another."""
    try:
        with _fsspec().open(source.path, "rb").open() if _store(source.path) else open(source.path, "rb") as file:
            yield from _of_file(source.path, None, file, source.changed, 0)
    except _WRONG as e:
        yield Refused(source.path, None, _reason(e))


def _reason(e: BaseException) -> str:
    return getattr(e, "strerror", None) or str(e) or type(e).__name__


def _of_file(path: str, member: Optional[str], file: Any, changed: Optional[float], depth: int) -> Iterator[Item]:
    name = (member or path).lower()
    file = file if hasattr(file, "peek") else io.BufferedReader(file)
    first = file.peek(8192)[:8192]
    if name.endswith(_TAR):
        yield from _of_tar(path, member, file, depth)
    elif name.endswith(".zip"):
        yield from _of_zip(path, member, file, depth)
    else:
        for mark, unpack in _PACKED.items():
            if first.startswith(mark) and depth < 3:
                with unpack(file) as inner:
                    yield from _of_file(path, member, inner, changed, depth + 1)
                return
        yield from _of_text(path, member, file, first, changed)


def _of_tar(path: str, member: Optional[str], file: Any, depth: int) -> Iterator[Item]:
    if depth:
        yield Refused(path, member, "an archive in an archive")
        return
    total = 0
    with tarfile.open(fileobj=file, mode="r|*") as archive:
        for one in archive:
            if not one.isfile() or _hidden(one.name):
                continue
            total += one.size
            if total > EXPANDED:
                yield Refused(path, one.name, "the archive holds too much")
                return
            yield from _of_member(path, one.name, archive.extractfile(one), float(one.mtime), depth)


def _of_zip(path: str, member: Optional[str], file: Any, depth: int) -> Iterator[Item]:
    if depth or member:
        yield Refused(path, member, "an archive in an archive")
        return
    total = 0
    with zipfile.ZipFile(file) as archive:
        for one in archive.infolist():
            if one.is_dir() or _hidden(one.filename):
                continue
            total += one.file_size
            if total > EXPANDED:
                yield Refused(path, one.filename, "the archive holds too much")
                return
            try:
                inner = archive.open(one)
            except _WRONG as e:
                yield Refused(path, one.filename, _reason(e))
                continue
            yield from _of_member(path, one.filename, inner, _zip_time(one.date_time), depth)


def _zip_time(when: Tuple[int, ...]) -> Optional[float]:
    import calendar

    return float(calendar.timegm((*when, 0, 0, 0))) if when > (1980, 1, 1, 0, 0, 0) else None


def _hidden(name: str) -> bool:
    return any(part.startswith(".") and part not in (".", "..") for part in name.split("/"))


def _of_member(path: str, name: str, file: Any, changed: Optional[float], depth: int) -> Iterator[Item]:
    try:
        with file:
            yield from _of_file(path, name, file, changed, depth + 1)
    except _WRONG as e:
        yield Refused(path, name, _reason(e))


def _decoder(first: bytes) -> Optional[Any]:
    """What decodes a text that begins so; None if it is no text."""
    for mark, name in ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if first.startswith(mark):
            return codecs.getincrementaldecoder(name)("replace")
    # A log that was cut at its beginning has zeros there.
    rest = first.lstrip(b"\0")
    if first and (not rest or rest.startswith((b"PK\x03\x04", b"\x89PNG", b"%PDF-", b"\x28\xb5\x2f\xfd", b"PAR1"))):
        return None
    odd = sum(rest.count(bytes([b])) for b in [*range(8), *range(0x0E, 0x1B), *range(0x1C, 0x20)])
    return codecs.getincrementaldecoder("utf-8")("replace") if odd * 20 <= len(rest) else None


def _of_text(path: str, member: Optional[str], file: BinaryIO, first: bytes, changed: Optional[float]) -> Iterator[Item]:
    decoder = _decoder(first)
    if decoder is None:
        yield Refused(path, member, "not a text")
        return
    name = (member or path).lower()
    for end in (".gz", ".bz2", ".xz"):
        name = name[: -len(end)] if name.endswith(end) else name
    kind = "log" if name.endswith(".log") else "output"
    held, before, whole = "", 0, True
    while True:
        data = file.read(PIECE)
        held += decoder.decode(data, final=not data)
        start = held[:4096].lstrip()
        if before == 0 and start.startswith("{") and '"nbformat"' in held or name.endswith(".ipynb"):
            kind = "notebook"
        if not data:
            break
        if len(held) <= PIECE:
            continue
        if kind == "notebook":
            if len(held) > BOOK:
                yield Refused(path, member, "the notebook is too long")
                return
            continue
        # The rest waits: it may be short, and a failure near the cut stands in one piece then.
        cut = held.rfind("\n", 0, PIECE) + 1 or PIECE
        whole = False
        yield Text(path, member, kind, held[:cut], before, False, changed)
        before += held.count("\n", 0, cut)
        held = held[cut:]
    if held or whole:
        yield Text(path, member, kind, held, before, whole, changed)
