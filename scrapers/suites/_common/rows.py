"""Reader of files with one problem a row: JSON lines, or one JSON list. Bad rows are listed; the others are read."""

from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import datetime
from typing import Any

from app.domain.errors import BadRow
from app.domain.imports import ImportBatch, ImportedProblem, ImportedSource
from scrapers.suite import SourceFile, check_not_empty, check_storable, json_lines, read_json
from scrapers.suites._common import fields
from scrapers.suites._common.leetcode import ROW_ERRORS, bad_row

# A problem, and a note for the person who imports it ("" for none).
ProblemAndNote = tuple[ImportedProblem, str]


def problems_reader(
    kind: str,
    sources: tuple[ImportedSource, ...],
    problem: Callable[[fields.Row, datetime], ProblemAndNote],
    known: Collection[str],
) -> Callable[[SourceFile, Mapping[str, str], datetime], ImportBatch]:
    """Return the `read` of a suite of problems; `problem` makes one of a row and raises ValueError and the like if it
    cannot.

    `known` are the keys that rows of the format have (`fields.UnknownKeys`); others are named in the notes. Of rows
    that name the same problem the first counts.
    """

    def read(file: SourceFile, _options: Mapping[str, str], now: datetime) -> ImportBatch:
        problems: list[ImportedProblem] = []
        notes: list[str] = []
        unknown = fields.UnknownKeys(known)
        bad: list[BadRow] = []
        numbers: dict[tuple[str, str], int] = {}
        for number, (line, row) in enumerate(_rows(file), start=1):
            try:
                if isinstance(row, Exception):
                    raise row
                check_storable(row)
                unknown.note_keys(f"{file.name}:{line}", fields.as_object(row))
                item, note = problem(row, now)
                # Escapes inside a text are values now, as in '"\\ud800"'.
                check_storable((item.tags, [(test.input, test.expected) for test in item.tests]))
                first = numbers.setdefault((item.source, item.external_id), number)
                if first != number:
                    raise ValueError(f"{item.external_id} appears twice; first in row {first}")
            except ROW_ERRORS as broken:
                bad.append(bad_row(file.name, line, broken))
                continue
            problems.append(item)
            if note:
                notes.append(f"{item.external_id}: {note}")
        check_not_empty(problems, bad, file, "the file holds no problem")
        return ImportBatch(
            kind=kind,
            file_sha256=file.sha256,
            file_name=file.name,
            sources=sources,
            problems=tuple(problems),
            bad_rows=tuple(bad),
            notes=(*unknown.notes, *notes),
        )

    return read


def _rows(file: SourceFile) -> Iterator[tuple[int, Any]]:
    """Yield (line, value) of each row; rows of a JSON list all get the line on which the list begins."""
    if not file.text.lstrip().startswith("["):
        yield from json_lines(file)
        return
    line = file.text[: len(file.text) - len(file.text.lstrip())].count("\n") + 1
    for row in read_json(file):
        yield line, row
