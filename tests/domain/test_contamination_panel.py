"""Who is compared with whom on which problems, why a model cannot be assessed, and what leaves a result unmoved."""

from datetime import date, timedelta
from math import nan
from typing import Any

import numpy as np
import pytest
from support.contamination_cases import CONTROLS, END, LONG_AGO, NEVER, POST, PRE, Case, T, case, same, step_fit

from app.domain.contamination import Panel, ShortageReason, Status, assess, assess_by_platform, change_point
from app.domain.contamination.panel import LeftOutModels, months_from


def _no_cutoff(found: Case) -> None:
    found.cutoffs[0] = None


def _few_pre(found: Case) -> None:
    found.n[0, :21] = found.c[0, :21] = 0


def _few_post(found: Case) -> None:
    found.n[0, -21:] = found.c[0, -21:] = 0


def _few_controls(found: Case) -> None:
    found.cutoffs[1:4] = [date(2024, 6, 1), date(2025, 3, 1), None]


def _few_clusters(found: Case) -> None:
    found.clusters[PRE:] = [f"late {place % 4}" for place in range(POST)]


def _nothing_passes(found: Case) -> None:
    found.c[0] = 0


def _everything_passes(found: Case) -> None:
    found.c[0] = found.n[0]


def _platforms_change(found: Case) -> None:
    found.platforms = ["x"] * PRE + ["y"] * POST


def _ease_is_the_step(found: Case) -> None:
    found.n[1:], found.c[1:, :PRE], found.c[1:, PRE:] = 10**6, 900_000, 100_000
    found.c[1, ::2] += 1


def _controls_do_not_fit(found: Case) -> None:
    found.c[1:4] = 0


def test_why_a_model_cannot_be_assessed() -> None:
    for change, reason, counts, numbers in [
        (_no_cutoff, ShortageReason.NO_CUTOFF, (0, 0, 0), (None, None)),
        (_few_pre, ShortageReason.FEW_PRE, (PRE - 21, POST, CONTROLS), (PRE - 21, 100)),
        (_few_post, ShortageReason.FEW_POST, (PRE, POST - 21, CONTROLS), (POST - 21, 60)),
        (_few_controls, ShortageReason.FEW_CONTROLS, (PRE, POST, 7), (7, 8)),
        (_few_clusters, ShortageReason.FEW_CLUSTERS, (PRE, POST, CONTROLS), (4, 5)),
        (_nothing_passes, ShortageReason.NO_VARIATION, (PRE, POST, CONTROLS), (None, None)),
        (_everything_passes, ShortageReason.NO_VARIATION, (PRE, POST, CONTROLS), (None, None)),
        (_platforms_change, ShortageReason.CONFOUNDED, (PRE, POST, CONTROLS), (None, None)),
        (_ease_is_the_step, ShortageReason.FIT_FAILED, (PRE, POST, CONTROLS), (None, None)),
        (_controls_do_not_fit, ShortageReason.FEW_CONTROLS, (PRE, POST, CONTROLS), (7, 8)),
    ]:
        found = case()
        change(found)
        assessed = found.target(trend=True)
        assert assessed.reason == reason, (change, reason, counts)
        assert [(each.reason, each.have, each.need) for each in assessed.unmet] == [(reason, *numbers)], change
        assert assessed.status == Status.NOT_ASSESSABLE, (change, reason, counts)
        assert (assessed.pre, assessed.post, assessed.controls) == counts, (change, reason, counts)
        assert (assessed.drop, assessed.trend, assessed.quarters) == (None, None, ()), (change, reason, counts)
        assert not assessed.evidence, (change, reason, counts)
        assert not assessed.smoothed, (change, reason, counts)


def test_every_condition_that_is_not_met_is_listed_with_why_others_are_no_controls() -> None:
    found = case()
    _few_pre(found)
    _few_post(found)
    _few_controls(found)
    found.families[4], found.n[5, ::2] = found.families[0], 0
    found.n[5, 1::4] = found.c[5] = 0
    assessed = found.target()
    assert assessed.reason == ShortageReason.FEW_PRE
    assert [(each.reason, each.have, each.need) for each in assessed.unmet] == [
        (ShortageReason.FEW_PRE, PRE - 21, 100),
        (ShortageReason.FEW_POST, POST - 21, 60),
        (ShortageReason.FEW_CONTROLS, CONTROLS - 5, 8),
    ]
    assert assessed.others == LeftOutModels(1, 1, 2, 1)
    assert assessed.window == (months_from(T, -12), END)


