"""What holds of every board: windows add up, no order matters, more never hurts, and everything has a value."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.board_worlds import FIRST, World, problem, queries, run, worlds
from support.examples import examples

from app.cli.boards.text import format_board
from app.domain.boards.board import Board, BoardQuery, BoardRow, Exposure, Rules
from app.domain.boards.entrants import MIN_COVERAGE
from app.domain.boards.ranking import rank_board
from app.domain.cube.axes import Axes
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell, RunFact
from app.domain.problems import ProblemFact
from app.domain.windows import Window
from app.services.boards.json_shape import board_bytes, board_json

SLACK = 1e-9
days = st.integers(-3, 125).map(lambda day: FIRST + timedelta(days=day))


def board(world: World, query: BoardQuery, cells: Sequence[Cell] | None = None, replicates: int = 0) -> Board:
    cube = Cube.build(world.problems, world.runs, world.cells if cells is None else cells, revision=3)
    return rank_board(cube, world.runs, query, replicates=replicates)


def by_run(found: Board) -> dict[int, BoardRow]:
    return {row.run: row for row in found.rows}


def alone(world: World) -> World:
    """The same with one trial of everything: which of several stands on a board depends on what it asks for."""
    runs = [replace(each, configuration=f"{each.configuration}{each.id}") for each in world.runs]
    return World(world.problems, runs, world.cells, world.drawn)


def summed(row: BoardRow | None) -> tuple[int, float]:
    return (0, 0.0) if row is None or row.score is None else (row.n_problems, row.n_problems * row.score)


@settings(max_examples=examples(30))
@given(worlds().map(alone), st.tuples(days, days, days).map(sorted))
def test_two_windows_side_by_side_sum_to_the_one_over_both(world: World, edges: list[date]) -> None:
    start, middle, end = edges
    parts = [by_run(board(world, BoardQuery(window=Window(*each)))) for each in ((start, middle), (middle, end))]
    whole = by_run(board(world, BoardQuery(window=Window(start, end))))
    assert set(whole) == set(parts[0]) | set(parts[1])
    for number, row in whole.items():
        counts, sums = zip(*(summed(part.get(number)) for part in parts), strict=True)
        assert row.n_problems == sum(counts)
        assert row.n_problems * (row.score or 0.0) == pytest.approx(sum(sums), abs=1e-6)


@settings(max_examples=examples(30))
@given(worlds(), queries(), st.integers(0, 2**32))
def test_nothing_depends_on_the_order_things_come_in(world: World, query: BoardQuery, seed: int) -> None:
    mixed = random.Random(seed)
    problems, runs = mixed.sample(world.problems, len(world.problems)), mixed.sample(world.runs, len(world.runs))
    cells = mixed.sample(world.cells, len(world.cells))
    one = board_bytes(board(world, query, replicates=20))
    cube = Cube.build(problems, runs, cells, revision=3)
    assert board_bytes(rank_board(cube, runs, query, replicates=20)) == one
    halves = Cube.build(problems, runs, cells[::2], revision=2).with_cells(cells[1::2], revision=3)
    assert board_bytes(rank_board(halves, runs, query, replicates=20)) == one


def test_older_trials_are_listed_in_one_order() -> None:
    runs = [run(place + 10 * trial, model=f"m{place}", trial=trial) for trial in (1, 2, 3) for place in range(3)]
    cells = [Cell(each.id, 1, 1, 1) for each in runs]
    found = [rank_board(Cube.build([problem(1)], runs, cells, 1), each, BoardQuery()) for each in (runs, runs[::-1])]
    assert board_bytes(found[0]) == board_bytes(found[1])
    assert [each.model for each in found[0].hidden] == ["m0", "m1", "m2"] * 2


@settings(max_examples=examples(30))
@given(worlds().map(alone), queries(), st.data())
def test_one_more_accepted_answer_hurts_nobody(world: World, query: BoardQuery, data: st.DataObject) -> None:
    assume(world.cells)
    place = data.draw(st.integers(0, len(world.cells) - 1))
    cell = world.cells[place]
    more = [*world.cells[:place], cell._replace(n=cell.n + 1, c=cell.c + 1), *world.cells[place + 1 :]]
    query = replace(query, exposure=Exposure.UNRANK)
    before, after = by_run(board(world, query)), by_run(board(world, query, more))
    assert set(before) <= set(after) <= set(before) | {cell.run}
    for number, old in before.items():
        new = after[number]
        if number != cell.run:
            assert (new.score, new.ci_lo, new.ci_hi, new.coverage) == (old.score, old.ci_lo, old.ci_hi, old.coverage)
        else:
            assert (new.score or 0.0) >= (old.score or 0.0) - SLACK
            assert new.coverage >= old.coverage
            assert old.rank is None or (new.rank is not None and new.rank <= old.rank)


@settings(max_examples=examples(20))
@given(worlds(), queries())
def test_a_cell_that_comes_twice_counts_once(world: World, query: BoardQuery) -> None:
    assert board_bytes(board(world, query, [*world.cells, *world.cells])) == board_bytes(board(world, query))


def test_nothing_has_one_id_twice() -> None:
    for problems, runs in (([problem(1), problem(1, day=3)], [1]), ([problem(1)], [1, 1])):
        with pytest.raises(ValueError, match="unique"):
            Axes.of(problems, runs)
    with pytest.raises(ValueError, match="unique"):
        Cube.build([problem(1)], [run(1), run(1, trial=2)], [], 0)


@settings(max_examples=examples(40))
@given(worlds().map(alone), st.integers(0, 6), st.floats(0, 1), st.booleans())
def test_leaving_out_what_went_badly_raises_no_rank(world: World, place: int, share: float, few: bool) -> None:
    """A row that drops its worst problems loses its rank below 95 %; above that it says what it lacks, and stands no
    better than before."""
    assume(world.runs and world.problems)
    number = world.runs[place % len(world.runs)].id
    runs = [replace(each, cutoff_on=None, served=frozenset()) for each in world.runs]
    # The row is given a verdict on every item of every problem.
    highest = dict.fromkeys((problem.id for problem in world.problems), 0)
    for cell in world.cells:
        highest[cell.problem] = max(highest[cell.problem], cell.item)
    graded = {(cell.problem, cell.item) for cell in world.cells if cell.run == number and cell.n}
    wanted = {(problem, item) for problem, last in highest.items() for item in range(last + 1)}
    added = [Cell(number, problem, 1, 0, 0, 0, item) for problem, item in sorted(wanted - graded)]
    own = [cell for cell in world.cells if cell.run != number or cell.n]
    whole = World(world.problems, runs, [*own, *added], world.drawn)
    before = board(whole, BoardQuery())
    old = by_run(before)[number]
    assert (old.coverage, old.provisional) == (1.0, False)
    rates = {each.id: rate(whole, number, each.id) for each in world.problems}
    most = round(len(rates) * (0.05 if few else 1.0) * share)
    dropped = set(sorted(rates, key=lambda each: (rates[each], each))[:most])
    kept = [cell for cell in whole.cells if not (cell.run == number and cell.problem in dropped)]
    found = board(whole, BoardQuery(), kept)
    if len(dropped) == len(rates):
        assert number not in by_run(found)
        assert [each.reason for each in found.hidden].count("unjudged") > 0
        return
    new = by_run(found)[number]
    assert new.coverage == pytest.approx(1 - len(dropped) / len(rates))
    assert (new.coverage == 1.0) is (not dropped)
    assert new.provisional is (new.coverage < MIN_COVERAGE)
    if new.provisional:
        assert (new.rank, new.rank_lo, new.rank_hi, new.tier) == (None, None, None, None)
        return
    assert new.score is not None
    assert old.score is not None
    assert new.score <= old.score / new.coverage + SLACK
    assert new.rank is not None
    assert old.rank is not None
    assert new.rank >= old.rank


def rate(world: World, number: int, problem_id: int) -> float:
    own = [cell.c / cell.n for cell in world.cells_of(number, problem_id) if cell.n]
    return sum(own) / len(own)


@settings(max_examples=examples(60))
@given(worlds(), queries(), st.booleans())
def test_every_board_has_values_and_words(world: World, query: BoardQuery, compared: bool) -> None:
    cube = Cube.build(world.problems, world.runs, world.cells, revision=3)
    reference = world.runs[-1].model if compared and world.runs else None
    found = rank_board(cube, world.runs, query, reference=reference, replicates=20)
    check(found)


def check(found: Board) -> None:
    body = board_json(found)
    json.dumps(body, allow_nan=False)
    for row in body["rows"]:
        ends = row["ci_lo"], row["ci_hi"]
        assert (row["score"] is None) == (ends == (None, None))
        if row["score"] is not None:
            assert 0 <= ends[0] <= row["score"] <= ends[1] <= 100
            assert ends[1] - ends[0] > 0
        if row["estimate"] is not None:
            assert 0 <= row["estimate"]["ci_lo"] <= row["estimate"]["score"] <= row["estimate"]["ci_hi"] <= 100
            assert row["estimate"]["ci_hi"] - row["estimate"]["ci_lo"] > 0
        if row["difference"] is not None:
            assert row["difference"]["lo"] <= row["difference"]["mean"] <= row["difference"]["hi"]
            assert 0 <= row["difference"]["p"] <= 1
    assert sum(body["hidden_by_reason"].values()) == len(body["hidden"])
    assert body["problems"] + sum(body["problems_left_out"].values()) == len_of(found)
    for word in ("nan", "inf", "None"):
        assert word not in format_board(found), word


def len_of(found: Board) -> int:
    """The problems there are: those that pass the filters on any day, and those they leave out."""
    outside = sum(found.left_out.get(reason, 0) for reason in ("platform", "difficulty"))
    return sum(count for _monday, count in found.weeks) + outside


def edge(kind: str) -> tuple[list[ProblemFact], list[RunFact], list[Cell]]:
    """A world at the edge: how many problems and contests, and what everybody solved."""
    problems, contests = {"none": (0, 0), "one problem": (1, 1), "one contest": (5, 1)}.get(kind, (12, 12))
    facts = [problem(each, day=each % contests, cluster=f"c{each % contests}") for each in range(problems)]
    runs = [run(1), run(2), run(3, cutoff=FIRST + timedelta(days=4))]
    solved = {"all zero": (0, 0, 0), "all one": (1, 1, 1)}.get(kind, (1, 0, 1))
    cells = [
        Cell(each.id, one.id, 1, solved[place])
        for place, each in enumerate(runs)
        for one in facts
        if not (place == 1 and kind.startswith("all") and one.id < 3)
    ]
    return facts, runs, cells


def test_boards_at_the_edge_have_defined_values() -> None:
    for kind in ["none", "one problem", "one contest", "all zero", "all one"]:
        for rules in list(Rules):
            for exposure in list(Exposure):
                problems, runs, cells = edge(kind)
                query = BoardQuery(exposure=exposure, rules=rules)
                found = rank_board(
                    Cube.build(problems, runs, cells, 1), runs, query, reference="model-1", replicates=50
                )
                check(found)
                assert found.problems == len(problems), (kind, rules, exposure)
                if kind == "none":
                    assert {each.reason for each in found.hidden} == {"unjudged"}, (kind, rules, exposure)
                    assert found.rows == (), (kind, rules, exposure)
                elif kind != "one problem" and exposure is Exposure.UNRANK and rules is Rules.TIDEMARK:
                    [best, *_] = found.rows
                    assert best.rank == 1, (kind, rules, exposure)
                    assert best.score == {"all zero": 0.0}.get(kind, 100.0), (kind, rules, exposure)
