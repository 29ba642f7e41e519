"""The leaderboard: a board as rows, links and marks, every control of it in the URL."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from urllib.parse import urlencode

from starlette.responses import Response

from app.domain.asking.sweeps import sweep_members
from app.domain.boards.board import Board, BoardQuery, BoardRow, Facet, HiddenRow
from app.domain.boards.columns import ShownFor
from app.domain.boards.filters import filters
from app.domain.boards.named_boards import BoardColumn, Mark, boards, columns_empty, columns_shown, marks_shown
from app.domain.problems import Level
from app.domain.windows import FIRST_DAY, Window
from app.services.boards import board_views
from app.services.boards.board_views import BoardView
from app.services.boards.query import parse_query, parse_reference, to_params
from app.services.runs.result_views import check_name
from web.assets import load_assets
from web.authentication import find_maintainer
from web.columns import PageColumn, page_columns, toggle_usage, usage_params
from web.context import PageRequest
from web.filters import FilterControl, carried_params, controls
from web.groups import GroupView, group_views, tier_letters
from web.render import render
from web.tideline import Tideline, WeekCounts, shift_day, tideline

_FILE_SUFFIXES = {"csv": ".csv", "json": "", "parquet": ".parquet", "bundle": ".zip"}


@dataclass(frozen=True, slots=True)
class BoardLink:
    """A board, protocol, preset or window as a link."""

    slug: str
    name: str
    title: str
    href: str
    current: bool
    known: bool = True


@dataclass(frozen=True, slots=True)
class LevelCell:
    """A score on one level, linked to its cells."""

    score: float | None
    href: str


@dataclass(frozen=True, slots=True)
class RowView:
    """A row with its links; `unranked` says why there is no rank."""

    row: BoardRow
    key: str
    unranked: str | None
    levels: Mapping[Level, LevelCell]
    model_href: str
    cells_href: str
    ref_href: str
    unref_href: str
    is_reference: bool

    def __getattr__(self, name: str) -> object:
        return getattr(self.row, name)


@dataclass(frozen=True, slots=True)
class TierGroup:
    """The rows of one tier, or those without a rank."""

    kind: str
    name: str
    rows: tuple[RowView, ...]


@dataclass(frozen=True, slots=True)
class HiddenCount:
    """The number of rows that one reason hides, and the link that shows them."""

    reason: str
    count: int
    href: str | None


@dataclass(frozen=True, slots=True)
class BoardPage:
    """The values of the template."""

    view: BoardView
    title: str
    caption: str
    canonical: str
    query: BoardQuery
    reference: str | None
    default_protocol: str
    action: str
    boards: tuple[BoardLink, ...]
    protocols: tuple[BoardLink, ...]
    presets: tuple[BoardLink, ...]
    controls: tuple[FilterControl, ...]
    levels: tuple[Facet, ...]
    kept: tuple[tuple[str, str], ...]
    tideline: Tideline | None
    rows: tuple[RowView, ...]
    groups: tuple[TierGroup, ...]
    hidden: tuple[HiddenCount, ...]
    hidden_rows: tuple[HiddenRow, ...]
    total: int
    demo: bool
    imported: bool
    files: Mapping[str, str]
    reset: str
    widen: str | None
    clean: BoardLink | None
    every: str | None
    named: bool
    points: float
    columns: tuple[PageColumn, ...]
    own: tuple[BoardColumn, ...]
    valueless: Mapping[str, tuple[BoardColumn, ...]]
    tables: tuple[GroupView, ...]
    marks: tuple[Mark, ...]
    sampling: str | None
    terms: tuple[str, ...]
    wide: bool
    toggle: str

    def __getattr__(self, name: str) -> object:
        return getattr(self.view, name)


def board_page(page: PageRequest) -> Response:
    """Render the leaderboard that the URL asks for."""
    query = parse_query(page.params, check_name(page.request.path_params.get("board", "codegen")), strict=False)
    reference = parse_reference(page.params, strict=False)
    with page.state.sessions() as session:
        # The grading notice and the date are on the page too, so they are part of its tag.
        health, who = board_views.public_grading_state(session, page.now), find_maintainer(page, session)
        wide = usage_params(page.params)
        face = f"{page.locale}|{load_assets().digest}|{page.now.date()}|{health.reason}|{wide}"
        headers = {"ETag": board_views.etag(session, query, reference, face)}
        if who is None and board_views.matches_etag(headers["ETag"], page.request.headers.get("if-none-match")):
            return Response(status_code=304, headers={**headers, "Cache-Control": "no-cache"})
        view = board_views.board_view(session, query, page.state.cubes, page.now, reference)
        opened = None if _names_window(page) else view.board.clean_window
        if opened is not None:
            query = replace(query, window=opened)
            view = board_views.board_view(session, query, page.state.cubes, page.now, reference)
    if who is not None:  # the page contains a form of the session
        headers = {"Cache-Control": "no-store"}
    content = _board_page(page, view, query, reference, opened=opened is not None)
    params = urlencode(to_params(query, reference))
    return render(page, "pages/board.html", headers=headers, view=content, who=who, asked=params)


def _names_window(page: PageRequest) -> bool:
    """Return True if the address names a window, even that of all dates, which a form with both days empty sends."""
    return any(name in ("from", "to") for name, _ in page.params)


def _link_params(page: PageRequest, query: BoardQuery, reference: str | None = None) -> list[tuple[str, str]]:
    """Return the parameters of a link to a board; a window of all dates that the URL named stays named."""
    every = [("from", "")] if query.window == Window() and _names_window(page) else []
    return [*to_params(query, reference), *every]


def _board_page(
    page: PageRequest, view: BoardView, query: BoardQuery, reference: str | None, *, opened: bool
) -> BoardPage:
    title = page.board_title(query.board)
    compared = view.board.find_row(reference)
    rows = tuple(_row_views(page, view.board, query, compared))
    api, wide = f"/api/v1/boards/{query.board}", usage_params(page.params)
    requested = [*([ShownFor.USAGE] if wide else []), *([ShownFor.REFERENCE] if reference else [])]
    columns = tuple(page_columns(page, view.board, requested))
    suffix = page.href(_board_path(query.board), to_params(query, reference)).partition("?")[2]
    facets = view.board.facets
    return BoardPage(
        view=view,
        title=title,
        caption=_caption(page, title, view, query),
        canonical=page.href(_board_path(query.board), to_params(query)),
        query=query,
        reference=reference,
        default_protocol=boards()[query.board].protocol,
        action=page.href(_board_path(query.board)),
        boards=tuple(
            BoardLink(name, name, page.board_title(name), _board_href(page, name), name == query.board)
            for name in view.boards
        ),
        protocols=tuple(_protocol_links(page, view, query)),
        presets=tuple(_preset_links(page, view, query, reference, opened=opened)),
        controls=controls(page, query, facets),
        levels=facets["difficulty"],
        kept=(*carried_params(query, reference), *wide),
        columns=columns,
        own=columns_shown(view.board),
        valueless=columns_empty(view.board),
        tables=tuple(group_views(page, view.board)),
        marks=marks_shown(query),
        sampling=_sampling_href(page, view, query),
        terms=tuple(_terms({column.name for column in columns}, usage=bool(wide))),
        wide=bool(wide),
        toggle=page.href(_board_path(query.board), [*_link_params(page, query, reference), *toggle_usage(wide)]),
        tideline=_tideline(page, view, query),
        rows=rows,
        groups=tuple(_groups(rows, view.board.beside)),
        hidden=tuple(_hidden_counts(page, view.board, query, reference)),
        hidden_rows=tuple(hidden._replace(reason=_known_reason(page, hidden.reason)) for hidden in view.board.hidden),
        total=len(view.board.rows) + len(view.board.hidden),
        demo=bool(rows) and all(row.row.fact.demo for row in rows),
        imported=bool(rows) and all(row.row.fact.imported for row in rows),
        files={kind: api + end + (f"?{suffix}" if suffix else "") for kind, end in _FILE_SUFFIXES.items()},
        reset=_board_href(page, query.board, [pair for pair in to_params(query) if pair[0] == "protocol"]),
        widen=_wider_window_href(page, view.board, query, reference),
        clean=_clean_window_link(page, view.board, query, reference),
        named=opened or _names_window(page),
        every=_board_href(page, query.board, _all_dates_params(query, reference)) if opened else None,
        points=1.0 if view.board.precision is None else view.board.precision.next_half_width,
    )


def _terms(names: Collection[str], *, usage: bool) -> Iterator[str]:
    """Yield the terms explained below the table, without those of missing columns."""
    every = ("rank", "tier", "score", "pass_at", "difference", "coverage", "cutoff", "exposed", "cells", "usage")
    there = {"pass_at": "pass_at" in names, "difference": "difference" in names, "usage": usage}
    return (term for term in every if there.get(term, True))


def _board_path(board: str) -> str:
    return "/" if board == "codegen" else f"/boards/{board}"


def _board_href(page: PageRequest, board: str, params: Sequence[tuple[str, str]] = ()) -> str:
    """Return a link to a board with the columns that this page shows."""
    return page.href(_board_path(board), [*params, *usage_params(page.params)])


def _wider_window_href(page: PageRequest, board: Board, query: BoardQuery, reference: str | None) -> str | None:
    if board.precision is None or board.precision.widen_to is None:
        return None
    wider = replace(query, window=Window(board.precision.widen_to, query.window.end))
    return _board_href(page, query.board, to_params(wider, reference))


def _all_dates_params(query: BoardQuery, reference: str | None) -> list[tuple[str, str]]:
    """Return the parameters of the board over all dates, named so that the page opens no other window."""
    return [*to_params(replace(query, window=Window()), reference), ("from", "")]


def _clean_window_link(page: PageRequest, board: Board, query: BoardQuery, reference: str | None) -> BoardLink | None:
    """Return a link to a window with more ranked rows, if this one leaves most rows without a rank."""
    if board.clean_window is None:
        return None
    clean_query, kind = replace(query, window=board.clean_window), _window_kind(board.clean_window)
    label = page.t(f"window.{kind}", start=board.clean_window.start, end=board.clean_window.end)
    return BoardLink(
        "half", label, label, _board_href(page, query.board, to_params(clean_query, reference)), current=False
    )


def _window_kind(window: Window) -> str:
    start, end = window.start, window.end
    return "both" if start and end else "start" if start else "end" if end else "all"


def _caption(page: PageRequest, title: str, view: BoardView, query: BoardQuery) -> str:
    start, end = query.window.start, query.window.end
    return page.t(
        "board.caption",
        board=title,
        protocol=page.protocol_title(view.protocol.slug, view.protocol.title),
        problems=view.board.problems,
        window=page.t(f"window.{_window_kind(query.window)}", start=start, end=end),
        rows=len(view.board.rows),
    )


_CELL_NAMES = frozenset({"from", "to", "platform", "difficulty"})


def _row_views(page: PageRequest, board: Board, query: BoardQuery, compared: BoardRow | None) -> Iterator[RowView]:
    """Yield the rows with their links; what all links share is made once."""
    choices = {query.levels, *((level,) for level in board.by_level)}
    params = {levels: _cell_params(query, levels) for levels in choices}
    unref_href = _board_href(page, query.board, _link_params(page, query))
    for row in board.rows:
        name = f"{row.model}:{row.configuration}" if row.configuration else row.model
        path = f"/models/{row.model}"
        shared = [("protocol", query.protocol), ("configuration", row.configuration)]
        yield RowView(
            row=row,
            key=f"{row.model}-{row.run}",
            unranked=row.unranked,
            levels={
                level: LevelCell(score.score, page.href(path, shared + params[level,]))
                for level, score in row.by_difficulty.items()
            },
            model_href=page.href(path),
            cells_href=page.href(path, shared + params[query.levels]),
            ref_href=_board_href(page, query.board, _link_params(page, query, name)) + f"#row-{row.model}-{row.run}",
            unref_href=unref_href,
            is_reference=row is compared,
        )


def _cell_params(query: BoardQuery, levels: tuple[Level, ...]) -> list[tuple[str, str]]:
    """Return the parameters of a model's page that list the cells behind a score on some levels."""
    return [pair for pair in to_params(replace(query, levels=levels)) if pair[0] in _CELL_NAMES]


