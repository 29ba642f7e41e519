"""Skills: models' scores in several scenarios side by side, which of them correlate, and tables from elsewhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from app.db.kernel.session import Session
from app.domain.boards.board import BoardQuery
from app.domain.errors import InvalidInput
from app.domain.ratings.holistic import FAMILIES, TrendGroup, abilities
from app.domain.windows import Window
from app.services.boards.board_views import BoardView
from app.services.boards.query import take_parameter, to_params
from app.services.evidence import holistic as service
from app.services.evidence.holistic import HolisticBoard
from web.board_page.links import Choice, board_path
from web.board_tabs.skill_charts import CELL, bars, matrix, radar, scatter, trend_line
from web.context import PageRequest

MAX_RADARS: Final = 24  # more are only in the table


@dataclass(frozen=True, slots=True)
class SkillsView:
    """The values of the template; `dates_only` says that the board's other filters do not exist for all skills."""

    board: HolisticBoard
    names: Sequence[str]
    titles: Mapping[str, str]
    radars: Sequence[tuple[Any, Any]]
    fields: Sequence[Any]
    pairs: Sequence[Any]
    plots: Sequence[tuple[Any, Any, Any]]
    in_two: Sequence[tuple[Any, Any]]
    families: Sequence[Choice]
    json: str
    dates_only: bool
    cell: int = CELL


def skills_params(page: PageRequest) -> list[tuple[str, str]]:
    """Return the parameters of this tab that the address gives. Raises InvalidInput."""
    family, _rest = take_parameter(page.params, "family", FAMILIES)
    return [] if family in (None, FAMILIES[0]) else [("family", str(family))]


def skills_view(page: PageRequest, view: BoardView) -> SkillsView:
    """Return the scores of a family of protocols over a board's window, side by side. Raises InvalidInput."""
    family = dict(skills_params(page)).get("family", FAMILIES[0])
    query = view.board.query
    with page.state.sessions() as session:
        board, dates_only = _read_board(session, page, family, query)
    names = [name for name in board.abilities if any(row.scores[name] is not None for row in board.rows)]
    pairs = [pair for pair in board.together if pair.spearman is not None or pair.pearson is not None]
    values = [
        (names.index(pair.one), names.index(pair.other) - 1, pair.spearman.value)
        for pair in pairs
        if pair.spearman is not None
    ]
    own_titles = {name: board.abilities[name].titles for name in names}
    asked = [(name, value) for name, value in to_params(board.query) if name in service.BOARD_FILTERS]
    return SkillsView(
        board=board,
        names=names,
        titles={
            name: page.board_title(name) if titles is None else page.spoken(titles)
            for name, titles in own_titles.items()
        },
        radars=[
            (row, chart)
            for row in board.rows[:MAX_RADARS]
            if (chart := radar([row.scores[name] for name in names])) is not None
        ],
        fields=matrix(values),
        pairs=pairs,
        plots=[
            (
                table,
                scatter([(spot.elsewhere, spot.here, spot.group or TrendGroup.ALIKE) for spot in table.spots]),
                None if table.trend is None else trend_line(table.trend.slope, table.trend.start),
            )
            for table in board.elsewhere
        ],
        in_two=list(zip(board.languages, bars([(row.gap, row.lo, row.hi) for row in board.languages]), strict=True)),
        families=list(_families(page, query, family)),
        json=f"/api/v1/holistic?{urlencode([('family', family), *asked])}",
        dates_only=dates_only,
    )


def _read_board(session: Session, page: PageRequest, family: str, query: BoardQuery) -> tuple[HolisticBoard, bool]:
    """Return the skills under the filters that all scenarios have, and under the dates alone if one lacks a value."""
    shared = BoardQuery(window=query.window, platforms=query.platforms, levels=query.levels)
    dates = BoardQuery(window=query.window)
    try:
        return service.holistic(session, family, shared, page.state.cubes), False
    except InvalidInput:
        if shared == dates:
            raise
        return service.holistic(session, family, dates, page.state.cubes), True


def _families(page: PageRequest, query: BoardQuery, family: str) -> list[Choice]:
    every = [("from", "")] if query.window == Window() else []
    params = [*to_params(query), *every, ("tab", "skills")]
    return [
        Choice(
            page.t(f"holistic.family.{name}"),
            page.href(board_path(query.board), [*params, *([] if name == FAMILIES[0] else [("family", name)])]),
            name == family,
        )
        for name in FAMILIES
        if abilities(name)
    ]
