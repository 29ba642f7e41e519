"""Which missing answers are no_answer: those that the endpoint failed all the time, in its vendor's own order."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from pipeline.flow import LEASE, NOW, VAULT, standing, waiting
from sqlalchemy import Connection, select, update
from support.batches import batch, problem
from support.servers import Servers, rolled_back

from app.db.kernel.session import Session
from app.db.runs import runs as run_store
from app.db.tables import Endpoint, Model, Organisation, Problem, Run, Sample, Submission
from app.domain.asking.completions import FailedSample, FailureOwner, Retry
from app.domain.asking.retry_policy import RETRY_POLICY
from app.domain.reasons import text_reason
from app.domain.states import RunState, SampleState, SubmissionState
from app.services.runs import imports, inference, plan

SOON = NOW + timedelta(minutes=1)
LATE = NOW + RETRY_POLICY.span + timedelta(seconds=1)


def organisation(session: Session, slug: str) -> Organisation:
    made = Organisation(slug=slug, name=slug)
    session.add(made)
    session.flush()
    return made


@pytest.fixture(scope="module")
def ordered(servers: Servers) -> Iterator[Connection]:
    """A vendor's own order of one problem, with which every test begins."""
    with servers.arranged(order) as connection:
        yield connection


@pytest.fixture
def session(ordered: Connection) -> Iterator[Session]:
    with rolled_back(ordered) as sessions, sessions() as made:
        yield made


@pytest.fixture
def sample(session: Session) -> Sample:
    """The one sample of that order; it has not been asked for yet."""
    return session.scalars(select(Sample)).one()


def order(session: Session) -> None:
    imports.store_batch(session, batch(problem(0)), NOW)
    standing(session, "orion")
    run = session.scalars(select(Run)).one()
    vendor = organisation(session, "acme")
    session.execute(update(Model).values(organisation_id=vendor.id))
    session.add(
        Submission(
            public_id="sub_1", organisation_id=vendor.id, run_id=run.id, endpoint_id=run.endpoint_id,
            protocol_id=run.protocol_id, continuous=True, visibility="public", state=SubmissionState.GENERATING,
            state_since=NOW, owner="us", created_at=NOW,
        )
    )  # fmt: skip


def failure(sample: Sample, **fields: Any) -> FailedSample:
    own = FailedSample(
        sample.id, "answered 429: slow down", Retry.LATER, FailureOwner.VENDOR, counts=False, requests=1, own=True
    )  # fmt: skip
    return replace(own, **fields)


def meets(session: Session, sample: Sample, at: datetime, **fields: Any) -> None:
    """Ask once at `at`; this is what comes of it."""
    [endpoint] = waiting(session, at)
    work = inference.open_slice(session, endpoint, at, LEASE, VAULT)
    assert work is not None
    assert inference.record(session, work, failure(sample, **fields), at)
    inference.close_slice(session, work)
    session.expire_all()


def failed_enough(session: Session, sample: Sample) -> None:
    """Ask once, and let it be as after the last of so many failures of its own that patience may end."""
    meets(session, sample, NOW)
    assert (sample.own_failures, sample.first_tried_at) == (1, NOW)
    sample.own_failures = RETRY_POLICY.min_failures
    session.flush()


def ended(session: Session, sample: Sample, at: datetime = LATE) -> tuple[str, bool]:
    """What patience ends in."""
    plan.sweep(session, at)
    session.expire_all()
    return sample.state, sample.unanswered


NO_ANSWER, MISSING = (SampleState.ANSWERED, True), (SampleState.GAVE_UP, False)


def test_three_failures_of_its_own_within_the_time_are_no_answer(session: Session, sample: Sample) -> None:
    for _ in range(RETRY_POLICY.min_failures):
        meets(session, sample, NOW)
    assert ended(session, sample, LATE - timedelta(minutes=1)) == (SampleState.PENDING, False)
    assert ended(session, sample) == NO_ANSWER
    assert (sample.error, sample.error_owner) == ("answered 429: slow down", "vendor")
    assert (sample.answered_at, sample.cost_usd, sample.lease_token) == (None, None, None)


