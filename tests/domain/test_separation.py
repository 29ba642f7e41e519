"""Tiers, resolution and resampled ranks against their definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.board_worlds import problem, run

from app.domain.boards.board import BoardQuery
from app.domain.boards.ranking import rank_board
from app.domain.boards.separation import MAX_GROUPS, GroupSums, first_separated, groups_of, resample_ranks, ties
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell
from app.domain.metrics.distributions import t_critical
from app.domain.metrics.intervals import Difference, Floats, holm, paired_difference


def sums_of(x: Floats, contest: np.ndarray[tuple[int], np.dtype[np.int64]]) -> GroupSums:
    """Group sums of complete rows; `x` has shape (problems, rows)."""
    number = int(contest.max()) + 1
    sums, counts = np.zeros((number, x.shape[1])), np.zeros((number, x.shape[1]))
    np.add.at(sums, contest, x)
    np.add.at(counts, contest, 1.0)
    return GroupSums(sums, counts)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Floats, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """Pass rates (problems, rows), best row first, and the contest of each problem."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    problems, rows = draw(st.integers(6, 80)), draw(st.integers(2, 14))
    contest = np.sort(rng.integers(0, max(2, problems // 3), problems))
    _, contest = np.unique(contest, return_inverse=True)
    skill, ease = rng.normal(0, draw(st.sampled_from([0.2, 1.5, 4])), rows), rng.normal(0, 2, problems)
    x = rng.binomial(draw(st.sampled_from([1, 10])), 1 / (1 + np.exp(-skill - ease[:, None]))) / 10
    return x[:, np.argsort(-x.mean(axis=0), kind="stable")], contest


@settings(max_examples=150)
@given(tables())
def test_tiers_are_the_connected_groups_of_rows_that_cannot_be_told_apart(
    table: tuple[Floats, np.ndarray[tuple[int], np.dtype[np.int64]]],
) -> None:
    x, contest = table
    rows = x.shape[1]
    groups = int(contest.max()) + 1
    critical = t_critical(0.95, groups - 1) if groups > 1 else 0.0

    def half_width(pair: Difference) -> float:
        return critical * pair.se if pair.se > 1e-9 else min(0.025 ** (-1 / groups) - 1, 1.0)

    apart = np.zeros((rows, rows), dtype=bool)
    for one in range(rows):
        for other in range(one):
            pair = paired_difference(x[:, other], x[:, one], contest)
            apart[other, one] = abs(pair.mean) > half_width(pair) + 1e-12
            if pair.se <= 1e-9 and groups > 1:
                assert apart[other, one] == (pair.lo > 0 or pair.hi < 0), "the gap needed is what the interval says"
    expected = [1]
    for row in range(1, rows):
        clean = all(apart[above, below] for above in range(row) for below in range(row, rows))
        expected.append(expected[-1] + clean)
    found = ties(sums_of(x, contest))
    if groups == 1:
        assert found.tiers.tolist() == [1] * rows
        assert found.resolution is None
        return
    assert found.tiers.tolist() == expected
    widths = [half_width(paired_difference(x[:, row], x[:, row + 1], contest)) for row in range(rows - 1)]
    assert found.resolution == pytest.approx(float(np.median(widths)), abs=1e-9)


def test_equal_rows_are_one_tier_whatever_their_sums_were_rounded_to() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        row = rng.integers(0, 8, 40) / 7
        sums = np.stack([row, row * 3 / 3 + rng.choice([0.0, 1e-16, -1e-16], 40), row], axis=1)
        assert ties(GroupSums(sums, np.ones((40, 3)))).tiers.tolist() == [1, 1, 1]
        found = resample_ranks(GroupSums(sums, np.ones((40, 3))), replicates=200, seed=1)
        assert found.first.tolist() == [1.0, 1.0, 1.0]


def test_a_lone_row_or_none_has_no_resolution() -> None:
    assert ties(GroupSums(np.ones((5, 1)), np.ones((5, 1)))).tiers.tolist() == [1]
    empty = ties(GroupSums(np.zeros((5, 0)), np.zeros((5, 0))))
    assert (empty.tiers.tolist(), empty.resolution) == ([], None)


def test_up_to_the_bound_every_contest_is_a_group_and_beyond_it_days_are_cut() -> None:
    assert groups_of(np.repeat(np.arange(MAX_GROUPS // 2), 2)).tolist() == list(range(MAX_GROUPS))
    days = np.sort(np.random.default_rng(3).integers(0, 900, 1500))
    groups = groups_of(days)
    assert groups[0] == 0
    assert set(np.diff(groups)) == {0, 1}
    assert MAX_GROUPS // 2 < groups[-1] + 1 <= MAX_GROUPS
    assert all(len(set(groups[days == day])) == 1 for day in np.unique(days))
    assert groups_of(np.zeros(1000, dtype=np.int64)).tolist() == [0] * 1000


def test_many_contests_give_nearly_the_tiers_and_resolution_of_single_ones() -> None:
    rng = np.random.default_rng(8)
    problems = [problem(number, day=number // 3) for number in range(1200)]
    runs = [run(number) for number in range(1, 9)]
    ease = rng.normal(0, 2, 1200)
    cells = [
        Cell(each.id, one.id, 1, int(rng.random() < 1 / (1 + np.exp(-ease[place] - 0.4 * (each.id // 2)))))
        for each in runs
        for place, one in enumerate(problems)
    ]
    cube = Cube.build(problems, runs, cells, 1)
    for query in (BoardQuery(), BoardQuery(platforms=("atcoder",))):  # running totals, and blocks
        board = rank_board(cube, runs, query, reference="model-8")
        assert board.clusters == 400
        neighbour = next(row for row in board.rows if row.rank == 2)
        assert neighbour.difference is not None
        assert board.resolution == pytest.approx(neighbour.difference[2] - neighbour.difference[0], rel=0.25)
        assert board.rows[0].tier != board.rows[-1].tier


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(2, 40), st.integers(2, 30), st.sampled_from([0.0, 0.02, 0.3]))
def test_the_first_row_told_apart_is_that_of_all_p_values(seed: int, rows: int, number: int, step: float) -> None:
    rng = np.random.default_rng(seed)
    rates = np.clip(1 - step * np.arange(rows) + rng.normal(0, 0.02, (number, rows)), 0, 1)
    # Rates are fractions of a few answers. Gaps that differ in the seventh digit alone would be taken for rounding.
    means = np.sort(rates.round(4), axis=1)[:, ::-1]
    groups = GroupSums(10 * means, np.full((number, rows), 10.0))
    p = [paired_difference(means[:, 0], means[:, row], np.arange(number)).p for row in range(1, rows)]
    wanted = np.flatnonzero(holm(p, rows * (rows - 1) // 2) < 0.05)
    assert first_separated(groups) == (wanted[0] + 1 if wanted.size else None)


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40))
def test_bootstrap_ranks_count_the_rows_ahead(seed: int, rows: int) -> None:
    """Of one replicate, with as many ties as not."""
    rng = np.random.default_rng(seed)
    groups = GroupSums(rng.integers(0, 20, (1, rows)) / 20, np.ones((1, rows)))
    found = resample_ranks(groups, replicates=1, seed=seed)
    ahead = (groups.sums[0] > groups.sums[0][:, None]).sum(axis=1)
    assert found.lo.tolist() == found.hi.tolist() == (1 + ahead).tolist()
    assert found.first.tolist() == (ahead == 0).astype(float).tolist()


def test_bootstrap_ranks_share_ties_and_survive_weights_of_zero() -> None:
    twin = np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    found = resample_ranks(GroupSums(twin, np.ones((2, 3))), replicates=64, seed=5)
    assert found.lo.tolist() == [1, 1, 1]  # only the second contest was drawn now and then
    assert found.hi.tolist() == [1, 1, 3]
    assert found.first[0] == found.first[1] == 1
    assert 0 < found.first[2] < 1
    none = resample_ranks(GroupSums(np.zeros((2, 0)), np.zeros((2, 0))), replicates=3, seed=5)
    assert none.first.tolist() == []


def test_bootstrap_ranks_agree_with_the_spread_of_a_known_pair() -> None:
    rng = np.random.default_rng(2)
    x = (rng.random((300, 1)) < np.array([0.9, 0.5, 0.1])).astype(float)
    found = resample_ranks(sums_of(x, np.arange(300)), replicates=200, seed=1)
    assert found.lo.tolist() == found.hi.tolist() == [1, 2, 3]
    assert found.first.tolist() == [1, 0, 0]


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.integers(2, 9))
def test_the_first_separated_row_is_the_first_that_a_paired_test_tells_apart(
    seed: int, contests: int, rows: int
) -> None:
    rng = np.random.default_rng(seed)
    x = rng.binomial(1, rng.random(rows), (5 * contests, rows)).astype(float)
    x = x[:, np.argsort(-x.mean(axis=0), kind="stable")]
    cluster = np.repeat(np.arange(contests), 5)
    groups = GroupSums(x.reshape(contests, 5, rows).sum(axis=1), np.full((contests, rows), 5.0))
    p = [paired_difference(x[:, 0], x[:, other], cluster).p for other in range(1, rows)]
    p = [1.0 if x[:, 0].mean() <= x[:, place + 1].mean() else each for place, each in enumerate(p)]
    told = [place + 1 for place, each in enumerate(holm(p, rows * (rows - 1) // 2)) if each < 0.05]
    assert first_separated(groups) == (told[0] if told else None)


@pytest.mark.parametrize(("contests", "each"), [(2, 1), (3, 1), (4, 1), (12, 1), (10, 4), (50, 4)])
def test_equal_models_are_seldom_told_apart(contests: int, each: int) -> None:
    """Whatever is said of sixteen models with the same chances is false: the results alone choose the first one."""
    rng, said = np.random.default_rng(contests), 0
    for _ in range(400):
        ease = rng.normal(0, 2, (contests, each, 1)) + rng.normal(0, 0.5, (contests, 1, 1))
        x = (rng.random((contests, each, 16)) < 1 / (1 + np.exp(-ease))).sum(axis=1).astype(float)
        x = x[:, np.argsort(-x.sum(axis=0), kind="stable")]
        said += first_separated(GroupSums(x, np.full(x.shape, float(each)))) is not None
    assert said / 400 <= 0.05


def test_one_row_or_one_group_separates_nothing() -> None:
    assert first_separated(GroupSums(np.ones((1, 3)), np.ones((1, 3)))) is None
    assert first_separated(GroupSums(np.ones((4, 1)), np.ones((4, 1)))) is None
