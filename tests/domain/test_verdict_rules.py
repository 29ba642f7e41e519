"""What packages say of the verdicts of their submissions."""

import pytest

from app.domain.imports import VerdictRule


@pytest.mark.parametrize(
    ("permitted", "required", "tests", "verdicts", "breach"),
    [
        ("AC", "AC", None, "AC AC", ""),
        ("AC", "AC", None, "AC WA", "test 2 gets WA, where only AC may come"),
        ("AC WA", "WA", None, "AC WA", ""),
        ("AC WA", "WA", None, "AC AC", "no test gets WA"),
        ("AC RTE TLE", "RTE TLE", None, "AC AC", "no test gets RTE or TLE"),
        ("AC RTE TLE", "RTE TLE", None, "WA TLE", "test 1 gets WA, where only AC or RTE or TLE may come"),
        ("AC", "AC", (1,), "WA AC", ""),
        ("AC WA", "WA", (0, 2), "AC WA AC", "no test gets WA"),
        ("AC WA", "WA", (), "AC WA AC", ""),
    ],
)
def test_a_rule_names_the_test_that_breaks_it(
    permitted: str, required: str, tests: tuple[int, ...] | None, verdicts: str, breach: str
) -> None:
    rule = VerdictRule(frozenset(permitted.split()), frozenset(required.split()), tests)
    assert rule.find_breach(verdicts.split()) == breach
