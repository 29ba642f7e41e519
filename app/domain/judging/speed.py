"""Speed of accepted programs relative to reference programs that the same judge ran on the same tests."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from app.domain.problems import Form, Limits

# With fewer problems a ratio depends more on these problems than on the programs.
MIN_PROBLEMS: Final = 10


# Limit of unittests that state none, until the reference was timed; then at most this.
SLOWEST: Final = "slowest_ms"  # fact of a proof: the reference's time for its slowest test
CEILING_MS: Final = 60_000
_FLOOR_MS, _LIMIT_FACTOR, _EXTRA_MS = 4_000, 4, 2_000


def judged_limits(limits: Limits, form: Form, proof: Mapping[str, Any]) -> Limits:
    """Return the limits of a problem; unittests that state none are limited by the slowest test t of the reference.

    t was measured when the tests were proven; the limit is clamp(4 t + 2 s, 4 s, 60 s).
    """
    slowest = proof.get(SLOWEST)
    if form is not Form.UNITTEST or limits.time_ms != CEILING_MS or slowest is None:
        return limits
    return replace(limits, time_ms=round(min(max(_LIMIT_FACTOR * slowest + _EXTRA_MS, _FLOOR_MS), CEILING_MS)))


class ReferenceTime(NamedTuple):
    """Time of the fastest reference program of one language, and the judge that measured it.

    Other tests, another judge or other limits would give another time. `cpu_ms` is the largest CPU time of a test.
    """

    cpu_ms: float
    grader_revision: str
    limit_mode: str


class Speed(NamedTuple):
    """Speed as a multiple of the reference's; None if `problems`, the number with a known ratio, are too few."""

    ratio: float | None = None
    problems: int = 0


def fastest_program(programs: Iterable[Iterable[ReferenceTime]]) -> ReferenceTime | None:
    """Return the fastest program by the median of its turns; None without any.

    For an even number of turns the lower of the two middle ones counts, so that the result was measured.
    """
    turns = (sorted(program) for program in programs)
    return min((turn[(len(turn) - 1) // 2] for turn in turns if turn), default=None)


def relative_speed(problems: Iterable[tuple[float, float]]) -> Speed:
    """Return the geometric mean over problems of reference / own; above 1 is faster than the reference.

    A pair is the reference's CPU milliseconds and the median of the row's accepted answers. Pairs with a time that is
    not positive are left out; under ten problems there is no ratio.
    """
    pairs = [(reference, own) for reference, own in problems if reference > 0 and own > 0]
    if len(pairs) < MIN_PROBLEMS:
        return Speed(None, len(pairs))
    logs = (math.log(reference) - math.log(own) for reference, own in pairs)
    return Speed(math.exp(math.fsum(logs) / len(pairs)), len(pairs))
