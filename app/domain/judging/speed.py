"""How fast accepted programs are, measured against reference programs that the same judge ran on the same tests."""

import math
from collections.abc import Iterable
from typing import Final, NamedTuple

# With fewer problems a ratio says more about these problems than about the programs.
MIN_PROBLEMS: Final = 10


class Timed(NamedTuple):
    """What the fastest reference program of one language took, and what measured it: other tests, another judge or
    other limits would have said something else. `cpu_ms` is the largest CPU time of a test."""

    cpu_ms: float
    grader_revision: str
    limit_mode: str


class Speed(NamedTuple):
    """How many times as fast as the reference; None where `problems`, those it is known for, are too few."""

    ratio: float | None = None
    problems: int = 0


def fastest(programs: Iterable[Iterable[Timed]]) -> Timed | None:
    """The fastest of some programs by the median of its turns; None without any.

    Of an even number of turns the lower of the two middle ones counts, so that what is returned was measured.
    """
    turns = (sorted(program) for program in programs)
    return min((turn[(len(turn) - 1) // 2] for turn in turns if turn), default=None)


def relative_speed(problems: Iterable[tuple[float, float]]) -> Speed:
    """The geometric mean over problems of reference / own, from pairs (the reference's CPU milliseconds, the median of
    the row's accepted answers): above 1 is faster than the reference.

    Pairs in which a time is not positive are unknown and left out; under ten problems there is no ratio.
    """
    pairs = [(reference, own) for reference, own in problems if reference > 0 and own > 0]
    if len(pairs) < MIN_PROBLEMS:
        return Speed(None, len(pairs))
    logs = (math.log(reference) - math.log(own) for reference, own in pairs)
    return Speed(math.exp(math.fsum(logs) / len(pairs)), len(pairs))
