"""Inputs like a large one, smaller or larger: by the counts that stand in them."""

from collections.abc import Sequence
from typing import Any

import pytest

from app.domain.consensus.resizing import resize_input, smaller_inputs


def two(things: Sequence[Any]) -> Sequence[Any]:
    return things[:2]


def twice(things: Sequence[Any]) -> Sequence[Any]:
    return [*things, *things]


def test_what_is_counted_changes_with_its_count() -> None:
    for given, smaller in [
        ("4\n5 6 7 8\n", "2\n5 6\n"),
        ("4 9\n5 6 7 8\n", "2 9\n5 6\n"),
        ("3\n1 2 3\n4 5 6\n", "2\n1 2\n4 5\n"),
        ("9 3\n1 2 7\n3 4 7\n5 6 7\n", "9 2\n1 2 7\n3 4 7\n"),
        ("3\n2\n1 2\n2\n3 4\n1\n9\n", "2\n2\n1 2\n2\n3 4\n"),
        ("4\nabcd\n", "2\nab\n"),
        ("4\n0110\n", "2\n01\n"),
        ("hello\n", "he\n"),
        ([[5, 6, 7], 3, "abc", True], [[5, 6], 2, "ab", True]),
        ([[5, 6, 7], 9], [[5, 6], 9]),
    ]:
        assert smaller in resize_input(given, two), (given, smaller)


@pytest.mark.parametrize(
    ("given", "larger"),
    [("1\n5\n", "2\n5 5\n"), ("2\n5 6\n", "4\n5 6 5 6\n"), ("ab\n", "abab\n"), ([[5], 1], [[5, 5], 2])],
)
def test_it_grows_as_well(given: object, larger: object) -> None:
    assert larger in resize_input(given, twice)


def test_a_large_input_gives_small_ones_from_all_over_it() -> None:
    large = "1000\n" + " ".join(map(str, range(1000))) + "\n"
    small = smaller_inputs(large)
    assert {"2\n0 1\n", "2\n998 999\n", "3\n498 499 500\n"} <= set(small)
    assert max(map(len, small)) < 60


def test_what_has_no_counts_gives_little_and_breaks_nothing() -> None:
    for given in ["", "\n", "5\n", "0\n", "-3 x\n", "7 7\n", [], [[]], {"a": 1}, 3, "1\n\n2\n"]:
        assert len(smaller_inputs(given)) <= 20, given
