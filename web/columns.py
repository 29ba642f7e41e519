"""The columns of a board's page, made from their declarations."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.domain.boards.board import Board, BoardRow
from app.domain.boards.columns import CatalogueText, ColumnText, ShownColumn, ShownFor, table_columns
from web.context import PageRequest


@dataclass(frozen=True, slots=True)
class PageColumn:
    """A column with its words in the page's language.

    `name` is that of its declaration, and of its paragraph on the method page; `sort_name` is its name in `?sort=`.
    `is_always` says that every page of a board has it once.
    """

    page: PageRequest
    name: str
    sort_name: str
    shown: ShownColumn
    title: str
    meaning: str
    label: str
    is_always: bool

    def write(self, row: BoardRow) -> str:
        """Return the value of a row."""
        return self.shown.write(row, "—")

    def note(self, row: BoardRow) -> str:
        """Return the small words behind the value of a row."""
        return "" if self.shown.note is None else "".join(column_text(self.page, text) for text in self.shown.note(row))

    def sort_text(self, row: BoardRow) -> str:
        """Return what a row is sorted by as text; empty if it is unknown."""
        value = self.shown.sort_value(row)
        return "" if value is None else str(value)


def page_columns(page: PageRequest, board: Board, shown_for: Iterable[ShownFor]) -> Iterator[PageColumn]:
    """Yield the columns of a board's page for these places, without those that need a value and have none."""
    requested = frozenset(shown_for)
    for declared, shown in table_columns(board):
        if shown.shown_for in requested and shown.title and not (shown.needs_values and _is_empty(board, shown)):
            title = column_text(page, shown.title)
            yield PageColumn(
                page=page,
                name=declared.name,
                sort_name=shown.sort_name or declared.name,
                shown=shown,
                title=title,
                meaning="".join(column_text(page, text) for text in shown.meaning),
                label=column_text(page, shown.label) or title,
                is_always=isinstance(declared.shown, ShownColumn) and shown.shown_for is ShownFor.ALL,
            )


def _is_empty(board: Board, shown: ShownColumn) -> bool:
    of = shown.sort_of or shown.of
    return of is None or all(of(row) is None for row in board.rows)


def column_text(page: PageRequest, text: ColumnText) -> str:
    """Return a declared text of a column in a page's language."""
    match text:
        case CatalogueText(key, values):
            return page.t(key, **values)
        case str():
            return page.t(text) if text else ""
        case _:
            return page.spoken(text)
