"""PROBLEM.json: what is read, and what is refused by its field."""

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest

from app.domain import problems
from app.domain.errors import InvalidProblem
from app.domain.judging.problem_file import parse_problem, problem_as_json
from app.domain.problems import Checker, CheckerKind, Form, Interactor, Limits, ProblemSpec, Test


def parsed(**checker: Any) -> Checker:
    return parse_problem({"id": "x", "checker": checker, "tests": []}).checker


def test_a_checker_as_problems_give_it() -> None:
    assert parsed() == Checker()
    assert parsed(ignore_case=True).ignore_case
    assert parsed(kind="kattis", program="x", language="cpp", flags="a 'b c'").flags == "a 'b c'"
    assert parsed(kind="kattis", program="x", flags=["a", "b c"]).flags == "a 'b c'"
    for wrong in (
        {"flags": "'"},
        {"flags": "a " * 40},
        {"flags": "\0"},
        {"flags": 5},
        {"program": 1},
        {"ignore_case": 1},
        {"spaced": 1},
        {"spaced": True},
    ):
        with pytest.raises(InvalidProblem):
            parsed(kind="kattis", **wrong)


def test_an_interactor_as_problems_give_it() -> None:
    def interactor(**fields: Any) -> Interactor | None:
        given = {"id": "x", "form": "interactive", "interactor": fields, "tests": [{"input": "1"}]}
        return parse_problem(given).interactor

    assert interactor(program="x") == Interactor("x")
    assert interactor(program="x", protocol="kattis", flags="f", language="c") == Interactor(
        "x", CheckerKind.KATTIS, "c", "f"
    )
    assert interactor() == Interactor("")
    assert parse_problem({"id": "x", "form": "interactive", "tests": []}).interactor is None
    for test in ({"input": 1}, {"input": "1", "expected": 1}):
        with pytest.raises(InvalidProblem):
            parse_problem({"id": "x", "form": "interactive", "tests": [test]})
    with pytest.raises(InvalidProblem):
        interactor(program="x", protocol="tokens")


def test_the_digest_of_an_older_test_set_stays() -> None:
    """Rules that came later count only where they are used."""
    first = {"kind": "float", "abs": 0.5, "rel": None, "program": None}
    body = {"checker": first, "tests": [{"input": "1", "expected": "2", "visible": False}]}
    digest = hashlib.sha256(json.dumps(body, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
    older = ProblemSpec("p", Form.STDIN, (Test("1", "2"),), checker=Checker(CheckerKind.FLOAT, abs=0.5))
    assert problems.tests_sha256(older) == digest
    newer = {
        problems.tests_sha256(replace(older, checker=replace(older.checker, ignore_case=True))),
        problems.tests_sha256(replace(older, checker=replace(older.checker, flags="x"))),
        problems.tests_sha256(replace(older, interactor=Interactor("talk"))),
        problems.tests_sha256(replace(older, interactor=Interactor("talk", flags="x"))),
    }
    assert len(newer - {digest}) == 4


FUNCTION = {"id": "f", "form": "function", "entry": {"name": "f"}, "tests": []}


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"tests": [{"input": [1]}]}, "/tests/0/expected"),
        ({"tests": [{"input": 1, "expected": 1}]}, "/tests/0/input"),
        ({"id": None}, "/id"),
        ({"id": ["f"]}, "/id"),
        ({"limits": {"time_ms": 10**12}}, "/limits/time_ms"),
        ({"limits": {"memory_mb": 0}}, "/limits/memory_mb"),
        ({"limits": {"time": 5}}, "/limits/time"),
        ({"limits": []}, "/limits"),
        ({"checker": []}, "/checker"),
        ({"checker": {"eps": 1e-6}}, "/checker/eps"),
        ({"checker": {"kind": "float", "abs": True}}, "/checker/abs"),
        ({"checker": {"ignore_case": True}}, "/checker/ignore_case"),
        ({"checker": {"kind": "unordered", "inner": 1}}, "/checker/inner"),
        ({"checker": {"kind": "tokens", "inner": True}}, "/checker/inner"),
        ({"form": "interactive", "interactor": {"kind": "testlib"}}, "/interactor/kind"),
        ({"form": "interactive", "interactor": "talk"}, "/interactor"),
    ],
)
def test_a_broken_field_is_named(change: dict[str, Any], where: str) -> None:
    with pytest.raises(InvalidProblem) as refused:
        parse_problem({**FUNCTION, **change})
    assert refused.value.pointer == where


def test_limits_that_are_absent_are_the_usual_ones() -> None:
    whole, part = parse_problem(FUNCTION), parse_problem({**FUNCTION, "limits": {"time_ms": 500}})
    assert whole.limits == Limits(time_ms=2000, memory_mb=256, output_kb=64 << 10)
    assert part.limits == Limits(time_ms=500, memory_mb=256, output_kb=64 << 10)


def test_the_names_of_tests_that_run_beside_programs_are_read() -> None:
    expected = {"tests": 1, "assertions": {"T.test_a": 2}, "beside": ["T.test_a"]}
    body = {
        "id": "x", "form": "unittest", "entry": {"name": "f", "params": []},
        "tests": [{"input": "import unittest", "expected": expected}],
    }  # fmt: skip
    assert parse_problem(body).tests[0].expected == expected


def test_a_tolerance_beyond_every_float_is_refused() -> None:
    with pytest.raises(InvalidProblem, match="too large"):
        parse_problem({**FUNCTION, "checker": {"kind": "float", "abs": 10**400}})


def test_text_problems_call_nothing() -> None:
    given = {"id": "p", "form": "stdin", "entry": {"name": "f"}, "tests": [{"input": "1", "expected": "2"}]}
    assert parse_problem(given).entry is None


@pytest.mark.parametrize("returns", ["void", "None"])
def test_what_returns_nothing_changes_its_first_argument(returns: str) -> None:
    entry = {"name": "f", "returns": returns, "params": [{"name": "a"}, {"name": "b"}]}
    read = parse_problem({**FUNCTION, "entry": entry}).entry
    assert read is not None
    assert read.output_param == 0
    named = parse_problem({**FUNCTION, "entry": {**entry, "output_param": 1}}).entry
    assert named is not None
    assert named.output_param == 1


def test_white_space_may_count_where_numbers_have_a_tolerance() -> None:
    assert parsed(kind="float", spaced=True) == Checker(CheckerKind.FLOAT, spaced=True)
    for form in ({"form": "stdin", "kind": "tokens"}, {"form": "function", "kind": "float"}):
        given = {"id": "x", "form": form["form"], "checker": {"kind": form["kind"], "spaced": True}, "tests": []}
        with pytest.raises(InvalidProblem, match="spaced applies to text of kind float"):
            parse_problem(given | {"entry": {"name": "f"}})


def test_a_tolerance_of_zero_is_written_down() -> None:
    """Left out, it would be the default."""
    exact = Checker(CheckerKind.FLOAT, abs=0.0, rel=0.0, ignore_case=True)
    assert parsed(kind="kattis", flags="float_tolerance 0") == exact
    problem = ProblemSpec("x", Form.STDIN, (), Limits(), exact)
    assert parse_problem(problem_as_json(problem)).checker == exact
    assert problem_as_json(replace(problem, checker=Checker()))["checker"] == {"kind": "tokens"}
