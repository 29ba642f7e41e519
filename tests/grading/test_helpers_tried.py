# ruff: noqa: E501  # tables of whole programs
"""Checkers and interactors that no reference has tried are tried by themselves, before answers count."""

import pytest
from grading.test_interactive import BRISK, READY

from app.domain.problems import Checker, CheckerKind, Form, Interactor, ProblemSpec, Test
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.proofs import prove

pytestmark = pytest.mark.sandbox

NEEDS_NUMBER = Interactor(READY + "sys.exit(int(input()) != 3)")
STRICT_CHECKER = Checker(CheckerKind.TESTLIB, program="import sys\nsys.exit(int(open(sys.argv[2]).read()) != 3)")


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (ProblemSpec("talk", Form.INTERACTIVE, (Test("", None),), BRISK, interactor=NEEDS_NUMBER),
         "the interactor fails with a program that says nothing (test 1), and no reference shows that it works"),
        (ProblemSpec("talk", Form.INTERACTIVE, (Test("", None),), BRISK, interactor=Interactor(READY + "sys.exit(sys.stdin.readline() != '3')")), None),
        (ProblemSpec("say", Form.STDIN, (Test("", "3"), Test("", None)), BRISK, STRICT_CHECKER),
         "the checker fails with the jury's answer (test 2), and no reference shows that it works"),
        (ProblemSpec("say", Form.STDIN, (Test("", "3"), Test("", "4")), BRISK, STRICT_CHECKER), None),
        (ProblemSpec("say", Form.STDIN, (Test("", "3"),), BRISK), None),
    ],
)  # fmt: skip
def test_what_decides_on_answers_is_tried_before_they_count(
    judge: AnsweringJudge, problem: ProblemSpec, reason: str | None
) -> None:
    """Without a reference nothing else shows that a program which makes it fail is wrong."""
    outcome = prove(judge, problem, [])
    assert (outcome.proven, outcome.reason, outcome.ours) == (reason is None, reason, False)


def test_an_interactor_that_does_not_compile_is_our_failure_at_the_proof_too(judge: AnsweringJudge) -> None:
    problem = ProblemSpec("talk", Form.INTERACTIVE, (Test("", None),), BRISK, interactor=Interactor("#include <no.h>"))
    outcome = prove(judge, problem, [])
    assert (outcome.proven, outcome.ours) == (False, True)
    assert "does not compile" in (outcome.reason or "")
