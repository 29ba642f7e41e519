"""Standings of a contest with people's ratings before it, as CSV; names are not read.

The header names points, penalty and old_rating; actual_delta is read if there is one. A person without an old rating
took part unrated. Places follow from points and penalty, so standings are one fact: without a row the places below it
would be wrong, and a bad row refuses the file.
"""

from bisect import bisect_left
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from app.domain.errors import BadRow
from app.domain.imports import ImportBatch, ImportedStandings
from scrapers.suite import SourceFile, Suite, check_not_empty, refusal, refuse_bad_rows
from scrapers.suites._common import fields
from scrapers.suites._common.numbers import number, read_table, whole_number

_SOURCE = "codeforces"
# Participants, places and an extension's ratings are not read.
_COLUMNS = frozenset(
    {"points", "penalty", "old_rating", "actual_delta", "participant", "handle", "name", "rank", "place",
     "carrot_performance"}
)  # fmt: skip
_MAX_POINTS = 1e9  # points and penalties
_MAX_RATING = 10_000


class _Person(NamedTuple):
    points: float
    penalty: float
    old: int | None
    new: int | None


def _read(file: SourceFile, options: Mapping[str, str], _now: datetime) -> ImportBatch:
    try:
        contest = fields.identifier({"--contest": options.get("contest")}, "--contest")
    except ValueError as missing:
        raise refusal(BadRow(file.name, 1, f"{missing}: say whose standings these are")) from missing
    unknown = fields.UnknownKeys(_COLUMNS, "column")

    def row(cells: dict[str, str]) -> _Person:
        unknown.note_keys(f"{file.name}:1", cells)
        return _person(cells)

    people, bad = read_table(file, ("points", "penalty", "old_rating"), row)
    refuse_bad_rows(bad)
    check_not_empty(people, bad, file, "the file holds nobody")
    order = sorted((-person.points, person.penalty) for person in people)
    rows = sorted(
        (
            (
                1 + bisect_left(order, (-person.points, person.penalty)),
                person.points,
                person.penalty,
                person.old,
                person.new,
            )
            for person in people
        ),
        key=lambda row: (row[0], row[3] is None, -(row[3] or 0), -(row[4] or 0)),
    )
    return ImportBatch(
        kind="standings",
        file_sha256=file.sha256,
        file_name=file.name,
        sources=(),
        standings=(ImportedStandings(_SOURCE, contest, tuple(rows)),),
        notes=unknown.notes,
    )


def _person(cells: dict[str, str]) -> _Person:
    points, penalty = (number(name, cells[name], -_MAX_POINTS, _MAX_POINTS) for name in ("points", "penalty"))
    old = whole_number("old_rating", cells["old_rating"], -_MAX_RATING, _MAX_RATING) if cells["old_rating"] else None
    delta = cells.get("actual_delta", "")
    change = whole_number("actual_delta", delta, -_MAX_RATING, _MAX_RATING) if delta else None
    return _Person(points, penalty, old, None if old is None or change is None else old + change)


SUITE = Suite("standings", "Standings of a Codeforces contest", _read, {"contest": ()})
