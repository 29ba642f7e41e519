"""`tidemark board NAME`: the same rows as the site, as a table or as JSON."""

import json
from pathlib import Path
from typing import Annotated

import typer

from app.cli.boards.board_options import BoardArguments, with_board_options
from app.cli.boards.results_file import read_board
from app.cli.boards.text import format_board
from app.cli.parser import State
from app.cli.tables import terminal_width
from app.db.kernel.session import sessions_on
from app.domain.boards.board import Board, BoardQuery
from app.services.boards.board_views import CubeStore, board_json
from app.services.boards.board_views import board as ask
from app.supervise import open_state

Results = Annotated[
    Path | None,
    typer.Option(
        "--results",
        metavar="FILE",
        help="Build the board from this file, without a database: an export of cells (JSON lines, CSV or Parquet) or a "
        "LiveCodeBench board file, plain or gzip. If it has several protocols, name one with --protocol. A file has "
        "no tokens, times or costs, no contests (problems are grouped by release date), and no order of runs.",
    ),
]


@with_board_options
def board(
    view: BoardArguments,
    results: Results = None,
    state: State = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rows as JSON.")] = False,
) -> None:
    """Print a board over any window of release dates.

    Examples:
      ./tidemark board codegen --from 2026-01-01 --difficulty hard
      ./tidemark board codegen --ref orion-5 --json
      ./tidemark board codegen --results cells.jsonl
    """
    if results is not None:
        ranking = read_board(results, view.query, view.protocol, view.reference)
    else:
        ranking = _board_from_database(state, view.query, view.reference)
    if as_json:
        print(json.dumps(board_json(ranking), indent=2, ensure_ascii=False))
    else:
        print(format_board(ranking, view.reference, terminal_width()))


def _board_from_database(state: Path | None, query: BoardQuery, reference: str | None) -> Board:
    with (
        open_state(state, begun=True) as settings,
        sessions_on(settings.database_url) as sessions,
        sessions() as session,
    ):
        return ask(session, query, CubeStore(settings.state_dir / "cubes"), reference)
