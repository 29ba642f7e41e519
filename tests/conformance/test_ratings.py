"""Real rounds, tables and worked examples: ratings repeat what was published."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.domain.metrics.intervals import Floats
from app.domain.ratings import (
    HumanField,
    better_or_equal,
    bradley_terry,
    bradley_terry_intervals,
    bradley_terry_of_wins,
    codeforces_changes,
    codeforces_rating,
    joint_rating,
    percentile,
    percentile_table,
    virtual_score,
    worst_places,
)

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "ratings"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"NO REAL RATINGS: {DATA} is absent")


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def loaded(name: str) -> Any:
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def columns(table: list[dict[str, str]], *names: str) -> Floats:
    return np.array([[float(row[name]) for name in names] for row in table])


@pytest.fixture(scope="module")
def humans() -> HumanField:
    ratings, counts = columns(rows("codeforces/human_rating_histogram.csv"), "rating", "count").T
    return HumanField.from_histogram(ratings, counts)


@pytest.fixture(scope="module")
def outcomes() -> tuple[list[str], Floats]:
    """HumanEval+: (models, models x tasks)."""
    table = rows("humaneval_plus_per_task.csv")
    models = [name for name in table[0] if name != "task"]
    return models, columns(table, *models).T


@pytest.mark.parametrize(("name", "count"), [("1342-edu-86", 14939), ("1349-641-div1", 1248), ("1350-641-div2", 11937)])
def test_every_rating_change_of_a_round(name: str, count: int) -> None:
    table = rows(f"codeforces/round-{name}.csv")
    old, actual = columns(table, "old_rating", "actual_delta").T
    places = worst_places(columns(table, "points", "penalty"))
    assert len(table) == count
    np.testing.assert_array_equal(codeforces_changes(old, places), actual)
    if count > 5000:  # that order has no effect, the smallest of these rounds shows
        return
    shuffled = np.random.default_rng(0).permutation(count)
    np.testing.assert_array_equal(codeforces_changes(old[shuffled], places[shuffled]), actual[shuffled])


def test_places_in_a_round_are_worth_their_ratings() -> None:
    table = rows("codeforces/round-1342-edu-86.csv")
    standings, ratings = columns(table, "points", "penalty"), columns(table, "old_rating")[:, 0]
    for case in loaded("examples.json")["codeelo_round_1342_edu_86"]:
        (better,) = better_or_equal([(case["score"], case["penalty"])], standings)
        assert better == case["better_or_equal"]
        found = codeforces_rating(int(better), ratings)
        assert found == pytest.approx(case["expected_rating"], abs=1e-4)
        assert found.above == (case["expected_rating"] == 2199)
        assert codeforces_rating(int(better), ratings, compat="codeelo") == case["codeelo_compat"]
    for better in (0, 150, 300):  # rated below 2100 only: the first 300 places show a bound and no rating
        assert codeforces_rating(better, ratings).above == 1
    assert joint_rating([(1183, ratings)]) == pytest.approx(1991.3143, abs=1e-4)


def test_scores_of_attempts() -> None:
    case = loaded("examples.json")["attempts"]
    attempts = [[verdict == "AC" for verdict in case["attempts"][name]] for name in "ABCD"]
    points = [case["points"]["problems"][name] for name in "ABCD"]
    assert list(virtual_score(attempts, points)) == case["points"]["score_penalty"]
    assert list(virtual_score(attempts)) == case["icpc"]


def test_percentiles_among_all_humans(humans: HumanField) -> None:
    assert humans.size == 717_421
    for case in loaded("examples.json")["percentile"]:
        assert percentile(case["rating"], humans) == case["percentile"]
    expected = loaded("codeforces/percentile_table.json")["table"]
    assert percentile_table(humans) == {int(percent): rating for percent, rating in expected.items()}


def test_ratings_of_a_small_table_of_wins() -> None:
    case = loaded("examples.json")["elo"]
    np.testing.assert_allclose(bradley_terry_of_wins(case["wins"]).ratings, case["mle"], atol=1e-8)


def test_elo_on_humaneval_plus(outcomes: tuple[list[str], Floats]) -> None:
    models, p = outcomes
    assert p.shape == (49, 164)
    top = models.index("claude-3-opus-20240229")
    half, drop = bradley_terry(p, "half"), bradley_terry(p)
    assert half[top] == pytest.approx(1074.682, abs=5e-4)
    assert drop[top] == pytest.approx(1309, abs=0.5)
    # With everything answered and ties counted half, the order is that of accuracy.
    np.testing.assert_array_equal(np.argsort(half.ratings, kind="stable"), np.argsort(p.mean(axis=1), kind="stable"))


@pytest.mark.parametrize("ties", ["drop", "half"])
def test_the_order_of_models_and_tasks_has_no_effect_at_all(outcomes: tuple[list[str], Floats], ties: Any) -> None:
    _, p = outcomes
    table = rows("lcb_codegen_1055x16.csv")
    names = [name for name in table[0] if name not in ("problem", "date", "platform", "difficulty")]
    rates = np.array([[float(row[name] or "nan") for name in names] for row in table]).T
    rng = np.random.default_rng(7)
    for each in (p, rates):
        whole = bradley_terry(each, ties)
        assert whole.identifiable.all()
        for _ in range(3):
            models, tasks = rng.permutation(each.shape[0]), rng.permutation(each.shape[1])
            np.testing.assert_array_equal(bradley_terry(each[models][:, tasks], ties).ratings, whole.ratings[models])


def test_intervals_from_tasks_are_wide(outcomes: tuple[list[str], Floats]) -> None:
    models, p = outcomes
    found = bradley_terry_intervals(p, range(164), replicates=400)
    top = models.index("claude-3-opus-20240229")
    # From 1226 to 1423 as measured elsewhere; resampled battles would say 1290 to 1333.
    assert found.lo[top] == pytest.approx(1226, abs=15)
    assert found.hi[top] == pytest.approx(1423, abs=20)
