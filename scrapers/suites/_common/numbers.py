"""Reader of CSV files of numbers; bad rows are listed with their lines."""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from app.domain.errors import BadRow
from scrapers.suite import SourceFile, refuse_bad_rows

T = TypeVar("T")


def read_table(
    file: SourceFile, needed: Sequence[str], row: Callable[[dict[str, str]], T]
) -> tuple[list[T], list[BadRow]]:
    """Return the result of `row` for every line below a header that names at least the needed columns, and the bad
    lines.

    Raises InvalidImport for another header.
    """
    rows: list[T] = []
    bad: list[BadRow] = []
    header: list[str] | None = None
    for line, cells in csv_lines(file.text.splitlines()):
        try:
            if isinstance(cells, csv.Error):
                raise cells
            if header is None:
                refuse_bad_rows(bad)
                header = _header(file, cells, needed)
            elif len(cells) != len(header):
                raise ValueError(f"{len(cells)} fields under a header of {len(header)}")
            else:
                rows.append(row({name: cell.strip() for name, cell in zip(header, cells, strict=True)}))
        except (ValueError, csv.Error) as broken:
            bad.append(BadRow(file.name, line, str(broken)))
    if header is None:
        refuse_bad_rows(bad)
        _header(file, [], needed)
    return rows, bad


def csv_lines(lines: Iterable[str], *, strict: bool = False) -> Iterator[tuple[int, list[str] | csv.Error]]:
    """Yield (line, cells) of each row that is not empty; a row that is no CSV yields the error in its place."""
    reader = csv.reader(lines, strict=strict)
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as broken:
            yield reader.line_num, broken
            continue
        if cells:
            yield reader.line_num, cells


def _header(file: SourceFile, cells: Sequence[str], needed: Sequence[str]) -> list[str]:
    header = [name.strip() for name in cells]
    missing = [name for name in needed if name not in header]
    if missing or len(set(header)) != len(header):
        why = f"the header names no {', '.join(missing)}" if missing else "the header names a column twice"
        refuse_bad_rows([BadRow(file.name, 1, why)])
    return header


def whole_number(name: str, text: str, lowest: int, highest: int) -> int:
    """Return a whole number in a range. Raises ValueError."""
    try:
        value = int(text)
    except ValueError:
        raise ValueError(f"{name} is {text[:40]!r}, not a whole number") from None
    if not lowest <= value <= highest:
        raise ValueError(f"{name} is {value}, not from {lowest} to {highest}")
    return value


def number(name: str, text: str, lowest: float, highest: float) -> float:
    """Return a number in a range. Raises ValueError."""
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"{name} is {text[:40]!r}, not a number") from None
    if not lowest <= value <= highest:  # false for nan too
        raise ValueError(f"{name} is {text[:40]}, not from {lowest:g} to {highest:g}")
    return value
