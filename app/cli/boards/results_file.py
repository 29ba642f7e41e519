"""Boards from a file, for `./tidemark board NAME --results FILE`: an export of cells or a LiveCodeBench board file."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from app.domain.boards.board import Board, BoardQuery
from app.domain.errors import InvalidImport
from app.domain.imports import ImportBatch
from app.services.boards.results_file import board_of
from scrapers.suite import find_suite

_MAX_SHOWN_ROWS: Final = 20


def read_board(path: Path, query: BoardQuery, protocol: str | None, reference: str | None) -> Board:
    """Return the board that a query selects from a file alone. Raises InvalidInput; bad rows with file and line."""
    try:
        now = datetime.now(UTC)
        batch = _read(path, query.board, now)
        if batch.bad_rows:  # a board cannot list them
            raise InvalidImport("bad rows", batch.bad_rows)
        return board_of(batch, query, now.date(), protocol, reference)
    except InvalidImport as error:
        if not error.bad_rows:
            raise
        lines = "\n".join(f"  {row}" for row in error.bad_rows[:_MAX_SHOWN_ROWS])
        more = (
            f"\n  ... and {len(error.bad_rows) - _MAX_SHOWN_ROWS} more" if len(error.bad_rows) > _MAX_SHOWN_ROWS else ""
        )
        message = f"{len(error.bad_rows)} bad rows; no board was made\n{lines}{more}"
        raise InvalidImport(message, error.bad_rows) from error


def _read(path: Path, board: str, now: datetime) -> ImportBatch:
    suite = find_suite("results")
    file = suite.load(path)
    if (
        file.text.lstrip().startswith("{") and '"performances"' in file.text
    ):  # inside a JSON string the quotes would be escaped
        return find_suite("lcb-board").read(file, {"board": board}, now)
    return suite.read(file, {}, now)
