"""When a package is of the problem it is imported as."""

import pytest

from app.domain.problems import CheckerKind, Test
from app.domain.publishing.package_match import package_differences

SAMPLES = [Test("3\n", "6\n", visible=True), Test("4 5\n", "1\n", visible=True)]
TESTS = [Test("3\r\n", "6 \n", visible=True), Test("4  5\n", "1\n", visible=True), Test("9\n", "9\n", visible=False)]


def said(
    titles: set[str], own: set[str], tests: list[Test] = TESTS, checker: CheckerKind = CheckerKind.TOKENS
) -> list[str]:
    return package_differences(titles, SAMPLES, own, tests, checker)


@pytest.mark.parametrize(
    ("title", "own"),
    [
        ("Two Tides", "two  tides"),
        ("B. Two Tides", "Two Tides"),
        ("A - Two Tides", "B2) Two tides!"),
        ("\N{FULLWIDTH LATIN CAPITAL LETTER T}wo Tides", "Two Tides"),
        ("???", "???"),
    ],
)
def test_a_title_is_compared_as_people_do(title: str, own: str) -> None:
    assert said({title, "別の名"}, {own, "Две волны"}) == []


def test_a_title_or_sample_that_differs_is_named() -> None:
    assert said({"One"}, {"Two", "Zwei"}) == ['the title is "One", the package\'s "Two" or "Zwei"']
    assert said(set(), {"Two"}) == [], "a problem without a title says nothing"
    assert said({"A"}, {"A"}, TESTS[1:]) == ['sample 1 ("3") is no test of the package']
    another = [*TESTS, *(Test(f"{number}" * 80, "", visible=True) for number in range(5))]
    assert said({"A"}, {"A"}, another) == [
        f"the package's sample \"{str(number) * 60}...\" is none of the page's" for number in range(3)
    ]


def test_answers_are_compared_where_one_is_right() -> None:
    tests = [Test("3\n", "7\n", visible=True), *TESTS[1:]]
    assert said({"A"}, {"A"}, tests) == ['sample 1 is answered "6", in the package "7"']
    for checker in (CheckerKind.TESTLIB, CheckerKind.FLOAT, CheckerKind.UNORDERED):
        assert said({"A"}, {"A"}, tests, checker) == []
    assert package_differences({"A"}, [], {"A"}, TESTS, CheckerKind.TOKENS) == [], "a site may show no samples"
