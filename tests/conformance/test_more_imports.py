"""Real problems of three sets as their importers read them, and a real board that leaves and comes back.

LiveCodeBench's own hidden tests are not at hand: its rows are put together from its statements and from tests that
are, packed as the set packs them.
"""

import base64
import gzip
import json
import pickle
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pipeline.flow import NOW
from support.files import lines, read, write
from support.thinned import thinned

from app.db.kernel.session import Session
from app.domain.boards.board import BoardQuery
from app.domain.exports import ExportTable
from app.domain.imports import ImportBatch, TestsSource
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Form
from app.domain.unittests.reference import group_by_place, mark_beside
from app.services.boards import board_views
from app.services.boards.export import Format
from app.services.boards.export import lines as exported
from app.services.runs import cell_updates, imports
from workers.grading.judge import Judge

GENERATION = "data/livecodebench/performances_generation_2025-04-28.json.gz"
SUBMISSION = "data/livecodebench/submission_O1-Mini-2024-09-12_N1_codegeneration_eval_all.json.gz"
PUBLIC = "data/problems_real/lcb_v1_public_tests.jsonl.gz"
DATASET = "data/problems_real/leetcodedataset_v0.3.1_test.jsonl.gz"
TASKS = "data/bigcodebench/tasks.jsonl"
ITEMS = "data/bigcodebench/other-seeds/cocobench_samples.jsonl"
_KEPT = (
    "question_title", "question_content", "platform", "question_id", "contest_id", "contest_date", "starter_code",
    "difficulty",
)  # fmt: skip


def packed(tests: list[dict[str, str]]) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(json.dumps(tests)))).decode()


