"""A frozen board as bytes: the canonical spelling of its JSON, its digest, and its rows as comma-separated values."""

import hashlib
import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from app.domain.boards.columns import file_table
from app.domain.exports import Value, as_csv_cell, csv_line

# The place of the digest. It cannot occur inside a text of the JSON, since quotes in texts are escaped.
_OPEN = b'"snapshot":null'


class FrozenBy(StrEnum):
    """The actor that froze a board, for the public; the audit log has the name."""

    OPERATOR = "operator"
    MAINTAINER = "maintainer"
    CLOCK = "clock"
    VISITOR = "visitor"


def canonical_bytes(body: Mapping[str, Any]) -> bytes:
    """Return a board's JSON in one spelling: UTF-8, keys sorted, no spaces, floats as Python writes them, no NaN.

    Raises ValueError for NaN and infinities.
    """
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def snapshot_digest(frozen: bytes) -> str:
    """Return the hash that identifies a snapshot."""
    return hashlib.sha256(frozen).hexdigest()


def insert_digest(frozen: bytes, sha256: str) -> bytes:
    """Return the frozen bytes with their own hash as `snapshot`; with null in its place they are the hashed bytes."""
    before, mark, after = frozen.partition(_OPEN)
    if not mark or _OPEN in after:
        raise ValueError("these are not the bytes of one board")
    return before + f'"snapshot":"{sha256}"'.encode() + after


def has_same_content(frozen: Mapping[str, Any], body: Mapping[str, Any]) -> bool:
    """Return whether two boards show the same; the revision is ignored, since other boards change it, too."""
    return {**frozen, "revision": None} == {**body, "revision": None}


def board_csv(body: Mapping[str, Any]) -> str:
    """Return the rows of a board's JSON as comma-separated values, in the order shown."""
    kinds, rows = file_table(body)
    return "".join([csv_line(kinds), *(csv_line(map(_cell, row.values())) for row in rows)])


def _cell(value: Value) -> str:
    return str(value) if isinstance(value, bool) else as_csv_cell(value)  # flags here were always True and False