def _groups(rows: Sequence[RowView], beside: Sequence[BoardRow]) -> Iterator[TierGroup]:
    """Yield the shown rows by tier; a group's kind also counts the ranked rows `beside` them."""
    tiers = Counter(row.tier for row in (*(view.row for view in rows), *beside) if row.rank)
    for tier, members in groupby(rows, key=lambda row: row.row.tier if row.row.rank else None):
        group = tuple(members)
        if tier is None:
            yield TierGroup("unranked", "", group)
        else:
            kind = "only" if tiers.total() == 1 else "single" if tiers[tier] == 1 else "ranked"
            yield TierGroup(kind, tier_letters(tier), group)


def _protocol_links(page: PageRequest, view: BoardView, query: BoardQuery) -> Iterator[BoardLink]:
    for protocol in view.protocols:
        params = to_params(BoardQuery(board=query.board, protocol=protocol.slug))
        has_title = page.knows(f"protocol.{protocol.slug}")
        yield BoardLink(
            protocol.slug,
            protocol.slug,
            protocol.title,
            _board_href(page, query.board, params),
            protocol.slug == query.protocol,
            has_title,
        )


def _sampling_href(page: PageRequest, view: BoardView, query: BoardQuery) -> str | None:
    """Return a link to the same models under other ways of sampling, if there are any."""
    if len(sweep_members(view.protocol.protocol, (fact.protocol for fact in view.protocols))) < 2:
        return None
    return page.href("/sampling", [("board", query.board), *to_params(query)])


