"""The file of `./tidemark board NAME --results FILE`: what `export cells` wrote, or a LiveCodeBench board file."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from app.domain.boards.board import Board, BoardQuery
from app.domain.errors import InvalidImport
from app.domain.imports import ImportBatch
from app.services.boards.results_file import board_of
from scrapers.suite import find_suite

_SHOWN: Final = 20


def board_from(path: Path, query: BoardQuery, protocol: str | None, reference: str | None) -> Board:
    """The board that a query asks of a file alone. Raises InvalidInput; of bad rows, with file and line."""
    try:
        now = datetime.now(UTC)
        batch = _read(path, query.board, now)
        if batch.bad_rows:  # a board has no place to list them
            raise InvalidImport("bad rows", batch.bad_rows)
        return board_of(batch, query, now.date(), protocol, reference)
    except InvalidImport as refused:
        if not refused.bad_rows:
            raise
        lines = "\n".join(f"  {row}" for row in refused.bad_rows[:_SHOWN])
        more = f"\n  ... and {len(refused.bad_rows) - _SHOWN} more" if len(refused.bad_rows) > _SHOWN else ""
        words = f"{len(refused.bad_rows)} bad rows; no board was made\n{lines}{more}"
        raise InvalidImport(words, refused.bad_rows) from refused


def _read(path: Path, board: str, now: datetime) -> ImportBatch:
    suite = find_suite("results")
    file = suite.load(path)
    if file.text.lstrip().startswith("{") and '"performances"' in file.text:  # a text would have its quotes escaped
        return find_suite("lcb-board").read(file, {"board": board}, now)
    return suite.read(file, {}, now)