def test_what_was_hardly_asked_says_nothing(session: Session, sample: Sample) -> None:
    for _ in range(RETRY_POLICY.min_failures - 1):
        meets(session, sample, NOW)
    assert ended(session, sample) == MISSING


def test_the_last_attempt_ends_it_too(session: Session, sample: Sample) -> None:
    at = NOW
    for _ in range(RETRY_POLICY.attempts):
        assert sample.state == SampleState.PENDING
        meets(session, sample, at, counts=True)
        at = sample.not_before or at
    assert (sample.state, sample.unanswered) == NO_ANSWER


def test_a_request_that_is_refused_for_good_is_no_answer_at_once(session: Session, sample: Sample) -> None:
    meets(session, sample, NOW, retry=Retry.NEVER)
    assert (sample.state, sample.unanswered) == NO_ANSWER


@contextmanager
def taken_back(session: Session) -> Iterator[None]:
    """One of several cases that begin alike: what it did is undone."""
    with session.begin_nested() as case:
        yield
        case.rollback()
    session.expire_all()


def test_a_fault_of_ours_begins_patience_anew(session: Session, sample: Sample) -> None:
    """The endpoint failed it before and after that, but not for as long as our patience lasts."""
    failed_enough(session, sample)
    for fault in ("network", "client", "death", "pause", "stop", "refused", "key"):
        with taken_back(session):
            befalls(session, sample, fault)
            session.flush()
            session.expire_all()
            assert (sample.own_failures, sample.first_tried_at) == (0, None), fault
            meets(session, sample, SOON + 3 * LEASE)
            assert ended(session, sample) == (SampleState.PENDING, False), fault
            assert ended(session, sample, LATE + timedelta(hours=1)) == MISSING, fault
    assert sample.own_failures == RETRY_POLICY.min_failures


def befalls(session: Session, sample: Sample, fault: str) -> None:
    """Something that is no fault of the endpoint."""
    run = session.get_one(Run, sample.run_id)
    endpoint = session.scalars(select(Endpoint)).one()
    if fault == "network":
        meets(session, sample, SOON, owner=FailureOwner.US, own=False)
    elif fault == "client":
        meets(session, sample, SOON, owner=FailureOwner.US, own=False, counts=True)
        sample.not_before = None
    elif fault == "death":
        plan.sweep(session, SOON)
        assert inference.open_slice(session, endpoint.id, SOON, LEASE, VAULT) is not None
        plan.sweep(session, SOON + 2 * LEASE)
    elif fault == "pause":
        run_store.pause(session, run.id, "its budget is used up")
        run_store.resume(session, run.id)
    elif fault in ("stop", "refused"):
        meets(session, sample, SOON, retry=Retry.STOP if fault == "stop" else Retry.RUN, own=None)
        endpoint.stopped_at, run.state = None, RunState.ACTIVE
    else:
        endpoint.secret_encrypted = b"sealed under a key that is lost"
        session.flush()
        plan.sweep(session, SOON, VAULT)
        endpoint.secret_encrypted = None


@pytest.fixture
def others(session: Session, sample: Sample) -> list[Sample]:
    """Two other samples of that order."""
    imports.store_batch(session, batch(problem(0), problem(1), problem(2)), NOW)
    plan.plan_samples(session, NOW)
    session.execute(update(Problem).values(found_at=NOW))
    found = list(session.scalars(select(Sample).where(Sample.id != sample.id).order_by(Sample.id)))
    assert len(found) == 2
    return found


def answers(session: Session, sample: Sample) -> None:
    sample.state, sample.answered_at = SampleState.GRADED, NOW
    session.flush()


def refuses(session: Session, sample: Sample, at: datetime, **fields: Any) -> None:
    meets(session, sample, at, retry=Retry.STOP, reason="answered 402: no money", **fields)


