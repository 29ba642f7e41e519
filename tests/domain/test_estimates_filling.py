"""Estimates while boards fill: what is missing depends on what was answered, and intervals hold the final score."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import pytest
from support.board_worlds import problem, run
from support.filling import PROTOCOLS, Installation

from app.domain.boards.board import BoardQuery, BoardRow, Exposure
from app.domain.boards.ranking import EarlierAnswers, rank_board
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell, RunFact

PROBLEMS = [problem(number, day=number) for number in range(40)]
RUNS = [run(number) for number in range(1, 7)]
# Of the first answers 24 pass, of the second ones to the other sixteen every fourth.
PASSED = {number for number in range(40) if number % 5 < 3}
FAILED = sorted(set(range(40)) - PASSED)
MENDED = set(FAILED[::4])
OTHERS = [Cell(each.id, one.id, 1, (one.id * 7 + each.id) % 3 > 0) for each in RUNS[1:] for one in PROBLEMS]
FIRST = [*OTHERS, *(Cell(1, number, 1, number in PASSED) for number in range(40))]


def cube(cells: Iterable[Cell], runs: Sequence[RunFact] = RUNS) -> Cube:
    return Cube.build(PROBLEMS, runs, cells, 1)


def repaired(judged: int) -> list[Cell]:
    """Of run 1 all that was carried over and so many of the answers asked for again; of others everything."""
    again = [Cell(1, number, 1, number in MENDED) for number in FAILED[:judged]]
    waiting = [Cell(1, number, 0, 0, pending=1) for number in FAILED[judged:]]
    return [*OTHERS, *(Cell(1, number, 1, 1) for number in PASSED), *again, *waiting]


def row_of(
    cells: Iterable[Cell], earlier: Sequence[EarlierAnswers] | None, runs: Sequence[RunFact] = RUNS,
    exposure: Exposure = Exposure.UNRANK, samples: Mapping[int, int] | None = None, failing: Collection[int] = (),
) -> BoardRow:  # fmt: skip
    query = BoardQuery(exposure=exposure)
    found = rank_board(cube(cells, runs), runs, query, replicates=5, earlier=earlier, samples=samples, failing=failing)
    return next(row for row in found.rows if row.run == 1)


def after(cells: Iterable[Cell]) -> EarlierAnswers:
    return EarlierAnswers(cube(cells), {each.id: each.id for each in RUNS})


def test_what_failed_first_is_estimated_by_what_failed_first() -> None:
    row = row_of(repaired(8), [after(FIRST)])
    assert row.n_problems == 32
    assert row.score == pytest.approx(100 * 26 / 32)
    assert row.estimate is not None
    assert row.estimate.score == pytest.approx(70, abs=3), "24 pass, and so does a quarter of sixteen"
    assert row.estimate.lo < 70 < row.estimate.hi
    assert row.estimate.lo > 50


def test_a_problem_whose_first_answer_passed_is_passed_before_it_is_carried_over() -> None:
    """What is to be carried over, and what is to be asked again, is not planned yet for the last problems."""
    cells = [cell for cell in repaired(8) if cell.run != 1 or cell.problem < 30]
    missing = [number for number in range(30, 40) if number in PASSED]
    assert len(missing) == 6
    row, whole = row_of(cells, [after(FIRST)]), row_of(repaired(8), [after(FIRST)])
    assert row.estimate is not None
    assert whole.estimate is not None
    assert row.estimate.score == pytest.approx(whole.estimate.score, abs=1)


def test_a_further_round_is_estimated_by_the_last_answer_that_is_known() -> None:
    """Of the second round only what was carried over twice is there, and two of what failed twice."""
    twice = [number for number in FAILED if number not in MENDED]
    cells = [*OTHERS, *(Cell(1, number, 1, 1) for number in (*PASSED, *MENDED)), *(Cell(1, n, 1, 0) for n in twice[:4])]
    row = row_of(cells, [after(FIRST), after(repaired(16))])
    assert row.score == pytest.approx(100 * 28 / 32)
    assert row.estimate is not None
    assert row.estimate.score == pytest.approx(70, abs=4), "none of those that failed twice has passed yet"
    assert row.estimate.lo < 70 < row.estimate.hi


def test_before_any_answer_to_a_failed_one_is_judged_there_is_no_estimate() -> None:
    assert row_of(repaired(0), [after(FIRST)]).estimate is None
    assert row_of(repaired(1), [after(FIRST)]).estimate is not None


def test_with_several_answers_to_each_problem_one_that_waits_for_another_judging_is_not_known() -> None:
    """Two answers to each problem: of those that fail once, the answer that passed is there at once."""

    def doubled(cells: Iterable[Cell], failed: int) -> list[Cell]:
        return [cell._replace(n=2 * cell.n, c=2 * cell.c - (cell.run == 1 and cell.c)) for cell in cells][failed:]

    first = doubled(FIRST, 0)
    halves = [Cell(1, number, 1, 1, pending=1) for number in sorted(PASSED)[8:]]
    known = [Cell(1, number, 2, 1) for number in sorted(PASSED)[:8]] + [Cell(1, number, 2, 0) for number in FAILED]
    cells = [*(cell._replace(n=2, c=2 * cell.c) for cell in OTHERS), *known, *halves]
    row = row_of(cells, [after(first)], samples=dict.fromkeys(range(1, 7), 2))
    assert row.estimate is not None
    assert row.estimate.score == pytest.approx(30, abs=1), "no second answer has passed"


@pytest.mark.parametrize("exposure", [Exposure.UNRANK, Exposure.SPLIT])
def test_what_cannot_be_conditioned_on_is_not_estimated(exposure: Exposure) -> None:
    half = [cell for cell in FIRST if cell.run != 1 or cell.problem % 2]
    assert row_of(half, (), exposure=exposure).estimate is not None
    assert row_of(half, None, exposure=exposure).estimate is None
    assert row_of(repaired(8), [EarlierAnswers(cube(FIRST), {})], exposure=exposure).estimate is None, (
        "no run that it continues"
    )
    elsewhere = Cube.build([problem(99)], RUNS, [Cell(1, 99, 1, 1)], 1)
    assert row_of(repaired(8), [EarlierAnswers(elsewhere, {1: 1})], exposure=exposure).estimate is None, "nor a problem"
    stuck = [*half, Cell(1, 0, 0, 0, judge_errors=1)]
    assert row_of(stuck, (), exposure=exposure).estimate is None
    assert row_of(repaired(8), [after([*FIRST[:-1], Cell(1, 39, 0, 0, judge_errors=1)])]).estimate is None
    assert row_of(half, (), exposure=exposure, failing={1}).estimate is None
    assert row_of(half, (), exposure=exposure, failing={2}).estimate is not None
    assert row_of(repaired(8), [after(FIRST)], exposure=exposure, failing={1}).estimate is None
    files = [replace(RUNS[0], imported=True), *RUNS[1:]]
    assert row_of(half, (), files, exposure=exposure).estimate is None


def test_a_row_that_lacks_one_of_several_items_lacks_something() -> None:
    """Items come with the problems that are solved: two of each are there, and of half of them one is judged."""
    items = [cell._replace(item=item) for cell in FIRST for item in (0, 1)]
    half = [cell for cell in items if cell.run != 1 or not cell.item or cell.problem % 2]
    assert row_of(half, ()).estimate is not None
    assert row_of(half, None).estimate is None


def test_a_row_that_lacks_nothing_is_estimated_for_its_exposed_part_on_any_board() -> None:
    runs = [replace(RUNS[0], cutoff_on=PROBLEMS[20].released_on.date()), *RUNS[1:]]
    assert row_of(FIRST, None, runs, Exposure.SPLIT).estimate is not None
    assert row_of(FIRST[:-1], None, runs, Exposure.SPLIT).estimate is None


def test_problems_are_not_taken_for_hard_because_only_weak_models_were_judged_on_them_yet() -> None:
    """Three strong models and the row have got half-way, three weak ones to the end; both halves are alike."""
    strong, weak = (2, 3, 4), (5, 6, 7)
    runs = [run(number) for number in range(1, 8)]
    cells = [Cell(1, number, 10, 6) for number in range(20)]
    cells += [Cell(each, number, 10, 9) for each in strong for number in range(20)]
    cells += [Cell(each, number, 10, 2) for each in weak for number in range(40)]
    row = row_of(cells, (), runs)
    assert row.estimate is not None
    assert row.estimate.score == pytest.approx(60, abs=2)


def held(installations: Iterable[Installation]) -> dict[str, list[bool]]:
    """By protocol, of every estimate shown at any look, whether its interval holds the final score."""
    found = defaultdict[str, list[bool]](list)
    for one in installations:
        own = {each.id: each.id for each in one.runs}
        for _ in one.play():
            cubes = [one.cube(place) for place in range(len(PROTOCOLS))]
            for place, name in enumerate(PROTOCOLS):
                earlier = [EarlierAnswers(before, own) for before in cubes[:place]]
                board = rank_board(cubes[place], one.runs, BoardQuery(), replicates=1, earlier=earlier)
                final = one.final(place)
                found[name] += [
                    row.estimate.lo - 1e-6 <= final[row.run] <= row.estimate.hi + 1e-6
                    for row in board.rows
                    if row.estimate is not None
                ]
    return found


@pytest.mark.parametrize(
    ("skill", "count"),
    [(0.5, 10), *(pytest.param(skill, 100, marks=pytest.mark.slow) for skill in (-2.5, -1.0, 0.5, 2.5))],
)
def test_intervals_hold_the_final_score_as_often_as_they_say(skill: float, count: int) -> None:
    """Fresh installations of 36 problems and four models, at twelve looks each."""
    found = held(Installation.draw(seed, skill) for seed in range(count))
    shares = {name: (sum(each) / len(each), len(each)) for name, each in found.items()}
    print(skill, {name: f"{share:.3f} of {number}" for name, (share, number) in shares.items()})
    assert shares.keys() == set(PROTOCOLS)
    assert all(number > 5 * count for _, number in shares.values())
    assert min(share for share, _ in shares.values()) >= 0.95
