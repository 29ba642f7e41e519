"""A stream and the whole answer that it amounts to are read alike, for each back end that calls an endpoint.

Every recording is asked for through the real client: once whole, and as a stream whose texts, events and bytes are cut
at random, in each framing that servers use.
"""

import codecs
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from fakes.model_server import Say, as_json
from fakes.recordings import CHAT, COMPLETIONS, RESPONSES, USAGE, Recording
from fakes.recordings_blocks import GENERATED, MESSAGES
from support.asking import SECRET
from support.exchanges import BACKENDS, ask

from app.domain.asking.completions import Completion, FinishReason
from workers.inference.backends import UnreadableResponse

RECORDINGS: Mapping[str, Mapping[str, Recording]] = {
    "openai_chat": CHAT,
    "vllm": CHAT,
    "sglang": CHAT,
    "openai_completions": COMPLETIONS,
    "openai_responses": RESPONSES,
    "anthropic": MESSAGES,
    "google": GENERATED,
}
CALLING = [name for name, backend in BACKENDS.items() if backend.locate is None]
EACH = pytest.mark.parametrize(
    ("name", "recording"), [(name, each) for name in RECORDINGS for each in RECORDINGS[name]]
)
STREAMS = 5  # of each recording in one test

Framing = Callable[[Sequence[Any]], bytes]


def cut_at_random(dice: random.Random) -> Callable[[str], list[str]]:
    """A way to cut a text into pieces of any length, of which none is empty."""

    def cut(text: str) -> list[str]:
        places = sorted(dice.sample(range(1, len(text)), dice.randint(0, min(9, len(text) - 1))))
        return [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]

    return cut


def _dumped(event: Any) -> str:
    return json.dumps(event, ensure_ascii=False)


FRAMINGS: Mapping[str, Framing] = {
    "plain": lambda events: b"".join(f"data: {_dumped(each)}\n\n".encode() for each in events) + b"data: [DONE]\n\n",
    "crlf": lambda events: b"".join(f"data: {_dumped(each)}\r\n\r\n".encode() for each in events),
    "bare": lambda events: "\n\n".join(f"data:{_dumped(each)}" for each in events).encode(),
    "mark": lambda events: codecs.BOM_UTF8 + FRAMINGS["plain"](events),
    "comments": lambda events: b": hello\n\n" + FRAMINGS["crlf"](events).replace(b"data: {", b": alive\r\ndata: {"),
    "lines": lambda events: "".join(
        "".join(f"data: {line}\n" for line in json.dumps(each, indent=1).split("\n")) + "\n" for each in events
    ).encode(),
    "named": lambda events: "".join(
        f"event: {each.get('type', 'message')}\nid: 7\nretry: 9\ndata: {_dumped(each)}\n\n" for each in events
    ).encode() + b"data: [DONE]\n\n",
    "list": lambda events: json.dumps(list(events)).encode(),
    "close": lambda events: "\n".join(f"data: {_dumped(each)}" for each in events).encode() + b"\ndata: [DONE]\n",
}  # fmt: skip


def streams(recording: Recording, dice: random.Random, count: int = STREAMS) -> list[Say]:
    """The recording as streams, each cut and framed in its own way; no chunk ends where an event or a letter does."""
    says = []
    for framing in dice.sample(sorted(FRAMINGS), count):
        body = FRAMINGS[framing](recording.stream(cut_at_random(dice)))
        places = sorted(dice.sample(range(1, len(body)), min(dice.choice([2, 40]), len(body) - 1)))
        chunks = [body[start:end] for start, end in zip([0, *places], [*places, len(body)], strict=True)]
        says.append(Say(headers={"content-type": "text/event-stream"}, pieces=chunks))
    return says


def test_every_back_end_that_calls_an_endpoint_has_recordings() -> None:
    assert set(CALLING) == set(RECORDINGS)


@EACH
def test_a_stream_is_read_like_the_answer_that_it_amounts_to(name: str, recording: str) -> None:
    told = RECORDINGS[name][recording]
    says = [as_json(told.whole), *streams(told, random.Random(f"{name} {recording}"))]
    whole, *streamed = [found for found, _ in ask(name, *says)]
    assert isinstance(whole, Completion), whole
    assert (whole.text.strip(), whole.reasoning) == (told.text.strip(), told.reasoning)
    assert (whole.finish_reason, whole.usage.answer) == (FinishReason(told.finish), told.output)
    assert (whole.usage.input, whole.served_model) == (11, "m-1")
    for found in streamed:
        assert isinstance(found, Completion), found
        again = replace(whole, raw=found.raw, latency_ms=found.latency_ms, first_token_ms=found.first_token_ms)
        assert found == again
        assert BACKENDS[name].parse(found.raw, found.latency_ms) == replace(found, first_token_ms=None)


