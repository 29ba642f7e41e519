"""The contamination test: against a naive second writing of it, what it finds, and what it says beside."""

from dataclasses import replace
from datetime import date, timedelta
from math import isnan, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from support.contamination_cases import CONTROLS, END, POST, PRE, Case, T, case, interval, step_fit

from app.domain.contamination import Assessment, ShortageReason, Status, assess, assess_by_platform, change_point
from app.domain.contamination import ContaminationFinding as Finding
from app.domain.contamination.fit import fit
from app.domain.metrics.distributions import t_critical, t_sf
from app.domain.metrics.intervals import benjamini_hochberg


def test_it_is_what_the_formulas_say() -> None:
    given_case = case(leak=0.2)
    controls = list(range(1, CONTROLS + 1))
    placebos = [
        step_fit(given_case, control, [other for other in controls if other != control]) for control in controls
    ]
    betas = np.array([placebo["beta"] for placebo in placebos])
    placebo = float(np.median(betas))
    target = step_fit(given_case, 0, controls, placebo)
    mad = 1.4826 * np.median(np.abs(betas - placebo))
    tau_square = max(0, mad**2 - np.median([placebo["se"] ** 2 for placebo in placebos]))
    wide = sqrt(target["se"] ** 2 + tau_square * (1 + 1.57 / CONTROLS))
    z, df = (target["beta"] - placebo) / wide, CONTROLS - 1
    half = t_critical(0.95, df) * target["effect_se"] * wide / target["se"]

    drop = given_case.target().drop
    assert drop is not None
    assert (drop.df, drop.controls) == (df, CONTROLS)
    assert [drop.beta, drop.se, drop.placebo] == pytest.approx([target["beta"], target["se"], placebo], abs=1e-6)
    assert [drop.tau, drop.z, drop.p] == pytest.approx([sqrt(tau_square), z, t_sf(z, df)], abs=1e-6)
    assert [drop.effect, drop.lo, drop.hi] == pytest.approx(
        [target["effect"], target["effect"] - half, target["effect"] + half], abs=1e-6
    )
    assert drop.tau > 0
    assert abs(drop.placebo) > 0.01
    assert drop.q == drop.p


def test_a_leak_is_seen_and_its_mirror_is_not() -> None:
    found = case(leak=0.5).target()
    assert found.status == Status.ASSESSED
    assert found.reason is None
    assert found.drop is not None
    assert found.drop.p < 0.001
    assert found.drop.lo > 5
    assert found.evidence
    assert (found.pre, found.post, found.clusters, found.controls) == (PRE, POST, 50, CONTROLS)
    assert found.rate_pre > found.rate_post

    mirrored = case(late_leak=0.5).target()
    assert mirrored.drop is not None
    assert mirrored.drop.hi < 0
    assert mirrored.drop.p > 0.99
    assert not mirrored.evidence


def test_a_model_that_passes_everything_before_its_cutoff_is_assessed_on_smoothed_results() -> None:
    found = case()
    found.c[0, :PRE] = found.n[0, :PRE]
    assessed = found.target(trend=True)
    assert (assessed.reason, assessed.smoothed, assessed.evidence) == (None, True, True)
    assert assessed.rate_pre == 100
    assert assessed.drop is not None
    assert assessed.trend is not None

    eased = case()
    eased.n, eased.c = eased.n.astype(np.float64), found.c.astype(np.float64)
    eased.n[0] += 1
    eased.c[0] += 0.5
    naive = step_fit(eased, 0, list(range(1, CONTROLS + 1)), assessed.drop.placebo)
    assert [assessed.drop.beta, assessed.drop.effect] == pytest.approx([naive["beta"], naive["effect"]], abs=1e-6)
    assert assessed.drop.se >= naive["se"] - 1e-9
    after = [quarter for quarter in assessed.quarters if quarter.start >= T]
    assert sum(each.problems * each.effect for each in after) == pytest.approx(0, abs=100)
    assert not case(leak=0.5).target().smoothed


