"""The citation of any view of a board: it names a snapshot, which a visitor may make within a daily quota."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl, urlencode

from starlette.responses import RedirectResponse, Response

from app.domain.boards.board import BoardQuery
from app.domain.boards.named_boards import boards
from app.domain.errors import InvalidInput
from app.services.boards import snapshots
from app.services.boards.query import parse_query, parse_reference, to_params
from web.context import PageRequest, Pairs
from web.render import render
from web.trust.citation import make_citation

_BOARD: Final = "board"
_DEFAULT_BOARD: Final = BoardQuery().board
# How a page shows a view; a frozen board has none of it.
_PRESENTATION: Final = frozenset({"columns", "dir", "sort", "tab"})


def cite_page(page: PageRequest) -> Response:
    """Render the citation of a view if it is frozen as it stands, else the button that freezes it."""
    board, query, reference = _read_view(page.params)
    with page.state.sessions() as session:
        frozen = snapshots.find_alike(session, query, page.state.cubes, reference)
        body = None if frozen is None else snapshots.frozen_body(session, frozen.sha256)
    link = None if frozen is None else f"{page.state.public_url}/snapshots/{frozen.sha256}"
    view = to_params(query, reference)
    return render(
        page,
        "trust/cite.html",
        query=query,
        choices=_board_choices(page, board),
        live=page.href(f"/boards/{board}", view),
        asked=urlencode([(_BOARD, board), *view]),
        frozen=frozen,
        link=link,
        cite=None if frozen is None or body is None or link is None else make_citation(frozen, body, link),
    )


def cite(page: PageRequest, form: Mapping[str, str]) -> Response:
    """Freeze a view for a visitor, and lead back to its citation."""
    if form.get("website"):  # a hidden field that only bots fill in
        raise InvalidInput("The board was not frozen.", pointer="/website")
    board, query, reference = _read_view(parse_qsl(form.get("query", "")))
    with page.state.snapshot_quota.take(page.visitor, board, page.now.date()), page.state.sessions.begin() as session:
        snapshots.freeze_for_visitor(session, query, page.state.cubes, page.now, reference)
    target = page.href("/cite", [(_BOARD, board), *to_params(query, reference)])
    return RedirectResponse(target, status_code=303, headers={"Cache-Control": "no-store"})


def _read_view(pairs: Pairs) -> tuple[str, BoardQuery, str | None]:
    """Return the board, the query and the reference of a view's parameters. Raises InvalidInput and NotFound."""
    listed = list(pairs)
    board = next((value for name, value in listed if name == _BOARD and value), _DEFAULT_BOARD)
    view = [(name, value) for name, value in listed if name != _BOARD and name not in _PRESENTATION]
    return board, parse_query(view, board), parse_reference(view)


def _board_choices(page: PageRequest, current: str) -> list[dict[str, object]]:
    return [
        {"title": page.board_title(name), "href": page.href("/cite", [(_BOARD, name)]), "current": name == current}
        for name in boards()
    ]
