"""Flags of Kattis and ICPC output validators: how packages write them, and what they mean to the default validator.

| flag | meaning to the default validator |
|---|---|
| `case_sensitive` | letters are compared as they are; without it, case is ignored |
| `space_change_sensitive` | white space is compared as it is; without it, any of it separates words |
| `float_absolute_tolerance E` | numbers may differ by E |
| `float_relative_tolerance E` | numbers may differ by E times the right one |
| `float_tolerance E` | both of the tolerances above |

A package's own validator gets its flags as arguments. From the problem package format, 2023-07, "Default Output
Validator". Pure.
"""

import math
import shlex
from collections.abc import Mapping
from typing import Any, Final

from app.domain.errors import InvalidProblem
from app.domain.problems import Checker, CheckerKind

MAX_FLAGS: Final = 32
MAX_FLAGS_CHARS: Final = 2000


def read_flags(value: Any) -> str:
    """Return flags, which are a line of words or a list of them, as one line quoted for a shell.

    Raises InvalidProblem.
    """
    if isinstance(value, Mapping) and value.keys() <= {"name", "flags"}:
        value = value.get("flags")  # of one of several validators
    if value is None:
        return ""
    try:
        words = shlex.split(value) if isinstance(value, str) else [str(word) for word in value]
    except (ValueError, TypeError) as broken:
        raise InvalidProblem(f"arguments of the validator that cannot be read: {broken}") from broken
    flags = shlex.join(words)
    if len(words) > MAX_FLAGS or len(flags) > MAX_FLAGS_CHARS or isinstance(value, dict):
        raise InvalidProblem("arguments of the validator that cannot be read")
    return flags


def default_validator(flags: str) -> Checker:
    """Return the comparison that the default validator makes under these flags.

    Raises InvalidProblem for an unknown flag, and ValueError if quotes are not closed.
    """
    words = iter(shlex.split(flags))
    ignore_case, spaced = True, False
    absolute = relative = None
    for word in words:
        if word == "case_sensitive":
            ignore_case = False
        elif word == "space_change_sensitive":
            spaced = True
        elif word in ("float_tolerance", "float_absolute_tolerance", "float_relative_tolerance"):
            tolerance = _read_tolerance(next(words, ""))
            if ("relative" not in word and absolute is not None) or ("absolute" not in word and relative is not None):
                raise InvalidProblem(f"{word} sets a tolerance that is already set", pointer="/checker/flags")
            absolute = tolerance if "relative" not in word else absolute
            relative = tolerance if "absolute" not in word else relative
        else:
            raise InvalidProblem(f"the default validator has no argument {word!r:.40}", pointer="/checker/flags")
    if absolute is None and relative is None:
        return Checker(CheckerKind.EXACT if spaced else CheckerKind.TOKENS, ignore_case=ignore_case)
    return Checker(CheckerKind.FLOAT, abs=absolute or 0.0, rel=relative or 0.0, ignore_case=ignore_case, spaced=spaced)


def _read_tolerance(word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise InvalidProblem(f"{word!r:.40} is not a tolerance", pointer="/checker/flags")
    return value
