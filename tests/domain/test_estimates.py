"""Estimates for unfinished and partly exposed rows: exact where nothing is missing, near the truth where much is."""

from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.board_worlds import FIRST, problem, run
from support.examples import examples

from app.domain.boards.board import Board, BoardQuery, Exposure, Precision, Rules
from app.domain.boards.ranking import rank_board
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell
from app.domain.metrics.estimates import Ease, ProblemResults, WindowEstimates, estimate_whole_window
from app.domain.metrics.intervals import Floats, Ints, clustered_mean
from app.domain.windows import Window


def world(rng: np.random.Generator, problems: int = 300, runs: int = 20) -> tuple[Floats, Floats, Ints]:
    """(true chances, outcomes of one answer each, contests): ease sd 2 logits, contest effects, each run its way."""
    contest = np.arange(problems) // 5
    ease = rng.normal(0, 2, problems) + rng.normal(0, 0.5, contest[-1] + 1)[contest]
    logit = ease[:, None] + rng.normal(0, 1.2, runs) + rng.normal(0, 1, (problems, runs))
    chance = 1 / (1 + np.exp(-logit))
    return chance, rng.binomial(1, chance).astype(np.float64), contest


def estimate_first(outcomes: Floats, seen: NDArray[np.bool_], contest: Ints) -> WindowEstimates:
    means = outcomes.mean(axis=0)
    means[0] = outcomes[seen, 0].mean() if seen.any() else 0
    ease = Ease(
        outcomes[:, 1:].sum(axis=1) + outcomes[:, 0] * seen, outcomes.shape[1] - 1.0 + seen,
        means[1:].sum() + means[0] * seen,
    )  # fmt: skip
    own = ProblemResults(outcomes[:, :1] * seen[:, None], seen[:, None])
    return estimate_whole_window(own, [own], ease, means[:1], contest)


@settings(max_examples=examples(40))
@given(st.integers(0, 2**32 - 1), st.integers(2, 60))
def test_the_estimate_of_a_complete_row_is_its_mean_with_its_interval(seed: int, problems: int) -> None:
    _, outcomes, contest = world(np.random.default_rng(seed), problems, 6)
    everything = np.ones(outcomes.shape, dtype=bool)
    means = outcomes.mean(axis=0)
    ease, own = (
        Ease(outcomes.sum(axis=1), *np.full((2, problems), [[6.0], [means.sum()]])),
        ProblemResults(outcomes, everything),
    )
    found = estimate_whole_window(own, [own], ease, means, contest)
    for place in range(6):
        exact = clustered_mean(outcomes[:, place], contest)
        shown = (found.mean[place], found.bounds.lo[place], found.bounds.hi[place])
        assert shown == pytest.approx((exact.mean, exact.lo, exact.hi), abs=1e-7)


def test_an_easy_half_does_not_pass_for_the_whole_and_intervals_hold_the_truth() -> None:
    rng, held, errors, naive = np.random.default_rng(5), [], [], []
    for _ in range(150):
        chance, outcomes, contest = world(rng)
        # Easy problems were answered first.
        seen = rng.random(len(chance)) < 1 / (1 + np.exp(1 - 1.5 * np.log(chance.mean(1) / (1 - chance.mean(1)))))
        found, truth = estimate_first(outcomes, seen, contest), chance[:, 0].mean()
        held.append(found.bounds.lo[0] <= truth <= found.bounds.hi[0])
        errors.append(found.mean[0] - truth)
        naive.append(outcomes[seen, 0].mean() - truth)
    assert np.mean(naive) > 0.1
    assert abs(np.mean(errors)) < 0.25 * np.mean(naive)
    assert np.mean(held) >= 0.9


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_all_or_nothing_of_a_part_is_no_certainty_of_the_rest(value: float) -> None:
    _, outcomes, contest = world(np.random.default_rng(1), 60)
    seen = contest < 4
    outcomes[:, 0] = value
    found = estimate_first(outcomes, seen, contest)
    assert 0 < abs(found.mean[0] - value) < 0.5
    assert found.bounds.hi[0] - found.bounds.lo[0] > 0.2
    assert (found.bounds.lo[0], found.bounds.hi[0])[int(value)] == value, "what goes on so is no surprise"
    whole = estimate_first(outcomes, np.ones(60, dtype=bool), contest)
    assert whole.mean[0] == value


def test_all_easy_ones_solved_are_not_all_solved() -> None:
    """Answers to the easy problems alone, of which rows are taken that solved all, or none of the hard ones."""
    rng, held, errors, naive = np.random.default_rng(8), list[bool](), list[float](), list[float]()
    while len(held) < 100:
        chance, outcomes, contest = world(rng)
        ease = outcomes[:, 1:].mean(axis=1)
        for part, value in ((ease > 0.8, 1.0), (ease < 0.2, 0.0)):
            if part.any() and (outcomes[part, 0] == value).all():
                found, truth = estimate_first(outcomes, part, contest), chance[:, 0].mean()
                held.append(found.bounds.lo[0] <= truth <= found.bounds.hi[0])
                errors.append(abs(found.mean[0] - truth))
                naive.append(abs(value - truth))
    assert np.mean(errors) < 0.6 * np.mean(naive)
    assert np.mean(held) >= 0.93


