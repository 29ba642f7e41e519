"""A frozen board as bytes: one spelling of its JSON, its digest, and its rows as comma-separated values."""

import csv
import hashlib
import io
import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from app.domain.problems import Level

# Where the link goes; as a key of JSON it stands in no text, since the quotes of a text are escaped.
_OPEN = b'"snapshot":null'

_BEFORE = (
    "rank", "rank_lo", "rank_hi", "tier", "model", "configuration", "organisation", "score", "ci_lo", "ci_hi",
    "n_problems", "wanted", "coverage", "exposed",
)  # fmt: skip
_AFTER = (
    "cutoff_date", "cutoff_basis", "provisional", "estimate", "estimate_lo", "estimate_hi", "n_inferred", "imported",
    "demo",
)  # fmt: skip
_TOKENS = ("input", "cached", "reasoning", "answer")
_USAGE = ("seconds_per_problem", "cost_per_solve", "speed_vs_reference", "speed_problems")
_NAMES = frozenset({"model", "configuration", "organisation"})


class FrozenBy(StrEnum):
    """Who froze a board, as everybody may know it; the audit log has the name."""

    OPERATOR = "operator"
    MAINTAINER = "maintainer"
    CLOCK = "clock"


def canonical(body: Mapping[str, Any]) -> bytes:
    """A board's JSON in one spelling: UTF-8, keys sorted, no spaces, floats as Python writes them, no NaN.

    Raises ValueError for NaN and infinities.
    """
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def digest(frozen: bytes) -> str:
    """The hash a snapshot is known by."""
    return hashlib.sha256(frozen).hexdigest()


def linked(frozen: bytes, sha256: str) -> bytes:
    """The frozen bytes with their own hash as `snapshot`; null put back there gives the bytes that were hashed."""
    before, found, after = frozen.partition(_OPEN)
    if not found or _OPEN in after:
        raise ValueError("these are not the bytes of one board")
    return before + f'"snapshot":"{sha256}"'.encode() + after


def same_content(frozen: Mapping[str, Any], body: Mapping[str, Any]) -> bool:
    """Whether two boards show the same; the revision also counts what is on other boards."""
    return {**frozen, "revision": None} == {**body, "revision": None}


def board_csv(body: Mapping[str, Any]) -> str:
    """The rows of a board's JSON as comma-separated values, in the order shown."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    levels = [level for level in Level if level in body["by_difficulty"]]
    writer.writerow([*_BEFORE, *levels, *_AFTER, *(f"tokens_{kind}" for kind in _TOKENS), *_USAGE])
    for row in body["rows"]:
        scores = [row["by_difficulty"][level]["score"] for level in levels]
        estimate = row["estimate"] or {"score": None, "ci_lo": None, "ci_hi": None}
        before = [_text(row[name]) if name in _NAMES else row[name] for name in _BEFORE]
        writer.writerow(
            [
                *before, *scores, row["cutoff"]["date"], row["cutoff"]["basis"], row["provisional"],
                estimate["score"], estimate["ci_lo"], estimate["ci_hi"], row["n_inferred"], row["imported"],
                row["demo"], *(row["tokens"][kind] for kind in _TOKENS), *(row[name] for name in _USAGE),
            ]
        )  # fmt: skip
    return out.getvalue()


def _text(value: str) -> str:
    # Spreadsheets run a cell that begins like a formula; names come from vendors.
    return f"'{value}" if value[:1] in "=+-@\t\r" and value else value
