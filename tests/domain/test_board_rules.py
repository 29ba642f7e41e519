"""Who has a rank: what is missing and what may have been seen, to the very problem."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import numpy as np
import pytest
from support.board_worlds import FIRST, problem, run

from app.domain.boards.board import (
    Board,
    BoardQuery,
    BoardRow,
    Exposure,
    LevelScore,
    LevelTable,
    Precision,
    Prospective,
    Rules,
    WithoutOwnReason,
)
from app.domain.boards.lineup import Lineup
from app.domain.boards.pass_at import shown_ks as shown_ks
from app.domain.boards.ranking import rank_board
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell, CutoffBasis, RunFact, StartedBy
from app.domain.problems import Level
from app.domain.windows import Window

PROBLEMS = [problem(number + 1, day=number) for number in range(40)]


def board(runs: list[RunFact], cells: list[Cell], query: BoardQuery | None = None) -> Board:
    return rank_board(Cube.build(PROBLEMS, runs, cells, 1), runs, query or BoardQuery())


def cells_of(number: int, graded: int, accepted: int) -> list[Cell]:
    """One answer to each of the first problems, of which the first are accepted."""
    return [Cell(number, place + 1, 1, int(place < accepted)) for place in range(graded)]


def by_run(shown: Board) -> dict[int, BoardRow]:
    return {row.run: row for row in shown.rows}


def test_a_row_of_which_nothing_is_graded_is_hidden_not_last() -> None:
    shown = board([run(1), run(2)], cells_of(1, 40, 1))
    assert [row.run for row in shown.rows] == [1]
    assert [(row.model, row.reason) for row in shown.hidden] == [("model-2", "unjudged")]


def test_a_row_of_which_nothing_clean_is_left_has_no_rank_by_others_rules_either() -> None:
    """By LiveCodeBench's dates the window holds a problem of the day before it, which is the cutoff's own."""
    query = BoardQuery(window=Window(FIRST + timedelta(days=1), None), rules=Rules.LCB, exposure=Exposure.SPLIT)
    rows = by_run(board([run(1, cutoff=FIRST), run(2)], [*cells_of(1, 1, 1), *cells_of(2, 40, 1)], query))
    assert [(rows[number].rank, rows[number].n_problems) for number in (1, 2)] == [(None, 0), (1, 40)]
    assert (rows[1].score, rows[1].unranked) == (None, "exposed")


@pytest.mark.parametrize(("days", "exposed"), [(-1, 0), (0, 1), (1, 2)])
def test_a_problem_of_the_cutoff_day_takes_the_rank(days: int, exposed: int) -> None:
    runs = [run(1, cutoff=FIRST + timedelta(days=days)), run(2)]
    cells = [*cells_of(1, 40, 40), *cells_of(2, 40, 1)]
    rows = by_run(board(runs, cells))
    assert rows[1].exposed == exposed
    assert rows[1].rank == (None if exposed else 1)
    assert rows[2].rank == (1 if exposed else 2)
    hidden = board(runs, cells, BoardQuery(exposure=Exposure.HIDE))
    assert (1 in by_run(hidden)) is (exposed == 0)
    assert [row.reason for row in hidden.hidden] == ["exposure"] * bool(exposed)


def test_a_split_row_is_scored_on_what_came_after_its_cutoff() -> None:
    """The first ten are accepted and may have been seen: the clean part is the other thirty, none of them solved."""
    rows = by_run(
        board([run(1, cutoff=FIRST + timedelta(days=9))], cells_of(1, 40, 10), BoardQuery(exposure=Exposure.SPLIT))
    )
    assert rows[1].split is not None
    assert [(part.score, part.n) for part in rows[1].split] == [(0.0, 30), (100.0, 10)]
    assert (rows[1].score, rows[1].n_problems, rows[1].wanted, rows[1].exposed) == (0.0, 30, 30, 10)


def test_a_cutoff_filter_takes_models_from_before_that_day() -> None:
    day = FIRST - timedelta(days=5)
    runs = [run(1, cutoff=day - timedelta(days=1)), run(2, cutoff=day), run(3)]
    cells = [cell for number in (1, 2, 3) for cell in cells_of(number, 40, number)]
    shown = board(runs, cells, BoardQuery(cutoff_before=day))
    assert sorted(by_run(shown)) == [1, 3], "a cutoff that nobody knows hides no row"
    assert [(row.model, row.reason) for row in shown.hidden] == [("model-2", "cutoff")]


def test_pending_answers_and_our_own_errors_are_missing_coverage() -> None:
    cells = [*cells_of(1, 36, 36), *(Cell(1, number, 0, 0, 1, 0) for number in (37, 38)),
             *(Cell(1, number, 0, 0, 0, 1) for number in (39, 40))]  # fmt: skip
    row = by_run(board([run(1)], cells))[1]
    assert (row.score, row.coverage, row.provisional, row.rank) == (100.0, 0.9, True, None)
    assert (row.pending, row.judge_errors) == (2, 2)


def test_a_row_that_answered_late_is_not_prospective() -> None:
    """What is answered too late was served before, whenever the run was registered."""
    early = datetime.combine(FIRST, time(), UTC) - timedelta(days=1)
    ordered = [replace(run(number), started_by=StartedBy.VENDOR, registered_at=early) for number in (1, 2)]
    runs = [ordered[0], replace(ordered[1], served=frozenset({7}))]
    cells = [*cells_of(1, 40, 1), *cells_of(2, 40, 40)]
    rows = by_run(board(runs, cells))
    assert {number: (row.prospective, row.served, row.rank) for number, row in rows.items()} == {
        1: (True, 0, 1),
        2: (False, 1, None),
    }
    assert by_run(board(runs, cells, BoardQuery(prospective=Prospective.ONLY))).keys() == {1}


def test_the_first_reason_why_a_row_has_no_rank_is_told() -> None:
    [shown] = board([run(1)], cells_of(1, 40, 1)).rows
    assert shown.unranked is None
    none = shown._replace(rank=None, score=None)
    extra = none._replace(fact=replace(none.fact, extra=True), provisional=True, exposed=1)
    assert extra.unranked == "configurations"
    assert none._replace(provisional=True, exposed=1).unranked == "provisional"
    assert none._replace(exposed=1).unranked == "exposed"
    assert none.unranked == "unscored"


def test_a_cutoff_of_the_windows_first_day_is_the_reason_by_the_rules_of_others() -> None:
    """Though nothing came out on it."""
    problems = [problem(number + 1, day=number + 5) for number in range(3)]
    runs, cells = [run(1, cutoff=FIRST)], cells_of(1, 3, 1)
    asked = BoardQuery(window=Window(FIRST, None), rules=Rules.LCB)
    [row] = rank_board(Cube.build(problems, runs, cells, 1), runs, asked).rows
    assert (row.rank, row.exposed, row.unranked) == (None, 0, "exposed")
    extra = [replace(runs[0], extra=True)]
    [row] = rank_board(Cube.build(problems, extra, cells[:1], 1), extra, asked).rows
    assert (row.provisional, row.unranked) == (True, "exposed"), "nothing else counts there"


@pytest.mark.parametrize(("days", "rank"), [(-1, 1), (0, None)])
def test_without_a_window_the_first_problem_opens_it_by_the_rules_of_others(days: int, rank: int | None) -> None:
    runs = [run(1, cutoff=FIRST + timedelta(days=days))]
    [row] = board(runs, cells_of(1, 40, 1), BoardQuery(rules=Rules.LCB)).rows
    assert row.rank == rank


DAY = FIRST - timedelta(days=9)


@pytest.mark.parametrize(
    ("known", "listed", "cutoff", "basis"),
    [
        (CutoffBasis.DECLARED, None, DAY, CutoffBasis.DECLARED),
        (CutoffBasis.DECLARED, DAY, DAY, CutoffBasis.DECLARED),
        (CutoffBasis.DECLARED, FIRST, FIRST, CutoffBasis.LISTED),
        (CutoffBasis.RELEASED, None, None, CutoffBasis.UNKNOWN),
        (CutoffBasis.RELEASED, DAY, DAY, CutoffBasis.LISTED),
    ],
)
def test_by_the_rules_of_others_a_file_says_the_cutoff_and_nothing_was_sent_before(
    known: CutoffBasis, listed: date | None, cutoff: date | None, basis: CutoffBasis
) -> None:
    runs = [replace(run(1, cutoff=DAY, served={1, 2}), cutoff_basis=known, listed_on=listed)]
    [row] = board(runs, cells_of(1, 40, 1), BoardQuery(rules=Rules.LCB)).rows
    assert (row.fact.cutoff_on, row.fact.cutoff_basis, row.served) == (cutoff, basis, 0)


@pytest.mark.parametrize("end", range(2, 12))
def test_days_that_end_a_shard_end_the_window_in_all_cubes_alike(end: int) -> None:
    """By the rules of others the last day gives only what came out at its midnight."""
    levels = (Level.EASY, Level.HARD)
    problems = [
        problem(number, day=number // 2, hour=12 * (number % 2), level=levels[number % 4 == 0], cluster=str(number))
        for number in range(1, 25)
    ]
    cells = [Cell(1, one.id, 1, one.id % 3 == 0) for one in problems]
    query = BoardQuery(rules=Rules.LCB, window=Window(None, FIRST + timedelta(days=end)), levels=(Level.EASY,))
    found = [
        rank_board(Cube.build(problems, [run(1)], cells, 1, shard_blocks=blocks), [run(1)], query).rows[0]
        for blocks in (1, 2, 64)
    ]
    assert len({(row.n_problems, row.score) for row in found}) == 1
    assert found[0].n_problems == sum(one.level is Level.EASY and one.id <= 2 * (end - 1) for one in problems)


def test_only_a_reference_that_is_shown_compares_and_without_a_rank_it_tells_nothing_apart() -> None:
    runs = [run(1, cutoff=FIRST), run(2), run(3)]
    cells = [*cells_of(1, 40, 40), *cells_of(2, 40, 40), *cells_of(3, 40, 0)]
    cube = Cube.build(PROBLEMS, runs, cells, 1)

    def beside(reference: str, query: BoardQuery) -> dict[int, tuple[float, bool | None] | None]:
        rows = rank_board(cube, runs, query, reference=reference).rows
        return {row.run: row.difference and (row.difference.mean, row.difference.apart) for row in rows}

    assert beside("model-1", BoardQuery()) == {1: None, 2: (0.0, None), 3: (-100.0, None)}
    assert beside("model-2", BoardQuery()) == {1: (0.0, None), 2: None, 3: (-100.0, True)}
    assert beside("model-2", BoardQuery(models=("model-3",))) == {3: None}
    assert rank_board(cube, runs, BoardQuery()).first_separated == 2


@pytest.mark.parametrize(("answers", "rank"), [(100, 1), (99, None)])
def test_a_rank_takes_ninety_five_percent(answers: int, rank: int | None) -> None:
    """Of forty problems that is 38, with a hundred answers to each."""
    cells = [*(Cell(1, number, 100, 50) for number in range(1, 38)), Cell(1, 38, answers, 50)]
    [row] = rank_board(Cube.build(PROBLEMS, [run(1)], cells, 1), [run(1)], BoardQuery(), samples={1: 100}).rows
    assert (row.rank, row.provisional) == (rank, rank is None)


@pytest.mark.parametrize(("imported", "graded", "trial"), [(False, 38, 2), (False, 37, 1), (True, 37, 2)])
def test_the_newest_file_stands_where_it_covers_a_rank_or_brings_its_results(
    imported: bool, graded: int, trial: int
) -> None:
    """Recorded answers of which too few are judged give way to older ones."""
    of_file = replace(run(1, model="orion"), imported=imported, started_by=StartedBy.FILE)
    shown = board([of_file, replace(of_file, id=2, trial=2)], [*cells_of(1, 40, 20), *cells_of(2, graded, 20)])
    assert [row.fact.trial for row in shown.rows] == [trial]
    assert [row.reason for row in shown.hidden] == ["older_trial"]


def test_sums_that_are_rounded_apart_are_equal_scores() -> None:
    """A tenth and two tenths are not three tenths, to a machine."""
    rates = {1: (1, 2), 2: (3, 0)}
    cells = [Cell(number, place, 10, c) for number, own in rates.items() for place, c in enumerate(own, 1)]
    rows = rank_board(Cube.build(PROBLEMS[:2], [run(1), run(2)], cells, 1), [run(1), run(2)], BoardQuery()).rows
    assert [row.rank for row in rows] == [1, 1]


def test_a_file_covers_no_more_than_it_wants_by_the_rules_of_others() -> None:
    cube = Cube.build(PROBLEMS, [run(1)], cells_of(1, 40, 20), 1)
    [row] = rank_board(cube, [run(1)], BoardQuery(rules=Rules.LCB), wanted={1: {1, 2}}).rows
    assert (row.wanted, row.coverage) == (2, 1.0)


def test_a_trial_for_which_another_stands_is_no_row_though_it_is_alone() -> None:
    void, cells = replace(run(1, model="orion"), stands=False), [*cells_of(1, 40, 20), *cells_of(2, 40, 20)]
    shown = board([void], cells[:40])
    assert (shown.rows, [row.reason for row in shown.hidden]) == ((), ["later_trial"])
    again = board([void, run(2, model="orion", trial=2)], cells)
    assert [row.run for row in again.rows] == [2]


def test_one_answer_is_wanted_of_whom_nothing_else_is_said() -> None:
    runs, cells = [run(1), run(2)], [*cells_of(1, 40, 20), *cells_of(2, 40, 20)]
    rows = by_run(rank_board(Cube.build(PROBLEMS, runs, cells, 1), runs, BoardQuery(), samples={2: 2}))
    assert {number: row.coverage for number, row in rows.items()} == {1: 1.0, 2: 0.5}


def test_a_ninth_configuration_has_no_rank() -> None:
    rows = by_run(board([run(1), replace(run(2), extra=True)], [*cells_of(1, 40, 20), *cells_of(2, 40, 40)]))
    assert (rows[1].rank, rows[2].rank, rows[2].unranked) == (1, None, "configurations")


def test_where_nothing_is_clean_nothing_is_provisional() -> None:
    runs = [run(1, cutoff=FIRST + timedelta(days=50)), run(2), run(3)]
    cells = [*cells_of(1, 40, 20), *cells_of(2, 40, 0), *cells_of(3, 10, 0)]
    for rules in Rules:
        shown = board(runs, cells, BoardQuery(exposure=Exposure.SPLIT, rules=rules))
        assert [row.run for row in shown.rows] == [2, 3, 1], "a score of nothing stands below one of 0"
    row = by_run(board(runs, cells, BoardQuery(exposure=Exposure.SPLIT)))[1]
    assert (row.score, row.wanted, row.provisional, row.unranked) == (None, 0, False, "exposed")


def test_a_row_without_any_clean_answer_has_no_estimate() -> None:
    runs = [run(1, cutoff=FIRST + timedelta(days=19)), run(2)]
    cells = [*cells_of(1, 20, 20), *cells_of(2, 40, 20)]
    cube = Cube.build(PROBLEMS, runs, cells, 1)
    rows = by_run(rank_board(cube, runs, BoardQuery(exposure=Exposure.SPLIT), replicates=5))
    assert (rows[1].score, rows[1].provisional, rows[1].estimate) == (None, True, None)


def test_a_clean_window_is_offered_whether_rows_are_hidden_or_not() -> None:
    runs = [run(number, cutoff=FIRST + timedelta(days=30)) for number in (1, 2)] + [run(3)]
    cells = [cell for number in (1, 2, 3) for cell in cells_of(number, 40, number)]
    expected = Window(FIRST + timedelta(days=31), None)
    for exposure in Exposure:
        assert board(runs, cells, BoardQuery(exposure=exposure)).clean_window == expected


def test_a_chance_in_percent_is_sure_only_where_it_is() -> None:
    for chance, percent in [
        (None, None),
        (0.0, None),
        (0.001, 1),
        (0.014, 1),
        (0.5, 50),
        (0.986, 99),
        (0.999, 99),
        (1.0, 100),
    ]:
        [shown] = board([run(1)], cells_of(1, 40, 1)).rows
        assert shown._replace(first_chance=chance).first_percent == percent, (chance, percent)


@pytest.mark.parametrize(("half_width", "next_one"), [(7.0, 5.0), (5.0, 2.0), (4.9, 2.0), (1.5, 1.0), (0.5, 1.0)])
def test_the_precision_worth_having_is_the_next_one(half_width: float, next_one: float) -> None:
    assert Precision(half_width, {5.0: 10, 2.0: 60, 1.0: 240}, None).next_half_width == next_one


def test_equal_tables_have_equal_values() -> None:
    one, other = (np.array([[[value]], [[1.0]]]) for value in (np.nan, 50.0))
    assert LevelTable([Level.EASY], one) == LevelTable([Level.EASY], one.copy())
    assert LevelTable([Level.EASY], one) != LevelTable([Level.EASY], other)
    assert LevelTable([Level.EASY], one) != LevelTable([Level.HARD], one)


@pytest.mark.parametrize(
    ("answers", "known"), [(4, (False, False)), (5, (True, False)), (10, (True, True)), (1001, (False, False))]
)
def test_pass_at_k_takes_k_answers_and_no_rates(answers: int, known: tuple[bool, bool]) -> None:
    """Of more than a thousand answers nobody has asked for: they stand for a rate."""
    cube = Cube.build(PROBLEMS[:1], [run(1)], [Cell(1, 1, answers, 1)], 1)
    [row] = rank_board(cube, [run(1)], BoardQuery()).rows
    assert tuple(value is not None for value in row.pass_at) == known
    assert shown_ks(rank_board(cube, [run(1)], BoardQuery()).rows) == {
        k: place for place, k in enumerate((5, 10)) if known[place]
    }


@pytest.mark.parametrize(
    ("days", "reason"), [(1, WithoutOwnReason.NOTHING_LEFT), (2, None), (3, None), (0, WithoutOwnReason.NO_PART)]
)
def test_why_a_row_has_no_score_without_its_own_problems(days: int, reason: WithoutOwnReason | None) -> None:
    """The first day's problem is its own; those of three other vendors come on the days after the next."""
    setters = [("a", "b"), ("b", "c"), ("c", "d"), ("c", "d")]
    problems = [problem(number, day=number, setters=names) for number, names in enumerate(setters)]
    runs = [run(1, vendors=("a",)), run(2)]
    cells = [*(Cell(1, number, 1, 1) for number in range(days or 4)), *(Cell(2, number, 1, 1) for number in range(4))]
    window = Window(FIRST + timedelta(days=not days), None)
    rows = by_run(rank_board(Cube.build(problems, runs, cells, 1), runs, BoardQuery(window=window)))
    assert rows[1].without_own_reason == reason
    assert rows[1].without_own == (None if reason else LevelScore(100.0, days - 1))


def test_a_lineup_knows_what_was_seen_of_each_cube() -> None:
    lineup = Lineup.of([run(1, started_by=StartedBy.VENDOR, served={1})])
    for number, exposed in ((1, 1), (2, 0), (1, 1)):
        cube = Cube.build([problem(number)], lineup.runs, [Cell(1, number, 1, 1)], 1)
        assert [row.exposed for row in rank_board(cube, lineup, BoardQuery()).rows] == [exposed]


def test_the_standing_trials_are_the_public_ones_that_stand() -> None:
    first, void = run(1, model="orion"), replace(run(2, model="lyra"), stands=False)
    assert Lineup.of([first, replace(first, id=3, trial=2), void]).standing_trials.runs == (first,)


def test_a_board_without_a_problem_shows_who_was_served_some_as_unjudged() -> None:
    """As while all problems of the first contest wait for their tests."""
    runs = [run(1, served={1, 2}), run(2, started_by=StartedBy.VENDOR, served={1})]
    shown = rank_board(Cube.build([], runs, [], 1), runs, BoardQuery())
    assert shown.rows == ()
    assert [(row.model, row.reason) for row in shown.hidden] == [("model-1", "unjudged"), ("model-2", "unjudged")]
