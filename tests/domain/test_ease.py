"""Frozen ease: who counts as enough, what fixes the scale, and how later problems land on it."""

import numpy as np
import pytest

from app.domain.composites import on_scale, rasch_ease, standardise, task_ease
from app.domain.composites.ease import (
    MIN_FIRST_PROBLEMS,
    MIN_LINKING_PROBLEMS,
    MIN_MODELS,
    enough_models,
    link_ease,
    new_ease,
    scale_of,
)
from app.domain.metrics.intervals import Floats


def results(rng: np.random.Generator, skill: Floats, ease: Floats) -> Floats:
    """One answer of each model to each problem."""
    return rng.binomial(1, 1 / (1 + np.exp(-(skill[:, None] + ease)))).astype(float)


def test_configurations_of_one_model_count_once() -> None:
    rates = np.full((MIN_MODELS + 1, 3), np.nan)
    rates[:, 0] = 1
    rates[1:, 1] = 0
    rates[:-1, 2] = 0.5
    models = np.array([0, 0, *range(1, MIN_MODELS)])
    nobody = np.full(models.size, -1)
    assert enough_models(rates, models, nobody).tolist() == [True, True, False]
    none = np.zeros(0, np.int64)
    assert enough_models(np.zeros((0, 2)), none, none).tolist() == [False, False]


def test_no_vendor_fixes_an_ease_with_five_models_of_its_own() -> None:
    models = np.arange(MIN_MODELS)
    rates = np.ones((MIN_MODELS, 1))
    for vendors, enough in (
        ([0, 0, 0, 0, 0], False),
        ([0, 0, 0, 1, -1], False),
        ([0, 0, 1, 1, -1], True),
        ([0, 0, -1, -1, -1], True),
        ([-1, -1, -1, -1, -1], True),
    ):
        assert enough_models(rates, models, np.array(vendors)).tolist() == [enough], vendors
    models = np.array([0, 1, 2, 3, 0])  # one model counts once, whoever had it run
    assert not enough_models(rates, models, np.array([0, 0, 1, 1, -1])).any()


def test_the_first_values_are_standardised_and_few_problems_fix_no_scale() -> None:
    rng = np.random.default_rng(1)
    rates = results(rng, rng.normal(0, 1, 8), rng.normal(0, 2, MIN_FIRST_PROBLEMS))
    assert new_ease(rates, np.full(MIN_FIRST_PROBLEMS, np.nan)) == pytest.approx(task_ease(rates))
    assert np.isnan(new_ease(rates[:, 1:], np.full(MIN_FIRST_PROBLEMS - 1, np.nan))).all()
    assert new_ease(np.zeros((0, 0)), np.zeros(0)).size == 0


def test_what_is_frozen_is_left_alone_and_too_few_link_nothing() -> None:
    rng = np.random.default_rng(2)
    rates = results(rng, rng.normal(0, 1, 8), rng.normal(0, 2, 40))
    frozen = np.full(40, np.nan)
    frozen[:30] = task_ease(rates[:, :30])
    found = new_ease(rates, frozen)
    assert np.isnan(found[:30]).all()
    assert not np.isnan(found[30:]).any()
    frozen[MIN_LINKING_PROBLEMS - 1 :] = np.nan
    assert np.isnan(new_ease(rates, frozen)).all()
    assert np.isnan(new_ease(rates, np.full(40, 25.0))).all(), "nothing is left to freeze"


def test_linking_undoes_any_line() -> None:
    rng = np.random.default_rng(3)
    ease = rng.normal(0, 1.3, 60)
    truth = on_scale(0.7 * ease - 0.2)
    frozen = np.where(np.arange(60) < 40, truth, np.nan)
    assert link_ease(ease, frozen) == pytest.approx(truth)


def test_ends_of_the_scale_and_equals_link_nothing() -> None:
    ease = np.linspace(-1, 1, 30)
    ends = on_scale(np.where(np.arange(30) % 2, 3.0, -3.0))
    assert link_ease(ease, ends) is None
    assert link_ease(ease, np.full(30, 25.0)) is None
    assert link_ease(np.zeros(30), on_scale(ease)) is None
    assert link_ease(ease, np.full(30, np.nan)) is None


def test_harder_problems_that_come_later_are_harder_on_the_old_scale() -> None:
    rng = np.random.default_rng(4)
    biases, alone = [], []
    for _ in range(20):
        ease, skill = np.r_[rng.normal(0, 2, 150), rng.normal(-1.5, 2, 50)], rng.normal(0.3, 1, 30)
        rates = results(rng, skill, ease)
        frozen = np.r_[task_ease(rates[:8, :150]), np.full(50, np.nan)]
        truth = on_scale((ease - ease[:150].mean()) / ease[:150].std())[150:]
        biases.append(new_ease(rates, frozen)[150:].mean() - truth.mean())
        alone.append(on_scale(standardise(rasch_ease(rates[:, 150:]))).mean() - truth.mean())
    assert abs(np.mean(biases)) < 1
    assert np.mean(alone) > 5


def test_a_problem_has_one_ease_for_each_scenario() -> None:
    assert scale_of("codegen") == "ease/codegen"
    assert scale_of("self_repair") != scale_of("codegen")
