"""Task Elo: Bradley-Terry ratings from pass rates, independent of order, with intervals from resampled problems.

Each problem is a battle of every two models that both have a pass rate there: a beats b with weight p_a (1 - p_b), b
beats a with (1 - p_a) p_b, and the rest is a tie; for 0/1 outcomes that is the plain battle. `ties="drop"` leaves ties
out (BigCodeBench's task Elo), `ties="half"` counts them half for each side; dropping stretches the scale.

The ratings r maximise sum_ab W_ab log s(r_a - r_b), s the logistic function and W_ab the weight with which a beats
b, and are shown as 1000 + 400/ln(10) r with mean 1000. A maximum exists exactly if the win graph (an arrow from a to b
if W_ab > 0) is strongly connected (Ford 1957). If it is not, only its largest part has ratings: a model that never
lost to that part, or never won, is infinitely far from it, and the rest of its battles carry no information.

*Order.* Weights are sums of whole numbers that floating point holds exactly, models are put in an order that depends on
their results alone, and ratings are rounded to 1e-9: permuting models or problems permutes the answer, exactly.

*Intervals.* The battles on one problem are not independent (on HumanEval+, resampling battles gives an interval four to
five times too short), so problems are resampled, in whole clusters, with Poisson(1) weights.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm, log, log1p, log2, nan
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Ties = Literal["drop", "half"]

SCALE = 400 / log(10)
CENTRE = 1000.0

# Rates within this of a multiple of 1/n are rounded to it; others are kept to about twelve digits.
_SNAP = 1e-9
_MAX_DENOMINATOR = 1000
_EXACT, _EXACT_SINGLE = 53, 24  # bits of a whole number in double and single precision
# A share of battles won below this counts as 0: it would mean 3,600 points.
_NO_WINS = 1e-9
_RIDGE = 1e-13  # relative, in the Hessian alone: it slows steps and does not move the maximum
_DIGITS = 9
_CONVERGED, _NEAR = 1e-9, 1e-3
_MAX_STEPS = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Elo:
    """Ratings of models, nan if the battles do not identify one. It behaves as the sequence of its ratings.

    `identifiable` flags the models with a rating. `components` are the strongly connected parts of the win graph, as
    row numbers, the largest first; ratings are those of the first, if it has at least two models and no other is as
    large.
    """

    ratings: Floats
    identifiable: NDArray[np.bool_]
    components: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return self.ratings.size

    def __getitem__(self, row: Any) -> Any:
        return self.ratings[row]

    def __iter__(self) -> Iterator[float]:
        return iter(self.ratings.tolist())


class EloIntervals(NamedTuple):
    """Ratings with the ends of their intervals, one per model; nan if a model has no rating.

    An end is infinite if the model was separated from the rest in too many replicates, and both are if all problems are
    one cluster. `refitted` says that each replicate was fitted anew; otherwise they are one Newton step away from the
    ratings, all with one Hessian.
    """

    elo: Elo
    lo: Floats
    hi: Floats
    refitted: bool


def bradley_terry(outcomes: ArrayLike, ties: Ties = "drop") -> Elo:
    """Return Bradley-Terry ratings of models from pass rates: mean 1000, 400 points for odds of 10 to 1.

    `outcomes` has shape (models, problems), values in [0, 1], nan if a model has no result. 1,000 models on 5,500
    problems take about a second. Raises ValueError on another shape, values outside [0, 1], or unknown `ties`.
    """
    return bradley_terry_of_wins(win_matrix(outcomes, ties))


def win_matrix(outcomes: ArrayLike, ties: Ties = "drop") -> Floats:
    """Return W of shape (models, models): the summed weight with which the row's model beats the column's."""
    return _Battles(outcomes, ties).wins()


def bradley_terry_of_wins(wins: ArrayLike) -> Elo:
    """Return Bradley-Terry ratings from a square matrix of wins, row over column; its diagonal is ignored.

    Raises ValueError unless the matrix is square with finite numbers >= 0.
    """
    matrix = np.array(wins, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError("wins must be a square matrix")
    if not np.all((matrix >= 0) & (matrix < np.inf)):
        raise ValueError("wins must be finite and not negative")
    np.fill_diagonal(matrix, 0.0)
    parts = _components(_beats(matrix))
    ratings = np.full(len(matrix), nan)
    rated = _rated_part(parts)
    if rated:
        inner = matrix[np.ix_(rated, rated)]
        order = _order(inner)
        members = np.array(rated)[order]
        inner = inner[np.ix_(order, order)]
        ratings[members] = np.round(_elo(_maximise(inner, _first_guess(inner))), _DIGITS)
    return Elo(ratings, ~np.isnan(ratings), parts)


def bradley_terry_intervals(
    outcomes: ArrayLike,
    clusters: Sequence[object] | NDArray[Any],
    ties: Ties = "drop",
    *,
    replicates: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
    most_work: float = 2e11,
) -> EloIntervals:
    """Return ratings with percentile intervals over problems resampled in clusters (contests), one label per problem.

    The result is independent of the order of models and problems. In each replicate the ratings are fitted anew, with
    the same mean as these models' ratings; a model that lost (or won) no battle against them is at +inf (-inf), and one
    without battles is left out. If refitting would take more than about `most_work` multiplications (seconds), all
    replicates take one Newton step from the ratings instead: close on many problems, and symmetric. A handful of
    clusters gives intervals that are too narrow, as with any resampling. Raises ValueError as `bradley_terry`, for
    different lengths, replicates < 1 or confidence outside (0, 1).
    """
    if replicates < 1 or not 0 < confidence < 1:
        raise ValueError("replicates must be positive and confidence lie between 0 and 1")
    battles = _Battles(outcomes, ties)
    wins = battles.wins()
    codes = _codes(clusters, battles.problems)
    elo = bradley_terry_of_wins(wins)
    rated = np.flatnonzero(elo.identifiable)
    lo, hi = np.full(len(elo), nan), np.full(len(elo), nan)
    models, problems = rated.size, battles.problems
    refitted = replicates * models**2 * (problems + 20.0 * models) <= most_work
    if models:
        rated = rated[_order(wins[np.ix_(rated, rated)])]
        battles = battles.of(rated)
        clusters_drawn = int(codes.max()) + 1
        weights = np.random.default_rng(seed).poisson(1.0, (replicates, clusters_drawn)).astype(np.float64)
        theta = (elo.ratings[rated] - CENTRE) / SCALE
        resample = _refits if refitted else _one_steps
        sample = np.sort(resample(battles, theta, codes, weights), axis=0)
        counts = np.sum(~np.isnan(sample), axis=0)
        first = np.floor(counts * (1 - confidence) / 2).astype(np.int64)
        for ends, place in ((lo, first), (hi, np.maximum(counts - 1 - first, 0))):
            ends[rated] = _elo(np.take_along_axis(sample, place[None, :], axis=0)[0])
        if clusters_drawn == 1:
            lo[rated], hi[rated] = -np.inf, np.inf
    return EloIntervals(elo, lo, hi, refitted)


class _Battles:
    """Pass rates as matrices of whole numbers, so that sums over problems are exact in any order.

    A rate is sum_l left_l / units_l, its complement sum_l right_l / units_l: one pair if rates have a common
    denominator (0/1 outcomes, n samples each), else a high and a low part. Both are 0 if a rate is missing.
    """

    def __init__(self, outcomes: ArrayLike, ties: Ties) -> None:
        rates = np.asarray(outcomes, dtype=np.float64)
        if rates.ndim != 2:
            raise ValueError("outcomes must have the shape (models, problems)")
        if ties not in ("drop", "half"):
            raise ValueError("ties must be 'drop' or 'half'")
        mask = ~np.isnan(rates)
        if np.any((rates < 0) | (rates > 1)):
            raise ValueError("pass rates must lie between 0 and 1")
        self.half = ties == "half"
        self.problems = rates.shape[1]
        rates = np.where(mask, rates, 0.0)
        self.bits = (_EXACT - ceil(log2(max(self.problems, 1))) - 4) // 2
        unit = _denominator(rates, self.problems)
        self.units = (float(unit),) if unit else (2.0**self.bits, 4.0**self.bits)
        whole = np.rint(rates * self.units[-1])
        self.left = self._parts(whole)
        self.right = self._parts(mask * self.units[-1] - whole)
        self.seen = mask.astype(np.float32)

    def _parts(self, whole: Floats) -> list[NDArray[Any]]:
        if len(self.units) == 2:
            high = np.floor(whole / self.units[0])
            return [high, whole - high * self.units[0]]
        # Replicates may weigh a problem several times, hence three bits to spare.
        small = self.problems * self.units[0] ** 2 < 2.0 ** (_EXACT_SINGLE - 3)
        return [whole.astype(np.float32 if small else np.float64)]

    def of(self, models: Ints) -> "_Battles":
        """Return the battles among `models` only, in that order."""
        part = object.__new__(_Battles)
        part.half, part.problems, part.bits, part.units = self.half, self.problems, self.bits, self.units
        part.left = [matrix[models] for matrix in self.left]
        part.right = [matrix[models] for matrix in self.right]
        part.seen = self.seen[models]
        return part

    def wins(self, weights: Floats | None = None) -> Floats:
        """Return the win matrix, each problem counted `weights` (whole numbers) times."""
        columns = slice(None) if weights is None else np.flatnonzero(weights)
        times = None if weights is None else weights[columns]
        beaten = np.zeros((len(self.seen),) * 2)
        for left, left_unit in zip(self.left, self.units, strict=True):
            for right, right_unit in zip(self.right, self.units, strict=True):
                beaten += _product(left, right, columns, times) / (left_unit * right_unit)
        if self.half:
            common = _product(self.seen, self.seen, columns, times)
            beaten = np.maximum(common + beaten - beaten.T, 0.0) / 2
        np.fill_diagonal(beaten, 0.0)
        return beaten

    def scores(self, theta: Floats) -> Floats:
        """Return the gradient of each problem in each log rating, shape (models, problems); it sums to 0 at the fit."""
        chance = _chances(theta).astype(np.float32)
        won = sum(part / unit for part, unit in zip(self.left, self.units, strict=True))
        lost = sum(part / unit for part, unit in zip(self.right, self.units, strict=True))
        won, lost = np.asarray(won, dtype=np.float32), np.asarray(lost, dtype=np.float32)
        if self.half:
            even = self.seen * ((chance.T - chance) @ self.seen)
            return np.asarray((even + won * lost.sum(0) - lost * won.sum(0)) / 2, dtype=np.float64)
        return np.asarray(won * (chance.T @ lost) - lost * (chance @ won), dtype=np.float64)


def _product(left: NDArray[Any], right: NDArray[Any], columns: Any, times: Floats | None) -> Floats:
    side = left[:, columns] if times is None else left[:, columns] * times.astype(left.dtype)
    return np.asarray(side @ right[:, columns].T, dtype=np.float64)


def _denominator(rates: Floats, problems: int) -> int:
    """Return the least n of which all rates are multiples of 1/n, if sums of products stay exact; else 0."""
    unit, values = 1, rates.ravel()
    while True:
        values = values[np.abs(values * unit - np.rint(values * unit)) > _SNAP]
        if not values.size:
            return unit
        finer = lcm(unit, Fraction(float(values[0])).limit_denominator(_MAX_DENOMINATOR).denominator)
        if finer == unit or finer**2 * max(problems, 1) > 2 ** (_EXACT - 4):
            return 0
        unit = finer


def _codes(clusters: Sequence[object] | NDArray[Any], problems: int) -> Ints:
    """Return numbers of clusters from 0, in an order of labels instead of problems."""
    if len(clusters) != problems:
        raise ValueError("clusters must have one label per problem")
    labels = clusters.tolist() if isinstance(clusters, np.ndarray) else list(clusters)
    ordered = sorted(set(labels), key=lambda label: (type(label).__name__, repr(label)))
    number = {label: place for place, label in enumerate(ordered)}
    return np.array([number[label] for label in labels], dtype=np.int64)


def _beats(wins: Floats) -> NDArray[np.bool_]:
    return np.asarray(wins > _NO_WINS * (wins + wins.T), dtype=np.bool_)


def _components(arrows: NDArray[np.bool_]) -> tuple[tuple[int, ...], ...]:
    """Return strongly connected parts, largest first (Kosaraju-Sharir, with rows of arrows as bits of one number)."""
    forth, back = (
        [int.from_bytes(row.tobytes(), "little") for row in np.packbits(matrix, axis=1, bitorder="little")]
        for matrix in (arrows, arrows.T)
    )
    everyone = (1 << len(arrows)) - 1
    finished = [node for tree in _trees(forth, range(len(forth)), everyone) for node in tree]
    parts = [tuple(sorted(tree)) for tree in _trees(back, reversed(finished), everyone)]
    return tuple(sorted(parts, key=lambda part: (-len(part), part)))


def _trees(arrows: list[int], roots: Iterator[int] | range, unseen: int) -> Iterator[list[int]]:
    """Yield depth-first trees from `roots` in turn, each in the order in which its nodes are finished."""
    for root in roots:
        if not unseen >> root & 1:
            continue
        unseen ^= 1 << root
        path, nodes = [root], []
        while path:
            ahead = arrows[path[-1]] & unseen
            if ahead:
                lowest = ahead & -ahead
                unseen ^= lowest
                path.append(lowest.bit_length() - 1)
            else:
                nodes.append(path.pop())
        yield nodes


def _rated_part(parts: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """Return the part that has ratings: the largest, if it is larger than every other and than one model."""
    sizes = [*(len(part) for part in parts[:2]), 1, 1]
    return parts[0] if sizes[0] > sizes[1] else ()


def _order(wins: Floats) -> Ints:
    """Return an order of models that depends on their results only, not on the order they come in."""
    won, lost = np.sort(wins, axis=1), np.sort(wins.T, axis=1)
    keys = [np.ascontiguousarray(values).sum(axis=1) for values in (won**2, lost**2, lost, won)]
    return np.lexsort(keys).astype(np.int64)


def _first_guess(wins: Floats) -> Floats:
    guess = np.log((wins.sum(axis=1) + 0.5) / (wins.sum(axis=0) + 0.5))
    return np.asarray(guess - guess.mean())


def _chances(theta: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return np.asarray(1.0 / (1.0 + np.exp(theta[None, :] - theta[:, None])))


def _maximise(wins: Floats, theta: Floats) -> Floats:
    """Return ratings by Newton's method, damped as for self-concordant losses (Bach 2010) against overshooting."""
    battles = wins + wins.T
    change = last = np.inf
    steps = 0
    # Near the maximum steps shrink quadratically: one that does not is rounding.
    while change > _CONVERGED and steps < _MAX_STEPS and (change < last or change > _NEAR):
        chance = _chances(theta)
        pull = (wins * chance.T - wins.T * chance).sum(axis=1)
        step = np.linalg.solve(_hessian(battles, chance), pull)
        last, change = change, _largest_change(battles, step)
        theta = theta + step * min(1.0, log1p(change) / max(change, _CONVERGED))
        theta = theta - theta.sum() / theta.size  # faster than its mean()
        steps += 1
    return theta


