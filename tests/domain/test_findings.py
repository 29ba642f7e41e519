"""What a board says first is true in every case: its leader, and how sure that is."""

from collections.abc import Sequence

import pytest
from support.board_worlds import run

from app.domain.boards.board import Board, BoardQuery, BoardRow, Rules
from app.domain.boards.findings import FindingCode, board_finding


def row(number: int, rank: int | None, lowest: int = 0, score: float = 50.0, *, interval: bool = True) -> BoardRow:
    """A row that may have any rank from `lowest` on."""
    return BoardRow(
        fact=run(number), trials=1, rank=rank, rank_lo=rank and (lowest or rank), rank_hi=rank, tier=rank and 1,
        score=score, ci_lo=score - 8 if interval else None, ci_hi=score + 6 if interval else None, n_problems=30,
        wanted=30, coverage=1.0, exposed=0, provisional=False,
    )  # fmt: skip


def board(rows: Sequence[BoardRow], *, beside: Sequence[BoardRow] = (), rules: Rules = Rules.TIDEMARK) -> Board:
    """A board of thirty problems."""
    return Board(BoardQuery(rules=rules), 30, {}, {}, tuple(rows), beside=tuple(beside))


@pytest.mark.parametrize(
    ("shown", "code", "rows", "last"),
    [
        (board([]), FindingCode.EMPTY, 0, None),
        (board([row(1, None), row(2, None)]), FindingCode.UNRANKED, 2, None),
        (board([row(1, 1), row(2, None)]), FindingCode.SINGLE, 1, None),
        (board([row(1, 1), row(2, 2), row(3, 3)]), FindingCode.CLEAR, 3, None),
        (board([row(1, 1), row(2, 2, 1), row(3, 3)]), FindingCode.OVERLAP, 3, 2),
        (board([row(1, 1), row(2, 2), row(3, 3, 1), row(4, 4)]), FindingCode.OVERLAP, 4, 3),
        (board([row(1, 1), row(2, 2, 1)]), FindingCode.OPEN, 2, 2),
        (board([row(1, 1), row(2, 1), row(3, 3)]), FindingCode.TIE, 2, None),
        (board([row(2, 2), row(3, 3)], beside=[row(1, 1)]), FindingCode.FILTERED, 3, None),
        (board([row(1, 1)], beside=[row(2, 2, 1)]), FindingCode.OPEN, 2, 2),
        (board([row(1, 1), row(2, 1)], rules=Rules.LCB), FindingCode.LCB, 2, None),
        (board([row(1, None)], rules=Rules.LCB), FindingCode.UNRANKED, 1, None),
    ],
)
def test_the_leader_is_as_sure_as_the_ranks_say(shown: Board, code: FindingCode, rows: int, last: int | None) -> None:
    found = board_finding(shown)
    assert (found.code, found.rows, found.last, found.problems) == (code, rows, last, 30)
    assert found.row == (shown.rows[0] if shown.rows else None)


def test_the_margin_is_half_the_interval_of_the_best_row() -> None:
    assert board_finding(board([row(1, 1)])).margin == 7.0
    assert board_finding(board([row(1, 1, interval=False)])).margin is None
    assert board_finding(board([])).margin is None
