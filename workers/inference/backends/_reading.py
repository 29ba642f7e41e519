"""What all formats share when a response is read: JSON from strangers, texts and counts in it, errors, reasoning."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from app.domain.asking.completions import FinishReason, Usage
from app.domain.asking.reasoning import parted
from workers.inference.backends import Refusal

NO_REASON = "ended its stream without a finish reason"
NO_USAGE = "answered without the usage"

_MOST_TOKENS = 1_000_000_000  # a count above this is noise, not usage

# Codes and words of spent money. Words like "quota exceeded" are left out: some say so of a minute's quota.
_EXHAUSTED = ("insufficient_quota", "insufficient_balance", "insufficient balance", "billing_hard_limit",
              "billing_not_active", "billing_error", "payment_required", "credit balance is too low")  # fmt: skip
# Codes and words of a key that is refused with a status of its own.
_OF_KEY = ("api key not valid", "api_key_invalid", "api key expired")
# Codes and words of a refusal that says something of this prompt alone.
_OF_PROMPT = ("context_length", "context length", "maximum context", "too many tokens", "prompt is too long",
              "prompt too long", "content_filter", "content_policy", "content management policy", "invalid_prompt",
              "string_above_max_length", "request_too_large", "exceeds the maximum number of tokens",
              "exceed context limit")  # fmt: skip


class Cut(Exception):
    """A response that is no whole answer; the words say why."""


class Reading(NamedTuple):
    """What a response says, before it is made safe to keep.

    `came`: there was output that left no final text, such as a tool call, or a text that is all reasoning. `withheld`:
    the model reasoned, and the words are not shown.
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
    """No count has so many digits that Python would refuse to read them; such a one is unknown."""
    return int(digits) if len(digits) < 30 else None


_DECODER = json.JSONDecoder(parse_int=_whole)  # one for all: making one costs as much as reading a short answer


def decoded(body: bytes) -> Any:
    """The decoded body; None when it is no JSON (a JSON null is no answer either)."""
    try:
        return _DECODER.decode(body.decode(json.detect_encoding(body), "surrogatepass"))
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError
        return None


def within(value: object, name: str) -> Any:
    """The field of that name; None where the value is no object, or has none."""
    return value.get(name) if isinstance(value, dict) else None


def objects(value: object) -> list[dict[str, Any]]:
    """The objects in a list; nothing where it is none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text(value: object) -> str:
    """The value where it is text, else an empty one."""
    return value if isinstance(value, str) else ""


def piece(value: object) -> str:
    """A piece of a text; an empty one where there is none. Raises Cut for what is no text: the rest would be torn."""
    if value is None or isinstance(value, str):
        return value or ""
    raise Cut("sent a piece of text that is no text")


def joined(values: Iterable[object]) -> str:
    """Those that are text, one after the other."""
    return "".join(value for value in values if isinstance(value, str))


def reported(value: object) -> dict[str, Any]:
    """What an answer says of its tokens. Raises Cut where it says nothing, as what breaks off does."""
    if not isinstance(value, dict) or not value:
        raise Cut(NO_USAGE)
    return value


def count(value: object, name: str) -> int | None:
    """A count of tokens; None where it is absent or cannot be one."""
    number = within(value, name)
    return number if type(number) is int and 0 <= number <= _MOST_TOKENS else None


def clean(text: str) -> str:
    """Text that PostgreSQL and UTF-8 can hold: NUL and lone surrogates become the replacement character."""
    text = text.replace("\x00", "\ufffd")
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def finished(said: object, known: Mapping[str, FinishReason], broken_off: Iterable[str] = ()) -> FinishReason:
    """Why the model stopped. Raises Cut where that is not said, or where it did not stop by itself."""
    if not isinstance(said, str) or not said:
        raise Cut("answered without a finish reason")
    if said.lower() in broken_off:
        raise Cut(f"broke its answer off (finish reason {clean(said)[:40]!r})")
    return known.get(said.lower(), FinishReason.OTHER)


def answered(completion: int | None, reasoning: int | None) -> int | None:
    """The tokens of the answer alone, of a count that includes the reasoning."""
    return None if completion is None else max(0, completion - (reasoning or 0))


class Speech(NamedTuple):
    """Final text and reasoning."""

    text: str
    reasoning: str


def unthink(content: str, apart: str = "") -> Speech:
    """Cut off the inline reasoning that a text begins with, also where the server swallowed the opening tag.

    Reasoning that was opened and never closed was truncated: then there is no answer at all. `apart` is reasoning
    that came in a place of its own; a text beside it that does not begin with a tag is the answer.
    """
    parts = parted(content, swallowed=not apart)
    if parts is None:
        return Speech(content, apart)
    return Speech(parts[1].lstrip("\n"), apart + parts[0])


def refusal(body: bytes) -> Refusal:
    """What an error response says, in the forms that are common to all: an object or words, at one of three names."""
    words = _words(decoded(body))
    exhausted, of_prompt, of_key = (any(mark in word.lower() for word in words for mark in marks)
                                    for marks in (_EXHAUSTED, _OF_PROMPT, _OF_KEY))  # fmt: skip
    return Refusal(" ".join(words[0].split()) if words else "", exhausted, of_prompt, of_key)


def complaint(data: object) -> str:
    """The words of an error; empty where there is none."""
    words = _words(data)
    return " ".join(words[0].split()) if words else ""


def _words(data: object) -> list[str]:
    if isinstance(data, list) and data:  # how some send an error where a list of pieces was to come
        data = data[0]
    error = within(data, "error") or within(data, "detail") or within(data, "message")
    names = ("message", "code", "type", "status")
    fields = [within(error, name) for name in names] if isinstance(error, dict) else [error]
    return [clean(field) for field in fields if isinstance(field, str) and field]
