"""The format of Anthropic's messages (`/messages`): blocks of text and of thinking.

It has no seed and no repetition penalty. Its input count leaves out tokens read from or written to a cache; here they
are part of the input, as in other formats.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from app.domain.asking.completions import EndpointSpec, FinishReason, InferenceRequest, Usage
from workers.inference.backends import Backend, HttpCall
from workers.inference.backends._completion import Pieces, parser
from workers.inference.backends._request import headers, place_settings, sampling_fields, should_stream, url
from workers.inference.backends._responses import (
    NO_REASON,
    NO_USAGE,
    IncompleteAnswer,
    ResponseContents,
    answer_tokens,
    as_piece,
    get_field,
    join_texts,
    objects,
    read_count,
    read_finish_reason,
    read_refusal,
    require_usage,
    separate_reasoning,
)

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
_INPUT_COUNTS: Final = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
# Texts that come in pieces, by the kind of piece: the kind of the block, and its field.
_DELTAS: Final = {
    "text_delta": ("text", "text"),
    "thinking_delta": ("thinking", "thinking"),
    "signature_delta": ("thinking", "signature"),
}
_TOOL: Final = "tool_"  # in the kind of every block with a tool's call or result
_THOUGHTS: Final = ("thinking", "redacted_thinking")


def _build(endpoint: EndpointSpec, request: InferenceRequest) -> HttpCall:
    messages = request.prompt.messages
    body: dict[str, Any] = {
        "model": endpoint.remote_name,
        "messages": [
            {"role": message.role, "content": message.content} for message in messages if message.role != "system"
        ],
        "stream": should_stream(endpoint, request.sampling),
        **sampling_fields(endpoint, request, _NAMES),
    }
    system = "\n\n".join(message.content for message in messages if message.role == "system")
    if system:
        body["system"] = system
    place_settings(body, request.configuration, _SETTINGS)
    if "thinking_budget" in request.configuration:
        body["thinking"].setdefault("type", "enabled")
    sent = headers(anthropic_version=_VERSION, x_api_key=endpoint.secret or None)
    return HttpCall(url(endpoint.base_url, "/messages"), sent, json.dumps(body).encode())


def _join(pieces: Pieces) -> dict[str, Any]:
    whole: dict[str, Any] = {"type": "message"}
    blocks = _StreamedBlocks()
    usage: dict[str, Any] = {}
    counted = False
    for piece in pieces:
        kind, delta = piece.get("type"), piece.get("delta")
        if kind == "message_start" and isinstance(piece.get("message"), dict):
            whole |= piece["message"]
            _merge_usage(usage, whole.get("usage"))
        elif kind == "content_block_start" and isinstance(piece.get("content_block"), dict):
            blocks.start(piece.get("index"), piece["content_block"])
        elif kind == "content_block_delta" and (field := _DELTAS.get(str(get_field(delta, "type")))):
            blocks.add(piece.get("index"), *field, as_piece(get_field(delta, field[1])))
        elif kind == "message_delta":
            whole["stop_reason"] = get_field(delta, "stop_reason") or whole.get("stop_reason")
            counted = _merge_usage(usage, piece.get("usage")) or counted
    if not whole.get("stop_reason"):
        raise IncompleteAnswer(NO_REASON)
    if not counted:
        raise IncompleteAnswer(NO_USAGE)
    contents = objects(whole.get("content")), blocks.to_blocks()  # of the message at the start, and of its blocks
    content = max(reversed(contents), key=lambda blocks: len(_words(blocks, "text")) + len(_words(blocks, "thinking")))
    return whole | {"content": content, "usage": usage}


class _StreamedBlocks:
    """The content of a stream, joined block by block.

    Some servers begin each block under the same number, or under none: a block takes only pieces of its own kind.
    """

    def __init__(self) -> None:
        self._all: list[tuple[dict[str, Any], dict[str, list[str]]]] = []
        self._open: dict[str, int] = {}  # positions in the list, by number

    def start(self, number: object, block: Mapping[str, Any]) -> None:
        """Begin a block, which may already hold the beginning of its text."""
        self._open[str(number)] = len(self._all)
        self._all.append((dict(block), {}))

    def add(self, number: object, kind: str, name: str, piece: str) -> None:
        """Add a piece of a block's text."""
        place = self._open.get(str(number))
        if place is None or self._all[place][0].get("type") != kind:
            self.start(number, {"type": kind})
        self._all[self._open[str(number)]][1].setdefault(name, []).append(piece)

    def to_blocks(self) -> list[dict[str, Any]]:
        """Return the blocks as they would be in a plain answer."""
        return [
            block | {name: join_texts((block.get(name), *pieces)) for name, pieces in texts.items()}
            for block, texts in self._all
        ]


def _merge_usage(usage: dict[str, Any], more: object) -> bool:
    """Update the counts, which are cumulative; return whether there are any."""
    if not isinstance(more, dict) or not more:
        return False
    usage |= {name: value for name, value in more.items() if value is not None}
    return True


def _read(data: dict[str, Any]) -> ResponseContents:
    content = data.get("content")
    if not isinstance(content, list):
        raise IncompleteAnswer("answered JSON without content")
    blocks = objects(content)
    text, thought = _words(blocks, "text"), _words(blocks, "thinking")
    words = separate_reasoning(text, thought)
    reason = read_finish_reason(data.get("stop_reason"), _FINISH)
    return ResponseContents(
        words.text, words.reasoning, reason, _usage(require_usage(data.get("usage"))), data.get("model"),
        came=bool(text) or any(_TOOL in str(block.get("type")) for block in blocks),
        withheld=any(block.get("type") in _THOUGHTS for block in blocks),
    )  # fmt: skip


def _words(blocks: list[dict[str, Any]], kind: str) -> str:
    """Return the text of all blocks of a kind."""
    return join_texts(block.get(kind) for block in blocks if block.get("type") == kind)


def _usage(value: object) -> Usage:
    read = [read_count(value, name) for name in _INPUT_COUNTS]
    thinking = read_count(get_field(value, "output_tokens_details"), "thinking_tokens")
    return Usage(
        None if read[0] is None else sum(part or 0 for part in read), read[1], thinking,
        answer_tokens(read_count(value, "output_tokens"), thinking),
    )  # fmt: skip


BACKEND = Backend(
    "anthropic", _build, parser(_join, _read), read_refusal, _SETTINGS,
    re.compile(rb'"(?:text_delta|thinking_delta|signature_delta)"'),
)  # fmt: skip
