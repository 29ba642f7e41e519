"""The arithmetic of the judge's figures; the figures themselves are no test."""

import pytest

from perf import judge as measured


def test_a_submission_figure_is_the_inverse_of_its_time() -> None:
    row = measured._at_least("x", submission_ms=80.0, budget=10.0, bare_ms=5.0)
    assert [row.value, row.bare] == pytest.approx([12.5, 10.0])
    assert (row.unit, row.ok) == ("1/s", True)
    assert not measured._at_least("x", submission_ms=101.0, budget=10.0, bare_ms=5.0).ok


def test_turns_are_taken_evenly_and_the_warm_up_does_not_count() -> None:
    calls: list[str] = []
    times = measured._take_turns(lambda: calls.append("a"), lambda: calls.append("b"), seconds=0.01)
    assert len(times) == 2
    assert calls[:4] == ["a", "b", "a", "b"]
    assert calls.count("a") == calls.count("b") >= 6
