"""The columns of every board: declared once, and shown by the page, the terminal, JSON, files, snapshots and bundles.

Those that boards began with are in one table, `_built_in`; a later one is one file here that holds one constant,
`COLUMN`, found by the registry. See docs/adding-a-column.md. A board's own columns are in its file (`named_boards`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from operator import attrgetter, itemgetter
from typing import Any

from app.domain.boards.board import Board, BoardRow
from app.domain.boards.columns._built_in import BUILT_IN, cutoff_mark
from app.domain.boards.columns._column import (
    CatalogueText,
    Column,
    ColumnText,
    FileColumn,
    ShownColumn,
    ShownFor,
    SortKind,
)
from app.domain.boards.columns._formats import decimal, percent, points, ratio, usd, whole
from app.domain.boards.columns._sorting import sort_rows
from app.domain.exports import ColumnKind, Value
from app.domain.registry import discover

__all__ = [
    "CatalogueText",
    "Column",
    "ColumnKind",
    "ColumnText",
    "FileColumn",
    "ShownColumn",
    "ShownFor",
    "SortKind",
    "columns",
    "cutoff_mark",
    "decimal",
    "file_table",
    "percent",
    "points",
    "ratio",
    "rows_json",
    "sort_rows",
    "table_columns",
    "usd",
    "whole",
]  # fmt: skip


def columns() -> tuple[Column, ...]:
    """Return every column in the order of JSON: the first ones, then those of the files here, by name.

    Raises ValueError if two have one name.
    """
    return _columns_in(tuple(__path__))


@cache
def _columns_in(_folders: tuple[str, ...]) -> tuple[Column, ...]:
    later = discover("app.domain.boards.columns", "COLUMN", Column)
    if twice := later.keys() & {column.name for column in BUILT_IN}:
        raise ValueError(f"app.domain.boards.columns: two columns are named {', '.join(sorted(twice))}")
    return (*BUILT_IN, *(later[name] for name in sorted(later)))


def rows_json(rows: Iterable[BoardRow]) -> Iterator[dict[str, Any]]:
    """Yield the columns of rows as JSON, without those that only named boards have."""
    listed = [column for column in columns() if column.in_json]
    fields = {column.name: column.field for column in listed if column.field is not None}
    sources = [(column.name, column.read) for column in listed if column.field is None]
    optional = [column.name for column in listed if column.optional]
    in_order, read_fields = dict.fromkeys(column.name for column in listed), attrgetter(*fields.values())
    for row in rows:
        values = in_order | dict(zip(fields, read_fields(row), strict=True))
        for name, of in sources:
            values[name] = of(row)
        for name in optional:
            if not values[name]:
                del values[name]
        yield values


def table_columns(board: Board) -> list[tuple[Column, ShownColumn]]:
    """Return the columns of a board's table in order, with their declarations: one or several for each."""
    found: list[tuple[Column, ShownColumn]] = []
    for column in sorted(columns(), key=lambda column: column.place):
        if column.shown is not None:
            several = [column.shown] if isinstance(column.shown, ShownColumn) else column.shown(board)
            found += ((column, one if one.of is not None else replace(one, of=column.read)) for one in several)
    return found


def file_table(body: Mapping[str, Any]) -> tuple[dict[str, ColumnKind], Iterator[dict[str, Value]]]:
    """Return the rows of a board's JSON as a table for files: the kind of each column, and each row by column.

    A board that was frozen before a column existed lacks the column.
    """
    ordered = sorted(columns(), key=lambda column: column.file_place)
    listed = [one for column in ordered for one in column.file_columns(body)]
    keys = {one.path[0] for one in listed}
    missing = {key for row in body["rows"] for key in keys - row.keys()}
    there = {one.name: one for one in listed if one.path[0] not in missing}
    readers = {name: _reader(one.path) for name, one in there.items()}
    rows = ({name: read(row) for name, read in readers.items()} for row in body["rows"])
    return {name: one.kind for name, one in there.items()}, rows


def _reader(path: tuple[str, ...]) -> Callable[[Mapping[str, Any]], Value]:
    """Return a function from a row's JSON to the value at a path; None if a part of the path is null."""
    first, *others = path
    if not others:
        return itemgetter(first)

    def read(row: Mapping[str, Any]) -> Value:
        value: Any = row[first]
        for name in others:
            value = None if value is None else value[name]
        found: Value = value
        return found

    return read
