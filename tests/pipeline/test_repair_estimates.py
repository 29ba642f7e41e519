"""The estimate of a repair board whose run is not complete: about what failed first, and the same by every door."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pipeline.flow import LANGUAGES, LEASE, NOW, answer_all, offer, result
from pipeline.test_board_from_file import Door
from sqlalchemy import select, update
from support.batches import batch, problem
from support.commands import tidemark
from support.files import write

from app.config import Settings
from app.db.boards.cells import ProtocolFact
from app.db.kernel.session import Session
from app.db.tables import Problem, ProtocolRow, Run, Sample
from app.domain.asking.protocols import HOUSE
from app.domain.boards.board import ScoreInterval
from app.domain.boards.lineup import Lineup
from app.domain.cube.cube import Cube
from app.domain.judging.verdicts import Verdict
from app.domain.scenarios import shipped_protocols
from app.domain.scenarios.self_repair import SCENARIO
from app.domain.states import SampleState
from app.services.boards import board_views
from app.services.boards.board_views import earlier_answers
from app.services.boards.cubes import CubeStore, LoadedProtocol
from app.services.boards.query import parse_query
from app.services.runs import cell_updates, grade, imports, plan
from workers.context import Context

REPAIR = SCENARIO.protocols[0]
SIZE, AGAIN = 20, 5


def judge(session: Session, passes: Callable[[int], bool], most: int) -> int:
    """Judge so many answers, which pass by the number of their problem; returns how many there were."""
    for judged in range(most):
        job = grade.claim(session, NOW, LEASE, LANGUAGES)
        if job is None:
            return judged
        number = int(session.get_one(Problem, session.get_one(Sample, job.sample_id).problem_id).external_id[4:])
        verdict = Verdict.ACCEPTED if passes(number) else Verdict.WRONG_ANSWER
        assert grade.record(session, job, result(verdict), NOW)
    return most


def fill(session: Session) -> None:
    """Half of the first answers pass; of the other half a few are asked again and judged, and one of these passes."""
    imports.store_batch(session, batch(*(problem(number) for number in range(SIZE))), NOW)
    for protocol in (HOUSE, REPAIR):
        plan.register_demo(session, (offer("tern"),), protocol, NOW)
    plan.plan_samples(session, NOW)
    assert answer_all(session) == SIZE
    assert judge(session, lambda number: number % 2 == 0, SIZE) == SIZE
    plan.plan_samples(session, NOW)
    assert answer_all(session) == SIZE // 2
    mended = iter([True])
    assert judge(session, lambda _number: next(mended, False), AGAIN) == AGAIN
    while cell_updates.update_changed_cells(session):
        pass


def test_a_row_that_lacks_what_failed_first_is_not_taken_for_the_whole(
    ctx: Context,
    settings: Settings,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ctx.commit(fill)
    door, words = Door(capsys, monkeypatch, tmp_path), ("--protocol", REPAIR.slug)
    (row,) = json.loads(door.asked(settings, "board", "repair", "--json", *words))["rows"]
    assert (row["n_problems"], row["coverage"], row["pending"]) == (15, 0.75, 5)
    assert row["score"] == pytest.approx(100 * 11 / 15)
    estimate = row["estimate"]
    assert estimate["score"] == pytest.approx(60, abs=1.5), "half, and a fifth of the other half"
    assert estimate["ci_lo"] < 55 < estimate["ci_hi"]
    shown = "estimate {score:.1f} [{ci_lo:.1f}, {ci_hi:.1f}] on all".format(**estimate)
    assert shown in door.asked(settings, "board", "repair", *words)
    cells = write(tmp_path, "cells.jsonl", tidemark(settings, "export", "cells").stdout)
    (again,) = door.board(cells, *words, board="repair")["rows"]
    assert again["estimate"] == pytest.approx(estimate)


def nothing_under(slug: str) -> LoadedProtocol:
    """A shipped protocol that nobody has run."""
    scope, cube = shipped_protocols()[slug], Cube.build([], [], [], 0)
    return LoadedProtocol(ProtocolFact(0, slug, scope.title, scope), 0, Lineup.of([]), {}, {}, (), {}, cube)


@pytest.mark.parametrize(
    ("slug", "continued"),
    [
        ("house", 0), ("house-code3", 0), ("house-codeelo", 0), ("house-tools-0", 0), ("house-repair", 1),
        ("house-repair-2", 2), ("fresh-repair-4", 4),
        ("codeelo-4k", 0), ("house-codeelo-open", None), ("house-tools-1", None), ("house-tools-2", None),
        ("house-execution", None), ("house-execution-input", None), ("house-test-output", None),
        ("house-review", None), ("house-bug-fix", None), ("lcb-recorded", None),
    ],
)  # fmt: skip
def test_each_protocol_says_which_answers_decide_what_is_missing(slug: str, continued: int | None) -> None:
    found = earlier_answers(nothing_under(slug), nothing_under)
    assert (None if found is None else len(found)) == continued


@pytest.mark.parametrize(
    ("board", "change"),
    [
        ("repair", {"own_failures": 1}),
        ("repair", {"state": SampleState.GAVE_UP}),
        ("codegen", {"state": SampleState.GAVE_UP}),
    ],
)
def test_a_run_whose_endpoint_failed_to_answer_has_no_estimate(
    ctx: Context, settings: Settings, tmp_path: Path, board: str, change: dict[str, object]
) -> None:
    """Whether it answers may depend on what it is asked; of a repair that may be the answer before."""

    def estimate() -> ScoreInterval | None:
        with ctx.sessions() as session:
            (row,) = board_views.board(session, parse_query([], "repair"), CubeStore(tmp_path)).rows
            return row.estimate

    def more(session: Session) -> None:
        """Three more problems, of which nothing is answered, or whose first answers failed."""
        imports.store_batch(session, batch(*(problem(SIZE + number) for number in range(3))), NOW)
        plan.plan_samples(session, NOW)
        if board == "repair":
            answer_all(session)
            judge(session, lambda _number: False, SIZE)
            plan.plan_samples(session, NOW)
        while cell_updates.update_changed_cells(session):
            pass

    def fail(session: Session) -> None:
        slug = {"repair": REPAIR, "codegen": HOUSE}[board].slug
        of_board = select(Run.id).join(ProtocolRow).where(ProtocolRow.slug == slug)
        waiting = select(Sample.id).where(Sample.run_id.in_(of_board), Sample.state == SampleState.PENDING)
        session.execute(update(Sample).where(Sample.id == waiting.limit(1).scalar_subquery()).values(**change))

    ctx.commit(fill)
    ctx.commit(more)
    assert estimate() is not None
    ctx.commit(fail)
    assert estimate() is None
