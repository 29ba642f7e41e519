"""Asking an endpoint that fails: what each failure means, whose it is, and that it shows no secret."""

import asyncio
import gzip
from collections import Counter
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from fakes import model_server
from fakes.model_server import ModelServer, Say
from support.asking import LOOPBACK, SECRET, endpoint, ids, now, only_failure, outcomes, requests

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
from app.domain.errors import NotFound
from workers.inference.backends import UnreadableResponse
from workers.inference.backends.openai_chat import BACKEND
from workers.inference.client import ask
from workers.inference.limiter import EndpointPace
from workers.inference.slices import SliceRunner


@pytest.mark.parametrize(
    ("say", "retry", "counts", "words"),
    [
        (model_server.error(400, "bad field"), Retry.RUN, False, "answered 400: bad field"),
        (model_server.error(422, "bad field"), Retry.RUN, False, "answered 422"),
        (model_server.error(400, "no", code="context_length_exceeded"), Retry.NEVER, True, "answered 400"),
        (model_server.error(401, f"wrong key {SECRET}"), Retry.STOP, False, "wrong key [secret]"),
        (model_server.error(402, "pay first"), Retry.STOP, False, "pay first"),
        (model_server.error(403), Retry.STOP, False, "answered 403"),
        (model_server.error(404, "no such model"), Retry.STOP, False, "no such model"),
        (model_server.error(429, "spent", code="insufficient_quota"), Retry.STOP, False, "spent"),
        (model_server.redirect("http://127.0.0.1:1/"), Retry.STOP, False, "redirect"),
        (model_server.error(408, headers={"retry-after": "90"}), Retry.LATER, True, "answered 408"),
        (model_server.error(409, headers={"retry-after": "90"}), Retry.LATER, True, "answered 409"),
        (model_server.error(503, headers={"retry-after": "90"}), Retry.LATER, True, "answered 503"),
    ],
    ids=lambda value: f"{value.status}" if isinstance(value, Say) else None,
)
def test_each_refusal_has_its_meaning(say: Say, retry: Retry, counts: bool, words: str) -> None:
    with ModelServer(say) as server:
        failed = only_failure(outcomes(server))
    assert (failed.retry, failed.counts, failed.owner) == (retry, counts, FailureOwner.VENDOR)
    assert words in failed.reason
    assert len(server.asked) == 1


def nested(deep: int) -> Any:
    """Thinking within thinking: JSON that can be decoded, and is too deep for whoever walks through it."""
    content: Any = "x"
    for _ in range(deep):
        content = [{"type": "thinking", "thinking": content}]
    return content


@pytest.mark.parametrize(
    ("say", "words"),
    [
        (model_server.html(), "HTML"),
        (Say(b"{not json"), "no JSON"),
        (Say(b"[" * 100_000), "no JSON"),
        (model_server.as_json({"error": {"message": "upstream is down"}}), "upstream is down"),
        (model_server.as_json({"choices": []}), "without a choice"),
        (model_server.message({"no": "text"}), "no text"),
        (model_server.message(nested(400)), "nested its answer too deeply"),
        (model_server.error(500, "oops"), "answered 500: oops"),
        (model_server.error(502, "oops"), "answered 502"),
        (Say(drop=True), "broke the connection"),
        (Say(b"x", headers={"content-encoding": "br"}), "encoding"),
        (Say(b"not gzip at all", headers={"content-encoding": "gzip"}), "encoding"),
    ],
    ids=["html", "broken", "deep", "error", "empty", "shape", "nested", "500", "502", "drop", "brotli", "gzip"],
)
def test_what_may_pass_is_tried_again_within_the_slice_then_counted(say: Say, words: str) -> None:
    with ModelServer(say) as server:
        failed = only_failure(outcomes(server, deadline_s=3.0))
    assert (failed.retry, failed.counts, failed.owner) == (Retry.LATER, True, FailureOwner.VENDOR)
    assert words in failed.reason
    assert 2 <= len(server.asked) <= 4


def test_four_failures_are_enough_for_one_slice() -> None:
    with ModelServer(model_server.error(500, headers={"retry-after-ms": "10"})) as server:
        failed = only_failure(outcomes(server))
    assert len(server.asked) == 4
    assert failed.counts


def test_a_body_without_end_is_cut_off() -> None:
    with ModelServer(Say(b"x" * 1_000_000, endless=True)) as server:
        failed = only_failure(outcomes(server, deadline_s=6))
    assert failed.reason == "answered more than 16 MiB"


def test_a_gzip_bomb_is_not_unpacked() -> None:
    bomb = gzip.compress(b"0" * (64 << 20))
    with ModelServer(Say(bomb, headers={"content-encoding": "gzip"})) as server:
        failed = only_failure(outcomes(server, deadline_s=3.0))
    assert "encoding" in failed.reason


def test_gzip_nobody_asked_for_is_read_all_the_same() -> None:
    plain = model_server.message("hello")
    zipped = Say(gzip.compress(plain.body), headers={"content-encoding": "gzip"})
    with ModelServer(zipped) as server:
        (found,) = outcomes(server)
    assert isinstance(found, AnsweredSample)
    assert found.completion.text == "hello"


def test_an_endpoint_that_never_answers_is_a_counted_timeout() -> None:
    with ModelServer(Say(stall=True)) as server:
        failed = only_failure(outcomes(server, deadline_s=1.2, timeout_s=0.4))
    assert failed.reason == "did not answer within 0.4 s"
    assert (failed.retry, failed.counts) == (Retry.LATER, True)


