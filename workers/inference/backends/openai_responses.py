"""The format of OpenAI's responses (`/responses`): items of output, reasoning as summaries or as text.

Nothing is stored at the provider. The format has no seed, no stops, no top-k and no repetition penalty.
"""

import json
import re
from collections.abc import Callable
from typing import Any, Final

from app.domain.asking.completions import EndpointSpec, FinishReason, InferenceRequest, Usage
from workers.inference.backends import Backend, HttpCall
from workers.inference.backends._completion import Pieces, parser
from workers.inference.backends._request import bearer_headers, place_settings, sampling_fields, should_stream, url
from workers.inference.backends._responses import (
    NO_REASON,
    IncompleteAnswer,
    ResponseContents,
    answer_tokens,
    as_piece,
    error_message,
    get_field,
    join_texts,
    objects,
    read_count,
    read_refusal,
    require_usage,
    separate_reasoning,
)

_NAMES: Final = {"temperature": "temperature", "top_p": "top_p", "max_tokens": "max_output_tokens"}
_SETTINGS: Final = {
    "reasoning_effort": "reasoning.effort",
    "reasoning_summary": "reasoning.summary",
    "verbosity": "text.verbosity",
}
_ENDS: Final = ("response.completed", "response.incomplete", "response.failed", "response.cancelled",
                "response.done")  # fmt: skip
# Texts in a stream, by event: the kind of the part, and the field that holds the text or a piece of it.
_PIECES: Final = {
    "response.output_text.delta": "output_text",
    "response.refusal.delta": "refusal",
    "response.reasoning_text.delta": "reasoning_text",
    "response.reasoning.delta": "reasoning_text",
    "response.reasoning_summary_text.delta": "summary_text",
}
_TEXTS: Final = {
    "response.output_text.done": ("output_text", "text"),
    "response.refusal.done": ("refusal", "refusal"),
    "response.reasoning_text.done": ("reasoning_text", "text"),
    "response.reasoning_summary_text.done": ("summary_text", "text"),
}
_PARTS: Final = ("response.content_part.done", "response.reasoning_part.done", "response.reasoning_summary_part.done")
_MESSAGE_PARTS: Final = ("output_text", "refusal")
_CALL: Final = "_call"  # in the type of every item with a tool's call or result
_FIELDS: Final = {"refusal": "refusal"}  # text field of a part, if it is not `text`
_INCOMPLETE_REASONS: Final = {
    "max_output_tokens": FinishReason.LENGTH,
    "max_tokens": FinishReason.LENGTH,
    "content_filter": FinishReason.CONTENT_FILTER,
}


def _build(endpoint: EndpointSpec, request: InferenceRequest) -> HttpCall:
    body: dict[str, Any] = {
        "model": endpoint.remote_name,
        "input": [{"role": message.role, "content": message.content} for message in request.prompt.messages],
        "store": False,
        "stream": should_stream(endpoint, request.sampling),
        **sampling_fields(endpoint, request, _NAMES),
    }
    place_settings(body, request.configuration, _SETTINGS)
    return HttpCall(url(endpoint.base_url, "/responses"), bearer_headers(endpoint), json.dumps(body).encode())


def _join(pieces: Pieces) -> dict[str, Any]:
    """Return the body that a stream amounts to.

    A stream may give its output up to five times: piece by piece, text by text, part by part, item by item, and whole
    in its last event, where some servers leave it out or empty. Messages and reasoning are each taken from the source
    with the most text, and of equal ones from the last.
    """
    whole: dict[str, Any] | None = None
    by_piece, by_text, by_part = _Items(), _Items(), _Items()
    items: list[Any] = []
    for piece in pieces:
        kind = str(piece.get("type"))
        if kind in _PIECES:
            by_piece.add(piece, _PIECES[kind], piece.get("delta"))
        elif kind in _TEXTS:
            part, name = _TEXTS[kind]
            by_text.add(piece, part, piece.get(name))
        elif kind in _PARTS or kind == "response.content_part.added":
            part = str(get_field(piece.get("part"), "type"))
            if part in _PIECES.values():
                target = by_part if kind in _PARTS else by_piece
                target.add(piece, part, get_field(piece.get("part"), _FIELDS.get(part, "text")))
        elif kind == "response.output_item.done":
            items.append(piece.get("item"))
        elif kind in _ENDS and isinstance(piece.get("response"), dict):
            whole = piece["response"]
    if whole is None:
        raise IncompleteAnswer(NO_REASON)
    _check_status(whole)
    return whole | {
        "output": _fullest(by_piece.to_items(), by_text.to_items(), by_part.to_items(), objects(items), _output(whole))
    }


