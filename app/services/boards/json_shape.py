"""A board as JSON: the documented shape, as the API, the command line and bundles give it."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Any

from app.domain.boards.board import Board, BoardRow, Facet, GroupTable, Precision
from app.domain.boards.columns import rows_json
from app.domain.boards.filters import filters
from app.domain.boards.named_boards import columns_empty, extra_values, marks_shown
from app.domain.windows import Window


def board_json(board: Board) -> dict[str, Any]:
    """Return the documented shape of a board: scores 0..100 with full precision, absent facts null."""
    query, own_columns = board.query, extra_values(board)
    return {
        "board": query.board,
        "protocol": query.protocol,
        "window": _window_json(query.window),
        "filters": {entry.name: entry.as_json(entry.value_in(query)) for entry in filters()},
        "revision": board.revision,
        "snapshot": None,
        "problems": board.problems,
        "problems_left_out": dict(board.left_out),
        "by_difficulty": {str(level): count for level, count in board.by_level.items()},
        "by_platform": dict(board.by_platform),
        "test_origins": {str(origin): count for origin, count in board.test_origins.items()},
        "clusters": board.clusters,
        "resolution": board.resolution,
        "first_separated": board.first_separated,
        "precision": None if board.precision is None else _precision_json(board.precision),
        "clean_window": None if board.clean_window is None else _window_json(board.clean_window),
        "facets": {entry.name: _facet_json(board.facets.get(entry.name, ())) for entry in filters() if entry.repeated},
        **({"groups": {name: _group_json(table) for name, table in board.groups.items()}} if board.groups else {}),
        **({"marks": {mark.name: mark.value for mark in marks}} if (marks := marks_shown(query)) else {}),
        **({"columns_empty": empty} if (empty := _empty_columns_json(board)) else {}),
        "rows": [
            {**values, **({"columns": own} if own else {}), **_optional_json(board, row)}
            for row, values, own in zip(board.rows, rows_json(board.rows), own_columns, strict=True)
        ],
        "hidden_by_reason": dict(Counter(row.reason for row in board.hidden)),
        "hidden": [
            {"model": row.model, "configuration": row.configuration, "reason": row.reason} for row in board.hidden
        ],
    }


def _empty_columns_json(board: Board) -> dict[str, str]:
    """Return what each column without a value lacks, by its name; empty if all of them lack only answers."""
    empty = columns_empty(board)
    more = empty.keys() - {"answers"}  # so that old permanent links keep their bytes
    return {column.name: lack for lack, columns in empty.items() for column in columns} if more else {}


def _group_json(table: GroupTable) -> dict[str, Any]:
    return {"ks": list(table.ks), "problems": dict(table.sizes), "unplaced": table.unplaced}


def _optional_json(board: Board, row: BoardRow) -> dict[str, Any]:
    """Return the fields that only some boards have: scores by groups of problems, and gaps to other protocols."""
    gaps = {
        name: None if (gap := by_row.get((row.model, row.configuration))) is None else gap._asdict()
        for name, by_row in board.paired.items()
    }
    groups = {
        name: {
            group: {"n": score.n, "pass_at": {str(k): value for k, value in zip(table.ks, score.pass_at, strict=True)}}
            for group, score in table.scores[row.run].items()
        }
        for name, table in board.groups.items()
    }
    return ({"paired": gaps} if gaps else {}) | ({"groups": groups} if groups else {})


def board_bytes(board: Board) -> bytes:
    """Return the JSON in the bytes that the API sends."""
    return json.dumps(board_json(board), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def _window_json(window: Window) -> dict[str, str | None]:
    return {"from": _iso(window.start), "to": _iso(window.end)}


def _facet_json(facets: Sequence[Facet]) -> list[dict[str, Any]]:
    return [{"value": facet.value, "count": facet.count} for facet in facets]


def _precision_json(precision: Precision) -> dict[str, Any]:
    return {
        "half_width": precision.half_width,
        "problems_for": {f"{points:g}": problems for points, problems in precision.problems_for.items()},
        "widen_to": _iso(precision.widen_to),
        "subsample": precision.subsample,
    }


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
