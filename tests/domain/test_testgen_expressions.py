"""The language of constraints: what is read, what follows from it, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import InvalidInput
from app.domain.testgen.grammars.domains import ANY_VALUE, Domains, Unsatisfiable, interval, linear, narrow
from app.domain.testgen.grammars.expressions import (
    CallExpr,
    Key,
    Num,
    Ref,
    Relation,
    Subscript,
    parse_expression,
    parse_relations,
)
from app.domain.testgen.grammars.validator import evaluate, format_expression


def test_constraints_are_read_as_they_are_written() -> None:
    for text, relations in [
        ("1 <= n <= 10^5", ["1 <= n", "n <= 100000"]),
        ("n > 0", ["0 < n"]),
        ("b >= a", ["a <= b"]),
        ("n = nums.length", ["n == nums.length"]),
        ("1 <= a[i], b[i] <= 9", ["1 <= a[i]", "1 <= b[i]", "a[i] <= 9", "b[i] <= 9"]),
        ("0 <= q[i][0] < q[i][1] < n", ["0 <= q[i][0]", "q[i][0] < q[i][1]", "q[i][1] < n"]),
        ("m <= n * (n - 1) / 2", ["m <= ((n * (n - 1)) / 2)"]),
        ("end[i] <= start[i + 1]", ["end[i] <= start[i+1]"]),
        ("x[i - 1] != x[i]", ["x[i-1] != x[i]"]),
        ("-5 <= x <= -(n) + 2**3", ["-5 <= x", "x <= ((0 - n) + 8)"]),
        ("sum(len(w[i])) <= min(n, 7) % 3", ["sum(w[i].length) <= (min(n, 7) % 3)"]),
        ("'a' <= s[0] <= \"h\"", ["97 <= s[0]", "s[0] <= 104"]),
        ("1 <= a.size // 2", ["1 <= (a.length / 2)"]),
    ]:
        assert list(map(format_expression, parse_relations(text))) == relations, (text, relations)


@pytest.mark.parametrize(
    "text",
    ["", "n", "n <", "n <= )", "(n <= 1", "n <= n^2", "2^999 <= n", "n <= f(2)", "n <= len(3)", "a.width <= 2",
     "a[] <= 1", "a[i + j] <= 1", "a[-1] <= 1", "min(1) <= 2", "n ? 2", "1 <= n 2", "(" * 30 + "1" + ")" * 30 + " < n",
     "n <= " + "1" * 600, "len(len(a)) < 2", "a[i <= 2"],
)  # fmt: skip
def test_whatever_else_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_relations(text)


def test_an_expression_ends_where_its_text_ends() -> None:
    assert parse_expression("2 + 3") == CallExpr("+", (Num(2), Num(3)))
    with pytest.raises(InvalidInput):
        parse_expression("2 < 3")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("n - 9", -2),
        ("n / 2", 3),
        ("n % 4", 3),
        ("abs(0 - n)", 7),
        ("min(n, 3)", 3),
        ("max(n, 9)", 9),
        ("sum(a[i])", 6),
    ],
)
def test_expressions_have_values(text: str, value: int) -> None:
    assert evaluate(parse_expression(text), {"n": 7, "a": [1, 2, 3]}, {}) == value


def test_elements_are_one_quantity_unless_places_are_tied() -> None:
    assert Ref("a", (Subscript("i"), Subscript("", 1))).key == Key("a", (None, 1))
    assert Ref("a", (Subscript("i", 1),)).key is None
    assert Ref("a", (Subscript("i"), Subscript("i"))).key is None


def domains(**bounds: tuple[int, int]) -> Domains:
    return {Key(name): pair for name, pair in bounds.items()}


def test_bounds_of_an_expression() -> None:
    for text, expected in [
        ("a + b", (5, 13)), ("a - b", (-7, 1)), ("a * b", (4, 40)), ("b / 2", (2, 4)), ("b % 3", (0, 2)),
        ("abs(0 - b)", (4, 8)), ("abs(a - 2)", (0, 3)), ("min(a, b)", (1, 5)), ("max(a, b)", (4, 8)), ("z", ANY_VALUE),
        ("b % (a - 3)", ANY_VALUE), ("b / (a - 3)", ANY_VALUE), ("sum(x[i])", ANY_VALUE), ("x[i][i]", ANY_VALUE),
    ]:  # fmt: skip
        assert interval(parse_expression(text), domains(a=(1, 5), b=(4, 8))) == expected, (text, expected)


def test_relations_narrow_what_they_bound() -> None:
    for text, x in [
        ("x <= 7", (0, 7)), ("3 < x", (4, 100)), ("x == 5", (5, 5)), ("x + y <= 10", (0, 8)), ("y - x >= 1", (0, 2)),
        ("x - y <= 4", (0, 7)), ("2 * x <= 9", (0, 4)), ("x * y <= 20", (0, 10)), ("10 <= x * y", (4, 100)),
        ("x / 10 == 3", (30, 39)), ("min(x, y) >= 2", (2, 100)), ("max(x, y) <= 9", (0, 9)), ("x != 3", (0, 100)),
        ("x * (y - 5) <= 3", (0, 100)),
        ("(y - 5) * 2 <= 3 + x", (0, 100)), ("abs(x) <= 3", (0, 100)), ("x % 2 == 0", (0, 100)),
    ]:  # fmt: skip
        found = domains(x=(0, 100), y=(2, 3))
        narrow(parse_relations(text), found)
        assert found[Key("x")] == x, (text, x)


def test_a_multiple_bounds_a_number_of_either_sign() -> None:
    found = domains(x=(-50, 50))
    narrow(parse_relations("-7 <= 2 * x"), found)
    narrow(parse_relations("x * 3 <= 10"), found)
    assert found[Key("x")] == (-3, 3)


def test_bounds_that_creep_are_left_where_they_are() -> None:
    found = domains(x=(0, 10**6), y=(0, 10**6))
    narrow(parse_relations("x < y"), found)
    narrow([*parse_relations("x < y"), *parse_relations("y < x")], found)
    assert found[Key("x")][0] >= 60


def test_a_contradiction_is_found() -> None:
    with pytest.raises(Unsatisfiable):
        narrow(parse_relations("7 <= x <= 5"), domains(x=(0, 100)))
    with pytest.raises(Unsatisfiable):
        narrow(parse_relations("3 < 2"), {})


@given(st.integers(-20, 20), st.integers(-20, 20), st.sampled_from("+-*"), st.integers(-400, 400))
def test_narrowing_never_loses_a_solution(x: int, y: int, sign: str, bound: int) -> None:
    found = domains(x=(-20, 20), y=(-20, 20))
    relation = Relation(CallExpr(sign, (Ref("x"), Ref("y"))), "<=", Num(bound))
    holds = evaluate(relation.left, {"x": x, "y": y}, {}) <= bound
    try:
        narrow([relation], found)
    except Unsatisfiable:
        assert not holds
        return
    inside = all(low <= value <= high for value, (low, high) in zip((x, y), found.values(), strict=True))
    assert inside or not holds


def test_linear_forms() -> None:
    for text, expected in [
        ("a[i] - b[i] + n", {"a": 1, "b": -1, "constant": 7}),
        ("2 * a[i]", {"a": 2, "constant": 0}),
        ("a[i] * (n - 7)", {"constant": 0}),
        ("a[i] - a[i]", {"constant": 0}),
        ("max(n, 3)", {"constant": 7}),
        ("n / (n - 7)", None),
        ("a[i] * b[i]", None),
        ("min(a[i], 3)", None),
        ("n + min(a[i], 3)", None),
    ]:
        form = linear(parse_expression(text), domains(n=(7, 7)))
        if form is None:
            assert expected is None, (text, expected)
        else:
            assert expected == {**{ref.name: times for ref, times in form[0].items()}, "constant": form[1]}, (
                text,
                expected,
            )
