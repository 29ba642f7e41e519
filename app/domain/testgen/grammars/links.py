"""Relations between elements at the same place, as `l <= r` of a row: later elements respect existing ones."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from app.domain.testgen.grammars.domains import Interval, linear
from app.domain.testgen.grammars.expressions import CallExpr, Key, Ref, Relation


class ElementLink(NamedTuple):
    """A bound of an element: at most (<=), at least (>=) or not (!=) `other + offset`, at the same first place."""

    other: Key
    sign: str
    offset: int


def links(relations: Iterable[Relation], intervals: Mapping[Key, Interval]) -> dict[Key, list[ElementLink]]:
    """Return the links of each element to others; the validator checks all other relations."""
    by_key: dict[Key, list[ElementLink]] = {}
    for relation in relations:
        form = linear(CallExpr("-", (relation.left, relation.right)), intervals)
        if form is None or sorted(form[0].values()) != [-1, 1]:
            continue
        refs, constant = form
        less = next(ref for ref, times in refs.items() if times == 1)
        more = next(ref for ref, times in refs.items() if times == -1)
        one, other = less.key, more.key
        if one is None or other is None or not _same_place(less, more):
            continue
        # one - other + constant  op  0
        slack = -constant - (relation.op == "<")
        signs = {"<=": ["<="], "<": ["<="], "==": ["<=", ">="], "!=": ["!="]}[relation.op]
        for sign in signs:
            turned = {"<=": ">=", ">=": "<=", "!=": "!="}[sign]
            by_key.setdefault(one, []).append(ElementLink(other, sign, slack))
            by_key.setdefault(other, []).append(ElementLink(one, turned, -slack))
    return by_key


def _same_place(one: Ref, other: Ref) -> bool:
    return bool(one.path and other.path) and one.path[0].name == other.path[0].name != ""


def bounds(
    element_links: Sequence[ElementLink], at: int, name: str, row: Mapping[int | None, int], values: Mapping[str, Any]
) -> tuple[int, int, set[int]]:
    """Return (least, most, excluded values) of one element, from the existing elements."""
    least, most = -(10**60), 10**60
    not_these: set[int] = set()
    for link in element_links:
        other = _element(link.other, at, name, row, values)
        if other is None:
            continue
        if link.sign == "<=":
            most = min(most, other + link.offset)
        elif link.sign == ">=":
            least = max(least, other + link.offset)
        else:
            not_these.add(other + link.offset)
    return least, most, not_these


def _element(key: Key, at: int, name: str, row: Mapping[int | None, int], values: Mapping[str, Any]) -> int | None:
    column = key.path[1] if len(key.path) > 1 else None
    if key.name == name:
        return row.get(column)
    array = values.get(key.name)
    if array is None or at >= len(array):
        return None
    item = array[at]
    if key.length:
        return len(item)
    if column is not None:
        return int(item[column]) if column < len(item) else None
    return item if isinstance(item, int) else None
