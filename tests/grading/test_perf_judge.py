"""The arithmetic of the judge's figures; the figures themselves are no test."""

from perf import figures
from perf import judge as measured


def test_a_budget_is_a_multiple_of_the_bare_limit() -> None:
    row = figures.figure_at_least("x", 16.0, "1/s", bare=10.0, times=1.6)
    assert (row.budget, row.bare, row.ok) == (16.0, 10.0, True)
    assert not figures.figure_at_least("x", 15.9, "1/s", bare=10.0, times=1.6).ok
    assert figures.figure_at_most("x", 2.8, "ms", bare=2.0, times=1.0, plus=0.8).ok
    assert not figures.figure_at_most("x", 2.9, "ms", bare=2.0, times=1.0, plus=0.8).ok
    assert not figures.figure_within("x", 2.0, "MB", 1.0).ok
    assert figures.informative_figure("x", 2.0, "MB").ok


def test_turns_are_taken_evenly_and_the_warm_up_does_not_count() -> None:
    calls: list[str] = []
    times = measured._alternate_actions(lambda: calls.append("a"), lambda: calls.append("b"), seconds=0.01)
    assert len(times) == 2
    assert calls[:4] == ["a", "b", "a", "b"]
    assert calls.count("a") == calls.count("b") >= 6
