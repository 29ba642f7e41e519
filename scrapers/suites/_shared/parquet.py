"""A Parquet file as the JSON lines that the same export would be. pyarrow is imported for such a file alone."""

import hashlib
from pathlib import Path

from app.domain.errors import BadRow, InvalidImport
from app.domain.exports import as_json_line
from scrapers.suite import MAX_BYTES, SourceFile, read_file

_MAGIC = b"PAR1"
_ROWS = 5_000


def read_rows(path: Path) -> SourceFile:
    """The rows of a Parquet file, one a line; any other file as it is. Raises InvalidImport as `read_file` does."""
    try:
        with path.open("rb") as opened:
            raw = opened.read() if opened.read(len(_MAGIC)) == _MAGIC else b""
    except OSError:
        return read_file(path)  # which has the words
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
        for batch in parquet.ParquetFile(pyarrow.BufferReader(raw)).iter_batches(_ROWS):
            for row in batch.to_pylist():
                lines.append(as_json_line(row) + "\n")
                size += len(lines[-1])
                if size > MAX_BYTES:
                    raise ValueError(f"the file holds more than {MAX_BYTES >> 20} MiB")
    except (pyarrow.ArrowException, OSError, TypeError, ValueError) as broken:
        row = BadRow(name, len(lines) + 1, f"no Parquet file of ours: {broken}")
        raise InvalidImport(f"{row}; nothing was imported", (row,)) from broken
    return "".join(lines)
