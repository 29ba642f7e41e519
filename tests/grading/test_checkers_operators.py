"""What an operator decides about checkers: the header that they include, what is installed, files beside a problem."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from grading.judging import SUM, Passed
from grading.telling import told
from grading.test_checkers_programs import CHECKERS, MANY, SCRIPT, asked, told_by
from grading.test_grade_command import PROBLEM

from app.domain.judging.verdicts import Verdict
from workers.grading.judge import Judge, JudgeSettings

pytestmark = pytest.mark.sandbox


def test_the_operators_header_is_used_and_named(judge: Judge, settings: JudgeSettings, tmp_path: Path) -> None:
    header = tmp_path / "testlib.h"
    header.write_text("#include <cstdlib>\ninline void special() { exit(0); }\n")
    checker = told_by('// a comment\n#include "testlib.h"\nint main() { special(); return __LINE__ == 3; }\n')
    other = Passed(replace(settings, testlib=header), judge)
    result = asked(other, checker, b"3")
    assert result.verdict is Verdict.ACCEPTED, result
    assert ".testlib-" in result.grader_revision
    assert result.grader_revision != asked(judge, CHECKERS["number"], b"3").grader_revision
    header.unlink()
    assert asked(other, checker, b"3").verdict is Verdict.JUDGE_ERROR


def test_without_the_launcher_scripts_check_and_nothing_else(settings: JudgeSettings, open_folder: Path) -> None:
    bare = Judge(replace(settings, sandbox_root=open_folder / "no-launcher", compiler="/nowhere/gcc", slowness=1.0))
    bare.self_test()
    assert asked(bare, told_by(SCRIPT), b"3").verdict is Verdict.ACCEPTED
    result = asked(bare, told_by(MANY), b"3")
    assert result.verdict is Verdict.JUDGE_ERROR
    assert "launcher" in result.message


def test_the_command_takes_a_file_beside_the_problem(settings: JudgeSettings, judge: Judge, tmp_path: Path) -> None:
    assert judge.find("cpp")
    (tmp_path / "check.cpp").write_text(MANY)
    (tmp_path / "sum.py").write_text(SUM)
    problem = {**PROBLEM, "checker": {"kind": "testlib", "program": "check.cpp"}}
    (tmp_path / "problem.json").write_text(json.dumps(problem))
    done = told(settings, "grade", tmp_path / "problem.json", tmp_path / "sum.py", "--json")
    assert (done.exit_code, json.loads(done.stdout)["verdict"]) == (0, "accepted"), done.stderr
    (tmp_path / "check.cpp").unlink()
    done = told(settings, "grade", tmp_path / "problem.json", tmp_path / "sum.py")
    assert (done.exit_code, "check.cpp" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("program", 5),
        ("flags", "'"),
        ("flags", ["x"] * 40),
        ("flags", 7),
        ("ignore_case", "yes"),
        ("language", ["cpp"]),
    ],
)
def test_nonsense_in_a_checker_is_exit_code_2(
    settings: JudgeSettings, tmp_path: Path, field: str, value: object
) -> None:
    (tmp_path / "sum.py").write_text(SUM)
    problem = {**PROBLEM, "checker": {"kind": "kattis", "program": "exit(42)", field: value}}
    (tmp_path / "problem.json").write_text(json.dumps(problem))
    done = told(settings, "grade", tmp_path / "problem.json", tmp_path / "sum.py")
    assert (done.exit_code, done.stdout) == (2, "")
