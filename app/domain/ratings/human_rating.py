"""Ratings on the scale of Codeforces: the rating of a place among rated humans, percentiles, real rating changes.

The chance that a human rated u beats one rated r is 1 / (1 + 10^((r - u) / 400)). A model that takes part with `better`
humans better than or tied with it has the rating at which that number is expected:

    sum_i 1 / (1 + 10^((r - r_i) / 400)) = better

(CodeElo, arXiv 2501.01257, as its tool computes it), clipped between 0 and the highest human rating + 100: beyond that
a place only shows "at least". The model's own rating never enters.

Humans are given as their ratings, or as `HumanField` if the same ones are used again.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, isnan, log
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Compat = Literal["codeelo"]

_RATE = log(10) / 400
_MAX_ABOVE = 100.0  # how far above the best human a rating may lie
_CELLS_AT_ONCE = 1 << 21
_GRID_POINTS = 65
_NEWTON_ROUNDS = 50  # then brackets are halved
# Points still to be added to a newcomer's displayed rating, by contests played (Codeforces, from June 2020 on).
_UNPAID = (1400, 900, 550, 300, 150, 50, 0)
_MIN_RATING, _MAX_RATING = 1, 8000  # Codeforces' search range for a rating


class HumanRating(float):
    """A rating, with the chances that it is censored: the place implied more (`above`) or less (`below`).

    `better` is the (mean) number of humans better than or tied with the model. The chances are 0 or 1 for one place,
    between them for a mean over places.
    """

    __slots__ = ("above", "below", "better")

    above: float
    below: float
    better: float

    def __new__(cls, value: float, better: float, above: float, below: float) -> "HumanRating":
        rating = super().__new__(cls, value)
        rating.better, rating.above, rating.below = better, above, below
        return rating

    def __getnewargs__(self) -> tuple[Any, ...]:  # copies and pickles
        return float(self), self.better, self.above, self.below

    @property
    def censored(self) -> bool:
        """True if it is at least as likely a bound as a rating."""
        return self.above + self.below >= 0.5


@dataclass(frozen=True, slots=True, eq=False)
class HumanField:
    """The ratings of a field of humans: distinct ratings, ascending, and the number of humans with each."""

    ratings: Floats
    counts: Floats

    @classmethod
    def of(cls, ratings: "ArrayLike | HumanField") -> "HumanField":
        """Return the field of one rating per human. Raises ValueError if it is empty or a rating is not finite."""
        if isinstance(ratings, HumanField):
            return ratings
        return cls.from_histogram(ratings, 1)

    @classmethod
    def from_histogram(cls, ratings: ArrayLike, counts: ArrayLike) -> "HumanField":
        """Return the field of ratings and numbers of humans with each; a rating may occur more than once.

        Raises ValueError if there is no human, a rating is not finite or a count is not a whole number >= 0.
        """
        values, many = np.broadcast_arrays(_numbers(ratings, "ratings"), _numbers(counts, "counts"))
        if values.ndim != 1 or not np.any(many > 0):
            raise ValueError("at least one human rating is needed")
        if np.any((many < 0) | (many != np.floor(many))):
            raise ValueError("counts must be whole numbers and not negative")
        distinct, places = np.unique(values[many > 0], return_inverse=True)
        return cls(distinct, np.bincount(places, weights=many[many > 0]).astype(np.float64))

    @property
    def size(self) -> int:
        return int(self.counts.sum())

    @property
    def ceiling(self) -> float:
        """The highest rating that a place in this field can show."""
        return max(0.0, float(self.ratings[-1]) + _MAX_ABOVE)


def _numbers(values: ArrayLike, name: str) -> Floats:
    try:
        array = np.asarray(values, dtype=np.float64)
    except TypeError as error:
        raise ValueError(f"{name} must be numbers") from error
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} must be finite numbers")
    return array


def expected_better(ratings: ArrayLike, human_ratings: ArrayLike | HumanField) -> Floats:
    """Return how many humans are expected to beat a participant with each of `ratings`."""
    return _curve(_numbers(ratings, "ratings").reshape(-1), HumanField.of(human_ratings))[0]


def _curve(ratings: Floats, humans: HumanField) -> tuple[Floats, Floats]:
    """Return (expected number of humans that win, minus its derivative) at each rating."""
    value, slope = np.empty(ratings.size), np.empty(ratings.size)
    rows = max(1, _CELLS_AT_ONCE // humans.ratings.size)
    with np.errstate(over="ignore"):
        for start in range(0, ratings.size, rows):
            part = slice(start, start + rows)
            chance = 1.0 / (1.0 + np.exp(_RATE * (ratings[part, None] - humans.ratings)))
            value[part] = chance @ humans.counts
            slope[part] = _RATE * ((chance * (1.0 - chance)) @ humans.counts)
    return value, slope


def codeforces_rating(
    better: float, human_ratings: ArrayLike | HumanField, compat: Compat | None = None
) -> HumanRating:
    """Return the rating of a model with `better` of the humans rated `human_ratings` better than or tied with it.

    It is a float that also says whether it is censored. Ratings should be true ones (`true_rating`). `compat="codeelo"`
    repeats CodeElo's published tool: it uses one human less, and returns the whole number below, at most the highest
    human rating + 99 (the tool itself is fed displayed ratings). Raises ValueError without humans, for ratings that are
    not finite, unless 0 <= better <= humans, or for another `compat`.
    """
    humans = HumanField.of(human_ratings)
    places = _places(better, humans)
    rating, above, below = (float(values[0]) for values in ratings_at(places, humans, compat))
    return HumanRating(rating, float(better), above, below)


def joint_rating(contests: Iterable[tuple[float, ArrayLike | HumanField]]) -> HumanRating:
    """Return the rating that fits the places in all contests best; a contest is (better, human_ratings).

    It solves sum_k [sum_i P(human i of contest k wins) - better_k] = 0, where the product of the likelihoods of the
    places is greatest, and is clipped between 0 and the highest human rating of all + 100. Unlike the mean of the
    contests' ratings, it is not biased by censored ones. Raises ValueError without contests, and for each contest as
    `codeforces_rating`.
    """
    fields, better = [], []
    for count, human_ratings in contests:
        fields.append(HumanField.of(human_ratings))
        better.append(float(_places(count, fields[-1])[0]))
    if not fields:
        raise ValueError("at least one contest is needed")
    ratings, counts = (
        np.concatenate(columns) for columns in zip(*((field.ratings, field.counts) for field in fields), strict=True)
    )
    return codeforces_rating(fsum(better), HumanField.from_histogram(ratings, counts))


def _places(better: float, humans: HumanField) -> Floats:
    place = _numbers(better, "better")
    if place.ndim or not 0 <= place <= humans.size:
        raise ValueError("better must be a number between 0 and the number of humans")
    return place.reshape(1)


def ratings_at(better: Floats, humans: HumanField, compat: Compat | None = None) -> tuple[Floats, Floats, Floats]:
    """Return (ratings, whether censored above, whether censored below) for many places; see `codeforces_rating`."""
    if compat not in (None, "codeelo"):
        raise ValueError("compat must be None or 'codeelo'")
    top, targets = humans.ceiling, better
    if compat:
        top, targets = float(int(top)), better - 1.0
    ends, _ = _curve(np.array([top, 0.0]), humans)
    above, below = ends[0] > targets, ends[1] < targets
    rating = _search_like_codeelo(targets, humans, top) if compat else _roots(targets, humans, top)
    return rating, above.astype(np.float64), below.astype(np.float64)


def _roots(targets: Floats, humans: HumanField, top: float) -> Floats:
    """Return where the falling curve takes each target in [0, top]: Newton's method within brackets."""
    grid = np.linspace(0.0, top, _GRID_POINTS)
    heights, _ = _curve(grid, humans)
    right = np.clip(np.searchsorted(-heights, -targets), 1, _GRID_POINTS - 1)
    low, high = grid[right - 1], grid[right]
    inside = (targets > heights[-1]) & (targets < heights[0])
    rating = np.where(inside, (low + high) / 2, np.where(targets <= heights[-1], top, 0.0))
    active = np.flatnonzero(inside)
    rounds = 0
    while active.size:
        rounds += 1
        here = rating[active]
        value, slope = _curve(here, humans)
        excess = value - targets[active]
        low[active] = np.where(excess >= 0, here, low[active])
        high[active] = np.where(excess <= 0, here, high[active])
        middle = low[active] + (high[active] - low[active]) / 2
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            newton = here + excess / slope
        inner = (newton > low[active]) & (newton < high[active]) & (rounds <= _NEWTON_ROUNDS)
        following = np.where(inner, newton, middle)
        rating[active] = following
        active = active[np.abs(following - here) > 1e-11 * (1.0 + np.abs(here))]
    return rating


