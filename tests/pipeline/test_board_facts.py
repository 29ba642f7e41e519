"""Which problems, runs and cells a board is made of, condition by condition."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from factories import World
from sqlalchemy import func, select, update
from support.facts import facts_may_change

from app.db.boards import cells
from app.db.boards.cells import ProtocolFact
from app.db.kernel.session import Session
from app.db.runs import speeds
from app.db.tables import CellRow, DirtyCell, Model, Problem, ProblemVersion, Run, Setter
from app.domain.asking.protocols import HOUSE, LCB, LCB_RECORDED, Protocol
from app.domain.composites.ease import EASE_SCALE_PREFIX
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Form, Level
from app.domain.states import ProblemState, RunOrigin, RunState, SampleState


@pytest.fixture
def world(session: Session) -> World:
    return World(session)


def fact(world: World, protocol: Protocol = HOUSE) -> ProtocolFact:
    world.protocol_row(protocol)
    row = cells.protocol(world.session, protocol.slug)
    assert row is not None
    return row


def slugs(world: World, protocol: Protocol = HOUSE) -> list[str]:
    return [problem.slug for problem in cells.problems(world.session, fact(world, protocol))]


def change(world: World, table: type[Any], problem_id: int, **values: object) -> None:
    column = table.problem_id if hasattr(table, "problem_id") else table.id
    world.session.execute(update(table).where(column == problem_id).values(**values))
    world.session.expire_all()


LEFT_OUT: list[tuple[str, type[Any], dict[str, object]]] = [
    ("held", Problem, {"state": ProblemState.HELD, "hold_reason": "so"}),
    ("withdrawn", Problem, {"state": ProblemState.WITHDRAWN}),
    ("canary", Problem, {"canary": True}),
    ("another language", ProblemVersion, {"locale": "zh"}),
    ("another form", ProblemVersion, {"form": Form.UNITTEST}),
    ("a replaced text", ProblemVersion, {"in_use": False}),
]


@pytest.mark.parametrize(("table", "values"), [case[1:] for case in LEFT_OUT], ids=[case[0] for case in LEFT_OUT])
def test_one_reason_keeps_a_problem_off_the_board(world: World, table: type[Any], values: dict[str, object]) -> None:
    world.problem("a")
    left_out = world.problem("b")
    world.problem("c", source="elsewhere")
    assert slugs(world) == ["house/a", "house/b"], "another source is another board's"
    with facts_may_change(world.session):
        change(world, table, left_out.id, **values)
    assert slugs(world) == ["house/a"]


@pytest.mark.parametrize("protocol", [LCB, LCB_RECORDED])
def test_a_board_of_files_has_the_problems_of_its_own_files(world: World, protocol: Protocol) -> None:
    """In any state but withdrawn where results were imported; published where answers are judged here."""
    inside, held, withdrawn, of_others = (world.problem(name) for name in "abcd")
    add: Callable[[Run, Problem], object] = (
        (lambda run, problem: world.imported(run, problem, 1, 1)) if protocol.imported else world.answer
    )
    mine = world.run("orion", protocol=protocol, origin=RunOrigin.IMPORTED)
    for problem in (inside, held, withdrawn):
        add(mine, problem)
    other = world.run("tern", protocol=HOUSE)
    world.imported(other, of_others, 1, 1)
    world.answer(other, of_others)
    change(world, Problem, held.id, state=ProblemState.HELD, hold_reason="so")
    change(world, Problem, withdrawn.id, state=ProblemState.WITHDRAWN)
    assert slugs(world, protocol) == (["house/a", "house/b"] if protocol.imported else ["house/a"])
    board = fact(world, protocol)
    change_run = update(Run).where(Run.id == mine.id).values(public=False)
    assert cells.file_problems(world.session, board)[mine.id] == {inside.id, held.id, withdrawn.id}
    world.session.execute(change_run)
    assert cells.file_problems(world.session, board) == {}
    assert cells.file_problems(world.session, fact(world)) == {}


def test_a_private_run_is_on_no_board_and_is_counted(world: World) -> None:
    problem = world.problem("a")
    public, private = world.run("orion"), world.run("tern", public=False)
    elsewhere = world.run("pipit", protocol=LCB_RECORDED)
    for run in (public, private, elsewhere):
        world.answer(run, problem)
    world.count()
    board, session = fact(world), world.session
    assert [run.fact.id for run in cells.public_runs(session, board)] == [public.id]
    assert cells.public_models(session, board.id) == {"orion"}
    assert [cell.run for cell in cells.changed_cells(session, board.id, 0)] == [public.id]
    assert [number for part in cells.all_cells(session, board.id) for number in part[0].tolist()] == [public.id]
    assert cells.unpublished_variants(session, board.id) == {"tern": 1}
    assert {protocol.slug for protocol in cells.protocols(session)} == {HOUSE.slug, LCB_RECORDED.slug}
    world.session.execute(update(Run).where(Run.id == public.id).values(state=RunState.RETIRED))
    world.session.execute(update(Run).where(Run.id == elsewhere.id).values(public=False))
    world.session.expire_all()
    assert cells.protocols(session) == [], "a board needs a run that is public and not retired"
    [retired] = cells.public_runs(session, board)
    assert retired.gone, "what was public stays readable"


def test_only_cells_of_a_later_revision_have_changed(world: World) -> None:
    first, second = (world.problem(name, day=date(2026, 6, day)) for day, name in enumerate("ab", 1))
    run = world.run("orion")
    world.answer(run, first)
    world.count()
    board = fact(world)
    before = world.session.scalars(select(func.max(CellRow.revision))).one()
    world.answer(run, second, Verdict.WRONG_ANSWER)
    world.session.add(DirtyCell(run_id=run.id, problem_id=second.id, item=0))
    world.aggregate()
    assert [cell.problem for cell in cells.changed_cells(world.session, board.id, before)] == [second.id]
    assert {cell.problem for cell in cells.changed_cells(world.session, board.id, 0)} == {first.id, second.id}


def test_what_answers_took_is_unknown_where_one_does_not_say(world: World) -> None:
    problem, other = world.problem("a"), world.problem("b")
    run = world.run("orion")
    world.answer(run, problem, tokens_cached=10)
    unanswered = world.answer(run, other, verdict=None, state=SampleState.INFERRING, answered_at=None)
    [usage] = speeds.usage(world.session, [run.id])
    assert (usage.problems, usage.answers, usage.tokens.input, usage.tokens.cached) == (1, 1, 100, 10)
    unanswered.answered_at = world.now
    [usage] = speeds.usage(world.session, [run.id])
    assert (usage.problems, usage.answers, usage.tokens.input, usage.tokens.cached) == (2, 2, 200, None)


def test_what_a_model_writes_as_a_setter_is_no_variant_of_it(world: World) -> None:
    problem, orion = world.problem("a"), world.run("orion")
    writes = world.run(world.session.get_one(Model, orion.model_id), public=False, trial=2)
    for run in (orion, writes):
        world.answer(run, problem)
    world.count()
    assert cells.unpublished_variants(world.session, fact(world).id) == {"orion": 1}
    world.session.add(Setter(name="one", vendor="Vendor", run_id=writes.id, added_at=world.now))
    world.session.flush()
    assert cells.unpublished_variants(world.session, fact(world).id) == {}


def test_the_newest_difficulty_counts_and_no_ease_that_was_measured_here(world: World) -> None:
    problem = world.problem("a", level=1)
    world.now += timedelta(days=1)
    world.difficulty(problem, "level", 3)
    world.difficulty(problem, f"{EASE_SCALE_PREFIX}codegen", 1)
    assert cells.levels(world.session) == {problem.id: Level.HARD}


@pytest.mark.parametrize(("protocol", "cluster"), [(LCB, "house:2026-05-01"), (LCB_RECORDED, "house:c1")])
def test_results_of_others_stand_together_by_the_day_and_owe_our_tests_nothing(
    world: World, protocol: Protocol, cluster: str
) -> None:
    problem = world.problem("a", day=date(2026, 5, 1), contest="c1")
    run = world.run("orion", protocol=protocol, origin=RunOrigin.IMPORTED)
    world.answer(run, problem)
    world.imported(run, problem, 1, 1)
    [found] = cells.problems(world.session, fact(world, protocol))
    assert (found.cluster, found.tests is None) == (cluster, protocol.imported)


def test_what_gave_up_or_is_stuck_is_waited_for_by_nobody(world: World) -> None:
    problem, run = world.problem("a"), world.run("orion")
    for ordinal, state in enumerate((SampleState.GAVE_UP, SampleState.STUCK, SampleState.ANSWERED)):
        world.answer(run, problem, None, ordinal=ordinal, state=state)
    world.count()
    [cell] = cells.changed_cells(world.session, fact(world).id, 0)
    assert (cell.n, cell.c, cell.pending, cell.judge_errors) == (0, 0, 1, 1)
