"""From cube, runs and a question to a board: who is ranked, and how surely."""

from collections.abc import Mapping, Sequence

import numpy as np

from app.domain.bands import levels_shown
from app.domain.board_rows import Differences, board_rows
from app.domain.boards import Board, BoardQuery, Exposure, RunFact, RunUsage
from app.domain.comparison import paired_with
from app.domain.cube import Cube
from app.domain.entrants import Entrants, Wanted, entrants
from app.domain.lineup import Lineup
from app.domain.metrics import Ints
from app.domain.selection import Selection
from app.domain.standing import stand


def rank_board(
    cube: Cube,
    runs: Sequence[RunFact] | Lineup,
    query: BoardQuery,
    *,
    usage: Mapping[int, RunUsage] | None = None,
    wanted: Wanted | None = None,
    unpublished: Mapping[str, int] | None = None,
    reference: str | None = None,
    replicates: int = 0,
) -> Board:
    """The board that `query` asks of `cube`, over `runs`; with many of them a `Lineup` made once saves time.

    `usage` is by run id. `wanted` limits a run's coverage to those problem ids; a run without an entry wants every
    selected problem. `unpublished` counts a model's runs that are not public. `reference` names the row that the
    others are compared with, as `model` (its first row) or `model:configuration`; one that is not shown compares
    nothing. With `replicates` ranked rows carry bootstrap ranks too, drawn from a seed made of query and revision.

    A row has a rank where its model was exposed to no selected problem and coverage is 95 % or more: `rank` is 1 +
    the number of ranked rows with a higher score, `rank_lo`..`rank_hi` what the intervals leave open
    (`metrics.rank_intervals`), `tier` and the resolution are those of `separation.ties`. LiveCodeBench's rules take
    the window's last day in, deny a rank where the cutoff is on or after the window's first day, ask for no
    coverage, and rank by the score rounded to one decimal, equals in the order of run ids, without ties or intervals.
    """
    selection = Selection.of(cube.axes, query)
    field, hidden = entrants(cube, selection, Lineup.of(runs), query, wanted or {})
    standing = stand(field, query, cube.revision, replicates)
    differences = _differences(cube, selection, field, standing.order, reference)
    split = query.exposure is Exposure.SPLIT
    by_level = dict(zip(cube.axes.levels, _counts(selection, cube.axes.level, len(cube.axes.levels)), strict=True))
    levels = levels_shown(level for level, problems in by_level.items() if problems)
    rows = board_rows(
        cube, selection, field, standing, usage or {}, unpublished or {}, differences, levels, split=split
    )
    platforms = _counts(selection, cube.axes.platform, len(cube.axes.platforms))
    return Board(
        query=query,
        problems=int(np.count_nonzero(selection.chosen)),
        by_level={level: by_level.get(level, 0) for level in levels},
        by_platform=dict(zip(cube.axes.platforms, platforms, strict=True)),
        rows=rows,
        hidden=hidden,
        revision=cube.revision,
        resolution=None if standing.resolution is None else 100 * standing.resolution,
        clusters=selection.contests,
        weeks=cube.axes.weeks(selection.matching),
    )


def _counts(selection: Selection, codes: Ints, kinds: int) -> list[int]:
    counts: list[int] = np.bincount(codes[selection.chosen], minlength=kinds).tolist()
    return counts


def _differences(
    cube: Cube, selection: Selection, field: Entrants, order: Ints, reference: str | None
) -> Differences | None:
    if reference is None:
        return None
    for place in order:
        run = field.lineup.runs[field.places[place]]
        if reference in {run.model, f"{run.model}:{run.configuration}"}:
            mean, bounds = paired_with(cube, selection, int(field.columns[place]), field.columns)
            mean[place] = np.nan  # a row is not compared with itself
            return mean, bounds
    return None
