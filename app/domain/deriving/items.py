"""A derived thing to ask, and how calls are written."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from app.domain.problems import Checker, Param


class Kind(StrEnum):
    """What a derived item is of, named like the scenario that asks it.

    The run of a program, a test of its problem, a mistake in a program, a defect of any category, or a known-wrong
    program.
    """

    EXECUTION = "execution"
    EXECUTION_INPUT = "execution_input"
    TEST_OUTPUT = "test_output"
    BUG_FIX = "bug_fix"
    REVIEW = "review"
    HACK = "hack"


@dataclass(frozen=True, slots=True)
class Derived:
    """One thing to ask: what a prompt shows of it, the right answer as a JSON value, and how answers are compared.

    `program` is the number of the program it is made of, where it is made of one; `measured` says of its run what it
    was chosen by.
    """

    kind: Kind
    facts: Mapping[str, Any]
    expected: Any
    checker: Checker = Checker()
    returns: str = ""
    program: int | None = None
    measured: Mapping[str, Any] = field(default_factory=dict)


def call_of(name: str, params: Sequence[Param], arguments: Sequence[Any]) -> str:
    """A call as Python writes it, each argument with its name."""
    given = (f"{param.name} = {value!r}" for param, value in zip(params, arguments, strict=True))
    return f"{name}({', '.join(given)})"


def is_plain(value: Any) -> bool:
    """Whether a value is one that Python and JSON both write: no float, and of names and lists nothing else."""
    if isinstance(value, list):
        return all(map(is_plain, value))
    return value is None or isinstance(value, bool | int | str)


def canonical(value: Any) -> str:
    """One spelling of a JSON value, to compare and to number by."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
