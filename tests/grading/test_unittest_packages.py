"""Packages of the judge's own: who may import them, what says that they are missing, and where they cannot be had."""

from dataclasses import replace
from pathlib import Path

import pytest
from grading.unittesting import problem, source

from app.cli.problems.judge_env import TaskProof, task_report, task_report_lines
from app.domain.errors import InvalidInput
from app.domain.imports import ImportedProblem, ImportedProgram
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Form, ProblemSpec, Test
from app.domain.unittests.reference import BranchCoverage
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.judge import JudgeSettings
from workers.grading.proofs import prove
from workers.grading.testing.packages import build_packages, find_packages, use_packages

pytestmark = pytest.mark.sandbox

USES = "import toylib\ndef f(x): return toylib.twice(x)\n"
TESTS = source("self.assertEqual(f(1), toylib.twice(1))", head="import unittest\nimport toylib")
REFERENCE, STUB = (
    ImportedProgram("uses", "python", USES),
    ImportedProgram("stub", "python", "def f(x): pass\n", reference=False),
)


@pytest.fixture(scope="module")
def own(open_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> AnsweringJudge:
    """A judge with one small package, in a sandbox root of its own."""
    root = open_folder / "with-packages"
    folder = root / "packages-0123456789abcdef"
    (folder / "toylib").mkdir(parents=True)
    (folder / "toylib" / "__init__.py").write_text("def twice(x): return 2 * x\n")
    (folder / "toylib-1.2.dist-info").mkdir()
    (folder / "bin").mkdir()
    made = use_packages(root, folder, "0123456789abcdef")
    assert (made.names, made.versions) == (("toylib",), ("toylib==1.2",))
    judge = AnsweringJudge(
        JudgeSettings(root, tmp_path_factory.mktemp("scratch"), compiler="/nowhere/gcc", slowness=1.0)
    )
    judge.self_test()
    return judge


def test_unittests_and_programs_beside_them_import_them(own: AnsweringJudge) -> None:
    result = own.grade(problem(TESTS), USES, "python")
    assert (result.verdict, result.in_process) == (Verdict.ACCEPTED, True), result.message
    assert result.grader_revision.endswith(".packages-01234567")
    assert prove(own, problem(TESTS), [REFERENCE, STUB]).proven
    written = (
        "import os, toylib\ndef f(x):\n    with open(toylib.__file__, 'a') as file: file.write('#')\n    return 2\n"
    )
    assert own.grade(problem(TESTS), written, "python").verdict is Verdict.WRONG_ANSWER  # it cannot be written


def test_other_programs_do_not(own: AnsweringJudge) -> None:
    spec = ProblemSpec("p", Form.STDIN, (Test("", "2\n"),))
    result = own.grade(spec, "import toylib\nprint(toylib.twice(1))\n", "python")
    assert result.verdict is Verdict.RUNTIME_ERROR
    assert "packages" not in result.grader_revision


def test_what_is_missing_is_named(judge: AnsweringJudge) -> None:
    assert "the tests need toylib" in judge.grade(problem(TESTS), USES, "python").message
    proof = prove(judge, problem(source("self.assertEqual(f(1), 2)")), [REFERENCE, STUB])
    assert (proof.proven, proof.ours, proof.lacking) == (False, False, ["toylib"])
    assert proof.reason == "needs toylib, which the judge's packages do not have"
    task = ImportedProblem("bigcodebench", "7", "BigCodeBench/7", None)
    right = ImportedProblem("bigcodebench", "8", "BigCodeBench/8", None)
    good = prove(
        judge, problem(source("self.assertEqual(f(1), 2)")), [ImportedProgram("r", "python", "def f(x): return 2")]
    )
    judged = [TaskProof(task, proof), TaskProof(right, good)]
    assert task_report(judged) == {
        "tasks": 2, "passed": 1, "pass_rate": 0.5, "missing": {"toylib": 1}, "failed": {"7": proof.reason},
        "reached": {"8": {"tests": 1, "branches": 0, "taken": 0, "coverage": None}},
    }  # fmt: skip
    assert task_report_lines(judged) == ["1 of 2 tasks pass", "missing: toylib (1)", f"  7: {proof.reason}"]
    half = TaskProof(right, replace(good, covered=BranchCoverage(tests=1, branches=4, taken=2)))
    assert task_report_lines([half, TaskProof(right, good)])[1:] == ["branch coverage: 50.0 % (mean of 1 tasks)"]


def test_the_reference_is_timed_for_the_limit(judge: AnsweringJudge) -> None:
    adds = ImportedProgram("adds", "python", "def f(*p): return sum(p)")
    proof = prove(judge, problem(source("self.assertEqual(f(1, 2), 3)")), [adds])
    assert (proof.proven, proof.beside) == (True, {}), proof
    assert proof.slowest_ms is not None
    assert 0 < proof.slowest_ms < 5000


def test_what_tests_reach_of_the_reference_is_measured(judge: AnsweringJudge) -> None:
    body = """
def f(x, more=()):
    for one in more:
        x += one
    match x:
        case 0 | 1:
            return 1
        case 2:
            return 2
    while x > 3:
        x -= 1
    return x if x else 0
"""
    reference = ImportedProgram("walks", "python", body)
    none = prove(judge, problem(source("self.assertEqual(f(0), 1)")), [reference])
    assert none.covered == BranchCoverage(tests=1, branches=8, taken=2)  # nothing to go through; the first case
    some = prove(judge, problem(source("self.assertEqual(f(2), 2)", "self.assertEqual(f(5, [1]), 3)")), [reference])
    assert some.covered == BranchCoverage(tests=2, branches=8, taken=7)
    assert (some.covered.share, BranchCoverage(1, 0, 0).share) == (87.5, None)
    wrong = prove(judge, problem(source("self.assertEqual(f(2), 3)")), [reference])
    assert (wrong.proven, wrong.covered) == (False, None)


def test_where_packages_cannot_be_had_one_line_says_so(tmp_path: Path) -> None:
    lock = tmp_path / "lock.txt"
    lock.write_text("numpy==1\n")
    with pytest.raises(InvalidInput, match=r"^packages cannot be installed here: [^\n]+$"):
        build_packages(tmp_path / "root", "/nowhere/python3", lock, tmp_path / "scratch")
    with pytest.raises(InvalidInput, match=r"^packages cannot be installed here: [^\n]+$"):
        build_packages(tmp_path / "root", "/usr/bin/false", lock, tmp_path / "scratch")
    assert find_packages(tmp_path / "root") is None
