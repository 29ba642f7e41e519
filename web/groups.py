"""A board's tables by groups of its problems, as the page shows them, and the names of its tiers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.domain.boards.board import Board, BoardRow, GroupScore
from app.domain.boards.named_boards import boards
from web.context import PageRequest

# A table with more rows than these is read by machines.
MAX_GROUP_ROWS = 30
_TIER_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class GroupView:
    """One table: its groups with their numbers of problems, and each shown row's scores in the same order.

    `ks` are the k of pass@k for which any row has enough answers.
    """

    name: str
    title: str
    meaning: str
    ks: tuple[int, ...]
    groups: tuple[tuple[str, int], ...]
    rows: tuple[tuple[BoardRow, tuple[GroupScore, ...]], ...]
    unplaced: int
    more: int


def group_views(page: PageRequest, board: Board) -> Iterator[GroupView]:
    """Yield the tables that have a group with a problem, in the board's order."""
    for grouping in boards()[board.query.board].groupings:
        table = board.groups.get(grouping.name)
        if table is None or not any(table.sizes.values()):
            continue
        shown_rows = board.rows[:MAX_GROUP_ROWS]
        every = [score.pass_at for row in board.rows for score in table.scores[row.run].values()]
        places = [place for place in range(len(table.ks)) if any(values[place] is not None for values in every)]
        yield GroupView(
            grouping.name,
            page.spoken(grouping.titles),
            page.spoken(grouping.meanings),
            tuple(table.ks[place] for place in places),
            tuple((_group_name(page, name), size) for name, size in table.sizes.items()),
            tuple(
                (row, tuple(_select_places(table.scores[row.run][name], places) for name in table.sizes))
                for row in shown_rows
            ),
            table.unplaced,
            len(board.rows) - len(shown_rows),
        )


def _select_places(score: GroupScore, places: Sequence[int]) -> GroupScore:
    return score._replace(pass_at=tuple(score.pass_at[place] for place in places))


def _group_name(page: PageRequest, group: str) -> str:
    return page.t(f"group.{group}") if page.knows(f"group.{group}") else group.replace("-", "–")


def tier_letters(tier: int) -> str:
    """Return a tier as letters, like the columns of a spreadsheet: 1 is A, 26 is Z, 27 is AA."""
    name = ""
    while tier > 0:
        tier, place = divmod(tier - 1, len(_TIER_LETTERS))
        name = _TIER_LETTERS[place] + name
    return name
