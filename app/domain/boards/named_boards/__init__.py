"""Boards by name: one file each, found by the registry. Page, API, command line, files and bundle are built from these.

A board shows the protocols of a scenario. A ranked scenario with protocols of its own that no file here names has a
board with its own name.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from app.domain import scenarios as scenario_folder
from app.domain.asking.protocols import Protocol
from app.domain.boards.board import Board, BoardQuery, BoardRow, PairedGap
from app.domain.boards.named_boards._groups import Grouping, GroupingFacts
from app.domain.registry import discover
from app.domain.scenarios import scenarios

__all__ = [
    "BoardColumn",
    "Gap",
    "Grouping",
    "GroupingFacts",
    "NamedBoard",
    "PartScores",
    "ScoreMark",
    "ScorePart",
    "board_of",
    "board_place",
    "boards",
    "columns_empty",
    "columns_shown",
    "extra_values",
    "gap",
    "marks_shown",
    "score_of",
]  # fmt: skip

PartScores = Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class ScorePart:
    """The score of a row's model, in the same configuration and view, under another protocol.

    That is one `protocol` for all, or one for each protocol that the board may show; others have none. With `of_base`
    it is the score of the model from which the row's model was tuned. With a `tag`, only problems with that tag count;
    `adjusted` weighs each by 1 / its ease (CoCo-Bench's DAPR). With a `k` it is pass@k.
    """

    name: str
    protocol: str | Mapping[str, str]
    of_base: bool = False
    tag: str = ""
    adjusted: bool = False
    k: int = 0

    @property
    def is_whole(self) -> bool:
        """True if it is the plain score."""
        return not (self.tag or self.adjusted or self.k)

    @property
    def is_paired(self) -> bool:
        """True if rows have gaps to it: neither a tag nor weights restrict it."""
        return not (self.tag or self.adjusted)

    def key(self, row: BoardRow) -> tuple[str, str]:
        """Return the model and configuration whose score it is for a row."""
        return row.fact.tuned_from if self.of_base else row.model, row.configuration

    def beside(self, shown: str) -> str | None:
        """Return the slug of its protocol on a board that shows `shown`."""
        return self.protocol if isinstance(self.protocol, str) else self.protocol.get(shown)


@dataclass(frozen=True, slots=True)
class Gap:
    """Source of a column of paired mean differences between a row's score and a part's.

    They are over the problems judged for both: row minus part, or part minus row if `part_first`. Of several parts, the
    first to which the row has a gap counts.
    """

    parts: tuple[str, ...]
    part_first: bool = False

    def of(self, board: Board, row: BoardRow) -> PairedGap | None:
        """Return the gap of a row, or None if nothing is judged for both."""
        to_parts = (board.paired.get(part, {}).get((row.model, row.configuration)) for part in self.parts)
        first = next((gap for gap in to_parts if gap is not None), None)
        return first.negated if first is not None and self.part_first else first


@dataclass(frozen=True, slots=True)
class BoardColumn:
    """A column beside those of every board: a value of a row in percent or points, or a gap with its interval.

    `titles` and `meanings` are its head and explanation, by locale. `by_ease` says that it is computed from adjusted
    parts.
    """

    name: str
    titles: Mapping[str, str]
    meanings: Mapping[str, str]
    of: Callable[[BoardRow, PartScores], float | None] | Gap
    by_ease: bool = False

    @property
    def is_gap(self) -> bool:
        """True if the ends of an interval stand beside its values."""
        return isinstance(self.of, Gap)


@dataclass(frozen=True, slots=True)
class ScoreMark:
    """A published score in percent, drawn beside the scores of some protocols; `meanings` explains it, by locale."""

    name: str
    value: float
    meanings: Mapping[str, str]
    protocols: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NamedBoard:
    """A board: the protocols it shows, its default one, and its additions to the rows of every board.

    It shows the protocols of its scenario, and of the scenarios in `also`, in its `styles`; without these, in all
    styles of no other board. `titles` name it by locale. Its `columns` stand in order, and may read the scores of its
    `parts`. Its `groupings` are tables of its rows by groups of problems, and its `marks` are lines in its chart.
    Topics with fewer problems than `least_by_topic` are shown separately. `families` are protocols that stand side by
    side on the holistic page, each under its column's name. Boards are listed by `place`.
    """

    name: str
    scenario: str
    protocol: str
    titles: Mapping[str, str]
    styles: tuple[str, ...] = ()
    parts: tuple[ScorePart, ...] = ()
    columns: tuple[BoardColumn, ...] = ()
    groupings: tuple[Grouping, ...] = ()
    marks: tuple[ScoreMark, ...] = ()
    families: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    least_by_topic: int = 1
    place: int = 9
    also: tuple[str, ...] = ()

    @property
    def scenarios(self) -> tuple[str, ...]:
        """Every scenario whose protocols it may show."""
        return (self.scenario, *self.also)


def score_of(part: str) -> Callable[[BoardRow, PartScores], float | None]:
    """Return the source of a column that shows a part."""
    return lambda _row, parts: parts[part]


def gap(more: str | None, less: str | None) -> Gap:
    """Return the source of a column that shows by how many points the score `more` is above the score `less`.

    One is a part, the other the row's own score (None). Raises ValueError for two parts or none.
    """
    match more, less:
        case None, str():
            return Gap((less,))
        case str(), None:
            return Gap((more,), part_first=True)
    raise ValueError(f"A gap is between a part and the row's own score, not between {more!r} and {less!r}.")


def boards() -> Mapping[str, NamedBoard]:
    """Return every board by name, in the order in which they are listed."""
    return _boards_in((*__path__, *scenario_folder.__path__))


@cache
def _boards_in(_folders: tuple[str, ...]) -> Mapping[str, NamedBoard]:
    """Return the boards of these folders; cached, since every request needs them many times."""
    declared = discover("app.domain.boards.named_boards", "BOARD", NamedBoard)
    listed = {board.name: board for board in sorted(declared.values(), key=lambda board: (board.place, board.name))}
    covered = {name for board in listed.values() for name in board.scenarios}
    own = {
        name: NamedBoard(name, name, scenario.protocols[0].slug, scenario.titles)
        for name, scenario in scenarios().items()
        if name not in covered and scenario.ranked and scenario.protocols
    }
    return {**listed, **own}


def board_of(protocol: Protocol) -> str | None:
    """Return the name of the board that shows a protocol."""
    alike = [board for board in boards().values() if protocol.scenario in board.scenarios]
    by_style = [board for board in alike if protocol.style in board.styles]
    return next((board.name for board in by_style or alike if by_style or not board.styles), None)


def board_place(protocol: Protocol) -> tuple[int, bool]:
    """Return the place of a protocol in a list by board, its board's default protocol first, those of no board last."""
    name, names = board_of(protocol), list(boards())
    return (len(names), True) if name is None else (names.index(name), protocol.slug != boards()[name].protocol)


def marks_shown(query: BoardQuery) -> tuple[ScoreMark, ...]:
    """Return the marks for the protocol that a board shows."""
    named = boards().get(query.board)
    return () if named is None else tuple(mark for mark in named.marks if query.protocol in mark.protocols)


def columns_shown(board: Board) -> tuple[BoardColumn, ...]:
    """Return the board's own columns in which any row has a value; all if there is no row."""
    own = extra_values(board)
    columns = boards()[board.query.board].columns
    return tuple(column for column in columns if not own or any(row[column.name] is not None for row in own))


def columns_empty(board: Board) -> dict[str, tuple[BoardColumn, ...]]:
    """Return the columns without values, by what they lack: problems with an `ease`, else `answers`."""
    shown, named = columns_shown(board), boards().get(board.query.board)
    empty = [column for column in (named.columns if named else ()) if column not in shown]
    by_lack = {lack: tuple(one for one in empty if one.by_ease is (lack == "ease")) for lack in ("answers", "ease")}
    return {lack: columns for lack, columns in by_lack.items() if columns}


def extra_values(board: Board) -> list[dict[str, float | None]]:
    """Return each row's values in the board's own columns, by name; empty if the board has none.

    After a gap stand the ends of its interval, under its name with `_lo` and `_hi`.
    """
    named = boards().get(board.query.board)
    if named is None or not named.columns:
        return [{} for _row in board.rows]
    return [dict(_row_values(board, named, row)) for row in board.rows]


def _row_values(board: Board, named: NamedBoard, row: BoardRow) -> Iterator[tuple[str, float | None]]:
    parts = {part.name: board.parts.get(part.name, {}).get(part.key(row)) for part in named.parts}
    for column in named.columns:
        if not isinstance(column.of, Gap):
            yield column.name, column.of(row, parts)
            continue
        paired = column.of.of(board, row)
        ends = (None, None, None) if paired is None else (paired.mean, paired.lo, paired.hi)
        yield from zip((column.name, f"{column.name}_lo", f"{column.name}_hi"), ends, strict=True)
