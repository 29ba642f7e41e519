"""From a body to a completion: the same way for every format, plain or streamed."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from app.domain.asking.completions import Completion
from workers.inference.backends import Unreadable
from workers.inference.backends._reading import Cut, Reading, clean, complaint, decoded
from workers.inference.backends._stream import is_stream, pieces

_LONGEST_NAME = 200
LONGEST_RAW = 8 * 1024 * 1024  # bytes of a stream that are kept as they came: more than 32,768 tokens have
Pieces = Iterator[dict[str, Any]]


def parser(
    join: Callable[[Pieces], dict[str, Any]], read: Callable[[dict[str, Any]], Reading]
) -> Callable[[bytes, float], Completion | Unreadable]:
    """How a body of a format is read, streamed or not.

    `join` makes of a stream's pieces the body of an answer that was not streamed, and `read` reads such a body. Both
    raise Cut for what is no whole answer; they may be given any JSON object. A stream is kept as it came, a very long
    one as the body that its pieces amount to.
    """

    def parse(body: bytes, latency_ms: float) -> Completion | Unreadable:
        try:
            if not is_stream(body):
                return _completion(read(_plain(body)), body, latency_ms)
            whole = join(pieces(body))
            joined = json.dumps(whole).encode()
            kept = body if len(body) <= LONGEST_RAW else joined
            return replace(_completion(read(whole), kept, latency_ms), joined=joined)
        except Cut as cut:
            return Unreadable(str(cut))

    def _plain(body: bytes) -> dict[str, Any]:
        data = decoded(body)
        if data is None:
            looks = body[:512].lstrip().lower()
            raise Cut("answered HTML, not JSON" if looks.startswith(b"<") else "answered something that is no JSON")
        error = complaint(data)
        if error:  # some gateways send their errors with status 200
            raise Cut(f"answered an error: {error}")
        return data if isinstance(data, dict) else {}

    return parse


def _completion(said: Reading, body: bytes, latency_ms: float) -> Completion:
    return Completion(
        text=clean(said.text),
        reasoning=clean(said.reasoning),
        finish_reason=said.finish_reason,
        usage=said.usage,
        latency_ms=latency_ms,
        served_model=_name(said.model),
        raw=body,
        fingerprint=_name(said.fingerprint),
    )


def _name(value: object) -> str:
    return clean(value)[:_LONGEST_NAME] if isinstance(value, str) else ""
