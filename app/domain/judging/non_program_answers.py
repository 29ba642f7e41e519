"""Judging of answers that are no programs: values and reviews are compared, inputs are given to a program. Pure."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from app.domain.errors import InvalidProblem
from app.domain.judging.checkers import compare_text, text_bytes
from app.domain.judging.defects import DefectMatch, PlantedDefect, match_defect
from app.domain.judging.hacks import Hack, HackRun, ProgramJudge
from app.domain.judging.preimages import Preimage
from app.domain.judging.values import SizeBound, compare_value, count_marks, read_value
from app.domain.judging.verdicts import GradeResult, LimitMode, TestOutcome, Verdict
from app.domain.problems import Checker, CheckerKind, ProblemSpec

# Bump it if values may be judged differently: a rejudging of stored answers is then proposed.
REVISION = "1.value-2.none"

_ORDER_BY = re.compile(r"\bORDER\s+BY\b", re.IGNORECASE)
_SQL_QUOTED = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"")
# Tolerance of numbers as libraries print them.
CLOSE_NUMBERS = Checker(CheckerKind.FLOAT, abs=1e-4, rel=1e-4)

# Takes the answer and the expected value; returns if the answer is right, and a message for people.
Rule = Callable[[str, Any], tuple[bool, str]]


@dataclass(frozen=True, slots=True)
class ExpectedValue:
    """Value that an answer is compared with, and its rule if it has one; or the `fault` of ours that prevents it.

    `is_json`: the answer is read as JSON even if the value is text.
    """

    value: Any = None
    checker: Checker = Checker()
    returns: str = ""
    is_json: bool = False
    fault: str = ""
    rule: Rule | None = None


Truth = ExpectedValue | Preimage | PlantedDefect | Hack


@dataclass(frozen=True, slots=True)
class AnswerRun:
    """Program, None if an answer held none, and the problem it is judged by.

    `ours`: the program is our own, and the answer is its input.
    """

    problem: ProblemSpec
    code: str | None
    language: str
    ours: bool = False

    def grade_with(self, judge: ProgramJudge, time_factor: float) -> GradeResult:
        """Return the judge's result, without a limit mode if the answer is an input, which has no speed."""
        result = judge.grade(self.problem, self.code, self.language, time_factor=time_factor)
        return replace(result, limit_mode=LimitMode.NONE) if self.ours else result


def judge_answer(answer: str | None, truth: Truth) -> GradeResult | AnswerRun | HackRun:
    """Return the verdict on an answer that is no program, or the run that decides it."""
    if isinstance(truth, ExpectedValue):
        return judge_value(answer, truth)
    if answer is None or not answer.strip():
        return _result(Verdict.NO_ANSWER, "")
    try:
        if isinstance(truth, PlantedDefect):
            return _grade_review(match_defect(answer, truth))
        if isinstance(truth, Hack):
            return truth.plan_run(answer)
        return AnswerRun(truth.problem_for(answer), truth.code, truth.language, ours=True)
    except ValueError as error:
        return _result(Verdict.WRONG_ANSWER, str(error)[:200])


def _grade_review(match: DefectMatch) -> GradeResult:
    """Count two results, the category and the line; a right answer has both and nothing else."""
    right = match.category and match.line and match.alone
    outcomes = tuple(
        TestOutcome(Verdict.ACCEPTED if part else Verdict.WRONG_ANSWER, 0.0, 0.0, 0)
        for part in (match.category, match.line)
    )
    verdict = Verdict.ACCEPTED if right else Verdict.WRONG_ANSWER
    return GradeResult(verdict, match.category + match.line, 2, outcomes, LimitMode.NONE, REVISION)


def judge_value(answer: str | None, expected: ExpectedValue) -> GradeResult:
    """Return the verdict on a value: no_answer without one, judge_error for a fault of ours."""
    if expected.fault:
        return _result(Verdict.JUDGE_ERROR, expected.fault)
    if answer is None or not answer.strip():
        return _result(Verdict.NO_ANSWER, "no value")
    word = ""
    try:
        if expected.rule is None:
            right = _is_right(answer, expected)
        else:
            right, word = expected.rule(answer, expected.value)
    except InvalidProblem as wrong:
        return _result(Verdict.JUDGE_ERROR, str(wrong))
    except ValueError as error:
        return _result(Verdict.WRONG_ANSWER, f"no value: {error}"[:200])
    return _result(Verdict.ACCEPTED if right else Verdict.WRONG_ANSWER, word)


def as_rows(value: Any) -> Any:
    """Return rows as lists of values if they are objects; any other value unchanged."""
    if not isinstance(value, list) or not all(isinstance(row, list | dict) for row in value):
        return value
    return [list(row.values()) if isinstance(row, dict) else row for row in value]


def is_ordered(query: str) -> bool:
    """Return whether an SQL query states the order of its rows."""
    return _ORDER_BY.search(_SQL_QUOTED.sub("", query)) is not None


def same_rows(answer: str, value: Any) -> tuple[bool, str]:
    """Apply the rule that the answer is JSON of these rows in any order."""
    rows = json.dumps(as_rows(read_value(text_bytes(answer)))).encode()
    return _equals(rows, ExpectedValue(value, Checker(CheckerKind.UNORDERED), "double[][]")), ""


def _is_right(answer: str, expected: ExpectedValue) -> bool:
    body = text_bytes(answer)
    if isinstance(expected.value, str) and not expected.is_json:
        comparison = compare_text(expected.checker, expected.value)
        comparison.feed(body)
        return comparison.finish()
    return _equals(body, expected)


def _equals(body: bytes, expected: ExpectedValue) -> bool:
    room = SizeBound.of(expected.value)
    if len(body) > room.size or count_marks(body) > room.marks:
        raise ValueError("far larger than any right one")
    return compare_value(expected.checker, expected.returns, read_value(body), expected.value)


def _result(verdict: Verdict, message: str) -> GradeResult:
    outcomes = () if verdict is Verdict.JUDGE_ERROR else (TestOutcome(verdict, 0.0, 0.0, 0),)
    return GradeResult(verdict, int(verdict is Verdict.ACCEPTED), 1, outcomes, LimitMode.NONE, REVISION, message)
