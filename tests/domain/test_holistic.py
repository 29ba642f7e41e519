"""Correlations with intervals, which scenarios stand beside each other, and who stands apart from the rest."""

from math import atanh, sqrt, tanh

import numpy as np
import pytest

from app.domain.boards.named_boards import boards
from app.domain.metrics.correlation import CorrelationValue, pearson, ranks, spearman
from app.domain.ratings.holistic import (
    FAMILIES,
    Ability,
    TrendGroup,
    TrendLine,
    abilities,
    correlate_scores,
    group_by_trend,
    lead_ability,
    trend,
)

# Anscombe's first set: its correlation is known to three digits.
X = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0]
Y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]


def test_pearson_is_the_published_one_with_fishers_interval() -> None:
    found = pearson(X, Y)
    assert found is not None
    assert found.value == pytest.approx(0.816, abs=5e-4)
    half = 1.959964 / sqrt(8)
    assert (found.lo, found.hi) == pytest.approx(
        (tanh(atanh(found.value) - half), tanh(atanh(found.value) + half)), abs=1e-6
    )
    assert found.n == 11


def test_spearman_shares_ranks_of_ties() -> None:
    assert ranks([3, 1, 3, 2, 3]).tolist() == [4, 1, 4, 2, 4]
    found = spearman([1, 2, 2, 4], [1, 3, 3, 2])
    assert found is not None
    assert found.value == pytest.approx(np.corrcoef([1, 2.5, 2.5, 4], [1, 3.5, 3.5, 2])[0, 1])
    assert found.lo is not None
    assert found.lo < found.value
    again = spearman(X, [y**3 for y in Y])
    assert again == spearman(X, Y), "only the order counts"
    assert again is not None
    assert again.value == pytest.approx(0.818, abs=5e-4)


@pytest.mark.parametrize("of", [pearson, spearman])
def test_what_says_nothing_has_no_correlation(of: object) -> None:
    assert callable(of)
    assert of([1.0, 2.0], [1.0, 2.0]) is None
    assert of([1.0, 1.0, 1.0, 1.0], [1.0, 2.0, 3.0, 4.0]) is None
    assert of([1.0, 2.0, 4.0], [1.0, 3.0, 2.0]).lo is None, "of three models there is no interval"
    assert of([1.0, 2.0, 3.0, 4.0], [2.0, 4.0, 6.0, 8.0]) == CorrelationValue(1.0, None, None, 4)
    with pytest.raises(ValueError, match="one length"):
        of([1.0, 2.0, 3.0], [1.0, 2.0])


@pytest.mark.parametrize("of", [pearson, spearman])
def test_the_intervals_hold_what_they_promise(of: object) -> None:
    """Of correlated normal scores of twelve models, the true correlation lies in nearly 95 % of intervals."""
    assert callable(of)
    rng = np.random.default_rng(7)
    rho, held, worlds = 0.6, 0, 600
    true = rho if of is pearson else 6 / np.pi * np.arcsin(rho / 2)
    for _world in range(worlds):
        x = rng.normal(size=12)
        y = rho * x + sqrt(1 - rho**2) * rng.normal(size=12)
        found = of(x.tolist(), y.tolist())
        held += found.lo <= true <= found.hi
    assert 0.92 <= held / worlds <= 0.98


def test_a_family_has_the_first_protocol_of_each_board_in_its_language() -> None:
    house = abilities("house")
    assert house["codegen"] == Ability("codegen", "house")
    assert house["execution"].protocol == "house-execution"
    assert {"repair", "execution-input", "test-output", "bug-fix", "review", "code3"} <= set(house)
    fresh = abilities("fresh")
    assert fresh["review"].protocol == "fresh-review"
    assert set(fresh) <= set(house)
    assert [(name, one.protocol) for name, one in abilities("lcb").items()] == [
        ("codegen", "lcb"), ("repair", "lcb-repair"),
        ("execution", "lcb-execution"), ("test-output", "lcb-test-output"),
    ]  # fmt: skip


def test_the_tasks_of_a_board_are_families_too() -> None:
    assert set(FAMILIES) == {"house", "fresh", "lcb", *(name for board in boards().values() for name in board.families)}
    tasks = abilities("house-coco")
    assert list(tasks) == ["cu_f", "cu_r", "cg", "cm", "cr"]
    assert (tasks["cm"].board, tasks["cm"].protocol, (tasks["cm"].titles or {})["en"]) == (
        "coco",
        "house-coco-cm",
        "CM",
    )
    assert abilities("coco")["cm"].protocol == "coco-cm"
    assert [lead_ability(abilities(family)) for family in FAMILIES] == ["codegen", "codegen", "codegen", "cg", "cg"]


def test_a_pair_counts_the_models_that_have_both() -> None:
    rows: list[dict[str, float | None]] = [
        {"a": 10.0, "b": 20.0, "c": None}, {"a": 20.0, "b": 30.0, "c": 1.0}, {"a": 30.0, "b": 25.0, "c": 2.0},
        {"a": 40.0, "b": 50.0, "c": None},
    ]  # fmt: skip
    first, second, third = correlate_scores(rows, ["a", "b", "c"])
    assert (first.one, first.other, first.spearman.n if first.spearman else 0) == ("a", "b", 4)
    assert (second.spearman, third.pearson) == (None, None), "two models have both"


def test_who_stands_apart_from_the_median_line() -> None:
    pairs = [(x, 0.8 * x + wiggle) for x, wiggle in zip(range(30, 90, 5), [1, -1, 2, -2] * 3, strict=True)]
    assert group_by_trend(pairs) == [TrendGroup.ALIKE] * 12
    apart = [*pairs[:5], (80.0, 30.0), *pairs[5:], (40.0, 60.0)]
    found = group_by_trend(apart)
    assert found is not None
    assert (found[5], found[-1]) == (TrendGroup.LOWER, TrendGroup.HIGHER)
    assert found.count(TrendGroup.ALIKE) == 12
    assert trend(pairs[:7]) is None
    assert trend([(float(x), 2.0 * x + 3) for x in range(8)]) == TrendLine(2.0, 3.0)
    assert trend([(50.0, 40.0)] * 8) == TrendLine(0.0, 40.0)
    assert group_by_trend(pairs[:7]) is None
    assert group_by_trend([(50.0, 50.0)] * 9) == [TrendGroup.ALIKE] * 9
