"""The controls above a board: menus, windows, the filters in force, and the columns to sort by."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from app.domain.boards.board import Board, BoardQuery
from app.domain.boards.columns import table_columns
from app.domain.boards.filters import FilterKind, filters
from app.domain.boards.opening_window import preset_windows
from app.domain.errors import UnknownName
from app.domain.problems import Level
from app.domain.windows import Window
from app.services.boards.board_views import BoardView
from web.board_page.links import RANK, BoardLinks, Choice, RowOrder
from web.columns import PageColumn
from web.context import PageRequest
from web.filters import label_of, value_text


@dataclass(frozen=True, slots=True)
class SetFilter:
    """A filter in force in words, and the link to the board without it."""

    label: str
    href: str


@dataclass(frozen=True, slots=True)
class SortChoice:
    """A column to sort by, as an option of a form."""

    name: str
    title: str
    chosen: bool


def board_choices(links: BoardLinks, view: BoardView) -> list[Choice]:
    """Return every board with rows as a link."""
    page, here = links.page, links.query.board
    return [Choice(page.board_title(name), links.to_board(name), name == here) for name in view.boards]


def protocol_choices(links: BoardLinks, view: BoardView) -> list[Choice]:
    """Return the protocols of the board as links."""
    return [
        Choice(
            protocol_name(links.page, fact.slug, fact.title),
            links.to_protocol(fact.slug),
            fact.slug == links.query.protocol,
        )
        for fact in view.protocols
    ]


def protocol_name(page: PageRequest, slug: str, title: str) -> str:
    """Return a protocol's short name in the page's language if it has one, else its title."""
    return page.t(f"protocol.{slug}") if page.knows(f"protocol.{slug}") else page.protocol_title(slug, title)


def newest_day(view: BoardView) -> date | None:
    """Return the day of the newest problem under the filters, whatever the window; None without problems."""
    return view.days[-1][0] if view.days else None


def preset_choices(links: BoardLinks, view: BoardView) -> Iterator[Choice]:
    """Yield the named windows as links."""
    page, query = links.page, links.query
    for name, (window, end) in preset_windows(page.now.date(), newest_day(view)).items():
        short = page.t(f"preset.{name}")
        title = short if end is None else page.t("preset.until", preset=short, day=end)
        yield Choice(title, links.to_query(replace(query, window=window)), window == query.window, short=short)


def set_filters(links: BoardLinks, presets: Sequence[Choice]) -> Iterator[SetFilter]:
    """Yield the filters in force, each with a link that removes it: dates that are no preset, values, the reference."""
    page, query = links.page, links.query
    if not any(preset.current for preset in presets):
        start, end = query.window.start, query.window.end
        label = page.t(f"window.{window_kind(query.window)}", start=start, end=end)
        yield SetFilter(label, links.naming_windows().to_query(replace(query, window=Window())))
    for entry in filters():
        value = entry.value_in(query)
        if value == entry.default:
            continue
        words = entry.write(value)
        for word in words:
            rest = [other for other in words if other != word] if entry.kind is FilterKind.ONE_OF else []
            without = entry.replace_in(query, entry.read(rest) if rest else entry.default)
            label = page.t("filter.set", name=label_of(page, entry), value=value_text(page, entry.name, word))
            yield SetFilter(label, links.to_query(without))
    if links.reference is not None:
        yield SetFilter(page.t("filter.reference", row=links.reference), links.to_reference(None))


def window_kind(window: Window) -> str:
    """Return the ending of the catalogue's key for a window in words."""
    start, end = window.start, window.end
    return "both" if start and end else "start" if start else "end" if end else "all"


def sort_choices(columns: Sequence[PageColumn], chosen: PageColumn | None) -> Iterator[SortChoice]:
    """Yield the columns to sort by, the rank first, which is the order without a choice."""
    sortable = [column for column in columns if column.shown.sorts is not None]
    for column in sorted(sortable, key=lambda column: column.sort_name != RANK):
        name = "" if column.sort_name == RANK else column.sort_name
        yield SortChoice(name, column.label, column is chosen)


def sorted_column(board: Board, order: RowOrder, columns: Sequence[PageColumn]) -> PageColumn | None:
    """Return the column that an order names; None for the order of ranks, or if no row has a value in the column.

    Raises UnknownName if boards have no such column.
    """
    if not order.column:
        return None
    found = next((one for one in columns if one.sort_name == order.column and one.shown.sorts is not None), None)
    if found is None:
        sortable = [(declared, shown) for declared, shown in table_columns(board) if shown.sorts is not None]
        known = {shown.sort_name or declared.name for declared, shown in sortable}
        if order.column not in known | set(Level):
            raise UnknownName("sort", order.column, sorted(known))
    return found


def wider_window(links: BoardLinks, board: Board) -> str | None:
    """Return a link to a window with enough problems for margins of five points, if this one has too few."""
    if board.precision is None or board.precision.widen_to is None:
        return None
    query = links.query
    return links.to_query(replace(query, window=Window(board.precision.widen_to, query.window.end)))


def clean_window(links: BoardLinks, board: Board) -> Choice | None:
    """Return a link to a window with more ranked rows, if this one leaves most rows without a rank."""
    window = board.clean_window
    if window is None:
        return None
    label = links.page.t(f"window.{window_kind(window)}", start=window.start, end=window.end)
    return Choice(label, links.to_query(replace(links.query, window=window)))


def file_links(query: BoardQuery, suffix: str) -> Mapping[str, str]:
    """Return the addresses of the board as files, by kind; `suffix` is the query of the page."""
    api, endings = f"/api/v1/boards/{query.board}", {"csv": ".csv", "json": "", "parquet": ".parquet", "bundle": ".zip"}
    return {kind: api + end + (f"?{suffix}" if suffix else "") for kind, end in endings.items()}
