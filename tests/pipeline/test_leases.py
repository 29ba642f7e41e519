"""Leases: no row is taken twice, a late worker writes nothing, what dies comes back, poison stops."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from pipeline.flow import (
    LANGUAGES,
    LEASE,
    NOW,
    VAULT,
    answer_all,
    completion,
    judge_one,
    prepared,
    result,
    standing,
    waiting,
)
from sqlalchemy import Connection, func, select
from support.batches import batch, problem, sum_tests
from support.servers import Servers, rolled_back

from app.db.kernel.leases import new_lease, renew
from app.db.kernel.session import Session, make_engine, make_sessionmaker
from app.db.runs import runs as run_store
from app.db.runs import samples
from app.db.tables import Endpoint, ExposureRow, Run, Sample, VerdictRow
from app.domain.asking.completions import AnsweredSample, FailedSample, FailureOwner, Retry
from app.domain.asking.protocols import HOUSE
from app.domain.asking.retry_policy import RETRY_POLICY
from app.domain.judging.verdicts import Verdict
from app.domain.states import MAX_GRADING_ATTEMPTS, MAX_INFERENCE_ATTEMPTS, SampleState
from app.services.runs import grade, imports, inference, plan


def states(session: Session) -> dict[str, int]:
    session.expire_all()
    rows = session.execute(select(Sample.state, func.count()).group_by(Sample.state)).all()
    return {row[0]: row[1] for row in rows}


@pytest.fixture(scope="module")
def wanted(servers: Servers) -> Iterator[Connection]:
    """One problem that is wanted of a model, with which tests begin."""
    with servers.arranged(prepared) as connection:
        yield connection


@pytest.fixture
def session(wanted: Connection) -> Iterator[Session]:
    with rolled_back(wanted) as sessions, sessions() as made:
        yield made


def test_workers_at_once_take_each_answer_once(fresh_database: str) -> None:
    """Eight threads claim and record until nothing is left: every answer is judged exactly once."""
    engine = make_engine(fresh_database, pool_size=10)
    sessions = make_sessionmaker(engine)
    with sessions.begin() as session:
        imports.store_batch(session, batch(problem(0), problem(1)), NOW)
        standing(session, "tern", protocol=replace(HOUSE, slug="eight", sampling=replace(HOUSE.sampling, n=8)))
        assert answer_all(session) == 16
    taken: list[int] = []

    def work() -> None:
        while True:
            with sessions.begin() as session:
                job = grade.claim(session, NOW, LEASE, LANGUAGES)
            if job is None:
                return
            taken.append(job.sample_id)
            with sessions.begin() as session:
                assert grade.record(session, job, result(), NOW)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(taken) == len(set(taken)) == 16
    with sessions() as session:
        assert states(session) == {SampleState.GRADED: 16}
        assert session.scalar(select(func.count()).select_from(VerdictRow)) == 16
    engine.dispose()


def test_a_request_says_whether_its_run_had_an_answer_before(session: Session) -> None:
    prepared(session, problems=3)
    [endpoint] = waiting(session)
    for before in (False, True):
        work = inference.open_slice(session, endpoint, NOW, LEASE, VAULT, limit=1)
        assert work is not None
        [request] = work.requests.values()
        assert request.run_answered is before
        inference.record_all(session, work, [AnsweredSample(request.sample_id, completion("print(1)"))], NOW)
        inference.close_slice(session, work)


def test_a_late_worker_writes_nothing(session: Session) -> None:
    """Its lease ran out, another worker judged the answer: the first verdict is thrown away."""
    answer_all(session)
    late = grade.claim(session, NOW, LEASE, LANGUAGES)
    assert late is not None
    later = NOW + 2 * LEASE
    plan.sweep(session, later)
    assert judge_one(session, Verdict.WRONG_ANSWER, later)
    assert not grade.record(session, late, result(Verdict.ACCEPTED), later)
    verdicts = session.scalars(select(VerdictRow.verdict)).all()
    assert verdicts == [Verdict.WRONG_ANSWER]


def test_a_renewed_lease_holds(session: Session) -> None:
    answer_all(session)
    job = grade.claim(session, NOW, LEASE, LANGUAGES)
    assert job is not None
    assert renew(session, job.lease, NOW + 5 * LEASE) == 1
    plan.sweep(session, NOW + 2 * LEASE)
    assert states(session) == {SampleState.GRADING: 1}
    assert grade.record(session, job, result(), NOW + 2 * LEASE)


def test_one_lease_holds_an_endpoint_and_its_samples(session: Session) -> None:
    prepared(session, problems=2)
    [endpoint] = waiting(session)
    work = inference.open_slice(session, endpoint, NOW, LEASE, VAULT)
    assert work is not None
    assert renew(session, work.lease, NOW + 5 * LEASE) == 2 + 1
    plan.sweep(session, NOW + 2 * LEASE)
    assert states(session) == {SampleState.INFERRING: 2}
    assert inference.open_slice(session, endpoint, NOW + 2 * LEASE, LEASE, VAULT) is None


def test_an_answer_that_kills_its_judge_gets_stuck(session: Session) -> None:
    """After three dead workers it is shown as a judge error, not handed out for ever."""
    answer_all(session)
    now = NOW
    for _attempt in range(MAX_GRADING_ATTEMPTS):
        assert grade.claim(session, now, LEASE, LANGUAGES) is not None
        now += 2 * LEASE
        plan.sweep(session, now)
    assert states(session) == {SampleState.STUCK: 1}
    assert grade.claim(session, now, LEASE, LANGUAGES) is None


def test_a_judge_error_is_no_verdict(session: Session) -> None:
    answer_all(session)
    now = NOW
    for left in (2, 1, 0):
        assert judge_one(session, Verdict.JUDGE_ERROR, now), left
        assert states(session) == {SampleState.ANSWERED if left else SampleState.STUCK: 1}
        pause = timedelta(seconds=30) if left == 2 else timedelta(minutes=10)
        assert not judge_one(session, now=now + pause - timedelta(seconds=1)), "a busy machine has time to quieten"
        now += pause
    assert session.scalar(select(func.count()).select_from(VerdictRow)) == 0


def test_endpoint_has_one_open_slice_at_a_time(session: Session) -> None:
    prepared(session, problems=3)
    [endpoint] = waiting(session)
    first = inference.open_slice(session, endpoint, NOW, LEASE, VAULT, limit=2)
    assert first is not None
    assert len(first.requests) == 2
    assert inference.open_slice(session, endpoint, NOW, LEASE, VAULT) is None
    inference.close_slice(session, first)
    second = inference.open_slice(session, endpoint, NOW, LEASE, VAULT)
    assert second is not None
    assert len(second.requests) == 1
    assert not set(first.requests) & set(second.requests)


def test_what_leaves_for_an_endpoint_is_on_record_before_it_is_answered(session: Session) -> None:
    prepared(session, problems=3)
    [endpoint] = waiting(session)
    first = inference.open_slice(session, endpoint, NOW, LEASE, VAULT, limit=2)
    assert first is not None
    assert session.execute(select(ExposureRow.endpoint_id, ExposureRow.sent_at)).all() == [(endpoint, NOW)] * 2
    inference.close_slice(session, first)
    later = NOW + timedelta(hours=1)
    inference.open_slice(session, endpoint, later, LEASE, VAULT)
    sent = session.scalars(select(ExposureRow.sent_at).order_by(ExposureRow.sent_at)).all()
    assert sent == [NOW, NOW, later], "what was sent before keeps its date"


def test_a_sample_past_its_attempts_is_given_up(session: Session) -> None:
    """Failures that count use up the budget; the sample ends without a score, and says whose fault it was."""
    [endpoint] = waiting(session)
    now, waits = NOW, []
    for _attempt in range(MAX_INFERENCE_ATTEMPTS):
        work = inference.open_slice(session, endpoint, now, LEASE, VAULT)
        assert work is not None
        [sample_id] = work.requests
        failure = FailedSample(sample_id, "HTTP 500", Retry.LATER, FailureOwner.VENDOR)
        assert inference.record(session, work, failure, now)
        inference.close_slice(session, work)
        not_before = session.scalars(select(Sample.not_before)).one()
        assert not_before is not None
        assert inference.open_slice(session, endpoint, not_before - timedelta(seconds=1), LEASE, VAULT) is None
        waits.append((not_before - now).total_seconds())
        now = not_before
    assert waits == [20, 80, 320, 1280, 5120, 7200, 7200, 7200]
    assert states(session) == {SampleState.GAVE_UP: 1}
    sample = session.scalars(select(Sample)).one()
    assert (sample.error, sample.error_owner) == ("HTTP 500", "vendor")


def test_a_failure_is_asked_again_no_sooner_than_the_endpoint_said(session: Session) -> None:
    """The later of our own wait and the outcome's; a wait that is not counted stays as it was said."""
    [endpoint] = waiting(session)
    said = NOW + timedelta(minutes=50)
    for counts, given, expected in (
        (True, said, said),
        (True, said + timedelta(seconds=1), said + timedelta(seconds=80)),
        (False, None, None),
    ):
        work = inference.open_slice(session, endpoint, said, LEASE, VAULT)
        if work is None:
            work = inference.open_slice(session, endpoint, said + timedelta(hours=1), LEASE, VAULT)
        assert work is not None
        [sample_id] = work.requests
        at = NOW if given == said else said
        outcome = FailedSample(sample_id, "busy", Retry.LATER, FailureOwner.VENDOR, not_before=given, counts=counts)
        assert inference.record(session, work, outcome, at)
        inference.close_slice(session, work)
        assert session.scalars(select(Sample.not_before)).one() == expected


