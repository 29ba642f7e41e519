"""Real items of CoCo-Bench: imported, asked, and graded by running programs."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from support.files import read
from support.sandboxes import sandbox_root

from app.domain.imports import ImportBatch, ImportedProblem
from app.domain.judging.non_program_answers import AnswerRun, judge_answer
from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import Statement
from app.domain.scenarios import Material, ReferenceProgram, Scenario
from app.domain.scenarios.coco_bug_fix import SCENARIO as FIX
from app.domain.scenarios.coco_completion import SCENARIO as COMPLETION
from app.domain.scenarios.coco_forward import SCENARIO as FORWARD
from app.domain.scenarios.coco_reverse import SCENARIO as REVERSE
from app.domain.scenarios.coco_review import SCENARIO as REVIEW
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.proofs import prove
from workers.grading.settings import JudgeSettings
from workers.grading.testing.import_completion import IMPORT_DEMANDS, complete_batch
from workers.grading.testing.packages import use_packages

ITEMS = "data/bigcodebench/other-seeds/cocobench_samples.jsonl"

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module")
def answering_judge() -> Iterator[AnsweringJudge]:
    """A judge whose programs may import the numpy of this interpreter."""
    with TemporaryDirectory(prefix="tidemark-coco-", dir="/var/tmp") as name:
        top = Path(name)
        top.chmod(0o755)
        root, site = top / "sandbox", Path(np.__file__).parent.parent
        packages = root / "packages-0123456789abcdef"
        for part in ("numpy", "numpy.libs"):
            if (site / part).is_dir():
                # With what Python compiled of it: every run would do so again, for a folder that it may not write.
                shutil.copytree(site / part, packages / part, ignore=shutil.ignore_patterns("tests"))
        use_packages(root, packages, "0123456789abcdef")
        judge = AnsweringJudge(JudgeSettings(root, top / "scratch", compiler="/nowhere/gcc"))
        judge.self_test()
        yield judge


@pytest.fixture(scope="module")
def compiling(tmp_path_factory: pytest.TempPathFactory) -> AnsweringJudge:
    """A judge with the toolchains that all tests share: to build them takes long."""
    judge = AnsweringJudge(JudgeSettings(sandbox_root(), tmp_path_factory.mktemp("scratch")))
    judge.self_test()
    return judge


def is_compiled(problem: ImportedProblem) -> bool:
    return any(one.language in ("cpp", "java") for one in problem.programs)


# To make the suite of such an item, or to compile it, takes seconds; the other one of its kind is made in every run.
ALIKE = {"CM/python/1", "CU/cpp/2"}
FEW = replace(
    IMPORT_DEMANDS, tests=11, mutants=2
)  # of what is run on every test; the other's is made as installations do


def one_item(batch: ImportBatch, name: str) -> ImportBatch:
    return replace(batch, problems=(problem_of(batch, name),))


@pytest.fixture(scope="module")
def batch(shared: Path, answering_judge: AnsweringJudge, compiling: AnsweringJudge) -> ImportBatch:
    whole = read("coco", shared / ITEMS)
    taken = [one for one in whole.problems if one.external_id not in ALIKE]
    parts = [
        complete_batch(judge, replace(whole, problems=tuple(one for one in taken if is_compiled(one) is compiled)), FEW)
        for judge, compiled in ((answering_judge, False), (compiling, True))
    ]
    problems, notes = ([one for part in parts for one in getattr(part, name)] for name in ("problems", "notes"))
    return replace(whole, problems=tuple(problems), notes=tuple(notes))


def problem_of(batch: ImportBatch, name: str) -> ImportedProblem:
    return next(problem for problem in batch.problems if problem.external_id == name)


def program_of(problem: ImportedProblem, name: str) -> str:
    """An answer that holds a program of the item."""
    return f"```python\n{next(one.code for one in problem.programs if one.name == name)}\n```"


def graded(answering_judge: AnsweringJudge, problem: ImportedProblem, scenario: Scenario, answer: str) -> Verdict:
    """The verdict on an answer, all the way from its text."""
    text = problem.statements["en"]
    statement = Statement(
        "1", "en", problem.form, text.title, text.text, text.starter_code,
        tuple(test for test in problem.tests if test.visible), problem.limits, problem.entry,
    )  # fmt: skip
    programs = tuple(ReferenceProgram(one.language, one.code) for one in problem.programs if one.reference)
    protocol = scenario.protocols[0]
    item = scenario.items(Material(statement, problem.tests, programs))[0]
    scenario.ask(statement, protocol, item)
    given, truth = scenario.extract(answer, protocol).code, scenario.truth(item)
    by_tests = AnswerRun(problem.spec, given, item.language or protocol.language)
    found = by_tests if truth is None else judge_answer(given, truth)
    return found.verdict if isinstance(found, GradeResult) else found.grade_with(answering_judge, 1.0).verdict


def test_every_item_is_proven_or_held_with_its_reason(
    batch: ImportBatch, answering_judge: AnsweringJudge, compiling: AnsweringJudge
) -> None:
    for problem in batch.problems:
        is_proven_or_held(compiling if is_compiled(problem) else answering_judge, problem)


def is_proven_or_held(judge: AnsweringJudge, problem: ImportedProblem) -> None:
    reasons = [flag for flag in problem.flags if flag.startswith(("needs:", "unfit:"))]
    assert bool(problem.tests) is not bool(reasons), problem.external_id
    if problem.tests:
        assert prove(judge, problem.spec, problem.programs).reason is None, problem.external_id


def test_the_value_of_a_run_is_the_truth_and_what_the_file_says_otherwise_is_named(batch: ImportBatch) -> None:
    [test] = problem_of(batch, "CU/numpy/2").tests
    assert test.input == [[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]]
    assert test.expected == [[[1, 2], [5, 6]], [[3, 4], [7, 8]]]
    assert "value_differs" in problem_of(batch, "CU/numpy/2").flags
    assert "value_differs" not in problem_of(batch, "CU/numpy/1").flags
    note = next(note for note in batch.notes if note.startswith("CU/numpy/2: "))
    assert note.endswith("its file says [[[1, 5], [3, 7]], [[2, 6], [4, 8]]], its code gives "
                         "[[[1, 2], [5, 6]], [[3, 4], [7, 8]]]")  # fmt: skip


@pytest.mark.parametrize(
    ("name", "scenario", "answer", "verdict"),
    [
        ("CU/numpy/1", FORWARD, "([[1, 2], [3, 4]], [[5, 6], [7, 8]])", Verdict.ACCEPTED),
        ("CU/numpy/2", FORWARD, "[[[1, 5], [3, 7]], [[2, 6], [4, 8]]]", Verdict.WRONG_ANSWER),
        ("CU/numpy/1", REVERSE, "arr1 = [[1, 2], [3, 4]]\narr2 = [[5, 6], [7, 8]]", Verdict.ACCEPTED),
        # Another input than the file's: a row more in width on one side, a row less on the other.
        ("CU/numpy/1", REVERSE, "arr1 = [[1], [3]]\narr2 = [[2, 5, 6], [4, 7, 8]]", Verdict.ACCEPTED),
        ("CU/numpy/1", REVERSE, "arr1 = [[1, 2], [3, 4]]\narr2 = [[5, 6], [7, 9]]", Verdict.WRONG_ANSWER),
        ("CU/numpy/1", REVERSE, "arr1 = 'x'\narr2 = 3", Verdict.RUNTIME_ERROR),
    ],
)
def test_answers_about_real_code_get_their_verdict(
    batch: ImportBatch, answering_judge: AnsweringJudge, name: str, scenario: Scenario, answer: str, verdict: Verdict
) -> None:
    assert graded(answering_judge, problem_of(batch, name), scenario, answer) is verdict


def test_real_completions_are_graded_by_their_tests(batch: ImportBatch, answering_judge: AnsweringJudge) -> None:
    for name in ("CG/python/1", "CG/python/2"):
        problem = problem_of(batch, name)
        assert [test.expected for test in problem.tests] == [[None, 6, 16, 16, 4]]
        whole, blank = program_of(problem, "complete_code"), program_of(problem, "incomplete_code")
        assert graded(answering_judge, problem, COMPLETION, whole) is Verdict.ACCEPTED
        assert graded(answering_judge, problem, COMPLETION, blank) is Verdict.RUNTIME_ERROR
        assert graded(answering_judge, problem, COMPLETION, whole[:-60]) is not Verdict.ACCEPTED  # cut off
        assert graded(answering_judge, problem, COMPLETION, "I would rather not.") is Verdict.NO_ANSWER


def test_real_bugs_are_told_from_their_corrections(batch: ImportBatch, answering_judge: AnsweringJudge) -> None:
    is_told_from_its_correction(answering_judge, problem_of(batch, "CM/python/2"))


@pytest.mark.slow
def test_the_other_real_bug_is_told_too(shared: Path, answering_judge: AnsweringJudge) -> None:
    (problem,) = complete_batch(answering_judge, one_item(read("coco", shared / ITEMS), "CM/python/1")).problems
    is_proven_or_held(answering_judge, problem)
    is_told_from_its_correction(answering_judge, problem)


def is_told_from_its_correction(answering_judge: AnsweringJudge, problem: ImportedProblem) -> None:
    assert len(problem.tests) > 10
    assert sum(test.visible for test in problem.tests) == 1
    failure = problem.statements["en"].starter_code["failure"]
    assert failure.startswith("Input:\n")
    assert "\nGot: " in failure
    assert graded(answering_judge, problem, FIX, program_of(problem, "corrected_code")) is Verdict.ACCEPTED
    assert graded(answering_judge, problem, FIX, program_of(problem, "bug_code")) is Verdict.WRONG_ANSWER


def test_real_reviews(batch: ImportBatch, answering_judge: AnsweringJudge) -> None:
    mended, several = problem_of(batch, "CR/python/2"), problem_of(batch, "CR/python/1")
    right = '{"syntax_errors": [{"line": "results.extend(data", "fix": "results.extend(data)"}]}'
    assert graded(answering_judge, mended, REVIEW, right) is Verdict.ACCEPTED
    assert graded(answering_judge, mended, REVIEW, right.replace("data)", "data]")) is Verdict.WRONG_ANSWER
    assert graded(answering_judge, several, REVIEW, right) is Verdict.WRONG_ANSWER
    assert graded(answering_judge, several, REVIEW, "") is Verdict.NO_ANSWER


def test_real_queries_run_on_a_throw_away_database(batch: ImportBatch, answering_judge: AnsweringJudge) -> None:
    upper, counted = problem_of(batch, "CU/sql/1"), problem_of(batch, "CU/sql/2")
    assert upper.tests[0].expected == [["JOHN DOE", 8], ["JANE SMITH", 10], ["MIKE BROWN", 10]]
    assert (counted.tests[0].expected, "value_differs" in counted.flags) == ([[0]], True)  # the file says 2
    rows = '[["MIKE BROWN", 10], ["JOHN DOE", 8], ["JANE SMITH", 10]]'
    assert graded(answering_judge, upper, FORWARD, rows) is Verdict.ACCEPTED
    as_objects = '[{"a": "MIKE BROWN", "b": 10}, {"a": "JOHN DOE", "b": 8}, {"a": "JANE SMITH", "b": 10}]'
    assert graded(answering_judge, upper, FORWARD, as_objects) is Verdict.ACCEPTED
    assert graded(answering_judge, upper, FORWARD, rows.replace("8", "9")) is Verdict.WRONG_ANSWER
    people = '[{"first_name": "mike", "last_name": "brown"}, {"first_name": "JOHN", "last_name": "DOE"}, %s]'
    jane = '{"first_name": "Jane", "last_name": "Smith"}'
    assert graded(answering_judge, upper, REVERSE, f"employees = {people % jane}") is Verdict.ACCEPTED
    assert graded(answering_judge, upper, REVERSE, f"employees = {people % jane.replace('Jane', 'Joan')}") is (
        Verdict.WRONG_ANSWER
    )
    assert graded(answering_judge, upper, REVERSE, "employees = [1, 2]") is Verdict.RUNTIME_ERROR


def test_real_functions_in_cpp_are_called(batch: ImportBatch, compiling: AnsweringJudge) -> None:
    operations = problem_of(batch, "CU/cpp/1")
    assert operations.tests[0].expected == 2
    assert graded(compiling, operations, FORWARD, "2") is Verdict.ACCEPTED
    assert graded(compiling, operations, REVERSE, "nums = [1, 1, 1, 1]") is Verdict.ACCEPTED
    assert graded(compiling, operations, REVERSE, "nums = [1, 1]") is Verdict.WRONG_ANSWER
    assert graded(compiling, operations, REVERSE, 'nums = "no"') is Verdict.RUNTIME_ERROR


@pytest.mark.slow
def test_the_other_real_function_in_cpp_is_called_too(shared: Path, compiling: AnsweringJudge) -> None:
    (problem,) = complete_batch(compiling, one_item(read("coco", shared / ITEMS), "CU/cpp/2")).problems
    is_proven_or_held(compiling, problem)
    assert problem.tests[0].expected == 1
