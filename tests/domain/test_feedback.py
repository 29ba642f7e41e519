"""What a model is told of its failure: the first public test that failed, and nothing of hidden ones."""

import pytest

from app.domain.asking.feedback import Feedback, feedback
from app.domain.judging.verdicts import GradeResult, LimitMode, TestOutcome, Verdict
from app.domain.problems import Test

V = Verdict
PUBLIC = Test("1 2\n", "3\n", visible=True)
HIDDEN = Test("SECRET-IN\n", "SECRET-OUT\n")
TRACE = """test 1: exit code 1
Traceback (most recent call last):
  File "/judge/guest.py", line 12, in run_main
    exec(code)
  File "/tmp/main.py", line 3, in <module>
    print(a[5])
IndexError: list index out of range"""


def result(*verdicts: Verdict, message: str = "", total: int | None = None, of: Verdict | None = None,
           got: str | None = None) -> GradeResult:  # fmt: skip
    outcomes = tuple(TestOutcome(verdict, 1.0, 1.0, 1) for verdict in verdicts)
    decided = of or next((verdict for verdict in verdicts if verdict is not V.ACCEPTED), V.ACCEPTED)
    passed = verdicts.count(V.ACCEPTED)
    count = len(verdicts) if total is None else total
    return GradeResult(decided, passed, count, outcomes, LimitMode.RLIMIT, "1", message, got=got)


def test_a_public_test_is_shown() -> None:
    found = feedback(result(V.WRONG_ANSWER, message="test 1: wrong answer", got="4\n"), [PUBLIC])
    assert found == Feedback(V.WRONG_ANSWER, 1, "1 2\n", "3\n", "4\n", "wrong answer")


def test_values_are_shown_as_json() -> None:
    found = feedback(result(V.WRONG_ANSWER), [Test([[1], "é"], {"a": None}, visible=True)])
    assert (found.input, found.expected, found.got) == ('[[1], "é"]', '{"a": null}', "")


def test_a_traceback_keeps_its_last_lines_without_ours() -> None:
    found = feedback(result(V.RUNTIME_ERROR, message=TRACE), [PUBLIC])
    assert found.error == (
        "exit code 1\nTraceback (most recent call last):\n"
        '  File "main.py", line 3, in <module>\n    print(a[5])\nIndexError: list index out of range'
    )
    long = feedback(result(V.RUNTIME_ERROR, message="test 1: exit code 1\n" + "x\n" * 50 + "last"), [PUBLIC])
    assert (long.error.count("\n"), long.error.endswith("last")) == (7, True)
    assert len(feedback(result(V.RUNTIME_ERROR, message="y" * 5000), [PUBLIC]).error) == 800


def test_everything_is_trimmed() -> None:
    found = feedback(result(V.WRONG_ANSWER, got="c" * 9000), [Test("a" * 9000 + "z", "b" * 9000, visible=True)])
    assert {len(text) <= 600 for text in (found.input, found.expected, found.got)} == {True}
    assert (found.input[0], found.input[-1], "[...]" in found.input) == ("a", "z", True)


@pytest.mark.parametrize("verdict", [V.WRONG_ANSWER, V.TIME_LIMIT, V.MEMORY_LIMIT, V.OUTPUT_LIMIT, V.JUDGE_ERROR])
def test_of_a_hidden_test_the_kind_alone(verdict: Verdict) -> None:
    given = result(V.ACCEPTED, verdict, message="test 2: SECRET-IN\nValueError: SECRET-IN", got="SECRET")
    assert feedback(given, [PUBLIC, HIDDEN]) == Feedback(verdict)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("ValueError: SECRET-IN", "ValueError"),
        ("KeyError", "KeyError"),
        ("SECRETError: x", ""),
        ("SECRET-IN\njson.decoder.JSONDecodeError: SECRET", ""),
        ("SECRET-IN", ""),
        ("print: x", ""),
        ("KeyError: 1\nDuring it\nmain.IndexError: SECRET", "IndexError"),
    ],
)
def test_of_an_error_on_a_hidden_test_a_builtin_name_alone(words: str, name: str) -> None:
    given = result(V.ACCEPTED, V.RUNTIME_ERROR, message=f"test 2: exit code 1\n{words}", got="SECRET")
    assert feedback(given, [PUBLIC, HIDDEN]) == Feedback(V.RUNTIME_ERROR, error=name)


def test_a_public_test_after_a_hidden_one_comes_without_the_others_message() -> None:
    given = result(V.RUNTIME_ERROR, V.WRONG_ANSWER, message="test 1: SECRET-IN", got="SECRET")
    found = feedback(given, [HIDDEN, PUBLIC])
    assert found == Feedback(V.WRONG_ANSWER, 2, "1 2\n", "3\n")


def test_tests_that_were_taken_apart_are_not_shown() -> None:
    source = Test("class TestCases: ...", None, visible=True)
    assert feedback(result(V.WRONG_ANSWER, total=5), [source]) == Feedback(V.WRONG_ANSWER)


def test_a_compilers_words_are_told() -> None:
    given = result(of=V.COMPILE_ERROR, message='File "/judge/main", line 1\n    print(\nSyntaxError: never closed')
    found = feedback(given, [HIDDEN])
    assert (found.verdict, found.test, "SyntaxError: never closed" in found.error) == (V.COMPILE_ERROR, None, True)


def test_an_accepted_program_has_nothing_to_hear() -> None:
    assert feedback(result(V.ACCEPTED), [PUBLIC]) == Feedback(V.ACCEPTED)
