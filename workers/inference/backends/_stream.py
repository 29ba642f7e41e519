"""Server-sent events: whether a body is a stream of them, and what each carries."""

from collections.abc import Iterator
from typing import Any

from workers.inference.backends._reading import Cut, complaint, decoded

_DONE = b"[DONE]"
_STARTS = (b"data:", b":", b"event:", b"id:", b"retry:")


def is_stream(body: bytes) -> bool:
    """Whether a body is a stream of events, whatever its content type says: no JSON and no HTML begins like one."""
    return body[:64].lstrip().startswith(_STARTS)


def pieces(body: bytes) -> Iterator[dict[str, Any]]:
    """The JSON object that each event carries, up to the end mark.

    Raises Cut for anything else, and for an error, also if the stream then ends in order.
    """
    for event in _events(body):
        piece = decoded(event)
        if not isinstance(piece, dict):
            raise Cut("sent an event that is no JSON object")
        if piece.get("error") or "error" in (piece.get("type"), piece.get("object")):
            raise Cut(f"reported an error inside its stream: {complaint(piece) or 'no reason given'}")
        yield piece


def _events(body: bytes) -> Iterator[bytes]:
    """The data of each event up to the end mark; comments and other fields are passed over."""
    data: list[bytes] = []
    for line in (*body.splitlines(), b""):
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line and data:
            event, data = b"\n".join(data), []
            if event.strip() == _DONE:
                return
            yield event
