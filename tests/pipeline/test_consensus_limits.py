"""What the making of tests may take, kept where setters are asked and where their answers are played."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from factories import World
from pipeline.flow import LEASE, NOW, VAULT, completion, waiting
from sqlalchemy import Connection, func, select, update
from support.consensus import MINUTE, add_setter, asked, fresh, ranked, samples_of, says, setting_of, settle
from support.facts import facts_may_change
from support.servers import Servers, rolled_back

from app.config import Settings
from app.db.kernel.session import Session, SessionMaker
from app.db.runs.consensus import usage as bound_store
from app.db.tables import Endpoint, Problem, ProblemVersion, Sample, TestSet
from app.domain.asking.completions import AnsweredSample, FailedSample, FailureOwner, Retry
from app.domain.consensus.limits import CONSENSUS_LIMITS, ConsensusLimits, ConsensusUsage
from app.domain.consensus.prompts import setter_tasks
from app.domain.consensus.result import ConsensusResult
from app.domain.problems import Form
from app.domain.reasons import text_reason
from app.domain.states import ConsensusState, ProblemState, SampleState
from app.services.operations import health_views
from app.services.problems import publishing
from app.services.runs import inference, plan
from app.services.runs.consensus import consensus_jobs
from app.services.runs.inference import LeasedSlice

ROLES = len(setter_tasks(Form.STDIN))
HOUR = timedelta(hours=1)
TOMORROW = datetime(2026, 11, 2, tzinfo=UTC)
Change = Callable[[ConsensusUsage], ConsensusUsage]


def bounded(problem: dict[str, object] | None = None, day: dict[str, object] | None = None) -> ConsensusLimits:
    limits = CONSENSUS_LIMITS
    return ConsensusLimits(
        replace(limits.problem, **(problem or {})),  # type: ignore[arg-type]
        replace(limits.day, **(day or {})),  # type: ignore[arg-type]
    )


def begin(session: Session) -> None:
    problem = fresh(session)
    ranked(session, "tern", "Tern Labs")
    add_setter(session, "one", "a")
    add_setter(session, "two", "b")
    settle(session, problem)


def begun(session: Session, source: str = "atcoder") -> Problem:
    """The problem with which tests begin, or one of another source."""
    if source == "atcoder":
        return session.scalars(select(Problem)).one()
    problem = fresh(session, source=source)
    settle(session, problem)
    return problem


@pytest.fixture(scope="module")
def asked_for(servers: Servers) -> Iterator[Connection]:
    """A problem whose tests two setters are to make, with which tests begin."""
    with servers.arranged(begin) as connection:
        yield connection


@pytest.fixture
def session(asked_for: Connection) -> Iterator[Session]:
    with rolled_back(asked_for) as sessions, sessions() as made:
        yield made


def slices(session: Session, bounds: ConsensusLimits, now: datetime = NOW) -> list[LeasedSlice]:
    """Open a slice at every endpoint that is due: all are under way at once."""
    found = [
        inference.open_slice(session, endpoint, now, LEASE, VAULT, bounds=bounds) for endpoint in waiting(session, now)
    ]
    return [work for work in found if work is not None and work.endpoint.remote_name != "tern"]


def answer(session: Session, works: list[LeasedSlice], now: datetime = NOW) -> None:
    for work in works:
        inference.record_all(
            session, work, [AnsweredSample(sample, completion("nothing")) for sample in work.requests], now
        )
        inference.close_slice(session, work)
    session.expire_all()


def taken(works: list[LeasedSlice]) -> int:
    return sum(len(work.requests) for work in works)


def test_calls_of_a_problem_are_counted_before_they_leave(session: Session) -> None:
    problem = begun(session)
    bounds = bounded({"calls": ROLES + 2})
    works = slices(session, bounds)
    assert taken(works) == ROLES + 2, "of both setters, all under way at once"
    answer(session, works)
    assert slices(session, bounds) == []
    consensus = setting_of(session, problem)
    words = f"its bound is reached: {ROLES + 2} of {ROLES + 2} calls are used up"
    assert (consensus.state, consensus.reason) == (ConsensusState.HELD, words)
    plan.plan_samples(session, NOW)
    assert (problem.state, problem.hold_reason) == (ProblemState.HELD, f"no full tests: {words}")
    assert {sample.state for sample in samples_of(session, problem)} >= {SampleState.PENDING, SampleState.ANSWERED}


def test_calls_that_failed_and_lost_ones_count(session: Session) -> None:
    assert taken(slices(session, bounded({"calls": 2 * ROLES}))) == 2 * ROLES
    later = NOW + LEASE + MINUTE
    plan.sweep(session, later)  # their workers died: what they asked is asked again
    assert taken(slices(session, bounded({"calls": 2 * ROLES + 3}), later)) == 3


def test_a_lost_call_counts_beside_those_that_were_repeated(session: Session) -> None:
    """Whoever's worker is killed again and again pays for no call more than was sent."""
    problem = begun(session)
    for work in slices(session, bounded()):
        busy = [
            FailedSample(sample, "busy", Retry.LATER, FailureOwner.VENDOR, counts=False, requests=3)
            for sample in work.requests
        ]
        inference.record_all(session, work, busy, NOW)
        inference.close_slice(session, work)
    now, sent = NOW + LEASE, 3 * 2 * ROLES
    for _death in range(2):
        plan.sweep(session, now)
        sent += taken(slices(session, bounded(), now))
        used, _kept = bound_store.of_text(session, problem.current_version_id or 0, "")
        assert used.calls == sent
        now += LEASE + MINUTE
    assert sent == 5 * 2 * ROLES


