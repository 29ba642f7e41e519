"""Writing what stands behind the boards: rows of a table as lines of text, one at a time."""

import csv
import io
from collections.abc import Iterator, Mapping
from enum import StrEnum

from app.db import cells
from app.db import export as store
from app.db.session import Session
from app.domain.errors import InvalidInput, NotFound
from app.domain.exports import COLUMNS, Table, Value, as_csv_cell, as_json_line


class Format(StrEnum):
    """How rows are written."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


def check(table: Table, form: Format, protocol: str | None) -> None:
    """Raise InvalidInput for what is not offered; no database is needed to tell."""
    if form is Format.PARQUET:
        raise InvalidInput("parquet needs pyarrow, which this installation does not have: ask for csv or jsonl")
    if protocol is not None and table is Table.PROBLEMS:
        raise InvalidInput("problems are of no protocol: leave --protocol out")


def lines(session: Session, table: Table, form: Format, protocol: str | None = None) -> Iterator[str]:
    """The rows of a table as text, line ends included; `protocol` keeps the others' cells and samples out.

    Raises InvalidInput for what is not offered, NotFound for a protocol that is not here.
    """
    check(table, form, protocol)
    if protocol is not None and cells.protocol(session, protocol) is None:
        raise NotFound(f"there is no protocol {protocol!r}")
    write = _csv if form is Format.CSV else _jsonl
    return write(tuple(COLUMNS[table]), _rows(session, table, protocol))


def _rows(session: Session, table: Table, protocol: str | None) -> Iterator[Mapping[str, Value]]:
    match table:
        case Table.CELLS:
            return store.cell_rows(session, protocol)
        case Table.PROBLEMS:
            return store.problem_rows(session)
        case Table.SAMPLES:
            return store.sample_rows(session, protocol)


def _jsonl(names: tuple[str, ...], rows: Iterator[Mapping[str, Value]]) -> Iterator[str]:
    for row in rows:
        yield as_json_line({name: row[name] for name in names}) + "\n"


def _csv(names: tuple[str, ...], rows: Iterator[Mapping[str, Value]]) -> Iterator[str]:
    yield _csv_line(names)
    for row in rows:
        yield _csv_line(tuple(as_csv_cell(row[name]) for name in names))


def _csv_line(cells: tuple[str, ...]) -> str:
    written = io.StringIO(newline="")
    csv.writer(written).writerow(cells)
    return written.getvalue()