def test_an_endpoint_that_answers_what_it_likes_and_is_stopped_fails_the_rest(
    session: Session, sample: Sample, others: list[Sample]
) -> None:
    answers(session, others[0])
    refuses(session, sample, NOW)
    assert ended(session, sample, LATE - timedelta(minutes=1)) == (SampleState.PENDING, False)
    assert ended(session, sample) == NO_ANSWER
    asked_no_more = others[1]
    assert ((asked_no_more.state, asked_no_more.unanswered), asked_no_more.error) == (
        NO_ANSWER,
        "answered 402: no money",
    )
    assert others[0].state == SampleState.GRADED


def test_a_stop_that_is_not_its_own_or_takes_nothing_off_a_score_waits(
    session: Session, sample: Sample, others: list[Sample]
) -> None:
    for case in ("no reply", "our key", "no answer yet", "paused", "another's order", "mended", "new"):
        with taken_back(session):
            stops(session, sample, others, case)
            session.flush()
            assert ended(session, sample)[0] == SampleState.PENDING, case
            assert others[1].state == SampleState.PENDING, case


def stops(session: Session, sample: Sample, others: list[Sample], case: str) -> None:
    """The endpoint is stopped, and something says that the rest is not its own."""
    endpoint = session.scalars(select(Endpoint)).one()
    if case != "no answer yet":
        answers(session, others[0])
    if case == "another's order":
        session.execute(update(Submission).values(organisation_id=organisation(session, "other").id))
    refuses(session, sample, NOW, own=None if case == "no reply" else True)
    if case == "our key":
        endpoint.stopped_reason = text_reason("its secret was sealed under a key that is gone")
    elif case == "paused":
        run_store.pause(session, sample.run_id, "its budget is used up")
    elif case == "mended":
        endpoint.stopped_at = endpoint.stopped_reason = None
        meets(session, sample, NOW + timedelta(hours=1), owner=FailureOwner.US, own=False)
    elif case == "new":
        session.execute(update(Problem).values(found_at=LATE - timedelta(hours=1)))


def test_mending_it_now_and_then_gives_no_patience_back(session: Session, sample: Sample, others: list[Sample]) -> None:
    endpoint = session.scalars(select(Endpoint)).one()
    others[1].state = SampleState.GRADED
    for hours in (0, 2, 4):
        endpoint.stopped_at = endpoint.stopped_reason = None
        session.flush()
        refuses(session, sample, NOW + timedelta(hours=hours))
    endpoint.stopped_at = endpoint.stopped_reason = None
    session.flush()
    assert ended(session, sample) == NO_ANSWER


def test_the_last_failure_of_a_run_that_somebody_ended_is_missing(session: Session, sample: Sample) -> None:
    failed_enough(session, sample)
    [endpoint] = waiting(session)
    work = inference.open_slice(session, endpoint, NOW, LEASE, VAULT)
    assert work is not None
    refused = failure(sample, retry=Retry.NEVER)
    for state in (RunState.PAUSED, RunState.RETIRED, RunState.FAILED):
        with taken_back(session):
            session.execute(update(Run).values(state=state))
            session.execute(update(Sample).values(inference_attempts=RETRY_POLICY.attempts))
            assert inference.record(session, work, refused, NOW), state
            session.expire_all()
            assert (sample.state, sample.unanswered) == MISSING, state


def test_what_the_slice_cut_off_neither_counts_nor_hides_what_was_met(session: Session, sample: Sample) -> None:
    meets(session, sample, NOW)
    meets(session, sample, NOW, owner=FailureOwner.US, own=None, reason="the slice ended before an answer")
    assert (sample.own_failures, sample.first_tried_at) == (1, NOW)
    assert (sample.error, sample.error_owner) == ("answered 429: slow down", "vendor")


def test_another_organisations_order_is_not_the_models_own(session: Session, sample: Sample) -> None:
    other = organisation(session, "other")
    session.execute(update(Submission).values(organisation_id=other.id))
    meets(session, sample, NOW, retry=Retry.NEVER)
    assert (sample.state, sample.unanswered) == MISSING