class _Items:
    """Items of output, joined from texts that name their item and part."""

    def __init__(self) -> None:
        self._texts: dict[tuple[Any, ...], list[str]] = {}

    def add(self, event: dict[str, Any], kind: str, text: object) -> None:
        """Add a text or a piece of one."""
        numbers = (event.get("output_index"), event.get("content_index", event.get("summary_index")))
        item, part = (number if type(number) is int else 0 for number in numbers)
        place = item, str(event.get("item_id")), part, kind
        self._texts.setdefault(place, []).append(as_piece(text))

    def to_items(self) -> list[dict[str, Any]]:
        """Return the items in their order, each with its parts."""
        items: dict[tuple[Any, ...], dict[str, Any]] = {}
        for (index, name, _, kind), texts in sorted(self._texts.items(), key=lambda each: (each[0][0], each[0][2])):
            item_type, parts = ("message", "content") if kind in _MESSAGE_PARTS else (
                "reasoning", "summary" if kind == "summary_text" else "content")  # fmt: skip
            item = items.setdefault((index, name, item_type), {"type": item_type})
            item.setdefault(parts, []).append({"type": kind, _FIELDS.get(kind, "text"): "".join(texts)})
        return list(items.values())


def _fullest(*ways: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the output from several sources: of each kind, the one with the most text."""

    def of_kind(kind: str, size: Callable[[list[dict[str, Any]]], int]) -> list[dict[str, Any]]:
        said = [[item for item in way if item.get("type") == kind] for way in ways]
        return max(reversed(said), key=size)

    *_, by_item, last = ways
    others = [[item for item in way if item.get("type") not in ("message", "reasoning")] for way in (last, by_item)]
    return [
        *of_kind("reasoning", lambda items: len(_thought(items, "content")) + len(_thought(items, "summary"))),
        *of_kind("message", lambda items: sum(map(len, _message_texts(items)))),
        *(others[0] or others[1]),
    ]


def _output(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the items of a whole response; a separate output text becomes a message if no item has a text."""
    items, beside = objects(data.get("output")), data.get("output_text")
    if isinstance(beside, str) and beside and not _message_texts(items)[0]:
        items.append({"type": "message", "content": beside})
    return items


def _message_texts(items: list[dict[str, Any]]) -> tuple[str, str]:
    """Return the text of all messages, and the text in which the model refused."""
    contents = [item.get("content") for item in items if item.get("type") == "message"]
    parts = [
        part
        for content in contents
        for part in ([{"type": "text", "text": content}] if isinstance(content, str) else objects(content))
    ]
    return (
        join_texts(part.get("text") for part in parts if part.get("type") in ("output_text", "text")),
        join_texts(part.get("refusal") for part in parts if part.get("type") == "refusal"),
    )


def _check_status(data: dict[str, Any]) -> None:
    status = data.get("status")
    if not isinstance(status, str) or not status:
        raise IncompleteAnswer("answered without a finish reason")
    if status not in ("completed", "incomplete"):
        words = error_message(data)
        raise IncompleteAnswer(f"broke its answer off (status {status[:40]!r})" + (f": {words}" if words else ""))


def _read(data: dict[str, Any]) -> ResponseContents:
    if not isinstance(data.get("output"), list):
        raise IncompleteAnswer("answered JSON without an output")
    _check_status(data)
    items = _output(data)
    text, refused = _message_texts(items)
    thoughts = [item for item in items if item.get("type") == "reasoning"]
    apart = _thought(thoughts, "content") or _thought(thoughts, "summary")
    words = separate_reasoning(text or refused, apart)
    return ResponseContents(
        words.text, words.reasoning, _reason(data, items), _usage(require_usage(data.get("usage"))), data.get("model"),
        came=bool(text or refused) or any(_CALL in str(item.get("type")) for item in items),
        withheld=bool(thoughts),
    )  # fmt: skip


def _thought(items: list[dict[str, Any]], name: str) -> str:
    return "\n\n".join(
        filter(None, (join_texts(part.get("text") for part in objects(item.get(name))) for item in items))
    )


def _reason(data: dict[str, Any], items: list[dict[str, Any]]) -> FinishReason:
    if data["status"] == "incomplete":
        return _INCOMPLETE_REASONS.get(str(get_field(data.get("incomplete_details"), "reason")), FinishReason.OTHER)
    spoke = any(item.get("type") == "message" for item in items)
    return FinishReason.STOP if spoke or not items else FinishReason.OTHER


def _usage(value: object) -> Usage:
    reasoning = read_count(get_field(value, "output_tokens_details"), "reasoning_tokens")
    return Usage(
        read_count(value, "input_tokens"), read_count(get_field(value, "input_tokens_details"), "cached_tokens"),
        reasoning, answer_tokens(read_count(value, "output_tokens"), reasoning),
    )  # fmt: skip


BACKEND = Backend(
    "openai_responses", _build, parser(_join, _read), read_refusal, _SETTINGS,
    re.compile(rb'"response\.(?:output_text|reasoning_text|reasoning_summary_text|refusal)\.delta"'),
)  # fmt: skip
