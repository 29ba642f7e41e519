"""Real problems set by two models that saw their statements alone: what suites by consensus are worth against known
tests.

Both setters' answers were written by one model, at two times and in two manners: their independence is not shown.
"""

import gzip
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from conformance.test_real_problems import arguments, entry_of, expected_of
from support.sandboxes import sandbox_root
from support.setters import recorded_in

from app.domain.judging.verdicts import Verdict
from app.domain.problems import UNSTATED_LIMITS, Form, ProblemSpec, Test
from app.domain.testgen.mutants.mutants import mutants
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.consensus.suite import build_suite
from workers.grading.judge import JudgeSettings

pytestmark = [pytest.mark.sandbox, pytest.mark.slow, pytest.mark.timeout(1500)]

RECORDED = Path(__file__).parent / "setters"
SAMPLES, WRONG = 2, 8
UNDECIDED = (Verdict.ACCEPTED, Verdict.COMPILE_ERROR, Verdict.JUDGE_ERROR)
# Played and admitted; why the others are not here is in docs/evidence.md.
ADMITTED = (
    "count-beautiful-splits-in-an-array",
    "final-array-state-after-k-multiplication-operations-i", "find-maximum-removals-from-source-string",
    "find-the-minimum-amount-of-time-to-brew-potions", "identify-the-largest-outlier-in-an-array",
    "k-th-nearest-obstacle-queries", "longest-common-prefix-after-at-most-one-removal", "longest-special-path-ii",
    "maximize-profit-from-task-assignment", "maximize-the-number-of-target-nodes-after-connecting-trees-ii",
    "maximum-multiplication-score", "maximum-students-on-a-single-bench", "snake-in-matrix",
    "sum-of-variable-length-subarrays", "zero-array-transformation-ii",
)  # fmt: skip


@cache
def real(shared: Path) -> Mapping[str, dict[str, Any]]:
    """The problems by their names."""
    with gzip.open(shared / "data/problems_real/leetcodedataset_v0.3.1_test.jsonl.gz") as file:
        rows = [json.loads(line) for line in file]
    return {row["task_id"]: row for row in rows}


def known_tests(row: dict[str, Any]) -> list[Test]:
    found = []
    for pair in row["input_output"]:
        try:
            found.append(Test(arguments(pair["input"]), expected_of(pair["output"], entry_of(row).returns)))
        except (ValueError, SyntaxError):
            continue
    return found


@pytest.fixture(scope="module")
def answering_judge() -> AnsweringJudge:
    answering_judge = AnsweringJudge(JudgeSettings(sandbox_root(), sandbox_root().with_name("scratch")))
    answering_judge.self_test()
    return answering_judge


@pytest.mark.parametrize("name", ADMITTED)
def test_a_suite_by_consensus_judges_as_known_tests_do(
    shared: Path, answering_judge: AnsweringJudge, name: str
) -> None:
    row = real(shared)[name]
    tests, entry = known_tests(row), entry_of(row)
    samples = tuple(replace(test, visible=True) for test in tests[:SAMPLES])
    problem = ProblemSpec(name, Form.FUNCTION, samples, UNSTATED_LIMITS, entry=entry)
    played = build_suite(answering_judge, problem, recorded_in(RECORDED, name.replace("-", " ").title()))
    assert played.reason is None, (played.reason, played.evidence)
    # The recorded solutions lean on what the set imports before them.
    called = replace(entry, preamble=row["prompt"])
    made, known = replace(played.problem, entry=called), replace(problem, tests=tuple(tests), entry=called)
    assert answering_judge.grade(made, row["completion"], "python").verdict is Verdict.ACCEPTED
    tried = (mutant.code for mutant in mutants(row["completion"], "python", 30, 3, entry.cls))
    wrong = [code for code in tried if answering_judge.grade(known, code, "python").verdict not in UNDECIDED]
    accepted = [
        code for code in islice(wrong, WRONG) if answering_judge.grade(made, code, "python").verdict is Verdict.ACCEPTED
    ]
    assert accepted == []
