"""Rebuild equals incremental, and both equal a naive loop over verdicts."""

import random
from dataclasses import replace
from datetime import date

import pytest
from factories import World
from pipeline.flow import LANGUAGES, LEASE, NOW, VAULT, answer_all, judge_one, result, standing
from sqlalchemy import func, select, text, update
from support.batches import batch, problem, sum_tests
from support.thinned import thinned

from app.db.boards import cell_counts
from app.db.kernel.session import Session
from app.db.tables import CellRow, DirtyCell, Problem, ProblemVersion, Run, Sample, VerdictRow
from app.domain.asking.completions import FailedSample, FailureOwner, Retry
from app.domain.asking.protocols import HOUSE
from app.domain.imports import ImportedStatement
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Test
from app.domain.states import MAX_GRADING_ATTEMPTS, SampleState
from app.services.runs import cell_updates, grade, imports, inference, plan

Cells = dict[tuple[int, int, int], tuple[int, int, int, int]]


def cells(session: Session) -> Cells:
    session.expire_all()
    return {
        (row.run_id, row.problem_id, row.item): (row.n, row.c, row.pending, row.judge_errors)
        for row in session.scalars(select(CellRow))
    }


def naive(session: Session) -> Cells:
    """Loop over samples and look at each one's counting verdict, as a person with a pencil would."""
    found: dict[tuple[int, int, int], list[int]] = {}
    for sample in session.scalars(select(Sample)):
        if not session.get_one(ProblemVersion, sample.problem_version_id).in_use:
            continue
        current = session.get_one(Problem, sample.problem_id).current_test_set_id
        counting = [
            row
            for row in session.scalars(select(VerdictRow).where(VerdictRow.sample_id == sample.id))
            if row.counts and row.test_set_id == current
        ]
        cell = found.setdefault((sample.run_id, sample.problem_id, sample.item), [0, 0, 0, 0])
        cell[0] += len(counting)
        cell[1] += sum(row.verdict == Verdict.ACCEPTED for row in counting)
        cell[2] += not counting and sample.state not in (SampleState.GAVE_UP, SampleState.STUCK)
        cell[3] += sample.state == SampleState.STUCK
    return {key: (n, c, pending, errors) for key, (n, c, pending, errors) in found.items()}


def drain(session: Session) -> None:
    while cell_updates.update_changed_cells(session):
        pass


def give_up(session: Session) -> None:
    """Let every due sample of an endpoint be refused for good."""
    for endpoint_id in plan.sweep(session, NOW).endpoints:
        work = inference.open_slice(session, endpoint_id, NOW, LEASE, VAULT)
        assert work is not None
        refused = [FailedSample(each, "HTTP 400", Retry.NEVER, FailureOwner.VENDOR) for each in work.requests]
        inference.record_all(session, work, refused, NOW)
        inference.close_slice(session, work)


@pytest.mark.parametrize("seed", thinned(range(4), 4))
def test_rebuild_equals_incremental_equals_naive(session: Session, seed: int) -> None:
    """Random histories: answers, verdicts, judge errors, new tests, new and earlier texts, new problems."""
    rng = random.Random(seed)
    given = {number: problem(number) for number in range(4)}
    said: dict[int, list[str]] = {number: [each.statements["en"].text] for number, each in given.items()}
    imports.store_batch(session, batch(*given.values()), NOW)
    protocol = replace(HOUSE, slug=f"house-{seed}", sampling=replace(HOUSE.sampling, n=rng.choice([1, 3])))
    standing(session, "tern", "pipit", protocol=protocol)

    def new_tests() -> None:
        number = rng.choice(list(given))
        extra = Test(f"{rng.randrange(10**6)} 1\n", "0\n")
        given[number] = replace(given[number], tests=(*given[number].tests, extra))
        imports.store_batch(session, batch(given[number]), NOW)

    def new_text() -> None:
        number = rng.choice(list(given))
        said[number].append(rng.choice([*said[number], f"Add them again ({rng.random()})."]))
        text = ImportedStatement(f"Sum {number}", said[number][-1])
        given[number] = replace(given[number], statements={"en": text})
        imports.store_batch(session, batch(given[number]), NOW)
        plan.plan_samples(session, NOW)

    def new_problem() -> None:
        number = len(given)
        given[number] = problem(number)
        said[number] = [given[number].statements["en"].text]
        imports.store_batch(session, batch(given[number]), NOW)
        plan.plan_samples(session, NOW)

    moves = [
        lambda: answer_all(session),
        lambda: judge_one(session, rng.choice(list(Verdict)[:6])),
        lambda: judge_one(session, Verdict.ACCEPTED),
        lambda: judge_one(session, Verdict.JUDGE_ERROR),
        lambda: drain(session),
        new_tests,
        new_text,
        new_problem,
    ]
    for _step in range(40):
        rng.choices(moves, weights=[3, 8, 8, 2, 4, 1, 1, 1])[0]()
    new_problem()
    give_up(session)
    new_problem()
    answer_all(session)
    last = {"grading_attempts": MAX_GRADING_ATTEMPTS - 1}
    session.execute(update(Sample).where(Sample.state == SampleState.ANSWERED).values(last))
    judge_one(session, Verdict.JUDGE_ERROR)
    drain(session)
    ended = set(session.scalars(select(Sample.state).distinct()))
    assert {SampleState.GAVE_UP, SampleState.STUCK, SampleState.ANSWERED} <= ended

    in_use = select(ProblemVersion.statement).where(ProblemVersion.in_use, ProblemVersion.locale == "en")
    assert sorted(session.scalars(in_use)) == sorted(value.statements["en"].text for value in given.values())
    incremental = cells(session)
    assert incremental == naive(session)
    assert sum(n for n, _c, _p, _e in incremental.values()) > 0
    cell_updates.rebuild_cells(session)
    assert cells(session) == incremental


