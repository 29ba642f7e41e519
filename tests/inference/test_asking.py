"""Asking an endpoint: each request has exactly one outcome, in time, at the endpoint's pace."""

import itertools
import threading
from collections import Counter
from datetime import timedelta
from email.utils import format_datetime

import pytest
from fakes import model_server
from fakes.model_server import USED, Asked, ModelServer, Say, said, streamed
from support.asking import LOOPBACK, SECRET, endpoint, ids, now, outcomes, requests
from support.waiting import at_least, until

from app.domain.asking.completions import AnsweredSample, FailedSample, FailureOwner, FinishReason, Retry
from workers.inference.client import ask, ask_in_batches
from workers.inference.limiter import Paces


def test_every_answer_belongs_to_its_request() -> None:
    def echo(asked: Asked) -> Say:
        return model_server.message(asked.last_message.upper(), delay_s=0.01)

    with ModelServer(echo) as server:
        found = outcomes(server, 50)
    texts = {each.sample_id: each.completion.text for each in found if isinstance(each, AnsweredSample)}
    assert texts == {number: f"QUESTION {number}" for number in range(50)}
    assert {each.path for each in server.asked} == {"/v1/chat/completions"}
    assert {each.headers["authorization"] for each in server.asked} == {f"Bearer {SECRET}"}


def test_nothing_to_ask_asks_nothing() -> None:
    with ModelServer(model_server.message("x")) as server:
        assert outcomes(server, 0) == []
    assert server.asked == []


def test_requests_go_on_while_the_caller_is_busy_and_come_in_batches() -> None:
    with ModelServer(model_server.message("x")) as server:
        batches = ask_in_batches(endpoint(server.url), requests(150), allow=LOOPBACK, deadline_s=60, clock=now)
        first = next(batches)
        until(lambda: "inference" not in {thread.name for thread in threading.enumerate()}, "the last answer")
        assert len(server.asked) == 150
        rest = list(batches)
    assert ids(itertools.chain(first, *rest)) == Counter(range(150))
    assert max(map(len, rest)) == 64  # of one transaction
    assert len(rest) <= 3


def test_no_request_is_lost_or_doubled_among_429s_and_500s() -> None:
    refused = itertools.count()

    def moody(asked: Asked) -> Say:
        if next(refused) % 20 == 7:
            return model_server.rate_limited("0.05")
        if asked.number % 50 == 3:
            return model_server.error(500)
        return model_server.message(asked.last_message, delay_s=0.005)

    with ModelServer(moody) as server:
        paces = Paces(cooldown_s=0.05)
        spec = endpoint(server.url, concurrency=64)
        found = list(ask(spec, requests(600), allow=LOOPBACK, deadline_s=60, clock=now, paces=paces))
    assert ids(found) == Counter(range(600))
    assert all(isinstance(each, AnsweredSample) for each in found)
    answered = Counter(each.completion.text for each in found if isinstance(each, AnsweredSample))
    assert answered == Counter(f"question {number}" for number in range(600))


def test_concurrency_stays_under_the_ceiling_and_reaches_it() -> None:
    """The last forty answers take so long that all that may be asked at once have been asked meanwhile."""

    def slower(asked: Asked) -> Say:
        return model_server.message("x", delay_s=0.05 if asked.number < 80 else 2.0)

    with ModelServer(slower) as server:
        outcomes(server, 120, concurrency=24)
    assert server.peak == 24
    assert server.connections <= 24


def test_a_slice_ends_in_time_and_hands_back_what_is_unsent_as_ours() -> None:
    def slow(asked: Asked) -> Say:
        return model_server.message("x", delay_s=1.6) if asked.number < 2 else Say(stall=True)

    with ModelServer(slow) as server, at_least(5.9):
        found = outcomes(server, 30, deadline_s=4.0, concurrency=4, timeout_s=6.0)
    assert ids(found) == Counter(range(30))
    left = [each for each in found if isinstance(each, FailedSample) and not each.counts]
    assert len(left) == 24  # two answered, four had their time
    assert {(each.retry, each.owner) for each in left} == {(Retry.LATER, FailureOwner.US)}
    assert [each.sample_id for each in found[:1]] + [each.sample_id for each in found[-4:]] == [0, 2, 3, 4, 5]


def test_what_is_under_way_when_a_slice_ends_is_neither_cut_nor_sent_again() -> None:
    answer = streamed(*(said(letter) for letter in "print(1)"), said(finish_reason="stop"), USED, "[DONE]", gap_s=0.2)
    with ModelServer(answer) as server:
        found = outcomes(server, 9, deadline_s=1.0, concurrency=4)
    assert [each.completion.text for each in found if isinstance(each, AnsweredSample)] == ["print(1)"] * 4
    assert len(server.asked) == 4
    assert {(each.retry, each.counts) for each in found if isinstance(each, FailedSample)} == {(Retry.LATER, False)}
    assert ids(found) == Counter(range(9))


