"""A board equals brute force, whatever the world and the filters; and the cases a person would think of."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from math import nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.board_worlds import (
    EVERYTHING,
    FIRST,
    NaiveRow,
    World,
    board_of,
    filtered,
    may_have_seen,
    naive_board,
    naive_ranks,
    problem,
    queries,
    rates,
    run,
    selected,
    worlds,
)
from support.examples import examples

from app.domain.boards.board import Board, BoardQuery, BoardRow, Exposure, LevelScore, Prospective, Rules, RunUsage
from app.domain.boards.filters import of_all_rows
from app.domain.boards.lineup import Lineup
from app.domain.boards.ranking import rank_board
from app.domain.boards.selection import Selection
from app.domain.boards.totals import totals
from app.domain.cube.axes import SHARD_BLOCKS
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell
from app.domain.metrics.intervals import holm, paired_difference, pass_at_k
from app.domain.problems import Level
from app.domain.publishing.bands import LABELS
from app.domain.windows import Window


def same(one: float | None, other: float | None, tolerance: float = 1e-9) -> bool:
    return one is other is None or (one is not None and other is not None and abs(one - other) <= tolerance)


def check_row(row: BoardRow, naive: NaiveRow, query: BoardQuery) -> None:
    assert row.run == naive.run
    assert same(row.score, naive.score)
    assert all(same(*pair) for pair in zip(row.pass_at, naive.pass_at, strict=True)), (row.pass_at, naive.pass_at)
    assert (row.n_problems, row.wanted, row.exposed) == (naive.n, naive.wanted, naive.exposed)
    assert same(row.coverage, naive.covered / naive.wanted if naive.wanted else 0.0)
    assert (row.served, row.prospective) == (naive.served, naive.prospective)
    assert (row.pending, row.judge_errors, row.trials) == (naive.pending, naive.judge_errors, naive.trials)
    lo, hi = naive.ci or (None, None)
    assert same(row.ci_lo, lo, 1e-7), (row, naive)
    assert same(row.ci_hi, hi, 1e-7)
    if isinstance(naive.without_own, str):
        assert (row.without_own, row.without_own_reason) == (None, naive.without_own)
    else:
        assert row.without_own is not None
        assert row.without_own_reason is None
        assert row.without_own.n == naive.without_own[1]
        assert same(row.without_own.score, naive.without_own[0])
    for level, (score, n) in naive.by_level.items():
        shown = row.by_difficulty.get(level, LevelScore(None, 0))
        assert same(shown.score, score)
        assert shown.n == n
    if query.exposure is Exposure.SPLIT:
        assert row.split is not None
        for part, (score, n) in zip(row.split, naive.parts, strict=True):
            assert part.n == n
            assert same(part.score, score)
    else:
        assert row.split is None


def test_pass_at_k_is_the_chance_that_one_of_k_answers_passes() -> None:
    """Of ten answers to each of two problems 1 and 5 pass, or 7 and 2."""
    found = {row.run: row.pass_at for row in board_of({1: [0.1, 0.5], 2: [0.7, 0.2]}).rows}
    assert found[1] == pytest.approx((100 * (5 / 10 + 1 - 1 / 252) / 2, 100))
    assert found[2] == pytest.approx((100 * (1 + 1 - 56 / 252) / 2, 100))


# Shards as they are, and so small that a few hundred problems fill as many as whole shards are summed up from.
SHARDS = st.sampled_from([SHARD_BLOCKS, 2])


@settings(max_examples=examples(120))
@given(worlds(), queries(), SHARDS)
def test_board_equals_brute_force(world: World, query: BoardQuery, shard_blocks: int) -> None:
    cube = Cube.build(world.problems, world.runs, world.cells, revision=3, shard_blocks=shard_blocks)
    board = rank_board(cube, world.runs, query, samples=world.samples)
    rows, hidden = naive_board(world, query)
    assert Counter(each.reason for each in board.hidden) == hidden
    found = {row.run: row for row in board.rows}
    listed = {row.run for row in rows if shows(world, query, row)}
    assert found.keys() == listed
    for naive in rows:
        if naive.run in listed:
            check_row(found[naive.run], naive, query)
    problems = selected(world, query)
    assert board.problems == len(problems)
    assert board.clusters == len({each.cluster for each in problems})
    counts = {level: sum(each.level is level for each in problems) for level in Level}
    assert board.by_level == {level: n for level, n in counts.items() if n or level in LABELS}
    assert all(list(row.by_difficulty) == list(board.by_level) for row in board.rows)
    assert {name: n for name, n in board.by_platform.items() if n} == Counter(each.platform for each in problems)
    if query.rules is Rules.TIDEMARK:
        ranks = naive_ranks(rows)
        everything = (*board.rows, *board.beside)
        assert {row.run: row.rank for row in everything if row.rank} == {key: rank[0] for key, rank in ranks.items()}
        parts = {row.run: row.share for row in rows if row.fit and row.n}
        check_order(rank_board(cube, world.runs, of_all_rows(query), samples=world.samples).rows, parts)


def shows(world: World, query: BoardQuery, row: BoardRow | NaiveRow) -> bool:
    """Whether no filter leaves out this row, which stands on the board."""
    alone = query.prospective is Prospective.ONLY
    (fact,) = (each for each in world.runs if each.id == row.run)
    return not filtered(fact, query) and (row.prospective or not alone)


def but_for_sums(row: BoardRow) -> BoardRow:
    """Without what is summed over the arrays of the rows shown, whose last digits follow their shapes."""
    return row._replace(estimate=None, pass_at=(None, None))


@settings(max_examples=examples(60))
@given(worlds(), queries())
def test_filters_of_rows_show_fewer_rows_and_change_none(world: World, query: BoardQuery) -> None:
    """Ranks, tiers, chances of first place and differences are among all rows, whichever of them are asked for."""
    cube, wide = Cube.build(world.problems, world.runs, world.cells, revision=3), of_all_rows(query)
    shown = [row for row in rank_board(cube, world.runs, wide).rows if shows(world, query, row)]
    reference = f"{shown[-1].model}:{shown[-1].configuration}" if shown else None
    every, few = (rank_board(cube, world.runs, each, reference=reference, replicates=20) for each in (wide, query))
    rows = [row for row in every.rows if shows(world, query, row)]
    assert list(map(but_for_sums, few.rows)) == list(map(but_for_sums, rows))
    for row, other in zip(few.rows, rows, strict=True):
        assert all(same(*pair) for pair in zip(row.pass_at, other.pass_at, strict=True))
        assert all(same(*pair, 1e-6) for pair in zip(row.estimate or (), other.estimate or (), strict=True))
    assert [row.run for row in few.beside] == [
        row.run for row in every.rows if not shows(world, query, row) and row.rank
    ]
    for name in ("resolution", "first_separated", "precision", "problems", "clusters"):
        assert getattr(few, name) == getattr(every, name)


def test_groups_are_many_and_even_or_single_contests() -> None:
    """A platform that lies in a few shards alone is not lumped into their halves."""
    everywhere = [problem(number, day=number, platform="atcoder") for number in range(100)]
    late = [problem(200 + number, day=90, platform="leetcode", cluster=f"l{number}") for number in range(40)]
    cube = Cube.build([*everywhere, *late], [run(1)], [], 1, shard_blocks=4)
    for platform, groups in (("leetcode", 40), ("atcoder", 50)):
        found = totals(cube, Selection.of(cube.axes, BoardQuery(platforms=(platform,))))
        assert len(found.groups.sums) == pytest.approx(groups, abs=2)


def check_order(rows: tuple[BoardRow, ...], parts: Mapping[int, float]) -> None:
    """`parts` of the mean are left of each run's where what it lacks counts as failed."""
    ranked = [row for row in rows if row.rank]
    assert list(rows[: len(ranked)]) == ranked
    assert ranked == sorted(ranked, key=lambda row: (row.rank or 0, row.run))
    assert [row.tier for row in rows[len(ranked) :]] == [None] * (len(rows) - len(ranked))
    for row in ranked:
        assert row.rank_lo is not None
        assert row.rank_hi is not None
        assert row.ci_lo is not None
        assert row.ci_hi is not None
        assert 1 <= row.rank_lo <= (row.rank or 0) <= row.rank_hi <= len(ranked)
        assert row.overlap is not None
        above = [(other.ci_lo or 0) * parts[other.run] - row.ci_hi * parts[row.run] for other in ranked]
        assert sum(gap > 1e-7 for gap in above) < row.overlap.lo <= 1 + sum(gap > -1e-7 for gap in above)
        beside = [(other.ci_hi or 0) * parts[other.run] - row.ci_lo * parts[row.run] for other in ranked]
        assert sum(gap > 1e-7 for gap in beside) <= row.overlap.hi <= sum(gap > -1e-7 for gap in beside)
    tiers = [row.tier for row in ranked]
    assert tiers == sorted(tiers, key=lambda tier: tier or 0)
    assert set(tiers) == set(range(1, len(set(tiers)) + 1))


