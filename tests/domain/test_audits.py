"""Discrimination: a problem that better rows fail stands out; noise does not."""

import numpy as np
import pytest

from app.domain.publishing.audits import MIN_PROBLEMS, MIN_ROWS, discriminations
from app.domain.publishing.holds import needs_image


def rates(rows: int, problems: int, seed: int = 1) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """Rows of growing strength on problems of growing ease, ten answers each."""
    rng = np.random.default_rng(seed)
    strength, ease = np.linspace(-2, 2, rows), np.linspace(-2, 2, problems)
    chance = 1 / (1 + np.exp(-(strength[:, None] + ease[None, :])))
    return rng.binomial(10, chance) / 10


def test_a_problem_that_better_rows_fail_is_found() -> None:
    found = rates(30, 60)
    found[:, 7] = 1 - np.linspace(0, 1, 30)
    told = discriminations(found)
    bad = [at for at, each in enumerate(told) if each is not None and each.is_negative]
    assert bad == [7]
    one = told[7]
    assert one is not None
    assert one.value < -0.9
    assert one.rows == 30
    assert one.value < one.upper < 0


def test_noise_is_hardly_ever_taken_for_evidence() -> None:
    """Problems that tell nothing: at five in a hundred tables one may be named at all."""
    rng = np.random.default_rng(7)
    named = 0
    for _ in range(100):
        noise = rng.binomial(10, 0.5, size=(20, 50)) / 10
        named += any(
            discrimination is not None and discrimination.is_negative for discrimination in discriminations(noise)
        )
    assert named <= 10


def test_missing_answers_are_no_answers() -> None:
    found = rates(30, 60)
    whole = discriminations(found)
    found[:15, 3] = np.nan
    assert discriminations(found)[3] != whole[3]
    found[: 30 - MIN_ROWS + 1, 3] = np.nan
    assert discriminations(found)[3] is None


@pytest.mark.parametrize("shape", [(0, 0), (1, 30), (30, MIN_PROBLEMS - 1), (MIN_ROWS - 1, 50)])
def test_small_tables_say_nothing(shape: tuple[int, int]) -> None:
    assert discriminations(np.full(shape, 0.5)) == [None] * shape[1]


def test_where_all_do_alike_there_is_nothing_to_tell() -> None:
    assert discriminations(np.ones((20, 40))) == [None] * 40


@pytest.mark.parametrize(
    ("statement", "needed"),
    [
        ("Count ![](https://a.example/x.png) cakes.\n\n### Sample Input 1\n\n1", True),
        ("Count cakes.\n\n### Sample Input 1\n\n1\n\n![](https://a.example/x.png)", False),
        ("Count cakes.\n\n**Example 1:**\n\n[image: a cake]", False),
        ("数える。\n\n### 入力例 1\n\n![](x)", False),
        ("Count [image] cakes.", True),
        ("Count cakes.", True),
    ],
)
def test_an_image_before_the_samples_may_be_needed(statement: str, *, needed: bool) -> None:
    assert needs_image(statement) is needed
