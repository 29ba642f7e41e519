"""Streamed answers, and every way in which a response breaks off: none of these is ever an answer."""

import asyncio
import json
import tracemalloc
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Self, cast

import pytest
from fakes import model_server
from fakes.model_server import USED, ModelServer, Say, said, streamed
from support.asking import endpoint, now, only_failure, outcomes, requests

from app.domain.asking.completions import (
    AnsweredSample,
    Completion,
    FailureOwner,
    FinishReason,
    Retry,
    SampleOutcome,
    Usage,
)
from workers.inference.backends._completion import MAX_RAW_BYTES
from workers.inference.backends._stream import _events
from workers.inference.backends.openai_chat import BACKEND
from workers.inference.wire import CallFailure, ask_once
from workers.net import HostClient

WHOLE = (
    said(role="assistant", content=""),
    said(reasoning="I ad"),
    said(reasoning="d."),
    said("print"),
    said("(1)"),
    said(finish_reason="stop"),
    USED | {"system_fingerprint": "fp_7"},
    "[DONE]",
)


def hear(say: Say, **settings: float) -> list[SampleOutcome]:
    with ModelServer(say) as server:
        return outcomes(server, **{"deadline_s": 2.0, **settings})  # type: ignore[arg-type]  # one of them is named


def answer(say: Say) -> Completion:
    [outcome] = hear(say)
    assert isinstance(outcome, AnsweredSample), outcome
    return outcome.completion


def test_a_stream_amounts_to_one_answer() -> None:
    found = answer(streamed(*WHOLE, gap_s=0.02))
    assert (found.text, found.reasoning, found.finish_reason) == ("print(1)", "I add.", FinishReason.STOP)
    assert (found.usage, found.served_model, found.fingerprint) == (Usage(11, None, None, 7), "fake-model-1", "fp_7")
    assert found.first_token_ms is not None
    assert 0 < found.first_token_ms < found.latency_ms - 50
    assert found.raw == b"".join(streamed(*WHOLE).pieces), "it is kept as it came"
    assert BACKEND.parse(found.raw, found.latency_ms) == Completion(
        found.text, found.reasoning, found.finish_reason, found.usage, found.latency_ms, found.served_model, found.raw,
        None, "fp_7",
    )  # fmt: skip


