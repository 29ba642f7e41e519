"""Control requests, and which failures a slice shows to be the endpoint's own."""

from collections.abc import Sequence

import pytest
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from support.asking import outcomes

from app.domain.asking.completions import Failed, FailureOwner, Outcome, Retry
from workers.inference.control import Control, Controlled

NOBODY = "http://127.0.0.1:1/"
FAILED = Failed(1, "answered 500", Retry.LATER, FailureOwner.VENDOR, requests=1, own=True)


class Clock:
    """Seconds that a test sets."""

    seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.mark.parametrize("say", [model_server.message("x"), model_server.error(503), model_server.redirect(NOBODY)])
def test_a_host_that_answers_anything_is_reached(say: Say) -> None:
    with ModelServer(say) as server:
        assert Control(server.url).reached() is True
    assert len(server.asked) == 1


def test_nobody_is_asked_without_an_address_and_nobody_answers_at_a_dead_one() -> None:
    assert Control(None).reached() is None
    assert Control(NOBODY).reached() is False


def test_an_answer_is_used_for_ten_seconds() -> None:
    clock = Clock()
    with ModelServer(model_server.message("x")) as server:
        control = Control(server.url, clock)
        for clock.seconds in (100.0, 109.9, 110.0, 119.9):
            assert control.reached() is True
    assert len(server.asked) == 2


def test_a_slice_in_which_the_control_failed_once_has_no_failure_of_the_endpoint_after_it() -> None:
    words = iter([True, False, True])
    controlled = Controlled(lambda: next(words))
    found = [controlled.judged([FAILED])[0] for _ in range(3)]
    assert [each.own for each in found if isinstance(each, Failed)] == [True, False, False]


def test_nobody_is_asked_while_nothing_fails() -> None:
    def never() -> bool:
        raise AssertionError

    stopped: list[Outcome] = [Failed(1, "answered 401", Retry.STOP, FailureOwner.VENDOR, requests=1)]
    assert Controlled(never).judged(stopped) == stopped


def own(found: Sequence[Outcome]) -> set[bool | None]:
    return {each.own for each in found if isinstance(each, Failed)}


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
def test_who_replied_was_reached(say: Say, shown: bool | None) -> None:
    with ModelServer(say) as server:
        assert own(outcomes(server, 1, deadline_s=3.0, timeout_s=0.3)) == {shown}


def test_who_replied_to_others_meanwhile_was_reached() -> None:
    def one_stalls(asked: Asked) -> Say:
        return Say(stall=True) if asked.last_message == "question 0" else model_server.message("x", delay_s=0.1)

    with ModelServer(one_stalls) as server:
        assert own(outcomes(server, 8, deadline_s=4.0, timeout_s=0.5)) == {True}
