"""SQL items of CoCo-Bench: the queries that SQLite runs in their place, and what is held with its reason."""

from pathlib import Path
from typing import Any

import pytest
from support.files import lines, read, write

from app.domain.imports import ImportedProblem

STAFF = [{"name": "Ann", "pay": 5, "since": "2024-03-09"}, {"name": "Bob", "pay": 10, "since": "2023-12-31"}]


def item(folder: Path, query: str) -> ImportedProblem:
    row = {"task_id": "sql/1", "description": "Read it.", "code": query, "input": STAFF, "expected_output": []}
    [problem] = read("coco", write(folder, "set.jsonl", lines(row))).problems
    return problem


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("SELECT name, pay / 2 FROM staff;", [["Ann", 2.5], ["Bob", 5.0]]),
        ("SELECT 7 /* not 7/2 */ FROM staff WHERE name <> '1/2' LIMIT 1", [[7]]),
        ("SELECT LEFT(name, 1), RIGHT (name, 2) FROM staff LIMIT 1", [["A", "nn"]]),
        ("SELECT IF(pay > 6, 'IF(a)', CONCAT(name, pay)) FROM staff", [["Ann5"], ["IF(a)"]]),
        ("SELECT YEAR(since), DATEDIFF(since, '2024-01-01') FROM staff", [[2024, 68], [2023, -1]]),
        ("WITH rich AS (SELECT * FROM staff WHERE pay > 6) SELECT name FROM rich", [["Bob"]]),
        ("DELETE FROM staff WHERE pay = 5", [["Bob", 10, "2023-12-31"]]),
    ],
)
def test_a_query_is_run_by_the_stated_rules(tmp_path: Path, query: str, rows: list[list[Any]]) -> None:
    problem = item(tmp_path, query)
    assert problem.flags == ()
    space: dict[str, Any] = {}
    exec(problem.programs[0].code, space)  # our own program, around a query of this test
    assert space["query"](*problem.tests[0].input) == rows


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("SELECT name FROM staff WHERE since < NOW()", "its result depends on when it is run: NOW"),
        ("SELECT 1 FROM staff; SELECT 2 FROM staff", "it is more than one statement"),
        ("SELECT 1 FROM staff JOIN ships", "its input holds one table, and its query reads staff, ships"),
    ],
)
def test_what_cannot_be_rewritten_is_held(tmp_path: Path, query: str, why: str) -> None:
    assert item(tmp_path, query).flags == (f"unfit:{why}",)