def _preset_links(
    page: PageRequest, view: BoardView, query: BoardQuery, reference: str | None, *, opened: bool
) -> Iterator[BoardLink]:
    today = page.now.date()
    # The last day of the newest week with problems; presets of a board that ended earlier count back from there.
    newest = min(shift_day(view.weeks[-1][0], 6), today) if view.weeks else today
    choices = [("all", page.t("preset.all"), Window())]
    for name, days in (("3m", 91), ("6m", 183), ("12m", 365)):
        title, end = page.t(f"preset.{name}"), today
        if newest < shift_day(today, -days):
            title, end = page.t("preset.until", preset=title, day=newest), newest
        choices.append((name, title, Window(max(shift_day(end, -days), FIRST_DAY))))
    cutoffs = [row.fact.cutoff_on for row in view.board.rows if row.fact.cutoff_on is not None]
    if cutoffs and max(cutoffs) < newest:  # else the window is empty
        choices.append(("clean", page.t("preset.clean"), Window(shift_day(max(cutoffs), 1))))
    for name, title, window in choices:
        pairs = to_params(replace(query, window=window), reference)
        if name == "all" and (opened or _names_window(page)):
            pairs = _all_dates_params(query, reference)
        href = _board_href(page, query.board, pairs)
        yield BoardLink(name, name, title, href, window == query.window)


def _tideline(page: PageRequest, view: BoardView, query: BoardQuery) -> Tideline | None:
    cutoffs: dict[str, date | None] = {
        row.fact.name: row.fact.known_cutoff for row in view.board.rows if row.fact.known_cutoff
    }
    weeks = [WeekCounts(monday, counts) for monday, counts in view.weeks]
    scope = view.protocol.protocol
    # A live board is drawn up to today, so that a gap shows; an imported one ends with its data.
    today = None if scope.imported or scope.recorded else page.now.date()
    return tideline(weeks, query.window, cutoffs, today)


def _known_reason(page: PageRequest, reason: str) -> str:
    return reason if page.knows(f"hidden.{reason}") else "other"


def _hidden_counts(page: PageRequest, board: Board, query: BoardQuery, reference: str | None) -> Iterator[HiddenCount]:
    used = {entry.reason_key: entry for entry in filters() if entry.value_in(query) != entry.default}
    for reason, count in Counter(row.reason for row in board.hidden).items():
        freed = used[reason].replace_in(query, used[reason].default) if reason in used else None
        href = _board_href(page, query.board, _link_params(page, freed, reference)) if freed else None
        yield HiddenCount(_known_reason(page, reason), count, href)
