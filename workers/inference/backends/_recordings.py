"""Files of recorded answers, one JSON row each: addressed by path and digest, and read row by row."""

import hashlib
from collections.abc import Callable, Hashable
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from app.domain.asking.completions import Completion, EndpointSpec, FinishReason, Usage
from app.domain.errors import InvalidInput
from workers.inference.backends import RecordedBody, UnreadableResponse
from workers.inference.backends._responses import clean, decode_json, get_field

_DIGEST: Final = "sha256="
_MAX_ROW_BYTES: Final = 16 * 1024 * 1024

# Returns a row's key, from its text and its place in the file. Raises InvalidInput (`unfit`).
KeyOf = Callable[[bytes, str], Hashable]


class _RecordedFile(NamedTuple):
    sha256: str
    rows: dict[Hashable, tuple[int, int]]  # offset and length of each row


def locate(place: str, key_of: KeyOf) -> str:
    """Return the address of a file given by its path, or by its address. Raises InvalidInput for invalid rows."""
    path = _path(place) if place.startswith("file:") else Path(place).expanduser().resolve()
    address = f"{path.as_uri()}#{_DIGEST}{_load(path, key_of).sha256}"
    if place.startswith("file:") and place != address:
        raise _changed_error(path)
    return address


def find(endpoint: EndpointSpec, keys: tuple[Hashable, ...], key_of: KeyOf) -> RecordedBody | None:
    """Return the row of the first of these keys that has one. Raises InvalidInput if the file has changed."""
    path = _path(endpoint.base_url)
    file = _load(path, key_of)
    if urlsplit(endpoint.base_url).fragment != _DIGEST + file.sha256:
        raise _changed_error(path)
    place = next((file.rows[key] for key in keys if key in file.rows), None)
    if place is None:
        return None
    with path.open("rb") as rows:
        rows.seek(place[0])
        return RecordedBody(rows.read(place[1]))


def parse(body: bytes, latency_ms: float) -> Completion | UnreadableResponse:
    """Return the completion that a row records."""
    text = get_field(decode_json(body), "text")
    if not isinstance(text, str):
        return UnreadableResponse("the row holds no text")
    return Completion(clean(text), "", FinishReason.OTHER, Usage(), latency_ms, "", body)


def invalid_row(where: str, why: str) -> InvalidInput:
    """Return the error for a row that is no recorded answer."""
    return InvalidInput(f"{where}: {why}", pointer="/extra")


def _path(address: str) -> Path:
    return Path(unquote(urlsplit(address).path))


def _changed_error(path: Path) -> InvalidInput:
    return InvalidInput(f"the recorded answers in {path} have changed since they were registered", pointer="/extra")


def _load(path: Path, key_of: KeyOf) -> _RecordedFile:
    try:
        status = path.stat()
        return _read_file(path, status.st_size, status.st_mtime_ns, key_of)
    except OSError as unreadable:
        raise InvalidInput(f"the recorded answers in {path} cannot be read", pointer="/extra") from unreadable


@lru_cache(maxsize=4)
def _read_file(path: Path, _size: int, _changed_ns: int, key_of: KeyOf) -> _RecordedFile:
    """Return the place of each row. A file that has changed is read again."""
    digest, rows, start = hashlib.sha256(), dict[Hashable, tuple[int, int]](), 0
    with path.open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(_MAX_ROW_BYTES), b""), 1):
            digest.update(line)
            if line.strip():
                key = key_of(line, f"{path}:{number}")
                if key in rows:
                    raise invalid_row(f"{path}:{number}", "a row of this problem before it answers the same")
                rows[key] = start, len(line)
            start += len(line)
    return _RecordedFile(digest.hexdigest(), rows)
