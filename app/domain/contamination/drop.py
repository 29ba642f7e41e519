"""Estimates behind the contamination test: designs, drops against placebos, their quarters, and change points."""

from dataclasses import dataclass
from datetime import date
from math import sqrt
from typing import NamedTuple

import numpy as np

from app.domain.contamination.fit import Floats, Ints, ModelFits, fit, inverse_logit
from app.domain.contamination.panel import (
    MIN_CLUSTERS,
    MIN_CONTROLS,
    MIN_POST,
    MONTHS_BEFORE,
    CutoffComparison,
    Panel,
    Shortage,
    ShortageReason,
    compare,
    months_from,
)
from app.domain.metrics.distributions import t_critical, t_sf

_CONFIDENCE = 0.95
_POINTS = 100.0
_MAD_TO_SD, _MEDIAN_VARIANCE = 1.4826, 1.57
_DAYS_PER_YEAR = 365.25
_QUARTER = 3
_STEP = 1  # column "released before the cutoff"
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class CutoffDrop:
    """Size of a drop at the cutoff: coefficients in logits, effect with its 95 % interval in points.

    The effect, like the test, is of the part of `beta` beyond `placebo`. `placebo` is the median over `controls`
    pretended targets, `tau` their variation beyond sampling; `p` is one-sided by t with `df`. `q` accounts for all
    models assessed in one call.
    """

    beta: float
    se: float
    placebo: float
    tau: float
    z: float
    df: int
    p: float
    q: float
    effect: float
    lo: float
    hi: float
    controls: int

    @property
    def step(self) -> float:
        """Part of beta beyond the placebo, in logits: unlike points, it does not shrink for rates near 0 or 100."""
        return self.beta - self.placebo


@dataclass(frozen=True, slots=True)
class CutoffQuarter:
    """Three months counted from the cutoff, [start, end): passes beyond what the fit expects without exposure.

    In points, with a 95 % interval by t of `contests` - 1, None if all problems are of one contest. Quarters after the
    cutoff lie about 0 together, by construction: each shows if the drop came with the cutoff.
    """

    start: date
    end: date
    problems: int
    effect: float
    lo: float | None
    hi: float | None
    contests: int


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """Day after which a model does worst compared with before: for display only, never evidence.

    `z` is the greatest of many score statistics, so it is large by chance alone.
    """

    day: date
    z: float
    pre: int
    post: int


class DropOutcome(NamedTuple):
    """Drop and its course over time."""

    drop: CutoffDrop
    quarters: tuple[CutoffQuarter, ...]


class _Design(NamedTuple):
    """Columns (models, P, problems) and counts (models, problems); the last columns are x and x^2 - mean."""

    columns: Floats
    n: Floats
    c: Floats


def find_drop(
    panel: Panel, comparison: CutoffComparison, *, trend: bool = False, smoothed: bool = False
) -> DropOutcome | Shortage:
    """Do steps 2 to 5 for a comparison with no unmet condition, of the target's `smoothed` results; or say why not."""
    design = _design(panel, comparison, np.append(comparison.target, comparison.controls), trend=trend)
    if smoothed:
        design.n[0] += 1.0
        design.c[0] += 0.5
    if _is_confounded(design.columns[0]):
        return Shortage(ShortageReason.CONFOUNDED)
    fits = fit(*design, comparison.starts, smoothed=np.arange(len(design.n)) == 0 if smoothed else None)
    usable = fits.estimable(_STEP)
    if not usable[0]:
        return Shortage(ShortageReason.FIT_FAILED)
    controls = int(usable[1:].sum())
    if controls < MIN_CONTROLS:
        return Shortage(ShortageReason.FEW_CONTROLS, controls, MIN_CONTROLS)
    variance = fits.variance(fits.unit(_STEP))
    betas, variances = fits.coefficients[1:, _STEP][usable[1:]], variance[1:][usable[1:]]
    placebo = float(np.median(betas))
    spread = _MAD_TO_SD * float(np.median(np.abs(betas - placebo)))
    tau_square = max(0.0, spread**2 - float(np.median(variances)))
    beta, se = float(fits.coefficients[0, _STEP]), sqrt(variance[0])
    wide = sqrt(variance[0] + tau_square * (1 + _MEDIAN_VARIANCE / controls))
    df = min(int(fits.clusters[0]), controls) - 1
    z = (beta - placebo) / wide
    otherwise = _unexposed(fits, placebo)
    effect, effect_se = _effect(fits, comparison, otherwise)
    half = t_critical(_CONFIDENCE, df) * effect_se * wide / se
    p = t_sf(z, df)
    tau, lo, hi = sqrt(tau_square), effect - half, effect + half
    drop = CutoffDrop(beta, se, placebo, tau, z, df, p, p, effect, lo, hi, controls)
    return DropOutcome(
        drop, _quarters(panel, comparison, fits, design.c[0] / design.n[0] - otherwise, otherwise, wide / se)
    )


