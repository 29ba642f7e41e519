"""Reading responses, for all formats: untrusted JSON, its texts and counts, errors, and reasoning."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from app.domain.asking.completions import FinishReason, Usage
from app.domain.asking.reasoning import split_reasoning
from workers.inference.backends import Refusal

NO_REASON = "ended its stream without a finish reason"
NO_USAGE = "answered without the usage"

_MAX_TOKENS = 1_000_000_000  # a larger count is invalid

# Codes and phrases for spent money. "Quota exceeded" is left out: some services use it for a minute's quota.
_EXHAUSTED = ("insufficient_quota", "insufficient_balance", "insufficient balance", "billing_hard_limit",
              "billing_not_active", "billing_error", "payment_required", "credit balance is too low")  # fmt: skip
# Codes and phrases for a refused key whose status does not tell.
_OF_KEY = ("api key not valid", "api_key_invalid", "api key expired")
# Codes and phrases for a refusal that concerns this prompt alone.
_OF_PROMPT = ("context_length", "context length", "maximum context", "too many tokens", "prompt is too long",
              "prompt too long", "content_filter", "content_policy", "content management policy", "invalid_prompt",
              "string_above_max_length", "request_too_large", "exceeds the maximum number of tokens",
              "exceed context limit")  # fmt: skip


class IncompleteAnswer(Exception):
    """A response that is no whole answer; the message gives the reason."""


class ResponseContents(NamedTuple):
    """A response's contents, before they are made safe to store.

    `came`: there was output that left no final text, such as a tool call, or a text that is all reasoning. `withheld`:
    the model reasoned, and the reasoning is not shown.
    """

    text: str
    reasoning: str
    finish_reason: FinishReason
    usage: Usage
    model: object
    fingerprint: object = None
    came: bool = False
    withheld: bool = False


def _whole(digits: str) -> int | None:
    """Return the integer, or None if it has so many digits that it can be no count and Python may refuse it."""
    return int(digits) if len(digits) < 30 else None


_DECODER = json.JSONDecoder(parse_int=_whole)  # shared: making one costs as much as reading a short answer


def decode_json(body: bytes) -> Any:
    """Return the decoded body; None if it is no JSON (a JSON null is no answer either)."""
    try:
        return _DECODER.decode(body.decode(json.detect_encoding(body), "surrogatepass"))
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError
        return None


def get_field(value: object, name: str) -> Any:
    """Return the field of that name; None if the value is no object, or has no such field."""
    return value.get(name) if isinstance(value, dict) else None


def objects(value: object) -> list[dict[str, Any]]:
    """Return the objects in a list; empty if the value is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def as_text(value: object) -> str:
    """Return the value if it is text, else an empty text."""
    return value if isinstance(value, str) else ""


def as_piece(value: object) -> str:
    """Return a piece of a text, empty if there is none. Raises IncompleteAnswer: a gap would damage the text."""
    if value is None or isinstance(value, str):
        return value or ""
    raise IncompleteAnswer("sent a piece of text that is no text")


def join_texts(values: Iterable[object]) -> str:
    """Join the values that are text."""
    return "".join(value for value in values if isinstance(value, str))


def require_usage(value: object) -> dict[str, Any]:
    """Return an answer's usage. Raises IncompleteAnswer if there is none, as in a response that breaks off."""
    if not isinstance(value, dict) or not value:
        raise IncompleteAnswer(NO_USAGE)
    return value


def read_count(value: object, name: str) -> int | None:
    """Return a count of tokens; None if it is absent or impossible."""
    number = get_field(value, name)
    return number if type(number) is int and 0 <= number <= _MAX_TOKENS else None


def clean(text: str) -> str:
    """Return text that PostgreSQL and UTF-8 can hold: NUL and lone surrogates become the replacement character."""
    text = text.replace("\x00", "\ufffd")
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def read_finish_reason(
    reason: object, known: Mapping[str, FinishReason], broken_off: Iterable[str] = ()
) -> FinishReason:
    """Return why the model stopped. Raises IncompleteAnswer without a reason, or if it did not stop by itself."""
    if not isinstance(reason, str) or not reason:
        raise IncompleteAnswer("answered without a finish reason")
    if reason.lower() in broken_off:
        raise IncompleteAnswer(f"broke its answer off (finish reason {clean(reason)[:40]!r})")
    return known.get(reason.lower(), FinishReason.OTHER)


def answer_tokens(completion: int | None, reasoning: int | None) -> int | None:
    """Return the tokens of the answer alone, from a count that includes the reasoning."""
    return None if completion is None else max(0, completion - (reasoning or 0))


class TextAndReasoning(NamedTuple):
    """Final text and reasoning."""

    text: str
    reasoning: str


def separate_reasoning(content: str, apart: str = "") -> TextAndReasoning:
    """Split off the inline reasoning that a text begins with, even if the server swallowed the opening tag.

    Reasoning that was opened and never closed was truncated: then there is no answer at all. `apart` is reasoning that
    came in a field of its own; a text beside it that does not begin with a tag is the answer.
    """
    parts = split_reasoning(content, swallowed=not apart)
    if parts is None:
        return TextAndReasoning(content, apart)
    return TextAndReasoning(parts[1].lstrip("\n"), apart + parts[0])


def read_refusal(body: bytes) -> Refusal:
    """Return an error response in the forms common to all formats: an object or words, under one of three names."""
    words = _words(decode_json(body))
    exhausted, of_prompt, of_key = (any(mark in word.lower() for word in words for mark in marks)
                                    for marks in (_EXHAUSTED, _OF_PROMPT, _OF_KEY))  # fmt: skip
    return Refusal(" ".join(words[0].split()) if words else "", exhausted, of_prompt, of_key)


def error_message(data: object) -> str:
    """Return the message of an error; empty if there is none."""
    words = _words(data)
    return " ".join(words[0].split()) if words else ""


def _words(data: object) -> list[str]:
    if isinstance(data, list) and data:  # some services send an error in place of a list of pieces
        data = data[0]
    error = get_field(data, "error") or get_field(data, "detail") or get_field(data, "message")
    names = ("message", "code", "type", "status")
    fields = [get_field(error, name) for name in names] if isinstance(error, dict) else [error]
    return [clean(field) for field in fields if isinstance(field, str) and field]
