"""The chat format of OpenAI (`/chat/completions`), which many servers speak with extras of their own.

Reasoning is read from every known place. `EndpointSpec.extra` may hold: `max_tokens_field` (such as
`max_completion_tokens`), `omit` (names of sampling fields that the model refuses), `stream` (true or false; by default
answers of more than 16,384 tokens are streamed), `answers` (how many one request asks for). A streamed answer is read
in either case.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import pairwise
from typing import Any, Final

from app.domain.asking.completions import EndpointSpec, FinishReason, InferenceRequest, Usage
from workers.inference.backends import Backend, HttpCall
from workers.inference.backends._completion import Pieces, several
from workers.inference.backends._request import (
    bearer_headers,
    omitted_fields,
    place_settings,
    sampling_fields,
    should_stream,
    url,
)
from workers.inference.backends._responses import (
    NO_REASON,
    IncompleteAnswer,
    ResponseContents,
    TextAndReasoning,
    answer_tokens,
    as_text,
    error_message,
    get_field,
    join_texts,
    read_count,
    read_finish_reason,
    read_refusal,
    require_usage,
    separate_reasoning,
)

NAMES: Final = {name: name for name in ("temperature", "top_p", "max_tokens", "top_k", "repetition_penalty", "stop",
                                        "seed")}  # fmt: skip
# Fields in which servers put reasoning beside the content: a text, or a list of parts.
_REASONING: Final = ("reasoning", "reasoning_content", "reasoning_text", "thinking", "reasoning_details",
                     "thinking_blocks")  # fmt: skip
# Fields of a reasoning part that hold its text.
_THOUGHT: Final = ("thinking", "reasoning", "text", "summary", "content")
_OTHERS: Final = ("tool_calls", "function_call", "audio")  # output of a message in place of a text
# Fields that come in pieces; of every other field of a message the last non-empty piece counts.
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
# Ended by the server: the text may be cut anywhere, and is no answer. The last two are DeepSeek's and GLM's.
BROKEN_OFF: Final = frozenset({"abort", "aborted", "cancelled", "canceled", "error", "insufficient_system_resource",
                               "network_error"})  # fmt: skip


def backend(name: str, settings: Mapping[str, str], answers: int = 1, **extras: Any) -> Backend:
    """Return a back end of this format: its name, its settings' places in a request, and the answers per request.

    `extras` are sent with every request.
    """

    def build(endpoint: EndpointSpec, request: InferenceRequest) -> HttpCall:
        messages = [{"role": message.role, "content": message.content} for message in request.prompt.messages]
        body = {"model": endpoint.remote_name, "messages": messages} | request_fields(endpoint, request) | extras
        place_settings(body, request.configuration, settings)
        return HttpCall(
            url(endpoint.base_url, "/chat/completions"), bearer_headers(endpoint), json.dumps(body).encode()
        )

    return Backend(
        name, build, lambda body, latency_ms: _PARSE(body, latency_ms, 1)[0], read_refusal, settings, several=_PARSE,
        answers=answers,
    )  # fmt: skip


def request_fields(endpoint: EndpointSpec, request: InferenceRequest) -> dict[str, Any]:
    """Return the fields of a request beside the prompt: sampling, number of choices, and streaming."""
    body = sampling_fields(endpoint, request, NAMES)
    if "n" not in omitted_fields(endpoint):
        body["n"] = request.answers
    body["stream"] = should_stream(endpoint, request.sampling)
    if body["stream"]:
        body["stream_options"] = {"include_usage": True}
    return body


def _join(pieces: Pieces, answers: int) -> dict[str, Any]:
    whole: dict[str, Any] = {}
    choices: dict[int, StreamedChoice] = {}
    for piece in pieces:
        merge_fields(whole, piece)
        for index, choice in _choices(piece, answers):
            choices.setdefault(index, StreamedChoice()).add(choice)
    if all(choice.reason is None for choice in choices.values()):
        raise IncompleteAnswer(NO_REASON)
    return whole | {"object": "chat.completion", "choices": [choices[index].whole(index) for index in sorted(choices)]}


class StreamedChoice:
    """One answer of a stream, joined from its pieces.

    Some servers send the whole message once more at the end, or messages instead of deltas: each field is taken from
    the source that has more of it.
    """

    def __init__(self) -> None:
        self.reason: Any = None
        self._beside: dict[str, Any] = {}  # an error, or the usage if a server reports it here
        self._deltas, self._messages = _Message(), _Message()

    def add(self, choice: Mapping[str, Any]) -> None:
        """Add one piece. An answer that was broken off stays so."""
        if choice.get("finish_reason") and str(self.reason).lower() not in BROKEN_OFF:
            self.reason = choice["finish_reason"]
        self._beside |= {name: choice[name] for name in ("error", "usage") if choice.get(name)}
        self._deltas.add(choice.get("delta"))
        self._messages.add(choice.get("message"))

    def whole(self, index: int) -> dict[str, Any]:
        """Return the choice as it would be in a plain answer."""
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

    def add(self, message: object) -> None:
        """Add one piece."""
        for name, value in message.items() if isinstance(message, dict) else ():
            if value in (None, "", [], {}):
                continue
            if name not in _PIECES:
                self._others[name] = value
                continue
            pieces = self._pieces.setdefault(name, [])
            pieces.extend(_content_parts(value) if name == "content" else value if isinstance(value, list) else [value])

    def fields(self, *, may_repeat: bool = False) -> dict[str, Any]:
        """Return all fields, each joined as in a whole message.

        `may_repeat`: pieces may repeat earlier ones, each all before it, or the last one alone.
        """
        pieces = {name: _drop_repeated(parts) if may_repeat else parts for name, parts in self._pieces.items()}
        return self._others | {name: _join_pieces(parts) for name, parts in pieces.items()}


def _drop_repeated(pieces: list[Any]) -> list[Any]:
    """Return the last piece alone if it repeats all those before it, else all pieces."""
    *before, last = pieces
    if not all(isinstance(piece, str) for piece in pieces):
        return pieces
    grows = all(after.startswith(piece) for piece, after in pairwise(pieces))
    return [last] if grows or last.startswith("".join(before)) else pieces


def _join_pieces(pieces: list[Any]) -> str | list[Any]:
    """Join texts into one, and a list of parts by kind, so that no text is split in two; other parts stay."""
    if all(isinstance(piece, str) for piece in pieces):
        return "".join(pieces)
    parts = [_part(piece) for piece in pieces]
    thought, final = join_texts(part.reasoning for part in parts), join_texts(part.text for part in parts)
    others = [piece for piece in pieces if isinstance(piece, dict) and not any(_part(piece))]
    return [
        *([{"type": "thinking", "thinking": thought}] if thought else []),
        *([{"type": "text", "text": final}] if final else []), *others,
    ]  # fmt: skip


def _length(value: str | list[Any]) -> int:
    parts = [_part(part) for part in ([value] if isinstance(value, str) else value)]
    return sum(len(part.text) + len(part.reasoning) for part in parts)


def merge_fields(whole: dict[str, Any], piece: Mapping[str, Any]) -> None:
    """Merge a piece's fields beside its choices into `whole`; empty fields do not replace earlier values."""
    whole |= {name: value for name, value in piece.items() if name != "choices" and value not in (None, {})}


