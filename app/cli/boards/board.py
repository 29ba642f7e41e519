"""`tidemark board NAME`: the same rows as the site, as a table or as JSON."""

import json
from pathlib import Path
from typing import Annotated

import typer

from app.cli.boards.filters import View, of_a_board
from app.cli.boards.results_file import board_from
from app.cli.boards.text import as_table
from app.db.kernel.session import make_engine, make_sessionmaker
from app.domain.boards.board import Board, BoardQuery
from app.services.boards.reading import CubeStore, board_json
from app.services.boards.reading import board as ask
from app.supervise import attached

Results = Annotated[
    Path | None,
    typer.Option(
        "--results",
        help="Make the board of this file alone, without a database: what `export cells` wrote (JSON lines, CSV or "
        "Parquet) or a LiveCodeBench board file, plain or gzip. Its only protocol is shown; of several, name one with "
        "--protocol. A file does not know what answers took (tokens, time, cost), which runs and problems are not "
        "published, nor contests (problems stand together by when they came out), nor which of two runs came first.",
    ),
]


@of_a_board
def board(
    view: View,
    results: Results = None,
    state: Annotated[Path | None, typer.Option("--state", help="State folder.")] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rows as JSON.")] = False,
) -> None:
    """Print a board over any window of release dates."""
    if results is not None:
        found = board_from(results, view.query, view.protocol, view.reference)
    else:
        found = _stored(state, view.query, view.reference)
    print(json.dumps(board_json(found), indent=2, ensure_ascii=False) if as_json else as_table(found, view.reference))


def _stored(state: Path | None, query: BoardQuery, reference: str | None) -> Board:
    with attached(state, begun=True) as settings:
        engine = make_engine(settings.database_url, pool_size=1)
        try:
            with make_sessionmaker(engine)() as session:
                return ask(session, query, CubeStore(settings.state_dir / "cubes"), reference)
        finally:
            engine.dispose()
