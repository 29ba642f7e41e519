"""Which problems a board is about."""

from dataclasses import dataclass
from datetime import date
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from app.domain.boards.board import BoardQuery, Rules
from app.domain.cube.axes import Axes, Ints

_LAST_DAY = date.max.toordinal()


@dataclass(frozen=True)
class Selection:
    """The problems of one board: days `first` to `last` (ordinals, inclusive) of the levels and platforms asked for
    (places in `Axes.levels` and `Axes.platforms`).

    `chosen` marks the problems, `matching` those of any day. `blocks` are the blocks that hold chosen problems.
    `plain` says that the days alone decide and cut no contest, `late` that the dates are those LiveCodeBench stores.
    `opening` is the window's first day as it was asked for, without one that of the first chosen problem.
    """

    axes: Axes
    first: int
    last: int
    chosen: NDArray[np.bool_]
    matching: NDArray[np.bool_]
    levels: tuple[int, ...]
    platforms: tuple[int, ...]
    blocks: Ints
    plain: bool
    late: bool
    opening: int

    @classmethod
    def of(cls, axes: Axes, query: BoardQuery) -> "Selection":
        """The problems that `query` asks for.

        LiveCodeBench stores a problem 24 hours after its release, most of them without a time of day, and takes in
        what is stored from midnight of the window's first day to midnight of its last, both included.
        """
        start, end, late = query.window.start, query.window.end, query.rules is Rules.LCB
        first = 0 if start is None else start.toordinal() - late
        last = _LAST_DAY if end is None else end.toordinal() - 1
        levels = [place for place, level in enumerate(axes.levels) if not query.levels or level in query.levels]
        platforms = [
            place for place, name in enumerate(axes.platforms) if not query.platforms or name in query.platforms
        ]
        matching = np.ones(axes.day.size, dtype=bool)
        if query.levels:
            matching &= np.isin(axes.level, levels)
        if query.platforms:
            matching &= np.isin(axes.platform, platforms)
        inside = slice(*np.searchsorted(axes.day, [first, last + 1]))
        chosen = np.zeros(axes.day.size, dtype=bool)
        chosen[inside] = matching[inside]
        if late:
            chosen &= (axes.day < last) | axes.at_midnight
        days = axes.day[chosen]
        return cls(
            axes=axes,
            first=first,
            last=last,
            chosen=chosen,
            matching=matching,
            levels=tuple(levels),
            platforms=tuple(platforms),
            blocks=np.flatnonzero(np.bincount(axes.block[chosen])),
            plain=axes.whole_contests and not query.levels and not query.platforms and not late,
            late=late,
            opening=(int(days[0]) if days.size else first) if start is None else start.toordinal(),
        )

    def left_out(self, query: BoardQuery) -> dict[str, int]:
        """The problems not chosen, by the first reason that applies; reasons without any are not named."""
        elsewhere = 0
        if query.platforms:
            elsewhere = int(np.count_nonzero(~np.isin(self.axes.platform, self.platforms)))
        counts = {
            "platform": elsewhere,
            "difficulty": int(np.count_nonzero(~self.matching)) - elsewhere,
            "window": int(np.count_nonzero(self.matching & ~self.chosen)),
        }
        return {reason: count for reason, count in counts.items() if count}

    @property
    def days(self) -> Ints:
        """The selected problems' days, ascending."""
        return self.axes.day[self.chosen]

    @cached_property
    def whole_shards(self) -> tuple[int, int]:
        """The shards, from one up to another, all of whose matching problems are chosen."""
        days = self.axes.span_days
        start = int(np.searchsorted(days[:, 0], self.first))
        # By stored dates the last day gives only what came out at its midnight.
        stop = int(np.searchsorted(days[:, 1], self.last - self.late, side="right"))
        return start, max(start, stop)

    @property
    def contests(self) -> int:
        """How many contests the selected problems come from."""
        return int(np.unique(self.axes.block_cluster[self.blocks]).size)
