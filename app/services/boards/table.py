"""Rows of a board as a typed table: the columns of its CSV, as Parquet."""

import io
from collections.abc import Mapping
from typing import Any

from app.domain.boards.columns import columns_of, flatten_row
from app.services.boards import parquet


def board_parquet(body: Mapping[str, Any]) -> bytes:
    """Return the rows of a board's JSON as Parquet, in the order shown."""
    columns, out = columns_of(body), io.BytesIO()
    parquet.write_groups(out, columns, parquet.group_rows(columns, (flatten_row(row) for row in body["rows"])))
    return out.getvalue()
