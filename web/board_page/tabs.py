"""The tabs of a board in order; each has a template in `templates/board` with its name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.errors import UnknownName
from app.services.boards.board_views import BoardView
from web.board_page.links import BoardLinks, Choice
from web.board_tabs.cost import cost_params, cost_view
from web.board_tabs.grid import grid_view
from web.board_tabs.rating import rating_params, rating_view
from web.board_tabs.skills import skills_params, skills_view
from web.board_tabs.trend import trend_params, trend_view
from web.context import PageRequest, query_value

TABLE: Final = "table"


@dataclass(frozen=True, slots=True)
class BoardTab:
    """A tab: `view` makes the values of its template, and `params` reads the parameters that it has of its own.

    `by_state` says that it depends on the state of boards alone, so that browsers may keep it until that changes.
    """

    name: str
    view: Callable[[PageRequest, BoardView], object] | None = None
    params: Callable[[PageRequest], list[tuple[str, str]]] | None = None
    by_state: bool = False


TABS: Final = (
    BoardTab(TABLE, by_state=True),
    BoardTab("cost", cost_view, cost_params, by_state=True),
    BoardTab("trend", trend_view, trend_params, by_state=True),
    BoardTab("grid", grid_view),
    BoardTab("skills", skills_view, skills_params),
    BoardTab("rating", rating_view, rating_params),
)


def open_tab(page: PageRequest) -> BoardTab:
    """Return the tab that the address asks for, by default the table. Raises UnknownName."""
    name = query_value(page, "tab") or TABLE
    found = next((tab for tab in TABS if tab.name == name), None)
    if found is None:
        raise UnknownName("tab", name, [tab.name for tab in TABS])
    return found


def tab_choices(links: BoardLinks, opened: BoardTab) -> Sequence[Choice]:
    """Return the tabs as links."""
    return [
        Choice(
            links.page.t(f"tab.{tab.name}"),
            links.to_tab("" if tab.name == TABLE else tab.name),
            tab is opened,
        )
        for tab in TABS
    ]
