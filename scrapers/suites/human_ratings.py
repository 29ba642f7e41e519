"""Ratings of all people of Codeforces: a CSV histogram (rating, count), one rating a line, or a JSON list.

CodeElo publishes them as a list. The file is one fact: without a row the percentiles of all others would be wrong, so a
bad row refuses the file.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from app.domain.errors import BadRow
from app.domain.imports import ImportBatch
from scrapers.suite import SourceFile, Suite, read_json, refuse_bad_rows
from scrapers.suites._common import fields
from scrapers.suites._common.numbers import read_table, whole_number

# Range of ratings on any site of rated contests, with room to spare.
_MIN_RATING, _MAX_RATING, _MAX_PEOPLE = -1_000, 10_000, 100_000_000


def _read(file: SourceFile, _options: Mapping[str, str], _now: datetime) -> ImportBatch:
    counts: Counter[float] = Counter()
    unknown = fields.UnknownKeys(("rating", "count"), "column")
    for rating, count in _people(file, unknown):
        counts[rating] += count
    if not counts.total():
        refuse_bad_rows([BadRow(file.name, 1, "the file holds no rating")])
    return ImportBatch(
        kind="human-ratings",
        file_sha256=file.sha256,
        file_name=file.name,
        sources=(),
        humans=tuple(sorted((rating, count) for rating, count in counts.items() if count)),
        notes=unknown.notes,
    )


def _people(file: SourceFile, unknown: fields.UnknownKeys) -> Iterable[tuple[float, int]]:
    if file.text.lstrip().startswith("["):
        return _json(file)
    return _histogram(file, unknown) if "," in file.text.partition("\n")[0] else _list(file)


def _json(file: SourceFile) -> Iterator[tuple[float, int]]:
    bad: list[BadRow] = []
    for place, value in enumerate(read_json(file), start=1):
        try:
            yield _rating(str(value)), 1
        except ValueError as broken:
            bad.append(BadRow(file.name, 1, f"number {place}: {broken}"))
    refuse_bad_rows(bad)


def _histogram(file: SourceFile, unknown: fields.UnknownKeys) -> list[tuple[float, int]]:
    def row(cells: dict[str, str]) -> tuple[float, int]:
        unknown.note_keys(f"{file.name}:1", cells)
        return _rating(cells["rating"]), whole_number("count", cells["count"], 0, _MAX_PEOPLE)

    people, bad = read_table(file, ("rating", "count"), row)
    refuse_bad_rows(bad)
    return people


def _list(file: SourceFile) -> Iterator[tuple[float, int]]:
    bad: list[BadRow] = []
    for line, text in enumerate(file.text.splitlines(), start=1):
        if not text.strip() or (line == 1 and text.strip() == "rating"):
            continue
        try:
            yield _rating(text.strip()), 1
        except ValueError as broken:
            bad.append(BadRow(file.name, line, str(broken)))
    refuse_bad_rows(bad)


def _rating(text: str) -> float:
    return float(whole_number("rating", text, _MIN_RATING, _MAX_RATING))


SUITE = Suite("human-ratings", "Ratings of all people of Codeforces", _read, {})
