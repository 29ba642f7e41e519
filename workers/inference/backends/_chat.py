"""The chat format of OpenAI (`/chat/completions`), which many servers speak with extras of their own.

Reasoning is read from every known place. `EndpointSpec.extra` may hold: `max_tokens_field` (such as
`max_completion_tokens`), `omit` (names of sampling fields that the model refuses), `stream` (true or false; where it
is not set, answers of more than 16,384 tokens are streamed), `answers` (how many one request asks for). A streamed
answer is read in either case.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from app.domain.asking.completions import EndpointSpec, FinishReason, InferenceRequest, Usage
from workers.inference.backends import Backend, HttpCall
from workers.inference.backends._answers import Pieces, several
from workers.inference.backends._reading import (
    NO_REASON,
    Cut,
    Reading,
    Speech,
    answered,
    count,
    finished,
    refusal,
    reported,
    unthink,
    within,
)
from workers.inference.backends._request import bearer, omitted, place, sampled, streams, url

NAMES: Final = {name: name for name in ("temperature", "top_p", "max_tokens", "top_k", "repetition_penalty", "stop",
                                        "seed")}  # fmt: skip
# Pieces of text that are joined; every other field of a message is kept as its last piece says it.
_JOINED = ("content", "reasoning", "reasoning_content", "refusal")

FINISH: Mapping[str, FinishReason] = {
    "stop": FinishReason.STOP,
    "eos": FinishReason.STOP,
    "end_turn": FinishReason.STOP,
    "stop_sequence": FinishReason.STOP,
    "length": FinishReason.LENGTH,
    "max_tokens": FinishReason.LENGTH,
    "model_length": FinishReason.LENGTH,
    "content_filter": FinishReason.CONTENT_FILTER,
    "safety": FinishReason.CONTENT_FILTER,
}
# The server's own end of it: the text may be cut anywhere, and is nobody's answer. The last is DeepSeek's.
BROKEN_OFF: Final = frozenset({"abort", "aborted", "cancelled", "canceled", "error", "insufficient_system_resource"})


def backend(name: str, settings: Mapping[str, str], answers: int = 1, **extras: Any) -> Backend:
    """A back end of this format under its name: where its settings stand in a request, how many answers one asks for,
    and what is always sent."""

    def build(endpoint: EndpointSpec, request: InferenceRequest) -> HttpCall:
        messages = [{"role": message.role, "content": message.content} for message in request.prompt.messages]
        body = {"model": endpoint.remote_name, "messages": messages} | framed(endpoint, request) | extras
        place(body, request.configuration, settings)
        return HttpCall(url(endpoint.base_url, "/chat/completions"), bearer(endpoint), json.dumps(body).encode())

    return Backend(
        name, build, lambda body, latency_ms: _PARSE(body, latency_ms, 1)[0], refusal, settings, several=_PARSE,
        answers=answers,
    )  # fmt: skip


def framed(endpoint: EndpointSpec, request: InferenceRequest) -> dict[str, Any]:
    """What a request says beside the prompt: sampling, how many choices, and whether it is streamed."""
    body = sampled(endpoint, request, NAMES)
    if "n" not in omitted(endpoint):
        body["n"] = request.answers
    body["stream"] = streams(endpoint, request.sampling)
    if body["stream"]:
        body["stream_options"] = {"include_usage": True}
    return body


def _join(pieces: Pieces, answers: int) -> dict[str, Any]:
    whole: dict[str, Any] = {}
    choices: dict[int, _Choice] = {}
    for piece in pieces:
        keep(whole, piece)
        for index, choice in _choices(piece, answers):
            choices.setdefault(index, _Choice()).add(choice)
    if all(choice.reason is None for choice in choices.values()):
        raise Cut(NO_REASON)
    return whole | {"object": "chat.completion", "choices": [choices[index].whole(index) for index in sorted(choices)]}


class _Choice:
    """One answer of a stream, put together of its pieces."""

    def __init__(self) -> None:
        self.reason: Any = None
        self._parts: dict[str, list[str]] = {}
        self._message: dict[str, Any] = {}

    def add(self, choice: Mapping[str, Any]) -> None:
        self.reason = choice.get("finish_reason") or self.reason
        delta = choice.get("delta") or choice.get("message")
        for name, value in delta.items() if isinstance(delta, dict) else ():
            if name in _JOINED and isinstance(value, str):
                self._parts.setdefault(name, []).append(value)
            elif value is not None:
                self._message[name] = value

    def whole(self, index: int) -> dict[str, Any]:
        message = self._message | {name: "".join(texts) for name, texts in self._parts.items()}
        message.setdefault("content", None)
        return {"index": index, "message": message, "finish_reason": self.reason}


def keep(whole: dict[str, Any], piece: Mapping[str, Any]) -> None:
    """Take over what a piece says beside its choices; what it leaves empty stays as it was said before."""
    whole |= {name: value for name, value in piece.items() if name != "choices" and value not in (None, {})}


def check_ended(reason: object) -> None:
    """Raise Cut for a stream that lacks the reason why the model stopped."""
    if reason is None:
        raise Cut(NO_REASON)


def first(piece: Mapping[str, Any]) -> Mapping[str, Any]:
    """The one choice that was asked for; pieces of others are passed over."""
    return next((choice for _, choice in _choices(piece, 1)), {})


def _choices(piece: Mapping[str, Any], answers: int) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The choices that were asked for, each with its place."""
    choices = piece.get("choices")
    for choice in choices if isinstance(choices, list) else ():
        index = choice.get("index", 0) if isinstance(choice, dict) else None
        if type(index) is int and 0 <= index < answers:
            yield index, choice


