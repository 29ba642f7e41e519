"""The rows of a board's table with their links, by tier, and those without a rank."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from app.domain.boards.board import Board, BoardQuery, BoardRow, HiddenRow
from app.domain.boards.filters import filters
from app.domain.problems import Level
from app.services.boards.query import to_params
from app.services.evidence.row_comparison import name_of
from web.board_page.links import BoardLinks
from web.board_tabs import row_key
from web.context import PageRequest
from web.groups import tier_letters
from web.vendor_icons import VendorMark, vendor_mark

_CELL_NAMES = frozenset({"from", "to", "platform", "difficulty"})


@dataclass(frozen=True, slots=True)
class LevelCell:
    """A score on one level over `n` problems, linked to its cells."""

    score: float | None
    n: int
    href: str


@dataclass(frozen=True, slots=True)
class RowView:
    """A row with its links.

    `place` is its place on the board, `reference` its name in addresses, and `unranked` says why it has no rank.
    `rival` is the reference, or without one the first row of the board, for which it is the second; `rival_href`
    compares both.
    """

    row: BoardRow
    place: int
    key: str
    reference: str
    unranked: str | None
    tier_kind: str
    tier_name: str
    vendor: VendorMark
    levels: Mapping[Level, LevelCell]
    model_href: str
    cells_href: str
    ref_href: str
    unref_href: str
    rival: BoardRow | None
    rival_href: str
    open_href: str
    is_open: bool
    is_reference: bool

    def __getattr__(self, name: str) -> object:
        return getattr(self.row, name)


@dataclass(frozen=True, slots=True)
class TierGroup:
    """Rows under one heading; those of a sorted table have none, and the empty kind."""

    kind: str
    name: str
    rows: tuple[RowView, ...]


@dataclass(frozen=True, slots=True)
class HiddenCount:
    """The number of rows that one reason hides, and the link that shows them, if a filter hides them."""

    reason: str
    count: int
    href: str | None


def row_views(links: BoardLinks, board: Board, rows: Sequence[BoardRow], opened: Sequence[str]) -> Iterator[RowView]:
    """Yield rows with their links; what all links share is made once. `opened` are the keys of opened rows."""
    page, query, compared = links.page, links.query, board.find_row(links.reference)
    choices = {query.levels, *((level,) for level in board.by_level)}
    params = {levels: _cell_params(query, levels) for levels in choices}
    unref_href = links.to_reference(None)
    tiers = Counter(row.tier for row in (*board.rows, *board.beside) if row.rank)
    places = {row.run: place for place, row in enumerate(board.rows)}
    kept = [("board", query.board), *to_params(query)]
    rivals = board.rows[:2] if compared is None else (compared,)
    for row in rows:
        name, key = name_of(row), row_key(row)
        path = f"/models/{row.model}"
        shared = [("protocol", query.protocol), ("configuration", row.configuration)]
        rival = next((other for other in rivals if other.run != row.run), None)
        pair = [] if rival is None else [("m", name_of(rival)), ("m", name)]
        yield RowView(
            row=row,
            place=places[row.run],
            key=key,
            reference=name,
            unranked=row.unranked,
            tier_kind=_tier_kind(row, tiers),
            tier_name=tier_letters(row.tier or 0),
            vendor=vendor_mark(row.fact.organisation or row.fact.name),
            levels={
                level: LevelCell(score.score, score.n, page.href(path, shared + params[level,]))
                for level, score in row.by_difficulty.items()
            },
            model_href=page.href(path),
            cells_href=page.href(path, shared + params[query.levels]),
            ref_href=f"{links.to_reference(name)}#row-{key}",
            unref_href=unref_href,
            rival=rival,
            rival_href=page.href("/compare", [*kept, *pair]),
            open_href=links.to_opened(_toggled(opened, key), key),
            is_open=key in opened,
            is_reference=row is compared,
        )


def tier_groups(rows: Sequence[RowView], *, by_rank: bool) -> Iterator[TierGroup]:
    """Yield rows by tier if they are in the order of ranks, else all in one group."""
    if not by_rank:
        if rows:
            yield TierGroup("", "", tuple(rows))
        return
    for _tier, members in groupby(rows, key=lambda row: row.row.tier):
        group = tuple(members)
        yield TierGroup(group[0].tier_kind, group[0].tier_name, group)


def unranked_counts(board: Board) -> list[tuple[str, int]]:
    """Return the numbers of shown rows without a rank, by reason."""
    return list(Counter(row.unranked for row in board.rows if row.unranked is not None).items())


def hidden_counts(links: BoardLinks, board: Board) -> Iterator[HiddenCount]:
    """Yield the numbers of hidden rows by reason."""
    query = links.query
    used = {entry.reason_key: entry for entry in filters() if entry.value_in(query) != entry.default}
    for reason, count in Counter(row.reason for row in board.hidden).items():
        freed = used[reason].replace_in(query, used[reason].default) if reason in used else None
        href = links.to_query(freed) if freed is not None else None
        yield HiddenCount(known_reason(links.page, reason), count, href)


def hidden_rows(page: PageRequest, board: Board) -> tuple[HiddenRow, ...]:
    """Return the hidden rows with reasons that the page has words for."""
    return tuple(hidden._replace(reason=known_reason(page, hidden.reason)) for hidden in board.hidden)


def known_reason(page: PageRequest, reason: str) -> str:
    """Return a reason for hiding a row, or "other" if the page has no words for it."""
    return reason if page.knows(f"hidden.{reason}") else "other"


def _toggled(opened: Sequence[str], key: str) -> list[str]:
    return [other for other in opened if other != key] if key in opened else [*opened, key]


def _tier_kind(row: BoardRow, tiers: Mapping[int | None, int]) -> str:
    """Return the kind of a row's tier: the board's only ranked row, a row alone in its tier, or one of several."""
    if not row.rank or row.tier is None:
        return ""
    return "only" if sum(tiers.values()) == 1 else "single" if tiers[row.tier] == 1 else "ranked"


def _cell_params(query: BoardQuery, levels: tuple[Level, ...]) -> list[tuple[str, str]]:
    """Return what narrows a model's page to the cells of one number; the model's page has no other filters."""
    return [pair for pair in to_params(replace(query, levels=levels)) if pair[0] in _CELL_NAMES]
