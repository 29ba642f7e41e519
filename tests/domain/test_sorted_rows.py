"""Rows sorted by a column: ties keep the order of the board, and unknown values are last in both directions."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from support.board_worlds import FIRST
from support.column_worlds import column_board

from app.domain.boards.columns import ShownColumn, SortKind, sort_rows, table_columns

BOARD = column_board("ref=orion")
SORTED = [shown for _, shown in table_columns(BOARD) if shown.sorts is not None]


def test_readers_may_sort_by_these() -> None:
    names = {shown.sort_name or declared.name for declared, shown in table_columns(BOARD) if shown.sorts is not None}
    assert names >= {
        "rank", "model", "score", "easy", "hard", "tokens", "seconds_per_problem", "cost_per_solve", "cutoff",
        "released", "difference", "pass_at_5", "size_b",
    }  # fmt: skip


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("place", range(len(SORTED)))
def test_rows_are_in_order_and_none_is_lost(place: int, descending: bool) -> None:
    column, rows = SORTED[place], list(BOARD.rows)
    found = sort_rows(rows, column, descending=descending)
    assert sorted(row.run for row in found) == sorted(row.run for row in rows)
    values = [column.sort_value(row) for row in found]
    known = [value for value in values if value is not None]
    assert values[len(known) :] == [None] * (len(values) - len(known))
    assert known == sorted(known, reverse=descending)
    places = [rows.index(row) for row in found]
    for (one, first), (other, second) in pairwise(zip(values, places, strict=True)):
        assert one != other or first < second


def test_text_is_compared_without_regard_to_case_and_days_as_days() -> None:
    [first, *_] = BOARD.rows
    fact = first.fact
    name = ShownColumn(sorts=SortKind.TEXT, of=lambda row: row.fact.name)
    day = ShownColumn(sorts=SortKind.DAY, of=lambda row: row.fact.cutoff_on)
    rows = [
        first._replace(fact=replace(fact, name=text, cutoff_on=FIRST + timedelta(days=days)))
        for text, days in (("beta", 40), ("Alpha", 9), ("alpha", 9))
    ]
    assert [row.fact.name for row in sort_rows(rows, name, descending=False)] == ["Alpha", "alpha", "beta"]
    assert [row.fact.name for row in sort_rows(rows, day, descending=True)] == ["beta", "Alpha", "alpha"]


def test_a_column_that_does_not_sort_has_no_order() -> None:
    assert ShownColumn(of=lambda row: row.score).sort_value(BOARD.rows[0]) is None
    assert ShownColumn(sorts=SortKind.NUMBER).sort_value(BOARD.rows[0]) is None
