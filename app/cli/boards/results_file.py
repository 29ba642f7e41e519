"""The file of `./tidemark board NAME --results FILE`: what `export cells` wrote, or a LiveCodeBench board file."""

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from app.domain.boards.board import Board, BoardQuery
from app.domain.errors import BadRow, InvalidImport
from app.domain.exports import COLUMNS, Table, as_json_line, from_csv_cell
from app.domain.imports import ImportBatch
from app.services.boards.results_file import Faults, board_of
from scrapers.suite import SourceFile, Suite, find_suite, json_lines

_MOST: Final = 1_000_000
_SHOWN: Final = 20


def board_from(path: Path, query: BoardQuery, protocol: str | None, reference: str | None) -> Board:
    """The board that a query asks of a file alone. Raises InvalidInput; of bad rows, with file and line."""
    try:
        batch, faults = _read(path, query.board, datetime.now(UTC))
        return board_of(batch, faults, query, protocol, reference)
    except InvalidImport as refused:
        if not refused.bad_rows:
            raise
        lines = "\n".join(f"  {row}" for row in refused.bad_rows[:_SHOWN])
        more = f"\n  ... and {len(refused.bad_rows) - _SHOWN} more" if len(refused.bad_rows) > _SHOWN else ""
        words = f"{len(refused.bad_rows)} bad rows; no board was made\n{lines}{more}"
        raise InvalidImport(words, refused.bad_rows) from refused


def _read(path: Path, board: str, now: datetime) -> tuple[ImportBatch, Faults]:
    suite = find_suite("results")
    file = suite.load(path)
    if file.text.lstrip().startswith("{") and '"performances"' in file.text:  # a text would have its quotes escaped
        return find_suite("lcb-board").read(file, {"board": board}, now), {}
    return _with_missing(suite, file, now)


def _with_missing(suite: Suite, file: SourceFile, now: datetime) -> tuple[ImportBatch, Faults]:
    """The file as its importer reads it, and what that leaves out: cells that nothing is judged of yet, with n = 0.

    Their rows are read as if one answer were judged, so that they are as sound as the others.
    """
    batch = suite.read(file, {}, now)
    rows = list(_unfinished(file))
    if not rows:
        return batch, {}
    lines = "".join(as_json_line({**row, "n": row["n"] or 1}) + "\n" for row in rows)
    missing = suite.read(replace(file, text=lines), {}, now)
    placed = [(cell, rows[cell.row_number - 1]) for cell in missing.cells]
    problems = {(problem.source, problem.external_id): problem for problem in (*batch.problems, *missing.problems)}
    return (
        replace(
            batch,
            problems=tuple(problems.values()),
            cells=(*batch.cells, *(replace(cell, n=0) for cell, row in placed if row["n"] == 0)),
        ),
        {
            (cell.model, cell.source, cell.problem, cell.item): (row["pending"], row["judge_errors"])
            for cell, row in placed
        },
    )


def _unfinished(file: SourceFile) -> Iterator[dict[str, Any]]:
    """The rows of a file, read before, that have answers without a verdict. Raises InvalidImport."""
    bad = []
    for line, row in _rows(file):
        faults = {name: row[name] or 0 for name in ("pending", "judge_errors")}
        for name, count in faults.items():
            if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= _MOST:
                bad.append(BadRow(file.name, line, f"{name} is not a whole number from 0 to {_MOST}"))
        if row["n"] == 0 or any(faults.values()):
            yield {name: row[name] for name in COLUMNS[Table.CELLS]} | faults
    if bad:
        raise InvalidImport("bad rows", bad)


def _rows(file: SourceFile) -> Iterator[tuple[int, Any]]:
    if file.text.lstrip().startswith("{"):
        yield from json_lines(file)
        return
    reader = csv.DictReader(io.StringIO(file.text, newline=""))
    for row in reader:
        yield reader.line_num, {name: from_csv_cell(kind, row[name]) for name, kind in COLUMNS[Table.CELLS].items()}
