"""LiveCodeBench's problem rows: both forms, packed tests, and pickles that would run code if anyone unpickled them."""

import base64
import json
import os
import pickle
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from support.files import bad_rows, lines, read, write

from app.domain.errors import InvalidImport
from app.domain.imports import ImportedProblem
from app.domain.problems import CheckerKind, Form
from scrapers.suites._common.lcb_tests import inflate, read_pickled_text, unpack_tests

STARTER = "class Solution:\n    def total(self, nums: List[int], times: int) -> int:\n        "


def stdin(given: str, expected: str) -> dict[str, str]:
    return {"input": given, "output": expected, "testtype": "stdin"}


def called(given: str, expected: str) -> dict[str, str]:
    return {"input": given, "output": expected, "testtype": "functional"}


def packed(value: Any) -> str:
    """As the set packs its hidden tests."""
    return base64.b64encode(zlib.compress(pickle.dumps(value))).decode()


def row(**changes: Any) -> dict[str, Any]:
    return {
        "question_title": "Sum It",
        "question_content": "Add two numbers.\r\n\nInput\n\nTwo integers.",
        "platform": "atcoder",
        "question_id": "abc999_a",
        "contest_id": "abc999",
        "contest_date": "2026-02-01T00:00:00",
        "starter_code": "",
        "difficulty": "easy",
        "public_test_cases": json.dumps([stdin("1 2\n", "3\n")]),
        "private_test_cases": packed(json.dumps([stdin("5 6\n", "11\n"), stdin("1 2\n", "3\n")])),
        "metadata": "{}",
    } | changes


def test_a_key_that_is_not_known_is_named_once_also_in_the_metadata(tmp_path: Path) -> None:
    rows = [row(question_id=f"abc99{n}_a", tests=[], metadata='{"note": "x"}') for n in range(2)]
    assert read("lcb-problems", write(tmp_path, "a.jsonl", lines(*rows))).notes == (
        "a.jsonl:1: the key 'tests' is not known, and changes nothing here",
        "a.jsonl:1: the key 'metadata.note' is not known, and changes nothing here",
    )


def function_row(**changes: Any) -> dict[str, Any]:
    return (
        row(
            question_title="total-of-all",
            platform="leetcode",
            question_id="9999",
            contest_id="weekly-contest-999",
            starter_code=STARTER,
            public_test_cases=json.dumps([called("[1, 2]\n2", "6")]),
            private_test_cases=packed(json.dumps([called("[]\n7", "0")])),
            metadata=json.dumps({"func_name": "total"}),
        )
        | changes
    )


def only(tmp_path: Path, given: dict[str, Any]) -> ImportedProblem:
    [problem] = read("lcb-problems", write(tmp_path, "set.jsonl", lines(given))).problems
    return problem


def refused(tmp_path: Path, given: dict[str, Any]) -> str:
    [bad] = bad_rows("lcb-problems", write(tmp_path, "set.jsonl", lines(row(question_id="abc998_a"), given)))
    assert (bad.file, bad.line) == ("set.jsonl", 2)
    assert len(bad.reason) < 300
    return bad.reason


def test_a_problem_of_standard_input(tmp_path: Path) -> None:
    problem = only(tmp_path, row())
    assert (problem.source, problem.external_id, problem.form) == ("atcoder", "abc999_a", Form.STDIN)
    assert problem.url == "https://atcoder.jp/contests/abc999/tasks/abc999_a"
    assert [(test.input, test.expected, test.visible) for test in problem.tests] == [
        ("1 2\n", "3\n", True),
        ("5 6\n", "11\n", False),
    ]
    assert problem.statements["en"].text == "Add two numbers.\n\nInput\n\nTwo integers."
    assert (problem.difficulty, problem.contest, problem.aliases) == (("level", 1.0), None, ())
    assert problem.released_on == datetime(2026, 2, 1, tzinfo=UTC)


def test_a_problem_of_a_function(tmp_path: Path) -> None:
    problem = only(tmp_path, function_row())
    assert (problem.external_id, problem.aliases, problem.form) == ("total-of-all", ("9999",), Form.FUNCTION)
    assert problem.entry is not None
    assert (problem.entry.name, problem.entry.cls, len(problem.entry.params)) == ("total", "Solution", 2)
    assert [(test.input, test.expected) for test in problem.tests] == [([[1, 2], 2], 6), ([[], 7], 0)]
    assert problem.statements["en"].starter_code == {"python": STARTER}


def test_names_are_the_sites_own(tmp_path: Path) -> None:
    problem = only(tmp_path, row(platform="codeforces", question_id="1873_A", contest_id="1873"))
    assert (problem.external_id, problem.aliases) == ("1873/A", ("1873_A",))
    assert problem.url == "https://codeforces.com/problemset/problem/1873/A"


@pytest.mark.parametrize("hidden", ["[]", packed("[]")])
def test_without_hidden_tests_there_are_none(tmp_path: Path, hidden: str) -> None:
    batch = read("lcb-problems", write(tmp_path, "set.jsonl", lines(row(private_test_cases=hidden))))
    assert batch.problems[0].tests == ()
    assert batch.notes == ("abc999_a: no hidden tests",)


def test_hidden_tests_may_be_plain(tmp_path: Path) -> None:
    plain = json.dumps([stdin("7 8\n", "15\n")])
    assert only(tmp_path, row(private_test_cases=plain)).tests[1].input == "7 8\n"


