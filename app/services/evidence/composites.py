"""Composite scores of a board's rows: DAPR over problems with a frozen ease, and levels weighted 1 : 2 : 3."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite, nan
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.db.kernel.session import Session
from app.db.problems import difficulties
from app.domain.boards.board import Board, BoardQuery, BoardRow, Rules
from app.domain.composites import code3_score, dapr_estimate
from app.domain.composites.ease import scale_of
from app.domain.metrics.intervals import Floats, Ints
from app.domain.problems import Level
from app.domain.publishing.bands import LABELS
from app.services.boards.cubes import LoadedProtocol
from app.services.evidence.ratings import outcome_matrix

LEVELS: Final = LABELS  # with weights 1, 2 and 3


@dataclass(frozen=True, slots=True)
class LevelPasses:
    """The sum of pass rates over `n` judged problems of one level, of `wanted` ones."""

    passed: float
    n: int
    wanted: int


@dataclass(frozen=True, slots=True)
class CompositeRow:
    """A row's composites in percent; None if they cannot be computed.

    `dapr` and the plain mean `plain` are over its `n` judged problems with an ease, in `clusters` contests. `weighted`
    is None if a level has no judged problem, see `lacking`; `incomplete` are levels with some missing.
    """

    row: BoardRow
    dapr: float | None
    lo: float | None
    hi: float | None
    n: int
    clusters: int
    plain: float | None
    weighted: float | None
    levels: Mapping[Level, LevelPasses]

    @property
    def lacking(self) -> tuple[Level, ...]:
        """Levels without any judged problem."""
        return tuple(level for level, count in self.levels.items() if not count.n)

    @property
    def incomplete(self) -> tuple[Level, ...]:
        """Levels with both judged and missing problems."""
        return tuple(level for level, count in self.levels.items() if 0 < count.n < count.wanted)


@dataclass(frozen=True, slots=True)
class CompositeTable:
    """Ranked rows by DAPR, then those without a rank; `with_ease` of the board's problems have a frozen ease."""

    board: Board
    scale: str
    with_ease: int
    rows: tuple[CompositeRow, ...]


def composites(session: Session, board: Board, loaded: LoadedProtocol) -> CompositeTable:
    """Return the composites of every row a board shows. Raises TooManyResults."""
    outcomes, problems = outcome_matrix(loaded, board.query, board.rows)
    scale = scale_of(loaded.protocol.protocol.scenario)
    ids = loaded.cube.axes.ids[problems]
    frozen = difficulties.frozen_values(session, scale)
    ease = np.array([frozen.get(problem, np.nan) for problem in ids.tolist()])
    rows = []
    for row, rates in zip(board.rows, outcomes, strict=True):
        mask = _asked_mask(loaded, board.query, row, problems)
        rows.append(_composite_row(loaded, row, np.where(mask, rates, np.nan), mask, ease, problems))
    rows.sort(key=lambda row: (row.row.rank is None, row.dapr is None, -(row.dapr or 0.0)))
    return CompositeTable(board, scale, int(np.count_nonzero(~np.isnan(ease))), tuple(rows))


def _asked_mask(loaded: LoadedProtocol, query: BoardQuery, row: BoardRow, problems: Ints) -> NDArray[np.bool_]:
    """Return a mask of the problems that the row is asked and scored by."""
    axes = loaded.cube.axes
    wanted = loaded.wanted.get(row.run) if query.rules is Rules.LCB else None
    mask = np.ones(problems.size, bool) if wanted is None else np.isin(axes.ids[problems], list(wanted))
    if (exposure := loaded.lineup.excluded_problems(axes, query)) is not None:
        mask &= exposure.clean(problems, axes.columns_of(np.array([row.run])))[:, 0]
    return mask


def _composite_row(
    loaded: LoadedProtocol, row: BoardRow, rates: Floats, mask: NDArray[np.bool_], ease: Floats, problems: Ints
) -> CompositeRow:
    axes = loaded.cube.axes
    both = ~np.isnan(rates) & ~np.isnan(ease)
    estimate = dapr_estimate(rates[both], ease[both], axes.cluster[problems][both])
    codes = [axes.levels.index(level) if level in axes.levels else -1 for level in LEVELS]
    of_level = np.array(codes)[:, None] == axes.level[problems]
    counts = {
        level: LevelPasses(
            float(np.nansum(rates[mine])), int(np.count_nonzero(~np.isnan(rates[mine]))), int(mask[mine].sum())
        )
        for level, mine in zip(LEVELS, of_level, strict=True)
    }
    weighted = code3_score([(count.passed, count.n) for count in counts.values()])
    return CompositeRow(
        row=row,
        dapr=_percent(estimate.mean),
        lo=_percent(estimate.lo),
        hi=_percent(estimate.hi),
        n=estimate.n,
        clusters=estimate.clusters,
        plain=_percent(float(rates[both].mean()) if estimate.n else nan),
        weighted=weighted if isfinite(weighted) else None,
        levels=counts,
    )


def _percent(share: float) -> float | None:
    return 100 * share if isfinite(share) else None
