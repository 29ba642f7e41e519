"""Boards on which every column has a value somewhere, and the page of a board without a database."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request

from app.db.boards.cells import ProtocolFact
from app.domain.boards.board import Board, BoardRow, LevelScore, PairedGap, RunUsage, ScoreInterval, Tokens
from app.domain.boards.facets import facets
from app.domain.boards.lineup import Lineup
from app.domain.boards.named_boards import boards
from app.domain.boards.ranking import rank_board
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell, CutoffBasis, RunFact, StartedBy
from app.domain.judging.speed import Speed
from app.domain.problems import Level
from app.domain.scenarios import shipped_protocols
from app.services.boards.board_views import BoardView
from app.services.boards.query import parse_query, parse_reference
from app.services.operations.news import BoardNews
from app.services.runs.judge_state import GradingState
from support.board_worlds import FIRST, problem, run
from web.board_page.links import BoardLinks, read_order
from web.board_page.tabs import open_tab
from web.board_page.view import make_board_page
from web.board_tabs import row_key
from web.context import PageRequest
from web.i18n import Locale
from web.render import render

USAGES = (
    RunUsage(Tokens(100.25, 8.0, 2000.0, 50.5), 1.5, 0.25, Speed(2.0, 12), 3.25, 0.75, 0.5, (("cpp", 1.0),)),
    RunUsage(Tokens(1e6, None, None, 1234.5), 1234.56, 0.00001, Speed(None, 3), 0.0),
    RunUsage(Tokens(None, None, None, None), None, 120.0, Speed(0.5, 10), None),
    RunUsage(),
)
LINKS = ("", "ref=orion", "exposure=split&ref=orion", "rules=lcb", "difficulty=easy", "model=orion", "model=nobody")


def column_board(link: str = "", name: str = "codegen") -> Board:
    """A board of six runs over 48 problems: ranked, exposed, provisional and of a file; with gaps to its parts."""
    pairs = parse_qsl(link)
    query, reference = parse_query(pairs, name), parse_reference(pairs)
    levels = (*Level, None)
    problems = [problem(n, day=n, level=levels[n % len(levels)], setters=(("acme",), ("birds",), ("coots",))[n % 3])
                for n in range(48)]  # fmt: skip
    runs = [_run(n) for n in range(1, 7)]
    cells = [
        Cell(each.id, one.id, 10 if each.id < 4 else 1, min(10 if each.id < 4 else 1, (one.id * each.id) % 11))
        for each in runs
        for one in problems
        if one.id % 9 or each.id != 5
    ]
    cube, lineup = Cube.build(problems, runs, cells, revision=7), Lineup.of(runs)
    board = rank_board(cube, lineup, query, reference=reference, replicates=50)
    board = replace(board, facets=facets(cube, lineup, {}, board))
    parts = {part.name: {part.key(row): 10.0 * row.run for row in board.rows[:3]} for part in boards()[name].parts}
    gap = PairedGap(12.34, -1.5, 26.18, 40)
    paired = {part: {(row.model, row.configuration): gap for row in board.rows[:2]} for part in parts}
    return replace(board, rows=tuple(map(_filled, board.rows)), parts=parts, paired=paired)


def _run(number: int) -> RunFact:
    fact = run(
        number,
        model=("orion", "lyra", "vega", "draco", "mira", "orion")[number - 1],
        configuration="high" if number == 6 else "",
        cutoff=None if number == 2 else FIRST + timedelta(days=4 * number - 12),
        vendors=("acme",) if number == 1 else (),
        started_by=(StartedBy.VENDOR, StartedBy.MAINTAINERS, StartedBy.FILE)[number % 3],
        registered_at=datetime(2023, 12, 1, 9, tzinfo=UTC) if number == 3 else None,
        served=(1, 2) if number == 4 else (),
    )
    return replace(
        fact,
        organisation="" if number == 2 else "=Acme;",
        imported=number == 5,
        demo=number == 6,
        cutoff_basis=(CutoffBasis.UNKNOWN, *CutoffBasis)[number % 4],
        n_inferred=number == 5,
        unmatched=number % 2,
        unknown_model=number == 5,
        released_on=FIRST if number == 1 else None,
        size_b=7.0 if number == 1 else None,
        tuned_from="orion-base" if number == 1 else "",
    )


def _filled(row: BoardRow) -> BoardRow:
    """The row with what `rank_board` does not know: usage, and scores without its own organisation's problems."""
    return row._replace(
        usage=USAGES[row.run % len(USAGES)],
        pending=(row.run == 5 and 3) or 0,
        judge_errors=(row.run == 4 and 2) or 0,
        unpublished_variants=(row.run == 3 and 2) or 0,
        estimate=ScoreInterval(41.25, 30.0, 52.5) if row.run == 5 else row.estimate,
        without_own=LevelScore(33.3, 12) if row.run == 6 else row.without_own,
    )


def board_page(board: Board, link: str = "", locale: str = "en") -> str:
    """The page of a board, as a reader who is not signed in gets it."""
    name = board.query.board
    now = datetime(2024, 6, 1, 12, tzinfo=UTC)
    state = SimpleNamespace(web=SimpleNamespace(now=lambda: now, public_url="https://tidemark.example"))
    scope: Mapping[str, Any] = {
        "type": "http", "method": "GET", "path": f"/{locale}/", "query_string": link.encode(), "headers": [],
        "app": SimpleNamespace(state=state),
    }  # fmt: skip
    page = PageRequest(Request(dict(scope)), Locale(locale), "/", negotiated=False)
    reference = parse_reference(parse_qsl(link), strict=False)
    protocol = shipped_protocols()[board.query.protocol]
    fact = ProtocolFact(1, protocol.slug, protocol.title, protocol)
    days = ((date(2024, 1, 1), 4), (date(2024, 1, 8), 2))
    view = BoardView(
        board, fact, (fact,), (name,), days, GradingState("ready", None), 0, None if board.rows else "filtered"
    )
    links = BoardLinks(page, board.query, reference, order=read_order(page.params))
    opened = [row_key(row) for row in board.rows[:1]]
    content = make_board_page(links, view, open_tab(page), BoardNews(0, 0, (), None), opened)
    return bytes(
        render(page, "pages/board.html", view=content, tab=None, charts=None, who=None, asked=link).body
    ).decode()
