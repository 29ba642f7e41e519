"""Quasi-binomial logit fits of many models at once, with contest-clustered (CR1) variances.

Each model has its own design and its own counts; the fits of a batch share nothing but their shape. Newton's method on
the binomial likelihood (McCullagh and Nelder 1989, 4.4); the dispersion of a quasi-likelihood cancels in the sandwich
G/(G-1) (N-1)/(N-k) H^-1 (sum_g u_g u_g') H^-1, u_g the score of cluster g, N the problems that a model answered and k
the columns (Liang and Zeger 1986; the factors are CR1).

The work is bounded: at most `MAX_STEPS` steps, each of which moves no linear predictor by more than 12 logits. A tiny
ridge keeps a coefficient finite that the data send to infinity, such as that of a platform on which nothing passes: the
others then come out as if its problems had been left out. Odd data raise no error here; check `estimable`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MAX_STEPS = 40
_MAX_STEP_LOGITS, _CONVERGED_LOGITS = 12.0, 1e-6
_RIDGE = 1e-6
# Beyond this many logits a probability is 0 or 1 to the last digit.
_MAX_LOGIT = 35.0
# A coefficient is estimable if its variance is below the first bound and its clustered variance above the second.
_MAX_VARIANCE, _MIN_VARIANCE = 25.0, 1e-12


@dataclass(frozen=True, slots=True)
class ModelFits:
    """Fits of K models with P columns and J problems in G clusters.

    `columns` (K, P, J), `coefficients` (K, P), `predictors` (K, J), `inverse` (K, P, P) the inverse information,
    `scores` (K, P, G), `clusters` (K) the number in which a model answered, `answered` (K) the number of problems,
    `converged` (K), `least` (K, P, P) a covariance of the coefficients that is a lower bound of their variances.
    """

    columns: Floats
    coefficients: Floats
    predictors: Floats
    inverse: Floats
    scores: Floats
    clusters: Ints
    answered: Ints
    converged: Bools
    least: Floats

    @property
    def spent(self) -> Floats:
        """Factor (N - 1) / (N - k) for k coefficients and N problems, (K)."""
        left = self.answered - self.columns.shape[1]
        return np.asarray((self.answered - 1) / np.maximum(left, 1))

    def influence(self, gradients: Floats) -> Floats:
        """Return the contribution of each cluster to the error of `gradients` (K, P) times the coefficients, (K, G)."""
        shifts: Floats = (gradients[:, None, :] @ self.inverse @ self.scores)[:, 0, :]
        return shifts

    def variance(self, gradients: Floats) -> Floats:
        """Return the CR1 variance of `gradients` (K, P) times the coefficients, (K); the delta method's last step.

        It is no less than by `least`: smoothed counts that are all alike leave no scores to estimate it from.
        """
        squares: Floats = np.square(self.influence(gradients)).sum(axis=1)
        clustered = squares * self.spent * self.clusters / np.maximum(self.clusters - 1, 1)
        least: Floats = ((gradients[:, None, :] @ self.least)[:, 0, :] * gradients).sum(axis=1)
        return np.asarray(np.maximum(clustered, least))

    def unit(self, column: int) -> Floats:
        """Return the gradients that pick one coefficient, (K, P)."""
        gradients = np.zeros(self.coefficients.shape)
        gradients[:, column] = 1.0
        return gradients

    def estimable(self, column: int) -> Bools:
        """Return which models have an estimate of this column, (K): the fit converged and the data inform it."""
        vague = self.inverse[:, column, column] > _MAX_VARIANCE
        return self.converged & ~vague & (self.variance(self.unit(column)) > _MIN_VARIANCE) & (self.clusters > 1)


def inverse_logit(logits: Floats) -> Floats:
    """Return 1 / (1 + e^-x), of logits within what a double can tell from 0 and 1."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logits, -_MAX_LOGIT, _MAX_LOGIT))))


def fit(
    columns: Floats, n: Floats, c: Floats, starts: Ints, *, smoothed: Bools | None = None, steps: int = MAX_STEPS
) -> ModelFits:
    """Fit c of n by logit on `columns` (K, P, J), for counts (K, J); n = 0 leaves a cell out.

    Problems come cluster by cluster; `starts` are the places where clusters begin. `smoothed` (K) marks the models with
    smoothed counts; their least covariance is that of n - 1 binomial answers, H^-1 (sum (n - 1) p (1 - p) x x') H^-1. A
    fit that has not settled after `steps` steps is not `converged`.
    """
    guess = (c + 0.5) / (n + 1.0)
    weights = n * guess * (1.0 - guess)
    right = _multiply(columns, weights * np.log(guess / (1.0 - guess)))
    coefficients = _solve(_information(columns, weights), right)
    converged = np.zeros(len(columns), dtype=bool)
    for _ in range(steps):
        left = np.flatnonzero(~converged)
        if left.size == 0:
            break
        rows = slice(None) if left.size == len(columns) else left
        step, reach = _step(columns[rows], coefficients[rows], n[rows], c[rows])
        coefficients[left] += step * np.minimum(1.0, _MAX_STEP_LOGITS / np.maximum(reach, _CONVERGED_LOGITS))[:, None]
        converged[left] = reach < _CONVERGED_LOGITS
    predictors = _predictors(columns, coefficients)
    chances = inverse_logit(predictors)
    weights = n * chances * (1.0 - chances)
    inverse = np.asarray(np.linalg.inv(_information(columns, weights)), dtype=np.float64)
    least = np.zeros(inverse.shape)
    if smoothed is not None:
        noise = _information(columns, weights * (1.0 - 1.0 / np.maximum(n, 1.0)))
        least[smoothed] = (inverse @ noise @ inverse)[smoothed]
    return ModelFits(
        columns,
        coefficients,
        predictors,
        inverse,
        np.add.reduceat(columns * (c - n * chances)[:, None, :], starts, axis=2),
        (np.add.reduceat(n, starts, axis=1) > 0).sum(axis=1),
        (n > 0).sum(axis=1),
        converged,
        least,
    )


def _step(columns: Floats, coefficients: Floats, n: Floats, c: Floats) -> tuple[Floats, Floats]:
    """Return Newton's next step (K, P), and how far it moves the linear predictors of cells that count (K)."""
    chances = inverse_logit(_predictors(columns, coefficients))
    slope = _multiply(columns, c - n * chances) - _RIDGE * coefficients
    step = _solve(_information(columns, n * chances * (1.0 - chances)), slope)
    return step, np.abs(_predictors(columns, step) * (n > 0)).max(axis=1)


def _solve(information: Floats, right: Floats) -> Floats:
    return np.asarray(np.linalg.solve(information, right[..., None])[..., 0], dtype=np.float64)


def _predictors(columns: Floats, coefficients: Floats) -> Floats:
    product: Floats = (coefficients[:, None, :] @ columns)[:, 0, :]
    return product


def _multiply(columns: Floats, values: Floats) -> Floats:
    product: Floats = (columns @ values[:, :, None])[:, :, 0]
    return product


def _information(columns: Floats, weights: Floats) -> Floats:
    product: Floats = (columns * weights[:, None, :]) @ columns.transpose(0, 2, 1)
    return product + _RIDGE * np.eye(columns.shape[1])
