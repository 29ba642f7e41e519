"""The small charts below a board's table."""

from dataclasses import dataclass

from app.services.boards.board_views import BoardView
from web.board_tabs import TAB, board_href
from web.board_tabs.cost import CostView, cost_view
from web.board_tabs.trend import TrendView, trend_view
from web.context import PageRequest


@dataclass(frozen=True, slots=True)
class SmallCharts:
    """Score against cost, and the first rows by month, with the addresses of their tabs and of the grid."""

    cost: CostView
    trend: TrendView
    cost_href: str
    trend_href: str
    grid_href: str


def small_charts(page: PageRequest, view: BoardView) -> SmallCharts:
    """Return the charts for below the table."""
    cost, trend, grid = (board_href(page, [(TAB, name)]) for name in ("cost", "trend", "grid"))
    return SmallCharts(cost_view(page, view, small=True), trend_view(page, view, small=True), cost, trend, grid)
