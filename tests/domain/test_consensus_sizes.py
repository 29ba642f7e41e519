"""Which inputs are large: by their sizes, whatever a setter calls them, and only where no much larger one is legal."""

from typing import Any

import pytest

from app.domain.consensus.sizes import Size, doubled_inputs, large_places, larger_inputs, size_of


@pytest.mark.parametrize(
    ("given", "size"),
    [
        ("3\n1 -20 3\n", Size(4, 20)), ("3\nabc\n", Size(4, 3)), ("\n", Size(0, 0)), ([[1, 2], "ab", 7], Size(5, 7)),
        (f"{'9' * 40}\n", Size(40, 0)), ("x1 5\n", Size(3, 5)),
    ],
)  # fmt: skip
def test_words_are_counted_and_the_letters_of_those_that_are_no_numbers(given: Any, size: Size) -> None:
    assert size_of(given) == size


def rows(*lengths: int) -> list[Size]:
    return [Size(length, 9) for length in lengths]


def test_what_is_much_longer_than_others_is_large() -> None:
    assert large_places(rows(2, 7, 30, 4001, 1200), bounded=False) == {3, 4}


def test_tiny_inputs_are_not_large_among_tiny_ones_unless_no_larger_one_is_legal() -> None:
    assert large_places(rows(2, 4, 7), bounded=False) == set()
    assert large_places(rows(2, 4, 7), bounded=True) == {1, 2}
    assert large_places([Size(2, 1), Size(7, 10**9)], bounded=False) == set(), "great numbers make no long input"
    assert large_places([], bounded=True) == set()


def test_inputs_of_one_length_are_large_by_their_numbers() -> None:
    single = [Size(1, number) for number in (0, 5, 10**9, 3 * 10**8)]
    assert large_places(single, bounded=False) == {2, 3}
    digits = [Size(2, number) for number in (1, 5, 9)]
    assert (large_places(digits, bounded=False), large_places(digits, bounded=True)) == (set(), {1, 2})


def test_what_is_asked_about_is_many_times_as_large() -> None:
    assert larger_inputs(["1\n1\n", "4\n5 6 7 8\n"]) == [f"64\n{' '.join(['5 6 7 8'] * 16)}\n"]
    assert larger_inputs(["5\n", "20\n", "9\n"]) == ["320\n"]
    assert larger_inputs(["6 1\n", "6 2\n"]) == ["96 1\n"], "the greatest number alone: others may be bound by it"
    assert larger_inputs(["1\n5\n", f"5000\n{' '.join(['12345'] * 5000)}\n"]) == [], "that is long enough"
    assert "2 9\n1\n" not in larger_inputs(["1 9\n1\n"]), "no larger input for one more word"
    assert larger_inputs([]) == []
    assert doubled_inputs(["2\n1 1\n", "6\n1 1 1 1 1 1\n"])[0] == "4\n1 1 1 1\n"
