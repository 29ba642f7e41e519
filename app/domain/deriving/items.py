"""Derived items, and the spelling of calls."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from app.domain.problems import Checker, Param


class DerivedItemKind(StrEnum):
    """The kind of a derived item, named like the scenario that asks it.

    It is about the run of a program, a test of its problem, a mistake in a program, a defect of any category, or a
    known-wrong program.
    """

    EXECUTION = "execution"
    EXECUTION_INPUT = "execution_input"
    TEST_OUTPUT = "test_output"
    BUG_FIX = "bug_fix"
    REVIEW = "review"
    HACK = "hack"


@dataclass(frozen=True, slots=True)
class DerivedItemSpec:
    """One derived item: the facts for its prompt, the right answer as a JSON value, and the comparison of answers.

    `program` is the number of the program that it is made of, if any; `measured` holds the measurements of its run by
    which it was chosen.
    """

    kind: DerivedItemKind
    facts: Mapping[str, Any]
    expected: Any
    checker: Checker = Checker()
    returns: str = ""
    program: int | None = None
    measured: Mapping[str, Any] = field(default_factory=dict)


def call_of(name: str, params: Sequence[Param], arguments: Sequence[Any]) -> str:
    """Return a call in Python, each argument with its name."""
    parts = (f"{param.name} = {value!r}" for param, value in zip(params, arguments, strict=True))
    return f"{name}({', '.join(parts)})"


def is_plain(value: Any) -> bool:
    """Return whether a value is written by both Python and JSON: no float, and no container besides lists."""
    if isinstance(value, list):
        return all(map(is_plain, value))
    return value is None or isinstance(value, bool | int | str)


def canonical_json(value: Any) -> str:
    """Return one spelling of a JSON value, for comparing and numbering."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
