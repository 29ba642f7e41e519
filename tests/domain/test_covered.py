"""How much of the problems chosen a row covers, which trial of it stands there, and what that does to its place."""

from dataclasses import replace
from datetime import timedelta
from math import nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.board_worlds import FIRST, board_of, problem, run
from support.examples import examples

from app.domain.boards.board import BoardQuery, BoardRow, Exposure, LevelScore, Rules
from app.domain.boards.lineup import Lineup
from app.domain.boards.ranking import rank_board
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell, StartedBy
from app.domain.windows import Window


def test_a_row_below_95_percent_coverage_is_provisional_and_has_no_rank() -> None:
    full, most, less = [0.5] * 40, [0.9] * 38 + [nan] * 2, [1.0] * 37 + [nan] * 3
    board = board_of({1: full, 2: most, 3: less})
    assert [(row.run, row.rank, row.provisional, row.coverage) for row in board.rows] == [
        (2, 1, False, 0.95),
        (1, 2, False, 1.0),
        (3, None, True, 37 / 40),
    ]


def test_what_a_row_lacks_counts_as_failed_for_its_place_and_not_for_its_score() -> None:
    full, lucky = [1.0] * 37 + [0.0] * 3, [1.0] * 36 + [0.0] * 3 + [nan]
    rows = {row.run: row for row in board_of({1: full, 2: lucky, 3: [1.0] * 36 + [0.0] * 4}).rows}
    assert rows[2].score == pytest.approx(100 * 36 / 39)
    assert rows[1].score == 92.5
    assert [rows[number].rank for number in (1, 2, 3)] == [1, 2, 2]


def test_a_file_of_a_part_lacks_the_rest_of_what_was_imported() -> None:
    """LiveCodeBench's rules alone measure it by itself."""
    scores = {1: [1.0, 1.0, nan, nan], 2: [1.0, 1.0, nan, nan], 3: [1.0] * 4}
    wanted = {1: {1, 2, 99}, 2: np.array([2, 1, 3])}
    rows = {row.run: row for row in board_of(scores, wanted=wanted).rows}
    found = {number: (row.wanted, row.coverage, row.provisional, row.rank) for number, row in rows.items()}
    assert found == {1: (4, 0.5, True, None), 2: (4, 0.5, True, None), 3: (4, 1.0, False, 1)}
    rows = {row.run: row for row in board_of(scores, BoardQuery(rules=Rules.LCB), wanted=wanted).rows}
    found = {number: (row.wanted, row.coverage, row.provisional, row.rank) for number, row in rows.items()}
    assert found == {1: (2, 1.0, True, 1), 2: (3, 2 / 3, True, 2), 3: (4, 1.0, False, 3)}