def test_the_least_that_can_be_assessed() -> None:
    found = case(leak=0.3).keep([*range(100), *range(PRE, PRE + 60)], range(9))
    found.clusters = [place // 20 if place < 100 else 100 + place // 12 for place in range(160)]
    assessed = found.target()
    assert (assessed.status, assessed.reason) == (Status.ASSESSED, None)
    assert (assessed.pre, assessed.post, assessed.controls) == (100, 60, 8)


def _too_old(found: Case) -> None:
    found.days = [LONG_AGO] * (PRE + POST)


@pytest.mark.parametrize("change", [_no_cutoff, _few_controls, _nothing_passes, _too_old])
def test_where_there_is_no_change_point(change: Any) -> None:
    found = case()
    change(found)
    assert change_point(found.panel(), 0, end=END) is None


def test_a_control_that_solves_nothing_is_no_placebo() -> None:
    found = case()
    found.c[1] = 0
    drop = found.target().drop
    assert drop is not None
    assert (drop.controls, drop.df) == (CONTROLS - 1, CONTROLS - 2)


def test_a_platform_on_which_nothing_passes_is_as_good_as_left_out() -> None:
    found = case(leak=0.3)
    found.platforms = ["xyz"[place % 3] for place in range(PRE + POST)]
    lost = np.array(found.platforms) == "z"
    found.c[0, lost] = 0
    whole, without = found.target(), found.keep(np.flatnonzero(~lost))
    assert whole.drop is not None
    fewer = step_fit(without, 0, list(range(1, CONTROLS + 1)))
    # x^2 and x keep their span, so only the centre of what is left moves.
    assert whole.drop.beta == pytest.approx(fewer["beta"], abs=1e-4)


def test_missing_answers_are_as_if_the_problem_were_not_there() -> None:
    gaps = [3, 50, 77, 150]
    found = case(leak=0.3)
    without = found.keep([place for place in range(PRE + POST) if place not in gaps])
    found.n[0, gaps] = found.c[0, gaps] = 0
    assert same(found.target(), without.target())
    # and so are problems that most controls have not answered
    found = case(leak=0.3)
    found.n[:7, gaps] = found.c[:7, gaps] = 0
    found.n[0, gaps] = 10
    assert same(found.target(), without.target())
    found = case(leak=0.3)
    found.n[1:6, gaps] = found.c[1:6, gaps] = 0  # half of them is enough
    assert found.target().pre == PRE


def test_a_control_with_gaps_serves_while_half_of_both_sides_is_answered() -> None:
    found = case()
    found.n[1, : PRE // 2] = found.c[1, : PRE // 2] = 0
    assert found.target().controls == CONTROLS
    assert not same(found.target(), case().target())
    found.n[1, PRE // 2] = found.c[1, PRE // 2] = 0
    assert found.target().controls == CONTROLS - 1
    others = [place for place in range(CONTROLS + 1) if place != 1]
    assert same(found.target(), found.keep(range(PRE + POST), others).target())


def test_order_changes_nothing() -> None:
    found, rng = case(leak=0.3), np.random.default_rng(2)
    plain = found.target(trend=True)
    assert same(plain, found.keep(rng.permutation(PRE + POST)).target(trend=True))
    assert same(
        plain, found.keep(range(PRE + POST), [0, *rng.permutation(np.arange(1, CONTROLS + 1))]).target(trend=True)
    )


def test_relatives_are_no_controls() -> None:
    found = case(leak=0.3)
    found.families[3] = found.families[0]
    others = [place for place in range(CONTROLS + 1) if place != 3]
    assert same(found.target(), found.keep(range(PRE + POST), others).target())
    found.families[0] = found.families[3] = None  # families that are not known are not the same
    assert same(found.target(), case(leak=0.3).target())


def test_a_control_is_exposed_to_all_or_to_none() -> None:
    for cutoff, serves in [
        (LONG_AGO, True),
        (date(2024, 1, 15), True),
        (min(case().days) - timedelta(days=1), True),
        (min(case().days), False),
        (END - timedelta(days=1), False),
        (END, True),
        (NEVER, True),
        (None, False),
    ]:
        found = case()
        found.cutoffs[1] = cutoff
        assert found.target().controls == CONTROLS - 1 + serves, (cutoff, serves)


def test_the_window_is_a_year_back_and_a_month_apart() -> None:
    for day, counts in [
        (date(2024, 1, 14), (PRE, POST)),
        (date(2024, 1, 15), (PRE + 1, POST)),
        (date(2024, 12, 14), (PRE + 1, POST)),
        (date(2024, 12, 15), (PRE, POST)),
        (date(2025, 2, 15), (PRE, POST)),
        (date(2025, 2, 16), (PRE, POST + 1)),
        (END - timedelta(days=1), (PRE, POST + 1)),
        (END, (PRE, POST)),
    ]:
        found = case().keep([*range(PRE + POST), 0])
        found.days[-1] = day
        assessed = found.target()
        assert (assessed.pre, assessed.post) == counts, (day, counts)


def test_the_window_ends_after_the_last_problem_by_default() -> None:
    found = case()
    found.cutoffs[1:3] = [max(found.days), max(found.days) + timedelta(days=1)]
    assert found.target(end=None).controls == CONTROLS - 1
    assert found.target(end=max(found.days)).post == POST - 4


@pytest.mark.parametrize(
    ("day", "months", "expected"),
    [
        (date(2024, 3, 31), -1, date(2024, 2, 29)),
        (date(2024, 1, 31), 3, date(2024, 4, 30)),
        (date(2024, 12, 15), 1, date(2025, 1, 15)),
        (date(2024, 2, 29), -12, date(2023, 2, 28)),
        (date.min, -1, date.min),
        (date.max, 1, date.max),
    ],
)
def test_months(day: date, months: int, expected: date) -> None:
    assert months_from(day, months) == expected


def _damaged(**changes: Any) -> dict[str, Any]:
    whole: dict[str, Any] = {
        "n": [[2, 2]],
        "c": [[1, 2]],
        "days": [T, T.toordinal()],
        "clusters": ["a", "b"],
        "platforms": np.array(["x", "x"]),
        "cutoffs": [None],
        "families": ["f"],
    }
    return whole | changes


@pytest.mark.parametrize(
    "changes",
    [
        {"n": [2, 2], "c": [1, 2]},
        {"c": [[1, 2, 1]]},
        {"days": [T]},
        {"clusters": ["a"]},
        {"platforms": []},
        {"cutoffs": []},
        {"families": ["f", "g"]},
        {"c": [[1, 3]]},
        {"c": [[-1, 2]]},
        {"c": [[nan, 2]]},
        {"n": [[nan, 2]]},
        {"n": [[float("inf"), 2]]},
    ],
)
def test_a_panel_that_does_not_fit_together_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must"):
        Panel.of(**_damaged(**changes))


def test_days_may_be_ordinals_and_targets_must_exist() -> None:
    panel = Panel.of(**_damaged())
    assert panel.day.tolist() == [T.toordinal()] * 2
    assert assess(panel) == ()
    for wrong in (-1, 1):
        with pytest.raises(ValueError, match="places of models"):
            assess(panel, targets=[wrong])
        with pytest.raises(ValueError, match="places of models"):
            change_point(panel, wrong)


def test_an_empty_panel_is_no_failure() -> None:
    panel = Panel.of(np.zeros((1, 0)), np.zeros((1, 0)), [], [], [], [T], [None])
    (found,) = assess(panel)
    assert found.reason == ShortageReason.FEW_PRE
    assert change_point(panel, 0) is None
    assert assess_by_platform(Panel.of(np.zeros((0, 0)), np.zeros((0, 0)), [], [], [], [], [])) == ((), {})
