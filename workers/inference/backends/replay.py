"""Recorded answers from a file of this machine, in place of a model: for judging again elsewhere, and for tests.

A row of JSON is `{"problem", "scenario", "item", "ordinal", "text"}`. `problem` is the source's own name of it, or
`SOURCE/NAME` where sources share names; items and ordinals count from 0. Other fields are passed over. An endpoint's
address is the file's, with the digest of what was in it when it was registered: from another file nothing is answered.
"""

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit

from app.domain.asking.completions import Completion, EndpointSpec, FinishReason, InferenceRequest, Subject, Usage
from app.domain.errors import InvalidInput, NotFound
from workers.inference.backends import Backend, Recorded, Unreadable
from workers.inference.backends._reading import clean, decoded, refusal, within

_TEXTS: Final = ("problem", "scenario", "text")
_NUMBERS: Final = ("item", "ordinal")
_DIGEST: Final = "sha256="
_LONGEST_ROW: Final = 16 * 1024 * 1024  # bytes

_Key = tuple[str, str, int, int]


class _File(NamedTuple):
    sha256: str
    rows: dict[_Key, tuple[int, int]]  # where each begins, and how long it is


def _locate(place: str) -> str:
    """The address of a file that is given by its path, or by its address. Raises InvalidInput for unfit rows."""
    path = _path(place) if place.startswith("file:") else Path(place).expanduser().resolve()
    address = f"{path.as_uri()}#{_DIGEST}{_load(path).sha256}"
    if place.startswith("file:") and place != address:
        raise _changed(path)
    return address


def _path(address: str) -> Path:
    return Path(unquote(urlsplit(address).path))


def _changed(path: Path) -> InvalidInput:
    return InvalidInput(f"the recorded answers in {path} have changed since they were registered", pointer="/extra")


def _load(path: Path) -> _File:
    try:
        found = path.stat()
        return _read_file(path, found.st_size, found.st_mtime_ns)
    except OSError as unreadable:
        raise InvalidInput(f"the recorded answers in {path} cannot be read", pointer="/extra") from unreadable


@lru_cache(maxsize=4)
def _read_file(path: Path, _size: int, _changed_ns: int) -> _File:
    """Where each row stands. A file that has changed is read again."""
    digest, rows, start = hashlib.sha256(), dict[_Key, tuple[int, int]](), 0
    with path.open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(_LONGEST_ROW), b""), 1):
            digest.update(line)
            if line.strip():
                key = _key(line, f"{path}:{number}")
                if key in rows:
                    raise _unfit(
                        f"{path}:{number}", "there is a row of this problem, scenario, item and ordinal before"
                    )
                rows[key] = start, len(line)
            start += len(line)
    return _File(digest.hexdigest(), rows)


def _key(line: bytes, where: str) -> _Key:
    row: Any = decoded(line)
    for name in _TEXTS:
        if not isinstance(within(row, name), str):
            raise _unfit(where, f"{name} must be text")
    for name in _NUMBERS:
        number = within(row, name)
        if type(number) is not int or number < 0:
            raise _unfit(where, f"{name} must be a number from 0")
    return row["problem"], row["scenario"], row["item"], row["ordinal"]


def _unfit(where: str, why: str) -> InvalidInput:
    return InvalidInput(f"{where}: {why}", pointer="/extra")


def _build(endpoint: EndpointSpec, request: InferenceRequest) -> Recorded:
    path, subject = _path(endpoint.base_url), request.subject
    file = _load(path)
    if urlsplit(endpoint.base_url).fragment != _DIGEST + file.sha256:
        raise _changed(path)
    if subject is None:
        raise NotFound("the recorded answers are of problems, and this request is of none")
    place = next((file.rows[key] for key in _keys(subject) if key in file.rows), None)
    if place is None:
        raise NotFound(
            f"the recorded answers have no row for problem {subject.source}/{subject.problem}, scenario "
            f"{subject.scenario}, item {subject.item}, ordinal {subject.ordinal}"
        )
    with path.open("rb") as rows:
        rows.seek(place[0])
        return Recorded(rows.read(place[1]))


def _keys(subject: Subject) -> tuple[_Key, _Key]:
    rest = subject.scenario, subject.item, subject.ordinal
    return (f"{subject.source}/{subject.problem}", *rest), (subject.problem, *rest)


def _parse(body: bytes, latency_ms: float) -> Completion | Unreadable:
    text = within(decoded(body), "text")
    if not isinstance(text, str):
        return Unreadable("the row holds no text")
    return Completion(clean(text), "", FinishReason.OTHER, Usage(), latency_ms, "", body)


BACKEND = Backend("replay", _build, _parse, refusal, locate=_locate)
