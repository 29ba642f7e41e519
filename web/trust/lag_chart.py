"""Chart of a source's freshness: how long after its end each contest was here."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import log1p
from statistics import median
from typing import Final

_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86400.0
# The lines of the scale: a lag is read against an hour and a day.
_MARKS: Final = (("min", 10, 10 * _MINUTE), ("h", 1, _HOUR), ("d", 1, _DAY))


@dataclass(frozen=True, slots=True)
class LagDot:
    """One contest: its place in percent, from the top and from the left."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class LagMark:
    """A line of the scale: an amount in a unit of time, and its place from the top in percent."""

    unit: str
    amount: int
    y: float


@dataclass(frozen=True, slots=True)
class LagChart:
    """The lags of one source's contests on a logarithmic scale that all sources share."""

    dots: tuple[LagDot, ...]
    marks: tuple[LagMark, ...]
    median_s: float
    worst_s: float


def lag_chart(lags: Sequence[tuple[datetime, float]], now: datetime, period: timedelta) -> LagChart | None:
    """Return the lags over the period before now, each an end and the seconds after it; None without any.

    The scale is log(1 + minutes), from 0 to a day, or to the worst lag if that is longer.
    """
    if not lags:
        return None
    seconds = [lag for _, lag in lags]
    worst = max(seconds)
    top = log1p(max(worst, _DAY) / _MINUTE)

    def height(lag: float) -> float:
        return round(100 * (1 - log1p(max(lag, 0.0) / _MINUTE) / top), 2)

    def place(at: datetime) -> float:
        return round(100 * min(max(1 - (now - at) / period, 0.0), 1.0), 2)

    return LagChart(
        dots=tuple(LagDot(place(ended_at), height(lag)) for ended_at, lag in lags),
        marks=tuple(LagMark(unit, amount, height(span)) for unit, amount, span in _MARKS),
        median_s=median(seconds),
        worst_s=worst,
    )
