"""Control requests, and which failures a slice shows to be the endpoint's own."""

from collections.abc import Sequence

import pytest
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from support.asking import outcomes

from app.domain.asking.completions import FailedSample, FailureOwner, Retry, SampleOutcome
from workers.inference.control import ControlHost, FailureAttribution

NOBODY = "http://127.0.0.1:1/"
FAILED = FailedSample(1, "answered 500", Retry.LATER, FailureOwner.VENDOR, requests=1, own=True)


class Clock:
    """Seconds that a test sets."""

    seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.mark.parametrize("say", [model_server.message("x"), model_server.error(503), model_server.redirect(NOBODY)])
def test_a_host_that_answers_anything_is_reached(say: Say) -> None:
    with ModelServer(say) as server:
        assert ControlHost(server.url).is_reachable() is True
    assert len(server.asked) == 1


def test_nobody_is_asked_without_an_address_and_nobody_answers_at_a_dead_one() -> None:
    assert ControlHost(None).is_reachable() is None
    assert ControlHost(NOBODY).is_reachable() is False


def test_an_answer_is_used_for_ten_seconds() -> None:
    clock = Clock()
    with ModelServer(model_server.message("x")) as server:
        control = ControlHost(server.url, clock)
        for clock.seconds in (100.0, 109.9, 110.0, 119.9):
            assert control.is_reachable() is True
    assert len(server.asked) == 2


def test_a_slice_in_which_the_control_failed_once_has_no_failure_of_the_endpoint_after_it() -> None:
    words = iter([True, False, True])
    controlled = FailureAttribution(lambda: next(words))
    found = [controlled.attribute([FAILED])[0] for _ in range(3)]
    assert [each.own for each in found if isinstance(each, FailedSample)] == [True, False, False]


def test_nobody_is_asked_while_nothing_fails() -> None:
    def never() -> bool:
        raise AssertionError

    stopped: list[SampleOutcome] = [FailedSample(1, "answered 401", Retry.STOP, FailureOwner.VENDOR, requests=1)]
    assert FailureAttribution(never).attribute(stopped) == stopped


def own(found: Sequence[SampleOutcome]) -> set[bool | None]:
    return {each.own for each in found if isinstance(each, FailedSample)}


@pytest.mark.parametrize(
    ("say", "shown"),
    [
        (model_server.error(500), True),
        (model_server.rate_limited("60"), True),
        (model_server.html(), True),
        (model_server.error(400, "too long", code="context_length_exceeded"), True),
        (Say(drop=True), None),
        (Say(stall=True), None),
    ],
)
def test_failure_is_the_endpoints_own_only_if_it_replied(say: Say, shown: bool | None) -> None:
    with ModelServer(say) as server:
        assert own(outcomes(server, 1, deadline_s=3.0, timeout_s=0.3)) == {shown}


def test_who_replied_to_others_meanwhile_was_reached() -> None:
    def one_stalls(asked: Asked) -> Say:
        return Say(stall=True) if asked.last_message == "question 0" else model_server.message("x", delay_s=0.1)

    with ModelServer(one_stalls) as server:
        assert own(outcomes(server, 8, deadline_s=4.0, timeout_s=0.5)) == {True}
