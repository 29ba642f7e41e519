"""Frozen ease: how easy each problem was when enough models had tried it, kept for good.

DAPR weighs a problem by the inverse of its ease. Were it fitted anew with every model, old scores would move with each;
so a problem's ease is written once, when at least five models were graded on it, and stays. Five, because from then on
the fitted ease agrees with the true one at r = .85, r^2 above .7 (three models: .78; eight: .89; fifteen: .94; 200
problems of sd 2 logits, one answer each); noise in the weights moves the DAPR of all models alike, by 2.5 points with
five. The Rasch fit accounts for how able these models are, so that the first five need be no sample of all.

Later problems land on the same scale: all problems are fitted once more, and the line that gives those with a frozen
ease their frozen mean and spread again (mean/sigma linking; Marco 1977, J. Educ. Meas. 14; Kolen and Brennan, Test
Equating, Scaling, and Linking, section 6.3) takes the new ones along. A least-squares line would press the new ones
together, since both sides are noisy: problems harder by 1.5 logits that came after 150 others then land 0.7 too easy on
a scale of sd 8.3, by mean/sigma 0.25, and 6.1 where they are standardised by themselves.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.domain.composites.scores import CENTRE, FURTHEST, SPREAD, on_scale, rasch_ease, standardised
from app.domain.metrics.intervals import Floats

PREFIX: Final = "ease/"  # of the scales that are measured here: they say nothing of what a site calls hard
LEAST_MODELS: Final = 5
MOST_OF_ONE: Final = 2  # models that a vendor had run: with five of its own it would fix what a problem weighs
# With fewer, the mean and the spread that fix the scale, or link to it, are a matter of luck.
LEAST_FIRST, LEAST_SHARED = 20, 10
_LO, _HI = CENTRE - SPREAD * FURTHEST, CENTRE + SPREAD * FURTHEST


def scale_of(scenario: str) -> str:
    """The scale of a scenario's ease: a problem may be easy to solve and hard to repair."""
    return PREFIX + scenario


def enough_models(pass_rates: Floats, models: NDArray[np.int64], vendors: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which problems at least `LEAST_MODELS` models were graded on; configurations of one model count once, and of the
    models that one vendor had run `MOST_OF_ONE`.

    `pass_rates` are of shape (runs, problems), nan where missing; `models` numbers the model of each run, `vendors` who
    ordered it, from 0, or is -1 where nobody did.
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
        tried += counts if vendor < 0 else np.minimum(counts, MOST_OF_ONE)
    return tried >= LEAST_MODELS


def to_freeze(pass_rates: Floats, frozen: Floats) -> Floats:
    """The ease of the problems that have none: `frozen` holds those there are, nan where there is none.

    nan where one is frozen already, and everywhere if there are too few problems to fix the scale or to link to it.
    `pass_rates` are of shape (runs, problems), of problems that enough models were graded on.
    """
    nothing = np.full(frozen.shape, np.nan)
    old = ~np.isnan(frozen)
    if old.all() or (not old.any() and frozen.size < LEAST_FIRST):
        return nothing
    logits = rasch_ease(pass_rates)
    mu = linked(logits, frozen) if old.any() else on_scale(standardised(logits))
    return nothing if mu is None else np.where(old, np.nan, mu)


def linked(ease: Floats, frozen: Floats) -> Floats | None:
    """An ease in logits put on the scale of the frozen ones, by mean/sigma over the problems that have both.

    Those at an end of the scale stand for anything beyond and are left out. None where fewer than `LEAST_SHARED` are
    left, or all of them are alike.
    """
    both = (frozen > _LO + 1e-9) & (frozen < _HI - 1e-9)
    if np.count_nonzero(both) < LEAST_SHARED:
        return None
    z, own = (frozen[both] - CENTRE) / SPREAD, ease[both]
    if min(float(z.std()), float(own.std())) < 1e-6:
        return None
    return on_scale(z.mean() + (ease - own.mean()) * z.std() / own.std())
