"""Windows that a page names, and those in which half of the rows are clean: the longest, and the newest to open on."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.boards.entrants import BoardEntrants
from app.domain.boards.selection import Selection
from app.domain.cube.cube import Cube
from app.domain.metrics.intervals import Ints
from app.domain.windows import FIRST_DAY, Window

Flags = NDArray[np.bool_]

# On larger boards each row counts as judged on all days, since reading every answer would take too long.
_MAX_RESULTS_READ = 250_000
# A board over fewer contests says too little to open on: its intervals are wide, and none is resampled.
MIN_OPENING_CONTESTS: Final = 10
# The shortest first. All dates are a preset as well: `Window()`.
PRESET_DAYS: Final[Mapping[str, int]] = MappingProxyType({"3m": 91, "6m": 183, "12m": 365})


class RowExposures(NamedTuple):
    """Exposure and judging of rows by the `days` of the selected problems (ordinals, ascending, distinct).

    `cutoff` holds the last day up to which each row's model may have seen every problem; `judged` says whether a row is
    judged on a problem of a day, `sent` whether its vendor had been sent one, both of shape (days, rows), or (days, 1)
    if all rows are alike.
    """

    days: Ints
    cutoff: Ints
    judged: Flags
    sent: Flags


def clean_window(cube: Cube, selection: Selection, field: BoardEntrants, asked: Window) -> Window | None:
    """Return the longest window in which half of the entrants are clean, if the query leaves most without a rank."""
    if not selection.days.size or 2 * np.count_nonzero(field.unfit) <= field.unfit.size:
        return None
    return longest_clean_window(_row_exposures(cube, selection, field), asked)


def opening_window(cube: Cube, selection: Selection, field: BoardEntrants, choices: Iterable[Window]) -> Window | None:
    """Return the first of the windows over ten contests or more in which half of the entrants are clean; else None."""
    if not selection.days.size:
        return None
    contests = cube.axes.block_cluster[cube.axes.block[selection.chosen]]
    return first_telling_window(_row_exposures(cube, selection, field), selection.days, contests, choices)


def _row_exposures(cube: Cube, selection: Selection, field: BoardEntrants) -> RowExposures:
    days, first = np.unique(selection.days, return_index=True)
    judged, sent = _judged_days(cube, selection, field, first), _sent_days(cube, selection, field, days)
    return RowExposures(days, field.lineup.cutoff[field.places], judged, sent)


def first_telling_window(
    rows: RowExposures, problem_days: Ints, contests: Ints, choices: Iterable[Window]
) -> Window | None:
    """Return the first window that holds ten contests or more and in which at least half of the rows are clean.

    None if there is none. `problem_days` and `contests` hold each problem's day and contest. A row is clean as in
    `longest_clean_window`.
    """
    if not rows.cutoff.size or not rows.days.size:
        return None
    for window in choices:
        start = 0 if window.start is None else window.start.toordinal()
        end = int(rows.days[-1]) + 1 if window.end is None else window.end.toordinal()
        inside = (problem_days >= start) & (problem_days < end)
        if np.unique(contests[inside]).size < MIN_OPENING_CONTESTS:
            continue
        days = slice(*np.searchsorted(rows.days, [start, end]))
        first = rows.days[days][0]
        clean = rows.judged[days].any(axis=0) & ~rows.sent[days].any(axis=0) & (rows.cutoff < first)
        if 2 * np.count_nonzero(clean) >= rows.cutoff.size:
            return window
    return None


def _judged_days(cube: Cube, selection: Selection, field: BoardEntrants, first: Ints) -> Flags:
    """Return `judged` of the records; `first` holds the place of each day's first problem."""
    rows = np.flatnonzero(selection.chosen)
    if rows.size * field.columns.size > _MAX_RESULTS_READ:
        return np.ones((first.size, 1), dtype=bool)
    graded = np.concatenate([graded for _, (_, graded) in cube.pass_rates(rows, field.columns)])
    judged: Flags = np.logical_or.reduceat(graded, first, axis=0)
    return judged


