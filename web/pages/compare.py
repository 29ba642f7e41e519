"""Two rows of a board side by side, down to the problems that their difference comes from."""

from starlette.responses import Response

from app.domain.boards.board import Board, BoardQuery, BoardRow
from app.domain.boards.named import boards
from app.domain.windows import Window
from app.services.boards import reading
from app.services.boards.query import parse_query, parse_reference, taken, to_params
from app.services.evidence import compare
from web.context import Page
from web.render import render

MOST_PROBLEMS = 200  # more are only in JSON


def compare_page(page: Page) -> Response:
    """The rows `ref` and `with` of the board that the URL asks for; where one is not named, what may be chosen."""
    name, rest = taken(page.params, "board", boards())
    other, rest = taken(rest, "with")
    query, reference = (
        parse_query(rest, name or next(iter(boards())), strict=False),
        parse_reference(rest, strict=False),
    )
    with page.state.sessions() as session:
        found = compare.compare(session, query, page.state.cubes, reference, other) if reference and other else None
        board = found.board if found else reading.board(session, query, page.state.cubes)
    asked = to_params(query, reference)
    suffix = page.href("/", [*asked, ("with", other or "")]).partition("?")[2]
    return render(
        page,
        "pages/compare.html",
        found=found,
        names=[(compare.name_of(row), row) for row in board.rows],
        chosen=(found.first, found.second) if found else _offered(board, reference, other),
        full=_full,
        kept=[("board", query.board), *(pair for pair in asked if pair[0] != "ref")],
        most=MOST_PROBLEMS,
        title=page.board_title(query.board),
        board_href=_board(page, query, reference),
        json=f"/api/v1/boards/{query.board}/compare?{suffix}",
    )


def _full(row: BoardRow) -> str:
    return f"{row.fact.name} ({row.configuration})" if row.configuration else row.fact.name


def _offered(board: Board, first: str | None, second: str | None) -> tuple[BoardRow | None, BoardRow | None]:
    """The rows that the form begins with: those that are named, else the first ones, and never one row twice."""
    one = board.referred(first) or next((row for row in board.rows if row is not board.referred(second)), None)
    return one, board.referred(second) or next((row for row in board.rows if row is not one), None)


def _board(page: Page, query: BoardQuery, reference: str | None) -> str:
    path = "/" if query.board == next(iter(boards())) else f"/boards/{query.board}"
    # By name: a board whose address says nothing of dates may open in another window.
    every = [("from", "")] if query.window == Window() else []
    return page.href(path, [*to_params(query, reference), *every])