def test_coverage_counts_answers_and_what_is_left_out_counts_as_failed_for_the_place() -> None:
    """Two of ten answers passed to each of 40 problems. A row that keeps only what passed scores 100 on them: it has no
    rank, and with a few problems so thinned it stands where it stood."""
    problems = [problem(number, day=number) for number in range(40)]

    def shown(thinned: int, query: BoardQuery = BoardQuery(), samples: int = 10) -> dict[int, BoardRow]:  # noqa: B008
        counts = {1: [(2, 2)] * thinned + [(10, 2)] * (40 - thinned), 2: [(10, 2)] * 40, 3: [(10, 2)] * 39 + [(10, 1)]}
        cells = [Cell(each, place, n, c) for each, own in counts.items() for place, (n, c) in enumerate(own)]
        runs = [run(each) for each in counts]
        found = rank_board(Cube.build(problems, runs, cells, 1), runs, query, samples=dict.fromkeys(counts, samples))
        return {row.run: row for row in found.rows}

    rows = shown(40)
    assert (rows[1].score, rows[1].coverage, rows[1].provisional, rows[1].rank) == (100.0, 0.2, True, None)
    assert (rows[2].coverage, rows[2].rank, rows[3].rank) == (1.0, 1, 2)
    rows = shown(2)
    assert rows[1].score == pytest.approx(24)
    assert rows[1].coverage == pytest.approx(0.96)
    assert not rows[1].provisional
    assert [rows[each].rank for each in (1, 2, 3)] == [1, 1, 3]
    rows = shown(2, BoardQuery(exposure=Exposure.SPLIT))
    assert [rows[each].rank for each in (1, 2, 3)] == [1, 1, 3]
    assert shown(40, BoardQuery(rules=Rules.LCB))[1].coverage == 1.0
    assert shown(40, samples=1)[1].coverage == 1.0


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8), st.integers(1, 3)), min_size=4, max_size=30), st.data())
@settings(max_examples=examples(60))
def test_no_answer_left_out_raises_a_rank(counts: list[tuple[int, int, int]], data: st.DataObject) -> None:
    """Whichever failed answers to whichever items a row leaves out, its place is no better than before."""
    problems = [problem(place, day=place) for place in range(len(counts))]
    runs = [run(1), run(2)]
    whole = [
        Cell(each, place, 8, passed[each - 1] // (item + 1), 0, 0, item)
        for each in (1, 2)
        for place, passed in enumerate(counts)
        for item in range(passed[2])
    ]
    thinned = [
        cell._replace(n=data.draw(st.integers(cell.c, 8))) if cell.run == 1 and data.draw(st.booleans()) else cell
        for cell in whole
    ]

    def row(cells: list[Cell]) -> BoardRow | None:
        found = rank_board(Cube.build(problems, runs, cells, 1), runs, BoardQuery(), samples={1: 8, 2: 8})
        return next((row for row in found.rows if row.run == 1), None)

    before, after = row(whole), row(thinned)
    assert before is not None
    assert before.coverage == 1.0
    if after is not None:
        assert after.coverage <= 1.0
        assert (after.coverage == 1.0) is (thinned == whole)
        assert before.rank is not None
        assert after.rank is None or after.rank >= before.rank


def test_a_narrow_file_of_answers_hides_no_older_one_that_has_a_rank_and_of_what_was_asked_the_first_stands() -> None:
    def shown(
        scores: dict[int, list[float]], *, imported: bool = False, began: StartedBy = StartedBy.FILE
    ) -> tuple[int, tuple[str, ...]]:
        problems = [problem(number, day=number) for number in range(4)]
        runs = [replace(run(1, trial=score, started_by=began), id=score, imported=imported) for score in scores]
        cells = [Cell(each, j, 1, int(x)) for each, own in scores.items() for j, x in enumerate(own) if not np.isnan(x)]
        found = rank_board(Cube.build(problems, runs, cells, 1), runs, BoardQuery())
        (row,) = found.rows
        return row.run, tuple(each.reason for each in found.hidden)

    part, whole, none = [1.0, 1.0, nan, nan], [0.0] * 4, [nan] * 4
    assert shown({1: whole, 2: part}) == (1, ("older_trial",))
    assert shown({1: whole, 2: part, 3: whole}) == (3, ("older_trial",) * 2)
    assert shown({1: part, 2: part}) == (2, ("older_trial",))
    assert shown({1: part, 2: none}) == (1, ("older_trial",)), "a trial that has only begun hides nothing"
    assert shown({1: whole, 2: part}, imported=True) == (2, ("older_trial",)), "of files the newest is shown"
    for began in (StartedBy.VENDOR, StartedBy.MAINTAINERS):
        for first, then in ((whole, part), (part, whole), (part, part)):
            assert shown({1: first, 2: then, 3: whole}, began=began) == (1, ("later_trial",) * 2)


def test_a_first_trial_leaves_its_place_to_nobody() -> None:
    problems = [problem(number, day=number) for number in range(2)]
    first, second = run(1, model="a", started_by=StartedBy.VENDOR), run(2, model="a", trial=2)
    cells = [Cell(1, 0, 1, 0), Cell(2, 0, 1, 1), Cell(2, 1, 1, 1)]
    cube = Cube.build(problems, [first, second], cells, 1)
    reasons = {
        query: [row.reason for row in rank_board(cube, [first, second], query).hidden]
        for query in (
            BoardQuery(window=Window(start=FIRST + timedelta(days=1))),
            BoardQuery(more=(("started_by", (StartedBy.MAINTAINERS,)),)),
        )
        if not rank_board(cube, [first, second], query).rows
    }
    assert list(reasons.values()) == [["unjudged", "later_trial"], ["started_by", "later_trial"]]
    for stands, shown in (((True, False), [1]), ((False, True), [2]), ((False, False), [])):
        runs = [replace(each, stands=flag) for each, flag in zip((first, second), stands, strict=True)]
        assert [row.run for row in rank_board(cube, runs, BoardQuery()).rows] == shown
        assert [each.id for each in Lineup.of(runs).standing_trials.runs] == shown


def test_only_wanted_problems_are_exposed() -> None:
    problems = [problem(number, day=number) for number in range(4)]
    one = run(1, cutoff=FIRST + timedelta(days=1))
    cube = Cube.build(problems, [one], [Cell(1, number, 1, 1) for number in (1, 3)], 1)
    for exposure in (Exposure.UNRANK, Exposure.SPLIT):
        for rules, exposed in ((Rules.TIDEMARK, 2), (Rules.LCB, 1)):
            (row,) = rank_board(cube, [one], BoardQuery(exposure=exposure, rules=rules), wanted={1: {1, 3}}).rows
            assert row.exposed == exposed
    (row,) = rank_board(cube, [one], BoardQuery(rules=Rules.LCB), wanted={1: {3}}).rows
    assert (row.exposed, row.coverage) == (0, 1.0)


def test_in_split_mode_only_clean_wanted_problems_count() -> None:
    problems = [problem(number, day=number) for number in range(4)]
    one = run(1, cutoff=FIRST + timedelta(days=1))
    cells = [Cell(1, number, 1, int(number < 2)) for number in range(3)]
    cube = Cube.build(problems, [one], cells, 1)
    for rules, wanted in ((Rules.TIDEMARK, 2), (Rules.LCB, 1)):
        query = BoardQuery(exposure=Exposure.SPLIT, rules=rules)
        (row,) = rank_board(cube, [one], query, wanted={1: {0, 1, 2}}).rows
        assert (row.score, row.n_problems, row.wanted, row.exposed, row.rank) == (0.0, 1, wanted, 2, None)
        assert row.split == (LevelScore(0.0, 1), LevelScore(100.0, 2))
    all_seen = run(1, cutoff=FIRST + timedelta(days=9))
    (row,) = rank_board(cube, [all_seen], BoardQuery(exposure=Exposure.SPLIT)).rows
    assert (row.score, row.ci_lo, row.n_problems, row.wanted, row.coverage, row.provisional) == (
        None, None, 0, 0, 0.0, False,
    )  # fmt: skip
    (row,) = rank_board(cube, [all_seen], BoardQuery(exposure=Exposure.SPLIT, rules=Rules.LCB)).rows
    assert (row.score, row.rank) == (None, None)
