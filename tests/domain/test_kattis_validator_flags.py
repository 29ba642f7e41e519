"""Flags of Kattis validators: how they are written, and what they mean."""

from typing import Any

import pytest

from app.domain.errors import InvalidProblem
from app.domain.judging.kattis_validator_flags import MAX_FLAGS, MAX_FLAGS_CHARS, default_validator, read_flags
from app.domain.judging.problem_file import parse_problem
from app.domain.problems import Checker, CheckerKind


@pytest.mark.parametrize(
    ("written", "flags"),
    [
        (None, ""),
        ("float_tolerance  1e-6", "float_tolerance 1e-6"),
        (["float_tolerance", 1e-6], "float_tolerance 1e-06"),
        ("a 'b c'", "a 'b c'"),
        (["a", "b c"], "a 'b c'"),
        ({"name": "validator", "flags": "a b"}, "a b"),
        ({"name": "validator"}, ""),
        (["a"] * MAX_FLAGS, " ".join(["a"] * MAX_FLAGS)),
    ],
)
def test_flags_are_read_as_one_line_quoted_for_a_shell(written: Any, flags: str) -> None:
    assert read_flags(written) == flags


@pytest.mark.parametrize(
    "written", ["'not closed", 7, {"other": "a"}, ["a"] * (MAX_FLAGS + 1), "a" * (MAX_FLAGS_CHARS + 1)]
)
def test_flags_that_are_no_words_or_too_many_are_refused(written: Any) -> None:
    with pytest.raises(InvalidProblem, match="arguments of the validator that cannot be read"):
        read_flags(written)


@pytest.mark.parametrize(
    ("flags", "checker"),
    [
        ("", Checker(ignore_case=True)),
        ("case_sensitive", Checker()),
        ("space_change_sensitive case_sensitive", Checker(CheckerKind.EXACT)),
        (
            "space_change_sensitive float_tolerance 1",
            Checker(CheckerKind.FLOAT, abs=1, rel=1, ignore_case=True, spaced=True),
        ),
        ("float_tolerance 1e-6", Checker(CheckerKind.FLOAT, abs=1e-6, rel=1e-6, ignore_case=True)),
        ("float_relative_tolerance 1e-4 case_sensitive", Checker(CheckerKind.FLOAT, abs=0.0, rel=1e-4)),
        ("float_absolute_tolerance 0.5", Checker(CheckerKind.FLOAT, abs=0.5, rel=0.0, ignore_case=True)),
    ],
)
def test_default_validator_compares_as_its_flags_say(flags: str, checker: Checker) -> None:
    assert default_validator(flags) == checker
    problem = {"id": "x", "checker": {"kind": "kattis", "flags": flags}, "tests": []}
    assert parse_problem(problem).checker == checker


@pytest.mark.parametrize(
    "flags",
    [
        "strict",
        "float_tolerance",
        "float_tolerance nan",
        "float_tolerance 1 float_absolute_tolerance 2",
        "float_relative_tolerance 1 float_tolerance 2",
        "float_absolute_tolerance 1 float_absolute_tolerance 1",
    ],
)
def test_default_validator_refuses_unknown_and_contradicting_flags(flags: str) -> None:
    with pytest.raises(InvalidProblem):
        default_validator(flags)