def test_what_a_call_may_take_is_kept_for_it(session: Session) -> None:
    """Tokens and money: nobody else may use up what calls under way may take, and it is free when they took less."""
    session.execute(update(Endpoint).values(price_input=Decimal(1), price_output=Decimal(10)))
    works = slices(session, bounded({"tokens": 200_000}))
    first = taken(works)
    assert 1 <= first <= 200_000 // 32_768
    assert slices(session, bounded({"tokens": 200_000})) == [], "the others wait for these"
    answer(session, works)
    assert taken(slices(session, bounded({"tokens": 200_000}))) == first, "they took 30 tokens each"
    assert session.scalar(select(func.count()).where(Sample.reserved_tokens.is_not(None))) == 2 * first


def test_problem_is_held_when_the_next_call_could_exceed_its_money(session: Session) -> None:
    problem = begun(session)
    session.execute(update(Endpoint).values(price_input=Decimal(1), price_output=Decimal(10)))
    assert slices(session, bounded({"usd": Decimal("0.30")})) == []
    assert "$0.00 of $0.30 are used up" in str(setting_of(session, problem).reason)


def test_when_a_days_bound_is_reached_the_rest_waits_for_the_next_day(session: Session) -> None:
    first, second = begun(session), begun(session, "codeforces")
    bounds = bounded(day={"calls": ROLES})
    answer(session, slices(session, bounds))
    assert slices(session, bounds, NOW + MINUTE) == []
    for problem in (first, second):
        assert setting_of(session, problem).state == ConsensusState.ASKING
    assert TOMORROW in {setting_of(session, problem).not_before for problem in (first, second)}
    resting = sum(setting_of(session, problem).not_before is not None for problem in (first, second))
    assert health_views.status(session, NOW).wait_for_tomorrow == resting
    assert health_views.status(session, TOMORROW).wait_for_tomorrow == 0
    assert consensus_jobs.claim(session, TOMORROW - MINUTE, LEASE) is None, "nobody's silence counts while it rests"
    assert taken(slices(session, bounds, TOMORROW)) == ROLES
    assert {problem.state for problem in (first, second)} == {ProblemState.CHECKED}


def test_no_run_pays_for_more_than_so_many_unpublished_problems_a_day(sessions: SessionMaker) -> None:
    with sessions() as session:
        world = World(session, now=NOW)
        days = {"old": 29, "new": 31, "mid": 30}
        problems = {name: fresh(session, name, date(2026, 10, day), world=world) for name, day in days.items()}
        with facts_may_change(session):
            session.execute(update(ProblemVersion).values(created_at=NOW))
        ranked(session, "tern", "Tern Labs")
        add_setter(session, "one", "a")
        add_setter(session, "two", "b")
        bounds = replace(CONSENSUS_LIMITS, unpublished=2)

        def planned(now: datetime) -> set[str]:
            for problem in problems.values():
                publishing.update_state(session, problem, now)
            plan.plan_samples(session, now, bounds)
            return {name for name, problem in problems.items() if samples_of(session, problem)}

        assert planned(NOW) == {"new", "mid"}, "neither its setters nor ranked models are asked about the third"
        assert planned(NOW + MINUTE) == {"new", "mid"}
        assert health_views.status(session, NOW + HOUR).wait_for_tomorrow == 1
        assert planned(TOMORROW) == {"new", "mid", "old"}
        assert health_views.status(session, TOMORROW + HOUR).wait_for_tomorrow == 0