@pytest.mark.parametrize(("before", "after", "evidence"), [(10, 0, True), (0, 10, False)])
def test_where_the_cutoff_says_everything_the_interval_is_no_point(before: int, after: int, evidence: bool) -> None:
    found = case()
    found.c[0, :PRE], found.c[0, PRE:] = before, after
    assessed = found.target()
    assert assessed.drop is not None
    assert assessed.evidence is evidence
    assert abs(assessed.drop.effect) == pytest.approx(100 * 10 / 11, abs=1)
    assert assessed.drop.lo + 1 < assessed.drop.effect < assessed.drop.hi - 1


def test_results_that_ease_says_all_of_are_no_evidence() -> None:
    found = case()
    ease = found.c[1:].sum(axis=0)
    found.c[0] = np.where(ease > np.median(ease), found.n[0], 0)
    assessed = found.target()
    assert (assessed.reason, assessed.smoothed, assessed.evidence) == (None, True, False)


def test_no_evidence_without_five_points() -> None:
    found = case(leak=0.5)
    found.c[0] = np.where(found.c[0] > 8, 1, 0)  # a weak model that gains little
    found.n[0] = 60
    assessed = found.target()
    assert assessed.drop is not None
    assert 0 < assessed.drop.effect < 5
    assert not assessed.evidence


