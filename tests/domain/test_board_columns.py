"""The columns and tables that a board has of its own: which are shown, of whose scores, and over which problems."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from support.board_worlds import FIRST, problem, run

from app.domain.boards.board import (
    Board,
    BoardQuery,
    BoardRow,
    Exposure,
    GroupScore,
    GroupTable,
    PairedGap,
    RunUsage,
)
from app.domain.boards.lineup import Lineup
from app.domain.boards.named_boards import (
    Grouping,
    GroupingFacts,
    ScorePart,
    boards,
    columns_empty,
    columns_shown,
    extra_values,
    marks_shown,
)
from app.domain.boards.named_boards._groups import group_tables
from app.domain.boards.named_boards._paired_gaps import BoardSource, paired_gaps
from app.domain.boards.ranking import rank_board
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell, RunFact
from app.domain.problems import Level
from app.domain.scenarios import unranked_scenarios


def row(model: str, score: float | None, tuned_from: str = "") -> BoardRow:
    fact = replace(run(1, model=model), tuned_from=tuned_from)
    return BoardRow(fact, 1, 1, 1, 1, 1, score, 0.0, 100.0, 4, 4, 1.0, 0, provisional=False)


def codegen(*rows: BoardRow) -> Board:
    parts = {"base": {("orion-base", ""): 30.0, ("lyra", ""): 1.0}}
    paired = {"base": {("orion", ""): PairedGap(18.0, 5.0, 31.0, 3)}}
    return Board(BoardQuery(), 4, {}, {}, rows, parts=parts, paired=paired)


def test_a_base_model_is_compared_with_what_was_tuned_from_it() -> None:
    board = codegen(row("orion", 50.0, "orion-base"), row("lyra", 60.0), row("vega", None, "orion-base"))
    none = dict.fromkeys(("size_b", "base", "tuning", "tuning_lo", "tuning_hi"))
    tuned = {"base": 30.0, "tuning": 18.0, "tuning_lo": 5.0, "tuning_hi": 31.0}
    assert extra_values(board) == [none | tuned, none, none | {"base": 30.0}]
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
    parts = (
        ScorePart("p", "slug"),
        ScorePart("p", "slug", tag="t"),
        ScorePart("p", "slug", adjusted=True),
        ScorePart("p", "slug", k=5),
    )
    assert [part.is_whole for part in parts] == [True, False, False, False]


def test_what_is_not_ranked_has_no_board() -> None:
    assert not boards().keys() & unranked_scenarios()


def test_tools_stand_beside_as_many_independent_answers() -> None:
    named, pairs = boards()["tools"], {"house-tools-0": "pass_1", "house-tools-2": "pass_3", "fresh-tools-1": "pass_2"}
    for shown, name in pairs.items():
        [part] = [part for part in named.parts if part.k and part.beside(shown) is not None]
        assert (part.name, part.beside(shown)) == (name, f"{shown.partition('-')[0]}-samples")
    [first] = [part for part in named.parts if part.name == "first"]
    found = [first.beside(f"house-tools-{runs}") for runs in range(3)]
    assert found == [None, "house-tools-0", "house-tools-0"]
    query = BoardQuery(board="tools", protocol="house-tools-2")
    parts = {"first": {("orion", ""): 20.0}, "pass_3": {("orion", ""): 70.0, ("lyra", ""): 5.0}}
    gaps = {"first": PairedGap(25.0, 1.0, 49.0, 4), "pass_3": PairedGap(-15.0, -40.0, 10.0, 4)}
    paired = {name: {("orion", ""): told} for name, told in gaps.items()}
    shown_rows = extra_values(
        Board(query, 4, {}, {}, (row("orion", 50.0), row("lyra", None)), parts=parts, paired=paired)
    )
    ends = dict.fromkeys(("gain_lo", "gain_hi", "above_lo", "above_hi"))
    assert shown_rows == [
        {"first": 20.0, "gain": 25.0, "gain_lo": 1.0, "gain_hi": 49.0,
         "independent": 70.0, "above": -15.0, "above_lo": -40.0, "above_hi": 10.0},
        {"first": None, "gain": None, "independent": 5.0, "above": None, **ends},
    ]  # fmt: skip


def test_shares_of_answers_are_percent_and_gaps_points() -> None:
    query = BoardQuery(board="bigcode", protocol="bcb-complete")
    given = row("orion", 50.0)._replace(usage=RunUsage(beside_rate=0.25, languages=(("cpp", 0.75), ("rust", 0.25))))
    parts = {"instruct": {("orion", ""): 42.0}}
    paired = {"instruct": {("orion", ""): PairedGap(7.0, 1.0, 13.0, 3)}}
    [found] = extra_values(Board(query, 4, {}, {}, (given,), parts=parts, paired=paired))
    assert found == {
        "size_b": None, "instruct": 42.0, "gap": 7.0, "gap_lo": 1.0, "gap_hi": 13.0, "uncalibrated": None,
        "beside": 25.0,
    }  # fmt: skip
    query = BoardQuery(board="codeelo", protocol="codeelo-32k")
    [found] = extra_values(Board(query, 4, {}, {}, (given,)))
    assert (found["chose_cpp"], found["chose_python"]) == (75.0, 0.0)
    [found] = extra_values(Board(query, 4, {}, {}, (row("orion", 50.0),)))
    assert (found["chose_cpp"], found["chose_python"]) == (None, None)


@pytest.mark.parametrize(
    ("demo", "level", "about", "band", "division"),
    [
        (False, Level.EASY, GroupingFacts(), None, None),
        (True, Level.EASY, GroupingFacts(), "800-1000", None),
        (True, Level.EASY, GroupingFacts(rating=1300.0, in_contest=True), "1300-3500", "everybody"),
        (False, None, GroupingFacts(rating=799.0, in_contest=True, division="Div. 2"), None, "Div. 2"),
        (False, None, GroupingFacts(rating=1000.0), "1000-1300", None),
        (True, None, GroupingFacts(rating=3500.0), "1300-3500", None),
    ],
)
def test_bands_and_divisions(
    demo: bool, level: Level | None, about: GroupingFacts, band: str | None, division: str | None
) -> None:
    """A rating counts before a level, and a level only where no site has rated the problem."""
    given, groupings = replace(problem(1, level=level), demo=demo), boards()["codeelo"].groupings
    found = {grouping.name: grouping.groups_of(given, about) for grouping in groupings}
    assert found == {
        "all": ("all",),
        "band": () if band is None else (band,),
        "division": () if division is None else (division,),
    }


PROBLEMS = [problem(number, day=number) for number in range(1, 5)]
SPLIT = BoardQuery(exposure=Exposure.SPLIT)
WHOLE = ScorePart("part", "slug")


def side(cells: list[Cell], fact: RunFact, query: BoardQuery = SPLIT) -> BoardSource:
    cube, lineup = Cube.build(PROBLEMS, [fact], cells, 1), Lineup.of([fact])
    return BoardSource(rank_board(cube, lineup, query), cube, lineup)


def table(given: BoardSource, of: Mapping[int, tuple[str, ...] | None]) -> GroupTable:
    grouping = Grouping("g", {}, {}, lambda problem, _about: of[problem.id], ks=(1,))
    return group_tables(given.board, given.cube, given.lineup, [grouping], {})["g"]


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
    found = paired_gaps(one, other, WHOLE)
    assert {key: (gap.mean, gap.n) for key, gap in found.items()} == {("orion", ""): expected}


def test_what_has_nothing_in_common_has_no_gap() -> None:
    fact = run(1, model="orion")
    one, other = ([Cell(1, number, 1, 1) for number in numbers] for numbers in ((1, 2), (3, 4)))
    assert paired_gaps(side(one, fact), side(other, fact), WHOLE) == {}
    high = run(1, model="orion", configuration="high")
    assert paired_gaps(side(one, fact), side(one, high), WHOLE) == {}, "nor has what is configured otherwise"
    assert np.isfinite(paired_gaps(side(one, fact), side(one, fact), WHOLE)["orion", ""].mean)