def test_patience_rests_while_nobody_asks(session: Session) -> None:
    """A stopped endpoint waits for a person for days; its samples are not given up for that."""
    prepared(session, problems=2)
    [endpoint_id] = waiting(session)
    work = inference.open_slice(session, endpoint_id, NOW, LEASE, VAULT)
    assert work is not None
    first, second = work.requests
    inference.record(session, work, FailedSample(first, "429", Retry.LATER, FailureOwner.VENDOR, counts=False), NOW)
    stop = FailedSample(second, "HTTP 401: bad key", Retry.STOP, FailureOwner.VENDOR, counts=False)
    inference.record(session, work, stop, NOW)
    inference.close_slice(session, work)
    later = NOW + 3 * RETRY_POLICY.span
    assert plan.sweep(session, later).endpoints == ()
    assert states(session) == {SampleState.PENDING: 2}
    endpoint = session.get_one(Endpoint, endpoint_id)
    assert endpoint.stopped_reason == "HTTP 401: bad key"
    endpoint.stopped_at = endpoint.stopped_reason = None
    [run] = session.scalars(select(Run))
    run_store.resume(session, run.id)
    assert plan.sweep(session, later).endpoints == (endpoint_id,)
    assert states(session) == {SampleState.PENDING: 2}


def test_an_answer_in_a_language_that_is_not_judged_here_stays_queued(session: Session) -> None:
    answer_all(session)
    assert grade.claim(session, NOW, LEASE, ("cpp",)) is None
    assert states(session) == {SampleState.ANSWERED: 1}
    assert grade.claim(session, NOW, LEASE, ("cpp", "python")) is not None


