"""Hundreds of random sequences of replies, broken connections and faults of ours: what of them is ever an answer, or
the endpoint's own failure. The client is the real one; only the connection is played. `tests/pipeline` has a few such
sequences through sockets and rows."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any, NamedTuple, cast

import aiohttp
from fakes import model_server
from fakes.model_server import USED, Say, said, streamed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import virtual
from support.asking import endpoint, requests
from support.examples import examples

from app.domain.asking.completions import AnsweredSample, FailureOwner, Retry, RetryNotice, SampleOutcome
from workers.inference.backends.openai_chat import BACKEND
from workers.inference.control import FailureAttribution
from workers.inference.limiter import Paces
from workers.inference.slices import SliceRunner
from workers.net import HostClient

ANSWERS: Mapping[str, Say] = {
    "program": model_server.message("print(1)"),
    "nothing": model_server.message(None, usage={"prompt_tokens": 11, "completion_tokens": 1}),
    "truncated": model_server.message("print(", finish_reason="length"),
    "stream": streamed(said("print(1)", finish_reason="stop"), USED),
}
REPLIES: Mapping[str, Say] = {
    "400": model_server.error(400, "unknown field"),
    "too long": model_server.error(400, "too long", code="context_length_exceeded"),
    "401": model_server.error(401, "wrong key"),
    "429": model_server.rate_limited("-5"),
    "500": model_server.error(500, "oops"),
    "503": model_server.error(503, headers={"retry-after": "0"}),
    "html": model_server.html(),
    "no choice": model_server.as_json({"choices": []}),
    "no finish": model_server.message("print(1)", finish_reason=None),
    "no usage": model_server.message("print(1)", usage={}),
    "tokens of nothing": model_server.message(None),
    "broken off": model_server.message("print(1)", finish_reason="abort"),
    "error in a stream": streamed(said("print("), {"error": {"message": "died"}}, "[DONE]"),
    "stream without end": streamed(said("print(1)"), USED),
    "stream without usage": streamed(said("print(1)", finish_reason="stop"), "[DONE]"),
}
DROPPED, STALLED, BUG = "dropped", "stalled", "a bug of ours"
KINDS = (*ANSWERS, *REPLIES, DROPPED, STALLED, BUG)


@dataclass
class Reply:
    """A response as aiohttp gives it."""

    say: Say
    status: int = field(init=False)
    headers: Mapping[str, str] = field(init=False)
    content: Any = field(init=False)

    def __post_init__(self) -> None:
        self.status, self.headers, self.content = self.say.status, self.say.headers, self
        self._parts = iter([self.say.body] if self.say.body else self.say.pieces or [])

    async def readany(self) -> bytes:
        return next(self._parts, b"")


@dataclass
class Line:
    """An endpoint that says these in turn, and to whom."""

    says: Iterator[str]
    told: list[tuple[str, str]] = field(default_factory=list)  # question and kind

    @asynccontextmanager
    async def opened(self, *_: object) -> AsyncIterator[HostClient]:
        yield cast(HostClient, self)

    @asynccontextmanager
    async def post(self, _url: str, _headers: Mapping[str, str], body: bytes) -> AsyncIterator[Reply]:
        kind = next(self.says)
        self.told.append((body.decode().partition("question ")[2][0], kind))
        if kind == DROPPED:
            raise aiohttp.ServerDisconnectedError
        if kind == STALLED:
            await asyncio.sleep(10**6)
        if kind == BUG:
            raise RuntimeError
        yield Reply(ANSWERS.get(kind) or REPLIES[kind])


class Part(NamedTuple):
    """One slice: what comes of its requests, and what control requests find, each in turn and over again."""

    says: Sequence[str]
    reached: Sequence[bool | None]


class Heard(NamedTuple):
    """An outcome, and what the control requests until then found: the last answer, and whether one of them had none."""

    outcome: SampleOutcome
    reached: bool | None
    lost: bool


async def outcomes(part: Part, line: Line) -> list[Heard]:
    spec = endpoint("http://127.0.0.1:1/v1", concurrency=2, timeout_s=20.0)
    found: list[SampleOutcome | RetryNotice] = []
    await SliceRunner(
        spec, BACKEND, requests(3), pace=Paces().of(spec), allow=(), deadline_s=120.0, clock=virtual.now,
        emit=found.append, backoff_s=0.0, opened=line.opened,
    ).run()  # fmt: skip
    controls, results = cycle(part.reached), list[bool | None]([None])

    def control() -> bool | None:
        results.append(next(controls))
        return results[-1]

    controlled = FailureAttribution(control)
    return [
        Heard(outcome, results[-1], False in results)
        for one in found
        if not isinstance(one, RetryNotice)
        for outcome in controlled.attribute([one])
    ]


def check(one: Heard, line: Line) -> None:
    """What one outcome says is what happened."""
    outcome = one.outcome
    met = [kind for question, kind in line.told if question == str(outcome.sample_id)]
    if isinstance(outcome, AnsweredSample):
        assert met[-1] in ANSWERS
        assert not set(met[:-1]) & set(ANSWERS), "it was asked again after an answer"
        assert outcome.requests == len(met)
        return
    assert not set(met) & set(ANSWERS), "an answer was lost"
    assert outcome.requests == len(met)
    if outcome.own:
        replied = any(kind in ANSWERS or kind in REPLIES for _, kind in line.told)
        assert met, "it was never asked"
        assert BUG not in met, "we failed it, too"
        assert outcome.owner is FailureOwner.VENDOR
        refused = outcome.retry in (Retry.STOP, Retry.RUN)  # no control is asked, and no verdict comes of it
        assert replied or one.reached or refused, "nobody was reached"
        assert not one.lost or refused, "our network failed"
    if one.lost and met and outcome.retry in (Retry.LATER, Retry.NEVER):
        assert not outcome.counts or BUG in met
        assert (outcome.owner, bool(outcome.own)) == (FailureOwner.US, False)


def some(kinds: set[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(sorted(kinds)), min_size=1, max_size=10)


PARTS = st.builds(
    Part,
    st.sets(st.sampled_from(KINDS), min_size=1, max_size=4).flatmap(some),
    st.lists(st.booleans(), min_size=1, max_size=3) | st.just([None]),
)


@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.too_slow])
@given(part=PARTS)
def test_only_what_an_endpoint_failed_is_its_own_and_only_what_it_said_is_an_answer(part: Part) -> None:
    line = Line(cycle(part.says))
    found = virtual.run(outcomes(part, line))
    assert sorted(each.outcome.sample_id for each in found) == [0, 1, 2], "each has one outcome"
    for each in found:
        check(each, line)
