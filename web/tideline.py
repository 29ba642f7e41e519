"""The tideline: problems per week, the window, and models' cutoffs, as positions in percent."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from app.domain.problems import Level
from app.domain.windows import Window

HEIGHT = 84
_LEVELS = (*Level, None)
_MAX_LABELS = 12
Place = Callable[[date], float]


@dataclass(frozen=True, slots=True)
class WeekCounts:
    """The problems released in the week from a Monday, counted by level; the key None is for those without one."""

    monday: date
    counts: Mapping[Level | None, int]


@dataclass(frozen=True, slots=True)
class BarSegment:
    """One level's part of a bar, in pixels from the top."""

    level: str
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class WeekBar:
    """One week; `inside` is true if the window contains some of it."""

    day: date
    x: float
    width: float
    problems: int
    inside: bool
    parts: tuple[BarSegment, ...]


@dataclass(frozen=True, slots=True)
class MonthTick:
    """A tick of the axis; minor ones are left out on small screens."""

    label: str
    x: float
    minor: bool


@dataclass(frozen=True, slots=True)
class CutoffFlag:
    """A cutoff and the models that have it."""

    day: date
    x: float
    models: str


@dataclass(frozen=True, slots=True)
class Tideline:
    """The whole strip from day `first` to day `last`; `earlier` and `later` count the cutoffs outside it."""

    first: date
    last: date
    problems: int
    bars: tuple[WeekBar, ...]
    months: tuple[MonthTick, ...]
    flags: tuple[CutoffFlag, ...]
    earlier: int
    later: int
    unrated: bool  # True if a problem has no level
    window_x: float
    window_width: float


def shift_day(day: date, days: int) -> date:
    """Return the date that many days later, or earlier if negative, limited to the calendar's ends."""
    return date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal()))


def tideline(
    weeks: Sequence[WeekCounts], window: Window, cutoffs: Mapping[str, date | None], today: date | None
) -> Tideline | None:
    """Return the strip for these weeks, up to `today` if given; None if there are no weeks.

    Weeks must be in order; those without problems may be missing.
    """
    if not weeks:
        return None
    first, last = weeks[0].monday, shift_day(weeks[-1].monday, 7)
    if today is not None:
        last = max(last, shift_day(today, 1))
    days = (last - first).days

    def at(day: date) -> float:
        return round(min(max((day - first).days / days, 0.0), 1.0) * 100, 3)

    dates = [day for day in cutoffs.values() if day is not None]
    tallest = max(sum(week.counts.values()) for week in weeks)
    start, end = window.start or first, window.end or last
    return Tideline(
        first=first,
        last=last,
        problems=sum(sum(week.counts.values()) for week in weeks),
        bars=tuple(_bar(week, window, at, tallest) for week in weeks),
        months=tuple(_months(first, last, at)),
        flags=tuple(_flags(cutoffs, first, last, at)),
        earlier=sum(day < first for day in dates),
        later=sum(day > last for day in dates),
        unrated=any(week.counts.get(None) for week in weeks),
        window_x=at(start),
        window_width=max(at(end) - at(start), 0.0),
    )


def _bar(week: WeekCounts, window: Window, at: Place, tallest: int) -> WeekBar:
    x, top, parts = at(week.monday), float(HEIGHT), []
    for level in _LEVELS:
        count = week.counts.get(level, 0)
        if count:
            height = round(count / tallest * (HEIGHT - 14), 2)
            top = round(top - height, 2)
            parts.append(BarSegment(level or "unrated", top, height))
    inside = (window.end is None or week.monday < window.end) and (
        window.start is None or shift_day(week.monday, 7) > window.start
    )
    width = round(max((at(shift_day(week.monday, 7)) - x) * 0.82, 0.15), 3)
    return WeekBar(week.monday, x, width, sum(week.counts.values()), inside, tuple(parts))


def _months(first: date, last: date, at: Place) -> Iterator[MonthTick]:
    starts = [
        date(year, month, 1)
        for year in range(first.year, last.year + 1)
        for month in range(1, 13)
        if first <= date(year, month, 1) < last
    ]
    step = next(months for months in (1, 2, 3, 6, 12, 24, 60, 120, 1200) if len(starts) / months <= _MAX_LABELS)
    ticks = [day for day in starts if ((day.year * 12 + day.month - 1) % step) == 0]
    for index, day in enumerate(ticks):
        if at(day) < 95:
            yield MonthTick(f"{day:%Y-%m}", at(day), minor=len(ticks) > 4 and index % 3 != 0)


def _flags(cutoffs: Mapping[str, date | None], first: date, last: date, at: Place) -> Iterator[CutoffFlag]:
    days: dict[date, list[str]] = {}
    for name, day in cutoffs.items():
        if day is not None and first <= day <= last:
            days.setdefault(day, []).append(name)
    for day, names in sorted(days.items()):
        yield CutoffFlag(day, at(day), ", ".join(names[:12]) + (" …" if len(names) > 12 else ""))
