"""Domains of quantities: bounds that follow from relations, narrowed to a fixed point."""

from collections.abc import Iterable, Mapping

from app.domain.testgen.grammars.expressions import (
    UNBOUNDED,
    CallExpr,
    Expr,
    Interval,
    Key,
    Num,
    Ref,
    Relation,
    combine,
)

__all__ = ["ANY_VALUE", "Domains", "Interval", "Unsatisfiable", "interval", "linear", "narrow"]

ANY_VALUE: Interval = (-UNBOUNDED, UNBOUNDED)
_MAX_ROUNDS = 60  # slowly converging bounds are left as they are


class Unsatisfiable(Exception):
    """No values fit the constraints."""


Domains = dict[Key, Interval]


def interval(expr: Expr, domains: Mapping[Key, Interval]) -> Interval:
    """Return the least and the greatest value of an expression."""
    if isinstance(expr, Num):
        return expr.value, expr.value
    if isinstance(expr, Ref):
        key = expr.key
        return ANY_VALUE if key is None else domains.get(key, ANY_VALUE)
    return _call_interval(expr.name, [interval(arg, domains) for arg in expr.args])


def _call_interval(name: str, sides: list[Interval]) -> Interval:
    if name == "sum":
        return ANY_VALUE
    if name == "%" and sides[1][0] > 0:
        return 0, sides[1][1] - 1
    if name == "%" or (name == "/" and sides[1][0] <= 0):
        return ANY_VALUE
    if name == "abs":
        low, high = sides[0]
        return (0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))
    (a, b), (c, d) = sides
    corners = [combine(name, pair) for pair in ((a, c), (a, d), (b, c), (b, d))]
    return max(min(corners), -UNBOUNDED), min(max(corners), UNBOUNDED)


def narrow(relations: Iterable[Relation], domains: Domains) -> None:
    """Narrow the domains by the relations. Raises Unsatisfiable if one becomes empty."""
    relations = [relation for relation in relations if relation.op != "!="]
    for _round in range(_MAX_ROUNDS):
        before = dict(domains)
        for relation in relations:
            low, high = interval(relation.left, domains), interval(relation.right, domains)
            strict = relation.op == "<"
            _narrow_expr(relation.left, (low[0], high[1] - strict), domains)
            _narrow_expr(relation.right, (low[0] + strict, high[1]), domains)
            if relation.op == "==":
                _narrow_expr(relation.left, high, domains)
                _narrow_expr(relation.right, low, domains)
        if domains == before:
            return


def _narrow_expr(expr: Expr, into: Interval, domains: Domains) -> None:
    """Narrow domains so that an expression's value falls into an interval, as far as its parts allow."""
    if isinstance(expr, Num):
        if not into[0] <= expr.value <= into[1]:
            raise Unsatisfiable
    elif isinstance(expr, Ref):
        key = expr.key
        if key is not None:
            low, high = domains.get(key, ANY_VALUE)
            meet = max(low, into[0]), min(high, into[1])
            if meet[0] > meet[1]:
                raise Unsatisfiable
            domains[key] = meet
    else:
        _narrow_call(expr, into, domains)


def _narrow_call(expr: CallExpr, into: Interval, domains: Domains) -> None:
    if len(expr.args) != 2:
        return
    one, other = expr.args
    (a, b), (c, d) = interval(one, domains), interval(other, domains)
    low, high = into
    match expr.name:
        case "+":
            _narrow_expr(one, (low - d, high - c), domains)
            _narrow_expr(other, (low - b, high - a), domains)
        case "-":
            _narrow_expr(one, (low + c, high + d), domains)
            _narrow_expr(other, (a - high, b - low), domains)
        case "*" if c >= 0 and (a >= 0 or c == d):
            _narrow_expr(one, _factor(into, c, d), domains)
            if a >= 0:
                _narrow_expr(other, _factor(into, a, b), domains)
        case "*" if a == b > 0:
            _narrow_expr(other, _factor(into, a, b), domains)
        case "/" if c == d > 0:
            _narrow_expr(one, (low * c, high * c + c - 1), domains)
        case "min":
            _narrow_expr(one, (low, UNBOUNDED), domains)
            _narrow_expr(other, (low, UNBOUNDED), domains)
        case "max":
            _narrow_expr(one, (-UNBOUNDED, high), domains)
            _narrow_expr(other, (-UNBOUNDED, high), domains)


def _factor(product: Interval, low: int, high: int) -> Interval:
    """Return the range of x with x * y in `product`, for y in low..high; either y >= 0, or x >= 0."""
    if low == high > 0:
        return -(-product[0] // low), product[1] // low
    least = -(-product[0] // high) if product[0] > 0 and high > 0 else -UNBOUNDED
    return least, product[1] // low if low > 0 else UNBOUNDED


def linear(expr: Expr, intervals: Mapping[Key, Interval]) -> tuple[dict[Ref, int], int] | None:
    """Return (coefficients of unknowns, constant); None if the expression is not linear in them."""
    if isinstance(expr, Num):
        return {}, expr.value
    if isinstance(expr, Ref):
        low, high = ANY_VALUE if expr.key is None else intervals.get(expr.key, ANY_VALUE)
        return ({}, low) if low == high else ({expr: 1}, 0)
    sides = [linear(arg, intervals) for arg in expr.args]
    if any(side is None for side in sides):
        return None
    parts = [side for side in sides if side is not None]
    if all(not refs for refs, _ in parts):
        try:
            return {}, combine(expr.name, [constant for _, constant in parts])
        except ZeroDivisionError:
            return None
    return _linear_call(expr.name, parts)


def _linear_call(name: str, parts: list[tuple[dict[Ref, int], int]]) -> tuple[dict[Ref, int], int] | None:
    if name in ("+", "-"):
        (one, a), (other, b) = parts
        sign = 1 if name == "+" else -1
        refs = {ref: one.get(ref, 0) + sign * other.get(ref, 0) for ref in {**one, **other}}
        return {ref: times for ref, times in refs.items() if times}, a + sign * b
    if name == "*" and any(not refs for refs, _ in parts):
        (one, a), (other, b) = parts
        refs, by = (one, b) if one else (other, a)
        return ({ref: times * by for ref, times in refs.items()}, a * b) if by else ({}, 0)
    return None
