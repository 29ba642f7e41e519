"""The columns of a board's page, made from their declarations; a reader may add those of usage."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from app.domain.boards.board import Board, BoardRow
from app.domain.boards.columns import CatalogueText, ColumnText, ShownColumn, ShownFor, table_columns
from app.domain.errors import InvalidInput
from web.context import PageRequest

COLUMNS_PARAM: Final = "columns"
_USAGE: Final = "usage"


@dataclass(frozen=True, slots=True)
class PageColumn:
    """A column with its words in the page's language; `name` is that of its declaration.

    `is_always` says that every page of a board has it once.
    """

    page: PageRequest
    name: str
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
        return "" if self.shown.note is None else "".join(_write(self.page, text) for text in self.shown.note(row))


def page_columns(page: PageRequest, board: Board, shown_for: Iterable[ShownFor]) -> Iterator[PageColumn]:
    """Yield the columns of a board's table that a request shows."""
    requested = {ShownFor.ALL, *shown_for}
    for declared, shown in table_columns(board):
        if shown.shown_for in requested and shown.title:
            title = _write(page, shown.title)
            yield PageColumn(
                page=page,
                name=declared.name,
                shown=shown,
                title=title,
                meaning="".join(_write(page, text) for text in shown.meaning),
                label=_write(page, shown.label) or title,
                is_always=isinstance(declared.shown, ShownColumn) and shown.shown_for is ShownFor.ALL,
            )


def _write(page: PageRequest, text: ColumnText) -> str:
    match text:
        case CatalogueText(key, values):
            return page.t(key, **values)
        case str():
            return page.t(text) if text else ""
        case _:
            return page.spoken(text)


def usage_params(params: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the pair that asks for these columns, if present. Raises InvalidInput for other columns."""
    values = {value for name, value in params if name == COLUMNS_PARAM and value}
    if values - {_USAGE}:
        raise InvalidInput(f"{COLUMNS_PARAM} must be {_USAGE}", pointer=f"/{COLUMNS_PARAM}")
    return [(COLUMNS_PARAM, _USAGE)] if values else []


def toggle_usage(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the parameters of the link that shows the columns of usage, or hides them."""
    return [] if pairs else [(COLUMNS_PARAM, _USAGE)]
