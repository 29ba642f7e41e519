"""In which order the problems that a run lacks are asked, so that an unfinished run is a small likeness of the whole.

Problems are lined up from the hardest to the easiest: by their ease, which is the mean pass rate of other runs, read to
a tenth; within a tenth by level, within that by release. Where nobody was graded on a problem the mean of its level
stands in. The line is then walked in the order of van der Corput ("Verteilungsfunktionen", Proc. Akad. Wet. Amsterdam
38, 1935): the place of the i-th problem is i with its binary digits reversed, so that each new one falls into a widest
gap. Every other digit is flipped, for else each prefix would lean to the hard end.

Of the first k problems asked, the number that lie before any point of the line differs from that point's share of k by
at most (4 + log2 k) / 3, however long the line: the discrepancy of that sequence (Béjian and Faure, 1977), with what
leaving out the places beyond the end can add. So it is for every bound of ease in tenths; for a bound of dates it is so
within each tenth and level, and roughly over all of them.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from app.domain.problems import Level

_TENTHS = 10
_LEVELS = (*reversed(Level), None)  # hardest first, as the line runs


class Lacking(NamedTuple):
    """A problem that a run wants and lacks; its ease is None where no other run was graded on it."""

    problem: int
    ease: float | None
    level: Level | None
    released: datetime


def balanced(lacking: Sequence[Lacking]) -> list[int]:
    """The problems in the order they are to be asked; the same whatever order they are given in."""
    stand_in = _ease_of_levels(lacking)

    def place(entry: Lacking) -> tuple[int, int, datetime, int]:
        ease = stand_in[entry.level] if entry.ease is None else entry.ease
        return int(ease * _TENTHS), _LEVELS.index(entry.level), entry.released, entry.problem

    line = sorted(lacking, key=place)
    return [line[turn].problem for turn in spread(len(line))]


def spread(count: int) -> list[int]:
    """The places 0 to count - 1, so ordered that those before any point of the order lie evenly over all."""
    turns = [0]
    while len(turns) < count:
        turns = [2 * turn for turn in turns] + [2 * turn + 1 for turn in turns]
    flipped = len(turns) // 3
    return [turn ^ flipped for turn in turns if turn ^ flipped < count]


def _ease_of_levels(lacking: Sequence[Lacking]) -> dict[Level | None, float]:
    """The mean ease of each level; of all problems where no ease is known in it, and 0 where none is known at all."""
    by_level: dict[Level | None, list[float]] = {level: [] for level in _LEVELS}
    for entry in sorted(lacking, key=lambda entry: entry.problem):  # so that sums do not depend on the order given
        if entry.ease is not None:
            by_level[entry.level].append(entry.ease)
    every = [ease for eases in by_level.values() for ease in eases]
    return {level: _mean(eases or every) for level, eases in by_level.items()}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
