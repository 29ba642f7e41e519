"""Server-sent events: whether a body is a stream of them, and what each carries."""

import codecs
import re
from collections.abc import Iterator
from typing import Any, Final

from workers.inference.backends._reading import Cut, complaint, decoded

_DONE = b"[DONE]"
_START: Final = re.compile(rb"(?:%b)?\s*(?:data|event|id|retry)?:" % codecs.BOM_UTF8)
_LINE_END: Final = re.compile(rb"\r\n?|\n")
_BLOCK: Final = 65_536  # bytes of a body that are split into lines at once: lines of a byte take fifty times as much


def is_stream(body: bytes) -> bool:
    """Whether a body is a stream of events, whatever its content type says: no JSON and no HTML begins like one."""
    return _START.match(body) is not None


def pieces(body: bytes) -> Iterator[dict[str, Any]]:
    """The JSON object that each event carries, up to the end mark; an event's name is its `type` where it has none.

    Raises Cut for anything else, and for an error, also if the stream then ends in order.
    """
    for name, event in _events(body):
        whole = decoded(event)
        if isinstance(whole, dict):
            yield check_piece(whole, name)
            continue
        for line in filter(None, _lines(event)):  # some servers leave out the empty line between events
            if line == _DONE:
                return
            yield check_piece(decoded(line), name)


def check_piece(piece: Any, name: str = "") -> dict[str, Any]:
    """The piece that an event of that name carries. Raises Cut for an error, and for what is no JSON object."""
    if not isinstance(piece, dict):
        raise Cut("sent an event that is no JSON object")
    if name:
        piece.setdefault("type", name)
    if piece.get("error") or "error" in (piece.get("type"), piece.get("object"), name):
        raise Cut(f"reported an error inside its stream: {complaint(piece) or 'no reason given'}")
    return piece


def _events(body: bytes) -> Iterator[tuple[str, bytes]]:
    """The name and data of each event up to the end mark; those without data, comments and other fields are skipped."""
    data, name = bytearray(), ""
    for line in _lines(body.removeprefix(codecs.BOM_UTF8)):
        if line.startswith(b"data:"):
            data += line[5:].removeprefix(b" ") + b"\n"
        elif line.startswith(b"event:"):
            name = line[6:].strip().decode("latin-1")
        elif not line:
            event, data = bytes(data).strip(), bytearray()
            if event == _DONE:
                return
            if event:
                yield name, event
            name = ""


def _lines(body: bytes) -> Iterator[bytes]:
    """Each line, and an empty one at the end."""
    start = 0
    while start < len(body):
        end = _LINE_END.search(body, start + _BLOCK)
        stop = len(body) if end is None else end.end()
        yield from body[start:stop].splitlines()
        start = stop
    yield b""
