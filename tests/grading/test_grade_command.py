"""`tidemark grade`: exit codes, what is printed, and the harness that must not pass what it cannot check."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from grading.judging import SUM
from grading.telling import told

from workers.grading.attack_suite.manifest import run_manifest
from workers.grading.judge import Judge, JudgeSettings

pytestmark = pytest.mark.sandbox

ROOT = Path(__file__).resolve().parents[2]
PROBLEM = {
    "id": "sum",
    "form": "stdin",
    "limits": {"time_ms": 2000, "memory_mb": 256, "output_kb": 1024},
    "checker": {"kind": "tokens"},
    "tests": [{"input": "1 2\n", "expected": "3\n"}, {"input": "5 6\n", "expected": "11\n"}],
}


def grade(settings: JudgeSettings, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "app.cli", "grade", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "TIDEMARK_SANDBOX_ROOT": str(settings.sandbox_root)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def problem(tmp_path: Path) -> Path:
    path = tmp_path / "problem.json"
    path.write_text(json.dumps(PROBLEM))
    return path


@pytest.mark.parametrize(
    ("name", "code", "exit_code", "verdict"),
    [
        ("right.py", SUM, 0, "accepted"),
        ("bad.cpp", "int main() { return x; }", 1, "compile_error"),
        ("binary.py", b"\xff\xfe", 1, "compile_error"),
    ],
)
def test_one_program(
    settings: JudgeSettings, judge: Judge, problem: Path, name: str, code: str | bytes, exit_code: int, verdict: str
) -> None:
    program = problem.with_name(name)
    program.write_bytes(code if isinstance(code, bytes) else code.encode())
    done = told(settings, "grade", problem, program, "--json")
    assert done.exit_code == exit_code, done.stderr
    result = json.loads(done.stdout)
    assert result["verdict"] == verdict
    assert set(result) == {
        "verdict",
        "passed",
        "total",
        "tests",
        "limit_mode",
        "slowness",
        "grader_revision",
        "message",
    }
    assert (result["total"], result["limit_mode"]) == (2, judge.limit_mode.value)
    for test in result["tests"]:
        assert set(test) == {"verdict", "cpu_ms", "wall_ms", "waited_ms", "memory_kb"}


def test_what_a_person_reads(settings: JudgeSettings, judge: Judge, problem: Path) -> None:
    program = problem.with_name("wrong.py")
    program.write_text("print(3)")
    assert judge.find("python")
    done = grade(settings, problem, program)
    said = done.stdout
    assert done.returncode == 1
    assert said.startswith("WA wrong_answer: 1 of 2 tests passed")
    assert "test 2: wrong answer" in said


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        ["{problem}"],
        ["{problem}", "{nowhere}"],
        ["{nowhere}", "{program}"],
        ["{program}", "{program}"],
        ["{problem}", "{program}", "--language", "cobol"],
        ["{problem}", "{problem}"],
        ["{problem}", "{program}", "--suite", "{problem}"],
        ["--problems", "{problem}"],
        ["--problems", "{problem}", "--programs", "{problem}", "--language", "python"],
        ["--suite", "{nowhere}"],
    ],
)
def test_a_wrong_call_is_exit_code_2(settings: JudgeSettings, problem: Path, wrong: list[str]) -> None:
    program = problem.with_name("right.py")
    program.write_text(SUM)
    names = {"problem": str(problem), "program": str(program), "nowhere": str(problem.with_name("nowhere"))}
    done = told(settings, "grade", *(part.format(**names) for part in wrong))
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("tidemark grade: ")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("limits", {"output_kb": 0}),
        ("limits", {"time_ms": -1}),
        ("limits", {"memory_mb": 1.5}),
        ("checker", {"kind": "float", "abs": "NaN"}),
        ("checker", {"kind": "float", "rel": -0.1}),
        ("checker", {"kind": "magic"}),
    ],
)
def test_nonsense_in_a_problem_is_exit_code_2(settings: JudgeSettings, problem: Path, field: str, value: Any) -> None:
    problem.write_text(json.dumps({**PROBLEM, field: value}))
    program = problem.with_name("right.py")
    program.write_text(SUM)
    done = told(settings, "grade", problem, program)
    assert (done.exit_code, done.stdout) == (2, "")


def test_without_a_sandbox_it_is_exit_code_4(settings: JudgeSettings, problem: Path) -> None:
    program = problem.with_name("right.py")
    program.write_text(SUM)
    done = told(settings, "grade", problem, program, bwrap="/nowhere/bwrap")
    assert done.exit_code == 4
    assert "cannot judge here" in done.stderr


def test_a_failure_of_ours_is_exit_code_4(settings: JudgeSettings, judge: Judge, problem: Path) -> None:
    problem.write_text(json.dumps({**PROBLEM, "checker": {"kind": "testlib", "program": ""}}))
    program = problem.with_name("right.py")
    program.write_text(SUM)
    done = told(settings, "grade", problem, program, "--json")
    assert (done.exit_code, json.loads(done.stdout)["verdict"]) == (4, "judge_error")
    assert judge.find("python")


def test_many_programs_print_a_line_each(settings: JudgeSettings, judge: Judge, tmp_path: Path) -> None:
    problems, programs = tmp_path / "problems.jsonl", tmp_path / "programs.jsonl"
    problems.write_text(json.dumps(PROBLEM) + "\n\n" + json.dumps({**PROBLEM, "id": "other"}) + "\n")
    rows = [
        {"problem": "sum", "language": "python", "code": SUM, "id": 7},
        {"problem": "other", "language": "python", "code": "print(1)", "id": "b"},
        {"problem": "sum", "language": "python", "code": None, "id": None},
    ]
    programs.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = told(settings, "grade", "--problems", problems, "--programs", programs)
    assert done.exit_code == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["id"], row["problem"], row["verdict"]) for row in found] == [
        (7, "sum", "accepted"),
        ("b", "other", "wrong_answer"),
        (None, "sum", "no_answer"),
    ]
    programs.write_text(json.dumps({"problem": "none", "language": "python", "code": ""}))
    said = told(settings, "grade", "--problems", problems, "--programs", programs)
    assert said.exit_code == 2
    assert "programs.jsonl:1" in said.stderr
    programs.write_text(json.dumps({"problem": "sum", "language": ["python"], "code": ""}))
    assert told(settings, "grade", "--problems", problems, "--programs", programs).exit_code == 2
    problems.write_text(json.dumps(PROBLEM) + "\n" + json.dumps(PROBLEM) + "\n")
    said = told(settings, "grade", "--problems", problems, "--programs", programs)
    assert (said.exit_code, "problems.jsonl:2: the problem 'sum' appears twice" in said.stderr) == (2, True)
    problems.write_text(json.dumps(PROBLEM) + '\n{"id": "b"}\n')
    said = told(settings, "grade", "--problems", problems, "--programs", programs)
    assert (said.exit_code, "problems.jsonl:2" in said.stderr) == (2, True)


# --- the harness ------------------------------------------------------------------------------------------------------


def suite(folder: Path, judge: Judge, *entries: dict[str, Any], **manifest: Any) -> dict[str, Any]:
    usual = {"language": "python", "mode": "stdio", "problem": "aplusb", "verdict_not": []}
    given = {
        "default_limits": {"cpu_s": 1, "wall_s": 2, "memory_mb": 128, "output_kb": 64},
        "every_entry_also_requires": ["no_survivor", "next_ok", "no_internal_error", "bounded_time"],
        "entries": [{**usual, **entry} for entry in entries],
        **manifest,
    }
    return run_manifest(given, folder, judge, os.environ)


def test_the_harness_finds_what_holds_and_what_does_not(tmp_path: Path, judge: Judge) -> None:
    (tmp_path / "sum.py").write_text(SUM)
    (tmp_path / "one.py").write_text("print(1)")
    (tmp_path / "f.py").write_text("def solve(a, b):\n    return a + b\n")
    report = suite(
        tmp_path,
        judge,
        {"id": "right", "file": "sum.py", "verdict_in": ["AC"], "also": ["next_ok", "bounded_time"]},
        {"id": "call", "file": "f.py", "mode": "call", "verdict_in": ["AC"]},
        {"id": "wrong", "file": "one.py", "verdict_in": ["WA"], "also": ["host_disk", "worker_memory"]},
        {"id": "hoped", "file": "one.py", "verdict_in": ["TLE", "AC"]},
        {"id": "mode", "file": "one.py", "mode": "interactive", "problem": "chess", "verdict_in": ["WA"]},
        {"id": "property", "file": "one.py", "verdict_in": ["WA"], "also": ["never_heard_of"]},
        {"id": "absent", "file": "none.py", "verdict_in": ["WA"]},
        {"id": "forbidden", "file": "one.py", "verdict_in": ["WA"], "verdict_not": ["WA"]},
        every_entry_also_requires=["no_survivor", "no_internal_error"],
    )
    assert {row["id"]: row["missed"] for row in report["rows"]} == {
        "right": [],
        "call": [],
        "wrong": [],
        "hoped": ["verdict"],
        "mode": ["no interactive problem chess"],
        "property": ["never_heard_of"],
        "absent": ["cannot read none.py: No such file or directory"],
        "forbidden": ["verdict"],
    }
    assert (report["passed"], report["total"]) == (3, 8)


@pytest.mark.parametrize("manifest", ["{}", '{"entries": []}'])
def test_a_suite_of_nothing_is_no_pass(tmp_path: Path, settings: JudgeSettings, judge: Judge, manifest: str) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(manifest)
    done = told(settings, "grade", "--suite", path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "it has no entries: this is not the manifest of a suite" in done.stderr


def test_files_are_read_as_people_save_them_or_refused_in_plain_words(
    tmp_path: Path, settings: JudgeSettings, judge: Judge, problem: Path
) -> None:
    program = tmp_path / "sum.py"
    program.write_text(SUM)
    marked, other = tmp_path / "marked.json", tmp_path / "other.json"
    marked.write_text(problem.read_text(), encoding="utf-8-sig")
    other.write_text(problem.read_text(), encoding="utf-16")
    assert told(settings, "grade", marked, program).exit_code == 0
    for path, why in (
        (other, "it is not UTF-8 text"),
        (tmp_path / "none.json", "No such file or directory"),
        (tmp_path, "Is a directory"),
    ):
        done = told(settings, "grade", path, program)
        assert (done.exit_code, done.stderr) == (2, f"tidemark grade: cannot read {path}: {why}\n")


def test_a_failing_canary_stops_the_rest(tmp_path: Path, judge: Judge) -> None:
    (tmp_path / "leak.py").write_text("print('LEAK')")
    report = suite(
        tmp_path,
        judge,
        {"id": "later", "file": "leak.py", "verdict_in": ["WA"]},
        {"id": "canary", "file": "leak.py", "verdict_in": ["AC"]},
    )
    assert [(row["id"], row["missed"]) for row in report["rows"]] == [("later", ["not run"]), ("canary", ["verdict"])]


def test_the_host_is_set_up_watched_and_put_back(tmp_path: Path, judge: Judge, open_folder: Path) -> None:
    secret, kept = open_folder / "host" / "secret.txt", open_folder / "kept.txt"
    kept.write_text("before")
    (tmp_path / "look.py").write_text(
        f"import os\nprint(os.environ.get('HARNESS_CANARY'), os.path.exists({str(secret)!r}))\nraise SystemExit(1)"
    )
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    setup = {
        "files": [
            {"path": str(secret), "content": "<random 32 hex>", "mode": "0644"},
            {"path": str(kept), "content": "made", "mode": "0666"},
        ],
        "env": {"HARNESS_CANARY": "<random>"},
        "listeners": [f"127.0.0.1:{port}", "abstract unix socket harness_test"],
    }
    report = suite(
        tmp_path,
        judge,
        {"id": "a", "file": "look.py", "verdict_in": ["RTE"], "also": ["host_files_same", "no_secret_out"]},
        host_setup=setup,
    )
    assert report["passed"] == 1, report
    assert not secret.parent.exists()
    assert kept.read_text() == "before"
    assert "HARNESS_CANARY" not in os.environ
