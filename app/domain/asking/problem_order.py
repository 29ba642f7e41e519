"""Order in which a run's missing problems are asked, so that an unfinished run is a small likeness of the whole.

Problems are sorted from the hardest to the easiest: by their ease, which is the mean pass rate of other runs, rounded
down to a tenth; within a tenth by level, and within a level by release. If no other run was graded on a problem, the
mean of its level is used. The sorted line is then visited in the order of van der Corput ("Verteilungsfunktionen",
Proc. Akad. Wet. Amsterdam 38, 1935): the place of the i-th problem is i with its binary digits reversed, so that each
new one falls into a widest gap. Every other digit is flipped, otherwise each prefix would lean to the hard end.

Of the first k problems asked, the number that lie before any point of the line differs from that point's share of k by
at most (4 + log2 k) / 3, whatever the length of the line: the discrepancy of that sequence (Béjian and Faure, 1977),
plus what skipping the places beyond the end can add. The bound holds for every limit of ease in tenths; for a limit of
dates it holds within each tenth and level, and roughly over all of them.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from app.domain.problems import Level

_TENTHS = 10
_LEVELS = (*reversed(Level), None)  # hardest first


class MissingProblem(NamedTuple):
    """A problem that a run still has to answer; its ease is None if no other run was graded on it."""

    problem: int
    ease: float | None
    level: Level | None
    released: datetime


def balance_order(lacking: Sequence[MissingProblem]) -> list[int]:
    """Return the problems in the order in which to ask them, whatever order they are given in."""
    stand_in = _ease_of_levels(lacking)

    def place(entry: MissingProblem) -> tuple[int, int, datetime, int]:
        ease = stand_in[entry.level] if entry.ease is None else entry.ease
        return int(ease * _TENTHS), _LEVELS.index(entry.level), entry.released, entry.problem

    line = sorted(lacking, key=place)
    return [line[turn].problem for turn in spread_evenly(len(line))]


def spread_evenly(count: int) -> list[int]:
    """Return the places 0 to count - 1 in an order whose every prefix is spread evenly over all of them."""
    turns = [0]
    while len(turns) < count:
        turns = [2 * turn for turn in turns] + [2 * turn + 1 for turn in turns]
    flipped = len(turns) // 3
    return [turn ^ flipped for turn in turns if turn ^ flipped < count]


def _ease_of_levels(lacking: Sequence[MissingProblem]) -> dict[Level | None, float]:
    """Return the mean ease of each level; if none is known, that of all problems, else 0."""
    by_level: dict[Level | None, list[float]] = {level: [] for level in _LEVELS}
    for entry in sorted(lacking, key=lambda entry: entry.problem):  # so that sums do not depend on the input's order
        if entry.ease is not None:
            by_level[entry.level].append(entry.ease)
    every = [ease for eases in by_level.values() for ease in eases]
    return {level: _mean(eases or every) for level, eases in by_level.items()}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
