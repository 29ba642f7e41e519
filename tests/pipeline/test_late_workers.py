"""A worker whose lease is another's writes nothing, whatever it did: asked, judged, proved, judged again, scraped."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from pipeline.flow import LANGUAGES, LEASE, NOW, VAULT, answer_all, completion, result, standing, waiting
from pipeline.rejudging import Desk, graded
from sqlalchemy import select
from support.batches import batch, problem

from app.db.kernel.leases import LeaseKind, new_lease, renew
from app.db.kernel.session import Session
from app.db.runs import endpoint_rotation, samples
from app.db.tables import (
    Capture,
    Contest,
    DirtyCell,
    Endpoint,
    ExpectedDataRow,
    Problem,
    ProofState,
    RejudgedSample,
    Sample,
    ScrapeRun,
    Source,
    TestSet,
    VerdictRow,
)
from app.domain.asking.completions import AnsweredSample, FailedSample, FailureOwner, Retry, SampleOutcome
from app.domain.judging.verdicts import Verdict
from app.domain.publishing.holds import ProofOutcome
from app.domain.sources.crawl_events import CrawlFinished, PageCaptured
from app.domain.sources.records import Classification, ScrapedContest
from app.domain.sources.schedule import ExpectedData
from app.domain.states import ProblemState, RejudgedState, SampleState, ScrapeState
from app.services.problems import publishing
from app.services.rejudging import grading_queue
from app.services.runs import grade, imports, inference, plan
from app.services.sources import visits

LATER = NOW + 2 * LEASE
DONE = CrawlFinished(ScrapeState.SUCCEEDED, None, {})
POLICY = visits.SitePolicy("Site", "http://127.0.0.1:9", True, True, True, (ExpectedData(),))


def opened(session: Session) -> inference.LeasedSlice:
    [endpoint] = waiting(session)
    work = inference.open_slice(session, endpoint, NOW, LEASE, VAULT)
    assert work is not None
    return work


def sample_facts(session: Session) -> list[tuple[object, ...]]:
    session.flush()
    session.expire_all()
    rows = session.scalars(select(Sample).order_by(Sample.id))
    return [(row.state, row.lease_token, row.response, row.error, row.inference_attempts) for row in rows]


OUTCOMES: list[Callable[[int], SampleOutcome]] = [
    lambda sample: AnsweredSample(sample, completion("too late")),
    lambda sample: FailedSample(sample, "HTTP 500", Retry.LATER, FailureOwner.VENDOR),
    lambda sample: FailedSample(sample, "HTTP 401", Retry.STOP, FailureOwner.VENDOR),
]


@pytest.mark.parametrize("outcome", OUTCOMES, ids=["answered", "failed", "refused"])
def test_what_a_late_slice_heard_is_thrown_away(session: Session, outcome: Callable[[int], SampleOutcome]) -> None:
    """Its samples are another slice's now, of the same endpoint and in the same state."""
    imports.store_batch(session, batch(problem(0), problem(1)), NOW)
    standing(session, "tern")
    late = opened(session)
    [endpoint] = plan.sweep(session, LATER).endpoints
    again = inference.open_slice(session, endpoint, LATER, LEASE, VAULT)
    assert again is not None
    assert set(again.requests) == set(late.requests)
    before = sample_facts(session)
    session.query(DirtyCell).delete()
    assert inference.record_all(session, late, [outcome(sample) for sample in late.requests], LATER) == 0
    assert sample_facts(session) == before
    assert session.scalars(select(DirtyCell)).all() == []
    row = session.get_one(Endpoint, endpoint)
    assert row.stopped_at is None, "one that answers a late slice with a refusal may have taken the key since"
    inference.close_slice(session, late)
    session.expire_all()
    assert row.lease_token == again.lease.token, "the endpoint stays the other slice's"
    assert (
        inference.record_all(session, again, [AnsweredSample(one, completion("x")) for one in again.requests], LATER)
        == 2
    )


def test_an_outcome_is_written_once(session: Session) -> None:
    """A second one for the same sample finds that it is answered: the first stays."""
    imports.store_batch(session, batch(problem(0)), NOW)
    standing(session, "tern")
    work = opened(session)
    [sample] = work.requests
    assert inference.record(session, work, AnsweredSample(sample, completion("first")), NOW)
    assert not inference.record(session, work, AnsweredSample(sample, completion("second")), NOW)
    assert session.scalars(select(Sample.response)).all() == ["first"]


