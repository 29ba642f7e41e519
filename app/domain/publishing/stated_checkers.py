"""Comparison of answers for problems on which only the statement describes it."""

import re
from collections.abc import Collection
from typing import Final

from app.domain.problems import Checker, CheckerKind

_ANY_CASE: Final = re.compile(r"\bin any case\b|\bany case \(upper or lower\)", re.IGNORECASE)
_EXPONENT: Final = re.compile(r"error\b[^.]{0,120}?10\s?\^\s?\{?\s?-\s?(\d{1,2})", re.IGNORECASE)


def stated_checker(statement: str, flags: Collection[str]) -> Checker:
    """Return the comparison that a statement describes; token by token if it describes none.

    Numbers that may be off by some error are compared by the largest tolerance that the statement names, or 1e-6.
    """
    if "float_tolerance" in flags:
        exponents = [int(digits) for digits in _EXPONENT.findall(statement)]
        tolerance = 10.0 ** -min(exponents, default=6)
        return Checker(CheckerKind.FLOAT, abs=tolerance, rel=tolerance)
    return Checker(ignore_case=_ANY_CASE.search(statement) is not None)