def test_what_was_published_takes_no_place_from_another_problem(session: Session) -> None:
    first, second = begun(session), fresh(session, "other", date(2026, 10, 30), source="codeforces")
    bounds = replace(CONSENSUS_LIMITS, unpublished=1)
    publishing.update_state(session, second, NOW)
    plan.plan_samples(session, NOW, bounds)
    assert not samples_of(session, second)
    first.current_test_set_id = session.scalar(select(TestSet.id).where(TestSet.problem_id == first.id))
    first.state = ProblemState.PUBLISHED
    plan.plan_samples(session, NOW, bounds)
    assert samples_of(session, second)


def made(
    job: consensus_jobs.ConsensusJob, judge_s: float, *, ours: bool = False, passing: bool = False
) -> ConsensusResult:
    return ConsensusResult(
        text_reason("no"), job.problem, (), {"setters": []}, {"kept": 1}, ours=ours, passing=passing, judge_s=judge_s
    )


def test_what_a_busy_machine_spoiled_is_played_once_more(session: Session) -> None:
    """A busy machine is no reason to hold a problem; the problem's own bound counts both plays."""
    problem = begun(session)
    asked(session, lambda _: says("a"))
    for seconds, state in ((600.0, "checked"), (600.0, "held")):
        job = consensus_jobs.claim(session, NOW, LEASE, 600.0, bounded({"judge_s": 1800.0}))
        assert job is not None
        assert consensus_jobs.record(session, job, made(job, seconds, ours=True, passing=True), NOW)
        assert problem.state == state
    assert setting_of(session, problem).judge_s == 1200.0
    other = begun(session, "codeforces")
    asked(session, lambda _: says("a"))
    job = consensus_jobs.claim(session, NOW, LEASE, 600.0, bounded())
    assert job is not None
    assert consensus_jobs.record(session, job, made(job, 5.0, ours=True), NOW)
    assert other.state == "held", "no second play changes another fault of ours"


def test_judge_seconds_of_a_problem(session: Session) -> None:
    problem = begun(session)
    asked(session, lambda _: says("a"))
    bounds = bounded({"judge_s": 900.0})
    first = consensus_jobs.claim(session, NOW, LEASE, 600.0, bounds)
    assert first is not None
    assert first.most_s == 600.0
    later = NOW + LEASE + MINUTE
    again = consensus_jobs.claim(session, later, LEASE, 600.0, bounds)
    assert again is not None
    assert again.most_s == 300.0, "a play that ended its worker took what it might"
    later += LEASE + MINUTE
    assert consensus_jobs.claim(session, later, LEASE, 600.0, bounds) is None
    assert "900 of 900 seconds of judging are used up" in str(problem.hold_reason)


def test_judge_seconds_of_a_day(session: Session) -> None:
    first, second = begun(session), begun(session, "codeforces")
    asked(session, lambda _: says("a"))
    asked(session, lambda _: says("a"))
    bounds = bounded(day={"judge_s": 700.0})
    job = consensus_jobs.claim(session, NOW, LEASE, 600.0, bounds)
    assert job is not None
    assert consensus_jobs.claim(session, NOW, LEASE, 600.0, bounds) is None, "it waits for what is under way"
    assert consensus_jobs.record(session, job, made(job, 50.0), NOW)
    other = consensus_jobs.claim(session, NOW, LEASE, 600.0, bounds)
    assert other is not None
    assert consensus_jobs.record(session, other, made(other, 500.0), NOW)
    assert {setting_of(session, problem).judge_s for problem in (first, second)} == {50.0, 500.0}
    third = begun(session, "leetcode")
    asked(session, lambda _: says("a"))
    assert consensus_jobs.claim(session, NOW, LEASE, 600.0, bounds) is None
    assert setting_of(session, third).not_before == TOMORROW
    assert setting_of(session, third).attempts == 0, "nobody has played it"
    assert consensus_jobs.claim(session, TOMORROW, LEASE, 600.0, bounds) is not None


def test_operators_set_the_bounds() -> None:
    assert Settings(_env_file=None).consensus_bounds() == CONSENSUS_LIMITS
    assert Settings(_env_file=None, consensus_day_unpublished=8).consensus_bounds().unpublished == 8
    changed = Settings(_env_file=None, consensus_day_usd=Decimal(3), consensus_problem_calls=7).consensus_bounds()
    assert changed == bounded({"calls": 7}, {"usd": Decimal(3)})
    assert timedelta(seconds=changed.problem.judge_s) < timedelta(days=1)
