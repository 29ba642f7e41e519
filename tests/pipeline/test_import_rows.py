"""Rows that are not what they seem: each is listed in plain words with its file and line, and costs no other row."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pipeline.flow import LEASE, NOW
from sqlalchemy import select
from support.files import (
    answer_row,
    bad_rows,
    board_row,
    board_text,
    contest_row,
    dataset_row,
    lines,
    read,
    stored_date,
    write,
)

from app.db.kernel.session import Session
from app.db.tables import LedgerEntry, Problem
from app.domain.errors import BadRow, InvalidImport
from app.domain.publishing.holds import ProofOutcome
from app.services.problems import publishing
from app.services.runs import imports

ASSERT = "assert s.run(nums=[1]) == 1"
AHEAD = (datetime.now(UTC) + timedelta(days=400)).date()


def refused(kind: str, path: Path) -> tuple[str, int, str]:
    """Of a file without any good row."""
    with pytest.raises(InvalidImport) as wrong:
        read(kind, path)
    return told(wrong.value.bad_rows)


def left_out(kind: str, path: Path) -> tuple[str, int, str]:
    """Of a file with a good row beside the bad one."""
    return told(bad_rows(kind, path))


def told(bad: tuple[BadRow, ...]) -> tuple[str, int, str]:
    [row] = bad
    assert len(str(row)) < 300
    assert not any(sign in row.reason for sign in ("indices", "argument", "object at", "Error"))
    return row.file, row.line, row.reason


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"question_id": True}, "question_id is missing or not text"),
        ({"question_id": 10**4000}, "question_id has 4001 characters, more than 100"),
        ({"question_id": "x" * 100_000}, "question_id has 100000 characters"),
        ({"question_id": "one\ntwo"}, "more than one line"),
        ({"model": 7}, "model is missing or not text"),
        ({"model": "m" * 5000}, "model has 5000 characters"),
        ({"model": "  "}, "model is missing or empty"),
        ({"pass@1": 10**4000}, "pass@1 is 1000"),
        ({"date": 86_400_000}, "date is 1970-01-02, before the year 2000"),
        ({"date": stored_date(AHEAD)}, "more than a year ahead"),
    ],
)
def test_a_board_row_that_only_looks_like_one(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    text = board_text([board_row("a", "p", 100.0), board_row("a", "q", 0.0) | changes])
    where = [number for number, line in enumerate(text.split("\n"), 1) if '"question_id"' in line]
    file, line, said = left_out("lcb-board", write(tmp_path, "b.json", text))
    assert (file, line) == ("b.json", where[1])
    assert reason in said


def test_a_board_rows_number_may_name_its_problem(tmp_path: Path) -> None:
    batch = read("lcb-board", write(tmp_path, "b.json", board_text([board_row("a", "p", 100.0, question_id=3244)])))
    assert [problem.external_id for problem in batch.problems] == ["3244"]


def test_a_models_cutoff_must_be_possible(tmp_path: Path) -> None:
    models = [{"model_repr": "a", "release_date": stored_date(AHEAD)}]
    text = board_text([board_row("a", "p", 100.0)], models=models)
    path = write(tmp_path, "b.json", text)
    _file, line, said = left_out("lcb-board", path)
    assert "the list of models: a: release_date" in said
    assert '"model_repr"' in text.split("\n")[line - 1]
    assert read("lcb-board", path).models[0].listed_on is None


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"code_list": "a"}, "code_list is missing or not a list"),
        ({"code_list": [{"a": 1}]}, "code_list holds something other than text"),
        ({"output_list": [7]}, "output_list holds something other than text"),
        ({"graded_list": [1]}, "graded_list holds something other than true and false"),
        ({"metadata": ["", ""]}, "differ in length"),
        ({"metadata": "x"}, "metadata is missing or not a list"),
        ({"code_list": [], "output_list": [], "graded_list": [], "metadata": []}, "code_list is empty"),
        ({"question_title": ["b"]}, "question_title is missing or not text"),
        ({"contest_date": "0001-01-01"}, "before the year 2000"),
        ({"contest_date": 7}, "contest_date is missing or not text"),
        ({"question_title": "a"}, "a appears twice; first in row 1"),
        ({"platform": ["leetcode"]}, "platform is missing or not text"),
    ],
)
def test_a_recorded_answer_that_only_looks_like_one(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    text = json.dumps([answer_row("a", "x = 1"), answer_row("b", "x = 1") | changes], indent=1)
    where = [number for number, line in enumerate(text.split("\n"), 1) if "question_title" in line]
    file, line, said = left_out("lcb-submission", write(tmp_path, "s.json", text))
    assert (file, line, said[:7]) == ("s.json", where[1], "row 2: ")
    assert reason in said


def test_short_metadata_is_told_and_an_answer_may_be_none(tmp_path: Path) -> None:
    row = answer_row("a", "x = 1", None, metadata=["{}"])
    assert "differ in length" in refused("lcb-submission", write(tmp_path, "s.json", json.dumps([row])))[2]
    row |= {"metadata": ["{}", {"error": "none"}], "output_list": ["text", None]}
    [first, second] = read("lcb-submission", write(tmp_path, "s.json", json.dumps([row]))).answers
    assert (first.answer, second.answer, second.response) == ("x = 1", None, "")
    assert second.recorded_error == '{"error": "none"}'


def test_a_submission_row_is_an_object_and_its_model_has_a_name(tmp_path: Path) -> None:
    assert "is not an object" in refused("lcb-submission", write(tmp_path, "s.json", "[[]]"))[2]
    path = write(tmp_path, "s.json", json.dumps([answer_row("a", "x = 1")]))
    with pytest.raises(InvalidImport, match="the model's name has 5000 characters"):
        read("lcb-submission", path, model="m" * 5000)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"task_id": "good"}, "good appears twice; first in line 1"),
        ({"task_id": ""}, "task_id is missing or empty"),
        ({"task_id": ["a"]}, "task_id is missing or not text"),
        ({"task_id": "../../etc"}, "task_id '../../etc' is not a name of lower-case letters"),
        ({"task_id": "a" * 9000}, "task_id has 9000 characters"),
        ({"problem_description": ["x"]}, "problem_description is missing or not text"),
        ({"starter_code": None}, "starter_code is missing or not text"),
        ({"test": 5}, "test is missing or not text"),
        ({"prompt": 5}, "prompt is missing or not text"),
        ({"tags": "Array"}, "tags is missing or not a list"),
        ({"tags": [["Array"]]}, "tags holds something other than text"),
        ({"difficulty": ["Easy"]}, "difficulty is missing or not text"),
        ({"estimated_date": "0001-01-01"}, "estimated_date is 0001-01-01, before the year 2000"),
        ({"estimated_date": "0001-01-01T00:00:00+09:00"}, "is impossible"),
        ({"estimated_date": "1999-12-31"}, "before the year 2000"),
        ({"estimated_date": AHEAD.isoformat()}, "more than a year ahead"),
        ({"estimated_date": 20260101}, "estimated_date is missing or not text"),
    ],
)
def test_a_problem_that_only_looks_like_one(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    path = write(tmp_path, "d.jsonl", lines(dataset_row("good"), dataset_row("bad", **changes)))
    file, line, said = left_out("leetcode-dataset", path)
    assert (file, line) == ("d.jsonl", 2)
    assert reason in said


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"title": "good", "task_id": "weekly-contest-900-good"}, "good appears twice; first in line 1"),
        ({"title": "a/b"}, "title 'a/b' is not a name"),
        ({"task_id": ["x"]}, "task_id is missing or not text"),
        ({"meta": []}, "meta is missing or not an object"),
        ({"meta": {"title": "X", "difficulty": "?"}}, "difficulty '?' is not known"),
        ({"start_time": 0}, "start_time is 1970-01-01"),
        ({"start_time": True}, "start_time is True, not seconds since 1970"),
        ({"start_time": 1e300}, "start_time is 1e+300"),
        ({"start_time": 99_999_999_999}, "more than a year ahead"),
    ],
)
def test_a_contest_problem_that_only_looks_like_one(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    path = write(tmp_path, "c.jsonl", lines(contest_row("good", ASSERT), contest_row("bad", ASSERT, **changes)))
    file, line, said = left_out("deepseek-contests", path)
    assert (file, line) == ("c.jsonl", 2)
    assert reason in said


@pytest.mark.parametrize("kind", ["leetcode-dataset", "deepseek-contests"])
def test_a_line_that_is_no_object_is_told_so(tmp_path: Path, kind: str) -> None:
    assert refused(kind, write(tmp_path, "d.jsonl", "[]\n"))[1:] == (1, "[] is not an object")


@pytest.mark.parametrize(
    ("written", "instant"),
    [
        ("2024-01-01T00:00:00+09:00", datetime(2023, 12, 31, 15, tzinfo=UTC)),
        ("2024-01-01T00:00:00", datetime(2024, 1, 1, tzinfo=UTC)),
        ("2024-01-01", datetime(2024, 1, 1, tzinfo=UTC)),
    ],
)
def test_a_date_keeps_its_offset(tmp_path: Path, written: str, instant: datetime) -> None:
    batch = read("leetcode-dataset", write(tmp_path, "d.jsonl", lines(dataset_row("x", estimated_date=written))))
    assert [problem.released_on for problem in batch.problems] == [instant]


def test_a_new_date_of_a_published_problem_is_in_the_ledger(session: Session, tmp_path: Path) -> None:
    for number, day in enumerate(("2026-02-01", "2026-03-01", "2026-01-15")):
        row = dataset_row("add-all", estimated_date=day)
        path = write(tmp_path, f"{number}.jsonl", lines(row))
        imports.store_batch(session, read("leetcode-dataset", path), NOW)
        if number == 0:
            job = publishing.claim_proof(session, NOW, LEASE)
            assert job is not None
            assert publishing.record_proof(session, job, ProofOutcome(True, None, 1, 0), NOW)
    session.flush()
    assert session.scalars(select(Problem.released_on)).one() == datetime(2026, 1, 15, tzinfo=UTC)
    [change] = session.scalars(select(LedgerEntry).where(LedgerEntry.kind == "problem.redated"))
    assert change.subject == "leetcode/add-all"
    assert (change.before, change.after) == ("2026-02-01T00:00:00+00:00", "2026-01-15T00:00:00+00:00")


def test_a_board_dates_a_problem_that_had_no_date(session: Session, tmp_path: Path) -> None:
    board = read("lcb-board", write(tmp_path, "b.json", board_text([board_row("a", "p", 100.0)])))
    imports.store_batch(session, board, NOW)
    problem = session.scalars(select(Problem)).one()
    problem.state, problem.released_on = "found", None
    session.flush()
    imports.store_batch(session, board, NOW)
    session.expire_all()
    assert problem.released_on == datetime(2026, 2, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("empty", "", "this is not a league.toml"),
        ("league.toml", "", "the file is empty"),
        ("league.toml", "a = 1\nb = ?\n", "line 2"),
        ("league.toml", "contest = []\n", "names no contest"),
    ],
)
def test_a_broken_league_names_the_file_given(tmp_path: Path, name: str, text: str, reason: str) -> None:
    with pytest.raises(InvalidImport) as wrong:
        read("house", write(tmp_path, name, text))
    [row] = wrong.value.bad_rows
    assert (row.file, str(tmp_path) in str(row)) == (name, False)
    assert reason in row.reason
    assert row.line == (2 if "line 2" in reason else 1)
