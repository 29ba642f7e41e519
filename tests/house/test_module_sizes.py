"""Modules stay short enough to be read in one go."""

from statistics import median

from support.rules import PACKAGES, sources

LONGEST = 400
MOST_UNDER = 200


def _sizes() -> dict[str, int]:
    return {path: source.count("\n") for path, source in sources(*PACKAGES, "migrations", "tests")}


def test_no_module_is_over_four_hundred_lines() -> None:
    assert {path: lines for path, lines in _sizes().items() if lines > LONGEST} == {}


def test_most_are_under_two_hundred() -> None:
    sizes = [lines for lines in _sizes().values() if lines]
    assert median(sizes) < MOST_UNDER