def test_many_marks_are_taken_at_once_whatever_the_planner_believes(session: Session) -> None:
    """Statistics made while there were none must not make the taking quadratic."""
    imports.store_batch(session, batch(problem(0)), NOW)
    standing(session, "orion")
    marks = text(
        "INSERT INTO dirty_cells (run_id, problem_id, item) "
        "SELECT r.id, p.id, n FROM runs r, problems p, generate_series(1, 20000) n"
    )
    session.execute(marks)
    session.execute(text("DELETE FROM dirty_cells"))
    session.execute(text("ANALYZE dirty_cells"))  # pages without a row: more pages promise no more rows
    session.execute(text("SET LOCAL statement_timeout = '10s'"))
    session.execute(marks)
    assert cell_counts.take_dirty(session, 15_000) == 15_000
    assert session.scalar(select(func.count()).select_from(DirtyCell)) == 5_000


def test_a_fault_of_the_judge_is_no_result_whoever_wrote_it_down(session: Session) -> None:
    world = World(session)
    run, posed = world.run("orion"), world.problem("p", day=date(2026, 6, 1))
    world.verdict(world.answer(run, posed, None, state=SampleState.GRADED), posed, Verdict.JUDGE_ERROR)
    cell_updates.rebuild_cells(session)
    assert {cell[:2] for cell in cells(session).values()} == {(0, 0)}


def test_an_old_text_leaves_no_cell(session: Session) -> None:
    """A new text whose samples are not planned yet takes the old cell away, in both ways of counting."""
    given = problem(0)
    imports.store_batch(session, batch(given), NOW)
    standing(session, "tern")
    answer_all(session)
    assert judge_one(session)
    drain(session)
    assert len(cells(session)) == 1
    text = {"en": ImportedStatement("Sum 0", "Another text.")}
    imports.store_batch(session, batch(replace(given, statements=text)), NOW)
    assert len(cells(session)) == 1
    drain(session)
    assert cells(session) == {}
    cell_updates.rebuild_cells(session)
    assert cells(session) == {}


@pytest.mark.parametrize("verdict", [Verdict.ACCEPTED, Verdict.WRONG_ANSWER])
def test_a_verdict_of_tests_beside_the_program_counts_whichever_way_it_ends(session: Session, verdict: Verdict) -> None:
    imports.store_batch(session, batch(problem(0)), NOW)
    standing(session, "tern")
    assert answer_all(session) == 1
    job = grade.claim(session, NOW, LEASE, LANGUAGES)
    assert job is not None
    assert grade.record(session, job, replace(result(verdict), in_process=True), NOW)
    cell_updates.update_changed_cells(session)
    assert list(cells(session).values()) == [(1, verdict is Verdict.ACCEPTED, 0, 0)]


def test_new_tests_judge_kept_answers_again(session: Session) -> None:
    """A corrected test set means regrading, never new inference; the old verdict stays as a fact.

    At once where only private runs have answers: no board that anyone sees moves.
    """
    given = problem(0)
    imports.store_batch(session, batch(given), NOW)
    standing(session, "tern")
    session.execute(update(Run).values(public=False))
    answer_all(session)
    assert judge_one(session, Verdict.WRONG_ANSWER)
    drain(session)
    assert list(cells(session).values()) == [(1, 0, 0, 0)]
    imports.store_batch(session, batch(replace(given, tests=sum_tests(5))), NOW)
    drain(session)
    assert list(cells(session).values()) == [(0, 0, 1, 0)]
    assert answer_all(session) == 0
    assert judge_one(session, Verdict.ACCEPTED)
    drain(session)
    assert list(cells(session).values()) == [(1, 1, 0, 0)]
    assert len(session.scalars(select(VerdictRow)).all()) == 2