@settings(max_examples=examples(60))
@given(worlds(), queries())
def test_filters_of_whole_windows_and_of_blocks_agree(world: World, query: BoardQuery) -> None:
    """A filter that leaves everything takes the other path through the sums."""
    cube = Cube.build(world.problems, world.runs, world.cells, revision=3)
    plain = BoardQuery(window=query.window, exposure=query.exposure)
    named = BoardQuery(window=query.window, exposure=query.exposure, platforms=("atcoder", "codeforces", "leetcode"))
    for one, other in zip(
        rank_board(cube, world.runs, plain).rows, rank_board(cube, world.runs, named).rows, strict=True
    ):
        assert one.run == other.run
        assert (one.rank, one.rank_lo, one.rank_hi, one.tier) == (other.rank, other.rank_lo, other.rank_hi, other.tier)
        assert same(one.score, other.score)
        assert same(one.ci_lo, other.ci_lo, 1e-7)


@settings(max_examples=examples(30))
@given(worlds(), queries())
def test_whole_shards_and_their_blocks_sum_to_the_same(world: World, query: BoardQuery) -> None:
    """Rows do not depend on how the cube is cut, but for chances of first place, which go by groups of contests."""
    boards = [
        rank_board(
            Cube.build(world.problems, world.runs, world.cells, revision=3, shard_blocks=size), world.runs, query
        )
        for size in (SHARD_BLOCKS, 1)
    ]
    for one, other in zip(*(board.rows for board in boards), strict=True):
        assert (one.run, one.rank, one.tier) == (other.run, other.rank, other.tier)
        assert (one.rank_lo, one.rank_hi) == (other.rank_lo, other.rank_hi)
        assert same(one.score, other.score)
        assert same(one.ci_lo, other.ci_lo, 1e-7)
        assert dict(one.by_difficulty).keys() == dict(other.by_difficulty).keys()