def check_ended(reason: object) -> None:
    """Raise IncompleteAnswer for a stream without a finish reason."""
    if reason is None:
        raise IncompleteAnswer(NO_REASON)


def first_choice(piece: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the one requested choice of a piece; other choices are ignored."""
    return next((choice for _, choice in _choices(piece, 1)), {})


def _choices(piece: Mapping[str, Any], answers: int) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the requested choices, each with its index."""
    choices = piece.get("choices")
    for choice in choices if isinstance(choices, list) else ():
        index = (choice.get("index") or 0) if isinstance(choice, dict) else None
        if type(index) is int and 0 <= index < answers:
            yield index, choice


def require_choice(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the first choice of a whole answer. Raises IncompleteAnswer if there is none."""
    choices = data.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise IncompleteAnswer("answered JSON without a choice")
    return choices[0]


def _read(data: dict[str, Any], answers: int) -> list[Callable[[], ResponseContents]]:
    require_choice(data)
    choices = [choice for _, choice in sorted(enumerate(data["choices"]), key=_index_of)]
    return [partial(_read_choice, data, choice) for choice in choices[:answers]]


def _index_of(numbered: tuple[int, object]) -> int:
    """Return a choice's own index, to which its seed belongs, or its position."""
    index = get_field(numbered[1], "index")
    return index if type(index) is int else numbered[0]


def _read_choice(data: dict[str, Any], choice: object) -> ResponseContents:
    message = get_field(choice, "message")
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise IncompleteAnswer("answered a choice without a message")
    listed = _content_parts(message.get("content"))
    parts = [_part(part) for part in listed]
    final = (
        join_texts(part.text for part in parts) or join_texts(map(_refusal, listed)) or as_text(message.get("refusal"))
    )
    # Some servers send the same reasoning in two fields.
    thoughts = [*(_thought(message.get(name)) for name in _REASONING), join_texts(part.reasoning for part in parts)]
    reading = make_reading(data, choice, final, max(thoughts, key=len))
    return reading._replace(
        came=bool(final) or any(message.get(name) for name in _OTHERS),
        withheld=any(message.get(name) for name in _REASONING) or any(map(_is_thought, listed)),
    )


def _content_parts(content: Any) -> list[Any]:
    """Return a content as a list of parts. Raises IncompleteAnswer if it is neither text, parts of text, nor absent."""
    if content is None or isinstance(content, list):
        return content or []
    if isinstance(content, str) or isinstance(get_field(content, "text"), str) or _is_thought(content):
        return [content]
    raise IncompleteAnswer("answered a message whose content is no text")


def make_reading(data: Mapping[str, Any], choice: Mapping[str, Any], content: str, apart: str = "") -> ResponseContents:
    """Return an answer's text and its separate reasoning, with the fields beside them. Raises IncompleteAnswer."""
    if choice.get("error"):
        raise IncompleteAnswer(f"answered an error: {error_message(choice) or 'no reason given'}")
    words = separate_reasoning(content, apart)
    reason = read_finish_reason(choice.get("finish_reason"), FINISH, BROKEN_OFF)
    usage = data.get("usage") or choice.get("usage") or get_field(data.get("x_groq"), "usage")
    return ResponseContents(
        words.text, words.reasoning, reason, _usage(require_usage(usage)), data.get("model"),
        data.get("system_fingerprint"), came=bool(content),
    )  # fmt: skip


def _part(part: object) -> TextAndReasoning:
    """Return the text of one part of a content; parts of other kinds, such as a reference, have none."""
    if _is_thought(part):
        return TextAndReasoning("", _thought(part))
    return TextAndReasoning(as_text(part) or as_text(get_field(part, "text")), "")


def _is_thought(part: object) -> bool:
    kind = str(get_field(part, "type"))
    return kind.startswith(("thinking", "reasoning", "redacted_thinking")) or get_field(part, "thought") is True


def _thought(value: object) -> str:
    """Return reasoning given as a text, a part, or a list of either, at any depth."""
    if isinstance(value, list):
        return join_texts(map(_thought, value))
    if isinstance(value, dict):
        return _thought(next((value[name] for name in _THOUGHT if value.get(name)), ""))
    return as_text(value)


def _refusal(part: object) -> str:
    return as_text(get_field(part, "refusal"))


def _usage(value: object) -> Usage:
    prompt, completion = read_count(value, "prompt_tokens"), read_count(value, "completion_tokens")
    reasoning = read_count(get_field(value, "completion_tokens_details"), "reasoning_tokens")
    reasoning = read_count(value, "reasoning_tokens") if reasoning is None else reasoning
    cached = read_count(get_field(value, "prompt_tokens_details"), "cached_tokens")
    total = read_count(value, "total_tokens")
    if completion is not None and reasoning and total == (prompt or 0) + completion + reasoning:
        return Usage(prompt, cached, reasoning, completion)  # counted in addition to the completion
    return Usage(prompt, cached, reasoning, answer_tokens(completion, reasoning))


_PARSE: Final = several(_join, _read)
