"""A model's scores by month of release, as places in a chart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

# Places are in percent of the chart's width; the labels of the scale stand left of it.
_LEFT: Final = 7.0
_WIDTH: Final = 100.0 - _LEFT - 1.0
_MAX_LABELS: Final = 4


@dataclass(frozen=True, slots=True)
class MonthMark:
    """A month with judged problems: its mean and interval, in percent and as heights in percent from the top.

    `lo` and `hi` are None if there is no interval. `seen` says that the month began by the cutoff.
    """

    month: str
    score: float
    n: int
    x: float
    y: float
    lo: float | None
    hi: float | None
    seen: bool


@dataclass(frozen=True, slots=True)
class MonthTrend:
    """The months of one row, the place of the cutoff if it lies between them, and (place, month) of the labels."""

    marks: tuple[MonthMark, ...]
    cutoff: float | None
    labels: tuple[tuple[float, str], ...]


def trend_chart(months: Sequence[Mapping[str, Any]], cutoff: str | None) -> MonthTrend | None:
    """Return the chart of a row's months, from left to right; None if there are fewer than two."""
    if len(months) < 2:
        return None
    first, last = (_month_number(months[place]["first"]) for place in (0, -1))
    # Every month is equally wide, even without a problem.
    width = _WIDTH / (last - first + 1)

    def middle(number: int) -> float:
        return round(_LEFT + (number - first + 0.5) * width, 2)

    marks = tuple(
        MonthMark(
            month=month["first"][:7],
            score=month["score"],
            n=month["n"],
            x=middle(_month_number(month["first"])),
            y=round(100 - month["score"], 2),
            lo=None if month["lo"] is None else round(100 - month["lo"], 2),
            hi=None if month["hi"] is None else round(100 - month["hi"], 2),
            seen=cutoff is not None and month["first"] <= cutoff,
        )
        for month in months
    )
    step = ceil((last - first + 1) / _MAX_LABELS)
    labels = tuple((middle(number), _month_text(number)) for number in range(first, last + 1, step))
    if cutoff is None or not marks[0].month <= cutoff[:7] <= marks[-1].month:
        return MonthTrend(marks, None, labels)
    day = (_month_number(cutoff) - first + int(cutoff[8:10]) / 31) * width
    return MonthTrend(marks, round(_LEFT + day, 2), labels)


def _month_number(day: str) -> int:
    """Return the number of months since the year 0."""
    return 12 * int(day[:4]) + int(day[5:7]) - 1


def _month_text(number: int) -> str:
    year, month = divmod(number, 12)
    return f"{year:04}-{month + 1:02}"
