"""Spread of the trials of one model in one configuration."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev


@dataclass(frozen=True, slots=True)
class Spread:
    """Scores of trials on the problems graded in all of them: least, greatest and standard deviation, in points."""

    trials: int
    problems: int
    lo: float
    hi: float
    sd: float


def spread(trials: Sequence[Mapping[int, float]]) -> Spread | None:
    """Return the spread of trials, given as pass rates by problem; None if fewer than two have a common problem."""
    judged = [rates for rates in trials if rates]
    common = frozenset.intersection(*map(frozenset, judged)) if len(judged) > 1 else frozenset()
    if not common:
        return None
    scores = [100 * fmean(rates[problem] for problem in common) for rates in judged]
    return Spread(len(scores), len(common), min(scores), max(scores), stdev(scores))
