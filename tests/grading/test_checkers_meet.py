# ruff: noqa: E501  # tables of whole programs
"""What checkers meet: outputs that are no text or far too much, lines and their ends, spellings of the checker itself."""

from dataclasses import replace

import pytest
from grading.judging import QUICK, run
from grading.test_checkers_programs import MANY, asked, strict, told_by

from app.domain.judging.verdicts import Verdict
from app.domain.problems import Checker, CheckerKind, Form, Limits, ProblemSpec, Test
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.judge import Judge

__all__ = ["strict"]
pytestmark = pytest.mark.sandbox

READS_TEXT = """import sys
words = open(sys.argv[2]).read().split()
sys.exit(0 if words == open(sys.argv[3]).read().split() else 1)
"""


def test_a_script_that_reads_text_is_given_what_is_none(judge: Judge) -> None:
    assert asked(judge, told_by(READS_TEXT), b"3\n").verdict is Verdict.ACCEPTED
    assert asked(judge, told_by(READS_TEXT), b"\xff3\n").verdict is Verdict.WRONG_ANSWER
    validator = "import sys\nsys.exit(42 if [line.strip() for line in sys.stdin] == ['3'] else 43)\n"
    kattis = Checker(CheckerKind.KATTIS, program=validator)
    assert asked(judge, kattis, b"\xff\n").verdict is Verdict.WRONG_ANSWER


def test_an_output_that_is_too_much_for_its_checker_is_wrong(strict: Judge) -> None:
    hungry = told_by("import sys\nlen(open(sys.argv[2]).read().split()) > 999 and [0] * (1 << 40)\n")
    assert asked(strict, hungry, b"3").verdict is Verdict.ACCEPTED
    flood_of_words = "import sys\nsys.stdout.write('1 ' * (3 << 20))\n"
    limits = Limits(time_ms=5000, memory_mb=256, output_kb=16_384)
    result = run(strict, flood_of_words, "", "3", limits=limits, checker=hungry)
    assert (result.verdict, "as when memory is short" in result.message) == (Verdict.WRONG_ANSWER, True)


AT_SOME = {
    "an exception": "import sys\nsys.exit(int(open(sys.argv[2]).read()) != 3)",
    "a loop": "import sys\nwhile open(sys.argv[2]).read().strip() != '3': pass",
    "a signal": "import os, sys\nopen(sys.argv[2]).read().strip() == '3' or os.abort()",
    "memory": "import sys\nx = [bytes([n]) * (1 << 24) for n in range(2 if open(sys.argv[2]).read().strip() == '3' else 99)]",
}


@pytest.mark.parametrize("name", AT_SOME)
def test_a_program_that_makes_its_checker_fail_is_wrong(strict: Judge, name: str) -> None:
    """Else it would choose not to be counted."""
    result = asked(strict, told_by(AT_SOME[name]), b"many words")
    assert (result.verdict, result.checker_failed) == (Verdict.WRONG_ANSWER, True), result
    assert "fails on this output, and not on right ones" in result.message
    result = asked(strict, told_by(AT_SOME[name]), b"3")
    assert (result.verdict, result.checker_failed) == (Verdict.ACCEPTED, False), result


def test_of_proven_tests_no_checker_fails_by_itself(strict: Judge) -> None:
    """A jury may keep no answers, and then there is nothing to try the checker on."""
    checker = told_by("import sys\nsys.exit(int(open(sys.argv[2]).read()) != 3)")
    problem = ProblemSpec("any", Form.STDIN, (Test("", ""),), QUICK, checker)
    assert strict.grade(problem, "print('x')", "python").verdict is Verdict.JUDGE_ERROR
    result = strict.grade(replace(problem, proven=True), "print('x')", "python")
    assert (result.verdict, result.checker_failed) == (Verdict.WRONG_ANSWER, True), result


@pytest.mark.parametrize(
    ("which", "output", "verdict"),
    [
        ("two_sums", b"1 1\n1\n", Verdict.ACCEPTED),
        ("two_sums", b"1 1 \r\n1", Verdict.ACCEPTED),
        ("two_sums", b"1 1 1\n", Verdict.WRONG_ANSWER),
        ("two_lines", b"1\nb", Verdict.ACCEPTED),
        ("two_lines", b"1\r\nb\n", Verdict.ACCEPTED),
        ("two_lines", b"1 b\n", Verdict.WRONG_ANSWER),
    ],
)
def test_line_ends_are_passed(judge: Judge, which: str, output: bytes, verdict: Verdict) -> None:
    result = asked(judge, told_by(MANY), output, given=which)
    assert result.verdict is verdict, result.message


def test_a_comment_is_no_include(judge: Judge) -> None:
    assert asked(judge, told_by("# include trailing blanks\n" + READS_TEXT), b"3").verdict is Verdict.ACCEPTED
    assert asked(judge, told_by("\ufeff" + MANY), b"3").verdict is Verdict.ACCEPTED


def test_a_checker_is_asked_once_of_an_answer_where_tests_are_made(judge: AnsweringJudge) -> None:
    """Of chance it is, whether this one accepts."""
    chance = Checker(CheckerKind.KATTIS, program="import os\nexit(42 + os.urandom(1)[0] % 2)", language="python")
    test = Test("given", "3")
    with judge.open_checker(ProblemSpec("chance", Form.STDIN, (), QUICK, chance)) as decides:
        said = [decides(test, "3") for _time in range(20)]
        assert len(set(said)) == 1
        assert {decides(test, str(answer)) for answer in range(4, 30)} == {True, False}
        assert {decides(Test("given", str(answer)), "3") for answer in range(4, 30)} == {True, False}
