"""The declaration of a column, and of the places where it shows."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter
from typing import Any, NamedTuple

from app.domain.boards.board import Board, BoardRow
from app.domain.boards.columns._formats import points
from app.domain.exports import ColumnKind


class CatalogueText(NamedTuple):
    """A text of the pages' catalogues by its key, with the values of its placeholders."""

    key: str
    values: Mapping[str, object]


# A key of the catalogues, a key with values, or the words themselves by locale.
ColumnText = str | CatalogueText | Mapping[str, str]


class ShownFor(StrEnum):
    """The place of a column on the page: the table, the table if a reference is named, or opened rows alone."""

    ALL = "all"
    REFERENCE = "reference"
    OPENED = "opened"


class SortKind(StrEnum):
    """The order of a column's values: by size, by text without regard to case, or by date."""

    NUMBER = "number"
    TEXT = "text"
    DAY = "day"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownColumn:
    """A column of the table on the page and on a terminal.

    `title` is its head on the page, `meaning` explains the head at the end of the page, and `label` stands beside each
    value on a narrow screen, if it is not the title. `css` are classes of its head; with `num`, values are aligned to
    the right, also on a terminal. `cell` is the macro in `web/templates/cells.html` that draws a value, and `key` names
    the part that it draws of a row. `of` is the value, by default that of the column in JSON, `format` writes it,
    `note` are small words behind it, and `ends` the interval of a difference. `heading` is its head on a terminal,
    which does not show a column without one; `text` is the value there, by default as on the page. A narrow terminal
    cuts values to `min_width` characters, and leaves out columns with the highest `drop` first, never with (0, 0).

    Readers of the page may sort by a column that `sorts`: under `sort_name` in the address, by default the column's
    name, by `sort_of`, by default its value, and first from the lowest value up with `low_first`. A column that
    `needs_values` is left out of the page's table if no row has one.
    """

    title: ColumnText = ""
    meaning: tuple[ColumnText, ...] = ()
    label: ColumnText = ""
    css: str = "num"
    cell: str = "number"
    key: Any = None
    of: Callable[[BoardRow], Any] | None = None
    format: Callable[[Any], str] = points
    note: Callable[[BoardRow], tuple[ColumnText, ...]] | None = None
    ends: Callable[[BoardRow], tuple[float, float] | None] | None = None
    shown_for: ShownFor = ShownFor.ALL
    heading: str = ""
    text: Callable[[BoardRow], str] | None = None
    min_width: int | None = None
    drop: tuple[int, int] = (0, 0)
    sorts: SortKind | None = None
    sort_name: str = ""
    sort_of: Callable[[BoardRow], Any] | None = None
    low_first: bool = False
    needs_values: bool = False

    @property
    def is_right(self) -> bool:
        """True if values are aligned to the right."""
        return "num" in self.css.split()

    def write(self, row: BoardRow, dash: str) -> str:
        """Return the value of a row as text; `dash` if it is unknown."""
        value = None if self.of is None else self.of(row)
        return dash if value is None else self.format(value)

    def sort_value(self, row: BoardRow) -> float | str | None:
        """Return what a row is sorted by: a number, or text that is compared by code points; None if it is unknown."""
        of = self.sort_of or self.of
        value = None if of is None else of(row)
        if value is None or self.sorts is None:
            return None
        match self.sorts:
            case SortKind.NUMBER:
                return float(value)
            case SortKind.DAY:
                return str(value.isoformat())
            case SortKind.TEXT:
                return str(value).casefold()

    def write_plain(self, row: BoardRow) -> str:
        """Return the value of a row on a terminal."""
        return self.write(row, "-") if self.text is None else self.text(row)


@dataclass(frozen=True, slots=True)
class FileColumn:
    """A column of the CSV and Parquet files: the place of its value in a row of the board's JSON."""

    name: str
    kind: ColumnKind
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of every board, declared once.

    JSON, and so snapshots and bundles, have its value under `name`, unless `in_json` is False; an `optional` value is
    left out if it is empty. `of` is a field or property of the row, by default the one with its name, or a function.
    With a `kind` it has a column of this name in CSV and Parquet files; `files` returns the columns for a board's JSON
    if its value has several parts. `shown` is its column in the tables of the page and the terminal, or a function
    from a board to several. `place` orders tables, `file_place` files; JSON is in the order of the declarations.
    """

    name: str
    of: str | Callable[[BoardRow], Any] = ""
    in_json: bool = True
    optional: bool = False
    kind: ColumnKind | None = None
    files: Callable[[Mapping[str, Any]], Iterable[FileColumn]] | None = None
    file_place: int = 200
    shown: ShownColumn | Callable[[Board], Iterable[ShownColumn]] | None = None
    place: int = 0

    @property
    def field(self) -> str | None:
        """The field of a row that holds its value, perhaps dotted; None if a function returns it."""
        return (self.of or self.name) if isinstance(self.of, str) else None

    @property
    def read(self) -> Callable[[BoardRow], Any]:
        """The function that returns its value."""
        return attrgetter(self.of or self.name) if isinstance(self.of, str) else self.of

    def file_columns(self, body: Mapping[str, Any]) -> Iterable[FileColumn]:
        """Return its columns in the files of a board's JSON."""
        if self.files is not None:
            return self.files(body)
        return () if self.kind is None else (FileColumn(self.name, self.kind, (self.name,)),)
