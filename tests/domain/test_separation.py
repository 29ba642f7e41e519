"""What a board tells apart, against plain loops over pairs; and what it says of equal models."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.board_worlds import World, problem, queries, run, worlds
from support.examples import examples

from app.domain.boards.board import Board, BoardQuery, Rules
from app.domain.boards.groups import MAX_GROUPS, MAX_RESULTS_READ, GroupSums, groups_of
from app.domain.boards.ranking import rank_board
from app.domain.boards.separation import chances_of_first, rows_apart_from, tell_apart
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell
from app.domain.metrics.distributions import t_critical, t_sf
from app.domain.metrics.intervals import Floats, Ints, agreed_p, holm, paired_difference

Table = tuple[Floats, Ints]


def sums_of(x: Floats, contest: Ints) -> GroupSums:
    """Sums by contest of pass rates (problems, rows); nan is missing and counts as failed."""
    sums = np.zeros((int(contest.max()) + 1, x.shape[1]))
    np.add.at(sums, contest, np.nan_to_num(x))
    return GroupSums(sums, np.bincount(contest).astype(np.float64))


def scores_of(x: Floats) -> Floats:
    scores: Floats = np.round(np.nan_to_num(x).mean(axis=0), 10)
    return scores


def best_first(x: Floats) -> Floats:
    return x[:, np.argsort(-scores_of(x), kind="stable")]


def of_one_size(contest: Ints) -> tuple[float, float]:
    """By what a standard error grows that counts contests as if of one size, and how many of one size say as much."""
    sizes = np.bincount(contest)
    even = float(round(sizes.sum() ** 2 / (sizes**2).sum(), 9))
    return (float(np.sqrt((sizes.size - 1) / sizes.size * even / (even - 1))) if even > 1 else np.inf), even


def pairs_of(whole: Floats, contest: Ints) -> tuple[Ints, Ints, Floats, Floats]:
    """Every pair of rows, with the mean and the standard error of `paired_difference`, of thousands of them at once."""
    one, other = np.triu_indices(whole.shape[1], k=1)
    beyond = np.zeros((int(contest.max()) + 1, whole.shape[1]))
    np.add.at(beyond, contest, whole - whole.mean(axis=0))
    squares = np.square(beyond[:, one] - beyond[:, other]).sum(axis=0)
    groups = len(beyond)
    error = np.sqrt(squares * groups / (groups - 1)) / len(whole) if groups > 1 else np.full(squares.shape, np.nan)
    return one, other, (whole[:, one] - whole[:, other]).mean(axis=0), error


def naive(x: Floats, contest: Ints) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Which row is surely better than which: every pair tested by itself, then Holm over all of them, with as many
    contests as would say as much were they of one size."""
    rows = x.shape[1]
    ones, others, means, errors = pairs_of(np.nan_to_num(x), contest)
    better, scale, even = np.zeros((rows, rows), dtype=bool), *of_one_size(contest)
    if even < 2:
        return better
    p_values = [
        2 * t_sf(abs(mean) / (scale * error), even - 1) if error > 1e-12 else agreed_p(mean, even)
        for mean, error in zip(means.tolist(), errors.tolist(), strict=True)
    ]
    for one, other, mean, p in zip(ones, others, means, holm(p_values), strict=True):
        if p < 0.05 and abs(mean) > 1e-10:
            better[(one, other) if mean > 0 else (other, one)] = True
    return better


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Pass rates (problems, rows) and the contest of each problem; rows may tie, lack answers, pass or fail all."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    problems, rows = draw(st.integers(6, 120)), draw(st.integers(2, 14))
    _, contest = np.unique(np.sort(rng.integers(0, max(2, problems // 3), problems)), return_inverse=True)
    skill, ease = rng.normal(0, draw(st.sampled_from([0.2, 1.5, 4])), rows), rng.normal(0, 2, problems)
    answers = draw(st.sampled_from([1, 10]))
    x = rng.binomial(answers, 1 / (1 + np.exp(-skill - ease[:, None]))) / answers
    x[rng.random(x.shape) < draw(st.sampled_from([0.0, 0.04]))] = np.nan
    if draw(st.booleans()):
        x[:, 0], x[:, -1] = draw(st.sampled_from([(1.0, 0.0), (1.0, 1.0)]))
    return x, contest


@settings(max_examples=examples(150))
@given(tables())
def test_ranks_and_tiers_are_those_of_all_pairs_tested_one_by_one(table: Table) -> None:
    x, contest = best_first(table[0]), table[1]
    rows, better = x.shape[1], naive(x, contest)
    found = tell_apart(sums_of(x, contest), scores_of(x))
    assert found.best.tolist() == (1 + better.sum(axis=0)).tolist()
    assert found.worst.tolist() == (rows - better.sum(axis=1)).tolist()
    tiers = [1]
    for row in range(1, rows):
        tiers.append(tiers[-1] + bool(better[:row, row:].all()))
    assert found.tiers.tolist() == tiers
    scale, groups = of_one_size(contest)
    if groups < 2:
        assert found.resolution is None
        return
    assert found.threshold is not None
    for row in range(rows):
        told = rows_apart_from(sums_of(x, contest), scores_of(x), row, found.threshold)
        assert told.tolist() == (better[row] | better[:, row]).tolist()
    left = max(rows * (rows - 1) // 2 - int(better.sum()), 1)
    whole = np.nan_to_num(x)
    critical, none = t_critical(1 - 0.05 / left, groups - 1), min((2 * left / 0.05) ** (1 / groups) - 1, 1.0)
    pairs = [paired_difference(whole[:, row], whole[:, row + 1], contest) for row in range(rows - 1)]
    ones, others, means, errors = pairs_of(whole, contest)
    neighbours = others == ones + 1
    assert means[neighbours] == pytest.approx([pair.mean for pair in pairs], abs=1e-12)
    assert errors[neighbours] == pytest.approx([pair.se for pair in pairs], abs=1e-12)
    needed = [critical * scale * pair.se if pair.se > 1e-9 else none for pair in pairs]
    assert found.resolution == pytest.approx(float(np.median(needed)), abs=1e-9)


@settings(max_examples=examples(80))
@given(tables(), st.randoms(use_true_random=False))
def test_what_is_said_of_a_row_does_not_depend_on_the_order_of_rows(
    table: Table, random: "np.random.Generator"
) -> None:
    x, contest = table
    order = list(range(x.shape[1]))
    random.shuffle(order)
    said = []
    for each in (x, x[:, order]):
        place = np.argsort(-scores_of(each), kind="stable")
        groups, back = sums_of(each[:, place], contest), np.argsort(place)
        apart = tell_apart(groups, scores_of(each)[place])
        chances = chances_of_first(groups, apart.best, replicates=50, seed=3)
        said.append([values[back] for values in (apart.best, apart.worst, apart.tiers, chances)])
    for mine, other in zip(*said, strict=True):
        assert np.allclose(mine[order], other)


@pytest.mark.parametrize(
    "chances", [np.linspace(0.05, 0.95, 130), np.repeat([0.97, 0.03], [64, 66])], ids=["even", "two"]
)
def test_many_rows_are_compared_as_few_are(chances: Floats) -> None:
    """Rows far apart need no look, a whole strip of them in the second table, and others are looked at by strips."""
    rng = np.random.default_rng(5)
    contest = np.repeat(np.arange(30), 4)
    x = best_first(rng.binomial(1, chances, (120, 130)).astype(float))
    better = naive(x, contest)
    found = tell_apart(sums_of(x, contest), scores_of(x))
    assert 130 < better.sum() < 130 * 129 / 2
    assert found.best.tolist() == (1 + better.sum(axis=0)).tolist()
    assert found.worst.tolist() == (130 - better.sum(axis=1)).tolist()


def test_contests_that_agree_to_the_last_digit() -> None:
    contest = np.arange(40)
    ease = np.random.default_rng(1).integers(0, 8, (40, 1)) / 10
    x = ease + np.array([0.2, 0.1, 0.1, 0.0])  # no spread: p = 2 (1 + gap)^-40
    found = tell_apart(sums_of(x, contest), scores_of(x))
    better = naive(x, contest)
    assert better.sum() == 1
    assert found.best.tolist() == [1, 1, 1, 2]
    assert found.worst.tolist() == [3, 4, 4, 4]


def test_two_contests_that_agree_are_no_proof_though_sums_are_rounded() -> None:
    """A tenth of each contest's problems, in sums of 0.1 and 0.5: what is left of their differences is rounding."""
    x, contest = (
        np.array([[0.1, 0.0], [0.0, 0.0], [0.1, 0.0], [0.4, 0.0], [0.0, 0.0], [0.0, 0.0]]),
        np.array([0] + [1] * 5),
    )
    found = tell_apart(sums_of(x, contest), scores_of(x))
    assert (found.best.tolist(), found.worst.tolist()) == ([1, 1], [2, 2])


def test_equal_rows_are_told_apart_by_nothing_whatever_their_sums_were_rounded_to() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        row = rng.integers(0, 8, 40) / 7
        sums = np.stack([row, row * 3 / 3 + rng.choice([0.0, 1e-16, -1e-16], 40), row], axis=1)
        groups = GroupSums(sums, np.ones(40))
        found = tell_apart(groups, np.full(3, round(float(row.mean()), 10)))
        assert (found.best.tolist(), found.worst.tolist(), found.tiers.tolist()) == ([1] * 3, [3] * 3, [1] * 3)
        assert chances_of_first(groups, found.best, replicates=200, seed=1) == pytest.approx([1 / 3] * 3)


def test_a_lone_row_or_none_or_one_contest_tells_nothing() -> None:
    for rows, contests in ((1, 5), (0, 5), (3, 1)):
        found = tell_apart(GroupSums(np.ones((contests, rows)), np.ones(contests)), np.ones(rows))
        assert found.best.tolist() == found.tiers.tolist() == [1] * rows
        assert found.worst.tolist() == [rows] * rows
        assert found.resolution is None


def test_up_to_the_bound_every_contest_is_a_group_and_beyond_it_days_are_cut() -> None:
    assert groups_of(np.repeat(np.arange(MAX_GROUPS // 2), 2)).tolist() == list(range(MAX_GROUPS))
    days = np.sort(np.random.default_rng(3).integers(0, 900, 1500))
    groups = groups_of(days)
    assert groups[0] == 0
    assert set(np.diff(groups)) == {0, 1}
    assert MAX_GROUPS // 2 < groups[-1] + 1 <= MAX_GROUPS
    assert all(len(set(groups[days == day])) == 1 for day in np.unique(days))
    assert groups_of(np.zeros(1000, dtype=np.int64)).tolist() == [0] * 1000


def long_world(contests: int, rows: int) -> tuple[Cube, list[Board]]:
    """Boards over so many contests of three problems, once by running totals and once by blocks."""
    rng = np.random.default_rng(8)
    problems = [problem(number, day=number // 3) for number in range(3 * contests)]
    runs = [run(number) for number in range(1, rows + 1)]
    ease = rng.normal(0, 2, (3 * contests, 1)) + 0.25 * np.arange(rows)
    n = np.ones(ease.shape, dtype=np.int64)
    cube = Cube.of_counts(problems, runs, n, rng.binomial(n, 1 / (1 + np.exp(-ease))), 1)
    asked = (BoardQuery(), BoardQuery(platforms=("atcoder",)))
    return cube, [rank_board(cube, runs, query) for query in asked]


def test_many_contests_are_compared_one_by_one() -> None:
    cube, boards = long_world(400, 8)
    rows = np.arange(1200)
    x = np.concatenate([rate for _, (rate, _) in cube.pass_rates(rows)])
    better = naive(x, cube.axes.cluster)
    for board in boards:
        assert board.clusters == 400
        for row in board.rows:
            assert (row.rank_lo, row.rank_hi) == (1 + better[:, row.run - 1].sum(), 8 - better[row.run - 1].sum())


def test_more_results_than_are_read_have_nearly_the_ranks_of_single_contests() -> None:
    rows = 1 + MAX_RESULTS_READ // 3000
    cube, boards = long_world(1000, rows)
    x = np.concatenate([rate for _, (rate, _) in cube.pass_rates(np.arange(3000))])
    better = naive(x, cube.axes.cluster)
    for board in boards:
        told = sum((row.rank_lo or 0) - 1 for row in board.rows)
        assert told == pytest.approx(better.sum(), rel=0.03)


def check_one_statement(board: Board) -> None:
    """Places, ranges, tiers, chances and sentences of a board say one thing."""
    ranked = [row for row in board.rows if row.rank is not None]
    for row in ranked:
        assert row.rank_lo is not None
        assert row.rank_hi is not None
        assert row.rank is not None
        assert 1 <= row.rank_lo <= row.rank <= row.rank_hi <= len(ranked)
    if board.query.rules is Rules.LCB:
        assert board.first_separated is None
        return
    lows, highs = ([getattr(row, name) for row in ranked] for name in ("rank_lo", "rank_hi"))
    assert sum(lows) - len(ranked) == len(ranked) ** 2 - sum(highs), "who is surely better has somebody surely worse"
    behind = [row.rank or 0 for row in ranked if row.rank_lo != 1]
    assert board.first_separated == min(behind, default=None)
    for above, below in pairwise(ranked):
        assert below.tier in (above.tier, (above.tier or 0) + 1)
        if below.tier != above.tier:
            at = ranked.index(below)
            assert all((row.rank_hi or 0) <= at for row in ranked[:at])
            assert all((row.rank_lo or 0) > at for row in ranked[at:])
    assert len({row.first_chance is None for row in ranked}) <= 1
    for row in ranked:
        if row.first_chance is not None:
            assert board.clusters >= 10
            assert 0 <= row.first_chance <= 1
            if row.rank_lo != 1:
                assert row.first_chance == 0
            assert (row.first_chance == 1) is (row.rank_hi == 1), "certain where it is, and nowhere else"
    if ranked and ranked[0].first_chance is not None:
        assert sum(row.first_chance or 0 for row in ranked) == pytest.approx(1), "somebody is first, and one alone"


@settings(max_examples=examples(80))
@given(worlds(), queries())
def test_a_board_makes_one_statement(world: World, query: BoardQuery) -> None:
    cube = Cube.build(world.problems, world.runs, world.cells, revision=1)
    found = rank_board(cube, world.runs, query, replicates=40)
    if not found.beside:
        check_one_statement(found)
    other = rank_board(cube, world.runs[::-1], query, replicates=40)
    assert found == other or found.rows == other.rows


@pytest.mark.parametrize("contests", [1, 9, 10, 40])
def test_one_statement_of_a_clear_board(contests: int) -> None:
    """The best of three passes everything: it surely is first, and always, from ten contests on."""
    problems = [problem(number, day=number // 5) for number in range(5 * contests)]
    runs = [run(number) for number in (1, 2, 3)]
    cells = [
        Cell(one.id, each.id, 10, (10, 4 + each.id % 3, 4 + each.id % 4)[one.id - 1])
        for one in runs
        for each in problems
    ]
    board = rank_board(Cube.build(problems, runs, cells, 1), runs, BoardQuery(), replicates=100)
    check_one_statement(board)
    chances = [row.first_chance for row in board.rows]
    assert chances == ([None] * 3 if contests < 10 else [1, 0, 0])
    if contests != 9:
        assert (board.rows[0].rank_lo, board.rows[0].rank_hi) == (1, 3 if contests == 1 else 1)


@pytest.mark.parametrize(("contests", "each"), [(2, 1), (3, 1), (4, 1), (12, 1), (10, 4), (50, 4)])
def test_equal_models_are_seldom_told_apart(contests: int, each: int) -> None:
    """Whatever is said of sixteen models with the same chances is false."""
    rng, said, tries = np.random.default_rng(contests), 0, examples(1000)
    for _ in range(tries):
        ease = rng.normal(0, 2, (contests, each, 1)) + rng.normal(0, 0.5, (contests, 1, 1))
        x = (rng.random((contests, each, 16)) < 1 / (1 + np.exp(-ease))).astype(float).reshape(-1, 16)
        x = best_first(x)
        found = tell_apart(sums_of(x, np.repeat(np.arange(contests), each)), scores_of(x))
        said += bool((found.best > 1).any())
    assert said / tries <= 0.05


@pytest.mark.parametrize("sizes", [[20, *[1] * 5], [30, 30, *[1] * 10], [8, 7, 4, 4, 1, 1]])
def test_contests_of_unequal_sizes_tell_equal_models_apart_as_seldom(sizes: list[int]) -> None:
    """Two contests of thirty problems beside ten of one say as much as two, not as twelve."""
    rng, said, contest = np.random.default_rng(len(sizes)), 0, np.repeat(np.arange(len(sizes)), sizes)
    tries = examples(1000)
    for _ in range(tries):
        ease = rng.normal(0, 1.5, (contest.size, 1)) + rng.normal(0, 0.3, (len(sizes), 4))[contest]
        x = best_first(rng.binomial(10, 1 / (1 + np.exp(-ease))) / 10)
        said += bool((tell_apart(sums_of(x, contest), scores_of(x)).best > 1).any())
    assert said / tries <= 0.05


def test_two_kinds_of_equal_models_are_told_apart_as_kinds_alone() -> None:
    """Where some differ for sure, what is said of equal ones is still seldom: the adjustment is over all pairs."""
    rng, false, true, boards = np.random.default_rng(9), 0, 0, examples(2500)
    contest = np.repeat(np.arange(40), 4)
    for _ in range(boards):
        ease = rng.normal(0, 1.5, (40, 4, 1)) + np.repeat([1.5, -1.5], 6)
        x = (rng.random((40, 4, 12)) < 1 / (1 + np.exp(-ease))).astype(float).reshape(-1, 12)
        place = np.argsort(-scores_of(x), kind="stable")
        found = tell_apart(sums_of(x[:, place], contest), scores_of(x)[place])
        false += bool((found.best[place < 6] > 1).any() or (found.worst[place >= 6] < 12).any())
        true += int(found.best[place >= 6].sum()) - 6
    assert false / boards <= 0.05
    assert true / (boards * 36) > 0.9


def test_chances_are_shared_by_ties_and_survive_weights_of_zero() -> None:
    groups = GroupSums(np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]), np.ones(2))
    found = chances_of_first(groups, np.array([1, 1, 1]), replicates=64, seed=5)
    assert found[0] == found[1] < 0.5
    assert 0 < found[2] < found[0]  # only the second contest was drawn now and then
    assert found.sum() == pytest.approx(1)
    assert chances_of_first(groups, np.array([1, 1, 2]), replicates=64, seed=5).tolist() == [0.5, 0.5, 0]
    clear = chances_of_first(
        GroupSums(np.array([[3.0, 0.0]] * 3), np.full(3, 3.0)), np.array([1, 1]), replicates=64, seed=5
    )
    assert clear[0] < 1, "not told apart, so not certain"
    assert chances_of_first(groups, np.array([1, 2, 2]), replicates=64, seed=5).tolist() == [1, 0, 0]
    none = chances_of_first(GroupSums(np.zeros((2, 0)), np.ones(2)), np.zeros(0, np.int64), replicates=3, seed=5)
    assert none.tolist() == []
