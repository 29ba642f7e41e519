"""The format of Google's generateContent: parts of text, of which thoughts are marked.

A base URL ends before `/models`, as in `https://.../v1beta`; a remote name with a slash, such as `tunedModels/x`,
stands in place of `models/NAME`. It has no penalty of repetition. A prompt that the provider blocks is answered with
nothing, for a content filter.
"""

import json
from typing import Any, Final
from urllib.parse import quote

from app.domain.asking.completions import EndpointSpec, FinishReason, InferenceRequest, Usage
from workers.inference.backends import Backend, HttpCall
from workers.inference.backends._answers import Pieces, parser
from workers.inference.backends._reading import (
    NO_REASON,
    Cut,
    Reading,
    Speech,
    count,
    finished,
    joined,
    objects,
    refusal,
    reported,
    text,
    unthink,
    within,
)
from workers.inference.backends._request import headers, place, sampled, streams, url

_NAMES: Final = {"temperature": "temperature", "top_p": "topP", "max_tokens": "maxOutputTokens", "top_k": "topK",
                 "stop": "stopSequences", "seed": "seed"}  # fmt: skip
_SETTINGS: Final = {
    "thinking_budget": "generationConfig.thinkingConfig.thinkingBudget",
    "thinking_level": "generationConfig.thinkingConfig.thinkingLevel",
    "include_thoughts": "generationConfig.thinkingConfig.includeThoughts",
}
_FILTERED: Final = ("safety", "recitation", "blocklist", "prohibited_content", "spii", "image_safety")
_FINISH: Final = {
    "stop": FinishReason.STOP,
    "max_tokens": FinishReason.LENGTH,
    **dict.fromkeys(_FILTERED, FinishReason.CONTENT_FILTER),
}
# What a part may hold in place of a text.
_OTHERS: Final = ("functionCall", "executableCode", "codeExecutionResult", "inlineData", "fileData")
_ROLES: Final = {"assistant": "model"}


def _build(endpoint: EndpointSpec, request: InferenceRequest) -> HttpCall:
    messages = request.prompt.messages
    body: dict[str, Any] = {
        "contents": [
            {"role": _ROLES.get(each.role, "user"), "parts": [{"text": each.content}]}
            for each in messages
            if each.role != "system"
        ],
        "generationConfig": sampled(endpoint, request, _NAMES),
    }
    system = [{"text": each.content} for each in messages if each.role == "system"]
    if system:
        body["systemInstruction"] = {"parts": system}
    place(body, request.configuration, _SETTINGS)
    if request.configuration:  # who sets how it thinks gets to read it, unless that is set too
        body["generationConfig"]["thinkingConfig"].setdefault("includeThoughts", True)
    name = endpoint.remote_name if "/" in endpoint.remote_name else f"models/{endpoint.remote_name}"
    method, query = ("streamGenerateContent", "alt=sse") if streams(endpoint, request.sampling) else (
        "generateContent", "")  # fmt: skip
    where = url(endpoint.base_url, f"/{quote(name)}:{method}", query)
    return HttpCall(where, headers(x_goog_api_key=endpoint.secret or None), json.dumps(body).encode())


def _join(pieces: Pieces) -> dict[str, Any]:
    whole: dict[str, Any] = {}
    usage: dict[str, Any] = {}
    parts: list[dict[str, Any]] = []
    reason: Any = None
    for piece in pieces:
        whole |= {name: value for name, value in piece.items() if name != "candidates" and value is not None}
        counted = piece.get("usageMetadata")
        usage |= counted if isinstance(counted, dict) else {}  # some pieces count one kind of token alone
        candidate = next((each for each in objects(piece.get("candidates")) if not each.get("index")), {})
        reason = _named(candidate.get("finishReason")) or reason
        parts += objects(within(candidate.get("content"), "parts"))
    if reason is None and not _blocked(whole):
        raise Cut(NO_REASON)
    whole |= {"usageMetadata": usage}
    if reason is None:
        return whole
    return whole | {"candidates": [{"content": {"role": "model", "parts": _merged(parts)}, "finishReason": reason}]}


def _merged(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Neighbouring texts of one kind as one; other parts stay."""
    thought = [{"text": _said(parts, thought=True), "thought": True}]
    others = [part for part in parts if "text" not in part]
    return (thought if thought[0]["text"] else []) + [{"text": _said(parts, thought=False)}, *others]


def _said(parts: list[dict[str, Any]], *, thought: bool) -> str:
    return joined(part.get("text") for part in parts if (part.get("thought") is True) is thought)


def _blocked(data: dict[str, Any]) -> bool:
    return text(within(data.get("promptFeedback"), "blockReason")) not in ("", "BLOCK_REASON_UNSPECIFIED")


def _read(data: dict[str, Any]) -> Reading:
    candidates = objects(data.get("candidates"))
    if not candidates and not _blocked(data):
        raise Cut("answered JSON without a candidate")
    reason, words, came = FinishReason.CONTENT_FILTER, Speech("", ""), False
    if candidates:
        parts = objects(within(candidates[0].get("content"), "parts"))
        final = _said(parts, thought=False)
        words = unthink(final, _said(parts, thought=True))
        came = bool(final) or any(part.get(name) for part in parts for name in _OTHERS)
        reason = finished(_named(candidates[0].get("finishReason")), _FINISH)
    usage = _usage(reported(data.get("usageMetadata")))
    return Reading(words.text, words.reasoning, reason, usage, data.get("modelVersion"), came=came)


def _named(reason: object) -> object:
    return None if reason == "FINISH_REASON_UNSPECIFIED" else reason


def _usage(value: object) -> Usage:
    return Usage(
        count(value, "promptTokenCount"), count(value, "cachedContentTokenCount"), count(value, "thoughtsTokenCount"),
        count(value, "candidatesTokenCount"),
    )  # fmt: skip


BACKEND = Backend("google", _build, parser(_join, _read), refusal, _SETTINGS)
