"""Export of the data behind the boards: rows of a table as lines of text or as Parquet, a few at a time."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import BinaryIO

from app.db.boards import cells
from app.db.boards import export as store
from app.db.kernel.session import Session
from app.domain.errors import InvalidInput, NotFound
from app.domain.exports import COLUMNS, ExportTable, Value, as_csv_cell, as_json_line, csv_line
from app.services.boards import parquet

_TABLE_NAMES = {ExportTable.PROBLEMS: "problems", ExportTable.LEDGER: "the ledger"}


class Format(StrEnum):
    """File format of an export."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


def check_export(table: ExportTable, protocol: str | None) -> None:
    """Raise InvalidInput for a combination that is not offered; needs no database."""
    if protocol is not None and table in (ExportTable.PROBLEMS, ExportTable.LEDGER):
        raise InvalidInput(f"an export of {_TABLE_NAMES[table]} takes no --protocol")


def write_rows(session: Session, table: ExportTable, form: Format, out: BinaryIO, protocol: str | None = None) -> int:
    """Write the rows of a table, text in UTF-8, and return their number; `protocol` selects its cells or samples.

    Raises InvalidInput for a combination that is not offered, NotFound for an unknown protocol.
    """
    rows, columns = _checked_rows(session, table, protocol), COLUMNS[table]
    if form is Format.PARQUET:
        return parquet.write_groups(out, columns, parquet.group_rows(columns, rows))
    count = 0
    for line in _text_lines(form, tuple(columns), rows):
        out.write(line.encode())
        count += 1
    return count - (form is Format.CSV)


def lines(session: Session, table: ExportTable, form: Format, protocol: str | None = None) -> Iterator[str]:
    """Return the rows as text, line ends included; raises as `write_rows` does."""
    return _text_lines(form, tuple(COLUMNS[table]), _checked_rows(session, table, protocol))


def _checked_rows(session: Session, table: ExportTable, protocol: str | None) -> Iterator[Mapping[str, Value]]:
    check_export(table, protocol)
    if protocol is not None and cells.protocol(session, protocol) is None:
        raise NotFound(f"there is no protocol {protocol!r}")
    match table:
        case ExportTable.CELLS:
            return store.cell_rows(session, protocol)
        case ExportTable.PROBLEMS:
            return store.problem_rows(session)
        case ExportTable.SAMPLES:
            return store.sample_rows(session, protocol)
        case ExportTable.LEDGER:
            return store.ledger_rows(session)


def _text_lines(form: Format, names: tuple[str, ...], rows: Iterator[Mapping[str, Value]]) -> Iterator[str]:
    return _csv_lines(names, rows) if form is Format.CSV else _jsonl_lines(names, rows)


def _jsonl_lines(names: tuple[str, ...], rows: Iterator[Mapping[str, Value]]) -> Iterator[str]:
    for row in rows:
        yield as_json_line({name: row[name] for name in names}) + "\n"


def _csv_lines(names: tuple[str, ...], rows: Iterator[Mapping[str, Value]]) -> Iterator[str]:
    yield csv_line(names)
    for row in rows:
        yield csv_line(as_csv_cell(row[name]) for name in names)
