"""What problems yield besides themselves: runs that can be followed by hand, measured in the sandbox."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from app.domain.deriving.inputs import nearby_inputs
from app.domain.deriving.items import DerivedItemKind, DerivedItemSpec, canonical_json
from app.domain.deriving.programs import MAX_SHOWN_CHARS, MIN_SHOWN_CHARS, shown_program
from app.domain.judging.non_program_answers import judge_answer
from app.domain.judging.preimages import PREIMAGE_LIMITS, Preimage
from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import Checker, CheckerKind, Entry, Form, Param, ProblemSpec, Test
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.deriving.execution_items import MAX_EXECUTION_ITEMS, MAX_EXECUTION_STEPS, derive_execution_items

ENTRY = Entry("total", "Solution", (Param("xs", "integer[]"),), "integer")
TESTS = (Test([[1, 2]], 3, visible=True), Test([[2, 1, 0]], 3, visible=True), Test([[3]], 3), Test([[1, 1]], 2))
SPEC = ProblemSpec("1", Form.FUNCTION, TESTS, entry=ENTRY)
LOOP = '''
class Solution:
    def total(self, xs: List[int]) -> int:
        """The answer to [1, 2] is 3."""
        found = 0  # the sum so far
        for value in xs:
            found = self.added(found, value)
        return found

    def added(self, one, other):
        while other > 0:
            one += 1
            other -= 1
        while other < 0:
            one -= 1
            other += 1
        return one
'''
PLAIN = "class Solution:\n    def total(self, xs):\n        return sum(xs)\n"


def made(body: str, name: str = "total") -> str:
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    return f"class Solution:\n    def {name}(self, xs: List[int]) -> int:\n{lines}"


PADDING = "nothing = 'so that the program is long enough to be shown to anybody at all'\n"


def executions(items: Sequence[DerivedItemSpec]) -> list[DerivedItemSpec]:
    return [item for item in items if item.kind is DerivedItemKind.EXECUTION]


# --- what is shown ---


def test_a_method_becomes_a_function_without_words() -> None:
    text = shown_program(LOOP, ENTRY)
    assert text is not None
    assert text.startswith("def total(xs: List[int]) -> int:\n    found = 0\n")
    assert "found = added(found, value)" in text
    assert "def added(one, other):" in text
    assert "answer" not in text
    assert "so far" not in text
    assert MIN_SHOWN_CHARS <= len(text) <= MAX_SHOWN_CHARS


@pytest.mark.parametrize(
    "code",
    [
        PLAIN,  # too short
        made("return 1\n" + "pass\n" * 100),  # too long
        made(PADDING + "return int(sum(xs) / 1)"),
        made(PADDING + "return sum(xs) ** 1"),
        made(PADDING + "return int(sum(xs) + 0.0)"),
        made(PADDING + "return pow(sum(xs), 1)"),
        made(PADDING + "import random\nreturn sum(xs)"),
        made(PADDING + "from random import choice\nreturn choice([sum(xs)])"),
        made(PADDING + "return sum(Counter(xs).elements())"),  # no import says what that is
        made(PADDING + "print(xs)\nreturn sum(xs)"),
        "import secrets\n" + made(PADDING + "return sum(xs) + secrets.randbelow(2)"),
        "from operator import mul\n" + made(PADDING + "return sum(xs) + 0 * mul(612, 712)"),
        "from fractions import Fraction\n" + made(PADDING + "return int(sum(xs) + Fraction(1, 7))"),
        "import math\n" + made(PADDING + "return sum(xs) + 0 * math.factorial(20)"),
        made(PADDING + "return sum(xs) + 0 * (7).__pow__(20)"),
        made(PADDING + "self.found = sum(xs)\nreturn self.found"),
        made(PADDING + "return sum(xs)", "another"),
        made(PADDING + "return sum(xs"),
        "class Solution(object):\n    x = 1\n" + made(PADDING + "return sum(xs)"),
        "(" * 30_000,
        "",
    ],
)
def test_what_the_filters_refuse_is_not_shown(code: str) -> None:
    assert shown_program(code, ENTRY) is None


def test_whatever_a_program_names_or_imports_may_be_shown() -> None:
    body = (
        "import heapq as heap\nfrom collections import Counter\nclass Kept(Exception):\n    pass\n"
        "try:\n    heap.heapify(xs)\nexcept Kept as why:\n    return len(str(why))\n"
        "match xs:\n    case [one, *rest]:\n        return max(map(lambda part: part + one, rest))\n"
        "    case {**more}:\n        return len(more)\nreturn sum(Counter(xs).elements())"
    )
    assert shown_program(made(body), ENTRY) is not None


@pytest.mark.parametrize(("length", "fits"), [(99, False), (100, True), (500, True), (501, False)])
def test_a_program_of_a_hundred_to_five_hundred_characters_is_shown(length: int, fits: bool) -> None:
    code = "def total(xs):\n    nothing = ''\n    return sum(xs)"
    code = code.replace("''", "'" + "x" * (length - len(code)) + "'")
    assert shown_program(code, replace(ENTRY, cls=None)) == (code if fits else None)


# --- inputs ---


def test_inputs_are_near_the_examples_and_in_no_test() -> None:
    tests = {canonical_json(test.input) for test in TESTS}
    found = nearby_inputs([test.input for test in TESTS if test.visible], tests, 24)
    assert found == nearby_inputs([test.input for test in TESTS if test.visible], tests, 24)
    assert len({canonical_json(given) for given in found}) == len(found) == 24
    assert not tests & {canonical_json(given) for given in found}
    assert all(len(given) == 1 and all(type(value) is int for value in given[0]) for given in found)
    assert nearby_inputs([], tests, 24) == nearby_inputs([[1.5]], tests, 24) == []


# --- in the sandbox ---


@pytest.fixture(scope="module")
def items(judge: AnsweringJudge) -> list[DerivedItemSpec]:
    return derive_execution_items(judge, SPEC, [(0, PLAIN), (7, LOOP)], inputs=MAX_EXECUTION_ITEMS * 2)


@pytest.mark.sandbox
def test_a_problem_yields_its_public_tests_and_six_runs(judge: AnsweringJudge, items: list[DerivedItemSpec]) -> None:
    outputs = [item for item in items if item.kind is DerivedItemKind.TEST_OUTPUT]
    assert [(item.facts["call"], item.expected, item.returns) for item in outputs] == [
        ("total(xs = [1, 2])", 3, "integer"), ("total(xs = [2, 1, 0])", 3, "integer"),
    ]  # fmt: skip
    runs = executions(items)
    assert len(runs) == MAX_EXECUTION_ITEMS
    calls = {canonical_json(test.input[0]) for test in TESTS}
    for run in runs:
        assert run.program == 7
        assert 0 < run.measured["steps"] <= MAX_EXECUTION_STEPS
        given = run.facts["call"].removeprefix("total(xs = ").removesuffix(")")
        assert given.replace(" ", "") not in calls
        assert run.expected == sum(json.loads(given))
    again = executions(derive_execution_items(judge, SPEC, [(0, PLAIN), (7, LOOP)], inputs=MAX_EXECUTION_ITEMS * 2))
    assert [run.facts for run in runs] == [run.facts for run in again]


@pytest.mark.sandbox
def test_of_further_runs_an_input_is_asked_for(judge: AnsweringJudge, items: list[DerivedItemSpec]) -> None:
    """A run is of one kind, and no two items ask for the same value of the same program."""
    sought = [item for item in items if item.kind is DerivedItemKind.EXECUTION_INPUT]
    assert sought
    assert len({item.expected for item in sought}) == len(sought) <= MAX_EXECUTION_ITEMS
    for item in sought:
        assert item.program == 7
        assert item.facts["output"] == repr(item.expected)
        assert (item.facts["name"], item.facts["params"]) == ("total", ["xs"])
        assert 0 < item.measured["steps"] <= MAX_EXECUTION_STEPS
    optional = LOOP.replace("def total(self, xs: List[int])", "def total(self, xs: List[int] = [])")
    assert {
        item.kind for item in derive_execution_items(judge, SPEC, [(0, optional)], inputs=MAX_EXECUTION_ITEMS * 2)
    } == {
        DerivedItemKind.TEST_OUTPUT,
        DerivedItemKind.EXECUTION,
    }


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("total(xs=[1, 2])", Verdict.ACCEPTED),
        ("total([5, -2])", Verdict.ACCEPTED),
        ("total(xs=[1, 3])", Verdict.WRONG_ANSWER),
        ("total(xs=True)", Verdict.RUNTIME_ERROR),
        ("total(xs=[1000000000000])", Verdict.TIME_LIMIT),
        ("total()", Verdict.WRONG_ANSWER),
        ("", Verdict.NO_ANSWER),
    ],
)
def test_any_input_that_gives_the_value_is_right(judge: AnsweringJudge, answer: str, verdict: Verdict) -> None:
    code = shown_program(LOOP, ENTRY)
    assert code is not None
    found = judge_answer(
        answer, Preimage(code, replace(ENTRY, cls=None), 3, limits=replace(PREIMAGE_LIMITS, time_ms=100))
    )
    if not isinstance(found, GradeResult):
        found = found.grade_with(judge, 1.0)
    assert found.verdict is verdict


@pytest.mark.sandbox
@pytest.mark.parametrize(
    "body",
    [
        "found = 0\nfor value in xs:\n    found += value\nfor turn in range(2000):\n    found += 0\nreturn found",
        "found = 40\nfor value in xs:\n    found = found + 40 + value - 40\nreturn found - 40",
        pytest.param("part = 99\npart += 77\nreturn sum(xs)", marks=pytest.mark.slow),
        "part = 1\npart *= int('1') * len(xs) * 0 + (1 == 1)\npart = [1, 2, 3, 4] + [5, 6, 7, 8]\nreturn sum(xs)",
        "best = [math.inf]\nfor value in xs:\n    best[0] = min(best[0], value)\nreturn sum(xs)",
        "return sum(xs) + 0 * min(divmod(123456, 3717))",
        "return sum(xs) + 0 * math.gcd(1071, 462)",
        "return sum(xs) + 0 * (1 << 40)",
        "kept = 1\nkept <<= 40\nreturn sum(xs)",
        "return sum(xs) + 'abcdef'.index(next(iter(dict.fromkeys('abcdef').keys() - ['f'])))",
        "kept = {'ab', 'cd'}\nfor one in kept:\n    return sum(xs) + 'ab'.count(one)",
        "while True:\n    pass",
        "return (sum(xs),)",
        "raise ValueError",
    ],
)
def test_runs_that_nobody_can_follow_by_hand_are_no_items(judge: AnsweringJudge, body: str) -> None:
    """Too many steps, large operands, a float, an order of its own, no end, and values that are no plain ones."""
    program = "import math\n" + made(PADDING + body)
    most_ms = 80 if body.startswith("while True") else 200  # the others end, and are to be refused for what they do
    assert executions(derive_execution_items(judge, SPEC, [(0, program)], inputs=4, most_ms=most_ms)) == []


@pytest.mark.sandbox
def test_a_run_of_a_thousand_steps_is_the_longest(judge: AnsweringJudge) -> None:
    """`pass` is a step; a thousand and one of them are too many."""

    def steps(more: int) -> list[int]:
        code = "def total(xs):\n    def walk():\n" + PADDING.replace("nothing", "        nothing")
        code += f"        for turn in range({more}):\n            turn\n        return sum(xs)\n    return walk()"
        found = executions(
            derive_execution_items(judge, replace(SPEC, entry=replace(ENTRY, cls=None)), [(0, code)], inputs=2)
        )
        return [run.measured["steps"] for run in found]

    one, two = steps(1)[0], steps(2)[0]
    longest = (MAX_EXECUTION_STEPS - one) // (two - one) + 1
    assert steps(longest)[0] == one + (two - one) * (longest - 1)
    assert steps(longest + 1) == []


@pytest.mark.sandbox
def test_small_divisions_and_shifts_are_followed(judge: AnsweringJudge) -> None:
    body = "return sum(xs) + 0 * math.gcd(6, 3) + divmod(7, 2)[1] + 0 * (1 << 3)"
    assert executions(derive_execution_items(judge, SPEC, [(0, "import math\n" + made(PADDING + body))], inputs=4))


@pytest.mark.sandbox
def test_inputs_on_which_right_programs_differ_are_left_out(judge: AnsweringJudge) -> None:
    """Such an input is not one of the problem's."""
    picky = made("assert all(value >= 0 for value in xs), xs\nreturn sum(xs)")
    runs = executions(derive_execution_items(judge, SPEC, [(0, LOOP), (1, picky)], inputs=12))
    assert runs
    assert not any("-" in run.facts["call"] for run in runs)


@pytest.mark.sandbox
def test_values_that_not_everybody_compares_alike_are_not_asked(judge: AnsweringJudge) -> None:
    def outputs(spec: ProblemSpec) -> list[Any]:
        return [item.expected for item in derive_execution_items(judge, spec, [])]

    assert outputs(SPEC) == [3, 3]
    assert outputs(replace(SPEC, checker=Checker(CheckerKind.TESTLIB, program="x"))) == []
    nodes = Entry("total", None, (Param("xs", "ListNode"),), "integer")
    assert outputs(replace(SPEC, entry=nodes)) == []
    assert outputs(ProblemSpec("1", Form.STDIN, (Test("1\n", "1\n", visible=True),))) == []
