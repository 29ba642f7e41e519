"""What an importer of a fixed set is: files in, one batch of values out; no database."""

import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from app.domain.errors import BadRow, InvalidImport
from app.domain.imports import ImportBatch
from app.domain.registry import discover, named

# No file of the kinds we import comes near this; more is a mistake or an attack.
MAX_BYTES = 1 << 30
TOO_LARGE = f"the file holds more than {MAX_BYTES >> 20} MiB"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as it was given: its name, the digest of its bytes, and its text (gzip is opened).

    `folder` is where it lies, for the kinds whose file names others beside it. `path` is where that is which a kind
    reads itself, a folder or an archive, whose digest and text are empty here.
    """

    name: str
    sha256: str
    text: str
    folder: Path | None = None
    path: Path | None = None


def read_file(path: Path) -> SourceFile:
    """The text of a file, plain or gzip. Raises InvalidImport naming what is wrong with it."""
    try:
        with path.open("rb") as opened:
            raw = opened.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise _Unreadable(1, TOO_LARGE)
        body = _gunzip(raw) if raw[:2] == b"\x1f\x8b" else raw
        return SourceFile(path.name, hashlib.sha256(raw).hexdigest(), body.decode("utf-8-sig"), path.absolute().parent)
    except FileNotFoundError as absent:
        raise InvalidImport(f"{path}: no such file") from absent
    except OSError as broken:
        raise InvalidImport(f"{path.name}: cannot be read: {broken.strerror or broken}") from broken
    except _Unreadable as broken:
        row = BadRow(path.name, broken.line, broken.reason)
        raise InvalidImport(f"{row}; nothing was imported", (row,)) from broken
    except UnicodeDecodeError as broken:
        row = BadRow(path.name, broken.object[: broken.start].count(b"\n") + 1, "not UTF-8 text")
        raise InvalidImport(f"{row}; nothing was imported", (row,)) from broken


class _Unreadable(Exception):
    """A file that is too large or breaks off: the line that its text came to, and why it ends there."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line, self.reason = line, reason


def _gunzip(raw: bytes) -> bytes:
    """The text of a gzip file, which may have several members, as `cat` makes them."""
    body = bytearray()
    while raw:
        opener = zlib.decompressobj(wbits=31)
        try:
            body += opener.decompress(raw, MAX_BYTES + 1 - len(body))
        except zlib.error as broken:
            raise _Unreadable(body.count(b"\n") + 1, f"the gzip file is damaged: {broken}") from broken
        if len(body) > MAX_BYTES:
            raise _Unreadable(body.count(b"\n") + 1, TOO_LARGE)
        if not opener.eof:
            raise _Unreadable(body.count(b"\n") + 1, "the gzip file is cut off")
        raw = opener.unused_data
    return bytes(body)


@dataclass(frozen=True, slots=True)
class Suite:
    """An importer. `read` turns one file into a batch. Bad rows are listed in it and cost no other row; a file without
    any good row is refused, and so is one that is a single fact, of which a missing row would change the others.

    It is told the time, by which it refuses days that cannot be true.

    `load` makes a file of the path that was given. `options` names the options it understands, each with the values
    allowed (the first is the default), or none where any value is. `keys` are those that rows of its format have, where
    the importer names others.
    """

    name: str
    title: str
    read: Callable[[SourceFile, Mapping[str, str], datetime], ImportBatch]
    options: Mapping[str, tuple[str, ...]]
    load: Callable[[Path], SourceFile] = read_file
    keys: frozenset[str] = frozenset()


def find_suite(name: str) -> Suite:
    """The importer of that name. Raises NotFound, naming those there are."""
    return named(discover("scrapers.suites", "SUITE", Suite), name, "import kind")


def one_json(file: SourceFile) -> Any:
    """The file as one JSON value, no name twice in an object. Raises InvalidImport with the line.

    NaN and Infinity are left to the caller.
    """
    try:
        return json.loads(file.text, object_pairs_hook=_object)
    except json.JSONDecodeError as broken:
        row = BadRow(file.name, broken.lineno, f"{broken.msg} (column {broken.colno})")
        raise InvalidImport(f"{row}; nothing was imported", (row,)) from broken
    except (ValueError, RecursionError) as broken:  # a number too long, brackets too deep
        row = BadRow(file.name, 1, str(broken))
        raise InvalidImport(f"{row}; nothing was imported", (row,)) from broken


def json_lines(file: SourceFile) -> Iterator[tuple[int, Any]]:
    """(line number, value) of each line that holds one; a bad line yields the error as its value."""
    for number, line in enumerate(file.text.split("\n"), start=1):  # JSON may hold what else ends a line, as it stands
        if not line.strip():
            continue
        try:
            yield number, json.loads(line, parse_constant=no_constant, object_pairs_hook=_object)
        except (ValueError, RecursionError) as broken:
            yield number, broken


def no_constant(name: str) -> Any:
    """What `json.loads` is to do about NaN and Infinity: raise ValueError."""
    raise ValueError(f"{name} is not JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Raises ValueError where a name comes twice: who wrote it meant either."""
    made = dict(pairs)
    if len(made) < len(pairs):
        [(twice, _count)] = Counter(name for name, _value in pairs).most_common(1)
        raise ValueError(f"an object has {twice[:60]!r} twice")
    return made


def check_storable(value: Any) -> None:
    """Raise ValueError for text that no database can hold: NUL characters and lone surrogates."""
    if isinstance(value, str):
        if "\0" in value or (not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value)):
            raise ValueError("the text holds a NUL character or half of a surrogate pair")
    elif isinstance(value, Mapping):
        for name, item in value.items():
            check_storable(name)
            check_storable(item)
    elif isinstance(value, list | tuple):
        for item in value:
            check_storable(item)


def refuse(bad: Sequence[BadRow]) -> None:
    """Raise InvalidImport listing the bad rows, if there are any."""
    if bad:
        raise refusal(*bad)


def check_any(good: Sized, bad: Sequence[BadRow], file: SourceFile, empty: str) -> None:
    """Refuse a file that holds nothing to import: for its bad rows, or as `empty` says if it has none."""
    if not good:
        refuse(bad or [BadRow(file.name, 1, empty)])


def refusal(*bad: BadRow) -> InvalidImport:
    """The error that lists these bad rows."""
    lines = "\n".join(f"  {row}" for row in bad[:20])
    more = f"\n  ... and {len(bad) - 20} more" if len(bad) > 20 else ""
    return InvalidImport(f"{len(bad)} bad rows; nothing was imported\n{lines}{more}", bad)
