"""The format of Anthropic's messages (`/messages`): blocks of text and of thinking.

It has no seed and no penalty of repetition. Its count of input leaves out what was read from or written to a cache;
here that is part of the input, as everywhere.
"""

import json
import re
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
# The texts of a block that come in pieces, by the kind of piece.
_DELTAS: Final = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}


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
    blocks: dict[Any, dict[str, Any]] = {}
    texts: dict[tuple[Any, str], list[str]] = {}
    usage: dict[str, Any] = {}
    counted = False
    for piece in pieces:
        kind, delta = piece.get("type"), piece.get("delta")
        if kind == "message_start" and isinstance(piece.get("message"), dict):
            whole |= piece["message"]
            _take(usage, whole.get("usage"))
        elif kind == "content_block_start" and isinstance(piece.get("content_block"), dict):
            blocks[str(piece.get("index"))] = dict(piece["content_block"])
        elif kind == "content_block_delta" and (name := _DELTAS.get(str(within(delta, "type")))):
            texts.setdefault((str(piece.get("index")), name), []).append(str(within(delta, name) or ""))
        elif kind == "message_delta":
            whole["stop_reason"] = within(delta, "stop_reason") or whole.get("stop_reason")
            counted = _take(usage, piece.get("usage")) or counted
    if not whole.get("stop_reason"):
        raise Cut(NO_REASON)
    if not counted:
        raise Cut(NO_USAGE)
    for (index, name), parts in texts.items():
        block = blocks.setdefault(index, {"type": name})
        block[name] = joined((block.get(name), *parts))
    return whole | {"content": list(blocks.values()), "usage": usage}


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
    text = joined(block.get("text") for block in blocks if block.get("type") == "text")
    thought = joined(block.get("thinking") for block in blocks if block.get("type") == "thinking")
    words = unthink(text, thought)
    reason = finished(data.get("stop_reason"), _FINISH)
    return Reading(words.text, words.reasoning, reason, _usage(reported(data.get("usage"))), data.get("model"))


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