def answered(shared: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(gzip.decompress((shared / SUBMISSION).read_bytes()))
    return rows


def as_problem(row: dict[str, Any], tests: list[dict[str, str]], **metadata: str) -> dict[str, Any]:
    return {name: row[name] for name in _KEPT} | {
        "public_test_cases": json.dumps(tests[:1]),
        "private_test_cases": packed(tests),
        "metadata": json.dumps(metadata),
    }


def stdin_problems(shared: Path, tmp_path: Path) -> ImportBatch:
    given = {}
    for line in gzip.decompress((shared / PUBLIC).read_bytes()).splitlines():
        row = json.loads(line)
        given[row["question_id"]] = row["public_tests"]
    rows = [as_problem(row, given[row["question_id"]]) for row in answered(shared) if given.get(row["question_id"])]
    return read("lcb-problems", write(tmp_path, "lcb.jsonl.gz", lines(*rows)))


def test_real_statements_with_real_tests(shared: Path, tmp_path: Path) -> None:
    batch = stdin_problems(shared, tmp_path)
    assert len(batch.problems) >= 100
    assert Counter(problem.source for problem in batch.problems).keys() == {"atcoder", "codeforces"}
    assert all(problem.tests and problem.form is Form.STDIN for problem in batch.problems)
    flags = Counter(flag for problem in batch.problems for flag in problem.flags)
    assert flags["multiple_answers"] <= len(batch.problems) / 10, "few real problems have several answers"
    assert flags["interactive"] == 0


@pytest.mark.sandbox
@pytest.mark.timeout(1200)
def test_real_answers_pass_where_another_judge_passed_them(shared: Path, tmp_path: Path, judge: Judge) -> None:
    batch = stdin_problems(shared, tmp_path)
    recorded = read("lcb-submission", shared / SUBMISSION).answers
    passed = {(each.source, each.problem): each.answer for each in recorded if each.recorded_passed}
    refused, tried = [], 0
    for problem in batch.problems[::6]:
        names = (problem.external_id, *problem.aliases)
        answer = next((passed[problem.source, name] for name in names if (problem.source, name) in passed), None)
        if answer is not None and "multiple_answers" not in problem.flags:
            tried += 1
            result = judge.grade(problem.spec, answer, "python")
            if result.verdict is not Verdict.ACCEPTED and "numpy" not in result.message:
                refused.append((problem.external_id, result.message))
    assert refused == []
    assert tried >= 10


def test_real_functions_are_read_as_another_set_has_them(shared: Path, tmp_path: Path) -> None:
    known = {problem.external_id: problem for problem in read("leetcode-dataset", shared / DATASET).problems}
    rows = []
    for row in answered(shared):
        same = known.get(row["question_title"]) if row["platform"] == "leetcode" else None
        if same is not None and same.entry is not None:
            tests = [
                {"input": "\n".join(json.dumps(each) for each in test.input), "output": json.dumps(test.expected),
                 "testtype": "functional"}
                for test in same.tests[:5]
            ]  # fmt: skip
            rows.append(as_problem(row, tests, func_name=same.entry.name))
    assert len(rows) >= 40
    for problem in read("lcb-problems", write(tmp_path, "lcb.jsonl", lines(*rows))).problems:
        same = known[problem.external_id]
        assert problem.entry is not None
        assert same.entry is not None
        assert (problem.form, problem.entry.name, problem.entry.returns) == (
            Form.FUNCTION,
            same.entry.name,
            same.entry.returns,
        )
        assert [(test.input, test.expected) for test in problem.tests] == [
            (test.input, test.expected) for test in same.tests[:5]
        ]


def test_tasks_that_need_more_than_the_standard_library_are_told_apart(shared: Path) -> None:
    batch = read("bigcodebench", shared / TASKS)
    needs = [json.loads(line)["x_needs"] for line in (shared / TASKS).read_text().splitlines()]
    assert len(batch.problems) == len(needs) == 20
    told = {note.partition(":")[0] for note in batch.notes}
    for problem, needed in zip(batch.problems, needs, strict=True):
        assert (problem.external_id in told) == (needed != "stdlib"), problem.external_id
        assert problem.tests
        assert not problem.flags


@pytest.mark.sandbox
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("numbers", thinned([[2, 8], [0, 3, 6, 9], [1, 4, 5, 7, 10]], 3))
def test_references_of_real_tasks_pass_and_their_stubs_do_not(
    shared: Path, judge: Judge, numbers: Sequence[int]
) -> None:
    """The third of them has tests that must run beside its program."""
    batch = read("bigcodebench", shared / TASKS)
    told = {note.partition(":")[0] for note in batch.notes}
    problems = [problem for problem in batch.problems if problem.external_id not in told]
    assert len(problems) == 11
    beside = 0
    for problem in map(problems.__getitem__, numbers):
        reference, stub = problem.programs
        looked = judge.grade(problem.spec, reference.code, "python", all_tests=True, proving=True)  # as a proof does
        spec = replace(problem.spec, tests=mark_beside(problem.spec.tests, group_by_place(looked.unpacked)))
        assert judge.grade(spec, reference.code, "python").verdict is Verdict.ACCEPTED, problem.external_id
        assert judge.grade(spec, stub.code, "python").verdict is not Verdict.ACCEPTED, problem.external_id
        beside += bool(looked.unpacked)
    assert beside == (2 in numbers)


def test_real_items_of_all_four_tasks(shared: Path) -> None:
    batch = read("coco", shared / ITEMS)
    assert Counter(problem.external_id.partition("/")[0] for problem in batch.problems) == {
        "CG": 2, "CM": 2, "CR": 2, "CU": 6,
    }  # fmt: skip
    # A run gives the values, or a suite is made: nothing is taken for true that the file says of a result.
    values = [problem.tests_from for problem in batch.problems if problem.external_id[:2] in ("CG", "CU")]
    assert set(values) == {TestsSource.RUN}
    assert [problem.external_id for problem in batch.problems if problem.tests_from is TestsSource.MADE] == [
        "CM/python/1",
        "CM/python/2",
    ]


@pytest.mark.parametrize(
    ("form", "count", "problems"),
    [
        (Format.JSONL, 4, 250),
        pytest.param(Format.JSONL, 16, 1055, marks=pytest.mark.slow),
        pytest.param(Format.CSV, 16, 1055, marks=pytest.mark.slow),
    ],
)
def test_a_real_board_leaves_and_comes_back(
    session: Session, shared: Path, tmp_path: Path, form: Format, count: int, problems: int
) -> None:
    def rows() -> list[dict[str, Any]]:
        while cell_updates.update_changed_cells(session):
            pass
        session.flush()
        cubes = board_views.CubeStore(tmp_path / f"cubes-{len(list(tmp_path.iterdir()))}")
        found = board_views.board_json(board_views.board(session, BoardQuery(protocol="lcb"), cubes))
        return [{name: value for name, value in row.items() if name != "run"} for row in found["rows"]]

    whole = read("lcb-board", shared / GENERATION)
    assert (len(whole.models), len(whole.problems)) == (16, 1055)
    models, kept = whole.models[:count], whole.problems[:problems]
    slugs, names = {model.slug for model in models}, {problem.external_id for problem in kept}
    cells = tuple(cell for cell in whole.cells if cell.model in slugs and cell.problem in names)
    assert len(cells) == count * problems
    imports.store_batch(session, replace(whole, models=models, problems=kept, cells=cells), NOW)
    before = rows()
    path = write(tmp_path, "cells.gz", "".join(exported(session, ExportTable.CELLS, form)))
    session.rollback()
    imports.store_batch(session, read("results", path), NOW)
    assert len(before) == count
    assert rows() == before
