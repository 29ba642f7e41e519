"""Judging an answer that is no program: values and reviews are compared, a call is put to a program. Pure."""

from dataclasses import dataclass
from typing import Any

from app.domain.errors import InvalidProblem
from app.domain.judging.checkers import compare_text, text_bytes
from app.domain.judging.findings import Planted, Seen, seen
from app.domain.judging.preimages import Preimage
from app.domain.judging.values import Room, compare_value, marks, read_value
from app.domain.judging.verdicts import GradeResult, LimitMode, TestOutcome, Verdict
from app.domain.problems import Checker, ProblemSpec

# Bumped when a value may be judged otherwise than before: kept answers are then proposed to be judged again.
REVISION = "1.value-1.none"


@dataclass(frozen=True, slots=True)
class Expected:
    """What an answer is compared with, or the `fault` of ours for which it cannot be."""

    value: Any = None
    checker: Checker = Checker()
    returns: str = ""
    fault: str = ""


Truth = Expected | Preimage | Planted


@dataclass(frozen=True, slots=True)
class ToRun:
    """A program, None where an answer held none, and the problem that it is judged by."""

    problem: ProblemSpec
    code: str | None
    language: str


def judge_answer(answer: str | None, truth: Truth) -> GradeResult | ToRun:
    """The verdict on an answer that is no program, or the run that decides it: its verdict is then the answer's."""
    if isinstance(truth, Expected):
        return judge_value(answer, truth)
    if answer is None or not answer.strip():
        return _result(Verdict.NO_ANSWER, "")
    try:
        if isinstance(truth, Planted):
            return _reviewed(seen(answer, truth))
        return ToRun(truth.posed(answer), truth.code, "python")
    except ValueError as unfit:
        return _result(Verdict.WRONG_ANSWER, str(unfit)[:200])


def _reviewed(of: Seen) -> GradeResult:
    """Two things are counted, the category and the line; right is what has both and nothing else."""
    right = of.category and of.line and of.alone
    outcomes = tuple(
        TestOutcome(Verdict.ACCEPTED if part else Verdict.WRONG_ANSWER, 0.0, 0.0, 0) for part in (of.category, of.line)
    )
    verdict = Verdict.ACCEPTED if right else Verdict.WRONG_ANSWER
    return GradeResult(verdict, of.category + of.line, 2, outcomes, LimitMode.NONE, REVISION)


def judge_value(answer: str | None, expected: Expected) -> GradeResult:
    """The verdict on a value. An answer without one is no_answer; a fault of ours is judge_error."""
    if expected.fault:
        return _result(Verdict.JUDGE_ERROR, expected.fault)
    if answer is None or not answer.strip():
        return _result(Verdict.NO_ANSWER, "no value")
    try:
        right = _is_right(answer, expected)
    except InvalidProblem as wrong:
        return _result(Verdict.JUDGE_ERROR, str(wrong))
    except ValueError as unread:
        return _result(Verdict.WRONG_ANSWER, f"no value: {unread}"[:200])
    return _result(Verdict.ACCEPTED if right else Verdict.WRONG_ANSWER, "")


def _is_right(answer: str, expected: Expected) -> bool:
    body = text_bytes(answer)
    if isinstance(expected.value, str):
        comparison = compare_text(expected.checker, expected.value)
        comparison.feed(body)
        return comparison.finish()
    room = Room.of(expected.value)
    if len(body) > room.size or marks(body) > room.marks:
        raise ValueError("far larger than any right one")
    return compare_value(expected.checker, expected.returns, read_value(body), expected.value)


def _result(verdict: Verdict, message: str) -> GradeResult:
    outcomes = () if verdict is Verdict.JUDGE_ERROR else (TestOutcome(verdict, 0.0, 0.0, 0),)
    return GradeResult(verdict, int(verdict is Verdict.ACCEPTED), 1, outcomes, LimitMode.NONE, REVISION, message)