def chosen(data: Mapping[str, Any]) -> dict[str, Any]:
    """The first choice of a whole answer. Raises Cut where there is none."""
    choices = data.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise Cut("answered JSON without a choice")
    return choices[0]


def _read(data: dict[str, Any], answers: int) -> list[Callable[[], Reading]]:
    chosen(data)
    choices = [choice for _, choice in sorted(enumerate(data["choices"]), key=_place)]
    return [partial(_read_choice, data, choice) for choice in choices[:answers]]


def _place(numbered: tuple[int, object]) -> int:
    """Where a choice belongs: it has the seed of the place that it names."""
    index = within(numbered[1], "index")
    return index if type(index) is int else numbered[0]


def _read_choice(data: dict[str, Any], choice: object) -> Reading:
    message = within(choice, "message")
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise Cut("answered a choice without a message")
    return as_read(data, choice, _speech(message))


def as_read(data: Mapping[str, Any], choice: Mapping[str, Any], words: Speech) -> Reading:
    """An answer's words with what stands beside them."""
    reason = finished(choice.get("finish_reason"), FINISH, BROKEN_OFF)
    return Reading(
        words.text, words.reasoning, reason, _usage(reported(data.get("usage"))), data.get("model"),
        data.get("system_fingerprint"),
    )  # fmt: skip


def _speech(message: Mapping[str, Any]) -> Speech:
    """Final text and reasoning apart. Raises Cut when the content is neither text, parts of text, nor absent."""
    content = message.get("content")
    if content is None:
        refused = message.get("refusal")
        content = refused if isinstance(refused, str) else ""
    parts = list(_parts(content))
    if isinstance(content, list):
        content = "".join(part.text for part in parts)
    if not isinstance(content, str):
        raise Cut("answered a message whose content is no text")
    fields = (message.get("reasoning"), message.get("reasoning_content"))
    apart = next((field for field in fields if isinstance(field, str) and field), "")
    return unthink(content, apart or "".join(part.reasoning for part in parts))


def _parts(content: object) -> Iterator[Speech]:
    """A content given as a list of parts, each text or thinking; parts of other kinds carry no text."""
    for part in content if isinstance(content, list) else ():
        if isinstance(part, str):
            yield Speech(part, "")
        elif isinstance(part, dict) and part.get("type") in ("thinking", "reasoning"):
            thought = part.get("thinking") or part.get("reasoning") or part.get("text")
            yield Speech("", thought if isinstance(thought, str) else "".join(part.text for part in _parts(thought)))
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            yield Speech(part["text"], "")


def _usage(value: object) -> Usage:
    prompt, completion = count(value, "prompt_tokens"), count(value, "completion_tokens")
    reasoning = count(within(value, "completion_tokens_details"), "reasoning_tokens")
    reasoning = count(value, "reasoning_tokens") if reasoning is None else reasoning
    cached = count(within(value, "prompt_tokens_details"), "cached_tokens")
    total = count(value, "total_tokens")
    if completion is not None and reasoning and total == (prompt or 0) + completion + reasoning:
        return Usage(prompt, cached, reasoning, completion)  # counted beside the completion, not within it
    return Usage(prompt, cached, reasoning, answered(completion, reasoning))


_PARSE: Final = several(_join, _read)
