"""The leaderboard: a board as a table or another tab, every control of it in the URL."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from urllib.parse import urlencode

from starlette.responses import RedirectResponse, Response

from app.domain.boards.named_boards import boards
from app.domain.errors import InvalidInput
from app.services.boards import board_views
from app.services.boards.query import parse_query, parse_reference, take_parameter, to_params
from app.services.operations.news import BoardNews, board_news
from app.services.runs.result_views import check_name
from web.assets import load_assets
from web.authentication import find_maintainer
from web.board_page.links import BoardLinks, board_path, names_window, read_order
from web.board_page.tabs import TABLE, open_tab
from web.board_page.view import make_board_page
from web.board_tabs.below import small_charts
from web.context import PageRequest
from web.render import age, render, span

# Rows that a link may open at once: as many as can be compared.
MAX_OPENED_ROWS = 6


def board_page(page: PageRequest) -> Response:
    """Render the leaderboard that the URL asks for."""
    query = parse_query(page.params, check_name(page.request.path_params.get("board", "codegen")), strict=False)
    reference, tab, order = parse_reference(page.params, strict=False), open_tab(page), read_order(page.params)
    opened = _read_opened(page.params)
    carried = () if tab.params is None else tuple(tab.params(page))
    with page.state.sessions() as session:
        other = None if "protocol" in dict(page.params) else board_views.protocol_with_rows(session, query)
        if other is not None:  # a fresh service has no rows of ours: whoever asks for a board wants to see one
            address = page.href(board_path(query.board), [*page.params, ("protocol", other)])
            return RedirectResponse(address, 302, headers={"Cache-Control": "no-store"})
        health, who = board_views.public_grading_state(session, page.now), find_maintainer(page, session)
        news = board_news(session, page.now)
        # The notice, the date, the news and the form of the view are on the page too, so they are part of its tag.
        shown = f"{tab.name}|{carried}|{order}|{opened}|{names_window(page)}"
        told = f"{page.now.date()}|{health.reason}|{_shown_news(news, page.now)}"
        face = f"{page.locale}|{load_assets().digest}|{told}|{shown}"
        headers = {"ETag": board_views.etag(session, query, reference, face)} if tab.by_state else {}
        asked_again = page.request.headers.get("if-none-match")
        if who is None and headers and board_views.matches_etag(headers["ETag"], asked_again):
            return Response(status_code=304, headers={**headers, "Cache-Control": "no-cache"})
        asked = query
        if not names_window(page):
            opening = board_views.first_window(session, query, page.state.cubes, page.now.date())
            query = replace(query, window=opening)
        view = board_views.board_view(session, query, page.state.cubes, page.now, reference)
    if who is not None:  # the page contains a form of the session
        headers = {"Cache-Control": "no-store"}
    links = BoardLinks(
        page,
        query,
        reference,
        "" if tab.name == TABLE else tab.name,
        order,
        carried,
        names_window=names_window(page) or query != asked,
    )
    return render(
        page,
        "pages/board.html",
        headers=headers,
        view=make_board_page(links, view, tab, news, opened),
        tab=None if tab.view is None else tab.view(page, view),
        charts=small_charts(page, view) if tab.name == TABLE and view.board.rows else None,
        who=who,
        asked=urlencode(to_params(query, reference)),
    )


def _read_opened(params: Sequence[tuple[str, str]]) -> list[str]:
    """Return the keys of the rows that an address opens. Raises InvalidInput for too many."""
    keys = list(dict.fromkeys(value for name, value in params if name == "open" and value))
    if len(keys) > MAX_OPENED_ROWS:
        raise InvalidInput(f"open may be given at most {MAX_OPENED_ROWS} times", pointer="/open")
    return keys


def _shown_news(news: BoardNews, now: datetime) -> tuple[object, ...]:
    """Return the news as far as the page shows it."""
    ages = [
        (site.slug, *(None if seconds is None else span(seconds) for seconds in (site.visited_s, site.late_s)))
        for site in news.sites
    ]
    contest = news.contest
    ended = () if contest is None else (replace(contest, ended_at=now), age(contest.ended_at, now))
    return news.problems, news.rank_moves, *ages, *ended


def ratings_page(page: PageRequest) -> Response:
    """Redirect an old address of ratings to the tab of its board."""
    board, others = take_parameter(page.params, "board")
    return _moved(page, board or next(iter(boards())), "rating", others)


def holistic_page(page: PageRequest) -> Response:
    """Redirect an old address of skills to their tab on the first board."""
    return _moved(page, next(iter(boards())), "skills", page.params)


def _moved(page: PageRequest, board: str, tab: str, params: Sequence[tuple[str, str]]) -> Response:
    """Return a permanent redirect; the old pages were over all dates unless their address named a window."""
    every = [] if names_window(page) else [("from", "")]
    address = page.href(board_path(board), [("tab", tab), *params, *every])
    return RedirectResponse(address, status_code=301)
