"""The columns of a board's rows in order: one list for every table built from them."""

from collections.abc import Mapping
from typing import Any, Final

from app.domain.exports import Kind, Value
from app.domain.problems import Level

_COLUMNS_BEFORE_LEVELS: Final = {
    "rank": Kind.INTEGER,
    "rank_lo": Kind.INTEGER,
    "rank_hi": Kind.INTEGER,
    "tier": Kind.INTEGER,
    "model": Kind.TEXT,
    "configuration": Kind.TEXT,
    "organisation": Kind.TEXT,
    "score": Kind.NUMBER,
    "ci_lo": Kind.NUMBER,
    "ci_hi": Kind.NUMBER,
    "n_problems": Kind.INTEGER,
    "wanted": Kind.INTEGER,
    "coverage": Kind.NUMBER,
    "exposed": Kind.INTEGER,
}
_COLUMNS_AFTER_LEVELS: Final = {
    "cutoff_date": Kind.TEXT,
    "cutoff_basis": Kind.TEXT,
    "provisional": Kind.FLAG,
    "estimate": Kind.NUMBER,
    "estimate_lo": Kind.NUMBER,
    "estimate_hi": Kind.NUMBER,
    "n_inferred": Kind.FLAG,
    "imported": Kind.FLAG,
    "demo": Kind.FLAG,
    "tokens_input": Kind.NUMBER,
    "tokens_cached": Kind.NUMBER,
    "tokens_reasoning": Kind.NUMBER,
    "tokens_answer": Kind.NUMBER,
    "seconds_per_problem": Kind.NUMBER,
    "cost_per_solve": Kind.NUMBER,
    "speed_vs_reference": Kind.NUMBER,
    "speed_problems": Kind.INTEGER,
}
# Boards that were frozen before one of these existed lack it.
_ADDED_COLUMNS: Final = {
    "without_own": Kind.NUMBER,
    "without_own_n": Kind.INTEGER,
    "without_own_reason": Kind.TEXT,
    "served": Kind.INTEGER,
    "prospective": Kind.FLAG,
    "started_by": Kind.TEXT,
    "registered_at": Kind.TEXT,
    "lag_days": Kind.NUMBER,
    "pass_at_5": Kind.NUMBER,
    "pass_at_10": Kind.NUMBER,
    "p_first": Kind.NUMBER,
}


def columns_of(body: Mapping[str, Any]) -> dict[str, Kind]:
    """Return the kind of each column of a board's JSON.

    A score for each of the board's levels stands in the middle, and the board's own columns stand last.
    """
    levels = {level.value: Kind.NUMBER for level in Level if level in body["by_difficulty"]}
    since = {"without_own_n": "without_own", "pass_at_5": "pass_at", "pass_at_10": "pass_at"}
    later = {
        name: kind for name, kind in _ADDED_COLUMNS.items() if all(since.get(name, name) in row for row in body["rows"])
    }
    own = {name: Kind.NUMBER for row in body["rows"][:1] for name in row.get("columns", ())}
    return _COLUMNS_BEFORE_LEVELS | levels | _COLUMNS_AFTER_LEVELS | later | own


def flat(row: Mapping[str, Any]) -> dict[str, Value]:
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
