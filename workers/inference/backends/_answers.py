"""From a body to a completion: the same way for every format, plain or streamed."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from app.domain.asking.completions import Completion, FinishReason, Usage
from app.domain.asking.sharing import shared_out
from workers.inference.backends import Unreadable
from workers.inference.backends._reading import Cut, Reading, clean, complaint, decoded, objects
from workers.inference.backends._stream import check_piece, is_stream, pieces

_LONGEST_NAME = 200
# What an answer without a word may be billed for: the tokens that open and end it. Anthropic says 2 to 3 of its models.
EMPTY_ANSWER_TOKENS: Final = 3
LONGEST_RAW = 8 * 1024 * 1024  # bytes of a stream that are kept as they came: more than 32,768 tokens have
Pieces = Iterator[dict[str, Any]]


def parser(
    join: Callable[[Pieces], dict[str, Any]], read: Callable[[dict[str, Any]], Reading]
) -> Callable[[bytes, float], Completion | Unreadable]:
    """How a body of a format is read, streamed or not.

    `join` makes of a stream's pieces the body of an answer that was not streamed, and `read` reads such a body. Both
    raise Cut for what is no whole answer; they may be given any JSON object. A stream is kept as it came, a very long
    one as the body that its pieces amount to.
    """
    parse = several(lambda pieces, _: join(pieces), lambda data, _: [lambda: read(data)])
    return lambda body, latency_ms: parse(body, latency_ms, 1)[0]


def several(
    join: Callable[[Pieces, int], dict[str, Any]], read: Callable[[dict[str, Any], int], list[Callable[[], Reading]]]
) -> Callable[[bytes, float, int], list[Completion | Unreadable]]:
    """As `parser`, of bodies that may hold several answers: `read` gives a reader for each, one at least.

    An answer that cannot be read costs the others nothing. What the whole took is shared out over those that can.
    """

    def parse(body: bytes, latency_ms: float, answers: int) -> list[Completion | Unreadable]:
        try:
            data = None if is_stream(body) else _plain(body)
            if isinstance(data, dict):
                return _completions(read(data, answers), body, latency_ms)
            # Google streams a JSON list where a proxy leaves out that events were asked for.
            whole = join(pieces(body) if data is None else map(check_piece, data), answers)
            joined = json.dumps(whole).encode()
            kept = body if len(body) <= LONGEST_RAW else joined
            return _completions(read(whole, answers), kept, latency_ms, joined)
        except Cut as cut:
            return [Unreadable(str(cut))]
        except RecursionError:  # of what can be decoded some is nested too deeply to be walked through
            return [Unreadable("nested its answer too deeply")]

    return parse


def _plain(body: bytes) -> dict[str, Any] | list[dict[str, Any]]:
    """The object that a body is, or the objects of which it is a list."""
    data = decoded(body)
    if data is None:
        looks = body[:512].lstrip().lower()
        raise Cut("answered HTML, not JSON" if looks.startswith(b"<") else "answered something that is no JSON")
    listed = objects(data)
    if listed and len(listed) == len(data):
        return listed
    error = complaint(data)
    if error:  # some gateways send their errors with status 200
        raise Cut(f"answered an error: {error}")
    return data if isinstance(data, dict) else {}


def _completions(
    readers: list[Callable[[], Reading]], body: bytes, latency_ms: float, joined: bytes = b""
) -> list[Completion | Unreadable]:
    found = [_tried(reader) for reader in readers]
    said = [(each.text, each.reasoning) for each in found if isinstance(each, Reading)]
    usage = next((each.usage for each in found if isinstance(each, Reading)), Usage())
    shares = iter([usage] if len(said) == 1 else shared_out(usage, said))
    answers = [
        each if isinstance(each, Unreadable) else _completion(each, next(shares), body, latency_ms, joined, len(said))
        for each in found
    ]
    return [_checked(each, answer) for each, answer in zip(found, answers, strict=True)]


def _checked(said: Reading | Unreadable, answer: Completion | Unreadable) -> Completion | Unreadable:
    """The answer, or a failure where the endpoint counted tokens of an answer and sent none of it."""
    if isinstance(said, Unreadable) or isinstance(answer, Unreadable) or not _is_lost(said, answer.usage):
        return answer
    return Unreadable(f"counted {answer.usage.answer} tokens of an answer and sent none of it", answer)


def _is_lost(said: Reading, usage: Usage) -> bool:
    """Whether tokens were counted beyond the reasoning, and nothing came that they could be of.

    A filter takes back what was counted. Reasoning that is not counted apart is within the count of the answer; what
    was cut off may be reasoning that is neither shown nor counted.
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


def _tried(reader: Callable[[], Reading]) -> Reading | Unreadable:
    try:
        return reader()
    except Cut as cut:
        return Unreadable(str(cut))


def _completion(
    said: Reading, usage: Usage, body: bytes, latency_ms: float, joined: bytes, answers: int
) -> Completion:  # fmt: skip
    return Completion(
        text=clean(said.text),
        reasoning=clean(said.reasoning),
        finish_reason=said.finish_reason,
        usage=usage,
        latency_ms=latency_ms,
        served_model=_name(said.model),
        raw=body,
        fingerprint=_name(said.fingerprint),
        joined=joined,
        answers=answers,
    )


def _name(value: object) -> str:
    return clean(value)[:_LONGEST_NAME] if isinstance(value, str) else ""
