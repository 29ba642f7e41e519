"""A model's virtual participation in a contest with human participants, as in CodeElo (arXiv 2501.01257).

Up to eight tries per problem count, up to the first accepted one; w wrong ones before it cost 50 w of the problem's
points (never more than it is worth), or 10 w penalty in contests that count problems. Time plays no part, nor do wrong
tries on a problem never solved.

A model's samples of a problem come in no order, so a contest is worth the mean over all their orders, exactly: with c
of n samples accepted, the first accepted one comes after w wrong ones with chance

    C(n - c, w) / C(n, w) * c / (n - w),

orders of different problems are independent, and (points, penalty) are few enough to list with their chances.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from math import fsum, inf, isfinite, nan, sqrt
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.domain.metrics.distributions import t_critical
from app.domain.ratings.human_rating import (
    Compat,
    HumanField,
    HumanRating,
    better_or_equal,
    ratings_at,
)

Floats = NDArray[np.float64]
Style = Literal["points", "icpc"]
Counts = tuple[int, int, float | None]

TRIES = 8
_WRONG_TRY_POINTS, _WRONG_TRY_PENALTY = 50.0, 10.0  # per wrong try before the first accepted one


class ContestScore(NamedTuple):
    """The key by which standings are ordered: points (or problems solved) descending, then penalty ascending."""

    points: float
    penalty: float


@dataclass(frozen=True, slots=True)
class MeanRating:
    """The mean rating over contests, with a t interval over contests.

    With one contest `sd` and `se` are nan and the interval is the whole line. `censored` contests show (more likely
    than not) a bound instead of a rating: they bias the mean, and `joint_rating` is the better estimate.
    """

    mean: float
    sd: float
    se: float
    lo: float
    hi: float
    contests: int
    censored: int


def virtual_score(
    attempts: Iterable[Iterable[bool]], points: Sequence[float] | None = None, tries: int = TRIES
) -> ContestScore:
    """Return the score of a virtual participation; `attempts` holds whether each try was accepted, by problem.

    `points` are the problems' points, or None if a contest counts solved problems. Tries after the first accepted one,
    and those beyond `tries`, do not count; a problem without an accepted try scores 0. Raises ValueError for different
    lengths, points that are negative or not finite, or tries < 1.
    """
    trials = [list(islice(attempt, _check_tries(tries))) for attempt in attempts]
    if points is not None and len(points) != len(trials):
        raise ValueError("points must have one number per problem")
    worth = [None] * len(trials) if points is None else [_worth(point) for point in points]
    gains = [_gain(trial.index(True), value) for trial, value in zip(trials, worth, strict=True) if True in trial]
    return ContestScore(fsum(gain.points for gain in gains), fsum(gain.penalty for gain in gains))


def _gain(wrong: int, worth: float | None) -> ContestScore:
    if worth is None:
        return ContestScore(1.0, _WRONG_TRY_PENALTY * wrong)
    return ContestScore(max(0.0, worth - _WRONG_TRY_POINTS * wrong), 0.0)


def _worth(points: float | None) -> float:
    if points is None or not (isfinite(points) and points >= 0):
        raise ValueError("points must be finite and not negative")
    return float(points)


def _check_tries(tries: int) -> int:
    if tries < 1:
        raise ValueError("tries must be at least 1")
    return tries


def score_chances(problems: Iterable[Counts], style: Style, tries: int = TRIES) -> tuple[Floats, Floats]:
    """Return all scores that the orders of a contest's samples can give, shape (scores, 2), and the chance of each.

    `problems` holds (samples, accepted samples, points); points are read only in `style` "points". Rows are (points,
    penalty), ascending. Raises ValueError unless 0 <= accepted <= samples and 1 <= samples, for points that are
    missing, negative or not finite, another style, or tries < 1.
    """
    if style not in ("points", "icpc"):
        raise ValueError("style must be 'points' or 'icpc'")
    scores, chances = np.zeros((1, 2)), np.ones(1)
    parts = [_problem_chances(n, c, _worth(worth) if style == "points" else None, tries) for n, c, worth in problems]
    # Sorted, so that the order of problems does not matter.
    for gains, odds in sorted(parts):
        sums = (scores[:, None, :] + np.array(gains)[None, :, :]).reshape(-1, 2)
        scores, places = np.unique(sums, axis=0, return_inverse=True)
        chances = np.bincount(places.reshape(-1), weights=np.outer(chances, odds).reshape(-1)).astype(np.float64)
    return scores, chances


def _problem_chances(n: int, c: int, worth: float | None, tries: int) -> tuple[list[ContestScore], list[float]]:
    if not (n % 1 == 0 and c % 1 == 0 and 0 <= c <= n and n >= 1):
        raise ValueError("a problem needs at least one sample, and 0 to all of them accepted")
    n, c = int(n), int(c)
    gains, odds, left = [], [], 1.0
    for wrong in range(min(_check_tries(tries), n - c + 1) if c else 0):
        right = c / (n - wrong)
        gains.append(_gain(wrong, worth))
        odds.append(left * right)
        left *= 1.0 - right
    if left > 0:
        gains.append(ContestScore(0.0, 0.0))
        odds.append(left)
    return gains, odds


def expected_contest_rating(
    problems: Iterable[Counts],
    standings: ArrayLike,
    human_ratings: ArrayLike | HumanField,
    style: Style,
    tries: int = TRIES,
    compat: Compat | None = None,
) -> HumanRating:
    """Return the rating that a contest gives a model: the exact mean over all orders of its samples of each problem.

    `problems` as in `score_chances`; `standings` holds the humans' (points, penalty), one row each, and `human_ratings`
    their ratings. The result's `better` is the mean number of humans better or tied, as `joint_rating` takes it;
    `above` and `below` are the chances of a place whose rating is censored. Raises ValueError as the functions it uses,
    or if standings and ratings are not of the same people.
    """
    humans = HumanField.of(human_ratings)
    scores, chances = score_chances(problems, style, tries)
    places, codes = np.unique(better_or_equal(scores, standings), return_inverse=True)
    if len(np.asarray(standings)) != humans.size:
        raise ValueError("standings and human ratings must have one length")
    weights = np.bincount(codes, weights=chances)
    weights = weights / weights.sum()
    better = places.astype(np.float64)
    parts = (better, *ratings_at(better, humans, compat))
    mean_better, rating, above, below = (fsum((weights * part).tolist()) for part in parts)
    return HumanRating(rating, mean_better, above, below)


def mean_rating(contests: Iterable[HumanRating], *, confidence: float = 0.95) -> MeanRating:
    """Return the mean of contests' ratings, with the interval mean -+ t_{k-1} s / sqrt(k).

    Raises ValueError without contests or for a confidence outside (0, 1).
    """
    ratings = list(contests)
    count = len(ratings)
    if not count:
        raise ValueError("at least one contest is needed")
    mean = fsum(ratings) / count
    critical = t_critical(confidence, count - 1)
    sd = sqrt(fsum((rating - mean) ** 2 for rating in ratings) / (count - 1)) if count > 1 else nan
    half = critical * sd / sqrt(count) if count > 1 else inf
    censored = sum(rating.censored for rating in ratings)
    return MeanRating(mean, sd, sd / sqrt(count), mean - half, mean + half, count, censored)
