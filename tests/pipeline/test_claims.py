"""What may be claimed, condition by condition: each alone keeps a row away from a worker, and no other row."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from pipeline.flow import LANGUAGES, LEASE, NOW, VAULT, answer_all, judge_one, prepared, result, standing
from sqlalchemy import Connection, delete, func, select, update
from support.batches import batch, problem
from support.facts import facts_may_change
from support.servers import Servers, rolled_back

from app.db.kernel.leases import new_lease
from app.db.kernel.session import Session, SessionMaker
from app.db.runs import endpoint_rotation, planning, sample_failures, samples
from app.db.runs.due_work import GradingFilter
from app.db.tables import Endpoint, Problem, ProblemVersion, Run, Sample, VerdictRow
from app.domain.asking.protocols import HOUSE
from app.domain.asking.retry_policy import RETRY_POLICY
from app.domain.judging.grading_order import GradingOrder
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Form
from app.domain.scenarios import scenarios
from app.domain.states import MAX_GRADING_ATTEMPTS, MAX_INFERENCE_ATTEMPTS, ProblemState, RunState, SampleState
from app.services.runs import grade, imports, inference, plan

MOMENT = timedelta(seconds=1)


@pytest.fixture(scope="module")
def wanted(servers: Servers) -> Iterator[Connection]:
    """Two problems that are wanted of a model, with which tests begin."""
    with servers.arranged(partial(prepared, problems=2)) as connection:
        yield connection


@pytest.fixture
def session(wanted: Connection) -> Iterator[Session]:
    with rolled_back(wanted) as sessions, sessions() as made:
        yield made


def first(session: Session) -> Sample:
    """The first sample as it is stored."""
    session.flush()
    session.expire_all()
    return session.scalars(select(Sample).order_by(Sample.id).limit(1)).one()


def change(session: Session, table: type[Any], identity: int, **values: object) -> None:
    session.execute(update(table).where(table.id == identity).values(**values))
    session.expire_all()


def claimable(session: Session) -> list[int]:
    """The samples that a slice of the first endpoint would take; nothing is taken."""
    endpoint = session.scalars(select(Endpoint.id).order_by(Endpoint.id).limit(1)).one()
    with session.begin_nested() as attempt:
        claimed = samples.claim_for_inference(session, endpoint, new_lease(NOW, LEASE), NOW, 10)
        attempt.rollback()
    session.expire_all()
    return [sample.id for sample in claimed]


def judgeable(session: Session) -> list[int]:
    """The samples that a judge would take; nothing is taken."""
    with session.begin_nested() as attempt:
        claimed = samples.claim_for_grading(session, new_lease(NOW, LEASE), NOW, GradingFilter(LANGUAGES), limit=10)
        attempt.rollback()
    session.expire_all()
    return [sample.id for sample in claimed]


ASKED: list[tuple[str, Callable[[Session, Sample], None]]] = [
    ("answered", lambda session, row: change(session, Sample, row.id, state=SampleState.ANSWERED)),
    ("given up", lambda session, row: change(session, Sample, row.id, state=SampleState.GAVE_UP)),
    ("spent", lambda session, row: change(session, Sample, row.id, inference_attempts=MAX_INFERENCE_ATTEMPTS)),
    ("not due", lambda session, row: change(session, Sample, row.id, not_before=NOW + MOMENT)),
    ("replaced", lambda session, row: change(session, ProblemVersion, row.problem_version_id, in_use=False)),
]


@pytest.mark.parametrize("keep_away", [case[1] for case in ASKED], ids=[case[0] for case in ASKED])
def test_one_reason_keeps_a_sample_from_being_asked(
    session: Session, keep_away: Callable[[Session, Sample], None]
) -> None:
    row = first(session)
    assert len(claimable(session)) == 2
    keep_away(session, row)
    assert row.id not in claimable(session)
    assert len(claimable(session)) == 1
    change(session, Run, row.run_id, state=RunState.PAUSED)
    assert claimable(session) == []
    assert plan.sweep(session, NOW).endpoints == ()


def test_of_what_is_held_is_asked_on_what_was_public(session: Session) -> None:
    row = first(session)
    for flags, asks in (({}, False), ({"said": "accepted programs disagree"}, True)):
        change(session, Problem, row.problem_id, state=ProblemState.HELD, hold_reason="so", audit_flags=flags)
        assert (row.id in claimable(session)) is asks


def test_a_sample_is_asked_at_its_own_endpoint(session: Session) -> None:
    standing(session, "orion")
    ids = claimable(session)
    assert len(ids) == 2
    assert len({session.get_one(Sample, number).run_id for number in ids}) == 1
    change(session, Sample, ids[0], not_before=NOW, inference_attempts=MAX_INFERENCE_ATTEMPTS - 1)
    assert claimable(session) == ids, "what is due at this very moment, and has one attempt left"


def test_a_stopped_or_taken_endpoint_is_not_due(session: Session) -> None:
    [endpoint] = plan.sweep(session, NOW).endpoints
    change(session, Endpoint, endpoint, lease_token="x", lease_until=NOW + MOMENT)
    assert plan.sweep(session, NOW).endpoints == ()
    assert inference.open_slice(session, endpoint, NOW, LEASE, VAULT) is None
    assert plan.sweep(session, NOW + MOMENT).endpoints == (endpoint,)
    assert endpoint_rotation.claim_endpoint(session, endpoint, new_lease(NOW, LEASE), NOW + MOMENT) is not None
    change(session, Endpoint, endpoint, lease_token=None, lease_until=None, stopped_at=NOW)
    assert plan.sweep(session, NOW).endpoints == ()
    assert endpoint_rotation.claim_endpoint(session, endpoint, new_lease(NOW, LEASE), NOW) is None


JUDGED: list[tuple[str, Callable[[Session, Sample], None]]] = [
    ("pending", lambda session, row: change(session, Sample, row.id, state=SampleState.PENDING)),
    ("graded", lambda session, row: change(session, Sample, row.id, state=SampleState.GRADED)),
    ("spent", lambda session, row: change(session, Sample, row.id, grading_attempts=MAX_GRADING_ATTEMPTS)),
    ("not due", lambda session, row: change(session, Sample, row.id, not_before=NOW + MOMENT)),
    ("held", lambda session, row: change(session, Problem, row.problem_id, state=ProblemState.HELD, hold_reason="so")),
    ("withdrawn", lambda session, row: change(session, Problem, row.problem_id, state=ProblemState.WITHDRAWN)),
]


@pytest.mark.parametrize("keep_away", [case[1] for case in JUDGED], ids=[case[0] for case in JUDGED])
def test_one_reason_keeps_an_answer_from_being_judged(
    session: Session, keep_away: Callable[[Session, Sample], None]
) -> None:
    assert answer_all(session) == 2
    row = first(session)
    both = judgeable(session)
    assert len(both) == 2
    keep_away(session, row)
    assert judgeable(session) == [both[1]]
    waiting = plan.sweep(session, NOW).grading
    assert waiting == (2 if row.state == SampleState.ANSWERED and row.grading_attempts else 1)


def test_a_judge_error_waits_before_it_is_tried_again(session: Session) -> None:
    answer_all(session)
    job = grade.claim(session, NOW, LEASE, LANGUAGES)
    assert job is not None
    assert grade.record(session, job, result(Verdict.JUDGE_ERROR, "no memory"), NOW)
    assert job.sample_id not in judgeable(session)
    row = session.get_one(Sample, job.sample_id)
    assert (row.state, row.error, row.error_owner) == (SampleState.ANSWERED, "no memory", "us")
    assert row.not_before == NOW + grade.JUDGE_ERROR_PAUSE


@pytest.mark.parametrize("state", [SampleState.INFERRING, SampleState.GRADING])
def test_a_lease_runs_out_after_its_last_moment_and_frees_only_its_own_row(session: Session, state: str) -> None:
    if state == SampleState.GRADING:
        answer_all(session)
        jobs = [grade.claim(session, NOW, LEASE, LANGUAGES), grade.claim(session, NOW + LEASE, LEASE, LANGUAGES)]
        back = SampleState.ANSWERED
        ids = [job.sample_id for job in jobs if job is not None]
    else:
        [endpoint] = plan.sweep(session, NOW).endpoints
        ids = claimable(session)
        back = SampleState.PENDING
        samples.claim_for_inference(session, endpoint, new_lease(NOW, LEASE), NOW, 1)
        samples.claim_for_inference(session, endpoint, new_lease(NOW + LEASE, LEASE), NOW, 1)
    samples.expire_leases(session, NOW + LEASE)
    session.expire_all()
    assert [session.get_one(Sample, number).state for number in ids] == [state, state]
    moved = samples.expire_leases(session, NOW + LEASE + MOMENT)
    session.expire_all()
    assert moved == {"gave_up": 0, "pending": 0, "stuck": 0, "answered": 0} | {str(back): 1}
    one, other = (session.get_one(Sample, number) for number in ids)
    assert (one.state, one.lease_token) == (back, None)
    assert (other.state, other.lease_token is None) == (state, False)


def test_patience_is_of_the_unanswered_sample_that_is_asked(session: Session) -> None:
    """Neither what was first tried lately, nor an answer, nor a paused run or stopped endpoint is given up."""
    old, fresh = (row.id for row in session.scalars(select(Sample).order_by(Sample.id)))
    late = NOW + RETRY_POLICY.span + MOMENT
    change(session, Sample, old, first_tried_at=NOW)
    change(session, Sample, fresh, first_tried_at=NOW + 2 * MOMENT)
    run, endpoint = session.scalars(select(Run)).one(), session.scalars(select(Endpoint)).one()
    for table, row, values in (
        (Sample, old, ({"state": SampleState.ANSWERED}, {"state": SampleState.PENDING})),
        (Run, run.id, ({"state": RunState.PAUSED}, {"state": RunState.ACTIVE})),
        (Endpoint, endpoint.id, ({"stopped_at": NOW}, {"stopped_at": None})),
    ):
        change(session, table, row, **values[0])
        assert sample_failures.give_up_overdue(session, late) == 0
        change(session, table, row, **values[1])
    assert sample_failures.give_up_overdue(session, late) == 1
    session.expire_all()
    assert session.get_one(Sample, old).state == SampleState.GAVE_UP
    assert session.get_one(Sample, fresh).state == SampleState.PENDING


def test_patience_starts_afresh_for_the_unanswered_of_one_run(session: Session) -> None:
    standing(session, "orion")
    session.execute(update(Sample).values(first_tried_at=NOW, not_before=NOW + MOMENT))
    mine = first(session)
    change(session, Sample, mine.id, state=SampleState.ANSWERED)
    sample_failures.reset_patience_of_run(session, mine.run_id)
    session.expire_all()
    rows = session.scalars(select(Sample))
    assert {(row.run_id == mine.run_id, row.state, row.first_tried_at) for row in rows} == {
        (True, SampleState.ANSWERED, NOW),
        (True, SampleState.PENDING, None),
        (False, SampleState.PENDING, NOW),
    }


def test_answers_are_judged_again_by_tests_that_have_not_judged_them(session: Session) -> None:
    """Graded ones of that problem alone, unless a verdict of these very tests counts."""
    answer_all(session)
    assert judge_one(session, Verdict.WRONG_ANSWER)
    assert judge_one(session, Verdict.WRONG_ANSWER)
    row = first(session)
    tests = session.get_one(Problem, row.problem_id).current_test_set_id
    assert tests is not None
    assert samples.judge_again(session, row.problem_id, tests) == 0
    assert samples.judge_again(session, row.problem_id, tests + 1000) == 1
    session.expire_all()
    assert [row.state for row in session.scalars(select(Sample).order_by(Sample.id))] == [
        SampleState.ANSWERED,
        SampleState.GRADED,
    ]
    change(session, Sample, row.id, state=SampleState.GRADED)
    session.execute(update(VerdictRow).where(VerdictRow.sample_id == row.id).values(counts=False))
    assert samples.judge_again(session, row.problem_id, tests) == 1, "a verdict that does not count is none"
    change(session, Sample, row.id, state=SampleState.GAVE_UP)
    assert samples.judge_again(session, row.problem_id, tests) == 0, "what gave no answer has nothing to judge"


def test_a_new_verdict_counts_alone_among_those_of_its_tests(sessions: SessionMaker) -> None:
    with sessions() as session:
        imports.store_batch(session, batch(problem(0)), NOW)
        standing(session, "tern")
        answer_all(session)
        assert judge_one(session, Verdict.WRONG_ANSWER)
        change(session, Sample, first(session).id, state=SampleState.ANSWERED)
        job = grade.claim(session, NOW, LEASE, LANGUAGES)
        assert job is not None
        assert grade.record(session, job, replace(result(Verdict.ACCEPTED), grader_revision="2-test"), NOW)
        session.expire_all()
        verdicts = session.execute(select(VerdictRow.verdict, VerdictRow.counts).order_by(VerdictRow.id))
        assert [tuple(row) for row in verdicts] == [(Verdict.WRONG_ANSWER, False), (Verdict.ACCEPTED, True)]


PLANNED: list[tuple[str, Callable[[Session, Problem], None]]] = [
    ("held", lambda session, row: change(session, Problem, row.id, state=ProblemState.HELD, hold_reason="so")),
    ("withdrawn", lambda session, row: change(session, Problem, row.id, state=ProblemState.WITHDRAWN)),
    ("canary", lambda session, row: change(session, Problem, row.id, canary=True)),
    ("another form", lambda session, row: of_texts(session, row, form=Form.UNITTEST)),
    ("no text in use", lambda session, row: of_texts(session, row, in_use=False)),
    ("another language", lambda session, row: of_texts(session, row, locale="xx", only="en")),
    ("before the window", lambda session, row: window(session, start=row.released_on + MOMENT)),  # type: ignore[operator]
    ("after the window", lambda session, row: window(session, end=row.released_on)),
    ("a paused run", lambda session, row: change(session, Run, the_run(session).id, state=RunState.PAUSED)),
    ("a run without an endpoint", lambda session, row: change(session, Run, the_run(session).id, endpoint_id=None)),
]


def the_run(session: Session) -> Run:
    return session.scalars(select(Run)).one()


def of_texts(session: Session, row: Problem, only: str | None = None, **values: object) -> None:
    texts = update(ProblemVersion).where(ProblemVersion.problem_id == row.id)
    with facts_may_change(session):
        session.execute((texts if only is None else texts.where(ProblemVersion.locale == only)).values(**values))


def window(session: Session, **bounds: Any) -> None:
    change(session, Run, the_run(session).id, **{f"window_{name}": value for name, value in bounds.items()})


@pytest.mark.parametrize("keep_away", [case[1] for case in PLANNED], ids=[case[0] for case in PLANNED])
def test_one_reason_keeps_a_problem_from_being_planned(
    session: Session, keep_away: Callable[[Session, Problem], None]
) -> None:
    imports.store_batch(session, batch(problem(2)), NOW)
    row = session.scalars(select(Problem).order_by(Problem.id.desc()).limit(1)).one()
    assert row.state == ProblemState.PUBLISHED
    keep_away(session, row)
    session.flush()
    plan.plan_samples(session, NOW)
    assert session.scalars(select(Sample).where(Sample.problem_id == row.id)).all() == []


def test_a_run_is_planned_to_the_edges_of_its_window_and_once(sessions: SessionMaker) -> None:
    with sessions() as session:
        imports.store_batch(session, batch(), NOW)
        standing(session, "tern", "orion")
        imports.store_batch(session, batch(problem(0)), NOW)
        row = session.scalars(select(Problem)).one()
        assert row.released_on is not None
        session.execute(update(Run).values(window_start=row.released_on, window_end=row.released_on + MOMENT))
        session.expire_all()
        assert plan.plan_samples(session, NOW) == 2
        assert plan.plan_samples(session, NOW) == 0, "nothing is wanted twice"
        assert len(set(session.scalars(select(Sample.run_id)))) == 2
        session.execute(delete(Sample).where(Sample.run_id == session.scalar(select(func.max(Run.id)))))
        assert plan.plan_samples(session, NOW) == 1, "what one run has says nothing of the other"


def test_what_is_planned_of_some_items_says_nothing_of_the_others(session: Session) -> None:
    run, problems = the_run(session), session.scalars(select(Problem).order_by(Problem.id)).all()
    sizes = {row.current_version_id or 0: 3 for row in problems[:1]}
    lacking = planning.missing_items(session, [run], HOUSE, scenarios()["codegen"], sizes, NOW)[run.id]
    assert [(item.problem, item.item) for item in lacking] == [(problems[0].id, 1), (problems[0].id, 2)]
    unnamed = planning.missing_items(session, [run], HOUSE, scenarios()["execution"], {}, NOW)
    session.execute(delete(Sample))
    assert unnamed == planning.missing_items(session, [run], HOUSE, scenarios()["execution"], {}, NOW) == {run.id: []}


def test_an_answer_that_lacks_among_several_is_planned(sessions: SessionMaker) -> None:
    with sessions() as session:
        imports.store_batch(session, batch(problem(0)), NOW)
        standing(session, "tern", protocol=replace(HOUSE, slug="many", sampling=replace(HOUSE.sampling, n=3)))
        session.execute(delete(Sample).where(Sample.ordinal == 1))
        assert plan.plan_samples(session, NOW) == 1
        assert session.scalars(select(Sample.ordinal).order_by(Sample.ordinal)).all() == [0, 1, 2]


def test_a_protocol_of_named_sources_asks_no_other(sessions: SessionMaker) -> None:
    with sessions() as session:
        covers = replace(HOUSE.covers, sources=("elsewhere",))
        protocol = replace(HOUSE, slug="elsewhere-only", covers=covers)
        imports.store_batch(session, batch(problem(0)), NOW)
        standing(session, "tern", protocol=protocol)
        assert session.scalars(select(Sample)).all() == []
        run = the_run(session)
        assert planning.missing_items(session, [run], protocol, scenarios()["codegen"], {}, NOW) == {run.id: []}
        here = replace(protocol, covers=replace(covers, sources=("house",)))
        assert len(planning.missing_items(session, [run], here, scenarios()["codegen"], {}, NOW)[run.id]) == 1


def test_answers_are_judged_as_planned_or_those_to_the_newest_problem_first(session: Session) -> None:
    standing(session, "orion")
    answer_all(session)
    [(last, problem_id)] = session.execute(
        select(Sample.id, Sample.problem_id).order_by(Sample.id.desc()).limit(1)
    ).all()
    change(session, Problem, problem_id, released_on=NOW.date())
    rows = {row.id: row.problem_id for row in session.scalars(select(Sample))}

    def claimed(turn: GradingOrder) -> int:
        lease = new_lease(NOW, LEASE)
        [found] = samples.claim_for_grading(session, lease, NOW, GradingFilter(LANGUAGES), turn=turn)
        return found.id

    assert claimed(GradingOrder.PLANNED) == min(rows)
    of_newest = sorted(number for number in rows if rows[number] == problem_id and number != min(rows))
    assert [claimed(GradingOrder.NEWEST) for _ in of_newest] == of_newest
    assert last in of_newest
    assert rows[claimed(GradingOrder.NEWEST)] != problem_id, "and then the others"


def test_no_protocol_waits_until_all_others_are_judged(session: Session) -> None:
    imports.store_batch(session, batch(problem(2)), NOW)
    plan.plan_samples(session, NOW)
    standing(session, "tern", protocol=replace(HOUSE, slug="house-later"))
    answer_all(session)
    mine = {row.id: row.run_id for row in session.scalars(select(Sample))}
    first, later = (
        [number for number in sorted(mine) if mine[number] == run] for run in sorted(set(mine.values()))
    )  # fmt: skip
    assert max(first) < min(later)
    assert len(first) == len(later) > 1

    def claimed() -> int:
        lease = new_lease(NOW, LEASE)
        [found] = samples.claim_for_grading(session, lease, NOW, GradingFilter(LANGUAGES), turn=GradingOrder.FEWEST)
        return found.id

    for number in later[:2]:
        change(session, Sample, number, state=SampleState.GRADED)
    assert claimed() == first[0], "under which nothing is judged yet"
    change(session, Sample, first[0], state=SampleState.GRADED)
    assert claimed() == later[2], "of which the fewest wait"
    assert [claimed() for _ in first[1:]] == first[1:], "and then the others"
