"""Links and menus of the pages of models, problems and comparisons."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.db.boards.cells import ProtocolFact
from app.domain.boards.named_boards import board_of, boards
from web.board_page.links import Choice, board_path
from web.context import PageRequest, Pairs


@dataclass(frozen=True, slots=True)
class ListPaging:
    """The part of a list that a page shows, and links to its neighbours; None at an end of the list."""

    first: int
    last: int
    total: int
    newer: str | None
    older: str | None


def board_href(page: PageRequest, board: str, params: Pairs = ()) -> str:
    """Return a link to a board: the first board has the address of the site."""
    return page.href(board_path(board), params)


def protocol_href(page: PageRequest, board: str, protocol: str) -> str:
    """Return a link to the board of a protocol, as it opens."""
    return board_href(page, board, [("protocol", protocol)] if protocol != boards()[board].protocol else [])


def protocol_menu(page: PageRequest, facts: Iterable[ProtocolFact], shown: str, path: str) -> list[Choice]:
    """Return a menu of protocols, by board: each leads to a page under it."""
    return [
        Choice(
            page.protocol_title(fact.slug, fact.title),
            page.href(path, [("protocol", fact.slug)]),
            current=fact.slug == shown,
            group="" if (board := board_of(fact.protocol)) is None else page.board_title(board),
        )
        for fact in facts
    ]


def paging(page: PageRequest, params: Sequence[tuple[str, str]], skip: int, shown: int, total: int) -> ListPaging:
    """Return the links of a list that shows `shown` of `total` lines after the first `skip`."""
    kept = [pair for pair in params if pair[0] != "skip"]
    older = page.href(page.path, [*kept, ("skip", str(skip + shown))]) if skip + shown < total and shown else None
    return ListPaging(skip + 1, skip + shown, total, page.href(page.path, kept) if skip else None, older)