@pytest.mark.parametrize("verdict", [Verdict.ACCEPTED, Verdict.JUDGE_ERROR])
def test_what_a_late_judge_says_of_a_taken_answer_is_thrown_away(session: Session, verdict: Verdict) -> None:
    """Another judge is at work on it, so that only the token tells the two apart."""
    imports.store_batch(session, batch(problem(0)), NOW)
    standing(session, "tern")
    answer_all(session)
    late = grade.claim(session, NOW, LEASE, LANGUAGES)
    plan.sweep(session, LATER)
    other = grade.claim(session, LATER, LEASE, LANGUAGES)
    assert late is not None
    assert other is not None
    assert late.sample_id == other.sample_id
    assert not grade.record(session, late, result(verdict), LATER)
    assert session.scalars(select(VerdictRow)).all() == []
    assert grade.record(session, other, result(Verdict.WRONG_ANSWER), LATER)
    assert session.scalars(select(VerdictRow.verdict)).all() == [Verdict.WRONG_ANSWER]


def test_a_sample_that_another_took_over_moves_only_from_the_state_it_was_claimed_in(session: Session) -> None:
    """A token alone is not enough: what is graded already is not graded again under the lease of the asking."""
    imports.store_batch(session, batch(problem(0)), NOW)
    standing(session, "tern")
    work = opened(session)
    [sample] = work.requests
    token = work.lease.token
    assert not samples.record(session, sample, token, SampleState.GRADING, SampleState.GRADED, {})
    assert samples.record_all(session, token, SampleState.GRADING, {sample: (SampleState.GRADED, {})}) == set()
    assert session.scalars(select(Sample.state)).all() == [SampleState.INFERRING]


@pytest.mark.parametrize("proven", [True, False])
def test_a_late_proof_decides_nothing(session: Session, proven: bool) -> None:
    imports.store_batch(session, batch(problem(0, shipped=False)), NOW)
    late = publishing.claim_proof(session, NOW, LEASE)
    assert late is not None
    assert publishing.claim_proof(session, NOW + LEASE - timedelta(seconds=1), LEASE) is None, "it is being proven"
    other = publishing.claim_proof(session, LATER, LEASE)
    assert other is not None
    assert not publishing.record_proof(session, late, ProofOutcome(proven, "late", 1, 1), LATER)
    session.expire_all()
    tests = session.scalars(select(TestSet)).one()
    assert (tests.proof, tests.lease_token) == (ProofState.WAITING, other.lease.token)
    assert session.scalars(select(Problem.state)).one() == ProblemState.FOUND
    assert publishing.record_proof(session, other, ProofOutcome(True, None, 1, 1), LATER)
    assert not publishing.record_proof(session, other, ProofOutcome(False, "twice", 1, 1), LATER)
    assert session.scalars(select(Problem.state)).one() == ProblemState.PUBLISHED


@pytest.mark.parametrize("verdict", [Verdict.TIME_LIMIT, Verdict.JUDGE_ERROR])
def test_a_late_judge_of_a_kept_answer_writes_nothing(desk: Desk, verdict: Verdict) -> None:
    """While another judge has the answer, and it still waits for its new verdict."""
    session = desk.session
    desk.begun()
    late = grading_queue.claim(session, NOW, LEASE, LANGUAGES)
    assert late is not None
    taken = {late.sample_id: grading_queue.claim(session, LATER, LEASE, LANGUAGES)}
    other = taken[late.sample_id]
    assert other is not None
    assert other.sample_id == late.sample_id
    before = desk.verdicts()
    assert not grading_queue.record(session, late, graded(verdict), LATER)
    assert desk.verdicts() == before
    row = session.scalars(select(RejudgedSample).where(RejudgedSample.sample_id == late.sample_id)).one()
    assert (row.state, row.lease_token, row.error) == (RejudgedState.WAITING, other.lease.token, None)
    assert grading_queue.record(session, other, graded(Verdict.ACCEPTED), LATER)
    assert not grading_queue.record(session, other, graded(Verdict.WRONG_ANSWER), LATER), "once"


