"""Gaps between a row and a part of its board: over the problems judged for both, equal to a naive loop over cells."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import comb
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.board_worlds import World, may_have_seen, problem, queries, rates, run, selected, worlds
from support.examples import examples

from app.domain.boards.board import Board, BoardQuery, BoardRow, Exposure, PairedGap
from app.domain.boards.filters import of_all_rows
from app.domain.boards.lineup import Lineup
from app.domain.boards.named_boards import BoardColumn, Gap, ScorePart, boards, extra_values, gap
from app.domain.boards.named_boards._paired_gaps import BoardSource, paired_gaps
from app.domain.boards.ranking import rank_board
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell, RunFact
from app.domain.metrics.intervals import paired_difference
from app.domain.problems import ProblemFact

WHOLE = ScorePart("part", "slug")


class Asked(NamedTuple):
    """A world, and what is asked of it."""

    world: World
    query: BoardQuery

    @property
    def side(self) -> BoardSource:
        """The board, with what it is made from."""
        cube, lineup = Cube.build(self.world.problems, self.world.runs, self.world.cells, 1), Lineup.of(self.world.runs)
        return BoardSource(rank_board(cube, lineup, self.query), cube, lineup)

    @property
    def problems(self) -> dict[int, ProblemFact]:
        """The problems of the board, by id."""
        return {each.id: each for each in selected(self.world, self.query)}

    def clean(self, number: int, problems: Sequence[ProblemFact]) -> list[ProblemFact]:
        """Those that count for a run: in split mode none that its model may have seen."""
        [fact] = [each for each in self.world.runs if each.id == number]
        if self.query.exposure is not Exposure.SPLIT:
            return list(problems)
        return [each for each in problems if not may_have_seen(fact, each, self.query.rules)]


def chances(world: World, number: int, problems: Sequence[ProblemFact], k: int) -> dict[int, float]:
    """Problem id -> pass@k, for problems whose judged items all have k answers."""
    if not k:
        return rates(world, number, problems)
    found = {}
    for each in problems:
        counts = [(cell.n, cell.c) for cell in world.cells_of(number, each.id) if cell.n > 0]
        if counts and min(n for n, _ in counts) >= k:
            found[each.id] = sum(1 - comb(n - c, k) / comb(n, k) for n, c in counts) / len(counts)
    return found


def naive_gap(one: Asked, other: Asked, runs: tuple[int, int], k: int = 0) -> PairedGap | None:
    """The mean difference over the problems that are judged for both, by a loop."""
    both = [each for number, each in one.problems.items() if number in other.problems]
    both = other.clean(runs[1], one.clean(runs[0], both))
    ours, theirs = rates(one.world, runs[0], both), chances(other.world, runs[1], both, k)
    both = [each for each in both if each.id in ours and each.id in theirs]
    if not both:
        return None
    first, second = ([values[each.id] for each in both] for values in (ours, theirs))
    found = paired_difference(first, second, [each.cluster for each in both])
    told = found.clusters > 1
    return PairedGap(100 * found.mean, 100 * found.lo if told else None, 100 * found.hi if told else None, len(both))


def judged_otherwise(world: World, seed: int) -> World:
    """Most of the same problems with the same runs, of which other answers are judged."""
    rng = np.random.default_rng(seed)
    kept, missing = rng.choice([0.5, 0.9, 1.0]), rng.choice([0.0, 0.1, 0.6])
    problems = [each for each in world.problems if rng.random() < kept]
    cells = [
        Cell(each.id, one.id, n, int(rng.integers(0, n + 1)), item=item)
        for each in world.runs
        for one in problems
        for item in range(2)
        if rng.random() >= missing and (n := int(rng.integers(0, 4)))
    ]
    return World(problems, world.runs, cells, (*world.drawn, seed))


def keyed(rows: Sequence[BoardRow]) -> dict[tuple[str, str], int]:
    return {(row.model, row.configuration): row.run for row in rows}


def same(found: Mapping[tuple[str, str], PairedGap], expected: Mapping[tuple[str, str], PairedGap]) -> None:
    assert found.keys() == expected.keys()
    for key, told in expected.items():
        assert found[key].n == told.n
        assert found[key][:3] == pytest.approx(told[:3], abs=1e-7), key


@settings(max_examples=examples(60))
@given(worlds(), queries(), st.integers(0, 2**32 - 1), st.sampled_from([0, 1, 2, 3]))
def test_a_gap_is_the_mean_over_the_problems_judged_for_both(
    world: World, query: BoardQuery, seed: int, k: int
) -> None:
    """Whatever is missing, however the board is filtered, and whatever models may have seen."""
    one, other = Asked(world, query), Asked(judged_otherwise(world, seed), of_all_rows(query))
    sides = one.side, other.side
    beside = keyed(sides[1].board.rows)
    pairs = {key: (number, beside[key]) for key, number in keyed(sides[0].board.rows).items() if key in beside}
    expected = {key: found for key, runs in pairs.items() if (found := naive_gap(one, other, runs, k))}
    same(paired_gaps(*sides, replace(WHOLE, k=k)), expected)


def test_many_rows_are_compared_some_at_once() -> None:
    """Of 300,000 results no more than 250,000 are read together; of a limit that they exceed, none."""
    problems = [problem(number, day=number // 3) for number in range(500)]
    runs = [run(number, model=f"m{number}") for number in range(600)]
    rng, lineup, sides, counts = np.random.default_rng(5), Lineup.of(runs), [], []
    for _ in range(2):
        n = rng.integers(0, 3, (len(problems), len(runs)))
        c = rng.binomial(n, 0.5)
        cube = Cube.of_counts(problems, runs, n, c, 1)
        sides.append(BoardSource(rank_board(cube, lineup, BoardQuery()), cube, lineup))
        counts.append(np.where(n > 0, c / np.maximum(n, 1), np.nan))
    found = paired_gaps(sides[0], sides[1], WHOLE)
    assert len(found) == len(runs)
    for number in (0, 499, 500, 599):
        told = paired_difference(counts[0][:, number], counts[1][:, number], [one.cluster for one in problems])
        assert found[f"m{number}", ""] == pytest.approx((100 * told.mean, 100 * told.lo, 100 * told.hi, told.n))
    assert paired_gaps(sides[0], sides[1], WHOLE, max_results=299_999) == {}


def one_sided(*judged: int, passed: Sequence[int] = (), fact: RunFact, contests: int = 9) -> BoardSource:
    """A board of six problems in some contests, on which a run is judged on some, and passes some of these."""
    problems = [problem(number, day=number % contests) for number in range(6)]
    cells = [Cell(fact.id, number, 1, int(number in passed)) for number in judged]
    return Asked(World(problems, [fact], cells, ()), BoardQuery()).side


def test_a_problem_that_one_side_lacks_moves_no_gap() -> None:
    """The score moves: 3 of 5 beside 3 of 6 is ten points more, and nothing is better."""
    fact = run(1, model="orion")
    less, more = (one_sided(*range(count), passed=(0, 1, 2), fact=fact) for count in (5, 6))
    assert [side.board.rows[0].score for side in (less, more)] == [60.0, 50.0]
    told = paired_gaps(less, more, WHOLE)["orion", ""]
    assert (told.mean, told.n) == (0.0, 5)
    assert told.lo is not None
    assert told.lo < 0 < (told.hi or 0)


def test_problems_of_one_contest_have_no_interval() -> None:
    fact = run(1, model="orion")
    one, other = (one_sided(0, 1, 2, passed=passed, fact=fact, contests=1) for passed in ((0, 1), (0,)))
    assert paired_gaps(one, other, WHOLE) == {("orion", ""): PairedGap(pytest.approx(100 / 3), None, None, 3)}  # type: ignore[arg-type]


def test_a_tuned_model_is_beside_the_base_it_was_made_of() -> None:
    """On the problems that both answered; a base that is not there is nobody, and nor is the model itself."""
    tuned, base = replace(run(1, model="orion"), tuned_from="orion-base"), run(2, model="orion-base")
    one, other = one_sided(0, 1, 2, passed=(0, 1, 2), fact=tuned), one_sided(1, 2, 3, 4, passed=(3, 4, 1), fact=base)
    part = ScorePart("base", "slug", of_base=True)
    told = paired_gaps(one, other, part)
    assert [(key, round(found.mean, 9), found.n) for key, found in told.items()] == [(("orion", ""), 50.0, 2)]
    assert paired_gaps(one, one_sided(0, 1, 2, fact=run(3, model="orion")), part) == {}
    assert paired_gaps(one_sided(0, 1, fact=run(4, model="lyra")), other, part) == {}


def gaps_of(board: str) -> dict[str, Gap]:
    return {column.name: column.of for column in boards()[board].columns if isinstance(column.of, Gap)}


def test_every_column_of_points_is_a_gap_to_parts_that_are_paired() -> None:
    """No board has a column that takes one score from another in any other way."""
    found = {name: tuple(gaps) for name in boards() if (gaps := gaps_of(name))}
    assert found == {
        "codegen": ("tuning",), "repair": ("gain",), "execution": ("gain",), "tools": ("gain", "above"),
        "execution-input": ("gap",), "bug-fix": ("gap",), "bigcode": ("gap",), "codeelo": ("gap",),
    }  # fmt: skip
    for name in found:
        parts = {part.name: part for part in boards()[name].parts}
        assert all(parts[part].is_paired for each in gaps_of(name).values() for part in each.parts)
    points = {name: [column.name for column in board.columns if "minus" in column.meanings["en"]]
              for name, board in boards().items()}  # fmt: skip
    assert {name: tuple(columns) for name, columns in points.items() if columns} == found


def shown(board: str, protocol: str, part: str, told: PairedGap | None) -> dict[str, float | None]:
    row = BoardRow(run(1, model="orion"), 1, 1, 1, 1, 1, 50.0, 0.0, 100.0, 4, 4, 1.0, 0, provisional=False)
    scores, paired = {part: {("orion", ""): 20.0}}, {part: {("orion", ""): told} if told else {}}
    query = BoardQuery(board=board, protocol=protocol)
    [values] = extra_values(Board(query, 4, {}, {}, (row,), parts=scores, paired=paired))
    return values


def test_a_column_shows_the_gap_with_its_interval_or_nothing() -> None:
    """Never the difference of the two scores beside it, which may be over other problems: here 30 points."""
    told = shown("repair", "house-repair", "first", PairedGap(0.0, -14.2, 14.2, 34))
    assert {name: told[name] for name in ("first", "gain", "gain_lo", "gain_hi")} == {
        "first": 20.0, "gain": 0.0, "gain_lo": -14.2, "gain_hi": 14.2,
    }  # fmt: skip
    nothing = shown("repair", "house-repair", "first", None)
    assert (nothing["first"], nothing["gain"], nothing["gain_lo"], nothing["gain_hi"]) == (20.0, None, None, None)
    unsure = shown("repair", "house-repair", "first", PairedGap(9.1, None, None, 1))
    assert (unsure["gain"], unsure["gain_lo"], unsure["gain_hi"]) == (9.1, None, None)


def test_a_gap_may_be_that_of_the_part() -> None:
    told = shown("execution", "house-execution", "steps", PairedGap(-12.0, -20.0, 3.0, 9))
    assert (told["gain"], told["gain_lo"], told["gain_hi"]) == (12.0, -3.0, 20.0)
    even = PairedGap(0.0, None, None, 1).negated
    assert str(even.mean) == "0.0", "not -0.0"


@pytest.mark.parametrize("sides", [(None, None), ("first", "second")])
def test_a_gap_is_between_a_part_and_the_row(sides: tuple[str | None, str | None]) -> None:
    with pytest.raises(ValueError, match="between a part and the row"):
        gap(*sides)


def test_published_results_are_beside_one_another() -> None:
    """The scores of LiveCodeBench before and after a repair, and BigCodeBench's totals of both ways to ask."""
    beside = [
        ("repair", "first", "lcb-repair", "lcb"),
        ("repair", "refine_2", "lcb-repair", "lcb-repair"),
        ("repair", "refine_3", "lcb-repair", None),
        ("bigcode", "instruct", "bcb-complete-published", "bcb-instruct-published"),
        ("bigcode", "instruct", "bcb-hard-complete-published", "bcb-hard-instruct-published"),
    ]
    for board, name, shown_under, slug in beside:
        [part] = [part for part in boards()[board].parts if part.name == name]
        assert part.beside(shown_under) == slug


def test_only_gaps_have_intervals_beside_them() -> None:
    assert not BoardColumn("c", {}, {}, lambda _row, _parts: 1.0).is_gap
    assert BoardColumn("c", {}, {}, gap(None, "p")).is_gap
