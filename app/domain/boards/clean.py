"""The longest window in which half of the rows are clean: what to look at where most models have seen too much."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

import numpy as np

from app.domain.boards.entrants import Entrants
from app.domain.boards.selection import Selection
from app.domain.cube.cube import Cube
from app.domain.metrics.intervals import Ints
from app.domain.windows import Window

# Of larger boards each row counts as judged on all days: to read every answer would keep a reader waiting.
_MOST_READ = 250_000


class Record(NamedTuple):
    """What decides where a row is clean, as ordinals of days: the last of which its model may have seen every problem,
    those of later problems that its vendor had been sent, and those of problems that it is judged on (all ascending).
    """

    cutoff: int
    sent: Ints
    judged: Ints


def clean_window(cube: Cube, selection: Selection, field: Entrants, asked: Window) -> Window | None:
    """The longest window in which half of the entrants are clean, where that asked for leaves most without a rank."""
    if not selection.days.size or 2 * np.count_nonzero(field.unfit) <= field.unfit.size:
        return None
    seen, cutoffs = field.lineup.seen(cube.axes), field.lineup.cutoff[field.places]
    sent = selection.chosen[seen.rows]
    days, columns = cube.axes.day[seen.rows[sent]], seen.columns[sent]
    records = [
        Record(int(cutoff), np.unique(days[columns == column]), judged)
        for cutoff, column, judged in zip(cutoffs, field.columns, _judged(cube, selection, field), strict=True)
    ]
    return longest(records, asked, int(selection.days[0]), int(selection.days[-1]))


def _judged(cube: Cube, selection: Selection, field: Entrants) -> list[Ints]:
    """The days of the problems that each entrant is judged on."""
    rows = np.flatnonzero(selection.chosen)
    if rows.size * field.columns.size > _MOST_READ:
        return [np.unique(selection.days)] * field.columns.size
    parts = [graded for _, (_, graded) in cube.pass_rates(rows, field.columns)]
    graded = np.concatenate(parts)
    return [np.unique(selection.days[graded[:, place]]) for place in range(field.columns.size)]


def longest(records: Sequence[Record], asked: Window, first: int, last: int) -> Window | None:
    """The longest window inside `asked` in which at least half of the rows are clean; of two the later; None where
    there is none.

    A row is clean in a window that begins after its cutoff, holds no problem that it had been sent, and holds one that
    it is judged on. `first` and `last` are the days of the first and the last problem asked for, between which windows
    are measured; one that reaches either is as open there as `asked`.
    """
    need, best = -(-len(records) // 2), (0, 0, 0)
    # A window that cannot begin a day earlier begins on the first day, or after one that some row has seen.
    starts = {first, *(record.cutoff + 1 for record in records), *(int(day) + 1 for row in records for day in row.sent)}
    for start in sorted(day for day in starts if first <= day <= last):
        end = _latest_end(records, start, last + 1, need)
        best = max(best, (end - start, start, end))
    length, start, end = best
    if not need or not length:
        return None
    return Window(
        asked.start if start == first else date.fromordinal(start), asked.end if end > last else date.fromordinal(end)
    )


def _latest_end(records: Sequence[Record], start: int, limit: int, need: int) -> int:
    """The latest end, `limit` at most, of a window from `start` in which so many rows are clean; `start` for none.

    Each row is clean in windows that end after the next problem it is judged on, and by the next one it had been sent.
    """
    spans = [(_next(row.judged, start, limit), _next(row.sent, start, limit)) for row in records if row.cutoff < start]
    opened = np.sort([judged for judged, sent in spans if judged < sent])
    closed = np.sort([sent for judged, sent in spans if judged < sent])
    # Only where a row ends to be clean may the latest end lie: up to there one more day costs nothing.
    clean = np.searchsorted(opened, closed, side="left") - np.searchsorted(closed, closed, side="left")
    ends = closed[clean >= need]
    return int(ends[-1]) if ends.size else start


def _next(days: Ints, start: int, limit: int) -> int:
    """The first of the days from `start` on; `limit` where there is none before it."""
    place = int(np.searchsorted(days, start))
    return min(int(days[place]), limit) if place < days.size else limit
