"""Links between views of boards: every control of the page is in the URL."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.domain.boards.board import BoardQuery
from app.domain.boards.columns import ShownColumn
from app.domain.boards.named_boards import boards
from app.domain.errors import InvalidInput
from app.domain.windows import Window
from app.services.boards.query import to_params
from web.context import PageRequest

# The directions of a sorted table in the address.
UP: Final = "asc"
DOWN: Final = "desc"
# The column that rows are in the order of without a choice.
RANK: Final = "rank"


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of a menu, of tabs or of windows as a link; those of one `group` follow each other.

    `short` is the part of its title for little room.
    """

    title: str
    href: str
    current: bool = False
    group: str = ""
    short: str = ""


@dataclass(frozen=True, slots=True)
class RowOrder:
    """The column that rows are sorted by, and the direction; the empty name is the order of ranks.

    Without a direction it is the column's own: mostly the highest value first.
    """

    column: str = ""
    descending: bool | None = None

    def is_descending(self, column: ShownColumn) -> bool:
        """Return True if rows begin with the highest value of a column."""
        return not column.low_first if self.descending is None else self.descending

    @property
    def params(self) -> list[tuple[str, str]]:
        """The pairs of the address; none for the order of ranks."""
        if not self.column:
            return []
        direction = [] if self.descending is None else [("dir", DOWN if self.descending else UP)]
        return [("sort", self.column), *direction]


@dataclass(frozen=True, slots=True)
class BoardLinks:
    """Links to views of one board, from one of them.

    `carried` are the parameters of the open tab. `names_window` says that a link to all dates must say so, because the
    board opens on another window without it.
    """

    page: PageRequest
    query: BoardQuery
    reference: str | None
    tab: str = ""
    order: RowOrder = RowOrder()
    carried: tuple[tuple[str, str], ...] = ()
    names_window: bool = False

    @property
    def face_params(self) -> list[tuple[str, str]]:
        """The parameters about presentation that every view of the board passes on."""
        return [*([("tab", self.tab)] if self.tab else []), *self.carried, *self.order.params]

    def params(self, query: BoardQuery, reference: str | None) -> list[tuple[str, str]]:
        """Return the parameters of a view's numbers."""
        every = [("from", "")] if self.names_window and query.window == Window() else []
        return [*to_params(query, reference), *every]

    def to_query(self, query: BoardQuery) -> str:
        """Return a link to the board under another query."""
        return self.page.href(board_path(query.board), [*self.params(query, self.reference), *self.face_params])

    def to_reference(self, reference: str | None) -> str:
        """Return a link to the board with another row of reference, or none."""
        return self.page.href(board_path(self.query.board), [*self.params(self.query, reference), *self.face_params])

    def to_tab(self, tab: str) -> str:
        """Return a link to another tab; only the table is sorted, and each tab has parameters of its own."""
        pairs = self.params(self.query, self.reference)
        return self.page.href(board_path(self.query.board), [*pairs, *([("tab", tab)] if tab else [])])

    def to_opened(self, keys: Iterable[str], row: str) -> str:
        """Return a link to the board with some rows opened, at one row."""
        pairs = [*self.params(self.query, self.reference), *self.face_params, *(("open", key) for key in keys)]
        return f"{self.page.href(board_path(self.query.board), pairs)}#row-{row}"

    def to_board(self, name: str) -> str:
        """Return a link to another board in its own view, on the same tab."""
        return self.page.href(board_path(name), [("tab", self.tab)] if self.tab else [])

    def to_protocol(self, protocol: str) -> str:
        """Return a link to another protocol of this board in its own view, on the same tab."""
        query = BoardQuery(board=self.query.board, protocol=protocol)
        return self.page.href(board_path(query.board), [*to_params(query), *([("tab", self.tab)] if self.tab else [])])

    def naming_windows(self) -> "BoardLinks":
        """Return links of which those to all dates say so."""
        return replace(self, names_window=True)


def board_path(board: str) -> str:
    """Return the path of a board; the first one is the home page."""
    return "/" if board == next(iter(boards())) else f"/boards/{board}"


def names_window(page: PageRequest) -> bool:
    """Return True if the address names a window, even that of all dates, which a form with both days empty sends."""
    return any(name in ("from", "to") for name, _ in page.params)


def read_order(params: Sequence[tuple[str, str]]) -> RowOrder:
    """Return the order that an address asks for. Raises InvalidInput for an unknown direction or several orders."""
    columns = [value for name, value in params if name == "sort" and value]
    directions = [value for name, value in params if name == "dir" and value]
    if len(columns) > 1 or len(directions) > 1:
        raise InvalidInput("sort and dir must be given once", pointer="/sort")
    if directions and directions[0] not in (UP, DOWN):
        raise InvalidInput(f"dir must be {UP} or {DOWN}, not {directions[0][:20]!r}", pointer="/dir")
    return RowOrder(columns[0], directions[0] == DOWN if directions else None) if columns else RowOrder()