def test_a_long_filtered_window_has_groups_of_whole_half_shards() -> None:
    problems = [problem(number, day=number, platform="atcoder") for number in range(200)]
    cells = [Cell(1, each.id, 4, each.id % 5) for each in problems]
    cube = Cube.build(problems, [run(1)], cells, 1, shard_blocks=8)
    selection = Selection.of(cube.axes, BoardQuery(window=Window(FIRST + timedelta(3), None), platforms=("atcoder",)))
    assert selection.whole_shards == (1, 25), "the first shard is cut"
    found = totals(cube, selection)
    chosen = [pass_at_k(4, each.id % 5, 1) for each in problems[3:]]
    assert found.groups.sums[:, 0].tolist() == pytest.approx(
        [chosen[0], *np.add.reduceat(chosen[1:], range(0, 196, 4))]
    )
    assert found.groups.problems.tolist() == [1, *[4] * 49]


@settings(max_examples=examples(60))
@given(worlds(), queries())
def test_reference_differences_are_paired_differences(world: World, query: BoardQuery) -> None:
    query = replace(of_all_rows(query), exposure=Exposure.UNRANK)
    cube = Cube.build(world.problems, world.runs, world.cells, revision=3)
    board = rank_board(cube, world.runs, query)
    if not board.rows:
        return
    chosen = board.rows[-1]
    name = f"{chosen.model}:{chosen.configuration}"
    problems = selected(world, query)
    base = rates(world, chosen.run, problems)
    rows = rank_board(cube, world.runs, query, reference=name).rows
    p = {}
    for row in rows:
        own = rates(world, row.run, problems)
        expected = paired_difference(
            [own.get(each.id, nan) for each in problems],
            [base.get(each.id, nan) for each in problems],
            [each.cluster for each in problems],
        )
        if expected.n == 0 or row.run == chosen.run:
            assert row.difference is None
            continue
        assert row.difference is not None
        for found, wanted in zip(row.difference[:3], (expected.mean, expected.lo, expected.hi), strict=True):
            assert same(found, 100 * wanted, 1e-6)
        p[row.run] = expected.p
    adjusted = dict(zip(p, holm(list(p.values())).tolist(), strict=True))
    shown = {row.run: row.difference.p for row in rows if row.difference is not None}
    assert shown == pytest.approx(adjusted, abs=1e-6)


