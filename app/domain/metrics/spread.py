"""How far the trials of one model in one configuration lie apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev


@dataclass(frozen=True, slots=True)
class Spread:
    """Scores of several trials on the problems that are graded in all of them: the least, the greatest, and their
    standard deviation, in points."""

    trials: int
    problems: int
    lo: float
    hi: float
    sd: float


def spread(trials: Sequence[Mapping[int, float]]) -> Spread | None:
    """Of trials given as pass rates by problem; None where fewer than two have a problem in common."""
    judged = [rates for rates in trials if rates]
    common = frozenset.intersection(*map(frozenset, judged)) if len(judged) > 1 else frozenset()
    if not common:
        return None
    scores = [100 * fmean(rates[problem] for problem in common) for rates in judged]
    return Spread(len(scores), len(common), min(scores), max(scores), stdev(scores))
