"""What every declared filter promises, and that sums by problem equal those over blocks."""

from dataclasses import fields, replace
from datetime import date
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.board_worlds import FIRST, World, problem, queries, run, worlds
from support.examples import examples

from app.domain.boards.board import BoardQuery
from app.domain.boards.filters import BoardFilter, FilterKind, FilterScope, active_filters, filters, text_of
from app.domain.boards.seen_problems import SeenProblems
from app.domain.boards.selection import Selection
from app.domain.boards.totals import totals
from app.domain.cube.cube import Cube
from app.domain.errors import InvalidInput, UnknownName
from app.services.boards import recompute
from app.services.boards.query import parameters, parse_query, to_params

EVERY = pytest.mark.parametrize("entry", filters(), ids=lambda entry: entry.name)


def a_word(entry: BoardFilter) -> str:
    if entry.values is not None:
        return list(entry.values)[-1]
    return "2024-02-29" if entry.kind is FilterKind.BEFORE else "a word of its own"


@EVERY
def test_a_value_reads_back_and_defaults_are_not_written(entry: BoardFilter) -> None:
    value = entry.read([a_word(entry)])
    query = entry.replace_in(BoardQuery(), value)
    assert entry.value_in(query) == value
    assert to_params(query) == [(entry.name, a_word(entry))]
    assert parse_query(to_params(query)) == query
    assert entry.replace_in(query, entry.default) == BoardQuery()
    assert entry.read([]) == entry.default


@EVERY
def test_its_fact_is_there_and_recompute_knows_its_kind(entry: BoardFilter) -> None:
    if entry.over is FilterScope.BOARD:
        assert (entry.kind, entry.fact) == (FilterKind.MODE, "")
    else:
        assert hasattr(problem(1) if entry.over is FilterScope.PROBLEMS else run(1), entry.fact)
        assert entry.kind in recompute.PREDICATES


def test_places_are_apart_and_fields_are_real() -> None:
    assert len({entry.place for entry in filters()}) == len({entry.name for entry in filters()}) == len(filters())
    assert {entry.field for entry in filters() if entry.field} <= {entry.name for entry in fields(BoardQuery)}
    assert len({entry.name for entry in parameters()}) == len(parameters())


def test_a_filter_without_a_field_keeps_its_value_beside_the_others() -> None:
    one, other = (
        BoardFilter(
            name=name, place=90, over=FilterScope.ROWS, kind=FilterKind.ONE_OF, fact="demo", meaning="", label=""
        )
        for name in ("one", "other")
    )
    query = one.replace_in(BoardQuery(), one.read(["yes", "no", "yes"]))
    assert (one.value_in(query), other.value_in(query)) == (("yes", "no"), ())
    assert one.replace_in(query, ()) == BoardQuery()
    assert repr(query) == repr(BoardQuery()), "seeds of boards without it stay"
    assert one.allows([True, False, None], ("yes",)).tolist() == [True, False, False]
    assert one.allows(["a", None], ("",)).tolist() == [False, False], "what is not known is no word"


def test_equal_questions_are_equal_in_whichever_order_they_are_asked() -> None:
    assert [entry.place for entry in filters()] == sorted(entry.place for entry in filters())
    one, other = BoardQuery(), BoardQuery()
    for entry in filters():
        one = entry.replace_in(one, entry.read([a_word(entry)]))
    for entry in reversed(filters()):
        other = entry.replace_in(other, entry.read([a_word(entry)]))
    assert one == other
    assert len(one.more) > 1
    named = {
        over: [entry.name for entry, _ in active_filters(one, over)]
        for over in (FilterScope.PROBLEMS, FilterScope.ROWS)
    }
    assert named == {
        FilterScope.PROBLEMS: ["platform", "difficulty", "tests"],
        FilterScope.ROWS: ["model", "language", "cutoff_before", "started_by", "weights"],
    }, "of several that leave one thing out the first is named"


@EVERY
def test_what_is_none_of_its_words_is_refused(entry: BoardFilter) -> None:
    if entry.values is not None or entry.kind is FilterKind.BEFORE:
        with pytest.raises(InvalidInput, match=entry.name):
            entry.read(["a word of its own"])


@pytest.mark.parametrize(
    ("value", "said"), [(date(2024, 2, 29), "2024-02-29"), (("a", "b"), ["a", "b"]), ("split", "split"), (None, None)]
)
def test_values_in_json(value: Any, said: Any) -> None:
    kind = (
        FilterKind.ONE_OF
        if isinstance(value, tuple)
        else FilterKind.BEFORE
        if isinstance(value, date)
        else FilterKind.MODE
    )
    entry = next(entry for entry in filters() if entry.kind is kind)
    assert entry.as_json(value) == said


def test_facts_as_words() -> None:
    facts = {None: "", True: "yes", False: "no", "a": "a", date(2024, 1, 2): "2024-01-02"}
    assert [text_of(fact) for fact in facts] == list(facts.values())


@pytest.mark.parametrize(
    ("value", "nearest", "hint"),
    [
        ("lira", ("lyra",), "did you mean lyra?"),
        ("ORION-PRO", ("Orion-Pro", "orion"), "did you mean Orion-Pro or orion?"),
        ("zzz", ("Orion-Pro", "orion", "lyra"), "known: Orion-Pro, orion, lyra"),
    ],
)
def test_an_unknown_name_has_neighbours(value: str, nearest: tuple[str, ...], hint: str) -> None:
    error = UnknownName("model", value, ["Orion-Pro", "orion", "lyra"], where="on this board")
    assert error.nearest == nearest
    assert str(error) == f"unknown model {value!r} on this board; {hint}"
    assert error.pointer == "/model"
    assert str(UnknownName("model", "zzz", [f"m{n}" for n in range(99)])) == "unknown model 'zzz'"


@given(worlds(), queries(), st.booleans())
@settings(max_examples=examples(40))
def test_sums_by_problem_equal_sums_over_blocks(world: World, query: BoardQuery, split: bool) -> None:
    cube = Cube.build(world.problems, world.runs, world.cells, revision=1)
    selection = Selection.of(cube.axes, query)
    seen = None
    if split:
        none = np.empty(0, dtype=np.int64)
        seen = SeenProblems.of(cube.axes, cube.axes.run_ids % 50 + FIRST.toordinal(), none, none)
    one, other = (totals(cube, replace(selection, plain=False, single=single), seen) for single in (False, True))
    for name in ("rates", "graded", "squares", "moments", "contests"):
        assert np.allclose(getattr(one, name), getattr(other, name)), name
    for mine, theirs in ((one.whole, other.whole), (one.groups, other.groups)):
        assert np.allclose(mine[0].sum(axis=0), theirs[0].sum(axis=0))
        assert np.allclose(mine[1].sum(axis=0), theirs[1].sum(axis=0))