def _design(
    panel: Panel, comparison: CutoffComparison, models: Ints, *, trend: bool = False, step: bool = True
) -> _Design:
    """Compute step 2 and the columns of step 3: 1, pre (if `step`), platforms, time (if `trend`), x, x^2 - mean."""
    problems, controls = comparison.problems, comparison.controls
    n, c = panel.n[np.ix_(models, problems)], panel.c[np.ix_(models, problems)]
    is_control = np.isin(models, controls)[:, None]
    total, passes = (
        counts[np.ix_(controls, problems)].sum(axis=0) - is_control * counts[np.ix_(models, problems)]
        for counts in (panel.n, panel.c)
    )
    ease = (passes + 0.5) / (total + 1.0)
    x = _centre(np.log(ease / (1.0 - ease)), n)
    day, platform = panel.day[problems], panel.platform[problems]
    shared = [np.ones(problems.size)]
    shared += [comparison.pre.astype(np.float64)] if step else []
    shared += [(platform == code).astype(np.float64) for code in np.unique(platform)[1:]]
    shared += [(day - day.mean()) / _DAYS_PER_YEAR] if trend else []
    columns = np.empty((models.size, len(shared) + 2, problems.size))
    columns[:, :-2] = np.stack(shared)
    columns[:, -2] = x
    columns[:, -1] = _centre(x**2, n)
    return _Design(columns, n, c)


def _centre(x: Floats, n: Floats) -> Floats:
    cells = n > 0
    means: Floats = (x * cells).sum(axis=1) / cells.sum(axis=1)
    return x - means[:, None]


def _is_confounded(columns: Floats) -> bool:
    """Return whether other columns determine the cutoff, as when a platform begins there."""
    others = np.delete(columns, _STEP, axis=0).T
    solved = np.linalg.lstsq(others, columns[_STEP])[0]
    return bool(np.abs(columns[_STEP] - others @ solved).max() < _ROUNDING)


def _effect(fits: ModelFits, comparison: CutoffComparison, otherwise: Floats) -> tuple[float, float]:
    """Return the mean over problems before the cutoff of s(eta) - `otherwise` and its delta-method error, in points."""
    exposed = inverse_logit(fits.predictors[0, comparison.pre])
    gradients = np.zeros(fits.coefficients.shape)
    slopes = fits.columns[0][:, comparison.pre] * exposed * (1 - exposed)
    gradients[0] = (slopes - _slopes(fits, otherwise)[:, comparison.pre]).mean(axis=1)
    effect = float((exposed - otherwise[comparison.pre]).mean())
    return _POINTS * effect, _POINTS * sqrt(fits.variance(gradients)[0])


def _unexposed(fits: ModelFits, placebo: float) -> Floats:
    """Return the target's chances if it had changed at the cutoff as peers do: s(eta - beta + placebo) before it."""
    return inverse_logit(fits.predictors[0] - (fits.coefficients[0, _STEP] - placebo) * fits.columns[0, _STEP])


def _slopes(fits: ModelFits, otherwise: Floats) -> Floats:
    """Return the slopes of the target's chances without exposure by its coefficients, (P, J), zero for beta."""
    slopes = fits.columns[0] * otherwise * (1 - otherwise)
    slopes[_STEP] = 0.0
    return np.asarray(slopes)


