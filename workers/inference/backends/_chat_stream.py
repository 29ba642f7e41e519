"""A streamed chat completion (server-sent events) as the one body that its pieces amount to."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_DONE = "[DONE]"
_STARTS = (b"data:", b":", b"event:", b"id:", b"retry:")
# Pieces of text that are joined; every other field of a message is kept as its last piece says it.
_JOINED = ("content", "reasoning", "reasoning_content", "refusal")


class Cut(Exception):
    """The stream is no whole answer; the words say why."""


def is_stream(body: bytes) -> bool:
    """Whether a body is a stream of events, whatever its content type says: no JSON and no HTML begins like one."""
    return body[:64].lstrip().startswith(_STARTS)


def joined(body: bytes, read: Callable[[bytes], Any], complaint: Callable[[bytes], str]) -> dict[str, Any]:
    """The completion that a stream's pieces amount to, in the form of one that was not streamed.

    Raises Cut where the stream carries an error, also if it then ends in order, or lacks the reason why the model
    stopped or the usage that was asked for: the answer may have been cut anywhere.
    """
    whole: dict[str, Any] = {}
    parts: dict[str, list[str]] = {}
    message: dict[str, Any] = {}
    reason: Any = None
    for event in _events(body):
        piece = read(event)
        if not isinstance(piece, dict):
            raise Cut("sent an event that is no JSON object")
        if piece.get("error"):
            raise Cut(f"reported an error inside its stream: {complaint(event) or 'no reason given'}")
        whole |= {name: value for name, value in piece.items() if name != "choices" and value is not None}
        choice = _first(piece.get("choices"))
        reason = choice.get("finish_reason") or reason
        delta = choice.get("delta") or choice.get("message")
        for name, value in delta.items() if isinstance(delta, dict) else ():
            if name in _JOINED and isinstance(value, str):
                parts.setdefault(name, []).append(value)
            elif value is not None:
                message[name] = value
    if reason is None:
        raise Cut("ended its stream without a finish reason")
    if not isinstance(whole.get("usage"), Mapping) or not whole["usage"]:
        raise Cut("ended its stream without the usage that was asked for")
    message |= {name: "".join(texts) for name, texts in parts.items()}
    message.setdefault("content", None)
    return whole | {"object": "chat.completion", "choices": [{"message": message, "finish_reason": reason}]}


def as_bytes(whole: Mapping[str, Any]) -> bytes:
    """The joined body, to be kept."""
    return json.dumps(whole).encode()


def _first(choices: object) -> Mapping[str, Any]:
    """The one choice that was asked for; pieces of others are passed over."""
    for choice in choices if isinstance(choices, list) else ():
        if isinstance(choice, dict) and choice.get("index", 0) == 0:
            return choice
    return {}


def _events(body: bytes) -> Iterator[bytes]:
    """The data of each event up to the end mark; comments and other fields are passed over."""
    data: list[bytes] = []
    for line in (*body.splitlines(), b""):
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line and data:
            event, data = b"\n".join(data), []
            if event.strip() == _DONE.encode():
                return
            yield event