def _search_like_codeelo(targets: Floats, humans: HumanField, top: float) -> Floats:
    """Return the largest whole number below `top` where the curve is at least as high, as the published tool does."""
    low, high = np.zeros(targets.shape), np.full(targets.shape, top)
    while np.any(high - low > 1):
        middle = np.floor((low + high) / 2)
        enough = _curve(middle, humans)[0] >= targets
        low, high = np.where(enough, middle, low), np.where(enough, high, middle)
    return low


def percentile(rating: float, human_ratings: ArrayLike | HumanField) -> float:
    """Return the share of humans rated strictly below `rating`, in percent, to one decimal as it is published.

    Raises ValueError without humans or for nan; `share_below` gives all digits.
    """
    return round(100.0 * share_below(rating, human_ratings), 1)


def share_below(rating: float, human_ratings: ArrayLike | HumanField) -> float:
    """Return the share, in [0, 1], of humans rated strictly below `rating`."""
    humans = HumanField.of(human_ratings)
    if isnan(rating):
        raise ValueError("rating must be a number")
    below = humans.counts[: np.searchsorted(humans.ratings, rating, side="left")].sum()
    return float(below) / humans.size


def rating_at_percentile(percent: float, human_ratings: ArrayLike | HumanField) -> float:
    """Return the least human rating that `percent` of all do not exceed: order statistic ceil(N p/100).

    Raises ValueError without humans or unless `percent` is above 0 and at most 100.
    """
    humans = HumanField.of(human_ratings)
    if not 0 < percent <= 100:
        raise ValueError("percent must lie above 0 and not above 100")
    place = -(-humans.size * Fraction(str(percent)) // 100)
    return float(humans.ratings[np.searchsorted(np.cumsum(humans.counts), int(place))])


def percentile_table(human_ratings: ArrayLike | HumanField) -> dict[int, float]:
    """Return the human ratings at the percentiles 1 to 100."""
    humans = HumanField.of(human_ratings)
    return {percent: rating_at_percentile(percent, humans) for percent in range(1, 101)}


@overload
def true_rating(displayed: float, contests_played: int) -> float: ...
@overload
def true_rating(displayed: ArrayLike, contests_played: ArrayLike) -> Any: ...
def true_rating(displayed: Any, contests_played: Any) -> Any:
    """Return the rating that Codeforces computes with, from the displayed one (0 for a newcomer) after some contests.

    From June 2020 on newcomers are shown less, and get the difference of 1400 over their first six contests:
    500, 350, 250, 150, 100 and 50. Numbers or arrays that broadcast. Raises ValueError for negative contests.
    """
    played = np.asarray(contests_played)
    if played.dtype.kind not in "iu" or np.any(played < 0):
        raise ValueError("contests_played must be whole numbers and not negative")
    value = _numbers(displayed, "displayed") + np.array(_UNPAID, dtype=np.float64)[np.minimum(played, len(_UNPAID) - 1)]
    return float(value) if value.ndim == 0 else value


def codeforces_changes(old_ratings: ArrayLike, places: ArrayLike) -> Ints:
    """Return the rating changes that Codeforces applies after a contest, one per participant, in the given order.

    `old_ratings` are true ratings (whole numbers); `places` order participants, lower is better and equal is tied
    (`worst_places` makes them from standings). Formula: Mirzayanov 2015 (codeforces.com/blog/entry/20762); it repeats
    the changes of real rounds exactly. Raises ValueError for different lengths, no participant, or ratings that are not
    whole.
    """
    old, place = _numbers(old_ratings, "old_ratings"), _numbers(places, "places")
    if old.ndim != 1 or old.shape != place.shape or not old.size:
        raise ValueError("old_ratings and places must have one length, and not be empty")
    if np.any(old != np.floor(old)):
        raise ValueError("old_ratings must be whole numbers")
    humans = HumanField.of(old)
    rank = np.searchsorted(np.sort(place), place, side="right")
    distinct, codes = np.unique(old, return_inverse=True)
    # All participants are counted, hence 1 + others = 1/2 + all at the participant's own rating.
    seed = 0.5 + _curve(distinct, humans)[0][codes]
    gap = _needed_rating(np.sqrt(rank * seed), old, humans) - old
    change: Ints = np.trunc(gap / 2).astype(np.int64)
    change += _quotient(-int(change.sum()), old.size) - 1
    # Of equal ratings, the better places come first, as on the site, so that the given order does not matter.
    best = np.lexsort((place, -old))[: min(old.size, 4 * round(old.size**0.5))]
    change += min(0, max(-10, _quotient(-int(change[best].sum()), best.size)))
    return change


def _needed_rating(place: Floats, old: Floats, humans: HumanField) -> Floats:
    """Return the largest whole rating at which each participant would be expected at least at that place."""
    table = 1.0 + _curve(np.arange(_MIN_RATING, _MAX_RATING + 1, dtype=np.float64), humans)[0]
    low, high = np.full(old.size, _MIN_RATING), np.full(old.size, _MAX_RATING)
    with np.errstate(over="ignore"):
        while np.any(high - low > 1):
            middle = (low + high) // 2
            seed = table[middle - _MIN_RATING] - 1.0 / (1.0 + np.exp(_RATE * (middle - old)))
            good = seed >= place
            low, high = np.where(good, middle, low), np.where(good, high, middle)
    return low.astype(np.float64)


def _quotient(total: int, count: int) -> int:
    """Return the quotient rounded towards zero."""
    return total // count if total >= 0 else -(-total // count)


def worst_places(standings: ArrayLike) -> Ints:
    """Return the places of (points, penalty) rows, points descending, then penalty ascending; ties share the worst."""
    return better_or_equal(standings, standings)


def better_or_equal(scores: ArrayLike, standings: ArrayLike) -> Ints:
    """Return for each (points, penalty) of `scores` how many rows of `standings` are better or tied.

    Raises ValueError unless both have the shape (rows, 2) and finite numbers.
    """
    ours, theirs = _numbers(scores, "scores"), _numbers(standings, "standings")
    if any(table.ndim != 2 or table.shape[1] != 2 for table in (ours, theirs)):
        raise ValueError("scores and standings must be rows of (points, penalty)")
    points, penalty = np.concatenate([theirs, ours]).T
    mine = np.arange(len(theirs) + len(ours)) >= len(theirs)
    order = np.lexsort((mine, penalty, -points))
    ahead = np.cumsum(~mine[order])
    counts = np.empty(order.size, dtype=np.int64)
    counts[order] = ahead
    return counts[len(theirs) :]
