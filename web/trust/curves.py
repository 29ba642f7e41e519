"""The points of a small chart of a model's months."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Point:
    """A mean with its interval as heights in percent from the top; `lo` is None if there is no interval."""

    x: float
    y: float
    lo: float | None
    hi: float | None
    title: str
    before: bool


@dataclass(frozen=True, slots=True)
class Curve:
    """The months of one row, with the place of its cutoff in percent if it lies between them."""

    points: tuple[Point, ...]
    cutoff: float | None


def curve(months: Sequence[Mapping[str, Any]], cutoff: str | None) -> Curve | None:
    """Return a row's months from left to right; None if there are fewer than two."""
    if len(months) < 2:
        return None
    first, last = (_number(months[place]["first"]) for place in (0, -1))
    # Every month is equally wide, even without a problem.
    width = 100 / (last - first + 1)

    def place(day: str) -> float:
        return (_number(day) - first) * width

    points = tuple(
        Point(
            x=round(place(month["first"]) + width / 2, 2),
            y=100 - month["score"],
            lo=None if month["lo"] is None else round(100 - month["lo"], 2),
            hi=None if month["hi"] is None else round(100 - month["hi"], 2),
            title=f"{month['first'][:7]}: {month['score']:.1f} (n = {month['n']})",
            before=cutoff is not None and month["first"] <= cutoff,
        )
        for month in months
    )
    if cutoff is None or not months[0]["first"][:7] <= cutoff[:7] <= months[-1]["first"][:7]:
        return Curve(points, None)
    return Curve(points, round(place(cutoff) + width * int(cutoff[8:10]) / 31, 2))


def _number(day: str) -> int:
    """Return the number of months since the year 0."""
    return 12 * int(day[:4]) + int(day[5:7]) - 1
