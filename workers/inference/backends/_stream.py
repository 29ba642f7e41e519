"""Server-sent events: recognise a stream of them, and read the data of each."""

import codecs
import re
from collections.abc import Iterator
from typing import Any, Final

from workers.inference.backends._responses import IncompleteAnswer, decode_json, error_message

_DONE = b"[DONE]"
_START: Final = re.compile(rb"(?:%b)?\s*(?:data|event|id|retry)?:" % codecs.BOM_UTF8)
_LINE_END: Final = re.compile(rb"\r\n?|\n")
# Bytes of a body that are split into lines at once: lines of a byte take fifty times the memory.
_BLOCK_BYTES: Final = 65_536


def is_stream(body: bytes) -> bool:
    """Return whether a body is a stream of events, whatever its content type: no JSON and no HTML begins like one."""
    return _START.match(body) is not None


def pieces(body: bytes) -> Iterator[dict[str, Any]]:
    """Yield the JSON object of each event, up to the end mark; an event's name becomes a missing `type`.

    Raises IncompleteAnswer for anything else, and for an error, even if the stream then ends in order.
    """
    for name, event in _events(body):
        whole = decode_json(event)
        if isinstance(whole, dict):
            yield check_piece(whole, name)
            continue
        for line in filter(None, _lines(event)):  # some servers leave out the empty line between events
            if line == _DONE:
                return
            yield check_piece(decode_json(line), name)


def check_piece(piece: Any, name: str = "") -> dict[str, Any]:
    """Return the piece of an event of that name. Raises IncompleteAnswer for an error, or if it is no object."""
    if not isinstance(piece, dict):
        raise IncompleteAnswer("sent an event that is no JSON object")
    if name:
        piece.setdefault("type", name)
    if piece.get("error") or "error" in (piece.get("type"), piece.get("object"), name):
        raise IncompleteAnswer(f"reported an error inside its stream: {error_message(piece) or 'no reason given'}")
    return piece


def _events(body: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the name and data of each event up to the end mark; events without data and comments are skipped."""
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
    """Yield each line, and an empty one at the end."""
    start = 0
    while start < len(body):
        end = _LINE_END.search(body, start + _BLOCK_BYTES)
        stop = len(body) if end is None else end.end()
        yield from body[start:stop].splitlines()
        start = stop
    yield b""
