"""Suites made from real statements and one reference, and from grammars, tried with programs of known verdict.

The small part runs always; the whole measurement (`slow`) takes about an hour on one core and prints the table that
docs/testgen.md quotes.
"""

import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conformance.testgen_measure import Case, Outcome, league, leetcode, measure

from app.domain.judging.verdicts import Verdict
from app.domain.testgen.candidates import CandidateCounts, candidates
from app.domain.testgen.grammars.layout import rejection_reason
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.judge import JudgeSettings

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(1200)]

ROOT = Path(__file__).resolve().parents[2]
GRAMMARS = Path(__file__).parent / "grammars"
# Quick to answer; chosen for that alone.
QUICK = ("find-the-k-th-character-in-string-game-i",)


@pytest.fixture(scope="module")
def answering_judge() -> Iterator[AnsweringJudge]:
    """Its root lies outside of pytest's folders, which are closed to the sandbox's uid."""
    with tempfile.TemporaryDirectory(prefix="tidemark-testgen-", dir="/var/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        answering_judge = AnsweringJudge(JudgeSettings(folder / "sandbox", folder / "scratch"))
        answering_judge.self_test()
        yield answering_judge


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_most_real_constraints_are_read_and_make_legal_inputs(shared: Path, every: int) -> None:
    cases, unread = leetcode(shared)
    assert len(cases) + len(unread) == 113
    assert len(cases) >= 100
    few = CandidateCounts(exhaustive=1, small=1, random=1, extreme=1, slow=0)
    wrong = [(case.problem.id, reason) for case in cases[::every] for candidate in candidates(case.grammar, 0, few)
             if (reason := rejection_reason(case.grammar, candidate.given)) is not None]  # fmt: skip
    assert wrong == []


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_the_grammars_of_the_league_accept_the_tests_made_by_hand(every: int) -> None:
    from support.files import READ_AT

    from scrapers.suites.house import load_league

    problems = load_league(ROOT / "league", READ_AT).problems
    cases = list(league(ROOT / "league", GRAMMARS))
    assert len(cases) >= 19
    assert [(case.problem.id, reason) for case in cases for test in problems[case.problem.id].spec.tests[::every]
            if (reason := rejection_reason(case.grammar, test.input)) is not None] == []  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("slug", QUICK)
def test_a_suite_from_a_statement_accepts_the_answer_recorded_as_right(
    shared: Path, answering_judge: AnsweringJudge, slug: str
) -> None:
    (case,) = [case for case in leetcode(shared)[0] if case.problem.id == slug]
    outcome = measure(answering_judge, case)
    assert outcome.suite.evidence.validity == 1.0
    assert [verdict for _, label, verdict, _ in outcome.verdicts if label == "right"] == [Verdict.ACCEPTED]


def table(outcomes: list[Outcome]) -> dict[str, Any]:
    """Validity, and of each label how many programs were accepted and how many were tried."""
    tried, accepted = Counter[str](), Counter[str]()
    for outcome in outcomes:
        for _, label, verdict, _ in outcome.verdicts:
            tried[label] += 1
            accepted[label] += verdict is Verdict.ACCEPTED
    evidence = [outcome.suite.evidence for outcome in outcomes]
    return {
        "suites": len(outcomes),
        "inputs": sum(each.tried for each in evidence),
        "valid": sum(each.valid for each in evidence),
        "accepted": {label: (accepted[label], count) for label, count in sorted(tried.items())},
    }


def _measured(answering_judge: AnsweringJudge, cases: list[Case], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    outcomes = [measure(answering_judge, case) for case in cases]
    found = table(outcomes)
    with capsys.disabled():
        print(json.dumps(found))
        for outcome in outcomes:
            print(json.dumps(outcome.row()))
    return found


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_recorded_answers_are_told_apart(
    shared: Path, answering_judge: AnsweringJudge, capsys: pytest.CaptureFixture[str]
) -> None:
    found = _measured(answering_judge, [case for case in leetcode(shared)[0] if case.judged], capsys)
    assert found["valid"] == found["inputs"]
    right, tried = found["accepted"]["right"]
    assert right / tried >= 0.95  # of some thirty: one recorded as right may be wrong
    wrong, tried = found["accepted"]["wrong"]
    assert wrong / tried <= 0.1


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_the_leagues_programs_are_told_apart(
    answering_judge: AnsweringJudge, capsys: pytest.CaptureFixture[str]
) -> None:
    found = _measured(answering_judge, list(league(ROOT / "league", GRAMMARS)), capsys)
    assert found["valid"] == found["inputs"]
    right, tried = found["accepted"]["right"]
    assert right == tried
    wrong, tried = found["accepted"]["wrong"]
    assert wrong / tried <= 0.05
    slow, tried = found["accepted"]["slow"]
    assert slow / tried <= 0.12
