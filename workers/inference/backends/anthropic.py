"""The format of Anthropic's messages (`/messages`): blocks of text and of thinking.

It has no seed and no penalty of repetition. Its count of input leaves out what was read from or written to a cache;
here that is part of the input, as everywhere.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from app.domain.asking.completions import EndpointSpec, FinishReason, InferenceRequest, Usage
from workers.inference.backends import Backend, HttpCall
from workers.inference.backends._answers import Pieces, parser
from workers.inference.backends._reading import (
    NO_REASON,
    NO_USAGE,
    Cut,
    Reading,
    answered,
    count,
    finished,
    joined,
    objects,
    refusal,
    reported,
    unthink,
    within,
)
from workers.inference.backends._reading import (
    piece as as_piece,
)
from workers.inference.backends._request import headers, place, sampled, streams, url

_VERSION: Final = "2023-06-01"
_NAMES: Final = {"temperature": "temperature", "top_p": "top_p", "max_tokens": "max_tokens", "top_k": "top_k",
                 "stop": "stop_sequences"}  # fmt: skip
_SETTINGS: Final = {
    "effort": "output_config.effort",
    "thinking": "thinking.type",
    "thinking_budget": "thinking.budget_tokens",
}
_FINISH: Final = {
    "end_turn": FinishReason.STOP,
    "stop_sequence": FinishReason.STOP,
    "max_tokens": FinishReason.LENGTH,
    "model_context_window_exceeded": FinishReason.LENGTH,
    "refusal": FinishReason.CONTENT_FILTER,
}
_READ: Final = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
# The texts of a block that come in pieces, by the kind of piece: the kind of the block, and its field.
_DELTAS: Final = {
    "text_delta": ("text", "text"),
    "thinking_delta": ("thinking", "thinking"),
    "signature_delta": ("thinking", "signature"),
}
_TOOL: Final = "tool_"  # in the kind of every block that calls a tool, or says what came of it
_THOUGHTS: Final = ("thinking", "redacted_thinking")


def _build(endpoint: EndpointSpec, request: InferenceRequest) -> HttpCall:
    messages = request.prompt.messages
    body: dict[str, Any] = {
        "model": endpoint.remote_name,
        "messages": [{"role": each.role, "content": each.content} for each in messages if each.role != "system"],
        "stream": streams(endpoint, request.sampling),
        **sampled(endpoint, request, _NAMES),
    }
    system = "\n\n".join(each.content for each in messages if each.role == "system")
    if system:
        body["system"] = system
    place(body, request.configuration, _SETTINGS)
    if "thinking_budget" in request.configuration:
        body["thinking"].setdefault("type", "enabled")
    sent = headers(anthropic_version=_VERSION, x_api_key=endpoint.secret or None)
    return HttpCall(url(endpoint.base_url, "/messages"), sent, json.dumps(body).encode())


def _join(pieces: Pieces) -> dict[str, Any]:
    whole: dict[str, Any] = {"type": "message"}
    blocks = _Blocks()
    usage: dict[str, Any] = {}
    counted = False
    for piece in pieces:
        kind, delta = piece.get("type"), piece.get("delta")
        if kind == "message_start" and isinstance(piece.get("message"), dict):
            whole |= piece["message"]
            _take(usage, whole.get("usage"))
        elif kind == "content_block_start" and isinstance(piece.get("content_block"), dict):
            blocks.start(piece.get("index"), piece["content_block"])
        elif kind == "content_block_delta" and (field := _DELTAS.get(str(within(delta, "type")))):
            blocks.add(piece.get("index"), *field, as_piece(within(delta, field[1])))
        elif kind == "message_delta":
            whole["stop_reason"] = within(delta, "stop_reason") or whole.get("stop_reason")
            counted = _take(usage, piece.get("usage")) or counted
    if not whole.get("stop_reason"):
        raise Cut(NO_REASON)
    if not counted:
        raise Cut(NO_USAGE)
    said = objects(whole.get("content")), blocks.all()  # of a message that began whole, and of its blocks
    content = max(reversed(said), key=lambda blocks: len(_words(blocks, "text")) + len(_words(blocks, "thinking")))
    return whole | {"content": content, "usage": usage}


class _Blocks:
    """The content of a stream, put together block by block.

    Some servers begin each block under the same number, or none at all: a block takes pieces of its own kind alone.
    """

    def __init__(self) -> None:
        self._all: list[tuple[dict[str, Any], dict[str, list[str]]]] = []
        self._open: dict[str, int] = {}  # places in the list, by number

    def start(self, number: object, block: Mapping[str, Any]) -> None:
        """Begin a block, which may hold the beginning of its text already."""
        self._open[str(number)] = len(self._all)
        self._all.append((dict(block), {}))

    def add(self, number: object, kind: str, name: str, piece: str) -> None:
        """Take over a piece of a block's text."""
        place = self._open.get(str(number))
        if place is None or self._all[place][0].get("type") != kind:
            self.start(number, {"type": kind})
        self._all[self._open[str(number)]][1].setdefault(name, []).append(piece)

    def all(self) -> list[dict[str, Any]]:
        """The blocks as they would be in an answer that is not streamed."""
        return [
            block | {name: joined((block.get(name), *pieces)) for name, pieces in texts.items()}
            for block, texts in self._all
        ]


def _take(usage: dict[str, Any], more: object) -> bool:
    """Later counts stand for all until then; true where there are any."""
    if not isinstance(more, dict) or not more:
        return False
    usage |= {name: value for name, value in more.items() if value is not None}
    return True


def _read(data: dict[str, Any]) -> Reading:
    content = data.get("content")
    if not isinstance(content, list):
        raise Cut("answered JSON without content")
    blocks = objects(content)
    text, thought = _words(blocks, "text"), _words(blocks, "thinking")
    words = unthink(text, thought)
    reason = finished(data.get("stop_reason"), _FINISH)
    return Reading(
        words.text, words.reasoning, reason, _usage(reported(data.get("usage"))), data.get("model"),
        came=bool(text) or any(_TOOL in str(block.get("type")) for block in blocks),
        withheld=any(block.get("type") in _THOUGHTS for block in blocks),
    )  # fmt: skip


def _words(blocks: list[dict[str, Any]], kind: str) -> str:
    """What all blocks of a kind say."""
    return joined(block.get(kind) for block in blocks if block.get("type") == kind)


def _usage(value: object) -> Usage:
    read = [count(value, name) for name in _READ]
    thinking = count(within(value, "output_tokens_details"), "thinking_tokens")
    return Usage(
        None if read[0] is None else sum(part or 0 for part in read), read[1], thinking,
        answered(count(value, "output_tokens"), thinking),
    )  # fmt: skip


BACKEND = Backend(
    "anthropic", _build, parser(_join, _read), refusal, _SETTINGS,
    re.compile(rb'"(?:text_delta|thinking_delta|signature_delta)"'),
)  # fmt: skip
