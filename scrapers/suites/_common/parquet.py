"""A Parquet file as the JSON lines of the same export. pyarrow is imported only for such a file."""

import hashlib
from pathlib import Path
from typing import Any

from app.domain.errors import BadRow, InvalidImport
from app.domain.exports import as_json_line
from scrapers.suite import MAX_BYTES, TOO_LARGE, SourceFile, read_file

_MAGIC = b"PAR1"
_ROWS_PER_BATCH = 5_000


def read_rows(path: Path) -> SourceFile:
    """Return the rows of a Parquet file as lines; any other file unchanged. Raises InvalidImport as `read_file`
    does."""
    try:
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES) if stream.read(len(_MAGIC)) == _MAGIC else b""
    except OSError:
        return read_file(path)  # which raises the right error
    if not raw:
        return read_file(path)
    raw = _MAGIC + raw
    return SourceFile(path.name, hashlib.sha256(raw).hexdigest(), _lines(path.name, raw), path.absolute().parent)


def _lines(name: str, raw: bytes) -> str:
    import pyarrow
    from pyarrow import parquet

    lines: list[str] = []
    size = 0
    try:
        if len(raw) > MAX_BYTES:
            raise ValueError(TOO_LARGE)
        buffer = pyarrow.py_buffer(raw)
        schema = parquet.ParquetFile(pyarrow.BufferReader(buffer)).schema_arrow
        for field in schema:
            if pyarrow.types.is_nested(field.type) or pyarrow.types.is_binary(field.type):
                raise ValueError(f"{field.name} is a column of {field.type}, which no export of cells has")
        texts = [field.name for field in schema if field.type in (pyarrow.string(), pyarrow.large_string())]
        # A text that repeats in many rows is kept once until the size of all of them is known: a few hundred bytes
        # can expand to as many gigabytes.
        file = parquet.ParquetFile(pyarrow.BufferReader(buffer), read_dictionary=texts)
        for batch in file.iter_batches(_ROWS_PER_BATCH):
            size += sum(_size(column) for column in batch.columns)
            if size > MAX_BYTES:
                raise ValueError(TOO_LARGE)
            lines += (as_json_line(row) + "\n" for row in batch.to_pylist())
    except (pyarrow.ArrowException, MemoryError, OSError, TypeError, ValueError) as broken:
        row = BadRow(name, len(lines) + 1, f"no Parquet file of ours: {broken}")
        raise InvalidImport(f"{row}; nothing was imported", (row,)) from broken
    return "".join(lines)


def _size(column: Any) -> int:
    """Return the approximate number of bytes that the values of a column take as text."""
    import pyarrow
    from pyarrow import compute

    if not pyarrow.types.is_dictionary(column.type):
        return int(len(column) + column.nbytes)
    return int(compute.sum(compute.binary_length(column.dictionary).take(column.indices)).as_py() or 0)
