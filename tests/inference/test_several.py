"""Several answers of one request: each is one sample's, and whoever gives fewer is asked for one at a time."""

import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from typing import Any

import pytest
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say, Script, as_json, streamed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import virtual
from support.asking import SECRET, ids
from support.examples import examples

from app.domain.asking.completions import (
    AnsweredSample,
    Completion,
    EndpointSpec,
    FailedSample,
    FailureOwner,
    InferenceRequest,
    Message,
    Prompt,
    Retry,
    RetryNotice,
    SampleOutcome,
)
from app.domain.asking.protocols import Sampling
from app.domain.asking.retry_policy import needs_control
from workers.inference.backends import named_backend
from workers.inference.calls import group_requests, max_answers
from workers.inference.limiter import EndpointPace
from workers.inference.slices import SliceRunner

TEN = Sampling(n=10, temperature=0.7, max_tokens=4096)
STREAMED = replace(TEN, max_tokens=20_000)  # three of them fill a request


def spec(url: str, name: str = "vllm", **settings: Any) -> EndpointSpec:
    return EndpointSpec(1, name, url, "m", SECRET, trusted=True, **{"max_concurrency": 64} | settings)


def asked_for(problems: int, sampling: Sampling = TEN, run: int = 1) -> list[InferenceRequest]:
    """The samples of so many problems, in the order in which they are planned."""
    return [
        InferenceRequest(
            1000 * problem + ordinal, Prompt((Message("user", f"question {problem}"),)), sampling, ordinal, run_id=run
        )
        for problem in range(problems)
        for ordinal in range(sampling.n)
    ]


def choices(asked: Asked, most: int = 1000, **changed: Any) -> Say:
    """As many choices as are asked for, each with the seed that it has."""
    body = asked.json
    said = [_choice(asked, body.get("seed", 0) + number, number) for number in range(min(most, body.get("n", 1)))]
    usage = {"prompt_tokens": 11, "completion_tokens": 7 * len(said), "total_tokens": 11 + 7 * len(said)}
    return as_json({"model": "fake", "choices": said, "usage": usage} | changed, delay_s=0.2)


def _choice(asked: Asked, seed: int, number: int) -> dict[str, Any]:
    message = {"role": "assistant", "content": f"{asked.last_message} with seed {seed}"}
    return {"index": number, "message": message, "finish_reason": "stop"}


def run(
    script: Script, requests: Sequence[InferenceRequest], *, pace: EndpointPace | None = None,
    deadline_s: float = 600.0,
    drop_at: int | None = None, **settings: Any,
) -> tuple[list[SampleOutcome], list[Asked], EndpointPace]:  # fmt: skip
    """One slice in time of its own: what came, and what the endpoint saw. From request `drop_at` on all is unwanted."""
    pace = pace or EndpointPace(64, cooldown_s=1.0)
    found: list[SampleOutcome] = []
    work: SliceRunner

    def told(asked: Asked) -> Say:
        if asked.number == drop_at:
            work.drop({request.sample_id for request in requests})
        return script(asked)

    async def sliced() -> list[Asked]:
        nonlocal work
        async with ModelServer(told).within() as server:
            endpoint = spec(server.url, **settings)
            work = SliceRunner(
                endpoint, named_backend(endpoint.backend), requests, pace=pace, allow=(), deadline_s=deadline_s,
                clock=_now, emit=lambda each: None if isinstance(each, RetryNotice) else found.append(each),
            )  # fmt: skip
            await work.run()
            return server.asked

    return found, virtual.run(sliced()), pace


def _now() -> datetime:
    return virtual.now()


def texts(found: Sequence[SampleOutcome]) -> dict[int, str]:
    return {each.sample_id: each.completion.text for each in found if isinstance(each, AnsweredSample)}


def right(requests: Sequence[InferenceRequest]) -> dict[int, str]:
    return {each.sample_id: f"{each.prompt.messages[0].content} with seed {each.seed}" for each in requests}


def test_one_request_answers_neighbours_each_with_its_own_seed() -> None:
    wanted = asked_for(3)
    found, asked, _ = run(choices, wanted)
    assert texts(found) == right(wanted)
    assert [(each.json["n"], each.json["seed"]) for each in asked] == [(8, 0), (2, 8)] * 3
    assert sum(each.requests for each in found) == len(asked), "each request is counted once"
    answers = [each.completion for each in found if isinstance(each, AnsweredSample)]
    assert sum(each.usage.answer or 0 for each in answers) == 7 * len(wanted)
    assert sum(each.usage.input or 0 for each in answers) == 11 * len(asked), "what was read, once for each request"
    assert Counter(each.answers for each in answers) == {8: 24, 2: 6}


