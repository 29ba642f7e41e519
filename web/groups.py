"""A board's tables by groups of its problems, as the page shows them, and what its tiers are called."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.domain.boards.board import Board, BoardRow, GroupScore
from app.domain.boards.named import boards
from web.context import Page

# A table with more rows than these is read by machines.
MOST_ROWS = 30
_TIER_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class GroupView:
    """One table: its groups with how many problems each has, and for each row shown its scores in their order, at the
    `ks` for which any row has enough answers."""

    name: str
    title: str
    meaning: str
    ks: tuple[int, ...]
    groups: tuple[tuple[str, int], ...]
    rows: tuple[tuple[BoardRow, tuple[GroupScore, ...]], ...]
    unplaced: int
    more: int


def group_views(page: Page, board: Board) -> Iterator[GroupView]:
    """The tables that have a group with a problem, in the board's order."""
    for grouping in boards()[board.query.board].groupings:
        table = board.groups.get(grouping.name)
        if table is None or not any(table.sizes.values()):
            continue
        shown = board.rows[:MOST_ROWS]
        every = [score.pass_at for row in board.rows for score in table.scores[row.run].values()]
        places = [place for place in range(len(table.ks)) if any(values[place] is not None for values in every)]
        yield GroupView(
            grouping.name,
            page.spoken(grouping.titles),
            page.spoken(grouping.meanings),
            tuple(table.ks[place] for place in places),
            tuple((_name(page, name), size) for name, size in table.sizes.items()),
            tuple((row, tuple(_only(table.scores[row.run][name], places) for name in table.sizes)) for row in shown),
            table.unplaced,
            len(board.rows) - len(shown),
        )


def _only(score: GroupScore, places: Sequence[int]) -> GroupScore:
    return score._replace(pass_at=tuple(score.pass_at[place] for place in places))


def _name(page: Page, group: str) -> str:
    return page.t(f"group.{group}") if page.knows(f"group.{group}") else group.replace("-", "–")


def letters(tier: int) -> str:
    """1 is A, 26 is Z, 27 is AA, as columns of a sheet are named."""
    name = ""
    while tier > 0:
        tier, place = divmod(tier - 1, len(_TIER_LETTERS))
        name = _TIER_LETTERS[place] + name
    return name
