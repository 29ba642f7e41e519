"""The columns of a board's rows in order: one list for every table built from them."""

from collections.abc import Mapping
from typing import Any, Final

from app.domain.exports import ColumnKind, Value
from app.domain.problems import Level

_COLUMNS_BEFORE_LEVELS: Final = {
    "rank": ColumnKind.INTEGER,
    "rank_lo": ColumnKind.INTEGER,
    "rank_hi": ColumnKind.INTEGER,
    "tier": ColumnKind.INTEGER,
    "model": ColumnKind.TEXT,
    "configuration": ColumnKind.TEXT,
    "organisation": ColumnKind.TEXT,
    "score": ColumnKind.NUMBER,
    "ci_lo": ColumnKind.NUMBER,
    "ci_hi": ColumnKind.NUMBER,
    "n_problems": ColumnKind.INTEGER,
    "wanted": ColumnKind.INTEGER,
    "coverage": ColumnKind.NUMBER,
    "exposed": ColumnKind.INTEGER,
}
_COLUMNS_AFTER_LEVELS: Final = {
    "cutoff_date": ColumnKind.TEXT,
    "cutoff_basis": ColumnKind.TEXT,
    "provisional": ColumnKind.FLAG,
    "estimate": ColumnKind.NUMBER,
    "estimate_lo": ColumnKind.NUMBER,
    "estimate_hi": ColumnKind.NUMBER,
    "n_inferred": ColumnKind.FLAG,
    "imported": ColumnKind.FLAG,
    "demo": ColumnKind.FLAG,
    "tokens_input": ColumnKind.NUMBER,
    "tokens_cached": ColumnKind.NUMBER,
    "tokens_reasoning": ColumnKind.NUMBER,
    "tokens_answer": ColumnKind.NUMBER,
    "seconds_per_problem": ColumnKind.NUMBER,
    "cost_per_solve": ColumnKind.NUMBER,
    "speed_vs_reference": ColumnKind.NUMBER,
    "speed_problems": ColumnKind.INTEGER,
}
# Boards that were frozen before one of these existed lack it.
_ADDED_COLUMNS: Final = {
    "without_own": ColumnKind.NUMBER,
    "without_own_n": ColumnKind.INTEGER,
    "without_own_reason": ColumnKind.TEXT,
    "served": ColumnKind.INTEGER,
    "prospective": ColumnKind.FLAG,
    "started_by": ColumnKind.TEXT,
    "registered_at": ColumnKind.TEXT,
    "lag_days": ColumnKind.NUMBER,
    "pass_at_5": ColumnKind.NUMBER,
    "pass_at_10": ColumnKind.NUMBER,
    "p_first": ColumnKind.NUMBER,
}


def columns_of(body: Mapping[str, Any]) -> dict[str, ColumnKind]:
    """Return the kind of each column of a board's JSON.

    A score for each of the board's levels stands in the middle, and the board's own columns stand last.
    """
    levels = {level.value: ColumnKind.NUMBER for level in Level if level in body["by_difficulty"]}
    since = {"without_own_n": "without_own", "pass_at_5": "pass_at", "pass_at_10": "pass_at"}
    later = {
        name: kind for name, kind in _ADDED_COLUMNS.items() if all(since.get(name, name) in row for row in body["rows"])
    }
    own = {name: ColumnKind.NUMBER for row in body["rows"][:1] for name in row.get("columns", ())}
    return _COLUMNS_BEFORE_LEVELS | levels | _COLUMNS_AFTER_LEVELS | later | own


def flatten_row(row: Mapping[str, Any]) -> dict[str, Value]:
    """Return a row of a board's JSON by column."""
    estimate = row["estimate"] or {"score": None, "ci_lo": None, "ci_hi": None}
    without = row.get("without_own") or {"score": None, "n": None}
    return {
        **row,
        "without_own": without["score"],
        "without_own_n": without["n"],
        **{level: cell["score"] for level, cell in row["by_difficulty"].items()},
        "cutoff_date": row["cutoff"]["date"],
        "cutoff_basis": row["cutoff"]["basis"],
        "estimate": estimate["score"],
        "estimate_lo": estimate["ci_lo"],
        "estimate_hi": estimate["ci_hi"],
        **{f"tokens_{kind}": spent for kind, spent in row["tokens"].items()},
        **{f"pass_at_{k}": value for k, value in row.get("pass_at", {}).items()},
        **row.get("columns", {}),
    }
