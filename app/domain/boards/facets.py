"""What each value of a filter would leave, under all the other filters."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from app.domain.boards.board import Board, BoardQuery, Facet, Facets
from app.domain.boards.entrants import Wanted, entrants
from app.domain.boards.lineup import Lineup
from app.domain.boards.selection import Selection
from app.domain.cube.axes import Axes
from app.domain.cube.cube import Cube
from app.domain.problems import Level
from app.domain.publishing.bands import levels_shown


def facets(cube: Cube, lineup: Lineup, wanted: Wanted, found: Board) -> Facets:
    """The facets of a board: problems by platform and level, rows by language and model.

    Every value there is stands among them, with 0 where the other filters leave nothing of it.
    """
    query, axes = found.query, cube.axes
    platforms = _platforms(axes, replace(query, platforms=())) if query.platforms else found.by_platform
    levels = _levels(axes, replace(query, levels=())) if query.levels else found.by_level
    shown = _shown(cube, lineup.under(query.rules), wanted, found)
    runs = [run for run in lineup.runs if run.id in shown]
    languages = Counter(run.language for run in runs if not query.models or run.model in query.models)
    models = Counter(run.model for run in runs if not query.languages or run.language in query.languages)
    return Facets(
        platforms=_listed(axes.platforms, platforms),
        levels=_listed(levels_shown(axes.levels), levels),
        languages=_listed(sorted({run.language for run in lineup.runs}), languages),
        models=_listed(sorted({run.model for run in lineup.runs}), models),
    )


def _listed(values: Iterable[str], counts: Mapping[str, int] | Mapping[Level, int]) -> tuple[Facet, ...]:
    by_value = {str(value): count for value, count in counts.items()}
    return tuple(Facet(str(value), by_value.get(str(value), 0)) for value in values)


def _platforms(axes: Axes, query: BoardQuery) -> dict[str, int]:
    chosen = axes.platform[Selection.of(axes, query).chosen]
    return dict(zip(axes.platforms, np.bincount(chosen, minlength=len(axes.platforms)).tolist(), strict=True))


def _levels(axes: Axes, query: BoardQuery) -> dict[Level, int]:
    chosen = axes.level[Selection.of(axes, query).chosen]
    counts = np.bincount(chosen, minlength=len(axes.levels)).tolist()
    return {level: count for level, count in zip(axes.levels, counts, strict=True) if level is not None}


def _shown(cube: Cube, lineup: Lineup, wanted: Wanted, found: Board) -> set[int]:
    """The runs that stand on the board, or would without its filters by model and language."""
    if not (found.query.models or found.query.languages):
        return {row.run for row in found.rows}
    wider = replace(found.query, models=(), languages=())
    field, _ = entrants(cube, Selection.of(cube.axes, wider), lineup, wider, wanted)
    return set(lineup.ids[field.places].tolist())