def said(found: Completion | UnreadableResponse) -> tuple[str, str, FinishReason]:
    assert isinstance(found, Completion), found
    return found.text, found.reasoning, found.finish_reason


@pytest.mark.parametrize("name", RECORDINGS)
def test_a_stream_that_ends_early_is_no_answer_wherever_it_ends(name: str) -> None:
    """Between two events: the rest never comes, and the connection closes in order."""
    dice = random.Random(name)
    for told in RECORDINGS[name].values():
        events = told.stream(cut_at_random(dice))
        whole = BACKENDS[name].parse(FRAMINGS["plain"](events), 1.0)
        for number in range(len(events)):
            found = BACKENDS[name].parse(FRAMINGS["plain"](events[:number]), 1.0)
            assert isinstance(found, UnreadableResponse) or said(found) == said(whole), "all but some count had come"


@pytest.mark.parametrize("name", RECORDINGS)
def test_an_error_anywhere_in_a_stream_makes_it_a_failure(name: str) -> None:
    dice = random.Random(name)
    told = next(iter(RECORDINGS[name].values()))
    events = [*told.stream(cut_at_random(dice))]
    errors: list[Any] = [{"error": {"message": "overloaded", "code": 529}}, {"type": "error", "message": "overloaded"},
                         {"object": "error", "message": "overloaded"}, {"error": "overloaded"}]  # fmt: skip
    for error in errors:
        place = dice.randint(1, len(events))
        for framing in ("plain", "list"):
            found = BACKENDS[name].parse(FRAMINGS[framing]([*events[:place], error, *events[place:]]), 1.0)
            assert found == UnreadableResponse("reported an error inside its stream: overloaded")
    named = b'event: error\ndata: {"message": "overloaded"}\n\n' + FRAMINGS["plain"](events)
    assert BACKENDS[name].parse(named, 1.0) == UnreadableResponse("reported an error inside its stream: overloaded")


ODD: Sequence[Any] = (None, 7, -1, True, 1.5, "", "x", [], ["x", None, 7], {}, {"text": 7}, {"type": ["x"]}, [[{}]])


def spoilt(value: Any, dice: random.Random, share: float) -> Any:
    """A copy of a value in which some of what it holds is something odd."""
    if dice.random() < share:
        return dice.choice(ODD)
    if isinstance(value, dict):
        return {name: spoilt(each, dice, share) for name, each in value.items()}
    return [spoilt(each, dice, share) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", RECORDINGS)
def test_nothing_odd_in_an_answer_makes_its_reader_fail(name: str) -> None:
    dice = random.Random(name)
    for told in RECORDINGS[name].values():
        for share in (0.01, 0.05, 0.2):
            events = [spoilt(each, dice, share) for each in told.stream(cut_at_random(dice))]
            for body in (json.dumps(spoilt(told.whole, dice, share)).encode(), FRAMINGS["plain"](events)):
                assert isinstance(BACKENDS[name].parse(body, 1.0), Completion | UnreadableResponse)


def test_a_key_that_parts_of_a_stream_share_is_kept_nowhere() -> None:
    def pieces(cut: Sequence[str]) -> list[Any]:
        return [{"choices": [{"index": 0, "delta": {"content": [{"type": "text", "text": piece}]}}]} for piece in cut]

    ends = [{"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": USAGE}]
    body = FRAMINGS["plain"]([*pieces(["key = ", SECRET[:9], SECRET[9:]]), *ends])
    [(found, _)] = ask("openai_chat", Say(body))
    assert isinstance(found, Completion)
    assert found.text == "key = [secret]"
    assert SECRET[9:] not in repr(found) + found.raw.decode()


@pytest.mark.parametrize(
    ("messages", "text"),
    [(["a", "a", "b"], "aab"), (["a", "ab", "abc"], "abc"), (["a", "b", "ab"], "ab"), (["ab", "c"], "abc")],
)
def test_messages_in_a_stream_go_on_or_say_all_once_more(messages: Sequence[str], text: str) -> None:
    events: list[Any] = [{"choices": [{"index": 0, "message": {"content": each}}]} for each in messages]
    events.append({"choices": [{"index": 0, "finish_reason": "stop"}], "usage": USAGE})
    assert said(BACKENDS["openai_chat"].parse(FRAMINGS["plain"](events), 1.0))[0] == text
