"""What a model says, in the words of each wire format: one answer as a body, or as the events of a stream.

The fields are those that the providers document. A format that a back end speaks is added to `DIALECTS` under the
back end's name, and the shared contract is then tried on it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]
Event = Mapping[str, Any] | str
MODEL = "fake-model-1"


@dataclass(frozen=True)
class Told:
    """An answer. Tokens read are 11, 4 of them from a cache; `written` are those of the answer, `thinking` beside them.

    `finish` is one of stop, length, filter, tools, died; None leaves it out, as `counted` does with the usage. `form`
    is one of the dialect's ways to send reasoning. With `silent` the answer has no place for a text at all.
    """

    text: str = "print(1)"
    reasoning: str = ""
    form: str = ""
    finish: str | None = "stop"
    counted: bool = True
    thinking: int = 0
    written: int = 7
    silent: bool = False
    choices: int = 1


@dataclass(frozen=True)
class Dialect:
    """A format: where requests go, how the secret comes, and how an answer and an error look.

    `pieces` ends without an end mark; `opening` events of it hold no token yet. `finishes` are the reasons that the
    format tells apart, and `counts_thinking` whether it counts reasoning apart.
    """

    path: str
    plain: Callable[[Told], Json]
    pieces: Callable[[Told], Sequence[Event]]
    error: Callable[[int, str], Json]
    broken: Callable[[str], Json]  # inside a stream
    forms: tuple[str, ...]
    header: str = "authorization"
    opening: int = 0
    fingerprint: str = ""
    counts_thinking: bool = True
    finishes: frozenset[str] = field(default=frozenset({"stop", "length", "filter", "tools", "died"}))


def _halves(text: str) -> list[str]:
    return [text[: len(text) // 2], text[len(text) // 2 :]]


# --- the chat format, and completions ---

_OPENAI_FINISH = {
    "stop": "stop",
    "length": "length",
    "filter": "content_filter",
    "tools": "tool_calls",
    "died": "abort",
}
_OPENAI_ERROR_TYPES = {401: "authentication_error", 402: "insufficient_quota", 429: "rate_limit_error"}
_CALL = {"id": "call_1", "type": "function", "function": {"name": "run", "arguments": "{}"}}


def _openai_usage(told: Told) -> Json:
    written = told.written + told.thinking
    usage: Json = {"prompt_tokens": 11, "completion_tokens": written, "total_tokens": 11 + written,
                   "prompt_tokens_details": {"cached_tokens": 4}}  # fmt: skip
    return usage | ({"completion_tokens_details": {"reasoning_tokens": told.thinking}} if told.thinking else {})


def _sglang_usage(told: Told) -> Json:
    usage = _openai_usage(told)
    usage.pop("completion_tokens_details", None)
    return usage | {"reasoning_tokens": told.thinking}


def _chat_words(told: Told) -> Json:
    if told.form == "inline":
        return {"content": f"<think>{told.reasoning}</think>\n\n{told.text}"}
    if told.form == "parts":
        thought = {"type": "thinking", "thinking": [{"type": "text", "text": told.reasoning}]}
        return {"content": [thought, {"type": "text", "text": told.text}]}
    words: Json = {"content": None if told.silent else told.text}
    return words | ({told.form: told.reasoning} if told.form else {})


def _head(kind: str) -> Json:
    return {"id": "cmpl-1", "object": kind, "model": MODEL, "system_fingerprint": "fp_7"}


def _reason(told: Told) -> str | None:
    return None if told.finish is None else _OPENAI_FINISH[told.finish]


def _chat(usage: Callable[[Told], Json]) -> tuple[Callable[[Told], Json], Callable[[Told], list[Event]]]:
    def plain(told: Told) -> Json:
        message = {"role": "assistant", **_chat_words(told)} | (
            {"tool_calls": [_CALL]} if told.finish == "tools" else {}
        )
        choice = {"message": message, "finish_reason": _reason(told), "logprobs": None}
        choices = [choice | {"index": 0}]
        choices += [{**choice, "index": number, "message": {"content": "another"}} for number in range(1, told.choices)]
        return _head("chat.completion") | {"choices": choices} | ({"usage": usage(told)} if told.counted else {})

    def pieces(told: Told) -> list[Event]:
        deltas: list[Json] = [{"role": "assistant", "content": ""}]
        if told.form in ("inline", "parts"):
            deltas += [{"content": half} for half in _halves(f"<think>{told.reasoning}</think>\n\n{told.text}")]
        else:
            deltas += [{told.form: half} for half in _halves(told.reasoning)] if told.form else []
            deltas += [] if told.silent else [{"content": half} for half in _halves(told.text)]
        deltas += [{"tool_calls": [_CALL]}] if told.finish == "tools" else []
        events: list[Event] = [_chunk("chat.completion.chunk", {"delta": delta}) for delta in deltas]
        events += [_chunk("chat.completion.chunk", {"delta": {"content": "another"}}, number)
                   for number in range(1, told.choices)]  # fmt: skip
        if told.finish:
            events.append(_chunk("chat.completion.chunk", {"delta": {}, "finish_reason": _reason(told)}))
        return [*events, *_last(usage(told), told)]

    return plain, pieces


def _chunk(kind: str, choice: Json, index: int = 0) -> Json:
    return _head(kind) | {"choices": [{"index": index, "finish_reason": None, **choice}]}


def _last(usage: Json, told: Told) -> list[Event]:
    return [_head("chat.completion.chunk") | {"choices": [], "usage": usage}] if told.counted else []


def _completion(told: Told) -> Json:
    choice = {
        "index": 0,
        "text": None if told.silent else _inline(told),
        "finish_reason": _reason(told),
        "logprobs": None,
    }
    choices = [choice, *({**choice, "index": number, "text": "another"} for number in range(1, told.choices))]
    counted = {"usage": _openai_usage(told)} if told.counted else {}
    return _head("text_completion") | {"choices": choices} | counted


def _inline(told: Told) -> str:
    return f"<think>{told.reasoning}</think>\n\n{told.text}" if told.form else told.text


def _completion_pieces(told: Told) -> list[Event]:
    texts = [] if told.silent else _halves(_inline(told))
    events: list[Event] = [_chunk("text_completion", {"text": half}) for half in texts]
    events += [_chunk("text_completion", {"text": "another"}, number) for number in range(1, told.choices)]
    if told.finish:
        events.append(_chunk("text_completion", {"text": "", "finish_reason": _reason(told)}))
    return [*events, *_last(_openai_usage(told), told)]


def _openai_error(status: int, words: str) -> Json:
    kind = _OPENAI_ERROR_TYPES.get(status, "invalid_request_error" if status < 500 else "server_error")
    return {"error": {"message": words, "type": kind, "param": None, "code": None}}


def _engine_died(words: str) -> Json:
    return {"error": {"object": "error", "message": words, "type": "InternalServerError", "code": 500}}


# --- responses ---

_STATUS = {"stop": "completed", "tools": "completed", "length": "incomplete", "filter": "incomplete", "died": "failed"}
_INCOMPLETE = {"length": {"reason": "max_output_tokens"}, "filter": {"reason": "content_filter"}}


def _response(told: Told) -> Json:
    output: list[Json] = []
    if told.form:
        kind = {"summary": "summary_text", "content": "reasoning_text"}[told.form]
        output.append({"type": "reasoning", "id": "rs_1", "summary": [],
                       told.form: [{"type": kind, "text": half} for half in _halves(told.reasoning)]})  # fmt: skip
    if told.finish == "tools":
        output.append({"type": "function_call", "call_id": "call_1", "name": "run", "arguments": "{}"})
    elif not told.silent:
        words = {"type": "output_text", "text": told.text, "annotations": []}
        output.append({"type": "message", "id": "msg_1", "role": "assistant", "content": [words]})
    status = {} if told.finish is None else {"status": _STATUS[told.finish]}
    usage = {"input_tokens": 11, "input_tokens_details": {"cached_tokens": 4},
             "output_tokens": told.written + told.thinking,
             "output_tokens_details": {"reasoning_tokens": told.thinking},
             "total_tokens": 11 + told.written + told.thinking}  # fmt: skip
    error = {"code": "server_error", "message": "the engine died"} if told.finish == "died" else None
    whole = {"id": "resp_1", "object": "response", "model": MODEL, "error": error, "output": output, **status,
             "incomplete_details": _INCOMPLETE.get(told.finish or "")}  # fmt: skip
    return whole | {"usage": usage if told.counted else None}


def _response_pieces(told: Told) -> list[Event]:
    whole = _response(told)
    begun = whole | {"status": "in_progress", "output": [], "usage": None, "error": None}
    events: list[Event] = [{"type": "response.created", "response": begun},
                           {"type": "response.in_progress", "response": begun}]  # fmt: skip
    kind = {"": "", "summary": "reasoning_summary_text", "content": "reasoning_text"}[told.form]
    events += [{"type": f"response.{kind}.delta", "delta": half} for half in _halves(told.reasoning) if kind]
    spoke = any(item["type"] == "message" for item in whole["output"])
    events += [{"type": "response.output_text.delta", "delta": half} for half in _halves(told.text) if spoke]
    events += [{"type": "response.output_item.done", "item": item} for item in whole["output"]]
    if told.finish:
        events.append({"type": f"response.{whole['status']}", "response": whole})
    return events


def _response_broken(words: str) -> Json:
    return {"type": "error", "code": "server_error", "message": words, "param": None}


# --- messages ---

_STOP_REASON = {"stop": "end_turn", "length": "max_tokens", "filter": "refusal", "tools": "tool_use"}
_ANTHROPIC_ERRORS = {400: "invalid_request_error", 401: "authentication_error", 402: "billing_error",
                     429: "rate_limit_error", 529: "overloaded_error"}  # fmt: skip


def _blocks(told: Told) -> list[Json]:
    blocks: list[Json] = []
    if told.form == "thinking":
        blocks.append({"type": "thinking", "thinking": told.reasoning, "signature": "c2lnbmVk"})
    if told.form == "redacted":
        blocks.append({"type": "redacted_thinking", "data": "c2VjcmV0"})
    if told.finish == "tools":
        blocks.append({"type": "tool_use", "id": "toolu_1", "name": "run", "input": {}})
    elif not told.silent:
        blocks.append({"type": "text", "text": told.text})
    return blocks


def _message_usage(told: Told) -> Json:
    details = {"output_tokens_details": {"thinking_tokens": told.thinking}} if told.thinking else {}
    return {"input_tokens": 5, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 2,
            "output_tokens": told.written + told.thinking, **details}  # fmt: skip


def _message(told: Told) -> Json:
    whole: Json = {"id": "msg_1", "type": "message", "role": "assistant", "model": MODEL, "content": _blocks(told),
                   "stop_reason": told.finish and _STOP_REASON[told.finish], "stop_sequence": None}  # fmt: skip
    return whole | ({"usage": _message_usage(told)} if told.counted else {})


_TEXTS = {"thinking": ("thinking_delta", "thinking"), "text": ("text_delta", "text")}


def _message_pieces(told: Told) -> list[Event]:
    begun = _message(told) | {"content": [], "stop_reason": None}
    begun |= {"usage": {"input_tokens": 5, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 2,
                        "output_tokens": 1}}  # fmt: skip
    events: list[Event] = [{"type": "message_start", "message": begun}, {"type": "ping"}]
    for index, block in enumerate(_blocks(told)):
        delta, name = _TEXTS.get(block["type"], ("", ""))
        empty = block | ({name: ""} if name else {})
        events.append({"type": "content_block_start", "index": index, "content_block": empty})
        for half in _halves(block[name]) if name else ():
            events.append({"type": "content_block_delta", "index": index, "delta": {"type": delta, name: half}})
        events.append({"type": "content_block_stop", "index": index})
    if told.finish or told.counted:
        usage = {"usage": {"output_tokens": told.written + told.thinking} | (
            {"output_tokens_details": {"thinking_tokens": told.thinking}} if told.thinking else {})}  # fmt: skip
        reason = {"stop_reason": told.finish and _STOP_REASON[told.finish], "stop_sequence": None}
        events.append({"type": "message_delta", "delta": reason, **(usage if told.counted else {})})
    return [*events, {"type": "message_stop"}]


def _anthropic_error(status: int, words: str) -> Json:
    kind = _ANTHROPIC_ERRORS.get(status, "api_error" if status >= 500 else "invalid_request_error")
    return {"type": "error", "error": {"type": kind, "message": words}, "request_id": "req_1"}


# --- generateContent ---

_GOOGLE_FINISH = {"stop": "STOP", "length": "MAX_TOKENS", "filter": "SAFETY", "tools": "UNEXPECTED_TOOL_CALL"}
_GOOGLE_STATUS = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE"}


def _parts(told: Told) -> list[Json]:
    if told.finish == "tools":
        return [{"functionCall": {"name": "run", "args": {}}}]
    thoughts = [{"text": told.reasoning, "thought": True}] if told.form else []
    return thoughts + ([] if told.silent else [{"text": told.text, "thoughtSignature": "c2lnbmVk"}])


def _google_usage(told: Told) -> Json:
    thinking = {"thoughtsTokenCount": told.thinking} if told.thinking else {}
    return {"promptTokenCount": 11, "cachedContentTokenCount": 4, "candidatesTokenCount": told.written, **thinking,
            "totalTokenCount": 11 + told.written + told.thinking}  # fmt: skip


def _generated(told: Told) -> Json:
    parts = _parts(told)
    content = {"content": {"role": "model", "parts": parts}} if parts else {}
    reason = {"finishReason": _GOOGLE_FINISH[told.finish]} if told.finish else {}
    others = [{"content": {"parts": [{"text": "another"}]}, **reason, "index": number}
              for number in range(1, told.choices)]  # fmt: skip
    whole = {"candidates": [{**content, **reason, "index": 0}, *others], "modelVersion": MODEL, "responseId": "r1"}
    return whole | ({"usageMetadata": _google_usage(told)} if told.counted else {})


def _generated_pieces(told: Told) -> list[Event]:
    events: list[Event] = []
    for part in _parts(told):
        for half in _halves(part["text"]) if "text" in part else [None]:
            piece = part if half is None else part | {"text": half}
            candidate = {"content": {"role": "model", "parts": [piece]}, "index": 0}
            events.append({"candidates": [candidate], "modelVersion": MODEL, "responseId": "r1"})
    others = [{"content": {"parts": [{"text": "another"}]}, "index": number} for number in range(1, told.choices)]
    events += [{"candidates": [other]} for other in others]
    reason = {"finishReason": _GOOGLE_FINISH[told.finish]} if told.finish else {}
    usage = {"usageMetadata": _google_usage(told)} if told.counted else {}
    return [*events, {"candidates": [{"index": 0, **reason}], "modelVersion": MODEL, **usage}]


def _google_error(status: int, words: str) -> Json:
    return {"error": {"code": status, "message": words, "status": _GOOGLE_STATUS.get(status, "INTERNAL")}}


_NO_DEATH = frozenset({"stop", "length", "filter", "tools"})  # formats without a word for it
_CHAT_PLAIN, _CHAT_PIECES = _chat(_openai_usage)
_SGLANG_PLAIN, _SGLANG_PIECES = _chat(_sglang_usage)
_CHAT_FORMS = ("reasoning", "reasoning_content", "inline", "parts")

DIALECTS: Mapping[str, Dialect] = {
    "openai_chat": Dialect(
        "/v1/chat/completions", _CHAT_PLAIN, _CHAT_PIECES, _openai_error, _engine_died, _CHAT_FORMS, fingerprint="fp_7"
    ),
    "vllm": Dialect(
        "/v1/chat/completions", _CHAT_PLAIN, _CHAT_PIECES, _openai_error, _engine_died, _CHAT_FORMS, fingerprint="fp_7"
    ),
    "sglang": Dialect(
        "/v1/chat/completions", _SGLANG_PLAIN, _SGLANG_PIECES, _openai_error, _engine_died, _CHAT_FORMS,
        fingerprint="fp_7",
    ),
    "openai_completions": Dialect(
        "/v1/completions", _completion, _completion_pieces, _openai_error, _engine_died, ("inline",),
        fingerprint="fp_7",
    ),
    "openai_responses": Dialect(
        "/v1/responses", _response, _response_pieces, _openai_error, _response_broken, ("summary", "content"),
        opening=2,
    ),
    "anthropic": Dialect(
        "/v1/messages", _message, _message_pieces, _anthropic_error, lambda words: _anthropic_error(529, words),
        ("thinking",), "x-api-key", opening=2, finishes=_NO_DEATH,
    ),
    "google": Dialect(
        "/v1/models/m:", _generated, _generated_pieces, _google_error, lambda words: _google_error(503, words),
        ("thought",), "x-goog-api-key", finishes=_NO_DEATH,
    ),
}  # fmt: skip
