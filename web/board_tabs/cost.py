"""Scores against what an answer costs: dots on a logarithmic axis, with the frontier and the top tier."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Final, NamedTuple

from app.domain.boards.board import BoardRow, RunUsage
from app.domain.errors import InvalidInput
from app.domain.metrics.frontier import log_ticks, pareto_frontier
from app.services.boards.board_views import BoardView
from web.board_page.links import Choice
from web.board_tabs import AXIS, TAB, board_href, row_key, row_name
from web.board_tabs.charts import AxisTick, ChartLine, DotLabel, LogScale, PlotDot, ScoreScale, place_labels
from web.context import PageRequest, query_value

# The least widths of the plot that labels are placed for, on a phone and on a wide page, and its heights, in pixels.
_NARROW_PX, _WIDE_PX, _HEIGHT_PX, _SMALL_HEIGHT_PX = 290, 640, 360, 240
_MAX_TICKS: Final = 6
# On a larger board the frontier is drawn, and the first rows; names are tried for the frontier and a few of the others.
_MAX_DOTS, _MAX_NAMES = 150, 20
# The least height of the band of the top tier, in points on either side.
_BAND_POINTS: Final = 1.0


class CostAxis(NamedTuple):
    """An amount a problem that scores are drawn against: how it is read from a row's usage and written."""

    name: str
    read: Callable[[RunUsage], float | None]
    write: Callable[[float], str]


def _tokens(usage: RunUsage) -> float | None:
    """Return the tokens that a row writes a problem; None if its endpoint does not count them."""
    kinds = (usage.tokens.reasoning, usage.tokens.answer)
    return None if all(kind is None for kind in kinds) else sum(kind or 0.0 for kind in kinds)


