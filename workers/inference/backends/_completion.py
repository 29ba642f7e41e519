"""From a body to a completion: the same steps for every format, plain or streamed."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from app.domain.asking.completions import Completion, FinishReason, Usage
from app.domain.asking.usage_shares import share_usage
from workers.inference.backends import UnreadableResponse
from workers.inference.backends._responses import (
    IncompleteAnswer,
    ResponseContents,
    clean,
    decode_json,
    error_message,
    objects,
)
from workers.inference.backends._stream import check_piece, is_stream, pieces

_MAX_NAME_CHARS = 200
# Tokens that an empty answer may be billed for: those that open and end it. Anthropic documents 2 to 3.
EMPTY_ANSWER_TOKENS: Final = 3
MAX_RAW_BYTES = 8 * 1024 * 1024  # bytes of a stream that are kept as they came: more than 32,768 tokens take
Pieces = Iterator[dict[str, Any]]


def parser(
    join: Callable[[Pieces], dict[str, Any]], read: Callable[[dict[str, Any]], ResponseContents]
) -> Callable[[bytes, float], Completion | UnreadableResponse]:
    """Return a parser of a format's bodies, streamed or not.

    `join` turns a stream's pieces into the body of a plain answer, and `read` reads such a body. Both raise
    IncompleteAnswer, and may be given any JSON object. A stream is kept as it came, a very long one as its joined body.
    """
    parse = several(lambda pieces, _: join(pieces), lambda data, _: [lambda: read(data)])
    return lambda body, latency_ms: parse(body, latency_ms, 1)[0]


def several(
    join: Callable[[Pieces, int], dict[str, Any]],
    read: Callable[[dict[str, Any], int], list[Callable[[], ResponseContents]]],
) -> Callable[[bytes, float, int], list[Completion | UnreadableResponse]]:
    """Return a parser of bodies that may hold several answers: `read` returns a reader for each, at least one.

    An unreadable answer does not affect the others. The usage of the whole is shared among the readable ones.
    """

    def parse(body: bytes, latency_ms: float, answers: int) -> list[Completion | UnreadableResponse]:
        try:
            data = None if is_stream(body) else _decode_plain(body)
            if isinstance(data, dict):
                return _completions(read(data, answers), body, latency_ms)
            # Google streams a JSON list if a proxy drops the request for events.
            whole = join(pieces(body) if data is None else map(check_piece, data), answers)
            joined = json.dumps(whole).encode()
            kept = body if len(body) <= MAX_RAW_BYTES else joined
            return _completions(read(whole, answers), kept, latency_ms, joined)
        except IncompleteAnswer as error:
            return [UnreadableResponse(str(error))]
        except RecursionError:  # a decodable body may be nested too deeply to traverse
            return [UnreadableResponse("nested its answer too deeply")]

    return parse


def _decode_plain(body: bytes) -> dict[str, Any] | list[dict[str, Any]]:
    """Return the object that a body is, or the objects of which it is a list. Raises IncompleteAnswer."""
    data = decode_json(body)
    if data is None:
        looks = body[:512].lstrip().lower()
        raise IncompleteAnswer(
            "answered HTML, not JSON" if looks.startswith(b"<") else "answered something that is no JSON"
        )
    listed = objects(data)
    if listed and len(listed) == len(data):
        return listed
    error = error_message(data)
    if error:  # some gateways send their errors with status 200
        raise IncompleteAnswer(f"answered an error: {error}")
    return data if isinstance(data, dict) else {}


def _completions(
    readers: list[Callable[[], ResponseContents]], body: bytes, latency_ms: float, joined: bytes = b""
) -> list[Completion | UnreadableResponse]:
    readings = [_try_read(reader) for reader in readers]
    contents = [(reading.text, reading.reasoning) for reading in readings if isinstance(reading, ResponseContents)]
    usage = next((reading.usage for reading in readings if isinstance(reading, ResponseContents)), Usage())
    shares = iter([usage] if len(contents) == 1 else share_usage(usage, contents))
    answers = [
        reading
        if isinstance(reading, UnreadableResponse)
        else _completion(reading, next(shares), body, latency_ms, joined, len(contents))
        for reading in readings
    ]
    return [_checked(reading, answer) for reading, answer in zip(readings, answers, strict=True)]


def _checked(
    reading: ResponseContents | UnreadableResponse, answer: Completion | UnreadableResponse
) -> Completion | UnreadableResponse:
    """Return the answer, or a failure if the endpoint counted tokens of an answer and sent none of it."""
    if (
        isinstance(reading, UnreadableResponse)
        or isinstance(answer, UnreadableResponse)
        or not _is_lost(reading, answer.usage)
    ):
        return answer
    return UnreadableResponse(f"counted {answer.usage.answer} tokens of an answer and sent none of it", answer)


def _is_lost(said: ResponseContents, usage: Usage) -> bool:
    """Return whether tokens beyond the reasoning were counted, but no output explains them.

    A filter takes back counted tokens. Reasoning that is not counted separately is part of the answer's count; a
    cut-off answer may be reasoning that is neither shown nor counted.
    """
    if said.text or said.came or (usage.answer or 0) <= EMPTY_ANSWER_TOKENS:
        return False
    reasoned = bool(said.reasoning) or said.withheld
    match said.finish_reason:
        case FinishReason.CONTENT_FILTER:
            return False
        case FinishReason.LENGTH:
            return usage.reasoning is not None and not reasoned
        case _:
            return bool(usage.reasoning) or not reasoned


def _try_read(reader: Callable[[], ResponseContents]) -> ResponseContents | UnreadableResponse:
    try:
        return reader()
    except IncompleteAnswer as error:
        return UnreadableResponse(str(error))


def _completion(
    reading: ResponseContents, usage: Usage, body: bytes, latency_ms: float, joined: bytes, answers: int
) -> Completion:  # fmt: skip
    return Completion(
        text=clean(reading.text),
        reasoning=clean(reading.reasoning),
        finish_reason=reading.finish_reason,
        usage=usage,
        latency_ms=latency_ms,
        served_model=_name(reading.model),
        raw=body,
        fingerprint=_name(reading.fingerprint),
        joined=joined,
        answers=answers,
    )


def _name(value: object) -> str:
    return clean(value)[:_MAX_NAME_CHARS] if isinstance(value, str) else ""