def test_a_timeout_longer_than_the_slice_is_still_found_out() -> None:
    with ModelServer(Say(stall=True)) as server:
        failed = only_failure(outcomes(server, deadline_s=1.0, timeout_s=2.5))
    assert failed.reason == "did not answer within 2.5 s"
    assert (failed.retry, failed.counts) == (Retry.LATER, True)


def test_nobody_there_is_a_counted_failure_that_names_no_secret() -> None:
    with ModelServer(model_server.message("x")) as server:
        url = server.url
    spec = endpoint(url)
    failed = only_failure(list(ask(spec, requests(1), allow=LOOPBACK, deadline_s=3.0, clock=now)))
    assert "cannot be reached" in failed.reason
    assert (failed.retry, failed.counts) == (Retry.LATER, True)


def test_a_refused_key_stops_the_endpoint_before_all_are_sent() -> None:
    with ModelServer(model_server.error(401, "wrong key")) as server:
        found = outcomes(server, 200)
    assert ids(found) == Counter(range(200))
    assert all(isinstance(each, FailedSample) and each.retry is Retry.STOP and not each.counts for each in found)
    assert len(server.asked) <= 16


def test_a_secret_that_no_header_can_carry_stays_secret(caplog: pytest.LogCaptureFixture) -> None:
    for secret in ("line\nbreak-5551", "schlüssel-5551", "小-5551"):
        with ModelServer(model_server.message("x")) as server:
            spec = EndpointSpec(1, "openai_chat", server.url, "m", secret)
            (failed,) = ask(spec, requests(1), allow=LOOPBACK, deadline_s=5, clock=now)
        assert isinstance(failed, FailedSample)
        assert failed.retry is Retry.STOP
        assert "-5551" not in failed.reason
        assert "-5551" not in repr(spec)
        assert server.asked == []
    assert "-5551" not in caplog.text


@pytest.mark.parametrize("name", ["temperature", "top_k", "topk", "repetition_penalty", "reasoning_efort"])
def test_a_setting_that_is_not_allowed_fails_its_run_unsent_and_leaves_the_endpoint(name: str) -> None:
    bad = [InferenceRequest(1, Prompt((Message("user", "q"),)), Sampling(), 0, {name: 2})]
    with ModelServer(model_server.message("x")) as server:
        failed = only_failure(list(ask(endpoint(server.url), bad, allow=LOOPBACK, deadline_s=5, clock=now)))
    assert (failed.retry, failed.owner, failed.counts) == (Retry.RUN, FailureOwner.US, False)
    assert name in failed.reason
    assert server.asked == []


def test_settings_of_an_endpoint_that_cannot_be_sent_stop_it() -> None:
    with ModelServer(model_server.message("x")) as server:
        odd = replace(endpoint(server.url), extra={"omit": ["model"]})
        failed = only_failure(list(ask(odd, requests(1), allow=LOOPBACK, deadline_s=5, clock=now)))
    assert (failed.retry, failed.owner) == (Retry.STOP, FailureOwner.US)
    assert "'model' cannot be left out" in failed.reason
    assert server.asked == []


def test_an_address_inside_is_refused_at_every_call() -> None:
    with ModelServer(model_server.message("x")) as server:
        found = list(ask(endpoint(server.url), requests(3), deadline_s=5, clock=now))
    assert all(
        isinstance(each, FailedSample) and each.retry is Retry.STOP and "not public" in each.reason for each in found
    )
    assert server.connections == 0


def test_the_bundled_endpoint_is_known_by_construction() -> None:
    with ModelServer(model_server.message("x")) as server:
        (found,) = ask(endpoint(server.url, trusted=True), requests(1), deadline_s=5, clock=now)
    assert isinstance(found, AnsweredSample)


def test_an_error_of_our_own_reaches_the_caller() -> None:
    def broken_clock() -> datetime:
        raise ZeroDivisionError

    with ModelServer(model_server.rate_limited("3600")) as server, pytest.raises(ZeroDivisionError):
        list(ask(endpoint(server.url), requests(3), allow=LOOPBACK, deadline_s=5, clock=broken_clock))


def test_a_back_end_that_fails_is_our_fault_and_costs_the_others_nothing(caplog: pytest.LogCaptureFixture) -> None:
    def parse(body: bytes, latency_ms: float) -> Completion | UnreadableResponse:
        if b"question 1" in body:
            raise KeyError("bug")
        return BACKEND.parse(body, latency_ms)

    found: list[SampleOutcome] = []
    with ModelServer(lambda asked: model_server.message(asked.last_message)) as server:
        work = SliceRunner(
            endpoint(server.url),
            replace(BACKEND, parse=parse),
            requests(3),
            pace=EndpointPace(8),
            allow=LOOPBACK,
            deadline_s=4.0,
            clock=now,
            emit=lambda each: None if isinstance(each, RetryNotice) else found.append(each),
        )
        asyncio.run(work.run())
    failed = next(each for each in found if isinstance(each, FailedSample))
    assert (failed.sample_id, failed.owner, failed.counts) == (1, FailureOwner.US, True)
    assert failed.reason == "our client failed (KeyError)"
    assert ids(found) == Counter(range(3))
    assert "client_failed" in caplog.text


def test_an_unknown_back_end_is_named() -> None:
    spec = EndpointSpec(1, "telegraph", "https://example.org", "m")
    with pytest.raises(NotFound, match="telegraph"):
        list(ask(spec, requests(1), deadline_s=1, clock=now))
