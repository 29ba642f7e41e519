"""A board as JSON: the documented shape, as the API, the command line and bundles give it."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Any

from app.domain.boards.board import Board, BoardRow, Facet, GroupTable, Precision, ScoreInterval
from app.domain.boards.filters import filters
from app.domain.boards.named_boards import columns_empty, extra_values, marks_shown
from app.domain.boards.pass_at import KS
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
            _row_json(row) | ({"columns": columns} if columns else {}) | _optional_json(board, row)
            for row, columns in zip(board.rows, own_columns, strict=True)
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


def _row_json(row: BoardRow) -> dict[str, Any]:
    usage = row.usage
    return {
        "model": row.model,
        "name": row.fact.name,
        "organisation": row.fact.organisation,
        "configuration": row.configuration,
        "run": row.run,
        "trials": row.trials,
        "rank": row.rank,
        "rank_lo": row.rank_lo,
        "rank_hi": row.rank_hi,
        "tier": row.tier,
        "score": row.score,
        "ci_lo": row.ci_lo,
        "ci_hi": row.ci_hi,
        "pass_at": {"1": row.score, **{str(k): value for k, value in zip(KS, row.pass_at, strict=True)}},
        "n_problems": row.n_problems,
        "wanted": row.wanted,
        "coverage": row.coverage,
        "pending": row.pending,
        "judge_errors": row.judge_errors,
        "exposed": row.exposed,
        "served": row.served,
        "prospective": row.prospective,
        "started_by": row.fact.started_by,
        "registered_at": None if row.fact.registered_at is None else row.fact.registered_at.isoformat(),
        "by_difficulty": {str(level): {"score": part.score, "n": part.n} for level, part in row.by_difficulty.items()},
        "split": None if row.split is None else _split_json(row.split),
        "cutoff": {"date": _iso(row.fact.cutoff_on), "basis": row.fact.cutoff_basis},
        "provisional": row.provisional,
        "unranked": row.unranked,
        "estimate": None if row.estimate is None else _interval_json(row.estimate),
        "demo": row.fact.demo,
        "imported": row.fact.imported,
        "n_inferred": row.fact.n_inferred,
        "unknown_model": row.fact.unknown_model,
        "tokens": {
            "input": usage.tokens.input,
            "cached": usage.tokens.cached,
            "reasoning": usage.tokens.reasoning,
            "answer": usage.tokens.answer,
        },
        "seconds_per_problem": usage.seconds_per_problem,
        "cost_per_solve": row.cost_per_solve,
        "speed_vs_reference": usage.speed.ratio,
        "speed_problems": usage.speed.problems,
        "lag_days": usage.lag_days,
        **({"languages": dict(usage.languages)} if usage.languages else {}),
        # Only if known, so that old permanent links keep their bytes.
        **({"weights": row.fact.weights} if row.fact.weights else {}),
        **({"tuned_from": row.fact.tuned_from} if row.fact.tuned_from else {}),
        "unpublished_variants": row.unpublished_variants,
        "unmatched": row.fact.unmatched,
        "difference": None if row.difference is None else row.difference._asdict(),
        "without_own": None if row.without_own is None else row.without_own._asdict(),
        "without_own_reason": row.without_own_reason,
        "p_first": row.first_chance,
        "rank_overlap": None if row.overlap is None else row.overlap._asdict(),
    }


def _interval_json(interval: ScoreInterval) -> dict[str, float]:
    return {"score": interval.score, "ci_lo": interval.lo, "ci_hi": interval.hi}


def _precision_json(precision: Precision) -> dict[str, Any]:
    return {
        "half_width": precision.half_width,
        "problems_for": {f"{points:g}": problems for points, problems in precision.problems_for.items()},
        "widen_to": _iso(precision.widen_to),
        "subsample": precision.subsample,
    }


def _split_json(split: Sequence[Any]) -> dict[str, Any]:
    names = ("clean", "exposed")
    return {name: {"score": part.score, "n": part.n} for name, part in zip(names, split, strict=True)}


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
