"""Result of a board: its leader and the doubt about it, as a code with its figures."""

from dataclasses import dataclass
from enum import StrEnum

from app.domain.boards.board import Board, BoardRow, Rules


class FindingCode(StrEnum):
    """The result of a board.

    EMPTY: no row is shown. UNRANKED: no row has a rank. LCB: LiveCodeBench's rules rank without a doubt of their own.
    SINGLE: one row has a rank. FILTERED: filters hide the best row. TIE: several rows have the highest score. CLEAR:
    every other row is surely worse than the leader. OVERLAP: the first `last` ranks are not told apart. OPEN: no rank
    is told apart from the first.
    """

    EMPTY = "empty"
    UNRANKED = "unranked"
    LCB = "lcb"
    SINGLE = "single"
    FILTERED = "filtered"
    TIE = "tie"
    CLEAR = "clear"
    OVERLAP = "overlap"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class BoardFinding:
    """The result of a board: `row` is its best shown row, with a rank if any row has one.

    `rows` counts the rows that the code is about: all shown ones if none has a rank, those that share the highest
    score, else all ranked ones. `last` is the last rank that may be first. `margin` is half the interval of the row's
    score in points; None without an interval.
    """

    code: FindingCode
    row: BoardRow | None = None
    problems: int = 0
    rows: int = 0
    last: int | None = None

    @property
    def margin(self) -> float | None:
        """Half the width of the row's interval, in points."""
        row = self.row
        return None if row is None or row.ci_lo is None or row.ci_hi is None else (row.ci_hi - row.ci_lo) / 2


def board_finding(board: Board) -> BoardFinding:
    """Return the result of a board and the doubt about it."""
    if not board.rows:
        return BoardFinding(FindingCode.EMPTY, None, board.problems)
    shown = [row for row in board.rows if row.rank is not None]
    if not shown:
        return BoardFinding(FindingCode.UNRANKED, board.rows[0], board.problems, len(board.rows))
    ranked = [*shown, *board.beside]
    leader, lowest = shown[0], min(row.rank or 0 for row in ranked)
    code, rows, last = _judge_leader(board, leader, ranked, lowest)
    return BoardFinding(code, leader, leader.n_problems, rows, last)


def _judge_leader(
    board: Board, leader: BoardRow, ranked: list[BoardRow], lowest: int
) -> tuple[FindingCode, int, int | None]:
    first = [row for row in ranked if row.rank == lowest]
    if leader.rank != lowest:
        return FindingCode.FILTERED, len(ranked), None
    if board.query.rules is Rules.LCB:
        return FindingCode.LCB, len(ranked), None
    if len(ranked) == 1:
        return FindingCode.SINGLE, 1, None
    if len(first) > 1:
        return FindingCode.TIE, len(first), None
    last = max(row.rank or 0 for row in ranked if row.rank_lo == 1)
    if last == 1:
        return FindingCode.CLEAR, len(ranked), None
    everyone = last == max(row.rank or 0 for row in ranked)
    return (FindingCode.OPEN if everyone else FindingCode.OVERLAP), len(ranked), last
