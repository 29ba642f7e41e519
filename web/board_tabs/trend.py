"""Scores of rows by month of release, with each model's cutoff as a rule: a drop right of it is a sign of exposure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Final

from app.domain.boards.board import BoardRow
from app.domain.cube.facts import CutoffBasis
from app.domain.metrics.curves import MonthMean
from app.domain.windows import Window
from app.services.boards.board_views import BoardView
from app.services.evidence.row_comparison import name_of
from app.services.evidence.score_trends import RowTrend, row_trends
from web.board_tabs import board_href, row_key, row_name
from web.board_tabs.charts import AxisTick, ChartLine
from web.context import PageRequest

MAX_ROWS: Final = 6
_SMALL_ROWS: Final = 3
_MAX_CHOICES: Final = 60
_ROW: Final = "m"
_MAX_MONTHS: Final = 24


@dataclass(frozen=True, slots=True)
class MonthDot:
    """A month in the chart, in percent; `seen` is true if its first day lies up to the cutoff."""

    month: MonthMean
    x: float
    y: float
    lo: float | None
    hi: float | None
    seen: bool


@dataclass(frozen=True, slots=True)
class TrendChart:
    """A row's chart: `band` is the (left, width) of the board's window, `cutoff` the place of the cutoff or None.

    `is_declared` is false if the cutoff is only a bound.
    """

    row: BoardRow
    key: str
    name: str
    dots: tuple[MonthDot, ...]
    lines: tuple[ChartLine, ...]
    ticks: tuple[AxisTick, ...]
    band: tuple[float, float] | None
    cutoff: float | None
    is_declared: bool


@dataclass(frozen=True, slots=True)
class RowChoice:
    """A row that a chart can be chosen for: its name in addresses, and as readers name it."""

    value: str
    name: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class TrendView:
    """The charts of some rows on one axis of months; `more` counts the rows without a chart.

    `choices` are the rows of the form that chooses them, and `kept` its hidden fields.
    """

    charts: tuple[TrendChart, ...]
    months: tuple[date, ...]
    more: int
    table: str
    choices: tuple[RowChoice, ...] = ()
    kept: tuple[tuple[str, str], ...] = ()
    action: str = ""


def trend_params(page: PageRequest) -> list[tuple[str, str]]:
    """Return the rows that the address chooses, at most as many as have room; the others are dropped."""
    return [(_ROW, name) for name in _chosen_names(page)[:MAX_ROWS]]


def _chosen_names(page: PageRequest) -> list[str]:
    return list(dict.fromkeys(value for name, value in page.params if name == _ROW and value))


def trend_view(page: PageRequest, view: BoardView, *, small: bool = False) -> TrendView:
    """Return the charts of the chosen rows of the board, else of the first; of fewer if small, for below the table."""
    asked = [] if small else _chosen_names(page)
    rows = [row for row in view.board.rows if name_of(row) in asked][:MAX_ROWS]
    rows = rows or list(view.board.rows[: _SMALL_ROWS if small else MAX_ROWS])
    with page.state.sessions() as session:
        trends = row_trends(session, view.board.query, page.state.cubes, rows, _MAX_MONTHS)
    months = _months(trends)
    return TrendView(
        charts=tuple(_chart(trend, months, view.board.query.window) for trend in trends) if len(months) > 1 else (),
        months=months,
        more=len(view.board.rows) - len(rows),
        table="" if small else board_href(page),
        choices=() if small else _row_choices(view.board.rows, rows),
        kept=tuple(pair for pair in page.params if pair[0] != _ROW),
        action=page.href(page.path),
    )


def _row_choices(every: Sequence[BoardRow], shown: Sequence[BoardRow]) -> tuple[RowChoice, ...]:
    """Return the rows to choose from, the first of the board; none of a single one."""
    if len(every) < 2:
        return ()
    return tuple(RowChoice(name_of(row), row_name(row), row in shown) for row in every[:_MAX_CHOICES])


def _months(trends: Sequence[RowTrend]) -> tuple[date, ...]:
    """Return every calendar month from the first to the last one with a score."""
    numbers = [_number(month.first) for trend in trends for month in trend.months]
    if not numbers:
        return ()
    return tuple(date(number // 12, number % 12 + 1, 1) for number in range(min(numbers), max(numbers) + 1))


def _number(day: date) -> int:
    return 12 * day.year + day.month - 1


def _chart(trend: RowTrend, months: Sequence[date], window: Window) -> TrendChart:
    first, width = _number(months[0]), 100 / len(months)

    def place(day: date) -> float:
        """Return the place of a day in percent; months are equally wide."""
        return round(min(max((_number(day) - first + (day.day - 1) / 31) * width, 0.0), 100.0), 2)

    cutoff = trend.row.fact.cutoff_on
    dots = tuple(
        MonthDot(
            month=month,
            x=round((_number(month.first) - first + 0.5) * width, 2),
            y=round(100 - month.score, 2),
            lo=None if month.lo is None else round(100 - month.lo, 2),
            hi=None if month.hi is None else round(100 - month.hi, 2),
            seen=cutoff is not None and month.first <= cutoff,
        )
        for month in trend.months
    )
    left = 0.0 if window.start is None else place(window.start)
    right = 100.0 if window.end is None else place(window.end)
    inside = cutoff is not None and first <= _number(cutoff) < first + len(months)
    return TrendChart(
        row=trend.row,
        key=row_key(trend.row),
        name=row_name(trend.row),
        dots=dots,
        lines=tuple(ChartLine(one.x, one.y, other.x, other.y) for one, other in pairwise(dots)),
        ticks=tuple(_ticks(months, width)),
        band=(left, round(right - left, 2)) if window != Window() and right > left else None,
        cutoff=place(cutoff) if cutoff is not None and inside else None,
        is_declared=trend.row.fact.cutoff_basis in {CutoffBasis.DECLARED, CutoffBasis.LISTED},
    )


def _ticks(months: Sequence[date], width: float) -> list[AxisTick]:
    """Return the first and the last month, and the middle one if there is room."""
    places = sorted({0, len(months) - 1} | ({len(months) // 2} if len(months) > 6 else set()))
    return [AxisTick(f"{months[place]:%Y-%m}", round((place + 0.5) * width, 2)) for place in places]