def test_a_429_for_ever_ends_with_the_slice_and_counts_nothing() -> None:
    with ModelServer(model_server.rate_limited("0.2")) as server:
        found = outcomes(server, 20, deadline_s=2.0)
    assert ids(found) == Counter(range(20))
    assert all(isinstance(each, FailedSample) and each.retry is Retry.LATER and not each.counts for each in found)
    assert {each.owner for each in found if isinstance(each, FailedSample)} == {FailureOwner.VENDOR}


def test_what_was_never_sent_while_the_endpoint_refused_is_the_endpoints_doing() -> None:
    def refuses_then_hangs(asked: Asked) -> Say:
        return model_server.rate_limited("0.5") if asked.number < 8 else model_server.message("x", delay_s=4)

    with ModelServer(refuses_then_hangs) as server:
        found = outcomes(server, 20, deadline_s=2.0, timeout_s=60)
    assert {each.owner for each in found if isinstance(each, FailedSample)} == {FailureOwner.VENDOR}
    assert not any(isinstance(each, FailedSample) and each.counts for each in found)


def test_a_closed_endpoint_is_left_alone_until_it_said_to_come_back() -> None:
    with ModelServer(model_server.rate_limited("3600")) as server:
        before = now()
        found = outcomes(server, 200, deadline_s=3000)  # who waited would wait until the test is ended
        again = outcomes(server, 0)
    assert again == []
    assert len(server.asked) <= 8
    assert ids(found) == Counter(range(200))
    for each in found:
        assert isinstance(each, FailedSample)
        assert each.not_before is not None
        assert timedelta(seconds=3590) < each.not_before - before < timedelta(seconds=3610)


def test_what_was_learned_of_an_endpoint_outlives_the_slice() -> None:
    paces = Paces()
    with ModelServer(model_server.rate_limited("3600")) as server:
        spec = endpoint(server.url)
        list(ask(spec, requests(10), allow=LOOPBACK, deadline_s=5, clock=now, paces=paces))
        asked = len(server.asked)
        found = list(ask(spec, requests(10), allow=LOOPBACK, deadline_s=5, clock=now, paces=paces))
    assert len(server.asked) == asked
    assert all(isinstance(each, FailedSample) and each.not_before is not None for each in found)


@pytest.mark.parametrize("form", ["seconds", "milliseconds", "date", "reset"])
def test_the_wait_an_endpoint_asks_for_is_kept(form: str) -> None:
    def once(asked: Asked) -> Say:
        if asked.number:
            return model_server.message("x")
        if form == "seconds":
            return model_server.rate_limited("1")
        if form == "reset":  # tokens are used up; the requests' minute is nobody's business
            limits = {
                "remaining-requests": "9",
                "reset-requests": "1m0s",
                "remaining-tokens": "0",
                "reset-tokens": "0.9s100ms",
            }
            return model_server.error(429, headers={f"x-ratelimit-{name}": value for name, value in limits.items()})
        if form == "milliseconds":
            return model_server.rate_limited(retry_after_ms="1000")
        return model_server.rate_limited(format_datetime(now() + timedelta(seconds=2), usegmt=True))

    with ModelServer(once) as server:
        (found,) = outcomes(server)
    assert isinstance(found, AnsweredSample)
    first, second = server.times()
    assert second - first >= 0.95


def test_a_lone_429_delays_nobody_else() -> None:
    def once(asked: Asked) -> Say:
        return model_server.rate_limited("4") if asked.number == 5 else model_server.message("x", delay_s=0.005)

    with ModelServer(once) as server:
        found = outcomes(server, 60, deadline_s=60)
    assert all(isinstance(each, AnsweredSample) for each in found)
    assert server.asked[-1].last_message == server.asked[5].last_message, "the others went on meanwhile"
    assert server.times()[-1] - server.times()[5] >= 3.9


def test_truncation_is_an_answer_with_its_own_finish_reason() -> None:
    with ModelServer(model_server.message(None, finish_reason="length", reasoning="hm, ")) as server:
        (found,) = outcomes(server)
    assert isinstance(found, AnsweredSample)
    assert (found.completion.text, found.completion.reasoning) == ("", "hm, ")
    assert found.completion.finish_reason is FinishReason.LENGTH


def test_leaving_early_ends_every_call() -> None:
    def first_only(asked: Asked) -> Say:
        return model_server.message("x") if asked.number == 0 else Say(stall=True)

    with ModelServer(first_only) as server:
        found = ask(endpoint(server.url, timeout_s=6000), requests(20), allow=LOOPBACK, deadline_s=6000, clock=now)
        assert isinstance(next(found), AnsweredSample)
        found.close()  # type: ignore[attr-defined]  # the iterator is a generator
    assert "inference" not in {thread.name for thread in threading.enumerate()}


def test_a_retry_after_that_is_no_time_is_ignored() -> None:
    for word in ("soon", "nan", "inf", "Fri, 31 Feb 2026 99:00:00 GMT", "-5"):
        say = model_server.in_turn(model_server.error(503, headers={"retry-after": word}), model_server.message("x"))
        with ModelServer(say) as server:
            (found,) = outcomes(server)
        assert isinstance(found, AnsweredSample)