def test_nothing_seen_is_no_estimate() -> None:
    _, outcomes, contest = world(np.random.default_rng(1), 20)
    found = estimate_first(outcomes, np.zeros(20, dtype=bool), contest)
    assert np.isnan([found.mean[0], found.bounds.lo[0], found.bounds.hi[0]]).all()
    own = ProblemResults(np.zeros((0, 2)), np.zeros((0, 2), dtype=bool))
    empty = estimate_whole_window(own, [own], Ease(*np.zeros((3, 0))), np.zeros(2), contest[:0])
    assert np.isnan(empty.mean).all()


def board(query: BoardQuery, *, cutoff: date | None = None, replicates: int = 20) -> Board:
    """Forty problems, the first half easy; run 1 has answered only these, run 2 may have seen them, run 3 none."""
    problems = [problem(number, day=number) for number in range(1, 41)]
    runs = [run(1), run(2, cutoff=cutoff), *(run(number) for number in range(3, 9))]
    cells = [
        Cell(each.id, one.id, 10, 9 if one.id <= 20 else 2 + each.id % 3)
        for each in runs
        for one in problems
        if each.id != 1 or one.id <= 20
    ]
    return rank_board(Cube.build(problems, runs, cells, 1), runs, query, replicates=replicates)


def test_an_unfinished_row_carries_an_estimate_and_no_rank() -> None:
    rows = {row.run: row for row in board(BoardQuery()).rows}
    assert (rows[1].score, rows[1].rank, rows[1].provisional) == (90, None, True)
    assert rows[1].estimate is not None
    assert 50 < rows[1].estimate.score < 75, "as if it went on like the others, who solve a third of the second half"
    assert rows[1].estimate.lo < rows[1].estimate.score < rows[1].estimate.hi
    assert all(rows[number].estimate is None for number in range(2, 9))


def test_a_clean_part_is_compared_on_the_whole_window() -> None:
    cutoff = FIRST + timedelta(days=20)
    rows = {row.run: row for row in board(BoardQuery(exposure=Exposure.SPLIT), cutoff=cutoff).rows}
    assert rows[2].score is not None
    assert rows[2].score < 45, "the clean half is the hard one"
    assert rows[2].estimate is not None
    assert rows[2].estimate.score > 55
    unranked = {row.run: row for row in board(BoardQuery(), cutoff=cutoff).rows}
    assert unranked[2].estimate is None, "scored on all"


def test_estimates_are_made_for_those_who_ask_and_not_by_the_rules_of_others() -> None:
    assert all(row.estimate is None for row in board(BoardQuery(), replicates=0).rows)
    assert all(row.estimate is None for row in board(BoardQuery(rules=Rules.LCB)).rows)


def test_a_board_says_what_it_can_tell_apart_and_what_it_would_take() -> None:
    found = board(BoardQuery())
    assert found.precision is not None
    widths = [(row.ci_hi - row.ci_lo) / 2 for row in found.rows if row.rank and row.ci_hi and row.ci_lo]
    assert found.precision.half_width == pytest.approx(np.median(widths))
    five = found.precision.problems_for[5.0]
    assert five == np.ceil(40 * (found.precision.half_width / 5) ** 2)
    assert found.precision.widen_to is None, "there are no earlier problems"
    rng, drawn = np.random.default_rng(4), []
    for row in found.rows:
        if row.rank:
            rates = np.array([0.9] * 20 + [(2 + row.run % 3) / 10] * 20)
            places = rng.permuted(np.tile(np.arange(40), (4000, 1)), axis=1)[:, :27]
            drawn.append(100 * rates[places].mean(axis=1).std())
    assert found.precision.subsample == pytest.approx(np.median(drawn), rel=0.05)


def test_a_window_is_widened_to_the_problems_it_would_take() -> None:
    """One a day; a window of sixty days, and of other platforms none counts."""

    def precision(days: range, asked: BoardQuery) -> Precision:
        problems = [problem(day, day=day, platform="ab"[day % 2]) for day in range(1000)][days.start :]
        cells = [Cell(1, one.id, 1, one.id // 2 % 2) for one in problems]
        found = rank_board(Cube.build(problems, [run(1)], cells, 1), [run(1)], asked).precision
        assert found is not None
        return found

    window = Window(FIRST + timedelta(days=840), FIRST + timedelta(days=899))
    asked = BoardQuery(window=window, platforms=("a",))
    found = precision(range(1000), asked)
    needed = found.problems_for[5.0]
    assert 30 < needed < 450
    first = 900 - 2 * needed
    assert found.widen_to == FIRST + timedelta(days=first)
    assert precision(range(first, 1000), asked).widen_to == found.widen_to, "there are just so many"
    assert precision(range(first + 1, 1000), asked).widen_to is None
    assert precision(range(1000), BoardQuery()).widen_to is None, "there are enough"
