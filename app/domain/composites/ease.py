"""Frozen ease: how easy each problem was once enough models had tried it, kept for good.

DAPR weighs a problem by the inverse of its ease. If it were fitted anew with every model, old scores would change with
each; so a problem's ease is written once, when at least five models were graded on it, and stays. Five, because from
then on the fitted ease agrees with the true one at r = .85, r^2 above .7 (three models: .78; eight: .89; fifteen: .94;
200 problems of sd 2 logits, one answer each); noise in the weights moves the DAPR of all models alike, by 2.5 points
with five. The Rasch fit accounts for the ability of these models, so the first five need not be a sample of all.

Later problems are put on the same scale: all problems are fitted once more, and the line that gives those with a frozen
ease their frozen mean and spread again (mean/sigma linking; Marco 1977, J. Educ. Meas. 14; Kolen and Brennan, Test
Equating, Scaling, and Linking, section 6.3) maps the new ones, too. A least-squares line would compress the new ones,
since both sides are noisy: problems harder by 1.5 logits that came after 150 others would be 0.7 too easy on a scale of
sd 8.3; by mean/sigma linking they are 0.25 too easy, and 6.1 if they are standardised by themselves.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.domain.composites.scores import EASE_CENTRE, EASE_SPREAD, MAX_DEVIATIONS, on_scale, rasch_ease, standardise
from app.domain.metrics.intervals import Floats

EASE_SCALE_PREFIX: Final = "ease/"  # of scales measured here, unlike those of sites
MIN_MODELS: Final = 5
MAX_MODELS_PER_VENDOR: Final = 2  # else five of its own would fix a weight
# With fewer, the mean and the spread that fix the scale, or link to it, are too noisy.
MIN_FIRST_PROBLEMS, MIN_LINKING_PROBLEMS = 20, 10
_MIN_EASE, _MAX_EASE = EASE_CENTRE - EASE_SPREAD * MAX_DEVIATIONS, EASE_CENTRE + EASE_SPREAD * MAX_DEVIATIONS


def scale_of(scenario: str) -> str:
    """Return the scale of a scenario's ease: a problem may be easy to solve and hard to repair."""
    return EASE_SCALE_PREFIX + scenario


def enough_models(pass_rates: Floats, models: NDArray[np.int64], vendors: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which problems at least `MIN_MODELS` models were graded on.

    Configurations of one model count once, and at most `MAX_MODELS_PER_VENDOR` of the models that one vendor submitted
    count. `pass_rates` are of shape (runs, problems), nan if missing; `models` numbers the model of each run, `vendors`
    the submitting vendor from 0, or is -1 for none.
    """
    graded = ~np.isnan(pass_rates)
    tried = np.zeros(pass_rates.shape[1], dtype=np.int64)
    for vendor in np.unique(vendors):
        own = models[vendors == vendor]
        if vendor >= 0:
            own = own[~np.isin(own, models[vendors < 0])]
        counts = np.zeros_like(tried)
        for model in np.unique(own):
            counts += graded[models == model].any(axis=0)
        tried += counts if vendor < 0 else np.minimum(counts, MAX_MODELS_PER_VENDOR)
    return tried >= MIN_MODELS


def new_ease(pass_rates: Floats, frozen: Floats) -> Floats:
    """Return the ease of the problems that have none; `frozen` holds the existing ones, nan for none.

    nan if one is frozen already, and everywhere if there are too few problems to fix the scale or to link to it.
    `pass_rates` are of shape (runs, problems), of problems that enough models were graded on.
    """
    nothing = np.full(frozen.shape, np.nan)
    old = ~np.isnan(frozen)
    if old.all() or (not old.any() and frozen.size < MIN_FIRST_PROBLEMS):
        return nothing
    logits = rasch_ease(pass_rates)
    mu = link_ease(logits, frozen) if old.any() else on_scale(standardise(logits))
    return nothing if mu is None else np.where(old, np.nan, mu)


def link_ease(ease: Floats, frozen: Floats) -> Floats | None:
    """Return an ease in logits on the scale of the frozen ones, by mean/sigma over the problems that have both.

    Values at an end of the scale stand for anything beyond and are left out. None if fewer than `MIN_LINKING_PROBLEMS`
    are left, or all of them are alike.
    """
    both = (frozen > _MIN_EASE + 1e-9) & (frozen < _MAX_EASE - 1e-9)
    if np.count_nonzero(both) < MIN_LINKING_PROBLEMS:
        return None
    z, own = (frozen[both] - EASE_CENTRE) / EASE_SPREAD, ease[both]
    if min(float(z.std()), float(own.std())) < 1e-6:
        return None
    return on_scale(z.mean() + (ease - own.mean()) * z.std() / own.std())
