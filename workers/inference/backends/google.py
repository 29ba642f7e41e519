"""The format of Google's generateContent: parts of text, of which thoughts are marked.

A base URL ends before `/models`, as in `https://.../v1beta`; a remote name with a slash, such as `tunedModels/x`,
replaces `models/NAME`. The format has no repetition penalty. A prompt that the provider blocks gets an empty answer
with the finish reason of a content filter.
"""

import json
from typing import Any, Final
from urllib.parse import quote

from app.domain.asking.completions import EndpointSpec, FinishReason, InferenceRequest, Usage
from workers.inference.backends import Backend, HttpCall
from workers.inference.backends._completion import Pieces, parser
from workers.inference.backends._request import headers, place_settings, sampling_fields, should_stream, url
from workers.inference.backends._responses import (
    NO_REASON,
    IncompleteAnswer,
    ResponseContents,
    TextAndReasoning,
    as_text,
    get_field,
    join_texts,
    objects,
    read_count,
    read_finish_reason,
    read_refusal,
    require_usage,
    separate_reasoning,
)

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
# Output of a part in place of a text.
_OTHERS: Final = ("functionCall", "executableCode", "codeExecutionResult", "inlineData", "fileData")
_ROLES: Final = {"assistant": "model"}


def _build(endpoint: EndpointSpec, request: InferenceRequest) -> HttpCall:
    messages = request.prompt.messages
    body: dict[str, Any] = {
        "contents": [
            {"role": _ROLES.get(message.role, "user"), "parts": [{"text": message.content}]}
            for message in messages
            if message.role != "system"
        ],
        "generationConfig": sampling_fields(endpoint, request, _NAMES),
    }
    system = [{"text": message.content} for message in messages if message.role == "system"]
    if system:
        body["systemInstruction"] = {"parts": system}
    place_settings(body, request.configuration, _SETTINGS)
    if request.configuration:  # a run that sets the thinking also gets the thoughts, unless it sets that too
        body["generationConfig"]["thinkingConfig"].setdefault("includeThoughts", True)
    name = endpoint.remote_name if "/" in endpoint.remote_name else f"models/{endpoint.remote_name}"
    method, query = ("streamGenerateContent", "alt=sse") if should_stream(endpoint, request.sampling) else (
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
        usage |= counted if isinstance(counted, dict) else {}  # some pieces count only one kind of token
        candidates = objects(piece.get("candidates"))
        candidate = next((candidate for candidate in candidates if not candidate.get("index")), {})
        reason = _named(candidate.get("finishReason")) or reason
        parts += objects(get_field(candidate.get("content"), "parts"))
    if reason is None and not _blocked(whole):
        raise IncompleteAnswer(NO_REASON)
    whole |= {"usageMetadata": usage}
    if reason is None:
        return whole
    return whole | {"candidates": [{"content": {"role": "model", "parts": _merged(parts)}, "finishReason": reason}]}


def _merged(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Join the texts of each kind into one part; other parts stay."""
    thought = [{"text": _said(parts, thought=True), "thought": True}]
    others = [part for part in parts if "text" not in part]
    return (thought if thought[0]["text"] else []) + [{"text": _said(parts, thought=False)}, *others]


def _said(parts: list[dict[str, Any]], *, thought: bool) -> str:
    return join_texts(part.get("text") for part in parts if (part.get("thought") is True) is thought)


def _blocked(data: dict[str, Any]) -> bool:
    return as_text(get_field(data.get("promptFeedback"), "blockReason")) not in ("", "BLOCK_REASON_UNSPECIFIED")


def _read(data: dict[str, Any]) -> ResponseContents:
    candidates = objects(data.get("candidates"))
    if not candidates and not _blocked(data):
        raise IncompleteAnswer("answered JSON without a candidate")
    reason, words, came = FinishReason.CONTENT_FILTER, TextAndReasoning("", ""), False
    if candidates:
        parts = objects(get_field(candidates[0].get("content"), "parts"))
        final = _said(parts, thought=False)
        words = separate_reasoning(final, _said(parts, thought=True))
        came = bool(final) or any(part.get(name) for part in parts for name in _OTHERS)
        reason = read_finish_reason(_named(candidates[0].get("finishReason")), _FINISH)
    usage = _usage(require_usage(data.get("usageMetadata")))
    return ResponseContents(words.text, words.reasoning, reason, usage, data.get("modelVersion"), came=came)


def _named(reason: object) -> object:
    return None if reason == "FINISH_REASON_UNSPECIFIED" else reason


def _usage(value: object) -> Usage:
    return Usage(
        read_count(value, "promptTokenCount"), read_count(value, "cachedContentTokenCount"),
        read_count(value, "thoughtsTokenCount"), read_count(value, "candidatesTokenCount"),
    )  # fmt: skip


BACKEND = Backend("google", _build, parser(_join, _read), read_refusal, _SETTINGS)