def page(name: str, *records: ScrapedContest) -> PageCaptured:
    return PageCaptured(f"http://127.0.0.1:9/{name}", "page", 200, Classification.OK, b"late", {}, NOW, records)


_START = datetime(2026, 10, 1, 12, tzinfo=UTC)
LISTED = ScrapedContest("late-1", "Late", starts_at=_START, ends_at=_START + timedelta(hours=2))


def test_a_late_visit_writes_nothing(session: Session) -> None:
    """Another visit of the source is under way since its lease ran out: not a page, a contest, a cursor or an end."""
    late = visits.open_scrape(session, "atcoder", POLICY, NOW, LEASE)
    assert late is not None
    assert visits.open_scrape(session, "atcoder", POLICY, NOW + LEASE - timedelta(seconds=1), LEASE) is None
    visits.record_capture(session, late, page("in-time"), NOW)
    other = visits.open_scrape(session, "atcoder", POLICY, LATER, LEASE)
    assert other is not None
    assert not visits.record_capture(session, late, page("late", LISTED), LATER)
    assert not visits.record_unchanged(session, late, page("in-time", LISTED), LATER)
    assert session.scalars(select(Capture.url)).all() == ["http://127.0.0.1:9/in-time"]
    assert session.scalars(select(Contest)).all() == []
    assert not visits.move_cursor(session, late, "2026-10-01T14:00:00Z late-1")
    assert visits.record_capture(session, other, page("late", LISTED), LATER)
    assert not visits.record_calendar(session, late, ["late-1"], LATER)
    assert session.scalars(select(ExpectedDataRow)).all() == [], "what a late visit lists is owed by nobody"
    assert visits.record_calendar(session, other, ["late-1"], LATER)
    assert not visits.record_contest(session, late, "late-1", None, LATER, met=True)
    assert not visits.record_contest(session, late, "late-1", "no pages", LATER, met=False)
    assert not visits.finish(session, late, replace(DONE, counts={"late": 1}), LATER)
    session.expire_all()
    assert [(row.state, row.attempts) for row in session.scalars(select(ExpectedDataRow))] == [("open", 0)]
    assert session.scalars(select(Source.cursor)).all() == [{}]
    runs = session.scalars(select(ScrapeRun).order_by(ScrapeRun.id)).all()
    assert [(run.state, run.reason, run.counts) for run in runs] == [
        (ScrapeState.FAILED, "its worker died", {}),
        (ScrapeState.RUNNING, None, {}),
    ]
    assert visits.record_contest(session, other, "late-1", None, LATER, met=True)
    assert visits.move_cursor(session, other, "2026-10-01T14:00:00Z late-1")
    assert visits.finish(session, other, DONE, LATER)


def test_one_visit_of_a_source_says_nothing_of_anothers(session: Session) -> None:
    """A visit that died is closed by the next one of its own source, and no sooner than its lease ran out."""
    first = visits.open_scrape(session, "atcoder", POLICY, NOW, LEASE)
    assert first is not None
    other = visits.open_scrape(session, "codeforces", POLICY, LATER, LEASE)
    assert other is not None
    session.expire_all()
    assert {row.state for row in session.scalars(select(ScrapeRun))} == {ScrapeState.RUNNING}
    assert visits.finish(session, first, DONE, LATER)


def test_a_lease_is_renewed_and_given_back_by_its_holder_alone(session: Session) -> None:
    imports.store_batch(session, batch(problem(0)), NOW)
    standing(session, "tern")
    work = opened(session)
    stranger = replace(work.lease, token=new_lease(NOW, LEASE).token)
    assert set(work.lease.over) == {LeaseKind.SAMPLES, LeaseKind.ENDPOINTS}
    assert renew(session, stranger, LATER) == 0
    endpoint_rotation.return_endpoint(session, work.endpoint.id, stranger.token)
    session.expire_all()
    assert session.scalars(select(Sample.lease_until)).all() == [NOW + LEASE]
    assert session.scalars(select(Endpoint.lease_token)).all() == [work.lease.token]
    assert renew(session, work.lease, LATER) == 2
    endpoint_rotation.return_endpoint(session, work.endpoint.id, work.lease.token)
    session.expire_all()
    assert session.scalars(select(Sample.lease_until)).all() == [LATER]
    assert session.scalars(select(Endpoint.lease_token)).all() == [None]
