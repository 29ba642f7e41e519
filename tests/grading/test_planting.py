"""Bugs and reviews of right programs, each proven by the problem's tests in the sandbox."""

import pytest

from app.domain.deriving.items import DerivedItemKind, DerivedItemSpec
from app.domain.judging.defects import Category
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Entry, Form, Limits, Param, ProblemSpec, Test
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.deriving.defect_items import MAX_BUG_ITEMS, derive_defect_items

STDIN = ProblemSpec(
    "1", Form.STDIN, (Test("3\n5 1 5\n", "2 5\n", visible=True), Test("1\n7\n", "1 7\n"), Test("2\n1 2\n", "2 2\n")),
    Limits(time_ms=1000, memory_mb=128),
)  # fmt: skip
RIGHT = """
import sys
count, *numbers = map(int, sys.stdin.read().split())
known = set()
best, kinds = 0, 0
for number in numbers:  # each of them
    if number not in known:
        known.add(number)
        kinds += 1
    if number > best:
        best = number
print(kinds, best)
"""
ENTRY = Entry("total", "Solution", (Param("values", "integer[]"),), "integer")
FUNCTION = ProblemSpec("2", Form.FUNCTION, (Test([[1, 2]], 3, visible=True), Test([[3]], 3)), entry=ENTRY)
METHOD = (
    "class Solution:\n    def total(self, values):\n        result = 0\n        for value in values:\n"
    "            result += value\n        return result\n"
)


def by_category(items: list[DerivedItemSpec]) -> dict[str, DerivedItemSpec]:
    return {item.expected["category"]: item for item in items if item.kind is DerivedItemKind.REVIEW}


@pytest.mark.sandbox
def test_a_problem_yields_bugs_to_mend_and_a_review_of_each_category(judge: AnsweringJudge) -> None:
    items = derive_defect_items(judge, STDIN, [(4, RIGHT), (6, RIGHT.replace("  # each of them", ""))])
    bugs, reviews = [item for item in items if item.kind is DerivedItemKind.BUG_FIX], by_category(items)
    assert len(bugs) == MAX_BUG_ITEMS
    assert set(reviews) == set(Category)
    assert len(items) == MAX_BUG_ITEMS + len(Category)
    assert {item.program for item in items} == {4}, "alike programs are one"
    for item in [*bugs, reviews[Category.LOGIC]]:
        assert judge.grade(STDIN, item.facts["code"], "python").verdict is Verdict.WRONG_ANSWER
        lines = item.facts["code"].splitlines()
        (line,) = item.measured["lines"]
        lines[line - 1] = item.measured["before"]
        assert judge.grade(STDIN, "\n".join(lines), "python").verdict is Verdict.ACCEPTED, "the one bug there is"
    for category in (Category.SECURITY, Category.NAMING, Category.PERFORMANCE):
        assert judge.grade(STDIN, reviews[category].facts["code"], "python").verdict is Verdict.ACCEPTED
    assert len({item.facts["code"] for item in items}) == len(items)


@pytest.mark.sandbox
def test_what_the_tests_do_not_prove_is_no_item(judge: AnsweringJudge) -> None:
    """A mistake that no test catches, and a renaming or a copy that changes an answer."""
    weak = ProblemSpec("3", Form.STDIN, (Test("1\n7\n", "1 7\n", visible=True),), Limits(1000, 128))
    for item in derive_defect_items(judge, weak, [(0, RIGHT)]):
        verdict = judge.grade(weak, item.facts["code"], "python").verdict
        wrong = item.kind is DerivedItemKind.BUG_FIX or item.expected["category"] == "logic"
        assert verdict is (Verdict.WRONG_ANSWER if wrong else Verdict.ACCEPTED)
    reads_names = RIGHT.replace("print(", "assert {'known', 'numbers'} <= set(globals())\nprint(")
    found = by_category(derive_defect_items(judge, STDIN, [(0, reads_names)]))
    assert "known" in found["naming"].facts["code"]
    assert "numbers" in found["naming"].facts["code"]


@pytest.mark.sandbox
def test_only_right_programs_whose_inputs_can_be_written_down(judge: AnsweringJudge) -> None:
    items = derive_defect_items(judge, FUNCTION, [(0, METHOD)])
    assert {item.kind for item in items} == {DerivedItemKind.BUG_FIX, DerivedItemKind.REVIEW}
    assert items == derive_defect_items(judge, FUNCTION, [(0, METHOD)]), "the same again"
    assert derive_defect_items(judge, STDIN, [(0, RIGHT.replace("> best", "< best"))]) == []
    assert derive_defect_items(judge, STDIN, [(0, "no Python at all (")]) == []
    assert derive_defect_items(judge, ProblemSpec("4", Form.INTERACTIVE, ()), [(0, METHOD)]) == []
