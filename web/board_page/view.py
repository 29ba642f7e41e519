"""The values of a board's page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from app.domain.asking.decoding_sweeps import sweep_members
from app.domain.boards.board import BoardQuery, Facet, HiddenRow
from app.domain.boards.columns import ShownFor, sort_rows
from app.domain.boards.findings import BoardFinding, board_finding
from app.domain.boards.named_boards import BoardColumn, ScoreMark, boards, columns_empty, columns_shown, marks_shown
from app.services.boards.board_views import BoardView
from app.services.boards.query import to_params
from app.services.operations.news import BoardNews
from web.board_page.controls import (
    SetFilter,
    SortChoice,
    board_choices,
    clean_window,
    file_links,
    preset_choices,
    protocol_choices,
    protocol_name,
    set_filters,
    sort_choices,
    sorted_column,
    wider_window,
    window_kind,
)
from web.board_page.links import RANK, BoardLinks, Choice, board_path
from web.board_page.rows import (
    HiddenCount,
    RowView,
    TierGroup,
    hidden_counts,
    hidden_rows,
    row_views,
    tier_groups,
    unranked_counts,
)
from web.board_page.tabs import TABLE, BoardTab, tab_choices
from web.columns import PageColumn, page_columns
from web.context import PageRequest
from web.filters import FilterControl, carried_params, controls
from web.groups import GroupView, group_views
from web.tideline import Tideline, matrix_address, tideline
from web.vendor_icons import icon_paths

# A table with more columns scrolls in its own frame.
MAX_FITTING_COLUMNS = 14


@dataclass(frozen=True, slots=True)
class BoardPage:
    """The values of the template: those of every tab, and those of the table.

    `ranked` holds the rows with a rank by tier, or sorted; `unranked` the other shown rows. `columns` are those of the
    table, `opened_columns` those of opened rows.
    """

    view: BoardView
    title: str
    caption: str
    canonical: str
    query: BoardQuery
    reference: str | None
    sorted_by: str
    descending: bool
    default_protocol: str
    protocol_name: str
    action: str
    boards: Sequence[Choice]
    protocols: Sequence[Choice]
    presets: Sequence[Choice]
    set_filters: Sequence[SetFilter]
    controls: Sequence[FilterControl]
    sorts: Sequence[SortChoice]
    kept: Sequence[tuple[str, str]]
    levels: Sequence[Facet]
    tabs: Sequence[Choice]
    tab: str
    news: BoardNews
    finding: BoardFinding
    tideline: Tideline | None
    matrix: str
    ranked: Sequence[TierGroup]
    unranked: Sequence[RowView]
    unranked_counts: Sequence[tuple[str, int]]
    hidden: Sequence[HiddenCount]
    hidden_rows: Sequence[HiddenRow]
    total: int
    demo: bool
    imported: bool
    files: Mapping[str, str]
    reset: str
    widen: str | None
    clean: Choice | None
    named: bool
    points: float
    columns: Sequence[PageColumn]
    opened_columns: Sequence[PageColumn]
    own: Sequence[BoardColumn]
    valueless: Mapping[str, Sequence[BoardColumn]]
    tables: Sequence[GroupView]
    marks: Sequence[ScoreMark]
    sampling: str | None
    cite: str
    wide: bool
    by_rank: bool
    compare: Sequence[tuple[str, str]]

    @property
    def has_opened(self) -> bool:
        """True if a row is opened by the address: it can be picked for comparison without scripts."""
        return any(row.is_open for group in self.ranked for row in group.rows) or any(r.is_open for r in self.unranked)

    @property
    def icons(self) -> Mapping[str, tuple[str, ...]]:
        """The outlines of the vendors' icons in the table, by name."""
        shown = [*(row for group in self.ranked for row in group.rows), *self.unranked]
        return {icon: icon_paths(icon) for icon in sorted({row.vendor.icon for row in shown} - {""})}

    @property
    def margin(self) -> str | None:
        """Half the interval of the best row in whole points, or in tenths if it is under one point."""
        margin = self.finding.margin
        return None if margin is None else f"{margin:.0f}" if margin >= 1 else f"{margin:.1f}"

    def __getattr__(self, name: str) -> object:
        return getattr(self.view, name)