def test_new_tests_while_the_old_ones_judge(session: Session) -> None:
    """A verdict by tests that were replaced meanwhile is kept, and the answer is judged again by the new ones."""
    answer_all(session)
    job = grade.claim(session, NOW, LEASE, LANGUAGES)
    assert job is not None
    imports.store_batch(session, batch(replace(problem(0), tests=sum_tests(5))), NOW)
    assert grade.record(session, job, result(Verdict.WRONG_ANSWER), NOW)
    assert states(session) == {SampleState.ANSWERED: 1}
    assert judge_one(session, Verdict.ACCEPTED)
    assert states(session) == {SampleState.GRADED: 1}
    assert len(session.scalars(select(VerdictRow)).all()) == 2


def test_rate_limits_do_not_count_but_patience_ends(session: Session) -> None:
    [endpoint] = waiting(session)
    for _attempt in range(MAX_INFERENCE_ATTEMPTS + 1):
        work = inference.open_slice(session, endpoint, NOW, LEASE, VAULT)
        assert work is not None
        [sample_id] = work.requests
        inference.record(
            session, work, FailedSample(sample_id, "429", Retry.LATER, FailureOwner.VENDOR, counts=False), NOW
        )
        inference.close_slice(session, work)
    assert states(session) == {SampleState.PENDING: 1}
    plan.sweep(session, NOW + RETRY_POLICY.span + timedelta(seconds=1))
    assert states(session) == {SampleState.GAVE_UP: 1}


def test_a_refused_key_stops_the_endpoint(session: Session) -> None:
    prepared(session, problems=2)
    [endpoint] = waiting(session)
    work = inference.open_slice(session, endpoint, NOW, LEASE, VAULT, limit=1)
    assert work is not None
    [sample_id] = work.requests
    inference.record(session, work, FailedSample(sample_id, "HTTP 401", Retry.STOP, FailureOwner.VENDOR), NOW)
    inference.close_slice(session, work)
    assert plan.sweep(session, NOW).endpoints == ()
    assert inference.open_slice(session, endpoint, NOW, LEASE, VAULT) is None


def test_hostile_text_can_be_stored(session: Session) -> None:
    """NUL and lone surrogates cannot live in PostgreSQL's text; the raw bytes are kept as they came."""
    [endpoint] = waiting(session)
    work = inference.open_slice(session, endpoint, NOW, LEASE, VAULT)
    assert work is not None
    [sample_id] = work.requests
    text = "```python\nprint('\0\ud800')\n```"
    hostile = completion("x")
    answered = AnsweredSample(
        sample_id, type(hostile)(text, "\0", hostile.finish_reason, hostile.usage, 1.0, "m\0", b"\0")
    )
    assert inference.record(session, work, answered, NOW)
    sample = session.scalars(select(Sample)).one()
    assert sample.state == SampleState.ANSWERED
    assert sample.answer is not None
    assert "\0" not in sample.answer


def test_claims_ignore_what_is_not_due(session: Session) -> None:
    session.scalars(select(Sample)).one().not_before = NOW + timedelta(minutes=5)
    session.flush()
    assert plan.sweep(session, NOW).endpoints == ()
    [endpoint] = plan.sweep(session, NOW + timedelta(minutes=6)).endpoints
    lease = new_lease(NOW, LEASE)
    assert samples.claim_for_inference(session, endpoint, lease, NOW, 10) == []
