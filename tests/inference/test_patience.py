"""How often an endpoint that fails is asked, whatever its headers say, and when nothing more is sent at all."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from email.utils import format_datetime

import pytest
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from redis import Redis
from support.asking import LOOPBACK, endpoint, ids, now, outcomes, requests

from app.domain.asking.completions import AnsweredSample, FailedSample, FailureOwner, Retry, RetryNotice
from workers.inference.client import SliceProgress, SliceSteering, ask, ask_in_batches
from workers.inference.limiter import Paces, pace_key
from workers.inference.shared_paces import SharedPaces


@pytest.mark.parametrize("word", ["0", "-5", "past", "next year", "0.0", "-1e9"])
def test_no_header_makes_a_retry_come_at_once(word: str) -> None:
    days = {"past": -400, "next year": 365}.get(word)
    header = word if days is None else format_datetime(now() + timedelta(days=days), usegmt=True)
    with ModelServer(model_server.rate_limited(header)) as server:
        found = outcomes(server, 8, deadline_s=3.0)
    assert ids(found) == Counter(range(8))
    assert len(server.asked) <= 8 + 5
    waits = [each.not_before for each in found if isinstance(each, FailedSample)]
    assert all(each is not None and each > now() for each in waits)
    once = model_server.in_turn(model_server.rate_limited(header), model_server.message("x"))
    if word != "next year":
        with ModelServer(once) as server:
            assert isinstance(outcomes(server)[0], AnsweredSample)
        first, second = server.times()
        assert second - first >= 0.45
    if word == "next year":
        assert all(each is not None and each < now() + timedelta(hours=1, seconds=9) for each in waits)


@pytest.mark.parametrize("status", [429, 500])
def test_an_endpoint_that_always_fails_costs_it_at_most_64_requests_an_hour(status: int) -> None:
    """Slice after slice, each as soon as the last ended; with waits too short to hold anything back."""
    paces = Paces(cooldown_s=0.0, backoff_s=0.001)
    with ModelServer(model_server.error(status)) as server:
        spec = endpoint(server.url, concurrency=128)
        for _ in range(8):
            paces.of(spec).opens_at = 0.0
            paces.of(spec)._failed_in_a_row = 0
            found = list(ask(spec, requests(50), allow=LOOPBACK, deadline_s=0.4, clock=now, paces=paces))
            assert ids(found) == Counter(range(50))
    assert 20 <= len(server.asked) <= 64


def test_one_request_among_answers_that_is_refused_is_that_sample_alone() -> None:
    def odd(asked: Asked) -> Say:
        refused = asked.last_message in ("question 40", "question 60")
        return model_server.error(400, "odd") if refused else model_server.message("x", delay_s=0.005)

    with ModelServer(odd) as server:
        found = outcomes(server, 80)
    failed = {each.sample_id: each.retry for each in found if isinstance(each, FailedSample)}
    assert failed == {40: Retry.NEVER, 60: Retry.NEVER}


@pytest.mark.parametrize("refused", [2, 3])
def test_a_run_with_answers_of_before_is_refused_by_three_in_a_row(refused: int) -> None:
    """Whichever slice it was that they came in."""

    def picky(asked: Asked) -> Say:
        return model_server.error(400, "odd") if asked.number < refused else model_server.message("x")

    batch = [replace(request, run_answered=True) for request in requests(9)]
    with ModelServer(picky) as server:
        found = list(ask(endpoint(server.url, concurrency=1), batch, allow=LOOPBACK, deadline_s=30, clock=now))
    failed = {each.sample_id: each.retry for each in found if isinstance(each, FailedSample)}
    if refused == 2:
        assert failed == dict.fromkeys(range(2), Retry.NEVER)
    else:
        rest = dict.fromkeys(range(2, 9), Retry.RUN)
        assert failed == dict.fromkeys(range(2), Retry.NEVER) | rest


def test_refusals_with_an_answer_between_them_are_of_their_samples_alone() -> None:
    def picky(asked: Asked) -> Say:
        return model_server.message("x") if asked.number % 3 == 2 else model_server.error(400, "odd")

    with ModelServer(picky) as server:
        batch = [replace(request, run_answered=True) for request in requests(9)]
        found = list(ask(endpoint(server.url, concurrency=1), batch, allow=LOOPBACK, deadline_s=30, clock=now))
    assert [each.retry for each in found if isinstance(each, FailedSample)] == [Retry.NEVER] * 6


def test_a_run_that_is_refused_is_asked_no_more_and_another_of_the_endpoint_goes_on() -> None:
    def picky(asked: Asked) -> Say:
        odd = int(asked.last_message.split()[1]) % 2
        return model_server.error(400, "unknown field effort") if odd else model_server.message("x", delay_s=0.01)

    batch = [replace(request, run_id=request.sample_id % 2) for request in requests(200)]
    with ModelServer(picky) as server:
        found = list(ask(endpoint(server.url), batch, allow=LOOPBACK, deadline_s=30, clock=now))
    assert ids(found) == Counter(range(200))
    failed = [each for each in found if isinstance(each, FailedSample)]
    assert {each.sample_id % 2 for each in failed} == {1}
    assert {(each.retry, each.counts, each.owner) for each in failed} == {(Retry.RUN, False, FailureOwner.VENDOR)}
    assert {each.reason for each in failed} == {"answered 400: unknown field effort"}
    assert len(server.asked) <= 100 + 8


def test_what_is_not_wanted_any_more_is_not_asked_again() -> None:
    """A pause while a request is under way: its failure is not retried, and the slice ends with it."""

    def slow(asked: Asked) -> Say:
        return replace(model_server.error(500, "oops"), delay_s=2.0)

    seen: list[SliceProgress] = []

    def look(view: SliceProgress) -> SliceSteering:
        seen.append(view)
        return SliceSteering(dropped=set(range(50)))

    with ModelServer(slow) as server:
        found = drained(server, look)
        asked = len(server.asked)
    assert asked == 8
    assert {(each.counts, each.owner) for each in found if isinstance(each, FailedSample) and each.sample_id >= 8} == {
        (False, FailureOwner.US)
    }
    assert len(seen) <= 4


def test_a_slice_that_drains_ends_with_what_is_under_way() -> None:
    with ModelServer(model_server.message("x", delay_s=1.5)) as server:
        found = drained(server, lambda _view: SliceSteering(drain=True))
        assert len(server.asked) == 8
    assert sum(isinstance(each, AnsweredSample) for each in found) == 8


@pytest.mark.parametrize("ends", [False, True])
def test_what_is_added_to_a_slice_has_one_outcome_too(ends: bool) -> None:
    """Asked where the slice goes on, handed back where it ends as it comes."""
    added = requests(70)[50:]

    def look(view: SliceProgress) -> SliceSteering:
        more = () if not view.spare else [added.pop() for _ in range(len(added))]
        return SliceSteering(more=more, end=ends and bool(more))

    def last_stalls(asked: Asked) -> Say:
        return model_server.message("x", delay_s=3.0 if asked.number == 49 else 0.0)

    with ModelServer(last_stalls) as server:
        batches = ask_in_batches(
            endpoint(server.url), requests(50), allow=LOOPBACK, deadline_s=300, clock=now, look=look
        )  # fmt: skip
        found = [outcome for batch in batches for outcome in batch]
    assert ids(found) == Counter(range(70))
    assert {each.sample_id for each in found if isinstance(each, AnsweredSample)} >= set(range(49))
    if not ends:
        assert all(isinstance(each, AnsweredSample) for each in found)


def test_a_slice_that_gives_way_ends_at_once() -> None:
    with ModelServer(Say(stall=True)) as server:
        found = drained(server, lambda view: SliceSteering(end=view.silent_s > 0.5))
    assert {(each.counts, each.owner) for each in found if isinstance(each, FailedSample)} == {(False, FailureOwner.US)}


def test_a_failure_that_is_tried_again_can_be_shown_meanwhile() -> None:
    notes: list[RetryNotice] = []

    def look(view: SliceProgress) -> SliceSteering:
        notes.extend(view.notes)
        return SliceSteering(end=len(notes) >= 8)

    with ModelServer(model_server.error(503, "model is loading")) as server:
        drained(server, look)
    assert {(each.reason, each.owner) for each in notes} == {("answered 503: model is loading", FailureOwner.VENDOR)}


def drained(server: ModelServer, look: object) -> Sequence[AnsweredSample | FailedSample]:
    batches = ask_in_batches(
        endpoint(server.url), requests(50), allow=LOOPBACK, deadline_s=30, clock=now, look=look  # type: ignore[arg-type]  # either kind of callable
    )  # fmt: skip
    found = [outcome for batch in batches for outcome in batch]
    assert ids(found) == Counter(range(50))
    return found


def test_workers_share_what_they_learned_of_an_endpoint(valkey_url: str) -> None:
    with (
        Redis.from_url(valkey_url.replace("redis+socket", "unix").replace("virtual_host", "db")) as client,
        ModelServer(model_server.rate_limited("600")) as server,
    ):
        spec = endpoint(server.url)
        for _ in range(2):  # a worker each
            paces = SharedPaces(client, prefix=f"test:{server.port}:")
            found = list(ask(spec, requests(30), allow=LOOPBACK, deadline_s=5, clock=now, paces=paces))
            assert ids(found) == Counter(range(30))
        assert len(server.asked) <= 8
        other = replace(spec, secret="another key")
        list(ask(other, requests(1), allow=LOOPBACK, deadline_s=5, clock=now, paces=paces))
        assert len(server.asked) == 9, "what one key was refused says nothing of another"


BROKEN = [
    b"", b"{", b"null", b"[]", b"7", b"\xff\xfe", b'"limit"', b"[" * 100_000, b'{"limit": "many"}', b'{"limit": null}',
    b'{"limit": NaN}', b'{"limit": -1}', b'{"limit": Infinity}', b'{"hour": 3}', b'{"hour": {"x": [1, 2]}}',
    b'{"hour": {"1": [1]}}', b'{"hour": {"1": [1, "2"]}}', b'{"hour": [[1, 2]]}', b'{"_pauses": [1]}',
    b'{"_doubling": 3}', b'{"opens_at": {}}', b'{"limit": 1e400}', b'{"limit": ' + b"9" * 5000 + b"}",
    b'{"opens_at": 9000000000, "hour": 3}',
]  # fmt: skip


@pytest.mark.parametrize("kept", BROKEN, ids=[repr(each[:40]) for each in BROKEN])
def test_what_is_no_pace_in_the_broker_is_as_if_it_were_not_there(valkey_url: str, kept: bytes) -> None:
    """The broker may hold anything; the next that is learned replaces it."""
    with Redis.from_url(valkey_url.replace("redis+socket", "unix").replace("virtual_host", "db")) as client:
        spec = endpoint("http://127.0.0.1:1/v1")
        key = f"broken:{pace_key(spec)}"
        client.set(key, kept)
        paces = SharedPaces(client, prefix="broken:")
        pace = paces.of(spec)
        assert pace.state() == Paces().of(spec).state()
        paces.keep(spec, pace)
        assert json.loads(client.get(key)) == pace.state()
        client.delete(key)
        client.rpush(key, "no text at all")
        assert paces.of(spec).state() == pace.state()
        paces.keep(spec, pace)
        assert json.loads(client.get(key)) == pace.state()
        client.delete(key)


def test_a_broker_that_is_down_keeps_nobody_from_asking() -> None:
    with Redis(port=9) as nobody, ModelServer(model_server.message("x")) as server:
        found = list(
            ask(endpoint(server.url), requests(3), allow=LOOPBACK, deadline_s=5, clock=now, paces=SharedPaces(nobody))
        )
    assert all(isinstance(each, AnsweredSample) for each in found)
