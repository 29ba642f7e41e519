"""The format of OpenAI's responses (`/responses`): items of output, reasoning as summaries or as text.

Nothing is stored at the provider. It has no seed, no stops, no top-k and no penalty of repetition.
"""

import json
import re
from typing import Any, Final

from app.domain.asking.completions import EndpointSpec, FinishReason, InferenceRequest, Usage
from workers.inference.backends import Backend, HttpCall
from workers.inference.backends._answers import Pieces, parser
from workers.inference.backends._reading import (
    NO_REASON,
    Cut,
    Reading,
    answered,
    complaint,
    count,
    joined,
    objects,
    refusal,
    reported,
    unthink,
    within,
)
from workers.inference.backends._request import bearer, place, sampled, streams, url

_NAMES: Final = {"temperature": "temperature", "top_p": "top_p", "max_tokens": "max_output_tokens"}
_SETTINGS: Final = {
    "reasoning_effort": "reasoning.effort",
    "reasoning_summary": "reasoning.summary",
    "verbosity": "text.verbosity",
}
_ENDS: Final = ("response.completed", "response.incomplete", "response.failed", "response.cancelled")
_CUT_SHORT: Final = {
    "max_output_tokens": FinishReason.LENGTH,
    "max_tokens": FinishReason.LENGTH,
    "content_filter": FinishReason.CONTENT_FILTER,
}


def _build(endpoint: EndpointSpec, request: InferenceRequest) -> HttpCall:
    body: dict[str, Any] = {
        "model": endpoint.remote_name,
        "input": [{"role": message.role, "content": message.content} for message in request.prompt.messages],
        "store": False,
        "stream": streams(endpoint, request.sampling),
        **sampled(endpoint, request, _NAMES),
    }
    place(body, request.configuration, _SETTINGS)
    return HttpCall(url(endpoint.base_url, "/responses"), bearer(endpoint), json.dumps(body).encode())


def _join(pieces: Pieces) -> dict[str, Any]:
    """The last event holds the whole response; some servers leave its items out, which came before it."""
    whole: dict[str, Any] | None = None
    items: list[Any] = []
    for piece in pieces:
        if piece.get("type") == "response.output_item.done":
            items.append(piece.get("item"))
        if piece.get("type") in _ENDS and isinstance(piece.get("response"), dict):
            whole = piece["response"]
    if whole is None:
        raise Cut(NO_REASON)
    _check_status(whole)
    return whole if whole.get("output") else whole | {"output": items}


def _check_status(data: dict[str, Any]) -> None:
    status = data.get("status")
    if not isinstance(status, str) or not status:
        raise Cut("answered without a finish reason")
    if status not in ("completed", "incomplete"):
        words = complaint(data)
        raise Cut(f"broke its answer off (status {status[:40]!r})" + (f": {words}" if words else ""))


def _read(data: dict[str, Any]) -> Reading:
    output = data.get("output")
    if not isinstance(output, list):
        raise Cut("answered JSON without an output")
    _check_status(data)
    items = objects(output)
    parts = [part for item in items if item.get("type") == "message" for part in objects(item.get("content"))]
    text = joined(part.get("text") for part in parts if part.get("type") == "output_text")
    text = text or joined(part.get("refusal") for part in parts if part.get("type") == "refusal")
    thoughts = [item for item in items if item.get("type") == "reasoning"]
    apart = _thought(thoughts, "content") or _thought(thoughts, "summary")
    words = unthink(text, apart)
    usage = _usage(reported(data.get("usage")))
    return Reading(words.text, words.reasoning, _reason(data, items), usage, data.get("model"))


def _thought(items: list[dict[str, Any]], name: str) -> str:
    return "\n\n".join(filter(None, (joined(part.get("text") for part in objects(item.get(name))) for item in items)))


def _reason(data: dict[str, Any], items: list[dict[str, Any]]) -> FinishReason:
    if data["status"] == "incomplete":
        return _CUT_SHORT.get(str(within(data.get("incomplete_details"), "reason")), FinishReason.OTHER)
    spoke = any(item.get("type") == "message" for item in items)
    return FinishReason.STOP if spoke or not items else FinishReason.OTHER


def _usage(value: object) -> Usage:
    reasoning = count(within(value, "output_tokens_details"), "reasoning_tokens")
    return Usage(
        count(value, "input_tokens"), count(within(value, "input_tokens_details"), "cached_tokens"), reasoning,
        answered(count(value, "output_tokens"), reasoning),
    )  # fmt: skip


BACKEND = Backend(
    "openai_responses", _build, parser(_join, _read), refusal, _SETTINGS,
    re.compile(rb'"response\.(?:output_text|reasoning_text|reasoning_summary_text|refusal)\.delta"'),
)  # fmt: skip