def _sent_days(cube: Cube, selection: Selection, field: BoardEntrants, days: Ints) -> Flags:
    seen = field.lineup.seen_problems(cube.axes)
    place = np.full(len(cube.axes.runs), -1, dtype=np.int64)
    place[field.columns] = np.arange(field.columns.size)
    here = selection.chosen[seen.rows] & (place[seen.columns] >= 0)
    if not here.any():
        return np.zeros((days.size, 1), dtype=bool)
    sent = np.zeros((days.size, field.columns.size), dtype=bool)
    sent[np.searchsorted(days, cube.axes.day[seen.rows[here]]), place[seen.columns[here]]] = True
    return sent


def longest_clean_window(rows: RowExposures, asked: Window) -> Window | None:
    """Return the longest window inside `asked` in which at least half of the rows are clean; the later one on a tie.

    None if there is none. A row is clean in a window that begins after its cutoff, holds no problem that its vendor had
    been sent, and holds one that it is judged on. Windows are measured between the first and the last day; one that
    reaches either is as open there as `asked`.
    """
    need = -(-rows.cutoff.size // 2)
    if not need or not rows.days.size:
        return None
    first, last, limit = int(rows.days[0]), int(rows.days[-1]), int(rows.days[-1]) + 1
    least = int(np.partition(rows.cutoff, need - 1)[need - 1]) + 1  # before it, less than half are clean
    judged, sent = _next_flagged_day(rows.judged, rows.days, limit), _next_flagged_day(rows.sent, rows.days, limit)
    best = (0, 0, 0)
    # A longest window begins on the first day, or right after a day that some row may have seen.
    starts = np.unique(np.concatenate(([first], rows.cutoff + 1, rows.days[rows.sent.any(axis=1)] + 1)))
    for start in starts[(starts >= max(first, least)) & (starts <= last)].tolist():
        if limit - start < best[0]:
            break  # later windows are shorter still
        place = np.searchsorted(rows.days, start)
        opened, closed = np.broadcast_arrays(judged[place], sent[place], rows.cutoff)[:2]
        clean = (opened < closed) & (rows.cutoff < start)
        end = _latest_end(opened[clean], closed[clean], start, need)
        best = max(best, (end - start, start, end))
    length, start, end = best
    if not length:
        return None
    return Window(
        asked.start if start == first else date.fromordinal(start), asked.end if end > last else date.fromordinal(end)
    )


def _latest_end(opened: Ints, closed: Ints, start: int, need: int) -> int:
    """Return the latest end of a window from `start` in which at least `need` rows are clean; `start` if there is none.

    Each row is clean in windows that end after the next problem it is judged on, and by the next one it had been sent.
    """
    closed = np.sort(closed)
    # The latest end is where a row stops being clean: up to there one more day costs nothing.
    clean = np.searchsorted(np.sort(opened), closed, side="left") - np.searchsorted(closed, closed, side="left")
    ends = closed[clean >= need]
    return int(ends[-1]) if ends.size else start


def _next_flagged_day(flags: Flags, days: Ints, limit: int) -> Ints:
    """Return, from each day on and after the last, the next day with a flag, of shape (days + 1, rows).

    `limit` stands for none.
    """
    places = np.where(flags, np.arange(days.size)[:, None], days.size)
    following = np.minimum.accumulate(places[::-1], axis=0)[::-1]
    next_days: Ints = np.append(days, limit)[np.vstack((following, np.full(flags.shape[1], days.size)))]
    return next_days


def preset_windows(today: date, newest: date | None) -> dict[str, tuple[Window, date | None]]:
    """Return the windows by name, the shortest first and all dates last, each with the day it counts back from.

    They count back from today, which is None; if the newest problem is older than a preset is long, from that.
    """
    windows: dict[str, tuple[Window, date | None]] = {}
    for name, days in PRESET_DAYS.items():
        first = max(today - timedelta(days=days), FIRST_DAY)
        end = newest if newest is not None and newest < first else None
        start = first if end is None else max(end - timedelta(days=days), FIRST_DAY)
        windows[name] = Window(start), end
    return {**windows, "all": (Window(), None)}