def make_board_page(
    links: BoardLinks, view: BoardView, tab: BoardTab, news: BoardNews, opened: Sequence[str]
) -> BoardPage:
    """Return the values of a board's page. Raises UnknownName if the board has no column to sort by that name."""
    page, query, board = links.page, links.query, view.board
    shown_for = [ShownFor.ALL, ShownFor.OPENED, *([ShownFor.REFERENCE] if links.reference else [])]
    every_column = tuple(page_columns(page, board, shown_for))
    columns = tuple(column for column in every_column if column.shown.shown_for is not ShownFor.OPENED)
    column = sorted_column(board, links.order, columns)
    descending = column is not None and links.order.is_descending(column.shown)
    by_rank = column is None or (column.sort_name == RANK and not descending)
    rows = board.rows if column is None else sort_rows(board.rows, column.shown, descending=descending)
    views = [] if tab.name != TABLE else list(row_views(links, board, rows, opened))
    presets = tuple(preset_choices(links, view))
    title, path = page.board_title(query.board), board_path(query.board)
    suffix = page.href(path, to_params(query, links.reference)).partition("?")[2]
    return BoardPage(
        view=view,
        title=title,
        caption=_caption(page, title, view, query),
        canonical=page.href(path, [*links.params(query, None), *([("tab", links.tab)] if links.tab else [])]),
        query=query,
        reference=links.reference,
        sorted_by=RANK if column is None else column.sort_name,
        descending=descending,
        default_protocol=boards()[query.board].protocol,
        protocol_name=protocol_name(page, view.protocol.slug, view.protocol.title),
        action=page.href(path),
        boards=board_choices(links, view),
        protocols=protocol_choices(links, view),
        presets=presets,
        set_filters=tuple(set_filters(links, presets)),
        controls=controls(page, query, board.facets),
        sorts=tuple(sort_choices(columns, column)),
        kept=(*carried_params(query, links.reference), *([("tab", links.tab)] if links.tab else []), *links.carried),
        levels=board.facets["difficulty"],
        tabs=tab_choices(links, tab),
        tab=tab.name,
        news=news,
        finding=board_finding(board),
        tideline=_tideline(page, view, query),
        matrix=matrix_address(query),
        ranked=tuple(tier_groups([row for row in views if row.row.rank], by_rank=by_rank)),
        unranked=tuple(row for row in views if not row.row.rank),
        unranked_counts=unranked_counts(board),
        hidden=tuple(hidden_counts(links, board)),
        hidden_rows=hidden_rows(page, board),
        total=len(board.rows) + len(board.hidden),
        demo=bool(board.rows) and all(row.fact.demo for row in board.rows),
        imported=bool(board.rows) and all(row.fact.imported for row in board.rows),
        files=file_links(query, suffix),
        reset=page.href(path, [pair for pair in to_params(query) if pair[0] == "protocol"]),
        widen=wider_window(links, board),
        clean=clean_window(links, board),
        named=links.names_window,
        points=1.0 if board.precision is None else board.precision.next_half_width,
        columns=columns,
        opened_columns=every_column,
        own=columns_shown(board),
        valueless=columns_empty(board),
        tables=tuple(group_views(page, board)),
        marks=marks_shown(query),
        sampling=_sampling_href(page, view, query),
        cite=page.href("/cite", [("board", query.board), *to_params(query, links.reference)]),
        wide=len(columns) > MAX_FITTING_COLUMNS,
        by_rank=by_rank,
        compare=[("board", query.board), *to_params(query)],
    )


def _caption(page: PageRequest, title: str, view: BoardView, query: BoardQuery) -> str:
    start, end = query.window.start, query.window.end
    return page.t(
        "board.caption",
        board=title,
        protocol=page.protocol_title(view.protocol.slug, view.protocol.title),
        problems=view.board.problems,
        window=page.t(f"window.{window_kind(query.window)}", start=start, end=end),
        rows=len(view.board.rows),
    )


def _sampling_href(page: PageRequest, view: BoardView, query: BoardQuery) -> str | None:
    """Return a link to the same models under other ways of sampling, if there are any."""
    if len(sweep_members(view.protocol.protocol, (fact.protocol for fact in view.protocols))) < 2:
        return None
    return page.href("/sampling", [("board", query.board), *to_params(query)])


def _tideline(page: PageRequest, view: BoardView, query: BoardQuery) -> Tideline | None:
    cutoffs: dict[str, date | None] = {
        row.fact.name: row.fact.known_cutoff for row in view.board.rows if row.fact.known_cutoff
    }
    scope = view.protocol.protocol
    # A live board is drawn up to today, so that a gap shows; an imported one ends with its data.
    today = None if scope.imported or scope.recorded else page.now.date()
    return tideline(view.days, query.window, cutoffs, today)
