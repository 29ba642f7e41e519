"""The OpenAI-compatible chat format (`/chat/completions`), with every known way of sending reasoning.

`EndpointSpec.extra` may hold: `max_tokens_field` (such as `max_completion_tokens`), `omit` (names of
sampling fields the model refuses), `body` (further fields of the request), `stream` (true or false; where it is not
set, answers of more than 16,384 tokens are streamed, so that no proxy takes a long silence for a dead connection).
A streamed answer is read in either case.
"""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit, urlunsplit

from app.domain.asking.completions import Completion, EndpointSpec, FinishReason, InferenceRequest, Usage
from app.domain.errors import InvalidInput
from workers.inference.backends import Backend, HttpCall, Refusal, Unreadable, _chat_stream

_OPENED, _CLOSED = "<think>", "</think>"
_LONG = 16_384  # tokens; a longer answer is streamed
_MOST_TOKENS = 1_000_000_000  # a count above this is noise, not usage

# What the protocol and the client decide; a configuration that sets one of them would break comparability.
_OURS = frozenset({"model", "messages", "temperature", "top_p", "max_tokens", "max_completion_tokens", "seed", "n",
                   "stream", "stream_options", "stop", "top_k", "repetition_penalty"})  # fmt: skip
_MAY_OMIT = frozenset({"temperature", "top_p", "seed", "n"})

