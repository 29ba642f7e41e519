"""Comparison of returned values. Pure, outside the sandbox, linear in the sizes except for sorting.

Values are JSON values with exact types: an integer is not a float, a boolean is no integer. If the declared return type
is a floating one, and for the kind `float`, numbers are compared with a tolerance and a whole number may be given for a
float.
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from app.domain.judging.checkers import close, tolerances
from app.domain.problems import Checker, CheckerKind

# Absolute and relative tolerance for a declared floating type: LeetCode's, and the rounding of large numbers.
VALUE_TOLERANCE = 1e-5, 1e-12
_FLOATING = re.compile(r"\b(?:double|float)\b", re.IGNORECASE)
_SEVERAL = re.compile(r"\[\]|\b(?:list|sequence)\s*[\[<]", re.IGNORECASE)
_INTEGRAL = re.compile(r"\b(?:int|integer|long)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SizeBound:
    """Generous bound on the JSON of any right answer: bytes, and separators that make it many values.

    A larger answer is wrong without being parsed: parsed, it could take far more memory than it has bytes.
    """

    size: int
    marks: int

    @classmethod
    def of(cls, expected: Any) -> "SizeBound":
        """Return the bound for answers that are compared with `expected`."""
        text = json.dumps(expected, ensure_ascii=True).encode()
        return cls(65_536 + 8 * len(text), 10_000 + 2 * count_marks(text))


def count_marks(text: bytes) -> int:
    """Count the characters of a JSON text that each begin another value."""
    return sum(map(text.count, (b"[", b"{", b",")))


def read_value(text: bytes) -> Any:
    """Read a value that a program sent. Raises ValueError for text that is not one JSON value."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def compare_value(checker: Checker, returns: str, value: Any, expected: Any) -> bool:
    """Return whether a returned value is right, by the rules above.

    Kind `unordered`: the outer list in any order; inner lists in order, unless the checker says `inner`.

    In lists and trees as LeetCode writes them, null is the empty one, and nulls at a tree's end do not count.
    """
    has_nodes = "ListNode" in returns or "TreeNode" in returns  # their order always matters
    if has_nodes:
        value, expected = _normalize_nodes(value, returns), _normalize_nodes(expected, returns)
    if checker.kind is CheckerKind.FLOAT:
        return _are_equal(value, expected, _Numeric(tolerances(checker)))
    tolerance = VALUE_TOLERANCE if _FLOATING.search(returns) else None
    if checker.kind is CheckerKind.UNORDERED and isinstance(value, list) and isinstance(expected, list):
        order = _Order.of((value, expected), tolerance)
        try:
            value, expected = (order.sort(side, inner=checker.inner and not has_nodes) for side in (value, expected))
        except RecursionError:  # nested deeper than any right value
            return False
    return _are_equal(value, expected, _Numeric(tolerance, whole=bool(_INTEGRAL.search(returns))))


def _normalize_nodes(value: Any, returns: str) -> Any:
    several = _SEVERAL.search(returns)
    if several and isinstance(value, list):
        return [_normalize_nodes(item, returns.replace(several[0], "")) for item in value]
    values = [] if value is None else value
    if "TreeNode" not in returns or not isinstance(values, list):
        return values
    last = next((at for at in range(len(values), 0, -1) if values[at - 1] is not None), 0)
    return values[:last]


@dataclass(frozen=True, slots=True)
class _Order:
    """Order in which equal values are adjacent: numbers by size, lists element by element.

    `places` maps each number to its place. Numbers within the tolerance share a place, so that such a difference does
    not decide between lists that differ in a later element; their sizes decide last.
    """

    places: dict[int | float, int]
    tolerant: bool

    @classmethod
    def of(cls, values: Iterable[Any], tolerance: tuple[float, float] | None) -> "_Order":
        """Return the order of all numbers in `values`."""
        places: dict[int | float, int] = {}
        before = None
        for number in sorted(_numbers(values)):
            alike = before is not None and tolerance is not None and _is_close(before, number, tolerance)
            places[number] = places[before] if alike and before is not None else len(places)
            before = number
        return cls(places, tolerance is not None)

    def sort(self, values: list[Any], *, inner: bool) -> list[Any]:
        """Return the values in this order, with `inner` also those of inner lists."""
        if inner:
            values = [self.sort(value, inner=True) if isinstance(value, list) else value for value in values]
        return sorted(values, key=self._key)

    def _key(self, value: Any) -> tuple[Any, ...]:
        key = _key(value, self.places.__getitem__)
        return (key, _key(value, lambda number: number)) if self.tolerant else key


def _key(value: Any, place: Callable[[int | float], int | float]) -> tuple[Any, ...]:
    if _is_number(value) and value == value:  # nan has no size
        return (0, place(value))
    if isinstance(value, list):
        return (2, *(_key(item, place) for item in value))
    if isinstance(value, dict):
        return (3, *((name, _key(item, place)) for name, item in sorted(value.items())))
    return (1, json.dumps(value))


def _numbers(values: Iterable[Any]) -> set[int | float]:
    """Return all numbers in the values except nan."""
    numbers: set[int | float] = set()
    stack = [*values]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack += value
        elif isinstance(value, dict):
            stack += value.values()
        elif _is_number(value) and value == value:
            numbers.add(value)
    return numbers


def _is_close(value: int | float, expected: int | float, tolerance: tuple[float, float]) -> bool:
    try:
        return close(float(value), float(expected), *tolerance)
    except OverflowError:  # an integer beyond every float
        return False


@dataclass(frozen=True, slots=True)
class _Numeric:
    """Rule to compare numbers: `tolerance` is absolute and relative; `whole`: the declared type may be an integer."""

    tolerance: tuple[float, float] | None
    whole: bool = False

    def same(self, value: int | float, expected: int | float) -> bool:
        if type(value) is int and type(expected) is int and (self.whole or self.tolerance is None):
            return value == expected
        if self.tolerance is None:
            # Without a declared type 2.0 equals 2, as in Python; a declared integer must be an integer.
            return value == expected and not (self.whole and type(value) is float)
        if self.whole and type(expected) is int:
            return False  # if the type also allows floats, an expected integer must be an integer
        return _is_close(value, expected, self.tolerance)


def _are_equal(value: Any, expected: Any, numeric: _Numeric) -> bool:
    """Compare without recursion, because only the reader limits how deep a value may be nested."""
    stack = [(value, expected)]
    while stack:
        one, other = stack.pop()
        if isinstance(other, list):
            if not isinstance(one, list) or len(one) != len(other):
                return False
            stack += zip(one, other, strict=True)
        elif isinstance(other, dict):
            if not isinstance(one, dict) or one.keys() != other.keys():
                return False
            stack += ((one[key], other[key]) for key in other)
        elif _is_number(one) and _is_number(other):
            if not numeric.same(one, other):
                return False
        elif type(one) is not type(other) or one != other:
            return False
    return True


def _is_number(value: Any) -> bool:
    return type(value) is int or type(value) is float
