"""Rows in the order of one column."""

from collections.abc import Sequence

from app.domain.boards.board import BoardRow
from app.domain.boards.columns._column import ShownColumn


def sort_rows(rows: Sequence[BoardRow], column: ShownColumn, *, descending: bool) -> list[BoardRow]:
    """Return rows by a column; equal values keep their order, and rows without a value are last in both directions."""
    known, unknown = list[tuple[float | str, BoardRow]](), list[BoardRow]()
    for row in rows:
        value = column.sort_value(row)
        if value is None:
            unknown.append(row)
        else:
            known.append((value, row))
    known.sort(key=lambda pair: pair[0], reverse=descending)
    return [*(row for _, row in known), *unknown]
