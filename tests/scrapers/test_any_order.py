"""What "in any order" means of lists of lists: said by the statement or by an answer, else flagged, never guessed."""

import pytest

from app.domain.problems import Checker, CheckerKind, Entry, Test
from scrapers.suites._common.leetcode import checker_of

NESTED = "List[List[int]]"
OUTER, INNER = Checker(CheckerKind.UNORDERED), Checker(CheckerKind.UNORDERED, inner=True)
PAIRS = [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("statement", "returns", "expected", "checker", "flags"),
    [
        ("Return the answer in any order.", "List[int]", [1, 2], OUTER, ()),
        ("Return the answer in any order.", NESTED, PAIRS, OUTER, ("inner_order",)),
        ("Return all permutations in any order.", NESTED, [[1, 2], [2, 1]], OUTER, ()),
        (
            "Return it in any order. The order of the output and the order of the triplets does not matter.",
            NESTED, PAIRS, INNER, (),
        ),
        ("Return them in any order, and each inner list in any order.", NESTED, PAIRS, INNER, ()),
    ],
)  # fmt: skip
def test_what_any_order_means(
    statement: str, returns: str, expected: list[object], checker: Checker, flags: tuple[str, ...]
) -> None:
    entry = Entry("solve", "Solution", (), returns)
    assert checker_of(entry, statement, [Test([], expected)]) == (checker, flags)