def test_a_statement_says_how_to_compare(tmp_path: Path) -> None:
    real = "Your answer is right if its absolute or relative error is at most 10^{-4}."
    checker = only(tmp_path, row(question_content=real)).checker
    assert (checker.kind, checker.abs, checker.rel) == (CheckerKind.FLOAT, 1e-4, 1e-4)
    several = "If there are multiple solutions, print any of them."
    assert "multiple_answers" in only(tmp_path, row(question_content=several)).flags
    letters = "You can print each letter in any case."
    case = row(platform="codeforces", question_id="1_A", contest_id="1", question_content=letters)
    assert only(tmp_path, case).checker.ignore_case


class Runs:
    """Unpickled, it would call a shell."""

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return os.system, ("touch pickled-code-ran",)


@pytest.mark.parametrize(
    "data",
    [
        pickle.dumps(Runs()),
        pickle.dumps(["[]"]),
        pickle.dumps(b"[]"),
        pickle.dumps("[]")[:-1],
        pickle.dumps("[]") + b"x",
        pickle.dumps("[]") + pickle.dumps(Runs()),
        pickle.dumps("[]")[:-1] + pickle.dumps(Runs()),
        b"\x80\x04\x8c\x02[]\x8c\x02[].",
        b"\x80\x04.",
        b"\x80\x04" + b"\x94" * 100_000 + b"\x8c\x02[].",
        b"\x80\x04X\xff\xff\xff\x7f[].",
        b"\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\xff[].",
        b"\x80\x04\x8c\x02\xff\xff.",
        b"cos\nsystem\n(S'id'\ntR.",
        b"I" + b"9" * 10_000 + b"\n.",
        b"Pid\n.",
        b"",
        b"\x00" * 100,
    ],
)
def test_only_one_string_is_read_of_a_pickle(data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"."):
        read_pickled_text(data)
    assert list(tmp_path.iterdir()) == [], "nothing was run"


@pytest.mark.parametrize("protocol", [4, 5])
def test_a_string_is_read_of_any_pickle_of_today(protocol: int) -> None:
    for text in ("[]", "é" * 300, "x" * 70_000):
        assert read_pickled_text(pickle.dumps(text, protocol)) == text
        assert unpack_tests(base64.b64encode(zlib.compress(pickle.dumps(text, protocol))).decode()) == text


def test_a_bomb_is_not_inflated() -> None:
    bomb = zlib.compress(b"\0" * (8 << 20), 9)
    with pytest.raises(ValueError, match="hold more than 1 MiB"):
        inflate(bomb, 1 << 20)
    assert len(inflate(bomb, 9 << 20)) == 8 << 20
    for broken in (bomb[:-5], bomb + b"x", b"not zlib", b""):
        with pytest.raises(ValueError, match="packed tests"):
            inflate(broken)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"private_test_cases": "!"}, "not base64"),
        ({"private_test_cases": None}, "private_test_cases is missing or not text"),
        ({"private_test_cases": packed(Runs())}, "more than one string"),
        ({"private_test_cases": packed("{}")}, "the tests are not a list"),
        ({"private_test_cases": packed("[1]")}, "1 is not an object"),
        ({"private_test_cases": packed('[{"a": NaN}]')}, "NaN is not JSON"),
        ({"private_test_cases": packed("[" * 100_000)}, "recursion"),
        ({"private_test_cases": packed(json.dumps([stdin("\0", "1")]))}, "NUL"),
        ({"private_test_cases": packed(json.dumps([stdin("\ud800", "1")]))}, "surrogate"),
        ({"private_test_cases": packed(json.dumps([called("1", "1")]))}, "testtype is 'functional', not stdin"),
        ({"public_test_cases": []}, "public_test_cases is missing or not text"),
        ({"platform": "nowhere"}, "platform 'nowhere' is not known"),
        ({"difficulty": "Easy"}, "difficulty 'Easy' is not known"),
        ({"contest_date": "yesterday"}, "not a date"),
        ({"metadata": "["}, "Expecting value"),
        ({"metadata": "[]"}, "[] is not an object"),
        ({"metadata": '{"func_name": 7}'}, "func_name is missing or not text"),
        ({"metadata": '{"func_name": "f"}'}, "the starter code defines no function"),
        ({"question_id": "abc998_a"}, "abc998_a appears twice; first in row 1"),
    ],
)
def test_rows_that_only_look_like_one(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    assert reason in refused(tmp_path, row(**changes))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"public_test_cases": json.dumps([called("[1]", "1")])}, "a test has 1 arguments, total takes 2"),
        ({"public_test_cases": json.dumps([called("[1]\nInfinity", "1")])}, "Infinity is not JSON"),
        ({"public_test_cases": json.dumps([called("[1]\n2", "three")])}, "Expecting value"),
        ({"public_test_cases": json.dumps([called("[1]\n2", r'"\ud800"')])}, "surrogate"),
        ({"metadata": '{"func_name": "other"}'}, "func_name is other, the starter code defines total"),
        ({"starter_code": "class Solution:"}, "defines no function"),
    ],
)
def test_calls_that_do_not_fit(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    assert reason in refused(tmp_path, function_row(**changes))


def test_a_file_of_nothing_or_of_something_else(tmp_path: Path) -> None:
    for text in ("", "\n\n", "[]"):
        with pytest.raises(InvalidImport, match="holds no problem"):
            read("lcb-problems", write(tmp_path, "set.jsonl", text))
    for text in ("7", '"text"\n', "{", "[" * 100_000, "[1]"):
        with pytest.raises(InvalidImport, match="nothing was imported"):
            read("lcb-problems", write(tmp_path, "set.jsonl", text))
