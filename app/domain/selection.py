"""Which problems a board is about."""

from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from app.domain.boards import BoardQuery, Rules
from app.domain.cube_axes import Axes, Ints

_LAST_DAY = date.max.toordinal()


@dataclass(frozen=True)
class Selection:
    """The problems of one board: days `first` to `last` (ordinals, inclusive) of the levels (places in
    `Axes.levels`) and platforms asked for.

    `chosen` marks the problems, `matching` those of any day. `blocks` are the blocks that hold chosen problems.
    `plain` says that the days alone decide and cut no contest.
    """

    axes: Axes
    first: int
    last: int
    chosen: NDArray[np.bool_]
    matching: NDArray[np.bool_]
    levels: tuple[int, ...]
    blocks: Ints
    plain: bool

    @classmethod
    def of(cls, axes: Axes, query: BoardQuery) -> "Selection":
        """The problems that `query` asks for. LiveCodeBench's rules take the day of the window's end in."""
        start, end = query.window.start, query.window.end
        first = 0 if start is None else start.toordinal()
        last = _LAST_DAY if end is None else end.toordinal() - (query.rules is not Rules.LCB)
        levels = [place for place, level in enumerate(axes.levels) if not query.levels or level in query.levels]
        matching = np.ones(axes.day.size, dtype=bool)
        if query.levels:
            matching &= np.isin(axes.level, levels)
        if query.platforms:
            matching &= np.isin(
                axes.platform, [axes.platforms.index(n) for n in query.platforms if n in axes.platforms]
            )
        inside = slice(*np.searchsorted(axes.day, [first, last + 1]))
        chosen = np.zeros(axes.day.size, dtype=bool)
        chosen[inside] = matching[inside]
        return cls(
            axes=axes,
            first=first,
            last=last,
            chosen=chosen,
            matching=matching,
            levels=tuple(levels),
            blocks=np.flatnonzero(np.bincount(axes.block[chosen])),
            plain=axes.whole_contests and not query.levels and not query.platforms,
        )

    @property
    def days(self) -> Ints:
        """The selected problems' days, ascending."""
        return self.axes.day[self.chosen]

    @property
    def contests(self) -> int:
        """How many contests the selected problems come from."""
        return int(np.unique(self.axes.block_cluster[self.blocks]).size)
