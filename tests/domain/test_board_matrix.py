"""A matrix holds every pass rate exactly: a browser that reads it finds the board's scores. And what facets count."""

import json
import math
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from support.board_worlds import FIRST, World, problem, queries, run, worlds
from support.examples import examples

from app.domain.boards.board import Board, BoardQuery, Exposure, Rules
from app.domain.boards.facets import facets
from app.domain.boards.lineup import Lineup
from app.domain.boards.ranking import rank_board
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell, StartedBy
from app.domain.errors import InvalidInput
from app.domain.windows import Window
from app.services.boards.matrix import pack


def decoded(packed: bytes) -> tuple[dict[str, Any], dict[int, list[float | None]]]:
    """The head, and the rates by run, as the description of the file says."""
    assert packed[:4] == b"TMX1"
    size = int.from_bytes(packed[4:8], "little")
    head, codes = json.loads(packed[8 : 8 + size]), packed[8 + size :]
    count, bits, values = head["problems"]["count"], head["bits"], head["values"]
    line = math.ceil(count * bits / 8)
    assert len(codes) == line * len(head["runs"])
    rates = {}
    for place, each in enumerate(head["runs"]):
        own = codes[place * line : (place + 1) * line]
        if bits == 4:
            found = [half for byte in own for half in (byte & 15, byte >> 4)][:count]
        else:
            found = [int.from_bytes(own[at : at + bits // 8], "little") for at in range(0, len(own), bits // 8)]
        rates[each["run"]] = [values[code] if code < len(values) else None for code in found]
    return head, rates


def mean(rates: list[float | None]) -> float | None:
    known = [rate for rate in rates if rate is not None]
    return 100 * sum(known) / len(known) if known else None


def near(one: float | None, other: float | None) -> bool:
    return one is other is None or (one is not None and other is not None and abs(one - other) <= 1e-9)


@given(worlds(), queries())
@settings(max_examples=examples(40))
def test_scores_from_the_matrix_are_those_of_the_board(world: World, query: BoardQuery) -> None:
    cube, lineup = Cube.build(world.problems, world.runs, world.cells, revision=7), Lineup.of(world.runs)
    found = rank_board(cube, lineup, query)
    head, rates = decoded(pack(cube, lineup, query))
    about = head["problems"]
    assert (head["revision"], about["count"], about["clusters"]) == (7, found.problems, found.clusters)
    assert head["left_out"]["problems"] == found.left_out
    assert len(head["runs"]) + sum(head["left_out"]["runs"].values()) == len(world.runs)
    assert head["rules"] == query.rules
    levels = [about["levels"][place] for place in about["level"]]
    platforms = Counter(about["platforms"][place] for place in about["platform"])
    assert platforms == Counter({name: count for name, count in found.by_platform.items() if count})
    cutoffs = {each["run"]: each["cutoff"] for each in head["runs"]}
    for row in found.rows:
        assert near(mean(rates[row.run]), row.score)
        assert cutoffs[row.run] == (row.fact.cutoff_on and row.fact.cutoff_on.isoformat())
        for level, shown in row.by_difficulty.items():
            own = [rate for rate, name in zip(rates[row.run], levels, strict=True) if name == level]
            assert near(mean(own), shown.score)
    if about["count"]:
        days = [date.fromisoformat(about["first"]) + timedelta(days=int(each)) for each in np.cumsum(about["days"])]
        known = {each.cluster: each.day for each in reversed(cube.axes.problems)}
        assert Counter(days) <= Counter(each.day for each in world.problems)
        assert np.unique(np.cumsum(about["cluster"])).size == about["clusters"] <= len(known)


def chosen(head: dict[str, Any], start: date | None, end: date | None) -> list[int]:
    """The places of a window's problems, as the description of the file says."""
    about, late = head["problems"], head["rules"] == "lcb"
    if not about["count"]:
        return []
    first, midnight = date.fromisoformat(about["first"]).toordinal() + late, set(about["midnight"])
    inside = []
    for place, day in enumerate((first + np.cumsum(about["days"])).tolist()):
        closing = day - (place in midnight)
        if (start is None or start.toordinal() <= day) and (end is None or closing < end.toordinal()):
            inside.append(place)
    return inside


@given(worlds(), queries())
@settings(max_examples=examples(40))
def test_the_matrix_of_all_dates_holds_the_scores_of_every_window(world: World, query: BoardQuery) -> None:
    cube, lineup = Cube.build(world.problems, world.runs, world.cells, revision=7), Lineup.of(world.runs)
    head, rates = decoded(pack(cube, lineup, replace(query, window=Window())))
    found = rank_board(cube, lineup, query)
    places = chosen(head, query.window.start, query.window.end)
    assert len(places) == found.problems
    names = [head["problems"]["levels"][place] for place in head["problems"]["level"]]
    for row in found.rows:
        assert near(mean([rates[row.run][place] for place in places]), row.score)
        for level, shown in row.by_difficulty.items():
            assert near(mean([rates[row.run][place] for place in places if names[place] == level]), shown.score)


def test_split_mode_leaves_out_what_a_run_may_have_seen() -> None:
    problems, n = [problem(number, day=number) for number in range(3)], np.ones((3, 2), dtype=np.uint16)
    vendor = run(2, started_by=StartedBy.VENDOR, served=[2])
    lineup = Lineup.of([run(1, cutoff=FIRST + timedelta(days=1)), vendor])
    cube = Cube.of_counts(problems, lineup.runs, n, n, 1)
    _, whole = decoded(pack(cube, lineup, BoardQuery()))
    _, split = decoded(pack(cube, lineup, BoardQuery(exposure=Exposure.SPLIT)))
    assert whole == {1: [1.0] * 3, 2: [1.0] * 3}
    assert split == {1: [None, None, 1.0], 2: [1.0, 1.0, None]}


@pytest.mark.parametrize(("samples", "bits"), [(1, 4), (10, 4), (14, 4), (15, 8), (200, 8), (2000, 16)])
def test_a_matrix_is_exact_however_many_answers_there_are(samples: int, bits: int) -> None:
    problems, runs = [problem(n, day=n) for n in range(samples + 1)], [run(1), run(2)]
    n = np.full((samples + 1, 2), samples, dtype=np.uint16)
    c = np.stack([np.arange(samples + 1), np.zeros(samples + 1)], axis=1).astype(np.uint16)
    n[-1, 1] = 0
    head, rates = decoded(pack(Cube.of_counts(problems, runs, n, c, 1), Lineup.of(runs), BoardQuery()))
    assert head["bits"] == bits
    assert rates[1] == [each / samples for each in range(samples + 1)]
    assert rates[2] == [0.0] * samples + [None]


def test_a_matrix_too_large_for_a_browser_is_refused() -> None:
    problems, runs = [problem(n, day=n % 30) for n in range(20_000)], [run(n) for n in range(101)]
    cube = Cube.build(problems, runs, [], 1)
    with pytest.raises(InvalidInput, match="choose a shorter window"):
        pack(cube, Lineup.of(runs), BoardQuery())
    head, rates = decoded(pack(cube, Lineup.of(runs), BoardQuery(models=("model-1",))))
    assert (head["values"], len(rates)) == ([], 1)


@given(worlds(), queries())
@settings(max_examples=examples(25))
def test_facets_count_what_a_filter_would_leave(world: World, query: BoardQuery) -> None:
    cube, lineup = Cube.build(world.problems, world.runs, world.cells, revision=1), Lineup.of(world.runs)

    def asked(**only: Any) -> Board:
        return rank_board(cube, lineup, replace(query, **only))

    found = facets(cube, lineup, {}, asked())
    assert {platform.value for platform in found["platform"]} == {each.platform for each in world.problems}
    assert {model.value for model in found["model"]} == {each.model for each in world.runs}
    for facet in found["platform"]:
        assert facet.count == asked(platforms=(facet.value,)).problems
    for facet in found["difficulty"]:
        assert facet.count == asked(levels=(facet.value,)).problems
    for facet in found["language"]:
        assert facet.count == len(asked(languages=(facet.value,)).rows)
    for facet in found["model"]:
        assert facet.count == len(asked(models=(facet.value,)).rows)


def test_facets_leave_out_what_is_hidden_and_go_by_the_rules_of_the_board() -> None:
    day = FIRST - timedelta(days=9)
    problems, cells = [problem(1)], [Cell(number, 1, 1, 1) for number in (1, 2, 3)]
    runs = [run(1, cutoff=FIRST), replace(run(2, cutoff=FIRST - timedelta(days=1)), listed_on=day), run(3)]
    cube = Cube.build(problems, runs, cells, 1)

    def models(query: BoardQuery) -> dict[str, int]:
        board = rank_board(cube, runs, query)
        return {each.value: each.count for each in facets(cube, Lineup.of(runs), {}, board)["model"]}

    hidden = BoardQuery(exposure=Exposure.HIDE, models=("model-2",))
    assert models(hidden) == {"model-1": 0, "model-2": 1, "model-3": 1}
    before = BoardQuery(cutoff_before=day + timedelta(days=1))
    assert models(before) == {"model-1": 0, "model-2": 0, "model-3": 1}
    assert models(replace(before, rules=Rules.LCB)) == {"model-1": 0, "model-2": 1, "model-3": 1}