def test_streams_tell_the_answers_apart() -> None:
    def stream(asked: Asked) -> Say:
        numbers = list(range(asked.json["n"]))
        whole = [_choice(asked, asked.json["seed"] + number, number) for number in numbers]
        said = [(each["index"], each["message"]["content"]) for each in whole]
        halves = [(index, text[:9]) for index, text in said] + [(index, text[9:]) for index, text in said]
        pieces = [
            {"choices": [{"index": index, "delta": {"content": half}, "finish_reason": None}]} for index, half in halves
        ]
        ends = [{"choices": [{"index": number, "delta": {}, "finish_reason": "stop"}]} for number in numbers]
        usage = {"prompt_tokens": 11, "completion_tokens": 7 * len(numbers), "total_tokens": 11 + 7 * len(numbers)}
        return streamed(*pieces, *ends, {"choices": [], "usage": usage}, "[DONE]", gap_s=0.01)

    wanted = asked_for(2, STREAMED)
    found, asked, _ = run(stream, wanted)
    assert texts(found) == right(wanted)
    assert [each.json["n"] for each in asked] == [3, 3, 3, 1] * 2, "a request asks for 65,536 tokens at most"


@pytest.mark.parametrize("given", [1, 3])
def test_who_gives_fewer_is_asked_for_one_at_a_time(given: int) -> None:
    wanted = asked_for(4)
    found, asked, pace = run(lambda each: choices(each, most=given), wanted)
    assert texts(found) == right(wanted)
    assert sum(each.requests for each in found) == len(asked)
    several = [each for each in asked if each.json["n"] > 1]
    assert len(several) <= 8, "only those that were under way when it was seen"
    found, asked, _ = run(choices, asked_for(1), pace=pace)
    assert [each.json["n"] for each in asked] == [1] * 10, "and the next slice knows it"


def test_it_is_asked_for_several_again_after_an_hour() -> None:
    pace = EndpointPace(64)
    pace.ask_alone(_at(0) - 3601)
    _, asked, _ = run(choices, asked_for(1), pace=pace)
    assert asked[0].json["n"] == 8


def _at(second: float) -> float:
    return virtual.BEGINS.timestamp() + second


def test_who_refuses_several_is_asked_for_one_at_a_time() -> None:
    def single(asked: Asked) -> Say:
        return (
            model_server.error(400, "Only one completion choice is allowed") if asked.json["n"] > 1 else choices(asked)
        )

    wanted = asked_for(4)
    found, asked, _ = run(single, wanted)
    assert texts(found) == right(wanted)
    assert sum(each.requests for each in found) == len(asked)


def test_a_run_that_is_refused_whatever_it_asks_for_fails() -> None:
    found, asked, _ = run(lambda _: model_server.error(400, "no such field"), asked_for(1))
    assert ids(found) == Counter(range(10))
    assert {each.retry for each in found if isinstance(each, FailedSample)} == {Retry.RUN}
    assert len(asked) <= 12


def test_a_choice_that_cannot_be_read_costs_the_others_nothing() -> None:
    def broken(asked: Asked) -> Say:
        say = json.loads(choices(asked).body)
        if asked.json["n"] == 8:
            say["choices"][2] = {"index": 2, "message": {"content": "pieces"}, "finish_reason": "abort"}
            say["choices"][5] = "nothing"
        return as_json(say)

    wanted = asked_for(1)
    found, asked, _ = run(broken, wanted)
    assert texts(found) == right(wanted)
    assert sorted((each.json["n"], each.json["seed"]) for each in asked) == [(1, 2), (1, 5), (2, 8), (8, 0)]


def test_what_failed_is_tried_again_one_by_one() -> None:
    """An engine that works on them in turn may have no time for several."""

    def slow(asked: Asked) -> Say:
        return replace(choices(asked), delay_s=60.0 * asked.json["n"])

    wanted = asked_for(1)
    found, asked, _ = run(slow, wanted, timeout_s=100.0)
    assert texts(found) == right(wanted)
    assert [each.json["n"] for each in asked] == [8, 2] + [1] * 10
    wanted = asked_for(3)
    found, asked, _ = run(slow, wanted, timeout_s=100.0, pace=EndpointPace(8))
    assert texts(found) == right(wanted)
    assert [each.json["n"] for each in asked] == [8] + [1] * 30, (
        "and one that says nothing is asked for no more at once"
    )


def test_a_429_says_nothing_of_how_many_are_asked_for() -> None:
    wanted = asked_for(1)
    found, asked, _ = run(lambda each: choices(each) if each.number else model_server.rate_limited("2"), wanted)
    assert texts(found) == right(wanted)
    assert Counter(each.json["n"] for each in asked) == {8: 2, 2: 1}


def test_every_sample_of_a_request_that_failed_was_sent() -> None:
    """So that a control request tells whose failure it is, of each."""
    found, _, _ = run(lambda _: Say(drop=True), asked_for(1), deadline_s=3.0)
    assert ids(found) == Counter(range(10))
    for each in found:
        assert isinstance(each, FailedSample)
        assert each.owner is FailureOwner.VENDOR
        assert needs_control([each])


def test_after_a_pause_nothing_is_asked_again() -> None:
    found, asked, _ = run(lambda each: choices(each, most=1), asked_for(1), drop_at=0)
    assert len(asked) <= 2, "those under way alone"
    assert ids(found) == Counter(range(10))