def test_a_stream_that_is_too_long_to_keep_is_kept_as_what_it_amounts_to() -> None:
    whole = b"".join(streamed(*WHOLE).pieces)
    filling = b": still here\n\n" * (MAX_RAW_BYTES // 14 + 1)
    found = BACKEND.parse(filling + whole, 1.0)
    assert isinstance(found, Completion)
    kept = json.loads(found.raw)
    assert kept["choices"][0]["message"] == {"role": "assistant", "content": "print(1)", "reasoning": "I add."}
    again = BACKEND.parse(whole, 1.0)
    assert isinstance(again, Completion)
    assert (again.raw, again.joined, BACKEND.parse(found.raw, 1.0)) == (whole, found.raw, found)


def test_what_keeps_a_connection_alive_is_no_token() -> None:
    say = streamed(*WHOLE)
    slow = Say(headers=say.headers, pieces=[b": still here\n\n", *say.pieces], gap_s=0.1)
    found = answer(slow)
    assert found.text == "print(1)"
    assert found.first_token_ms is not None
    assert found.first_token_ms > 80


def test_an_answer_that_is_not_streamed_has_no_first_token() -> None:
    assert answer(model_server.message("x")).first_token_ms is None


def test_a_stream_is_read_whatever_its_content_type_says() -> None:
    body = b"".join(streamed(*WHOLE).pieces)
    assert answer(Say(body, headers={"content-type": "application/json"})).text == "print(1)"
    assert answer(Say(body.replace(b"\n", b"\r\n"))).text == "print(1)"


STREAM = b"".join(streamed(*WHOLE).pieces)


@pytest.mark.parametrize(
    "body",
    [
        b"\xef\xbb\xbf" + STREAM,
        b"\n" * 200 + STREAM,
        STREAM.replace(b"\n", b"\r"),
        b"data:\n\ndata: \n\n" + STREAM,
        STREAM.replace(b'"choices"', b'\ndata: "choices"'),
        STREAM.replace(b"data: ", b"data:").rstrip(),
        STREAM.replace(b"data: [DONE]", b'data: {"choices": [], "usage": {}}\n\ndata: [DONE]'),
    ],
    ids=["mark", "lines before", "carriage returns", "empty data", "data of two lines", "bare", "usage again"],
)
def test_a_stream_is_read_however_it_is_framed(body: bytes) -> None:
    found = BACKEND.parse(body, 1.0)
    assert isinstance(found, Completion), found
    assert (found.text, found.reasoning, found.usage) == ("print(1)", "I add.", Usage(11, None, None, 7))


@pytest.mark.parametrize("filling", [b"\n", b"\r", b"data:\n", b":\n", b"data:{}\n\n"])
def test_a_stream_takes_little_more_memory_than_its_size(filling: bytes) -> None:
    body = b"data: 1\n" + filling * (2**18 // len(filling))
    tracemalloc.start()
    try:
        deque(_events(body), 0)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 3 * len(body)


def test_an_answer_is_read_whatever_its_content_type_says() -> None:
    said_plainly = model_server.message("x").body
    for kind in ("text/event-stream", "text/plain", "application/octet-stream", ""):
        assert answer(Say(said_plainly, headers={"content-type": kind})).text == "x"


BROKEN = {
    "error": (streamed(said("pri"), {"error": {"message": "engine died"}}, "[DONE]"), "engine died"),
    "error at once": (streamed({"error": {"message": "engine died"}}), "inside its stream: engine died"),
    "no finish": (streamed(said("print(1)"), USED, "[DONE]"), "without a finish reason"),
    "no usage": (streamed(said("print(1)", finish_reason="stop"), "[DONE]"), "without the usage"),
    "empty usage": (streamed(said("x", finish_reason="stop") | {"usage": {}}), "without the usage"),
    "nothing": (streamed("[DONE]"), "without a finish reason"),
    "aborted": (streamed(said("x", finish_reason="abort"), USED, "[DONE]"), "broke its answer off"),
    "no JSON": (streamed(said("pri"), "{nt", USED), "no JSON object"),
    "cut": (streamed(*WHOLE[:4], cut=True), "broke the connection"),
    "cut after the reason": (streamed(*WHOLE[:6], cut=True), "broke the connection"),
    "cut plain": (Say(pieces=[model_server.message("x").body[:40]], cut=True), "broke the connection"),
    "plain without finish": (model_server.message("x", finish_reason=None), "without a finish reason"),
    "plain broken off": (model_server.message("x", finish_reason="error"), "broke its answer off"),
    "its network": (model_server.message("x", finish_reason="network_error"), "broke its answer off"),
    "abort, then stop": (
        streamed(said("x", finish_reason="abort"), said(finish_reason="stop"), USED, "[DONE]"),
        "broke its answer off",
    ),
    "no room": (model_server.message("x", finish_reason="insufficient_system_resource"), "broke its answer off"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_breaks_off_is_a_failure_of_the_endpoint_and_no_answer(name: str) -> None:
    say, words = BROKEN[name]
    failed = only_failure(hear(say))
    assert words in failed.reason
    assert (failed.retry, failed.owner, failed.counts) == (Retry.LATER, FailureOwner.VENDOR, True)


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
def test_a_response_that_drips_is_given_up_in_time(kind: str) -> None:
    drip = Say(headers={"content-type": kind}, pieces=[b" "] * 600, gap_s=0.05)
    failed = only_failure(hear(drip, timeout_s=0.5))
    assert failed.reason == "did not answer within 0.5 s"


def test_what_was_asked_for_and_silently_ignored_costs_no_answer() -> None:
    """A server that answers one choice whatever `n`, another that answers several, and none that sends logprobs."""
    plain = json.loads(model_server.message("first").body)
    choices = [plain["choices"][0] | {"logprobs": None}, plain["choices"][0] | {"index": 1, "message": {}}]
    assert answer(model_server.as_json(plain | {"choices": choices})).text == "first"
    other = said("other", finish_reason="length")
    other["choices"][0]["index"] = 1
    assert answer(streamed(said("first"), other, said(finish_reason="stop"), USED)).text == "first"


@dataclass
class Dripping:
    """A response that comes two characters at a time, and a door to it."""

    left: int
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def content(self) -> Self:
        return self

    async def readany(self) -> bytes:
        await asyncio.sleep(0)
        self.left -= 1
        return bytes([32, 32 + self.left % 90]) if self.left >= 0 else b""

    @asynccontextmanager
    async def post(self, *_: object) -> AsyncIterator[Self]:
        yield self


def test_a_body_in_tiny_pieces_takes_no_more_memory_than_its_size() -> None:
    pieces = 6_000
    tracemalloc.start()
    try:
        spec = endpoint("http://127.0.0.1:1/v1")
        asked = ask_once(cast(HostClient, Dripping(pieces)), BACKEND, spec, requests(1)[0], timeout_s=60.0, clock=now)
        assert isinstance(asyncio.run(asked), CallFailure)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10 * 2 * pieces
