"""Rows as Parquet, a group at a time.

pyarrow is imported only when rows are written: it takes half a second and 40 MB.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, Final

from numpy.typing import NDArray

from app.domain.exports import ColumnKind, Value

# The first limit reached closes a group: answers may be long.
GROUP_ROWS: Final = 20_000
GROUP_CHARS: Final = 16 << 20


def write_groups(
    out: BinaryIO,
    columns: Mapping[str, ColumnKind],
    groups: Iterable[Sequence[Sequence[Any] | NDArray[Any]]],
    *,
    plain: bool = False,
) -> int:
    """Write groups of rows, each given as the values of every column; returns how many rows there were.

    `out` need not seek. With `plain` pages are uncompressed and every value is spelled out, so that a reader of a
    hundred lines can read them (`app.services.boards.recompute` is one); else they are dictionary coded, under zstd.
    """
    import pyarrow
    from pyarrow import parquet

    types = {
        ColumnKind.TEXT: pyarrow.string(),
        ColumnKind.INTEGER: pyarrow.int64(),
        ColumnKind.NUMBER: pyarrow.float64(),
        ColumnKind.FLAG: pyarrow.bool_(),
        ColumnKind.TEXTS: pyarrow.list_(pyarrow.string()),
    }
    schema = pyarrow.schema([(name, types[kind]) for name, kind in columns.items()])
    options: dict[str, Any] = (
        {"compression": "none", "use_dictionary": False, "write_statistics": False, "data_page_version": "1.0"}
        if plain
        else {"compression": "zstd"}
    )
    rows = 0
    with parquet.ParquetWriter(out, schema, store_schema=False, **options) as writer:
        for group in groups:
            arrays = [pyarrow.array(values, type=field.type) for values, field in zip(group, schema, strict=True)]
            batch = pyarrow.RecordBatch.from_arrays(arrays, schema=schema)
            writer.write_batch(batch, row_group_size=max(batch.num_rows, 1))
            rows += batch.num_rows
    return rows


def group_rows(columns: Mapping[str, ColumnKind], rows: Iterable[Mapping[str, Value]]) -> Iterator[list[list[Value]]]:
    """Yield rows in groups that fit into memory, for `write_groups`."""
    group: list[list[Value]] = [[] for _ in columns]
    size = 0
    for row in rows:
        for name, values in zip(columns, group, strict=True):
            value = row[name]
            values.append(value)
            size += len(value) if isinstance(value, str) else 0
        if len(group[0]) == GROUP_ROWS or size >= GROUP_CHARS:
            yield group
            group, size = [[] for _ in columns], 0
    if group[0]:
        yield group
