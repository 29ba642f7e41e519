"""Comparing returned values: exact types, tolerances where they are declared, LeetCode's spellings."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from app.domain.judging.values import SizeBound, compare_value, count_marks, read_value
from app.domain.problems import Checker, CheckerKind


def test_values() -> None:
    for got, expected, returns, alike in [
        (1, 1, "", True),
        (1, 1, "int", True),
        (1.0, 1, "", True),
        (1.5, 1, "", False),
        (1.0, 1, "integer", False),
        (1, 1.0, "integer", True),
        ([1.0], [1], "List[int]", False),
        (True, 1, "", False),
        (1, True, "", False),
        (True, True, "boolean", True),
        (None, None, "", True),
        (None, 0, "", False),
        ("a", "a", "string", True),
        ("1", 1, "", False),
        ([1, [2]], [1, [2]], "", True),
        ([1], [1, 2], "", False),
        ([], None, "", False),
        ({"a": 1}, {"a": 1}, "", True),
        ({"a": 1, "b": 2}, {"a": 1}, "", False),
        ({"a": 1}, [1], "", False),
        (0.333331, 1 / 3, "double", True),
        (0.3333, 1 / 3, "double", False),
        (3, 3.0, "double", True),
        (["0.1"], [0.1], "double[]", False),
        (1000009.0, 1000000.0, "float", False),
        (1e15 + 0.125, 1e15, "double", True),
        ([100000, 1.500001], [100000, 1.5], "Tuple[int, float]", True),
        ([100000.0, 1.5], [100000, 1.5], "Tuple[int, float]", False),
        ([100000.9, 1.5], [100000, 1.5], "Tuple[int, float]", False),
        (2, 2.0, "Tuple[int, float]", True),
        ([0.1], [0.1], "List[float]", True),
        (float("nan"), 1.0, "double", False),
        (10**400, 1.0, "double", False),
        (10**400, 10**400, "", True),
        (2**53 + 1, 2**53, "", False),
    ]:
        assert compare_value(Checker(), returns, got, expected) is alike, (got, expected, returns, alike)


def test_a_float_checker_is_a_tolerance_for_values_too() -> None:
    loose = Checker(CheckerKind.FLOAT, abs=0.5)
    assert compare_value(loose, "", [1.4], [1.0])
    assert not compare_value(loose, "", [1.6], [1.0])


def test_unordered_values_are_multisets_of_the_outer_list() -> None:
    unordered = Checker(CheckerKind.UNORDERED)
    assert compare_value(unordered, "", [[1, 2], [3]], [[3], [1, 2]])
    assert not compare_value(unordered, "", [[2, 1], [3]], [[3], [1, 2]])
    assert not compare_value(unordered, "", [1, 1, 2], [1, 2, 2])
    inner = Checker(CheckerKind.UNORDERED, inner=True)
    assert compare_value(inner, "", [[2, 1], [3]], [[3], [1, 2]])
    assert compare_value(inner, "", [[[4, 1], [2]], 5], [5, [[2], [1, 4]]])
    assert not compare_value(inner, "", [[1, 1, 2], [3]], [[3], [1, 2, 2]])
    assert not compare_value(inner, "ListNode[]", [[2, 1], [3]], [[3], [1, 2]])
    assert compare_value(inner, "double[][]", [[2.0, 1.0000001]], [[1.0, 2.0]])
    assert compare_value(inner, "double[][]", [[5.0, 1.0000001], [1.0, 6.0]], [[1.0, 5.0], [1.0, 6.0]])
    assert compare_value(unordered, "", 5, 5)


def test_a_value_that_is_nested_too_deeply_is_no_value() -> None:
    with pytest.raises(ValueError, match="deep"):
        read_value(b"[" * 100_000 + b"]" * 100_000)
    with pytest.raises(ValueError, match="digit"):
        read_value(b"1" * 50_001)
    deep: Any = 0
    other: Any = 0
    for _ in range(100_000):
        deep, other = [deep], [other]
    assert compare_value(Checker(), "", deep, other)
    assert not compare_value(Checker(), "", deep, [other])
    assert not compare_value(Checker(CheckerKind.UNORDERED), "", deep, [0])


@settings(max_examples=examples(50))
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=20))
def test_a_right_value_fits_the_room_and_equals_itself(value: Any) -> None:
    text = json.dumps(value).encode()
    room = SizeBound.of(value)
    assert len(text) < room.size
    assert count_marks(text) < room.marks
    assert compare_value(Checker(), "", json.loads(json.dumps(value)), value)


def test_many_values_in_few_bytes_have_no_room() -> None:
    text = b"[" + b"[]," * 200_000 + b"[]]"
    room = SizeBound.of(list(range(100_000)))
    assert len(text) < room.size
    assert count_marks(text) > room.marks


def test_lists_and_trees_have_several_spellings() -> None:
    for returns, got, expected, alike in [
        ("TreeNode", [], None, True),
        ("ListNode", [], None, True),
        ("ListNode", [0], None, False),
        ("TreeNode", [1, None, 2], [1, None, 2, None, None], True),
        ("TreeNode", [1, None, 2], [1, None, 2, 3], False),
        ("Optional[TreeNode]", [1], [1, None], True),
        ("List[TreeNode]", [[1], [2]], [[1, None], [2]], True),
        ("List[ListNode]", [[], [1]], [None, [1]], True),
        ("ListNode", [1, None], [1], False),
    ]:
        assert compare_value(Checker(), returns, got, expected) is alike, (returns, got, expected, alike)


def test_in_any_order_numbers_are_as_near_as_in_order() -> None:
    for returns, got, expected, alike in [
        ("double[]", [2, 1], [1.0, 2.0], True),
        ("double[]", [0.30000000000000004, 5.0], [5.0, 0.3], True),
        ("double[]", [0.4, 5.0], [5.0, 0.3], False),
        ("List[List[float]]", [[2.0, 1.0000001], [1.0, 3.0]], [[1.0, 3.0], [2.0, 1.0]], True),
        ("int[]", [2, 1.0], [1, 2], False),
        ("", [True, 1], [1, True], True),
        ("", [1, 1], [1, True], False),
        ("", ["b", None, "a"], ["a", "b", None], True),
        ("", [10**400, 1], [1, 10**400], True),
        ("", [10**400, 1], [1, 10**400 + 1], False),
        ("double[][]", [[1.0000001, 5.0], [1.0, 6.0]], [[1.0, 5.0], [1.0, 6.0]], True),
        ("double[][]", [[1.0000001, 5.0], [1.0, 6.0]], [[1.0, 5.0], [1.0, 5.0]], False),
        ("double[][]", [[1.1, 5.0], [1.0, 6.0]], [[1.0, 5.0], [1.0, 6.0]], False),
        ("double[]", [1.00001, 1.00002, 1.0], [1.00001, 1.0, 1.00002], True),
        ("", [[1.0, 2], [1, 3]], [[1, 3], [1, 2]], True),
        ("", [{"a": 1.0}, {"a": 1.5}], [{"a": 1.5}, {"a": 1}], True),
        ("", [{"a": 1.0, "b": [2]}, {"a": 1, "b": [1]}], [{"b": [1], "a": 1}, {"b": [2], "a": 1}], True),
    ]:
        assert compare_value(Checker(CheckerKind.UNORDERED), returns, got, expected) is alike, (
            returns,
            got,
            expected,
            alike,
        )


def test_an_integer_of_as_many_digits_as_programs_may_have_is_a_value() -> None:
    text = b"1" * 50_000
    assert read_value(text) == int(text)