def _quarters(
    panel: Panel, comparison: CutoffComparison, fits: ModelFits, excess: Floats, otherwise: Floats, widening: float
) -> tuple[CutoffQuarter, ...]:
    """Return the mean of `excess`, rates beyond the chances `otherwise`, by quarter, with errors by contest."""
    cutoff = panel.cutoffs[comparison.target]
    assert cutoff is not None
    days = panel.day[comparison.problems]
    edges = [months_from(cutoff, -MONTHS_BEFORE)]
    while edges[-1].toordinal() <= days.max():
        edges.append(months_from(cutoff, -MONTHS_BEFORE + _QUARTER * len(edges)))
    quarter = np.searchsorted([edge.toordinal() for edge in edges], days, side="right") - 1
    slopes, spent = _slopes(fits, otherwise), float(fits.spent[0])
    quarters = []
    for place in np.unique(quarter):
        inside = quarter == place
        effect, number = float(excess[inside].mean()), int(inside.sum())
        influences = np.add.reduceat(np.where(inside, excess - effect, 0.0), comparison.starts) / number
        gradients = np.zeros(fits.coefficients.shape)
        gradients[0] = -slopes[:, inside].mean(axis=1)
        contests = int((np.add.reduceat(inside.astype(np.int64), comparison.starts) > 0).sum())
        lo = hi = None
        if contests > 1:
            squares = float(np.square(influences + fits.influence(gradients)[0]).sum())
            variance = squares * spent * contests / (contests - 1)
            half = t_critical(_CONFIDENCE, contests - 1) * widening * sqrt(variance)
            lo, hi = _POINTS * (effect - half), _POINTS * (effect + half)
        quarters.append(CutoffQuarter(edges[place], edges[place + 1], number, _POINTS * effect, lo, hi, contests))
    return tuple(quarters)


def find_change(panel: Panel, target: int, end: int) -> ChangePoint | None:
    """Return the step with the greatest score statistic among days with 60 problems and 5 contests on both sides."""
    comparison = compare(panel, target, end, apart=0)
    if comparison.controls.size < MIN_CONTROLS or comparison.problems.size < 2 * MIN_POST:
        return None
    days = panel.day[comparison.problems]
    candidates = np.unique(days)
    before = days < candidates[:, None]
    roomy = np.ones(candidates.size, dtype=bool)
    for side in (before, ~before):
        contests = (np.add.reduceat(side.astype(np.int64), comparison.starts, axis=1) > 0).sum(axis=1)
        roomy &= (side.sum(axis=1) >= MIN_POST) & (contests >= MIN_CLUSTERS)
    z = _step_scores(panel, comparison, before[roomy].astype(np.float64))
    if not z.size or z.max() <= 0:
        return None
    best = int(np.argmax(z))
    pre = int(before[roomy][best].sum())
    return ChangePoint(date.fromordinal(int(candidates[roomy][best])), float(z[best]), pre, days.size - pre)


def _step_scores(panel: Panel, comparison: CutoffComparison, steps: Floats) -> Floats:
    """Return the efficient score of each step (S, J) given ease and platforms, over its clustered error; 0 if none."""
    design = _design(panel, comparison, np.array([comparison.target]), step=False)
    fits = fit(*design, comparison.starts)
    chances = inverse_logit(fits.predictors[0])
    weights = design.n[0] * chances * (1 - chances)
    columns = fits.columns[0]
    rest = steps - (steps * weights) @ columns.T @ fits.inverse[0] @ columns
    scores = np.add.reduceat(rest * (design.c[0] - design.n[0] * chances), comparison.starts, axis=1)
    groups = comparison.starts.size
    error = np.sqrt(np.square(scores).sum(axis=1) * fits.spent[0] * groups / (groups - 1))
    settled = fits.converged[0] & (error > _ROUNDING)
    z: Floats = np.divide(scores.sum(axis=1), error, out=np.zeros(len(steps)), where=settled)
    return z
