"""Real LeetCode problems: each reference solution is accepted in function form, and a broken one is not."""

import ast
import contextlib
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from app.domain.judging.verdicts import Verdict
from app.domain.problems import Entry, Form, Limits, Param, ProblemSpec, Test
from workers.grading.judge import Judge

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(1200)]

TESTS_EACH = 8
LIMITS = Limits(time_ms=10_000, memory_mb=1024)


def arguments(text: str) -> list[Any]:
    """The values of "name = value, ..." in order."""
    called = ast.parse(f"f({text})", mode="eval").body
    assert isinstance(called, ast.Call)
    return [ast.literal_eval(keyword.value) for keyword in called.keywords]


def entry_of(row: dict[str, Any]) -> Entry:
    name = row["entry_point"].rpartition(".")[2]
    tree = ast.parse(row["starter_code"] + "pass")
    function = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name)
    parameters = tuple(
        Param(arg.arg, ast.unparse(arg.annotation) if arg.annotation else "") for arg in function.args.args[1:]
    )
    return Entry(name, "Solution", parameters, ast.unparse(function.returns) if function.returns else "")


def expected_of(text: str, returns: str) -> Any:
    """A recorded output as a value; text is recorded bare. Raises ValueError for a record that has none."""
    if text == "Execution timed out" or text.startswith("Error"):
        raise ValueError(text)
    return text if returns == "str" else ast.literal_eval(text)


def cases_of(row: dict[str, Any]) -> tuple[Test, ...]:
    found = []
    for pair in row["input_output"]:
        with contextlib.suppress(ValueError, SyntaxError):
            expected = expected_of(pair["output"], entry_of(row).returns)
            found.append(Test(arguments(pair["input"]), expected))
    return tuple(found[:: max(1, len(found) // TESTS_EACH)][:TESTS_EACH])


def nothing(name: str) -> str:
    return f"class Solution:\n    def {name}(self, *given):\n        return None\n"


@pytest.mark.parametrize("every", [24, pytest.param(1, marks=pytest.mark.slow)])
def test_reference_solutions_of_real_problems_are_accepted(shared: Path, judge: Judge, every: int) -> None:
    with gzip.open(shared / "data/problems_real/leetcodedataset_v0.3.1_test.jsonl.gz") as file:
        rows = [json.loads(line) for line in file]
    assert len(rows) == 113
    refused, passed_by_nothing = [], []
    for row in rows[::every]:
        entry = entry_of(row)
        problem = ProblemSpec(row["task_id"], Form.FUNCTION, cases_of(row), LIMITS, entry=entry)
        result = judge.grade(problem, row["completion"], "python")
        if result.verdict is not Verdict.ACCEPTED:
            refused.append((row["task_id"], result.verdict.value, result.message))
        if judge.grade(problem, nothing(entry.name), "python").verdict is Verdict.ACCEPTED:
            passed_by_nothing.append(row["task_id"])
    assert refused == []
    assert passed_by_nothing == []
