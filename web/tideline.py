"""The tideline: problems a week, the window, and models' cutoffs, over the days from the first problem to the last."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from urllib.parse import urlencode

from app.domain.boards.board import BoardQuery
from app.domain.windows import Window
from app.services.boards.query import to_params

HEIGHT = 30  # of the tallest week, in the drawing's own units
_MAX_LABELS = 12
_WEEK = 7
# With more weeks than this the gap between two of them is no longer seen.
_MAX_GAPS = 260
_Place = Callable[[date], float]


@dataclass(frozen=True, slots=True)
class MonthTick:
    """A tick of the axis, with its place in percent."""

    label: str
    x: float


@dataclass(frozen=True, slots=True)
class CutoffFlag:
    """A cutoff, its place in percent, and the models that have it."""

    day: date
    x: float
    models: str


@dataclass(frozen=True, slots=True)
class Tideline:
    """The strip from day `first` to day `last`.

    `bars` is the path of the weeks' bars, one unit a day wide; `counts` are the problems by day, each day as
    "days since the one before:problems". `start` and `end` are the window's days counted from `first`, `window` the
    window itself. `earlier` and `later` count the cutoffs outside the strip.
    """

    first: date
    last: date
    problems: int
    bars: str
    counts: str
    months: tuple[MonthTick, ...]
    flags: tuple[CutoffFlag, ...]
    earlier: int
    later: int
    window: Window
    start: int
    end: int

    @property
    def days(self) -> int:
        """The number of days of the strip."""
        return (self.last - self.first).days

    @property
    def is_whole(self) -> bool:
        """True if the window leaves out no day of the strip."""
        return self.start == 0 and self.end == self.days

    def percent(self, day: int) -> float:
        """Return the place of a day counted from the first one."""
        return round(100 * day / self.days, 3)


def matrix_address(query: BoardQuery) -> str:
    """Return the address of the packed matrix from which a browser computes a board's scores in any window."""
    params = urlencode(to_params(replace(query, window=Window())))
    return f"/api/v1/boards/{query.board}/matrix" + (f"?{params}" if params else "")


def shift_day(day: date, days: int) -> date:
    """Return the date that many days later, or earlier if negative, limited to the calendar's ends."""
    return date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal()))


def tideline(
    days: Sequence[tuple[date, int]], window: Window, cutoffs: Mapping[str, date | None], today: date | None
) -> Tideline | None:
    """Return the strip for these (day, problems), in order, up to `today` if given; None if there are no days."""
    if not days:
        return None
    first, last = _monday(days[0][0]), shift_day(_monday(days[-1][0]), _WEEK)
    if today is not None:
        last = max(last, shift_day(today, 1))
    length = (last - first).days

    def place(day: date) -> float:
        return round(100 * (day - first).days / length, 3)

    def inside(day: date | None, default: int) -> int:
        return default if day is None else min(max((day - first).days, 0), length)

    dates = [day for day in cutoffs.values() if day is not None]
    return Tideline(
        first=first,
        last=last,
        problems=sum(problems for _day, problems in days),
        bars=_bars(days, first, length),
        counts=" ".join(_count_pairs(days, first)),
        months=tuple(_months(first, last, place)),
        flags=tuple(_flags(cutoffs, first, last, place)),
        earlier=sum(day < first for day in dates),
        later=sum(day > last for day in dates),
        window=window,
        start=inside(window.start, 0),
        end=inside(window.end, length),
    )


def _monday(day: date) -> date:
    return shift_day(day, -day.weekday())


def _bars(days: Sequence[tuple[date, int]], first: date, length: int) -> str:
    """Return one bar a week as a path, the tallest `HEIGHT` high."""
    weeks = Counter[int]()
    for day, problems in days:
        weeks[(day - first).days // _WEEK] += problems
    tallest, width = max(weeks.values()), _WEEK if length > _MAX_GAPS * _WEEK else _WEEK - 1
    tops = ((week, round(HEIGHT * (1 - problems / tallest), 1)) for week, problems in weeks.items())
    return "".join(f"M{week * _WEEK} {HEIGHT}V{top:g}h{width}V{HEIGHT}z" for week, top in tops)


def _count_pairs(days: Sequence[tuple[date, int]], first: date) -> Iterator[str]:
    before = first
    for day, problems in days:
        yield f"{(day - before).days}:{problems}"
        before = day


def _months(first: date, last: date, place: _Place) -> Iterator[MonthTick]:
    starts = [
        date(year, month, 1)
        for year in range(first.year, last.year + 1)
        for month in range(1, 13)
        if first <= date(year, month, 1) < last
    ]
    step = next(months for months in (1, 2, 3, 6, 12, 24, 60, 120, 1200) if len(starts) / months <= _MAX_LABELS)
    for day in starts:
        # A label is centred below its line, so lines at the ends have no room for one.
        if (day.year * 12 + day.month - 1) % step == 0 and 3 <= place(day) <= 97:
            yield MonthTick(f"{day:%Y-%m}", place(day))


def _flags(cutoffs: Mapping[str, date | None], first: date, last: date, place: _Place) -> Iterator[CutoffFlag]:
    days: dict[date, list[str]] = {}
    for name, day in cutoffs.items():
        if day is not None and first <= day <= last:
            days.setdefault(day, []).append(name)
    for day, names in sorted(days.items()):
        yield CutoffFlag(day, place(day), ", ".join(names[:12]) + (" …" if len(names) > 12 else ""))
