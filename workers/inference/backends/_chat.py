"""The chat format of OpenAI (`/chat/completions`), which many servers speak with extras of their own.

Reasoning is read from every known place. `EndpointSpec.extra` may hold: `max_tokens_field` (such as
`max_completion_tokens`), `omit` (names of sampling fields that the model refuses), `stream` (true or false; where it
is not set, answers of more than 16,384 tokens are streamed), `answers` (how many one request asks for). A streamed
answer is read in either case.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import pairwise
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
    complaint,
    count,
    finished,
    joined,
    refusal,
    reported,
    text,
    unthink,
    within,
)
from workers.inference.backends._request import bearer, omitted, place, sampled, streams, url

NAMES: Final = {name: name for name in ("temperature", "top_p", "max_tokens", "top_k", "repetition_penalty", "stop",
                                        "seed")}  # fmt: skip
# Where servers put reasoning beside the content: a text, or a list of parts.
_REASONING: Final = ("reasoning", "reasoning_content", "reasoning_text", "thinking", "reasoning_details",
                     "thinking_blocks")  # fmt: skip
_THOUGHT: Final = ("thinking", "reasoning", "text", "summary", "content")  # where a part of reasoning has its words
_OTHERS: Final = ("tool_calls", "function_call", "audio")  # what a message may hold in place of a text
# Fields that come in pieces; of every other field of a message the last piece counts that is not empty.
_PIECES: Final = frozenset({"content", "refusal", *_REASONING})

FINISH: Mapping[str, FinishReason] = {
    "stop": FinishReason.STOP,
    "eos": FinishReason.STOP,
    "eos_token": FinishReason.STOP,
    "end_turn": FinishReason.STOP,
    "stop_sequence": FinishReason.STOP,
    "length": FinishReason.LENGTH,
    "max_tokens": FinishReason.LENGTH,
    "model_length": FinishReason.LENGTH,
    "content_filter": FinishReason.CONTENT_FILTER,
    "safety": FinishReason.CONTENT_FILTER,
    "sensitive": FinishReason.CONTENT_FILTER,
}
# The server's own end of it: the text may be cut anywhere, and is nobody's answer. The last are DeepSeek's and GLM's.
BROKEN_OFF: Final = frozenset({"abort", "aborted", "cancelled", "canceled", "error", "insufficient_system_resource",
                               "network_error"})  # fmt: skip


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
    choices: dict[int, StreamedChoice] = {}
    for piece in pieces:
        keep(whole, piece)
        for index, choice in _choices(piece, answers):
            choices.setdefault(index, StreamedChoice()).add(choice)
    if all(choice.reason is None for choice in choices.values()):
        raise Cut(NO_REASON)
    return whole | {"object": "chat.completion", "choices": [choices[index].whole(index) for index in sorted(choices)]}


class StreamedChoice:
    """One answer of a stream, put together of its pieces.

    Some servers say the whole message once more at the end, or send messages in place of deltas: each field is taken
    from whichever has more of it.
    """

    def __init__(self) -> None:
        self.reason: Any = None
        self._beside: dict[str, Any] = {}  # an error, or the usage where a server counts it here
        self._deltas, self._messages = _Message(), _Message()

    def add(self, choice: Mapping[str, Any]) -> None:
        """Take over one piece. An answer that was broken off stays so."""
        if choice.get("finish_reason") and str(self.reason).lower() not in BROKEN_OFF:
            self.reason = choice["finish_reason"]
        self._beside |= {name: choice[name] for name in ("error", "usage") if choice.get(name)}
        self._deltas.add(choice.get("delta"))
        self._messages.add(choice.get("message"))

    def whole(self, index: int) -> dict[str, Any]:
        """The choice as it would be in an answer that is not streamed."""
        deltas, messages = self._deltas.fields(), self._messages.fields(may_repeat=True)
        message = {"content": None} | deltas | messages
        for name in _PIECES & deltas.keys() & messages.keys():
            message[name] = max(messages[name], deltas[name], key=_length)
        return self._beside | {"index": index, "message": message, "finish_reason": self.reason}


class _Message:
    """A message that comes in pieces."""

    def __init__(self) -> None:
        self._pieces: dict[str, list[Any]] = {}
        self._others: dict[str, Any] = {}

    def add(self, said: object) -> None:
        """Take over one piece."""
        for name, value in said.items() if isinstance(said, dict) else ():
            if value in (None, "", [], {}):
                continue
            if name not in _PIECES:
                self._others[name] = value
                continue
            pieces = self._pieces.setdefault(name, [])
            pieces.extend(_listed(value) if name == "content" else value if isinstance(value, list) else [value])

    def fields(self, *, may_repeat: bool = False) -> dict[str, Any]:
        """All that was said, each field as a whole message has it.

        `may_repeat`: pieces may say the same once more, each all before it, or the last one alone.
        """
        pieces = {name: _last_of(said) if may_repeat else said for name, said in self._pieces.items()}
        return self._others | {name: _together(said) for name, said in pieces.items()}


def _last_of(pieces: list[Any]) -> list[Any]:
    """The last piece alone where it says all those before it once more, else all of them."""
    *before, last = pieces
    if not all(isinstance(piece, str) for piece in pieces):
        return pieces
    grows = all(after.startswith(piece) for piece, after in pairwise(pieces))
    return [last] if grows or last.startswith("".join(before)) else pieces


def _together(pieces: list[Any]) -> str | list[Any]:
    """Texts as one, and of a list of parts its words by kind, so that nothing is split between two; others stay."""
    if all(isinstance(piece, str) for piece in pieces):
        return "".join(pieces)
    parts = [_part(piece) for piece in pieces]
    thought, final = joined(part.reasoning for part in parts), joined(part.text for part in parts)
    others = [piece for piece in pieces if isinstance(piece, dict) and not any(_part(piece))]
    return [
        *([{"type": "thinking", "thinking": thought}] if thought else []),
        *([{"type": "text", "text": final}] if final else []), *others,
    ]  # fmt: skip


def _length(value: str | list[Any]) -> int:
    parts = [_part(part) for part in ([value] if isinstance(value, str) else value)]
    return sum(len(part.text) + len(part.reasoning) for part in parts)


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
        index = (choice.get("index") or 0) if isinstance(choice, dict) else None
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
    listed = _listed(message.get("content"))
    parts = [_part(part) for part in listed]
    final = joined(part.text for part in parts) or joined(map(_refusal, listed)) or text(message.get("refusal"))
    # Some servers send the same reasoning in two places.
    thoughts = [*(_thought(message.get(name)) for name in _REASONING), joined(part.reasoning for part in parts)]
    reading = as_read(data, choice, final, max(thoughts, key=len))
    return reading._replace(
        came=bool(final) or any(message.get(name) for name in _OTHERS),
        withheld=any(message.get(name) for name in _REASONING) or any(map(_is_thought, listed)),
    )


def _listed(content: Any) -> list[Any]:
    """A content as a list of parts. Raises Cut when it is neither text, parts of text, nor absent."""
    if content is None or isinstance(content, list):
        return content or []
    if isinstance(content, str) or isinstance(within(content, "text"), str) or _is_thought(content):
        return [content]
    raise Cut("answered a message whose content is no text")


def as_read(data: Mapping[str, Any], choice: Mapping[str, Any], said: str, apart: str = "") -> Reading:
    """An answer's text and the reasoning that came apart from it, with what stands beside them."""
    if choice.get("error"):
        raise Cut(f"answered an error: {complaint(choice) or 'no reason given'}")
    words = unthink(said, apart)
    reason = finished(choice.get("finish_reason"), FINISH, BROKEN_OFF)
    usage = data.get("usage") or choice.get("usage") or within(data.get("x_groq"), "usage")
    return Reading(
        words.text, words.reasoning, reason, _usage(reported(usage)), data.get("model"),
        data.get("system_fingerprint"), came=bool(said),
    )  # fmt: skip


def _part(part: object) -> Speech:
    """The words of one part of a content; parts of other kinds, such as a reference, have none."""
    if _is_thought(part):
        return Speech("", _thought(part))
    return Speech(text(part) or text(within(part, "text")), "")


def _is_thought(part: object) -> bool:
    kind = str(within(part, "type"))
    return kind.startswith(("thinking", "reasoning", "redacted_thinking")) or within(part, "thought") is True


def _thought(said: object) -> str:
    """Reasoning as a text, a part, or a list of either, at any depth."""
    if isinstance(said, list):
        return joined(map(_thought, said))
    if isinstance(said, dict):
        return _thought(next((said[name] for name in _THOUGHT if said.get(name)), ""))
    return text(said)


def _refusal(part: object) -> str:
    return text(within(part, "refusal"))


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
