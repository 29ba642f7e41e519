"""Interface of importers of fixed sets: files in, one batch of values out; no database."""

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
from app.domain.registry import discover, find_plugin

# No file of the kinds we import comes near this; more is a mistake or an attack.
MAX_BYTES = 1 << 30
TOO_LARGE = f"the file holds more than {MAX_BYTES >> 20} MiB"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as given: its name, the digest of its bytes, and its text (gzip is opened).

    `folder` is the one it lies in, for kinds whose file names others beside it. `path` is set for a kind that reads a
    folder or an archive itself; digest and text are then empty.
    """

    name: str
    sha256: str
    text: str
    folder: Path | None = None
    path: Path | None = None


def read_file(path: Path) -> SourceFile:
    """Read the text of a file, plain or gzip. Raises InvalidImport naming the fault."""
    try:
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise _UnreadableFile(1, TOO_LARGE)
        body = _gunzip(raw) if raw[:2] == b"\x1f\x8b" else raw
        return SourceFile(path.name, hashlib.sha256(raw).hexdigest(), body.decode("utf-8-sig"), path.absolute().parent)
    except FileNotFoundError as absent:
        raise InvalidImport(f"{path}: no such file") from absent
    except OSError as broken:
        raise InvalidImport(f"{path.name}: cannot be read: {broken.strerror or broken}") from broken
    except _UnreadableFile as broken:
        row = BadRow(path.name, broken.line, broken.reason)
        raise InvalidImport(f"{row}; nothing was imported", (row,)) from broken
    except UnicodeDecodeError as broken:
        row = BadRow(path.name, broken.object[: broken.start].count(b"\n") + 1, "not UTF-8 text")
        raise InvalidImport(f"{row}; nothing was imported", (row,)) from broken


class _UnreadableFile(Exception):
    """A file that is too large or damaged: the last line that was read, and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line, self.reason = line, reason


def _gunzip(raw: bytes) -> bytes:
    """Return the text of a gzip file, which may have several members, as `cat` makes them."""
    body = bytearray()
    while raw:
        decompressor = zlib.decompressobj(wbits=31)
        try:
            body += decompressor.decompress(raw, MAX_BYTES + 1 - len(body))
        except zlib.error as broken:
            raise _UnreadableFile(body.count(b"\n") + 1, f"the gzip file is damaged: {broken}") from broken
        if len(body) > MAX_BYTES:
            raise _UnreadableFile(body.count(b"\n") + 1, TOO_LARGE)
        if not decompressor.eof:
            raise _UnreadableFile(body.count(b"\n") + 1, "the gzip file is cut off")
        raw = decompressor.unused_data
    return bytes(body)


@dataclass(frozen=True, slots=True)
class Suite:
    """An importer. `read` turns one file into a batch at a given time, by which it refuses implausible dates.

    Bad rows are listed in the batch and cost no other row. A file without any good row is refused, and so is a file
    that is one fact, in which a missing row would change the others.

    `load` opens the path that was given. `options` names the options it understands, each with the allowed values (the
    first is the default), or none if any value is allowed. `keys` are those that rows of its format have, if the
    importer names others.
    """

    name: str
    title: str
    read: Callable[[SourceFile, Mapping[str, str], datetime], ImportBatch]
    options: Mapping[str, tuple[str, ...]]
    load: Callable[[Path], SourceFile] = read_file
    keys: frozenset[str] = frozenset()


def find_suite(name: str) -> Suite:
    """Return the importer of that name. Raises NotFound, naming the known ones."""
    return find_plugin(discover("scrapers.suites", "SUITE", Suite), name, "import kind")


def read_json(file: SourceFile) -> Any:
    """Read the file as one JSON value without repeated names in an object. Raises InvalidImport with the line.

    NaN and Infinity are left to the caller.
    """
    try:
        return json.loads(file.text, object_pairs_hook=_unique_object)
    except json.JSONDecodeError as broken:
        row = BadRow(file.name, broken.lineno, f"{broken.msg} (column {broken.colno})")
        raise InvalidImport(f"{row}; nothing was imported", (row,)) from broken
    except (ValueError, RecursionError) as broken:  # a number too long, brackets too deep
        row = BadRow(file.name, 1, str(broken))
        raise InvalidImport(f"{row}; nothing was imported", (row,)) from broken


def json_lines(file: SourceFile) -> Iterator[tuple[int, Any]]:
    """Yield (line number, value) of each line that is not blank; a bad line yields the error as its value."""
    for number, line in enumerate(file.text.split("\n"), start=1):  # JSON may hold other line ends unescaped
        if not line.strip():
            continue
        try:
            yield number, json.loads(line, parse_constant=refuse_constant, object_pairs_hook=_unique_object)
        except (ValueError, RecursionError) as broken:
            yield number, broken


def refuse_constant(name: str) -> Any:
    """Raise ValueError for NaN and Infinity, as the `parse_constant` of `json.loads`."""
    raise ValueError(f"{name} is not JSON")


def _unique_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object. Raises ValueError if a name comes twice, as either value may be meant."""
    result = dict(pairs)
    if len(result) < len(pairs):
        [(repeated, _count)] = Counter(name for name, _value in pairs).most_common(1)
        raise ValueError(f"an object has {repeated[:60]!r} twice")
    return result


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


def refuse_bad_rows(bad: Sequence[BadRow]) -> None:
    """Raise InvalidImport listing the bad rows, if there are any."""
    if bad:
        raise refusal(*bad)


def check_not_empty(good: Sized, bad: Sequence[BadRow], file: SourceFile, empty: str) -> None:
    """Raise InvalidImport for a file with nothing to import: with its bad rows, or with `empty` if it has none."""
    if not good:
        refuse_bad_rows(bad or [BadRow(file.name, 1, empty)])


def refusal(*bad: BadRow) -> InvalidImport:
    """Return the error that lists these bad rows."""
    lines = "\n".join(f"  {row}" for row in bad[:20])
    more = f"\n  ... and {len(bad) - 20} more" if len(bad) > 20 else ""
    return InvalidImport(f"{len(bad)} bad rows; nothing was imported\n{lines}{more}", bad)
