"""Rows of a board as a typed table: the columns of its CSV, as Parquet."""

import io
from collections.abc import Mapping
from typing import Any

from app.domain.boards.columns import file_table
from app.services.boards import parquet


def board_parquet(body: Mapping[str, Any]) -> bytes:
    """Return the rows of a board's JSON as Parquet, in the order shown."""
    out = io.BytesIO()
    kinds, rows = file_table(body)
    parquet.write_groups(out, kinds, parquet.group_rows(kinds, rows))
    return out.getvalue()
