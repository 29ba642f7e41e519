"""The tabs of a board beside its table: one module each, which returns one frozen view for its template."""

from collections.abc import Iterable

from app.domain.boards.board import BoardRow
from web.context import PageRequest

# What an address says of the way a board is shown, and not of the board.
TAB, AXIS = "tab", "axis"


def row_name(row: BoardRow) -> str:
    """Return a row as readers name it."""
    return f"{row.fact.name} ({row.configuration})" if row.configuration else row.fact.name


def row_key(row: BoardRow) -> str:
    """Return the last part of the id of a row's line in the table."""
    return f"{row.model}-{row.run}"


def board_href(page: PageRequest, changes: Iterable[tuple[str, str]] = ()) -> str:
    """Return the address of the board on this page, its table unless `changes` name a tab."""
    changed = [(name, value) for name, value in changes if value]
    kept = [pair for pair in page.params if pair[0] not in {TAB, AXIS}]
    return page.href(page.path, [*kept, *changed])
