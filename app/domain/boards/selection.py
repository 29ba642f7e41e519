"""The problems of a board."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from app.domain.boards.board import BoardQuery, Rules
from app.domain.boards.filters import BoardFilter, FilterScope, active_filters
from app.domain.cube.axes import Axes, Ints

_LAST_DAY = date.max.toordinal()


@dataclass(frozen=True)
class Selection:
    """The problems of one board: days `first` to `last` (ordinals, inclusive) of the selected levels and platforms.

    Levels and platforms are places in `Axes.levels` and `Axes.platforms`; other filters may leave out more problems.
    `chosen` flags the problems, `matching` those of any day. `blocks` are the blocks that hold chosen problems. `plain`
    says that days alone decide and cut no contest, `single` that a filter uses a fact besides level and platform, so
    that it may split blocks; `late` that dates are those LiveCodeBench stores. `opening` is the window's first day as
    given, or that of the first chosen problem.
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
    single: bool
    late: bool
    opening: int

    @classmethod
    def of(cls, axes: Axes, query: BoardQuery) -> "Selection":
        """Return the problems of `query`.

        LiveCodeBench stores a problem 24 hours after its release, mostly without a time of day, and includes problems
        stored from midnight of the window's first day to midnight of its last, both inclusive.
        """
        start, end, late = query.window.start, query.window.end, query.rules is Rules.LCB
        first = 0 if start is None else start.toordinal() - late
        last = _LAST_DAY if end is None else end.toordinal() - 1
        masks = {"level": np.ones(len(axes.levels), dtype=bool), "platform": np.ones(len(axes.platforms), dtype=bool)}
        matching, facts = np.ones(axes.day.size, dtype=bool), set[str]()
        for entry, values, problems in _filter_masks(axes, query):
            matching &= problems
            facts.add(entry.fact)
            if entry.fact in masks:
                masks[entry.fact] &= values
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
            levels=tuple(np.flatnonzero(masks["level"]).tolist()),
            platforms=tuple(np.flatnonzero(masks["platform"]).tolist()),
            blocks=np.flatnonzero(np.bincount(axes.block[chosen])),
            plain=axes.whole_contests and not facts and not late,
            single=bool(facts - masks.keys()),
            late=late,
            opening=(int(days[0]) if days.size else first) if start is None else start.toordinal(),
        )

    def left_out(self, query: BoardQuery) -> dict[str, int]:
        """Return the numbers of problems not chosen, by the first reason that applies; reasons with 0 are omitted."""
        counts: dict[str, int] = {}
        left = np.ones(self.axes.day.size, dtype=bool)
        for entry, _, problems in _filter_masks(self.axes, query):
            counts[entry.reason_key] = int(np.count_nonzero(left & ~problems))
            left &= problems
        counts["window"] = int(np.count_nonzero(left & ~self.chosen))
        return {reason: count for reason, count in counts.items() if count}

    @cached_property
    def days(self) -> Ints:
        """The selected problems' days, ascending."""
        return self.axes.day[self.chosen]

    @property
    def first_released(self) -> float:
        """Seconds since 1970 at which the first selected problem came out; infinite if there is none."""
        return float(self.axes.released[self.chosen].min(initial=np.inf))

    @cached_property
    def whole_shards(self) -> tuple[int, int]:
        """The range of shards (start, stop) all of whose matching problems are chosen."""
        days = self.axes.span_days
        start = int(np.searchsorted(days[:, 0], self.first))
        # By stored dates, the last day includes only problems released at its midnight.
        stop = int(np.searchsorted(days[:, 1], self.last - self.late, side="right"))
        return start, max(start, stop)

    @cached_property
    def by_contest(self) -> tuple[Ints, Ints, Ints]:
        """The selected problems' contests, each one's first block in `blocks`, and each block's contest among them."""
        return np.unique(self.axes.block_cluster[self.blocks], return_index=True, return_inverse=True)

    @property
    def contests(self) -> int:
        """The number of contests of the selected problems."""
        return self.by_contest[0].size


def _filter_masks(axes: Axes, query: BoardQuery) -> Iterator[tuple[BoardFilter, NDArray[np.bool_], NDArray[np.bool_]]]:
    """Yield each active filter of problems, flags of the values that pass, and flags of the problems that pass."""
    for entry, value in active_filters(query, FilterScope.PROBLEMS):
        values, places = axes.encoded_fact(entry.fact)
        allowed = entry.allows(values, value)
        yield entry, allowed, allowed[places]
