"""Reading a CSV file of numbers; a bad row refuses the file, and all are listed with their lines."""

import csv
from collections.abc import Callable, Sequence
from typing import TypeVar

from app.domain.errors import BadRow
from scrapers.suite import SourceFile, refuse

T = TypeVar("T")


def read_table(file: SourceFile, needed: Sequence[str], row: Callable[[dict[str, str]], T]) -> list[T]:
    """What `row` makes of every line below a header that names at least the columns needed. Raises InvalidImport."""
    reader = csv.reader(file.text.splitlines())
    rows: list[T] = []
    bad: list[BadRow] = []
    try:
        header = [name.strip() for name in next(reader, [])]
        missing = [name for name in needed if name not in header]
        if missing or len(set(header)) != len(header):
            why = f"the header names no {', '.join(missing)}" if missing else "the header names a column twice"
            refuse([BadRow(file.name, 1, why)])
        for cells in reader:
            if not cells:
                continue
            try:
                if len(cells) != len(header):
                    raise ValueError(f"{len(cells)} fields under a header of {len(header)}")
                rows.append(row({name: cell.strip() for name, cell in zip(header, cells, strict=True)}))
            except ValueError as broken:
                bad.append(BadRow(file.name, reader.line_num, str(broken)))
    except csv.Error as broken:
        bad.append(BadRow(file.name, reader.line_num, str(broken)))
    refuse(bad)
    return rows


def whole(name: str, text: str, lowest: int, highest: int) -> int:
    """A whole number in a range. Raises ValueError."""
    try:
        value = int(text)
    except ValueError:
        raise ValueError(f"{name} is {text[:40]!r}, not a whole number") from None
    if not lowest <= value <= highest:
        raise ValueError(f"{name} is {value}, not from {lowest} to {highest}")
    return value


def number(name: str, text: str, lowest: float, highest: float) -> float:
    """A number in a range. Raises ValueError."""
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"{name} is {text[:40]!r}, not a number") from None
    if not lowest <= value <= highest:  # nan lies nowhere
        raise ValueError(f"{name} is {text[:40]}, not from {lowest:g} to {highest:g}")
    return value
