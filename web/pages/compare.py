"""Two to six rows of a board side by side, with the problems that their differences come from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from starlette.responses import Response

from app.db.boards.cells import ProtocolFact
from app.domain.boards.board import Board, BoardQuery, BoardRow
from app.domain.boards.named_boards import boards
from app.domain.errors import InvalidInput
from app.domain.windows import Window
from app.services.boards import board_views
from app.services.boards.query import MAX_VALUE_CHARS, parse_query, parse_reference, take_parameter, to_params
from app.services.evidence import row_comparison
from app.services.evidence.row_comparison import ALL, MAX_ROWS, ComparedProblem, RowComparison
from web.board_page.links import Choice, names_window
from web.context import PageRequest, read_cursor
from web.render import render
from web.results.links import board_href, paging

PAGE_PROBLEMS = 60
MAX_PICKED_ROWS = 40  # the board itself has all
FIRST_ROWS = 3  # those that one link compares
MIN_HALVED = 12  # problems from which the list is halved
_ROW = "m"
_LETTERS = "ABCDEF"
_SHOW = "show"


@dataclass(frozen=True, slots=True)
class LetteredRow:
    """A row with its letter on the page; `without` leads to the comparison without it."""

    letter: str
    row: BoardRow
    full_name: str
    without: str


@dataclass(frozen=True, slots=True)
class LeadWords:
    """Lead of one of two rows over the other in points, with its interval."""

    ahead: str
    behind: str
    mean: float
    lo: float
    hi: float
    apart: bool | None


def compare_page(page: PageRequest) -> Response:
    """Render the rows `m` of the board that the URL asks for; with fewer than two of them, a form to choose them.

    Links made earlier name two rows as `ref` and `with`.
    """
    names, remaining = _take_rows(page)
    name, remaining = take_parameter(remaining, "board", boards())
    show, remaining = take_parameter(remaining, _SHOW)
    query = parse_query(remaining, name or next(iter(boards())), strict=False)
    skip = read_cursor(page, "skip") or 0
    with page.state.sessions() as session:
        comparison = None
        if len(names) < 2 and not names_window(page):  # rows are chosen from the board as it opens
            query = replace(query, window=board_views.first_window(session, query, page.state.cubes, page.now.date()))
        if len(names) > 1:
            fields = [_ROW] * len(names)
            comparison = row_comparison.compare_rows(
                session, query, page.state.cubes, names, fields, show=show or ALL, skip=skip, limit=PAGE_PROBLEMS
            )
        board = comparison.board if comparison else board_views.board(session, query, page.state.cubes)
        protocol = board_views.load_protocol(session, query, page.state.cubes).protocol
        protocols = board_views.protocols(session)
    kept = [("board", query.board), *to_params(query)]
    chosen = comparison.rows if comparison else tuple(row for row in map(board.find_row, names) if row is not None)
    rows = [_compared_row(page, kept, chosen, place) for place in range(len(chosen))]
    offered = _offered(board, chosen, picking=comparison is None)
    every = [("from", "")] if query.window == Window() else []
    return render(
        page,
        "results/compare.html",
        comparison=comparison,
        rows=rows,
        lead=_lead(rows) if len(rows) == 2 else None,
        offered=[(row_comparison.name_of(row), row) for row in offered],
        more_rows=len(board.rows) - len(offered) if comparison is None else 0,
        picked=chosen,
        first_rows=_first_rows(page, kept, offered) if not chosen else None,
        full=_full_name,
        kept=[*kept, *(_named(chosen) if comparison else [])],
        protocols=_protocol_menu(page, protocols, query.protocol),
        halves=_halves([] if comparison is None else comparison.problems),
        filters=[] if comparison is None else _filters(page, comparison, rows, show or ALL, [*kept, *_named(chosen)]),
        groups={} if comparison is None else comparison.groups,
        paging=paging(
            page,
            [*kept, *_named(chosen), *([(_SHOW, show)] if show else [])],
            skip,
            0 if comparison is None else len(comparison.problems),
            0 if comparison is None else comparison.counts[show or ALL],
        ),
        title=page.board_title(query.board),
        protocol=page.protocol_title(protocol.slug, protocol.title),
        query=query,
        # All dates are named, since a board without dates in its address may open in another window.
        board=board_href(page, query.board, [*to_params(query), *every]),
        json=_json_href(query, chosen) if len(chosen) == 2 else None,
    )


def _offered(board: Board, chosen: Sequence[BoardRow], *, picking: bool) -> list[BoardRow]:
    """Return the rows to choose from: the board's first ones to pick with those chosen, or all that may be added."""
    if picking:
        return [*chosen, *(row for row in board.rows[:MAX_PICKED_ROWS] if row not in chosen)]
    return [row for row in board.rows if row not in chosen] if len(chosen) < MAX_ROWS else []