@settings(max_examples=examples(60))
@given(worlds(), queries())
def test_split_rows_are_compared_on_what_neither_model_may_have_seen(world: World, query: BoardQuery) -> None:
    query = replace(query, exposure=Exposure.SPLIT, rules=Rules.TIDEMARK)
    cube = Cube.build(world.problems, world.runs, world.cells, revision=3)
    shown = rank_board(cube, world.runs, query).rows
    if not shown:
        return
    chosen = shown[0]
    facts = {each.id: each for each in world.runs}
    for row in rank_board(cube, world.runs, query, reference=f"{chosen.model}:{chosen.configuration}").rows:
        clean = [
            each
            for each in selected(world, query)
            if not any(may_have_seen(facts[run], each, query.rules) for run in (row.run, chosen.run))
        ]
        own, base = (rates(world, number, clean) for number in (row.run, chosen.run))
        common = [own[each.id] - base[each.id] for each in clean if each.id in own and each.id in base]
        if row.run == chosen.run or not common:
            assert row.difference is None
        else:
            assert row.difference is not None
            assert same(row.difference.mean, 100 * sum(common) / len(common), 1e-7)


def test_an_empty_board_has_no_rows_and_says_how_many_runs_it_hides() -> None:
    assert rank_board(Cube.build([], [], [], 0), [], BoardQuery()) == Board(
        BoardQuery(), 0, dict.fromkeys(LABELS, 0), {}, ()
    )
    board = rank_board(Cube.build([problem(1)], [run(1)], [], 0), [run(1), run(2)], BoardQuery(), replicates=10)
    assert board.rows == ()
    assert board.problems == 1
    assert [(each.model, each.reason) for each in board.hidden] == [("model-1", "unjudged"), ("model-2", "unjudged")]
    assert board.resolution is None


def test_weeks_cover_all_days_whatever_the_window() -> None:
    problems = [problem(1, day=0), problem(2, day=6), problem(3, day=21, level=Level.HARD)]
    cube = Cube.build(problems, [], [], 0)
    monday = FIRST  # the first of January 2024 is a Monday
    weeks = [(monday, 2), (monday + timedelta(7), 0), (monday + timedelta(14), 0), (monday + timedelta(21), 1)]
    assert rank_board(cube, [], BoardQuery(window=Window(None, date(2024, 1, 2)))).weeks == tuple(weeks)
    hard = rank_board(cube, [], BoardQuery(levels=(Level.HARD,))).weeks
    assert [count for _, count in hard] == [0, 0, 0, 1]


def test_the_day_of_the_windows_end_is_out() -> None:
    window = Window(FIRST, FIRST + timedelta(days=2))
    (row,) = board_of({1: [0.0, 0.0, 1.0]}, BoardQuery(window=window)).rows
    assert (row.score, row.n_problems) == (0.0, 2)


def test_livecodebench_stores_problems_a_day_late_and_takes_both_midnights_in() -> None:
    # Stored on the window's first and last day at midnight and at noon, and on the day between.
    kept = [problem(1, day=-1, hour=0), problem(2, day=-1), problem(3, day=0), problem(4, day=1, hour=0)]
    left = [problem(5, day=1), problem(6, day=-2), problem(7, day=2, hour=0)]
    window = Window(FIRST, FIRST + timedelta(days=2))
    cells = [Cell(1, each.id, 1, int(each in kept)) for each in kept + left]
    (row,) = rank_board(
        Cube.build(kept + left, [run(1)], cells, 1), [run(1)], BoardQuery(window=window, rules=Rules.LCB)
    ).rows
    assert (row.score, row.n_problems) == (100.0, 4)