def _largest_change(battles: Floats, step: Floats) -> float:
    """Return how far `step` moves two models apart that have battles."""
    most = float(step.max() - step.min())
    if most <= _NEAR:
        return most
    return float(np.max(np.abs(step[:, None] - step[None, :]), where=battles > 0, initial=0.0))


def _hessian(battles: Floats, chance: Floats) -> Floats:
    """Return minus the second derivatives, made regular: a constant fixes the mean, the ridge bounds rounding."""
    weight = battles * chance * chance.T
    total = weight.sum(axis=1)
    matrix = np.asarray(total.sum() / len(weight) / len(weight) - weight)
    matrix.flat[:: len(weight) + 1] += total * (1.0 + _RIDGE)  # its diagonal
    return matrix


def _refits(battles: _Battles, theta: Floats, codes: Ints, weights: Floats) -> Floats:
    """Return log ratings of every replicate, shape (replicates, models)."""
    sample = np.full((len(weights), theta.size), nan)
    for row, draws in zip(sample, weights, strict=True):
        wins = battles.wins(draws[codes])
        rated = list(_rated_part(_components(_beats(wins))))
        if not rated:
            continue
        won, lost = wins[:, rated].sum(axis=1), wins[rated].sum(axis=0)
        row[(won > 0) & (lost == 0)] = np.inf
        row[(lost > 0) & (won == 0)] = -np.inf
        row[rated] = _maximise(wins[np.ix_(rated, rated)], theta[rated]) + theta[rated].mean()
    return sample


def _one_steps(battles: _Battles, theta: Floats, codes: Ints, weights: Floats) -> Floats:
    wins = battles.wins()
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(weights.shape[1]))
    pulls = np.add.reduceat(battles.scores(theta)[:, order], starts, axis=1)
    matrix = _hessian(wins + wins.T, _chances(theta))
    return theta + np.linalg.solve(matrix, pulls @ (weights - 1.0).T).T


def _elo(theta: Floats) -> Floats:
    return np.asarray(CENTRE + SCALE * theta)
