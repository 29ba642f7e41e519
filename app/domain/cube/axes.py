"""The axes of a cube: problems by (day, contest), runs, and the grouping of problems by contest, day and level."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date, time, timedelta
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.cube.facts import EncodedFact, encode_fact
from app.domain.problems import Level, ProblemFact

Ints = NDArray[np.int64]
SHARD_BLOCKS = 64
_LEVELS: tuple[Level | None, ...] = (*Level, None)


class Span(NamedTuple):
    """The extent of a shard: half-open ranges of days (places in `Axes.days`), blocks and problems."""

    day: int
    day_end: int
    block: int
    block_end: int
    row: int
    row_end: int


@dataclass(frozen=True)
class Axes:
    """Problems in the cube's order and run ids, with everything derived from them alone.

    A *block* is the problems of one contest released on one day on one platform, at midnight or not; blocks are
    contiguous, and within one the problems are ordered by level.
    """

    problems: tuple[ProblemFact, ...]
    runs: tuple[int, ...]
    shard_blocks: int = SHARD_BLOCKS

    @classmethod
    def of(cls, problems: Sequence[ProblemFact], runs: Sequence[int], shard_blocks: int = SHARD_BLOCKS) -> "Axes":
        """Return the axes of problems and runs in any order. Raises ValueError on duplicate ids."""
        ordered = tuple(sorted(problems, key=_problem_order))
        if len({problem.id for problem in ordered}) < len(ordered) or len(set(runs)) < len(runs):
            raise ValueError("problem and run ids must be unique")
        return cls(ordered, tuple(sorted(runs)), shard_blocks)

    @cached_property
    def ids(self) -> Ints:
        """Problem ids in order."""
        return np.array([problem.id for problem in self.problems], dtype=np.int64)

    @cached_property
    def run_ids(self) -> Ints:
        """Run ids, ascending."""
        return np.array(self.runs, dtype=np.int64)

    def columns_of(self, runs: Ints) -> Ints:
        """Return the column of each run id, -1 for those not in the cube."""
        if not self.runs:
            return np.full(runs.size, -1, dtype=np.int64)
        places = np.minimum(np.searchsorted(self.run_ids, runs), len(self.runs) - 1)
        return np.where(self.run_ids[places] == runs, places, -1)

    @cached_property
    def column(self) -> dict[int, int]:
        """Run id -> column."""
        return {run: place for place, run in enumerate(self.runs)}

    @cached_property
    def row(self) -> dict[int, int]:
        """Problem id -> row."""
        return {problem.id: place for place, problem in enumerate(self.problems)}

    @cached_property
    def day(self) -> Ints:
        """Proleptic ordinal of each problem's UTC release day."""
        return np.array([_day(problem).toordinal() for problem in self.problems], dtype=np.int64)

    @cached_property
    def released(self) -> NDArray[np.float64]:
        """Seconds since 1970 at which each problem came out."""
        return np.array([problem.released_on.timestamp() for problem in self.problems], dtype=np.float64)

    @cached_property
    def at_midnight(self) -> NDArray[np.bool_]:
        """Flags of the problems released at midnight, UTC: for most of them only the day is known."""
        return np.array([_is_midnight(problem) for problem in self.problems], dtype=bool)

    @cached_property
    def platforms(self) -> tuple[str, ...]:
        """The existing platforms, sorted."""
        return self.encoded_fact("platform").values

    @cached_property
    def platform(self) -> Ints:
        """Each problem's place in `platforms`."""
        return self.encoded_fact("platform").places

    @cached_property
    def levels(self) -> tuple[Level | None, ...]:
        """The existing levels, easiest first, None (unknown) last."""
        return self.encoded_fact("level").values

    @cached_property
    def level(self) -> Ints:
        """Each problem's place in `levels`."""
        return self.encoded_fact("level").places

    def encoded_fact(self, fact: str) -> EncodedFact:
        """Return a fact of the problems by its name, such as `platform`."""
        if fact not in self._encoded_facts:
            self._encoded_facts[fact] = encode_fact([getattr(problem, fact) for problem in self.problems])
        return self._encoded_facts[fact]

    @cached_property
    def _encoded_facts(self) -> dict[str, EncodedFact]:
        return {}

    @cached_property
    def cluster(self) -> Ints:
        """A code for each problem's contest, in order of first appearance."""
        codes: dict[str, int] = {}
        return np.array([codes.setdefault(problem.cluster, len(codes)) for problem in self.problems], dtype=np.int64)

    @cached_property
    def block_start(self) -> Ints:
        """The first problem of each block, then the number of problems."""
        keys = np.stack([self.day, self.cluster, self.platform, self.at_midnight])
        fresh = np.any(keys[:, 1:] != keys[:, :-1], axis=0)
        inner = np.flatnonzero(fresh) + 1
        return np.concatenate(([0], inner, [len(self.problems)])) if self.problems else np.zeros(1, dtype=np.int64)

    @cached_property
    def block_day(self) -> Ints:
        """Each block's day, as `day`."""
        return self.day[self.block_start[:-1]]

    @cached_property
    def block_cluster(self) -> Ints:
        """Each block's contest, as `cluster`."""
        return self.cluster[self.block_start[:-1]]

    @cached_property
    def cluster_day(self) -> Ints:
        """The first day of each contest, by its code; ascending."""
        _, first = np.unique(self.cluster, return_index=True)
        return self.day[first]

    @cached_property
    def block(self) -> Ints:
        """Each problem's block."""
        return np.repeat(np.arange(self.block_day.size), np.diff(self.block_start))

    @cached_property
    def block_platform(self) -> Ints:
        """Each block's platform, as `platform`."""
        return self.platform[self.block_start[:-1]]

    @cached_property
    def block_parted(self) -> NDArray[np.bool_]:
        """Flags of the blocks whose contest has other blocks, too."""
        return np.bincount(self.block_cluster)[self.block_cluster] > 1

    @cached_property
    def block_half(self) -> Ints:
        """The half shard of each block: 2 s and 2 s + 1 are the halves of shard s."""
        edges = [[span.block, (span.block + span.block_end + 1) // 2] for span in self.spans]
        starts = np.array(edges, dtype=np.int64).ravel()
        return np.searchsorted(starts, np.arange(self.block_day.size), side="right") - 1

    @cached_property
    def block_levels(self) -> Ints:
        """The number of problems of each level in each block, of shape (levels, blocks)."""
        counts = np.zeros((len(self.levels), self.block_day.size), dtype=np.int64)
        np.add.at(counts, (self.level, self.block), 1)
        return counts

    @cached_property
    def days(self) -> Ints:
        """The days with problems, ascending."""
        return np.unique(self.block_day)

    @cached_property
    def day_start(self) -> Ints:
        """The first block of each of `days`, then the number of blocks."""
        return np.append(np.searchsorted(self.block_day, self.days), self.block_day.size)

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """The shards: whole days, about `shard_blocks` blocks each."""
        shard = self.day_start[:-1] // self.shard_blocks
        days = np.concatenate(([0], np.flatnonzero(np.diff(shard)) + 1, [shard.size])) if shard.size else [0]
        blocks = self.day_start[days]
        edges = np.stack([np.asarray(days), blocks, self.block_start[blocks]]).tolist()
        return tuple(Span(*pair) for pair in zip(*(e for d in edges for e in (d[:-1], d[1:])), strict=True))

    @cached_property
    def shard_contests(self) -> Ints:
        """Number of contests of one block before each shard and after the last, of shape (shards + 1, platforms)."""
        counts = np.zeros((self.block_day.size + 1, len(self.platforms)), dtype=np.int64)
        lone = np.flatnonzero(~self.block_parted)
        counts[lone + 1, self.block_platform[lone]] = 1
        edges = [*(span.block for span in self.spans), self.block_day.size]
        before: Ints = counts.cumsum(axis=0)[edges]
        return before

    @cached_property
    def span_days(self) -> Ints:
        """The first and the last day of each shard, of shape (shards, 2)."""
        ends = [(span.row, span.row_end - 1) for span in self.spans]
        return self.day[np.array(ends, dtype=np.int64).reshape(-1, 2)]

    @cached_property
    def fingerprint(self) -> str:
        """A digest of problems, runs and the size of shards."""
        return hashlib.sha256(repr((self.problems, self.runs, self.shard_blocks)).encode()).hexdigest()

    @cached_property
    def whole_contests(self) -> bool:
        """True if every contest is one block, so that no window can cut one."""
        return not self.block_parted.any()

    def rows_of(self, problems: Collection[int] | NDArray[np.int64]) -> Ints:
        """Return the rows of those problem ids that are in the cube, in no particular order."""
        ids = problems if isinstance(problems, np.ndarray) else np.fromiter(problems, np.int64, len(problems))
        order = self._by_id
        places = np.searchsorted(self.ids[order], ids)
        inside = places < order.size
        rows = order[places[inside]]
        matches: Ints = rows[self.ids[rows] == ids[inside]]
        return matches

    def rows_or_none(self, problems: Ints) -> Ints:
        """Return the row of each problem id, -1 for those not in the cube."""
        if not self.problems:
            return np.full(problems.size, -1, dtype=np.int64)
        places = np.minimum(np.searchsorted(self.ids[self._by_id], problems), len(self.problems) - 1)
        rows = self._by_id[places]
        return np.where(self.ids[rows] == problems, rows, -1)

    @cached_property
    def _by_id(self) -> NDArray[np.intp]:
        return np.argsort(self.ids, kind="stable")

    def weeks(self, mask: NDArray[np.bool_]) -> tuple[tuple[date, int], ...]:
        """Return (Monday, number of flagged problems) for every week from the first problem to the last."""
        if not self.problems:
            return ()
        if mask.all():
            return self._every_week
        return self._weeks(mask)

    @cached_property
    def _every_week(self) -> tuple[tuple[date, int], ...]:
        return self._weeks(np.ones(self.day.size, dtype=bool))

    def _weeks(self, mask: NDArray[np.bool_]) -> tuple[tuple[date, int], ...]:
        counts = np.bincount(self._week[mask], minlength=len(self._mondays))
        return tuple(zip(self._mondays, counts.tolist(), strict=True))

    @cached_property
    def _week(self) -> Ints:
        week = (self.day - 1) // 7  # ordinal 1 is a Monday
        since: Ints = week - week[0]
        return since

    @cached_property
    def _mondays(self) -> tuple[date, ...]:
        first = date.fromordinal(int(self.day[0]))
        monday = first - timedelta(days=first.weekday())
        return tuple(monday + timedelta(weeks=place) for place in range(int(self._week[-1]) + 1))


def _day(problem: ProblemFact) -> date:
    return problem.released_on.astimezone(UTC).date()


def _is_midnight(problem: ProblemFact) -> bool:
    return problem.released_on.astimezone(UTC).time() == time()


def _problem_order(problem: ProblemFact) -> tuple[date, str, str, bool, int, int]:
    level = _LEVELS.index(problem.level)
    return _day(problem), problem.cluster, problem.platform, _is_midnight(problem), level, problem.id