def test_livecodebench_ranks_rounded_scores_in_the_order_of_runs_and_over_clean_rows_only() -> None:
    problems = [problem(number, day=number) for number in range(1, 2001)]
    runs = [run(1), run(2, cutoff=FIRST + timedelta(days=1)), run(3), run(4)]
    # 50.2 and 50.24 round alike; 50.25, a binary fraction, rounds up.
    solved = {1: 10040, 2: 20000, 3: 10048, 4: 10050}
    cells = [
        Cell(number, place, 10, min(10, max(0, total - 10 * (place - 1))))
        for number, total in solved.items()
        for place in range(1, 2001)
    ]
    board = rank_board(
        Cube.build(problems, runs, cells, 1), runs, BoardQuery(window=Window(FIRST, None), rules=Rules.LCB)
    )
    assert [(row.run, row.rank, row.rank_lo, row.rank_hi, row.tier) for row in board.rows] == [
        (2, None, None, None, None),
        (4, 1, 1, 1, None),
        (1, 2, 2, 2, None),
        (3, 3, 3, 3, None),
    ]
    assert board.resolution is None


def test_a_window_of_a_long_history_is_compared_on_its_own_problems() -> None:
    scores = {1: [0.0] * 290 + [1.0] * 10, 2: [1.0] * 290 + [0.5] * 10}
    window = Window(FIRST + timedelta(days=290), None)
    rows = board_of(scores, BoardQuery(window=window), reference="model-2").rows
    assert [(row.run, row.score, row.n_problems) for row in rows] == [(1, 100.0, 10), (2, 50.0, 10)]
    assert [row.difference and row.difference[0] for row in rows] == [50.0, None]


def test_equal_scores_share_a_rank() -> None:
    board = board_of({1: [1.0, 0.2, 0.1], 2: [0.1, 0.2, 1.0], 3: [0.0, 0.0, 0.0]})
    assert [(row.run, row.rank) for row in board.rows] == [(1, 1), (2, 1), (3, 3)]


def test_usage_variants_and_flags_are_carried() -> None:
    usage = RunUsage(seconds_per_problem=2.0)
    board = board_of({1: [1.0], 2: [0.0]}, usage={2: usage}, unpublished={"model-1": 3})
    assert [(row.usage, row.unpublished_variants) for row in board.rows] == [(RunUsage(), 3), (usage, 0)]


def test_a_lineup_made_once_gives_the_same_board() -> None:
    runs = [run(2, model="a"), run(1, model="a", trial=2), run(3)]
    cube = Cube.build([problem(1)], runs, [Cell(number, 1, 1, 1) for number in (1, 2, 3)], 1)
    lineup = Lineup.of(runs)
    assert rank_board(cube, lineup, EVERYTHING) == rank_board(cube, runs, EVERYTHING)
    assert [(row.run, row.trials) for row in rank_board(cube, lineup, EVERYTHING).rows] == [(2, 2), (3, 1)]
    assert rank_board(Cube.build([], [], [], 0), lineup, EVERYTHING).rows == ()


def test_a_reference_that_is_not_shown_compares_nothing() -> None:
    board = board_of({1: [1.0], 2: [0.0]}, reference="model-9")
    assert [row.difference for row in board.rows] == [None, None]


def test_chances_of_first_place_are_the_same_for_the_same_query_and_revision() -> None:
    rng = np.random.default_rng(4)
    base = rng.random(60)
    scores = {number: [float(each) for each in (base < 0.3 + 0.1 * number)] for number in range(1, 5)}
    one, again = board_of(scores, replicates=200), board_of(scores, replicates=200)
    assert [row.first_chance for row in one.rows] == [row.first_chance for row in again.rows]
    assert (one.rows[0].first_chance or 0) > 0.9
    partial = board_of({1: [1.0] * 10, 2: [1.0] * 9 + [nan]}, replicates=5)
    assert [row.first_chance for row in partial.rows] == [1.0, None]


@pytest.mark.parametrize("contests", [1, 9, 10])
def test_under_ten_contests_nothing_is_said_of_who_would_be_first(contests: int) -> None:
    board = board_of({1: [1.0] * contests, 2: [0.0] * contests}, replicates=50)
    assert [row.first_chance for row in board.rows] == ([None] * 2 if contests < 10 else [1, 0])
    assert [row.rank for row in board.rows] == [1, 2]