def test_few_contests_leave_few_degrees_of_freedom() -> None:
    found = case().keep(range(PRE + POST), [*range(CONTROLS + 1), 1, 2])
    found.clusters = [place // 24 if place < PRE else 100 + place // 16 for place in range(PRE + POST)]
    drop = found.target().drop
    assert drop is not None
    assert (drop.controls, drop.df) == (CONTROLS + 2, len(set(found.clusters)) - 1)


@pytest.mark.parametrize(
    ("q", "effect", "lo", "finding"),
    [
        (0.049, 5.0, 0.1, Finding.EVIDENCE),
        (0.05, 9.0, 0.1, Finding.NO_EVIDENCE),
        (0.01, 4.99, 0.1, Finding.NO_EVIDENCE),
        (0.01, -9.0, -12.0, Finding.NO_EVIDENCE),
        (0.01, 9.0, 0.0, Finding.NO_EVIDENCE),
        (0.01, 9.0, -0.1, Finding.NO_EVIDENCE),
    ],
)
def test_evidence_needs_a_small_q_five_points_and_an_interval_above_0(
    q: float, effect: float, lo: float, finding: Finding
) -> None:
    found = case(leak=0.5).target()
    assert found.drop is not None
    changed = replace(found, drop=replace(found.drop, q=q, effect=effect, lo=lo))
    assert (changed.finding, changed.evidence) == (finding, finding == Finding.EVIDENCE)


def test_a_check_that_disagrees_makes_a_drop_not_specific() -> None:
    found = case(leak=0.5).target()
    assert found.finding == Finding.EVIDENCE
    assert found.drop is not None
    assert found.trend is not None
    half = found.drop.step / 2

    def with_trend(step: float) -> Assessment:
        assert found.trend is not None
        return replace(found, trend=replace(found.trend, beta=found.trend.placebo + step))

    assert with_trend(half + 0.01).finding == Finding.EVIDENCE
    assert with_trend(half - 0.01).finding == Finding.NOT_SPECIFIC
    assert with_trend(-1.0).finding == Finding.NOT_SPECIFIC

    def with_last(effect: float, half_width: float, contests: int = found.quarters[-1].contests) -> Assessment:
        ends = replace(found.quarters[-1], effect=effect, lo=effect - half_width, hi=effect + half_width)
        return replace(found, quarters=(*found.quarters[:-1], replace(ends, contests=contests)))

    for sign, contests in ((-1, found.quarters[-1].contests), (1, 3)):  # of few each degree of freedom shows
        both = t_critical(0.975, contests - 1) / t_critical(0.95, contests - 1)  # two quarters after the cutoff
        assert with_last(sign * 10.0, 10.1 / both, contests).finding == Finding.EVIDENCE
        assert with_last(sign * 10.0, 9.9 / both, contests).finding == Finding.NOT_SPECIFIC
        assert with_last(sign * 4.9, 1.0).finding == Finding.EVIDENCE, "nobody speaks of less than five points"
    alone = replace(found.quarters[-1], effect=90.0, lo=None, hi=None, contests=1)
    assert replace(found, quarters=(*found.quarters[:-1], alone)).finding == Finding.EVIDENCE


def test_what_could_not_be_checked_is_no_evidence() -> None:
    """Evidence needs two checks that agree: a trend that cannot be fitted agrees with nothing, nor does no quarter."""
    found = case(leak=0.5).target()
    assert found.finding == Finding.EVIDENCE
    assert replace(found, trend=None).finding == Finding.NO_EVIDENCE
    no_interval = [replace(each, lo=None, hi=None, contests=1) if each.start >= T else each for each in found.quarters]
    assert replace(found, quarters=tuple(no_interval)).finding == Finding.NO_EVIDENCE
    assert replace(found, quarters=()).finding == Finding.NO_EVIDENCE
    assert found.drop is not None
    assert found.trend is not None
    declines = replace(found.trend, beta=found.trend.placebo)
    assert replace(found, trend=declines, quarters=()).finding == Finding.NOT_SPECIFIC


def _target_passes(found: Case, chance: NDArray[np.float64], seed: int) -> Case:
    found.c[0] = np.random.default_rng(seed).binomial(found.n[0], chance)
    return found


def _chances(found: Case, shift: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of a model as able as its peers are together, with a shift in logits by problem."""
    ease = (found.c[1:].sum(axis=0) + 0.5) / (found.n[1:].sum(axis=0) + 1)
    return np.asarray(1 / (1 + np.exp(-(np.log(ease / (1 - ease)) + shift))))


@pytest.mark.parametrize("seed", range(5))
def test_a_model_that_declines_all_the_time_is_not_specific_to_its_cutoff(seed: int) -> None:
    found = case(seed)
    days = np.array([(day - T).days for day in found.days])
    assessed = _target_passes(found, _chances(found, -days / 60), seed).target()
    assert assessed.drop is not None
    assert assessed.drop.q < 0.001
    assert assessed.drop.effect > 15
    assert (assessed.finding, assessed.evidence) == (Finding.NOT_SPECIFIC, False)


@pytest.mark.parametrize("seed", range(5))
def test_a_drop_that_came_after_the_cutoff_is_not_specific_to_it(seed: int) -> None:
    found = case(seed)
    later = np.array([day >= date(2025, 4, 1) for day in found.days])
    assessed = _target_passes(found, _chances(found, np.where(later, -4.0, 1.0)), seed).target()
    assert assessed.drop is not None
    assert assessed.drop.q < 0.05
    assert assessed.drop.effect > 5
    assert (assessed.finding, assessed.evidence) == (Finding.NOT_SPECIFIC, False)
    assert any(abs(each.effect) > 5 for each in assessed.quarters if each.start >= T)


@pytest.mark.parametrize("seed", range(5))
def test_a_drop_at_the_cutoff_is_specific_to_it(seed: int) -> None:
    found = case(seed)
    before = np.array([day < T for day in found.days])
    assessed = _target_passes(found, _chances(found, np.where(before, 1.5, -0.5)), seed).target()
    assert assessed.finding == Finding.EVIDENCE


def test_what_most_peers_lose_as_well_is_no_part_of_the_effect() -> None:
    found = case()
    losing = [0, *range(1, 8)]  # the target and seven of ten peers
    rng = np.random.default_rng(5)
    rate = (found.c[losing, PRE:] + 0.5) / (found.n[losing, PRE:] + 1)
    chance = 1 / (1 + np.exp(-(np.log(rate / (1 - rate)) - 3)))
    found.c[np.ix_(losing, range(PRE, PRE + POST))] = rng.binomial(10, chance)
    drop = found.target().drop
    assert drop is not None
    unshifted = step_fit(found, 0, list(range(1, CONTROLS + 1)))
    shifted = step_fit(found, 0, list(range(1, CONTROLS + 1)), drop.placebo)
    assert unshifted["effect"] > 8
    assert drop.z < 0
    assert drop.effect == pytest.approx(shifted["effect"], abs=1e-6)
    assert drop.effect < 0


def test_quarters_show_where_the_effect_lies() -> None:
    found = case(leak=0.5).target()
    assert [quarter.start for quarter in found.quarters] == [date(2024, month, 15) for month in (1, 4, 7, 10)] + [
        date(2025, 1, 15),
        date(2025, 4, 15),
    ]
    assert found.quarters[0].end == found.quarters[1].start
    assert sum(quarter.problems for quarter in found.quarters) == PRE + POST
    before, after = found.quarters[:4], found.quarters[4:]
    assert min(each.effect for each in before) > 10
    assert all(lo < 0 < hi for lo, hi in map(interval, after))
    assert all(interval(each)[0] < each.effect < interval(each)[1] for each in found.quarters)
    balance = [each.problems * each.effect for each in after]
    assert sum(balance) == pytest.approx(0, abs=100)


def test_the_error_of_a_quarter_is_that_of_its_passes_and_of_the_fit() -> None:
    found = case(leak=0.3)
    assessed = found.target()
    drop = assessed.drop
    assert drop is not None
    naive = step_fit(found, 0, list(range(1, CONTROLS + 1)), drop.placebo)
    widening = sqrt(drop.se**2 + drop.tau**2 * (1 + 1.57 / CONTROLS)) / drop.se
    for quarter in assessed.quarters:
        part = (naive["days"] >= quarter.start.toordinal()) & (naive["days"] < quarter.end.toordinal())
        effect = naive["excess"][part].mean()
        errors = [
            (naive["excess"] - effect)[part & inside].sum() / part.sum() - naive["slopes"][part].mean(axis=0) @ shift
            for inside, shift in zip(naive["inside"], naive["shifts"], strict=True)
        ]
        contests = sum(bool((part & inside).any()) for inside in naive["inside"])
        se = sqrt(sum(error**2 for error in errors) * naive["spent"] * contests / (contests - 1))
        assert quarter.contests == contests
        half = 100 * t_critical(0.95, contests - 1) * widening * se
        assert [quarter.effect, interval(quarter)[1] - quarter.effect] == pytest.approx([100 * effect, half], rel=1e-5)


def test_a_quarter_of_one_contest_has_no_interval() -> None:
    found = case()
    found.days[-4:] = [date(2025, 6, 20)] * 4
    assert found.target(end=date(2026, 1, 1)).drop is not None
    found.days[-4:] = [date(2025, 8, 20)] * 4
    last = found.target(end=date(2026, 1, 1)).quarters[-1]
    assert last.problems == 4
    assert (last.lo, last.hi) == (None, None)
    assert not isnan(last.effect)


def test_a_trend_is_a_second_opinion() -> None:
    plain, both = case(leak=0.4).target(trend=False), case(leak=0.4).target()
    assert plain.trend is None
    assert both.drop == plain.drop
    assert both.trend is not None
    assert both.trend.se > both.drop.se  # type: ignore[union-attr]  # the line before says so
    assert both.trend.q == both.trend.p


def test_where_time_is_the_step_there_is_no_trend() -> None:
    found = case()
    found.days = [T - timedelta(days=60)] * PRE + [T + timedelta(days=60)] * POST
    assessed = found.target(trend=True)
    assert assessed.drop is not None
    assert assessed.trend is None


def test_every_dated_model_is_a_target_and_q_counts_them_all() -> None:
    found = case(leak=0.4)
    found = found.keep(range(PRE + POST), [0, 0, *range(1, CONTROLS + 1), 5])
    found.cutoffs[-1] = None
    assessed = assess(found.panel(), end=END)
    assert [each.model for each in assessed] == list(range(CONTROLS + 2))
    tried = [each.drop for each in assessed if each.drop is not None]
    assert [each.reason for each in assessed[2:]] == [ShortageReason.FEW_PRE] * CONTROLS
    assert len(tried) == 2
    assert [each.q for each in tried] == pytest.approx(list(benjamini_hochberg([each.p for each in tried])))


def test_each_platform_is_tried_alone_and_q_counts_all_tests() -> None:
    found = case(leak=0.4).keep([*range(PRE), *range(PRE), *range(PRE, PRE + POST), *range(PRE, PRE + POST)])
    found.platforms = ["p"] * PRE + ["q"] * PRE + ["p"] * POST + ["q"] * POST
    result = assess_by_platform(found.panel(), targets=[0], end=END, trend=True)
    assert list(result.platforms) == ["p", "q"]
    one, other = (result.platforms[name][0] for name in ("p", "q"))
    (pooled,) = result.pooled
    assert (pooled.pre, one.pre, other.pre) == (2 * PRE, PRE, PRE)
    alone = found.keep(np.flatnonzero(np.array(found.platforms) == "p")).target()
    assert one.drop is not None
    assert alone.drop is not None
    assert one.drop.beta == pytest.approx(alone.drop.beta)
    drops = [each.drop for each in (pooled, one, other) if each.drop is not None]
    assert [drop.q for drop in drops] == pytest.approx(list(benjamini_hochberg([drop.p for drop in drops])))


def test_a_platform_keeps_the_window_of_all() -> None:
    found = case()
    found.platforms[-4:] = ["z"] * 4
    result = assess_by_platform(found.panel(), targets=[0])
    assert result.platforms["z"][0].reason == ShortageReason.FEW_PRE
    assert result.platforms["z"][0].post == 4
    assert isnan(result.platforms["z"][0].rate_pre)


def test_a_change_point_is_where_the_passes_fall() -> None:
    found = case(seed=3, leak=0.6)
    change = change_point(found.panel(), 0, end=END)
    assert change is not None
    assert abs((change.day - T).days) < 75
    assert change.z > 3
    assert change.pre + change.post == PRE + POST


def test_the_score_of_a_change_point_is_close_to_what_a_fit_of_that_step_says() -> None:
    found = case(seed=3, leak=0.2)
    # Two days only: the change point can but be the cutoff, where the naive fit puts its step.
    found.days = [T - timedelta(days=60)] * PRE + [T + timedelta(days=60)] * POST
    change = change_point(found.panel(), 0, end=END)
    naive = step_fit(found, 0, list(range(1, CONTROLS + 1)))
    assert change is not None
    assert change.day == T + timedelta(days=60)
    assert change.z == pytest.approx(naive["beta"] / naive["se"], rel=0.1)


def test_no_change_point_without_room_or_without_a_fall() -> None:
    found = case(leak=0.6)
    found.clusters = [place // 30 if place < PRE else 100 + place // 20 for place in range(PRE + POST)]
    assert change_point(found.panel(), 0, end=END) is None
    found = case(late_leak=0.9)
    found.days = [T - timedelta(days=60)] * PRE + [T + timedelta(days=60)] * POST
    assert change_point(found.panel(), 0, end=END) is None


def test_a_fit_that_may_not_settle_says_so() -> None:
    columns = np.stack([np.ones(8), np.arange(8) % 2.0])[None]
    n, c, starts = np.full((1, 8), 10.0), np.arange(8.0)[None], np.arange(0, 8, 2)
    assert fit(columns, n, c, starts).estimable(1).all()
    assert not fit(columns, n, c, starts, steps=1).estimable(1).any()


def test_smoothed_results_that_are_all_alike_have_the_error_of_a_binomial() -> None:
    columns = np.stack([np.ones(8), np.arange(8) % 2.0])[None]
    n, starts = np.full((1, 8), 11.0), np.arange(0, 8, 2)
    c = np.where(np.arange(8) % 2, 10.5, 0.5)[None]
    plain = fit(columns, n, c, starts)
    assert plain.variance(plain.unit(1))[0] == pytest.approx(0, abs=1e-9)
    found = fit(columns, n, c, starts, smoothed=np.array([True]))
    information = 4 * 11 * (10.5 / 11) * (0.5 / 11)
    assert found.variance(found.unit(1))[0] == pytest.approx(10 / 11 * 2 / information, rel=1e-4)


def test_a_steep_curve_is_fitted_all_the_same() -> None:
    rng = np.random.default_rng(17)  # here Newton's full steps run away
    x = np.clip(4 * rng.standard_normal(60), -7, 7)
    columns = np.stack([np.ones(60), np.arange(60) < 30, x, x**2])[None]
    chance = 1 / (1 + np.exp(-(3 * x + rng.standard_normal(60))))
    found = fit(columns, np.full((1, 60), 10.0), rng.binomial(10, chance)[None].astype(np.float64), np.arange(60))
    assert found.estimable(1).all()