def _significant(value: float) -> str:
    """Return a number with two significant digits at least, and separated thousands."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def _dollars(value: float) -> str:
    return f"${value:,.2f}" if value >= 1 else f"${float(f'{value:.2g}'):.10f}".rstrip("0")


AXES: Mapping[str, CostAxis] = MappingProxyType(
    {
        axis.name: axis
        for axis in (
            CostAxis("cost", lambda usage: usage.cost_per_problem, _dollars),
            CostAxis("tokens", _tokens, _significant),
            CostAxis("seconds", lambda usage: usage.seconds_per_problem, _significant),
        )
    }
)


@dataclass(frozen=True, slots=True)
class CostDot:
    """A row in the plot, in percent; `is_top` says that it is of the top tier."""

    row: BoardRow
    key: str
    name: str
    amount: str
    x: float
    y: float
    on_frontier: bool
    is_top: bool


@dataclass(frozen=True, slots=True)
class CostView:
    """The plot of one axis.

    `frontier` are the lines through the rows that no cheaper row beats, `band` the (top, height) of the top tier's
    scores, None if there is no other tier. `labels` are of the dots with room in a narrow plot, `wide_labels` of those
    with room in a wide one. `free` counts rows whose amount is 0, `unknown` those without an amount or a score, `more`
    the lower rows of a large board: none of these is drawn. `table` is the address that leads to a row's line.
    `cheapest` are the name and the amount of the row of the top tier that has the least; None if that is 0 or unknown.
    """

    axis: str
    axes: tuple[Choice, ...]
    is_small: bool
    height: int
    table: str
    dots: tuple[CostDot, ...]
    frontier: tuple[ChartLine, ...]
    band: tuple[float, float] | None
    x_ticks: tuple[AxisTick, ...]
    y_ticks: tuple[AxisTick, ...]
    labels: tuple[DotLabel, ...]
    wide_labels: tuple[DotLabel, ...]
    free: int
    unknown: int
    more: int
    cheapest: tuple[str, str] | None


def cost_params(page: PageRequest) -> list[tuple[str, str]]:
    """Return the parameters of this tab that the address has. Raises InvalidInput for an unknown axis."""
    axis = _read_axis(page)
    return [(AXIS, axis)] if axis else []


def _read_axis(page: PageRequest) -> str:
    axis = query_value(page, AXIS) or ""
    if axis and axis not in AXES:
        raise InvalidInput(f'Unknown axis "{axis[:40]}". Known: {", ".join(AXES)}.', pointer=f"/{AXIS}")
    return axis


def cost_view(page: PageRequest, view: BoardView, *, small: bool = False) -> CostView:
    """Return the plot that the address asks for; a small one for below the table, whose rows are on the same page.

    Raises InvalidInput for an unknown axis.
    """
    asked = "" if small else _read_axis(page)
    amounts = {name: [axis.read(row.usage) for row in view.board.rows] for name, axis in AXES.items()}
    known = [name for name, values in amounts.items() if any(values)]
    axis = AXES[asked or next(iter(known), "cost")]
    pairs = list(zip(view.board.rows, amounts[axis.name], strict=True))
    drawn = [(row, amount) for row, amount in pairs if row.score is not None and amount]
    free = sum(row.score is not None and amount == 0 for row, amount in pairs)
    height = _SMALL_HEIGHT_PX if small else _HEIGHT_PX
    choices = tuple(
        Choice(page.t(f"cost.axis.{name}"), board_href(page, [(TAB, "cost"), (AXIS, name)]), name == axis.name)
        for name in AXES
        if name in known or name == axis.name
    )
    empty = CostView(
        axis.name, choices, small, height, "" if small else board_href(page), (), (), None, (), (), (), (), free,
        len(pairs) - free - len(drawn), 0, _cheapest(pairs, axis),
    )  # fmt: skip
    return _drawn(empty, axis, drawn) if drawn else empty


def _drawn(empty: CostView, axis: CostAxis, known: Sequence[tuple[BoardRow, float]]) -> CostView:
    ranked = [(row, amount) for row, amount in known if row.rank is not None]
    best_rows = {
        ranked[place][0].run
        for place in pareto_frontier([amount for _, amount in ranked], [row.score or 0.0 for row, _ in ranked])
    }
    drawn = [pair for place, pair in enumerate(known) if place < _MAX_DOTS or pair[0].run in best_rows]
    rows, amounts = [row for row, _ in drawn], [amount for _, amount in drawn]
    scores = [row.score or 0.0 for row in rows]
    across, up = LogScale.around(amounts), ScoreScale.around(scores)
    frontier = [place for place, row in enumerate(rows) if row.run in best_rows]
    frontier.sort(key=lambda place: (amounts[place], scores[place]))
    best = min((row.tier for row in rows if row.tier is not None), default=None)
    dots = tuple(
        CostDot(
            row=row,
            key=row_key(row),
            name=row_name(row),
            amount=axis.write(amount),
            x=across.place(amount),
            y=up.place(score),
            on_frontier=row.run in best_rows,
            is_top=best is not None and row.tier == best,
        )
        for row, amount, score in zip(rows, amounts, scores, strict=True)
    )
    spots = [PlotDot(dot.x, dot.y, dot.name) for dot in dots]
    order = [*frontier[::-1], *[place for place, dot in enumerate(dots) if not dot.on_frontier][:_MAX_NAMES]]
    lines = tuple(_steps([dots[place] for place in frontier]))
    top = [score for row, score in zip(rows, scores, strict=True) if best is not None and row.tier == best]
    if len(top) == len(ranked):  # a band of all rows says nothing
        top = []
    return CostView(
        axis=empty.axis,
        axes=empty.axes,
        is_small=empty.is_small,
        height=empty.height,
        table=empty.table,
        dots=dots,
        frontier=lines,
        band=_band(up, top) if top else None,
        x_ticks=tuple(
            AxisTick(axis.write(tick), across.place(tick)) for tick in log_ticks(across.least, across.most, _MAX_TICKS)
        ),
        y_ticks=up.ticks,
        labels=tuple(place_labels(spots, order, lines, _NARROW_PX, empty.height)),
        wide_labels=tuple(place_labels(spots, order, lines, _WIDE_PX, empty.height)),
        free=empty.free,
        unknown=empty.unknown,
        more=len(known) - len(drawn),
        cheapest=empty.cheapest,
    )


def _cheapest(pairs: Sequence[tuple[BoardRow, float | None]], axis: CostAxis) -> tuple[str, str] | None:
    """Return the name and the amount of the row of the top tier with the least amount; None if it is 0 or unknown."""
    best = min((row.tier for row, _ in pairs if row.rank is not None and row.tier is not None), default=None)
    top = [(amount, row_name(row)) for row, amount in pairs if row.tier == best and row.rank and amount is not None]
    amount, name = min(top, default=(0.0, ""))
    return (name, axis.write(amount)) if amount else None


def _band(up: ScoreScale, scores: Sequence[float]) -> tuple[float, float]:
    """Return (top, height) of a band around some scores, in percent."""
    top, bottom = up.place(max(scores) + _BAND_POINTS), up.place(min(scores) - _BAND_POINTS)
    return top, round(bottom - top, 2)


def _steps(frontier: Sequence[CostDot]) -> list[ChartLine]:
    """Return the best score for an amount or less, as steps: it holds until the next better row, and to the end."""
    lines = []
    for one, other in pairwise(frontier):
        lines += [ChartLine(one.x, one.y, other.x, one.y), ChartLine(other.x, one.y, other.x, other.y)]
    lines += [ChartLine(last.x, last.y, 100.0, last.y) for last in frontier[-1:]]
    return lines
