"""`tidemark board NAME`: the same rows as the site, as a table or as JSON."""

import json
from pathlib import Path
from typing import Annotated

import typer

from app.cli import board_filters as filters
from app.cli.board_text import as_table
from app.db.session import make_engine, make_sessionmaker
from app.services.boards import CubeStore, board_json
from app.services.boards import board as ask
from app.supervise import attached


def board(
    name: filters.Name,
    protocol: filters.Protocol = None,
    rules: filters.Rules = None,
    exposure: filters.Exposure = None,
    start: filters.Start = None,
    end: filters.End = None,
    cutoff_before: filters.CutoffBefore = None,
    platform: filters.Platform = None,
    difficulty: filters.Difficulty = None,
    language: filters.Language = None,
    model: filters.Model = None,
    ref: filters.Reference = None,
    state: Annotated[Path | None, typer.Option("--state", help="State folder.")] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rows as JSON.")] = False,
) -> None:
    """Print a board over any window of release dates."""
    query, reference = filters.read(name, locals())
    with attached(state, begun=True) as settings:
        engine = make_engine(settings.database_url, pool_size=1)
        try:
            with make_sessionmaker(engine)() as session:
                found = ask(session, query, CubeStore(settings.state_dir / "cubes"), reference)
        finally:
            engine.dispose()
    print(json.dumps(board_json(found), indent=2, ensure_ascii=False) if as_json else as_table(found, reference))
