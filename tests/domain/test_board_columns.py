"""The columns and tables that a board has of its own: which are shown, of whose scores, and over which problems."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from support.board_worlds import FIRST, problem, run

from app.domain.boards.board import Board, BoardQuery, BoardRow, Exposure, GroupScore, GroupTable
from app.domain.boards.lineup import Lineup
from app.domain.boards.named import Grouping, Part, boards, columns_empty, columns_shown, extra, marks_shown
from app.domain.boards.named._groups import tables
from app.domain.boards.named._paired import Side, paired
from app.domain.boards.ranking import rank_board
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell, RunFact
from app.domain.scenarios import unranked


def row(model: str, score: float | None, tuned_from: str = "") -> BoardRow:
    fact = replace(run(1, model=model), tuned_from=tuned_from)
    return BoardRow(fact, 1, 1, 1, 1, 1, score, 0.0, 100.0, 4, 4, 1.0, 0, provisional=False)


def codegen(*rows: BoardRow) -> Board:
    parts = {"base": {("orion-base", ""): 30.0, ("lyra", ""): 1.0}}
    return Board(BoardQuery(), 4, {}, {}, rows, parts=parts)


def test_a_base_model_is_compared_with_what_was_tuned_from_it() -> None:
    board = codegen(row("orion", 50.0, "orion-base"), row("lyra", 60.0), row("vega", None, "orion-base"))
    none = {"size_b": None, "base": None, "tuning": None}
    assert extra(board) == [none | {"base": 30.0, "tuning": 20.0}, none, none | {"base": 30.0}]
    assert [column.name for column in columns_shown(board)] == ["base", "tuning"]
    assert {lack: [column.name for column in empty] for lack, empty in columns_empty(board).items()} == {
        "answers": ["size_b"]
    }


def test_a_board_without_rows_shows_every_column() -> None:
    assert [column.name for column in columns_shown(codegen())] == ["size_b", "base", "tuning"]
    assert columns_empty(codegen()) == {}


def test_what_people_solved_stands_beside_scores_of_the_same_tasks_alone() -> None:
    marks = marks_shown(BoardQuery(board="bigcode", protocol="bcb-complete"))
    assert [(mark.name, mark.value) for mark in marks] == [("people", 97.0)]
    assert marks_shown(BoardQuery(board="bigcode", protocol="house-bcb-complete")) == ()


def test_only_a_score_over_all_problems_is_whole() -> None:
    parts = Part("p", "slug"), Part("p", "slug", tag="t"), Part("p", "slug", adjusted=True), Part("p", "slug", k=5)
    assert [part.is_whole for part in parts] == [True, False, False, False]


def test_what_is_not_ranked_has_no_board() -> None:
    assert not boards().keys() & unranked()


PROBLEMS = [problem(number, day=number) for number in range(1, 5)]
SPLIT = BoardQuery(exposure=Exposure.SPLIT)


def side(cells: list[Cell], fact: RunFact, query: BoardQuery = SPLIT) -> Side:
    cube, lineup = Cube.build(PROBLEMS, [fact], cells, 1), Lineup.of([fact])
    return Side(rank_board(cube, lineup, query), cube, lineup)


def table(given: Side, of: Mapping[int, tuple[str, ...] | None]) -> GroupTable:
    grouping = Grouping("g", {}, {}, lambda problem, _about: of[problem.id], ks=(1,))
    return tables(given.board, given.cube, given.lineup, [grouping], {})["g"]


def test_groups_of_a_split_row_are_over_its_clean_problems() -> None:
    """It may have seen the first two; the third is in two groups, the fourth in none."""
    fact = run(1, cutoff=FIRST + timedelta(days=2))
    cells = [Cell(1, number, 2, c) for number, c in ((1, 2), (2, 2), (3, 1), (4, 0))]
    groups = {1: ("a",), 2: ("b",), 3: ("a", "b"), 4: None}
    found = table(side(cells, fact), groups)
    assert found.scores[1] == {"a": GroupScore(1, (50.0,)), "b": GroupScore(1, (50.0,))}
    assert (found.sizes, found.unplaced) == ({"a": 2, "b": 2}, 1)
    assert list(found.problems) == ["atcoder/1", "atcoder/2", "atcoder/3"]
    whole = table(side(cells, fact, BoardQuery()), groups)
    assert whole.scores[1] == {"a": GroupScore(2, (75.0,)), "b": GroupScore(2, (75.0,))}


def test_rates_are_in_no_group() -> None:
    """More than a thousand answers stand for a rate, of which nothing is drawn."""
    cells = [Cell(1, number, 1001, 7) for number in range(1, 5)]
    assert table(side(cells, run(1)), dict.fromkeys(range(1, 5), ("a",))).scores[1] == {"a": GroupScore(0, (None,))}


@pytest.mark.parametrize(("query", "expected"), [(SPLIT, (-50.0, 2)), (BoardQuery(), (0.0, 4))])
def test_gaps_are_over_what_both_judged_and_the_model_cannot_have_seen(
    query: BoardQuery, expected: tuple[float, int]
) -> None:
    fact = run(1, model="orion", cutoff=FIRST + timedelta(days=2))
    one = side([Cell(1, number, 2, c) for number, c in ((1, 2), (2, 2), (3, 1), (4, 0))], fact, query)
    other = side([Cell(1, number, 2, 1 + number // 4) for number in range(1, 5)], fact, query)
    found = paired(one, other)
    assert {key: (gap.mean, gap.n) for key, gap in found.items()} == {("orion", ""): expected}


def test_what_has_nothing_in_common_has_no_gap() -> None:
    fact = run(1, model="orion")
    one, other = ([Cell(1, number, 1, 1) for number in numbers] for numbers in ((1, 2), (3, 4)))
    assert paired(side(one, fact), side(other, fact)) == {}
    high = run(1, model="orion", configuration="high")
    assert paired(side(one, fact), side(one, high)) == {}, "nor has what is configured otherwise"
    assert np.isfinite(paired(side(one, fact), side(one, fact))["orion", ""].mean)
