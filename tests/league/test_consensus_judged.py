"""Problems that many outputs solve, and interactive ones, set by models that saw their statements alone.

The problems were written for this measure. Both setters' answers were written by one model, at two times and in two
manners: their independence is not shown.
"""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.setters import recorded_in

from app.domain.judging.verdicts import Verdict
from app.domain.problems import Checker, CheckerKind, Form, Interactor, Limits, ProblemSpec, Test
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.consensus.suite import build_suite
from workers.grading.toolchains import language_of

pytestmark = [pytest.mark.sandbox, pytest.mark.slow, pytest.mark.timeout(1800)]
MEASURED = Path(__file__).parent / "measured"
_LONGEST = 50_000  # characters of an output that a program holds


def read(slug: str) -> dict[str, Any]:
    return tomllib.loads((MEASURED / f"{slug}.toml").read_text(encoding="utf-8"))


def public(problem: dict[str, Any]) -> ProblemSpec:
    """What setters are judged by: samples, and nothing of how outputs are judged."""
    samples = tuple(Test(one["input"], one.get("expected", ""), visible=True) for one in problem["samples"])
    return ProblemSpec(problem["id"], Form(problem["form"]), tests=samples, limits=Limits(**problem["limits"]))


def true(problem: dict[str, Any], suite: ProblemSpec) -> ProblemSpec:
    """A suite's inputs, judged by the problem's own program."""
    if suite.form is Form.INTERACTIVE:
        return replace(suite, interactor=Interactor(problem["judge"], CheckerKind.KATTIS, "python"))
    return replace(suite, checker=Checker(CheckerKind.KATTIS, program=problem["judge"], language="python"))


def judged(judge: AnsweringJudge, suite: ProblemSpec, name: str, code: str) -> bool:
    language = language_of(name)
    assert language is not None
    return judge.grade(suite, code, language.name).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize("slug", sorted(path.stem for path in MEASURED.glob("*.toml")))
def test_a_suite_by_consensus_judges_as_the_problems_own(judge: AnsweringJudge, slug: str) -> None:
    problem = read(slug)
    answers = recorded_in(MEASURED / "setters", problem["title"])
    played = build_suite(judge, public(problem), answers, has_checker=False)
    assert played.reason is None, (played.evidence, {str(p): str(s) for p, s in played.states.items()})
    own = true(problem, played.problem)
    for kind in ("right", "wrong", "slow"):
        for name, code in problem.get(kind, {}).items():
            accepted = judged(judge, played.problem, name, code)
            assert accepted is (kind == "right"), name
            assert kind != "right" or judged(judge, own, name, code), name
    if own.form is not Form.INTERACTIVE:
        for test in own.tests:
            assert isinstance(test.expected, str)
            if len(test.expected) < _LONGEST:
                says = f"import sys\nsys.stdout.write({test.expected!r})\n"
                assert judged(judge, replace(own, tests=(test,)), "says.py", says), test.input