def test_no_more_answers_are_asked_for_at_once_than_the_endpoint_takes() -> None:
    found, asked, _ = run(choices, asked_for(2), max_concurrency=4, pace=EndpointPace(4))
    assert len(texts(found)) == 20
    assert {each.json["n"] for each in asked} == {4, 2}
    assert all(after.at - before.at > 0.19 for before, after in pairwise(asked)), "one after the other"


def test_greedy_answers_and_other_formats_are_asked_for_one_by_one() -> None:
    vllm, chat = named_backend("vllm"), named_backend("openai_chat")
    assert max_answers(vllm, spec("u"), TEN) == 8
    assert max_answers(vllm, spec("u"), replace(TEN, temperature=0.0)) == 1
    assert max_answers(vllm, spec("u"), replace(TEN, max_tokens=100_000)) == 1
    assert max_answers(vllm, spec("u", extra={"answers": 1}), TEN) == 1
    assert max_answers(chat, spec("u"), TEN) == 1
    assert max_answers(chat, spec("u", extra={"answers": 5}), TEN) == 5
    assert max_answers(named_backend("anthropic"), spec("u", extra={"answers": 5}), TEN) == 1


def test_only_neighbours_that_ask_the_same_share_a_request() -> None:
    """An engine counts the seeds of its choices up from the first."""
    mine = asked_for(1)
    others = [replace(mine[0], sample_id=50, run_id=2), replace(mine[1], sample_id=51, run_id=2)]
    gaps = [mine[0], mine[1], mine[3], mine[4], mine[2], *others, *asked_for(2)[10:12]]
    calls = [[each.sample_id for each in call.requests] for call in group_requests(gaps, lambda _: 8)]
    assert calls == [[0, 1], [3, 4], [2], [50, 51], [1000, 1001]]


def test_choices_in_any_order_have_the_places_that_they_name() -> None:
    choices = [{"index": at, "message": {"content": str(at)}, "finish_reason": "stop"} for at in (2, 0, 1)]
    body = json.dumps({"choices": choices, "usage": {"prompt_tokens": 1, "completion_tokens": 3}}).encode()
    several = named_backend("vllm").several
    assert several is not None
    found = several(body, 1.0, 3)
    assert [each.text for each in found if isinstance(each, Completion)] == ["0", "1", "2"]


@pytest.mark.parametrize(
    "indexes",
    [[7] * 5000, list(range(5000)), [-1, None, "0", 1.0, True], [0, 0, 0]],
    ids=["one", "many", "odd", "same"],
)
def test_choices_of_any_number_are_one_answer_each_at_most(indexes: list[Any]) -> None:
    def hostile(asked: Asked) -> Say:
        made = [{"index": index, "message": {"content": "x"}, "finish_reason": "stop"} for index in indexes]
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        if asked.number % 2:
            return streamed({"choices": made, "usage": usage}, "[DONE]")
        return as_json({"choices": made, "usage": usage})

    found, _, _ = run(hostile, asked_for(1), deadline_s=60.0)
    assert ids(found) == Counter(range(10))


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "streamed"])
def test_a_key_that_one_of_several_answers_quotes_is_in_none_of_them(stream: bool) -> None:
    def echo(asked: Asked) -> Say:
        keyed = [(number, SECRET if number == 1 else "x") for number in range(asked.json["n"])]
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        if stream:
            halves = [(number, text[:9], None) for number, text in keyed] + [(n, t[9:], "stop") for n, t in keyed]
            pieces = [
                {"choices": [{"index": n, "delta": {"content": text}, "finish_reason": end}]} for n, text, end in halves
            ]
            return streamed(*pieces, {"choices": [], "usage": usage}, "[DONE]")
        made = [{"index": n, "message": {"content": text}, "finish_reason": "stop"} for n, text in keyed]
        return as_json({"choices": made, "usage": usage})

    found, _, _ = run(echo, asked_for(1))
    assert len(texts(found)) == 10
    for each in found:
        assert SECRET not in repr(each)
        assert isinstance(each, AnsweredSample)
        assert SECRET.encode() not in each.completion.raw


@settings(max_examples=examples(25), suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10_000), st.lists(st.sampled_from(["ok", "fewer", "429", "500", "400", "cut"]), min_size=3))
def test_nothing_is_lost_or_doubled_and_the_bound_holds(seed: int, moods: list[str]) -> None:
    dice = random.Random(seed)

    def moody(asked: Asked) -> Say:
        mood = dice.choice(moods)
        says = {"429": model_server.rate_limited("0"), "500": model_server.error(500), "cut": Say(drop=True),
                "400": model_server.error(400, "n is too large")}  # fmt: skip
        if mood == "400" and asked.json["n"] == 1:
            mood = "500"
        return says.get(mood) or choices(asked, most=dice.randint(1, 3) if mood == "fewer" else 1000)

    wanted = asked_for(4)
    found, asked, _ = run(moody, wanted)
    assert ids(found) == Counter(each.sample_id for each in wanted)
    answered = texts(found)
    assert answered == {sample: text for sample, text in right(wanted).items() if sample in answered}
    assert sum(each.requests for each in found) == len(asked)
    assert len(asked) <= 1.15 * len(answered) + 64
