"""How fast accepted programs are, measured against reference programs that the same judge ran on the same tests."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from app.domain.problems import Form, Limits

# With fewer problems a ratio says more about these problems than about the programs.
MIN_PROBLEMS: Final = 10


# Of unittests that come without a limit: what judges may take at most, until the reference was timed.
SLOWEST: Final = "slowest_ms"  # of what a proof found out: what the reference took for its slowest test
CEILING_MS: Final = 60_000
_FLOOR_MS, _TIMES, _MORE_MS = 4_000, 4, 2_000


def judged_limits(limits: Limits, form: Form, proof: Mapping[str, Any]) -> Limits:
    """The limits of a problem; of unittests that state none, by the slowest test t of the reference when the tests were
    proven: clamp(4 t + 2 s, 4 s, 60 s)."""
    slowest = proof.get(SLOWEST)
    if form is not Form.UNITTEST or limits.time_ms != CEILING_MS or slowest is None:
        return limits
    return replace(limits, time_ms=round(min(max(_TIMES * slowest + _MORE_MS, _FLOOR_MS), CEILING_MS)))


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
