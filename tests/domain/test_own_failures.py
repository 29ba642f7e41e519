"""Patience with endpoints, and whose failure a request to another host shows a failure to be."""

from dataclasses import replace
from datetime import timedelta

import pytest

from app.domain.asking.completions import (
    AnsweredSample,
    Completion,
    FailedSample,
    FailureOwner,
    FinishReason,
    Retry,
    Usage,
)
from app.domain.asking.retry_policy import RETRY_POLICY, attribute_failures, needs_control

OWN = FailedSample(1, "answered 500", Retry.LATER, FailureOwner.VENDOR, requests=4)
ANSWER = AnsweredSample(2, Completion("x", "", FinishReason.STOP, Usage(), 1.0, "m", b"x"))
NO_FAILURE_OF_EITHER = (
    ANSWER,
    replace(OWN, requests=0),  # nothing was sent
    replace(OWN, owner=FailureOwner.US),
    replace(OWN, retry=Retry.STOP),
    replace(OWN, retry=Retry.RUN),
)


def test_the_attempts_fill_the_time() -> None:
    waits = [RETRY_POLICY.wait_after(number) for number in range(1, RETRY_POLICY.attempts)]
    assert waits == sorted(waits)
    assert waits[0] == timedelta(seconds=20)
    assert waits[-1] == RETRY_POLICY.wait_after(1000) == RETRY_POLICY.longest_wait
    assert 0.95 < sum(waits, timedelta()) / RETRY_POLICY.span <= 1


def test_where_the_control_answered_the_endpoint_failed() -> None:
    assert needs_control([ANSWER, OWN])
    assert list(attribute_failures([ANSWER, OWN], reached=True)) == [ANSWER, replace(OWN, own=True)]


def test_what_our_client_failed_is_ours_whatever_the_control_says() -> None:
    mixed = replace(OWN, own=False)
    assert list(attribute_failures([mixed], reached=True)) == [mixed]


@pytest.mark.parametrize("retry", [Retry.LATER, Retry.NEVER])
def test_where_the_control_failed_our_network_did_and_it_is_asked_again(retry: Retry) -> None:
    """Also what the endpoint refused for good, and what it was shown to fail."""
    [ours] = attribute_failures([replace(OWN, retry=retry, own=True)], reached=False)
    assert isinstance(ours, FailedSample)
    assert (ours.own, ours.owner, ours.retry, ours.counts) == (False, FailureOwner.US, Retry.LATER, False)
    assert ours.reason == "our network failed: answered 500"
    assert ours.requests == 4


def test_without_a_control_nothing_is_changed() -> None:
    assert list(attribute_failures([ANSWER, OWN], reached=None)) == [ANSWER, OWN]


@pytest.mark.parametrize("reached", [True, False, None])
def test_what_is_neither_failure_is_left_as_it_is(reached: bool | None) -> None:
    assert not needs_control(NO_FAILURE_OF_EITHER)
    assert tuple(attribute_failures(NO_FAILURE_OF_EITHER, reached)) == NO_FAILURE_OF_EITHER
