"""Two rows of a board side by side, with the problems that their difference comes from."""

from starlette.responses import Response

from app.domain.boards.board import Board, BoardQuery, BoardRow
from app.domain.boards.named_boards import boards
from app.domain.windows import Window
from app.services.boards import board_views
from app.services.boards.query import parse_query, parse_reference, take_parameter, to_params
from app.services.evidence import row_comparison
from web.context import PageRequest
from web.render import render

MAX_LISTED_PROBLEMS = 200  # more are only in JSON


def compare_page(page: PageRequest) -> Response:
    """Render the rows `ref` and `with` of the board that the URL asks for; if one is missing, the choices."""
    name, remaining = take_parameter(page.params, "board", boards())
    other, remaining = take_parameter(remaining, "with")
    query, reference = (
        parse_query(remaining, name or next(iter(boards())), strict=False),
        parse_reference(remaining, strict=False),
    )
    with page.state.sessions() as session:
        comparison = (
            row_comparison.compare_rows(session, query, page.state.cubes, reference, other)
            if reference and other
            else None
        )
        board = comparison.board if comparison else board_views.board(session, query, page.state.cubes)
    params = to_params(query, reference)
    suffix = page.href("/", [*params, ("with", other or "")]).partition("?")[2]
    return render(
        page,
        "pages/compare.html",
        found=comparison,
        names=[(row_comparison.name_of(row), row) for row in board.rows],
        chosen=(comparison.first, comparison.second) if comparison else _offered_rows(board, reference, other),
        full=_full_name,
        kept=[("board", query.board), *(pair for pair in params if pair[0] != "ref")],
        most=MAX_LISTED_PROBLEMS,
        title=page.board_title(query.board),
        board_href=_board_href(page, query, reference),
        json=f"/api/v1/boards/{query.board}/compare?{suffix}",
    )


def _full_name(row: BoardRow) -> str:
    return f"{row.fact.name} ({row.configuration})" if row.configuration else row.fact.name


def _offered_rows(board: Board, first: str | None, second: str | None) -> tuple[BoardRow | None, BoardRow | None]:
    """Return the rows that the form begins with: the named ones, else the first ones, and never one row twice."""
    first_row = board.find_row(first) or next((row for row in board.rows if row is not board.find_row(second)), None)
    return first_row, board.find_row(second) or next((row for row in board.rows if row is not first_row), None)


def _board_href(page: PageRequest, query: BoardQuery, reference: str | None) -> str:
    path = "/" if query.board == next(iter(boards())) else f"/boards/{query.board}"
    # Explicit, since a board without dates in its address may open in another window.
    every = [("from", "")] if query.window == Window() else []
    return page.href(path, [*to_params(query, reference), *every])
