"""`/embed/board`: the first rows of a board for the frame of another site, without controls or scripts."""

from typing import Final

from starlette.responses import Response

from app.domain.errors import InvalidInput
from app.services.boards import board_views
from app.services.boards.query import parse_query, take_parameter, to_params
from app.services.runs.result_views import check_name
from web.context import PageRequest
from web.embeds.headers import FRAME_HEADERS
from web.render import render

_DEFAULT_ROWS, MAX_EMBEDDED_ROWS = 10, 50
_THEMES: Final = ("auto", "light", "dark")


def embed_board(page: PageRequest) -> Response:
    """Render the ranked rows of a board: `board` and its parameters, `rows` (1 to 50) and `theme` choose the view."""
    board_name, rest = take_parameter(page.params, "board")
    rows, rest = take_parameter(rest, "rows")
    theme, rest = take_parameter(rest, "theme", _THEMES)
    query = parse_query(rest, check_name(board_name or "codegen"))
    limit = _read_rows(rows)
    with page.state.sessions() as session:
        shown = board_views.board(session, query, page.state.cubes)
    path = "/" if query.board == "codegen" else f"/boards/{query.board}"
    return render(
        page,
        "embed.html",
        headers=dict(FRAME_HEADERS),
        title=page.board_title(query.board),
        board=shown,
        rows=[row for row in shown.rows if row.rank is not None][:limit],
        theme=theme or "auto",
        full_href=page.state.public_url + page.href(path, to_params(query)),
    )


def _read_rows(text: str | None) -> int:
    if text is None:
        return _DEFAULT_ROWS
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:6]) <= MAX_EMBEDDED_ROWS):
        raise InvalidInput(f'"rows" must be a number from 1 to {MAX_EMBEDDED_ROWS}, not "{text}".', pointer="/rows")
    return int(text)
