"""The prompt for an input that breaks a program, what is read of answers to it, and the runs that decide them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from app.domain.asking.extraction import Extraction
from app.domain.deriving.items import DerivedItemKind, DerivedItemSpec
from app.domain.errors import InvalidProblem, JudgeError
from app.domain.judging.hacks import MAX_INPUT_CHARS, Hack, parse_hack_input
from app.domain.judging.non_program_answers import judge_answer
from app.domain.judging.problem_file import parse_problem, problem_as_json
from app.domain.judging.verdicts import GradeResult, LimitMode, TestOutcome, Verdict
from app.domain.problems import Checker, CheckerKind, Entry, Form, Limits, Method, Param, ProblemSpec, Statement, Test
from app.domain.scenarios import Item, Material, house_protocols, prompt_sha256, solving_scenarios
from app.domain.scenarios.hack import SCENARIO

EXAMPLE = Test("1 2\n", "3\n", visible=True)
STATEMENT = Statement("house/sum", "en", Form.STDIN, "Sum", "Print a + b.", {}, (EXAMPLE,), Limits())
SPEC = ProblemSpec("house/sum", Form.STDIN, ())
CODE = "print(3)\n"
PAIR = ProblemSpec("pair", Form.FUNCTION, (), entry=Entry("total", "Solution", (Param("xs"), Param("k")), "int"))
RING = ProblemSpec(
    "ring", Form.CLASS, (), Limits(1500, 128, 100), Checker(CheckerKind.FLOAT, abs=0.1),
    Entry("", "Ring", (Param("size", "int"),), methods={"add": Method((Param("x", "int"),), "void")}),
)  # fmt: skip


def item(spec: ProblemSpec = SPEC) -> Item:
    truth = {
        "problem": problem_as_json(spec),
        "validator": ["python", "v"],
        "references": [["python", "r"], ["cpp", "s"]],
    }
    (made,) = SCENARIO.items(
        Material(STATEMENT, derived=(DerivedItemSpec(DerivedItemKind.HACK, {"code": CODE}, truth),))
    )
    return made


def asked(locale: str = "en", **changes: Any) -> str:
    protocol = replace(SCENARIO.protocols[0], locale=locale)
    return SCENARIO.ask(replace(STATEMENT, **changes), protocol, item()).messages[1].content


def test_the_prompt_in_full() -> None:
    assert asked() == (
        "### Question\n\n# Sum\n\nPrint a + b.\n\nExample 1\nInput:\n```\n1 2\n```\nOutput:\n```\n3\n```\n\n"
        "Limits per test: 2 seconds, 256 MB of memory.\n\n### Wrong program\n\n```python\nprint(3)\n```\n\n"
        "This program passes the examples above, and it is wrong. Write one input that meets every constraint of the "
        "problem and on which the program gives a wrong answer, fails, or breaks a limit. A short one will do.\n\n"
        "Write the input as the program reads it.\n\n"
        "Write the input itself, and no program that makes it, once and in one fence, as here.\n\n"
        "```input\n...\n```\n\n### Answer (use the format above, with its fence)"
    )
    assert "one JSON value a line" in asked(form=Form.FUNCTION)
    assert "list of names on one line" in asked(form=Form.CLASS)


@pytest.mark.parametrize(("locale", "digest"), [("en", "99c3e17e3a7f2e4b"), ("zh", "97f71d44bf0e6db2")])
def test_its_words_are_pinned(locale: str, digest: str) -> None:
    """Another digest is another prompt revision of the protocols that use it."""
    protocol = replace(SCENARIO.protocols[0], locale=locale)
    assert prompt_sha256(SCENARIO.ask(STATEMENT, protocol, item()))[:16] == digest


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It forgets.\n```input\n5 6\n```", ("5 6\n", True)),
        ("```\n5 6\n```", ("5 6\n", True)),
        ("```text\n5 6\n```", ("5 6\n", False)),
        ("<think>```input\n5 6\n```</think>I cannot tell.", (None, False)),
        ("5 6", (None, False)),
    ],
)
def test_what_is_read_of_an_answer(text: str, found: tuple[str | None, bool]) -> None:
    assert SCENARIO.extract(text, SCENARIO.protocols[0]) == Extraction(*found)


@pytest.mark.parametrize(
    ("spec", "answer", "given"),
    [
        (SPEC, "5 6", "5 6\n"),
        (SPEC, "\n5 6\n\n\n", "\n5 6\n"),
        (PAIR, "[1, 2]\n\n3\n", [[1, 2], 3]),
        (RING, '["Ring", "add"]\n[[5], [1]]\n', [["Ring", "add"], [[5], [1]]]),
    ],
)
def test_an_input_is_written_as_examples_are_shown(spec: ProblemSpec, answer: str, given: object) -> None:
    assert parse_hack_input(answer, spec) == given


@pytest.mark.parametrize(
    ("spec", "answer"),
    [
        (SPEC, "x" * (MAX_INPUT_CHARS + 1)), (PAIR, "[1, 2]"), (PAIR, "[1]\n2\n3"), (PAIR, "[1\n2"), (PAIR, "NaN\n1"),
        (PAIR, "[" * 5000 + "\n1"), (RING, '["Ring"]\n[[5], [1]]'), (RING, "[[5]]"),
    ],
)  # fmt: skip
def test_what_is_no_input_is_wrong_and_nothing_is_run(spec: ProblemSpec, answer: str) -> None:
    truth = SCENARIO.truth(item(spec))
    assert truth is not None
    found = judge_answer(answer, truth)
    assert isinstance(found, GradeResult)
    assert (found.verdict, found.limit_mode) == (Verdict.WRONG_ANSWER, LimitMode.NONE)


@pytest.mark.parametrize("spec", [SPEC, PAIR, RING])
def test_a_problem_is_written_as_it_is_read(spec: ProblemSpec) -> None:
    assert parse_problem(problem_as_json(spec)) == spec


class Judge:
    """Says of each program what it is told to, and what the first reference answers."""

    def __init__(self, **verdicts: Verdict) -> None:
        self.verdicts, self.asked = verdicts, list[tuple[str | None, str, Any, Any]]()

    def grade(self, problem: ProblemSpec, code: str | None, language: str, *, time_factor: float = 1.0) -> GradeResult:
        (test,) = problem.tests
        self.asked.append((code, language, test.input, test.expected))
        verdict = self.verdicts.get((code or "").strip("()3\n"), Verdict.ACCEPTED)
        tests = (TestOutcome(verdict, 7.0, 9.0, 1),)
        return GradeResult(verdict, 0, 1, tests, LimitMode.CGROUP, f"1.{language}", f"{code} {time_factor}", got="x")

    def answers(self, problem: ProblemSpec, code: str, language: str, inputs: Sequence[Any]) -> list[Any]:
        assert (problem, language, list(inputs)) == (SPEC, "python", ["5 6\n"])
        if self.verdicts.get(code) is Verdict.JUDGE_ERROR:
            raise JudgeError("the sandbox broke")
        if self.verdicts.get(code) is not None:
            raise InvalidProblem("input 1: time_limit")
        return ["11\n"]

    def languages(self) -> Mapping[str, str]:
        return {"python": "3.11", "cpp": "12"}


WRONG, FAILED, ERROR = Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR, Verdict.JUDGE_ERROR


@pytest.mark.parametrize(
    ("verdicts", "verdict", "words", "runs"),
    [
        ({"print": WRONG}, Verdict.ACCEPTED, "the program: wrong_answer", 3),
        ({"print": FAILED}, Verdict.ACCEPTED, "the program: runtime_error", 3),
        ({}, WRONG, "right on this input", 3),
        ({"v": FAILED, "print": WRONG}, WRONG, "not legal", 1),
        ({"v": Verdict.TIME_LIMIT, "print": WRONG}, WRONG, "not legal", 1),
        ({"r": FAILED, "print": WRONG}, WRONG, "a reference has no answer", 1),
        ({"s": WRONG, "print": WRONG}, WRONG, "the references differ", 2),
        ({"r": ERROR}, ERROR, "the sandbox broke", 1),
        ({"v": ERROR}, ERROR, "v 1.0", 1),
        ({"s": ERROR}, ERROR, "s 1.0", 2),
        ({"print": ERROR}, ERROR, "print(3)", 3),
    ],
)
def test_validator_references_and_program_decide(
    verdicts: dict[str, Verdict], verdict: Verdict, words: str, runs: int
) -> None:
    truth, judge = SCENARIO.truth(item()), Judge(**verdicts)
    assert isinstance(truth, Hack)
    result = truth.plan_run("5 6").grade_with(judge, 2.0)
    assert (result.verdict, result.passed) == (verdict, int(verdict is Verdict.ACCEPTED))
    assert words in result.message
    assert result.checker_failed is ("reference" in words), "who finds a fault of a problem does not go uncounted"
    if verdict is not ERROR:
        assert (result.limit_mode, result.total, result.got) == (LimitMode.NONE, 1, None)
    every = [("v", "python", "5 6\n", ""), ("s", "cpp", "5 6\n", "11\n"), (CODE, "python", "5 6\n", "11\n")]
    assert judge.asked == every[:runs]


def test_it_stands_in_the_house_league_and_solves_nothing() -> None:
    assert "hack" not in solving_scenarios()
    assert "house-hack" in {each.slug for each in house_protocols()}