def _first_rows(page: PageRequest, kept: Sequence[tuple[str, str]], offered: Sequence[BoardRow]) -> str | None:
    """Return the address that compares the first three of the rows; None if there are fewer."""
    first = offered[:FIRST_ROWS]
    return page.href("/compare", [*kept, *_named(first)]) if len(first) == FIRST_ROWS else None


def _protocol_menu(page: PageRequest, protocols: Mapping[str, Sequence[ProtocolFact]], shown: str) -> list[Choice]:
    """Return all protocols by board; each leads to the choice of its rows."""
    return [
        Choice(
            page.protocol_title(fact.slug, fact.title),
            page.href("/compare", [("board", board), ("protocol", fact.slug)]),
            current=fact.slug == shown,
            group=page.board_title(board),
        )
        for board, facts in protocols.items()
        for fact in facts
    ]


def _halves(problems: Sequence[ComparedProblem]) -> list[Sequence[ComparedProblem]]:
    """Return a long list in two parts, which stand side by side."""
    half = len(problems) if len(problems) < MIN_HALVED else (len(problems) + 1) // 2
    return [part for part in (problems[:half], problems[half:]) if part]


def _take_rows(page: PageRequest) -> tuple[list[str], list[tuple[str, str]]]:
    """Take the names of the rows out of the pairs of the URL, each once. Raises InvalidInput for more than six."""
    named = [value for key, value in page.params if key == _ROW and value]
    remaining = [pair for pair in page.params if pair[0] != _ROW]
    other, remaining = take_parameter(remaining, "with")
    first = parse_reference(remaining, strict=False)
    names = list(dict.fromkeys(named or [value for value in (first, other) if value]))
    if len(names) > MAX_ROWS or any(len(value) > MAX_VALUE_CHARS or not value.isprintable() for value in names):
        raise InvalidInput(f"{_ROW} must name at most {MAX_ROWS} rows of the board", pointer=f"/{_ROW}")
    if first and first == other and not named:
        raise InvalidInput("a row cannot be compared with itself", pointer="/with")
    return names, [pair for pair in remaining if pair[0] != "ref"]


def _named(rows: Sequence[BoardRow]) -> list[tuple[str, str]]:
    return [(_ROW, row_comparison.name_of(row)) for row in rows]


def _compared_row(
    page: PageRequest, kept: Sequence[tuple[str, str]], rows: Sequence[BoardRow], place: int
) -> LetteredRow:
    others = [row for other, row in enumerate(rows) if other != place]
    return LetteredRow(
        _LETTERS[place], rows[place], _full_name(rows[place]), page.href("/compare", [*kept, *_named(others)])
    )


def _full_name(row: BoardRow) -> str:
    return f"{row.fact.name} ({row.configuration})" if row.configuration else row.fact.name


def _lead(rows: Sequence[LetteredRow]) -> LeadWords | None:
    """Return the difference of two rows as the lead of the better one; None if they have no problem in common."""
    first, second = rows
    difference = second.row.difference
    if difference is None:
        return None
    mean, lo, hi, apart = difference.mean, difference.lo, difference.hi, difference.apart
    if mean > 0:
        return LeadWords(second.full_name, first.full_name, mean, lo, hi, apart)
    return LeadWords(first.full_name, second.full_name, 0.0 - mean, 0.0 - hi, 0.0 - lo, apart)


def _filters(
    page: PageRequest,
    comparison: RowComparison,
    rows: Sequence[LetteredRow],
    shown: str,
    kept: Sequence[tuple[str, str]],
) -> list[Choice]:
    """Return the filters of the problems as links, each with its number of problems."""

    def title(name: str, count: int) -> str:
        if name.startswith("only-"):
            return page.t("compare.only", row=rows[int(name.removeprefix("only-")) - 1].letter, n=count)
        return page.t(f"compare.show.{name}", n=count)

    return [
        Choice(
            title(name, count),
            page.href("/compare", [*kept, *([] if name == ALL else [(_SHOW, name)])]) + "#problems",
            current=name == shown,
        )
        for name, count in comparison.counts.items()
    ]


def _json_href(query: BoardQuery, rows: Sequence[BoardRow]) -> str:
    first, second = (row_comparison.name_of(row) for row in rows)
    return f"/api/v1/boards/{query.board}/compare?{urlencode([*to_params(query, first), ('with', second)])}"
