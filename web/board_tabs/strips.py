"""The ratings of rows by contest, as points on one scale."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

_STEPS = (50, 100, 200, 500, 1000, 2000)
_MAX_TICKS = 8


@dataclass(frozen=True, slots=True)
class ContestDot:
    """One contest: its place in percent; `bound` is true if its rating is only a bound."""

    x: float
    bound: bool


@dataclass(frozen=True, slots=True)
class Strip:
    """One row: its contests, and the mean with its interval (None if there is none), in percent.

    `least` and `most` are the ratings at its ends.
    """

    row: Mapping[str, Any]
    dots: tuple[ContestDot, ...]
    mean: float
    lo: float | None
    hi: float | None
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Tick:
    """A rating on the scale, and its place in percent."""

    rating: int
    x: float


@dataclass(frozen=True, slots=True)
class Strips:
    """All rows under one scale."""

    rows: tuple[Strip, ...]
    ticks: tuple[Tick, ...]


def strips(rows: Sequence[Mapping[str, Any]]) -> Strips | None:
    """Return the rows that have a rating, in their order; None if no row was rated in two contests.

    The scale covers every contest's rating; an end of an interval beyond it is at the scale's end.
    """
    rated_rows = [row for row in rows if row["by_contest"]]
    if all(len(row["by_contest"]) < 2 for row in rated_rows):
        return None
    ratings: list[float] = [rating["rating"] for row in rated_rows for rating in row["by_contest"]]
    least, most = min(ratings), max(ratings)
    step = next((step for step in _STEPS if (most - least) / step < _MAX_TICKS - 1), _STEPS[-1])
    first, last = step * floor(least / step), max(step * ceil(most / step), step * floor(least / step) + step)

    def place(rating: float) -> float:
        share = float(rating - first) / (last - first)
        return 100 * min(max(round(share, 4), 0.0), 1.0)

    def strip(row: Mapping[str, Any]) -> Strip:
        contest_ratings = [(rating["rating"], rating["censored"]) for rating in row["by_contest"]]
        lo, hi = (None if row[end] is None else place(row[end]) for end in ("lo", "hi"))
        dots = tuple(ContestDot(place(rating), bound) for rating, bound in contest_ratings)
        return Strip(row, dots, place(row["rating"]), lo, hi, min(contest_ratings)[0], max(contest_ratings)[0])

    ticks = tuple(Tick(rating, place(rating)) for rating in range(first, last + 1, step))
    return Strips(tuple(strip(row) for row in rated_rows), ticks)