_FINISH: Mapping[str, FinishReason] = {
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
# The server's own end of it: the text may be cut anywhere, and is nobody's answer.
_BROKEN_OFF = frozenset({"abort", "aborted", "cancelled", "canceled", "error"})
# Codes and words of spent money. Words like "quota exceeded" are left out: some say so of a minute's quota.
_EXHAUSTED = ("insufficient_quota", "insufficient_balance", "insufficient balance", "billing_hard_limit",
              "billing_not_active", "payment_required")  # fmt: skip

# Codes and words of a refusal that says something of this prompt alone.
_OF_PROMPT = ("context_length", "context length", "maximum context", "too many tokens", "prompt is too long",
              "prompt too long", "content_filter", "content_policy", "content management policy", "invalid_prompt",
              "string_above_max_length")  # fmt: skip


def _build(endpoint: EndpointSpec, request: InferenceRequest) -> HttpCall:
    sampling, limit = request.sampling, str(endpoint.extra.get("max_tokens_field", "max_tokens"))
    body: dict[str, Any] = {
        "model": endpoint.remote_name,
        "messages": [{"role": message.role, "content": message.content} for message in request.prompt.messages],
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        limit: sampling.max_tokens,
        "seed": request.seed,
        "n": 1,
        "stream": bool(endpoint.extra.get("stream", sampling.max_tokens > _LONG)),
    }
    if not endpoint.limits_tokens:
        del body[limit]
    body |= {
        name: value
        for name, value in (("top_k", sampling.top_k), ("repetition_penalty", sampling.repetition_penalty),
                            ("stop", list(sampling.stop) or None))
        if value is not None
    }  # fmt: skip
    if body["stream"]:
        body["stream_options"] = {"include_usage": True}
    for name in endpoint.extra.get("omit", ()):
        if name not in _MAY_OMIT:
            raise InvalidInput(f"the field {name!r} cannot be left out", pointer="/extra/omit")
        body.pop(name, None)
    for pointer, fields in (("/extra/body", endpoint.extra.get("body", {})), ("/configuration", request.configuration)):
        for name, value in fields.items():
            if name in _OURS:
                raise InvalidInput(
                    f"the protocol sets the field {name!r}; it cannot be changed", pointer=f"{pointer}/{name}"
                )
            body[name] = value
    headers = {"content-type": "application/json", "accept": "application/json"}
    if endpoint.secret:
        headers["authorization"] = f"Bearer {endpoint.secret}"
    return HttpCall(_url(endpoint.base_url), headers, json.dumps(body).encode())


@lru_cache(maxsize=256)  # endpoints are few
def _url(base: str) -> str:
    url = urlsplit(base)
    path = url.path.rstrip("/")
    return urlunsplit(url._replace(path=path if path.endswith("/chat/completions") else f"{path}/chat/completions"))


def _parse(body: bytes, latency_ms: float) -> Completion | Unreadable:
    data: Any
    if _chat_stream.is_stream(body):
        try:
            data = _chat_stream.joined(body, _json, lambda event: _parse_error(event).message)
            body = _chat_stream.as_bytes(data)
        except _chat_stream.Cut as cut:
            return Unreadable(str(cut))
    else:
        data = _json(body)
    if data is None:
        looks = body[:512].lstrip().lower()
        return Unreadable("answered HTML, not JSON" if looks.startswith(b"<") else "answered something that is no JSON")
    choices = data.get("choices") if isinstance(data, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        complaint = _parse_error(body).message  # some gateways send their errors with status 200
        return Unreadable("answered JSON without a choice" + (f": {complaint}" if complaint else ""))
    message = choices[0].get("message")
    if not isinstance(message, dict):
        return Unreadable("answered a choice without a message")
    words = _speech(message)
    if words is None:
        return Unreadable("answered a message whose content is no text")
    said = choices[0].get("finish_reason")
    if not isinstance(said, str) or not said:
        return Unreadable("answered without a finish reason")
    if said.lower() in _BROKEN_OFF:
        return Unreadable(f"broke its answer off (finish reason {_clean(said)[:40]!r})")
    return Completion(
        text=_clean(words.text),
        reasoning=_clean(words.reasoning),
        finish_reason=_FINISH.get(said.lower(), FinishReason.OTHER),
        usage=_usage(data.get("usage")),
        latency_ms=latency_ms,
        served_model=_clean(data["model"])[:200] if isinstance(data.get("model"), str) else "",
        raw=body,
        fingerprint=_clean(data["system_fingerprint"])[:200] if isinstance(data.get("system_fingerprint"), str) else "",
    )


def _whole(digits: str) -> int | None:
    """No count has so many digits that Python would refuse to read them; such a one is unknown."""
    return int(digits) if len(digits) < 30 else None


_DECODER = json.JSONDecoder(parse_int=_whole)  # one for all: making one costs as much as reading a short answer


def _json(body: bytes) -> Any:
    """The decoded body; None when it is no JSON (a JSON null is no completion either)."""
    try:
        return _DECODER.decode(body.decode(json.detect_encoding(body), "surrogatepass"))
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError
        return None


class _Speech(NamedTuple):
    text: str
    reasoning: str


def _speech(message: Mapping[str, Any]) -> _Speech | None:
    """Final text and reasoning apart. None when the content is neither text, parts of text, nor absent."""
    content = message.get("content")
    if content is None:
        refusal = message.get("refusal")
        content = refusal if isinstance(refusal, str) else ""
    parts = list(_parts(content))
    if isinstance(content, list):
        content = "".join(part.text for part in parts)
    if not isinstance(content, str):
        return None
    fields = (message.get("reasoning"), message.get("reasoning_content"))
    apart = next((field for field in fields if isinstance(field, str) and field), "") or "".join(
        part.reasoning for part in parts
    )
    return _Speech(content, apart) if apart and not content.lstrip().startswith(_OPENED) else _unthink(content, apart)


def _parts(content: object) -> Iterator[_Speech]:
    """A content given as a list of parts, each text or thinking; parts of other kinds carry no text."""
    for part in content if isinstance(content, list) else ():
        if isinstance(part, str):
            yield _Speech(part, "")
        elif isinstance(part, dict) and part.get("type") in ("thinking", "reasoning"):
            thought = part.get("thinking") or part.get("reasoning") or part.get("text")
            yield _Speech("", thought if isinstance(thought, str) else "".join(part.text for part in _parts(thought)))
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            yield _Speech(part["text"], "")


def _unthink(content: str, apart: str) -> _Speech:
    """Cut inline reasoning off: `<think>..</think>`, also where the server swallowed the opening tag.

    Reasoning that was opened and never closed was truncated: then there is no answer at all.
    """
    stripped = content.lstrip()
    opened = stripped.startswith(_OPENED)
    before, closed, after = stripped.removeprefix(_OPENED).partition(_CLOSED)
    if opened:
        return _Speech(after.lstrip("\n") if closed else "", apart + before)
    if closed and _OPENED not in before:
        return _Speech(after.lstrip("\n"), apart + before)
    return _Speech(content, apart)


def _usage(value: object) -> Usage:
    prompt, completion = _count(value, "prompt_tokens"), _count(value, "completion_tokens")
    reasoning = _count(_field(value, "completion_tokens_details"), "reasoning_tokens")
    cached = _count(_field(value, "prompt_tokens_details"), "cached_tokens")
    if completion is None:
        return Usage(prompt, cached, reasoning, None)
    inside = reasoning or 0
    if _count(value, "total_tokens") == (prompt or 0) + completion + inside:
        inside = 0  # this server counts the reasoning beside the completion, not within it
    return Usage(prompt, cached, reasoning, max(0, completion - inside))


def _field(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None


def _count(value: object, name: str) -> int | None:
    count = _field(value, name)
    return count if type(count) is int and 0 <= count <= _MOST_TOKENS else None


def _clean(text: str) -> str:
    """Text that PostgreSQL and UTF-8 can hold: NUL and lone surrogates become the replacement character."""
    text = text.replace("\x00", "\ufffd")
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _parse_error(body: bytes) -> Refusal:
    data = _json(body)
    error = _field(data, "error") or _field(data, "detail") or _field(data, "message")
    fields = [_field(error, name) for name in ("message", "code", "type")] if isinstance(error, dict) else [error]
    words = [_clean(field) for field in fields if isinstance(field, str) and field]
    exhausted, of_prompt = (any(mark in word.lower() for word in words for mark in marks)
                            for marks in (_EXHAUSTED, _OF_PROMPT))  # fmt: skip
    return Refusal(" ".join(words[0].split()) if words else "", exhausted, of_prompt)


BACKEND = Backend(name="openai_chat", build=_build, parse=_parse, parse_error=_parse_error)
