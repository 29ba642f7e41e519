"""Rows beside a reference row."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from app.domain.boards.board import BoardQuery
from app.domain.boards.lineup import Lineup
from app.domain.boards.ranking import rank_board
from app.domain.cube.cube import Cube
from app.domain.cube.facts import CutoffBasis, RunFact
from app.domain.problems import Level, ProblemFact

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def _run(number: int) -> RunFact:
    return RunFact(
        id=number, model=f"m{number}", name=f"M{number}", organisation="", configuration="", trial=1, language="python",
        imported=False, demo=False, cutoff_on=None, cutoff_basis=CutoffBasis.UNKNOWN,
    )  # fmt: skip


def test_a_row_without_a_common_problem_is_no_comparison_of_the_family() -> None:
    problems = [ProblemFact(n, f"s/{n}", "s", NOON + timedelta(days=7 * n), f"s:{n}", Level.EASY) for n in range(1, 4)]
    runs = Lineup.of([_run(1), _run(2), _run(3)])
    answered = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1]])  # of each problem by each run
    right = np.array([[1, 0, 0], [1, 0, 0], [0, 0, 1]])
    cube = Cube.of_counts(problems, runs.runs, answered, right, revision=1)
    rows = rank_board(cube, runs, BoardQuery(), reference="m1").rows
    found = {row.model: row.difference for row in rows}
    assert (found["m1"], found["m3"]) == (None, None)
    assert found["m2"] is not None
    assert found["m2"].p == pytest.approx(0.5)  # the sign test's of two contests; nothing else was compared
